import type { Dialect } from "../src/robots-txt/dialect.ts";

const encoder = new TextEncoder();

/**
 * Bytes of a pattern that count for precedence. In rfc9309 and yandex (RFC 9309 §2.2.2) those of its normal form: a "/" in
 * front where it begins with neither that nor "*", no "*" at its end, escapes undone of what may stand bare, the others, and
 * bytes that are not ASCII, as the three bytes of an escape. In google the bytes of the pattern with such escapes.
 */
export function countedBytes(pattern: string, dialect: Dialect): number {
	const google = dialect === "google";
	const anchored = pattern.endsWith("$");
	let text = pattern;
	if (!google && !anchored) text = text.replace(/\*+$/, "");
	if (!google && !/^[/*]/.test(pattern)) text = `/${text}`;
	let counted = 0;
	let query = false;
	for (const [part] of text.matchAll(/%[\da-f]{2}|[\s\S]/giu)) {
		if (part.length === 3 && part.startsWith("%"))
			counted += google || !isBare(part, query) ? 3 : 1;
		else counted += bytesOf(part);
		if (part === "?") query = true;
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

/** Whether an escape equals the bare byte: RFC 3986 §2.3, and gen-delims in a query. */
function isBare(triplet: string, query: boolean): boolean {
	const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
	return (
		/[A-Za-z0-9._~-]/.test(character) || (query && /[:/?#[\]@]/.test(character))
	);
}
