import { availableParallelism } from "node:os";
import Tinypool from "tinypool";
import { MAX_LINE } from "../../assembly/format/program.ts";
import {
	check,
	checkOptions,
	checkUrls,
	type Kind,
	type OptionTable,
	type Url,
	urlTexts,
} from "../common/arguments.ts";
import {
	checkInto,
	concatenate,
	frontOf,
	mostTogether,
} from "../common/chunks.ts";
import {
	Column,
	type ColumnOffsets,
	type ColumnOptions,
} from "../common/column.ts";
import { invalidArgument, RobotrieError } from "../common/errors.ts";
import { bytesKind, chunksKind } from "../common/kinds.ts";
import { wholeNumber } from "../common/option-kinds.ts";
import { refusedAs, Uncloneable } from "../common/uncloneable.ts";
import { type Agent, agentList } from "../matching/agents.ts";
import type { Dialect } from "../robots-txt/dialect.ts";
import { loadHere, loadInThread } from "./load-shared.ts";
import type { OriginTable } from "./origin-table.ts";
import {
	type Part,
	partOfColumn,
	partOfLines,
	partsOfColumn,
	partsOfLines,
} from "./parts.ts";
import {
	NO_INDEX,
	type Piece,
	type PieceAnswer,
	type Text,
	TOO_LONG,
} from "./piece.ts";
import { RobotsIndex } from "./robots-index.ts";
import { OwnTable } from "./shared-index.ts";

/** Options of a RobotsPool. */
export interface PoolOptions {
	/** Number of worker threads, 1 to 256. Default: the machine's parallelism. */
	readonly workers?: number;
}

/** Fewer bytes of lines are judged at once: sending them to a worker would take this thread as long. */
const SMALL = 64 * 1024;
/** Rows of a column likewise. */
const SMALL_ROWS = SMALL / 16;
/** Pieces that a worker has at a time: one to judge, one to go on with. */
const PIECES_PER_WORKER = 2;
/** Characters of URLs that are joined to lines at once. */
const GROUP = 64 * 1024 * 1024;
const MAX_WORKERS = 256;

/** What a pool takes an index from. */
export type PoolSource =
	| RobotsIndex
	| Uint8Array
	| Iterable<Uint8Array>
	| AsyncIterable<Uint8Array>;

/** An index that the pool judges by, and the calls that it is judging. */
interface Generation {
	readonly number: number;
	readonly table: OwnTable;
	readonly calls: Set<Promise<unknown>>;
}

const sourceKind: Kind = {
	text: "a RobotsIndex, a snapshot as a Uint8Array, or its chunks as an iterable or async iterable",
	accepts: (value) =>
		value instanceof RobotsIndex ||
		value instanceof Uint8Array ||
		chunksKind.accepts(value),
	hint: chunksKind.hint,
};

const poolOptions: OptionTable<PoolOptions> = {
	workers: wholeNumber(1, MAX_WORKERS),
};

const refused = refusedAs(
	"a RobotsPool (send the toBytes() of its index instead)",
);

/**
 * Matches lines against an index in worker threads (Node, Bun, Deno). The index is loaded from a snapshot into memory that all
 * threads share. It cannot be changed, but `replace` puts another in its place. An idle pool does not keep the process running.
 * @example
 * await using pool = await RobotsPool.load(createReadStream("sites.index"));
 * const verdicts = await pool.matchLines(await readFile("urls.txt"));
 */
export class RobotsPool extends Uncloneable {
	/** The crawler whose rules the index holds. */
	readonly agent: Agent;
	/** The dialect that its files were read in. */
	readonly dialect: Dialect;
	/** Number of worker threads. */
	readonly workers: number;
	readonly #threads: Tinypool;
	readonly #watched = new WeakSet<object>();
	#current: Generation;
	/** Those before, whose calls have not ended. */
	#earlier: readonly Generation[] = [];
	#replacing: Promise<unknown> = Promise.resolve();
	#closed = false;

