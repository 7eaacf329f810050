/**
 * Finds the crawler that a product token or a User-Agent header names. Matchers ask it for each new agent, the audit for each new header of
 * a log, so names are looked up in one pass over the header.
 */
import { check, checkOptions, type OptionTable } from "../common/arguments.ts";
import { textKind } from "../common/kinds.ts";
import {
	DEFAULT_DIALECT,
	type Dialect,
	type DialectRules,
	dialectKind,
	dialectRules,
} from "../robots-txt/dialect.ts";
import {
	type Crawler,
	type CrawlerFamily,
	type CrawlerKind,
	type CrawlerLists,
	crawlerFamilies,
} from "./crawler-data.ts";
import { senderOf } from "./user-agent.ts";

/** Kinds whose crawlers come because a person asks. */
const userKinds: ReadonlySet<CrawlerKind> = new Set([
	"ai-assistant",
	"feed",
	"monitoring",
	"preview",
]);

/** Why groups for `*` hold for crawlers whose operators say nothing else. */
const STANDARD = "RFC 9309, section 2.2.1";

/** A row that is being made. */
type Draft = { -readonly [Name in keyof Crawler]?: Crawler[Name] };

/**
 * The table, made when the library is loaded. Plain loops and assignments, as V8 has optimised nothing by then: with closures and spread
 * properties, loading takes a twentieth longer.
 */
function allCrawlers(): Crawler[] {
	const all: Crawler[] = [];
	for (const family of crawlerFamilies) {
		addRows(all, family, family.crawlers, true, true);
		addRows(all, family, family.withoutHeader, true, true, false);
		addRows(all, family, family.withoutGlobal, false, true);
		addRows(all, family, family.onDemand, true, false);
		addRows(all, family, family.withoutRobotsTxt, false, false);
	}
	return all;
}

/** Lists are strings in the table, as people read and change it ("Googlebot-News > Googlebot, …"). */
function addRows(
	all: Crawler[],
	family: CrawlerFamily,
	lists: CrawlerLists | undefined,
	obeysGlobal: boolean,
	obeysRobotsTxt: boolean,
	sendsRequests = true,
): void {
	if (!lists) return;
	const { operator, documentation, addressRanges = [], checked } = family;
	for (const key of Object.keys(lists)) {
		const kind = key as CrawlerKind;
		const trigger = family.byUser || userKinds.has(kind) ? "user" : "operator";
		for (const one of (lists[kind] as string).split(",")) {
			const tokens = one.split(">");
			// A token may stand for several, most specific first, by ">".
			for (let i = 0; i < tokens.length; i++)
				tokens[i] = (tokens[i] as string).trim();
			const crawler: Draft = {
				name: tokens[0] as string,
				tokens,
				obeysGlobal,
				obeysGlobalSource: obeysGlobal
					? STANDARD
					: (documentation ?? `what is known of ${operator}`),
				obeysRobotsTxt,
				operator,
				kind,
				trigger,
				sendsRequests,
			};
			if (documentation !== undefined) crawler.documentation = documentation;
			crawler.addressRanges = sendsRequests ? addressRanges : [];
			if (checked !== undefined) crawler.checked = checked;
			all.push(crawler as Crawler);
		}
	}
}

/** Well-known crawlers: search engines, advertisers, AI companies, archives, link previews, monitors. */
export const crawlers: readonly Crawler[] = /* @__PURE__ */ allCrawlers();

/** By the name, which is the first token: other tokens belong to several crawlers. */
const byToken = new Map(
	crawlers.map((crawler) => [crawler.name.toLowerCase(), crawler]),
);

/**
 * What a search for crawlers' names needs. Made when the first header comes. One expression for all
 * names would be tried at every position of a header; the literals decide first whether it is worth
 * it.
 */
class HeaderNames {
	/** Finds a name that headers hold. Longer ones are tried first. */
	readonly pattern = new RegExp(
		`(?<![\\w-])(?:${crawlers
			.filter(({ sendsRequests }) => sendsRequests)
			.map(({ name }) => name.replaceAll(".", "\\."))
			.sort((a, b) => b.length - a.length)
			// A name ends where a letter or digit does not follow: "Googlebot" is not in "Googlebotany".
			.join("|")})(?![a-z\\d-])`,
		"i",
	);
	readonly signs: readonly string[] = signsOf(crawlers);
	readonly #index = new LiteralIndex<true>();

	constructor() {
		for (const sign of this.signs) this.#index.add(sign, true);
	}

	/** Whether a header holds a sign of a name: one search for all names takes less than one in each part. */
	mayBeIn(header: string): boolean {
		return header.includes("\\") || this.#index.finds(header);
	}
}

/**
 * Of each name its longest word, in lower case, as headers part words by other characters than the
 * table. The longest word, as a short one ("bot") is in many headers.
 */
