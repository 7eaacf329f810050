import { type Part, partsOf } from "./header-parts.ts";

/** Who sends a User-Agent header. */
export interface Sender {
	/** The name of a known crawler, as the header spells it. */
	readonly known: string | undefined;
	/** The product token; empty if there is none. */
	readonly token: string;
}

/** Finds the name of a known crawler; undefined where a header holds none. */
export type Names = RegExp | undefined;

/** Words of comments that tell a system, a language or a state. */
const PLATFORM =
	/^(?:windows|win(?:32|64|9\d|nt)|wow64|linux|x11|macintosh|mac_|mac$|intel|ppc|android|iphone|ipad|ipod|cpu|cros|u$|i$|n$|[a-z]{2}(?:[-_][a-z]{2})?$|rv:)/i;

/** Those that call themselves "compatible" are no crawlers. */
const COMPATIBLE_BROWSER = /^(?:msie|mozilla)/i;

/** Products of browsers, which may stand in front of a crawler's comment. */
const BROWSER =
	/^(?:mozilla|applewebkit|khtml|gecko|chrome|chromium|headlesschrome|safari|mobile|version|firefox|edge?|edga|edgios|opr|opera|trident|presto|samsungbrowser|ubuntu)$/i;

/** What robots call themselves. CUBOT makes telephones. */
const ROBOT =
	/(?:[Bb]ot|BOT|[Cc]rawler|CRAWLER|[Ss]pider|SPIDER|[Ff]etcher|FETCHER|[Ss]craper|SCRAPER|[Aa]rchiver|ARCHIVER)(?![a-z])/;
const TELEPHONE = /^cubot/i;

/**
 * The sender of a User-Agent header, by the header's structure: a known crawler as its first product, what "compatible;"
 * introduces in any place, the first product, or, as "Mozilla" says nothing, what looks like a robot among products and
 * then in comments.
 */
export function senderOf(header: string, names: Names): Sender {
	const parts = partsOf(header);
	const first = senderIn(parts[0]?.depth === 0 ? parts[0].words : [], names);
	if (first.known) return first;
	const compatible = compatibleSender(parts, names);
	if (compatible) return compatible;
	if (first.token !== "" && !/^mozilla$/i.test(first.token)) return first;
	return (
		robotIn(
			parts.filter(({ depth }) => depth === 0),
			names,
		) ??
		robotIn(
			parts.filter(({ depth }) => depth > 0),
			names,
		) ??
		senderWithAddress(parts, names) ??
		first
	);
}

/** The sender that words begin with; its name ends with a version ("Sogou web spider/4.0"). */
function senderIn(words: readonly string[], names: Names): Sender {
	return {
		known: names?.exec(nameOf(words))?.[0],
		token: tokenOf(words[0] ?? ""),
	};
}

/** Words up to the first version. */
function nameOf(words: readonly string[]): string {
	const version = words.findIndex((word) => word.includes("/"));
	return (version < 0 ? words : words.slice(0, version + 1)).join(" ");
}

/** The product token that a word begins with, without quotes and the like, and without a version ("Acme-1.0"). */
function tokenOf(word: string): string {
	const [, token = "", version] =
		/^[!-,.:-@[-^`{-~]*([\w-]+)(\.\d)?/.exec(word) ?? [];
	if (version === undefined) return token;
	let end = token.length;
	while (/\d/.test(token[end - 1] ?? "")) end--;
	if (token[end - 1] === "-") end--;
	return token.slice(0, end) || token;
}

function compatibleSender(
	parts: readonly Part[],
	names: Names,
): Sender | undefined {
	let run = 0;
	let isBrowser = false;
	for (const part of parts) {
		const [word = ""] = part.words;
		if (part.compatible === 0 || word === "") continue;
		if (part.compatible !== run) isBrowser = false;
		run = part.compatible;
		if (COMPATIBLE_BROWSER.test(word)) {
			isBrowser = true;
		} else if (isBrowser) {
			const robot = robotIn([part], names);
			if (robot) return robot;
		} else if (!PLATFORM.test(word)) {
			const sender = senderIn(part.words, names);
			if (sender.known || sender.token !== "") return sender;
		}
	}
	return undefined;
}

/** The first known crawler, or word that looks like a robot's name. */
function robotIn(parts: readonly Part[], names: Names): Sender | undefined {
	for (const { words } of parts) {
		const match = names?.exec(words.join(" "));
		let start = 0;
		for (const word of words) {
			const end = start + word.length;
			if (match && match.index < end) break;
			const token = robotToken(word);
			if (token !== undefined) return { known: undefined, token };
			start = end + 1;
		}
		if (match) return { known: match[0], token: match[0] };
	}
	return undefined;
}

function robotToken(word: string): string | undefined {
	const token = tokenOf(word);
	const isRobot = ROBOT.test(word.split("/", 1)[0] ?? "");
	return isRobot && token !== "" && !TELEPHONE.test(token) ? token : undefined;
}

/** The product that an address for questions follows, or else the one in front of it in a comment. */
function senderWithAddress(
	parts: readonly Part[],
	names: Names,
): Sender | undefined {
	let product = "";
	let inComment: Sender | undefined;
	for (const { words, depth, hasAddress } of parts) {
		const [word = ""] = words;
		if (depth === 0) {
			product = tokenOf(words.at(-1) ?? product);
			inComment = undefined;
		} else if (words.some((each) => each.includes("/"))) {
			inComment = PLATFORM.test(word) ? undefined : senderIn(words, names);
		} else if (word !== "" && !hasAddress) {
			inComment = undefined;
		}
		if (!hasAddress) continue;
		if (isOwnProduct(product)) return { known: undefined, token: product };
		if (inComment && isOwnProduct(inComment.token)) return inComment;
	}
	return undefined;
}

function isOwnProduct(token: string): boolean {
	return /[a-z]/i.test(token) && !BROWSER.test(token);
}
