/**
 * What the author of a rule's path most likely meant: from `"/admin"`, `/a, /b`, `/.*\.pdf$`, `/a&amp;b` or `\admin` to patterns that
 * do what was meant. Nothing here is certain. patterns.ts advises a pattern only after the matchers of all dialects have confirmed
 * that it matches URLs.
 */

/** What is wrong with a pattern; the first that applies gives the finding its code. */
export type Slip =
	| "note-in-path"
	| "quotation-marks"
	| "missing-line-end"
	| "regular-expression"
	| "html-entity"
	| "malformed-escape"
	| "spelling";

/** A pattern as written, and as it was meant. */
export interface Meant {
	/** In the order of `Slip`. */
	readonly slips: readonly Slip[];
	/** Patterns that together do what was meant; empty where no pattern can, or where it is anybody's guess. */
	readonly patterns: readonly string[];
	/** Nobody can have meant anything else: no note, placeholder or sentence. */
	readonly certain: boolean;
}

/** Straight and curly quotation marks, and those of other languages. */
export const QUOTES =
	"\"'\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a";

const latin1 = new TextDecoder("latin1");

/** Where Windows-1252 has its quotation marks. Node decodes what it calls so as Latin-1, which has none. */
const windowsQuotes: ReadonlyMap<number, string> = new Map([
	[0x82, "\u201a"],
	[0x84, "\u201e"],
	[0x8b, "\u2039"],
	[0x91, "\u2018"],
	[0x92, "\u2019"],
	[0x93, "\u201c"],
	[0x94, "\u201d"],
	[0x9b, "\u203a"],
]);

/** Bytes that are no UTF-8, as word processors write quotation marks then. */
export function decodeWindows(bytes: Uint8Array): string {
	return latin1
		.decode(bytes)
		.replace(
			/[\x80-\x9f]/g,
			(character) => windowsQuotes.get(character.charCodeAt(0)) ?? character,
		);
}

// Each run of quotation marks or spaces is looked at once: a search from each of its characters would take a hostile file seconds.
const quoted = new RegExp(
	`^[${QUOTES}]+|(?<![${QUOTES}])[${QUOTES.slice(2)}]+$`,
	"u",
);
const quotes = new RegExp(
	`^[${QUOTES}]+|(?<![${QUOTES}])[${QUOTES}]+[,;]?$`,
	"gu",
);

/** Two paths with a space, or a comma or semicolon between them that no path needs. */
const between = new RegExp(
	`(?<!\\*)[${QUOTES}]?(?: ?[,;] | [,;]? ?)[${QUOTES}]?(?=/)`,
	"gu",
);
const plainList = /^\/[\w./-]*(?:[,;]\/[\w./-]*)+$/;

/** A path that nobody reads a sentence in: one word that begins with a folder's or a file's name. */
const plainPath = new RegExp(`^[${QUOTES}]?/[^/\\s][^\\s]*$`, "u");

/** The same in a list that commas part. */
const listedPath = /^\/(?:[^/\s]\S*)?$/;

/** The paths of a list; one if it is none. White space alone parts only paths that are plain: "/Men / Women/" is one. */
function pathsOf(pattern: string): readonly string[] {
	if (plainList.test(pattern)) return pattern.split(/[,;]/);
	const paths = pattern.replace(/\s+/g, " ").split(between);
	const isList =
		paths.length > 1 &&
		(/[,;]/.test(pattern) || paths.every((one) => plainPath.test(one)));
	return isList ? paths : [pattern];
}

/** White space and what begins a note elsewhere, or an element of HTML. */
const note =
	/\s(?:\/\/|;|--|\([^()]*\)$)|<(?:!--|br|\/?(?:p|pre|div|span|font|code)\b|\/[a-z])/i;

/**
 * Whether a path with white space, or with characters that no URL has, can be meant as it stands. White space goes on with a path ("/a b.html",
 * "/a ?b=1"); before a word alone it may be a note. "<x>" and "{id}" may be placeholders, a lone quotation mark is one too many or too few. Quotation marks around it end the path.
 */
