/**
 * The dialects, each a row of flags: everything that distinguishes them is a field here, and no other file asks for a dialect's name
 * (dialects.test.ts). Also what a robots.txt may be given as, and its size limits. access.ts needs the flags, so nothing of WebAssembly may
 * be imported.
 */
import { check, isUrl, type Kind } from "../common/arguments.ts";
import {
	bytesArgument,
	bytesKind,
	isBytes,
	keptBytes,
} from "../common/bytes.ts";
import { oneOf } from "../common/kinds.ts";

/** RFC 9309 §2.5 asks for at least 500 KiB; the Yandex document speaks of 500 KB. */
export const DEFAULT_MAX_BYTES = 500 * 1024;

const sourceKind: Kind = {
	text: "a Uint8Array or a string",
	accepts: (value) => typeof value === "string" || isBytes(value),
	hint(value) {
		const hint = bytesKind.hint?.(value);
		return hint?.includes("response")
			? "pass await response.text()"
			: isUrl(value)
				? "it is the file's text, nothing is fetched; RobotsClient does that"
				: hint;
	},
};

/**
 * The bytes of a robots.txt that a caller gives; a string is taken as UTF-8.
 * @throws {RobotrieError} invalid-argument, for anything but bytes or a string.
 */
export function sourceBytes(source: unknown, name = "source"): Uint8Array {
	return typeof source === "string"
		? new TextEncoder().encode(source)
		: keptBytes(bytesArgument(name, source, sourceKind));
}

/**
 * How robots.txt is read: `rfc9309` as the standard asks of a careful crawler, `google` exactly as Google's
 * open-source library answers, `yandex` as Yandex documents it.
 */
export type Dialect = "rfc9309" | "google" | "yandex";

/**
 * What a dialect decides: everything in which dialects differ is a field here, and no other file asks for a dialect's name
 * (test/dialects.test.ts).
 */
export interface DialectRules {
	readonly name: Dialect;
	/** Its number in stored matchers and indexes: it stays what it is, and no other dialect ever gets it. */
	readonly id: number;
	/** Field names are matched by prefix, known misspellings count, white space can stand for a missing colon. */
	readonly lenientFields: boolean;
	/** A line is a C string: it ends at a NUL. */
	readonly nulEndsLine: boolean;
	/** Bytes of a line that are read. */
	readonly maxLineBytes: number;
	/** Even an incomplete byte order mark is skipped. */
	readonly skipsPartialBom: boolean;
	/** UTF-16 with a byte order mark is decoded. */
	readonly decodesUtf16: boolean;
	/** Bytes of the file that are read unless `maxBytes` says otherwise. */
	readonly maxBytes: number;
	/** A larger file counts as one that allows everything, instead of being cut. */
	readonly tooLargeAllowsAll: boolean;
	/** `Disallow:` without a pattern allows everything and `Allow:` disallows it. */
	readonly emptyPatternInverts: boolean;
	/** `Allow: /dir/index.html` allows `/dir/` as well. */
	readonly indexAllowsDirectory: boolean;
	/** `/robots.txt` itself is allowed whatever the rules say (RFC 9309 §2.2.2). */
	readonly robotsTxtAllowed: boolean;
	/** `/a*$` is `/a`, also when lengths are compared (Yandex: "the same as"). */
	readonly ignoresStarDollar: boolean;
	/** Every text counts as a URL; matching is Google's, byte for byte. */
	readonly googleMatching: boolean;
	/** A user-agent line can name several crawlers, anywhere in it. */
	readonly namesAnywhere: boolean;
	/** The table of crawlers says which groups one obeys. Otherwise the token it is given does, and else `*`. */
	readonly knowsCrawlers: boolean;
	/** A crawler whose token begins with this one obeys its own group, else that for this token, else that for `*`. */
	readonly familyToken: string | null;
	/** Where the choice of groups comes from, if not from the crawlers' operators. */
	readonly choiceSource: string | null;
	/** HTTP answers count as Yandex documents: only a text with status 200 has rules, and what cannot be fetched restricts nothing. */
	readonly yandexAnswers: boolean;
	/** Its document says where blank lines belong. */
	readonly placesBlankLines: boolean;
	/** A lower limit on bytes that an older document names; null if none does. */
	readonly formerMaxBytes: number | null;
	/** The operator whose crawlers read so; null if the dialect is nobody's own. */
	readonly operator: string | null;
}

