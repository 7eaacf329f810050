/**
 * Finds the crawler that a product token or a User-Agent header names. Matchers ask it for each new agent, the audit for each new header of
 * a log that may hold a name.
 */
import { check, checkOptions, type OptionTable } from "../common/arguments.ts";
import { flagKind, textKind } from "../common/kinds.ts";
import { readAgents } from "../engine/agents.ts";
import {
	DEFAULT_DIALECT,
	type Dialect,
	type DialectRules,
	dialectKind,
	dialectNames,
	dialectOfOperator,
	dialectRules,
} from "../robots-txt/dialect.ts";
import {
	type Crawler,
	type CrawlerFamily,
	type CrawlerKind,
	type CrawlerLists,
	crawlerFamilies,
} from "./crawler-data.ts";
import { type CrawlerPage, crawlerPages } from "./crawler-pages.ts";

/** Kinds whose crawlers come because a person asks. */
const userKinds: ReadonlySet<CrawlerKind> = new Set([
	"ai-agent",
	"ai-assistant",
	"feed",
	"monitoring",
	"preview",
]);

/** Why groups for `*` hold for crawlers whose operators say nothing else. */
const STANDARD = "RFC 9309, section 2.2.1";

/** A row as the lists have it: all that matching needs. What operators' pages say is in `crawlers` alone. */
interface Listed extends Identity {
	readonly name: string;
	readonly obeysRobotsTxt: boolean;
	readonly kind: CrawlerKind;
	readonly trigger: "operator" | "user";
	readonly sendsRequests: boolean;
	/** Key of `crawlerPages()`: the first name of its family. */
	readonly page: string;
	/** Its place in `listed` and `crawlers`. */
	readonly place: number;
}

/**
 * The lists, read when the library is loaded. Plain loops and assignments, as V8 has optimised nothing by then: with closures and spread
 * properties, loading takes a twentieth longer.
 */
function allListed(): Listed[] {
	const all: Listed[] = [];
	for (const family of crawlerFamilies) {
		const first = all.length;
		addRows(all, first, family, family.crawlers, true, true);
		addRows(all, first, family, family.withoutHeader, true, true, false);
		addRows(all, first, family, family.withoutGlobal, false, true);
		addRows(all, first, family, family.onDemand, true, false);
		addRows(all, first, family, family.withoutRobotsTxt, false, false);
	}
	return all;
}

/** Lists are strings in the table, as people read and change it ("Googlebot-News > Googlebot, …"). */
function addRows(
	all: Listed[],
	first: number,
	family: CrawlerFamily,
	lists: CrawlerLists | undefined,
	obeysGlobal: boolean,
	obeysRobotsTxt: boolean,
	sendsRequests = true,
): void {
	if (!lists) return;
	for (const key of Object.keys(lists)) {
		const kind = key as CrawlerKind;
		const trigger = family.byUser || userKinds.has(kind) ? "user" : "operator";
		for (const one of (lists[kind] as string).split(",")) {
			const tokens = one.split(">");
			// A token may stand for several, most specific first, by ">".
			for (let i = 0; i < tokens.length; i++)
				tokens[i] = (tokens[i] as string).trim();
			const name = tokens[0] as string;
			all.push({
				name,
				tokens,
				obeysGlobal,
				obeysRobotsTxt,
				kind,
				trigger,
				sendsRequests,
				page: all[first]?.name ?? name,
				place: all.length,
			});
		}
	}
}

const listed = /* @__PURE__ */ allListed();

/** A row that is being made. */
type Draft = { -readonly [Name in keyof Crawler]?: Crawler[Name] };

/**
 * The rows with what pages say of them, frozen: a caller who sorts them in place would change what `findCrawler` and verdicts are. A bundle
 * that uses no row has neither this function nor the pages.
 */
function allCrawlers(): readonly Crawler[] {
	const all: Crawler[] = [];
	const pages = crawlerPages();
	for (const row of listed) {
		const {
			operator,
			documentation,
			addressRanges = [],
			checked,
			hosts,
		} = pages[row.page] as CrawlerPage;
		const crawler: Draft = {
			name: row.name,
			tokens: Object.freeze(row.tokens),
			obeysGlobal: row.obeysGlobal,
			obeysGlobalSource: row.obeysGlobal
				? STANDARD
				: (documentation ?? `what is known of ${operator}`),
			obeysRobotsTxt: row.obeysRobotsTxt,
			operator,
			kind: row.kind,
			trigger: row.trigger,
			sendsRequests: row.sendsRequests,
		};
		if (documentation !== undefined) crawler.documentation = documentation;
		crawler.addressRanges = row.sendsRequests ? addressRanges : [];
		crawler.hostDomains = row.sendsRequests && hosts ? hosts.domains : [];
		const source = hosts?.source ?? documentation;
		if (crawler.hostDomains.length > 0 && source !== undefined)
			crawler.hostDomainsSource = source;
		if (checked !== undefined) crawler.checked = checked;
		all.push(crawler as Crawler);
	}
	return Object.freeze(all);
}

