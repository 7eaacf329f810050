/**
 * Makes the report of an audit from its Totals: groups counters to crawlers as `groupBy` says, sorts them, and adds the warnings about what
 * makes a report doubtful. crawler-report.ts makes the entry of one crawler. Called once per report, also while an audit goes on
 * (`audit follow`), so it must not change the totals.
 */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { quote } from "#robotrie/common/quote";
import { count } from "#robotrie/common/wording";
import {
	COUNT_BLANK,
	COUNT_LEFT_OUT,
	COUNT_LINES,
	COUNT_MISSING,
	COUNT_OUTSIDE,
	COUNT_PERSON,
	COUNT_UNPARSED,
	COUNT_WITHOUT_ROBOTS,
} from "../../assembly/format.ts";
import type { CrawlerCounts } from "../count/crawler-counts.ts";
import type { InvalidRequest, LogHeaders, Totals } from "../count/totals.ts";
import { isAi, purposeOf, purposes } from "../options/purposes.ts";
import {
	type AuditReport,
	type CrawlerReport,
	type GroupBy,
	isBound,
	type PurposeReport,
	percent,
	violationsOf,
} from "../options/report.ts";
import type { RuleBook } from "../options/rule-book.ts";
import { compare, crawlerReport, sharedPages, sum } from "./crawler-report.ts";
import { suspectsReport } from "./suspects.ts";

/**
 * The report on everything in `totals`, which stays as it is. Pure: reports may be made at any
 * time, also while an audit goes on (`audit follow`).
 */
export function reportOf(
	totals: Totals,
	book: RuleBook,
	groupBy: GroupBy,
): AuditReport {
	const counted = [...totals.crawlers.values()];
	const { firstTime: first, lastTime: last } = totals;
	const { calendar } = totals;
	const steps = calendar.stepsFor(first, last);
	// A row per name (or category) and verification: requests from a crawler's own addresses and others' are never mixed.
	const groups = new Map<string, CrawlerCounts[]>();
	for (const crawler of counted) {
		const { name, category, verification } = crawler.key;
		const label = groupBy === "category" ? category : name;
		const key = `${verification} ${label}`;
		const group = groups.get(key);
		if (group) group.push(crawler);
		else groups.set(key, [crawler]);
	}
	// The worst offenders first. Names and verifications only make the order certain.
	const crawlers = Array.from(groups.values(), (group) =>
		crawlerReport(group, book, groupBy, totals, steps.width),
	).sort(
		(a, b) =>
			b.disallowed - a.disallowed ||
			b.requests - a.requests ||
			compare(a.name, b.name) ||
			compare(a.verification ?? "", b.verification ?? ""),
	);
	const counter = (index: number) => totals.counters[index] ?? 0;
	// Counters that no crawler has: lines of people, lines outside the period and so on.
	return {
		lines: counter(COUNT_LINES),
		unparsed: counter(COUNT_UNPARSED),
		judged: sum(crawlers, ({ requests }) => requests),
		people: counter(COUNT_PERSON),
		withoutAgent: counter(COUNT_MISSING),
		leftOut: counter(COUNT_LEFT_OUT),
		withoutRobots: counter(COUNT_WITHOUT_ROBOTS),
		outside: counter(COUNT_OUTSIDE),
		blank: counter(COUNT_BLANK),
		from: calendar.timestamp(first),
		to: calendar.timestamp(last),
		timeZone: calendar.timeZone,
		dialect: book.dialect,
		logs: totals.logs,
		groupBy,
		step: steps.width / 1000,
		every: steps.name,
		formats: totals.formats,
		unparsedLines: totals.unparsed,
		warnings: [
			...warningsOf(crawlers, totals.invalid, totals.headers),
			...missingLines(totals.missing),
		],
		bytes: totals.bytes ?? null,
		sharedPages:
			totals.bytes === undefined
				? null
				: sharedPages(
						// Rows of addresses are no crawlers.
						groupBy === "name" || groupBy === "category"
							? counted.filter(({ key }) => isAi(purposeOf(key.category)))
							: [],
						book,
					),
		suspects: totals.visitors
			? suspectsReport(totals.visitors, calendar)
			: null,
		robots: book.versions.map(({ source, since }, version) => ({
			file: source.file,
			host: source.host ?? null,
			since: calendar.timestamp(since),
			bytes: source.bytes.length,
			// Of the bytes that were read: two files of one name that differ are two versions, not one.
			sha256: bytesToHex(sha256(source.bytes)),
			readable: book.isReadable(version),
		})),
		purposes: purposeReports(crawlers),
		crawlers,
	};
}

