/**
 * The class `RobotsPool`, and how it has lines, texts and columns judged: in workers, or here when they are small, since sending them would
 * take as long as judging.
 */
import { availableParallelism } from "node:os";
import { MAX_LINE } from "../../assembly/format/program.ts";
import { type Agent, agentList, keptAgent } from "../common/agents.ts";
import {
	check,
	checkOptions,
	isA,
	isRecord,
	type Kind,
	type OptionTable,
	type Url,
	urlTexts,
} from "../common/arguments.ts";
import {
	bytesArgument,
	checkThere,
	intoArgument,
	isBytes,
} from "../common/bytes.ts";
import { frontOf, mostTogether } from "../common/chunks.ts";
import {
	Column,
	type ColumnOffsets,
	type ColumnOptions,
} from "../common/column.ts";
import { chunksKind, maxBytesKind, wholeNumber } from "../common/kinds.ts";
import { invalidArgument } from "../common/quote.ts";
import { originOf, urlWithHost } from "../common/urls.ts";
import type { Dialect } from "../robots-txt/dialect.ts";
import { CompactPrograms, type Rules } from "./compact-programs.ts";
import {
	Generations,
	type LoadedIndex,
	loadHere,
	loadInThread,
} from "./pool-indexes.ts";
import {
	type NumberedIndex,
	PoolWorkers,
	pieceOfColumn,
	pieceOfLines,
	piecesOfColumn,
	piecesOfLines,
} from "./pool-workers.ts";
import { RobotsIndex } from "./robots-index.ts";
import type { SharedTable } from "./shared-index.ts";

/** Options of a RobotsPool. */
export interface PoolOptions {
	/** Number of worker threads, 1 to 256. Default: the machine's parallelism. */
	readonly workers?: number;
	/** Bytes of a robots.txt that `set` reads, as for a RobotsIndex. */
	readonly maxRobotsBytes?: number;
}

const MAX_WORKERS = 256;

/** What a pool takes an index from. */
export type PoolSource =
	| RobotsIndex
	| Uint8Array
	| Iterable<Uint8Array>
	| AsyncIterable<Uint8Array>;

const sourceKind: Kind = {
	text: "a RobotsIndex, a snapshot as a Uint8Array, or its chunks as an iterable or async iterable",
	accepts: (value) =>
		isA(value, RobotsIndex) || isBytes(value) || chunksKind.accepts(value),
	hint: chunksKind.hint,
};

const poolOptions: OptionTable<PoolOptions> = {
	workers: wholeNumber(1, MAX_WORKERS),
	maxRobotsBytes: maxBytesKind,
};

/**
 * Matches lines against an index in worker threads (Node, Bun, Deno). The index is loaded from a
 * snapshot into memory that all threads share. `set` and `delete` change it while workers judge,
 * and `replace` puts another in its place. An idle pool does not keep the process running. What is
 * judged where is decided per call: small inputs here, large ones in workers.
 * @example
 * await using pool = await RobotsPool.load(createReadStream("sites.index"));
 * const verdicts = await pool.matchLines(await readFile("urls.txt"));
 * await pool.set("https://example.com", "User-agent: *\nDisallow: /private/");
 */
export class RobotsPool {
	/** The crawler whose rules the index holds. */
	readonly agent: Agent;
	/** The dialect that its files were read in. */
	readonly dialect: Dialect;
	/** Number of worker threads. */
	readonly workers: number;
	readonly #threads: PoolWorkers;
	readonly #programs: CompactPrograms;
	readonly #generations: Generations;

