/**
 * A robots.txt from a file or stdin, with a warning about one that hardly is any. Also for the threads of `index`, so it imports no options.
 */
import {
	extentOf,
	foreignFile,
	htmlPage,
	knownOtherFields,
	lenientDialect,
	OTHER_ALLOW_OUTSIDE,
	OTHER_DISALLOW_OUTSIDE,
	OTHER_FIELDS,
	OTHER_KIND,
	parse,
	tokenise,
} from "robotrie/internal";
import { tell } from "../output/output.ts";
import { nameOf, readWhole } from "./input.ts";

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

/** Where a NUL byte makes a file binary, as git has it. */
const BINARY_WITHIN = 8000;

/** Why bytes are hardly a robots.txt, as a sentence: nothing in them would count, and so everything be allowed. */
export function doubtAbout(bytes: Uint8Array): string | undefined {
	const found = foreignFile(bytes) ?? htmlPage(bytes);
	if (found) return found.message;
	if (bytes.subarray(0, BINARY_WITHIN).includes(0))
		return "The file has NUL bytes: it is binary, or UTF-16 without a byte order mark.";
	if (!hasKnownLine(bytes))
		return "The file has no line that crawlers know, so everything is allowed.";
	return undefined;
}

/** Nearly all files have a user-agent line in their first bytes. Only the others are parsed for this, once more than for their rules. */
const FIRST_LINES = 4096;
const USER_AGENT = /^user-agent:[ \t]*[*\w]/im;

/** Whether any line is of a field that some dialect knows, misspelled or without a colon as well, or all are empty or comments. */
function hasKnownLine(bytes: Uint8Array): boolean {
	const { buffer, byteOffset, length } = bytes.subarray(0, FIRST_LINES);
	const head = Buffer.from(buffer, byteOffset, length).toString("latin1");
	if (USER_AGENT.test(head)) return true;
	const dialect = lenientDialect();
	const extent = extentOf(bytes, dialect, bytes.length);
	if (tokenise(extent).agentCount > 0) return true;
	const { others, otherRecords } = parse(extent, dialect);
	if (otherRecords.length === 0) return true;
	for (let at = OTHER_KIND; at < otherRecords.length; at += OTHER_FIELDS) {
		const kind = otherRecords[at];
		if (kind === OTHER_ALLOW_OUTSIDE || kind === OTHER_DISALLOW_OUTSIDE)
			return true;
	}
	return others.some(
		({ field }) => field === "sitemap" || knownOtherFields.has(field),
	);
}
