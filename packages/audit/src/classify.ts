/**
 * Who sends a User-Agent header: a crawler, by robotrie's own table, the list of crawler-user-agents or isbot's patterns, in this order, or a
 * person. These are 1,700 expressions; trying them all takes longer than reading thousands of log lines. `Signs` therefore looks for the
 * literal texts that an expression needs, all in one pass over the header, and only tries expressions whose text is there.
 */

import listed from "crawler-user-agents";
import { isbotMatch, list as isbotPatterns } from "isbot";
import {
	GRAM,
	isProductToken,
	LiteralIndex,
	productTokenOf,
	recognise,
	signsOfNames,
	tokenOfHeader,
} from "robotrie/internal";

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
	readonly #source: string;
	readonly #flags: string;
	#expression: RegExp | undefined;

	constructor(source: string, flags: string) {
		this.#source = source;
		this.#flags = flags;
	}

	/** Compiled on first use. */
	get expression(): RegExp {
		this.#expression ??= new RegExp(this.#source, this.#flags);
		return this.#expression;
	}
}

/** A pattern of crawler-user-agents. */
class Pattern extends Expression {
	readonly #listed: Listed;
	#name: string | undefined;

	constructor(listed: Listed) {
		super(listed.pattern, "");
		this.#listed = listed;
	}

	/** What it matches in the first example that the list gives for it: "Googlebot" rather than "Googlebot\/". */
	get name(): string {
		if (this.#name === undefined) {
			const { instances, pattern } = this.#listed;
			const match = this.expression.exec(instances[0] ?? "");
			// So names in reports are those that people know, without a table of names.
			this.#name = trimmed(match?.[0] ?? pattern.replace(/[\\^$]/g, ""));
		}
		return this.#name;
	}

	/** By the first tag, which is the main one. Tags without a category of ours are shown as they are. */
	get category(): string {
		const tag = this.#listed.tags?.[0] ?? "unknown";
		return categories[tag] ?? tag;
	}
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

/**
 * What a literal points to if not to an expression. A constant in the same index: one pass over the
 * header serves the table of crawlers, too.
 */
const CRAWLER = "a crawler of the table";

/**
 * Finds out which expressions can match a header at all. A literal is a text that every match of an expression contains; one pass over
 * the header finds those of all lists. Few of the 1,700 expressions remain, and none for most browsers.
 */
class Signs {
	readonly #index = new LiteralIndex<Expression | typeof CRAWLER>();
	/** Patterns of the list without such a literal: they are always tried. */
	readonly #others: Pattern[] = [];
	/**
	 * The same of isbot\'s patterns, as one expression each. Those that begin with "^" are kept separate: joined with others, they would be
	 * tried at every position.
	 */
	readonly #starts: RegExp;
	readonly #rest: RegExp;

	constructor(listed: readonly Listed[]) {
		for (const sign of signsOfNames()) this.#index.add(sign, CRAWLER);
		for (const each of listed) {
			const pattern = new Pattern(each);
			const literals = literalsOf(each.pattern);
			if (!literals) this.#others.push(pattern);
			for (const literal of literals ?? []) this.#index.add(literal, pattern);
		}
		const starts: string[] = [];
		const rest: string[] = [];
		for (const source of isbotPatterns) {
			// Part of the headers of Internet Explorer, which people use.
			if (source === "chromeframe") continue;
			const literals = literalsOf(source);
			// An expression with "^" fails at once where the header begins differently, so that no
			// literal is needed.
			if (source.startsWith("^")) starts.push(source);
			else if (!literals) rest.push(source);
			else {
				const expression = new Expression(source, "i");
				for (const literal of literals) this.#index.add(literal, expression);
			}
		}
		this.#starts = new RegExp(starts.join("|"), "i");
		this.#rest = new RegExp(rest.join("|"), "i");
	}

	/** What can match a header. Without a literal in it, neither the table nor any other pattern of the list does. */
	find(header: string): {
		/** A crawler of the table may be in it. */
		mayName: boolean;
		patterns: readonly Pattern[];
		/** Whether isbot's patterns match; tried last, as it is slow. */
		isBot: () => boolean;
	} {
		// A backslash may be part of an escape that the log's format did not decode: then `recognise`
		// has to look.
		let mayName = header.includes("\\");
		const patterns = [...this.#others];
		const bots: Expression[] = [];
		for (const sign of this.#index.find(header.toLowerCase())) {
			if (sign === CRAWLER) mayName = true;
			else if (sign instanceof Pattern) patterns.push(sign);
			else bots.push(sign);
		}
		return {
			mayName,
			patterns,
			// A function, as most headers are decided before it is asked.
			isBot: () =>
				bots.some(({ expression }) => expression.test(header)) ||
				this.#rest.test(header) ||
				this.#starts.test(header),
		};
	}
}

/** The pattern with the longest match, which is the most specific, or the first in the header of equally long ones; and the matched word. */
function longestMatch(
	patterns: readonly Pattern[],
	header: string,
): { pattern: Pattern; word: string } | undefined {
	let best: RegExpExecArray | undefined;
	let found: Pattern | undefined;
	for (const pattern of patterns) {
		const match = pattern.expression.exec(header);
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

/** Asks the one Signs of the process, which is built when the first header is classified. */
function signsOf(header: string): ReturnType<Signs["find"]> {
	signs ??= new Signs(listed);
	return signs.find(header);
}

/** Longest name in a report. */
export const LONGEST_NAME = 60;

/**
 * Who sent a User-Agent header; undefined for browsers of people.
 * @example
 * classify("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"); // { name: "Googlebot", category: "search", … }
 */
export function classify(header: string): AutomaticAgent | undefined {
	const { mayName, patterns, isBot } = signsOf(header);
	// Our own table decides first, as it knows which token a crawler obeys; the lists only have
	// names.
	const named = mayName ? recognise(header, true) : undefined;
	if (named?.crawler)
		return {
			name: named.crawler.name,
			category: named.crawler.kind,
			agent: productTokenOf(named) ?? NO_TOKEN,
		};
	const listed = longestMatch(patterns, header);
	// The old browsers are asked after the list: a listed crawler that poses as one stays a crawler.
	if (!listed && (isOldBrowser(header) || !isBot())) return undefined;
	const token = productTokenOf(named ?? recognise(header, false)) ?? NO_TOKEN;
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
		name: unknownName(header, token),
		category: "unknown",
		agent: token,
	};
}

/** Feature phones, and an Internet Explorer without further details: isbot takes them for bots. */
const OLD_BROWSER =
	/^Mozilla\/4\.0 \(compatible;\)$|\bWAP Browser\b|\bMaui Browser\b/i;

function isOldBrowser(header: string): boolean {
	return OLD_BROWSER.test(header) && !/bot|crawl|spider/i.test(header);
}

/** The token of nobody in particular: the group for all crawlers applies. */
const NO_TOKEN = "*";

/** The product token of a header, or NO_TOKEN. */
export function tokenOf(header: string): string {
	return tokenOfHeader(header) ?? NO_TOKEN;
}

/** Whether a token does not identify a crawler: browsers have it, and crawlers that pose as one. */
export function saysNothing(token: string): boolean {
	return token === NO_TOKEN || /^(mozilla|opera)$/i.test(token);
}

/** A name for a bot that no list names: its token, or the word that isbot recognised. */
function unknownName(header: string, token: string): string {
	if (!saysNothing(token)) return token.slice(0, LONGEST_NAME);
	const match = isbotMatch(header) ?? "";
	const word = wholeWord(header, header.indexOf(match), match);
	return (word || "(unknown)").slice(0, LONGEST_NAME);
}

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
