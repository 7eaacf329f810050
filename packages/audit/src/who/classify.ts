/**
 * Who sends a User-Agent header: a crawler, by robotrie's own table, the list of crawler-user-agents or isbot's patterns, in this order, or a
 * person. These are 1,700 expressions; trying them all takes longer than reading thousands of log lines. `Signs` therefore looks for the
 * literal texts that an expression needs, all in one pass over the header, and only tries expressions whose text is there.
 */

import listed from "crawler-user-agents";
import { list as isbotPatterns } from "isbot";
import { type Crawler, crawlers, recognise } from "robotrie";
import { isProductToken } from "#robotrie/common/agents";
import {
	GRAM,
	LITERAL_DIGITS,
	READING_UNPLAIN,
} from "../../assembly/format.ts";
import { decodeHeader, type Escaping } from "../formats/log-format.ts";
import { LiteralIndex, LOWER_CASE } from "./literals.ts";
import {
	FROM_A_PHONE,
	kindOf,
	MARK_OF_POSER,
	peoplesProducts,
	shapesOfHeaders,
	TOOL,
	WEB_VIEW,
	withoutDevice,
	wordsOfApps,
	wordsOfPeople,
} from "./people.ts";

const SPACE = 0x20;
const PERCENT = 0x25;
const PLUS_SIGN = 0x2b;
const BACKSLASH = 0x5c;

/** What a header of a crawler, library or other automatic client says. */
export interface AutomaticAgent {
	/** Its name in reports. */
	readonly name: string;
	/** What it fetches for: a `CrawlerKind`, "library", "automation", or "unknown". */
	readonly category: string;
	/**
	 * The product token by which its group of a robots.txt is chosen: the one in the table of crawlers, else the one in the header, "*"
	 * without any. Never a whole header.
	 */
	readonly agent: string;
}

const encoder = new TextEncoder();

/** What `Header.fold` reads a byte as, by the escaping: in logs with "plus", a plus sign is a space. */
const PLUS_FOLD = LOWER_CASE.with(PLUS_SIGN, SPACE);

function foldOf(escaping: Escaping): Uint8Array {
	return escaping === "plus" ? PLUS_FOLD : LOWER_CASE;
}

/** For each byte and escaping, whether a header with it is not plain: it has an escape, a backslash, or a byte beyond ASCII. */
const UNPLAIN: Readonly<Record<Escaping, Uint8Array>> = {
	backslash: unplainBytes(),
	none: unplainBytes(),
	plus: unplainBytes(),
	percent: unplainBytes(PERCENT),
};

/**
 * A User-Agent header of a log. Names are looked for in its bytes, and most headers that hold none never become a string. Only plain
 * headers are searched as they are; others are decoded first, since the case of letters beyond ASCII and escapes are matters of characters.
 * Bytes of linear memory are read when `text` is asked for, so a header does not outlive the call that made it.
 */
export class Header {
	readonly #bytes: Uint8Array;
	readonly #escaping: Escaping;
	#text: string | undefined;
	/** What names are looked for in: the header, or what it looks like in lower case. */
	readonly bytes: Uint8Array;
	readonly fold: Uint8Array;
	readonly hasBackslash: boolean;

	constructor(bytes: Uint8Array, escaping: Escaping) {
		this.#bytes = bytes;
		this.#escaping = escaping;
		if (isPlain(bytes, UNPLAIN[escaping])) {
			this.bytes = bytes;
			this.fold = foldOf(escaping);
			this.hasBackslash = false;
		} else {
			this.bytes = encoder.encode(this.text.toLowerCase());
			this.fold = LOWER_CASE;
			this.hasBackslash = this.text.includes("\\");
		}
	}

	/** The header of a text that is decoded. */
	static of(text: string): Header {
		const header = new Header(encoder.encode(text), "none");
		header.#text = text;
		return header;
	}

	get text(): string {
		this.#text ??= decodeHeader(this.#bytes, this.#escaping);
		return this.#text;
	}
}