	/**
	 * A pool for a snapshot from `RobotsIndex.toBytes`, which is loaded before the constructor returns: `RobotsPool.load` does not keep the
	 * event loop waiting.
	 * @throws {RobotrieError} invalid-byte-code; limit-exceeded; invalid-argument; unsupported.
	 */
	constructor(snapshot: Uint8Array, options?: PoolOptions);
	/** @internal With an index that is loaded. */
	constructor(index: OwnTable, options?: PoolOptions);
	constructor(source: Uint8Array | OwnTable, options: PoolOptions = {}) {
		checkOptions("RobotsPool", options, poolOptions);
		super(refused);
		this.workers = workersOf(options);
		if (!(source instanceof OwnTable)) check("snapshot", source, bytesKind);
		const table =
			source instanceof OwnTable
				? source
				: new OwnTable(loadHere(source, this.workers));
		this.agent = table.shared.agent;
		this.dialect = table.shared.dialect;
		this.#current = { number: 0, table, calls: new Set() };
		this.#threads = new Tinypool({
			filename: new URL("./pool-worker.js", import.meta.url),
			minThreads: this.workers,
			maxThreads: this.workers,
			concurrentTasksPerWorker: PIECES_PER_WORKER,
			isolateWorkers: false,
			// Flags of the process that say how its own script is read would keep workers from starting.
			execArgv: [],
			// In Deno a worker that waits on an atomic misses the piece that came meanwhile, and waits for ever.
			useAtomics: process.versions.deno === undefined,
		});
		// Errors of workers that have no piece to judge come here.
		this.#threads.on("error", () => {});
		this.#watch();
	}

	/**
	 * A pool for an index, a snapshot or a snapshot's chunks, which a thread of its own loads; the event loop goes on meanwhile.
	 * @example
	 * const pool = await RobotsPool.load(index, { workers: 4 });
	 * @throws {RobotrieError} invalid-byte-code; limit-exceeded; invalid-argument; unsupported.
	 */
	static async load(
		source: PoolSource,
		options: PoolOptions = {},
	): Promise<RobotsPool> {
		checkOptions("RobotsPool.load", options, poolOptions);
		check("source", source, sourceKind);
		const shared = await loadInThread(
			chunksOfSource(source),
			workersOf(options),
		);
		return new RobotsPool(new OwnTable(shared), options);
	}

	/**
	 * Has the pool judge by another index of the same crawler and dialect, which a thread of its own loads. Calls go on meanwhile. A call
	 * is judged by one index as a whole: by the old one if it was made before the promise resolves, else by the new one. When an error
	 * rejects the promise, the old index stays. Both are in memory until the old one's calls have ended.
	 * @example
	 * setInterval(() => pool.replace(index), 60_000);
	 * @throws {RobotrieError} invalid-byte-code; limit-exceeded; invalid-argument; disposed.
	 */
	async replace(source: PoolSource): Promise<void> {
		check("source", source, sourceKind);
		this.#checkOpen();
		// One after another: the last call's index is the one that stays.
		const replaced = this.#replacing.then(() => this.#replaceNow(source));
		this.#replacing = replaced.catch(() => {});
		await replaced;
	}

	async #replaceNow(source: PoolSource): Promise<void> {
		this.#checkOpen();
		const chunks = chunksOfSource(source);
		const shared = await loadInThread(chunks, this.workers);
		const names = agentList(this.agent).join(", ");
		const found = agentList(shared.agent).join(", ");
		if (found !== names || shared.dialect !== this.dialect)
			throw invalidArgument(
				`the pool is for ${names} in the ${this.dialect} dialect`,
				`${found} in the ${shared.dialect} dialect`,
			);
		this.#checkOpen();
		const previous = this.#current;
		this.#earlier = [...this.#earlier, previous];
		this.#current = {
			number: previous.number + 1,
			table: new OwnTable(shared),
			calls: new Set(),
		};
		this.#introduce();
		Promise.allSettled(previous.calls).then(() => {
			this.#earlier = this.#earlier.filter((one) => one !== previous);
			this.#introduce();
		});
	}

	/** Has all workers know the index, and forget those that no call needs. Else idle ones would keep them. */
	#introduce(): void {
		if (this.#closed) return;
		for (let i = 0; i < this.workers * PIECES_PER_WORKER; i++)
			this.#send(this.#current, { bytes: new Uint8Array() }, true).catch(
				() => {},
			);
	}

	/** Origins in the index. */
	get size(): number {
		return this.#current.table.shared.size;
	}

	/**
	 * A `Verdict` for every line, as `RobotsIndex.matchLines` gives it. `bytes` must not change before the promise settles. Calls are
	 * independent; to keep memory bounded, await some before making more, or use `matchBatches`.
	 * @throws {RobotrieError} invalid-argument, for anything but a Uint8Array; disposed.
	 */
	async matchLines(bytes: Uint8Array): Promise<Uint8Array> {
		check("bytes", bytes, bytesKind);
		this.#checkOpen();
		return this.#call((generation) => this.#inPieces(generation, bytes));
	}

	/**
	 * A `Verdict` for every URL, as `RobotsIndex.matchMany` gives it, in `into` if given.
	 * @throws {RobotrieError} invalid-argument, for anything but an array of strings or `URL` objects, or if `into` has fewer bytes than
	 * there are URLs; disposed. Like those of all calls that return a promise, argument errors reject.
	 */
	async matchMany(
		urls: readonly Url[],
		into?: Uint8Array,
	): Promise<Uint8Array> {
		checkUrls(urls);
		checkInto(into);
		const texts = urlTexts(urls);
		const verdicts = into
			? frontOf(into, texts.length)
			: new Uint8Array(texts.length);
		if (texts.length === 0) return verdicts;
		this.#checkOpen();
		await this.#call((generation) =>
			this.#inGroups(generation, texts, verdicts),
		);
		return verdicts;
	}

	/**
	 * A `Verdict` for every row of a column of absolute URLs, as `RobotsIndex.matchColumn` gives it. The column must not change before the
	 * promise settles.
	 * @throws {RobotrieError} as `RobotsIndex.matchColumn`; disposed.
	 */
	async matchColumn(
		offsets: ColumnOffsets,
		bytes: Uint8Array,
		options?: ColumnOptions,
	): Promise<Uint8Array> {
		const column = new Column("matchColumn", offsets, bytes, options);
		this.#checkOpen();
		const verdicts = await this.#call((generation) =>
			this.#inRows(generation, column),
		);
		return column.finish(verdicts);
	}

	/**
	 * Verdicts for batches of lines, in order. A batch is read from the source when a worker is free, so that memory stays bounded.
	 * An error in a batch ends the iteration after the batches before it.
	 * @throws {RobotrieError} invalid-argument, for anything but an iterable of Uint8Arrays; disposed.
	 */
	async *matchBatches(
		batches: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
	): AsyncGenerator<Uint8Array, void, undefined> {
		check("batches", batches, chunksKind);
		const running: Promise<Uint8Array>[] = [];
		for await (const batch of batches) {
			const verdicts = this.matchLines(batch);
			// Who stops early never hears of the later ones.
			verdicts.catch(() => {});
			running.push(verdicts);
			if (running.length === this.workers * PIECES_PER_WORKER)
				yield (await running.shift()) as Uint8Array;
		}
		for (const verdicts of running) yield await verdicts;
	}

	/** Waits for running calls and ends the workers. The pool cannot be used afterwards. */
	async close(): Promise<void> {
		this.#closed = true;
		await this.#replacing;
		const generations = [...this.#earlier, this.#current];
		await Promise.allSettled(generations.flatMap(({ calls }) => [...calls]));
		await this.#threads.destroy();
	}

	/** As `close`. */
	async [Symbol.asyncDispose](): Promise<void> {
		await this.close();
	}

	/** Texts are joined to lines, not all at once, as strings have a longest length. */
	async #inGroups(
		generation: Generation,
		texts: readonly string[],
		verdicts: Uint8Array,
	): Promise<void> {
		for (let first = 0; first < texts.length; ) {
			let last = first;
			let length = 0;
			for (; last < texts.length && length < GROUP; last++) {
				length += (texts[last]?.length ?? 0) + 1;
				if (last > first && length > 2 * GROUP) break;
			}
			const some = texts.slice(first, last);
			const judged =
				length <= SMALL
					? tableFor(generation, SMALL).matchMany(some)
					: await this.#inLines(generation, some);
			verdicts.set(judged, first);
			first = last;
		}
	}

	async #inLines(
		generation: Generation,
		texts: readonly string[],
	): Promise<Uint8Array> {
		const longest = texts.reduce(
			(most, { length }) => Math.max(most, length),
			0,
		);
		if (longest < GROUP) {
			const text = `${texts.join("\n")}\n`;
			const bytes = new TextEncoder().encode(text);
			const verdicts = await this.#inPieces(generation, bytes);
			if (verdicts.length === texts.length && !text.includes("\r"))
				return verdicts;
		}
		// Line ends inside a URL make several lines of it, or are cut off its end.
		return tableFor(generation, longest).matchMany(texts);
	}

	#checkOpen(): void {
		if (this.#closed)
			throw new RobotrieError("disposed", "the pool was closed");
	}

	async #inPieces(
		generation: Generation,
		bytes: Uint8Array,
	): Promise<Uint8Array> {
		return bytes.length <= SMALL
			? partOfLines(bytes).judge(generation.table)
			: this.#inParts(generation, partsOfLines(bytes));
	}

	async #inRows(generation: Generation, column: Column): Promise<Uint8Array> {
		const { length } = column;
		const size = column.offset(length) - column.offset(0);
		return size <= SMALL && length <= SMALL_ROWS
			? partOfColumn(column, 0, length).judge(generation.table)
			: this.#inParts(generation, partsOfColumn(column));
	}

	/** Judges parts in workers, each of which has few at a time. */
	async #inParts(
		generation: Generation,
		parts: Generator<Part>,
	): Promise<Uint8Array> {
		const verdicts: Uint8Array[] = [];
		let count = 0;
		const judgeSome = async () => {
			for (const part of parts) {
				const place = count++;
				verdicts[place] = await this.#judge(generation, part);
			}
		};
		await Promise.all(
			Array.from({ length: this.workers * PIECES_PER_WORKER }, judgeSome),
		);
		const [only] = verdicts;
		return only && verdicts.length === 1 ? only : concatenate(verdicts);
	}

	async #judge(generation: Generation, part: Part): Promise<Uint8Array> {
		// A worker that died has no answer.
		const send = (withIndex: boolean) =>
			this.#send(generation, part.copy(), withIndex).catch(() => TOO_LONG);
		let answer = await send(false);
		if (answer === NO_INDEX) answer = await send(true);
		return answer instanceof Uint8Array ? answer : part.judge(generation.table);
	}

	async #send(
		{ number, table }: Generation,
		text: Text,
		withIndex: boolean,
	): Promise<PieceAnswer> {
		const { bytes, offsets } = text;
		const message: Piece = {
			...text,
			number,
			oldest: (this.#earlier[0] ?? this.#current).number,
			shared: withIndex ? table.shared : undefined,
		};
		const answer = this.#threads.run(message, {
			transferList: offsets ? [bytes.buffer, offsets.buffer] : [bytes.buffer],
		});
		// That may have started a worker.
		this.#watch();
		return answer;
	}

	/**
	 * Watches workers that are not watched yet. A worker that fails is replaced, and its pieces are judged here. Tinypool learns
	 * of that by an error event alone, which a worker that is terminated or exits does not send; it gets one from here.
	 */
	#watch(): void {
		for (const thread of this.#threads.threads) {
			if (this.#watched.has(thread)) continue;
			this.#watched.add(thread);
			thread.on("error", () => this.#replaced());
			thread.on("exit", (code) => {
				// What Tinypool ended itself is none of its threads any more.
				if (this.#threads.threads.includes(thread))
					thread.emit("error", new Error(`a worker exited with code ${code}`));
			});
		}
	}

	/** A worker failed, and has been replaced unless workers fail before they have started. */
	#replaced(): void {
		this.#watch();
		// Nobody would take the pieces that wait.
		if (this.#threads.threads.length === 0) this.#threads.cancelPendingTasks();
	}

	/** What a call gives that is judged by the current index as a whole. */
	#call<Result>(
		judge: (generation: Generation) => Promise<Result>,
	): Promise<Result> {
		const generation = this.#current;
		const promise = judge(generation);
		generation.calls.add(promise);
		const forget = () => generation.calls.delete(promise);
		promise.then(forget, forget);
		return promise;
	}
}

function workersOf({ workers = availableParallelism() }: PoolOptions): number {
	return Math.min(workers, MAX_WORKERS);
}

function chunksOfSource(
	source: PoolSource,
): Iterable<Uint8Array> | AsyncIterable<Uint8Array> {
	if (source instanceof RobotsIndex) return source.snapshot();
	return source instanceof Uint8Array ? [source] : source;
}

/** The pool's own table, for texts with so many characters at most. */
function tableFor({ table }: Generation, longest: number): OriginTable {
	return table.withRoom(Math.min(mostTogether(longest), MAX_LINE));
}
