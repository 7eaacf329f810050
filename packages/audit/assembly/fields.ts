/**
 * The fields of a line, cut out by the steps of its format (STEP_ in format.ts). `cutQuickly` does it for usual lines without knowing where
 * they end; `cut` does it for all lines and decides which are of the format. Whatever cutQuickly accepts, `cut` must accept with the
 * same fields. Other files read and set fields through `startOf`, `endOf` and `setBounds`.
 */

import { eitherByte, equal, find } from "../../../assembly/bytes/scan";
import {
	FIELD_BYTES,
	FIELD_COUNT,
	FIELD_IP,
	FIELD_STATUS,
	STATUS_WIDTH,
	STEP_BLANKS,
	STEP_FIRST_BYTES,
	STEP_KEEP,
	STEP_LEAD,
	STEP_LIST,
	STEP_QUOTED,
	STEP_SIZE,
	STEP_STRING,
	STEP_WHOLE,
	STEP_WIDTH,
} from "./format";
import { Step } from "./layout";

/** Bytes of a line's fields: the bounds of each FIELD_, two u32; equal ones where the line has none. */
export const FIELDS_SIZE: usize = FIELD_COUNT * 8;

/** The bounds of the fields of the line at hand. */
let bounds: usize = 0;

/** The steps of the format. */
let steps: usize = 0;
let stepsEnd: usize = 0;
/** For `cutQuickly`: whether it supports all steps, the first step with a field, the end of the steps with a text. */
let isQuick: bool = false;
let quickSteps: usize = 0;
let quickEnd: usize = 0;

const LF: u32 = 0x0a;
const CR: u32 = 0x0d;
const SPACE: u32 = 0x20;
const DASH: u32 = 0x2d;
const COMMA: u32 = 0x2c;
const QUOTE: u32 = 0x22;
const BACKSLASH: u32 = 0x5c;

/** Makes the fields at an address (FIELDS_SIZE bytes) those of the line at hand. */
export function useFields(at: usize): void {
	bounds = at;
}

/** Bounds of the fields of the last line: two u32 for each FIELD_. */
export function fields(): usize {
	return bounds;
}

/** Sets the steps of the format, and finds out whether `cutQuickly` supports them: texts of at most eight bytes without a line feed. */
export function useSteps(list: usize, count: u32): void {
	steps = list;
	stepsEnd = list + <usize>count * <usize>STEP_SIZE;
	quickSteps = steps;
	quickEnd = stepsEnd;
	isQuick = count != 0;
	if (!isQuick) return;
	if (changetype<Step>(steps).flags & STEP_LEAD) quickSteps += STEP_SIZE;
	if (!changetype<Step>(quickEnd - STEP_SIZE).length) quickEnd -= STEP_SIZE;
	for (let at = steps; at < quickEnd; at += <usize>STEP_SIZE) {
		const text = at + STEP_FIRST_BYTES;
		const end = text + changetype<Step>(at).length;
		if (end > text + 8 || find(LF, text, end) < end) isQuick = false;
		const flags = changetype<Step>(at).flags;
		if (flags & STEP_BLANKS) isQuick = false;
		// A list in FIELD_IP is noticed when its columns are looked at; a test for each step would slow all lines down.
		if (flags & STEP_LIST && changetype<Step>(at).field != FIELD_IP)
			isQuick = false;
	}
}

/** Where a field begins; 0 if the line has none. */
export function startOf(field: i32): usize {
	return load<u32>(bounds + ((<usize>field) << 3));
}

/** Where a field ends; 0 if the line has none. */
export function endOf(field: i32): usize {
	return load<u32>(bounds + ((<usize>field) << 3), 4);
}

/** Sets the bounds of a field of the line at hand. */
export function setBounds(field: i32, from: usize, end: usize): void {
	const slot = bounds + ((<usize>field) << 3);
	store<u32>(slot, <u32>from);
	store<u32>(slot, <u32>end, 4);
}

/** Removes all fields of the line. */
export function clearFields(): void {
	memory.fill(bounds, 0, FIELDS_SIZE);
}

/**
 * Cuts the line at `from`, whose end is not known, into fields as `cut` does, or gives up; returns where its line feed is, or 0.
 * The line feed is before `end`.
 * Anything unusual (a backslash in front of a quote, a text of which only a part is found) is left to `cut`. The line feed ends each
 * search, so that nothing else has to be looked for. Fields of a fixed width are not read: if they turn out to be wrong, the line is
 * cut again.
 *
 * Each search has to wait for the one before it, so that widths that can be guessed (a dash, a status) are worth a test. No
 * calls in the loop: with them most of its time goes to saving registers.
 */
