/** Verdicts in front of lines, and their counts, for `match` and `crawl-check`. The module writes them (`LineLabels`). */
import { Verdict } from "robotrie";
import { LineLabels } from "robotrie/internal";
import { count } from "#robotrie/common/wording";

/**
 * How the command line calls the verdicts. The order is that of `--only` in the help text, not of
 * the numbers.
 */
export const verdictNames = [
	"allowed",
	"disallowed",
	"unknown",
	"invalid",
	"later",
] as const;
export type VerdictName = (typeof verdictNames)[number];

const verdicts: Readonly<Record<VerdictName, number>> = {
	disallowed: Verdict.Disallowed,
	allowed: Verdict.Allowed,
	unknown: Verdict.Unknown,
	invalid: Verdict.Invalid,
	later: Verdict.Later,
};

/** What goes before a line, by verdict. */
const labels = new LineLabels(
	verdictNames
		.toSorted((one, other) => verdicts[one] - verdicts[other])
		.map((name) => `${name}\t`),
);

/** Puts verdicts in front of lines, and counts them. */
export class VerdictLines {
	/** Verdict of the lines that are kept; all without one. */
	readonly only: VerdictName | undefined;
	/** The same as a number, -1 for all. */
	readonly #only: number;
	/**
	 * Lines seen, by verdict. Float64Array: more than 2 ** 32 lines may be counted.
	 */
	readonly #counts = new Float64Array(verdictNames.length);
	#output = new ArrayBuffer(0);

	constructor(only?: VerdictName) {
		this.only = only;
		this.#only = only === undefined ? -1 : verdicts[only];
	}

	count(name: VerdictName): number {
		return this.#counts[verdicts[name]] ?? 0;
	}

	/** Lines that were counted. */
	get total(): number {
		return this.#counts.reduce((sum, lines) => sum + lines, 0);
	}

	/**
	 * The lines seen since the last call, by verdict. Counts are taken by threads, whose lines the
	 * main thread adds up.
	 */
	takeCounts(): Float64Array {
		const counts = this.#counts.slice();
		this.#counts.fill(0);
		return counts;
	}

	/** Counts lines that another thread has seen. */
	add(counts: Float64Array): void {
		for (const [verdict, lines] of counts.entries())
			this.#counts[verdict] = (this.#counts[verdict] as number) + lines;
	}

	/**
	 * "verdict TAB line" for every line of `lines`, their bytes untouched; a line end is added where
	 * the last has none. The result is in a buffer that has room for it, `into` if that has; without
	 * `into`, the next call overwrites it.
	 */
	label(
		lines: Uint8Array,
		verdictOf: Uint8Array,
		into?: ArrayBuffer,
	): Uint8Array<ArrayBuffer> {
		const room = labels.room(lines.length, verdictOf.length);
		const own = into ?? this.#output;
		const buffer =
			own.byteLength < room ? new ArrayBuffer(room + (room >> 2)) : own;
		if (into === undefined) this.#output = buffer;
		const output = new Uint8Array(buffer);
		const size = labels.label(
			lines,
			verdictOf,
			this.#only,
			output,
			this.#counts,
		);
		return output.subarray(0, size);
	}
}

/** "3 lines". */
export function linesOf(verdictLines: VerdictLines): string {
	return count(verdictLines.total, "line");
}

/** "3 lines: 2 allowed, 1 disallowed". */
export function summaryOf(verdictLines: VerdictLines): string {
	const counts = verdictNames
		.map((name) => ({ name, lines: verdictLines.count(name) }))
		.filter(({ lines }) => lines > 0);
	const parts = counts.map(
		({ name, lines }) => `${lines.toLocaleString("en-US")} ${name}`,
	);
	return [linesOf(verdictLines), parts.join(", ")].filter(Boolean).join(": ");
}
