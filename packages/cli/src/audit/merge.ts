/**
 * `robotrie audit merge`: one report from files that --state wrote, as a run over their logs would make it. audit.ts loads it; compare.ts reads
 * single states with it.
 */
import type { LogAudit } from "@robotrie/audit";
import { mergeStates, type WriteBytes } from "@robotrie/audit/files";
import { tell } from "../output/output.ts";
import { checkReadable, expandLogs, sourceOf } from "./inputs.ts";
import type { ReportOptions } from "./options.ts";
import { checkOutputs, checkReplaced, finish } from "./report.ts";
import { SideOutputs } from "./side-outputs.ts";

/** The report on the logs whose states these files are, in the order of their first times: the same as that of a run over the logs. */
export async function merge(
	files: readonly string[],
	options: ReportOptions,
): Promise<void> {
	checkOutputs(options);
	const states = await expandLogs(files);
	checkReplaced(options, states);
	// Of the side outputs a merge has only --state; the others need the lines themselves.
	const outputs = new SideOutputs(options, true);
	const same: string[] = [];
	let merged: LogAudit;
	try {
		merged = await mergedStates(states, outputs.state, (text) =>
			same.push(text),
		);
	} catch (error) {
		await outputs.discard();
		throw error;
	}
	await outputs.commit();
	const report = merged.report();
	// Duplicate states double a report, and the report cannot show it.
	for (const text of same) tell(`warning: ${text}`);
	await finish(report, merged.formats, options);
}

export async function mergedStates(
	states: readonly string[],
	state?: WriteBytes,
	onRemark?: (text: string) => void,
): Promise<LogAudit> {
	await checkReadable(states);
	return mergeStates(states.map(sourceOf), { state, onRemark });
}
