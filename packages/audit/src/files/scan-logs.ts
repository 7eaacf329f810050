/**
 * The scan of open logs, in this thread or in others. The same tasks are made in either case, and what came of lines is given in the order of the
 * input, so that a report has the same bytes whatever the number of threads. auditFiles adds it up.
 */
import { availableParallelism } from "node:os";
import type { NetworkNames } from "../common/addresses.ts";
import { type FormatSummary, summaryOf } from "../formats/log-format.ts";
import type { ScanSettings } from "../options/options.ts";
import { ResolvingAhead, type ReverseDns } from "../scan/reverse-dns.ts";
import { LogScanner } from "../scan/scanner.ts";
import type { OpenLog } from "./open-logs.ts";
import {
	rowWriter,
	runTask,
	type ScannedLines,
	type ScannedTask,
	type Task,
	tasksOf,
} from "./tasks.ts";

/** How logs are scanned, besides the settings. */
export interface ScanMeans {
	/** Threads; by default as many as pay off. */
	readonly workers?: number | undefined;
	/** What names networks. A function cannot be sent to threads; those of `networkFiles` read its files. */
	readonly systemOf?: NetworkNames | undefined;
	/** Who verifies addresses. What DNS said is in this thread, so that it scans all logs itself. */
	readonly dns?: ReverseDns | undefined;
}

/** The files that functions of `readNetworks` are of. */
export const networkFiles = new WeakMap<NetworkNames, readonly string[]>();

/** What came of some consecutive lines of a log. */
export interface CountedLines extends ScannedLines {
	/** The log's. */
	readonly name: string;
	readonly format: FormatSummary;
	/** Bytes on the disk that are done with now. */
	readonly bytes: number;
}

/** Bytes of logs on the disk, which is what reading costs; compressed logs are smaller. */
export const sizeOfLogs = (logs: readonly OpenLog[]): number =>
	logs.reduce((sum, { size }) => sum + size, 0);

/** A thread takes 20 ms to start, and 10 to 20 MB. Any byte above that is worth another one. */
const WORTH_A_THREAD = 64 * 1024 * 1024;
/** Threads by default: with more, this one, which adds up, has more to do than they have. */
const MOST_BY_DEFAULT = 4;

const threadsFor = (size: number) =>
	Math.min(
		availableParallelism(),
		MOST_BY_DEFAULT,
		Math.max(1, Math.ceil(size / WORTH_A_THREAD)),
	);

/**
 * Scans all lines, in threads if there are many or their number is given.
 * @throws {SitesError} unreadable; malformed.
 */
export async function* scanLogs(
	logs: readonly OpenLog[],
	settings: ScanSettings,
	means: ScanMeans,
): AsyncGenerator<CountedLines> {
	const tasks = tasksOf(logs, means.dns !== undefined);
	const workers = means.workers ?? threadsFor(sizeOfLogs(logs));
	for await (const { task, ...scanned } of runTasks(tasks, settings, {
		...means,
		workers,
	})) {
		yield { name: task.name, format: summaryOf(task.format), ...scanned };
		// Once a segment is added up, timers and signals have their turn.
		await new Promise(setImmediate);
	}
}

/**
 * Runs tasks, here or in threads, and gives what came of them in their order. With one thread,
 * tasks run here: nothing is packed, and a log from a pipe can only be read here.
 */
async function* runTasks(
	tasks: readonly Task[],
	settings: ScanSettings,
	{ workers, systemOf, dns }: ScanMeans & { workers: number },
): AsyncGenerator<ScannedTask> {
	const count = Math.min(workers, tasks.length);
	const asn = systemOf ? networkFiles.get(systemOf) : [];
	// A pipe cannot be sent to a thread, nor a function.
	const isHere =
		dns !== undefined || tasks.some(({ kind }) => kind === "once") || !asn;
	if (count > 1 && !isHere) {
		const { runInThreads } = await import("./threads.ts");
		yield* runInThreads(tasks, { settings, asn }, count);
		return;
	}
	const rows = await rowWriter(settings);
	const scanner = new LogScanner(settings, rows, {
		resolved: dns?.resolved,
		systemOf,
	});
	const ahead = dns && new ResolvingAhead(settings, dns);
	for (const task of tasks) {
		// Bytes are counted when the task is done, as a progress bar should not run ahead.
		for await (const scanned of runTask(scanner, task, rows, ahead))
			yield { task, ...scanned, bytes: 0 };
		yield { task, bytes: task.bytes };
	}
}
