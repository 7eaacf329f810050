/**
 * The indexes of a pool: loaded here or in a thread (pool-loader.ts), changed by that thread, and replaced while calls still judge by the
 * one before. Memory of an old index is freed when its last call has ended.
 */
import { Worker } from "node:worker_threads";
import { bytesArgument } from "../common/bytes.ts";
import { until } from "../common/chunks.ts";
import { RobotrieError, type RobotrieErrorCode } from "../common/errors.ts";
import { decodeIndex } from "./index-snapshot.ts";
import type { NumberedIndex, PoolWorkers } from "./pool-workers.ts";
import {
	type Change,
	type Extent,
	newSharedMemory,
	OwnTable,
	type SharedIndex,
	type SharedMemory,
	SharedWriter,
} from "./shared-index.ts";

/**
 * Who may change an index that threads share. Either this thread or a loader thread; callers need
 * not know which.
 */
interface Changer {
	readonly extent: Extent;
	/** Resolves when other threads see the change; false when an origin to be deleted was not there. */
	change(change: Change): Promise<boolean>;
	/** After the changes that were asked for. */
	end(): Promise<void>;
}

/** An index in shared memory, and who may change it. */
export interface LoadedIndex {
	readonly shared: SharedIndex;
	readonly changer: Changer;
}

/** What a thread (pool-loader.ts) is started with that loads an index and then changes it. */
export interface LoaderData {
	readonly shared: SharedMemory;
	readonly workers: number;
}

/** What it is sent: chunks of a snapshot, null at their end; then changes. */
export type LoaderMessage = Uint8Array | null | readonly Change[];

/** Why something could not be done. */
export interface Failure {
	readonly code: RobotrieErrorCode;
	readonly message: string;
}

/** What it answers: after each chunk its bytes, at the end the index, or what is wrong; then what came of changes. */
export type LoaderAnswer =
	| { readonly read: number }
	| { readonly index: SharedIndex; readonly extent: Extent }
	| { readonly failure: Failure }
	| { readonly changed: readonly (boolean | Failure)[]; extent: Extent };

/**
 * Bytes that are sent at once, and bytes that may be on their way to a loader. Few enough that a
 * fast disk does not fill the loader's inbox.
 */
const PART = 512 * 1024;
const MOST_SENT = 4 * PART;

/**
 * Loads a snapshot here and now. For the constructor, which cannot wait; `RobotsPool.load` does not
 * stop the event loop.
 * @throws {RobotrieError} invalid-byte-code, limit-exceeded, unsupported.
 */
export function loadHere(snapshot: Uint8Array, workers: number): LoadedIndex {
	const writer = new SharedWriter(newSharedMemory());
	decodeIndex(snapshot, writer.open);
	const shared = writer.finish(workers);
	const changer: Changer = {
		get extent() {
			return writer.extent;
		},
		change: async (change) => writer.change(change),
		end: async () => {},
	};
	return { shared, changer };
}

/**
 * Loads a snapshot in a thread of its own. Chunks are copied. A signal ends the loading by its reason, also where the next chunk
 * never comes.
 * @throws {RobotrieError} invalid-byte-code, limit-exceeded, unsupported; invalid-argument, when a chunk is no bytes.
 */
export async function loadInThread(
	chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
	workers: number,
	signal?: AbortSignal,
): Promise<LoadedIndex> {
	const data: LoaderData = { shared: newSharedMemory(), workers };
	const changer = new ThreadChanger(data);
	try {
		for await (const chunk of signal ? until(signal, chunks) : chunks) {
			// The type is checked per chunk, as a stream may give anything.
			const bytes = bytesArgument("a chunk", chunk);
			for (let from = 0; from < bytes.length; from += PART)
				await changer.send(bytes.subarray(from, from + PART));
		}
		signal?.throwIfAborted();
		return { shared: await changer.finish(), changer };
	} catch (error) {
		await changer.end();
		throw error;
	}
}

/** A change that the thread has not answered. */
interface Asked {
	readonly change: Change;
	readonly resolve: (done: boolean) => void;
	readonly reject: (error: unknown) => void;
}

/**
 * The one thread that writes to the index: changes are made in the order in which they were asked
 * for.
 */
