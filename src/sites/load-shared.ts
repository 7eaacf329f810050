import { Worker } from "node:worker_threads";
import { check } from "../common/arguments.ts";
import { RobotrieError, type RobotrieErrorCode } from "../common/errors.ts";
import { bytesKind } from "../common/kinds.ts";
import { decodeIndex } from "./index-snapshot.ts";
import {
	newSharedMemory,
	type SharedIndex,
	SharedLoader,
	type SharedMemory,
} from "./shared-index.ts";

/** What a loader (pool-loader.ts) is started with. */
export interface LoaderData {
	readonly shared: SharedMemory;
	readonly workers: number;
}

/** What it answers: after each chunk its bytes, at the end the index, or what is wrong. */
export type LoaderAnswer =
	| { readonly read: number }
	| { readonly index: SharedIndex }
	| { readonly code: RobotrieErrorCode; readonly message: string };

/** Bytes that are sent at once, and bytes that may be on their way to a loader. */
const PART = 512 * 1024;
const MOST_SENT = 4 * PART;

/** Loads a snapshot here and now. @throws {RobotrieError} invalid-byte-code, limit-exceeded, unsupported. */
export function loadHere(snapshot: Uint8Array, workers: number): SharedIndex {
	const loader = new SharedLoader(newSharedMemory());
	decodeIndex(snapshot, loader.open);
	return loader.finish(workers);
}

/**
 * Loads a snapshot in a thread of its own. Chunks are copied.
 * @throws {RobotrieError} invalid-byte-code, limit-exceeded, unsupported; invalid-argument, when a chunk is no bytes.
 */
export async function loadInThread(
	chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
	workers: number,
): Promise<SharedIndex> {
	const data: LoaderData = { shared: newSharedMemory(), workers };
	const thread = new Loader(data);
	try {
		for await (const chunk of chunks) {
			check("a chunk", chunk, bytesKind);
			for (let from = 0; from < chunk.length; from += PART)
				await thread.send(chunk.subarray(from, from + PART));
		}
		return await thread.finish();
	} finally {
		await thread.end();
	}
}

class Loader {
	readonly #worker: Worker;
	/** Bytes that the thread has not read yet. */
	#sent = 0;
	/** Told of the next answer. */
	#heard = () => {};
	#index: SharedIndex | undefined;
	#failure: unknown;

	constructor(workerData: LoaderData) {
		this.#worker = new Worker(new URL("./pool-loader.js", import.meta.url), {
			workerData,
			// As for the pool's workers.
			execArgv: [],
		});
		this.#worker.on("message", (answer: LoaderAnswer) => {
			if ("read" in answer) this.#sent -= answer.read;
			else if ("index" in answer) this.#index = answer.index;
			else this.#failure = new RobotrieError(answer.code, answer.message);
			this.#heard();
		});
		this.#worker.on("error", (error) => this.#fail(error));
		this.#worker.on("exit", (code) =>
			this.#fail(new Error(`the thread that loads ended with code ${code}`)),
		);
	}

	/** Sends a chunk, once there are not too many on their way. */
	async send(chunk: Uint8Array): Promise<void> {
		while (this.#sent > MOST_SENT && !this.#failure) await this.#next();
		if (this.#failure) throw this.#failure;
		const copy = new Uint8Array(chunk);
		this.#sent += copy.length;
		this.#worker.postMessage(copy, [copy.buffer]);
	}

	async finish(): Promise<SharedIndex> {
		this.#worker.postMessage(null);
		while (!this.#index && !this.#failure) await this.#next();
		if (!this.#index) throw this.#failure;
		return this.#index;
	}

	async end(): Promise<void> {
		await this.#worker.terminate();
	}

	#next(): Promise<void> {
		return new Promise((resolve) => {
			this.#heard = resolve;
		});
	}

	#fail(error: unknown): void {
		this.#failure ??= error;
		this.#heard();
	}
}
