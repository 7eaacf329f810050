/**
 * Where an audit's report goes: to stdout or a file at the end (`finish`), or again and again while a log grows (`LiveReport`). It also checks
 * that outputs neither replace an input nor each other, and sets the exit code.
 */
import {
	type AuditReport,
	checkReport,
	compareReports,
	csvReport,
	htmlReport,
	openMetrics,
	suggestions,
	textComparison,
	textReport,
} from "@robotrie/audit";
import { count } from "#robotrie/common/wording";
import {
	EXIT_FAILED,
	EXIT_FOUND,
	Failure,
	paint,
	printable,
	tell,
	write,
} from "../output/output.ts";
import { checkOutputPaths, writeOutput } from "../output/output-file.ts";
import type { MetricsServer } from "./metrics-server.ts";
import {
	type FollowOptions,
	type ReportOptions,
	suggestionKinds,
} from "./options.ts";

/**
 * Writes a report where the options say, with remarks on stderr, and sets the exit code. The exit
 * code says three things apart: done, found something (`--check`), could not be done. A report that
 * is mostly about other lines is the third.
 */
export async function finish(
	report: AuditReport,
	formats: readonly string[],
	options: ReportOptions,
): Promise<void> {
	// Remarks first, so that they are read even if stdout is a pipe.
	remark(report, formats);
	await deliver(report, options);
	const { violations, problems } = checkReport(report);
	const isForeign = problems.includes("unparsed");
	if (isForeign)
		tell(
			"more than half of the lines cannot be parsed: the report is about the others; --format, --log-format or --fields says how to read them",
		);
	const isInVain = options.check === true && problems.includes("no-robots");
	if (isInVain) tell("nothing was checked: no robots.txt can be read as such");
	const isSilent = problems.includes("not-judged");
	if (isSilent) tell(`nothing was judged: ${unjudged(report)}`);
	if (
		isForeign ||
		isInVain ||
		isSilent ||
		(options.strict && report.unparsed > 0)
	)
		process.exitCode = EXIT_FAILED;
	else if (options.check && violations > 0) process.exitCode = EXIT_FOUND;
}

/** Writes what changed from one report to another. */
export async function writeComparison(
	before: AuditReport,
	after: AuditReport,
	{ output, out, top }: ReportOptions,
): Promise<void> {
	const text =
		output === "json"
			? `${JSON.stringify(compareReports(before, after), null, 2)}\n`
			: await textComparison(before, after, { top, commandHints: true });
	if (out === undefined) await write(text);
	else await writeOutput(out, [Buffer.from(text)]);
}

/** Why nothing was judged. */
function unjudged({ withoutAgent, withoutRobots }: AuditReport): string {
	const reasons = [
		withoutAgent > 0 &&
			`${count(withoutAgent, "request")} without a User-Agent header`,
		withoutRobots > 0 &&
			`${count(withoutRobots, "request")} of crawlers to hosts that no --robots is for`,
	];
	return reasons.filter((reason) => reason !== false).join(", ");
}

/** Stdout is the report's, unless an option writes something else there. */
async function deliver(
	report: AuditReport,
	options: ReportOptions,
): Promise<void> {
	const { out, metrics } = options;
	if (metrics === STDOUT) await write(await metricsOf(report, options));
	else if (metrics !== undefined) await writeMetrics(report, options, metrics);
	if (out !== undefined)
		// A report is written at once: it is small, and half of one is of no use.
		await writeOutput(out, [await renderBytes(report, options)]);
	else if (!takesStdout(options)) await write(await render(report, options));
}

/** Prometheus may read the file at any time, so that it is replaced as a whole. */
async function writeMetrics(
	report: AuditReport,
	options: ReportOptions,
	file: string,
): Promise<void> {
	await writeOutput(file, [Buffer.from(await metricsOf(report, options))]);
}

function metricsOf(
	report: AuditReport,
	{ agents = [] }: ReportOptions,
): Promise<string> {
	return openMetrics(
		report,
		agents.map((name) => name.replace(/^\+/, "")),
	);
}

/** What stands for stdout in place of a file. */
export const STDOUT = "-";

const sideOutputs = ["violations", "each", "state", "metrics"] as const;

/**
 * Whether something else than the report goes to stdout. More than one of them would be mixed up on
 * one stream.
 */
export function takesStdout(options: ReportOptions): boolean {
	return sideOutputs.some((name) => options[name] === STDOUT);
}

/** @throws {Failure} For an output that is one table, of a report that has two. */
function refuseTable(output: ReportOptions["output"]): void {
	if (output === "csv" || output === "parquet")
		throw new Failure(
			`${output} is one table: give --every or --suspects, or -o json, which has both`,
		);
}

