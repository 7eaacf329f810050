/**
 * The options of LogAudit and auditRows, their checks, and the settings that scanners are made of. Options are what users write, with
 * defaults and checks; `ScanSettings` are complete plain data, which can be sent to threads.
 */

import { dialectNames, RobotrieError } from "robotrie";

import {
	checkOptions,
	isRecord,
	type Kind,
	type OptionTable,
} from "#robotrie/common/arguments";
import {
	bytesArgument,
	bytesKind,
	isBytes,
	keptBytes,
} from "#robotrie/common/bytes";
import {
	either,
	flagKind,
	list,
	maxBytesKind,
	objectKind,
	oneOf,
	textKind,
	wholeNumber,
} from "#robotrie/common/kinds";
import {
	type DnsLookups,
	isPrefix,
	type NetworkNames,
	type RangeSource,
} from "../common/addresses.ts";
import type { AnonymizeSettings } from "../common/anonymize.ts";
import { calendarOf, type Every, everyNames } from "../common/calendar.ts";
import type { LogFormat } from "../formats/log-format.ts";
import { conditionsOf } from "./conditions.ts";
import type { GroupBy } from "./report.ts";
import type { ReadingOptions, RobotsSource } from "./rule-book.ts";

/** Options of a LogAudit. */
export interface AuditOptions extends ReadingOptions {
	/** The robots.txt files, at least one. Several must differ in host or time. */
	readonly robots: readonly RobotsSource[];
	/** A format, or what `formatOf` takes: one of `formatNames`, or a format string. Default: detected from the first lines of each log. */
	readonly format?: string | LogFormat | undefined;
	/**
	 * Names of the crawlers to audit, in any case. A name with "+" in front adds a crawler to the known ones instead.
	 */
	readonly agents?: readonly string[] | undefined;
	/**
	 * Patterns of User-Agent headers that count as people's, whatever the lists say: a text that the header contains, with "*" for anything. A list, or
	 * a text with one in each line, where blank lines and those that begin with "#" are skipped.
	 */
	readonly people?: string | readonly string[] | undefined;
	/**
	 * Patterns of headers that count as crawlers', as in `people`. "[ai-training]" among them, or another `Purpose`, says what those after it fetch for, up to "[]".
	 * `people` takes precedence.
	 */
	readonly crawlers?: string | readonly string[] | undefined;
	/** How crawlers are grouped. Default "name". */
	readonly groupBy?: GroupBy | undefined;
	/** Requests without a User-Agent header count for this crawler. */
	readonly defaultAgent?: string | undefined;
	/** Only requests from this time on. */
	readonly since?: Date | undefined;
	/** Only requests before this time. */
	readonly until?: Date | undefined;
	/** Published address ranges, from `parseRanges`. */
	readonly ranges?: readonly RangeSource[] | undefined;
	/**
	 * Verifies crawlers without `ranges` by reverse DNS, where their operators document it (`hostDomains` of robotrie's crawlers): a `Resolver` of
	 * node:dns/promises, or anything that answers like one. At most 10,000 addresses are looked up, in at most five minutes.
	 */
	readonly resolve?: DnsLookups | undefined;
	/**
	 * Names the autonomous system that an address is in, by a file such as GeoLite2-ASN; the report then counts requests by it, in `systems`. It is
	 * called for each address once or a few times.
	 */
	readonly systemOf?: NetworkNames | undefined;
	/** Keep what `state` needs, about 2% of the size of the logs. Default false. */
	readonly keepState?: boolean | undefined;
	/**
	 * Address ranges of trusted proxies, or their number as the only item. The client's address is then the last one in X-Forwarded-For
	 * before theirs. Default: the address of the connection.
	 */
	readonly trustedProxies?: readonly string[] | undefined;
	/**
	 * Only judged requests that meet these conditions, "field=value" or "field!=value" each; others count as `leftOut`. Fields are host,
	 * path, status (404 or 4xx), method, crawler and purpose; "*" in a value stands for anything. Conditions on the same field are
	 * alternatives, those on different fields must all hold.
	 */
	readonly where?: readonly string[] | undefined;
	/**
	 * The IANA time zone of the report, such as "Europe/Berlin": its times have the zone's offset, and days of its series begin at the zone's
	 * midnight. Times of the log keep their own offset. Default "UTC".
	 */
	readonly timeZone?: string | undefined;
	/**
	 * Count what each crawler takes: paths and sections of all its requests, content types, and its share of all bytes (`CrawlerReport.taken`),
	 * and pages that several AI crawlers take. Takes more time and, with `keepState`, larger states. Default false.
	 */
	readonly paths?: boolean | undefined;
	/**
	 * Look for clients whose User-Agent is a browser's but that behave like crawlers (`AuditReport.suspects`). Takes more time, and, with
	 * `keepState`, larger states. Default false.
	 */
	readonly suspects?: boolean | undefined;
	/** The steps of the series; weeks begin on Monday. Default: as long as the log needs. More than 1,000 steps are put together to wider ones. */
	readonly every?: Every | undefined;
	/**
	 * Replaces clients' addresses in everything that comes out, after they were compared with `ranges`: by their networks, /24 for IPv4 and /48
	 * for IPv6, or by hashes with `anonymizeKey`. Texts of unparsed lines are left out. Default false.
	 */
	readonly anonymize?: boolean | undefined;
	/** A secret of at least 16 characters: addresses are hashed with it, so that each has a name of its own, the same in every audit with this key. Implies `anonymize`. */
	readonly anonymizeKey?: string | undefined;
}