function unplainBytes(first = BACKSLASH): Uint8Array {
	return Uint8Array.from({ length: 256 }, (_, byte) =>
		byte >= 0x80 || byte === BACKSLASH || byte === first ? 1 : 0,
	);
}

function isPlain(bytes: Uint8Array, unplain: Uint8Array): boolean {
	let found = 0;
	for (let at = 0; at < bytes.length; at++)
		found |= unplain[bytes[at] as number] as number;
	return found === 0;
}

/** One of crawler-user-agents' entries. */
interface Listed {
	readonly pattern: string;
	readonly instances: readonly string[];
	readonly tags?: readonly string[];
}

/**
 * A regular expression that is compiled when first used, as most never are. Compiling all 1,700
 * takes longer than reading thousands of lines, and most logs meet some dozens of them.
 */
class Expression {
	readonly source: string;
	/** Whether it can tell one digit from another. */
	readonly dependsOnDigits: boolean;
	readonly #flags: string;
	#expression: RegExp | undefined;

	constructor(source: string, flags: string) {
		this.source = source;
		this.dependsOnDigits = hasDigit(source);
		this.#flags = flags;
	}

	/** Compiled on first use. */
	get expression(): RegExp {
		this.#expression ??= new RegExp(this.source, this.#flags);
		return this.#expression;
	}
}

/** A pattern of crawler-user-agents. */
class Pattern extends Expression {
	readonly #listed: Listed;
	#name: string | undefined;
	/** Whether matches may begin, or end, within a word. */
	#within: [boolean, boolean] | undefined;

	constructor(listed: Listed) {
		super(listed.pattern, "g");
		this.#listed = listed;
	}

	/**
	 * The first match that is no part of a longer word: "Sogou" is not in "SogouMobileBrowser". Where an example of the list itself goes on
	 * within a word ("Nutchspider"), words may go on at that side.
	 */
	matchIn(header: string): RegExpExecArray | undefined {
		if (!this.#within) {
			this.#within = [false, false];
			for (const instance of this.#listed.instances) {
				const match = this.#next(instance, 0);
				if (!match) continue;
				const [before, after] = insideWord(instance, match);
				this.#within = [this.#within[0] || before, this.#within[1] || after];
			}
		}
		const [mayFollow, mayGoOn] = this.#within;
		for (let at = 0; ; ) {
			const match = this.#next(header, at);
			if (!match) return undefined;
			const [before, after] = insideWord(header, match);
			if ((!before || mayFollow) && (!after || mayGoOn)) return match;
			at = match.index + 1;
		}
	}

	#next(text: string, from: number): RegExpExecArray | null {
		const { expression } = this;
		expression.lastIndex = from;
		return expression.exec(text);
	}

	/** What it matches in the first example that the list gives for it: "Googlebot" rather than "Googlebot\/". */
	get name(): string {
		if (this.#name === undefined) {
			const { instances, pattern } = this.#listed;
			const match = this.#next(instances[0] ?? "", 0);
			// So names in reports are those that people know, without a table of names.
			this.#name = shownName(match?.[0] ?? pattern.replace(/[\\^$]/g, ""));
		}
		return this.#name;
	}

	/** By the first tag, which is the main one. Tags without a category of ours are shown as they are. */
	get category(): string {
		const tag = this.#listed.tags?.[0] ?? "unknown";
		return categories[tag] ?? tag;
	}
}

/** Whether a match follows a letter or digit of its word, and whether its word goes on. */
function insideWord(
	text: string,
	{ index, 0: match }: RegExpExecArray,
): [boolean, boolean] {
	const end = index + match.length;
	return [
		/^\w/.test(match) && /[a-z\d]/i.test(text[index - 1] ?? ""),
		/[a-z]$/i.test(match) && /[a-z\d]/i.test(text[end] ?? ""),
	];
}

/** The list's tags, by the categories of robotrie's own table. */
const categories: Readonly<Record<string, string>> = {
	"search-engine": "search",
	advertising: "ads",
	"feed-reader": "feed",
	"http-library": "library",
	"social-preview": "preview",
	archiver: "archive",
	"ai-crawler": "ai",
	academic: "research",
	scanner: "security",
	"browser-automation": "automation",
};

