/**
 * What a site's owner can do about the crawlers that disregarded robots.txt, as text to copy: lines for robots.txt, rules for nginx, Apache and
 * Cloudflare, and a list of addresses. The command line prints them with --suggest, the HTML report shows them. Names come from headers that
 * anybody can send, so only names of harmless characters are written, and none that a browser's header contains.
 */

import { crawlers, findCrawler } from "robotrie";
import { isProductToken } from "#robotrie/common/agents";
import { check } from "#robotrie/common/arguments";
import { count } from "#robotrie/common/wording";
import { isAi } from "../options/purposes.ts";
import {
	type AuditReport,
	type CrawlerReport,
	isBound,
	reportKind,
	violationsOf,
} from "../options/report.ts";
import { isCarriedByBrowsers } from "../who/classify.ts";
import { listed } from "./headline.ts";

/** What to copy, and where. Each text ends with a line feed and says in comments what it leaves out. */
export interface Suggestions {
	/** Lines for robots.txt. */
	readonly robotsTxt: string;
	/** For nginx: a map for the http block, and a condition for the server block. */
	readonly nginx: string;
	/** For Apache's configuration or .htaccess: mod_rewrite. */
	readonly apache: string;
	/** The expression of a custom rule of Cloudflare. */
	readonly cloudflare: string;
	/** Addresses, one per line: those that used a crawler's name without being verified. */
	readonly addresses: string;
}

/** Most names in a suggestion; Cloudflare's expressions have at most 4,096 characters. */
const MOST_NAMES = 50;

/** What browsers send: a rule must not refuse a person. */
const BROWSERS = [
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
	"Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1",
	"Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
	"Mozilla/5.0 (Linux; Android 16; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 Chrome/142.0.0.0 Mobile Safari/537.36",
	"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15 OPR/124.0",
	"Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0)",
].map((header) => header.toLowerCase());

/** Letters, digits and what names of products contain; nothing that a configuration or an expression gives a meaning but the dot. */
const HARMLESS = /^[a-z\d][\w. -]*[a-z\d]$/i;

/** Names that many clients have in theirs. */
const GENERIC =
	/^(?:ro)?bots?$|^(?:crawler|spider|client|agent|http|https|www)$/;

/** Whether only the crawler itself has the name in its header: not browsers, and no well-known crawler of another name. */
function isSafe(name: string): boolean {
	const lower = name.toLowerCase();
	return (
		name.length >= 3 &&
		HARMLESS.test(name) &&
		!GENERIC.test(lower) &&
		!isPeoples(name) &&
		(findCrawler(name)?.name.toLowerCase() === lower ||
			!crawlers.some((crawler) => crawler.name.toLowerCase().includes(lower)))
	);
}

/** Whether browsers have the name in their headers: a rule for it would refuse people. */
function isPeoples(name: string): boolean {
	const lower = name.toLowerCase();
	return (
		BROWSERS.some((header) => header.includes(lower)) ||
		isCarriedByBrowsers(name)
	);
}

/** Whom the suggestions are about, and whom they leave out. */
export interface Offenders {
	/** To refuse: names that are safe to write, AI crawlers first, then by disallowed requests. */
	readonly blocked: readonly CrawlerReport[];
	/** Search engines, which no suggestion refuses. */
	readonly search: readonly CrawlerReport[];
	/** Names that browsers of people have in their headers, too. */
	readonly peoples: readonly string[];
	/** Crawlers in whose names only others made disallowed requests: a rule would refuse the crawler for what it did not do. */
	readonly impersonated: readonly string[];
	/** How many more there are, whose names cannot be written or which are too many. */
	readonly left: number;
}

/**
 * The crawlers that made disallowed requests although robots.txt binds them. Search engines are kept separate: refusing one takes the site out
 * of its results. Empty unless the report counts by name.
 */