/** Options of `auditRows`: those of a LogAudit that affect single lines. */
export interface AuditRowsOptions
	extends Omit<
		AuditOptions,
		| "groupBy"
		| "keepState"
		| "systemOf"
		| "timeZone"
		| "every"
		| "paths"
		| "suspects"
	> {
	/** Rows for all lines except blank ones, not only for judged requests. Default false. */
	readonly all?: boolean | undefined;
}

/**
 * How a row is written for each line. Needed before the first line, so that the module prepares
 * entries for all lines or only for judged ones.
 */
export interface EachSettings {
	readonly format: EachFormat;
	/** Rows also for lines that are not judged. */
	readonly all: boolean;
}

/** Everything that a scanner depends on. Plain data, so that it can be sent to other threads. */
export interface ScanSettings {
	readonly robots: readonly RobotsSource[];
	readonly reading: ReadingOptions;
	/** See `AgentDirectory`. */
	readonly agents: readonly string[];
	/** As in `AuditOptions`; see `patternsOf`. */
	readonly people: readonly string[];
	readonly crawlers: readonly string[];
	readonly groupBy: GroupBy;
	/** Headers of people are counted like those of crawlers, in the category "person". */
	readonly withPeople: boolean;
	/** See `ClientAddresses`. */
	readonly trustedProxies: readonly string[];
	/** See `Where`. */
	readonly where: readonly string[];
	/** As in `AuditOptions`; see `Calendar`. */
	readonly timeZone?: string | undefined;
	readonly every?: Every | undefined;
	readonly paths: boolean;
	/** Also counts what clients do that call themselves browsers; see visits.ts. */
	readonly suspects?: boolean | undefined;
	/** Requests without a User-Agent header count for this crawler; undefined leaves them out. */
	readonly defaultAgent?: string | undefined;
	/** Milliseconds since 1970; `until` is not included. */
	readonly since: number;
	readonly until: number;
	readonly ranges: readonly RangeSource[];
	readonly keepViolations: boolean;
	/** How to write a row for each line; undefined to write none. */
	readonly each?: EachSettings | undefined;
	/** How addresses are replaced in what the scanner gives; undefined if they are not. */
	readonly anonymize?: AnonymizeSettings | undefined;
}

/** The format of rows. */
export type EachFormat = "ndjson" | "csv";

/** All of them, so that an option's check and a report's nouns cannot drift apart. */
const groupings: Readonly<Record<GroupBy, true>> = {
	name: true,
	category: true,
	header: true,
	address: true,
	network: true,
};

const dateKind: Kind = {
	text: "a Date",
	accepts: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
	hint: (value) =>
		typeof value === "string" || typeof value === "number"
			? "pass new Date(…)"
			: undefined,
};

