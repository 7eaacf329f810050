import type { CrawlerReport, GroupBy } from "@robotrie/audit";
import { cutMiddle, groupNoun } from "@robotrie/audit/internal";
import Table from "cli-table3";
import { type paint, printable } from "../output/output.ts";
import { cut, minute, nameOf, number, share } from "./cells.ts";

const headers = [
	"requests",
	"robots.txt",
	"allowed",
	"disallowed",
	"obeyed",
	"delay",
] as const;
const widths = [9, 11, 9, 11, 8, 6] as const;

/** A row a crawler. */
export function crawlerTable(
	crawlers: readonly CrawlerReport[],
	groupBy: GroupBy,
	width: number,
	style: typeof paint,
): string {
	const rest = widths.reduce((sum, each) => sum + each + 1, 0);
	const longest = Math.max(...crawlers.map((each) => nameOf(each).length), 12);
	const first = Math.min(width - rest, longest);
	const table = new Table({
		head: [groupNoun(groupBy, 1), ...headers],
		colWidths: [first, ...widths.map((each) => each + 1)],
		colAligns: ["left", "right", "right", "right", "right", "right", "right"],
		style: { "padding-left": 0, "padding-right": 0, head: [], border: [] },
		chars: noBorders,
	});
	for (const crawler of crawlers)
		table.push([
			cutMiddle(nameOf(crawler), first),
			number(crawler.requests),
			number(crawler.robotsTxt),
			number(crawler.allowed),
			crawler.disallowed > 0
				? style("red", number(crawler.disallowed))
				: number(0),
			obeyed(crawler),
			delay(crawler, style),
		]);
	return trimmedLines(table.toString());
}

function obeyed({ compliance, exempt }: CrawlerReport): string {
	return compliance === null && exempt > 0 ? "exempt" : share(compliance);
}

/** Whether the Crawl-delay was kept. */
function delay({ crawlDelay }: CrawlerReport, style: typeof paint): string {
	if (!crawlDelay) return "-";
	if (crawlDelay.kept === null) return crawlDelay.late > 0 ? "?" : "-";
	return crawlDelay.kept ? "kept" : style("yellow", "short");
}

/** Columns of a crawler's name and of a version, so that the table fits a page. */
const VERSION_WIDTH = 16;

/** Compliance with each version of the robots.txt files that changed. */
export function versionTable(
	crawlers: readonly CrawlerReport[],
	style: typeof paint,
): string {
	const rows = crawlers.flatMap((crawler) =>
		crawler.versions.map((version, index) => [
			index === 0 ? cutMiddle(nameOf(crawler), VERSION_WIDTH) : "",
			version.since
				? minute(version.since).replace(" 00:00", "")
				: cut(printable(version.file), VERSION_WIDTH),
			number(version.requests),
			version.disallowed > 0
				? style("red", number(version.disallowed))
				: number(0),
			share(version.compliance),
			version.secondsToRobotsTxt === null
				? version.firstRobotsTxt
					? "yes"
					: "never"
				: duration(version.secondsToRobotsTxt),
			share(version.complianceAfterRobotsTxt),
		]),
	);
	if (rows.length === 0) return "";
	return plainTable(
		[
			"by version",
			"since",
			"requests",
			"disallowed",
			"obeyed",
			"read after",
			"then",
		],
		rows,
		2,
	);
}

function duration(seconds: number): string {
	const units = [
		[86_400, "d"],
		[3600, "h"],
		[60, "min"],
	] as const;
	const [size, name] = units.find(([size]) => seconds >= size) ?? [1, "s"];
	return `${(Math.floor((seconds / size) * 10) / 10).toLocaleString("en-US")} ${name}`;
}

function plainTable(
	head: readonly string[],
	rows: readonly (readonly string[])[],
	left: number,
): string {
	const table = new Table({
		head: [...head],
		colAligns: head.map((_, at) => (at < left ? "left" : "right")),
		style: { "padding-left": 0, "padding-right": 1, head: [], border: [] },
		chars: noBorders,
	});
	for (const row of rows) table.push([...row]);
	return trimmedLines(table.toString());
}

function trimmedLines(text: string): string {
	return text
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

const noBorders = Object.fromEntries(
	BORDERS.map((border) => [border, ""]),
) as Record<(typeof BORDERS)[number], string>;
