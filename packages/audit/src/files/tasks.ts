/**
 * Logs cut into tasks, and how a scanner runs a task: scan-logs.ts does so in the main thread, threads.ts in others. Where a log is cut depends
 * on its size alone, so that counts are the same with any number of threads.
 */

import { closeSync, openSync, readSync } from "node:fs";
import { failureOf, SitesError } from "#sites/files/errors";
import { readParquetLines } from "#sites/files/parquet";
import { sizeOf } from "#sites/files/stat";
import type { EachRows } from "../common/row-bytes.ts";
import type { RowWriter } from "../count/row-writer.ts";
import type { Segment } from "../count/totals.ts";
import type { ScanSettings } from "../options/options.ts";
import type { ResolvingAhead } from "../scan/reverse-dns.ts";
import {
	LONGEST_SEGMENT,
	scanLog,
	scanParts,
	seenBefore,
} from "../scan/scan-log.ts";
import type { LogScanner } from "../scan/scanner.ts";
import { type OpenLog, readLog } from "./open-logs.ts";

/**
 * What one thread scans: a log, or a segment of a plain file. Plain data, but for `rest`, which
 * keeps it in its thread. All that a thread needs to begin in the middle of a file without asking.
 */
export interface Task extends Omit<OpenLog, "size" | "head"> {
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

/**
 * Cuts plain files into tasks of a segment each; the cuts are the same with any number of threads.
 * @param isWhole Cuts none.
 */
export function tasksOf(logs: readonly OpenLog[], isWhole: boolean): Task[] {
	// A line belongs to the segment in which it begins, so cuts need not fall on line ends.
	return logs.flatMap(({ size, head: _, ...log }): Task[] => {
		// A directive applies to the lines after it, the meaning of a quote or a bracket depends on the text before it, and a packed file
		// can only be read from its beginning.
		const { directives, records } = log.format;
		const segment = segmentOf(size);
		const isCut = log.kind === "plain" && !directives && !records && !isWhole;
		if (!isCut || size <= segment)
			return [{ ...log, from: 0, to: size, bytes: size }];
		const count = Math.ceil(size / segment);
		return Array.from({ length: count }, (_, index) => {
			const from = index * segment;
			const to = Math.min(from + segment, size);
			return { ...log, from, to, bytes: to - from };
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
	const { RowWriter } = await import("../count/row-writer.ts");
	const notation =
		each.format === "csv"
			? (await import("../show/csv.ts")).csv
			: (await import("../common/row-bytes.ts")).ndjson;
	return new RowWriter(each, notation);
}

/** What came of some lines: rows of `ScanSettings.each`, and counters. Rows come no later than the counters of their lines. */
export interface ScannedLines {
	readonly rows?: EachRows | undefined;
	/** Valid until the next is asked for. */
	readonly segment?: Segment | undefined;
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
 * @throws {SitesError} unreadable; malformed.
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
	const scanned =
		task.kind === "plain" && !ahead
			? scanFile(scanner, task)
			: scanLog(
					scanner,
					ahead ? seenBefore(ahead, linesOf(task), WINDOW) : linesOf(task),
				);
	for await (const segment of scanned)
		if (segment || rows?.isFull) yield { segment, rows: rows?.take() };
}

/**
 * Bytes of a log that are read before DNS is asked: enough that many addresses are looked up at a time, and that one of which DNS says nothing
 * does not hold up each megabyte.
 */
const WINDOW = 32 * 1024 * 1024;

/** The text of a log that is read from its beginning. */
async function* linesOf(task: Task): AsyncGenerator<Uint8Array> {
	const { kind, name, rest } = task;
	if (rest) yield* rest;
	else if (kind === "columns") yield* readParquetLines(name);
	else {
		let size = 0;
		for await (const chunk of readLog(name)) {
			size += chunk.length;
			yield chunk;
		}
		if (kind === "plain" && size < task.to) throw shorter(task);
	}
}

/** Scans the lines of a plain file that begin in the task's bytes. */
async function* scanFile(
	scanner: LogScanner,
	task: Task,
): AsyncGenerator<Segment | undefined> {
	let opened: number | undefined;
	try {
		const file = openSync(task.name, "r");
		opened = file;
		if (sizeOf(file) < task.to) throw shorter(task);
		// Both ends move to the next line start, so that neighbouring tasks have each line exactly
		// once.
		const start = lineStart(file, task.from);
		const length = lineStart(file, task.to) - start;
		yield* scanParts(scanner, [{ length }], (_, from, to) => {
			let at = start + from;
			// Read into the scanner's own memory, without a copy in between.
			scanner.readFrom((into, offset, room) => {
				const read = readSync(file, into, offset, room, at);
				at += read;
				return read;
			}, to - from);
			if (at < start + to) throw shorter(task);
		});
	} catch (error) {
		throw failureOf(`read ${task.name}`, error);
	} finally {
		if (opened !== undefined) closeSync(opened);
	}
}

/** Logs that are emptied in place are best read after rotation, or by `audit follow`. */
const shorter = ({ name }: Task) =>
	new SitesError(
		"unreadable",
		`${name} became shorter while it was read: lines are missing`,
	);

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
