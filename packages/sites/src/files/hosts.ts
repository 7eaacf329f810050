/**
 * Folders of robots.txt files: which host a file's name means, and the words about a file that hardly is one. What reads recorded answers uses
 * them, and the commands that take such folders.
 */
import { parseUrl } from "#robotrie/common/arguments";

/**
 * The host of an entry of a folder of robots.txt files, by all names that collectors use: "example.com", "example.com.txt",
 * "example.com.txt.gz", "example.com/robots.txt"; a port after ":" or "_".
 */
export function hostOfEntry(name: string, isFolder: boolean): string {
	const host = isFolder
		? name
		: name.replace(/\.(?:gz|zst)$/i, "").replace(/(?:\.robots)?\.txt$/i, "");
	return asciiHost(host.replace(/_(?=\d{1,5}$)/, ":"));
}

/** A host with its letters that are not ASCII in Punycode, as logs have it; other texts as they are. */
export function asciiHost(named: string): string {
	// A URL may have more than a host, which then is no name of one.
	if (!/[^\0-\x7f]/.test(named) || /[@?#\\]/.test(named)) return named;
	// Of a scheme whose default port, 21, is hardly that of a site.
	return parseUrl(`ftp://${named}`)?.host || named;
}

/**
 * Names, IPv4 addresses, and IPv6 addresses in brackets, each with an optional port. IPv6 addresses
 * need their brackets, as a port would be ambiguous otherwise.
 */
const HOST = /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Whether a text can be a host, with or without a port. */
export function isHost(text: string): boolean {
	return HOST.test(text);
}

/** The warning about a doubt. */
export function doubtText(name: string, doubt: string): string {
	return `warning: ${name}: ${doubt}`;
}