/**
 * Well-known crawlers: search engines, advertisers, AI companies, archives, link previews, monitors.
 * @example
 * const names = crawlers.filter(({ kind }) => kind === "ai-training").map(({ name }) => name);
 */
export const crawlers: readonly Crawler[] = /* @__PURE__ */ allCrawlers();

/**
 * The table as the module has it, which finds names in headers: assembly/agents/crawlers.ts. "!" stands behind the names of those for whom
 * groups for `*` do not hold, "^" behind those that no header has. A test compares the two, and writes it.
 */
export function crawlerLines(): readonly string[] {
	return listed.map(
		({ tokens: [name, ...others], obeysGlobal, sendsRequests }) =>
			[
				`${name}${obeysGlobal ? "" : "!"}${sendsRequests ? "" : "^"}`,
				...others,
			].join(">"),
	);
}

/** How `findCrawler` reads a row. */
export interface FindCrawlerOptions {
	/** Whose choice of groups `tokens` and `obeysGlobal` describe. Default "rfc9309". */
	readonly dialect?: Dialect;
	/** As of `RobotsTxt.parse`: whether crawlers choose groups as their operators say today. Default: as the dialect's document has it. */
	readonly knowsCrawlers?: boolean | undefined;
}

const findOptions: OptionTable<FindCrawlerOptions> = {
	dialect: dialectKind,
	knowsCrawlers: flagKind,
};

/**
 * The crawler that a product token ("Googlebot-News") or a whole User-Agent header
 * ("Mozilla/5.0 (compatible; Googlebot/2.1)") names, in any case. Undefined for what
 * the table does not know, browsers included. A header proves nothing: anybody can send one.
 * @example
 * findCrawler("YandexDirect")?.obeysGlobal; // false, as Yandex's page says today
 * findCrawler("YandexDirect", { dialect: "yandex" })?.obeysGlobal; // true, as its page of 2013 said
 * @throws {RobotrieError} invalid-argument, for anything but a string, an unknown dialect or an option of another name.
 */
export function findCrawler(
	agent: string,
	options: FindCrawlerOptions = {},
): Crawler | undefined {
	checkOptions("findCrawler", options, findOptions);
	const crawler = knownCrawler(agent);
	const { dialect = DEFAULT_DIALECT, knowsCrawlers } = options;
	return crawler && crawlerIn(dialectRules(dialect, knowsCrawlers), crawler);
}

/**
 * How a crawler chooses its group in a dialect. The yandex dialect follows the page of 2013
 * ("Директива User-agent"): every robot of Yandex obeys its own group, else that for "Yandex", else
 * that for `*`. The google dialect knows no crawlers, as its library does not. Its own tokens
 * first, then the family's: RFC 9309 lets a crawler fall back from the more specific to the less
 * specific group.
 */
export function identityIn(
	{ knowsCrawlers, familyToken }: DialectRules,
	identity: Identity,
): Identity {
	if (!knowsCrawlers)
		return { tokens: identity.tokens.slice(0, 1), obeysGlobal: true };
	if (familyToken === null) return identity;
	const family = familyToken.toLowerCase();
	const belongs = identity.tokens.some((token) =>
		token.toLowerCase().startsWith(family),
	);
	if (!belongs) return identity;
	return {
		tokens: [...new Set([...identity.tokens, familyToken])],
		obeysGlobal: true,
	};
}

/** A row of the table as a dialect has it: `tokens`, `obeysGlobal` and where that comes from. */
export function crawlerIn(rules: DialectRules, crawler: Crawler): Crawler {
	const { tokens, obeysGlobal } = identityIn(rules, crawler);
	// The row itself where nothing differs, so that callers can compare rows by identity.
	if (tokens === crawler.tokens) return crawler;
	return {
		...crawler,
		tokens,
		obeysGlobal,
		obeysGlobalSource: rules.choiceSource ?? crawler.obeysGlobalSource,
	};
}

/** `findCrawler` as operators document the rows. */
export function knownCrawler(agent: string): Crawler | undefined {
	return recognise(agent).crawler;
}

