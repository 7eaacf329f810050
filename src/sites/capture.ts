/**
 * What the index module exports, and a capture of all its origins at one moment: a snapshot takes several turns of the event loop, and
 * origins may be set and deleted meanwhile.
 */
import {
	type LinearMemory,
	outOfMemory,
	type RowExports,
} from "../engine/linear-memory.ts";

/** What assembly/robots-index.ts exports; its contracts stand there. */
export interface IndexExports extends RowExports {
	hashKeys(): number;
	openOrigins(limit: number): number;
	expect(origins: number, programs: number): number;
	loadEntries(from: number, length: number, most: number): number;
	endLoading(): void;
	loadFailure(): number;
	programsRead(): number;
	originsRead(): number;
	setOrigin(origin: number, length: number, program: number): number;
	deleteOrigin(origin: number, length: number): number;
	findOrigin(origin: number, length: number): number;
	firstSlot(previous: boolean): number;
	endOfSlots(previous: boolean): number;
	beginCapture(): void;
	endCapture(): void;
	freeRetired(most: number): number;
	createNumbers(): number;
	allocate(size: number): number;
	release(pointer: number): void;
	saveEntries(
		numbers: number,
		from: number,
		size: number,
		to: number,
		room: number,
	): number;
	saveOrigins(from: number, size: number, to: number, room: number): number;
	savedEnd(): number;
	keySize(): number;
	originCount(): number;
	programCount(): number;
	programSize(): number;
	unsharedSize(): number;
	usedSize(): number;
	missingSize(): number;
	matchOne(program: number, from: number, length: number): number;
	matchOrigins(
		from: number,
		length: number,
		to: number,
		unusual: number,
		google: boolean,
	): number;
	matchLinesBy(
		program: number,
		from: number,
		length: number,
		to: number,
		google: boolean,
	): number;
	endOfUnusual(): number;
}

/**
 * Bytes of slots that are gone through at once. 16 KiB are 4,096 slots.
 */
const SLOTS = 16 * 1024;
/** Bytes that a chunk has room for, unless one entry takes more: about a millisecond of work. */
const ROOM = 512 * 1024;
/** Items that are freed at once. */
const FREED = 4096;

/**
 * Ends the captures of those who forgot to. A caller that drops the iterator of `origins()` cannot
 * be made to end it; the registry ends its capture later.
 */
let forgotten: FinalizationRegistry<IndexExports> | undefined;

/**
 * All origins of an index as they were when it was made, whatever is set and deleted meanwhile. It
 * holds memory until `end`, or until it is garbage-collected. It works by slots copied at its
 * beginning: entries that are replaced meanwhile are kept by the module until the capture ends.
 */
export class Capture {
	readonly #linear: LinearMemory<IndexExports>;
	readonly #slots: Uint8Array;
	#at = 0;

	/** @param inOrder Whether origins come in the order of their addresses, not in that of their hashes, whose keys are random. */
	constructor(linear: LinearMemory<IndexExports>, inOrder = false) {
		this.#linear = linear;
		// While a table grows it has two lists of slots, a new one and what has not moved yet; a
		// capture needs both.
		const { module } = linear;
		const [slots, unmoved] = [false, true].map((previous) => {
			const from = module.firstSlot(previous) >>> 0;
			return linear.bytes().subarray(from, module.endOfSlots(previous) >>> 0);
		}) as [Uint8Array, Uint8Array];
		this.#slots = new Uint8Array(slots.length + unmoved.length);
		// Addresses depend on the calls alone, so that equal calls give equal bytes.
		this.#slots.set(slots);
		this.#slots.set(unmoved, slots.length);
		if (inOrder) new Uint32Array(this.#slots.buffer).sort();
		module.beginCapture();
		forgotten ??= new FinalizationRegistry((module) => module.endCapture());
		forgotten.register(this, module, this);
	}

	/** The entries of a snapshot, in chunks: views of memory that hold until anything else is asked of the index. */
	*entries(): Generator<Uint8Array> {
		const { module } = this.#linear;
		const numbers = module.createNumbers() >>> 0;
		if (numbers === 0) throw outOfMemory("a snapshot");
		try {
			// Numbers of programs are given in a table of the module's own, so that a program that
			// several origins share is written once.
			yield* this.#chunks((from, size, to, room) =>
				module.saveEntries(numbers, from, size, to, room),
			);
		} finally {
			module.release(numbers);
		}
	}

	/** The origins, each followed by a line feed, in such chunks. */
	*lines(): Generator<Uint8Array> {
		const { module } = this.#linear;
		yield* this.#chunks((from, size, to, room) =>
			module.saveOrigins(from, size, to, room),
		);
	}

	*#chunks(
		save: (from: number, size: number, to: number, room: number) => number,
	): Generator<Uint8Array> {
		const linear = this.#linear;
		// Room is made for the slots of a step and what they are written to.
		for (let room = ROOM; this.#at < this.#slots.length; ) {
			const slots = this.#slots.subarray(this.#at, this.#at + SLOTS);
			const from = linear.input(slots.length + room);
			linear.bytes().set(slots, from);
			const to = from + slots.length;
			const done = save(from, slots.length, to, room);
			this.#at += done;
			const end = linear.module.savedEnd() >>> 0;
			// Slots may be free; an entry may need more room.
			if (end > to) yield linear.bytes().subarray(to, end);
			// Nothing was written although there are slots: the next entry alone is larger than the room.
			else if (done === 0) room *= 2;
		}
	}

	/** Lets the index go on without it. What was kept is freed by `free`, or little by little as origins are set. */
	end(): void {
		forgotten?.unregister(this);
		this.#linear.module.endCapture();
		this.free();
	}

	/**
	 * Frees some of the items that were kept for captures alone; false when there are none. Freed
	 * little by little, as a million items at once would hold up the event loop.
	 */
	free(): boolean {
		return this.#linear.module.freeRetired(FREED) === FREED;
	}
}
