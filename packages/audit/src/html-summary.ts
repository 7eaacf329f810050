import { count } from "robotrie/internal";
import { groupNoun } from "./group-noun.ts";
import { number, shortLabel } from "./html-parts.ts";
import {
	type AuditReport,
	type CrawlerReport,
	isBound,
	violationsOf,
} from "./report.ts";

/** Crawlers that the summary names. */
const NAMED = 3;

/** What the report comes to, in words. */
export function summary({ crawlers, groupBy }: AuditReport): string {
	const bound = crawlers.filter(isBound);
	const offenders = bound.filter((crawler) => violationsOf(crawler) > 0);
	if (crawlers.length === 0) return "No crawler came.";
	const total = (of: (crawler: CrawlerReport) => number) =>
		offenders.reduce((sum, crawler) => sum + of(crawler), 0);
	if (offenders.length === 0)
		return `<b>No ${groupNoun(groupBy, 1)} disregarded robots.txt</b>; ${crawlers.length === 1 ? "one" : number(crawlers.length)} came.`;
	const disallowed = total(violationsOf);
	const served = total(
		({ disallowedStatuses }) => disallowedStatuses["2xx"] ?? 0,
	);
	const after = offenders.filter(
		(crawler) => crawler.disallowedAfterRobotsTxt > 0,
	);
	const unread = offenders.filter(({ robotsTxt }) => robotsTxt === 0);
	return [
		`<b>${number(offenders.length)} of ${number(bound.length)} ${groupNoun(groupBy, bound.length)} disregarded robots.txt in ${count(disallowed, "request")}</b>, of which ${number(served)} ${served === 1 ? "was" : "were"} served.`,
		after.length > 0 ? `${names(after)} did so after reading it.` : "",
		unread.length > 0 ? `${names(unread)} never read it.` : "",
	]
		.filter(Boolean)
		.join(" ");
}

function names(crawlers: readonly CrawlerReport[]): string {
	const more = crawlers.length - NAMED;
	const list = crawlers.slice(0, NAMED).map(shortLabel);
	if (more > 0) list.push(`${number(more)} more`);
	const last = list.pop() ?? "";
	return list.length > 0 ? `${list.join(", ")} and ${last}` : last;
}
