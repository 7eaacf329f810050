import { check } from "../common/arguments.ts";
import { textKind } from "../common/kinds.ts";
import type { Crawler, CrawlerKind } from "./crawler.ts";
import { type CrawlerLists, crawlerFamilies } from "./crawler-data.ts";

/** Crawlers, and which of them User-Agent headers name. */
const known = crawlerFamilies.flatMap(
	({ operator, documentation, ...lists }) => {
		const rows = (
			list: CrawlerLists | undefined,
			obeysGlobal: boolean,
			obeysRobotsTxt: boolean,
			inHeaders = true,
		) =>
			Object.entries(list ?? {}).flatMap(([kind, text]) =>
				text.split(",").map((one) => {
					const tokens = one.split(">").map((token) => token.trim());
					const crawler: Crawler = {
						name: tokens[0] ?? "",
						tokens,
						obeysGlobal,
						obeysRobotsTxt,
						operator,
						kind: kind as CrawlerKind,
						documentation,
					};
					return { crawler, inHeaders };
				}),
			);
		return [
			...rows(lists.crawlers, true, true),
			...rows(lists.withoutHeader, true, true, false),
			...rows(lists.withoutGlobal, false, true),
			...rows(lists.onDemand, true, false),
			...rows(lists.withoutRobotsTxt, false, false),
		];
	},
);

/** Well-known crawlers: search engines, advertisers, AI companies, archives, link previews, monitors. */
export const crawlers: readonly Crawler[] = known.map(({ crawler }) => crawler);

const byToken = new Map(
	crawlers.map((crawler) => [crawler.name.toLowerCase(), crawler]),
);

/** Of a header's names the first one counts: "TelegramBot (like TwitterBot)". Longer ones are tried first. */
const headerNames = new RegExp(
	`(?<![\\w-])(?:${known
		.filter(({ inHeaders }) => inHeaders)
		.map(({ crawler }) => crawler.name.replaceAll(".", "\\."))
		.sort((a, b) => b.length - a.length)
		.join("|")})(?![a-z\\d-])`,
	"i",
);

/** Addresses in a header can hold any name. */
const addresses = /\bhttps?:\/\/[^\s;)]*/gi;

/** A product token, not a header. RFC 9309 §2.2.1 has no digits in it, real crawlers do. */
export function isProductToken(agent: string): boolean {
	return /^[\w-]+$/.test(agent);
}

/**
 * The crawler that a product token ("Googlebot-News") or a whole User-Agent header
 * ("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)") names, in any case. Undefined for what
 * the table does not know, browsers included. A header proves nothing: anybody can send one.
 * @throws {RobotrieError} invalid-argument, for anything but a string.
 */
export function findCrawler(agent: string): Crawler | undefined {
	check("agent", agent, textKind);
	const text = agent.trim().toLowerCase();
	const crawler = byToken.get(text);
	if (crawler || isProductToken(text)) return crawler;
	const [name] = headerNames.exec(text.replace(addresses, "")) ?? [];
	return name === undefined ? undefined : byToken.get(name);
}

/** How a crawler chooses its group. */
export interface Identity {
	/** Product tokens, the most specific first. */
	readonly tokens: readonly string[];
	readonly obeysGlobal: boolean;
}

/** What RFC 9309 §2.2.1 has a crawler choose its group by, from a product token or a whole User-Agent header. */
export function identityOf(agent: string): Identity {
	const crawler = findCrawler(agent);
	if (crawler) return crawler;
	const tokens = [isProductToken(agent) ? agent : tokenOfHeader(agent)];
	return { tokens, obeysGlobal: true };
}

/**
 * The product token of a header that the table does not know: what stands behind "compatible;" in a comment, or else the
 * first product, or, as "Mozilla" says nothing, the first word that calls itself a robot.
 */
function tokenOfHeader(header: string): string {
	const text = header.replace(addresses, "").trim();
	const [, compatible] = /\(compatible;\s*([\w-]+)[\s/;)]/i.exec(text) ?? [];
	if (compatible && !/^msie$/i.test(compatible)) return compatible;
	const first = /^[\w-]*/.exec(text)?.[0] ?? "";
	if (first.toLowerCase() !== "mozilla") return first;
	return (
		/(?<![\w-])[\w-]*(?:bot|crawler|spider)(?![a-z])/i.exec(text)?.[0] ?? first
	);
}
