/**
 * How several threads load one index file: one reads it into a ring in shared memory and cuts it into pieces, each a run of whole entries; any
 * thread verifies pieces; the first loads them in order. shared-shards.ts uses it for `match --index FILE --workers`. A piece is loaded only
 * once it is verified: the loaded index is run without further checks.
 */
import { fstatSync, readSync } from "node:fs";
import {
	CHECKSUM,
	Checksum,
	ENTRY_KEY,
	ENTRY_PROGRAM,
	type EntryVerifier,
	readStart,
	type SharedWriter,
	type SnapshotStart,
} from "robotrie/internal";

/** The pieces of an index file, as plain data in shared memory that is sent to each thread. */
export interface PieceMemory {
	/** A ring of what was read and is not loaded yet. Its size is a power of two. */
	readonly ring: Uint8Array;
	/** See SIGNAL. */
	readonly notes: Int32Array;
}

/** Has room for the longest entry, of 24 MiB, and for what is read next. */
const RING = 32 * 1024 * 1024;
/** The most pieces that are not loaded yet. */
const MOST = 32;

/**
 * `notes`, 32 bits each:
 *
 *     0  SIGNAL    a counter of changes, which threads wait for
 *     1  ADDED     pieces that were added
 *     2  CLAIMED   pieces that some thread verifies or has verified
 *     then for each of the last MOST pieces, piece n in slot n % MOST:
 *     0  STATE     UNVERIFIED, SOUND or REFUSED
 *     1  FROM      its place in the ring
 *     2  LENGTH    its bytes
 *     3  PROGRAMS  programs in all pieces before it.
 * Words, not bytes: `Atomics` works on Int32Array.
 */
const SIGNAL = 0;
const ADDED = 1;
const CLAIMED = 2;
const FIRST = 3;
const STATE = 0;
const FROM = 1;
const LENGTH = 2;
const PROGRAMS = 3;
const NOTE = 4;

const UNVERIFIED = 0;
const SOUND = 1;
const REFUSED = 2;

/** In tests the ring is small and pieces many, so that it wraps. */
export function newPieces(size = RING, most = MOST): PieceMemory {
	return {
		ring: new Uint8Array(new SharedArrayBuffer(size)),
		notes: new Int32Array(new SharedArrayBuffer((FIRST + most * NOTE) * 4)),
	};
}

/** The pieces as a thread sees them. They have numbers, from 0 on. */
export class Pieces {
	readonly ring: Uint8Array;
	readonly #notes: Int32Array;
	/** The most pieces at a time. */
	readonly #most: number;

	constructor({ ring, notes }: PieceMemory) {
		this.ring = ring;
		this.#notes = notes;
		this.#most = (notes.length - FIRST) / NOTE;
	}

