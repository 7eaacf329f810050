/**
 * The lines of a file as they are written, and findings that the parsed file no longer shows: two fields on one line, invisible characters
 * and quotation marks. Each check is one pass over the bytes.
 */
import { shorten } from "../common/wording.ts";
import type { Extent } from "../robots-txt/parse.ts";
import { type Found, linesEdit } from "./finding.ts";
import { decodeWindows, QUOTES, withoutQuotes } from "./meant.ts";

const LF = 10;
const CR = 13;
const HASH = 35;

/** A line as it stands in the file. */
export interface RawLine {
	/** From 1. */
	readonly line: number;
	/** Offset of its first byte in the file. */
	readonly start: number;
	/** Without its comment and its line end. */
	readonly bytes: Uint8Array;
	/** The comment, from its "#" on; empty without one. */
	readonly comment: Uint8Array;
}

/** The lines that a dialect reads. CR, LF and CRLF end a line. */
export function* rawLines({ bytes, from, end }: Extent): Generator<RawLine> {
	let line = 0;
	for (let start = from; start < end; ) {
		let stop = start;
		let comment = -1;
		for (; stop < end; stop++) {
			const byte = bytes[stop];
			if (byte === LF || byte === CR) break;
			if (byte === HASH && comment < 0) comment = stop;
		}
		line++;
		yield {
			line,
			start,
			bytes: bytes.subarray(start, comment < 0 ? stop : comment),
			comment: bytes.subarray(comment < 0 ? stop : comment, stop),
		};
		start = stop + (bytes[stop] === CR && bytes[stop + 1] === LF ? 2 : 1);
	}
}

const COLON = 58;

const field = "user-agent|disallow|allow|sitemap|crawl-delay";

/** A rule, a crawler or a sitemap, as its value shows: pages of a wiki are named "Sitemap:" and "Allow:" as well. */
const shown =
	"User-agent\\s*:\\s*\\S|(?:Disallow|(?<!dis)Allow)\\s*:\\s*[/*]|Sitemap\\s*:\\s*https?://";

/**
 * A field after the value of another, after "\n" or "<br>" as text, or glued to it: "/aDisallow: /b". In one search for the first of them,
 * as a hostile line has thousands.
 */
const second = new RegExp(
	`^\\s*(?:${field})\\s*:.*?(?:(?:\\s|\\\\[rn]|<br */?>|,|;)((?:${field})\\s*:.*)|(?<=[^\\s,;>])((?:${shown}).*))`,
	"is",
);

/** A rule in a comment, glued to the word in front of it: "# END BLOCKDisallow: /cache/". What stands apart was switched off. */
const inComment = new RegExp(`^#.*[\\p{L}\\p{N}]((?:${shown}).*)`, "isu");

/** Longer lines are not cut into fields: each field takes a search through the rest. */
const LONGEST_MENDED = 20_000;

/** What stands between two fields but white space. A semicolon behind white space begins a comment elsewhere. */
const separator = /(?:\\[rn]|<br *\/?>|,|(?<!\s);)$/i;

/** Of fields with one right form: a path, a URL, one name or a number. */
const oneValue = /^[a-z-]+\s*:\s*\S+$/i;

/** The fields of a line; undefined where it is not UTF-8, or where one has more than a value: a sentence, or a note. */
function fieldsOf(text: string): readonly string[] | undefined {
	if (text.includes("\ufffd")) return undefined;
	const fields: string[] = [];
	for (let left = text; left !== ""; ) {
		const next: string = secondField(left) ?? "";
		let one = left.slice(0, left.length - next.length).trim();
		while (separator.test(one)) one = one.replace(separator, "").trimEnd();
		fields.push(one);
		left = next;
	}
	return fields.every((one) => oneValue.test(one)) ? fields : undefined;
}

/** The text from the second field of a line on. */
function secondField(text: string): string | undefined {
	const [, apart, glued] = second.exec(text) ?? [];
	return apart ?? glued;
}

