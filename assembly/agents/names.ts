/**
 * The table of crawlers as the module has it: which one a name is, and which name a text holds. identity.ts and header.ts ask. Made of
 * crawlers.ts when the first agent is read.
 */
import { allocate } from "../bytes/memory";
import {
	DASH,
	equalAnyCase,
	isDigit,
	isLetter,
	isTokenByte,
	lowerCase,
} from "../robots-txt/token";
import { COUNT, CRAWLERS } from "./crawlers";

const LF: u32 = 10;
const BANG: u32 = 33;
const MORE: u32 = 62;
const CARET: u32 = 94;

/** Groups for `*` do not hold for it. */
export const WITHOUT_GLOBAL: u32 = 1;
/** No header names it. */
const WITHOUT_HEADER: u32 = 2;

/** A line of crawlers.ts. */
@unmanaged
class Row {
	/** Its name. */
	from: usize;
	to: usize;
	/** End of its line, whose other tokens stand behind ">". */
	end: usize;
	flags: u32;
	/** Number of the row before it whose name begins with the same letter, counted from 1. */
	next: u32;
}

let rows: usize = 0;
/** By the first byte of their names, in lower case: the number of the last row, counted from 1. */
const last = memory.data(4 * 256, 4);

/** False when memory cannot grow. */
export function openNames(): bool {
	if (rows) return true;
	const table = allocate(COUNT * offsetof<Row>());
	if (!table) return false;
	let at = CRAWLERS;
	for (let number: u32 = 0; number < COUNT; number++)
		at = addRow(table, number, at);
	rows = table;
	return true;
}

function addRow(table: usize, number: u32, at: usize): usize {
	const row = changetype<Row>(table + number * offsetof<Row>());
	row.from = at;
	row.flags = 0;
	let to = at;
	let byte: u32 = load<u8>(to);
	while (byte != BANG && byte != CARET && byte != MORE && byte != LF)
		byte = load<u8>(++to);
	row.to = to;
	for (; byte == BANG || byte == CARET; byte = load<u8>(++to))
		row.flags |= byte == BANG ? WITHOUT_GLOBAL : WITHOUT_HEADER;
	while (load<u8>(to) != LF) to++;
	row.end = to;
	const bucket = last + (lowerCase(load<u8>(at)) << 2);
	row.next = load<u32>(bucket);
	store<u32>(bucket, number + 1);
	return to + 1;
}

function rowAt(number: u32): Row {
	return changetype<Row>(rows + number * offsetof<Row>());
}

/** The first token of a row, which is its name, with its end in `tokenEnd`; then those behind, each from the end of the one before. 0 after the last. */
export function firstToken(row: i32): usize {
	const found = rowAt(row);
	tokenEnd = found.to;
	return found.from;
}

export let tokenEnd: usize = 0;

export function nextToken(row: i32): usize {
	const end = rowAt(row).end;
	let at = tokenEnd;
	while (at < end && load<u8>(at) != MORE) at++;
	if (at >= end) return 0;
	const from = ++at;
	while (at < end && load<u8>(at) != MORE) at++;
	tokenEnd = at;
	return from;
}

export function flagsOf(row: i32): u32 {
	return rowAt(row).flags;
}

/** The row whose name is [from, to) in any case, -1 for none. */
export function rowNamed(from: usize, to: usize): i32 {
	if (from == to) return -1;
	const first = last + (lowerCase(load<u8>(from)) << 2);
	for (let number = load<u32>(first); number; ) {
		const row = rowAt(number - 1);
		if (
			row.to - row.from == to - from &&
			equalAnyCase(row.from, from, to - from)
		)
			return <i32>number - 1;
		number = row.next;
	}
	return -1;
}

/** Where the name was found. */
export let foundFrom: usize = 0;
export let foundTo: usize = 0;

/**
 * The row of the first name that headers hold in [from, to), of several that begin there the longest; -1 for none. A name begins where no
 * word goes on, and ends where no letter, digit or "-" follows: "Googlebot" is not in "Googlebotany".
 */
export function rowIn(from: usize, to: usize): i32 {
	for (let at = from; at < to; at++) {
		if (at > from && isTokenByte(load<u8>(at - 1))) continue;
		let best: i32 = -1;
		let length: usize = 0;
		for (
			let number = load<u32>(last + (lowerCase(load<u8>(at)) << 2));
			number;
		) {
			const row = rowAt(number - 1);
			const size = row.to - row.from;
			if (
				size > length &&
				size <= to - at &&
				!(row.flags & WITHOUT_HEADER) &&
				equalAnyCase(row.from, at, size) &&
				(at + size == to || !goesOn(load<u8>(at + size)))
			) {
				best = <i32>number - 1;
				length = size;
			}
			number = row.next;
		}
		if (best >= 0) {
			foundFrom = at;
			foundTo = at + length;
			return best;
		}
	}
	return -1;
}

function goesOn(byte: u32): bool {
	return isLetter(byte) || isDigit(byte) || byte == DASH;
}
