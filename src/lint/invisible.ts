import { shorten } from "../common/shorten.ts";
import type { Found } from "./finding.ts";
import { decodeWindows, QUOTES, withoutQuotes } from "./meant.ts";
import type { RawLine } from "./raw-lines.ts";

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
			edit: {
				start,
				end: start + bytes.length,
				text: withoutInvisible(written, text),
			},
		},
		inValue: colon >= 0 && at > colon,
	};
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
	`^\\s*[${QUOTES}]+\\s*((?:user-agent|disallow|allow|sitemap|crawl-delay)\\s*:.*)$`,
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
		edit: { start, end: start + bytes.length, text: bare },
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
		? `behind the field name ${field}`
		: `in front of the field name ${field}`;
}
