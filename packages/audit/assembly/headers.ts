/**
 * Headers that the scan has not met, as far as nobody has to make a string of them: a browser's in which nothing is that a crawler's name
 * needs, and those that differ from a known one in digits of versions only. log.ts asks for each new header; the host answers for the rest.
 * Invariant: "unknown" is always a right answer; any other is what the host would say of the header alone (test/scanner/new-headers.test.ts).
 *
 * The host gives its index of literals (literals.ts): of each literal one gram of three bytes leads to a slot, and a slot to the literals
 * to compare. Calling the host for each header, and searching there, took 4 to 10 times the CPU.
 */

import { find } from "../../../assembly/bytes/scan";
import {
	GRAM,
	GRAM_SHIFT,
	GRAM_SLOTS,
	LITERAL_DIGITS,
	LITERAL_SIZE,
	READING_UNPLAIN,
	READINGS_SIZE,
} from "./format";
import {
	candidate,
	enter,
	forget,
	hashOf,
	Interner,
	lookUp,
	open,
} from "./interner";
import { Literal } from "./layout";

/** The host's index: GRAM_SLOTS numbers of literals, u16 each, then the literals; 0 until it has given one. */
let signs: usize = 0;
/** What people's headers are; 0 where the host wants to see all of them. */
let person: u32 = 0;

/** What each byte of a header is read as: in lower case, or READING_UNPLAIN. By the escaping of the format. */
const readingList: usize = memory.data(READINGS_SIZE);

/** Longer headers are the host's: they are rare. */
const LONGEST: u32 = 512;
/** A header without its versions. */
const shape: usize = memory.data(LONGEST);
/** Bytes of "Mozilla/5.0 ", whose digits stay: one of the expressions tells "Mozilla/4.0" from "Mozilla/5.0". */
const FIXED: usize = 12;

/**
 * Values of shapes: the first that came, as logs have some hundred. Where names are made up, newer ones would drive out those that come again.
 */
const shapes = changetype<Interner>(memory.data(offsetof<Interner>()));
const SHAPE_BITS: u32 = 11;
const SHAPE_ROOM: usize = 256 << 10;

const ZERO: u32 = 0x30;
const DOT: u32 = 0x2e;
const SLASH: u32 = 0x2f;
const SEMICOLON: u32 = 0x3b;
const AT: u32 = 0x40;
const BAR: u32 = 0x7c;
const OPENING: u32 = 0x28;
const CLOSING: u32 = 0x29;

/** Allocates the table of shapes; false if there is no memory. */
export function prepareHeaders(): bool {
	return open(shapes, SHAPE_BITS, SHAPE_ROOM);
}

/** Sets the index of literals, and the value of people's headers or 0. */
export function useSigns(index: usize, people: u32): void {
	signs = index;
	person = people;
}

/** Address of READINGS_SIZE bytes, which the host fills for each format. */
export function readings(): usize {
	return readingList;
}

/** Forgets all shapes: the host's classes or the escaping have changed. */
export function forgetShapes(): void {
	forget(shapes);
}

function readingOf(at: usize): u32 {
	return <u32>load<u8>(readingList + <usize>load<u8>(at));
}

/** The header has a byte that must be decoded first. */
const UNPLAIN: u32 = 1;
/** A literal is in it. */
const SIGN: u32 = 2;
/** One of an expression that tells digits apart. */
const DIGITS: u32 = 4;

/** Whether a literal is in a header, of which `at` is the end of its gram. */
function stands(literal: Literal, from: usize, end: usize, at: usize): bool {
	const start = at - literal.gramEnd;
	// Addresses are small, so that neither wraps around.
	if (start < from || start + literal.length > end) return false;
	const text = signs + literal.text;
	const length: usize = literal.length;
	for (let i: usize = 0; i < length; i++)
		if (<u32>load<u8>(text + i) != readingOf(start + i)) return false;
	return true;
}

/** What of SIGN and DIGITS the literals of a slot make of a header. */
function signsOfSlot(number: u32, from: usize, end: usize, at: usize): u32 {
	let found: u32 = 0;
	do {
		const literal = changetype<Literal>(
			signs + <usize>(GRAM_SLOTS * 2) + <usize>(number - 1) * LITERAL_SIZE,
		);
		if (stands(literal, from, end, at))
			found |= literal.flags & <u32>LITERAL_DIGITS ? SIGN | DIGITS : SIGN;
		number = literal.next;
	} while (number);
	return found;
}

