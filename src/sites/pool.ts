import { availableParallelism } from "node:os";
import Tinypool from "tinypool";
import {
	check,
	checkOptions,
	checkUrls,
	type OptionTable,
	type Url,
	urlTexts,
} from "../common/arguments.ts";
import { CHUNK, chunksOf, concatenate } from "../common/chunks.ts";
import { RobotrieError } from "../common/errors.ts";
import { bytesKind } from "../common/kinds.ts";
import { chunksKind, wholeNumber } from "../common/option-kinds.ts";
import { LinearMemory, outOfMemory } from "../engine/linear-memory.ts";
import type { Agent } from "../matching/agents.ts";
import { type Dialect, dialectRules } from "../robots-txt/dialect.ts";
import { loadIndex, readHead } from "./index-snapshot.ts";
import { MOST_BYTES, OriginTable, roomOf } from "./origin-table.ts";
import type { SharedIndex } from "./pool-worker.ts";
import { type SharedLinearMemory, sharedModule } from "./shared-module.ts";

/** Options of a RobotsPool. */
export interface PoolOptions {
	/** Number of worker threads, 1 to 256. Default: the machine's parallelism. */
	readonly workers?: number;
}

/** Bytes of lines handed to a worker at once: a millisecond of work, against a message's 20 µs. */
const PIECE = 1024 * 1024;
/** Pieces that a worker has at a time: one to judge, one to go on with. */
const PIECES_PER_WORKER = 2;
/** Characters of URLs that are joined to lines at once. */
const GROUP = 64 * 1024 * 1024;
const MAX_WORKERS = 256;
/** Pages that the module's memory begins with, and at most has (asconfig.json). */
const PAGES = { initial: 16, maximum: 65536 };

const poolOptions: OptionTable<PoolOptions> = {
	workers: wholeNumber(1, MAX_WORKERS),
};

/**
 * Matches lines against an index in worker threads (Node, Bun, Deno). The index is loaded from a snapshot into memory that all
 * threads share, and cannot be changed: for new rules, open a pool with a new snapshot and close the old one. An idle pool does not
 * keep the process running.
 * @example
 * await using pool = new RobotsPool(index.toBytes());
 * const verdicts = await pool.matchLines(await readFile("urls.txt"));
 */
export class RobotsPool {
	/** The crawler whose rules the index holds. */
	readonly agent: Agent;
	/** The dialect that its files were read in. */
	readonly dialect: Dialect;
	/** Number of worker threads. */
	readonly workers: number;
	readonly #table: OriginTable;
	readonly #threads: Tinypool;
	readonly #watched = new WeakSet<object>();
	readonly #unfinished = new Set<Promise<unknown>>();
	#closed = false;

