/**
 * `robotrie audit`, from the plan to the report: opens the logs, scans them here or in threads, and writes the report. audit.ts loads it. Whatever
 * the number of threads, what came of lines is merged in the order of the input, so that a report has the same bytes.
 */
import { setFlagsFromString } from "node:v8";
import type { AuditOptions, AuditReport } from "@robotrie/audit";
import {
	checkHosts,
	LogScanner,
	type NetworkNames,
	ResolvingAhead,
	RuleBook,
	reportOf,
	type ScanSettings,
	summaryOf,
	Totals,
} from "@robotrie/audit/internal";
import { workersFor } from "../options/options.ts";
import { tell } from "../output/output.ts";
import { Progress } from "../output/progress.ts";
import {
	type LogInput,
	openInputs,
	remarkProxies,
	sameLogs,
} from "./inputs.ts";
import type { AuditCommandOptions } from "./options.ts";
import { type Plan, planOf, scanSettingsOf } from "./plan.ts";
import { finish } from "./report.ts";
import type { CachedDns } from "./resolve.ts";
import { SideOutputs } from "./side-outputs.ts";
import {
	rowWriter,
	runTask,
	type ScannedTask,
	type Task,
	tasksOf,
} from "./tasks.ts";

export async function audit(
	logs: readonly string[],
	options: AuditCommandOptions,
): Promise<void> {
	const plan = await planOf(logs, options);
	const inputs = await openInputs(plan.files, plan.format);
	const report = await reportOn(inputs, plan, options);
	await plan.dns?.end();
	const formats = inputs.map(({ format }) => summaryOf(format));
	// After the report: reading whole logs again is only worth it once there is one.
	for (const text of await sameLogs(inputs)) tell(`warning: ${text}`);
	await finish(report, formats, options);
}

/** Scans logs and makes the report: from totals, so it does not depend on who scanned what. */
export async function reportOn(
	inputs: readonly LogInput[],
	{ settings, dns }: Pick<Plan, "settings" | "dns">,
	options: AuditCommandOptions,
): Promise<AuditReport> {
	checkHosts(inputs, settings.robots);
	if (settings.trustedProxies) remarkProxies(inputs);
	return reportOf(
		await scan(inputs, settings, options, dns),
		new RuleBook(settings.robots, settings),
		settings.groupBy ?? "name",
	);
}

/**
 * Scans all of the input, in threads if it is large or their number is given. The same tasks are made in either case, so that counts are the
 * same.
 */
async function scan(
	inputs: readonly LogInput[],
	settings: AuditOptions,
	options: AuditCommandOptions,
	dns: CachedDns | undefined,
): Promise<Totals> {
	const tasks = tasksOf(inputs, dns !== undefined);
	const totals = new Totals(settings);
	// Bytes on the disk, which is what reading costs; compressed logs are smaller.
	const size = inputs.reduce((sum, input) => sum + input.size, 0);
	const outputs = await SideOutputs.open(options, inputs.length < 2, settings);
	const progress = new Progress(size, options.progress);
	try {
		for await (const { task, rows, segment, bytes } of runTasks(
			tasks,
			scanSettingsOf(settings, options),
			// Any byte more is rounded up to another thread.
			options.workers ?? workersFor(size + WORTH_A_THREAD - 1, WORTH_A_THREAD),
			dns,
			settings.systemOf,
			options.asn,
		)) {
			const { name } = task;
			const linesBefore = totals.linesOf(name);
			const format = summaryOf(task.format);
			if (segment) totals.append(name, segment, format);
			keepHeapSmall(totals);
			// Order matters here: counters, then side outputs, then progress, as each may look at the one
			// before.
			await outputs.write({ name, format, linesBefore, rows, segment });
			progress.advance(bytes, totals.counters[0] ?? 0);
			// Once a segment is merged, timers and signals have their turn.
			await new Promise(setImmediate);
		}
	} catch (error) {
		await outputs.discard();
		throw error;
	} finally {
		progress.end();
	}
	await outputs.commit();
	return totals;
}

/** A thread takes 20 ms to start, and 10 to 20 MB. Any byte above that is worth another one. */
const WORTH_A_THREAD = 64 * 1024 * 1024;

/**
 * Runs tasks, here or in threads, and gives what came of them in their order. With one thread,
 * tasks run here: nothing is packed, and a log from a pipe can only be read here.
 */
async function* runTasks(
	tasks: readonly Task[],
	settings: ScanSettings,
	workers: number,
	cached: CachedDns | undefined,
	systemOf: NetworkNames | undefined,
	asn: readonly string[] | undefined,
): AsyncGenerator<ScannedTask> {
	const count = Math.min(workers, tasks.length);
	// A pipe cannot be sent to a thread, and what DNS said is in this one.
	if (count > 1 && !cached && !tasks.some(({ kind }) => kind === "once")) {
		const { runInThreads } = await import("./threads.ts");
		yield* runInThreads(tasks, { settings, asn }, count);
		return;
	}
	const rows = await rowWriter(settings);
	const resolved = cached?.dns.resolved;
	const scanner = new LogScanner(settings, rows, { resolved, systemOf });
	const ahead = cached && new ResolvingAhead(settings, cached.dns);
	for (const task of tasks) {
		// Bytes are counted when the task is done, as a progress bar should not run ahead.
		for await (const scanned of runTask(scanner, task, rows, ahead))
			yield { task, ...scanned, bytes: 0 };
		yield { task, bytes: task.bytes };
	}
}

/** No log of a site that only real crawlers visit has so many. */
const MANY_CRAWLERS = 1000;
let isHeapSmall = false;

/**
 * Where there are very many crawlers, has V8 collect garbage, in all threads, once the heap is half
 * as large again as what lives in it; V8 would wait until it is four times as large. Such logs
 * leave much garbage that survives the young generation. Other logs do not: with the flag, a gzip
 * log takes a tenth more CPU time. V8 reads the flag whenever it sets its next limit. Once per
 * process: the flag cannot be taken back.
 */
function keepHeapSmall({ crawlers }: Totals): void {
	if (isHeapSmall || crawlers.size < MANY_CRAWLERS) return;
	isHeapSmall = true;
	setFlagsFromString("--heap-growing-percent=50");
}
