/**
 * `robotrie show`: everything in a robots.txt other than Allow and Disallow: of the site, for a crawler and, with URLs, for pages. --sorted
 * adds the crawler's rules in the order in which they decide.
 */
import type { Command } from "commander";
import {
	type Agent,
	type Preferences,
	type RequestRate,
	RobotrieError,
	type RobotsTxt,
	type SortedRule,
	type TimeWindow,
	type UsagePreferences,
} from "robotrie";
import { knownOtherFields } from "robotrie/internal";
import { isAbsoluteUrl } from "#robotrie/common/urls";
import { count } from "#robotrie/common/wording";
import { type RequestOptions, requestOptions } from "./fetch/client-options.ts";
import { robotsOf } from "./fetch/named-robots.ts";
import { refuseFiles } from "./input/input.ts";
import { isSiteUrl } from "./input/robots-file.ts";
import {
	agentOf,
	type RobotsOptions,
	robotsOptions,
} from "./options/options.ts";
import {
	EXIT_FAILED,
	Failure,
	jsonText,
	paint,
	printable,
	tell,
	write,
} from "./output/output.ts";

interface ShowOptions extends RobotsOptions, RequestOptions {
	readonly sorted?: boolean;
	readonly json?: boolean;
}

export function addShow(program: Command): void {
	const command = program
		.command("show")
		.usage("[--robots] <file> [--agent <name>] [options] [url...]")
		.description(
			"Shows what a robots.txt says besides Allow and Disallow: sitemaps, Host, Clean-param, License, lines that no known crawler reads, and lines whose value does not count, with the reason.\n\nWith --agent it also shows the crawler's rate limits and visiting hours (Crawl-delay, Request-rate, Visit-time), which sitemaps it may not fetch, and for URLs how those pages may be used (Content-Signal, Content-Usage). --sorted adds its Allow and Disallow rules: the first one that matches a URL decides.",
		)
		.argument(
			"[url...]",
			"absolute URLs, or paths that begin with /; without --robots, the file or a URL of the site comes first",
		);
	for (const option of robotsOptions()) command.addOption(option);
	for (const option of requestOptions()) command.addOption(option);
	command
		.option(
			"--sorted",
			"also show the rules for the crawler in the order in which they decide",
		)
		.option("--json", "write an object { site, crawler, rules, pages }")
		.addHelpText(
			"after",
			`
Exit codes: 0 done; 2 wrong options, unreadable input or an invalid URL.

Examples:
  robotrie show robots.txt
  robotrie show https://example.com/
  robotrie show -r robots.txt -a GPTBot https://example.com/blog/
  robotrie show -r robots.txt -a Googlebot --sorted --dialect google
  robotrie show -r robots.txt --json | jq -r .site.sitemaps[]`,
		)
		.action(show);
}

async function show(
	args: readonly string[],
	options: ShowOptions,
): Promise<void> {
	const { file, urls } = placed(args, options);
	// Other commands take files of URLs; here they would be read as paths.
	refuseFiles(urls, () => "pages are URLs, or paths that begin with /");
	if (urls.length > 0 && !options.agent)
		throw new Failure(
			"URLs are for a crawler: name it by '-a, --agent <name>'",
		);
	if (options.sorted && !options.agent)
		throw new Failure(
			"--sorted is for a crawler: name it by '-a, --agent <name>'",
		);
	// Facts about the site first; those about a crawler need one to be named.
	const own = await robotsOf(options, false, file);
	const agent = options.agent && agentOf(options.agent);
	const robots = own.of(agent ?? "*");
	const report = {
		site: siteOf(robots),
		crawler: agent === undefined ? null : crawlerOf(robots, agent),
		rules:
			agent === undefined || !options.sorted ? null : robots.sortedRules(agent),
		pages: agent === undefined ? [] : pagesOf(robots, agent, urls),
	};
	await write(options.json ? `${jsonText(report, 2)}\n` : textOf(report));
}

/**
 * The first argument names the robots.txt where --robots does not; with an agent, a URL is also a
 * page to show. `robotrie show robots.txt` and `robotrie show https://example.com/` both work
 * without an option.
 */
function placed(urls: readonly string[], { robots, agent }: ShowOptions) {
	const [place, ...pages] = urls;
	if (robots !== undefined || !place) return { file: robots, urls };
	// Without a crawler nothing is said about pages: the URL then only names the site.
	const isPage = agent !== undefined && isSiteUrl(place);
	return { file: place, urls: isPage ? urls : pages };
}

type Site = ReturnType<typeof siteOf>;
type Crawler = ReturnType<typeof crawlerOf>;
type Page = Preferences & { readonly url: string };

/** What `--json` writes, and what the text is made of: both say the same. */
interface Report {
	readonly site: Site;
	readonly crawler: Crawler | null;
	/** In the order in which they decide; null if they were not asked for. */
	readonly rules: readonly SortedRule[] | null;
	readonly pages: readonly Page[];
}

/** What no crawler reads is shown last, as it is most likely a mistake. */
function siteOf(robots: RobotsTxt) {
	return {
		sitemaps: robots.sitemaps,
		host: robots.host ?? null,
		cleanParams: robots.cleanParams,
		licenses: robots.otherLines.flatMap(({ field, value, line }) =>
			field === "license" && isAbsoluteUrl(value) ? [{ url: value, line }] : [],
		),
		otherLines: robots.otherLines.filter(
			({ field }) => field !== "sitemap" && !knownOtherFields.has(field),
		),
		// Lines of the kinds above and below that do not say what they were meant to say.
		ignored: robots.diagnostics
			.filter(({ code }) => valueCodes.has(code))
			.map(({ line, code, message }) => ({ line, code, message })),
	};
}