/** Lines that hold two fields: their line ends are missing. Crawlers read the first field, and the others as part of its value. */
export function findRunTogether(
	file: Uint8Array,
	{ line, start, bytes, comment }: RawLine,
	lineCount: number,
): Found | undefined {
	const hidden = hiddenIn(comment);
	if (hidden !== undefined)
		return {
			line,
			code: "missing-line-end",
			severity: "warning",
			message: `A comment goes on with ${shorten(hidden)}, which crawlers so ignore: begin a new line before it if it is meant to count.`,
		};
	if (bytes.indexOf(COLON) === bytes.lastIndexOf(COLON)) return undefined;
	const text = new TextDecoder().decode(bytes);
	const rest = secondField(text);
	if (rest === undefined) return undefined;
	const fields = text.length > LONGEST_MENDED ? undefined : fieldsOf(text);
	return {
		line,
		code: "missing-line-end",
		severity: "error",
		message:
			lineCount === 1
				? "The whole file is one line, of which crawlers read the first field only: write each field on a line of its own."
				: `The line holds two fields, of which crawlers read the first only: begin a new line before ${shorten(rest)}.`,
		...(fields
			? { edit: linesEdit(file, start, start + bytes.length, fields) }
			: {}),
	};
}

/** Longer comments are no line with its end missing. */
const LONGEST_COMMENT = 2000;

function hiddenIn(comment: Uint8Array): string | undefined {
	if (comment.length > LONGEST_COMMENT || !comment.includes(COLON))
		return undefined;
	return inComment.exec(new TextDecoder().decode(comment))?.[1];
}

/** Characters that look like a space or like nothing, by their Unicode names. */
const names: ReadonlyMap<number, string> = new Map([
	[0x85, "NEXT LINE"],
	[0xa0, "NO-BREAK SPACE"],
	[0xad, "SOFT HYPHEN"],
	[0x61c, "ARABIC LETTER MARK"],
	[0x1680, "OGHAM SPACE MARK"],
	[0x180e, "MONGOLIAN VOWEL SEPARATOR"],
	[0x2000, "EN QUAD"],
	[0x2001, "EM QUAD"],
	[0x2002, "EN SPACE"],
	[0x2003, "EM SPACE"],
	[0x2004, "THREE-PER-EM SPACE"],
	[0x2005, "FOUR-PER-EM SPACE"],
	[0x2006, "SIX-PER-EM SPACE"],
	[0x2007, "FIGURE SPACE"],
	[0x2008, "PUNCTUATION SPACE"],
	[0x2009, "THIN SPACE"],
	[0x200a, "HAIR SPACE"],
	[0x200b, "ZERO WIDTH SPACE"],
	[0x200c, "ZERO WIDTH NON-JOINER"],
	[0x200d, "ZERO WIDTH JOINER"],
	[0x200e, "LEFT-TO-RIGHT MARK"],
	[0x200f, "RIGHT-TO-LEFT MARK"],
	[0x2028, "LINE SEPARATOR"],
	[0x2029, "PARAGRAPH SEPARATOR"],
	[0x202a, "LEFT-TO-RIGHT EMBEDDING"],
	[0x202b, "RIGHT-TO-LEFT EMBEDDING"],
	[0x202c, "POP DIRECTIONAL FORMATTING"],
	[0x202d, "LEFT-TO-RIGHT OVERRIDE"],
	[0x202e, "RIGHT-TO-LEFT OVERRIDE"],
	[0x202f, "NARROW NO-BREAK SPACE"],
	[0x205f, "MEDIUM MATHEMATICAL SPACE"],
	[0x2060, "WORD JOINER"],
	[0x2066, "LEFT-TO-RIGHT ISOLATE"],
	[0x2067, "RIGHT-TO-LEFT ISOLATE"],
	[0x2068, "FIRST STRONG ISOLATE"],
	[0x2069, "POP DIRECTIONAL ISOLATE"],
	[0x3000, "IDEOGRAPHIC SPACE"],
	[0xfeff, "BYTE ORDER MARK"],
]);

const invisible = new RegExp(
	`[${Array.from(names.keys(), (code) => `\\u{${code.toString(16)}}`).join("")}]`,
	"u",
);

/** Joiners within a word of letters beyond ASCII belong to its spelling, as in Persian and Hindi. */
const spelling = /(?<=[^\0-\x7f])[\u200c\u200d](?=[^\0-\x7f])/g;

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const latin1 = new TextDecoder("latin1");

/** A finding, and whether the character is in the line's value. */
interface Invisible {
	readonly found: Found;
	readonly inValue: boolean;
}