function signsOf(crawlers: readonly Crawler[]): readonly string[] {
	const words = crawlers.map(({ name }) =>
		name
			.toLowerCase()
			.split(" ")
			.reduce((a, b) => (b.length > a.length ? b : a)),
	);
	// A word that contains another one needs no entry of its own.
	return [...new Set(words)].filter((word) =>
		words.every((other) => other === word || !word.includes(other)),
	);
}

let madeNames: HeaderNames | undefined;

function headerNames(): HeaderNames {
	madeNames ??= new HeaderNames();
	return madeNames;
}

/** Whatever names a crawler of the table holds one of these, in any case, or a backslash. */
export function signsOfNames(): readonly string[] {
	return headerNames().signs;
}

/** A product token, not a header. RFC 9309 §2.2.1 has no digits in it, real crawlers do. */
export function isProductToken(agent: string): boolean {
	return /^[\w-]+$/.test(agent);
}

/** How `findCrawler` reads a row. */
export interface FindCrawlerOptions {
	/** Whose choice of groups `tokens` and `obeysGlobal` describe. Default "rfc9309". */
	readonly dialect?: Dialect;
}

const findOptions: OptionTable<FindCrawlerOptions> = { dialect: dialectKind };

/**
 * The crawler that a product token ("Googlebot-News") or a whole User-Agent header
 * ("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)") names, in any case. Undefined for what
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
	return crawler && crawlerIn(options.dialect ?? DEFAULT_DIALECT, crawler);
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
export function crawlerIn(dialect: Dialect, crawler: Crawler): Crawler {
	const rules = dialectRules(dialect);
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
	check("agent", agent, textKind);
	return headerNames().mayBeIn(agent)
		? recognise(agent, true).crawler
		: undefined;
}

/** How a crawler chooses its group. */
export interface Identity {
	/** Product tokens, the most specific first. */
	readonly tokens: readonly string[];
	readonly obeysGlobal: boolean;
}

/**
 * What RFC 9309 §2.2.1 has a crawler choose its group by, from a product token or a whole
 * User-Agent header. A token is taken as it is; only a header has to be read.
 */
export function identityOf(agent: string): Identity {
	const { crawler, token } = recognise(agent);
	return crawler ?? { tokens: [token], obeysGlobal: true };
}

/** Whose a product token or a header is. */
export interface Recognised {
	readonly crawler: Crawler | undefined;
	/** What it calls itself; empty if it has no product token. */
	readonly token: string;
}

/**
 * Reads a product token or a whole header, once for all that is asked of it. A name of the table
 * needs no search: most callers pass one.
 * @param mayName Whether it holds a sign of a name (`signsOfNames`), where that is known.
 */
export function recognise(agent: string, mayName?: boolean): Recognised {
	const crawler = byToken.get(agent.trim().toLowerCase());
	if (crawler || isProductToken(agent)) return { crawler, token: agent };
	const names = headerNames();
	const { known, token } = senderOf(
		agent,
		(mayName ?? names.mayBeIn(agent)) ? names.pattern : undefined,
	);
	return {
		crawler: known === undefined ? undefined : byToken.get(known.toLowerCase()),
		token,
	};
}

/** The product token of a header, see `productTokenOf`. */
export function tokenOfHeader(header: string): string | undefined {
	return productTokenOf(recognise(header));
}

/** Text that can only be a User-Agent header: with a version or a comment. */
export function isHeader(agent: string): boolean {
	return /[/(]/.test(agent);
}

/** The token of a header, so that all dialects recognise it; other text as it is. */
export function nameOfAgent(agent: string): string {
	return isHeader(agent) ? (tokenOfHeader(agent) ?? agent) : agent;
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
}: Recognised): string | undefined {
	return crawler?.name ?? /^[\w-]+/.exec(token)?.[0];
}

/** Characters of a gram, and the bits of a number that stand for each. */
export const GRAM = 3;
const GRAM_BITS = 8;
const GRAM_MASK = 2 ** (GRAM * GRAM_BITS) - 1;
/** Slots of a small table of grams that literals begin with: one look rejects nearly all others. */
const SIEVE = 2 ** 16;

function sieveIndex(gram: number): number {
	return (gram ^ (gram >> 10)) & (SIEVE - 1);
}

/** A literal of an index, and what it stands for. */
interface Literal<T> {
	/** Its characters in lower case; all are ASCII. */
	readonly codes: Uint8Array;
	/** Where the gram that it is found by ends in it. */
	readonly gramEnd: number;
	/** Its number in the order of `add`. */
	readonly order: number;
	readonly value: T;
}

const encoder = new TextEncoder();

/** What `LiteralIndex` reads a byte as: letters of ASCII in lower case, all other bytes as they are. */
export const LOWER_CASE: Uint8Array = /* @__PURE__ */ Uint8Array.from(
	{ length: 256 },
	(_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte),
);

