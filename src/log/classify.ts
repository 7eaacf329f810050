import { createRequire } from "node:module";
import { isbot, isbotMatch } from "isbot";
import { findCrawler, identityOf, isProductToken } from "../crawlers.ts";

/** Who sends a User-Agent header. */
export interface AutomaticAgent {
	/** What reports call it. */
	readonly name: string;
	/** What it fetches for: a `CrawlerKind`, "library", "automation", or "unknown". */
	readonly category: string;
	/** What its group of a robots.txt is chosen by. */
	readonly agent: string | readonly string[];
}

/** One of crawler-user-agents' entries. */
interface Listed {
	readonly pattern: string;
	readonly instances: readonly string[];
	readonly tags?: readonly string[];
}

/** One of its patterns; expression and name are made when they are first asked for, as most never are. */
class Pattern {
	readonly #listed: Listed;
	#expression: RegExp | undefined;
	#name: string | undefined;

	constructor(listed: Listed) {
		this.#listed = listed;
	}

	get expression(): RegExp {
		this.#expression ??= new RegExp(this.#listed.pattern);
		return this.#expression;
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

/** The longest run of plain characters that each match of a pattern holds, in lower case; "" when none is certain. */
function literalOf(pattern: string): string {
	if (pattern.includes("|")) return "";
	const runs = pattern
		.replace(/\\[dswDSWbB]|\[[^\]]*\]|\([^)]*\)|[\^$]/g, "\0")
		.replace(/\\(.)/g, "$1")
		.replace(/.[*?+]/g, "\0")
		.replace(/\./g, "\0")
		.split("\0");
	return runs.reduce((a, b) => (b.length > a.length ? b : a), "").toLowerCase();
}

/** Characters of a gram, and the bits of a number that stand for each. */
const GRAM = 3;
const GRAM_BITS = 8;
const GRAM_MASK = 2 ** (GRAM * GRAM_BITS) - 1;
/** Grams that no pattern begins with are told by one look at a small table, which most are. */
const SIEVE = 2 ** 14;

function gramOf(text: string): number {
	let gram = 0;
	for (let at = 0; at < GRAM; at++)
		gram = (gram << GRAM_BITS) ^ text.charCodeAt(at);
	return gram & GRAM_MASK;
}

function sieveIndex(gram: number): number {
	return (gram ^ (gram >> 10)) % SIEVE;
}

/**
 * The list of crawler-user-agents. Of its 1,500 expressions only those are tried of which a plain run of characters
 * stands in the header: 5 µs a header, where trying all takes 200.
 */
class PatternList {
	readonly #byGram = new Map<number, { literal: string; pattern: Pattern }[]>();
	readonly #sieve = new Uint8Array(SIEVE);
	readonly #others: Pattern[] = [];

	constructor(list: readonly Listed[]) {
		for (const listed of list) {
			const pattern = new Pattern(listed);
			const literal = literalOf(listed.pattern);
			if (literal.length < GRAM) {
				this.#others.push(pattern);
				continue;
			}
			const gram = gramOf(literal);
			this.#sieve[sieveIndex(gram)] = 1;
			const known = this.#byGram.get(gram) ?? [];
			known.push({ literal, pattern });
			this.#byGram.set(gram, known);
		}
	}

	/** The pattern of the longest match, of equally long ones the first in the header, and what it matched. */
	find(header: string): { pattern: Pattern; word: string } | undefined {
		const lower = header.toLowerCase();
		let best: RegExpExecArray | undefined;
		let found: Pattern | undefined;
		const test = (pattern: Pattern) => {
			const match = pattern.expression.exec(header);
			if (match && (!best || longer(match, best))) {
				best = match;
				found = pattern;
			}
		};
		for (const pattern of this.#others) test(pattern);
		let gram = 0;
		for (let end = 0; end < lower.length; end++) {
			gram = ((gram << GRAM_BITS) ^ lower.charCodeAt(end)) & GRAM_MASK;
			if (this.#sieve[sieveIndex(gram)] === 0) continue;
			const at = end - GRAM + 1;
			const candidates = this.#byGram.get(gram);
			if (!candidates) continue;
			for (const { literal, pattern } of candidates)
				if (lower.startsWith(literal, at)) test(pattern);
		}
		return (
			best &&
			found && { pattern: found, word: wholeWord(header, best.index, best[0]) }
		);
	}
}

function longer(match: RegExpExecArray, other: RegExpExecArray): boolean {
	return match[0].length !== other[0].length
		? match[0].length > other[0].length
		: match.index < other.index;
}

let patterns: PatternList | undefined;

function patternList(): PatternList {
	// Half a megabyte of JSON, which Node 20 imports only with a warning.
	patterns ??= new PatternList(
		createRequire(import.meta.url)("crawler-user-agents") as readonly Listed[],
	);
	return patterns;
}

/** Nobody reads a longer name. */
const LONGEST_NAME = 60;

/**
 * Whose a User-Agent header is, by the project's table of crawlers, the list of crawler-user-agents and isbot, in this
 * order. Undefined for people's browsers.
 */
export function classify(header: string): AutomaticAgent | undefined {
	const crawler = findCrawler(header);
	if (crawler)
		return { name: crawler.name, category: crawler.kind, agent: header };
	const listed = patternList().find(header);
	if (listed) {
		const { pattern, word } = listed;
		return {
			name: pattern.name,
			category: pattern.category,
			agent: isProductToken(word) ? word : header,
		};
	}
	if (!isbot(header)) return undefined;
	return { name: unknownName(header), category: "unknown", agent: header };
}

/** A name for what no list knows: the token that its group would be chosen by, or what gave it away. */
function unknownName(header: string): string {
	const [token = ""] = identityOf(header).tokens;
	if (token !== "" && !/^(mozilla|opera)$/i.test(token))
		return token.slice(0, LONGEST_NAME);
	const match = isbotMatch(header) ?? "";
	const word = wholeWord(header, header.indexOf(match), match);
	return (word || "(unknown)").slice(0, LONGEST_NAME);
}

/** Decides which agents are judged, and by what name. */
export class AgentDirectory {
	readonly #only: ReadonlySet<string> | undefined;
	readonly #added: readonly { name: string; expression: RegExp }[];

	/**
	 * @param names Names to limit the audit to, in any case; one with "+" in front adds a crawler to those that the lists
	 * know. What no list knows is looked for in the headers, as a word.
	 */
	constructor(names: readonly string[]) {
		const wanted = names.filter((name) => !name.startsWith("+"));
		this.#only =
			wanted.length > 0
				? new Set(wanted.map((name) => name.toLowerCase()))
				: undefined;
		this.#added = names
			.map((name) => name.replace(/^\+/, ""))
			.filter((name) => !findCrawler(name))
			.map((name) => ({
				name,
				expression: new RegExp(
					`(?<![\\w-])${name.replace(/[^\w\s]/g, "\\$&")}(?![\\w-])`,
					"i",
				),
			}));
	}

	/** The agent, "person", or "left-out" for one that the audit is not about. */
	find(header: string): AutomaticAgent | "person" | "left-out" {
		const found = classify(header);
		const isWanted = (name: string) =>
			!this.#only || this.#only.has(name.toLowerCase());
		if (found && isWanted(found.name) && found.category !== "unknown")
			return found;
		for (const { name, expression } of this.#added) {
			if (!expression.test(header)) continue;
			return {
				name,
				category: found?.category ?? "unknown",
				agent: isProductToken(name) ? name : header,
			};
		}
		if (!found) return "person";
		return isWanted(found.name) ? found : "left-out";
	}
}
