/** What a line is about, as far as parsing cares. */
export type Field = "user-agent" | "allow" | "disallow" | "sitemap" | "other";

/** Spellings of each field, the right one first. The others are read as it in the google dialect, and hinted at elsewhere. */
const spellings: readonly (readonly [Field, ...string[]])[] = [
	["user-agent", "user-agent", "useragent", "user agent"],
	["allow", "allow"],
	[
		"disallow",
		"disallow",
		"dissallow",
		"dissalow",
		"disalow",
		"diasllow",
		"disallaw",
	],
	["sitemap", "sitemap", "site-map"],
];

const candidates = spellings.map(([field, ...texts]) => ({
	field,
	encoded: texts.map((text) => new TextEncoder().encode(text)),
}));

/** Whether bytes [from, to) begin with `text`, which is in lower case, in any case. */
function beginsWith(
	bytes: Uint8Array,
	from: number,
	to: number,
	text: Uint8Array,
): boolean {
	if (to - from < text.length) return false;
	for (let i = 0; i < text.length; i++) {
		const byte = bytes[from + i] as number;
		const wanted = text[i] as number;
		if (
			byte !== wanted &&
			!(byte >= 65 && byte <= 90 && (byte | 32) === wanted)
		)
			return false;
	}
	return true;
}

/**
 * The field that bytes [from, to) name. Exact in any case (RFC 9309 §2.2), or, when `lenient`, by the beginning
 * of any known spelling, as Google's library does ("disallowed" is disallow).
 */
export function fieldOf(
	bytes: Uint8Array,
	from: number,
	to: number,
	lenient: boolean,
): Field {
	for (const { field, encoded } of candidates) {
		if (lenient) {
			if (encoded.some((text) => beginsWith(bytes, from, to, text)))
				return field;
		} else {
			const [text] = encoded;
			if (
				text &&
				to - from === text.length &&
				beginsWith(bytes, from, to, text)
			)
				return field;
		}
	}
	return "other";
}

/** Whether bytes [from, to) are the right spelling of a field, in any case. */
export function isUsualSpelling(
	bytes: Uint8Array,
	from: number,
	to: number,
	field: Field,
): boolean {
	return fieldOf(bytes, from, to, false) === field;
}

/** The field that a name is taken for by readers that forgive mistakes, or undefined. */
export function misspelledField(name: string): Field | undefined {
	return spellings.find(([, ...texts]) =>
		texts.some((text) => name.startsWith(text)),
	)?.[0];
}
