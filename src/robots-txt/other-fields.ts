/**
 * Fields beside the standard's that crawlers document, and what their values say. parse.ts asks which fields belong to a group,
 * other-lines.ts reads values, find-diagnostics.ts asks what is wrong with them: both use the same parsers, so a value either counts or has
 * a diagnostic.
 */

import { parseUrl } from "../common/arguments.ts";
import { isAbsoluteUrl } from "../common/urls.ts";
import {
	type ReadStatement,
	readContentSignal,
	readContentUsage,
} from "./usage-statement.ts";

/** Fields beside the standard's that crawlers document; License is that of RSL 1.0. */
export const knownOtherFields: ReadonlySet<string> = new Set([
	"clean-param",
	"content-signal",
	"content-signals",
	"content-usage",
	"crawl-delay",
	"host",
	"license",
	"request-rate",
	"visit-time",
]);

/** Settings of the crawlers named directly above: a user-agent line after one of them begins a new section. */
export const sectionFields: ReadonlySet<string> = new Set([
	"content-signal",
	"content-signals",
	"content-usage",
	"crawl-delay",
	"request-rate",
	"visit-time",
]);

/** Those of them that say nothing in front of the first user-agent line. */
export const groupFields: ReadonlySet<string> = new Set([
	"content-usage",
	"crawl-delay",
	"request-rate",
	"visit-time",
]);

/**
 * Fields of draft-canel-robots-ai-control-00 (Microsoft, October 2024), which has expired. Google's library takes them for Allow and
 * Disallow, as their names begin so.
 */
export const proposedFields: ReadonlySet<string> = new Set([
	"allowaitraining",
	"disallowaitraining",
]);

/** The name of a field as it is usually written: "User-agent", "Content-Signal". */
export function displayName(field: string): string {
	const name = field.toLowerCase();
	const second = name.startsWith("content-") ? 8 : 0;
	return [...name]
		.map((letter, at) =>
			at === 0 || at === second ? letter.toUpperCase() : letter,
		)
		.join("");
}

/** What a line's value says, or what is wrong with it, as the rest of a sentence. */
export type Parsed<Value> =
	| { readonly value: Value; readonly fault?: never }
	| { readonly fault: string };

/** A Clean-param line: query parameters that do not change the content of pages below a path. */
export interface CleanParam {
	/** Names of parameters, as written, case-sensitive. */
	readonly parameters: readonly string[];
	/** Pattern for the beginning of the pages' path, `*` for any bytes; "/" if the line has none. */
	readonly path: string;
	/** Line number, from 1. */
	readonly line: number;
}

/** The Yandex document, "Директива Clean-param": of the whole rule, parameters and path. */
const LONGEST_RULE = 500;

/**
 * The value of a Clean-param line, `p0[&p1&p2&..&pn] [path]` ("Директива Clean-param"). The path may hold
 * `A-Za-z0-9.-/*_` only; one that begins with neither "/" nor "*" is read as if "/" stood before it, like a rule's.
 */
