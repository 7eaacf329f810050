/**
 * A report as text, for people at a terminal: a summary, a row per purpose and crawler, and what text-sections.ts adds. reports.ts loads it.
 */

import { printable } from "#robotrie/common/printable";
import { count } from "#robotrie/common/wording";
import { isAi, purposeNames } from "../options/purposes.ts";
import {
	type AuditReport,
	type CrawlerReport,
	dialectText,
	groupNoun,
	unjudged,
	violationsOf,
} from "../options/report.ts";
import {
	type ComparedCounts,
	compareReports,
	type ReportComparison,
} from "./compare-reports.ts";
import { headlineOf, isUnverified, unboundText } from "./headline.ts";
import { number, time } from "./html-parts.ts";
import { offendersOf } from "./suggestions.ts";
import type {
	TextComparisonOptions,
	TextReportOptions,
} from "./text-options.ts";
import {
	columns,
	fittedMiddle,
	nameOf,
	type Paint,
	settingsOf,
	share,
	shortName,
	widthUpTo,
	wrapped,
} from "./text-parts.ts";
import {
	habitsOf,
	offencesOf,
	suspectTable,
	takenTable,
	versionTable,
} from "./text-sections.ts";

/** A report: sections with an empty line between, each left out where it has nothing to say. */
export function reportText(
	report: AuditReport,
	options: TextReportOptions,
): string {
	const settings = settingsOf(options);
	const { top, width, paint, commandHints } = settings;
	const shown = report.crawlers.slice(0, top);
	const hidden = report.crawlers.length - shown.length;
	const more = `… and ${number(hidden)} more ${groupNoun(report.groupBy, hidden)}`;
	// Only of crawlers in the table: a rule without its crawler's row would hang in the air.
	const offenders = shown.filter(({ rules }) => rules.length > 0);
	const sections = [
		`${resultOf(report)}\n${summaryOf(report)}`,
		purposeTable(report, paint),
		crawlerTable(shown, report, width, paint),
		hidden > 0
			? paint(
					"dim",
					commandHints
						? `${more}; --top ${report.crawlers.length} shows all`
						: more,
				)
			: "",
		takenTable(report, shown, width, paint),
		suspectTable(report, settings),
		stepTable(report, paint),
		versionTable(shown, paint),
		// Habits are about crawlers as a whole, so all of them are looked at, not only the rows shown.
		habitsOf(report, top)
			.map((text) => wrapped(text))
			.join("\n"),
		offenders
			.map((crawler) => offencesOf(crawler, report, width, paint))
			.join("\n"),
		commandHints ? hintOf(report) : "",
	];
	return `${sections.filter((text) => text !== "").join("\n\n")}\n`;
}

/** Who disregarded robots.txt, in a sentence. */
function resultOf(report: AuditReport): string {
	const { result, rest } = headlineOf(report, shortName);
	return wrapped(printable(`${result}${rest}`));
}

/** What the report is about comes lines, time, and what was judged by which file. */
function summaryOf(report: AuditReport): string {
	const { lines, judged, from, to, timeZone, crawlers, groupBy } = report;
	const others = unjudged(report);
	const total = (of: (crawler: CrawlerReport) => number) =>
		crawlers.reduce((sum, each) => sum + of(each), 0);
	const disallowed = total(violationsOf);
	const exempt = total((each) => each.exemptDisallowed);
	const period = from && to ? `, ${time(from)} to ${time(to)} ${timeZone}` : "";
	const sentences = [
		`${count(lines, "line")}${period}`,
		`${count(judged, "request")} of ${number(crawlers.length)} ${groupNoun(groupBy, crawlers.length)}, ${number(disallowed)} of them disallowed${exempt > 0 ? `, and ${number(exempt)} more to crawlers that robots.txt does not bind (exempt)` : ""}`,
	];
	// With checksums, so that a printed report says which version of a file it was about.
	sentences.push(sourcesOf(report));
	const { formats } = report;
	if (formats.length > 1 || formats.some(({ prefix }) => prefix !== null))
		sentences.push(formatsOf(formats));
	if (others.length > 0) sentences.push(`not judged: ${others.join(", ")}`);
	return sentences.map((text) => wrapped(text)).join("\n");
}

