/**
 * MemoryStore, which keeps entries in this process: the client's default, and the one for tests.
 * Entries are compressed, as robots.txt files are repetitive text and a crawl has a million of
 * them; limits are kept by leaving out those used least recently.
 */

import type { Transform } from "node:stream";
import {
	createDeflateRaw,
	createInflateRaw,
	deflateRawSync,
	inflateRawSync,
} from "node:zlib";
import { checkOptions, type OptionTable } from "#robotrie/common/arguments";
import { number } from "#robotrie/common/kinds";
import { RecentMap } from "../common/recent-map.ts";
import { copyInTurns } from "../common/turns.ts";
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
 * Bytes. More are compressed in a thread of Node's: 500 KB that do not compress take 8 ms, 16 MiB a
 * quarter of a second.
 */
const SMALL = 64 * 1024;
const LEVEL = { level: 1 };

interface LargeEntry {
	/** Of its own; a promise while they are copied. */
	readonly bytes: Uint8Array | Promise<Uint8Array>;
	/** Until it is compressed it counts as of no size. */
	readonly packedSize: number | undefined;
}

/** All that a compressor makes of bytes. Its output comes in parts, as joining 16 MiB takes a turn of its own. */
async function through(
	stream: Transform,
	bytes: Uint8Array,
): Promise<Uint8Array> {
	stream.end(bytes);
	const parts: Uint8Array[] = [];
	let size = 0;
	for await (const part of stream) {
		parts.push(part);
		size += part.length;
	}
	return copyInTurns(parts, size);
}

/**
 * A small one is compressed, as Latin-1 text: an array of its own would take some 400 bytes more.
 * Latin-1 has a character for each byte, so a string holds bytes one to one.
 */
type Kept = string | LargeEntry;

/**
 * Keeps entries in this process only, for tests and short runs. With a limit, the entries that were used least recently make room for
 * new ones.
 * @example
 * const client = new RobotsClient({ agent: "ExampleBot", store: new MemoryStore({ maxBytes: 2 ** 28 }) });
 */
export class MemoryStore implements RobotsStore {
	readonly #entries = new RecentMap<Kept>();
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
		return unpacked(this.#entries.use(key));
	}

	/**
	 * Keeps an entry, unless it is larger than `maxBytes`. One of more than 512 KiB must not change before the promise resolves.
	 * @throws {RobotrieError} invalid-argument.
	 */
	async set(key: string, entry: Uint8Array): Promise<void> {
		checkKey(key);
		const bytes = entryArgument(entry);
		if (bytes.length <= SMALL) this.#keep(key, packedText(bytes));
		else await this.#keepLarge(key, copyInTurns([bytes], bytes.length));
	}

	async #keepLarge(key: string, bytes: LargeEntry["bytes"]): Promise<void> {
		// It is there at once, for who reads it meanwhile.
		const large = { bytes, packedSize: undefined };
		this.#keep(key, large);
		const packed = await through(createDeflateRaw(LEVEL), await bytes);
		// It may have been replaced or dropped while it was being compressed.
		if (this.#entries.get(key) === large)
			this.#keep(key, { bytes: packed, packedSize: packed.length });
	}

	#keep(key: string, entry: Kept): void {
		this.#drop(key);
		// Larger than all of the room: it would drop everything else and then itself.
		if (sizeOf(entry) > this.#maxBytes) return;
		this.#entries.set(key, entry);
		this.#bytes += sizeOf(entry);
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
		const given = replaceArguments(key, expected, entry);
		// What the caller does with them afterwards does not matter, as with `set`.
		const own = (bytes: Uint8Array) => copyInTurns([bytes], bytes.length);
		const copies = [given.before && own(given.before), own(given.after)];
		const [before, after = given.after] = await Promise.all(copies);
		// Unpacking may wait for a thread, and the entry may change meanwhile: then it is compared
		// anew.
		for (;;) {
			const kept = this.#entries.get(key);
			const now = await unpacked(kept);
			if (this.#entries.get(key) !== kept) continue;
			if (!isSameEntry(now, before)) return false;
			if (after.length <= SMALL) this.#keep(key, packedText(after));
			else await this.#keepLarge(key, after);
			return true;
		}
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
		const entry = this.#entries.delete(key);
		if (entry !== undefined) this.#bytes -= sizeOf(entry);
	}
}

function packedText(bytes: Uint8Array): string {
	return deflateRawSync(bytes, LEVEL).toString("latin1");
}

/** The bytes of an entry, as one's own. */
async function unpacked(
	entry: Kept | undefined,
): Promise<Uint8Array | undefined> {
	if (entry === undefined) return undefined;
	if (typeof entry === "string")
		return inflateRawSync(Buffer.from(entry, "latin1"));
	const bytes = await entry.bytes;
	return entry.packedSize === undefined
		? copyInTurns([bytes], bytes.length)
		: through(createInflateRaw(), bytes);
}

function sizeOf(entry: Kept): number {
	if (typeof entry === "string") return entry.length + OVERHEAD;
	return (entry.packedSize ?? 0) + OVERHEAD;
}
