/**
 * The target of a line's request, as the client sent it: taken from a request line or joined from path and query, without escapes that the
 * server added. log.ts locates it before a line is judged. A target that is not in the line as it stands is composed in memory of its
 * own, which is reused for each scan.
 */

import {
	FIELD_HOST,
	FIELD_KEY,
	FIELD_METHOD,
	FIELD_QUERY,
	FIELD_REQUEST,
	FIELD_TARGET,
} from "./format";
import { endOf, setBounds, startOf } from "./fields";
import { allocate } from "../../../assembly/bytes/memory";
import { equal, find, findAny } from "../../../assembly/bytes/scan";

@unmanaged
class Target {
	start: usize;
	/** Equal to the start if there is no target. */
	end: usize;
}

/** The target of the line at hand. */
export const target = changetype<Target>(memory.data(8, 4));

/** Memory for composed targets; log.ts returns to the host (SCAN_FULL) when it is used up. */
const COMPOSED_ROOM: usize = 4 << 20;
let composed: usize = 0;
let composedUsed: usize = 0;

const SPACE: u32 = 0x20;
const QUOTE: u32 = 0x22;
const HASH: u32 = 0x23;
const COLON: u32 = 0x3a;
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

/** Sets the target to none. */
export function noTarget(): void {
	target.start = target.end = 0;
}

/** Finds the method of a request line and the target between it and the protocol. Spaces within the target belong to it. */
function splitRequest(): void {
	const from = startOf(FIELD_REQUEST);
	const end = endOf(FIELD_REQUEST);
	const methodEnd = find(SPACE, from, end);
	target.start = target.end = end;
	// The fields of a line before may still be there.
	setBounds(FIELD_METHOD, 0, 0);
	if (methodEnd >= end || methodEnd == from) return;
	// AWS's load balancers write "- http://host:80- -" for a request that is none.
	if (methodEnd == from + 1 && load<u8>(from) == DASH) return;
	// A method is a token of letters; a TLS handshake on a plain port is not one.
	for (let at = from; at < methodEnd; at++) {
		const byte: u32 = load<u8>(at);
		if ((byte | 0x20) - 0x61 >= 26 && byte != DASH && byte != 0x5f) return;
	}
	setBounds(FIELD_METHOD, from, methodEnd);
	const start = methodEnd + 1;
	target.start = start;
	// " HTTP/"
	// From the end, as a target may hold spaces and a protocol holds none.
	for (let at = end; at > start; ) {
		at--;
		if (load<u8>(at) == SPACE) {
			if (load<u32>(at, 1) == 0x50545448 && load<u8>(at, 5) == SLASH)
				target.end = at;
			break;
		}
	}
}

/** The value of a hexadecimal digit; 16 for other bytes. */
function hexDigit(byte: u32): u32 {
	if (byte - 0x30 < 10) return byte - 0x30;
	const letter = (byte | 0x20) - 0x61;
	return letter < 6 ? letter + 10 : 16;
}

/** The control character that Apache writes as a backslash and this letter; 0 for other letters. */
function controlOf(letter: u32): u32 {
	switch (letter) {
		case 0x62:
			return 0x08;
		case 0x6e:
			return 0x0a;
		case 0x72:
			return 0x0d;
		case 0x74:
			return 0x09;
		case 0x76:
			return 0x0b;
		default:
			return 0;
	}
}

/** Copies the target to `composed` and decodes backslash escapes. */
function unescape(): void {
	const start = composed + composedUsed;
	const end = target.end;
	let to = start;
	for (let at = target.start; at < end; at++) {
		let byte: u32 = load<u8>(at);
		if (byte == BACKSLASH && at + 1 < end) {
			const next: u32 = load<u8>(at, 1);
			const high = hexDigit(load<u8>(at, 2)),
				low = hexDigit(load<u8>(at, 3));
			const control = controlOf(next);
			if (next == QUOTE || next == BACKSLASH) {
				byte = next;
				at++;
			} else if (control) {
				byte = control;
				at++;
			} else if (next == 0x78 && at + 3 < end && high < 16 && low < 16) {
				byte = (high << 4) | low;
				at += 3;
			}
		}
		store<u8>(to++, byte);
	}
	target.start = start;
	target.end = to;
	composedUsed = to - composed + 16;
}

