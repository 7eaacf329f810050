import { quote, RobotrieError } from "./errors.ts";

/** Where robots.txt lies on every host (RFC 9309 §2.3); the path is case-sensitive. */
const ROBOTS_TXT_PATH = "/robots.txt";

/**
 * The URL of the robots.txt that holds for a URL: same scheme, host and port (RFC 9309 §2.3). Host names come in lower
 * case and punycode, default ports and user information are left out.
 * @throws {RobotrieError} invalid-url, for anything but an absolute URL with a host.
 */
export function robotsUrlFor(url: string): string {
	const { protocol, host } = parseUrl(url);
	return `${protocol}//${host}${ROBOTS_TXT_PATH}`;
}

/**
 * Whether the file at one URL is the robots.txt that holds for another. A file in a subfolder holds for nothing; other
 * subdomains, schemes and ports have files of their own, and so has an IP address.
 * @throws {RobotrieError} invalid-url, for anything but absolute URLs with a host.
 */
export function appliesTo(robotsUrl: string, url: string): boolean {
	const file = parseUrl(robotsUrl);
	const page = parseUrl(url);
	return (
		file.pathname === ROBOTS_TXT_PATH &&
		file.search === "" &&
		file.protocol === page.protocol &&
		file.host === page.host
	);
}

function parseUrl(text: string): URL {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (!url?.host) {
		throw new RobotrieError(
			"invalid-url",
			`${quote(text)} is no absolute URL with a host`,
		);
	}
	return url;
}
