/**
 * What options and the files they name decide before a log is opened: settings, robots.txt files, lists and who asks DNS. run.ts, compare.ts and
 * follow.ts begin with it.
 */
import {
	type AuditOptions,
	fieldFormats,
	formatOf,
	jsonFormat,
	type LogFormat,
	parseRanges,
	type RangeSource,
} from "@robotrie/audit";
import { readNetworks } from "@robotrie/audit/files";
import { isFolder } from "#sites/files/stat";
import { nameOf, readWholeText, STDIN } from "../input/input.ts";
import { Failure } from "../output/output.ts";
import { checkReadable, expandLogs, readSources, sourceOf } from "./inputs.ts";
import type { AuditCommandOptions } from "./options.ts";
import { checkCounts, checkOutputs, checkReplaced } from "./report.ts";
import { CachedDns, checkResolve } from "./resolve.ts";

/**
 * For a list of headers none is needed. A robots.txt is needed for a verdict, but `--list-headers`
 * reports about headers alone.
 */
const NO_ROBOTS = [{ file: "(none)", bytes: new Uint8Array(0) }];

/** What an audit is going to do: everything that options and the files they name decide, before a log is opened. */
export interface Plan {
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
 * What can fail without work fails first, so that nobody waits an hour for the message that an output cannot be written.
 * @param patience Milliseconds that DNS has.
 * @throws {Failure} For options that contradict each other, and for files of theirs that cannot be read or would be replaced.
 */
export async function planOf(
	logs: readonly string[],
	options: AuditCommandOptions,
	patience?: number,
): Promise<Plan> {
	checkOutputs(options);
	checkCounts(options);
	checkResolve(options);
	if (options.listHeaders) checkList(options);
	const { robots = [], listHeaders, timeZone, every } = options;
	const since = options.since?.(timeZone);
	const until = options.until?.(timeZone);
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
	const dns = options.resolve
		? await CachedDns.open(options, patience)
		: undefined;
	const settings: AuditOptions = {
		...readingSettings(options),
		agents: options.agents,
		defaultAgent: options.defaultAgent,
		since,
		until,
		robots:
			robots.length > 0
				? await readSources(robots, options.robotsSince?.(timeZone), timeZone)
				: NO_ROBOTS,
		ranges: await Promise.all((options.verify ?? []).map(rangesOf)).then(
			(lists) => lists.flat(),
		),
		resolve: dns?.dns,
		systemOf: await systemsOf(options.asn),
		people: await patternsOf(options.people),
		// A file's purposes end with it.
		crawlers: await patternsOf(options.crawlers, "\n[]"),
		trustedProxies: options.trustedProxy,
		where: options.where,
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

async function systemsOf(files: readonly string[] | undefined) {
	if (!files) return undefined;
	await checkReadable(files);
	return readNetworks(files.map(sourceOf));
}

function readingSettings({ dialect, maxBytes }: AuditCommandOptions) {
	return { dialect, ...(maxBytes === undefined ? {} : { maxBytes }) };
}

/** Characters that a key needs at least, as `anonymizeKey` does: that says the same without how to make one. */
const SHORTEST_KEY = 16;

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
	const names = ["state", "each", "violations", "check", "suggest", "metrics"];
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
		if (!logFormat.startsWith("@")) return formatOf(logFormat);
		// A name has no slash, so that a colon in a path does not begin one.
		const [, file = "", name] = /^@(.+?)(?::([\w.-]+))?$/.exec(logFormat) ?? [];
		return formatOf(await readWholeText(file), name);
	}
	if (fields !== undefined) {
		if (format !== undefined && !fieldFormats.includes(format))
			throw new Failure(
				`--fields needs the format ${fieldFormats.join(" or ")}, not ${format}`,
			);
		return jsonFormat(fields);
	}
	return format === undefined ? undefined : formatOf(format);
}

/** The patterns of some files, as one text; a blank file adds nothing. */
async function patternsOf(
	files: readonly string[] = [],
	end = "",
): Promise<string> {
	const texts = await Promise.all(files.map(readWholeText));
	return texts.map((text) => `${text}${end}\n`).join("");
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
	if (isFolder(file)) {
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
