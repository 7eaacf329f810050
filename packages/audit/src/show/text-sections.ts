/**
 * Sections of a report as text that only some reports have: what crawlers take, suspects, versions of a robots.txt, habits, and the rules that
 * crawlers disregarded.
 */

import { printable } from "#robotrie/common/printable";
import { count } from "#robotrie/common/wording";
import {
	type AuditReport,
	type CrawlerReport,
	groupNoun,
	pagesOf,
	percent,
	type Ranking,
	type TakenRanking,
	type TakenText,
	unusableSigns,
} from "../options/report.ts";
import { outcomesOf } from "./headline.ts";
import { number, sizeText, time } from "./html-parts.ts";
import {
	columns,
	cut,
	fittedMiddle,
	nameOf,
	type Paint,
	share,
	shortName,
	type TextSettings,
	widthOf,
	wrapped,
} from "./text-parts.ts";

/** Sections and paths of a crawler, and shared pages, in the table. */
const MOST_TAKEN = 3;

/** What crawlers take, with `--paths`: a row for each, its sections and paths, and pages that several AI crawlers take. */
export function takenTable(
	report: AuditReport,
	crawlers: readonly CrawlerReport[],
	width: number,
	paint: Paint,
): string {
	const { sharedPages } = report;
	if (!sharedPages || crawlers.length === 0) return "";
	// Few logs have content types.
	const hasTypes = crawlers.some(
		({ taken }) => taken && taken.contentTypes.top.length > 0,
	);
	const rows = crawlers.map((crawler) => {
		const { allowed, disallowed, other } = crawler.bytes;
		const bytes = allowed + disallowed + other;
		return [
			fittedMiddle(nameOf(crawler), 16),
			bytes > 0 ? sizeText(bytes) : "-",
			share(crawler.taken?.share ?? null),
			statusesOf(crawler, hasTypes ? 2 : 4),
			...(hasTypes ? [typesOf(crawler)] : []),
		];
	});
	const head = ["what they take", "bytes", "of all", "statuses"];
	const table = columns(
		[hasTypes ? [...head, "content types"] : head, ...rows],
		{ left: 1, rest: 3 },
	);
	const lines = crawlers.flatMap((crawler) => {
		const { taken } = crawler;
		if (!taken || taken.paths.top.length === 0) return [];
		return [
			paint("bold", `${shortName(crawler)}:`),
			...[taken.sections, taken.paths].map((ranking, at) =>
				cut(
					printable(
						`  ${["sections", "paths"][at]}: ${takenText(ranking.top)}${restOf(ranking)}`,
					),
					width,
				),
			),
		];
	});
	const shared = sharedPages.top
		.slice(0, MOST_TAKEN)
		.map(({ host, path, crawlers, requests }) =>
			cut(
				printable(
					`  ${number(requests)}× ${host ?? ""}${path}  by ${crawlers.length}: ${crawlers.join(", ")}`,
				),
				width,
			),
		);
	const pages =
		shared.length > 0
			? [
					`${sharedPages.exact ? "" : "at least "}${count(sharedPages.different, "page")} ${sharedPages.different === 1 ? "was" : "were"} taken by several AI crawlers:\n${shared.join("\n")}`,
				]
			: [];
	return [table, lines.join("\n"), ...pages]
		.filter((part) => part !== "")
		.join("\n\n");
}

function takenText(top: readonly TakenText[]): string {
	return top
		.slice(0, MOST_TAKEN)
		.map(({ text, requests }) => `${text} ${number(requests)}×`)
		.join(", ");
}

/** How many more there are, and how exact the counts are. */
function restOf({ top, different, uncounted }: TakenRanking): string {
	const more = different - Math.min(top.length, MOST_TAKEN);
	const rest = more > 0 ? ` and ${number(more)} more` : "";
	return uncounted > 0
		? `${rest}; each perhaps up to ${number(uncounted)} more often`
		: rest;
}

/** "2xx 98%, 4xx 2%": the most frequent classes of statuses. */
function statusesOf(
	{ statuses, requests }: CrawlerReport,
	most: number,
): string {
	return Object.entries(statuses)
		.filter(([, times]) => 100 * times >= requests)
		.sort(([, a], [, b]) => b - a)
		.slice(0, most)
		.map(([name, times]) => `${name} ${Math.floor((100 * times) / requests)}%`)
		.join(", ");
}

function typesOf({ taken }: CrawlerReport): string {
	const [first] = taken?.contentTypes.top ?? [];
	return first ? printable(`${first.text} ${number(first.count)}×`) : "-";
}

