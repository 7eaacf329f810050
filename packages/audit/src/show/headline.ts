/**
 * What a report says in one sentence: who disregarded robots.txt, since when, how often, and what was served. The command line and the
 * HTML report begin with it. AI crawlers come first, as that is what most readers ask about; other purposes follow by name.
 */

import { count } from "#robotrie/common/wording";
import { isAi, type Purpose, purposeNames } from "../options/purposes.ts";
import {
	type AuditReport,
	type CrawlerReport,
	groupNoun,
	isBound,
	violationsOf,
} from "../options/report.ts";
import { sum } from "../report/crawler-report.ts";
import { number, wallTime } from "./html-parts.ts";

/** A sentence as plain text: its beginning, which is the result, and the rest. */
export interface Headline {
	readonly result: string;
	readonly rest: string;
}

/** Who a report is about first: AI crawlers, or all rows if no AI crawler came or rows are not crawlers. Impostors are neither. */
export interface Subject {
	/** Rows that robots.txt binds. */
	readonly bound: readonly CrawlerReport[];
	/** Those of them that disregarded it, most disallowed requests first. */
	readonly offenders: readonly CrawlerReport[];
	/** "3 of 9 AI crawlers" */
	readonly text: string;
	readonly isAi: boolean;
}

/** Whether AI crawlers are the subject: they came, and rows are crawlers. */
export function subjectOf(report: AuditReport): Subject {
	const { groupBy } = report;
	const bound = partsOf(report).own.filter(isBound);
	const ai =
		groupBy === "name" ? bound.filter(({ purpose }) => isAi(purpose)) : [];
	const own = ai.length > 0 ? ai : bound;
	const offenders = offendingOf(own);
	const noun =
		ai.length > 0
			? `AI ${groupNoun("name", own.length)}`
			: groupNoun(groupBy, own.length);
	return {
		bound: own,
		offenders,
		text: `${number(offenders.length)} of ${number(own.length)} ${noun}`,
		isAi: ai.length > 0,
	};
}

function offendingOf(crawlers: readonly CrawlerReport[]): CrawlerReport[] {
	return crawlers.filter((crawler) => violationsOf(crawler) > 0);
}

/** The rows that a sentence may count as crawlers, and impostors. A header or an address is what it is, whoever sent it. */
function partsOf({ crawlers, groupBy }: AuditReport) {
	const isImpostor = ({ verification }: CrawlerReport) =>
		verification === "claimed" &&
		(groupBy === "name" || groupBy === "category");
	return {
		own: crawlers.filter((crawler) => !isImpostor(crawler)),
		impostors: crawlers.filter(isImpostor),
	};
}

/** Whether no robots.txt of a report could be read, so that it says nothing about who obeyed. */
export function isUnread({ robots }: AuditReport): boolean {
	return robots.length > 0 && robots.every(({ readable }) => !readable);
}

/** The result in one sentence. Names are as in the log: who shows it has to escape them. */
export function headlineOf(
	report: AuditReport,
	nameOf: (crawler: CrawlerReport) => string,
): Headline {
	const { crawlers, groupBy } = report;
	if (crawlers.length === 0) return { result: "No crawler came", rest: "." };
	const { own } = partsOf(report);
	const all = offendingOf(own);
	const subject = subjectOf(report);
	if (isUnread(report))
		return {
			result: "Nothing was judged",
			rest: `: ${listed([...new Set(report.robots.map(({ file }) => file))], NAMED)} cannot be read as robots.txt; ${number(crawlers.length)} ${groupNoun(groupBy, crawlers.length)} came.`,
		};
	const end = `.${claimOf(report)}${impostorsOf(report, nameOf)}`;
	if (own.length === 0)
		return {
			result: "No crawler came from an address of its operator",
			rest: end,
		};
	// What nobody could read, nobody obeyed.
	const obeyed = report.robots.every(({ readable }) => readable)
		? "robots.txt"
		: "the robots.txt files that can be read";
	if (all.length === 0)
		return {
			result: `No ${groupNoun(groupBy, 1)} disregarded ${obeyed}`,
			rest: `; ${number(own.length)} came${subject.isAi ? `, ${number(subject.bound.length)} of them AI crawlers` : ""}${end}`,
		};
	const others = subject.isAi ? othersOf(report) : [];
	const { offenders } = subject;
	if (offenders.length === 0)
		return {
			result:
				subject.bound.length === 1
					? `The one AI crawler obeyed ${obeyed}`
					: `All ${number(subject.bound.length)} AI crawlers obeyed ${obeyed}`,
			rest: `; ${listed(others)} did not, in ${factsOf(all)}${end}`,
		};
	const since = sinceOf(offenders);
	return {
		result: `${subject.text} disregarded robots.txt`,
		// Headers and addresses are too long for a sentence, and say nothing to most readers.
		rest: `${since ? ` since ${dayText(since)}` : ""}${groupBy === "name" ? ` (${listed(offenders.map(nameOf), NAMED)})` : ""}, in ${factsOf(offenders)}${others.length > 0 ? `; so did ${listed(others)}` : ""}${end}`,
	};
}

/** What the names in a sentence rest on where no address was verified: anybody can send any header. */
export const BY_HEADER = " By their User-Agent, not verified.";

