/**
 * An audit's report for people: a summary, a row per crawler, a row per version of a robots.txt that changed, and the rules that crawlers
 * disregarded. report.ts calls it. Text from logs passes `printable`: it could drive the terminal.
 */
import type {
	AuditReport,
	ComparedCounts,
	CrawlerReport,
	GroupBy,
	Ranking,
	ReportComparison,
	TakenRanking,
	TakenText,
} from "@robotrie/audit";
import {
	cutMiddle,
	dialectText,
	groupNoun,
	headlineOf,
	isAi,
	isUnverified,
	offendersOf,
	outcomesOf,
	pagesOf,
	percent,
	purposeNames,
	sizeText,
	unboundText,
	unjudged,
	unusableSigns,
	violationsOf,
} from "@robotrie/audit/internal";
import Table from "cli-table3";
import { count } from "#robotrie/common/wording";
import { paint, printable } from "../output/output.ts";
import { suggestionKinds } from "./options.ts";

/**
 * A crawler, and whether its addresses are its operator's. Other labels (an address, a header) come
 * from logs, too, so that every name passes `printable`.
 */
export function nameOf({ name, verification }: CrawlerReport): string {
	return printable(verification ? `${name} (${verification})` : name);
}

export function number(value: number): string {
	return value.toLocaleString("en-US");
}

/** A percentage, rounded down: 100% means all. */
export function share(compliance: number | null): string {
	return compliance === null
		? "-"
		: `${(Math.floor(compliance * 10) / 10).toFixed(1)}%`;
}

/** A time, without seconds and zone. */
export function minute(timestamp: string): string {
	return timestamp.slice(0, 16).replace("T", " ");
}

/**
 * A text, cut to a width; what would be too short to read is left out. Under 12 characters a cut
 * text says nothing.
 */
export function cut(text: string, width: number): string {
	if (width < 12) return "";
	return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}

/** Columns of a page; wider terminals show longer names and paths. */
const WIDTH = 80;

/** A report for people: one row per crawler, and the rules that were disregarded. */
export function auditTable(
	report: AuditReport,
	top: number,
	onStdout: boolean,
): string {
	const width = onStdout
		? Math.max(process.stdout.columns ?? WIDTH, WIDTH)
		: WIDTH;
	// No colours in a file.
	const style: typeof paint = onStdout ? paint : (_, text) => text;
	const shown = report.crawlers.slice(0, top);
	// A report is sections with an empty line between; each section is left out where it has nothing
	// to say.
	const parts = [`${resultOf(report)}\n${summaryOf(report)}`];
	const purposes = purposeTable(report, style);
	if (purposes !== "") parts.push(purposes);
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
	const taken = takenTable(report, shown, width, style);
	if (taken !== "") parts.push(taken);
	const suspects = suspectTable(report, top, width, style);
	if (suspects !== "") parts.push(suspects);
	if (report.every !== null) {
		const steps = stepTable(report, style);
		if (steps !== "") parts.push(steps);
	}
	const versions = versionTable(shown, style);
	if (versions !== "") parts.push(versions);
	// Habits are about crawlers as a whole, so all of them are looked at, not only the rows shown.
	const habits = habitsOf(report, top);
	if (habits.length > 0)
		parts.push(habits.map((text) => wrapped(text)).join("\n"));
	// Only of crawlers in the table: a rule without its crawler's row would hang in the air.
	const offenders = shown.filter(({ rules }) => rules.length > 0);
	if (offenders.length > 0)
		parts.push(
			offenders
				.map((crawler) => offencesOf(crawler, report, width, style))
				.join("\n"),
		);
	const hint = hintOf(report);
	if (hint !== "") parts.push(hint);
	return `${parts.join("\n\n")}\n`;
}

/** How to know who came under a crawler's name, and how to print what to do, where there is something to refuse. */
function hintOf(report: AuditReport): string {
	if (offendersOf(report).blocked.length === 0) return "";
	const [first = "", ...others] = Object.keys(suggestionKinds);
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
		`What to do: add --suggest ${first} to this command, and it prints lines to copy (or ${others.join(", ")}).`,
	]
		.map((text) => wrapped(text))
		.join("\n");
}

/** Who disregarded robots.txt, in a sentence. */
function resultOf(report: AuditReport): string {
	const { result, rest } = headlineOf(report, (crawler) =>
		cutMiddle(nameOf(crawler), 40),
	);
	return wrapped(`${result}${rest}`);
}

/** A row per purpose; none where rows are not crawlers, or all are of one purpose. */
function purposeTable(report: AuditReport, style: typeof paint): string {
	const { purposes, groupBy } = report;
	if (groupBy !== "name" || purposes.length < 2) return "";
	return plainTable(
		[
			"by purpose",
			"crawlers",
			"disregarded by",
			"requests",
			"disallowed",
			"obeyed",
		],
		purposes.map((row) => [
			purposeNames[row.purpose].title,
			number(row.crawlers),
			row.bound === 0
				? unboundText(report, row.purpose)
				: row.disregarding > 0
					? style("red", number(row.disregarding))
					: number(0),
			number(row.requests),
			number(row.disallowed),
			row.bound === 0
				? unboundText(report, row.purpose)
				: share(row.compliance),
		]),
		1,
	);
}

