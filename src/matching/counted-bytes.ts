import { type Dialect, dialectRules } from "../robots-txt/dialect.ts";

const encoder = new TextEncoder();

/**
 * Bytes of a pattern that count for precedence. In rfc9309 and yandex (RFC 9309 §2.2.2) those of its normal form: a "/" in
 * front where it begins with neither that nor "*", no "*" at its end (yandex: no "*$" either), one byte for each of
 * `: / ? # [ ] @` and for unreserved characters, escaped or bare, and three for any other escape and for bytes that are not ASCII.
 * In google the bytes of the pattern with such escapes.
 */
export function countedBytes(pattern: string, dialect: Dialect): number {
	const { googleMatching: google, ignoresStarDollar } = dialectRules(dialect);
	let text = ignoresStarDollar ? pattern.replace(/\*+\$$/, "*") : pattern;
	const anchored = text.endsWith("$");
	if (!google && !anchored) text = text.replace(/\*+$/, "");
	if (!google && !/^[/*]/.test(pattern)) text = `/${text}`;
	let counted = 0;
	for (const [part] of text.matchAll(/%[\da-f]{2}|[\s\S]/giu)) {
		if (part.length === 3 && part.startsWith("%"))
			counted += google || !isBare(part) ? 3 : 1;
		else counted += bytesOf(part);
	}
	// A "$" that does not end the pattern stands for itself, which the normal form escapes.
	const signs = text.match(/\$/g)?.length ?? 0;
	const inner = google ? 0 : signs - (anchored ? 1 : 0);
	return counted + inner * 2;
}

function bytesOf(character: string): number {
	const size = encoder.encode(character).length;
	return size === 1 ? 1 : size * 3;
}

/** Whether an escape counts as the bare byte: unreserved characters and gen-delims (RFC 3986 §2.2 and §2.3). */
function isBare(triplet: string): boolean {
	const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
	return /[A-Za-z0-9._~:/?#[\]@-]/.test(character);
}