export function offendersOf(report: AuditReport): Offenders {
	if (report.groupBy !== "name")
		return {
			blocked: [],
			search: [],
			peoples: [],
			impersonated: [],
			left: 0,
		};
	// Two entries of one name differ in verification; the name is written once, for what the crawler itself may have done.
	const offending = report.crawlers.filter(
		(crawler) => isBound(crawler) && violationsOf(crawler) > 0,
	);
	const names = new Set<string>();
	const all = offending.filter(({ name, verification }) => {
		if (verification === "claimed" || names.has(name)) return false;
		names.add(name);
		return true;
	});
	const others = all.filter(({ purpose }) => purpose !== "search");
	const blocked = others
		.filter(({ name }) => isSafe(name))
		.sort((a, b) => Number(isAi(b.purpose)) - Number(isAi(a.purpose)))
		.slice(0, MOST_NAMES);
	const peoples = others
		.map(({ name }) => name)
		.filter((name) => isPeoples(name));
	return {
		blocked,
		search: all.filter(({ purpose }) => purpose === "search"),
		peoples,
		impersonated: offending
			.map(({ name }) => name)
			.filter((name) => !names.has(name)),
		left: others.length - blocked.length - peoples.length,
	};
}

/**
 * Suggestions for the crawlers that a report shows to disregard robots.txt: what to add to robots.txt, how to refuse them, and which addresses
 * used a crawler's name without being its operator's. Texts to read before they are used: anybody can send any name.
 * @throws {RobotrieError} invalid-argument, for what is not a report.
 * @example
 * console.log(suggestions(audit.report()).nginx);
 */
export function suggestions(report: AuditReport): Suggestions {
	check("report", report, reportKind);
	const offenders = offendersOf(report);
	return {
		robotsTxt: robotsLines(offenders),
		nginx: nginxBlock(offenders),
		apache: apacheBlock(offenders),
		cloudflare: cloudflareRule(offenders, report),
		addresses: addressList(report, offenders),
	};
}

/** The comments that every text begins with. */
function remarks({
	blocked,
	search,
	peoples,
	impersonated,
	left,
}: Offenders): string[] {
	return [
		blocked.length === 0
			? search.length + peoples.length + impersonated.length + left === 0
				? "# No crawler to refuse: none that robots.txt binds disregarded it."
				: "# No crawler to refuse by its name."
			: "# Crawlers that made requests which robots.txt disallows.",
		...(search.length > 0
			? [
					`# Left out: ${listed(
						search.map(({ name }) => plain(name)),
						5,
					)}. Refusing a search engine takes the site out of its results.`,
				]
			: []),
		...(peoples.length > 0
			? [
					`# Left out: ${listed(peoples.map(plain), 5)}. Browsers and apps of people have such a name in their headers, too: a rule would refuse them.`,
				]
			: []),
		...(impersonated.length > 0
			? [
					`# Left out: ${listed(impersonated.map(plain), 5)}. All disallowed requests under ${impersonated.length === 1 ? "this name" : "these names"} came from addresses that are not the operator's: refuse the addresses.`,
				]
			: []),
		...(left > 0
			? [
					`# Left out: ${count(left, "more name")}, which ${left === 1 ? "is" : "are"} not safe to write in a rule, or too many.`,
				]
			: []),
	];
}

/** A name without characters that could end a comment. */
function plain(name: string): string {
	return name.replace(/[^\x20-\x7e]/g, "?");
}

function text(lines: readonly string[]): string {
	return `${lines.join("\n")}\n`;
}

function robotsLines(offenders: Offenders): string {
	const { blocked } = offenders;
	// A crawler that broke "Disallow: /" has been told everything that robots.txt can say.
	const told = blocked.filter(({ rules }) =>
		rules.some(({ pattern }) => pattern === "/" || pattern === "/*"),
	);
	const tokens = blocked.flatMap((crawler) => {
		const token = findCrawler(crawler.name)?.name ?? crawler.name;
		return told.includes(crawler) || !isProductToken(token) ? [] : [token];
	});
	return text([
		...remarks(offenders),
		...(told.length > 0
			? [
					`# robots.txt already disallows everything for ${listed(told.map(({ name }) => name))}: only the server can refuse them.`,
				]
			: []),
		...(tokens.length > 0
			? [
					"# A group that names a crawler takes the place of the group for *.",
					...tokens.map((token) => `User-agent: ${token}`),
					"Disallow: /",
				]
			: []),
	]);
}

