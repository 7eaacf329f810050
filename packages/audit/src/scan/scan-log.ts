/**
 * The one loop that scans a log, for LogAudit, auditRows and the tasks of many files: it feeds a scanner step by step, and gives what was counted
 * whenever that is much. Memory is bounded by a step's rows and counters, whatever the size of the chunks.
 */
import type { Segment } from "../count/totals.ts";
import type { ResolvingAhead } from "./reverse-dns.ts";
import type { LogScanner } from "./scanner.ts";

/**
 * Counts are handed on after so many bytes at the latest. Each segment costs a millisecond; long ones keep threads waiting at the end.
 */
export const LONGEST_SEGMENT = 64 * 1024 * 1024;

/**
 * Counts may be handed on after so many bytes if these have very many new names, paths or
 * addresses. Full counters are handed on at once; this is how often that is looked at.
 */
const LONGEST_STEP = 256 * 1024;
const SHORTEST_STEP = 16 * 1024;

/**
 * Scans what follows of a log that was begun, and ends it. Yields after each step, so that rows can be taken: the segment that was counted, or
 * undefined while it goes on. A segment is valid until the next step.
 */
export function scanLog(
	scanner: LogScanner,
	chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Segment | undefined> {
	return scanParts(scanner, chunks, (chunk, from, to) =>
		scanner.feed(chunk.subarray(from, to)),
	);
}

/**
 * As `scanLog`, of what is no bytes yet.
 * @param feed Has the scanner scan a part from one byte up to another.
 */
export async function* scanParts<Part extends { readonly length: number }>(
	scanner: LogScanner,
	parts: AsyncIterable<Part> | Iterable<Part>,
	feed: (part: Part, from: number, to: number) => void,
): AsyncGenerator<Segment | undefined> {
	let step = LONGEST_STEP;
	let fed = 0;
	for await (const part of parts) {
		for (let from = 0; from < part.length; ) {
			const to = Math.min(from + step, part.length);
			feed(part, from, to);
			fed += to - from;
			from = to;
			const { isFull } = scanner;
			// Fewer bytes at once where counters are full each time, so that these live shortly and their memory is used again: a log of 300,000
			// made-up crawler names then takes 145 MB instead of 226, and half the time. A log changes its nature slowly.
			step = isFull
				? Math.max(step / 2, SHORTEST_STEP)
				: Math.min(step * 2, LONGEST_STEP);
			// What is left of the last line of a file's segment needs none of its own.
			const isLong = fed >= LONGEST_SEGMENT + LONGEST_STEP;
			if (isFull || isLong) fed = 0;
			yield isFull || isLong ? scanner.take() : undefined;
		}
	}
	// Also for an empty log: it has a segment with no lines.
	yield scanner.end();
}

/**
 * The chunks of a log, each after its addresses were resolved.
 * @param window Bytes that are looked at before DNS is asked: many addresses are then looked up at a time. By default each chunk by itself, as
 * its bytes may be overwritten.
 */
export async function* seenBefore(
	ahead: ResolvingAhead,
	chunks: AsyncIterable<Uint8Array>,
	window = 0,
): AsyncGenerator<Uint8Array> {
	let held: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of chunks) {
		ahead.see(chunk);
		held.push(chunk);
		size += chunk.length;
		if (size < window) continue;
		await ahead.resolve();
		yield* held;
		held = [];
		size = 0;
	}
	await ahead.end();
	yield* held;
}
