/**
 * What pages say about being indexed: the X-Robots-Tag header field and robots meta tags, as Google, Bing and Yandex document them. `robotrie
 * indexing` puts it beside the verdict of robots.txt; `robotrie fetch` looks for a meta refresh. Loaded on demand: with its HTML
 * tokeniser it is the largest file in dist.
 */
import { SAXParser } from "parse5-sax-parser";
import { crawlers } from "robotrie";

/** A rule about being indexed. */
export interface IndexingRule {
	readonly source: "X-Robots-Tag" | "meta";
	/** The crawler it is for, in lower case; "*" for all. */
	readonly agent: string;
	/** Directives in lower case, with their values: "noindex", "max-snippet: 20". */
	readonly directives: readonly string[];
	/** Line of the meta tag, from 1. */
	readonly line?: number;
	/** The meta tag stands in the head of the page; elsewhere it may be ignored. */
	readonly inHead?: boolean;
}

/**
 * Directives that have a value after a colon. Any other text before a colon is the name of a
 * crawler. `none` and `all` need no entry: they have no value. A directive of a new crawler with a
 * value would be taken for a crawler's name.
 */
const withValue = new Set([
	"max-image-preview",
	"max-snippet",
	"max-video-preview",
	"unavailable_after",
]);

/**
 * The rules of an X-Robots-Tag field: several lines come joined by commas (RFC 9110 §5.3). The name of a crawler and a colon hold
 * for what follows, up to the next name.
 */
export function rulesOfHeader(value: string): IndexingRule[] {
	const rules: { agent: string; directives: string[] }[] = [];
	let agent = "*";
	for (const part of partsOf(value)) {
		// A comma also separates the parts of a date, so parts are put together again first.
		const [, name = "", rest = ""] =
			/^([a-z][\w.-]*)\s*:\s*(.*)$/is.exec(part) ?? [];
		const isAgent = name !== "" && !withValue.has(name.toLowerCase());
		if (isAgent) agent = name.toLowerCase();
		const directive = directiveOf(isAgent ? rest : part);
		let rule = rules.at(-1);
		// Directives of one crawler stay one rule, as the header named it once.
		if (!rule || rule.agent !== agent) {
			rule = { agent, directives: [] };
			rules.push(rule);
		}
		if (directive !== "") rule.directives.push(directive);
	}
	return rules.map((rule) => ({ source: "X-Robots-Tag", ...rule }));
}

/** What commas separate; those of a date ("Friday, 25-Jun-10 15:00:00 PST") do not. */
function partsOf(value: string): string[] {
	const parts: string[] = [];
	for (const text of value.split(",")) {
		const part = text.trim();
		const before = parts.at(-1);
		// The only directive whose value has a comma is a date.
		if (
			before !== undefined &&
			/unavailable_after\s*:\s*\p{L}+$/iu.test(before)
		)
			parts[parts.length - 1] = `${before}, ${part}`;
		else if (part !== "") parts.push(part);
	}
	return parts;
}

/**
 * "Max-Snippet:20" as "max-snippet: 20". Names are compared in lower case; their values are left as
 * they are.
 */
function directiveOf(text: string): string {
	const [, name = "", value] = /^([^:]*?)\s*(?::\s*(.*))?$/s.exec(text) ?? [];
	return value === undefined
		? name.toLowerCase()
		: `${name.toLowerCase()}: ${value}`;
}

/**
 * Elements that stand in a head, also where no tag begins it (HTML standard, "in head" and "after
 * head"). Only these may stand there; any other element ends the head, wherever it stands, and a
 * robots tag after it may be ignored.
 */
const headElements = new Set(
	"html head base basefont bgsound link meta noframes noscript script style template title".split(
		" ",
	),
);

/** Elements whose text is not shown. */
const hiddenText = new Set(
	"noframes noscript script style template title".split(" "),
);

/**
 * Names that robots meta tags can have: "robots", and product tokens. Robots tags with other names
 * are for crawlers that nobody has heard of.
 */
const knownNames = new Set(
	crawlers.flatMap(({ tokens }) => tokens.map((name) => name.toLowerCase())),
);

/**
 * The robots meta tags of a page, for all crawlers and for those that the table knows or `names` has (in lower case). In time
 * proportional to the page: it is read as tokens, without a tree.
 */
