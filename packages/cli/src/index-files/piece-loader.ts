import { fstatSync, readSync } from "node:fs";
import type { EntryVerifier, SharedWriter } from "robotrie/internal";
import {
	CHECKSUM,
	Checksum,
	ENTRY_KEY,
	ENTRY_PROGRAM,
	readStart,
	type SnapshotStart,
} from "robotrie/internal";
import type { Pieces } from "./pieces.ts";

/** Bytes read at once: they stay in the second-level cache, and verifying them takes less than a millisecond. */
const PART = 256 * 1024;
/** Milliseconds after which a thread that waits looks whether it is to stop. */
const LONGEST_WAIT = 500;
/** Bytes of a u24. */
const U24 = 3;

/** Loads the index in a file, in pieces that other threads help to verify. None is loaded before it is verified. */
export class PieceLoader {
	readonly #pieces: Pieces;
	readonly #writer: SharedWriter;
	readonly #verifier: EntryVerifier;
	readonly #fd: number;
	readonly #part: number;
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
		part = PART,
	) {
		this.#pieces = pieces;
		this.#writer = writer;
		this.#verifier = verifier;
		this.#fd = fd;
		this.#part = part;
	}

	/**
	 * False if the file is no sound index: `SnapshotReader` says why.
	 * @param turn Called again and again; what it throws ends loading.
	 * @throws {RobotrieError} limit-exceeded; invalid-byte-code, as `SnapshotReader` does. Also errors of the system.
	 */
	load(turn: () => void): boolean {
		const start = this.#readStart();
		if (!start) return false;
		for (;;) {
			turn();
			while (this.#hasRoom() && this.#readPart()) this.#divide(start);
			if (this.#next === this.#pieces.count) return this.#isComplete(start);
			const isSound = this.#pieces.isSound(this.#next);
			if (isSound === undefined) this.#verifyOrWait();
			else if (!isSound || !this.#loadNext()) return false;
		}
	}

	#readStart(): SnapshotStart | undefined {
		const { ring } = this.#pieces;
		while (this.#hasRoom() && this.#readPart()) {
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
			used + this.#part <= this.#pieces.ring.length &&
			this.#pieces.hasRoom(this.#next)
		);
	}

	/** False at the end of the file. */
	#readPart(): boolean {
		if (this.#isAtEnd) return false;
		const { ring } = this.#pieces;
		const at = this.#read % ring.length;
		const most = Math.min(this.#part, ring.length - at);
		const size = readSync(this.#fd, ring, at, most, this.#read);
		this.#read += size;
		this.#isAtEnd = size === 0;
		return size > 0;
	}

	/** Makes a piece of the whole entries that have come. */
	#divide({ origins }: SnapshotStart): void {
		const { ring } = this.#pieces;
		const from = this.#divided % ring.length;
		const end = this.#read - this.#divided;
		const before = this.#programs;
		let at = 0;
		while (this.#origins < origins) {
			const isNew = u32(ring, from + at) === this.#programs;
			let next = at + ENTRY_PROGRAM;
			// What lies behind the end is from before.
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
			this.#pieces.waitFor(this.#next, LONGEST_WAIT);
	}

	#loadNext(): boolean {
		const bytes = this.#pieces.bytesOf(this.#next);
		const programs = this.#pieces.programsBefore(this.#next);
		if (!this.#writer.loadVerified(bytes, programs)) return false;
		this.#sum.add(bytes);
		this.#loaded += bytes.length;
		this.#next++;
		return true;
	}

	/** Whether all is there, when all pieces are loaded. */
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