const formatKind: Kind = {
	text: "a format's name, a format string, or a format from nginxFormat, apacheFormat or jsonFormat",
	accepts: (value) =>
		typeof value === "string" ||
		(isRecord(value) &&
			typeof value.name === "string" &&
			isRecord(value.template)),
	hint: (value) => (isRecord(value) ? "pass jsonFormat(fields)" : undefined),
};

/** Patterns, or a text of them. */
const patternsKind = either([textKind, list(textKind, "strings")], {
	text: "an array of strings, or a text with a pattern in each line",
});

const prefixKind: Kind = {
	text: "an address or a range",
	accepts: (value) => typeof value === "string" && isPrefix(value),
};

/** Characters of a key for addresses: fewer could be guessed, and then every address tried. */
export const SHORTEST_KEY = 16;

/**
 * Checks are declared next to the options; `checkOptions` refuses unknown names, so that a misspelt
 * option is an error and not a default.
 */
export const auditOptions: OptionTable<AuditOptions> = {
	robots: {
		...list(objectKind, "{ file, bytes } objects"),
		hint: (value) =>
			typeof value === "string" || isBytes(value)
				? 'pass [{ file: "robots.txt", bytes }]'
				: isRecord(value)
					? "put it in an array"
					: undefined,
	},
	format: formatKind,
	agents: list(textKind, "strings"),
	groupBy: oneOf(Object.keys(groupings)),
	defaultAgent: textKind,
	since: dateKind,
	until: dateKind,
	ranges: list(objectKind, "results of parseRanges"),
	resolve: {
		text: "an object with the functions resolvePtr, resolve4 and resolve6, such as a Resolver of node:dns/promises",
		accepts: (value) =>
			typeof value === "object" &&
			value !== null &&
			["resolvePtr", "resolve4", "resolve6"].every(
				(name) =>
					typeof (value as Record<string, unknown>)[name] === "function",
			),
	},
	systemOf: {
		text: "a function",
		accepts: (value) => typeof value === "function",
	},
	keepState: flagKind,
	trustedProxies: list(textKind, "strings"),
	people: patternsKind,
	crawlers: patternsKind,
	where: list(textKind, "strings"),
	timeZone: textKind,
	every: oneOf(everyNames),
	paths: flagKind,
	suspects: flagKind,
	anonymize: flagKind,
	anonymizeKey: {
		text: `a text of at least ${SHORTEST_KEY} characters`,
		accepts: (value) =>
			typeof value === "string" && value.length >= SHORTEST_KEY,
	},
	dialect: oneOf(["auto", ...dialectNames]),
	maxBytes: maxBytesKind,
};

/** The latest time of a Date, in milliseconds since 1970. */
const LAST_TIME = 8.64e15;

const sourceFields: OptionTable<RobotsSource> = {
	file: textKind,
	bytes: bytesKind,
	host: textKind,
	since: either([wholeNumber(-LAST_TIME, LAST_TIME)], {
		text: "a whole number of milliseconds since 1970",
		hint: (value) =>
			value instanceof Date ? "pass date.getTime()" : undefined,
	}),
};

const rangeFields: OptionTable<RangeSource> = {
	name: textKind,
	prefixes: list(prefixKind, "addresses or ranges such as 192.0.2.0/24"),
};

/** A row is a line, so grouping and states are not options there. */
const {
	groupBy: _,
	keepState: __,
	timeZone: ___,
	every: ____,
	paths: _____,
	suspects: ______,
	systemOf: _______,
	...lineOptions
} = auditOptions;
const rowsOptions: OptionTable<AuditRowsOptions> = {
	...lineOptions,
	all: flagKind,
};

/** Of options that an audit of files has, those of its LogAudit. */
export const auditOptionsOf = (options: AuditOptions): AuditOptions =>
	Object.fromEntries(
		Object.entries(options).filter(([name]) => name in auditOptions),
	) as unknown as AuditOptions;

/**
 * The checked options. The bytes of robots.txt files are copied if the caller's buffer can be resized, as an audit reads them later.
 * @throws {RobotrieError} invalid-argument.
 */
