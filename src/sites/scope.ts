/**
 * Which robots.txt governs a URL (RFC 9309 §2.3), and the origin that an index files it under. Indexes and pools call `originIn` once per
 * site, so most origins are recognised without parsing a URL.
 */
import type { Url } from "../common/arguments.ts";
import { originOf, urlWithHost } from "../common/urls.ts";

/** Where robots.txt lies on every host (RFC 9309 §2.3); the path is case-sensitive. */
const ROBOTS_TXT_PATH = "/robots.txt";

/**
 * The URL of the robots.txt that holds for a URL: same scheme, host and port (RFC 9309 §2.3). Host names come in lower
 * case and punycode, default ports and user information are left out.
 * @example
 * robotsUrlFor("https://EXAMPLE.com:443/a/b?c"); // "https://example.com/robots.txt"
 * @throws {RobotrieError} invalid-url, for anything but an absolute URL with a host; invalid-argument.
 */
export function robotsUrlFor(url: Url): string {
	return originOf(urlWithHost(url)) + ROBOTS_TXT_PATH;
}

/**
 * Longest text that PLAIN_ORIGIN is tried on: a host name has at most 253 bytes. A test of a
 * regular expression on a text of any length could take long.
 */
const MOST_PLAIN = 253;
/** An origin as the URL standard writes it, of a host with neither punycode nor an address. Most are. */
const PLAIN_ORIGIN = /^https?:\/\/[a-z\d]+(?:[-.][a-z\d]+)*\.[a-z]{2,63}\/?$/;

/**
 * @internal The origin of a URL. One that is written like an origin is not parsed, which takes as long as compiling some rules.
 * @throws {RobotrieError} invalid-url, for anything but an absolute URL with a host; invalid-argument.
 */
export function originIn(given: Url, name: string): string {
	if (
		typeof given === "string" &&
		given.length <= MOST_PLAIN &&
		PLAIN_ORIGIN.test(given)
	)
		return given.endsWith("/") ? given.slice(0, -1) : given;
	return originOf(urlWithHost(given, name));
}

/**
 * Whether the file at one URL is the robots.txt that holds for another. A file in a subfolder holds
 * for nothing; other subdomains, schemes and ports have files of their own, and so has an IP
 * address. The query belongs to the URL of a robots.txt as much as its path does.
 * @example
 * appliesTo("https://example.com/robots.txt", "https://example.com/a"); // true
 * appliesTo("https://example.com/robots.txt", "http://example.com/a"); // false, as the scheme is another
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
