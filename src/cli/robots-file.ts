import { htmlPage, wrongEncoding } from "../lint/whole-file.ts";
import { misspelledField } from "../robots-txt/fields.ts";
import { knownOtherFields } from "../robots-txt/other-fields.ts";
import { nameOf, readWhole } from "./input.ts";
import { tell } from "./output.ts";

/** The bytes of the robots.txt in a file or on stdin; what looks like none is told on stderr, and read all the same. */
export async function readRobotsFile(file: string): Promise<Uint8Array> {
	const bytes = await readWhole(file);
	const doubt = doubtAbout(bytes);
	if (doubt !== undefined) tell(doubtText(nameOf(file), doubt));
	return bytes;
}

/** A doubt as it is told. */
export function doubtText(name: string, doubt: string): string {
	return `warning: ${name}: ${doubt}`;
}

/** Where a NUL byte makes a file binary, as git has it. */
const BINARY_WITHIN = 8000;

/** Why bytes are hardly a robots.txt, as a sentence: nothing in them would count, and so everything be allowed. */
export function doubtAbout(bytes: Uint8Array): string | undefined {
	const found = wrongEncoding(bytes) ?? htmlPage(bytes);
	if (found) return found.message;
	if (bytes.subarray(0, BINARY_WITHIN).includes(0))
		return "The file has NUL bytes: it is binary, or UTF-16 without a byte order mark.";
	if (!hasKnownLine(bytes))
		return "The file has no line that crawlers know, so everything is allowed.";
	return undefined;
}

/** Whether any line is of a known field, or all are empty or comments. Most files answer in their first lines. */
function hasKnownLine(bytes: Uint8Array): boolean {
	// Fields are ASCII.
	const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
		.toString("latin1")
		.replace(/^\xef\xbb\xbf/, "");
	let isEmpty = true;
	for (const [line] of text.matchAll(/[^\r\n]+/g)) {
		const [content = ""] = line.split("#", 1);
		if (content.trim() === "") continue;
		isEmpty = false;
		if (isKnown(content.trim())) return true;
	}
	return isEmpty;
}

/** Whether some dialect reads the line, its field misspelled or without a colon as well. */
function isKnown(line: string): boolean {
	const [, field, word] = /^(?:([^:]+):|(\S+)[ \t]+\S+$)/.exec(line) ?? [];
	const name = (field ?? word ?? "").trim().toLowerCase();
	return misspelledField(name) !== undefined || knownOtherFields.has(name);
}
