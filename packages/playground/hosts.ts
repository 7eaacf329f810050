/**
 * Hosts of URLs, for the page and its worker: whose robots.txt is asked about (whose.ts), and which lines of a list are of another site
 * (judge-worker.ts).
 */

/** Scheme, user, host and port; what is between them is not checked, as a line that is no URL is of no other site either. */
const absolute = /^\s*([a-z][a-z\d+.-]*):\/\/(?:[^/?#@\s]*@)?([^/?#:\s]+)/i;

/** The host of an absolute URL, in lower case; undefined for paths and what is no URL. */
export function hostOf(url: string): string | undefined {
	return absolute.exec(url)?.[2]?.toLowerCase();
}

/** Where the robots.txt of an absolute URL is; undefined where it has none on the web. */
export function robotsAddress(url: string): string | undefined {
	try {
		const { protocol, origin } = new URL(url.trim());
		return /^https?:$/.test(protocol) ? `${origin}/robots.txt` : undefined;
	} catch {
		return undefined;
	}
}

/** The same lines, but those of other hosts empty: lines keep their numbers, and nobody judges an empty one. */
export function withoutOthers(urls: string, host: string): string {
	return urls.replace(/^[^\n]*:\/\/[^\n]*$/gm, (line) => {
		const found = hostOf(line);
		return found === undefined || found === host ? line : "";
	});
}
