/**
 * Cuts lines into fields, a batch of BATCH lines at a time: all are cut, then all their headers are looked up, then log.ts judges them one by
 * one. So the waits for memory of the look-ups overlap, and each loop is small. A batch outlives a return to the host, which happens
 * whenever a line needs an answer; what the answer changes (the format, the table of headers) must be forgotten here too.
 */

import { areColumns, isBlank } from "./columns";
import {
	FIELD_AGENT,
	FIELD_DATE,
	FIELD_TIME,
	OPTION_ADDRESS,
	OPTION_ASKS,
	OPTION_DIRECTIVES,
	OPTION_JSON,
	OPTION_NO_HEADERS,
	OPTION_ROOTLESS,
	OPTION_TRANSCODED,
	TIME_NONE,
	TIME_USUAL,
} from "./format";
import {
	clearFields,
	cut,
	cutQuickly,
	endOf,
	endOfLine,
	FIELDS_SIZE,
	NO_STATUS,
	readStatus,
	setBounds,
	startOf,
	useFields,
	useSteps,
} from "./fields";
import { candidate, hashOf, Interner, touch } from "./interner";
import { cutJson } from "./json";
import { NOT_A_TIME, readTime } from "./time";
import { find } from "../../../assembly/bytes/scan";

const LF: u32 = 0x0a;
const HASH: u32 = 0x23;

/** Settings by the host; see `useFormat` and `usePeriod`. */
let timeKind: i32 = 0;
let options: u32 = 0;
let since: f64 = -Infinity;
let until: f64 = Infinity;

/** A line that was cut; its fields follow in memory. */
@unmanaged
export class CutLine {
	start: usize;
	end: usize;
	/** Start of the next line. */
	next: usize;
	kind: i32;
	status: u32;
	/** Hash of the User-Agent header, and its likely entry in the table. */
	hash: u32;
	entry: usize;
	/** Sink: keeps the loads of `touch` from being optimised away. */
	touched: u32;
	/** Whether its target may lack the first slash. */
	isRootless: bool;
	/** Of an odd line: its fields and numbers are there. */
	isCut: bool;
	time: f64;
}

/** Kinds of lines. */
export const REQUEST: i32 = 0;
export const BLANK: i32 = 1;
export const DIRECTIVE: i32 = 2;
export const UNPARSED: i32 = 3;
const OUTSIDE: i32 = 4;
/** The host has to rewrite it. */
export const FOREIGN: i32 = 5;
/** The host has to say whether it is of another format. */
export const ODD: i32 = 6;
/** Options whose formats have columns to look at. */
const CHECKED: u32 = OPTION_ADDRESS | OPTION_NO_HEADERS;

/** Lines of a batch, whose look-ups wait for memory together. */
const BATCH: i32 = 32;
const CUT_SIZE: usize = offsetof<CutLine>() + FIELDS_SIZE;
const cutLines: usize = memory.data(BATCH * <i32>CUT_SIZE);
/** The lines that remain to be judged. */
let first: usize = cutLines;
let last: usize = cutLines;

/** Sets the log format. [day, dayEnd) is the date of lines without one. */
export function useFormat(
	stepList: usize,
	count: u32,
	kind: i32,
	optionBits: u32,
	day: usize,
	dayEnd: usize,
): void {
	useSteps(stepList, count);
	timeKind = kind;
	options = optionBits;
	memory.fill(cutLines, 0, <usize>BATCH * CUT_SIZE);
	// The date of lines without one is the same for all: set once, as cutting leaves it alone.
	for (let line = 0; line < BATCH; line++) {
		useFields(cutLines + <usize>line * CUT_SIZE + offsetof<CutLine>());
		setBounds(FIELD_DATE, day, dayEnd);
	}
	forgetLines();
}

/** Sets the period in milliseconds since 1970, `to` not included. Lines outside it are counted, but not judged. */
export function usePeriod(from: f64, to: f64): void {
	since = from;
	until = to;
}

/** Whether an OPTION_ of the format is set. */
export function hasOption(option: u32): bool {
	return (options & option) != 0;
}

/** The CutLine to be judged, with its fields in use; 0 if none is left. */
export function nextLine(): usize {
	if (first == last) return 0;
	useFields(first + offsetof<CutLine>());
	return first;
}

/** The line at hand was judged. */
export function passLine(): void {
	first += CUT_SIZE;
}

/** Drops the lines that were cut but not judged: they will be cut again. */
export function forgetLines(): void {
	first = last = cutLines;
}

/** Drops the likely entries of the lines that remain, because the table of headers was emptied. */
export function forgetCandidates(): void {
	for (let line = first; line < last; line += CUT_SIZE)
		changetype<CutLine>(line).entry = 0;
}

