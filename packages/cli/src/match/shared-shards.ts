/**
 * An index, in one file or several, in memory once for all threads of `match`: the thread that first needs a file loads it, the others judge
 * by files that are loaded, or wait. All they share is in `notes` and changed with Atomics; a thread that waits wakes when a file is loaded,
 * when loading it failed, and when another thread has failed.
 */

import {
	type filesOf,
	readInto,
	SortedLines,
} from "@robotrie/sites/internal-shards";
import { dialectNames } from "robotrie";
import { sharedIndex } from "robotrie/internal";
import { CHUNK, chunksOf } from "#robotrie/common/chunks";
import { MAX_LINE } from "#robotrie/format/program";
import { OtherFailed } from "#sites/threads/threads";
import { Failure } from "../output/output.ts";

type SharedFile = ReturnType<typeof filesOf>[number];

const { GrowingTable, newSharedMemory, SharedWriter } = await sharedIndex();
type GrowingTable = InstanceType<typeof GrowingTable>;
type SharedMemory = ReturnType<typeof newSharedMemory>;

/**
 * An index in one or several files, in memory once for all threads. Plain data, sent to each of
 * them. Each thread has a workspace of its own in every file's memory, which is why both are
 * counted here.
 */
export interface SharedShards {
	readonly files: readonly SharedFile[];
	readonly memories: readonly SharedMemory[];
	readonly workers: number;
	/** In shared memory, see STOPPED. */
	readonly notes: Int32Array;
}

/** States of a file. */
const UNREAD = 0;
const LOADING = 1;
const LOADED = 2;
const FAILED = 3;

/**
 * `notes`, 32 bits each:
 *
 *     0  STOPPED     1 once a thread has failed
 *     then for each file:
 *     0  STATE       UNREAD, LOADING, LOADED or FAILED; threads wait for its change
 *     1  DIALECT     its place in `dialectNames`, once LOADED
 *     2  WORKSPACES  for each thread the pointer of its own workspace, once LOADED
 */
const STOPPED = 0;
const FIRST = 1;
const STATE = 0;
const DIALECT = 1;
const WORKSPACES = 2;

/** @throws {RobotrieError} unsupported, without threads. */
export function shareShards(
	files: readonly SharedFile[],
	workers: number,
): SharedShards {
	const count = FIRST + files.length * (WORKSPACES + workers);
	return {
		files,
		memories: files.map(() => newSharedMemory()),
		workers,
		notes: new Int32Array(new SharedArrayBuffer(count * 4)),
	};
}

/**
 * Makes threads give up waiting for a file: the thread that was loading it may have ended. Threads
 * that wait sleep in `Atomics.wait`, so they have to be woken to hear of the failure.
 */
export function stopWaiting(shards: SharedShards): void {
	const { notes, files, workers } = shards;
	Atomics.store(notes, STOPPED, 1);
	for (let file = 0; file < files.length; file++)
		Atomics.notify(notes, placeOf(file, workers));
}

/** Where the notes about a file are. */
function placeOf(file: number, workers: number): number {
	return FIRST + file * (WORKSPACES + workers);
}

/** Milliseconds after which a waiting thread checks whether it is to stop: the thread that would wake it may have died. */
const LONGEST_WAIT = 500;

/** Judges lines in one of the threads. The thread that first needs a file loads it for all. */
export class SharedShardSet {
	readonly #shared: SharedShards;
	/** This thread's number, from 0 on. */
	readonly #worker: number;
	readonly #tables = new Map<number, GrowingTable>();
	#sorted: SortedLines | undefined;

	constructor(shared: SharedShards, worker: number) {
		this.#shared = shared;
		this.#worker = worker;
	}

