/**
 * What a line that is no URL was probably meant to be. The Test and the Ask pane offer it; it is never applied unasked. Better no proposal
 * than a wrong one: what is left must be a path or an http(s) URL without white space.
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

/** What was probably meant by a line that is no URL: without space and quotes around it, with a scheme before a host. */
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
