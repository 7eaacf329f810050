/**
 * Logs cut into tasks, and how a scanner runs a task: run.ts does so in the main thread, threads.ts in others. Where a log is cut depends
 * on its size alone, so that counts are the same with any number of threads.
 */

import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { LogFormat } from "@robotrie/audit";
import {
	type EachRows,
	type LogScanner,
	load,
	type ResolvingAhead,
	type RowWriter,
	type ScanSettings,
	type Segment,
} from "@robotrie/audit/internal";
import { readParquetLines } from "#sites/files/parquet";
import { readText } from "../input/input.ts";
import { Failure, failureOf } from "../output/output.ts";
import type { LogInput } from "./inputs.ts";

/**
 * What one thread scans: a log, or a segment of a plain file. Plain data, but for `rest`, which
 * keeps it in its thread. All that a thread needs to begin in the middle of a file without asking.
 */
export interface Task extends Omit<LogInput, "size" | "head"> {
	readonly format: LogFormat;
	/** Of plain files: the lines that begin at these bytes, the second one not included. */
	readonly from: number;
	readonly to: number;
	/** Bytes on the disk that are done with when it is. */
	readonly bytes: number;
}

/**
 * The counts of so many bytes are handed on at once: a SEGMENTS-th of a file, so that threads have about the same to do, within
 * bounds. Each segment costs a millisecond: longer ones, and counters that are packed only for other threads, saved a sixth of the CPU time.
 */
const SEGMENTS = 16;
const SHORTEST_SEGMENT = 16 * 1024 * 1024;
const LONGEST_SEGMENT = 64 * 1024 * 1024;

/**
 * Counts may be handed on after so many bytes if these have very many new names, paths or
 * addresses. Full counters are handed on at once; this is how often that is looked at.
 */
const LONGEST_STEP = 256 * 1024;
const SHORTEST_STEP = 16 * 1024;

/**
 * How many bytes to scan at once: fewer where counters are full each time, so that these live shortly and their memory is used again. A log
 * of 300,000 made-up crawler names then takes 145 MB instead of 226, and half the time.
 */
class Step {
	size = LONGEST_STEP;

	isFull(scanner: LogScanner): boolean {
		// Halved at once and doubled at once, within bounds: a log changes its nature slowly.
		const { isFull } = scanner;
		this.size = isFull
			? Math.max(this.size / 2, SHORTEST_STEP)
			: Math.min(this.size * 2, LONGEST_STEP);
		return isFull;
	}
}

/**
 * Cuts plain files into tasks of a segment each; the cuts are the same with any number of threads.
 * @param isWhole Cuts none.
 */
export function tasksOf(inputs: readonly LogInput[], isWhole: boolean): Task[] {
	// A line belongs to the segment in which it begins, so cuts need not fall on line ends.
	return inputs.flatMap(({ size, head: _, ...input }): Task[] => {
		// A directive applies to the lines after it, the meaning of a quote or a bracket depends on the text before it, and a packed file
		// can only be read from its beginning.
		const { directives, records } = input.format;
		const segment = segmentOf(size);
		const isCut = input.kind === "plain" && !directives && !records && !isWhole;
		if (!isCut || size <= segment)
			return [{ ...input, from: 0, to: size, bytes: size }];
		const count = Math.ceil(size / segment);
		return Array.from({ length: count }, (_, index) => {
			const from = index * segment;
			const to = Math.min(from + segment, size);
			return { ...input, from, to, bytes: to - from };
		});
	});
}

/**
 * Within bounds on both sides: short segments cost a millisecond each, long ones keep threads
 * waiting at the end.
 */
function segmentOf(size: number): number {
	const segment = Math.max(Math.ceil(size / SEGMENTS), SHORTEST_SEGMENT);
	return Math.min(segment, LONGEST_SEGMENT);
}

/** What the scanner writes rows to, if they are asked for: its code is loaded then. */
export async function rowWriter({
	each,
}: ScanSettings): Promise<RowWriter | undefined> {
	if (!each) return undefined;
	// Writing rows needs csv-stringify or the JSON notation; a plain audit loads neither.
	const { RowWriter } = await load.rows();
	const notation =
		each.format === "csv"
			? (await load.rowsAsCsv()).csv
			: (await load.rowsAsJson()).ndjson;
	return new RowWriter(each, notation);
}

/** What came of some lines: rows of `--each`, and counters. Rows come no later than the counters of their lines. */
interface ScannedLines {
	readonly rows?: EachRows | undefined;
	/** Valid until the next is asked for. */
	readonly segment?: Segment;
}

/** What came of some lines of a task, and the bytes on the disk that are done with now. */
export interface ScannedTask extends ScannedLines {
	readonly task: Task;
	readonly bytes: number;
}