const rfc9309: DialectRules = {
	name: "rfc9309",
	id: 0,
	lenientFields: false,
	nulEndsLine: false,
	// Lines have none: as a number of 32 bits, which the module takes.
	maxLineBytes: 0xffffffff,
	skipsPartialBom: false,
	decodesUtf16: true,
	maxBytes: DEFAULT_MAX_BYTES,
	tooLargeAllowsAll: false,
	emptyPatternInverts: false,
	indexAllowsDirectory: false,
	robotsTxtAllowed: true,
	ignoresStarDollar: false,
	googleMatching: false,
	namesAnywhere: false,
	knowsCrawlers: true,
	familyToken: null,
	choiceSource: null,
	yandexAnswers: false,
	placesBlankLines: false,
	formerMaxBytes: null,
	operator: null,
};

/** The table of dialects. A test adds one. */
export const dialects: Readonly<Record<Dialect, DialectRules>> = {
	rfc9309,
	google: {
		...rfc9309,
		name: "google",
		id: 1,
		lenientFields: true,
		nulEndsLine: true,
		// The library's line buffer: eight times 2,083 bytes, the last one for the NUL.
		maxLineBytes: 2083 * 8 - 1,
		skipsPartialBom: true,
		decodesUtf16: false,
		maxBytes: Number.POSITIVE_INFINITY,
		indexAllowsDirectory: true,
		robotsTxtAllowed: false,
		googleMatching: true,
		knowsCrawlers: false,
		choiceSource:
			"https://github.com/google/robotstxt, which knows no crawlers",
		operator: "Google",
	},
	yandex: {
		...rfc9309,
		name: "yandex",
		id: 2,
		tooLargeAllowsAll: true,
		emptyPatternInverts: true,
		ignoresStarDollar: true,
		namesAnywhere: true,
		familyToken: "Yandex",
		choiceSource: 'Yandex\'s robots.txt page of 2013, "User-agent"',
		yandexAnswers: true,
		placesBlankLines: true,
		// "более 32 Кб"; its help pages have named 500 KB since.
		formerMaxBytes: 32 * 1024,
		operator: "Yandex",
	},
};

/** The dialect where the caller names none. */
export const DEFAULT_DIALECT: Dialect = rfc9309.name;

/**
 * The dialects by name, the default one first: for an option of a program, or a list to choose from.
 * @example
 * dialectNames.includes("google"); // true
 */
export const dialectNames = /* @__PURE__ */ Object.keys(
	dialects,
) as unknown as readonly [Dialect, ...Dialect[]];

/** The dialect in which an operator's crawlers read, undefined for most. */
export function dialectOfOperator(operator: string): Dialect | undefined {
	return dialectNames.find((name) => dialects[name].operator === operator);
}

/** A dialect that reads all fields that any dialect reads. */
export function lenientDialect(): DialectRules {
	return (
		Object.values(dialects).find(({ lenientFields }) => lenientFields) ??
		rfc9309
	);
}

/** The dialect with a number, undefined if there is none. */
export function dialectOf(id: number): Dialect | undefined {
	return dialectNames.find((name) => dialects[name].id === id);
}

export const dialectKind = /* @__PURE__ */ oneOf(dialectNames);

/** A dialect for all crawlers, or "auto": each in its operator's own (`dialectFor`). */
export type DialectChoice = Dialect | "auto";

export const AUTO = "auto";

/** Rows in which crawlers choose groups in another way than the table's. Each is made once, as what is known of crawlers is kept by the row. */
const otherRows = new Map<DialectRules, Map<boolean, DialectRules>>();

/**
 * @param knowsCrawlers Whether crawlers choose groups as their operators say today; undefined: as the dialect's document has it.
 * @throws {RobotrieError} invalid-argument, for any other name.
 */
export function dialectRules(
	name: string,
	knowsCrawlers?: boolean,
): DialectRules {
	check("dialect", name, dialectKind);
	const rules = dialects[name as Dialect];
	if (
		knowsCrawlers === undefined ||
		(knowsCrawlers === rules.knowsCrawlers && rules.choiceSource === null)
	)
		return rules;
	const known = otherRows.get(rules) ?? new Map<boolean, DialectRules>();
	otherRows.set(rules, known);
	const choice = { knowsCrawlers, familyToken: null, choiceSource: null };
	const other = known.get(knowsCrawlers) ?? { ...rules, ...choice };
	known.set(knowsCrawlers, other);
	return other;
}
