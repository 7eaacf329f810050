import { VERDICT_INVALID } from "../../../assembly/format/program.ts";
import { NO_SHARD, shardsOfLines } from "./line-shards.ts";

const LF = 10;

/** Lines put together by their shards, each group in their order, and verdicts in the order of all lines. */
export class SortedLines {
	/** INVALID for lines that are no URLs. */
	readonly verdicts: Uint8Array;
	readonly #sorted: Uint8Array;
	/** Where the lines of each shard begin in `#sorted`, and the last ones end. */
	readonly #from: Float64Array;
	/** Numbers of lines, shard by shard, and where those of each shard begin. */
	readonly #numbers: Uint32Array;
	readonly #first: Uint32Array;

	/** @param lines Whole lines; the last one may lack its end. */
	constructor(lines: Uint8Array, count: number) {
		const { ends, shards } = shardsOfLines(lines, count);
		this.verdicts = new Uint8Array(ends.length).fill(VERDICT_INVALID);
		const from = new Float64Array(count + 1);
		const first = new Uint32Array(count + 1);
		let start = 0;
		for (let line = 0; line < ends.length; line++) {
			const end = ends[line] as number;
			const shard = shards[line] as number;
			if (shard !== NO_SHARD) {
				from[shard + 1] = (from[shard + 1] as number) + end - start;
				first[shard + 1] = (first[shard + 1] as number) + 1;
			}
			start = end;
		}
		// The last line of all gets an end if it has none.
		if (lines.length > 0 && lines[lines.length - 1] !== LF) {
			const last = shards[shards.length - 1] as number;
			if (last !== NO_SHARD) from[last + 1] = (from[last + 1] as number) + 1;
		}
		for (let shard = 1; shard <= count; shard++) {
			from[shard] = (from[shard] as number) + (from[shard - 1] as number);
			first[shard] = (first[shard] as number) + (first[shard - 1] as number);
		}
		this.#from = from;
		this.#first = first;
		this.#sorted = new Uint8Array(from[count] as number);
		this.#numbers = new Uint32Array(first[count] as number);
		this.#fill(lines, ends, shards);
	}

	#fill(lines: Uint8Array, ends: Uint32Array, shards: Uint16Array): void {
		const to = this.#from.slice();
		const next = this.#first.slice();
		const sorted = this.#sorted;
		let at = 0;
		for (let line = 0; line < ends.length; line++) {
			const end = ends[line] as number;
			const shard = shards[line] as number;
			if (shard === NO_SHARD) {
				at = end;
				continue;
			}
			let size = to[shard] as number;
			while (at < end) sorted[size++] = lines[at++] as number;
			if (sorted[size - 1] !== LF) sorted[size++] = LF;
			to[shard] = size;
			const place = next[shard] as number;
			this.#numbers[place] = line;
			next[shard] = place + 1;
		}
	}

	/** Shards that have lines. */
	needed(): number[] {
		return [...this.#first.keys()].filter(
			(shard) => (this.#first[shard] as number) < (this.#first[shard + 1] ?? 0),
		);
	}

	linesOf(shard: number): Uint8Array {
		return this.#sorted.subarray(this.#from[shard], this.#from[shard + 1]);
	}

	/** Verdicts for the lines of a shard. */
	setVerdicts(shard: number, verdicts: Uint8Array): void {
		let place = this.#first[shard] as number;
		for (const verdict of verdicts)
			this.verdicts[this.#numbers[place++] as number] = verdict;
	}
}
