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

/** Who sends a User-Agent header. */
export interface AutomaticAgent {
	/** What reports call it. */
	readonly name: string;
	/** What it fetches for: a `CrawlerKind`, "library", "automation", or "unknown". */
	readonly category: string;
	/**
	 * What its group of a robots.txt is chosen by, never a header: the name that the table of crawlers has for it, else its
	 * product token; "*" if it has none.
	 */
	readonly agent: string;
}

/** One of crawler-user-agents' entries. */
interface Listed {
	readonly pattern: string;
	readonly instances: readonly string[];
	readonly tags?: readonly string[];
}

/** An expression that is made when it is first asked for, as most never are. */
class Expression {
	readonly #source: string;
	readonly #flags: string;
	#expression: RegExp | undefined;

	constructor(source: string, flags: string) {
		this.#source = source;
		this.#flags = flags;
	}

	get expression(): RegExp {
		this.#expression ??= new RegExp(this.#source, this.#flags);
		return this.#expression;
	}
}

/** One of the list's patterns. */
class Pattern extends Expression {
	readonly #listed: Listed;
	#name: string | undefined;

	constructor(listed: Listed) {
		super(listed.pattern, "");
		this.#listed = listed;
	}

	/** What it matches in the first header that the list gives for it. */
	get name(): string {
		if (this.#name === undefined) {
			const { instances, pattern } = this.#listed;
			const match = this.expression.exec(instances[0] ?? "");
			this.#name = trimmed(match?.[0] ?? pattern.replace(/[\\^$]/g, ""));
		}
		return this.#name;
	}

	get category(): string {
		const tag = this.#listed.tags?.[0] ?? "unknown";
		return categories[tag] ?? tag;
	}
}

/** The list's tags in the words of the project's own table. */
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

/** A run of characters that names a product, around a match. */
const BEFORE = /[\w-]*$/;
const AFTER = /^[\w-]*/;

/** The matched text with what belongs to the same word, versions aside. */
function wholeWord(header: string, from: number, text: string): string {
	const before = BEFORE.exec(header.slice(0, from))?.[0] ?? "";
	const after = /[\w-]$/.test(text)
		? (AFTER.exec(header.slice(from + text.length))?.[0] ?? "")
		: "";
	return trimmed(`${before}${text}${after}`);
}

function trimmed(text: string): string {
	return text.replace(/^[\s/;(),]+|[\s/;(),_]+$/g, "");
}

/** What a literal in a header is a sign of, besides an expression. */
const CRAWLER = "a crawler of the table";

/**
 * What is worth asking of a header. One pass over it finds the literals of all lists at once: of 1,700 expressions few
 * are left to be tried, and none for most browsers.
 */
class Signs {
	readonly #index = new LiteralIndex<Expression | typeof CRAWLER>();
	/** Of the list, what no literal tells. */
	readonly #others: Pattern[] = [];
	/** Of isbot's. Those that begin a header stay among themselves, so that they are tried at its beginning only. */
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
			// It is part of people's Internet Explorer.
			if (source === "chromeframe") continue;
			const literals = literalsOf(source);
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

	/** What may know a header: without a sign, neither the table nor a pattern of the list does. */
	find(header: string): {
		/** It may name a crawler of the table. */
		mayName: boolean;
		patterns: readonly Pattern[];
		/** Whether isbot knows it. */
		isBot: () => boolean;
	} {
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
			isBot: () =>
				bots.some(({ expression }) => expression.test(header)) ||
				this.#rest.test(header) ||
				this.#starts.test(header),
		};
	}
}

/** Of patterns the one with the longest match, of equally long ones the first in the header, and what it matched. */
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

function longer(match: RegExpExecArray, other: RegExpExecArray): boolean {
	return match[0].length !== other[0].length
		? match[0].length > other[0].length
		: match.index < other.index;
}

let signs: Signs | undefined;

function signsOf(header: string): ReturnType<Signs["find"]> {
	signs ??= new Signs(listed);
	return signs.find(header);
}

/** Nobody reads a longer name. */
export const LONGEST_NAME = 60;

/**
 * Whose a User-Agent header is, by the project's table of crawlers, the list of crawler-user-agents and isbot, in this
 * order. Undefined for people's browsers.
 */
export function classify(header: string): AutomaticAgent | undefined {
	const { mayName, patterns, isBot } = signsOf(header);
	const named = mayName ? recognise(header, true) : undefined;
	if (named?.crawler)
		return {
			name: named.crawler.name,
			category: named.crawler.kind,
			agent: productTokenOf(named) ?? NO_TOKEN,
		};
	const listed = longestMatch(patterns, header);
	if (!listed && (isOldBrowser(header) || !isBot())) return undefined;
	const token = productTokenOf(named ?? recognise(header, false)) ?? NO_TOKEN;
	if (listed) {
		const { pattern, word } = listed;
		return {
			name: pattern.name,
			category: pattern.category,
			agent: saysNothing(token) && isProductToken(word) ? word : token,
		};
	}
	return {
		name: unknownName(header, token),
		category: "unknown",
		agent: token,
	};
}

/** Feature phones and an Internet Explorer whose header says nothing more, which isbot takes for bots. */
const OLD_BROWSER =
	/^Mozilla\/4\.0 \(compatible;\)$|\bWAP Browser\b|\bMaui Browser\b/i;

function isOldBrowser(header: string): boolean {
	return OLD_BROWSER.test(header) && !/bot|crawl|spider/i.test(header);
}

/** Names nobody, so that the groups for all crawlers count. */
const NO_TOKEN = "*";

/** The product token of a header, or NO_TOKEN. */
export function tokenOf(header: string): string {
	return tokenOfHeader(header) ?? NO_TOKEN;
}

/** Browsers have such tokens, and what poses as one. */
export function saysNothing(token: string): boolean {
	return token === NO_TOKEN || /^(mozilla|opera)$/i.test(token);
}

/** A name for what no list knows: its token, or what gave it away. */
function unknownName(header: string, token: string): string {
	if (!saysNothing(token)) return token.slice(0, LONGEST_NAME);
	const match = isbotMatch(header) ?? "";
	const word = wholeWord(header, header.indexOf(match), match);
	return (word || "(unknown)").slice(0, LONGEST_NAME);
}

/**
 * Plain texts in lower case, of which every match of an expression holds one, whatever the case; undefined where no
 * such text is certain, or one is too short to be looked up.
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

/** Escaped characters stand here until all that means something is gone. */
const ESCAPED = 0xe000;