	/** Changes with each piece that is added, and with `wake`. */
	get signal(): number {
		return Atomics.load(this.#notes, SIGNAL);
	}

	/** Wakes threads that wait for more pieces. */
	wake(): void {
		Atomics.add(this.#notes, SIGNAL, 1);
		Atomics.notify(this.#notes, SIGNAL);
	}

	/**
	 * Waits until there is another signal, but not for longer than so many milliseconds. The signal
	 * is read before waiting: a piece that was added in between would otherwise be missed.
	 */
	waitForMore(signal: number, most: number): void {
		Atomics.wait(this.#notes, SIGNAL, signal, most);
	}

	/** Pieces that were added. */
	get count(): number {
		return Atomics.load(this.#notes, ADDED);
	}

	/** Whether there are slots for another piece when `loaded` have been loaded. */
	hasRoom(loaded: number): boolean {
		return this.count - loaded < this.#most;
	}

	/**
	 * Adds a piece of whole entries. Only the thread that loads them may do that. Only the loader
	 * adds, so a plain store is enough; `#claim` is what several threads compete for.
	 */
	add(from: number, length: number, programs: number): void {
		const place = this.#placeOf(this.count);
		this.#notes[place + FROM] = from;
		this.#notes[place + LENGTH] = length;
		this.#notes[place + PROGRAMS] = programs;
		Atomics.store(this.#notes, place + STATE, UNVERIFIED);
		// Atomics order memory: a thread that sees the new count also sees the slots written before.
		Atomics.add(this.#notes, ADDED, 1);
		this.wake();
	}

	/** Verifies the first piece that no thread has claimed; false if there is none. */
	verifyNext(verifier: EntryVerifier): boolean {
		const piece = this.#claim();
		if (piece < 0) return false;
		const place = this.#placeOf(piece);
		let state = REFUSED;
		// It stays REFUSED if the verifier throws, or others would wait for this piece.
		try {
			if (verifier.verify(this.bytesOf(piece), this.programsBefore(piece)))
				state = SOUND;
		} finally {
			Atomics.store(this.#notes, place + STATE, state);
			Atomics.notify(this.#notes, place + STATE);
		}
		return true;
	}

	// compareExchange decides between threads that want the same piece.
	#claim(): number {
		for (;;) {
			const piece = Atomics.load(this.#notes, CLAIMED);
			if (piece === this.count) return -1;
			const next = piece + 1;
			if (Atomics.compareExchange(this.#notes, CLAIMED, piece, next) === piece)
				return piece;
		}
	}

	/** Whether a piece is sound; undefined while that is not known. */
	isSound(piece: number): boolean | undefined {
		const state = Atomics.load(this.#notes, this.#placeOf(piece) + STATE);
		return state === UNVERIFIED ? undefined : state === SOUND;
	}

	/** Waits until a piece is verified, but not for longer than so many milliseconds. */
	waitFor(piece: number, most: number): void {
		const place = this.#placeOf(piece);
		Atomics.wait(this.#notes, place + STATE, UNVERIFIED, most);
	}

	/**
	 * The bytes of a piece; a copy if it wraps around the end of the ring. Wrapping happens rarely,
	 * so a copy is cheaper than verifying around a corner.
	 */
	bytesOf(piece: number): Uint8Array {
		const { ring } = this;
		const place = this.#placeOf(piece);
		const from = this.#notes[place + FROM] as number;
		const length = this.#notes[place + LENGTH] as number;
		const first = ring.subarray(from, from + length);
		if (first.length === length) return first;
		const bytes = new Uint8Array(length);
		bytes.set(first);
		bytes.set(ring.subarray(0, length - first.length), first.length);
		return bytes;
	}

	/** Programs in the pieces before one. */
	programsBefore(piece: number): number {
		return this.#notes[this.#placeOf(piece) + PROGRAMS] as number;
	}

	#placeOf(piece: number): number {
		return FIRST + (piece % this.#most) * NOTE;
	}
}

/**
 * Bytes read at once: they stay in the second-level cache, and verifying them takes less than a
 * millisecond.
 */
const READ_SIZE = 256 * 1024;
/** Milliseconds after which a waiting thread checks whether it is to stop. */
const LONGEST_WAIT = 500;
/** Bytes of a u24. */
const U24 = 3;

/** Loads the index in a file, in pieces that other threads help to verify. */
export class PieceLoader {
	readonly #pieces: Pieces;
	readonly #writer: SharedWriter;
	readonly #verifier: EntryVerifier;
	readonly #fd: number;
	readonly #readSize: number;
	/** Bytes that were read, that are in pieces, and that were loaded. */
	#read = 0;
	#divided = 0;
	#loaded = 0;
	#isAtEnd = false;
	/** Pieces that were loaded. */
	#next = 0;
	/** What pieces contain. */
	#origins = 0;
	#programs = 0;
	readonly #sum = new Checksum();

	constructor(
		pieces: Pieces,
		writer: SharedWriter,
		verifier: EntryVerifier,
		fd: number,
		readSize = READ_SIZE,
	) {
		this.#pieces = pieces;
		this.#writer = writer;
		this.#verifier = verifier;
		this.#fd = fd;
		this.#readSize = readSize;
	}

	/**
	 * False if the file is not a valid index: `SnapshotReader` says why. Reading, cutting and
	 * verifying take turns in this thread; other threads verify at any time.
	 * @param turn Called again and again; what it throws ends loading.
	 * @throws {RobotrieError} limit-exceeded; invalid-byte-code, as `SnapshotReader` does. Also errors of the system.
	 */
	load(turn: () => void): boolean {
		const start = this.#readStart();
		if (!start) return false;
		for (;;) {
			turn();
			while (this.#hasRoom() && this.#readMore()) this.#divide(start);
			if (this.#next === this.#pieces.count) return this.#isComplete(start);
			// The first piece that is not loaded yet decides, as pieces are loaded in order.
			const isSound = this.#pieces.isSound(this.#next);
			if (isSound === undefined) this.#verifyOrWait();
			else if (!isSound || !this.#loadNext()) return false;
		}
	}

	#readStart(): SnapshotStart | undefined {
		const { ring } = this.#pieces;
		while (this.#hasRoom() && this.#readMore()) {
			// Parsing them needs memory that is not shared.
			const bytes = new Uint8Array(ring.subarray(0, this.#read));
			const start = readStart(bytes);
			if (!start) continue;
			const { head, origins, programs, size } = start;
			const table = this.#writer.open(head);
			table.expectIn(fstatSync(this.#fd).size, origins, programs);
			this.#sum.add(bytes.subarray(0, size));
			this.#divided = size;
			this.#loaded = size;
			this.#divide(start);
			return start;
		}
		return undefined;
	}

	#hasRoom(): boolean {
		const used = this.#read - this.#loaded;
		return (
			used + this.#readSize <= this.#pieces.ring.length &&
			this.#pieces.hasRoom(this.#next)
		);
	}

	/**
	 * False at the end of the file. One read, at most up to the end of the ring, so that a read never
	 * wraps.
	 */
	#readMore(): boolean {
		if (this.#isAtEnd) return false;
		const { ring } = this.#pieces;
		const at = this.#read % ring.length;
		const most = Math.min(this.#readSize, ring.length - at);
		const size = readSync(this.#fd, ring, at, most, this.#read);
		this.#read += size;
		this.#isAtEnd = size === 0;
		return size > 0;
	}

	/**
	 * Makes a piece of the whole entries that were read. An entry may lie across two reads; it is
	 * then left for the next one.
	 */
	#divide({ origins }: SnapshotStart): void {
		const { ring } = this.#pieces;
		const from = this.#divided % ring.length;
		const end = this.#read - this.#divided;
		const before = this.#programs;
		let at = 0;
		while (this.#origins < origins) {
			const isNew = u32(ring, from + at) === this.#programs;
			let next = at + ENTRY_PROGRAM;
			// Bytes after the end are older ones.
			if (end - next < U24) break;
			if (isNew) next += u24(ring, from + next);
			if (end - next < ENTRY_KEY) break;
			next += ENTRY_KEY + (u24(ring, from + next) >> 1);
			if (next > end) break;
			at = next;
			this.#origins++;
			if (isNew) this.#programs++;
		}
		if (at === 0) return;
		this.#pieces.add(from, at, before);
		this.#divided += at;
	}

	#verifyOrWait(): void {
		if (!this.#pieces.verifyNext(this.#verifier))
			// Waiting is bounded: the thread that verifies may have died, and then nobody would wake this
			// one.
			this.#pieces.waitFor(this.#next, LONGEST_WAIT);
	}

	#loadNext(): boolean {
		const bytes = this.#pieces.bytesOf(this.#next);
		const programs = this.#pieces.programsBefore(this.#next);
		if (!this.#writer.loadVerified(bytes, programs)) return false;
		// The checksum is of the entries, in the order of the file.
		this.#sum.add(bytes);
		this.#loaded += bytes.length;
		this.#next++;
		return true;
	}

	/**
	 * Whether all is there, when all pieces are loaded. Sizes say whether all entries came; only then
	 * is the checksum read.
	 */
	#isComplete({ origins, programs }: SnapshotStart): boolean {
		const { ring } = this.#pieces;
		this.#writer.endLoading();
		return (
			this.#isAtEnd &&
			this.#origins === origins &&
			this.#programs <= programs &&
			this.#read - this.#divided === CHECKSUM &&
			u32(ring, this.#divided % ring.length) === this.#sum.value
		);
	}
}

function u24(ring: Uint8Array, at: number): number {
	const mask = ring.length - 1;
	return (
		(ring[at & mask] as number) |
		((ring[(at + 1) & mask] as number) << 8) |
		((ring[(at + 2) & mask] as number) << 16)
	);
}

function u32(ring: Uint8Array, at: number): number {
	const top = ring[(at + 3) & (ring.length - 1)] as number;
	return (u24(ring, at) | (top << 24)) >>> 0;
}
