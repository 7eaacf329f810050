/**
 * `robotrie audit compare`: what changed from one period of logs to another, or from one state to another. audit.ts loads it. Both ways make two
 * reports, which are compared.
 */
import type { AuditReport } from "@robotrie/audit";
import { STDIN } from "../input/input.ts";
import { Failure } from "../output/output.ts";
import { isReadOnce } from "./inputs.ts";
import { mergedStates } from "./merge.ts";
import {
	type AuditCommandOptions,
	periodOf,
	type ReportOptions,
} from "./options.ts";
import { planOf } from "./plan.ts";
import { checkReplaced, writeComparison } from "./report.ts";
import { count } from "./run.ts";

/**
 * What changed from one period of the logs to another. The logs are read once for each.
 * @throws {Failure} Unless the first two arguments are periods, and the others files.
 */
export async function comparePeriods(
	given: readonly [string, string],
	logs: readonly string[],
	options: AuditCommandOptions,
): Promise<void> {
	const { timeZone } = options;
	const periods = given.flatMap((text) => periodOf(text, timeZone) ?? []);
	if (periods.length !== 2 || logs.some((text) => periodOf(text)))
		throw new Failure(
			"audit compare needs two periods, then logs, as in robotrie audit compare 2026-01-01..2026-01-31 2026-02-01.. access.log",
		);
	for (const { text, since, until } of periods)
		if (since && until && since >= until)
			throw new Failure(`the period ${text} ends before it begins`);
	if (logs.length === 0 || logs.includes(STDIN))
		throw new Failure(
			"audit compare reads logs once for each period: name files, as stdin can be read once",
		);
	const plan = await planOf(logs, options);
	const reports: AuditReport[] = [];
	if (plan.files.some(isReadOnce))
		throw new Failure(
			"audit compare reads logs once for each period, and a pipe can be read once",
		);
	for (const { since, until } of periods) {
		const settings = { ...plan.settings, since, until };
		const { counted } = await count({ ...plan, settings }, options);
		reports.push(counted.report());
	}
	await plan.dns?.end();
	const [before, after] = reports as [AuditReport, AuditReport];
	await writeComparison(before, after, options);
}

/**
 * What changed from one state's logs to another's. Settings may differ: a new robots.txt or another period is often the reason to compare.
 * @throws {Failure} Unless there are two states, counted by the same thing.
 */
export async function compareStates(
	files: readonly string[],
	options: ReportOptions,
): Promise<void> {
	if (files.length !== 2)
		throw new Failure(
			`audit compare needs two files of --state, not ${files.length}`,
		);
	checkReplaced(options, files);
	const reports: AuditReport[] = [];
	for (const file of files) reports.push((await mergedStates([file])).report());
	const [before, after] = reports as [AuditReport, AuditReport];
	if (before.groupBy !== after.groupBy)
		throw new Failure(
			`cannot compare a state by ${before.groupBy} with one by ${after.groupBy}`,
		);
	await writeComparison(before, after, options);
}
