/**
 * The options of `robotrie audit`: their declarations and the type of what the handlers read, side by side. audit.ts adds them to the command;
 * options.test.ts is red for one that nobody reads.
 */

import {
	type Every,
	formatNames,
	formatOf,
	type GroupBy,
	parseTime,
	type Suggestions,
} from "@robotrie/audit";
import { type Command, InvalidArgumentError, Option } from "commander";
import leven from "leven";
import { timeOf } from "#sites/files/dates";
import {
	progressOptions,
	type ReadingOptions,
	readingOptions,
} from "../options/options.ts";

/** How a report is written: all that `robotrie audit merge` has, as states hold counts and the settings they were made with. */
export interface ReportOptions {
	readonly output: "table" | "json" | "ndjson" | "csv" | "html" | "parquet";
	readonly json?: boolean;
	readonly out?: string;
	readonly top: number;
	readonly suggest?: SuggestionKind;
	readonly check?: boolean;
	readonly strict?: boolean;
	readonly metrics?: string;
	readonly state?: string;
	// Of lines, which states do not have.
	readonly agents?: readonly string[];
	readonly listHeaders?: boolean;
	readonly violations?: string;
	readonly each?: string;
	readonly eachFormat?: EachOutput;
	readonly eachAll?: boolean;
}

/**
 * What is read, and how it is counted. A field for each option, so that a handler that reads one fails to compile if it is gone. Options
 * whose values are lists collect them (`collect`).
 */
export interface AuditCommandOptions extends ReportOptions, ReadingOptions {
	readonly robots?: readonly string[];
	readonly robotsSince?: GivenTime;
	readonly format?: string;
	readonly logFormat?: string;
	readonly fields?: string;
	readonly defaultAgent?: string;
	readonly people?: readonly string[];
	readonly crawlers?: readonly string[];
	readonly trustedProxy?: readonly string[];
	readonly groupBy: GroupBy;
	readonly verify?: readonly string[];
	readonly asn?: readonly string[];
	readonly resolve?: boolean;
	readonly resolveCache?: string;
	readonly resolveServer?: readonly string[];
	readonly since?: GivenTime;
	readonly until?: GivenTime;
	readonly timeZone?: string;
	readonly every?: Every;
	readonly paths?: boolean;
	readonly suspects?: boolean;
	readonly where?: readonly string[];
	readonly anonymize?: boolean;
	readonly anonymizeKey?: string;
	readonly workers?: number;
	readonly progress?: boolean;
}

/** Of `robotrie audit follow`. */
export interface FollowOptions extends AuditCommandOptions {
	/** Milliseconds. */
	readonly interval?: number;
	readonly metricsPort?: string;
}

/** A time that an option says; where it has no offset, the time zone decides. */
type GivenTime = (timeZone: string | undefined) => Date;

/** The texts of `suggestions`, by what --suggest calls them. */
export const suggestionKinds = {
	"robots.txt": "robotsTxt",
	nginx: "nginx",
	apache: "apache",
	cloudflare: "cloudflare",
	addresses: "addresses",
} as const satisfies Readonly<Record<string, keyof Suggestions>>;

type SuggestionKind = keyof typeof suggestionKinds;

/** Headings of the help, the one that most people need first; what stands nowhere comes last. */
const groups: Readonly<Record<string, readonly (keyof FollowOptions)[]>> = {
	"What most audits need": [
		...(["robots", "format", "output", "out", "agents", "since"] as const),
		...(["until", "verify", "resolve", "suggest"] as const),
	],
	"What is counted, and how": [
		...(["groupBy", "where", "paths", "suspects", "top"] as const),
		...(["timeZone", "every"] as const),
	],
	"How robots.txt and logs are read": [
		...(["robotsSince", "dialect", "maxBytes", "logFormat"] as const),
		...(["fields", "trustedProxy", "strict", "workers"] as const),
	],
	"Who counts as what": [
		...(["crawlers", "people", "defaultAgent", "listHeaders"] as const),
		...(["asn", "resolveCache", "resolveServer"] as const),
	],
	"Other outputs": [
		...(["json", "check", "violations", "each", "eachFormat"] as const),
		...(["eachAll", "metrics", "anonymize", "anonymizeKey"] as const),
	],
	"Logs that grow, and parts of logs": ["interval", "metricsPort", "state"],
};

