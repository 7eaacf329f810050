import type { EntryVerifier } from "robotrie/internal";

/**
 * Pieces of an index file, which one thread reads and loads and any thread verifies. Plain data in shared memory, sent to each of them.
 */
export interface PieceMemory {
	/** A ring of what was read and is not loaded yet. Its size is a power of two. */
	readonly ring: Uint8Array;
	/** Counters, then what is noted about each of the last pieces. */
	readonly notes: Int32Array;
}

/** Has room for the longest entry, of 24 MiB, and for what is read next. */
const RING = 32 * 1024 * 1024;
/** Pieces that are under way at most. */
const MOST = 32;

/** Counters: changes that threads may wait for; pieces that are there; pieces that some thread verifies or has verified. */
const SIGNAL = 0;
const ADDED = 1;
const CLAIMED = 2;
const FIRST = 3;
/** What is noted about a piece: its state, where it is in the ring, its bytes, and the programs in front of it. */
const STATE = 0;
const FROM = 1;
const LENGTH = 2;
const PROGRAMS = 3;
const NOTE = 4;

const UNVERIFIED = 0;
const SOUND = 1;
const REFUSED = 2;

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
	/** Pieces that there may be at a time. */
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

	/** Has threads go on that wait for more pieces. */
	wake(): void {
		Atomics.add(this.#notes, SIGNAL, 1);
		Atomics.notify(this.#notes, SIGNAL);
	}

	/** Waits until there is another signal, but not for longer than so many milliseconds. */
	waitForMore(signal: number, most: number): void {
		Atomics.wait(this.#notes, SIGNAL, signal, most);
	}

	/** Pieces that were added. */
	get count(): number {
		return Atomics.load(this.#notes, ADDED);
	}

	/** Whether another piece has room in the notes when `loaded` have been loaded. */
	hasRoom(loaded: number): boolean {
		return this.count - loaded < this.#most;
	}

	/** Adds a piece of whole entries. Only the thread that loads them may do that. */
	add(from: number, length: number, programs: number): void {
		const place = this.#placeOf(this.count);
		this.#notes[place + FROM] = from;
		this.#notes[place + LENGTH] = length;
		this.#notes[place + PROGRAMS] = programs;
		Atomics.store(this.#notes, place + STATE, UNVERIFIED);
		// What was noted before is seen by who sees that the piece is there.
		Atomics.add(this.#notes, ADDED, 1);
		this.wake();
	}

	/** Verifies the first piece that no thread has claimed; false if there is none. */
	verifyNext(verifier: EntryVerifier): boolean {
		const piece = this.#claim();
		if (piece < 0) return false;
		const place = this.#placeOf(piece);
		let state = REFUSED;
		try {
			if (verifier.verify(this.bytesOf(piece), this.programsBefore(piece)))
				state = SOUND;
		} finally {
			Atomics.store(this.#notes, place + STATE, state);
			Atomics.notify(this.#notes, place + STATE);
		}
		return true;
	}

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

	/** The bytes of a piece, a copy if it goes on at the start of the ring. */
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

	/** Programs in the pieces in front of one. */
	programsBefore(piece: number): number {
		return this.#notes[this.#placeOf(piece) + PROGRAMS] as number;
	}

	#placeOf(piece: number): number {
		return FIRST + (piece % this.#most) * NOTE;
	}
}
