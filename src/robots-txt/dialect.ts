import { check } from "../common/arguments.ts";
import { oneOf } from "../common/kinds.ts";
import { DEFAULT_MAX_BYTES } from "./source.ts";

/**
 * How robots.txt is read: `rfc9309` as the standard asks of a careful crawler, `google` exactly as Google's
 * open-source library answers, `yandex` as Yandex documents it.
 */
export type Dialect = "rfc9309" | "google" | "yandex";

/** What a dialect decides, apart from the choice of groups (agents.ts). */
export interface DialectRules {
	readonly name: Dialect;
	/** Its number in stored matchers and indexes: it stays what it is, and no other dialect ever gets it. */
	readonly id: number;
	/** Field names are told by their beginning, known misspellings count, white space can stand for a missing colon. */
	readonly lenientFields: boolean;
	/** A line is a C string: it ends at a NUL. */
	readonly nulEndsLine: boolean;
	/** Bytes of a line that are read. */
	readonly maxLineBytes: number;
	/** Even an incomplete byte order mark is skipped. */
	readonly skipsPartialBom: boolean;
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
}

const rfc9309: DialectRules = {
	name: "rfc9309",
	id: 0,
	lenientFields: false,
	nulEndsLine: false,
	maxLineBytes: Number.POSITIVE_INFINITY,
	skipsPartialBom: false,
	maxBytes: DEFAULT_MAX_BYTES,
	tooLargeAllowsAll: false,
	emptyPatternInverts: false,
	indexAllowsDirectory: false,
	robotsTxtAllowed: true,
	ignoresStarDollar: false,
	googleMatching: false,
};

const dialects: Readonly<Record<Dialect, DialectRules>> = {
	rfc9309,
	google: {
		name: "google",
		id: 1,
		lenientFields: true,
		nulEndsLine: true,
		// The library's line buffer: eight times 2,083 bytes, the last one for the NUL.
		maxLineBytes: 2083 * 8 - 1,
		skipsPartialBom: true,
		maxBytes: Number.POSITIVE_INFINITY,
		tooLargeAllowsAll: false,
		emptyPatternInverts: false,
		indexAllowsDirectory: true,
		robotsTxtAllowed: false,
		ignoresStarDollar: false,
		googleMatching: true,
	},
	yandex: {
		...rfc9309,
		name: "yandex",
		id: 2,
		tooLargeAllowsAll: true,
		emptyPatternInverts: true,
		ignoresStarDollar: true,
	},
};

/** The dialects by name, the default first. */
export const dialectNames = Object.keys(dialects) as readonly Dialect[];

/** The dialect with a number, undefined if there is none. */
export function dialectOf(id: number): Dialect | undefined {
	return dialectNames.find((name) => dialects[name].id === id);
}

export const dialectKind = oneOf(dialectNames);

/** @throws {RobotrieError} invalid-argument, for any other name. */
export function dialectRules(name: string): DialectRules {
	check("dialect", name, dialectKind);
	return dialects[name as Dialect];
}
