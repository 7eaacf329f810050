/**
 * What crawlers of AI may do with a site or a page of it: fetch it, train with it, use it in answers. The worker loads it for the view;
 * Content-Signal and Content-Usage say what robots.txt's rules do not.
 */
import {
	type Crawler,
	crawlers,
	type RobotsTxt,
	type SortedRule,
} from "robotrie";
import type {
	Access,
	AiAnswer,
	AiCrawler,
	AiKind,
	Said,
	Setting,
} from "../page/messages.ts";
import type { Judge } from "./judge.ts";

const isOfAi = (
	crawler: Crawler,
): crawler is Crawler & { readonly kind: AiKind } =>
	/^ai(?:-|$)/.test(crawler.kind);

/** Categories of Content-Signal and Content-Usage. */
const training = ["ai-train", "train-ai"];
const answering = ["ai-input", "ai-use"];

interface Found {
	readonly access: Access;
	readonly line: number | null;
}

/**
 * The crawlers of AI that the table knows, by kind.
 * @param page A path or URL; "" for the whole site.
 * @throws {RobotrieError} invalid-url.
 */
export function aiCrawlers(
	judge: Judge,
	setting: Setting,
	page: string,
): AiAnswer {
	using files = judge.robotsOfAll(setting);
	const found = crawlers.filter(isOfAi).map((crawler): AiCrawler => {
		const { name, operator, kind, obeysRobotsTxt, sendsRequests } = crawler;
		const robots = files.of(name);
		const { dialect } = robots;
		const { contentSignal, contentUsage } = robots.preferences(
			page || "/",
			name,
		);
		const said = { ...contentSignal, ...contentUsage };
		const about = (categories: readonly string[]): Said | null => {
			const found = categories.flatMap((one) => said[one] ?? []);
			// Of statements that contradict each other, the one for less use counts.
			return found.find((one) => !one.allowed) ?? found[0] ?? null;
		};
		return {
			...{ name, operator, kind, obeysRobotsTxt, sendsRequests, dialect },
			...(page === ""
				? ofSite(robots.sortedRules(name))
				: ofPage(robots, page, name)),
			training: about(training),
			answering: about(answering),
		};
	});
	using first = judge.robots(setting);
	return { site: siteOf(first.sitemaps), crawlers: found };
}

function ofPage(robots: RobotsTxt, page: string, name: string): Found {
	const { allowed, rule } = robots.explain(page, name);
	return { access: allowed ? "all" : "nothing", line: rule?.line ?? null };
}

/** Stars at the end mean nothing. */
const plain = ({ pattern }: SortedRule) => pattern.replace(/\*+$/, "");

/** A pattern that every path matches. */
const everything = /^(?:\/|\/?\*+\$?)$/;

/**
 * How much of a site rules leave, by those that decide: a Disallow takes nothing away where an Allow decides before it about the same paths.
 * Two patterns that match the same without being equal are taken for different ones, so "parts" may be said where it is all.
 */
export function ofSite(rules: readonly SortedRule[]): Found {
	const allows: SortedRule[] = [];
	let first: SortedRule | undefined;
	for (const rule of rules) {
		const { type, pattern, line } = rule;
		if (type === "allow") {
			allows.push(rule);
			if (everything.test(pattern)) break;
		} else if (everything.test(pattern)) {
			if (allows.length === 0) return { access: "nothing", line };
			// All other rules of the kind take less.
			first = rule;
			break;
		} else if (!allows.some((allow) => plain(allow) === plain(rule)))
			first = first && first.line < line ? first : rule;
	}
	return { access: first ? "parts" : "all", line: first?.line ?? null };
}

/** The host of all sitemaps. */
function siteOf(sitemaps: readonly string[]): string {
	const hosts = new Set(
		sitemaps.flatMap((sitemap) => {
			const { host } = URL.canParse(sitemap) ? new URL(sitemap) : { host: "" };
			return host === "" ? [] : [host];
		}),
	);
	const [host = ""] = hosts;
	return hosts.size === 1 ? host : "";
}
