/** Where the authority of an HTTP URL ends; "\" counts as "/" in the URL standard. */
const HTTP_PREFIX = /^https?:\/\/[^/?#\\]+/i;

/** Finds the origins of many URLs; those that begin alike are parsed once. */
export class OriginFinder {
	readonly #byPrefix = new Map<string, string>();

	/** The origin of an absolute http or https URL, as `URL.origin` has it; undefined for anything else. */
	of(url: string): string | undefined {
		const prefix = HTTP_PREFIX.exec(url)?.[0];
		if (prefix === undefined) return httpOrigin(url);
		const known = this.#byPrefix.get(prefix);
		if (known !== undefined) return known;
		const origin = httpOrigin(prefix);
		if (origin === undefined) return httpOrigin(url);
		this.#byPrefix.set(prefix, origin);
		return origin;
	}
}

/** The origin of an absolute http or https URL; undefined for anything else. */
export function httpOrigin(url: string): string | undefined {
	if (!URL.canParse(url)) return undefined;
	const { protocol, origin } = new URL(url);
	return protocol === "http:" || protocol === "https:" ? origin : undefined;
}
