import { VERDICT_INVALID } from "../../assembly/format/program.ts";
import { Column, type ColumnOffsets } from "../common/column.ts";
import { NO_SHARD, shardOfLine } from "./line-shards.ts";

/** Rows of a column put together by their shards, each group in their order, and verdicts in the order of all rows. */
export class SortedColumn {
	/** INVALID for rows that are no URLs. */
	readonly verdicts: Uint8Array;
	/** The rows of all shards, one after the other. */
	readonly bytes: Uint8Array;
	readonly #offsets: Float64Array;
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
		this.#rows = rowsByShard(shards, first);
		this.#offsets = new Float64Array(this.#rows.length + 1);
		this.bytes = new Uint8Array(column.offset(length) - column.offset(0));
		let at = 0;
		for (let place = 0; place < this.#rows.length; place++) {
			const row = this.#rows[place] as number;
			const to = column.offset(row + 1);
			for (let from = column.offset(row); from < to; from++)
				this.bytes[at++] = bytes[from] as number;
			this.#offsets[place + 1] = at;
		}
	}

	/** Shards that have rows. */
	needed(): number[] {
		return [...this.#first.keys()].filter(
			(shard) => (this.#first[shard] as number) < (this.#first[shard + 1] ?? 0),
		);
	}

	/** Where the rows of a shard are in `bytes`. */
	offsetsOf(shard: number): ColumnOffsets {
		const [from, to] = [this.#first[shard], this.#first[shard + 1]];
		const offsets = this.#offsets.subarray(from, (to as number) + 1);
		return this.bytes.length < 2 ** 31
			? Int32Array.from(offsets)
			: BigInt64Array.from(offsets, BigInt);
	}

	/** Verdicts for the rows of a shard. */
	setVerdicts(shard: number, verdicts: Uint8Array): void {
		let place = this.#first[shard] as number;
		for (const verdict of verdicts)
			this.verdicts[this.#rows[place++] as number] = verdict;
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