/** A regular expression for the whole name; names are HARMLESS, so that only dots need a backslash. */
function patternOf({ name }: CrawlerReport): string {
	return `(?<![\\w-])${name.replaceAll(".", "\\.")}(?![\\w-])`;
}

function nginxBlock(offenders: Offenders): string {
	const { blocked } = offenders;
	if (blocked.length === 0) return text(remarks(offenders));
	return text([
		...remarks(offenders),
		"# In the http block:",
		"map $http_user_agent $disregards_robots_txt {",
		"    default 0;",
		...blocked.map((crawler) => `    "~*${patternOf(crawler)}" 1;`),
		"}",
		"# They may still read robots.txt.",
		'map "$disregards_robots_txt:$uri" $is_refused {',
		"    default 0;",
		'    "1:/robots.txt" 0;',
		'    "~^1:" 1;',
		"}",
		"# In the server block:",
		"if ($is_refused) {",
		"    return 403;",
		"}",
	]);
}

function apacheBlock(offenders: Offenders): string {
	const { blocked } = offenders;
	if (blocked.length === 0) return text(remarks(offenders));
	return text([
		...remarks(offenders),
		"RewriteEngine On",
		"# They may still read robots.txt.",
		"RewriteCond %{REQUEST_URI} !=/robots.txt",
		...blocked.map(
			(crawler, index) =>
				`RewriteCond %{HTTP_USER_AGENT} "${patternOf(crawler)}" [NC${index < blocked.length - 1 ? ",OR" : ""}]`,
		),
		"RewriteRule ^ - [F]",
	]);
}

/** Cloudflare's "contains" knows no words: names that contain a blocked one are excepted. The expression has no comments of its own. */
function cloudflareRule(offenders: Offenders, report: AuditReport): string {
	const blocked = offenders.blocked.map(({ name }) => name.toLowerCase());
	if (blocked.length === 0) return text(remarks(offenders));
	const contains = (name: string) =>
		`lower(http.user_agent) contains "${name}"`;
	const others = new Set(
		report.crawlers
			.map(({ name }) => name.toLowerCase())
			.filter((name) => HARMLESS.test(name) && !blocked.includes(name)),
	);
	const conditions = blocked.map((name) => {
		const excepted = [...others].filter((other) => other.includes(name));
		return excepted.length === 0
			? contains(name)
			: `(${[contains(name), ...excepted.map((other) => `not ${contains(other)}`)].join(" and ")})`;
	});
	return text([
		...remarks(offenders),
		"# Security rules, custom rule, action Block; the expression is all that follows.",
		`http.request.uri.path ne "/robots.txt" and (${conditions.join("\n  or ")})`,
	]);
}

/** Where the operators of the blocked crawlers publish their addresses, and the addresses of those who only use a name. */
function addressList(report: AuditReport, { blocked }: Offenders): string {
	const { groupBy } = report;
	const published = blocked.flatMap(({ name }) =>
		(findCrawler(name)?.addressRanges ?? []).map(
			(url) => `# ${name} publishes its addresses: ${url}`,
		),
	);
	const found = report.crawlers.flatMap((crawler) => {
		const { name, verification, addresses } = crawler;
		if (groupBy === "address" || groupBy === "network")
			return isBound(crawler) && violationsOf(crawler) > 0 ? [name] : [];
		return verification === "claimed"
			? addresses.top.map((each) => each.text)
			: [];
	});
	// Only what is an address: the field may hold anything.
	const lines = [...new Set(found)].filter((each) =>
		/^[\da-f.:/]+$/i.test(each),
	);
	const isHashed = found.some((each) => /^ip[46]-/.test(each));
	return text([
		groupBy === "address" || groupBy === "network"
			? "# Addresses of crawlers that made requests which robots.txt disallows."
			: "# Addresses that used a crawler's name and are not its operator's (--verify, --resolve), at most 20 per name.",
		...published,
		...(isHashed
			? ["# Left out: addresses that are hashed."]
			: lines.length === 0
				? ["# None was found."]
				: lines),
	]);
}
