/**
 * An audit from options to report: reads robots.txt files and other lists, opens the logs, scans them here or in threads, and writes the
 * report. audit.ts calls it. Whatever the number of threads, what came of lines is merged in the order of the input, so that a report has the
 * same bytes.
 */
import { statSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import {
	type AuditOptions,
	type AuditReport,
	formatOf,
	jsonFormat,
	type LogFormat,
	parseRanges,
	type RangeSource,
} from "@robotrie/audit";
import {
	anonymizing,
	calendarOf,
	checkHosts,
	fieldFormats,
	formatOfString,
	headerPatterns,
	LogScanner,
	type NetworkNames,
	parseFields,
	ResolvingAhead,
	RuleBook,
	reportOf,
	type ScanSettings,
	SHORTEST_KEY,
	scanSettings,
	summaryOf,
	Totals,
	Where,
} from "@robotrie/audit/internal";
import { nameOf, readWholeText, STDIN } from "../input/input.ts";
import { workersFor } from "../options/options.ts";
import { Failure, tell } from "../output/output.ts";
import { Progress } from "../output/progress.ts";
import {
	expandLogs,
	type LogInput,
	openInputs,
	readSources,
	remarkProxies,
	sameLogs,
} from "./inputs.ts";
import { type AuditCommandOptions, eachFormat, periodOf } from "./options.ts";
import {
	checkOutputs,
	checkReplaced,
	finish,
	writeComparison,
} from "./report.ts";
import { CachedDns, checkResolve } from "./resolve.ts";
import { SideOutputs } from "./side-outputs.ts";
import {
	rowWriter,
	runTask,
	type ScannedTask,
	type Task,
	tasksOf,
} from "./tasks.ts";

/**
 * For a list of headers none is needed. A robots.txt is needed for a verdict, but `--list-headers`
 * reports about headers alone.
 */
const NO_ROBOTS = [{ file: "(none)", bytes: new Uint8Array(0) }];

/** What an audit is going to do: everything that options and the files they name decide, before a log is opened. */
interface Plan {
	/** Logs, with patterns resolved. */
	readonly files: readonly string[];
	/** The format that options ask for, or undefined where each log's lines decide. */
	readonly format: LogFormat | undefined;
	/** One object for the scanner, the report and the states, so that they cannot differ. */
	readonly settings: AuditOptions;
	/** Who asks DNS, with --resolve. */
	readonly dns: CachedDns | undefined;
}

/**
 * Plans, then runs: what can fail without work fails first, so that nobody waits an hour for the
 * message that an output cannot be written.
 */
export async function audit(
	logs: readonly string[],
	options: AuditCommandOptions,
): Promise<void> {
	checkOutputs(options);
	checkResolve(options);
	if (options.listHeaders) checkList(options);
	if (options.merge) {
		// States hold counts and the settings they were made with: there is nothing to plan.
		const { mergeStates } = await import("./state.ts");
		return mergeStates(logs, options);
	}
	if (options.compare && logs.some((log) => periodOf(log)))
		return comparePeriods(logs, options);
	if (options.compare) {
		const { compareStates } = await import("./state.ts");
		return compareStates(logs, options);
	}
	const plan = await planOf(logs, options);
	if (options.follow) {
		const { follow } = await import("./follow.ts");
		const scan = scanSettingsOf(plan.settings, options);
		return follow(plan.files, plan.settings, scan, options, plan.dns);
	}
	return writeReport(plan, options);
}

/** @throws {Failure} For options that contradict each other, and for files of theirs that cannot be read or would be replaced. */
async function planOf(
	logs: readonly string[],
	options: AuditCommandOptions,
): Promise<Plan> {
	const { robots = [], listHeaders, timeZone, every } = options;
	const calendar = calendarOf({ timeZone });
	const since = options.since?.(calendar);
	const until = options.until?.(calendar);
	if (since && until && since >= until)
		throw new Failure("--until has to be later than --since");
	if (robots.length === 0 && !listHeaders)
		throw new Failure(
			"required option '-r, --robots <[host=][time=]file>' not specified",
		);
	// Patterns of logs are resolved before anything is fetched: a misspelt name fails at once.
	const files = await expandLogs(logs);
	if (robots.some((value) => /(^|=)-$/.test(value)) && files.includes(STDIN))
		throw new Failure("stdin cannot be both a robots.txt and a log");
	const format = await forcedFormat(options);
	const dns = options.resolve ? await CachedDns.open(options) : undefined;
	const settings: AuditOptions = {
		...readingSettings(options),
		agents: options.agents,
		defaultAgent: options.defaultAgent,
		since,
		until,
		robots:
			robots.length > 0
				? await readSources(robots, options.robotsSince?.(calendar), calendar)
				: NO_ROBOTS,
		ranges: await Promise.all((options.verify ?? []).map(rangesOf)).then(
			(lists) => lists.flat(),
		),
		resolve: dns?.lookups,
		systemOf: await systemsOf(options.asn),
		people: await patternsOf(options.people),
		// A file's purposes end with it.
		crawlers: await patternsOf(options.crawlers, ["[]"]),
		trustedProxies: options.trustedProxy,
		where: whereOf(options.where),
		timeZone: timeZone === "UTC" ? undefined : timeZone,
		every,
		paths: options.paths,
		suspects: options.suspects,
		anonymize: options.anonymize,
		anonymizeKey: await keyOf(options.anonymizeKey),
		// A list of headers is a report by header; it shares all code with one.
		groupBy: listHeaders ? "header" : options.groupBy,
		format,
	};
	anonymizing(settings);
	checkReplaced(options, [
		...files,
		...settings.robots.map(({ file }) => file),
		...(options.people ?? []),
		...(options.crawlers ?? []),
		...(options.verify ?? []).map((value) => namedFile(value).file),
		...(options.anonymizeKey === undefined ? [] : [options.anonymizeKey]),
		...(dns ? [dns.file] : []),
		...(options.asn ?? []),
	]);
	return { files, format, settings, dns };
}

/**
 * What changed from one period of the logs to another. The logs are read once for each.
 * @throws {Failure} Unless the first two arguments are periods, and the others files.
 */
async function comparePeriods(
	given: readonly string[],
	options: AuditCommandOptions,
): Promise<void> {
	const calendar = calendarOf(options);
	const periods = given
		.slice(0, 2)
		.flatMap((text) => periodOf(text, calendar) ?? []);
	const logs = given.slice(2);
	if (periods.length !== 2 || logs.some((text) => periodOf(text)))
		throw new Failure(
			"--compare needs two periods, then logs, as in --compare 2026-01-01..2026-01-31 2026-02-01.. access.log",
		);
	for (const { text, since, until } of periods)
		if (since && until && since >= until)
			throw new Failure(`the period ${text} ends before it begins`);
	if (logs.length === 0 || logs.includes(STDIN))
		throw new Failure(
			"--compare reads logs once for each period: name files, as stdin can be read once",
		);
	const { files, format, settings, dns } = await planOf(logs, options);
	const reports: AuditReport[] = [];
	for (const { since, until } of periods) {
		const inputs = await openInputs(files, format);
		if (inputs.some(({ kind }) => kind === "once"))
			throw new Failure(
				"--compare reads logs once for each period, and a pipe can be read once",
			);
		reports.push(
			await reportOn(inputs, { ...settings, since, until }, options, dns),
		);
	}
	await dns?.end();
	const [before, after] = reports as [AuditReport, AuditReport];
	await writeComparison(before, after, options);
}

/** Scans logs and makes the report: from totals, so it does not depend on who scanned what. */
async function reportOn(
	inputs: readonly LogInput[],
	settings: AuditOptions,
	options: AuditCommandOptions,
	dns: CachedDns | undefined,
): Promise<AuditReport> {
	checkHosts(inputs, settings.robots);
	if (settings.trustedProxies) remarkProxies(inputs);
	return reportOf(
		await scan(inputs, settings, options, dns),
		new RuleBook(settings.robots, settings),
		settings.groupBy ?? "name",
	);
}

/** Opens the logs, scans them, and writes the report. */
async function writeReport(
	{ files, format, settings, dns }: Plan,
	options: AuditCommandOptions,
): Promise<void> {
	const inputs = await openInputs(files, format);
	const report = await reportOn(inputs, settings, options, dns);
	await dns?.end();
	const formats = inputs.map(({ format }) => summaryOf(format));
	// After the report: reading whole logs again is only worth it once there is one.
	for (const text of await sameLogs(inputs)) tell(`warning: ${text}`);
	await finish(report, formats, options);
}

/** Only an audit with --asn loads what reads such files. */
async function systemsOf(files: readonly string[] | undefined) {
	if (!files) return undefined;
	const { readAsn } = await import("./asn.ts");
	return readAsn(files);
}

function readingSettings({ dialect, maxBytes }: AuditCommandOptions) {
	return { dialect, ...(maxBytes === undefined ? {} : { maxBytes }) };
}

/** The conditions of --where. @throws {RobotrieError} For one that is none, before a log is opened. */
function whereOf(where: readonly string[] | undefined) {
	new Where(where ?? []);
	return where;
}

/**
 * The key for addresses, of a file or a variable; never of the command line itself, which other users of the machine can see.
 * @throws {Failure} Without one, or for one that is too short.
 */
async function keyOf(value: string | undefined): Promise<string | undefined> {
	if (value === undefined) return undefined;
	const [, name] = /^env:(\w+)$/.exec(value) ?? [];
	const text =
		name === undefined ? await readWholeText(value) : process.env[name];
	if (text === undefined)
		throw new Failure(`the environment variable ${name} is not set`);
	const key = text.trim();
	if (key.length < SHORTEST_KEY)
		throw new Failure(
			`the key for addresses needs at least ${SHORTEST_KEY} characters, as from openssl rand -hex 16`,
		);
	return key;
}

/** @throws {Failure} For options that a list of headers has no use for. */
function checkList(options: AuditCommandOptions): void {
	// A list of headers has no verdicts, so nothing about verdicts may be asked for.
	const names = [
		...["merge", "state", "follow", "each", "violations", "check"],
		...["suggest", "metrics", "metricsPort"],
	];
	const useless = names.find((name) => name in options);
	if (useless)
		throw new Failure(`--list-headers cannot be used with --${useless}`);
	const { output } = options;
	if (output === "csv" || output === "html" || output === "parquet")
		throw new Failure(
			`--list-headers writes a table, json or ndjson, not ${output}`,
		);
}

async function forcedFormat(
	options: AuditCommandOptions,
): Promise<LogFormat | undefined> {
	// A format string or fields decide by themselves; both together would contradict each other.
	const { format, logFormat, fields } = options;
	if (logFormat !== undefined) {
		if (format !== undefined || fields !== undefined)
			throw new Failure(
				"--log-format cannot be used with --format or --fields",
			);
		if (!logFormat.startsWith("@")) return formatOfString(logFormat);
		// A name has no slash, so that a colon in a path does not begin one.
		const [, file = "", name] = /^@(.+?)(?::([\w.-]+))?$/.exec(logFormat) ?? [];
		return formatOfString(await readWholeText(file), name);
	}
	if (fields !== undefined) {
		if (format !== undefined && !fieldFormats.includes(format))
			throw new Failure(
				`--fields needs the format ${fieldFormats.join(" or ")}, not ${format}`,
			);
		return jsonFormat(parseFields(fields));
	}
	return format === undefined ? undefined : formatOf(format);
}

/**
 * The patterns of some files. Patterns of several files make one list; a blank file adds nothing.
 */
async function patternsOf(
	files: readonly string[] = [],
	end: readonly string[] = [],
): Promise<readonly string[]> {
	const lists = await Promise.all(
		files.map(async (file) => headerPatterns(await readWholeText(file))),
	);
	return lists.flatMap((list) => [...list, ...end]);
}

/**
 * NAME=FILE or FILE. A file may contain "=", so only a plain name before it counts.
 */
function namedFile(value: string) {
	const [, name, file = value] = /^([^=/\\]+)=(.+)$/.exec(value) ?? [];
	return { name, file };
}

/** The ranges of a file, or of a folder of lists. */
async function rangesOf(value: string): Promise<readonly RangeSource[]> {
	const { name, file } = namedFile(value);
	if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
		if (name !== undefined)
			throw new Failure(
				`--verify takes a folder without a name: its lists say whose they are, not ${name}`,
			);
		const { rangesOfFolder } = await import("./crawler-lists.ts");
		return rangesOfFolder(file);
	}
	const ranges = parseRanges(await readWholeText(file), nameOf(file), name);
	return [ranges];
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
	const outputs = await SideOutputs.open(options, settings, inputs.length < 2);
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

/** The settings with what the options have written line by line. */
function scanSettingsOf(
	settings: AuditOptions,
	options: AuditCommandOptions,
): ScanSettings {
	// Violations keep whole lines, which is why the settings say so.
	const scan = scanSettings(
		settings,
		options.violations !== undefined,
		options.listHeaders,
	);
	if (options.each === undefined) return scan;
	const all = options.eachAll ?? false;
	const format = eachFormat(options) === "csv" ? "csv" : "ndjson";
	return { ...scan, each: { format, all } };
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