	/**
	 * A pool for a snapshot from `RobotsIndex.toBytes`.
	 * @throws {RobotrieError} invalid-byte-code; limit-exceeded; invalid-argument.
	 */
	constructor(snapshot: Uint8Array, options: PoolOptions = {}) {
		checkOptions("RobotsPool", options, poolOptions);
		const { agent, dialect } = readHead(snapshot);
		this.agent = agent;
		this.dialect = dialect;
		this.workers = options.workers ?? availableWorkers();
		const google = dialectRules(dialect).googleMatching;
		const module = sharedModule();
		const memory = new WebAssembly.Memory({ ...PAGES, shared: true });
		const linear: SharedLinearMemory = new LinearMemory(module, memory);
		this.#table = new OriginTable(linear, google);
		this.#table.open(MOST_BYTES);
		loadIndex(snapshot, this.#table);
		const workspaces = Array.from({ length: this.workers }, () => {
			const workspace =
				linear.module.createWorkspace(CHUNK, roomOf(CHUNK)) >>> 0;
			if (workspace === 0) throw outOfMemory("room for a worker");
			return workspace;
		});
		const shared: SharedIndex = { module, memory, workspaces, google };
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
			workerData: shared,
		});
		// Errors of workers that have no piece to judge come here.
		this.#threads.on("error", () => {});
		this.#watch();
	}

	/** Origins in the index. */
	get size(): number {
		return this.#table.size;
	}

	/**
	 * A `Verdict` for every line, as `RobotsIndex.matchLines` gives it. `bytes` must not change before the promise settles. Calls are
	 * independent; to keep memory bounded, await some before making more, or use `matchBatches`.
	 * @throws {RobotrieError} invalid-argument, for anything but a Uint8Array; disposed.
	 */
	async matchLines(bytes: Uint8Array): Promise<Uint8Array> {
		check("bytes", bytes, bytesKind);
		this.#checkOpen();
		return this.#track(this.#inPieces(bytes));
	}

	/**
	 * A `Verdict` for every URL, as `RobotsIndex.matchMany` gives it.
	 * @throws {RobotrieError} invalid-argument, for anything but an array of strings or `URL` objects; disposed. Like those of
	 * all calls that return a promise, argument errors reject.
	 */
	async matchMany(urls: readonly Url[]): Promise<Uint8Array> {
		checkUrls(urls);
		const texts = urlTexts(urls);
		if (texts.length === 0) return new Uint8Array();
		this.#checkOpen();
		return this.#track(this.#inGroups(texts));
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
		await Promise.allSettled(this.#unfinished);
		await this.#threads.destroy();
	}

	/** As `close`. */
	async [Symbol.asyncDispose](): Promise<void> {
		await this.close();
	}

	/** Texts are joined to lines, not all at once, as strings have a longest length. */
	async #inGroups(texts: readonly string[]): Promise<Uint8Array> {
		const verdicts = new Uint8Array(texts.length);
		for (let first = 0; first < texts.length; ) {
			let last = first;
			for (let length = 0; last < texts.length && length < GROUP; last++) {
				length += texts[last]?.length ?? 0;
				if (last > first && length > 2 * GROUP) break;
			}
			const some = texts.slice(first, last);
			verdicts.set(await this.#inLines(some), first);
			first = last;
		}
		return verdicts;
	}

	async #inLines(texts: readonly string[]): Promise<Uint8Array> {
		if (texts.every(({ length }) => length < GROUP)) {
			const text = `${texts.join("\n")}\n`;
			const verdicts = await this.#inPieces(new TextEncoder().encode(text));
			if (verdicts.length === texts.length && !text.includes("\r"))
				return verdicts;
		}
		// Line ends inside a URL make several lines of it, or are cut off its end.
		return this.#table.matchMany(texts);
	}

	#checkOpen(): void {
		if (this.#closed)
			throw new RobotrieError("disposed", "the pool was closed");
	}

	async #inPieces(bytes: Uint8Array): Promise<Uint8Array> {
		const pieces = chunksOf(bytes, PIECE);
		const parts: Uint8Array[] = [];
		let count = 0;
		const judgeSome = async () => {
			for (const piece of pieces) {
				const place = count++;
				parts[place] = await this.#judge(piece);
			}
		};
		await Promise.all(
			Array.from({ length: this.workers * PIECES_PER_WORKER }, judgeSome),
		);
		const [only] = parts;
		return only && parts.length === 1 ? only : concatenate(parts);
	}

	async #judge(piece: Uint8Array): Promise<Uint8Array> {
		// A copy: the slice of a Buffer of Node would be a view, and the caller's bytes go to the worker.
		const lines = new Uint8Array(piece);
		const judged: Promise<Uint8Array | null> = this.#threads.run(lines, {
			transferList: [lines.buffer],
		});
		// That may have started a worker.
		this.#watch();
		const verdicts = await judged.catch(() => null);
		// The worker died, or a line is too long for its workspace, which cannot grow.
		return verdicts ?? this.#table.matchLines(piece);
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

	#track<Result>(promise: Promise<Result>): Promise<Result> {
		this.#unfinished.add(promise);
		const forget = () => this.#unfinished.delete(promise);
		promise.then(forget, forget);
		return promise;
	}
}

function availableWorkers(): number {
	return Math.min(availableParallelism(), MAX_WORKERS);
}
