/**
 * Origins and the programs that they have: the table in which URLs are looked up, and what sets, replaces and removes its items.
 * robots-index.ts exports it, multi-site-batch.ts looks origins up. An item never changes while a capture is open, and its memory is used
 * again only when no thread can be reading it (bytes/budget.ts).
 */
import {
	addMissing,
	giveBack,
	limitSize,
	take,
	usedSize,
} from "../bytes/budget";
import { append, Buffer, clear } from "../bytes/memory";
import { load24, store24 } from "../bytes/numbers";
import { equal, equalShort } from "../bytes/scan";
import { MAX_U24, VERIFY_NO_ROOM, VERIFY_OK } from "../format/program";
import { LOAD_TWICE } from "../format/snapshot";
import { authorityOf, hashBytes } from "../url/url";
import {
	add,
	firstGroup,
	firstItem,
	hasFree,
	HashTable,
	initialise,
	isGrowing,
	isLike,
	itemAt,
	itemIn,
	likeIn,
	moveSome,
	nextGroup,
	previousOf,
	publish,
	readPublished,
	remove,
	replace,
	reserve,
	slotAfter,
	TABLE_HEAD,
} from "./hash-table";
import {
	countReference,
	dropProgram,
	isProgram,
	keepProgram,
	programs,
} from "./programs";

/**
 * A capture is a list of all items of origins at one time (src/sites/capture.ts). As long as there is one, items stay as they are: an
 * origin that gets another program gets another item, and items that leave the table are kept until the last capture has ended.
 */
let captures: u32 = 0;
/** u32 addresses of the items that are kept. */
const retired = changetype<Buffer>(memory.data(12, 4));

function isCaptured(): bool {
	return captures != 0;
}

/** From now on no origin at an address changes, until `endCapture`. */
export function beginCapture(): void {
	captures++;
}

export function endCapture(): void {
	captures--;
}

/** Makes room for one more item that is kept; false if there is none. */
function reserveRetired(): bool {
	if (!append(retired, 4)) return false;
	retired.end -= 4;
	return true;
}

/** Keeps an item. Without memory for the note it is never freed. */
function retire(item: usize): void {
	const at = append(retired, 4);
	if (at) store<u32>(at, <u32>item);
}

/** An item that nothing needs any more, or 0. */
function nextRetired(): usize {
	if (captures || retired.end == retired.start) {
		if (!captures) clear(retired);
		return 0;
	}
	retired.end -= 4;
	return load<u32>(retired.end);
}

/**
 * An origin, 7 bytes and its key:
 *
 *     0  u32  address of its program
 *     4  u24  twice the bytes of its key, plus 1 if "https://" was left out
 *     7  key
 */
export const ORIGIN_HEADER: usize = 7;
export const ORIGIN_LENGTH: usize = 4;

export const origins = changetype<HashTable>(memory.data(TABLE_HEAD));

/** In shared memory: what other threads see of the table (`publish`). */
const published: usize = memory.data(8, 8);
/** The table in which this instance looks origins up: in shared memory a reader has its own. */
let lookedUp: usize = changetype<usize>(origins);

export function readTable(): HashTable {
	return ASC_FEATURE_THREADS ? changetype<HashTable>(lookedUp) : origins;
}

/** Lets other threads see the table as it is now. */
export function publishOrigins(): void {
	publish(origins, published);
}

/** From now on this instance looks origins up in a table of its own, which has TABLE_HEAD bytes. */
export function lookUpIn(table: usize): void {
	lookedUp = table;
}

/** Makes it the table that was published. */
export function refreshOrigins(): void {
	readPublished(readTable(), published);
}

/** Items freed by each call that sets an origin: what captures have kept goes faster than it comes. */
const RETIRED_PER_CALL: u32 = 8;

let keyBytes: u64 = 0;

/** Bytes of all origins, those that are stored without "https://" less it. */
export function keySize(): f64 {
	return <f64>keyBytes;
}