export function cutQuickly(from: usize, end: usize): usize {
	if (!isQuick) return 0;
	const feeds = i8x16.splat(<i8>LF);
	const slots = bounds;
	const last = quickEnd;
	let at = from;
	if (quickSteps != steps) {
		const lead = changetype<Step>(steps);
		if ((load<u64>(at) ^ lead.firstBytes) & lead.mask) return 0;
		at += lead.length;
	}
	for (let from = quickSteps; from < last; from += <usize>STEP_SIZE) {
		const step = changetype<Step>(from);
		const flags = step.flags;
		const text = step.firstBytes;
		let to = at;
		if (flags & STEP_QUOTED) {
			const quotes = v128.load8_splat(from, STEP_FIRST_BYTES);
			let found = eitherByte(to, quotes, feeds);
			while (!found) {
				to += 64;
				found = eitherByte(to, quotes, feeds);
			}
			to += <usize>ctz(found);
			if (load<u8>(to - 1) == BACKSLASH) return 0;
		} else if (flags >= <u32>STEP_WIDTH) {
			to += <usize>(flags / STEP_WIDTH);
			if (to >= end) return 0;
		} else if (load<u16>(to) == (DASH | ((<u32>(<u8>text)) << 8))) {
			to++;
		} else {
			if (flags & STEP_STRING) if (load<u8>(to) == QUOTE) return 0;
			const wanted = v128.load8_splat(from, STEP_FIRST_BYTES);
			let bytes = v128.load(to);
			let found = i8x16.bitmask(
				v128.or(i8x16.eq(bytes, wanted), i8x16.eq(bytes, feeds)),
			);
			while (!found) {
				to += 16;
				bytes = v128.load(to);
				found = i8x16.bitmask(
					v128.or(i8x16.eq(bytes, wanted), i8x16.eq(bytes, feeds)),
				);
			}
			to += <usize>ctz(found);
		}
		if ((load<u64>(to) ^ text) & step.mask) return 0;
		const slot = slots + ((<usize>step.field) << 3);
		store<u32>(slot, <u32>at);
		store<u32>(slot, <u32>to, 4);
		at = flags & STEP_KEEP ? to : to + <usize>step.length;
	}
	if (last == stepsEnd) return load<u8>(at) == LF ? at : feedFrom(at, feeds);
	if (changetype<Step>(last).flags & STEP_STRING)
		if (load<u8>(at) == QUOTE) return 0;
	const feed = feedFrom(at, feeds);
	if (changetype<Step>(last).flags & STEP_WHOLE)
		if (hasMore(last, at, feed)) return 0;
	setBounds(changetype<Step>(last).field, at, endOfLine(at, feed));
	return feed;
}

/** Position of the first line feed from `at` on; there is one. */
function feedFrom(at: usize, feeds: v128): usize {
	let found = eitherByte(at, feeds, feeds);
	while (!found) {
		at += 64;
		found = eitherByte(at, feeds, feeds);
	}
	return at + <usize>ctz(found);
}

/** Whether a step's text, of `length` bytes, stands at `at`, within a line that ends at `end`. */
function stands(step: Step, length: usize, at: usize, end: usize): bool {
	if ((load<u64>(at) ^ step.firstBytes) & step.mask) return false;
	if (at + length > end) return false;
	return length <= 8 || equal(at, step.text, length);
}

/** Whether the quote at `at` belongs to the field that begins at `from`: an odd number of backslashes is before it. */
function isEscaped(at: usize, from: usize): bool {
	let first = at;
	while (first > from && load<u8>(first - 1) == BACKSLASH) first--;
	return ((at - first) & 1) != 0;
}

/** End of the field at `from`, which the step's text follows; 0 if the text is missing. */
function fieldEnd(step: Step, from: usize, end: usize): usize {
	const first: u32 = <u8>step.firstBytes;
	const length: usize = step.length;
	const flags = step.flags;
	// Times nearly always have their width, and may have a space within: no search.
	const width = flags / STEP_WIDTH;
	if (width > <u32>STATUS_WIDTH && stands(step, length, from + width, end))
		return from + width;
	for (let at = find(first, from, end); at < end; at = find(first, at + 1, end))
		if (
			stands(step, length, at, end) &&
			!(
				flags & STEP_QUOTED &&
				load<u8>(at - 1) == BACKSLASH &&
				isEscaped(at, from)
			) &&
			!(flags & STEP_LIST && at > from && load<u8>(at - 1) == COMMA)
		)
			return at;
	return 0;
}