/**
 * Runs a task. Results come in the order of lines; all of them together are the task's.
 * @param rows What the scanner writes rows to.
 * @param ahead Sees the lines before the scanner does; the task is a whole log then.
 */
export async function* runTask(
	scanner: LogScanner,
	task: Task,
	rows?: RowWriter,
	ahead?: ResolvingAhead,
): AsyncGenerator<ScannedLines> {
	// A segment is one log's, so that `begin` with the format makes tasks independent of each other.
	scanner.begin(task.format);
	ahead?.begin(task.format);
	if (task.kind === "plain" && !ahead) yield* runPlain(scanner, task, rows);
	else {
		const step = new Step();
		let fed = 0;
		let size = 0;
		const text = task.rest ?? (await bytesOf(task));
		for await (const chunk of ahead ? seenBefore(ahead, text) : text) {
			size += chunk.length;
			for (let from = 0; from < chunk.length; ) {
				const bytes = chunk.subarray(from, from + step.size);
				scanner.feed(bytes);
				from += bytes.length;
				fed += bytes.length;
				if (rows?.isFull) yield { rows: rows.take() };
				// Either limit is enough: counters that are full, or many bytes.
				if (!step.isFull(scanner) && fed < LONGEST_SEGMENT) continue;
				fed = 0;
				yield { segment: scanner.take(), rows: rows?.take() };
			}
		}
		if (task.kind === "plain" && size < task.to) throw shorter(task);
	}
	// Also for an empty log: it has a segment with no lines.
	yield { segment: scanner.end(), rows: rows?.take() };
}

/**
 * Bytes of a log that are read ahead for `--resolve`: enough that many addresses are looked up at a time, and that one of which DNS says nothing
 * does not hold up each megabyte.
 */
const WINDOW = 32 * 1024 * 1024;

/** The chunks of a log, each after its addresses were resolved. */
async function* seenBefore(
	ahead: ResolvingAhead,
	chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
	let held: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of chunks) {
		ahead.see(chunk);
		held.push(chunk);
		size += chunk.length;
		if (size < WINDOW) continue;
		await ahead.resolve();
		yield* held;
		held = [];
		size = 0;
	}
	await ahead.end();
	yield* held;
}

/** The text of a log that is read from its beginning. */
async function bytesOf({
	kind,
	file,
}: Task): Promise<AsyncGenerator<Uint8Array>> {
	if (kind !== "columns") return readText(file);
	return readParquetLines(file);
}

function* runPlain(
	scanner: LogScanner,
	task: Task,
	rows: RowWriter | undefined,
): Generator<ScannedLines> {
	let opened: number | undefined;
	try {
		const file = openSync(task.file, "r");
		opened = file;
		if (fstatSync(file).size < task.to) throw shorter(task);
		// Both ends move to the next line start, so that neighbouring tasks have each line exactly
		// once.
		const to = lineStart(file, task.to);
		const step = new Step();
		let fed = 0;
		for (let from = lineStart(file, task.from); from < to; ) {
			const end = Math.min(from + step.size, to);
			let at = from;
			// Read into the scanner's own memory, without a copy in between.
			scanner.readFrom((into, offset, room) => {
				const read = readSync(file, into, offset, room, at);
				at += read;
				return read;
			}, end - from);
			if (at < end) throw shorter(task);
			fed += end - from;
			from = end;
			if (rows?.isFull) yield { rows: rows.take() };
			// What is left of a segment's last line needs none of its own.
			if (!step.isFull(scanner) && fed < LONGEST_SEGMENT + LONGEST_STEP)
				continue;
			fed = 0;
			yield { segment: scanner.take(), rows: rows?.take() };
		}
	} catch (error) {
		throw failureOf(`read ${task.name}`, error);
	} finally {
		if (opened !== undefined) closeSync(opened);
	}
}

/** Logs that are emptied in place are best read after rotation, or by `audit follow`. */
const shorter = ({ name }: Task) =>
	new Failure(`${name} became shorter while it was read: lines are missing`);

const LF = 10;

/** The start of the first line that begins at a byte or after it; at most the end of the file. */
function lineStart(file: number, at: number): number {
	// Looks one byte back: a line that begins exactly at `at` has a line feed before it.
	if (at === 0) return 0;
	const block = Buffer.allocUnsafe(64 * 1024);
	for (let from = at - 1; ; ) {
		const read = readSync(file, block, 0, block.length, from);
		if (read === 0) return from;
		const feed = block.subarray(0, read).indexOf(LF);
		if (feed >= 0) return from + feed + 1;
		from += read;
	}
}
