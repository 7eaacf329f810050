/**
 * The crawler that a text is nearly the name of: lint asks about user-agent lines, the command line about its arguments. What
 * comes out is a suggestion; nothing is judged by it.
 */
import { crawlers, knownCrawler } from "./crawlers.ts";

const knownTokens = new Map(
	crawlers.flatMap(({ tokens }) =>
		tokens.map((token) => [token.toLowerCase(), token] as const),
	),
);

/** Whether a text is a product token of a well-known crawler, in any case. */
export function isKnownToken(text: string): boolean {
	return knownTokens.has(text.toLowerCase());
}

/**
 * Shorter names are close to many others. Below seven letters, one letter more or less is another
 * name.
 */
const SHORTEST_MISSPELLED = 7;

/** No token has more letters, one too many included. */
const LONGEST_MISSPELLED =
	1 + Math.max(...Array.from(knownTokens.keys(), ({ length }) => length));

/**
 * Spellings that come of leaving out one letter, or of two that have changed places, and the known
 * token they are of. Made on first use: it has some thousand entries, and most processes never ask.
 */
let madeMisspellings: Map<string, string> | undefined;

function misspellings(): ReadonlyMap<string, string> {
	if (madeMisspellings) return madeMisspellings;
	madeMisspellings = new Map();
	for (const [name, token] of knownTokens)
		for (const spelling of slips(name))
			if (!knownTokens.has(spelling)) madeMisspellings.set(spelling, token);
	return madeMisspellings;
}

function slips(name: string): string[] {
	return Array.from({ length: name.length }, (_, at) => {
		const [before, here, next, rest] = [
			name.slice(0, at),
			name.charAt(at),
			name.charAt(at + 1),
			name.slice(at + 2),
		];
		return at === 0 ? [] : [before + next + rest, before + next + here + rest];
	}).flat();
}

/**
 * A well-known token that the name is a slip of the pen from. Letters that differ do not count:
 * "Roverbot" is no misspelled "rogerbot" but another crawler. Three slips and no more: a letter too
 * few, two letters in the wrong order, a letter too many. The first letter people get right: "IonCrawl"
 * is no misspelled "OnCrawl".
 */
function slipOf(name: string): string | undefined {
	if (name.length < SHORTEST_MISSPELLED || name.length > LONGEST_MISSPELLED)
		return undefined;
	const withLetterTooMany = () =>
		Array.from(name, (_, at) =>
			at === 0
				? undefined
				: knownTokens.get(name.slice(0, at) + name.slice(at + 1)),
		).find((token) => token !== undefined);
	return misspellings().get(name) ?? withLetterTooMany();
}

/**
 * What people write who mean a company or its product, and the tokens of the crawlers that it
 * sends. Names of companies are no tokens, and a group for them binds nobody; which crawler is
 * meant has to be chosen by a person.
 */
const products: ReadonlyMap<string, readonly string[]> = new Map([
	["all", ["*"]],
	["any", ["*"]],
	["everyone", ["*"]],
	["everybody", ["*"]],
	["amazon", ["Amazonbot"]],
	["anthropic", ["ClaudeBot", "Claude-User", "Claude-SearchBot"]],
	["apple", ["Applebot"]],
	["baidu", ["Baiduspider"]],
	["bing", ["bingbot"]],
	["bytedance", ["Bytespider"]],
	["chatgpt", ["GPTBot", "ChatGPT-User", "OAI-SearchBot"]],
	["claude", ["ClaudeBot", "Claude-User", "Claude-SearchBot"]],
	["duckduckgo", ["DuckDuckBot"]],
	["facebook", ["facebookexternalhit"]],
	["gemini", ["Google-Extended"]],
	["google", ["Googlebot"]],
	["openai", ["GPTBot", "ChatGPT-User", "OAI-SearchBot"]],
	["perplexity", ["PerplexityBot", "Perplexity-User"]],
	["yahoo", ["Slurp"]],
	["yahoo! slurp", ["Slurp"]],
]);

/** What a name most likely means. */
export interface Suggestion {
	/** Product tokens, or `*`; several where each may be meant. */
	readonly tokens: readonly string[];
	/**
	 * `slip`: a misspelled token. `spaces`: a token with spaces in place of its hyphens ("Googlebot News"). `product`: a company or a
	 * product in place of its crawlers.
	 */
	readonly kind: "slip" | "spaces" | "product";
}

/**
 * What a text most likely means that is no well-known crawler's product token; undefined if nothing
 * is near. A suggestion is a guess: nothing but a message depends on it.
 */
export function suggestAgent(text: string): Suggestion | undefined {
	const name = text.trim().toLowerCase();
	if (name === "" || knownTokens.has(name)) return undefined;
	const product = products.get(name);
	if (product) return { tokens: product, kind: "product" };
	if (/^[\w-]+(?: +[\w-]+)+$/.test(name)) {
		// Names that hold spaces are known as a whole.
		if (knownCrawler(name)?.name.toLowerCase() === name) return undefined;
		const joined = name.replace(/ +/g, "-");
		const token =
			knownTokens.get(joined) ?? knownTokens.get(joined.replace(/s$/, ""));
		return token === undefined
			? undefined
			: { tokens: [token], kind: "spaces" };
	}
	const slip = /^[\w-]+$/.test(name) ? slipOf(name) : undefined;
	return slip === undefined ? undefined : { tokens: [slip], kind: "slip" };
}