/** Declares options under the headings of the help. */
export function declare(command: Command, options: readonly Option[]): void {
	for (const option of options) {
		const name = option.attributeName() as keyof FollowOptions;
		const [heading] =
			Object.entries(groups).find(([, names]) => names.includes(name)) ?? [];
		command.addOption(heading ? option.helpGroup(`${heading}:`) : option);
	}
}

function option<T>(
	flags: string,
	text: string,
	parse?: (value: string, before: T) => T,
): Option {
	const made = new Option(flags, text);
	return parse ? made.argParser(parse) : made;
}

// Functions, as commander keeps values in options; each command takes those that it reads.

/** What a report is written as, and where. */
export const outputOptions = (
	kinds: readonly ReportOptions["output"][] = [
		...(["table", "json", "ndjson", "csv", "html", "parquet"] as const),
	],
): Option[] => [
	option("-o, --output <kind>", "format of the report")
		.choices(kinds)
		.default("table"),
	// Not by implies(), with which commander takes the implied value for one that conflicts.
	option("--json", "the same as --output json").conflicts("output"),
	option("--out <file>", "where to write the report (default: stdout)"),
	option(
		"--top <number>",
		"number of crawlers in the table",
		wholeNumber,
	).default(25),
];

/** What a report of all counts can be taken for, besides reading it. */
export const wholeOptions = (state: string): Option[] => [
	option(
		"--suggest <what>",
		"what to do about crawlers that disregarded robots.txt, as text to copy, instead of a report",
	).choices(Object.keys(suggestionKinds)),
	// Without `--check`, an audit that found violations still ends with 0: a report is not a failure.
	option(
		"--check",
		"exit with 1 if a request is disallowed, except those of exempt crawlers",
	),
	option("--strict", "fail if any line cannot be parsed"),
	option(
		"--metrics <file>",
		"write counts for Prometheus here, as OpenMetrics",
	),
	option("--state <file>", state),
];

/** What lines are judged and counted by: settings that a state has, too. */
export const countingOptions = (): Option[] => [
	option(
		"-r, --robots <[host=][time=]file>",
		"the robots.txt, or a folder with a file per host; repeat it for other hosts or later versions",
		collect,
	),
	option(
		"--robots-since <time>",
		"the robots.txt applies from this time on",
		givenTime,
	),
	...readingOptions(),
	option(
		"-f, --format <name>",
		"log format (default: detected from the first lines)",
	).argParser(formatName),
	option(
		"--log-format <string|@file[:name]>",
		"log format as in Nginx's log_format or Apache's LogFormat, or a configuration with it",
	),
	option(
		"--fields <list>",
		"keys of JSON logs, or columns: path=… (or request=…), agent=…, status=…, time=…, host=…, ip=… (docs/log-formats.md)",
	),
	option(
		"--agents <names>",
		"only these crawlers, comma-separated; +name adds one to the known crawlers",
		collectList,
	),
	option(
		"--default-agent <name>",
		"count requests without a User-Agent header for this crawler",
		nonBlank,
	),
	option(
		"--people <file>",
		"patterns of people's User-Agent headers, one per line",
		collect,
	),
	option(
		"--crawlers <file>",
		"patterns of crawlers' User-Agent headers, one per line; a line [ai-training] says what the crawlers after it fetch for",
		collect,
	),
	option("-g, --group-by <what>", "what to count by")
		.choices(["name", "category", "header", "address", "network"])
		.default("name"),
	option(
		"--verify <[name=]file>",
		"the crawler's published address ranges, to recognise impostors; or a folder of crawlers --lists",
		collect,
	),
	option(
		"--asn <file>",
		"name the networks that requests come from, from a file of GeoLite2-ASN or IPinfo (.mmdb or CSV)",
		collect,
	),
	option(
		"--resolve",
		"recognise impostors by reverse DNS, where the operator documents it; --verify takes precedence",
	),
	option(
		"--resolve-cache <file>",
		"where answers of DNS are kept, 1 to 7 days (default: robotrie/resolve.json in the user's cache folder)",
	),
	option(
		"--resolve-server <address>",
		"the DNS server to ask, as 192.0.2.53 or 192.0.2.53:5353 (default: the system's)",
		collect,
	),
	option(
		"--trusted-proxy <range|number>",
		"proxies whose X-Forwarded-For counts: address ranges, or the number of proxies",
		collect,
	),
	option(
		"--time-zone <name>",
		"the report's time zone, such as Europe/Berlin; also of times without an offset in options (default: UTC)",
	).argParser(timeZone),
	option(
		"--where <condition>",
		"only requests with host=, path=, status=, method=, crawler= or purpose= (or !=) a value; * stands for anything",
		collect,
	),
	option(
		"--anonymize",
		"replace clients' addresses in all outputs by their networks, /24 or /48, after verifying them",
	),
	option(
		"--anonymize-key <file>",
		"replace addresses by hashes with the key in this file, or in an environment variable (env:NAME)",
	),
];

