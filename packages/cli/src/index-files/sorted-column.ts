import type { ColumnOffsets } from "robotrie";
import { Column, VERDICT_INVALID } from "robotrie/internal";
import { NO_SHARD, shardOfLine } from "./line-shards.ts";

/** Rows of a column put together by their shards, each group in their order, and verdicts in the order of all rows. */
export class SortedColumn {
	/** INVALID for rows that are no URLs. */
	readonly verdicts: Uint8Array;
	/** The rows of all shards, one after the other: fewer than 2³¹ bytes, as a frame has no more. */
	readonly bytes: Uint8Array;
	readonly #offsets: Int32Array;
	/** Numbers of rows, shard by shard, and where those of each shard begin. */
	readonly #rows: Uint32Array;
	readonly #first: Uint32Array;

	/** @throws {RobotrieError} invalid-argument, for offsets that fall or lie outside `bytes`. */
	constructor(offsets: ColumnOffsets, bytes: Uint8Array, count: number) {
		const column = new Column("matchColumn", offsets, bytes);
		column.checkOffsets();
		const { length } = column;
		this.verdicts = new Uint8Array(length).fill(VERDICT_INVALID);
		const shards = new Uint16Array(length);
		const first = new Uint32Array(count + 1);
		for (let row = 0; row < length; row++) {
			const from = column.offset(row);
			const to = column.offset(row + 1);
			const shard = shardOfLine(bytes, from, to, count);
			shards[row] = shard;
			if (shard !== NO_SHARD) first[shard + 1] = (first[shard + 1] ?? 0) + 1;
		}
		for (let shard = 1; shard <= count; shard++)
			first[shard] = (first[shard] ?? 0) + (first[shard - 1] ?? 0);
		this.#first = first;
		const rows = rowsByShard(shards, first);
		const ends = new Int32Array(rows.length + 1);
		const sorted = new Uint8Array(column.offset(length) - column.offset(0));
		let at = 0;
		for (let place = 0; place < rows.length; place++) {
			const row = rows[place] as number;
			const to = column.offset(row + 1);
			for (let from = column.offset(row); from < to; from++)
				sorted[at++] = bytes[from] as number;
			ends[place + 1] = at;
		}
		this.#rows = rows;
		this.#offsets = ends;
		this.bytes = sorted;
	}

	/** Shards that have rows. */
	needed(): number[] {
		return [...this.#first.keys()].filter(
			(shard) => (this.#first[shard] as number) < (this.#first[shard + 1] ?? 0),
		);
	}

	/** Where the rows of a shard are in `bytes`. */
	offsetsOf(shard: number): Int32Array {
		const to = this.#first[shard + 1] as number;
		return this.#offsets.subarray(this.#first[shard], to + 1);
	}

	/** Verdicts for the rows of a shard. */
	setVerdicts(shard: number, verdicts: Uint8Array): void {
		const from = this.#first[shard] as number;
		const rows = this.#rows;
		const all = this.verdicts;
		for (let i = 0; i < verdicts.length; i++)
			all[rows[from + i] as number] = verdicts[i] as number;
	}
}

/** Numbers of rows that have a shard; those of each shard begin at `first`. */
function rowsByShard(shards: Uint16Array, first: Uint32Array): Uint32Array {
	const next = first.slice();
	const rows = new Uint32Array(first.at(-1) as number);
	for (let row = 0; row < shards.length; row++) {
		const shard = shards[row] as number;
		if (shard === NO_SHARD) continue;
		const place = next[shard] as number;
		rows[place] = row;
		next[shard] = place + 1;
	}
	return rows;
}
