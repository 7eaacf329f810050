import { type Engine, engineOf, type Work } from "./engine.ts";
import { segmentHash } from "./floors.ts";
import type { Library } from "./library.ts";

/** A named piece of work that several engines do. */
export interface Case {
	readonly name: string;
	/** Why it is measured. */
	readonly why: string;
	/** Lines, URLs, rules: what the times are divided by. */
	readonly items: number;
	readonly unit: string;
	/** Bytes of input. */
	readonly bytes: number;
	readonly engines: readonly Engine[];
	/** What the case's time per item is compared with, besides the engines in it: another case, and the target if there is one. */
	readonly against?: {
		readonly case: string;
		readonly engine: string;
		readonly atMost?: number;
	};
}

export const AGENT = "googlebot";

/** Items to a chunk: about half a millisecond of the fastest engine. */
export const CHUNK_ITEMS = 12_000;

/** The lower bounds, by the names that reports know: each does what the one before does, and more. */
export const FLOORS = [
	"sum bytes",
	"count line ends",
	"list line ends",
	"list and hash",
] as const;

export const total = <Item>(
	items: readonly Item[],
	of: (item: Item) => number,
) => items.reduce((sum, item) => sum + of(item), 0);

/** Lists of verdicts as one. */
export function joined(lists: readonly Uint8Array[]): Uint8Array {
	const all = new Uint8Array(total(lists, ({ length }) => length));
	let at = 0;
	for (const list of lists) {
		all.set(list, at);
		at += list.length;
	}
	return all;
}

/** Texts as a column: offsets, and their bytes. */
export function columnOf(texts: readonly string[]): [Int32Array, Uint8Array] {
	const encoder = new TextEncoder();
	const parts = texts.map((text) => encoder.encode(text));
	const offsets = new Int32Array(texts.length + 1);
	parts.forEach(({ length }, i) => {
		offsets[i + 1] = (offsets[i] ?? 0) + length;
	});
	return [offsets, joined(parts)];
}

interface LinesJob {
	readonly lines: Uint8Array;
}

/** The lower bounds over the lines of a case, which lie in linear memory already. */
export function floorsOf<Job extends LinesJob>(
	library: Library,
	work: Work<Job>,
): Engine[] {
	const placed = new Map(
		work.jobs.map((job) => [job, new library.PlacedLines(job.lines)]),
	);
	const at = (job: Job) =>
		placed.get(job) as InstanceType<Library["PlacedLines"]>;
	const endsOf = ({ lines }: LinesJob) =>
		[...lines.keys()].filter((i) => lines[i] === 0x0a);
	const hashesOf = (job: LinesJob) => {
		let from = 0;
		return endsOf(job).map((end) => {
			const hash = segmentHash(job.lines.subarray(from, end));
			from = end + 1;
			return hash;
		});
	};
	const [sum, count, list, hash] = FLOORS;
	return [
		engineOf(work, {
			name: sum,
			run: (job) => at(job).sum(),
			found: (bytes) => [bytes],
			right: ({ lines }) => [lines.reduce((all, byte) => all + byte, 0)],
		}),
		engineOf(work, {
			name: count,
			run: (job) => at(job).count(),
			found: (ends) => [ends],
			right: (job) => [endsOf(job).length],
		}),
		engineOf(work, {
			name: list,
			run: (job) => at(job).list(),
			found: (_, job) => at(job).listed(),
			right: endsOf,
		}),
		engineOf(work, {
			name: hash,
			run: (job) => at(job).hash(),
			found: (_, job) => at(job).hashed(),
			right: hashesOf,
		}),
	];
}
