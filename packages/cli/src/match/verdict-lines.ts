/**
 * Verdicts in front of lines, and their counts, for `match` and `crawl-check`. It runs for every line: each is copied once, four bytes at a
 * time, and its label with it.
 */
import { Verdict } from "robotrie";
import { count, lineFeedIn } from "robotrie/internal";

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

const LF = 10;

/**
 * The label before a line, by verdict: its bytes, in three words, and their number. Twelve bytes
 * hold the longest label and its tab.
 */
const labelWords = new Int32Array(3 * verdictNames.length);
const labelLengths = new Int32Array(verdictNames.length);
for (const name of verdictNames) {
	const label = Buffer.alloc(12);
	const verdict = verdicts[name];
	labelLengths[verdict] = label.write(`${name}\t`);
	for (let word = 0; word < 3; word++)
		labelWords[verdict * 3 + word] = label.readInt32LE(word * 4);
}

/**
 * Bytes that are written beyond a line, to be overwritten by the next. The label's three words may
 * reach beyond the label itself.
 */
const SLACK = 16;

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
	 * `into`, the next call overwrites it. A label is written before it is known whether the line is
	 * kept: that saves a test per line.
	 */
	label(
		lines: Uint8Array,
		verdictOf: Uint8Array,
		into?: ArrayBuffer,
	): Uint8Array<ArrayBuffer> {
		// Room for the longest label before every line, so that nothing is checked inside the loop.
		const room = roomFor(lines.length, verdictOf.length);
		const own = into ?? this.#output;
		const buffer =
			own.byteLength < room ? new ArrayBuffer(room + (room >> 2)) : own;
		if (into === undefined) this.#output = buffer;
		const output = new DataView(buffer);
		const input = new DataView(lines.buffer, lines.byteOffset, lines.length);
		const counts = this.#counts;
		const only = this.#only;
		let at = 0;
		let to = 0;
		for (let line = 0; line < verdictOf.length; line++) {
			const verdict = verdictOf[line] as number;
			counts[verdict] = (counts[verdict] as number) + 1;
			output.setInt32(to, labelWords[verdict * 3] as number, true);
			output.setInt32(to + 4, labelWords[verdict * 3 + 1] as number, true);
			output.setInt32(to + 8, labelWords[verdict * 3 + 2] as number, true);
			const start = to + (labelLengths[verdict] as number);
			const next = copyLine(input, at, output, start);
			// What is not kept is overwritten: that costs less than another way through the line.
			if (only < 0 || verdict === only) to = start + next - at;
			// The line is still read to its end, as the next one begins there.
			at = next;
		}
		if (to > 0 && output.getUint8(to - 1) !== LF) output.setUint8(to++, LF);
		return new Uint8Array(buffer, 0, to);
	}
}

/** The last line may get an end that it did not have. */
function roomFor(bytes: number, lines: number): number {
	return bytes + lines * Math.max(...labelLengths) + SLACK;
}

/**
 * Copies the line at `at`, its end included, and returns where the next one begins. Four bytes at a time: for lines
 * of some forty bytes that beats a search for the end and a call that copies.
 */
function copyLine(
	input: DataView,
	at: number,
	output: DataView,
	to: number,
): number {
	const end = input.byteLength;
	const shift = to - at;
	let from = at;
	// Four bytes are searched for a line end with a few operations on integers.
	for (; from + 4 <= end; from += 4) {
		const word = input.getInt32(from, true);
		output.setInt32(from + shift, word, true);
		const feed = lineFeedIn(word);
		if (feed >= 0) return from + feed + 1;
	}
	for (; from < end; from++) {
		const byte = input.getUint8(from);
		output.setUint8(from + shift, byte);
		if (byte === LF) return from + 1;
	}
	return end;
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
