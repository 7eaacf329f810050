/**
 * Findings about pages of the site that a caller names: those in its sitemaps that the file disallows, and those with a noindex that crawlers
 * may not fetch and so never see. lint.ts calls it only if there are any; reading sitemaps and pages is the caller's work.
 */
import { parseUrl } from "../common/arguments.ts";
import { count, shorten } from "../common/wording.ts";
import { Verdict } from "../engine/engine.ts";
import { agentsOf, type Closed, namesOf } from "./closed.ts";
import { ANYBODY, type Found, type LintCode } from "./finding.ts";
import { fieldAndPattern, type Reading } from "./reading.ts";
import { originOf } from "./whole-file.ts";
import { Budget } from "./witness.ts";

/** Lists of URLs, each with what a finding says of those that a rule disallows. */
export interface SitePages {
	readonly sitemapUrls: readonly string[];
	readonly noindexUrls: readonly string[];
}

/** URLs judged and rules compiled, counted anew for each crawler: some seconds. */
const MOST_WORK = 20_000_000;

/** URLs whose deciding rule is asked for, which takes a microsecond each. */
const MOST_DISALLOWED = 1_000_000;

/** A rule that disallows pages. */
interface Barrier {
	readonly text: string;
	readonly line: number;
	readonly urls: Set<string>;
	readonly agents: Set<string>;
}

/** What is wrong with pages that crawlers may not fetch. Crawlers that may fetch nothing are meant to stay away, but for search engines. */
export function findDisallowedPages(
	reading: Reading,
	closed: Closed,
	{ sitemapUrls, noindexUrls }: SitePages,
	location: string | undefined,
): Found[] {
	return [
		...findBarriers(reading, closed, sitemapUrls, location).map(
			({ text, line, urls, agents }) =>
				found(
					"disallowed-page",
					agents,
					line,
					`${text} keeps ${namesOf([...agents])} from ${count(urls.size, "URL")} of the sitemaps, such as ${exampleOf(urls)}: allow ${urls.size > 1 ? "them" : "it"}, or leave ${urls.size > 1 ? "them" : "it"} out of the sitemaps.`,
				),
		),
		...findBarriers(reading, closed, noindexUrls, location).map(
			({ text, line, urls, agents }) =>
				found(
					"unseen-noindex",
					agents,
					line,
					`${text} keeps ${namesOf([...agents])} from ${count(urls.size, "page")} with noindex, such as ${exampleOf(urls)}: who may not fetch a page never sees its noindex, and may list its URL. Allow ${urls.size > 1 ? "them for as long as they are" : "it for as long as it is"} not to be listed.`,
				),
		),
	];
}

function found(
	code: LintCode,
	agents: ReadonlySet<string>,
	line: number,
	message: string,
): Found {
	// A site may well keep some crawlers from some of its parts.
	const severity = agents.has(ANYBODY) ? "warning" : "info";
	return { line, code, severity, message };
}

function exampleOf(urls: ReadonlySet<string>): string {
	const [first = ""] = urls;
	return shorten(first);
}

function findBarriers(
	reading: Reading,
	closed: Closed,
	all: readonly string[],
	location: string | undefined,
): readonly Barrier[] {
	const origin = originOf(location);
	const urls = [...new Set(all)].filter((text) => {
		const url = parseUrl(text);
		return url !== null && (origin === undefined || url.origin === origin);
	});
	const barriers = new Map<number, Barrier>();
	const work = new Budget(MOST_WORK);
	const disallowed = new Budget(MOST_DISALLOWED);
	const seen = new Set<number>();
	for (const agent of urls.length > 0 ? agentsOf(reading) : []) {
		const groups = reading.select(agent);
		const id = reading.choiceId(groups);
		if (seen.has(id)) continue;
		seen.add(id);
		if (!work.affords(reading.ruleCount(groups) + urls.length)) break;
		if (closed.isMeant(agent)) continue;
		using matcher = reading.matcher(reading.ranges(groups));
		const verdicts = matcher.matchMany(urls);
		for (const [i, url] of urls.entries()) {
			if (verdicts[i] !== Verdict.Disallowed) continue;
			if (!disallowed.affords(1)) break;
			const { rule } = matcher.decide(url);
			if (!rule) continue;
			const known = barriers.get(rule.line) ?? {
				...{ text: shorten(fieldAndPattern(rule)), line: rule.line },
				...{ urls: new Set<string>(), agents: new Set<string>() },
			};
			known.urls.add(url);
			known.agents.add(agent);
			barriers.set(rule.line, known);
		}
	}
	return [...barriers.values()];
}