export function rulesOfPage(
	html: string,
	names: readonly string[],
): IndexingRule[] {
	const rules: IndexingRule[] = [];
	// A template's content is not the page's, so its tags say nothing about it.
	let inHead = true;
	let templates = 0;
	/** The element whose text is hidden; "" outside of any. */
	let hidden = "";
	const parser = new SAXParser({ sourceCodeLocationInfo: true });
	parser.on("startTag", (tag) => {
		const name = tag.tagName;
		if (!headElements.has(name)) inHead = false;
		if (name === "template" && !tag.selfClosing) templates++;
		// Text within these is no page content, so it does not end the head.
		if (hidden === "" && hiddenText.has(name) && !tag.selfClosing)
			hidden = name;
		if (name !== "meta" || templates > 0) return;
		const attribute = (wanted: string) =>
			tag.attrs.find((one) => one.name === wanted)?.value.trim() ?? "";
		const agent = attribute("name").toLowerCase();
		// Names of the header's own crawlers are given by the caller, as a page may name one that no
		// table has.
		if (agent !== "robots" && !knownNames.has(agent) && !names.includes(agent))
			return;
		rules.push({
			source: "meta",
			agent: agent === "robots" ? "*" : agent,
			directives: partsOf(attribute("content")).map(directiveOf),
			line: tag.sourceCodeLocation?.startLine ?? 1,
			inHead,
		});
	});
	parser.on("endTag", ({ tagName }) => {
		if (tagName === "template" && templates > 0) templates--;
		if (tagName === hidden) hidden = "";
		if (tagName === "body") inHead = false;
	});
	parser.on("text", ({ text }) => {
		// Visible text ends the head as an element does.
		if (hidden === "" && /[^\t\n\f\r ]/.test(text)) inHead = false;
	});
	parser.end(html);
	return rules;
}

/** Where a page's first meta refresh leads, "" if it names no other page; undefined if it has none. */
export function refreshOfPage(html: string): string | undefined {
	let target: string | undefined;
	const parser = new SAXParser();
	// Only the first refresh counts, as in browsers.
	parser.on("startTag", ({ tagName, attrs }) => {
		if (tagName !== "meta" || target !== undefined) return;
		const attribute = (wanted: string) =>
			attrs.find((one) => one.name === wanted)?.value.trim() ?? "";
		if (attribute("http-equiv").toLowerCase() !== "refresh") return;
		// HTML standard, "shared declarative refresh steps": a time, a separator, perhaps "url=" and
		// quotation marks.
		const [, text = ""] =
			/^[\d.]+[\s;,]+(?:url\s*=\s*)?(.*)$/is.exec(attribute("content")) ?? [];
		const [, , quoted] = /^(["'])(.*?)\1/s.exec(text) ?? [];
		target = quoted ?? text;
	});
	parser.end(html);
	return target;
}

/**
 * What holds for a crawler. The strictest of all directives that apply holds, as search engines
 * document.
 */
export interface Indexing {
	/** Directives that hold for it, without repetition: the strictest of all count, as search engines say. */
	readonly directives: readonly string[];
	/** The page asks not to be in search results: noindex, none, or unavailable_after a day in the past. */
	readonly noindex: boolean;
	readonly nofollow: boolean;
	/** All that asks for noindex stands outside the head. */
	readonly onlyOutsideHead: boolean;
}

/** What rules say to a crawler that goes by some tokens; `now` is the time in milliseconds since 1970. */
export function indexingFor(
	rules: readonly IndexingRule[],
	tokens: readonly string[],
	now: number,
): Indexing {
	// `*` and the crawler's own tokens: a more specific tag adds, it does not replace.
	const names = new Set(["*", ...tokens.map((token) => token.toLowerCase())]);
	const own = rules.filter(({ agent }) => names.has(agent));
	const asking = own.filter(({ directives }) =>
		directives.some((directive) => isNoindex(directive, now)),
	);
	const directives = [...new Set(own.flatMap((rule) => rule.directives))];
	return {
		directives,
		noindex: asking.length > 0,
		nofollow: directives.some((one) => one === "nofollow" || one === "none"),
		onlyOutsideHead:
			asking.length > 0 && asking.every(({ inHead }) => inHead === false),
	};
}

/** A date in the past asks for it from that day on. */
function isNoindex(directive: string, now: number): boolean {
	if (directive === "noindex" || directive === "none") return true;
	const date = /^unavailable_after: (.*)$/s.exec(directive)?.[1];
	return date !== undefined && Date.parse(date) <= now;
}