/** The quote that ends the string at `from`, which begins with one; 0 without it. */
function stringEnd(from: usize, end: usize): usize {
	for (let at = find(QUOTE, from + 1, end); at < end; ) {
		if (at + 1 == end || load<u8>(at + 1) != QUOTE) return at;
		at = find(QUOTE, at + 2, end);
	}
	return 0;
}

/** Whether fields follow the one at `from`, the last of the format; blanks at the end of the line do not count. */
function hasMore(last: usize, from: usize, end: usize): bool {
	const separator: u32 = <u8>(
		changetype<Step>(last - <usize>STEP_SIZE).firstBytes
	);
	let at = find(separator, from, end);
	while (at < end && (load<u8>(at) == separator || load<u8>(at) == CR)) at++;
	return at < end;
}

/** Where the line at `from` ends without its CR, which ends at `feed` with it. */
export function endOfLine(from: usize, feed: usize): usize {
	return feed > from && load<u8>(feed - 1) == CR ? feed - 1 : feed;
}

/** The first byte that is not a space. */
function afterBlanks(at: usize, end: usize): usize {
	while (at < end && load<u8>(at) == SPACE) at++;
	return at;
}

/** Cuts a line into fields; false when it is not of the format. */
export function cut(from: usize, end: usize): bool {
	// Without steps the fields are unknown: #Fields is still to come.
	if (steps == stepsEnd) return false;
	let at = from;
	for (let next = steps; next < stepsEnd; next += <usize>STEP_SIZE) {
		const step = changetype<Step>(next);
		const field = step.field;
		const flags = step.flags;
		const length: usize = step.length;
		let to = end;
		if (flags & STEP_LEAD) {
			if (!stands(step, length, at, end)) return false;
			at += length;
			continue;
		}
		if (flags & STEP_STRING && at < end && load<u8>(at) == QUOTE) {
			const close = stringEnd(at, end);
			// IIS writes a header that begins with a quote as it is.
			if (
				close &&
				(length ? stands(step, length, close + 1, end) : close + 1 == end)
			) {
				// Imperva writes an empty string where there is no status.
				const isEmpty = close == at + 1;
				if (field) setBounds(field, isEmpty ? 0 : at + 1, isEmpty ? 0 : close);
				at = close + 1 + length;
				if (flags & STEP_BLANKS) at = afterBlanks(at, end);
				continue;
			}
		}
		if (length) {
			to = fieldEnd(step, at, end);
			if (!to) return false;
		} else if (flags & STEP_WHOLE && hasMore(next, at, end)) return false;
		if (field) setBounds(field, at, to);
		at = flags & STEP_KEEP ? to : to + length;
		if (flags & STEP_BLANKS) at = afterBlanks(at, end);
	}
	return true;
}

function isDigit(byte: u32): bool {
	return byte - 0x30 < 10;
}

/** The status code in FIELD_STATUS; 0 for none, written as "-", "-1" or one digit; NO_STATUS for anything but three digits else. */
export const NO_STATUS: u32 = 1000;

export function readStatus(): u32 {
	const from = startOf(FIELD_STATUS);
	const length = endOf(FIELD_STATUS) - from;
	const bytes = load<u32>(from);
	if (length == 3) {
		const hundreds = (bytes & 255) - 0x30,
			tens = ((bytes >> 8) & 255) - 0x30,
			ones = ((bytes >> 16) & 255) - 0x30;
		if (hundreds < 10 && tens < 10 && ones < 10)
			return hundreds * 100 + tens * 10 + ones;
	}
	if (length == 1 && (bytes & 255) == DASH) return 0;
	if (length == 1 && isDigit(bytes & 255)) return 0;
	// "-1", as HAProxy has it.
	if (length == 2 && (bytes & 0xffff) == 0x312d) return 0;
	return length == 0 && !from ? 0 : NO_STATUS;
}

/** The number that FIELD_BYTES begins with; 0 without one. */
export function readBytes(): f64 {
	const from = startOf(FIELD_BYTES);
	const end = endOf(FIELD_BYTES);
	let bytes: u64 = 0;
	// No answer has more digits, and none of these overflow.
	const last = min(end, from + 16);
	for (let at = from; at < last; at++) {
		const digit = <u32>load<u8>(at) - 0x30;
		if (digit > 9) break;
		bytes = bytes * 10 + digit;
	}
	return <f64>bytes;
}