/** What most headers hold. A literal is found by a gram whose slot is not one of these, if it has one: the first gram cost twice the time. */
const USUAL =
	"mozilla/5.0 (windows nt 10.0; win64; x64; rv:109.0) applewebkit/537.36 605.1.15 (khtml, like gecko) gecko/20100101 firefox/ chrome/ safari/ edg/ mobile/15e148 version/ (macintosh; intel mac os x 10_15_7) (x11; ubuntu; linux x86_64) (linux; android 10; k) build/ samsungbrowser/ (iphone; cpu iphone os 17_0 like mac os x) (compatible; +http://www. https:// .com/ .html)";

/**
 * Finds which of very many texts, each with a value, stand in a text given as bytes, in one pass: a rolling gram of three bytes, a look into
 * a sieve, and a comparison for the few that pass it. On bytes, so that an audit need not make a string of a header in which nothing is.
 */
export class LiteralIndex<T> {
	/** For each gram the place of its literals in `#lists`, 0 for none. Grams may share a slot: literals are compared in whole. */
	readonly #sieve = new Uint16Array(SIEVE);
	readonly #lists: Literal<T>[][] = [[]];
	#size = 0;
	/** The literals that `find` has met and their places; kept, as most calls would allocate them. */
	readonly #found: Literal<T>[] = [];
	readonly #places: number[] = [];

	/** @param literal Three characters of ASCII or more, in lower case. */
	add(literal: string, value: T): void {
		const codes = encoder.encode(literal);
		const slots = slotsOf(codes);
		usualSlots ??= new Set(slotsOf(encoder.encode(USUAL)));
		const usual = usualSlots;
		const unusual = slots.findIndex((slot) => !usual.has(slot));
		const at = Math.max(unusual, 0);
		const slot = slots[at] as number;
		const list = this.#sieve[slot] as number;
		const gramEnd = at + GRAM - 1;
		const one = { codes, gramEnd, order: this.#size++, value };
		// Several literals may have the same gram.
		if (list !== 0) this.#lists[list]?.push(one);
		else this.#sieve[slot] = this.#lists.push([one]) - 1;
	}

	/** Whether one of the literals stands in a text, in any case. */
	finds(text: string): boolean {
		return this.find(encoder.encode(text.toLowerCase())).length > 0;
	}

	/**
	 * Values of the literals in a text, each once, in the order of their first place, then of `add`.
	 * @param fold What each byte is read as; LOWER_CASE, or a table like it.
	 */
	find(bytes: Uint8Array, fold: Uint8Array = LOWER_CASE): readonly T[] {
		const found = this.#found;
		const places = this.#places;
		let count = 0;
		let gram = 0;
		const sieve = this.#sieve;
		for (let end = 0; end < bytes.length; end++) {
			// The gram that ends here.
			gram =
				((gram << GRAM_BITS) ^ (fold[bytes[end] as number] as number)) &
				GRAM_MASK;
			const list = sieve[sieveIndex(gram)] as number;
			if (list === 0) continue;
			for (const literal of this.#lists[list] as Literal<T>[]) {
				const at = end - literal.gramEnd;
				if (!stands(literal.codes, bytes, at, fold)) continue;
				// Sorted as they come: there are few.
				let place = count++;
				for (; place > 0; place--) {
					const before = found[place - 1] as Literal<T>;
					const beforeAt = places[place - 1] as number;
					if (
						beforeAt < at ||
						(beforeAt === at && before.order < literal.order)
					)
						break;
					found[place] = before;
					places[place] = beforeAt;
				}
				found[place] = literal;
				places[place] = at;
			}
		}
		if (count === 0) return NOTHING;
		const values: T[] = [];
		for (let i = 0; i < count; i++) {
			const { value } = found[i] as Literal<T>;
			if (!values.includes(value)) values.push(value);
		}
		return values;
	}
}

const NOTHING: readonly never[] = [];

/** The slots of the grams of a text, in their order. */
function slotsOf(codes: Uint8Array): number[] {
	const slots: number[] = [];
	let gram = 0;
	for (const [at, code] of codes.entries()) {
		gram = ((gram << GRAM_BITS) ^ code) & GRAM_MASK;
		if (at >= GRAM - 1) slots.push(sieveIndex(gram));
	}
	return slots;
}

/** Made when the first literal is added, as most programs look for none. */
let usualSlots: ReadonlySet<number> | undefined;

/** Whether a literal stands in a text at a place, which may be before its beginning. */
function stands(
	codes: Uint8Array,
	bytes: Uint8Array,
	at: number,
	fold: Uint8Array,
): boolean {
	if (at < 0 || at + codes.length > bytes.length) return false;
	for (let i = 0; i < codes.length; i++)
		if (codes[i] !== fold[bytes[at + i] as number]) return false;
	return true;
}