/** @throws {Failure} For outputs that do not go together. */
export function checkOutputs(options: ReportOptions): void {
	const names = sideOutputs.filter((name) => options[name] === STDOUT);
	if (names.length > 1)
		throw new Failure(
			`--${names.join(" and --")} cannot both be written to stdout`,
		);
	// Options that have no effect are errors: a person who gives one expects something of it.
	const { each, eachFormat, eachAll, out } = options;
	// A terminal would take bytes for commands.
	if (
		process.stdout.isTTY &&
		((options.output === "parquet" && out === undefined) ||
			(each === STDOUT && eachFormat === "parquet"))
	)
		throw new Failure(
			"Parquet is not for terminals: name a file, as in --out report.parquet",
		);
	if (each === undefined && (eachFormat !== undefined || eachAll))
		throw new Failure(
			`--each-${eachAll ? "all" : "format"} needs --each <file>`,
		);
}

/** @throws {Failure} For outputs that do not go with what is counted. */
export function checkCounts(options: FollowOptions): void {
	const { suspects, every, output, groupBy } = options;
	if (suspects && every !== undefined) refuseTable(output);
	const counts = options.metrics ?? options.metricsPort;
	// Anybody could make up as many names of time series as they like.
	if (counts !== undefined && !/^(?:name|category)$/.test(groupBy))
		throw new Failure(`--metrics counts by name or category, not ${groupBy}`);
}

/**
 * Checked before anything is read, so that no log is scanned in vain.
 * @throws {Failure} Where an output would replace a file that is read, or another output.
 */
export function checkReplaced(
	options: ReportOptions,
	inputs: readonly string[],
): void {
	const names = ["out", ...sideOutputs] as const;
	checkOutputPaths(
		names.map((name) => [`--${name}`, options[name]]),
		inputs,
	);
}

/** Says on stderr what a reader of the result should know. */
function remark(report: AuditReport, formats: readonly string[]): void {
	const { lines, unparsed, unparsedLines } = report;
	if (unparsed > 0) {
		const names = new Set([
			...formats,
			...report.formats.map(({ name }) => name),
		]);
		tell(
			`${count(unparsed, "line")} of ${lines.toLocaleString("en-US")} cannot be parsed as ${[...names].join(", ")}${unparsedLines.length > 0 ? ":" : ""}`,
		);
		for (const { file, line, text } of unparsedLines)
			tell(`  ${file}:${line}: ${text}`);
		// With --anonymize none is named.
		if (unparsed > unparsedLines.length && unparsedLines.length > 0)
			tell(
				`  … and ${(unparsed - unparsedLines.length).toLocaleString("en-US")} more`,
			);
	}
	for (const warning of report.warnings) tell(`warning: ${warning}`);
	// Such requests are in no crawler's row, so they would go unnoticed.
	if (report.withoutRobots > 0)
		tell(
			`${count(report.withoutRobots, "request")} of crawlers went to hosts, or came at times, that no --robots is for`,
		);
}

/**
 * A report as `--output` asks for it. Each format is loaded when it is asked for: a table alone
 * does not need csv-stringify.
 */
async function render(
	report: AuditReport,
	options: ReportOptions,
): Promise<string | Uint8Array> {
	const { output, top, out, listHeaders, suggest } = options;
	if (listHeaders) return headerList(report, options);
	if (suggest) return suggestions(report)[suggestionKinds[suggest]];
	// Of states that are merged, only they know what they have.
	if (report.suspects && report.every !== null) refuseTable(output);
	switch (output) {
		case "json":
			return `${JSON.stringify(report, null, 2)}\n`;
		case "ndjson":
			return report.crawlers
				.map((crawler) => `${JSON.stringify(crawler)}\n`)
				.join("");
		case "csv":
			return csvReport(report);
		case "parquet":
			return (await import("./parquet.ts")).parquetReport(report);
		case "html":
			return htmlReport(report);
		case "table":
			return textReport(report, textOptions(top, out === undefined));
	}
}

/** Columns of a page; wider terminals show longer names and paths. */
const WIDTH = 80;

/** A file has the width of a page, and no colours. */
function textOptions(top: number, isOnStdout: boolean) {
	const width = isOnStdout
		? Math.max(process.stdout.columns ?? WIDTH, WIDTH)
		: WIDTH;
	const colors = isOnStdout && paint("bold", "x") !== "x";
	return { top, width, colors, commandHints: true };
}

async function renderBytes(
	report: AuditReport,
	options: ReportOptions,
): Promise<Uint8Array> {
	return Buffer.from(await render(report, options));
}

/** Which User-Agent headers are counted as people's and which as crawlers', those of most requests first. */
function headerList(
	report: AuditReport,
	{ output, top }: ReportOptions,
): string {
	const rows = report.crawlers
		.map(({ name, category, requests }) => ({
			header: name,
			category,
			requests,
		}))
		.sort((a, b) => b.requests - a.requests || (a.header < b.header ? -1 : 1));
	if (output === "json") return `${JSON.stringify(rows, null, 2)}\n`;
	if (output === "ndjson")
		return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
	const shown = rows.slice(0, top);
	const hidden = rows.length - shown.length;
	const lines = shown.map(
		({ header, category, requests }) =>
			`${requests.toLocaleString("en-US").padStart(11)}  ${category.padEnd(12)}  ${printable(header)}`,
	);
	if (hidden > 0)
		lines.push(
			`… and ${count(hidden, "more header")}; --top ${rows.length} shows all`,
		);
	return `   requests  counted as    header\n${lines.join("\n")}\n`;
}

