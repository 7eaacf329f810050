import type { Dialect } from "../src/robots-txt/dialect.ts";

/** A robots.txt and URLs of its host. */
export interface Site {
	readonly host: string;
	readonly robots: Uint8Array;
	readonly urls: readonly string[];
}

/** Whose verdicts on what. */
export interface Asked {
	readonly dialect: Dialect;
	/** Googlebot when none is given. */
	readonly agent?: string;
	/** The URLs' paths (`pathOf`), not whole URLs. */
	readonly paths?: boolean;
}

export interface Data {
	/** Where the sites come from, for the report. */
	readonly source: string;
	/** URLs of each site as visitors ask for them. */
	readonly sites: readonly Site[];
	/** URLs made from the sites' rules, so that many rules apply. */
	readonly derived: readonly Site[];
	/** Verdicts on a site's URLs by a source that is no part of robotrie: 1 for allowed, 0 for disallowed. */
	readonly verdicts: (site: Site, asked: Asked) => Uint8Array;
	readonly diagnostics: (site: Site) => Diagnostics;
}

/** What is odd about a file, read as `google`. */
export interface Diagnostics {
	/** "line code" each, sorted. */
	readonly right: readonly string[];
	/** Whether the source has an opinion on such a diagnostic. */
	readonly comparable: (diagnostic: string) => boolean;
}

/** Path, parameters and query of a URL as Google's library cuts them out. */
export function pathOf(url: string): string {
	const rest = url.replace(/^[a-z]+:\/\/[^/?;]*/i, "");
	return rest.startsWith("/") ? rest : `/${rest}`;
}

const encoder = new TextEncoder();

/** Texts as bytes, a line each. */
export function linesOf(texts: readonly string[]): Uint8Array {
	return encoder.encode(texts.map((text) => `${text}\n`).join(""));
}

/** As paths on a site's own origin: some of its URLs begin otherwise. */
export function ownUrls({ host, urls }: Site): string[] {
	return urls.map((url) => `https://${host}${pathOf(url)}`);
}