/** Diagnostics about values of other lines. */
const valueCodes: ReadonlySet<string> = new Set([
	"invalid-host",
	"invalid-value",
	"missing-line-end",
	"partly-ignored",
	"relative-sitemap",
	"repeated-host",
]);

/** What the crawler's group sets. Null stands for what the file does not say: JSON has no undefined. */
function crawlerOf(robots: RobotsTxt, agent: Agent) {
	return {
		agents: [agent].flat(),
		crawlDelay: robots.crawlDelay(agent) ?? null,
		requestRates: robots.requestRates(agent),
		visitTime: robots.visitTime(agent) ?? null,
		sitemaps: robots.sitemaps.map((url) => {
			const { allowed, rule } = robots.explain(url, agent);
			return { url, allowed, rule };
		}),
	};
}

/** How each page may be used. */
function pagesOf(
	robots: RobotsTxt,
	agent: Agent,
	urls: readonly string[],
): Page[] {
	return urls.flatMap((url) => {
		try {
			return [{ url, ...robots.preferences(url, agent) }];
		} catch (error) {
			// One wrong URL among many costs the exit code, not the other answers.
			if (!(error instanceof RobotrieError && error.code === "invalid-url"))
				throw error;
			tell(error.message);
			process.exitCode = EXIT_FAILED;
			return [];
		}
	});
}

/** A section without anything says so: an empty one would look like an error. */
function textOf({ site, crawler, rules, pages }: Report): string {
	const parts = [
		section("site", [
			...site.sitemaps.map((url) => ["sitemap", url]),
			...(site.host === null ? [] : [["host", site.host]]),
			...site.cleanParams.map(({ parameters, path, line }) => [
				"clean-param",
				`${parameters.join(", ")} below ${path} (line ${line})`,
			]),
			...site.licenses.map(({ url, line }) => [
				"license",
				`${url} (line ${line})`,
			]),
			...site.otherLines.map(({ field, value, line }) => [
				"other",
				`${field}: ${value} (line ${line})`,
			]),
			...site.ignored.map(({ message, line }) => [
				"line",
				`${line}: ${message}`,
			]),
		]),
		...(crawler ? [section(crawler.agents.join(", "), pace(crawler))] : []),
		...(rules
			? [section("rules, the first that matches decides", ruleRows(rules))]
			: []),
		...pages.map((page) =>
			section(
				`${page.url}  ${page.allowed ? "allowed" : "disallowed"}`,
				preferencesOf(page),
			),
		),
	];
	return parts.join("\n");
}

type Row = readonly string[];

/** As wide as the longest label. */
const LABEL_WIDTH = "content-signal".length;

/** A title and its rows, one label and one text each. Texts come from the file, so control characters are made visible (`printable`). */
function section(title: string, rows: readonly Row[]): string {
	const lines =
		rows.length === 0
			? [`  ${paint("dim", "nothing")}`]
			: rows.map(
					([label = "", text = ""]) =>
						`  ${paint("dim", label.padEnd(LABEL_WIDTH))}  ${printable(text)}`,
				);
	return `${[paint("bold", printable(title)), ...lines].join("\n")}\n`;
}

/** Each rule with its line and its length. */
function ruleRows(rules: readonly SortedRule[]): Row[] {
	return rules.map(({ type, pattern, line, bytes, implied }) => [
		`line ${line}`,
		`${type === "allow" ? "Allow" : "Disallow"}: ${pattern} (${count(bytes, "byte")}${implied ? ", implied" : ""})`,
	]);
}

/** The rows of a crawler. Of sitemaps only those that it may not fetch: the site's section lists them all. */
function pace({
	crawlDelay,
	requestRates,
	visitTime,
	sitemaps,
}: Crawler): Row[] {
	return [
		// Null means that nothing was said, which is not a delay of 0.
		...(crawlDelay === null
			? []
			: [["crawl-delay", count(crawlDelay, "second")]]),
		...requestRates.map((rate) => ["request-rate", rateText(rate)]),
		...(visitTime === null ? [] : [["visit-time", hours(visitTime)]]),
		...sitemaps.flatMap(({ url, allowed, rule }) =>
			allowed
				? []
				: [
						[
							"sitemap",
							`${url} disallowed${rule ? ` (line ${rule.line})` : ""}, if it is on the site of this file`,
						],
					],
		),
	];
}

function rateText({ requests, seconds, window, line }: RequestRate): string {
	const when = window ? `, ${hours(window)}` : "";
	return `${count(requests, "request")} in ${count(seconds, "second")}${when} (line ${line})`;
}

/** Minutes of a day, as a window may cross midnight. */
function hours({ start, end }: TimeWindow): string {
	const clock = (minutes: number) =>
		[Math.floor(minutes / 60), minutes % 60]
			.map((number) => String(number).padStart(2, "0"))
			.join(":");
	return `${clock(start)} to ${clock(end)} UTC`;
}

/** The rows of a page. Both vocabularies are shown, as crawlers read one or the other. */
function preferencesOf({
	contentSignal,
	contentUse,
	contentUsage,
}: Preferences): Row[] {
	return [
		...useRows("content-signal", contentSignal),
		...(contentUse
			? [
					[
						"content-signal",
						`use: ${contentUse.level} (line ${contentUse.line})`,
					],
				]
			: []),
		...useRows("content-usage", contentUsage),
	];
}

/** A row for each use that a line names; uses that none names are left out. */
function useRows(label: string, uses: UsagePreferences): Row[] {
	return Object.entries(uses).map(([use, { allowed, line }]) => [
		label,
		`${use}: ${allowed ? "yes" : "no"} (line ${line})`,
	]);
}