/** Sections and paths of a crawler, and shared pages, in the table. */
const MOST_TAKEN = 3;

/** What crawlers take, with `--paths`: a row for each, its sections and paths, and pages that several AI crawlers take. */
function takenTable(
	report: AuditReport,
	crawlers: readonly CrawlerReport[],
	width: number,
	style: typeof paint,
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
			cutMiddle(nameOf(crawler), 16),
			bytes > 0 ? sizeText(bytes) : "-",
			share(crawler.taken?.share ?? null),
			statusesOf(crawler, hasTypes ? 2 : 4),
			...(hasTypes ? [typesOf(crawler)] : []),
		];
	});
	const table = plainTable(
		[
			"what they take",
			"bytes",
			"of all",
			"statuses",
			...(hasTypes ? ["content types"] : []),
		],
		rows,
		1,
		3,
	);
	const lines = crawlers.flatMap((crawler) => {
		const { taken } = crawler;
		if (!taken || taken.paths.top.length === 0) return [];
		return [
			style("bold", `${nameOf(crawler)}:`),
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

/** Clients that behave like crawlers, with `--suspects`: a row for each, and below it when and why. */
function suspectTable(
	{ suspects }: AuditReport,
	most: number,
	width: number,
	style: typeof paint,
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
	const rows = plainTable(
		["suspects", "requests", "pages", "images etc.", "disallowed"],
		shown.map((suspect) => [
			cutMiddle(printable(suspect.address), 40),
			number(suspect.requests),
			pagesOf(suspect),
			number(suspect.assets),
			suspect.disallowed > 0
				? style("red", number(suspect.disallowed))
				: number(0),
		]),
		1,
	);
	const [head = "", ...lines] = rows.split("\n");
	const reasons = shown.map(({ system, firstSeen, lastSeen, reason }) => {
		const time =
			firstSeen && lastSeen
				? [`${minute(firstSeen)} to ${minute(lastSeen)}`]
				: [];
		const parts = [...(system === null ? [] : [system]), ...time, reason];
		return wrapped(printable(parts.join("; ")), width - 2).replace(/^/gm, "  ");
	});
	const hidden = different - shown.length;
	return [
		head,
		...lines.flatMap((line, at) => [line, reasons[at] ?? ""]),
		...(hidden > 0 ? [style("dim", `… and ${number(hidden)} more`)] : []),
		...notes.map((note) => wrapped(note)),
	].join("\n");
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

/** Steps in the table, the last ones: more do not fit a page, and JSON and CSV have all. */
const STEPS = 62;

/** A row per step of time, with `--every`. */
function stepTable(report: AuditReport, style: typeof paint): string {
	const { crawlers, every } = report;
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
		every === "hour"
			? minute(start)
			: start.slice(0, every === "month" ? 7 : 10);
	const table = plainTable(
		[`by ${every}`, "requests", "of AI crawlers", "disallowed"],
		shown.map(([start, { requests, disallowed, ai }]) => [
			name(start),
			number(requests),
			number(ai),
			disallowed > 0 ? style("red", number(disallowed)) : number(0),
		]),
		1,
	);
	const hidden = all.length - shown.length;
	return hidden > 0
		? `${table}\n${style("dim", `… and ${number(hidden)} before; JSON and CSV have all`)}`
		: table;
}

/** What the report is about comes lines, time, and what was judged by which file. */
function summaryOf(report: AuditReport): string {
	const { lines, judged, from, to, timeZone, crawlers, groupBy } = report;
	const others = unjudged(report);
	const total = (of: (crawler: CrawlerReport) => number) =>
		crawlers.reduce((sum, each) => sum + of(each), 0);
	const disallowed = total(violationsOf);
	const exempt = total((each) => each.exemptDisallowed);
	const period =
		from && to ? `, ${minute(from)} to ${minute(to)} ${timeZone}` : "";
	const sentences = [
		`${count(lines, "line")}${period}`,
		`${count(judged, "request")} of ${number(crawlers.length)} ${groupNoun(groupBy, crawlers.length)}, ${disallowed.toLocaleString("en-US")} of them disallowed${exempt > 0 ? `, and ${number(exempt)} more to crawlers that robots.txt does not bind (exempt)` : ""}`,
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

/**
 * What the table has no column for: crawlers that never or too seldom read robots.txt, and names
 * that others use. Each list is a sentence, as a column that is empty for nearly all crawlers would
 * waste the width.
 */
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
		...list("networks that requests came from", (crawler) => {
			const { systems, requests } = crawler;
			const [first] = systems.top;
			if (!first) return undefined;
			const others = systems.different - 1;
			const part = percent(first.count, requests);
			return `${nameOf(crawler)} ${printable(first.text)}${others > 0 ? ` ${share(part)} and ${number(others)} more` : ""}`;
		}),
		...list("addresses using unverified names", (crawler) => {
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

/** The number is a lower bound where addresses beyond the limit were not told apart. */
function atLeast({ different, uncounted }: Ranking): string {
	return `${uncounted > 0 ? "at least " : ""}${number(different)}`;
}

/** Breaks a sentence at blanks, so that it fits. */
function wrapped(text: string, width = WIDTH): string {
	return text
		.replace(new RegExp(`(.{1,${width}})(?: +|$)`, "g"), "$1\n")
		.trimEnd();
}

const headers = [
	"requests",
	"robots.txt",
	"allowed",
	"disallowed",
	"obeyed",
	"delay",
] as const;
const widths = [9, 11, 9, 11, 8, 6] as const;

/** One row per crawler. */
function crawlerTable(
	crawlers: readonly CrawlerReport[],
	groupBy: GroupBy,
	width: number,
	style: typeof paint,
): string {
	// The first column takes what the others leave; its texts are cut in the middle.
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

/** A crawler without bound requests has no compliance, which is not the same as 0%. */
function obeyed({ compliance, exempt }: CrawlerReport): string {
	return compliance === null && exempt > 0 ? "exempt" : share(compliance);
}

/** Whether the Crawl-delay was kept. */
function delay({ crawlDelay }: CrawlerReport, style: typeof paint): string {
	if (!crawlDelay) return "-";
	// "?" is explained in the help text.
	if (crawlDelay.kept === null) return crawlDelay.late > 0 ? "?" : "-";
	return crawlDelay.kept ? "kept" : style("yellow", "short");
}

/** What changed between two reports: a sentence, and a row for each crawler that changed or is among the first `top`. */
export function comparisonTable(
	{ sentence, before, after, crawlers }: ReportComparison,
	groupBy: GroupBy,
	top: number,
): string {
	const span = ({ from, to, timeZone }: ReportComparison["before"]) =>
		from && to
			? `${minute(from)} to ${minute(to)} ${timeZone}`
			: "a log without times";
	const shown = crawlers.slice(0, top);
	const hidden = crawlers.length - shown.length;
	const name = ({ name, verification }: (typeof crawlers)[number]) =>
		printable(verification ? `${name} (${verification})` : name);
	const pair = (
		row: (typeof crawlers)[number],
		of: (counts: ComparedCounts) => string,
	) => [row.before ? of(row.before) : "-", row.after ? of(row.after) : "-"];
	const perDay = ({ requestsPerDay }: ComparedCounts) =>
		requestsPerDay === null ? "-" : number(requestsPerDay);
	const rows = shown.map((row) => [
		cutMiddle(name(row), 20),
		...pair(row, perDay),
		...pair(row, ({ disregarding }) => number(disregarding)),
		...pair(row, ({ compliance }) => share(compliance)),
	]);
	return [
		`${wrapped(printable(sentence))}\nbefore: ${span(before)}\nnow: ${span(after)}\n`,
		...(rows.length > 0
			? [
					`${plainTable([groupNoun(groupBy, 1), "a day", "now", "disregarding", "now", "obeyed", "now"], rows, 1)}\n`,
					`${shown.map((row) => `${name(row)} ${row.sentence}`).join("\n")}\n`,
				]
			: []),
		...(hidden > 0
			? [`… and ${number(hidden)} more; --top ${crawlers.length} shows all\n`]
			: []),
	].join("\n");
}

/** Columns of a crawler's name and of a version, so that the table fits a page. */
const VERSION_WIDTH = 16;

/** Compliance with each version of the robots.txt files that changed. */
function versionTable(
	crawlers: readonly CrawlerReport[],
	style: typeof paint,
): string {
	// Names stand in the first row of a crawler only.
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
	/** Columns from the left, and from this one on, whose texts begin at the left. */
	left: number,
	rest = Number.POSITIVE_INFINITY,
): string {
	const table = new Table({
		head: [...head],
		colAligns: head.map((_, at) =>
			at < left || at >= rest ? "left" : "right",
		),
		style: { "padding-left": 0, "padding-right": 1, head: [], border: [] },
		chars: noBorders,
	});
	for (const row of rows) table.push([...row]);
	// cli-table3 pads every column, also the last one.
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

/** Rules shown for each crawler, at most. */
const RULES = 3;

/** The rules that a crawler disregarded, with examples, and how it was answered. */
function offencesOf(
	crawler: CrawlerReport,
	{ robots }: AuditReport,
	width: number,
	style: typeof paint,
): string {
	const after = crawler.disallowedAfterRobotsTxt;
	const heading = [
		`${style("bold", nameOf(crawler))}${crawler.dialect === null ? "" : `, as ${crawler.dialect}`}`,
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
		return `${text}${style("dim", cut(examples, width - text.length))}`;
	});
	const hidden = crawler.rules.length - rules.length;
	if (hidden > 0)
		rules.push(style("dim", `  … and ${count(hidden, "more rule")}`));
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