/**
 * Milliseconds between two tables, on a terminal and elsewhere. A pipe gets fewer of them, as each
 * is kept.
 */
const REPAINT = 1000;
const REPRINT = 10_000;

/** Of a terminal that does not say. */
const ROWS = 25;

const CLEAR = "\x1b[2J\x1b[H";

/** Tells when something is due that is done now and then, if there is something new: `touch` says that there is. */
export class Period {
	readonly #milliseconds: number | undefined;
	#lastAt = Number.NEGATIVE_INFINITY;
	#isNew = false;
	#timer: NodeJS.Timeout | undefined;
	#waiting: Promise<this> | undefined;

	/** @param milliseconds Undefined if each call of `due` says it. */
	constructor(milliseconds?: number) {
		this.#milliseconds = milliseconds;
	}

	touch(): void {
		this.#isNew = true;
	}

	/**
	 * Resolves when it is due. With nothing new it is a promise that never resolves, so that the race of `follow` waits for the rest.
	 */
	due(milliseconds = Number.POSITIVE_INFINITY): Promise<this> {
		const period = this.#milliseconds ?? milliseconds;
		if (!this.#isNew || period === Number.POSITIVE_INFINITY)
			return new Promise(() => {});
		this.#waiting ??= new Promise((resolve) => {
			// It counts from the last time, not from the last change.
			const wait = this.#lastAt + period - performance.now();
			this.#timer = setTimeout(() => resolve(this), Math.max(0, wait));
		});
		return this.#waiting;
	}

	/** It is done now. */
	begin(): void {
		this.#waiting = undefined;
		this.#isNew = false;
		this.#lastAt = performance.now();
	}

	/** Whether it was done. */
	get hasBegun(): boolean {
		return Number.isFinite(this.#lastAt);
	}

	end(): void {
		clearTimeout(this.#timer);
	}
}

/**
 * The report on what was read so far, shown or written now and then, if there is something new. A
 * report may be asked for while lines come: `touch` says that there is something new, `due` when it
 * may be shown.
 */
export class LiveReport {
	readonly #options: FollowOptions;
	readonly #period: Period;
	readonly #isPainted: boolean;
	/** Whether the report itself is shown now and then, not only metrics. */
	readonly #isReported: boolean;
	/** What serves metrics, with --metrics-port. */
	#server: MetricsServer | undefined;

	constructor(options: FollowOptions) {
		const { interval, metrics, metricsPort, out, output } = options;
		const isShown = out === undefined && !takesStdout(options);
		this.#options = options;
		this.#isReported =
			interval !== undefined || (isShown && output === "table");
		this.#isPainted = isShown && output === "table" && process.stdout.isTTY;
		const period =
			interval ??
			// Without an interval, only a table is repainted; a file format is written once, at the end.
			(this.#isReported
				? this.#isPainted
					? REPAINT
					: REPRINT
				: metricsPort !== undefined ||
						(metrics !== undefined && metrics !== STDOUT)
					? REPRINT
					: Number.POSITIVE_INFINITY);
		this.#period = new Period(period);
	}

	/** Serves metrics if they are asked for, at first those of this report. @throws {Failure} Where it cannot. */
	async serve(report: AuditReport): Promise<void> {
		const { metricsPort } = this.#options;
		if (metricsPort === undefined) return;
		const { MetricsServer } = await import("./metrics-server.ts");
		const text = await metricsOf(report, this.#options);
		this.#server = await MetricsServer.listen(metricsPort, text);
	}

	/** There is something new. */
	touch(): void {
		this.#period.touch();
	}

	/** Resolves when the report is to be shown. */
	due(): Promise<unknown> {
		return this.#period.due();
	}

	async show(report: AuditReport): Promise<void> {
		this.#period.begin();
		const { out, metrics } = this.#options;
		if (metrics !== undefined && metrics !== STDOUT)
			await writeMetrics(report, this.#options, metrics);
		this.#server?.set(await metricsOf(report, this.#options));
		if (!this.#isReported) return;
		if (out !== undefined) {
			await writeOutput(out, [await renderBytes(report, this.#options)]);
			return;
		}
		if (takesStdout(this.#options)) return;
		const text = await render(report, this.#options);
		if (typeof text !== "string") await write(text);
		else if (this.#isPainted) await write(CLEAR + cut(text));
		else await write(this.#options.output === "table" ? `${text}\n` : text);
	}

	/** Makes room for the last report. */
	end(): void {
		this.#server?.close();
		this.#period.end();
		if (this.#isPainted && this.#period.hasBegun) process.stdout.write(CLEAR);
	}
}

/**
 * What of a text fits the terminal. A repainted table may not scroll, or the cursor is lost.
 */
function cut(text: string): string {
	const rows = Math.max((process.stdout.rows || ROWS) - 1, 1);
	return text.split("\n").slice(0, rows).join("\n");
}
