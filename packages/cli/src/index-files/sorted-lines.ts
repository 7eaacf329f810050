import { VERDICT_INVALID } from "robotrie/internal";
import { LineShards, NO_SHARD } from "./line-shards.ts";

const LF = 10;
/** Bytes written beyond a line at most, to be overwritten by the next one of its shard. */
const SLACK = 3;

/** Lines put together by their shards, each group in their order, and verdicts in the order of all lines. */
export class SortedLines {
	/** For the lines that were sorted last: INVALID for those that are no URLs. */
	verdicts: Uint8Array = new Uint8Array();
	readonly #lineShards: LineShards;
	#sorted: Uint8Array = new Uint8Array();
	/** Where the lines of each shard begin and end in `#sorted`. */
	readonly #starts: Float64Array;
	readonly #ends: Float64Array;
	/** Numbers of lines, shard by shard, and where those of each shard begin. */
	#numbers: Uint32Array = new Uint32Array();
	readonly #first: Uint32Array;

	/** @param count The number of shards. */
	constructor(count: number) {
		this.#lineShards = new LineShards(count);
		this.#starts = new Float64Array(count);
		this.#ends = new Float64Array(count);
		this.#first = new Uint32Array(count + 1);
	}

	/** Sorts whole lines, of which the last one may lack its end. Until then what `linesOf` gave holds. */
	sort(lines: Uint8Array): void {
		const found = this.#lineShards;
		found.find(lines);
		const { number, ends, shards } = found;
		// A new one: callers keep it.
		this.verdicts = new Uint8Array(number).fill(VERDICT_INVALID);
		const sizes = this.#ends.fill(0);
		const first = this.#first.fill(0);
		let start = 0;
		for (let line = 0; line < number; line++) {
			const end = ends[line] as number;
			const shard = shards[line] as number;
			if (shard !== NO_SHARD) {
				sizes[shard] = (sizes[shard] as number) + end - start;
				first[shard + 1] = (first[shard + 1] as number) + 1;
			}
			start = end;
		}
		let size = 0;
		for (let shard = 0; shard < sizes.length; shard++) {
			this.#starts[shard] = size;
			// The last line of all gets an end if it has none.
			size += (sizes[shard] as number) + 1 + SLACK;
			first[shard + 1] =
				(first[shard + 1] as number) + (first[shard] as number);
		}
		if (this.#sorted.length < size) this.#sorted = new Uint8Array(size);
		if (this.#numbers.length < number) this.#numbers = new Uint32Array(number);
		this.#fill(lines);
	}

	#fill(lines: Uint8Array): void {
		const { number, ends, shards } = this.#lineShards;
		const input = new DataView(lines.buffer, lines.byteOffset, lines.length);
		const sorted = this.#sorted;
		const output = new DataView(sorted.buffer);
		const numbers = this.#numbers;
		const next = this.#first.slice();
		const to = this.#ends;
		to.set(this.#starts);
		/** Up to here four bytes can be read. */
		const last = lines.length - SLACK;
		let at = 0;
		for (let line = 0; line < number; line++) {
			const end = ends[line] as number;
			const shard = shards[line] as number;
			if (shard !== NO_SHARD) {
				const shift = (to[shard] as number) - at;
				for (const most = Math.min(end, last); at < most; at += 4)
					output.setInt32(at + shift, input.getInt32(at, true), true);
				for (; at < end; at++) sorted[at + shift] = lines[at] as number;
				to[shard] = end + shift;
				const place = next[shard] as number;
				numbers[place] = line;
				next[shard] = place + 1;
			}
			at = end;
		}
		const shard = shards[number - 1] ?? NO_SHARD;
		if (number > 0 && shard !== NO_SHARD && lines[lines.length - 1] !== LF) {
			const end = to[shard] as number;
			sorted[end] = LF;
			to[shard] = end + 1;
		}
	}

	/** Shards that have lines. */
	needed(): number[] {
		return [...this.#starts.keys()].filter(
			(shard) => (this.#first[shard] as number) < (this.#first[shard + 1] ?? 0),
		);
	}

	linesOf(shard: number): Uint8Array {
		return this.#sorted.subarray(this.#starts[shard], this.#ends[shard]);
	}

	/** Verdicts for the lines of a shard. */
	setVerdicts(shard: number, verdicts: Uint8Array): void {
		const from = this.#first[shard] as number;
		const numbers = this.#numbers;
		const all = this.verdicts;
		for (let i = 0; i < verdicts.length; i++)
			all[numbers[from + i] as number] = verdicts[i] as number;
	}
}
