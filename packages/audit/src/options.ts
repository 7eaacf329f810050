import { RobotrieError } from "robotrie";
import {
	bytesArgument,
	bytesKind,
	checkOptions,
	dialectKind,
	either,
	flagKind,
	isBytes,
	isRecord,
	type Kind,
	keptBytes,
	list,
	maxBytesKind,
	type OptionTable,
	objectKind,
	oneOf,
	textKind,
	wholeNumber,
} from "robotrie/internal";
import { isPrefix, type RangeSource } from "./addresses.ts";
import type { LogFormat } from "./log-format.ts";
import type { GroupBy } from "./report.ts";
import type { ReadingOptions, RobotsSource } from "./rule-book.ts";

/** Options of a LogAudit. */
export interface AuditOptions extends ReadingOptions {
	/** The robots.txt files, at least one. Several differ in host or time. */
	readonly robots: readonly RobotsSource[];
	/** The name of a format (`formatNames`) or a format. Default: detected from the first lines of each log. */
	readonly format?: string | LogFormat | undefined;
	/**
	 * Names of the crawlers to audit, in any case. A name with "+" in front adds a crawler to the known ones instead.
	 */
	readonly agents?: readonly string[] | undefined;
	/** Patterns of User-Agent headers that are people's, whatever the lists say: text that a header contains, with "*" for anything. */
	readonly people?: readonly string[] | undefined;
	/** Patterns of headers that are crawlers', whatever the lists say. `people` goes first. */
	readonly crawlers?: readonly string[] | undefined;
	/** How crawlers are grouped. Default "name". */
	readonly groupBy?: GroupBy | undefined;
	/** The crawler that requests without a User-Agent header are counted for. */
	readonly defaultAgent?: string | undefined;
	/** Requests from this time on. */
	readonly since?: Date | undefined;
	/** Requests before this time. */
	readonly until?: Date | undefined;
	/** Published addresses, from `parseRanges`. */
	readonly ranges?: readonly RangeSource[] | undefined;
	/** Keeps what `state` needs: about 2% of the size of the logs. Default false. */
	readonly keepState?: boolean | undefined;
	/**
	 * Address ranges of trusted proxies, or one number, how many there are: the client's address is the last one in front of these in
	 * X-Forwarded-For. Default: the address of the connection.
	 */
	readonly trustedProxies?: readonly string[] | undefined;
}

/** Options of `auditRows`: those of a LogAudit that decide about lines. */
export interface AuditRowsOptions
	extends Omit<AuditOptions, "groupBy" | "keepState"> {
	/** Rows for all lines but blank ones, not only for judged requests. Default false. */
	readonly all?: boolean | undefined;
}

/** What is written for each line. Plain data, so that it can go to other threads. */
export interface EachSettings {
	readonly format: EachFormat;
	/** Lines that are not judged, too. */
	readonly all: boolean;
}

/** What a scanner needs to know. Plain data, so that it can go to other threads. */
export interface ScanSettings {
	readonly robots: readonly RobotsSource[];
	readonly reading: ReadingOptions;
	/** See `AgentDirectory`. */
	readonly agents: readonly string[];
	/** Patterns of headers that are people's or crawlers', whatever the lists say; see `headerPatterns`. */
	readonly people: readonly string[];
	readonly crawlers: readonly string[];
	readonly groupBy: GroupBy;
	/** Headers of people are counted like those of crawlers, under the category PEOPLE. */
	readonly withPeople: boolean;
	/** See `ClientAddresses`. */
	readonly trustedProxies: readonly string[];
	/** The crawler that requests without a User-Agent header are counted for; undefined to leave them out. */
	readonly defaultAgent?: string | undefined;
	/** Milliseconds since 1970, the second one not included. */
	readonly since: number;
	readonly until: number;
	readonly ranges: readonly RangeSource[];
	readonly keepViolations: boolean;
	/** How to write a row for each line; undefined for none. */
	readonly each?: EachSettings | undefined;
}

export type EachFormat = "ndjson" | "csv";

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
	text: "a format's name, or what nginxFormat, apacheFormat or jsonFormat gives",
	accepts: (value) =>
		typeof value === "string" ||
		(isRecord(value) &&
			typeof value.name === "string" &&
			isRecord(value.template)),
	hint: (value) => (isRecord(value) ? "pass jsonFormat(fields)" : undefined),
};

const prefixKind: Kind = {
	text: "an address or a range",
	accepts: (value) => typeof value === "string" && isPrefix(value),
};

const auditOptions: OptionTable<AuditOptions> = {
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
	ranges: list(objectKind, "what parseRanges gives"),
	keepState: flagKind,
	trustedProxies: list(textKind, "strings"),
	people: list(textKind, "strings"),
	crawlers: list(textKind, "strings"),
	dialect: dialectKind,
	maxBytes: maxBytesKind,
};

/** The last time that a Date can be. */
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

const { groupBy: _, keepState: __, ...lineOptions } = auditOptions;
const rowsOptions: OptionTable<AuditRowsOptions> = {
	...lineOptions,
	all: flagKind,
};

/** The options, with robots.txt files whose bytes are views of fixed length. @throws {RobotrieError} invalid-argument. */
export function checkAudit(options: AuditOptions): AuditOptions {
	checkOptions("LogAudit", options, auditOptions, ["robots"]);
	return { ...options, robots: sourcesOf(options) };
}

/** The same for `auditRows`. @throws {RobotrieError} invalid-argument. */
export function checkAuditRows(options: AuditRowsOptions): AuditRowsOptions {
	checkOptions("auditRows", options, rowsOptions, ["robots"]);
	return { ...options, robots: sourcesOf(options) };
}

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

/** @internal */
export function scanSettings(
	options: AuditOptions,
	keepViolations: boolean,
	withPeople = false,
): ScanSettings {
	if (options.robots.length === 0)
		throw new RobotrieError(
			"invalid-argument",
			"an audit needs at least one robots.txt",
		);
	return {
		robots: options.robots,
		reading: { dialect: options.dialect, maxBytes: options.maxBytes },
		agents: options.agents ?? [],
		people: options.people ?? [],
		crawlers: options.crawlers ?? [],
		groupBy: options.groupBy ?? "name",
		withPeople,
		trustedProxies: options.trustedProxies ?? [],
		defaultAgent: options.defaultAgent,
		since: options.since?.getTime() ?? Number.NEGATIVE_INFINITY,
		until: options.until?.getTime() ?? Number.POSITIVE_INFINITY,
		ranges: options.ranges ?? [],
		keepViolations,
	};
}
