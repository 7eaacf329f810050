/** URLs with a host, their origins, and the schemes that crawlers fetch. */
import { parseUrl, type Url, urlText } from "./arguments.ts";
import { RobotrieError } from "./errors.ts";
import { quote } from "./quote.ts";

/** Scheme, host and port of a URL, whatever its scheme: `URL.origin` is "null" for all but a few. */
export function originOf({ protocol, host }: URL): string {
	return `${protocol}//${host}`;
}

/** @throws {RobotrieError} invalid-url, for anything but an absolute URL with a host; invalid-argument. */
export function urlWithHost(given: Url, name = "url"): URL {
	const text = urlText(given, name);
	const url = parseUrl(text);
	if (!url?.host) {
		throw new RobotrieError(
			"invalid-url",
			`${quote(text)} is not an absolute URL with a host`,
		);
	}
	return url;
}

/** Whether a value is an absolute URL of a scheme that crawlers fetch: sitemaps.org and RSL 1.0 ask for one. */
export function isAbsoluteUrl(value: string): boolean {
	return /^(?:https?|ftp):\/\//i.test(value) && parseUrl(value) !== null;
}
