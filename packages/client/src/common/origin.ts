/**
 * From URLs to origins, the keys of everything that the client knows. Most URLs of a call begin alike, so OriginFinder remembers prefixes and
 * parses few of them.
 */

import { RobotrieError } from "robotrie";
import { parseUrl } from "#robotrie/common/arguments";
import { quote } from "#robotrie/common/quote";

/** Where the authority of a URL ends; "\" counts as "/" in the URL standard. */
const PREFIX = /^(?:https?|ftp):\/\/[^/?#\\]+/i;

/**
 * A prefix that is its own origin: the URL standard leaves such hosts as they are. The last label is not a number, and none is punycode,
 * which may be invalid.
 */
const PLAIN = /^(?:https?|ftp):\/\/(?:(?!xn--)[a-z\d-]+\.)*[a-z]+(?=[/?#\\]|$)/;

/** Most prefixes that are remembered: a larger map would stop the process while it grows. */
const REMEMBERED = 8192;

/** Finds the origins of many URLs; those that begin alike are parsed once. */
export class OriginFinder {
	readonly #byPrefix = new Map<string, string>();

	/**
	 * The origin of an absolute http, https or ftp URL, as `URL.origin` has it; undefined for
	 * anything else. Do not keep it: it may be a slice of the URL, which would then stay in memory. A
	 * slice keeps the text it was cut from alive, which for a million URLs is all of them.
	 */
	of(url: string): string | undefined {
		const plain = plainOrigin(url);
		if (plain !== undefined) return plain;
		const prefix = PREFIX.exec(url)?.[0];
		if (prefix === undefined) return fetchableOrigin(url);
		const known = this.#byPrefix.get(prefix);
		if (known !== undefined) return known;
		const origin = fetchableOrigin(prefix);
		if (origin === undefined) return fetchableOrigin(url);
		if (this.#byPrefix.size === REMEMBERED) this.#byPrefix.clear();
		this.#byPrefix.set(prefix, origin);
		return origin;
	}
}

/**
 * The origin of a URL that is written as the URL standard writes it, as most are: a slice of the URL, not to be kept. Parsing takes ten times
 * as long. Undefined for any other text.
 */
export function plainOrigin(url: string): string | undefined {
	return PLAIN.exec(url)?.[0];
}

const fetchableSchemes = ["http:", "https:", "ftp:"];

/** The origin of an absolute http, https or ftp URL; undefined for anything else. */
export function fetchableOrigin(url: string): string | undefined {
	const { protocol = "", origin } = parseUrl(url) ?? {};
	return fetchableSchemes.includes(protocol) ? origin : undefined;
}

/** The same. @throws {RobotrieError} invalid-url, for anything else. */
export function originOf(url: string): string {
	const origin = fetchableOrigin(url);
	if (origin === undefined) throw notFetchable(url);
	return origin;
}

export function notFetchable(url: string): RobotrieError {
	return new RobotrieError(
		"invalid-url",
		`${quote(url)} is not an absolute http, https or ftp URL`,
	);
}
