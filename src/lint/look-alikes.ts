/**
 * Letters that look like those of a field's name, a path's "/" or a crawler's name and are none: "Disallow：", "Аllow" with a Cyrillic letter,
 * "／admin". lint.ts asks for each line. Letters within a path are not looked at, as an address may have any.
 */
import { shorten } from "../common/wording.ts";
import { isKnownToken } from "../crawlers/suggest.ts";
import { displayName, knownOtherFields } from "../robots-txt/other-fields.ts";
import type { Found } from "./finding.ts";
import type { RawLine } from "./raw-lines.ts";

/** Letters of other alphabets, each run as long as the ASCII letters that it looks like. */
const alphabets: readonly (readonly [
	script: string,
	letters: string,
	ascii: string,
])[] = [
	[
		"of the Cyrillic alphabet",
		"АВЕЅІЈКМНОРСТХасеіјорѕухԁԛԝһ",
		"ABESIJKMHOPCTXaceijopsyxdqwh",
	],
	["of the Greek alphabet", "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοιν", "ABEZHIKMNOPTYXoiv"],
];

/** Signs, with the names that Unicode gives them. */
const signs: readonly (readonly [sign: string, ascii: string, name: string])[] =
	[
		["\u2236", ":", "RATIO"],
		["\ua789", ":", "MODIFIER LETTER COLON"],
		["\u02d0", ":", "MODIFIER LETTER TRIANGULAR COLON"],
		["\ufe55", ":", "SMALL COLON"],
		["\u2044", "/", "FRACTION SLASH"],
		["\u2215", "/", "DIVISION SLASH"],
		["\u29f8", "/", "BIG SOLIDUS"],
		["\u2217", "*", "ASTERISK OPERATOR"],
		["\u2010", "-", "HYPHEN"],
		["\u2011", "-", "NON-BREAKING HYPHEN"],
		["\u2012", "-", "FIGURE DASH"],
		["\u2013", "-", "EN DASH"],
		["\u2014", "-", "EM DASH"],
		["\u2212", "-", "MINUS SIGN"],
	];

/** By character: what it looks like, and what it is. */
const lookAlikes: ReadonlyMap<string, readonly [ascii: string, name: string]> =
	new Map([
		...signs.map(
			([sign, ascii, name]) => [sign, [ascii, name] as const] as const,
		),
		...alphabets.flatMap(([script, letters, ascii]) =>
			[...letters].map(
				(letter, at) => [letter, [ascii.charAt(at), script] as const] as const,
			),
		),
		// Those of East Asian keyboards, as wide as an ideograph: U+FF01 to U+FF5E.
		...Array.from({ length: 94 }, (_, at) => {
			const ascii = String.fromCharCode(33 + at);
			const letter = String.fromCharCode(0xff01 + at);
			return [letter, [ascii, "of full width"] as const] as const;
		}),
	]);

const fields: ReadonlySet<string> = new Set([
	"user-agent",
	"disallow",
	"allow",
	"sitemap",
	...knownOtherFields,
]);

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Longer names and signs stand in no line. */
const LONGEST = 2000;

/** The first letter of a line that looks like the right one and is another. */
export function findLookAlike({
	line,
	start,
	bytes,
}: RawLine): Found | undefined {
	if (bytes.length > LONGEST || !bytes.some((byte) => byte > 127))
		return undefined;
	let text: string;
	try {
		text = strict.decode(bytes);
	} catch {
		return undefined;
	}
	const plain = asAscii(text);
	const [, blank = "", name = "", gap = ""] =
		/^(\s*)([a-z-]+)(\s*:\s*)/i.exec(plain) ?? [];
	if (!fields.has(name.toLowerCase())) return undefined;
	const at = blank.length + name.length + gap.length;
	// The value's first character, or all of a crawler's name. The rest is as it is.
	const value = text.slice(at);
	const meant =
		name.toLowerCase() === "user-agent" && isKnownToken(plain.slice(at).trim())
			? plain.slice(at)
			: /^[/*]/.test(asAscii(value.charAt(0)))
				? asAscii(value.charAt(0)) + value.slice(1)
				: value;
	const mended = plain.slice(0, at) + meant;
	const letters = [...mended];
	const letter = [...text].find((one, i) => one !== letters[i]);
	if (letter === undefined) return undefined;
	const [ascii = "", what = ""] = lookAlikes.get(letter) ?? [];
	const hex = letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
	return {
		line,
		code: "look-alike",
		severity: "error",
		message: `"${letter}" is U+${hex} ${what}, which looks like "${ascii}" and is another character to crawlers: write ${shorten(`${displayName(name)}: ${meant}`)}.`,
		edit: {
			...{ start, end: start + bytes.length, text: mended },
			why: `Write "${ascii}", the character of ASCII.`,
			safe: false,
		},
	};
}

/** The text with each letter that looks like one of ASCII as that. */
function asAscii(text: string): string {
	return Array.from(
		text,
		(letter) => lookAlikes.get(letter)?.[0] ?? letter,
	).join("");
}
