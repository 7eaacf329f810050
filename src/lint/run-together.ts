import { shorten } from "../common/shorten.ts";
import { linesEdit } from "./edits.ts";
import type { Found } from "./finding.ts";
import type { RawLine } from "./raw-lines.ts";

const COLON = 58;

const field = "user-agent|disallow|allow|sitemap|crawl-delay";

/** A field behind the value of another, or behind "\n" or "<br>" as text. */
const second = new RegExp(
	`^\\s*(?:${field})\\s*:.*?(?:\\s|\\\\[rn]|<br */?>|,|;)((?:${field})\\s*:.*)`,
	"is",
);

/** Longer lines are not cut into fields: each field takes a search through the rest. */
const LONGEST_MENDED = 20_000;

/** What stands between two fields but white space. */
const separator = /(?:\\[rn]|<br *\/?>|[,;])$/i;

/** The fields of a line; undefined where it is not UTF-8. */
function fieldsOf(text: string): readonly string[] | undefined {
	if (text.includes("\ufffd")) return undefined;
	const fields: string[] = [];
	for (let left = text; left !== ""; ) {
		const next: string = second.exec(left)?.[1] ?? "";
		let one = left.slice(0, left.length - next.length).trim();
		while (separator.test(one)) one = one.replace(separator, "").trimEnd();
		fields.push(one);
		left = next;
	}
	return fields;
}

/** Lines that hold two fields: their line ends are missing. Crawlers read the first field, and the others as part of its value. */
export function findRunTogether(
	file: Uint8Array,
	{ line, start, bytes }: RawLine,
	lineCount: number,
): Found | undefined {
	if (bytes.indexOf(COLON) === bytes.lastIndexOf(COLON)) return undefined;
	const text = new TextDecoder().decode(bytes);
	const [, rest] = second.exec(text) ?? [];
	if (rest === undefined) return undefined;
	const fields = text.length > LONGEST_MENDED ? undefined : fieldsOf(text);
	return {
		line,
		code: "missing-line-end",
		severity: "error",
		message:
			lineCount === 1
				? "The whole file is one line, of which crawlers read the first field only: write each field on a line of its own."
				: `The line holds two fields, of which crawlers read the first only: begin a new line before ${shorten(rest)}.`,
		...(fields
			? { edit: linesEdit(file, start, start + bytes.length, fields) }
			: {}),
	};
}
