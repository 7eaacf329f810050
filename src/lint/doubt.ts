/**
 * Whether bytes are a robots.txt at all, for those who read one without linting it: the command line warns, and an audit's report does not say
 * that a file was obeyed of which nothing could be read. Imports no matcher, like whole-file.ts.
 */
import {
	OTHER_ALLOW_OUTSIDE,
	OTHER_DISALLOW_OUTSIDE,
	OTHER_FIELDS,
	OTHER_KIND,
} from "../../assembly/format/records.ts";
import { tokenise } from "../engine/workspace.ts";
import { lenientDialect } from "../robots-txt/dialect.ts";
import { knownOtherFields } from "../robots-txt/other-fields.ts";
import { extentOf, parse } from "../robots-txt/parse.ts";
import { otherFile } from "./whole-file.ts";

/** Decodes each byte to one character. */
const characters = new TextDecoder("latin1");

/** Where a NUL byte makes a file binary, as git has it. */
const BINARY_WITHIN = 8000;

/** Why bytes are hardly a robots.txt, as a sentence: nothing in them would count, and so everything be allowed. */
export function doubtAbout(bytes: Uint8Array): string | undefined {
	const found = otherFile(bytes);
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
	const head = characters.decode(bytes.subarray(0, FIRST_LINES));
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
