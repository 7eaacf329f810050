/**
 * A robots.txt from a file or stdin, with a warning about one that hardly is any. Also for the threads of `index`, so it imports no options.
 */
import { doubtAbout, parseUrl } from "robotrie/internal";
import { tell } from "../output/output.ts";
import { nameOf, readWhole } from "./input.ts";

export { doubtAbout };

/** Whether a place names a site in place of a file. */
export function isSiteUrl(place: string): boolean {
	return /^(?:https?|ftp):\/\//i.test(place);
}

/** The bytes of the robots.txt in a file or on stdin. If they hardly are one, a warning says so, and they are read all the same. */
export async function readRobotsFile(file: string): Promise<Uint8Array> {
	const bytes = await readWhole(file);
	const doubt = doubtAbout(bytes);
	if (doubt !== undefined) tell(doubtText(nameOf(file), doubt));
	return bytes;
}

/** The warning about a doubt. */
export function doubtText(name: string, doubt: string): string {
	return `warning: ${name}: ${doubt}`;
}

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
