/**
 * What `robotrie lint` reads beside the robots.txt when it is asked to: the URLs of the site's sitemaps (--sitemaps), and of pages that say
 * noindex (--noindex). lint.ts loads it only then, as the tokeniser of markup is large.
 */
import { SAXParser } from "parse5-sax-parser";
import { parseUrl } from "#robotrie/common/arguments";
import { count } from "#robotrie/common/wording";
import { nameOf, readWholeText } from "./input/input.ts";
import { Failure, tell } from "./output/output.ts";

/**
 * The URLs of sitemaps: XML, RSS and Atom, sitemap indexes (the sitemaps that they name), and lists with a URL on each line; plain, gzip or
 * zstd. @throws {Failure} For a file that holds none, or cannot be read.
 */
export async function readSitemaps(
	files: readonly string[],
): Promise<readonly string[]> {
	const urls: string[] = [];
	// One by one: a sitemap has up to 50,000 URLs, and as many arguments of one `push` may be too many.
	for (const file of files)
		for (const url of await read(file, "sitemap", locationsOf)) urls.push(url);
	return urls;
}

/**
 * The URLs of pages that say noindex: lists with a URL on each line, or what `robotrie indexing --json` has written, of which the pages with
 * noindex count. @throws {Failure} For a file that is neither, or cannot be read.
 */
export async function readNoindex(
	files: readonly string[],
): Promise<readonly string[]> {
	const urls: string[] = [];
	for (const file of files) {
		const text = await readWholeText(file);
		const listed = text.trimStart().startsWith("[")
			? noindexOf(text, nameOf(file))
			: listOf(text, nameOf(file), "list of URLs");
		for (const url of listed) urls.push(url);
	}
	return urls;
}

async function read(
	file: string,
	what: string,
	locations: (markup: string) => readonly string[],
): Promise<readonly string[]> {
	const text = await readWholeText(file);
	const name = nameOf(file);
	if (!/^\s*</.test(text)) return listOf(text, name, what);
	const urls = locations(text).filter(isAbsolute);
	if (urls.length === 0)
		throw new Failure(`${name} is no ${what}: it holds no <loc> with a URL`);
	if (/<(?:\w+:)?sitemapindex\b/i.test(text))
		tell(
			`warning: ${name} is an index of ${count(urls.length, "sitemap")}, whose own URLs are checked: name the sitemaps as well for their pages`,
		);
	return urls;
}

/** Options that take several files also take the robots.txt behind them. */
const misplaced = (text: string) =>
	/^[ \t]*(?:user-agent|disallow)[ \t]*:/im.test(text)
		? "; put robots.txt files in front of the option"
		: "";

const isAbsolute = (text: string) =>
	/^https?:\/\//i.test(text) && parseUrl(text) !== null;

/** The lines of a list. @throws {Failure} If most are no URLs. */
function listOf(text: string, name: string, what: string): readonly string[] {
	const lines = text
		.split(/\r\n|\r|\n/)
		.map((line) => line.trim())
		.filter((line) => line !== "");
	const urls = lines.filter(isAbsolute);
	if (lines.length > 0 && urls.length * 2 < lines.length)
		throw new Failure(
			`${name} is no ${what}: most of its lines are no absolute URLs${misplaced(text)}`,
		);
	return urls;
}

/** The text of elements that hold a page's URL: <loc> of sitemaps, <link> of RSS, and the href of Atom's. */
function locationsOf(markup: string): readonly string[] {
	const urls: string[] = [];
	let text: string | undefined;
	const parser = new SAXParser();
	parser.on("startTag", ({ tagName, attrs }) => {
		if (tagName !== "loc" && tagName !== "link") return;
		const href = attrs.find(({ name }) => name === "href")?.value;
		if (href === undefined) text = "";
		else urls.push(href.trim());
	});
	parser.on("text", (token) => {
		if (text !== undefined) text += token.text;
	});
	// What is CDATA in XML is a comment to a tokeniser of HTML.
	parser.on("comment", (token) => {
		const [, data] = /^\[CDATA\[(.*)\]\]$/s.exec(token.text) ?? [];
		if (text !== undefined && data !== undefined) text += data;
	});
	parser.on("endTag", ({ tagName }) => {
		if (tagName !== "loc" && tagName !== "link") return;
		if (text !== undefined) urls.push(text.trim());
		text = undefined;
	});
	parser.end(markup);
	return urls;
}

/** The pages with noindex of `robotrie indexing --json`. @throws {Failure} For any other JSON. */
function noindexOf(text: string, name: string): readonly string[] {
	let pages: unknown;
	try {
		pages = JSON.parse(text);
	} catch {
		pages = undefined;
	}
	if (!Array.isArray(pages) || !pages.every(isPage))
		throw new Failure(
			`${name} is neither a list of URLs nor what robotrie indexing --json writes`,
		);
	return pages.filter(({ noindex }) => noindex).map(({ url }) => url);
}

function isPage(
	page: unknown,
): page is { readonly url: string; readonly noindex: boolean } {
	return (
		typeof page === "object" &&
		page !== null &&
		"url" in page &&
		typeof page.url === "string" &&
		"noindex" in page &&
		typeof page.noindex === "boolean"
	);
}
