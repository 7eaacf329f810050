import { authorityOf, hashBytes } from "../url/authority";
import { giveBack, limitSize, take } from "../bytes/budget";
import { MAX_U24 } from "../format/program";
import {
	add,
	firstGroup,
	HashTable,
	hasFree,
	isLike,
	initialise,
	itemAt,
	itemIn,
	likeIn,
	nextGroup,
	remove,
	reserve,
	slotBehind,
	TABLE_HEAD,
} from "./hash-table";
import { load24, store24 } from "../bytes/memory";
import { countReference, dropProgram, programs } from "./programs";
import { equal, equalShort } from "../bytes/scan";

/** Origins and their programs. */

/**
 * An origin, 7 bytes and its key:
 *
 *     0  u32  address of its program
 *     4  u24  twice the bytes of its key, plus 1 if "https://" was left out
 *     7  key
 */
const ORIGIN_HEADER: usize = 7;
const ORIGIN_LENGTH: usize = 4;

export const origins = changetype<HashTable>(memory.data(TABLE_HEAD));

/** Makes an empty index of origins that may take `limit` bytes; false when there is no room. Once per instance. */
export function openOrigins(limit: usize): bool {
	limitSize(limit);
	return initialise(origins) && initialise(programs);
}

/** Start of an origin's key: the origin without "https://". */
export function keyOf(origin: usize, authority: usize): usize {
	return authority == origin + 8 ? authority : origin;
}

/** The u24 in front of a key: twice its bytes, plus 1 if "https://" was left out. */
export function headerOf(origin: usize, key: usize, end: usize): u32 {
	return ((<u32>(end - key)) << 1) | u32(key != origin);
}

function isOrigin(item: usize, key: usize, header: u32): bool {
	return (
		load24(item + ORIGIN_LENGTH) == header &&
		equal(item + ORIGIN_HEADER, key, header >> 1)
	);
}

/** Most keys are short. */
function isKey(a: usize, b: usize, length: u32): bool {
	return length > 32 ? equal(a, b, length) : equalShort(a, b, length) != 0;
}

/** The program of the origin with this key, whose hash is given; 0 when it is unknown. */
export function programOf(key: usize, header: u32, hash: u32): usize {
	let group = firstGroup(origins, hash);
	while (true) {
		for (let like = likeIn(group, hash); like; like &= like - 1) {
			const item = itemIn(group, like);
			if (
				load24(item + ORIGIN_LENGTH) == header &&
				isKey(item + ORIGIN_HEADER, key, header >> 1)
			)
				return load<u32>(item);
		}
		if (hasFree(group)) return 0;
		group = nextGroup(origins, group);
	}
}

/** The item of the origin [origin, end), or 0; its key, header and hash are left in `wanted…`. */
function findItem(origin: usize, end: usize): usize {
	wantedKey = keyOf(origin, authorityOf(origin));
	wantedHeader = headerOf(origin, wantedKey, end);
	wantedHash = hashBytes(wantedKey, end);
	let slot = firstGroup(origins, wantedHash);
	for (; load<u32>(slot); slot = slotBehind(origins, slot)) {
		const item = itemAt(slot);
		if (isLike(slot, wantedHash) && isOrigin(item, wantedKey, wantedHeader))
			return item;
	}
	return 0;
}
let wantedKey: usize = 0;
let wantedHeader: u32 = 0;
let wantedHash: u32 = 0;

/** The program of an origin, 0 when it is unknown. */
export function findOrigin(origin: usize, length: usize): usize {
	const item = findItem(origin, origin + length);
	return item ? <usize>load<u32>(item) : 0;
}

function sizeOf(item: usize): usize {
	return load24(item + ORIGIN_LENGTH) >> 1;
}

function hashOfItem(item: usize): u32 {
	const key = item + ORIGIN_HEADER;
	return hashBytes(key, key + sizeOf(item));
}

/** Makes room in the table for more origins; false if there is none. */
export function reserveOrigins(more: u32): bool {
	return reserve(origins, more, hashOfItem);
}

/**
 * Gives an origin, `length` bytes as the URL standard writes it, a program that the index keeps. False if there is no room; nothing
 * has changed then.
 */
export function setOrigin(origin: usize, length: usize, program: usize): bool {
	if (!reserveOrigins(1)) return false;
	let item = findItem(origin, origin + length);
	if (item) {
		const previous: usize = load<u32>(item);
		store<u32>(item, <u32>program);
		countReference(program, 1);
		dropProgram(previous);
		return true;
	}
	const size: usize = wantedHeader >> 1;
	item = size > <usize>MAX_U24 >> 1 ? 0 : take(ORIGIN_HEADER + size);
	if (!item) return false;
	store<u32>(item, <u32>program);
	store24(item + ORIGIN_LENGTH, wantedHeader);
	memory.copy(item + ORIGIN_HEADER, wantedKey, size);
	countReference(program, 1);
	add(origins, item, wantedHash);
	return true;
}

/** Deletes an origin; false if it was unknown. */
export function deleteOrigin(origin: usize, length: usize): bool {
	const item = findItem(origin, origin + length);
	if (!item) return false;
	remove(origins, item, wantedHash, hashOfItem);
	dropProgram(load<u32>(item));
	giveBack(item, ORIGIN_HEADER + sizeOf(item));
	return true;
}