	/**
	 * A pool for a snapshot from `RobotsIndex.toBytes`, which is loaded before the constructor returns: `RobotsPool.load` does not keep the
	 * event loop waiting.
	 * @throws {RobotrieError} invalid-byte-code; limit-exceeded; invalid-argument; unsupported.
	 */
	constructor(snapshot: Uint8Array, options?: PoolOptions);
	/** @internal With an index that is loaded. */
	constructor(index: LoadedIndex, options?: PoolOptions);
	// Loaded before the workers start: they are sent an index that is ready.
	constructor(source: Uint8Array | LoadedIndex, options: PoolOptions = {}) {
		checkOptions("RobotsPool", options, poolOptions);
		this.workers = workersOf(options);
		const index = isLoaded(source)
			? source
			: loadHere(bytesArgument("snapshot", source), this.workers);
		const { dialect } = index.shared;
		const agent = keptAgent(index.shared.agent);
		this.agent = agent;
		this.dialect = dialect;
		this.#programs = new CompactPrograms(
			agent,
			dialect,
			options.maxRobotsBytes,
		);
		this.#threads = new PoolWorkers(this.workers);
		this.#generations = new Generations(index, this.#threads);
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
		const index = await loadInThread(
			chunksOfSource(source),
			workersOf(options),
		);
		return new RobotsPool(index, options);
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
		// A thread of its own loads, as this one may be serving requests.
		await this.#generations.replace(
			async (signal) =>
				loadInThread(chunksOfSource(source), this.workers, signal),
			(index) => this.#checkLike(index),
		);
	}

	/** @throws {RobotrieError} invalid-argument, for an index of another crawler or dialect. */
	#checkLike({ shared }: LoadedIndex): void {
		const names = agentList(this.agent).join(", ");
		const found = agentList(shared.agent).join(", ");
		if (found !== names || shared.dialect !== this.dialect)
			throw invalidArgument(
				`the pool is for ${names} in the ${this.dialect} dialect`,
				`${found} in the ${shared.dialect} dialect`,
			);
	}

	/**
	 * Sets or replaces the rules of an origin, as `RobotsIndex.set` does, while workers judge. Calls that are made once the promise has
	 * resolved are judged by the new rules; of those made before, each URL by the old or the new ones as a whole. A `replace` that is
	 * under way ends first. Changes are made in the order of the calls.
	 * @example
	 * await pool.set("https://example.com", await response.text());
	 * @throws {RobotrieError} invalid-url; invalid-argument; disposed; limit-exceeded, if there is no room: nothing has changed.
	 */
	async set(origin: Url, robots: Rules): Promise<void> {
		// Checked and compiled in this thread, so that a wrong argument rejects before anything is
		// sent.
		const key = originOf(urlWithHost(origin, "origin"));
		// A copy: the bytes are those of linear memory.
		const program = this.#programs.of(robots).slice();
		await this.#generations.change({ origin: key, program });
	}

	/** Deletes an origin, named as in `set`; false if it was not there. @throws {RobotrieError} invalid-url; disposed. */
	async delete(origin: Url): Promise<boolean> {
		const key = originOf(urlWithHost(origin, "origin"));
		return this.#generations.change({ origin: key, program: null });
	}

	/** Origins in the index. */
	get size(): number {
		return this.#generations.extent.size;
	}

	/** Bytes of shared memory that the index takes. */
	get byteLength(): number {
		return this.#generations.extent.byteLength;
	}

	/**
	 * A `Verdict` for every line, as `RobotsIndex.matchLines` gives it. `bytes` must not change before the promise settles. Calls are
	 * independent; to keep memory bounded, await some before making more, or use `matchBatches`.
	 * @throws {RobotrieError} invalid-argument, for anything but a Uint8Array; disposed.
	 */
	async matchLines(bytes: Uint8Array): Promise<Uint8Array> {
		const lines = bytesArgument("bytes", bytes);
		this.#generations.checkOpen();
		const { length } = lines;
		// The bytes are read over several turns; if they are gone, verdicts may be wrong, or there are none.
		return this.#generations
			.call((generation) => judgeLinesIn(this.#threads, generation, lines))
			.finally(() => checkThere("bytes", lines, length));
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
		const texts = urlTexts(urls);
		const place = intoArgument(into);
		const verdicts = place
			? frontOf(place, texts.length)
			: new Uint8Array(texts.length);
		// Nothing to judge needs no open pool.
		if (texts.length === 0) return verdicts;
		this.#generations.checkOpen();
		await this.#generations
			.call((generation) =>
				judgeTextsIn(this.#threads, generation, texts, verdicts),
			)
			.finally(() => checkThere("into", verdicts, texts.length));
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
		// All offsets at once, as rows are read in several turns.
		column.checkOffsets();
		this.#generations.checkOpen();
		const verdicts = await this.#generations
			.call((generation) => judgeColumnIn(this.#threads, generation, column))
			.finally(() => column.checkThere());
		return column.finish(verdicts);
	}

	/**
	 * Verdicts for batches of lines, in order, each as soon as they are there. A batch is read from the source when a worker is free, so
	 * that memory stays bounded. An error in a batch, or of the source, ends the iteration after the batches before it.
	 * @throws {RobotrieError} invalid-argument, for anything but an iterable of Uint8Arrays; disposed.
	 */
	async *matchBatches(
		batches: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
	): AsyncGenerator<Uint8Array, void, undefined> {
		check("batches", batches, chunksKind);
		const source =
			Symbol.asyncIterator in batches
				? batches[Symbol.asyncIterator]()
				: batches[Symbol.iterator]();
		const running: Promise<Uint8Array>[] = [];
		const run = (verdicts: Promise<Uint8Array>) => {
			// A caller that stops early never awaits the later ones, whose failures would then end the process.
			verdicts.catch(() => {});
			running.push(verdicts);
		};
		let reading: Promise<void> | undefined;
		let isEnded = false;
		const read = async () => {
			try {
				const { done, value } = await source.next();
				if (done) isEnded = true;
				else run(this.matchLines(await value));
			} catch (error) {
				isEnded = true;
				run(Promise.reject(error));
			}
		};
		try {
			for (;;) {
				// Bounded by how many pieces workers can have; the source is not read further until one is done.
				if (!isEnded && running.length < this.#threads.atOnce)
					reading ??= read().finally(() => {
						reading = undefined;
					});
				const [first] = running;
				if (!first && !reading) return;
				// A source may have its next batch only when the verdicts of the last one are there.
				const verdicts = await Promise.race([first, reading].filter(Boolean));
				if (!verdicts) continue;
				running.shift();
				yield verdicts;
			}
		} finally {
			if (!isEnded) {
				const ending = Promise.resolve(source.return?.());
				// A source that waits for its next batch may never end.
				if (reading) ending.catch(() => {});
				else await ending;
			}
		}
	}

	/** Waits for running calls and ends the workers. The pool cannot be used afterwards; a `replace` that is under way rejects. */
	async close(): Promise<void> {
		await this.#generations.close();
		await this.#threads.end();
	}

	/** As `close`. */
	async [Symbol.asyncDispose](): Promise<void> {
		await this.close();
	}
}

function isLoaded(source: Uint8Array | LoadedIndex): source is LoadedIndex {
	return isRecord(source) && "changer" in source;
}

function workersOf({ workers = availableParallelism() }: PoolOptions): number {
	return Math.min(workers, MAX_WORKERS);
}

function chunksOfSource(
	source: PoolSource,
): Iterable<Uint8Array> | AsyncIterable<Uint8Array> {
	if (isA(source, RobotsIndex)) return source.snapshot();
	return isBytes(source) ? [source] : source;
}

/**
 * Fewer bytes of lines are judged at once: sending them to a worker would take this thread as long.
 * Sending takes about as long as judging 64 KiB.
 */
const SMALL = 64 * 1024;
/** Fewer rows of a column are judged at once, for the same reason. */
const SMALL_ROWS = SMALL / 16;
/** Characters of URLs that are joined to lines at once. */
const GROUP = 64 * 1024 * 1024;

/** Texts are joined to lines, not all at once, as strings have a longest length. */
async function judgeTextsIn(
	workers: PoolWorkers,
	index: NumberedIndex,
	texts: readonly string[],
	verdicts: Uint8Array,
): Promise<void> {
	// A group fits into a string; one text alone may be longer.
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
				? tableFor(index, SMALL).read((table) => table.matchMany(some))
				: await inLines(workers, index, some);
		verdicts.set(judged, first);
		first = last;
	}
}

/** Joined texts have one verdict each unless a line end is in one of them. */
async function inLines(
	workers: PoolWorkers,
	index: NumberedIndex,
	texts: readonly string[],
): Promise<Uint8Array> {
	const longest = texts.reduce((most, { length }) => Math.max(most, length), 0);
	if (longest < GROUP) {
		const text = `${texts.join("\n")}\n`;
		const bytes = new TextEncoder().encode(text);
		const verdicts = await judgeLinesIn(workers, index, bytes);
		if (verdicts.length === texts.length && !text.includes("\r"))
			return verdicts;
	}
	// Line ends inside a URL make several lines of it, or are cut off its end.
	return tableFor(index, longest).read((table) => table.matchMany(texts));
}

async function judgeLinesIn(
	workers: PoolWorkers,
	index: NumberedIndex,
	bytes: Uint8Array,
): Promise<Uint8Array> {
	return bytes.length <= SMALL
		? pieceOfLines(bytes).judge(index.table)
		: workers.judge(index, piecesOfLines(bytes));
}

async function judgeColumnIn(
	workers: PoolWorkers,
	index: NumberedIndex,
	column: Column,
): Promise<Uint8Array> {
	const { length } = column;
	const size = column.offset(length) - column.offset(0);
	return size <= SMALL && length <= SMALL_ROWS
		? pieceOfColumn(column, 0, length).judge(index.table)
		: workers.judge(index, piecesOfColumn(column));
}

/** The pool's own table, for texts with so many characters at most. */
function tableFor({ table }: NumberedIndex, longest: number): SharedTable {
	return table.withRoom(Math.min(mostTogether(longest), MAX_LINE));
}
