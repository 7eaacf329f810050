/**
 * What changed between two reports: which crawlers began or ceased to disregard robots.txt, came, or stayed away. The command line's
 * `audit compare` makes the reports of two states; a program may compare any two. Reports may cover times of different lengths, so that shares and
 * requests per day are compared, not numbers of requests.
 */

import { RobotrieError } from "robotrie";
import { check } from "#robotrie/common/arguments";
import type { Purpose } from "../options/purposes.ts";
import {
	type AuditReport,
	type CrawlerReport,
	groupNoun,
	reportKind,
	violationsOf,
} from "../options/report.ts";
import { compare } from "../report/crawler-report.ts";
import { BY_HEADER, isUnverified, listed } from "./headline.ts";

/** What a crawler did in one of the two reports. */
export interface ComparedCounts {
	/** All requests. */
	readonly requests: number;
	/** Requests a day, with one decimal; null if the log covers less than an hour or has no times. */
	readonly requestsPerDay: number | null;
	/** Disallowed requests, without exempt ones. */
	readonly disregarding: number;
	/** As in `CrawlerReport`. */
	readonly compliance: number | null;
}

/**
 * How a crawler changed. "new" and "gone": it is in one report only. "began" and "ceased": it disregarded robots.txt in one of them only. "more" and
 * "less": the share of its requests that disregard it differs by at least one percentage point. "same": anything else.
 */
export type Change =
	| "began"
	| "more"
	| "new"
	| "less"
	| "ceased"
	| "gone"
	| "same";

/** One crawler in both reports. */
export interface CrawlerChange {
	/** Its name, or what both reports are grouped by. */
	readonly name: string;
	/** As in `CrawlerReport`. */
	readonly verification: CrawlerReport["verification"];
	/** What it fetches for. */
	readonly purpose: Purpose;
	/** How it changed. */
	readonly change: Change;
	/** Null if it did not come. */
	readonly before: ComparedCounts | null;
	/** Null if it did not come. */
	readonly after: ComparedCounts | null;
	/** The change in words. */
	readonly sentence: string;
}

/** The time that a report covers. */
export interface ComparedPeriod {
	/** Its first line: RFC 3339, in its `timeZone`; null if the log has no times. */
	readonly from: string | null;
	/** Its last line: RFC 3339, in its `timeZone`; null if the log has no times. */
	readonly to: string | null;
	/** The time zone of both. */
	readonly timeZone: string;
}

/** What `compareReports` returns. */
export interface ReportComparison {
	/** All changes in one sentence. */
	readonly sentence: string;
	/** The time that the first report covers. */
	readonly before: ComparedPeriod;
	/** The time that the second report covers. */
	readonly after: ComparedPeriod;
	/** Crawlers of either report, those that began to disregard robots.txt first. */
	readonly crawlers: readonly CrawlerChange[];
}

/** In the order in which a comparison lists them. */
const order: readonly Change[] = [
	"began",
	"more",
	"new",
	"less",
	"ceased",
	"gone",
	"same",
];

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * Compares two reports that are grouped by the same thing, such as those of two months.
 * @throws {RobotrieError} invalid-argument, for what is not a report, and for reports that are grouped by different things.
 * @example
 * compareReports(may.report(), june.report()).sentence; // "GPTBot began to disregard robots.txt. By their User-Agent, not verified."
 */
export function compareReports(
	before: AuditReport,
	after: AuditReport,
): ReportComparison {
	check("before", before, reportKind);
	check("after", after, reportKind);
	if (before.groupBy !== after.groupBy)
		throw new RobotrieError(
			"invalid-argument",
			`cannot compare a report by ${before.groupBy} with one by ${after.groupBy}`,
		);
	const keyOf = ({ name, verification }: CrawlerReport) =>
		`${verification} ${name}`;
	const old = new Map(before.crawlers.map((each) => [keyOf(each), each]));
	const now = new Map(after.crawlers.map((each) => [keyOf(each), each]));
	const crawlers = [...new Set([...now.keys(), ...old.keys()])]
		.map((key) => changeOf(old.get(key), now.get(key), before, after))
		.filter((each) => each !== undefined)
		.sort(
			(a, b) =>
				order.indexOf(a.change) - order.indexOf(b.change) ||
				weight(b) - weight(a) ||
				compare(a.name, b.name) ||
				compare(a.verification ?? "", b.verification ?? ""),
		);
	return {
		sentence: sentenceOf(crawlers, after),
		before: periodOf(before),
		after: periodOf(after),
		crawlers,
	};
}

function periodOf({ from, to, timeZone }: AuditReport): ComparedPeriod {
	return { from, to, timeZone };
}

/** What decides the order of crawlers with the same change. */
function weight({ before, after }: CrawlerChange): number {
	const { disregarding = 0, requests = 0 } = after ?? before ?? {};
	return disregarding + requests / 2 ** 32;
}

