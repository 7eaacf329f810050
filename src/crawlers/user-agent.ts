/**
 * Who sends a User-Agent header, by the header's structure (RFC 9110 §10.1.5): a known crawler, or what else names itself. crawlers.ts
 * calls it. Headers come from strangers: one pass, linear in their length (long-headers.test.ts).
 */
/**
 * A stretch of a User-Agent header between parentheses, semicolons and commas. The product is what
 * a header says first; comments say what it runs on, and sometimes what it is.
 */
interface Phrase {
	/** Without addresses, and without what follows "like". */
	readonly words: string[];
	/** Of the parentheses around it; 0 for products. */
	readonly depth: number;
	/** Number of the "compatible;" that it follows, 0 for none. */
	readonly compatible: number;
	/** It holds a web or mail address. */
	hasAddress: boolean;
}

/**
 * Splits a header into products and comments (RFC 9110 §10.1.5 and §5.6.5) in one pass. Comments
 * nest to any depth, a backslash makes the next character an ordinary one, and a closing
 * parenthesis may be missing. Linear in the header: a comment may nest without end, and a header is
 * anybody's to send.
 */
function phrasesOf(header: string): readonly Phrase[] {
	const splitter = new Splitter();
	let start = 0;
	let isUrl = false;
	for (let at = 0; at < header.length; at++) {
		const kind = kindAt(header, at);
		if (kind === PLAIN) continue;
		if (kind === ESCAPE) at++;
		else if (kind === COLON) {
			// Only "://" makes a colon the beginning of an address; "rv:11" is one word.
			if (!header.startsWith("//", at + 1)) continue;
			isUrl = true;
			at += 2;
			// A comma within an address belongs to it.
		} else if (kind !== COMMA || !isUrl) {
			if (at > start) splitter.word(unescaped(header.slice(start, at)));
			if (kind !== SPACE) splitter.separate(header[at] as string);
			start = at + 1;
			isUrl = false;
		}
	}
	if (start < header.length) splitter.word(unescaped(header.slice(start)));
	splitter.separate(";");
	return splitter.phrases;
}

/** Kinds of characters. */
const PLAIN = 0;
const SPACE = 1;
const SEPARATOR = 2;
const COMMA = 3;
const ESCAPE = 4;
const COLON = 5;

const ASCII = 128;
const kinds = Uint8Array.from({ length: ASCII }, (_, code) => {
	const char = String.fromCharCode(code);
	if (/\s/.test(char)) return SPACE;
	if ("();".includes(char)) return SEPARATOR;
	return char === ","
		? COMMA
		: char === "\\"
			? ESCAPE
			: char === ":"
				? COLON
				: PLAIN;
});

/** Beyond ASCII only white space matters. */
function kindAt(header: string, at: number): number {
	const code = header.charCodeAt(at);
	if (code < ASCII) return kinds[code] as number;
	return /\s/.test(header[at] as string) ? SPACE : PLAIN;
}

const URL_START = /https?:\/\//i;

/** Where a web address begins in a word, -1 without. */
function urlIn(word: string): number {
	return word.includes("://") ? word.search(URL_START) : -1;
}

/** Where an address begins in a word, -1 without. */
function addressIn(word: string): number {
	const isWww = word.includes(".") && /^\+?www\./i.test(word);
	return isWww || word.includes("@") ? 0 : urlIn(word);
}

function unescaped(word: string): string {
	return word.includes("\\") ? word.replace(/\\(.)/gs, "$1") : word;
}

/** Long ago browsers introduced themselves so; crawlers took the habit over. */
const COMPATIBLE = "compatible";
const isCompatible = new RegExp(`^["'+]*${COMPATIBLE}:?$`, "i");

/** No depth is that deep. */
const NONE = Number.POSITIVE_INFINITY;

class Splitter {
	readonly phrases: Phrase[] = [];
	#depth = 0;
	#phrase: Phrase | undefined;
	/** Depth at which "like" was read, as long as it counts. */
	#likeDepth = NONE;
	#compatibles = 0;
	/** Depth at which "compatible" was read, as long as it counts. */
	#compatibleDepth = NONE;

