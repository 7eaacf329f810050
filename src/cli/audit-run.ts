import { availableParallelism } from "node:os";
import { type AuditOptions, scanSettings } from "../log/audit.ts";
import {
	formatOf,
	formatOfString,
	jsonFormat,
	type LogFormat,
	parseFields,
	tells,
} from "../log/formats.ts";
import { checkHosts } from "../log/hosts.ts";
import { reportOf } from "../log/make-report.ts";
import { parseRanges, type RangeSource } from "../log/ranges.ts";
import type { AuditReport } from "../log/report.ts";
import { RuleBook } from "../log/rule-book.ts";
import { Totals } from "../log/totals.ts";
import { expandFiles, type LogInput, openInputs } from "./audit-inputs.ts";
import type { AuditCommandOptions } from "./audit-options.ts";
import { render } from "./audit-output.ts";
import { runTasks } from "./audit-pool.ts";
import { Progress } from "./audit-progress.ts";
import { readSources } from "./audit-robots.ts";
import { tasksOf } from "./audit-tasks.ts";
import { EXIT_FAILED, EXIT_FOUND, Failure } from "./failure.ts";
import { nameOf, readWholeText, STDIN } from "./input.ts";
import { count, tell, write } from "./output.ts";
import { OutputFile, writeOutput } from "./output-file.ts";

export async function audit(
	logs: readonly string[],
	options: AuditCommandOptions,
): Promise<void> {
	const { robots = [] } = options;
	if (robots.length === 0)
		throw new Failure(
			"required option '-r, --robots <[host=][time=]file>' not specified",
		);
	const files = await expandFiles(logs);
	if (robots.some((value) => /(^|=)-$/.test(value)) && files.includes(STDIN))
		throw new Failure("stdin cannot be both a robots.txt and a log");
	const format = forcedFormat(options);
	const settings: AuditOptions = {
		...options,
		robots: await readSources(robots, options.robotsSince),
		ranges: await Promise.all((options.verify ?? []).map(rangesOf)),
		format,
	};
	const inputs = await openInputs(files, format);
	checkHosts(inputs, settings.robots);
	const totals = await run(inputs, settings, options);
	const report = reportOf(
		totals,
		new RuleBook(settings.robots, settings),
		options.groupBy,
	);
	remark(report, inputs);
	await deliver(await render(report, options), options.out);
	if (options.strict && report.unparsed > 0) process.exitCode = EXIT_FAILED;
	else if (
		options.check &&
		report.crawlers.some(({ disallowed }) => disallowed > 0)
	)
		process.exitCode = EXIT_FOUND;
}

function forcedFormat(options: AuditCommandOptions): LogFormat | undefined {
	const { format, logFormat, fields } = options;
	if (logFormat !== undefined) {
		if (format !== undefined || fields !== undefined)
			throw new Failure(
				"--log-format cannot be used with --format or --fields",
			);
		return formatOfString(logFormat);
	}
	if (fields !== undefined) {
		if (format !== undefined && format !== "ndjson")
			throw new Failure(`--fields needs the format ndjson, not ${format}`);
		return jsonFormat(parseFields(fields));
	}
	return format === undefined ? undefined : formatOf(format);
}

async function rangesOf(value: string): Promise<RangeSource> {
	const [, name, file = value] = /^([^=/\\]+)=(.+)$/.exec(value) ?? [];
	return parseRanges(await readWholeText(file), nameOf(file), name);
}

/** Scans all of the input, in threads where that is worth it. */
async function run(
	inputs: readonly LogInput[],
	settings: AuditOptions,
	options: AuditCommandOptions,
): Promise<Totals> {
	const tasks = tasksOf(inputs);
	const totals = new Totals();
	const size = inputs.reduce((sum, input) => sum + input.size, 0);
	const progress = new Progress(size, options.progress);
	const violations =
		options.violations === undefined
			? undefined
			: await OutputFile.open(options.violations);
	try {
		for await (const { task, segment, bytes } of runTasks(
			tasks,
			scanSettings(settings, violations !== undefined),
			options.workers ?? workersFor(size),
		)) {
			totals.append(task.name, segment);
			progress.advance(bytes, totals.counters[0] ?? 0);
			if (segment.violations.length > 0)
				await violations?.write(Buffer.concat(segment.violations));
			// Once a segment is merged, timers and signals have their turn.
			await new Promise(setImmediate);
		}
	} catch (error) {
		await violations?.discard();
		throw error;
	} finally {
		progress.end();
	}
	await violations?.commit();
	return totals;
}

/** A thread takes 20 ms to start, and 10 to 20 MB. */
const WORTH_A_THREAD = 64 * 1024 * 1024;
const MOST_THREADS = 4;

function workersFor(size: number): number {
	return Math.min(
		availableParallelism(),
		MOST_THREADS,
		Math.ceil(size / WORTH_A_THREAD),
	);
}

async function deliver(text: string, out: string | undefined): Promise<void> {
	if (out === undefined) await write(text);
	else await writeOutput(out, [Buffer.from(text)]);
}

/** Says on stderr what a reader of the result should know. */
function remark(report: AuditReport, inputs: readonly LogInput[]): void {
	const { lines, unparsed, unparsedLines } = report;
	if (unparsed > 0) {
		const names = [...new Set(inputs.map(({ format }) => format.name))];
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
	const silent = inputs.find(({ format }) => !tells(format, "agent"));
	if (silent && report.judged === 0)
		tell(
			`warning: lines of the format ${silent.format.name} have no User-Agent header, so nobody is judged; --default-agent says whose they are`,
		);
	if (report.withoutRobots > 0)
		tell(
			`${count(report.withoutRobots, "request")} of crawlers went to hosts, or came at times, that no --robots is for`,
		);
}