/** BY_HEADER, or how many of those who disregarded robots.txt it is true of; "" if all are verified, or rows are headers. */
function claimOf(report: AuditReport): string {
	if (report.groupBy === "header") return "";
	const offenders = offendingOf(partsOf(report).own);
	const unverified = offenders.filter(isUnverified).length;
	if (unverified === 0) return "";
	return unverified === offenders.length
		? BY_HEADER
		: ` ${number(unverified)} of all ${number(offenders.length)} by their User-Agent, not verified.`;
}

/** How often others disregarded robots.txt under crawlers' names, by their addresses; "" if nobody did. */
function impostorsOf(
	report: AuditReport,
	nameOf: (crawler: CrawlerReport) => string,
): string {
	const impostors = offendingOf(partsOf(report).impostors);
	if (impostors.length === 0) return "";
	const names =
		report.groupBy === "name"
			? `the ${impostors.length === 1 ? "name" : "names"} of ${listed(
					impostors.map((one) => nameOf({ ...one, verification: null })),
					NAMED,
				)}`
			: "crawlers' names";
	return ` Others made ${count(sum(impostors, violationsOf), "disallowed request")} under ${names}.`;
}

/** Whether only a User-Agent header says whose requests these are. */
export function isUnverified({
	verification,
}: Pick<CrawlerReport, "verification">): boolean {
	return verification === null || verification === "unknown";
}

/** Most crawlers that a sentence names. */
const NAMED = 3;

/** "4 of 4 search engines" for each other purpose with an offender. */
function othersOf({ purposes }: AuditReport): string[] {
	return purposes
		.filter(({ purpose, disregarding }) => !isAi(purpose) && disregarding > 0)
		.map(({ purpose, bound, disregarding }) => {
			const { one, many } = purposeNames[purpose];
			return `${number(disregarding)} of ${number(bound)} ${bound === 1 ? one : many}`;
		});
}

/** "666 requests, of which 592 were served"; without the second part if the log has no status codes. */
function factsOf(offenders: readonly CrawlerReport[]): string {
	const requests = sum(offenders, violationsOf);
	const served = servedOf(offenders);
	return `${count(requests, "request")}${served === null ? "" : `, of which ${number(served)} ${served === 1 ? "was" : "were"} served`}`;
}

/** What stands in place of a number where none of a purpose's crawlers is bound: all are exempt, or others only used their names. */
export function unboundText({ crawlers }: AuditReport, of: Purpose): string {
	return crawlers.some((crawler) => crawler.purpose === of && isBound(crawler))
		? "claimed"
		: "exempt";
}

/** Disallowed requests that were answered 2xx; null if the log has no status codes. */
export function servedOf(crawlers: readonly CrawlerReport[]): number | null {
	const isSilent = crawlers.every(({ disallowedStatuses }) =>
		Object.keys(disallowedStatuses).every((name) => name === "none"),
	);
	if (isSilent) return null;
	// Statuses of exempt requests are among these.
	return sum(crawlers, (crawler) =>
		Math.min(crawler.disallowedStatuses["2xx"] ?? 0, violationsOf(crawler)),
	);
}

/** Compares times, whose offsets may differ. */
export function compareTimes(a: string, b: string): number {
	return Date.parse(a) - Date.parse(b);
}

/** When crawlers made their first disallowed request, as exactly as steps of the series are; RFC 3339. */
function sinceOf(crawlers: readonly CrawlerReport[]): string | null {
	const firsts = crawlers.flatMap(({ series, firstSeen }) => {
		const step = series.find(({ disallowed }) => disallowed > 0);
		if (!step) return [];
		// A step may begin before the crawler came.
		return firstSeen && compareTimes(firstSeen, step.start) > 0
			? firstSeen
			: step.start;
	});
	return firsts.sort(compareTimes)[0] ?? null;
}

const day = new Intl.DateTimeFormat("en-GB", {
	day: "numeric",
	month: "long",
	year: "numeric",
	timeZone: "UTC",
});

/** "14 October 2025", in the time zone of the report. */
export function dayText(timestamp: string): string {
	return day.format(wallTime(timestamp));
}

/** "a, b and c", or "a, b, c and 5 more". */
export function listed(items: readonly string[], most = items.length): string {
	const shown = items.slice(0, most);
	const more = items.length - shown.length;
	if (more > 0) shown.push(`${number(more)} more`);
	const last = shown.pop() ?? "";
	return shown.length > 0 ? `${shown.join(", ")} and ${last}` : last;
}

/** What became of requests, by class of status, as a reader says it. */
const outcomes: Readonly<Record<string, string>> = {
	none: "without a status in the log",
	"1xx": "answered 1xx",
	"2xx": "served",
	"3xx": "redirected",
	"4xx": "failed (4xx)",
	"5xx": "failed (5xx)",
	refused: "refused (403, 429 or 451)",
};

/** "296 were served, 27 redirected, 7 refused (403, 429 or 451)" of `CrawlerReport.disallowedStatuses`. */
export function outcomesOf(
	statuses: Readonly<Record<string, number>>,
): readonly string[] {
	return Object.entries(statuses).map(
		([status, times]) => `${number(times)} ${outcomes[status] ?? status}`,
	);
}
