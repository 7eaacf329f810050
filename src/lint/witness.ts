/**
 * Paths that stand for all that a pattern matches, or two patterns both match, and the budget that searches among pairs of rules are
 * limited by. patterns.ts, shadows.ts and differences.ts use them, and compare.ts.
 */
import { RULE_FIELDS } from "../../assembly/format/records.ts";

/** How much may be looked into, in units of the caller's: some files would otherwise take hours. */
export class Budget {
	#left: number;

	constructor(limit: number) {
		this.#left = limit;
	}

	/** Takes so much of what is left; false, for good, once there is less. */
	affords(cost: number): boolean {
		if (this.#left < cost) this.#left = -1;
		else this.#left -= cost;
		return this.#left >= 0;
	}

	get exhausted(): boolean {
		return this.#left < 0;
	}
}

/** Patterns turned into paths, as they go over the wire: what is not ASCII escaped, escapes in upper case. */

const DOLLAR = 36;
const PERCENT = 37;
const STAR = 42;
const SLASH = 47;

/** Part of a file. */
export interface Span {
	readonly bytes: Uint8Array;
	readonly from: number;
	readonly to: number;
}

/** A pattern cut at its "*", each piece as a URL has it; "/" in front where the pattern has neither that nor a "*". */
interface Pieces {
	readonly pieces: readonly string[];
	/** It ends in "$", or counts as if it did. */
	readonly anchored: boolean;
}

function escaped(byte: number): string {
	return `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}

function isHexDigit(byte: number | undefined): boolean {
	return byte !== undefined && /[0-9a-f]/i.test(String.fromCharCode(byte));
}

function piecesOf({ bytes, from, to }: Span, ended: boolean): Pieces {
	const anchored = ended || (to > from && bytes[to - 1] === DOLLAR);
	const end = anchored && !ended ? to - 1 : to;
	const first = bytes[from];
	const slash = first === SLASH || (first === STAR && from < end) ? "" : "/";
	const pieces: string[] = [];
	let piece = slash;
	for (let at = from; at < end; at++) {
		const byte = bytes[at] as number;
		if (byte === STAR) {
			pieces.push(piece);
			piece = "";
		} else if (byte > 127) piece += escaped(byte);
		else if (
			byte === PERCENT &&
			at + 2 < end &&
			isHexDigit(bytes[at + 1]) &&
			isHexDigit(bytes[at + 2])
		) {
			const digits = String.fromCharCode(
				bytes[at + 1] as number,
				bytes[at + 2] as number,
			);
			piece += `%${digits.toUpperCase()}`;
			at += 2;
		} else piece += String.fromCharCode(byte);
	}
	pieces.push(piece);
	return { pieces, anchored };
}

/**
 * Paths that tell what a pattern's matches have in common: `fresh` stands wherever the pattern leaves a choice. When the
 * file has `fresh` nowhere, another pattern can match such a path only with a "*" in that place, and so it matches
 * whatever else stands there too: it matches all that this pattern does exactly if it matches these paths. There are two
 * when a pattern begins "*" "/", as that "*" can be empty only in front of a path's first "/".
 */
export function witnesses(
	pattern: Span,
	ended: boolean,
	fresh: string,
): readonly string[] {
	const { pieces, anchored } = piecesOf(pattern, ended);
	const tail = anchored ? "" : fresh;
	const path = pieces.join(fresh) + tail;
	if (pieces[0] !== "") return [path];
	const rest = pieces.slice(pieces.findIndex((piece) => piece !== ""));
	const shortest = rest.join(fresh) + tail;
	return shortest.startsWith("/") ? [`/${path}`, shortest] : [`/${path}`];
}

/**
 * Characters that mean nothing to any dialect, and that all compare as they are: where a dialect escapes one (as "{"), a half escape of
 * another pattern ("%7") would match it. An escape of these is another text.
 */
const MEANINGLESS = "!'();,&+=";

/** A character that no pattern of a file has, for `witnesses`, or undefined where every candidate occurs. */
export function freshCharacter({
	bytes,
	rules,
}: {
	readonly bytes: Uint8Array;
	readonly rules: Int32Array;
}): string | undefined {
	const free = new Set(Array.from(MEANINGLESS, (sign) => sign.charCodeAt(0)));
	for (let at = 0; at < rules.length; at += RULE_FIELDS) {
		const [from = 0, to = 0] = rules.subarray(at, at + 2);
		for (let i = from; i < to; i++) free.delete(bytes[i] as number);
	}
	const [first] = free;
	return first === undefined ? undefined : String.fromCharCode(first);
}

/**
 * A literal whose text a URL may have in two forms, as its query or its path: "%2F" after a "*" is "/" when the "*" took
 * a "?" (RFC 9309 §2.2.2, the example "?baz=https%3A%2F%2Ffoo.bar"). One witness cannot speak for both.
 */
export function hasTwoForms({ bytes, from, to }: Span): boolean {
	let star = false;
	for (let at = from; at < to; at++) {
		const byte = bytes[at];
		if (byte === 63) return false;
		if (byte === STAR) star = true;
		else if (star && byte === PERCENT) {
			const digits = String.fromCharCode(
				bytes[at + 1] ?? 0,
				bytes[at + 2] ?? 0,
			);
			if (/^(3a|2f|3f|23|5b|5d|40)$/i.test(digits)) return true;
		}
	}
	return false;
}

/** Escapes of unreserved characters (RFC 3986 §2.3), which some readers take for the characters themselves. */
const escapedUnreserved =
	/%(?:2[DE]|3\d|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi;

/** Paths near a pattern's edges: what it matches at the least and with more, as it is spelled and otherwise. */
export function samples(pattern: Span): ReadonlySet<string> {
	const { pieces } = piecesOf(pattern, false);
	const paths = new Set<string>();
	for (const filler of ["", "x"]) {
		const rooted = withSlash(pieces.join(filler));
		paths.add(rooted);
		paths.add(`${rooted}x`);
		if (rooted.includes("%"))
			paths.add(rooted.replace(escapedUnreserved, decodeURIComponent));
		const slash = rooted.lastIndexOf("/");
		if (rooted.startsWith("/index.htm", slash))
			paths.add(rooted.slice(0, slash + 1));
	}
	const written = writtenText(pattern);
	if (/^\/[!-~]*%/.test(written)) paths.add(written.replace(/[*]|[$]$/g, ""));
	return paths;
}

/** Paths that two patterns may both match, the text after the wildcards of one following that of the other. */
export function sharedSamples(a: Span, b: Span): readonly string[] {
	const [beginA = "", ...restA] = piecesOf(a, false).pieces;
	const [beginB = "", ...restB] = piecesOf(b, false).pieces;
	const begin = beginA.length < beginB.length ? beginB : beginA;
	if (!begin.startsWith(beginA) || !begin.startsWith(beginB)) return [];
	return [
		withSlash([begin, ...restA, ...restB].join("")),
		withSlash([begin, ...restB, ...restA].join("")),
	];
}

/** A pattern whose length for precedence depends on the dialect: of "*" and "*$" at its end, and of escapes. */
export function hasDialectLength({ bytes, from, to }: Span): boolean {
	const last = to - (bytes[to - 1] === DOLLAR ? 2 : 1);
	const endsInStar = last >= from && bytes[last] === STAR;
	return endsInStar || bytes.subarray(from, to).includes(PERCENT);
}

/**
 * Paths of which a URL has at least one as it is, if it can have any that the pattern matches: a URL's query keeps dots and
 * most characters that its path does not, so each "*" in turn is where the query begins.
 */
export function* wireSamples(pattern: Span): Generator<string> {
	const { pieces, anchored } = piecesOf(pattern, false);
	const tail = anchored ? "" : "x";
	yield withSlash(pieces.join(""));
	yield withSlash(pieces.join("x") + tail);
	for (let star = 1; star < pieces.length; star++) {
		const before = pieces.slice(0, star).join("x");
		const after = pieces.slice(star).join("x");
		yield withSlash(`${before}x?x${after}${tail}`);
	}
}

function withSlash(path: string): string {
	return path.startsWith("/") ? path : `/${path}`;
}

/** A pattern's bytes as characters, or nothing for long ones. */
function writtenText({ bytes, from, to }: Span): string {
	if (to - from > LONGEST_WRITTEN) return "";
	return String.fromCharCode(...bytes.subarray(from, to));
}

/** Beyond it a pattern is not also tried with its escapes as they are written. */
const LONGEST_WRITTEN = 2000;

/** What no URL holds as it is, and what a client resolves before it asks. */
const notOnTheWire = /[\0-\x20\x7f"<>\\^`{|}]|\/\.\.?(?:[/?]|$)/;

/** Whether a URL may have this path. */
export function isOnTheWire(path: string): boolean {
	return !notOnTheWire.test(path);
}
