import type { AuditReport, CrawlerReport } from "@robotrie/audit";
import { count } from "robotrie/internal";
import { type paint, printable } from "../output/output.ts";
import { cut, nameOf, number } from "./cells.ts";

/** Rules shown for each crawler, at most. */
const RULES = 3;

/** The rules that a crawler disregarded, with examples, and how it was answered. */
export function offencesOf(
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
	rules.push(cut(printable(`  ${answersOf(crawler)}`), width));
	const slow = crawler.crawlDelay;
	if (slow && slow.kept === false)
		rules.push(
			`  Crawl-delay ${slow.seconds} s: ${count(slow.shorter, "pause")} ${slow.shorter === 1 ? "was" : "were"} shorter, the median is ${slow.medianGap} s`,
		);
	return [heading, ...rules].join("\n");
}

/** How disallowed requests were answered, and where they went. */
function answersOf(crawler: CrawlerReport): string {
	const { disallowedStatuses, disallowedDirectories, bytes } = crawler;
	const answers = Object.entries(disallowedStatuses).map(
		([status, times]) =>
			`${status === "none" ? "without status" : status} ${number(times)}×`,
	);
	const directories = disallowedDirectories.top
		.slice(0, RULES)
		.map(({ text, count: times }) => `${text} ${number(times)}×`);
	const size = bytes.disallowed > 0 ? `, ${sizeText(bytes.disallowed)}` : "";
	return `answered ${answers.join(", ")}${size}; in ${directories.join(", ")}`;
}

function sizeText(bytes: number): string {
	const units = ["bytes", "kB", "MB", "GB", "TB"];
	const power = Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
	const value = bytes / 1000 ** power;
	return `${value.toLocaleString("en-US", { maximumFractionDigits: value < 10 ? 1 : 0 })} ${units[power]}`;
}
