/**
 * The scan of logs in threads, for scan-logs.ts, which loads it only then: what it imports takes Node some milliseconds. What the threads do
 * (`start`) is at the end: each has a scanner of its own, and packs its counts, as the classes that hold them cannot be sent. Answers wait
 * for their turn up to the bound of `Threads`, so an audit's memory does not grow with its logs.
 */

import { inOrder, moved, serve, Threads } from "#sites/threads/threads";
import type { EachRows } from "../common/row-bytes.ts";
import { packed, type SegmentData, unpacked } from "../count/packed-counts.ts";
import type { ScanSettings } from "../options/options.ts";
import { LogScanner } from "../scan/scanner.ts";
import { rowWriter, runTask, type ScannedTask, type Task } from "./tasks.ts";

/**
 * Tasks under way for each thread: one that it scans, and two of which all is counted and waits for
 * its turn. More would keep results in memory, fewer would let a thread wait for the merge.
 */
const AHEAD = 3;

/** Of what a thread makes little lives past its segment: with V8's 48 MB for young objects each takes 20 MB more. */
const RESOURCES = { maxYoungGenerationSizeMb: 3 };

/** What a thread needs to begin. */
interface ThreadData {
	readonly settings: ScanSettings;
	/** Files that name networks; see asn.ts. */
	readonly asn: readonly string[];
}

/** Runs tasks in so many threads, and gives what came of them in their order. @throws {SitesError} */
export async function* runInThreads(
	tasks: readonly Task[],
	data: ThreadData,
	count: number,
): AsyncGenerator<ScannedTask> {
	// The program lies beside the file of dist that this is part of.
	const program = new URL("./threads-worker.js", import.meta.url);
	const threads = new Threads<typeof start>(program, count, data, {
		resourceLimits: RESOURCES,
	});
	// Streamed, as a task gives several answers: the first is merged while the thread goes on.
	const scan = (task: Task) => threads.stream("scan", task, sizeOf);
	try {
		for await (const { item: task, result } of inOrder(
			tasks,
			AHEAD * count,
			scan,
		)) {
			// Unpacked one by one, when they are appended.
			for await (const { rows, segment } of result)
				yield {
					task,
					rows,
					...(segment && { segment: unpacked(segment) }),
					bytes: 0,
				};
			yield { task, bytes: task.bytes };
		}
	} finally {
		await threads.end();
	}
}

/**
 * About the memory that rows and counts take which a thread has sent. An estimate is enough: it
 * only decides when a thread has to wait.
 */
function sizeOf({
	rows,
	segment,
}: {
	readonly rows?: EachRows | undefined;
	readonly segment?: SegmentData | undefined;
}): number {
	const rowBytes = rows ? rows.text.length + 8 * rows.lines.length : 0;
	if (!segment) return rowBytes;
	const { crawlers, violations, visits } = segment;
	const { texts, numbers, rules, requests } = crawlers;
	const length =
		numbers.byteLength +
		(requests?.length ?? 0) +
		visits.log.length +
		(texts.length + visits.clients.length) * 100 +
		rules.length * 500;
	return violations.reduce(
		(sum, line) => sum + line.length + 100,
		length + rowBytes,
	);
}

/** What a thread does: scans a task. */
const start = async ({ settings, asn }: ThreadData) => {
	// Each thread has a scanner of its own, with tables of its own, for all its tasks.
	const writer = await rowWriter(settings);
	// A function cannot be sent; the file is read once more.
	const systemOf =
		asn.length > 0
			? await (await import("./asn.ts")).networksOf(asn)
			: undefined;
	const scanner = new LogScanner(settings, writer, { systemOf });
	return {
		async *scan(task: Task) {
			for await (const { rows, segment } of runTask(scanner, task, writer))
				yield moved(
					{ rows, segment: segment && packed(segment) },
					rows ? [rows.text.buffer, rows.lines.buffer, rows.ends.buffer] : [],
				);
		},
	};
};

export default serve(start);