/** Reads the status and the time (a TIME_ kind) of a line that was cut; false if one of them is malformed. */
function readNumbers(line: CutLine, kind: i32): bool {
	line.status = readStatus();
	if (line.status == NO_STATUS) return false;
	line.time = readTime(
		kind,
		startOf(FIELD_TIME),
		endOf(FIELD_TIME),
		startOf(FIELD_DATE),
		endOf(FIELD_DATE),
	);
	return line.time != NOT_A_TIME;
}

/** Whether the columns of a line that was cut are what its format says. */
function hasColumns(): bool {
	return !(options & CHECKED) || areColumns(options);
}

/** The kind of a request, by its time. */
function kindOf(line: CutLine): i32 {
	const time = line.time;
	return time < since || time >= until ? OUTSIDE : REQUEST;
}

/** Completes a line whose fields and numbers are valid. */
function accept(line: CutLine, kind: i32): void {
	line.kind = kind;
	const header = startOf(FIELD_AGENT);
	line.hash = hashOf(header, <u32>(endOf(FIELD_AGENT) - header));
}

/** The kind of a line that is not as the format says. */
function odd(): i32 {
	return hasOption(OPTION_ASKS) ? ODD : UNPARSED;
}

/** The host has looked at the odd line at hand: it counts as a request as it was cut, or as unparsed. */
export function settleLine(isRequest: bool): void {
	const line = changetype<CutLine>(first);
	line.kind = isRequest && line.isCut ? kindOf(line) : UNPARSED;
}

/** Cuts a JSON object; returns where its line feed is, 0 if it is unusual and the host has to read it. */
function readJson(line: CutLine, start: usize): usize {
	const feed = cutJson(start, timeKind != TIME_NONE);
	const kind = timeKind == TIME_NONE ? TIME_NONE : TIME_USUAL;
	line.isRootless = hasOption(OPTION_ROOTLESS);
	return feed && readNumbers(line, kind) ? feed : 0;
}

/** Cuts the line that begins at `start`. */
function cutLine(line: CutLine, start: usize, end: usize): void {
	line.start = start;
	// In this order: JSON by its own reader; other lines quickly; what is left by `cut`, which decides.
	const isDirective = load<u8>(start) == HASH && options & OPTION_DIRECTIVES;
	const isForeign = (options & OPTION_TRANSCODED) != 0;
	let feed: usize = 0;
	let isCut = false;
	if (isForeign) {
		if (options & OPTION_JSON) feed = readJson(line, start);
		isCut = feed != 0;
	} else if (!isDirective) {
		feed = cutQuickly(start, end);
		isCut = feed != 0 && readNumbers(line, timeKind) && hasColumns();
	}
	let kind = isCut ? kindOf(line) : UNPARSED;
	if (!isCut) {
		feed = find(LF, start, end);
		const lineEnd = endOfLine(start, feed);
		line.kind = isBlank(start, lineEnd)
			? BLANK
			: isDirective
				? DIRECTIVE
				: isForeign
					? FOREIGN
					: odd();
		isCut =
			(line.kind == UNPARSED || line.kind == ODD) &&
			cut(start, lineEnd) &&
			readNumbers(line, timeKind);
		if (isCut) kind = hasColumns() ? kindOf(line) : odd();
	}
	line.end = endOfLine(start, feed);
	line.next = feed + 1;
	line.isCut = isCut;
	if (isCut) accept(line, kind);
}

/** Replaces the line at hand by the text in [from, end), which the host has rewritten to the format; empty for a blank line. */
export function cutForeign(agents: Interner, from: usize, end: usize): void {
	const line = changetype<CutLine>(first);
	clearFields();
	// The host has added the slash already.
	line.isRootless = false;
	line.kind = from == end ? BLANK : odd();
	line.isCut = false;
	if (from == end || !cut(from, end) || !readNumbers(line, timeKind)) return;
	line.isCut = true;
	accept(line, hasColumns() ? kindOf(line) : odd());
	line.entry = candidate(agents, line.hash);
}

/** Cuts a batch of lines from `from` on, up to a directive, as it may change the fields; headers are looked up in `agents`. */
export function cutBatch(agents: Interner, from: usize, end: usize): void {
	let at = from;
	let line = cutLines;
	const full = cutLines + <usize>BATCH * CUT_SIZE;
	while (line < full && at < end) {
		useFields(line + offsetof<CutLine>());
		const next = changetype<CutLine>(line);
		cutLine(next, at, end);
		at = next.next;
		line += CUT_SIZE;
		// The host may change the steps at it, so that lines after it cannot be cut yet.
		if (next.kind == DIRECTIVE) break;
	}
	first = cutLines;
	last = line;
	// Each step for all lines before the next one: while one look-up waits for memory, the others go on (interner.ts).
	for (line = cutLines; line < last; line += CUT_SIZE) {
		const cutLine = changetype<CutLine>(line);
		cutLine.entry = candidate(agents, cutLine.hash);
	}
	for (line = cutLines; line < last; line += CUT_SIZE) {
		const cutLine = changetype<CutLine>(line);
		cutLine.touched = touch(cutLine.entry);
	}
}
