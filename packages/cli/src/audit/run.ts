/**
 * `robotrie audit`, from the plan to the report: has the logs opened and scanned, adds up what came of them, and writes the report. audit.ts
 * loads it.
 */
import { setFlagsFromString } from "node:v8";
import type { AuditOptions, AuditReport } from "@robotrie/audit";
import {
	checkHosts,
	RuleBook,
	reportOf,
	summaryOf,
	Totals,
} from "@robotrie/audit/internal";
import {
	type OpenLog,
	sameLogs,
	scanLogs,
	sizeOfLogs,
} from "@robotrie/audit/internal-files";
import { tell } from "../output/output.ts";
import { Progress } from "../output/progress.ts";
import { openInputs, remarkProxies, sourceOf } from "./inputs.ts";
import type { AuditCommandOptions } from "./options.ts";
import { type Plan, planOf, scanSettingsOf } from "./plan.ts";
import { finish } from "./report.ts";
import type { CachedDns } from "./resolve.ts";
import { SideOutputs } from "./side-outputs.ts";

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
	inputs: readonly OpenLog[],
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

/** Scans all of the input, and writes what is counted besides the report. */
async function scan(
	inputs: readonly OpenLog[],
	settings: AuditOptions,
	options: AuditCommandOptions,
	cached: CachedDns | undefined,
): Promise<Totals> {
	const totals = new Totals(settings);
	const outputs = await SideOutputs.open(options, inputs.length < 2, settings);
	const progress = new Progress(sizeOfLogs(inputs), options.progress);
	try {
		for await (const { name, format, rows, segment, bytes } of scanLogs(
			inputs,
			scanSettingsOf(settings, options),
			{
				workers: options.workers,
				asn: options.asn?.map(sourceOf),
				systemOf: settings.systemOf,
				dns: cached?.dns,
			},
		)) {
			const linesBefore = totals.linesOf(name);
			if (segment) totals.append(name, segment, format);
			keepHeapSmall(totals);
			// Order matters here: counters, then side outputs, then progress, as each may look at the one
			// before.
			await outputs.write({ name, format, linesBefore, rows, segment });
			progress.advance(bytes, totals.counters[0] ?? 0);
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
