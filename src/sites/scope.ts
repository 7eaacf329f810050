import { type Url, urlText } from "../common/arguments.ts";
import { quote, RobotrieError } from "../common/errors.ts";

/** Where robots.txt lies on every host (RFC 9309 §2.3); the path is case-sensitive. */
const ROBOTS_TXT_PATH = "/robots.txt";

/**
 * The URL of the robots.txt that holds for a URL: same scheme, host and port (RFC 9309 §2.3). Host names come in lower
 * case and punycode, default ports and user information are left out.
 * @throws {RobotrieError} invalid-url, for anything but an absolute URL with a host; invalid-argument.
 */
export function robotsUrlFor(url: Url): string {
	return originOf(urlWithHost(url)) + ROBOTS_TXT_PATH;
}

/**
 * Characters of a URL that is parsed, at most: each may take nine when it is escaped, and Node aborts when the result has more
 * than a string can hold.
 */
const MOST_PARSED = 2 ** 25;

/** @internal Scheme, host and port of a URL, whatever its scheme: `URL.origin` is "null" for all but a few. */
export function originOf({ protocol, host }: URL): string {
	return `${protocol}//${host}`;
}

/**
 * Whether the file at one URL is the robots.txt that holds for another. A file in a subfolder holds for nothing; other
 * subdomains, schemes and ports have files of their own, and so has an IP address.
 * @throws {RobotrieError} invalid-url, for anything but absolute URLs with a host; invalid-argument.
 */
export function appliesTo(robotsUrl: Url, url: Url): boolean {
	const file = urlWithHost(robotsUrl, "robotsUrl");
	const page = urlWithHost(url);
	return (
		file.pathname === ROBOTS_TXT_PATH &&
		file.search === "" &&
		originOf(file) === originOf(page)
	);
}

/** @internal @throws {RobotrieError} invalid-url, for anything but an absolute URL with a host; invalid-argument. */
export function urlWithHost(given: Url, name = "url"): URL {
	const text = urlText(given, name);
	const url = parseUrl(text);
	if (!url?.host) {
		throw new RobotrieError(
			"invalid-url",
			`${quote(text)} is no absolute URL with a host`,
		);
	}
	return url;
}

/**
 * @internal
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