/** UNPLAIN, or which of SIGN and DIGITS hold for a header. */
function signsIn(from: usize, end: usize): u32 {
	const mask: u32 = (1 << (8 * GRAM)) - 1;
	let found: u32 = 0;
	let gram: u32 = 0;
	let seen: u32 = 0;
	for (let at = from; at < end; at++) {
		const byte = readingOf(at);
		seen |= byte;
		gram = ((gram << 8) ^ byte) & mask;
		const slot = (gram ^ (gram >> GRAM_SHIFT)) & (GRAM_SLOTS - 1);
		const number = <u32>load<u16>(signs + ((<usize>slot) << 1));
		if (number) found |= signsOfSlot(number, from, end, at);
	}
	return seen & READING_UNPLAIN ? UNPLAIN : found;
}

function isDigit(byte: u32): bool {
	return byte - ZERO < 10;
}

/** Whether a header begins with "Mozilla/5.0 (", in any case, with any digits. */
function isMozilla(from: usize, end: usize): bool {
	if (end - from <= FIXED) return false;
	const name = memory.data<u8>([
		0x6d, 0x6f, 0x7a, 0x69, 0x6c, 0x6c, 0x61, 0x2f, 0x30, 0x2e, 0x30, 0x20,
		0x28,
	]);
	for (let i: usize = 0; i <= FIXED; i++) {
		const wanted = <u32>load<u8>(name + i);
		const byte = readingOf(from + i);
		if (wanted == ZERO ? !isDigit(byte) : byte != wanted) return false;
	}
	return true;
}

/**
 * Whether a header without SIGN is a person's. What remains are isbot's expressions without a literal: those for a header's beginning match
 * none that begins like this and goes on after a comment, and the others need ";" at the end, "@", "|" or "()". A test lists them, so that
 * new ones of isbot are noticed.
 */
function isPersons(from: usize, end: usize): bool {
	if (!isMozilla(from, end)) return false;
	const last = <u32>load<u8>(end - 1);
	if (last == SEMICOLON || last == CLOSING) return false;
	if (find(AT, from, end) < end || find(BAR, from, end) < end) return false;
	let closing = find(CLOSING, from, end);
	while (closing < end) {
		if (<u32>load<u8>(closing - 1) == OPENING) return false;
		closing = find(CLOSING, closing + 1, end);
	}
	return true;
}

/**
 * Writes a header to `shape` with zeros for the digits of its versions, which follow a slash or a dot.
 * @returns Whether it has any, and fits.
 */
function writeShape(from: usize, end: usize): bool {
	let hasVersion = false;
	let isVersion = false;
	const fixed = isMozilla(from, end) ? from + FIXED : from;
	let to = shape;
	for (let at = from; at < end; at++) {
		let byte = <u32>load<u8>(at);
		if (isDigit(byte)) {
			if (isVersion && at >= fixed) {
				hasVersion = true;
				byte = ZERO;
			}
		} else isVersion = byte == SLASH || byte == DOT;
		store<u8>(to++, byte);
	}
	return hasVersion;
}

/** The value of a header that the scan has not met; 0 if the host has to say. */
export function valueOfNew(from: usize, end: usize): u32 {
	const length = <u32>(end - from);
	if (!signs || length > LONGEST) return 0;
	const found = signsIn(from, end);
	if (found & UNPLAIN) return 0;
	if (person && !found && isPersons(from, end)) return person;
	if (found & DIGITS || !shapes.count || !writeShape(from, end)) return 0;
	const hash = hashOf(shape, length);
	return lookUp(shapes, candidate(shapes, hash), hash, shape, length);
}

/** Gives all headers of the same shape a value, unless digits matter in this one. */
export function setShape(from: usize, end: usize, value: u32): void {
	const length = <u32>(end - from);
	if (!signs || length > LONGEST) return;
	if (signsIn(from, end) & (UNPLAIN | DIGITS) || !writeShape(from, end)) return;
	const hash = hashOf(shape, length);
	if (!lookUp(shapes, candidate(shapes, hash), hash, shape, length))
		enter(shapes, shape, length, value);
}