export function checkAudit(options: AuditOptions): AuditOptions {
	// After this nothing else checks options: settings for threads are made of checked ones.
	checkOptions("LogAudit", options, auditOptions, ["robots"]);
	anonymizing(options);
	// Read again by what counts: a wrong one is told before anything is opened.
	calendarOf(options);
	conditionsOf(options.where ?? []);
	return {
		...options,
		// What is the default needs no mention.
		...(options.paths === false ? { paths: undefined } : {}),
		...(options.suspects === false ? { suspects: undefined } : {}),
		robots: sourcesOf(options),
	};
}

/**
 * The patterns of `people` or `crawlers`, also of a text: one per line, blank lines and those that begin with "#" are skipped. A header must
 * contain the pattern, in any case; "*" stands for anything.
 */
export function patternsOf(given: AuditOptions["people"]): readonly string[] {
	if (typeof given !== "string") return given ?? [];
	return given
		.split(/\r?\n/)
		.map((line) => line.trim())
		.filter((line) => line !== "" && !line.startsWith("#"));
}

/** As `checkAudit`, for `auditRows`. @throws {RobotrieError} invalid-argument. */
export function checkAuditRows(options: AuditRowsOptions): AuditRowsOptions {
	checkOptions("auditRows", options, rowsOptions, ["robots"]);
	return { ...options, robots: sourcesOf(options) };
}

/**
 * What options say about replacing addresses.
 * @throws {RobotrieError} invalid-argument, for what would count different addresses as one.
 */
export function anonymizing({
	anonymize,
	anonymizeKey: key,
	groupBy,
}: Pick<AuditOptions, "anonymize" | "anonymizeKey" | "groupBy">):
	| AnonymizeSettings
	| undefined {
	if (!anonymize && key === undefined) return undefined;
	if (groupBy === "address" && key === undefined)
		throw new RobotrieError(
			"invalid-argument",
			"addresses that are cut are networks: count by network, or hash addresses with a key",
		);
	return { key };
}

/** The checked robots.txt files; checks the address ranges as well. */
function sourcesOf(
	options: Pick<AuditOptions, "robots" | "ranges">,
): readonly RobotsSource[] {
	const sources = Array.from(options.robots, (source, i) => {
		const name = `robots[${i}]`;
		checkOptions(name, source, sourceFields, ["file", "bytes"]);
		const bytes = bytesArgument(`${name}.bytes`, source.bytes);
		return { ...source, bytes: keptBytes(bytes) };
	});
	options.ranges?.forEach((source, i) => {
		checkOptions(`ranges[${i}]`, source, rangeFields, ["prefixes"]);
	});
	return sources;
}

/**
 * The settings for some options, with all defaults.
 * @throws {RobotrieError} invalid-argument, without a robots.txt.
 * @internal
 */
export function scanSettings(
	options: AuditOptions,
	keepViolations: boolean,
	withPeople = false,
): ScanSettings {
	if (options.robots.length === 0)
		// Checked here and not in `checkOptions`, so that `robots: []` gets a sentence about audits and
		// not about lists.
		throw new RobotrieError(
			"invalid-argument",
			"an audit needs at least one robots.txt",
		);
	// Scanners read them once lines come.
	conditionsOf(options.where ?? []);
	return {
		robots: options.robots,
		reading: { dialect: options.dialect, maxBytes: options.maxBytes },
		agents: options.agents ?? [],
		people: patternsOf(options.people),
		crawlers: patternsOf(options.crawlers),
		groupBy: options.groupBy ?? "name",
		withPeople,
		trustedProxies: options.trustedProxies ?? [],
		where: options.where ?? [],
		timeZone: options.timeZone,
		every: options.every,
		paths: options.paths ?? false,
		suspects: options.suspects,
		defaultAgent: options.defaultAgent,
		since: options.since?.getTime() ?? Number.NEGATIVE_INFINITY,
		until: options.until?.getTime() ?? Number.POSITIVE_INFINITY,
		ranges: options.ranges ?? [],
		keepViolations,
		anonymize: anonymizing(options),
	};
}