/** Appends "?" and the query to the target, unless the query is "-" or empty. Some servers log it with its "?". */
function addQuery(): void {
	let query = startOf(FIELD_QUERY);
	if (load<u8>(query) == QUESTION_MARK) query++;
	const length = endOf(FIELD_QUERY) - query;
	if (!length || (length == 1 && load<u8>(query) == DASH)) return;
	const start = composed + composedUsed;
	const path = target.end - target.start;
	memory.copy(start, target.start, path);
	store<u8>(start + path, QUESTION_MARK);
	memory.copy(start + path + 1, query, length);
	target.start = start;
	target.end = start + path + 1 + length;
	composedUsed = target.end - composed + 16;
}

/** Puts a slash in front of the target, which is a path, unless it has one or is "-". */
function addRoot(): void {
	const from = target.start;
	const length = target.end - from;
	const first: u32 = length ? <u32>load<u8>(from) : 0;
	if (first == SLASH || (length == 1 && first == DASH)) return;
	const start = composed + composedUsed;
	store<u8>(start, SLASH);
	memory.copy(start + 1, from, length);
	target.start = start;
	target.end = start + 1 + length;
	composedUsed = target.end - composed + 16;
}

/** Whether a text begins with the bucket's name and ends there, or goes on with a slash or a query. */
function isInBucket(from: usize, end: usize): bool {
	const bucket = startOf(FIELD_HOST);
	const length = endOf(FIELD_HOST) - bucket;
	if (!length || from + length > end || !equal(from, bucket, length))
		return false;
	if (from + length == end) return true;
	const next: u32 = load<u8>(from + length);
	return next == SLASH || next == QUESTION_MARK;
}

/**
 * Removes the bucket's name from the beginning of the target ("/bucket/key" in path-style requests), unless the key shows that it is a
 * folder of the same name in the bucket.
 */
export function trimBucket(): void {
	const from = target.start + 1;
	if (from > target.end || load<u8>(from - 1) != SLASH) return;
	if (!isInBucket(from, target.end)) return;
	const length = endOf(FIELD_HOST) - startOf(FIELD_HOST);
	const inner = from + length;
	const isFolder =
		isInBucket(startOf(FIELD_KEY), endOf(FIELD_KEY)) &&
		!(inner < target.end && isInBucket(inner + 1, target.end));
	if (isFolder) return;
	target.start = inner;
	addRoot();
}

/** Finds the target. `escaped`: backslashes in it escape; `rootless`: it may lack its first slash. */
export function locateTarget(escaped: bool, rootless: bool): void {
	if (endOf(FIELD_TARGET)) {
		target.start = startOf(FIELD_TARGET);
		target.end = endOf(FIELD_TARGET);
		if (rootless) addRoot();
		if (endOf(FIELD_QUERY)) addQuery();
	} else {
		splitRequest();
	}
	if (escaped && find(BACKSLASH, target.start, target.end) < target.end)
		unescape();
}

/** Whether the target is /robots.txt, with or without a query. */
export function isRobotsTxt(): bool {
	let at = target.start;
	if (load<u8>(at) != SLASH) {
		// "http://host/robots.txt"
		at = find(SLASH, at, target.end);
		if (at + 1 >= target.end || load<u8>(at, 1) != SLASH) return false;
		at = find(SLASH, at + 2, target.end);
	}
	if (at + 11 > target.end) return false;
	// "/robots." "txt"
	if (load<u64>(at) != 0x2e73746f626f722f || load<u32>(at, 7) >> 8 != 0x747874)
		return false;
	return at + 11 == target.end || load<u8>(at, 11) == QUESTION_MARK;
}

/** Sets the line's host to that of the target, an absolute URL. */
export function findHost(): void {
	let from = find(SLASH, target.start, target.end) + 2;
	let end = from;
	if (from < target.end && load<u16>(from - 2) == 0x2f2f)
		end = findAny(SLASH, QUESTION_MARK, HASH, from, target.end);
	else from = end = target.start;
	setBounds(FIELD_HOST, from, end);
}

/** The same for a URL that may lack its scheme: without it, what is behind the host is the target. A path has no host. */
export function splitHost(): void {
	const from = target.start;
	const slash = find(SLASH, from, target.end);
	const isWhole =
		slash > from &&
		slash + 1 < target.end &&
		load<u8>(slash - 1) == COLON &&
		load<u16>(slash) == 0x2f2f;
	if (isWhole) return findHost();
	const end = findAny(SLASH, QUESTION_MARK, HASH, from, target.end);
	setBounds(FIELD_HOST, from, end);
	target.start = end;
	if (end > from) addRoot();
}
