import { shorten } from "../common/shorten.ts";
import type { Found } from "./finding.ts";
import type { RawLine } from "./raw-lines.ts";

const COLON = 58;

const field = "user-agent|disallow|allow|sitemap|crawl-delay";

/** A field behind the value of another, or behind "\n" or "<br>" as text. */
const second = new RegExp(
	`^\\s*(?:${field})\\s*:.*?(?:\\s|\\\\[rn]|<br */?>|,|;)((?:${field})\\s*:.*)`,
	"is",
);

/** Lines that hold two fields: their line ends are missing. Crawlers read the first field, and the others as part of its value. */
export function findRunTogether(
	{ line, bytes }: RawLine,
	lineCount: number,
): Found | undefined {
	if (bytes.indexOf(COLON) === bytes.lastIndexOf(COLON)) return undefined;
	const [, rest] = second.exec(new TextDecoder().decode(bytes)) ?? [];
	if (rest === undefined) return undefined;
	return {
		line,
		code: "missing-line-end",
		severity: "error",
		message:
			lineCount === 1
				? "The whole file is one line, of which crawlers read the first field only: write each field on a line of its own."
				: `The line holds two fields, of which crawlers read the first only: begin a new line before ${shorten(rest)}.`,
	};
}
