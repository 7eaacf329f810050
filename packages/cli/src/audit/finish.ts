import type { AuditReport } from "@robotrie/audit";
import type { FormatSummary } from "@robotrie/audit/internal";
import { violationsOf } from "@robotrie/audit/internal";
import { count } from "robotrie/internal";
import { EXIT_FAILED, EXIT_FOUND, Failure } from "../output/failure.ts";
import { tell, write } from "../output/output.ts";
import { writeOutput } from "../output/output-file.ts";
import { checkOutputPaths } from "../output/output-paths.ts";
import type { AuditCommandOptions } from "./options.ts";
import { render } from "./output.ts";

/** Writes a report where the options say, with remarks on stderr, and sets the exit code. */
export async function finish(
	report: AuditReport,
	formats: readonly FormatSummary[],
	options: AuditCommandOptions,
): Promise<void> {
	remark(report, formats);
	await deliver(report, options);
	const isForeign = isMostlyUnparsed(report);
	if (isForeign)
		tell(
			"more than half of the lines cannot be parsed: the report is about the others; --format, --log-format or --fields says how to read them",
		);
	if (isForeign || (options.strict && report.unparsed > 0))
		process.exitCode = EXIT_FAILED;
	else if (
		options.check &&
		report.crawlers.some((crawler) => violationsOf(crawler) > 0)
	)
		process.exitCode = EXIT_FOUND;
}

function isMostlyUnparsed({ lines, blank, unparsed }: AuditReport): boolean {
	return 2 * unparsed > lines - blank;
}

/** Stdout is the report's, unless an option writes something else there. */
async function deliver(
	report: AuditReport,
	options: AuditCommandOptions,
): Promise<void> {
	const { out } = options;
	if (out !== undefined)
		await writeOutput(out, [Buffer.from(await render(report, options))]);
	else if (!takesStdout(options)) await write(await render(report, options));
}

/** What stands for stdout in place of a file. */
export const STDOUT = "-";

const sideOutputs = ["violations", "each", "state"] as const;

/** Whether something else than the report goes to stdout. */
export function takesStdout(options: AuditCommandOptions): boolean {
	return sideOutputs.some((name) => options[name] === STDOUT);
}

/** @throws {Failure} For outputs that do not go together. */
export function checkOutputs(options: AuditCommandOptions): void {
	const names = sideOutputs.filter((name) => options[name] === STDOUT);
	if (names.length > 1)
		throw new Failure(
			`--${names.join(" and --")} cannot both be written to stdout`,
		);
	const { each, eachFormat, eachAll, follow, interval, state } = options;
	if (interval !== undefined && !follow)
		throw new Failure("--interval needs --follow");
	if (follow && state !== undefined)
		throw new Failure("--state cannot be used with --follow");
	if (each === undefined && (eachFormat !== undefined || eachAll))
		throw new Failure(
			`--each-${eachAll ? "all" : "format"} needs --each <file>`,
		);
}

/** @throws {Failure} Where an output would replace a file that is read, or another output. */
export function checkReplaced(
	options: AuditCommandOptions,
	inputs: readonly string[],
): void {
	const names = ["out", ...sideOutputs] as const;
	checkOutputPaths(
		names.map((name) => [`--${name}`, options[name]]),
		inputs,
	);
}

/** Says on stderr what a reader of the result should know. */
function remark(report: AuditReport, formats: readonly FormatSummary[]): void {
	const { lines, unparsed, unparsedLines } = report;
	if (unparsed > 0) {
		const names = [...new Set(formats.map(({ name }) => name))];
		tell(
			`${count(unparsed, "line")} of ${lines.toLocaleString("en-US")} cannot be parsed as ${names.join(", ")}:`,
		);
		for (const { file, line, text } of unparsedLines)
			tell(`  ${file}:${line}: ${text}`);
		if (unparsed > unparsedLines.length)
			tell(
				`  … and ${(unparsed - unparsedLines.length).toLocaleString("en-US")} more`,
			);
	}
	for (const warning of report.warnings) tell(`warning: ${warning}`);
	if (report.withoutRobots > 0)
		tell(
			`${count(report.withoutRobots, "request")} of crawlers went to hosts, or came at times, that no --robots is for`,
		);
}
