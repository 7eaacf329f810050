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
import { isPrefix } from "./addresses.ts";
import type { AuditOptions, AuditRowsOptions } from "./audit-options.ts";
import type { RangeSource } from "./ranges.ts";
import type { GroupBy } from "./report.ts";
import type { RobotsSource } from "./rule-book.ts";

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
