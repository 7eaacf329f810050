import { RobotrieError } from "./errors.ts";

/**
 * Characters of a URL that is parsed, at most: each may take nine when it is escaped, and Node aborts when the result has more
 * than a string can hold.
 */
const MOST_PARSED = 2 ** 25;

/**
 * The URL that a text is by the URL standard, relative to a base if one is given, or null. Not by URL.canParse: Node 20 compiles calls of it to ones that
 * read Latin-1 strings as UTF-8, and then refuses "https://münchen.example".
 */
export function parseUrl(text: string, base?: string): URL | null {
	if (text.length > MOST_PARSED)
		throw new RobotrieError(
			"limit-exceeded",
			`a URL of ${text.length} characters is longer than the limit of ${MOST_PARSED}`,
		);
	try {
		return new URL(text, base);
	} catch {
		return null;
	}
}