/** What is said of each line, and of which. */
export const lineOptions = (): Option[] => [
	option("--since <time>", "only requests from this time on", givenTime),
	option("--until <time>", "only requests before this time", givenTime),
	option(
		"--every <step>",
		"count requests per hour, day, week or month (default: by the length of the log)",
	).choices(["hour", "day", "week", "month"] satisfies readonly Every[]),
	option(
		"--paths",
		"count what each crawler takes: paths and sections of all its requests, content types, share of all bytes",
	),
	option(
		"--suspects",
		"look for clients that call themselves browsers but behave like crawlers, and say why",
	),
	option(
		"--violations <file>",
		"write the log lines of disallowed requests here",
	),
	option(
		"--each <file>",
		"write a verdict for every judged line here; - for stdout, without a report",
	),
	option(
		"--each-format <name>",
		"format of --each (default: csv or parquet for a file with that ending, else ndjson)",
	).choices(["ndjson", "csv", "parquet"]),
	option(
		"--each-all",
		"with --each: a row for every line that is not blank, not only for judged ones",
	),
];

export const listOption = (): Option =>
	option(
		"--list-headers",
		"list User-Agent headers with what they are counted as, instead of a report",
	);

export const threadOptions = (): Option[] => [
	option(
		"--workers <number>",
		"threads (default: by input size, at most 4)",
		wholeNumber,
	),
	...progressOptions(),
];

export const followOptions = (): Option[] => [
	option(
		"--interval <duration>",
		"time between two reports, as 30s, 5m or 1h (default: tables only, every 1s on a terminal, else 10s)",
		parseDuration,
	),
	option(
		"--metrics-port <[address:]port>",
		"serve the counts of --metrics over HTTP at /metrics, on this machine unless an address is given",
	),
];

/** commander would take "" for a name. */
function nonBlank(name: string): string {
	if (name.trim() === "") throw new InvalidArgumentError("Expected a name.");
	return name;
}

function collect(
	value: string,
	before: readonly string[] | undefined,
): readonly string[] {
	return [...(before ?? []), value];
}

function collectList(
	value: string,
	before: readonly string[] | undefined,
): readonly string[] {
	// Commas separate names here but no other option's values: crawlers' names have no comma.
	const names = value.split(",").map((name) => name.trim());
	if (names.some((name) => name.replace(/^\+/, "") === ""))
		throw new InvalidArgumentError("Expected names, comma-separated.");
	return [...(before ?? []), ...names];
}

/** At most 9999: more rows of a table or more threads are a mistake. */
function wholeNumber(value: string): number {
	if (!/^[1-9]\d{0,3}$/.test(value))
		throw new InvalidArgumentError("Expected a whole number from 1 to 9999.");
	return Number(value);
}

