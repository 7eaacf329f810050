/** A robots.txt and URLs of its host. */
export interface Site {
	readonly host: string;
	readonly robots: Uint8Array;
	readonly urls: readonly string[];
	/** Whether Googlebot may fetch them, by a reference: "1" or "0" for each URL. */
	readonly verdicts: string;
}

export interface Data {
	/** Where the sites come from, for the report. */
	readonly source: string;
	/** Real URLs of each site. */
	readonly sites: readonly Site[];
	/** URLs made from the sites' rules, so that many rules apply. */
	readonly derived: readonly Site[];
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
