/**
 * Compiled sites as bytes, and where they wait for their shard: in memory up to a limit, then in a temporary file without a name. build.ts
 * reads and writes them. Entries of a shard keep the order of the input, as the later one of an origin counts.
 */
import { readSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { concatenate } from "#robotrie/common/chunks";
import { draftName, removeLeftDrafts } from "../files/draft.ts";
import { failureOf, SitesError } from "../files/errors.ts";

/**
 * Compiled sites as bytes, entry after entry:
 *
 *     0  u32  bytes of the origin
 *     4  u32  bytes of the programs, or MOVED
 *     8  u32  bytes of the facts
 *    12  origin, as the URL standard writes it
 *        facts, a line of facts.ts; none where they are not kept
 *        for each agent a compact program; none if the origin is moved.
 * This layout never leaves the run: entries are read by the run that wrote them.
 */
const HEADER = 12;
/**
 * The answer is a redirect. 0xffffffff, as no entry has programs of four gigabytes.
 */
const MOVED = 0xffff_ffff;

/** An entry. Views of its bytes. */
interface Entry {
	readonly origin: string;
	/** The programs of all agents; undefined if the origin is moved. */
	readonly programs: Uint8Array | undefined;
	/** Text of a line of facts; empty where they are not kept, or have not changed. */
	readonly facts: Uint8Array;
}

/**
 * Entries, those of a shard together and in their order. Plain data, to be sent to another thread.
 * Sorted by shard with the ends of each, so that a shard's entries are one view.
 */
export interface ShardedEntries {
	readonly bytes: Uint8Array<ArrayBuffer>;
	/** Where the entries of each shard end. */
	readonly ends: Float64Array;
	readonly count: number;
}

/**
 * Puts entries together by their shards. Bytes grow by doubling; the places of entries are numbers
 * in a list, two per entry.
 */
export class EntryWriter {
	readonly #shards: number;
	#bytes = Buffer.allocUnsafeSlow(1024 * 1024);
	#size = 0;
	/** Of each entry its shard and its end. */
	#places: number[] = [];

	constructor(shards: number) {
		this.#shards = shards;
	}

	/** Bytes of all entries. */
	get size(): number {
		return this.#size;
	}

	/**
	 * Adds an entry; without programs, the origin is moved. Room is reserved for the longest encoding
	 * of a text: three bytes for each character.
	 */
	add(
		shard: number,
		origin: string,
		programs: Uint8Array | undefined,
		facts = "",
	): void {
		const most = this.#size + HEADER + (origin.length + facts.length) * 3;
		this.#reserve(most + (programs?.length ?? 0));
		const bytes = this.#bytes;
		const length = bytes.write(origin, this.#size + HEADER);
		const more = bytes.write(facts, this.#size + HEADER + length);
		bytes.writeUInt32LE(length, this.#size);
		bytes.writeUInt32LE(programs?.length ?? MOVED, this.#size + 4);
		bytes.writeUInt32LE(more, this.#size + 8);
		this.#size += HEADER + length + more;
		if (programs) {
			bytes.set(programs, this.#size);
			this.#size += programs.length;
		}
		this.#places.push(shard, this.#size);
	}

	#reserve(size: number): void {
		if (size <= this.#bytes.length) return;
		const larger = Buffer.allocUnsafeSlow(
			Math.max(size, this.#bytes.length * 2),
		);
		this.#bytes.copy(larger, 0, 0, this.#size);
		this.#bytes = larger;
	}

	/**
	 * All entries since the last call. Sorted by shard here, in one pass over the entries after all
	 * are there.
	 */
	take(): ShardedEntries {
		const places = this.#places;
		const next = new Float64Array(this.#shards + 1);
		let from = 0;
		for (let i = 0; i < places.length; i += 2) {
			const shard = places[i] as number;
			const to = places[i + 1] as number;
			next[shard + 1] = (next[shard + 1] as number) + to - from;
			from = to;
		}
		// The usual counting sort: sizes, then running sums, then each entry to its place.
		for (let shard = 1; shard <= this.#shards; shard++)
			next[shard] = (next[shard] as number) + (next[shard - 1] as number);
		const bytes = new Uint8Array(this.#size);
		from = 0;
		for (let i = 0; i < places.length; i += 2) {
			const shard = places[i] as number;
			const to = places[i + 1] as number;
			const at = next[shard] as number;
			bytes.set(this.#bytes.subarray(from, to), at);
			next[shard] = at + to - from;
			from = to;
		}
		this.#size = 0;
		this.#places = [];
		const ends = next.subarray(0, this.#shards);
		return { bytes, ends: ends.slice(), count: places.length / 2 };
	}
}

/** The entries of one shard. */
function bytesOfShard(
	{ bytes, ends }: ShardedEntries,
	shard: number,
): Uint8Array<ArrayBuffer> {
	return bytes.subarray(shard === 0 ? 0 : ends[shard - 1], ends[shard]);
}

/**
 * Reads entries. Views, not copies: a shard's entries are used while the bytes are there.
 */
export function* entriesIn(bytes: Uint8Array): Generator<Entry> {
	const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
	for (let at = 0; at < bytes.length; ) {
		const start = at + HEADER;
		const length = text.readUInt32LE(at);
		const size = text.readUInt32LE(at + 4);
		const isMoved = size === MOVED;
		const facts = start + length;
		const from = facts + text.readUInt32LE(at + 8);
		at = isMoved ? from : from + size;
		yield {
			origin: text.toString("utf8", start, facts),
			facts: bytes.subarray(facts, from),
			programs: isMoved ? undefined : bytes.subarray(from, at),
		};
	}
}

/** Entries without those of some origins, the others in their order. */
export function withoutOrigins(
	{ bytes, ends }: ShardedEntries,
	origins: ReadonlySet<string>,
): ShardedEntries {
	const writer = new EntryWriter(ends.length);
	for (const [shard, end] of ends.entries()) {
		const from = shard === 0 ? 0 : ends[shard - 1];
		for (const { origin, programs, facts } of entriesIn(
			bytes.subarray(from, end),
		))
			if (!origins.has(origin))
				writer.add(shard, origin, programs, Buffer.from(facts).toString());
	}
	return writer.take();
}

/**
 * Concatenated programs: each begins with its length, u24 (assembly/format/compact.ts). Each
 * program says its own length, so an entry needs no list of them.
 */
export function* programsIn(bytes: Uint8Array): Generator<Uint8Array> {
	const lengths = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
	for (let at = 0; at < bytes.length; ) {
		const to = at + lengths.readUIntLE(at, 3);
		yield bytes.subarray(at, to);
		at = to;
	}
}

/** Bytes of the temporary file, which is open. Its number is valid in all threads. */
interface Extent {
	readonly path: string;
	readonly file: number;
	readonly at: number;
	readonly length: number;
}

/**
 * Entries of a shard: whole ones, in memory or in the temporary file. In memory as long as they
 * fit; what is spilled keeps its order by its place.
 */
export type StoredEntries = Uint8Array<ArrayBuffer> | Extent;

/** Entries in memory. @throws {SitesError} When the file cannot be read. */
export function readEntries(stored: StoredEntries): Uint8Array {
	if (stored instanceof Uint8Array) return stored;
	const { path, file, at, length } = stored;
	const bytes = new Uint8Array(length);
	try {
		// A read may be shorter than asked for, even from a file.
		for (let done = 0; done < length; ) {
			const read = readSync(file, bytes, done, length - done, at + done);
			if (read === 0)
				throw new SitesError(
					"malformed",
					`the temporary file ${path} was cut off`,
				);
			done += read;
		}
	} catch (error) {
		throw failureOf(`read the temporary file ${path}`, error);
	}
	return bytes;
}

/**
 * Entries by shard, in the order in which they came. What is too much for memory lies in a
 * temporary file. Spilled entries of a shard are one piece of the file after another, in the order
 * in which they came; what is in memory comes last.
 */
export class ShardLog {
	readonly #shards: number;
	/** Bytes that are kept in memory. */
	readonly #most: number;
	/** Where the file is made. */
	readonly #folder: () => Promise<string>;
	#held: ShardedEntries[] = [];
	#heldSize = 0;
	#file: TemporaryFile | undefined;
	/** For each shard what lies in the file. */
	readonly #extents: Extent[][];

	constructor(shards: number, most: number, folder: () => Promise<string>) {
		this.#shards = shards;
		this.#most = most;
		this.#folder = folder;
		this.#extents = Array.from({ length: shards }, () => []);
	}

	/** @throws {SitesError} When the file cannot be written. */
	async add(entries: ShardedEntries): Promise<void> {
		this.#held.push(entries);
		this.#heldSize += entries.bytes.length;
		// Checked when something was added, so that the memory of a run stays near its limit.
		if (this.#heldSize > this.#most) await this.#spill();
	}

	async #spill(): Promise<void> {
		this.#file ??= await TemporaryFile.in(await this.#folder());
		// Shard by shard, so that reading one back is one piece of the file.
		for (let shard = 0; shard < this.#shards; shard++) {
			const held = this.#held.map((entries) => bytesOfShard(entries, shard));
			const bytes = concatenate(held);
			if (bytes.length === 0) continue;
			this.#extents[shard]?.push(await this.#file.append(bytes));
		}
		this.#held = [];
		this.#heldSize = 0;
	}

	/** The entries of a shard, in their order. */
	entriesOf(shard: number): readonly StoredEntries[] {
		const held = this.#held.map((entries) => bytesOfShard(entries, shard));
		return [...(this.#extents[shard] ?? []), ...held];
	}

	/** The programs of some origins of a shard; of those that it does not have, none. @throws {SitesError} When the file cannot be read. */
	programsOf(
		shard: number,
		origins: ReadonlySet<string>,
	): ReadonlyMap<string, Uint8Array> {
		const found = new Map<string, Uint8Array>();
		for (const stored of this.entriesOf(shard))
			for (const { origin, programs } of entriesIn(readEntries(stored)))
				if (programs && origins.has(origin))
					found.set(origin, programs.slice());
		return found;
	}

	/** Removes the file. */
	async end(): Promise<void> {
		this.#held = [];
		await this.#file?.remove();
	}
}

/**
 * A file without a name, which is gone when the process ends, however it does. The name is gone at
 * once where the system allows it, so that a killed run leaves no file.
 */
class TemporaryFile {
	readonly #path: string;
	readonly #handle: FileHandle;
	#size = 0;

	private constructor(path: string, handle: FileHandle) {
		this.#path = path;
		this.#handle = handle;
	}

	/** @throws {SitesError} */
	static async in(folder: string): Promise<TemporaryFile> {
		// A name that drafts have: the next run removes it, should it stay. The draft's name says which
		// run it belonged to.
		await removeLeftDrafts(folder);
		const path = join(folder, draftName());
		try {
			const handle = await open(path, "wx+", 0o600);
			const file = new TemporaryFile(path, handle);
			// Not every system removes the name of a file that is open.
			await rm(path, { force: true }).catch(() => {});
			return file;
		} catch (error) {
			throw failureOf(`write the temporary file ${path}`, error);
		}
	}

	/** @throws {SitesError} */
	async append(bytes: Uint8Array): Promise<Extent> {
		const at = this.#size;
		const { length } = bytes;
		const path = this.#path;
		try {
			// A write may be shorter than asked for.
			for (let done = 0; done < length; ) {
				const { bytesWritten } = await this.#handle.write(
					bytes,
					done,
					length - done,
					at + done,
				);
				done += bytesWritten;
			}
		} catch (error) {
			throw failureOf(`write the temporary file ${path}`, error);
		}
		this.#size += length;
		return { path, file: this.#handle.fd, at, length };
	}

	async remove(): Promise<void> {
		await this.#handle.close().catch(() => {});
		await rm(this.#path, { force: true }).catch(() => {});
	}
}