export function parseCleanParam(
	value: string,
): Parsed<Omit<CleanParam, "line">> {
	// A character is at most two units of a string; the rest of a huge line need not be looked at.
	if ([...value.slice(0, 2 * LONGEST_RULE + 1)].length > LONGEST_RULE)
		return { fault: `it is longer than ${LONGEST_RULE} characters` };
	const [list = "", path = "/", ...others] = value.split(/[ \t]+/);
	if (others.length > 0)
		return { fault: "it is more than parameters and a path" };
	const parameters = list.split("&").filter((name) => name !== "");
	if (parameters.length === 0) return { fault: "it names no parameter" };
	if (!/^[\w.\-/*]+$/.test(path))
		return { fault: 'a path has only letters of ASCII, digits and ".-/*_"' };
	return {
		value: { parameters, path: /^[/*]/.test(path) ? path : `/${path}` },
	};
}

/** A daily window, in minutes after midnight, UTC. An end before the start is on the next day. */
export interface TimeWindow {
	/** First minute, from 0. */
	readonly start: number;
	/** The minute after the last one, up to 1,440. */
	readonly end: number;
}

/** A Visit-time line: a daily window, as `TimeWindow`. */
export interface VisitTime {
	/** First minute after midnight, UTC, from 0. */
	readonly start: number;
	/** The minute after the last one, up to 1,440. */
	readonly end: number;
	/** Line number, from 1. */
	readonly line: number;
}

/** How many documents a crawler may request within a number of seconds. */
export interface RequestRate {
	/** Number of documents, from 1; at most nine digits. */
	readonly requests: number;
	/** Number of seconds, from 1. */
	readonly seconds: number;
	/** When the rate applies; undefined: always. */
	readonly window: TimeWindow | undefined;
	/** Line number, from 1. */
	readonly line: number;
}

/** Seconds, perhaps with a fraction: the Yandex document, "Директива Crawl-delay". However many digits: not to wait would be no answer. */
export function parseCrawlDelay(value: string): Parsed<number> {
	return /^(\d+(\.\d*)?|\.\d+)$/.test(value)
		? { value: Math.min(Number(value), Number.MAX_SAFE_INTEGER) }
		: { fault: "a delay is a number of seconds, such as 4.5" };
}

const secondsOf: Readonly<Record<string, number>> = {
	"": 1,
	s: 1,
	m: 60,
	h: 3600,
};

/**
 * `documents/time`, the time in seconds or with "s", "m" or "h", and perhaps the hours that it holds for: "1/10m 1300-1659"
 * (An Extended Standard for Robot Exclusion, 1996, "Request-rate").
 */
export function parseRequestRate(
	value: string,
): Parsed<Omit<RequestRate, "line">> {
	const [, requests = "0", time = "0", unit = "", hours] =
		/^(\d{1,9})\s*\/\s*(\d{1,9})([smh]?)(?:\s+(\S.*))?$/i.exec(value) ?? [];
	const seconds = Number(time) * (secondsOf[unit.toLowerCase()] ?? 0);
	if (!(Number(requests) > 0 && seconds > 0))
		return { fault: "a rate is documents/seconds, such as 1/5 or 10/1h" };
	const rate = { requests: Number(requests), seconds };
	if (hours === undefined) return { value: { ...rate, window: undefined } };
	const window = parseVisitTime(hours);
	return window.fault === undefined
		? { value: { ...rate, window: window.value } }
		: window;
}

/** `hhmm-hhmm`, UTC (An Extended Standard for Robot Exclusion, 1996, "Visit-time"). */
export function parseVisitTime(value: string): Parsed<TimeWindow> {
	const [, ...parts] =
		/^(\d\d):?(\d\d)\s*-\s*(\d\d):?(\d\d)$/.exec(value) ?? [];
	const [startHour = 99, startMinute = 99, endHour = 99, endMinute = 99] =
		parts.map(Number);
	const start = startHour * 60 + startMinute;
	const end = endHour * 60 + endMinute;
	const valid =
		start < 1440 && end <= 1440 && startMinute < 60 && endMinute < 60;
	return valid
		? { value: { start, end } }
		: { fault: "hours are hhmm-hhmm, such as 0600-0845" };
}

const LARGEST_PORT = 65_535;
/** RFC 1123 §2.1: a host name, and each of its labels. */
const LONGEST_NAME = 255;
const LONGEST_LABEL = 63;

/**
 * The value of a Host line, in lower case: a host name as RFC 952 has it, with RFC 1123 §2.1's first digit and longer
 * labels, and perhaps a port from 1 on. The Yandex document ("Директива Host") refuses all else, IP addresses too.
 */
export function parseHost(value: string): Parsed<string> {
	const [, name = "", port] = /^(.*?)(?::(.*))?$/s.exec(value) ?? [];
	const fault = value.includes("/")
		? "it holds a scheme or a path"
		: /[\s,]/.test(value)
			? "it is more than one name"
			: (faultOfName(name) ?? faultOfPort(port));
	return fault === undefined ? { value: value.toLowerCase() } : { fault };
}

function faultOfName(name: string): string | undefined {
	if (name.length > LONGEST_NAME)
		return `a name has no more than ${LONGEST_NAME} characters (RFC 1123)`;
	const labels = name.split(".");
	for (const label of labels) {
		if (label === "")
			return name === "" ? "the name is missing" : "a label of it is empty";
		if (!/^[a-z0-9-]+$/i.test(label))
			return 'labels have only letters of ASCII, digits and "-"';
		if (label.startsWith("-") || label.endsWith("-"))
			return 'labels neither begin nor end with "-"';
		if (label.length > LONGEST_LABEL)
			return `a label has no more than ${LONGEST_LABEL} characters (RFC 1123)`;
	}
	// The last label of a name is never a number, that of an address always.
	if (/^\d+$/.test(labels.at(-1) ?? "")) return "it is an IP address";
	return undefined;
}

function faultOfPort(port: string | undefined): string | undefined {
	if (port === undefined) return undefined;
	const number = /^\d{1,5}$/.test(port) ? Number(port) : 0;
	return number >= 1 && number <= LARGEST_PORT
		? undefined
		: `a port is a number from 1 to ${LARGEST_PORT}`;
}

/** Longer values are one URL or none. */
const LONGEST_LIST = 20_000;

/**
 * The URLs that the value of a Sitemap line names, as written. sitemaps.org asks for one absolute URL: several are told apart where each
 * is one, and a path is resolved where the URL of the file is known (`base`).
 */
export function sitemapUrls(value: string, base?: string): readonly string[] {
	if (/\s/.test(value) && value.length <= LONGEST_LIST) {
		const urls = value.split(/\s*[,;]?\s+/);
		if (urls.every(isAbsoluteUrl)) return urls;
	}
	if (isAbsoluteUrl(value)) return [value];
	// Other text could be a path, or a host without its scheme.
	const resolved =
		base !== undefined && value.startsWith("/") ? parseUrl(value, base) : null;
	return resolved ? [resolved.href] : [];
}

/** What is wrong with a value. */
export interface ValueFault {
	/** The rest of a sentence. */
	readonly reason: string;
	/** Some of it counts. */
	readonly partly: boolean;
}

const faults: Readonly<
	Record<string, (value: string) => ValueFault | undefined>
> = {
	"clean-param": (value) => faultOf(parseCleanParam(value)),
	"content-signal": (value) => faultOfStatement(readContentSignal(value)),
	"content-signals": (value) => faultOfStatement(readContentSignal(value)),
	"content-usage": (value) => faultOfStatement(readContentUsage(value)),
	"crawl-delay": (value) => faultOf(parseCrawlDelay(value)),
	host: (value) => faultOf(parseHost(value)),
	license: (value) =>
		isAbsoluteUrl(value)
			? undefined
			: {
					reason:
						"a license is an absolute URL, such as https://example.com/license.xml",
					partly: false,
				},
	"request-rate": (value) => faultOf(parseRequestRate(value)),
	"visit-time": (value) => faultOf(parseVisitTime(value)),
};

/** What is wrong with the value of a line that is no rule; the field's name is in lower case. */
export function valueFault(
	field: string,
	value: string,
): ValueFault | undefined {
	return Object.hasOwn(faults, field) ? faults[field]?.(value) : undefined;
}

function faultOf({ fault }: Parsed<unknown>): ValueFault | undefined {
	return fault === undefined ? undefined : { reason: fault, partly: false };
}

/** Reasons that a message gives. */
const MOST_REASONS = 3;

function faultOfStatement({
	statement: { uses, level },
	faults,
}: ReadStatement): ValueFault | undefined {
	if (faults.length === 0) return undefined;
	const reasons = [...new Set(faults)];
	const more = reasons.length - MOST_REASONS;
	return {
		reason: [
			...reasons.slice(0, MOST_REASONS),
			...(more > 0 ? [`and ${more} more`] : []),
		].join("; "),
		partly: uses.size > 0 || level !== undefined,
	};
}
