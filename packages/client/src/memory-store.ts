import { deflateRawSync, inflateRawSync } from "node:zlib";
import { checkOptions, number, type OptionTable } from "robotrie/internal";
import { RecentMap } from "./recent-map.ts";
import {
	checkKey,
	entryArgument,
	isSameEntry,
	type RobotsStore,
	replaceArguments,
} from "./store.ts";

/** What a MemoryStore may take. */
export interface MemoryStoreOptions {
	/** Entries, at most. Default: any number. */
	readonly maxEntries?: number;
	/** Bytes of memory for entries, at most. An entry takes its compressed size and 300 bytes. Default: any number. */
	readonly maxBytes?: number;
}

const options: OptionTable<MemoryStoreOptions> = {
	maxEntries: number(0),
	maxBytes: number(0, Number.POSITIVE_INFINITY, "of bytes"),
};

/** Memory of an entry other than its bytes: its key, and its place in the map. */
const OVERHEAD = 300;

/**
 * Keeps entries in this process only, for tests and short runs. With a limit, the entries that were used least recently make room for
 * new ones.
 * @example
 * const client = new RobotsClient({ agent: "ExampleBot", store: new MemoryStore({ maxBytes: 2 ** 28 }) });
 */
export class MemoryStore implements RobotsStore {
	/** Compressed, as Latin-1 text: an array of its own would take some 400 bytes more. */
	readonly #entries = new RecentMap<string>();
	readonly #maxEntries: number;
	readonly #maxBytes: number;
	#bytes = 0;

	/** @throws {RobotrieError} invalid-argument. */
	constructor(limits: MemoryStoreOptions = {}) {
		checkOptions("MemoryStore", limits, options);
		this.#maxEntries = limits.maxEntries ?? Number.POSITIVE_INFINITY;
		this.#maxBytes = limits.maxBytes ?? Number.POSITIVE_INFINITY;
	}

	/** The number of entries. */
	get size(): number {
		return this.#entries.size;
	}

	/** Bytes of memory that entries take, as `maxBytes` counts them. */
	get byteLength(): number {
		return this.#bytes;
	}

	/** The entry of a key, or undefined. @throws {RobotrieError} invalid-argument, if the key is not a string. */
	async get(key: string): Promise<Uint8Array | undefined> {
		checkKey(key);
		const packed = this.#entries.use(key);
		return packed === undefined ? undefined : unpack(packed);
	}

	/** Keeps an entry, unless it is larger than `maxBytes`. @throws {RobotrieError} invalid-argument. */
	async set(key: string, entry: Uint8Array): Promise<void> {
		checkKey(key);
		const bytes = entryArgument(entry);
		this.#drop(key);
		const packed = deflateRawSync(bytes, { level: 1 }).toString("latin1");
		if (sizeOf(packed) > this.#maxBytes) return;
		this.#entries.set(key, packed);
		this.#bytes += sizeOf(packed);
		while (
			this.#entries.size > this.#maxEntries ||
			this.#bytes > this.#maxBytes
		)
			this.#drop(this.#entries.oldest() as string);
	}

	/** Keeps an entry if the key's entry still is `expected`. @throws {RobotrieError} invalid-argument. */
	async replace(
		key: string,
		expected: Uint8Array | undefined,
		entry: Uint8Array,
	): Promise<boolean> {
		const { before, after } = replaceArguments(key, expected, entry);
		const packed = this.#entries.get(key);
		const now = packed === undefined ? undefined : unpack(packed);
		if (!isSameEntry(now, before)) return false;
		await this.set(key, after);
		return true;
	}

	/** Deletes an entry, if there is one. @throws {RobotrieError} invalid-argument, if the key is not a string. */
	async delete(key: string): Promise<void> {
		checkKey(key);
		this.#drop(key);
	}

	/** Deletes all entries. */
	async close(): Promise<void> {
		this.#entries.clear();
		this.#bytes = 0;
	}

	#drop(key: string): void {
		const packed = this.#entries.delete(key);
		if (packed !== undefined) this.#bytes -= sizeOf(packed);
	}
}

function unpack(packed: string): Uint8Array {
	return inflateRawSync(Buffer.from(packed, "latin1"));
}

function sizeOf(packed: string): number {
	return packed.length + OVERHEAD;
}
