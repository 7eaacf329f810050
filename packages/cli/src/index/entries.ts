import { MAX_U24, viewOf } from "robotrie/internal";

/**
 * Compiled sites as bytes, one entry behind the other:
 *
 *     0  u32  bytes of the origin
 *     4  u32  bytes of the programs, or MOVED
 *     8  origin, as the URL standard writes it
 *        for each agent a compact program; none if the origin is moved
 */
const HEADER = 8;
/** The answer is a redirect. */
const MOVED = 0xffff_ffff;

/** An entry. Views of its bytes. */
export interface Entry {
	readonly origin: string;
	/** The programs of all agents; undefined if the origin is moved. */
	readonly programs: Uint8Array | undefined;
}

/** Entries, those of a shard together and in their order. Plain data, to be sent to another thread. */
export interface ShardedEntries {
	readonly bytes: Uint8Array<ArrayBuffer>;
	/** Where the entries of each shard end. */
	readonly ends: Float64Array;
	readonly count: number;
}

/** Puts entries together by their shards. */
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

	/** Adds an entry; without programs, the origin is moved. */
	add(shard: number, origin: string, programs: Uint8Array | undefined): void {
		const most = this.#size + HEADER + origin.length * 3;
		this.#reserve(most + (programs?.length ?? 0));
		const bytes = this.#bytes;
		const length = bytes.write(origin, this.#size + HEADER);
		bytes.writeUInt32LE(length, this.#size);
		bytes.writeUInt32LE(programs?.length ?? MOVED, this.#size + 4);
		this.#size += HEADER + length;
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

	/** All entries since the last call. */
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
export function bytesOfShard(
	{ bytes, ends }: ShardedEntries,
	shard: number,
): Uint8Array<ArrayBuffer> {
	return bytes.subarray(shard === 0 ? 0 : ends[shard - 1], ends[shard]);
}

/** Reads entries. */
export function* entriesIn(bytes: Uint8Array): Generator<Entry> {
	const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
	for (let at = 0; at < bytes.length; ) {
		const start = at + HEADER;
		const length = text.readUInt32LE(at);
		const size = text.readUInt32LE(at + 4);
		const isMoved = size === MOVED;
		const from = start + length;
		at = isMoved ? from : from + size;
		yield {
			origin: text.toString("utf8", start, from),
			programs: isMoved ? undefined : bytes.subarray(from, at),
		};
	}
}

/** Programs that lie one behind the other: each begins with its length, u24 (assembly/format/compact.ts). */
export function* programsIn(bytes: Uint8Array): Generator<Uint8Array> {
	const view = viewOf(bytes);
	for (let at = 0; at < bytes.length; ) {
		const to = at + (view.getUint32(at, true) & MAX_U24);
		yield bytes.subarray(at, to);
		at = to;
	}
}
