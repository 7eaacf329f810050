import type { AuditReport, CrawlerReport, Ranking } from "@robotrie/audit";
import { groupNoun, unjudged, violationsOf } from "@robotrie/audit/internal";
import { count } from "robotrie/internal";
import { paint, printable } from "../output/output.ts";
import { minute, nameOf, number } from "./cells.ts";
import { crawlerTable, versionTable } from "./grids.ts";
import { offencesOf } from "./offences.ts";

/** Columns of a page; wider terminals show longer names and paths. */
const WIDTH = 80;

/** A report for people: a row a crawler, and the rules that were disregarded. */
export function auditTable(
	report: AuditReport,
	top: number,
	onStdout: boolean,
): string {
	const width = onStdout
		? Math.max(process.stdout.columns ?? WIDTH, WIDTH)
		: WIDTH;
	const style: typeof paint = onStdout ? paint : (_, text) => text;
	const shown = report.crawlers.slice(0, top);
	const parts = [summaryOf(report)];
	if (shown.length > 0)
		parts.push(crawlerTable(shown, report.groupBy, width, style));
	const hidden = report.crawlers.length - shown.length;
	if (hidden > 0)
		parts.push(
			style(
				"dim",
				`… and ${number(hidden)} more ${groupNoun(report.groupBy, hidden)}; --top ${report.crawlers.length} shows all`,
			),
		);
	const versions = versionTable(shown, style);
	if (versions !== "") parts.push(versions);
	const habits = habitsOf(report, top);
	if (habits.length > 0) parts.push(habits.map(wrapped).join("\n"));
	const offenders = shown.filter(({ rules }) => rules.length > 0);
	if (offenders.length > 0)
		parts.push(
			offenders
				.map((crawler) => offencesOf(crawler, report, width, style))
				.join("\n"),
		);
	return `${parts.join("\n\n")}\n`;
}

function summaryOf(report: AuditReport): string {
	const { lines, judged, from, to, crawlers, groupBy } = report;
	const others = unjudged(report);
	const total = (of: (crawler: CrawlerReport) => number) =>
		crawlers.reduce((sum, each) => sum + of(each), 0);
	const disallowed = total(violationsOf);
	const exempt = total((each) => each.exemptDisallowed);
	const period = from && to ? `, ${minute(from)} to ${minute(to)} UTC` : "";
	const sentences = [
		`${count(lines, "line")}${period}`,
		`${count(judged, "request")} of ${number(crawlers.length)} ${groupNoun(groupBy, crawlers.length)}, ${disallowed.toLocaleString("en-US")} of them disallowed${exempt > 0 ? `, and ${number(exempt)} more to crawlers that robots.txt does not bind (exempt)` : ""}`,
	];
	sentences.push(sourcesOf(report));
	if (others.length > 0) sentences.push(`not judged: ${others.join(", ")}`);
	return sentences.map((text) => wrapped(text)).join("\n");
}

/** How many robots.txt files and logs the heading names. */
const NAMED = 3;

function sourcesOf({ robots, dialect, logs }: AuditReport): string {
	const files = robots.map(
		({ file, bytes, sha256 }) =>
			`${file} (${count(bytes, "byte")}, SHA-256 ${sha256.slice(0, 12)}…)`,
	);
	return printable(
		`judged by ${named(files)}, read as ${dialect}${logs.length > 0 ? `; ${logs.length === 1 ? "log" : "logs"} ${named(logs)}` : ""}`,
	);
}

function named(names: readonly string[]): string {
	const more = names.length - NAMED;
	return more > 0
		? `${names.slice(0, NAMED).join(", ")} and ${number(more)} more`
		: names.join(", ");
}

/** What the table has no column for: who reads robots.txt never, or too seldom, and whose names are taken in vain. */
function habitsOf({ crawlers }: AuditReport, top: number): string[] {
	const list = (
		text: string,
		of: (crawler: CrawlerReport) => string | undefined,
	) => {
		const found = crawlers.flatMap((crawler) => of(crawler) ?? []);
		const more = found.length - Math.min(top, MOST_LISTED);
		const shown = found.slice(0, Math.min(top, MOST_LISTED));
		if (more > 0) shown.push(`${number(more)} more`);
		return found.length > 0 ? [`${text}: ${shown.join(", ")}`] : [];
	};
	return [
		...list("never read robots.txt", (crawler) =>
			crawler.robotsTxt === 0 && crawler.exempt === 0
				? nameOf(crawler)
				: undefined,
		),
		...list("requests more than 24 h after reading robots.txt", (crawler) =>
			crawler.robotsFetches.stale > 0
				? `${nameOf(crawler)} ${number(crawler.robotsFetches.stale)}`
				: undefined,
		),
		...list("Crawl-delay kept or not is unknown (?)", (crawler) =>
			crawler.crawlDelay && crawler.crawlDelay.late > 0
				? crawler.crawlDelay.unknown === null
					? undefined
					: `${nameOf(crawler)}, as ${crawler.crawlDelay.unknown}`
				: undefined,
		),
		...list("addresses behind unverified names", (crawler) => {
			const { addresses, networks } = crawler;
			const [first] = networks.top;
			return first
				? `${nameOf(crawler)} ${atLeast(addresses)} in ${count(networks.different, "network")}, most in ${first.text}`
				: undefined;
		}),
	];
}

/** Names in one sentence. */
const MOST_LISTED = 10;

function atLeast({ different, uncounted }: Ranking): string {
	return `${uncounted > 0 ? "at least " : ""}${number(different)}`;
}

/** Breaks a sentence at blanks, so that it fits. */
function wrapped(text: string): string {
	return text.replace(/(.{1,80})(?: +|$)/g, "$1\n").trimEnd();
}