	/** A `Verdict` for every one of whole lines, as `RobotsIndex.matchLines` gives it. @throws {Failure} @throws {OtherFailed} */
	async matchLines(lines: Uint8Array): Promise<Uint8Array> {
		const count = this.#shared.files.length;
		// One file needs no sorting: every line belongs to it.
		if (count === 1) return judge(await this.#table(0), lines);
		this.#sorted ??= new SortedLines(count);
		const sorted = this.#sorted;
		sorted.sort(lines);
		const needed = new Set(sorted.needed());
		// Files are used in the order in which they are there, not in the order of shards.
		while (needed.size > 0) {
			const shard = this.#next(needed);
			needed.delete(shard);
			const table = await this.#table(shard);
			sorted.setVerdicts(shard, judge(table, sorted.linesOf(shard)));
		}
		return sorted.verdicts;
	}

	/**
	 * A file that is loaded; else one that no thread loads yet; else one that another thread loads.
	 * So threads load different files at the same time, and wait only when nothing else is left.
	 */
	#next(needed: ReadonlySet<number>): number {
		let found = -1;
		let foundState = LOADING;
		for (const file of needed) {
			const state = this.#tables.has(file) ? LOADED : this.#stateOf(file);
			if (state === LOADED) return file;
			if (found < 0 || (state === UNREAD && foundState !== UNREAD)) {
				found = file;
				foundState = state;
			}
		}
		return found;
	}

	#stateOf(file: number): number {
		const { notes, workers } = this.#shared;
		return Atomics.load(notes, placeOf(file, workers) + STATE);
	}

	async #table(file: number): Promise<GrowingTable> {
		const known = this.#tables.get(file);
		if (known) return known;
		const { notes, workers, memories } = this.#shared;
		const place = placeOf(file, workers);
		// One thread wins; the others wait.
		if (Atomics.compareExchange(notes, place, UNREAD, LOADING) === UNREAD)
			await this.#load(file, place);
		else this.#wait(file, place);
		const table = new GrowingTable(
			{
				...(memories[file] as SharedMemory),
				dialect:
					dialectNames[notes[place + DIALECT] as number] ?? dialectNames[0],
			},
			(notes[place + WORKSPACES + this.#worker] as number) >>> 0,
		);
		this.#tables.set(file, table);
		return table;
	}

	async #load(file: number, place: number): Promise<void> {
		const { notes, workers, files, memories } = this.#shared;
		let state = FAILED;
		try {
			const { path, opened, origins } = files[file] as SharedFile;
			const memory = memories[file] as SharedMemory;
			const writer = new SharedWriter(memory);
			await readInto(writer.open, path, opened);
			// Loading is checked here as well, as a file may have been replaced since the manifest was
			// read.
			const { size } = writer.extent;
			if (origins !== undefined && size !== origins)
				throw new Failure(
					`cannot read the index ${path}: it has ${size} origins, not ${origins}`,
				);
			// Numbers are stored as indices into a list, since notes hold 32-bit words.
			notes[place + DIALECT] = dialectNames.indexOf(writer.head.dialect);
			notes.set(writer.workspaces(workers), place + WORKSPACES);
			state = LOADED;
		} finally {
			// Atomics order memory: a thread that sees the state also sees the slots written before.
			Atomics.store(notes, place + STATE, state);
			Atomics.notify(notes, place + STATE);
		}
	}

	/** Waits until another thread has loaded a file. @throws {OtherFailed} */
	#wait(file: number, place: number): void {
		const { notes } = this.#shared;
		while (this.#stateOf(file) === LOADING && !this.#isStopped)
			Atomics.wait(notes, place + STATE, LOADING, LONGEST_WAIT);
		if (this.#stateOf(file) !== LOADED) throw new OtherFailed();
	}

	get #isStopped(): boolean {
		return Atomics.load(this.#shared.notes, STOPPED) !== 0;
	}
}

function judge(table: GrowingTable, lines: Uint8Array): Uint8Array {
	// The longest line decides how much scratch memory a batch needs.
	let longest = CHUNK;
	for (const { length } of chunksOf(lines, CHUNK))
		longest = Math.max(longest, length);
	return table
		.withRoom(Math.min(longest, MAX_LINE))
		.read((index) => index.matchLines(lines));
}
