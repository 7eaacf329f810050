import Table from "cli-table3";
import type { AuditReport, CrawlerReport } from "../log/report.ts";
import { unjudged } from "../log/unjudged.ts";
import { count, paint, printable } from "./output.ts";

/** Columns of a page; wider terminals show longer names and paths. */
const WIDTH = 80;

/** Rules shown for each crawler, at most. */
const RULES = 3;

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
	if (shown.length > 0) parts.push(tableOf(shown, width, style));
	const hidden = report.crawlers.length - shown.length;
	if (hidden > 0)
		parts.push(
			style(
				"dim",
				`… and ${count(hidden, "more crawler")}; --top ${report.crawlers.length} shows all`,
			),
		);
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
	const { lines, judged, from, to, crawlers } = report;
	const others = unjudged(report);
	const disallowed = crawlers.reduce((sum, each) => sum + each.disallowed, 0);
	const period = from && to ? `, ${minute(from)} to ${minute(to)} UTC` : "";
	const sentences = [
		`${count(lines, "line")}${period}`,
		`${count(judged, "request")} of ${count(crawlers.length, "crawler")}, ${disallowed.toLocaleString("en-US")} of them disallowed`,
	];
	if (others.length > 0) sentences.push(`not judged: ${others.join(", ")}`);
	return sentences.map((text) => wrapped(text)).join("\n");
}

/** Breaks a sentence at blanks, so that it fits. */
function wrapped(text: string): string {
	return text.replace(/(.{1,80})(?: +|$)/g, "$1\n").trimEnd();
}

function minute(timestamp: string): string {
	return timestamp.slice(0, 16).replace("T", " ");
}

const headers = [
	"crawler",
	"requests",
	"robots.txt",
	"allowed",
	"disallowed",
	"obeyed",
	"delay",
] as const;
const widths = [9, 11, 9, 11, 8, 6] as const;

function tableOf(
	crawlers: readonly CrawlerReport[],
	width: number,
	style: typeof paint,
): string {
	const rest = widths.reduce((sum, each) => sum + each + 1, 0);
	const longest = Math.max(...crawlers.map((each) => nameOf(each).length), 12);
	const first = Math.min(width - rest, longest);
	const table = new Table({
		head: [...headers],
		colWidths: [first, ...widths.map((each) => each + 1)],
		colAligns: ["left", "right", "right", "right", "right", "right", "right"],
		style: { "padding-left": 0, "padding-right": 0, head: [], border: [] },
		chars: Object.fromEntries(BORDERS.map((border) => [border, ""])) as Record<
			(typeof BORDERS)[number],
			string
		>,
	});
	for (const crawler of crawlers)
		table.push([
			nameOf(crawler),
			number(crawler.requests),
			number(crawler.robotsTxt),
			number(crawler.allowed),
			crawler.disallowed > 0
				? style("red", number(crawler.disallowed))
				: number(0),
			obeyed(crawler),
			delay(crawler, style),
		]);
	return table
		.toString()
		.split("\n")
		.map((line) => line.trimEnd())
		.join("\n");
}

const BORDERS = [
	"top",
	"top-mid",
	"top-left",
	"top-right",
	"bottom",
	"bottom-mid",
	"bottom-left",
	"bottom-right",
	"left",
	"left-mid",
	"mid",
	"mid-mid",
	"right",
	"right-mid",
	"middle",
] as const;

function nameOf({ name, verification }: CrawlerReport): string {
	return printable(verification ? `${name} (${verification})` : name);
}

function number(value: number): string {
	return value.toLocaleString("en-US");
}

function obeyed({ compliance }: CrawlerReport): string {
	return compliance === null
		? "-"
		: `${(Math.floor(compliance * 10) / 10).toFixed(1)}%`;
}

/** Whether the Crawl-delay was kept. */
function delay({ crawlDelay }: CrawlerReport, style: typeof paint): string {
	if (!crawlDelay || crawlDelay.kept === null) return "-";
	return crawlDelay.kept ? "kept" : style("yellow", "short");
}

function offencesOf(
	crawler: CrawlerReport,
	{ robots }: AuditReport,
	width: number,
	style: typeof paint,
): string {
	const after = crawler.disallowedAfterRobotsTxt;
	const heading = [
		style("bold", nameOf(crawler)),
		`${count(crawler.disallowed, "disallowed request")}${after > 0 ? `, ${number(after)} of them after its first robots.txt` : ""}`,
	].join(": ");
	const rules = crawler.rules.slice(0, RULES).map((rule) => {
		const place =
			robots.length > 1 ? `${rule.file}:${rule.line}` : `line ${rule.line}`;
		const text = cut(
			printable(`  ${number(rule.count)}× ${place}: Disallow: ${rule.pattern}`),
			width,
		);
		const examples = printable(
			rule.examples.map((each) => `  ${each}`).join(""),
		);
		return `${text}${style("dim", cut(examples, width - text.length))}`;
	});
	const hidden = crawler.rules.length - rules.length;
	if (hidden > 0)
		rules.push(style("dim", `  … and ${count(hidden, "more rule")}`));
	const slow = crawler.crawlDelay;
	if (slow && slow.kept === false)
		rules.push(
			`  Crawl-delay ${slow.seconds} s: ${number(slow.shorter)} pauses were shorter, the median is ${slow.medianGap} s`,
		);
	return [heading, ...rules].join("\n");
}

/** A text, cut to a width; a piece too short to read is left out. */
function cut(text: string, width: number): string {
	if (width < 12) return "";
	return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}
