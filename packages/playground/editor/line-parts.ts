/**
 * Which parts of a line of robots.txt are field, wildcard or comment, for their colours. robots-editor.ts asks it about lines in view. It reads lines with a pattern of its own, as the parser keeps no columns; what is wrong in a line is lint's
 * business.
 */
import type { LinePart } from "./text-view.ts";

/** Characters of a line that are looked at: nobody reads more of it. */
const LONGEST = 2000;

const LINE = /^(\s*)([^#:]*?)(\s*:\s*)([^#]*)/;

const classes: Readonly<Record<string, string>> = {
	"user-agent": "robots-agent",
	allow: "robots-allow",
	disallow: "robots-disallow",
	sitemap: "robots-other",
	"crawl-delay": "robots-other",
	host: "robots-other",
	"clean-param": "robots-other",
	"request-rate": "robots-other",
	"visit-time": "robots-other",
	"content-signal": "robots-other",
	"content-usage": "robots-other",
};

/** What a line's parts are, as classes from a column up to another one. Unknown fields have none. */
export function partsOfLine(line: string): readonly LinePart[] {
	const text = line.slice(0, LONGEST);
	const parts: LinePart[] = [];
	const add = (from: number, to: number, className: string) => {
		if (to > from) parts.push({ from, to, className });
	};
	const [, space = "", name = "", colon = "", value = ""] =
		LINE.exec(text) ?? [];
	const className = classes[name.toLowerCase()];
	if (className !== undefined) {
		add(space.length, space.length + name.length, className);
		const start = space.length + name.length + colon.length;
		const pattern = value.trimEnd();
		if (/^(?:dis)?allow$/i.test(name))
			for (const { index } of pattern.matchAll(/\*+|\$$/g)) {
				const length = /^\*+/.exec(pattern.slice(index))?.[0].length ?? 1;
				add(start + index, start + index + length, "robots-wildcard");
			}
	}
	const comment = text.indexOf("#");
	if (comment >= 0) add(comment, text.length, "robots-comment");
	return parts;
}