	/** Takes a parenthesis, a semicolon or a comma. */
	separate(char: string): void {
		if (char === ";" || char === ",") this.#readCompatible();
		// In a comment, what follows "like" may have a comment of its own. A comment within a
		// comparison is part of the comparison.
		const ends = char !== "(" || this.#depth === 0;
		if (ends && this.#depth === this.#likeDepth) this.#likeDepth = NONE;
		if (char === "(") this.#depth++;
		if (char === ")" && this.#depth > 0) this.#depth--;
		if (this.#depth < this.#compatibleDepth) this.#compatibleDepth = NONE;
		this.#phrase = undefined;
	}

	word(text: string): void {
		if (this.#depth >= this.#likeDepth) {
			// Of products, "like" leaves out the next one only.
			if (this.#depth === 0) this.#likeDepth = NONE;
			return;
		}
		// "(compatible AcmeBot/1.0)", but not "(compatible with AcmeBot)".
		if (this.#phrase?.words.length === 1 && this.#readCompatible()) {
			this.#phrase = undefined;
			if (text.toLowerCase() === "with") {
				this.#compatibleDepth = NONE;
				this.#likeDepth = this.#depth;
				return;
			}
		}
		// Parts are opened by their first word, so that empty ones do not exist.
		this.#phrase ??= this.#open();
		const { words } = this.#phrase;
		// What a header begins with is a product even if it looks like an address ("www.example.com").
		const isFirst = this.phrases.length === 1 && words.length === 0;
		const address =
			isFirst && this.#depth === 0 ? urlIn(text) : addressIn(text);
		if (address >= 0) this.#phrase.hasAddress = true;
		const own = address >= 0 ? text.slice(0, address).replace(/\+$/, "") : text;
		if (own.length === 4 && /^like$/i.test(own)) this.#likeDepth = this.#depth;
		else if (own !== "") words.push(own);
	}

	/** Whether the word read last is "compatible", which then counts from here on. */
	#readCompatible(): boolean {
		const words = this.#phrase?.words;
		const word = words?.[words.length - 1] ?? "";
		if (!words || word.length < COMPATIBLE.length || !isCompatible.test(word))
			return false;
		words.pop();
		this.#compatibles++;
		this.#compatibleDepth = this.#depth;
		return true;
	}

	#open(): Phrase {
		const compatible =
			this.#depth >= this.#compatibleDepth ? this.#compatibles : 0;
		const phrase = {
			words: [],
			depth: this.#depth,
			compatible,
			hasAddress: false,
		};
		this.phrases.push(phrase);
		return phrase;
	}
}

/** Who sends a User-Agent header. */
interface Sender {
	/** The name of a known crawler, as the header spells it. */
	readonly known: string | undefined;
	/** The product token; empty if there is none. */
	readonly token: string;
}

/** Finds the name of a known crawler; undefined where a header holds none. */
type Names = RegExp | undefined;

/**
 * Words of comments that tell a system, a language or a state. A phrase that begins so is about the
 * machine, whatever follows.
 */
const PLATFORM =
	/^(?:windows|win(?:32|64|9\d|nt)|wow64|linux|x11|macintosh|mac_|mac$|intel|ppc|android|iphone|ipad|ipod|cpu|cros|u$|i$|n$|[a-z]{2}(?:[-_][a-z]{2})?$|rv:)/i;

/**
 * Those that call themselves "compatible" are no crawlers. MSIE and Mozilla say "compatible" about
 * themselves.
 */
const COMPATIBLE_BROWSER = /^(?:msie|mozilla)/i;

/** Products of browsers, which may stand in front of a crawler's comment. */
const BROWSER =
	/^(?:mozilla|applewebkit|khtml|gecko|chrome|chromium|headlesschrome|safari|mobile|version|firefox|edge?|edga|edgios|opr|opera|trident|presto|samsungbrowser|ubuntu)$/i;

/**
 * What robots call themselves. CUBOT makes telephones. A word is a robot's if it ends with one of
 * these, not if it only contains them.
 */
const ROBOT =
	/(?:[Bb]ot|BOT|[Cc]rawler|CRAWLER|[Ss]pider|SPIDER|[Ff]etcher|FETCHER|[Ss]craper|SCRAPER|[Aa]rchiver|ARCHIVER)(?![a-z])/;
const TELEPHONE = /^cubot/i;

/**
 * The sender of a User-Agent header, by the header's structure: a known crawler as its first
 * product, what "compatible;" introduces in any place, the first product, or, as "Mozilla" says
 * nothing, what looks like a robot among products and then in comments. Structure decides before
 * lists: whatever a header calls itself, its first product is who it is.
 */
export function senderOf(header: string, names: Names): Sender {
	const phrases = phrasesOf(header);
	const first = senderIn(
		phrases[0]?.depth === 0 ? phrases[0].words : [],
		names,
	);
	if (first.known) return first;
	// "compatible;" introduces a name, wherever it stands, so it goes before a bare product.
	const compatible = compatibleSender(phrases, names);
	if (compatible) return compatible;
	// "Mozilla" is in nearly every header and says nothing.
	if (first.token !== "" && !/^mozilla$/i.test(first.token)) return first;
	return (
		robotIn(
			phrases.filter(({ depth }) => depth === 0),
			names,
		) ??
		robotIn(
			phrases.filter(({ depth }) => depth > 0),
			names,
		) ??
		senderWithAddress(phrases, names) ??
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

/**
 * The product token that a word begins with, without quotes and the like, and without a version
 * ("Acme-1.0"). A version belongs to no token: "Acme-1.0" and "Acme-2.0" are one crawler.
 */
function tokenOf(word: string): string {
	const [, token = "", version] =
		/^[!-,.:-@[-^`{-~]*([\w-]+)(\.\d)?/.exec(word) ?? [];
	if (version === undefined) return token;
	let end = token.length;
	while (/\d/.test(token[end - 1] ?? "")) end--;
	if (token[end - 1] === "-") end--;
	return token.slice(0, end) || token;
}

/** Two runs of "compatible" may be in one header; each is read by itself. */
function compatibleSender(
	phrases: readonly Phrase[],
	names: Names,
): Sender | undefined {
	let run = 0;
	let isBrowser = false;
	for (const phrase of phrases) {
		const [word = ""] = phrase.words;
		if (phrase.compatible === 0 || word === "") continue;
		if (phrase.compatible !== run) isBrowser = false;
		run = phrase.compatible;
		if (COMPATIBLE_BROWSER.test(word)) {
			isBrowser = true;
		} else if (isBrowser) {
			const robot = robotIn([phrase], names);
			if (robot) return robot;
		} else if (!PLATFORM.test(word)) {
			const sender = senderIn(phrase.words, names);
			if (sender.known || sender.token !== "") return sender;
		}
	}
	return undefined;
}

/** The first known crawler, or word that looks like a robot's name. */
function robotIn(phrases: readonly Phrase[], names: Names): Sender | undefined {
	for (const { words } of phrases) {
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

/**
 * The product that an address for questions follows, or else the one in front of it in a comment.
 * An address of a page about the crawler is as good as a name; what it follows is who it is.
 */
function senderWithAddress(
	phrases: readonly Phrase[],
	names: Names,
): Sender | undefined {
	let product = "";
	let inComment: Sender | undefined;
	for (const { words, depth, hasAddress } of phrases) {
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