/** How many lines had which format, where that is more than one word. */
function formatsOf(formats: AuditReport["formats"]): string {
	const texts = formats.map(({ name, prefix, lines }) => {
		const behind = prefix === null ? "" : ` behind a prefix (${prefix})`;
		return `${count(lines, "line")} of ${name}${behind}`;
	});
	return printable(`read as ${named(texts)}`);
}

/** How many robots.txt files and logs the heading names. */
const NAMED = 3;

function sourcesOf({ robots, dialect, logs }: AuditReport): string {
	const files = robots.map(
		({ file, bytes, sha256 }) =>
			`${file} (${count(bytes, "byte")}, SHA-256 ${sha256.slice(0, 12)}…)`,
	);
	return printable(
		`judged by ${named(files)}, read as ${dialectText(dialect)}${logs.length > 0 ? `; ${logs.length === 1 ? "log" : "logs"} ${named(logs)}` : ""}`,
	);
}

function named(names: readonly string[]): string {
	const more = names.length - NAMED;
	return more > 0
		? `${names.slice(0, NAMED).join(", ")} and ${number(more)} more`
		: names.join(", ");
}

/** A row per purpose; none where rows are not crawlers, or all are of one purpose. */
function purposeTable(report: AuditReport, paint: Paint): string {
	const { purposes, groupBy } = report;
	if (groupBy !== "name" || purposes.length < 2) return "";
	const rows = purposes.map((row) => [
		purposeNames[row.purpose].title,
		number(row.crawlers),
		row.bound === 0
			? unboundText(report, row.purpose)
			: row.disregarding > 0
				? paint("red", number(row.disregarding))
				: number(0),
		number(row.requests),
		number(row.disallowed),
		row.bound === 0 ? unboundText(report, row.purpose) : share(row.compliance),
	]);
	return columns(
		[
			[
				"by purpose",
				"crawlers",
				"disregarded by",
				"requests",
				"disallowed",
				"obeyed",
			],
			...rows,
		],
		{ left: 1 },
	);
}

/** Columns after the crawler, and how wide they are at least. */
const counts = {
	requests: 9,
	"robots.txt": 11,
	allowed: 9,
	disallowed: 11,
	obeyed: 8,
	delay: 6,
} as const;

/** One row per crawler. */
function crawlerTable(
	crawlers: readonly CrawlerReport[],
	{ groupBy }: AuditReport,
	width: number,
	paint: Paint,
): string {
	if (crawlers.length === 0) return "";
	const widths = Object.values(counts);
	// The first column takes what the others leave; its texts are cut in the middle.
	const others = widths.reduce<number>((sum, each) => sum + each + 1, 0);
	const first = crawlers.reduce(
		(most, each) => Math.max(most, widthUpTo(nameOf(each), width - others)),
		12,
	);
	const rows = crawlers.map((crawler) => [
		fittedMiddle(nameOf(crawler), first),
		number(crawler.requests),
		number(crawler.robotsTxt),
		number(crawler.allowed),
		crawler.disallowed > 0
			? paint("red", number(crawler.disallowed))
			: number(0),
		obeyed(crawler),
		delay(crawler, paint),
	]);
	return columns([[groupNoun(groupBy, 1), ...Object.keys(counts)], ...rows], {
		left: 1,
		widths: [first, ...widths],
	});
}

/** A crawler without bound requests has no compliance, which is not the same as 0%. */
function obeyed({ compliance, exempt }: CrawlerReport): string {
	return compliance === null && exempt > 0 ? "exempt" : share(compliance);
}

/** Whether the Crawl-delay was kept. */
function delay({ crawlDelay }: CrawlerReport, paint: Paint): string {
	if (!crawlDelay) return "-";
	// "?" is explained in the help text.
	if (crawlDelay.kept === null) return crawlDelay.late > 0 ? "?" : "-";
	return crawlDelay.kept ? "kept" : paint("yellow", "short");
}

/** Steps in the table, the last ones: more do not fit a page, and JSON and CSV have all. */
const STEPS = 62;

