/**
 * Colours of robots.txt's fields, wildcards and comments. test-pane.ts has it loaded after the first verdicts: a page without it works. It
 * reads lines with a pattern of its own, as the parser keeps no columns; what is wrong in a line is lint's business.
 */
import type { Extension, Range } from "@codemirror/state";
import {
	Decoration,
	type DecorationSet,
	EditorView,
	ViewPlugin,
	type ViewUpdate,
} from "@codemirror/view";

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

const mark = (className: string) => Decoration.mark({ class: className });
const marks = new Map(
	[...Object.values(classes), "robots-comment", "robots-wildcard"].map(
		(name) => [name, mark(name)] as const,
	),
);

/** What a line's parts are, as classes from a column up to another one. Unknown fields have none. */
export function partsOfLine(line: string): readonly {
	readonly from: number;
	readonly to: number;
	readonly className: string;
}[] {
	const text = line.slice(0, LONGEST);
	const parts: { from: number; to: number; className: string }[] = [];
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

const theme = EditorView.theme({
	".robots-comment": { color: "var(--quiet)", fontStyle: "italic" },
	".robots-agent": { color: "var(--accent)", fontWeight: "700" },
	".robots-allow": { color: "var(--good)" },
	".robots-disallow": { color: "var(--bad)" },
	".robots-other": { color: "var(--accent)" },
	".robots-wildcard": { color: "var(--warn)", fontWeight: "700" },
});

function build(view: EditorView): DecorationSet {
	const ranges: Range<Decoration>[] = [];
	// `<=`: the last line may be empty, and begin where it ends.
	for (const { from, to } of view.visibleRanges)
		for (let at = from; at <= to; ) {
			const line = view.state.doc.lineAt(at);
			for (const part of partsOfLine(line.text)) {
				const decoration = marks.get(part.className);
				if (decoration)
					ranges.push(
						decoration.range(line.from + part.from, line.from + part.to),
					);
			}
			at = line.to + 1;
		}
	// Sorted here: the parts of a line come by kind, not by column.
	return Decoration.set(ranges, true);
}

/** Colours fields, wildcards and comments of the lines in view. Any dialect's fields count; what is wrong, lint tells. */
export const highlighting: Extension = [
	theme,
	ViewPlugin.fromClass(
		class {
			decorations: DecorationSet;
			constructor(view: EditorView) {
				this.decorations = build(view);
			}
			update({ docChanged, viewportChanged, view }: ViewUpdate) {
				if (docChanged || viewportChanged) this.decorations = build(view);
			}
		},
		{ decorations: (plugin) => plugin.decorations },
	),
];
