/**
 * Writes and reads the entries of a snapshot (format/snapshot.ts), and writes lists of origins. robots-index.ts exports it; the host frames
 * the entries (src/sites/index-snapshot.ts). Writing goes through slots that the host has copied during a capture; reading believes
 * nothing: programs are verified, keys checked.
 */
import { allocate, append, Buffer, clear, release } from "../bytes/memory";
import { bitsSize, load24, store24 } from "../bytes/numbers";
import { C_LENGTH } from "../format/compact";
import { VERIFY_NO_ROOM, VERIFY_OK, VERIFY_ORIGIN } from "../format/program";
import {
	ENTRY_KEY,
	ENTRY_PROGRAM,
	LEAST_ENTRY,
	LOAD_NUMBER,
} from "../format/snapshot";
import { authorityOf, hashBytes } from "../url/url";
import { verifyCompact } from "./compact-verify";
import { firstGroup } from "./hash-table";
import {
	addKey,
	ORIGIN_HEADER,
	ORIGIN_LENGTH,
	origins,
	sizeOf,
} from "./origins";
import {
	addProgram,
	dropProgram,
	keepHashed,
	numberLimit,
	numberOf,
	programs,
} from "./programs";

const SLOT: usize = 4;
const ADDRESS: u32 = ~15;
/** "https://", little-endian; keys of other schemes are whole origins. */
const HTTPS: u64 = 0x2f2f3a7370747468;
const LF: u8 = 0x0a;

/** A function has one result, so the second one waits here. */
let lastEnd: usize = 0;

/** End of what `saveEntries` or `saveOrigins` wrote last. */
export function savedEnd(): usize {
	return lastEnd;
}

/**
 * Memory for the numbers of a snapshot's programs: u32 how many there are, and for each program of the index u32 its number plus 1, 0
 * before it is met. The caller releases it. 0 when there is no room.
 */
export function createNumbers(): usize {
	const size = ((<usize>numberLimit()) << 2) + 4;
	const numbers = allocate(size);
	if (numbers) memory.fill(numbers, 0, size);
	return numbers;
}

/**
 * Writes entries for `size` bytes of captured slots at `from` to `room` bytes at `to`, as long as they fit. Returns the bytes of the
 * slots that are done.
 */
export function saveEntries(
	numbers: usize,
	from: usize,
	size: usize,
	to: usize,
	room: usize,
): usize {
	const first = from;
	const end = from + size;
	const last = to + room;
	for (; from < end; from += SLOT) {
		const item: usize = load<u32>(from) & ADDRESS;
		if (!item) continue;
		const program: usize = load<u32>(item);
		const mark = numbers + 4 + ((<usize>numberOf(program)) << 2);
		// A program is written once, with the first origin that has it; later ones name it by number.
		const isNew = load<u32>(mark) == 0;
		const length: usize = isNew ? load24(program + C_LENGTH) : 0;
		const keySize = sizeOf(item);
		if (<usize>(ENTRY_PROGRAM + ENTRY_KEY) + length + keySize > last - to)
			break;
		if (isNew) {
			const count = load<u32>(numbers) + 1;
			store<u32>(numbers, count);
			store<u32>(mark, count);
		}
		store<u32>(to, load<u32>(mark) - 1);
		to += ENTRY_PROGRAM;
		memory.copy(to, program, length);
		to += length;
		store24(to, load24(item + ORIGIN_LENGTH));
		to += ENTRY_KEY;
		memory.copy(to, item + ORIGIN_HEADER, keySize);
		to += keySize;
	}
	lastEnd = to;
	return from - first;
}

/** The same for lines with origins, as the URL standard writes them. */
export function saveOrigins(
	from: usize,
	size: usize,
	to: usize,
	room: usize,
): usize {
	const first = from;
	const end = from + size;
	const last = to + room;
	for (; from < end; from += SLOT) {
		const item: usize = load<u32>(from) & ADDRESS;
		if (!item) continue;
		const keySize = sizeOf(item);
		if (keySize + 9 > last - to) break;
		// Written in any case, and kept where the key lacks it: 8 bytes and a line feed are what `room` is compared with above.
		store<u64>(to, HTTPS);
		to += (<usize>load24(item + ORIGIN_LENGTH) & 1) << 3;
		memory.copy(to, item + ORIGIN_HEADER, keySize);
		to += keySize;
		store<u8>(to++, LF);
	}
	lastEnd = to;
	return from - first;
}

/** Reads the entries of a snapshot (format/snapshot.ts). */

/** Set by the entry that is refused. */
let failure: u32 = VERIFY_OK;
let programCount: u32 = 0;
let originCount: u32 = 0;
/** No snapshot was loaded before. */
let isFirst: bool = true;

/** u32 addresses of the programs by their number. */
const numbered = changetype<Buffer>(memory.data(12, 4));

/** Working memory of the verifier, kept for the next program: most are small. */
let bits: usize = 0;
let bitsCapacity: usize = 0;

/** Entries whose slots are fetched ahead, so that their cache misses overlap. */
const AHEAD: u32 = 32;

/** What is known about an entry ahead. */
@unmanaged
class Note {
	programHash: u32;
	keyHash: u32;
}

const NOTE_SIZE: usize = offsetof<Note>();
const notes: usize = memory.data(32 * 8);
/** Sink: keeps prefetch loads from being optimised away. */
let fetched: u32 = 0;

