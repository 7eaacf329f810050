import {
	FIELD_HOST,
	FIELD_QUERY,
	FIELD_REQUEST,
	FIELD_TARGET,
} from "../format/log";
import { endOf, setBounds, startOf } from "./fields";
import { allocate } from "../bytes/memory";
import { find, findAny } from "../bytes/scan";

/** The target of a line's request. */

/** Bounds of the target; equal if there is none. */
export let target: usize = 0;
export let targetEnd: usize = 0;

/** Targets that are not in the line as they are: joined from two fields, or unescaped. */
const COMPOSED_ROOM: usize = 4 << 20;
let composed: usize = 0;
let composedUsed: usize = 0;

const SPACE: u32 = 0x20;
const QUOTE: u32 = 0x22;
const HASH: u32 = 0x23;
const DASH: u32 = 0x2d;
const SLASH: u32 = 0x2f;
const QUESTION_MARK: u32 = 0x3f;
const BACKSLASH: u32 = 0x5c;

/** Allocates memory for targets; false if there is none. */
export function prepareTargets(): bool {
	composed = allocate(COMPOSED_ROOM);
	return composed != 0;
}

/** Discards the targets of earlier lines. */
export function forgetTargets(): void {
	composedUsed = 0;
}

/** Whether there is room for the target of a line of `length` bytes; it takes at most a few bytes more. */
export function hasRoom(length: usize): bool {
	return composedUsed + length + 64 <= COMPOSED_ROOM;
}

/** The line has no target. */
export function noTarget(): void {
	target = targetEnd = 0;
}

/** Finds the target between the method and the protocol of a request line; spaces in it belong to it. */
function splitRequest(): void {
	const from = startOf(FIELD_REQUEST);
	const end = endOf(FIELD_REQUEST);
	target = find(SPACE, from, end) + 1;
	targetEnd = end;
	if (target > end || target == from + 1) {
		target = end;
		return;
	}
	// A method is a token of letters; a TLS handshake on a plain port is not one.
	for (let at = from; at < target - 1; at++) {
		const byte: u32 = load<u8>(at);
		if ((byte | 0x20) - 0x61 >= 26 && byte != DASH && byte != 0x5f) {
			target = end;
			return;
		}
	}
	// " HTTP/"
	for (let at = end; at > target; ) {
		at--;
		if (load<u8>(at) == SPACE) {
			if (load<u32>(at, 1) == 0x50545448 && load<u8>(at, 5) == SLASH)
				targetEnd = at;
			break;
		}
	}
}

function hexDigit(byte: u32): u32 {
	if (byte - 0x30 < 10) return byte - 0x30;
	const letter = (byte | 0x20) - 0x61;
	return letter < 6 ? letter + 10 : 16;
}

/** Copies the target to `composed` and decodes backslash escapes. */
function unescape(): void {
	const start = composed + composedUsed;
	let to = start;
	for (let at = target; at < targetEnd; at++) {
		let byte: u32 = load<u8>(at);
		if (byte == BACKSLASH && at + 1 < targetEnd) {
			const next: u32 = load<u8>(at, 1);
			const high = hexDigit(load<u8>(at, 2)),
				low = hexDigit(load<u8>(at, 3));
			if (next == QUOTE || next == BACKSLASH) {
				byte = next;
				at++;
			} else if (next == 0x78 && at + 3 < targetEnd && high < 16 && low < 16) {
				byte = (high << 4) | low;
				at += 3;
			}
		}
		store<u8>(to++, byte);
	}
	target = start;
	targetEnd = to;
	composedUsed = to - composed + 16;
}

/** Puts "?" and the query behind the target, unless it is "-" or empty. */
function addQuery(): void {
	const query = startOf(FIELD_QUERY);
	const length = endOf(FIELD_QUERY) - query;
	if (!length || (length == 1 && load<u8>(query) == DASH)) return;
	const start = composed + composedUsed;
	const path = targetEnd - target;
	memory.copy(start, target, path);
	store<u8>(start + path, QUESTION_MARK);
	memory.copy(start + path + 1, query, length);
	target = start;
	targetEnd = start + path + 1 + length;
	composedUsed = targetEnd - composed + 16;
}

/** Finds the target as it was sent. */
export function locateTarget(escaped: bool): void {
	if (endOf(FIELD_TARGET)) {
		target = startOf(FIELD_TARGET);
		targetEnd = endOf(FIELD_TARGET);
		if (endOf(FIELD_QUERY)) addQuery();
	} else {
		splitRequest();
	}
	if (escaped && find(BACKSLASH, target, targetEnd) < targetEnd) unescape();
}

/** Whether the target is /robots.txt, with or without a query. */
export function isRobotsTxt(): bool {
	let at = target;
	if (load<u8>(at) != SLASH) {
		// "http://host/robots.txt"
		at = find(SLASH, at, targetEnd);
		if (at + 1 >= targetEnd || load<u8>(at, 1) != SLASH) return false;
		at = find(SLASH, at + 2, targetEnd);
	}
	if (at + 11 > targetEnd) return false;
	// "/robots." "txt"
	if (load<u64>(at) != 0x2e73746f626f722f || load<u32>(at, 7) >> 8 != 0x747874)
		return false;
	return at + 11 == targetEnd || load<u8>(at, 11) == QUESTION_MARK;
}

/** Sets the line's host to that of the target, an absolute URL. */
export function findHost(): void {
	let from = find(SLASH, target, targetEnd) + 2;
	let end = from;
	if (from < targetEnd && load<u16>(from - 2) == 0x2f2f)
		end = findAny(SLASH, QUESTION_MARK, HASH, from, targetEnd);
	else from = end = target;
	setBounds(FIELD_HOST, from, end);
}