/** Makes an empty index of origins that may take `limit` bytes; false when there is no room, or an index already. */
export function openOrigins(limit: usize): bool {
	if (origins.slots) return false;
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

/** One key in a thousand has more bytes; `equalShort` reads as many of each. */
const SHORT_KEY: u32 = 32;

/** The item that most likely is that of the origin with this hash, 0 for none. */
export function likelyItem(table: HashTable, hash: u32): usize {
	const group = firstGroup(table, hash);
	return firstItem(group, likeIn(group, hash));
}

/** Reads the first and the last byte that `programOf` compares of an item, which may be 0: they may lie in two lines of cache. */
export function touchItem(item: usize): u32 {
	return load<u32>(item) + load<u8>(item, ORIGIN_HEADER + SHORT_KEY - 1);
}

/** The program of the origin with this key, whose hash and likely item, which may be 0, are given; 0 when it is unknown. */
export function programOf(
	key: usize,
	header: u32,
	hash: u32,
	likely: usize,
): usize {
	// `isOrigin` for short keys, in place: a call takes as long as the comparison.
	return load24(likely + ORIGIN_LENGTH) == header &&
		header >> 1 <= SHORT_KEY &&
		equalShort(likely + ORIGIN_HEADER, key, header >> 1)
		? <usize>load<u32>(likely)
		: programInTable(key, header, hash);
}

export function programInTable(key: usize, header: u32, hash: u32): usize {
	const table = readTable();
	let group = firstGroup(table, hash);
	while (true) {
		for (let like = likeIn(group, hash); like; like &= like - 1) {
			const item = itemIn(group, like);
			if (isOrigin(item, key, header)) return load<u32>(item);
		}
		if (hasFree(group))
			return isGrowing(table) ? previousProgramOf(key, header, hash) : 0;
		group = nextGroup(table, group);
	}
}

function previousProgramOf(key: usize, header: u32, hash: u32): usize {
	wantedKey = key;
	wantedHeader = header;
	wantedHash = hash;
	const item = itemInTable(previousOf(readTable()));
	return item ? <usize>load<u32>(item) : 0;
}

/** The key that is looked for, its header and hash. */
let wantedKey: usize = 0;
let wantedHeader: u32 = 0;
let wantedHash: u32 = 0;

function want(key: usize, header: u32): void {
	wantedKey = key;
	wantedHeader = header;
	wantedHash = hashBytes(key, key + (header >> 1));
}

function wantOrigin(origin: usize, end: usize): void {
	const key = keyOf(origin, authorityOf(origin));
	want(key, headerOf(origin, key, end));
}

/** The item of the wanted origin, or 0. */
function findItem(): usize {
	const table = readTable();
	const item = itemInTable(table);
	if (item || !isGrowing(table)) return item;
	return itemInTable(previousOf(table));
}

function itemInTable(table: HashTable): usize {
	let slot = firstGroup(table, wantedHash);
	for (; load<u32>(slot); slot = slotAfter(table, slot)) {
		const item = itemAt(slot);
		if (isLike(slot, wantedHash) && isOrigin(item, wantedKey, wantedHeader))
			return item;
	}
	return 0;
}

/** The program of an origin, 0 when it is unknown. */
export function findOrigin(origin: usize, length: usize): usize {
	wantOrigin(origin, origin + length);
	const item = findItem();
	return item ? <usize>load<u32>(item) : 0;
}

export function sizeOf(item: usize): usize {
	return load24(item + ORIGIN_LENGTH) >> 1;
}

function hashOfItem(item: usize): u32 {
	const key = item + ORIGIN_HEADER;
	return hashBytes(key, key + sizeOf(item));
}

/**
 * Moves some items of a table that has grown, before an input of so many bytes is judged: the work of a fraction of judging it. Readers of
 * a shared table move nothing.
 */
export function settleOrigins(length: usize): void {
	if (!ASC_FEATURE_THREADS)
		moveSome(origins, 64 + <u32>(length >> 3), hashOfItem);
}

/** Makes room in the table for more origins; false if there is none. */
export function reserveOrigins(more: u32): bool {
	return reserve(origins, more, hashOfItem);
}

/**
 * Gives an origin, `length` bytes as the URL standard writes it, a copy of a sound program. False if there is no room; nothing has
 * changed then.
 */
export function setOrigin(origin: usize, length: usize, bytes: usize): bool {
	freeRetired(RETIRED_PER_CALL);
	wantOrigin(origin, origin + length);
	const item = findItem();
	// Files that are fetched again have mostly not changed.
	if (item && isProgram(load<u32>(item), bytes)) return true;
	const program = keepProgram(bytes);
	if (!program) return false;
	// The reference that `keepProgram` gave is this call's own and is given up in any case: after a failure no program is left that no origin
	// has.
	const set = replaceProgram(item, program);
	const reached = usedSize();
	dropProgram(program);
	if (!set) addMissing(reached - usedSize());
	return set;
}

/** Gives the wanted origin, whose item may be 0, a program that the index keeps. */
function replaceProgram(item: usize, program: usize): bool {
	if (!item) return addWanted(program);
	if (isCaptured()) return replaceItem(item, program);
	const previous: usize = load<u32>(item);
	// A reader sees either program; the previous one is freed when nobody reads it any more (bytes/budget.ts).
	if (ASC_FEATURE_THREADS) atomic.store<u32>(item, <u32>program);
	else store<u32>(item, <u32>program);
	countReference(program, 1);
	dropProgram(previous);
	return true;
}

/** A new item of the wanted origin, in no table yet, with a reference to its program; 0 if there is no room. */
function newItem(program: usize): usize {
	const size: usize = wantedHeader >> 1;
	const item = size > <usize>MAX_U24 >> 1 ? 0 : take(ORIGIN_HEADER + size);
	if (!item) return 0;
	store<u32>(item, <u32>program);
	store24(item + ORIGIN_LENGTH, wantedHeader);
	memory.copy(item + ORIGIN_HEADER, wantedKey, size);
	countReference(program, 1);
	return item;
}

/** Adds the wanted origin, which is not there. False if there is no room; nothing has changed then. */
function addWanted(program: usize): bool {
	if (!reserveOrigins(1)) return false;
	const item = newItem(program);
	if (!item) return false;
	add(origins, item, wantedHash);
	keyBytes += wantedHeader >> 1;
	return true;
}

/** Gives the wanted origin a new item in place of one that captures hold: a reader sees either. False as `addWanted`. */
function replaceItem(previous: usize, program: usize): bool {
	if (!reserveRetired()) return false;
	const item = newItem(program);
	if (!item) return false;
	replace(origins, previous, item, wantedHash);
	retire(previous);
	return true;
}

/** Adds the origin with a key, whose hash is given. LOAD_TWICE if it was there already, VERIFY_NO_ROOM if there is no room; nothing has changed then. */
export function addKey(
	key: usize,
	header: u32,
	hash: u32,
	program: usize,
): u32 {
	wantedKey = key;
	wantedHeader = header;
	wantedHash = hash;
	if (findItem()) return LOAD_TWICE;
	return addWanted(program) ? VERIFY_OK : VERIFY_NO_ROOM;
}

/** Deletes an origin; false if it was unknown. */
export function deleteOrigin(origin: usize, length: usize): bool {
	wantOrigin(origin, origin + length);
	const item = findItem();
	if (!item) return false;
	// Out of the table first, then freed, unless a capture holds it.
	remove(origins, item, wantedHash, hashOfItem);
	keyBytes -= sizeOf(item);
	if (isCaptured()) retire(item);
	else freeItem(item);
	return true;
}

/** Frees an item that is in no table any more. */
function freeItem(item: usize): void {
	dropProgram(load<u32>(item));
	giveBack(item, ORIGIN_HEADER + sizeOf(item));
}

/** Frees at most so many items that were kept for captures alone; returns how many were freed. */
export function freeRetired(most: u32): u32 {
	let count: u32 = 0;
	while (count < most) {
		const item = nextRetired();
		if (!item) break;
		freeItem(item);
		count++;
	}
	return count;
}