function isCertain(path: string, isQuoted: boolean): boolean {
	if (/(?!\t)[\p{Cc}"<>{}]/u.test(path.replace(choices, ""))) return false;
	if (isQuoted) return true;
	return [...path.matchAll(/\s+/g)].every(({ 0: blank, index }) => {
		const before = path.charAt(index - 1);
		const after = path.slice(index + blank.length);
		if (/[?&=]/.test(before) || /^[?&]/.test(after)) return true;
		return !/^(?:\/|)$/.test(before) && /^[^\s/]*[/*$?=.]/.test(after);
	});
}

/** A text without the quotation marks that it stands in. */
export function withoutQuotes(text: string): string {
	return text.replace(quotes, "").trim();
}

export function meantBy(pattern: string): Meant {
	if (note.test(pattern))
		return { slips: ["note-in-path"], patterns: [], certain: false };
	const slips: Slip[] = [];
	const whole = quoted.test(pattern);
	if (whole) slips.push("quotation-marks");
	const list = pathsOf(pattern);
	if (list.length > 1) slips.push("missing-line-end");
	const patterns = list.map((part) => {
		const bare = whole ? part.replace(quotes, "") : part;
		return bare.replace(list.length > 1 ? /[,;]$/ : /^$/, "");
	});
	const certain = patterns.every((one) =>
		list.length > 1 ? listedPath.test(one) : isCertain(one, whole),
	);
	return { ...each(patterns, slips), certain };
}

function each(list: readonly string[], slips: Slip[]): Omit<Meant, "certain"> {
	let patterns: readonly string[] = list;
	const add = (slip: Slip) => {
		if (!slips.includes(slip)) slips.push(slip);
	};
	if (patterns.some(isRegularExpression)) {
		add("regular-expression");
		patterns = patterns.flatMap((pattern) =>
			isRegularExpression(pattern) ? withoutExpressions(pattern) : [pattern],
		);
	}
	if (patterns.some((pattern) => entity.test(pattern))) {
		add("html-entity");
		patterns = patterns.map((pattern) => pattern.replaceAll(entities, "&"));
	}
	if (patterns.some((pattern) => badEscape.test(pattern))) {
		add("malformed-escape");
		patterns = patterns.map((pattern) => pattern.replaceAll(badEscapes, "%25"));
	}
	const spelled = patterns.map(spelledAsInUrls);
	if (spelled.some((text, i) => text !== patterns[i])) add("spelling");
	return {
		slips,
		patterns: spelled.every((text) => text !== undefined) ? spelled : [],
	};
}

const entity = /&(?:amp|#38|#x26);/i;
const entities = new RegExp(entity, "gi");

/**
 * A percent sign that begins no escape. At the end, or in front of "*", it may be meant as the beginning of any escape:
 * `Disallow: /*%` keeps crawlers from whatever is escaped.
 */
const badEscape = /%(?![0-9a-f]{2}|[0-9a-f]?(?:[*$]|$))/i;
const badEscapes = new RegExp(badEscape, "gi");

/** "{jpg,png}", as shells and servers write a choice. */
const choice = /\{[\w.-]+(?:,[\w.-]+)+\}/;
const choices = new RegExp(choice, "g");

/** What only regular expressions have. Parentheses, brackets and ".*" alone do not count: URLs hold them, and names of files a dot. */
const expressions: readonly RegExp[] = [
	/^\/?\^/,
	/\[(?:aA|bB|cC|dD|eE|fF|gG|hH|iI|jJ|kK|lL|mM|nN|oO|pP|qQ|rR|sS|tT|uU|vV|wW|xX|yY|zZ)\]/i,
	choice,
	/\\[.?*+$^()[\]{}|/-]/,
	/\\[dws](?![\w-])/i,
	/\([^()|]*\|[^()]*\)/,
	/\(\.[*+]\??\)/,
	/\[\^?(?:[a-z]-[a-z]|\d-\d|[_-])+\]/i,
	/\.\+(?:[/$]|$)/,
];

function isRegularExpression(pattern: string): boolean {
	return expressions.some((expression) => expression.test(pattern));
}

/** Rules that one expression may become. */
const MOST_RULES = 20;

/** The patterns that match as a regular expression does; none where robots.txt cannot say it. */
function withoutExpressions(pattern: string): readonly string[] {
	const todo = [
		pattern
			// As programs write it, between slashes.
			.replace(/^\/\^(.*\$)\/$/, "^$1")
			.replace(/^\/?\^(?:\\?\/)?/, "/")
			.replace(/\[([a-z])([a-z])\]/gi, (whole, one: string, other: string) =>
				one.toLowerCase() === other.toLowerCase() ? `(${one}|${other})` : whole,
			)
			.replaceAll(
				choices,
				(list) => `(${list.slice(1, -1).replaceAll(",", "|")})`,
			),
	];
	const done: string[] = [];
	for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
		const found = /\(([^()|]*(?:\|[^()|]*)+)\)(?![?*+{])/.exec(next);
		if (found) {
			const before = next.slice(0, found.index);
			const after = next.slice(found.index + found[0].length);
			for (const one of found[1]?.split("|").reverse() ?? [])
				todo.push(before + one + after);
		} else done.push(next);
		if (todo.length + done.length > MOST_RULES) return [];
	}
	const plain = done.map(withoutSigns);
	return plain.every((one) => one !== undefined) ? plain : [];
}

function withoutSigns(pattern: string): string | undefined {
	const pieces = pattern
		.replace(/\((\.[*+]\??)\)/g, "$1")
		// What is escaped steps aside, so that the rest can be looked at.
		.replace(/\\([.?*+$^()[\]{}|/-])/g, (_, character: string) =>
			String.fromCharCode(ESCAPED + character.charCodeAt(0)),
		)
		.replace(/\.[*+]\??/g, "*");
	if (/[\\^[\]{}()|+]/.test(pieces)) return undefined;
	return pieces.replace(/[\ue000-\ue07f]/g, (character) => {
		const meant = String.fromCharCode(character.charCodeAt(0) - ESCAPED);
		// These two mean something to robots.txt as well.
		return meant === "*" ? "%2A" : meant === "$" ? "%24" : meant;
	});
}

/** Where escaped characters are kept meanwhile: for private use, so in no file. */
const ESCAPED = 0xe000;

/** A pattern as URLs spell what it matches; undefined where a segment of dots follows a wildcard. */
function spelledAsInUrls(pattern: string): string | undefined {
	// A space beside "?" or "&" is there for the reader.
	const spaced = pattern.includes("?")
		? pattern.replace(/(?<! ) +(?=[?&])|(?<=[?&]) +/g, "")
		: pattern;
	return inUrls(spaced);
}

function inUrls(pattern: string): string | undefined {
	const query = pattern.indexOf("?");
	const end = query < 0 ? pattern.length : query;
	const path = withoutDots(
		withSlash(
			pattern
				.slice(0, end)
				.replace(/^\\+|\/\\+/g, "/")
				.replaceAll("\\", "/"),
		),
	);
	if (path === undefined) return undefined;
	const escaped = (text: string) =>
		text.replace(rewritten, (character) => escapedAs(character));
	const rest = pattern.slice(end);
	return escaped(path) + escaped(rest).replaceAll("'", "%27");
}

/** Characters that URLs do not hold as they are. */
const rewritten = /[\0-\x20\x7f"<>`{}]/g;

function escapedAs(character: string): string {
	// The URL standard drops them.
	if (/[\t\r\n]/.test(character)) return "";
	return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

function withSlash(path: string): string {
	return /^[/*]/.test(path) ? path : `/${path.replace(/^\.\.?(?=\/)\/?/, "")}`;
}

/** "/a/./b" and "/x/../b" as URLs have them. Clients take "." and ".." out before they ask. */
function withoutDots(path: string): string | undefined {
	if (!/\/\.\.?(?:\/|\$?$)/.test(path)) return path;
	const segments: string[] = [];
	const [first = "", ...others] = path.split("/");
	for (const [i, segment] of others.entries()) {
		const last = i === others.length - 1;
		// "/a/.." at the end of a pattern may be the start of a longer name.
		if (last && /^\.\.?$/.test(segment)) return path;
		if (/^\.\.?\$?$/.test(segment)) {
			if (/^\.\.\$?$/.test(segment)) {
				const parent = segments.pop();
				if (parent?.includes("*")) return undefined;
			}
			if (last) segments.push("$");
		} else segments.push(segment);
	}
	return [first, ...segments].join("/");
}
