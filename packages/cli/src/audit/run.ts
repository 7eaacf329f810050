/**
 * `robotrie audit`: has @robotrie/audit count the logs, and writes the report. audit.ts loads it.
 */
import { setFlagsFromString } from "node:v8";
import type { LogAudit } from "@robotrie/audit";
import { auditFiles } from "@robotrie/audit/files";
import { tell } from "../output/output.ts";
import { Progress } from "../output/progress.ts";
import { sourceOf } from "./inputs.ts";
import type { AuditCommandOptions } from "./options.ts";
import { type Plan, planOf } from "./plan.ts";
import { finish } from "./report.ts";
import { SideOutputs } from "./side-outputs.ts";

export async function audit(
	logs: readonly string[],
	options: AuditCommandOptions,
): Promise<void> {
	const plan = await planOf(logs, options);
	const { counted, same } = await count(plan, options);
	const report = counted.report();
	await plan.dns?.end();
	for (const text of same) tell(`warning: ${text}`);
	await finish(report, counted.formats, options);
}

/** Counts the logs of a plan, and writes what is written besides the report. */
export async function count(
	{ files, settings }: Plan,
	options: AuditCommandOptions,
): Promise<{ counted: LogAudit; same: readonly string[] }> {
	const outputs = new SideOutputs(options, files.length < 2);
	const same: string[] = [];
	let progress: Progress | undefined;
	let done = 0;
	let counted: LogAudit;
	try {
		counted = await auditFiles(files.map(sourceOf), {
			...settings,
			workers: options.workers,
			withPeople: options.listHeaders,
			violations: outputs.violations,
			each: outputs.each,
			state: outputs.state,
			onRemark: (text, remark) => {
				if (remark.code === "same-content") same.push(text);
				else remarkProxy(remark.log, remark.format ?? "");
			},
			onOpen: async (logs) => {
				await outputs.open();
				const total = logs.reduce((sum, { bytes }) => sum + bytes, 0);
				progress = new Progress(total, options.progress);
			},
			onProgress: ({ bytes, lines, crawlers }) => {
				keepHeapSmall(crawlers);
				progress?.advance(bytes - done, lines);
				done = bytes;
			},
		});
	} catch (error) {
		await outputs.discard();
		throw error;
	} finally {
		progress?.end();
	}
	await outputs.commit();
	return { counted, same };
}

/** Says that --trusted-proxy could add nothing to a log. */
export function remarkProxy(log: string, format: string): void {
	tell(
		`warning: lines of ${log} (${format}) have no X-Forwarded-For, so --trusted-proxy changes nothing there`,
	);
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
function keepHeapSmall(crawlers: number): void {
	if (isHeapSmall || crawlers < MANY_CRAWLERS) return;
	isHeapSmall = true;
	setFlagsFromString("--heap-growing-percent=50");
}