/** The change of one crawler; undefined if neither report has it. */
function changeOf(
	old: CrawlerReport | undefined,
	now: CrawlerReport | undefined,
	...[first, second]: [AuditReport, AuditReport]
): CrawlerChange | undefined {
	const known = now ?? old;
	if (!known) return undefined;
	const before = old ? countsOf(old, first) : null;
	const after = now ? countsOf(now, second) : null;
	const change = kindOf(before, after);
	const { name, verification, purpose } = known;
	return {
		name,
		verification,
		purpose,
		change,
		before,
		after,
		sentence: wordsFor(change, before, after),
	};
}

function countsOf(
	crawler: CrawlerReport,
	{ from, to }: AuditReport,
): ComparedCounts {
	const time = Date.parse(to ?? "") - Date.parse(from ?? "");
	return {
		requests: crawler.requests,
		requestsPerDay:
			time >= HOUR
				? Math.round((10 * crawler.requests) / (time / DAY)) / 10
				: null,
		disregarding: violationsOf(crawler),
		compliance: crawler.compliance,
	};
}

function kindOf(
	before: ComparedCounts | null,
	after: ComparedCounts | null,
): Change {
	if (!before) return "new";
	if (!after) return "gone";
	if (before.disregarding === 0 && after.disregarding > 0) return "began";
	if (before.disregarding > 0 && after.disregarding === 0) return "ceased";
	const rise = (after.compliance ?? 100) - (before.compliance ?? 100);
	return rise <= -1 ? "more" : rise >= 1 ? "less" : "same";
}

const text = (value: number) => value.toLocaleString("en-US");

/** "obeyed 84.3%, then 15.6%" and the like. */
function wordsFor(
	change: Change,
	before: ComparedCounts | null,
	after: ComparedCounts | null,
): string {
	const obeyed = `obeyed ${before?.compliance ?? "-"}%, now ${after?.compliance ?? "-"}%`;
	const words: Readonly<Record<Change, string>> = {
		began: `began to disregard robots.txt: ${text(after?.disregarding ?? 0)} of ${text(after?.requests ?? 0)} requests`,
		more: `disregards robots.txt more often: ${obeyed}`,
		less: `disregards robots.txt less often: ${obeyed}`,
		ceased: `no longer disregards robots.txt: ${text(before?.disregarding ?? 0)} of ${text(before?.requests ?? 0)} requests before`,
		new: `is new: ${text(after?.requests ?? 0)} requests, ${text(after?.disregarding ?? 0)} of which disregard robots.txt`,
		gone: `did not come again: ${text(before?.requests ?? 0)} requests before`,
		same: "is about as before",
	};
	return `${words[change]}${volumeOf(before, after)}`;
}

/** From this factor on, a sentence says that a crawler comes more or less often. */
const NOTICEABLE = 2;

/** "; 120 requests a day, 40 before", if that is a difference. */
function volumeOf(
	before: ComparedCounts | null,
	after: ComparedCounts | null,
): string {
	const [old, now] = [before?.requestsPerDay, after?.requestsPerDay];
	if (old == null || now == null) return "";
	const isMore = now >= NOTICEABLE * old;
	if (!isMore && old < NOTICEABLE * now) return "";
	return `; comes ${isMore ? "more" : "less"} often: ${text(now)} requests a day, ${text(old)} before`;
}

/** Most names in the sentence for one change. */
const NAMED = 3;

function sentenceOf(
	crawlers: readonly CrawlerChange[],
	{ groupBy }: AuditReport,
): string {
	const namesOf = (change: Change) =>
		crawlers.filter((each) => each.change === change).map(({ name }) => name);
	const parts = (
		[
			["began", "began to disregard", "began to disregard"],
			["more", "disregards", "disregard", " more often"],
			["less", "disregards", "disregard", " less often"],
			["ceased", "no longer disregards", "no longer disregard"],
			["new", "is new", "are new"],
			["gone", "did not come again", "did not come again"],
		] as const
	).flatMap(([change, one, many, rest = ""]) => {
		const names = namesOf(change);
		if (names.length === 0) return [];
		const verb = names.length === 1 ? one : many;
		const object = change === "new" || change === "gone" ? "" : ` ${OBJECT}`;
		return `${listed(names, NAMED)} ${verb}${object}${rest}`;
	});
	if (parts.length === 0)
		return `No ${groupNoun(groupBy, 1)} keeps robots.txt differently than before.`;
	// The first one says what "it" is in those that follow.
	const [first = "", ...others] = parts;
	const isClaim =
		groupBy !== "header" &&
		crawlers.some(
			(each) => !silent.includes(each.change) && isUnverified(each),
		);
	return `${[first, ...others.map((part) => (first.includes(OBJECT) ? part.replace(OBJECT, "it") : part))].join("; ")}.${isClaim ? BY_HEADER : ""}`;
}

const OBJECT = "robots.txt";

/** Changes of which a sentence says nothing about robots.txt. */
const silent: readonly Change[] = ["new", "gone", "same"];