/** Hashes what is in at most `most` whole entries and fetches their slots; returns how many of them there are. */
function lookAhead(at: usize, end: usize, most: u32): u32 {
	let newNumber = programCount;
	let count: u32 = 0;
	for (; count < most && end - at >= <usize>LEAST_ENTRY; count++) {
		const note = changetype<Note>(notes + <usize>count * NOTE_SIZE);
		const number = load<u32>(at);
		let next = at + ENTRY_PROGRAM;
		if (number == newNumber) {
			const size: usize = load24(next + C_LENGTH);
			if (size > end - next) break;
			newNumber++;
			note.programHash = hashBytes(next, next + size);
			fetched += load<u32>(firstGroup(programs, note.programHash));
			next += size;
		} else if (number < programCount) {
			fetched += load<u32>(numberedAt(number));
		}
		if (end - next <= <usize>ENTRY_KEY) break;
		const size: usize = load24(next) >> 1;
		next += ENTRY_KEY;
		if (size > end - next) break;
		note.keyHash = hashBytes(next, next + size);
		fetched += load<u32>(firstGroup(origins, note.keyHash));
		at = next + size;
	}
	return count;
}

/** Bits of zeros for so many bytes; false when there is no room. */
function clearBits(size: usize): bool {
	if (!bits || size > bitsCapacity) {
		release(bits);
		bits = allocate(size);
		bitsCapacity = bits ? size : 0;
	}
	if (bits) memory.fill(bits, 0, size);
	return bits != 0;
}

/** Why `loadEntries` ended: a VERIFY_ or LOAD_ code for the entry that it met last. */
export function loadFailure(): u32 {
	return failure;
}

/** Programs of this snapshot that `loadEntries` has read. */
export function programsRead(): u32 {
	return programCount;
}

/** Origins that `loadEntries` has read. */
export function originsRead(): u32 {
	return originCount;
}

/**
 * Reads as many whole entries as there are in the `length` bytes at `from`, but at most `most`; returns the bytes that they take. Further
 * calls go on after them. Each program is verified; when an entry is refused, `loadFailure` says why.
 */
export function loadEntries(from: usize, length: usize, most: u32): usize {
	const end = from + length;
	let at = from;
	let ahead: u32 = 0;
	let note = changetype<Note>(notes);
	while (most && end - at >= <usize>LEAST_ENTRY) {
		if (!ahead) {
			ahead = lookAhead(at, end, min(most, AHEAD));
			note = changetype<Note>(notes);
		}
		const number = load<u32>(at);
		// Numbers come in order: the next one brings its program along, a smaller one names one that was read, and a larger one is a fault.
		const isNew = number == programCount;
		let next = at + ENTRY_PROGRAM;
		if (isNew) {
			const size: usize = load24(next + C_LENGTH);
			if (size > end - next) break;
			failure = verifyProgram(next, size);
			next += size;
		} else if (number > programCount) {
			failure = LOAD_NUMBER;
		}
		if (failure || end - next <= <usize>ENTRY_KEY) break;
		const header = load24(next);
		const size: usize = header >> 1;
		next += ENTRY_KEY;
		if (size > end - next) break;
		// It is whole, so that there is a note about it.
		const program = isNew
			? keepNumbered(at + ENTRY_PROGRAM, note.programHash)
			: numberedAt(number);
		failure = program
			? loadOrigin(program, next, header, note.keyHash)
			: VERIFY_NO_ROOM;
		if (failure) break;
		// Its first origin holds it now.
		if (isNew) dropProgram(program);
		at = next + size;
		note = changetype<Note>(changetype<usize>(note) + NOTE_SIZE);
		ahead--;
		most--;
	}
	return at - from;
}

function verifyProgram(at: usize, size: usize): u32 {
	if (!clearBits(bitsSize(size))) return VERIFY_NO_ROOM;
	return verifyCompact(at, size, bits);
}

/**
 * Keeps a verified program, which is the loader's until `dropProgram`; 0 when there is no room. Programs of a snapshot that an index
 * wrote differ from each other, but those of another snapshot may be equal.
 */
function keepNumbered(at: usize, hash: u32): usize {
	const place = append(numbered, 4);
	if (!place) return 0;
	const program = isFirst ? addProgram(at, hash) : keepHashed(at, hash);
	if (!program) return 0;
	store<u32>(place, <u32>program);
	programCount++;
	return program;
}

/** A program of this snapshot by its number, which is smaller than `programCount`. */
function numberedAt(number: u32): usize {
	return load<u32>(numbered.start + ((<usize>number) << 2));
}

/** Adds an origin with its program; returns why not, or VERIFY_OK. */
function loadOrigin(program: usize, key: usize, header: u32, hash: u32): u32 {
	if (!isKey(key, header)) return VERIFY_ORIGIN;
	const refused = addKey(key, header, hash, program);
	if (!refused) originCount++;
	return refused;
}

/** Whether a look-up can ever find a key: the URL standard writes origins in visible ASCII. */
function isKey(key: usize, header: u32): bool {
	const size: usize = header >> 1;
	if (!size) return false;
	for (let at = key; at < key + size; at++) {
		if (<u32>load<u8>(at) - 0x21 > 0x7e - 0x21) return false;
	}
	// An "https" origin is kept without its scheme: a key that begins with it could never be found.
	return (header & 1) != 0 || size < 8 || authorityOf(key) != key + 8;
}

/** Forgets the numbers: the last entry has been read. Those of another snapshot may follow. */
export function endLoading(): void {
	clear(numbered);
	programCount = 0;
	isFirst = false;
}
