/**
 * What the text of a URL says without an engine: what a line that is no URL was probably meant to be, the host, and where that host's
 * robots.txt is. Panes ask it, and the worker, which leaves out lines of other hosts (judge-worker.ts).
 */

/** A host name with a dot, perhaps with a port, and what follows it. */
const startsWithHost =
	/^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}[\p{L}\p{N}-]*(?::\d{1,5})?(?:[/?#]|$)/u;

const quotes: readonly (readonly [open: string, close: string])[] = [
	['"', '"'],
	["'", "'"],
	["`", "`"],
	["<", ">"],
	["“", "”"],
	["‘", "’"],
];

/**
 * What was probably meant by a line that is no URL: without space and quotes around it, with a scheme before a host. It is offered, never
 * applied unasked. Better no proposal than a wrong one: what is left must be a path or an http(s) URL without white space.
 */
export function proposalFor(line: string): string | undefined {
	const inner = unquoted(line.trim());
	if (/\s/.test(inner)) return undefined;
	const meant = startsWithHost.test(inner) ? `https://${inner}` : inner;
	if (meant === line || !/^(?:\/|https?:\/\/[^/])/i.test(meant))
		return undefined;
	return meant;
}

/** A list in JSON or CSV also leaves a comma at the end. */
function unquoted(text: string): string {
	const bare = text.replace(/[,;]$/, "");
	const pair = quotes.find(
		([open, close]) =>
			bare.length > 1 && bare.startsWith(open) && bare.endsWith(close),
	);
	return pair ? bare.slice(1, -1).trim() : text;
}

/**
 * Scheme, user and host, as the URL standard finds them: any number of slashes, or backslashes, after a scheme of the web, and none of them
 * needs a scheme. What is between is not checked, as a line that is no URL is of no other site either.
 */
const absolute =
	/^\s*(?:(?:https?|ftp|wss?):[\\/]*|[a-z][a-z\d+.-]*:\/\/|[\\/]{2,})(?:[^\\/?#]*@)?(\[[^\]]*\]|[^\\/?#:\s]+)/i;

/** The standard drops these wherever they are. */
const dropped = /[\t\r\n]/g;

/**
 * The host of a URL, also where its scheme is missing, in lower case; undefined for paths and other texts. Two slashes begin a host, though
 * robotrie reads a path there: who wrote it may mean another site, and then a sample judges nothing.
 */
export function hostOf(url: string): string | undefined {
	const text = url.replace(dropped, "");
	const [, host] =
		absolute.exec(text) ?? absolute.exec(proposalFor(text) ?? "") ?? [];
	return host?.toLowerCase();
}

/** Where the robots.txt of a URL is; undefined where it has none on the web. */
export function robotsAddress(url: string): string | undefined {
	try {
		const text = url.replace(dropped, "").trim();
		const { protocol, origin } = new URL(
			(proposalFor(text) ?? text).replace(/^[\\/]{2,}/, "https://"),
		);
		return /^https?:$/.test(protocol) ? `${origin}/robots.txt` : undefined;
	} catch {
		return undefined;
	}
}

/** The same lines, but those of other hosts empty: lines keep their numbers, and nobody judges an empty one. */
export function withoutOthers(urls: string, host: string): string {
	// Most lines of a list may be paths.
	return urls.replace(/^(?:[^/\n]|\/[\\/\t\r])[^\n]*$/gm, (line) => {
		const found = hostOf(line);
		return found === undefined || found === host ? line : "";
	});
}