/** Reasons to doubt a report. Most are a format that reads the wrong field. */
function warningsOf(
	// Warnings are about the log or the options, never about a crawler: those are in the table.
	crawlers: readonly CrawlerReport[],
	example: InvalidRequest | undefined,
	headers: readonly LogHeaders[] = [],
): readonly string[] {
	return [...invalidRequests(crawlers, example), ...withoutHeaders(headers)];
}

/** Logs of which a part was not seen. */
function missingLines(missing: ReadonlyMap<string, number>): readonly string[] {
	return [...missing].map(
		([file, times]) =>
			`an unknown number of lines of ${file} is missing: ${times === 1 ? "once" : `${times} times`} a file was emptied, or gone, perhaps before all of it was counted`,
	);
}

/** Logs that a warning names; further ones are counted. */
const NAMED = 3;

/** Logs in which no request has a User-Agent header, by format: nothing in them is judged. */
function withoutHeaders(headers: readonly LogHeaders[]): readonly string[] {
	// A log without requests says nothing about its headers.
	const silent = headers.filter(
		({ requests, without }) => requests > 0 && requests === without,
	);
	const formats = [...new Set(silent.map(({ format }) => format))];
	return formats.map((format) => {
		const files = silent
			.filter((each) => each.format === format)
			.map(({ file }) => file);
		const more = files.length - NAMED;
		const names = files.slice(0, NAMED).join(", ");
		return `no line of ${names}${more > 0 ? ` and ${count(more, "more log")}` : ""} (${format}) has a User-Agent header, so none of its requests is judged; --default-agent names the crawler to count them for`;
	});
}

/** A warning if most judged requests are not for a URL, with an example and advice. */
function invalidRequests(
	crawlers: readonly CrawlerReport[],
	example: InvalidRequest | undefined,
): readonly string[] {
	let requests = 0;
	let invalid = 0;
	for (const crawler of crawlers) {
		requests += crawler.requests;
		invalid += crawler.invalid;
	}
	// A few such requests are normal; most of them are a format that reads the wrong field.
	if (!example || 2 * invalid <= requests) return [];
	const numbers = [invalid, requests].map((each) =>
		each.toLocaleString("en-US"),
	);
	return [
		`${numbers.join(" of ")} judged requests are not for a URL, such as ${quote(example.text)} in ${example.file}; ${adviceFor(example.text)}`,
	];
}

/** What an invalid target looks like, and which option would read the log correctly. */
function adviceFor(text: string): string {
	// In the order of certainty; the last one only points at the place to look.
	if (/^[a-z_-]+ \S/i.test(text))
		return "that is a request line: name it with request=KEY in --fields, with $request or %r in --log-format";
	if (/^[\w.-]+\/\d|^Mozilla\//.test(text))
		return "that is a User-Agent header: look where the format has the path";
	if (/^[\w~%.-]+(?:\/|$)/.test(text) && !/^[\d.:-]+$/.test(text))
		return "paths lack their first slash: put one in front of the key, path=/KEY in --fields";
	return "look where the format has the path or the request";
}

/** A row for each purpose that came, in the order of `purposeNames`. */
function purposeReports(crawlers: readonly CrawlerReport[]): PurposeReport[] {
	return purposes.flatMap((purpose) => {
		const own = crawlers.filter((crawler) => crawler.purpose === purpose);
		if (own.length === 0) return [];
		const total = (of: (crawler: CrawlerReport) => number) =>
			own.reduce((sum, crawler) => sum + of(crawler), 0);
		const allowed = total((crawler) => crawler.allowed);
		const disallowed = total((crawler) => crawler.disallowed);
		const exemptDisallowed = total((crawler) => crawler.exemptDisallowed);
		const judged = allowed + disallowed - total(({ exempt }) => exempt);
		const violations = disallowed - exemptDisallowed;
		// Who only uses a crawler's name is none of "3 of 9".
		const bound = own.filter(
			(crawler) => isBound(crawler) && crawler.verification !== "claimed",
		);
		return {
			purpose,
			crawlers: own.length,
			bound: bound.length,
			disregarding: bound.filter((crawler) => violationsOf(crawler) > 0).length,
			requests: total(({ requests }) => requests),
			allowed,
			disallowed,
			exemptDisallowed,
			compliance: percent(judged - violations, judged),
			bytes: total(
				({ bytes }) => bytes.allowed + bytes.disallowed + bytes.other,
			),
		};
	});
}