class ThreadChanger implements Changer {
	extent: Extent = { size: 0, byteLength: 0 };
	readonly #worker: Worker;
	/** Bytes that the thread has not read yet. */
	#sent = 0;
	/** Told of the next answer: two wait where a pool is closed twice. */
	readonly #waiting: (() => void)[] = [];
	#index: SharedIndex | undefined;
	#failure: unknown;
	/** In the order in which they were asked for; the first `#underway` of them have been sent. */
	#asked: Asked[] = [];
	#underway = 0;

	constructor(workerData: LoaderData) {
		this.#worker = new Worker(new URL("./pool-loader.js", import.meta.url), {
			workerData,
			// As for the pool's workers.
			execArgv: [],
		});
		this.#worker.on("message", (answer: LoaderAnswer) => this.#hear(answer));
		this.#worker.on("error", (error) => this.#fail(error));
		this.#worker.on("exit", (code) =>
			this.#fail(
				new Error(`the thread that holds the index ended with code ${code}`),
			),
		);
	}

	/**
	 * Sends a chunk, once there are not too many on their way. A bound on what is on its way, as
	 * messages of a worker are queued without one.
	 */
	async send(chunk: Uint8Array): Promise<void> {
		while (this.#sent > MOST_SENT && !this.#failure) await this.#next();
		if (this.#failure) throw this.#failure;
		const copy = new Uint8Array(chunk);
		this.#sent += copy.length;
		this.#post(copy, [copy.buffer]);
	}

	async finish(): Promise<SharedIndex> {
		this.#post(null);
		while (!this.#index && !this.#failure) await this.#next();
		if (!this.#index) throw this.#failure;
		// An idle pool does not keep the process running. Changes keep the process running again, by
		// `ref`.
		this.#worker.unref();
		return this.#index;
	}

	async change(change: Change): Promise<boolean> {
		if (this.#failure) throw this.#failure;
		return new Promise((resolve, reject) => {
			// Changes asked for in one turn go as one message: a message costs as much as the change.
			this.#asked.push({ change, resolve, reject });
			// Those that are asked for until then go together.
			if (this.#asked.length === 1) queueMicrotask(() => this.#sendChanges());
		});
	}

	async end(): Promise<void> {
		while (this.#asked.length > 0 && !this.#failure) await this.#next();
		await this.#worker.terminate();
	}

	// One message at a time, so that answers need no numbers.
	#sendChanges(): void {
		if (this.#underway > 0 || this.#asked.length === 0) return;
		this.#underway = this.#asked.length;
		this.#worker.ref();
		this.#post(this.#asked.map(({ change }) => change));
	}

	#post(message: LoaderMessage, transferred: ArrayBuffer[] = []): void {
		this.#worker.postMessage(message, transferred);
	}

	#hear(answer: LoaderAnswer): void {
		if ("read" in answer) {
			this.#sent -= answer.read;
		} else if ("index" in answer) {
			this.#index = answer.index;
			this.extent = answer.extent;
		} else if ("failure" in answer) {
			this.#failure = errorOf(answer.failure);
		} else {
			this.extent = answer.extent;
			this.#settle(answer.changed);
		}
		this.#wake();
	}

	#settle(changed: readonly (boolean | Failure)[]): void {
		// The answer is for all that were sent.
		const settled = this.#asked.splice(0, this.#underway);
		this.#underway = 0;
		for (const [i, { resolve, reject }] of settled.entries()) {
			const result = changed[i] ?? false;
			if (typeof result === "boolean") resolve(result);
			else reject(errorOf(result));
		}
		this.#worker.unref();
		this.#sendChanges();
	}

	#next(): Promise<void> {
		return new Promise((resolve) => {
			this.#waiting.push(resolve);
		});
	}

	#wake(): void {
		for (const resolve of this.#waiting.splice(0)) resolve();
	}

	// The first failure stays: what follows is a consequence.
	#fail(error: unknown): void {
		this.#failure ??= error;
		for (const { reject } of this.#asked.splice(0)) reject(this.#failure);
		this.#wake();
	}
}

function errorOf({ code, message }: Failure): RobotrieError {
	return new RobotrieError(code, message);
}

/** An index that a pool judges by, and the calls that it is judging. */
interface Generation extends NumberedIndex {
	readonly changer: Changer;
	readonly calls: Set<Promise<unknown>>;
}

/**
 * The indexes that a pool judges by: the current one, and those before it whose calls have not
 * ended. A call keeps the index it began with, also while another one takes its place.
 */
export class Generations {
	readonly #threads: PoolWorkers;
	#current: Generation;
	#earlier: readonly Generation[] = [];
	#replacing: Promise<unknown> = Promise.resolve();
	/** Aborted when the pool is closed. */
	readonly #closing = new AbortController();

	constructor(index: LoadedIndex, threads: PoolWorkers) {
		this.#threads = threads;
		this.#current = generationOf(0, index);
	}

	/** What the current one has. */
	get extent(): Extent {
		return this.#current.changer.extent;
	}

	/** @throws {RobotrieError} disposed. */
	checkOpen(): void {
		if (this.#closing.signal.aborted) throw closedError();
	}

	/**
	 * What a call gives that is judged by the current index as a whole. Calls are counted as
	 * promises, so that an index is freed when its last one has settled.
	 */
	call<Result>(
		judge: (generation: Generation) => Promise<Result>,
	): Promise<Result> {
		const generation = this.#current;
		const promise = judge(generation);
		generation.calls.add(promise);
		const forget = () => generation.calls.delete(promise);
		promise.then(forget, forget);
		return promise;
	}

	/** Makes a change, after a `replace` that is under way. @throws {RobotrieError} disposed, limit-exceeded. */
	async change(change: Change): Promise<boolean> {
		// Before and after waiting: the pool may be closed meanwhile.
		this.checkOpen();
		await this.#replacing;
		this.checkOpen();
		return this.#current.changer.change(change);
	}

	/** Has later calls judged by an index that is to be loaded, until the pool is closed, unless `check` throws. @throws {RobotrieError} disposed. */
	async replace(
		load: (signal: AbortSignal) => Promise<LoadedIndex>,
		check: (index: LoadedIndex) => void,
	): Promise<void> {
		this.checkOpen();
		// One after another: the last call's index is the one that stays.
		const replaced = this.#replacing.then(() => this.#replaceNow(load, check));
		this.#replacing = replaced.catch(() => {});
		await replaced;
	}

	async #replaceNow(
		load: (signal: AbortSignal) => Promise<LoadedIndex>,
		check: (index: LoadedIndex) => void,
	): Promise<void> {
		this.checkOpen();
		const index = await load(this.#closing.signal);
		try {
			check(index);
			this.checkOpen();
		} catch (error) {
			await index.changer.end();
			throw error;
		}
		// From here on new calls use the new index; the old one lives until its calls have ended.
		const previous = this.#current;
		this.#earlier = [...this.#earlier, previous];
		this.#current = generationOf(previous.number + 1, index);
		this.#threads.introduce(this.#current);
		// Not awaited: `replace` is done when the new index is in force.
		Promise.allSettled(previous.calls).then(async () => {
			this.#earlier = this.#earlier.filter((one) => one !== previous);
			const { number } = this.#earlier[0] ?? this.#current;
			this.#threads.forgetBefore(number);
			// Idle workers would keep the old index's memory until they judge again.
			if (!this.#closing.signal.aborted) this.#threads.introduce(this.#current);
			await previous.changer.end();
		});
	}

	/**
	 * Waits for calls, and ends the threads that make changes. Closed first, so that no new call
	 * begins while it waits. An index that is being loaded is not waited for, as its source may be a stalled download.
	 */
	async close(): Promise<void> {
		this.#closing.abort(closedError());
		await this.#replacing;
		const generations = [...this.#earlier, this.#current];
		await Promise.allSettled(generations.flatMap(({ calls }) => [...calls]));
		await Promise.all(generations.map(({ changer }) => changer.end()));
	}
}

function closedError(): RobotrieError {
	return new RobotrieError("disposed", "the pool was closed");
}

function generationOf(
	number: number,
	{ shared, changer }: LoadedIndex,
): Generation {
	return { number, table: new OwnTable(shared), changer, calls: new Set() };
}