/** How a crawler chooses its group. */
export interface Identity {
	/** Product tokens, the most specific first. */
	readonly tokens: readonly string[];
	readonly obeysGlobal: boolean;
}

/** The token by which an operator's robots go that begin with it, listed or not. */
function familyOf(token: string): string | undefined {
	const lower = token.toLowerCase();
	for (const name of dialectNames) {
		const { familyToken } = dialectRules(name);
		if (familyToken && lower.startsWith(familyToken.toLowerCase()))
			return lower === familyToken.toLowerCase() ? token : familyToken;
	}
	return undefined;
}

/** The dialect in which a crawler's operator reads robots.txt, undefined for most: see `dialectFor`. */
export function dialectOfCrawler(agent: string): Dialect | undefined {
	const { crawler, token } = recogniseListed(agent);
	const family = crawler ? undefined : familyOf(token);
	if (family !== undefined)
		return dialectNames.find(
			(name) =>
				dialectRules(name).familyToken?.toLowerCase() === family.toLowerCase(),
		);
	const operator = crawler && crawlerPages()[crawler.page]?.operator;
	return operator === undefined ? undefined : dialectOfOperator(operator);
}

/** Whose a product token or a User-Agent header is. */
export interface Recognised {
	/** As `findCrawler` gives it. */
	readonly crawler: Crawler | undefined;
	/** What it calls itself, as user-agent lines are read; empty if it names nothing. */
	readonly token: string;
	/** The product token by which groups are chosen: the name of a well-known crawler, else the beginning of `token`; undefined if there is none. */
	readonly productToken: string | undefined;
	/** The names whose groups it obeys (RFC 9309 §2.2.1), the most specific first: its own, then those that it falls back to. */
	readonly tokens: readonly string[];
}

/** What was read of a token or header, and its row. */
interface Read<Row> {
	readonly crawler: Row | undefined;
	readonly token: string;
	readonly tokens: readonly string[];
}

/**
 * Reads a product token or a whole User-Agent header, of a well-known crawler or of any other client: what a reader of logs counts by, and
 * what a crawler passes to `isAllowed` where it only has a header. A header proves nothing: anybody can send one.
 * @example
 * recognise("Acme.Bot/1.0 (+https://acme.example)").productToken; // "Acme"
 * recognise("Mozilla/5.0 (compatible; GPTBot/1.2)").productToken; // "GPTBot"
 * recognise("YandexAcme/1.0").tokens; // ["YandexAcme", "Yandex"]
 * @throws {RobotrieError} invalid-argument, for anything but a string.
 */
export function recognise(agent: string): Recognised {
	check("agent", agent, textKind);
	const { crawler, token, tokens } = recogniseListed(agent);
	return {
		crawler: crawler && crawlers[crawler.place],
		token,
		productToken: productTokenOf({ crawler, token }),
		tokens,
	};
}

/** The same for those who ask for nothing that pages say. */
function recogniseListed(agent: string): Read<Listed> {
	const { row, token, tokens } = readAgents([agent], 0);
	const found = listed[row];
	const crawler = found && (alikeOf(found, agent) ?? found);
	return { crawler, token, tokens: crawler?.tokens ?? tokens };
}

let madeAlike: ReadonlyMap<string, readonly Listed[]> | undefined;

/**
 * Of names that differ in nothing but case the one that is written, else the first: "Exabot" was Exalead's, "ExaBot" is Exa's. The module reads
 * names in any case, as user-agent lines do, for which both are one.
 */
function alikeOf({ name }: Listed, agent: string): Listed | undefined {
	if (!madeAlike) {
		const all = new Map<string, Listed[]>();
		for (const row of listed) {
			const lower = row.name.toLowerCase();
			all.set(lower, [...(all.get(lower) ?? []), row]);
		}
		madeAlike = new Map([...all].filter(([, { length }]) => length > 1));
	}
	const alike = madeAlike.get(name.toLowerCase());
	return alike?.find((row) => agent.includes(row.name)) ?? alike?.[0];
}

/**
 * The product token of what was recognised. A crawler of the table goes by its whole name, by which
 * all dialects know it ("Screaming Frog SEO Spider"); other text is cut as user-agent lines are
 * ("Acme" of "Acme.Bot/1.0"). Undefined if there is none. RFC 9309 gives groups to product tokens,
 * never to whole headers.
 */
export function productTokenOf({
	crawler,
	token,
}: Omit<Read<{ readonly name: string }>, "tokens">): string | undefined {
	return crawler?.name ?? /^[\w-]+/.exec(token)?.[0];
}