/** Clients that behave like crawlers, with `--suspects`: a row for each, and below it when and why. */
export function suspectTable(
	{ suspects }: AuditReport,
	{ top: most, width, paint }: TextSettings,
): string {
	if (!suspects) return "";
	const { top, different, clients } = suspects;
	const unusable = unusableSigns(suspects);
	const shown = top.slice(0, most);
	const notes = [
		different === 0
			? `no suspects among ${number(clients)} ${groupNoun("address", clients)} with a browser's User-Agent`
			: "These are suspicions: people behind proxies and some programs of people look alike. Look at their requests in the log before you refuse them.",
		...(unusable === "" ? [] : [unusable]),
	];
	if (shown.length === 0) return notes.map((text) => wrapped(text)).join("\n");
	const rows = columns(
		[
			["suspects", "requests", "pages", "images etc.", "disallowed"],
			...shown.map((suspect) => [
				fittedMiddle(printable(suspect.address), 40),
				number(suspect.requests),
				pagesOf(suspect),
				number(suspect.assets),
				suspect.disallowed > 0
					? paint("red", number(suspect.disallowed))
					: number(0),
			]),
		],
		{ left: 1 },
	);
	const [head = "", ...lines] = rows.split("\n");
	const reasons = shown.map(({ system, firstSeen, lastSeen, reason }) => {
		const span =
			firstSeen && lastSeen ? [`${time(firstSeen)} to ${time(lastSeen)}`] : [];
		const parts = [...(system === null ? [] : [system]), ...span, reason];
		return wrapped(printable(parts.join("; ")), width - 2).replace(/^/gm, "  ");
	});
	const hidden = different - shown.length;
	return [
		head,
		...lines.flatMap((line, at) => [line, reasons[at] ?? ""]),
		...(hidden > 0 ? [paint("dim", `… and ${number(hidden)} more`)] : []),
		...notes.map((note) => wrapped(note)),
	].join("\n");
}

/** Columns of a crawler's name and of a version, so that the table fits a page. */
const VERSION_WIDTH = 16;

/** Compliance with each version of the robots.txt files that changed. */
export function versionTable(
	crawlers: readonly CrawlerReport[],
	paint: Paint,
): string {
	// Names stand in the first row of a crawler only.
	const rows = crawlers.flatMap((crawler) =>
		crawler.versions.map((version, index) => [
			index === 0 ? fittedMiddle(nameOf(crawler), VERSION_WIDTH) : "",
			version.since
				? time(version.since).replace(" 00:00", "")
				: cut(printable(version.file), VERSION_WIDTH),
			number(version.requests),
			version.disallowed > 0
				? paint("red", number(version.disallowed))
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
	const head = ["by version", "since", "requests", "disallowed"];
	return columns([[...head, "obeyed", "read after", "then"], ...rows], {
		left: 2,
	});
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

/**
 * What the table has no column for: crawlers that never or too seldom read robots.txt, and names
 * that others use. Each list is a sentence, as a column that is empty for nearly all crawlers would
 * waste the width.
 */
export function habitsOf({ crawlers }: AuditReport, top: number): string[] {
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
				? shortName(crawler)
				: undefined,
		),
		...list("requests more than 24 h after reading robots.txt", (crawler) =>
			crawler.robotsFetches.stale > 0
				? `${shortName(crawler)} ${number(crawler.robotsFetches.stale)}`
				: undefined,
		),
		...list("Crawl-delay kept or not is unknown (?)", (crawler) =>
			crawler.crawlDelay && crawler.crawlDelay.late > 0
				? crawler.crawlDelay.unknown === null
					? undefined
					: `${shortName(crawler)}, as ${crawler.crawlDelay.unknown}`
				: undefined,
		),
		...list("networks that requests came from", (crawler) => {
			const { systems, requests } = crawler;
			const [first] = systems.top;
			if (!first) return undefined;
			const others = systems.different - 1;
			const part = percent(first.count, requests);
			return `${shortName(crawler)} ${printable(first.text)}${others > 0 ? ` ${share(part)} and ${number(others)} more` : ""}`;
		}),
		...list("addresses using unverified names", (crawler) => {
			const { addresses, networks } = crawler;
			const [first] = networks.top;
			return first
				? `${shortName(crawler)} ${atLeast(addresses)} in ${count(networks.different, "network")}, most in ${first.text}`
				: undefined;
		}),
	];
}

/** Names in one sentence. */
const MOST_LISTED = 10;

/** The number is a lower bound where addresses beyond the limit were not told apart. */
function atLeast({ different, uncounted }: Ranking): string {
	return `${uncounted > 0 ? "at least " : ""}${number(different)}`;
}

/** Rules shown for each crawler, at most. */
const RULES = 3;

/** The rules that a crawler disregarded, with examples, and how it was answered. */
export function offencesOf(
	crawler: CrawlerReport,
	{ robots }: AuditReport,
	width: number,
	paint: Paint,
): string {
	const after = crawler.disallowedAfterRobotsTxt;
	const heading = [
		`${paint("bold", shortName(crawler))}${crawler.dialect === null ? "" : `, as ${crawler.dialect}`}`,
		`${count(crawler.disallowed, "disallowed request")}${after > 0 ? `, ${number(after)} after its first robots.txt` : ""}`,
	].join(": ");
	// Three of each: the report in JSON has all.
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
		return `${text}${paint("dim", cut(examples, width - widthOf(text)))}`;
	});
	const hidden = crawler.rules.length - rules.length;
	if (hidden > 0)
		rules.push(paint("dim", `  … and ${count(hidden, "more rule")}`));
	rules.push(cut(printable(`  ${answersOf(crawler)}`), width));
	// Only broken delays are listed here; kept ones are in the table.
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
	const directories = disallowedDirectories.top
		.slice(0, RULES)
		.map(({ text, count: times }) => `${text} ${number(times)}×`);
	const size = bytes.disallowed > 0 ? `, ${sizeText(bytes.disallowed)}` : "";
	return `${outcomesOf(disallowedStatuses).join(", ")}${size}; in ${directories.join(", ")}`;
}