function formatName(value: string): string {
	const name = value.toLowerCase();
	if (!isFormat(name))
		throw new InvalidArgumentError(
			`Did you mean ${likeliest(name).join(", ")}? "robotrie help audit" lists all formats.`,
		);
	return name;
}

/** Whether there is a format of this name; some have a second one. */
function isFormat(name: string): boolean {
	if (!/^[\w-]+$/.test(name)) return false;
	if (formatNames.includes(name)) return true;
	try {
		formatOf(name);
		return true;
	} catch {
		return false;
	}
}

/** The three formats whose names are most like one that is none. */
function likeliest(wrong: string): readonly string[] {
	const distances = formatNames.map((name) => ({
		name,
		distance: leven(wrong, name) / Math.max(wrong.length, name.length),
	}));
	return distances
		.sort((a, b) => a.distance - b.distance)
		.slice(0, 3)
		.map(({ name }) => name);
}

function parseDuration(text: string): number {
	const duration = durationOf(text);
	if (Number.isNaN(duration))
		throw new InvalidArgumentError(
			"Expected a duration such as 30s, 5m or 1h.",
		);
	return duration;
}

function timeZone(name: string): string {
	try {
		// A zone that is none has no times.
		parseTime("1970-01-01", name);
		return name;
	} catch (error) {
		throw new InvalidArgumentError(
			error instanceof Error ? `${error.message}.` : String(error),
		);
	}
}

function givenTime(text: string): GivenTime {
	// A time without an offset is the report's zone's; a day means its midnight.
	if (Number.isNaN(timeOf(text)))
		throw new InvalidArgumentError(
			"Expected a time such as 2026-03-01 or 2026-03-01T12:00:00Z.",
		);
	return (timeZone) => parseTime(text, timeZone);
}

/** The format of `--each`; rows of Parquet are made of those of JSON lines. */
export type EachOutput = "ndjson" | "csv" | "parquet";

/** The format of `--each`: by the name of the file, unless an option says it. */
export function eachFormat(options: ReportOptions): EachOutput {
	const { each = "", eachFormat } = options;
	const [, ending] = /\.(csv|parquet)$/i.exec(each) ?? [];
	return eachFormat ?? ((ending?.toLowerCase() ?? "ndjson") as EachOutput);
}

/** A period of `audit compare`. */
export interface Period {
	readonly text: string;
	readonly since: Date | undefined;
	readonly until: Date | undefined;
}

const DAY = 86_400_000;

/**
 * The period of "2026-01-01..2026-01-31" or "2026-02-01..": a day at its end belongs to it, a time of day does not. Undefined for other
 * text.
 */
export function periodOf(text: string, timeZone?: string): Period | undefined {
	const [, from = "", to = ""] = /^(.*?)\.\.(.*)$/.exec(text) ?? [];
	const isTime = (each: string) => !Number.isNaN(timeOf(each));
	if (from === "" && to === "") return undefined;
	if (![from, to].every((each) => each === "" || isTime(each)))
		return undefined;
	// The next day's date, as that of a zone's clocks.
	const next = (day: string) =>
		new Date(Date.parse(`${day}T00:00Z`) + DAY).toISOString().slice(0, 10);
	const end = /^\d{4}-\d\d-\d\d$/.test(to) ? next(to) : to;
	const at = (each: string) =>
		each === "" ? undefined : parseTime(each, timeZone);
	return { text, since: at(from), until: at(end) };
}

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** Milliseconds of an option's duration, "30s", "0.5s", "5m" or "1h"; NaN for other text, and if it is longer than a timer can be. */
function durationOf(text: string): number {
	const [, number, unit = "s"] =
		/^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text) ?? [];
	// A timer of more than 2 ** 31 ms would fire at once.
	const duration = Number(number) * UNITS[unit as keyof typeof UNITS];
	return duration > 0 && duration < 2 ** 31 ? duration : Number.NaN;
}