/** The first character of a line that nobody sees. */
export function findInvisible({
	line,
	start,
	bytes,
}: RawLine): Invisible | undefined {
	if (!bytes.some((byte) => byte > 127)) return undefined;
	const written = decoded(bytes);
	const text = written.replace(spelling, "-");
	const at = text.search(invisible);
	if (at < 0) return undefined;
	const code = text.charCodeAt(at);
	const hex = code.toString(16).toUpperCase().padStart(4, "0");
	const colon = text.indexOf(":");
	return {
		found: {
			line,
			code: "invisible-character",
			severity: "warning",
			message: `An invisible character, U+${hex} ${names.get(code)}, stands ${placeOf(text, at, colon)}: delete it. Crawlers read it as part of the text.`,
			...(isMendable(bytes, text)
				? {
						edit: {
							start,
							end: start + bytes.length,
							text: withoutInvisible(written, text),
							why: "Delete what nobody sees and crawlers read.",
						},
					}
				: {}),
		},
		inValue: colon >= 0 && at > colon,
	};
}

/** What looks like a space, between two characters of a value: a path may well have it there. */
const spaceWithin =
	/:.*[^\s:][\u0085\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+[^\s]/;

/** Whether a line is rightly written without what nobody sees in it: the rest is UTF-8, and no address has it. */
function isMendable(bytes: Uint8Array, text: string): boolean {
	if (spaceWithin.test(text)) return false;
	return isUtf8(bytes) || isAscii(withoutInvisible(text, text));
}

function isAscii(text: string): boolean {
	return !/[^ -~\t]/.test(text);
}

function isUtf8(bytes: Uint8Array): boolean {
	try {
		strict.decode(bytes);
		return true;
	} catch {
		return false;
	}
}

/**
 * The line without what nobody sees; what looks like a space between two words becomes one. In `text`, which is as long, the joiners
 * that belong to words are replaced.
 */
function withoutInvisible(written: string, text: string): string {
	let kept = "";
	for (let at = 0; at < written.length; at++) {
		const character = text.charAt(at);
		if (!invisible.test(character)) kept += written.charAt(at);
		else if (/\w/.test(kept.slice(-1)) && /^\s\w/.test(text.slice(at, at + 2)))
			kept += " ";
	}
	return kept;
}

const quotedLine = new RegExp(
	`^\\s*[${QUOTES}]+\\s*((?:user-agent|disallow|allow|sitemap|crawl-delay)\\s*:.*[${QUOTES}][,;]?)$`,
	"isu",
);

/** A whole line in quotation marks, as word processors and tables write it. */
export function findQuotedLine({
	line,
	start,
	bytes,
}: RawLine): Found | undefined {
	if (bytes.length > LONGEST_QUOTED || !startsQuoted(bytes)) return undefined;
	const text = decoded(bytes, decodeWindows).trim();
	const whole = quotedLine.exec(text)?.[1];
	if (whole === undefined) return undefined;
	const bare = withoutQuotes(whole);
	return {
		line,
		code: "quotation-marks",
		severity: "error",
		message: `The line stands in quotation marks, so crawlers ignore it: write ${shorten(bare)}.`,
		edit: {
			...{ start, end: start + bytes.length, text: bare },
			why: "Leave out the quotation marks, so that the line begins with its field.",
		},
	};
}

/** Longer lines are in no quotation marks. */
const LONGEST_QUOTED = 2000;

/** A straight quotation mark, or a character beyond ASCII, is the first one that is no white space. */
function startsQuoted(bytes: Uint8Array): boolean {
	const first = bytes.find((byte) => byte > 32) ?? 0;
	return first > 127 || first === 34 || first === 39;
}

/** As UTF-8, or else as Latin-1, where a no-break space is one byte. */
function decoded(
	bytes: Uint8Array,
	otherwise = (all: Uint8Array) => latin1.decode(all),
): string {
	try {
		return strict.decode(bytes);
	} catch {
		return otherwise(bytes);
	}
}

function placeOf(text: string, at: number, colon: number): string {
	const field = /^[\s\p{Cf}]*([\w-]+)/u.exec(text)?.[1];
	if (colon < 0 || !field) return `in column ${at + 1}`;
	if (at > colon) return `in the value of ${field}`;
	return text.slice(0, at).includes(field)
		? `after the field name ${field}`
		: `in front of the field name ${field}`;
}