/** The rest of a product's name, before and after a match. */
const BEFORE = /[\w-]*$/;
const AFTER = /^[\w-]*/;

/** A matched text, extended to the whole word but not to a version. */
function wholeWord(header: string, from: number, text: string): string {
	const before = BEFORE.exec(header.slice(0, from))?.[0] ?? "";
	const after = /[\w-]$/.test(text)
		? (AFTER.exec(header.slice(from + text.length))?.[0] ?? "")
		: "";
	return trimmed(`${before}${text}${after}`);
}

/** A name without separators around it, as patterns such as "/bot/" match some. */
function trimmed(text: string): string {
	return text.replace(/^[\s/;(),]+|[\s/;(),_]+$/g, "");
}

/** What reports call a matched text: a name, without a version, a comment or what makes a URL of it. */
export function shownName(text: string): string {
	const name = trimmed(text);
	const first = /[;(]/.test(name)
		? trimmed(name.replace(/(?:\/v?\d[^;(]*)?[;(].*$/s, ""))
		: name;
	return (first || name).replace(/^https?:\/\/(?:www\.)?/, "");
}

/**
 * What a literal points to if not to an expression. A constant in the same index: one pass over the
 * header serves the table of crawlers, too.
 */
const CRAWLER = "a crawler of the table";
/** The same for a sign of names of which one has a digit. */
const CRAWLER_WITH_DIGIT = "a crawler of the table, with a digit";

type Sign = Expression | typeof CRAWLER | typeof CRAWLER_WITH_DIGIT;

/** Whether an expression names a digit; all digits are alike to classes and counts. */
function hasDigit(source: string): boolean {
	return /\d/.test(source.replace(/\{\d+(?:,\d*)?\}|\b0-9(?=\])/g, ""));
}

/**
 * Of each name its longest word, in lower case, as headers part words by other characters than the
 * table. The longest word, as a short one ("bot") is in many headers.
 */
function signsOf(rows: readonly Crawler[]): readonly string[] {
	const words = rows.map(({ name }) =>
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

let madeSigns: readonly string[] | undefined;

/** Whatever names a crawler of the table holds one of these, in any case, or a backslash. */
function signsOfNames(): readonly string[] {
	madeSigns ??= signsOf(crawlers);
	return madeSigns;
}

/**
 * Finds out which expressions can match a header at all. A literal is a text that every match of an expression contains; one pass over
 * the header finds those of all lists. Few of the 1,700 expressions remain, and none for most browsers.
 */
class Signs {
	readonly #index = new LiteralIndex<Sign>();
	/** Patterns of the list without such a literal: they are always tried. */
	readonly #others: Pattern[] = [];
	/** The expressions that no literal stands for; see `expressionsWithoutLiteral`. */
	readonly withoutLiteral: readonly string[];
	/** The same of isbot's patterns. */
	readonly #bots: readonly Expression[];

	constructor(listed: readonly Listed[]) {
		const names = crawlers.map(({ name }) => name.toLowerCase());
		for (const sign of signsOfNames()) {
			const isDigit = names.some(
				(name) => name.includes(sign) && /\d/.test(name),
			);
			this.#index.add(sign, isDigit ? CRAWLER_WITH_DIGIT : CRAWLER);
		}
		for (const each of listed) {
			const pattern = new Pattern(each);
			const literals = literalsOf(each.pattern);
			if (!literals) this.#others.push(pattern);
			for (const literal of literals ?? []) this.#index.add(literal, pattern);
		}
		const bots: Expression[] = [];
		for (const source of isbotPatterns) {
			if (shapesOfHeaders.has(source)) continue;
			const expression = new Expression(source, "i");
			// An expression with "^" fails at once where the header begins differently, so that no
			// literal is needed.
			const literals = source.startsWith("^") ? undefined : literalsOf(source);
			if (!literals) bots.push(expression);
			for (const literal of literals ?? [])
				this.#index.add(literal, expression);
		}
		// A tool's header begins with its name: as with "^".
		bots.push(new Expression(TOOL.source, "i"));
		this.#bots = bots;
		this.withoutLiteral = [...this.#others, ...bots].map(
			({ source }) => source,
		);
	}

	/** The index for the scanner's module. */
	block(): Uint8Array {
		return this.#index.block((sign) =>
			sign === CRAWLER_WITH_DIGIT ||
			(sign instanceof Expression && sign.dependsOnDigits)
				? LITERAL_DIGITS
				: 0,
		);
	}

	/** What can match a header. Without a literal in it, neither the table nor any other pattern of the list does. */
	find(header: Header): {
		/** A crawler of the table may be in it. */
		mayName: boolean;
		patterns: readonly Pattern[];
		/** isbot's. */
		bots: readonly Expression[];
	} {
		const bots: Expression[] = [];
		let patterns = this.#others;
		let mayName = header.hasBackslash;
		for (const sign of this.#index.find(header.bytes, header.fold)) {
			if (sign === CRAWLER || sign === CRAWLER_WITH_DIGIT) mayName = true;
			else if (!(sign instanceof Pattern)) bots.push(sign);
			else if (patterns === this.#others) patterns = [...patterns, sign];
			else patterns.push(sign);
		}
		return { mayName, patterns, bots: [...bots, ...this.#bots] };
	}
}

/** The first word of a header by which isbot's patterns take it for a bot's; undefined for a person's. */
function markOf(
	text: string,
	header: string,
	bots: readonly Expression[],
): RegExpExecArray | undefined {
	const kind = kindOf(header);
	const isApps = kind === "app" || WEB_VIEW.test(header);
	let first: RegExpExecArray | undefined;
	let isBot = false;
	const meet = (match: RegExpExecArray | null) => {
		if (match && (!first || match.index < first.index)) first = match;
	};
	for (const { source, expression } of bots) {
		const match = expression.exec(text);
		isBot ||= match !== null || expression.test(header);
		const isPeoples =
			(kind !== "other" && wordsOfPeople.has(source)) ||
			(isApps && wordsOfApps.has(source));
		if (!isPeoples) meet(match);
	}
	// Not without isbot: headers in which it finds nothing are not even looked at (assembly/headers.ts).
	if (isBot && kind === "browser") meet(MARK_OF_POSER.exec(text));
	return first;
}

/** The pattern with the longest match, which is the most specific, or the first in the header of equally long ones; and the matched word. */
function longestMatch(
	patterns: readonly Pattern[],
	header: string,
): { pattern: Pattern; word: string } | undefined {
	let best: RegExpExecArray | undefined;
	let found: Pattern | undefined;
	for (const pattern of patterns) {
		const match = pattern.matchIn(header);
		if (match && (!best || longer(match, best))) {
			best = match;
			found = pattern;
		}
	}
	return (
		best &&
		found && { pattern: found, word: wholeWord(header, best.index, best[0]) }
	);
}

/** Whether a match is better than another one. */
function longer(match: RegExpExecArray, other: RegExpExecArray): boolean {
	return match[0].length !== other[0].length
		? match[0].length > other[0].length
		: match.index < other.index;
}

/** One for the process, as making it goes through all 1,700 patterns. */
let signs: Signs | undefined;

/** The one Signs of the process, which is built when the first header is classified. */
function theSigns(): Signs {
	signs ??= new Signs(listed);
	return signs;
}

let block: Uint8Array | undefined;

/**
 * What all names of crawlers need, for the scanner's module (assembly/headers.ts): a browser's header without any of these literals is a
 * person's, and digits of versions decide nothing in a header without one that has LITERAL_DIGITS.
 */
export function signsBlock(): Uint8Array {
	block ??= theSigns().block();
	return block;
}

/**
 * The expressions that are tried for each header, as nothing in the index stands for them. `isPersons` in assembly/headers.ts knows what they
 * match, and no digit of a version may decide it; a test compares the list.
 */
export function expressionsWithoutLiteral(): readonly string[] {
	return theSigns().withoutLiteral;
}

/** What the scanner's module reads each byte of a header as, by the escaping. */
export function readingsOf(escaping: Escaping): Uint8Array {
	const unplain = UNPLAIN[escaping];
	return foldOf(escaping).map((byte, at) =>
		unplain[at] === 1 ? READING_UNPLAIN : byte,
	);
}

/** Longest name in a report. */
export const LONGEST_NAME = 60;

/**
 * Who sent a User-Agent header; undefined for browsers of people.
 * @example
 * classify("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"); // { name: "Googlebot", category: "search", … }
 */
export function classify(header: string | Header): AutomaticAgent | undefined {
	return decide(typeof header === "string" ? Header.of(header) : header);
}

function decide(header: Header): AutomaticAgent | undefined {
	const { mayName, patterns, bots } = theSigns().find(header);
	// Our own table decides first, as it knows which token a crawler obeys; the lists only have
	// names.
	const named = mayName ? recognise(header.text) : undefined;
	if (named && FROM_A_PHONE.test(header.text)) return undefined;
	if (named?.crawler)
		return {
			name: named.crawler.name,
			category: named.crawler.kind,
			agent: named.productToken ?? NO_TOKEN,
		};
	const text = withoutDevice(header.text);
	const listed =
		patterns.length > 0
			? longestMatch(ofCrawlers(patterns, header.text), text)
			: undefined;
	// The old browsers are asked after the list: a listed crawler that poses as one stays a crawler.
	const mark = listed ? undefined : markOf(text, header.text, bots);
	if (!listed && (!mark || isOldBrowser(header.text))) return undefined;
	const token = (named ?? recognise(header.text)).productToken ?? NO_TOKEN;
	if (listed) {
		const { pattern, word } = listed;
		return {
			name: pattern.name,
			category: pattern.category,
			// A token like "Mozilla" would choose no group: the word that the list recognised is a better
			// one.
			agent: saysNothing(token) && isProductToken(word) ? word : token,
		};
	}
	return {
		name: unknownName(text, token, mark),
		category: "unknown",
		agent: token,
	};
}

/** The patterns that say something of a header: not those of products that people's have. */
function ofCrawlers(
	patterns: readonly Pattern[],
	header: string,
): readonly Pattern[] {
	const isPeoples = ({ source }: Pattern) => peoplesProducts.has(source);
	if (!patterns.some(isPeoples) || kindOf(header) === "other") return patterns;
	return patterns.filter((pattern) => !isPeoples(pattern));
}

/** Feature phones, an Internet Explorer without further details, and browsers of long ago: isbot takes them for bots. */
const OLD_BROWSER =
	/^Mozilla\/4\.0 \(compatible;\)$|\bWAP Browser\b|\bMaui Browser\b|^(?:amaya|hotjava|netsurf)\/|\boffbyone\b/i;

function isOldBrowser(header: string): boolean {
	return OLD_BROWSER.test(header) && !/bot|crawl|spider/i.test(header);
}

/** The token of nobody in particular: the group for all crawlers applies. */
const NO_TOKEN = "*";

/** The product token of a header, or NO_TOKEN. */
export function tokenOf(header: string): string {
	return recognise(header).productToken ?? NO_TOKEN;
}

/** Whether a token does not identify a crawler: browsers have it, and crawlers that pose as one. */
export function saysNothing(token: string): boolean {
	return token === NO_TOKEN || /^(mozilla|opera)$/i.test(token);
}

/** Words that say what something is, not who. */
const NO_NAME =
	/^(?:https?(?::.*)?|www|url|web|bots?|robots?|crawler|spider|scanner|parser|agent|client|search|feed|library|compatible|(?:check|monitor|fetch)\w*|\W*)$/i;

/** Words of browsers' headers: they name nobody. */
const BROWSERS_WORD =
	/\b(?:mozilla|applewebkit|khtml|gecko|chrom(?:e|ium)|safari|firefox|edga?|opr|opera|msie|trident|version|mobile|windows|iphone|ipad|macintosh|linux|android|x11)\b/i;

/** A name for a bot that no list names: its token, the word that gave it away, or what stands around that; else its site. */
function unknownName(
	header: string,
	token: string,
	mark: RegExpExecArray | undefined,
): string {
	const at = saysNothing(token)
		? mark === undefined
			? -1
			: mark.index
		: header.indexOf(token);
	const word = saysNothing(token)
		? mark === undefined
			? ""
			: wholeWord(header, at, mark[0])
		: token;
	// "help@dataminr.com", "kouio.com RSS reader": a token ends where its address goes on.
	const address =
		at < 0 ? undefined : /^[\w-]+(?:[.@][a-z][\w-]*)+/i.exec(header.slice(at));
	const name =
		!saysNothing(token) && address
			? address[0]
			: NO_NAME.test(word)
				? (nameAround(header, at) ?? word)
				: word;
	return (name || "(unknown)").slice(0, LONGEST_NAME);
}

/** The site of an address at a place of a header, by the word that the header has for it ("Spinn3r"); else the part of a comment around the place. */
function nameAround(header: string, at: number): string | undefined {
	if (at < 0) return undefined;
	const start = Math.max(
		...["(", ")", ";", ","].map((end) => header.lastIndexOf(end, at) + 1),
	);
	const part = /^[^();,]*/.exec(header.slice(start))?.[0] ?? "";
	const host =
		/(?:https?:\/\/|\bwww\.)(?:www\.)?([a-z\d-]+(?:\.[a-z\d-]+)+)/i.exec(
			part,
		)?.[1];
	if (host !== undefined) {
		const label = host.split(".").at(-2) ?? host;
		// Whoever asks chooses it, and V8 makes no expression of one of 33,000 letters.
		if (label.length > LONGEST_NAME) return host;
		const own = new RegExp(`\\b${label}\\b`, "i").exec(header.slice(0, start));
		return own && !BROWSERS_WORD.test(own[0]) ? own[0] : host;
	}
	const text = trimmed(part.replace(/\/v?\d.*$/s, ""));
	return text === "" || BROWSERS_WORD.test(text) ? undefined : text;
}

/**
 * Whether a list finds a name by itself, but not in a browser's header, where people have it, too. A rule for the name would refuse them.
 * @example
 * isCarriedByBrowsers("Viber"); // true
 */
export function isCarriedByBrowsers(name: string): boolean {
	return (
		classify(`${name}/1.0`) !== undefined &&
		classify(`${BROWSER} ${name}/1.0`) === undefined
	);
}

const BROWSER =
	"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

/**
 * Texts in lower case of which every match of an expression contains at least one, whatever its case; undefined if no such text is
 * certain, or one is shorter than LiteralIndex needs. Everything that is not literal (classes, groups, quantified characters) is replaced by
 * NUL, and the longest text between NULs is taken of each alternative. It may miss a literal, but must never invent one.
 */
export function literalsOf(pattern: string): readonly string[] | undefined {
	if (/\\[ux\d]/.test(pattern)) return undefined;
	let text = pattern
		.replace(/\\[a-z]/gi, "\0")
		.replace(/\\(.)/g, (_, character: string) =>
			String.fromCharCode(ESCAPED + character.charCodeAt(0)),
		)
		.replace(/\[[^\]]*\]/g, "\0");
	for (let before = ""; before !== text; ) {
		before = text;
		text = text.replace(/\([^()]*\)/g, "\0");
	}
	const literals = text
		// A quantified character may be absent or repeated, so it ends the literal before it and is in
		// none.
		.replace(/.(?:[*?+]|\{[^}]*\})/gs, "\0")
		.replace(/[.^$?]/g, "\0")
		.split("|")
		.map((alternative) =>
			alternative
				.split("\0")
				.reduce((a, b) => (b.length > a.length ? b : a), "")
				.replace(/[\ue000-\ue07f]/g, (character) =>
					String.fromCharCode(character.charCodeAt(0) - ESCAPED),
				)
				.toLowerCase(),
		);
	return literals.every(({ length }) => length >= GRAM) ? literals : undefined;
}

/** Escaped characters are moved to this private-use range until the special ones are gone. */
const ESCAPED = 0xe000;
