import {
	FIELD_COUNT,
	FIELD_STATUS,
	STEP_KEEP,
	STEP_LEAD,
	STEP_QUOTED,
	STEP_SIZE,
} from "./log-format";
import { equal, find } from "./scan";

/** The fields of a line, cut out by the steps of its format. */

/** Bounds of each FIELD_ in the last line, two u32 each; equal ones where it has none. */
export const fields: usize = memory.data(FIELD_COUNT * 8);

let steps: usize = 0;
let stepCount: u32 = 0;

const DASH: u32 = 0x2d;
const BACKSLASH: u32 = 0x5c;

export function useSteps(list: usize, count: u32): void {
	steps = list;
	stepCount = count;
	memory.fill(fields, 0, FIELD_COUNT * 8);
}

export function startOf(field: i32): usize {
	return load<u32>(fields + ((<usize>field) << 3));
}

export function endOf(field: i32): usize {
	return load<u32>(fields + ((<usize>field) << 3), 4);
}

export function setBounds(field: i32, from: usize, end: usize): void {
	const slot = fields + ((<usize>field) << 3);
	store<u32>(slot, <u32>from);
	store<u32>(slot, <u32>end, 4);
}

/** Whether the text of a step stands at `at`, within a line that ends at `end`. */
function stands(step: usize, at: usize, end: usize): bool {
	const length: usize = load<u32>(step, 12);
	if ((load<u64>(at) ^ load<u64>(step, 16)) & load<u64>(step, 24)) return false;
	if (at + length > end) return false;
	return length <= 8 || equal(at, load<u32>(step, 8), length);
}

/** Whether the quote at `at` belongs to the field that begins at `from`: it stands behind an odd number of backslashes. */
function isEscaped(at: usize, from: usize): bool {
	let first = at;
	while (first > from && load<u8>(first - 1) == BACKSLASH) first--;
	return ((at - first) & 1) != 0;
}

/** Where the field ends that begins at `from` and that the step's text follows, or 0. */
function fieldEnd(step: usize, from: usize, end: usize): usize {
	const first: u32 = load<u8>(step, 16);
	const quoted = load<u32>(step, 4) == <u32>STEP_QUOTED;
	for (let at = find(first, from, end); at < end; at = find(first, at + 1, end))
		if (
			stands(step, at, end) &&
			!(quoted && load<u8>(at - 1) == BACKSLASH && isEscaped(at, from))
		)
			return at;
	return 0;
}

/** Cuts a line into fields; false when it is not of the format. */
export function cut(from: usize, end: usize): bool {
	// Without steps nothing is known of the lines: #Fields has still to come.
	if (!stepCount) return false;
	let at = from;
	const last = steps + <usize>stepCount * <usize>STEP_SIZE;
	for (let step = steps; step < last; step += <usize>STEP_SIZE) {
		const field = load<u32>(step);
		const flags = load<u32>(step, 4);
		const length: usize = load<u32>(step, 12);
		let to = end;
		if (flags == <u32>STEP_LEAD) {
			if (!stands(step, at, end)) return false;
			at += length;
			continue;
		}
		if (length) {
			to = fieldEnd(step, at, end);
			if (!to) return false;
		}
		if (field) setBounds(field, at, to);
		at = flags & STEP_KEEP ? to : to + length;
	}
	return true;
}

function isDigit(octet: u32): bool {
	return octet - 0x30 < 10;
}

/** The status code in FIELD_STATUS, 0 for "-", NO_STATUS for anything but three digits. */
export const NO_STATUS: u32 = 1000;

export function readStatus(): u32 {
	const from = startOf(FIELD_STATUS);
	const length = endOf(FIELD_STATUS) - from;
	const octets = load<u32>(from);
	if (length == 3) {
		const hundreds = (octets & 255) - 0x30,
			tens = ((octets >> 8) & 255) - 0x30,
			ones = ((octets >> 16) & 255) - 0x30;
		if (hundreds < 10 && tens < 10 && ones < 10)
			return hundreds * 100 + tens * 10 + ones;
	}
	if (length == 1 && (octets & 255) == DASH) return 0;
	if (length == 1 && isDigit(octets & 255)) return 0;
	return length == 0 && !from ? 0 : NO_STATUS;
}