/** A row per step of time, with `--every`. */
function stepTable(report: AuditReport, paint: Paint): string {
	const { crawlers, every } = report;
	if (every === null) return "";
	const rows = new Map<
		string,
		{ requests: number; disallowed: number; ai: number }
	>();
	for (const { series, purpose } of crawlers)
		for (const { start, allowed, disallowed, other } of series) {
			const row = rows.get(start) ?? { requests: 0, disallowed: 0, ai: 0 };
			const requests = allowed + disallowed + other;
			row.requests += requests;
			row.disallowed += disallowed;
			if (isAi(purpose)) row.ai += requests;
			rows.set(start, row);
		}
	const all = [...rows].sort(([a], [b]) => Date.parse(a) - Date.parse(b));
	if (all.length === 0) return "";
	const shown = all.slice(-STEPS);
	const name = (start: string) =>
		every === "hour" ? time(start) : start.slice(0, every === "month" ? 7 : 10);
	const table = columns(
		[
			[`by ${every}`, "requests", "of AI crawlers", "disallowed"],
			...shown.map(([start, { requests, disallowed, ai }]) => [
				name(start),
				number(requests),
				number(ai),
				disallowed > 0 ? paint("red", number(disallowed)) : number(0),
			]),
		],
		{ left: 1 },
	);
	const hidden = all.length - shown.length;
	return hidden > 0
		? `${table}\n${paint("dim", `… and ${number(hidden)} before; JSON and CSV have all`)}`
		: table;
}

/** How to know who came under a crawler's name, and how to print what to do, where there is something to refuse. */
function hintOf(report: AuditReport): string {
	if (offendersOf(report).blocked.length === 0) return "";
	const isClaim =
		report.groupBy !== "header" &&
		report.crawlers.some(
			(crawler) => violationsOf(crawler) > 0 && isUnverified(crawler),
		);
	return [
		...(isClaim
			? [
					"Who it was: anyone can send a crawler's name. --verify compares addresses with those that its operator publishes, --resolve asks DNS.",
				]
			: []),
		"What to do: add --suggest robots.txt to this command, and it prints lines to copy (or nginx, apache, cloudflare, addresses).",
	]
		.map((text) => wrapped(text))
		.join("\n");
}

/** What changed from one report to another: a sentence, and a row for each crawler that changed or is among the first `top`. */
export function comparisonText(
	earlier: AuditReport,
	later: AuditReport,
	options: TextComparisonOptions,
): string {
	const { top, commandHints } = settingsOf(options);
	const { sentence, before, after, crawlers } = compareReports(earlier, later);
	const span = ({ from, to, timeZone }: ReportComparison["before"]) =>
		from && to
			? `${time(from)} to ${time(to)} ${timeZone}`
			: "a log without times";
	const shown = crawlers.slice(0, top);
	const hidden = crawlers.length - shown.length;
	const pair = (
		row: (typeof crawlers)[number],
		of: (counts: ComparedCounts) => string,
	) => [row.before ? of(row.before) : "-", row.after ? of(row.after) : "-"];
	const perDay = ({ requestsPerDay }: ComparedCounts) =>
		requestsPerDay === null ? "-" : number(requestsPerDay);
	const rows = shown.map((row) => [
		fittedMiddle(nameOf(row), 20),
		...pair(row, perDay),
		...pair(row, ({ disregarding }) => number(disregarding)),
		...pair(row, ({ compliance }) => share(compliance)),
	]);
	const head = [
		groupNoun(earlier.groupBy, 1),
		...["a day", "now", "disregarding", "now", "obeyed", "now"],
	];
	const more = `… and ${number(hidden)} more`;
	return [
		`${wrapped(printable(sentence))}\nbefore: ${span(before)}\nnow: ${span(after)}\n`,
		...(rows.length > 0
			? [
					`${columns([head, ...rows], { left: 1 })}\n`,
					`${shown.map((row) => `${nameOf(row)} ${row.sentence}`).join("\n")}\n`,
				]
			: []),
		...(hidden > 0
			? [
					`${commandHints ? `${more}; --top ${crawlers.length} shows all` : more}\n`,
				]
			: []),
	].join("\n");
}
