import { RobotrieError } from "../common/errors.ts";
import type { Changer, LoadedIndex } from "./load-shared.ts";
import type { NumberedIndex, PoolWorkers } from "./pool-workers.ts";
import { type Change, type Extent, OwnTable } from "./shared-index.ts";

/** An index that a pool judges by, and the calls that it is judging. */
export interface Generation extends NumberedIndex {
	readonly changer: Changer;
	readonly calls: Set<Promise<unknown>>;
}

/** The indexes that a pool judges by: the current one, and those before it whose calls have not ended. */
export class Generations {
	readonly #threads: PoolWorkers;
	#current: Generation;
	#earlier: readonly Generation[] = [];
	#replacing: Promise<unknown> = Promise.resolve();
	#closed = false;

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
		if (this.#closed)
			throw new RobotrieError("disposed", "the pool was closed");
	}

	/** What a call gives that is judged by the current index as a whole. */
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
		this.checkOpen();
		await this.#replacing;
		this.checkOpen();
		return this.#current.changer.change(change);
	}

	/** Has later calls judged by an index that is to be loaded, unless `check` throws. @throws {RobotrieError} disposed. */
	async replace(
		load: () => Promise<LoadedIndex>,
		check: (index: LoadedIndex) => void,
	): Promise<void> {
		this.checkOpen();
		// One after another: the last call's index is the one that stays.
		const replaced = this.#replacing.then(() => this.#replaceNow(load, check));
		this.#replacing = replaced.catch(() => {});
		await replaced;
	}

	async #replaceNow(
		load: () => Promise<LoadedIndex>,
		check: (index: LoadedIndex) => void,
	): Promise<void> {
		this.checkOpen();
		const index = await load();
		try {
			check(index);
			this.checkOpen();
		} catch (error) {
			await index.changer.end();
			throw error;
		}
		const previous = this.#current;
		this.#earlier = [...this.#earlier, previous];
		this.#current = generationOf(previous.number + 1, index);
		this.#threads.introduce(this.#current);
		Promise.allSettled(previous.calls).then(async () => {
			this.#earlier = this.#earlier.filter((one) => one !== previous);
			const { number } = this.#earlier[0] ?? this.#current;
			this.#threads.forgetBefore(number);
			if (!this.#closed) this.#threads.introduce(this.#current);
			await previous.changer.end();
		});
	}

	/** Waits for calls, and ends the threads that make changes. */
	async close(): Promise<void> {
		this.#closed = true;
		await this.#replacing;
		const generations = [...this.#earlier, this.#current];
		await Promise.allSettled(generations.flatMap(({ calls }) => [...calls]));
		await Promise.all(generations.map(({ changer }) => changer.end()));
	}
}

function generationOf(
	number: number,
	{ shared, changer }: LoadedIndex,
): Generation {
	return { number, table: new OwnTable(shared), changer, calls: new Set() };
}
