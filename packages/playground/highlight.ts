/** Colours within the lines of an editor. What has which colour is said by line-parts.ts; plain text is coloured by the same. */
import type { Extension, Range } from "@codemirror/state";
import {
	Decoration,
	type DecorationSet,
	type EditorView,
	ViewPlugin,
	type ViewUpdate,
} from "@codemirror/view";
import type { PartsOf } from "./text-view.ts";

const decorations = new Map<string, Decoration>();

function decorationOf(className: string): Decoration {
	const known = decorations.get(className);
	if (known) return known;
	const made = Decoration.mark({ class: className });
	decorations.set(className, made);
	return made;
}

function build(view: EditorView, partsOf: PartsOf): DecorationSet {
	const ranges: Range<Decoration>[] = [];
	// `<=`: the last line may be empty, and begin where it ends.
	for (const { from, to } of view.visibleRanges)
		for (let at = from; at <= to; ) {
			const line = view.state.doc.lineAt(at);
			for (const part of partsOf(line.text))
				ranges.push(
					decorationOf(part.className).range(
						line.from + part.from,
						line.from + part.to,
					),
				);
			at = line.to + 1;
		}
	// Sorted here: the parts of a line come by kind, not by column.
	return Decoration.set(ranges, true);
}

/** Colours parts of the lines in view. */
export function highlighting(partsOf: PartsOf): Extension {
	return ViewPlugin.fromClass(
		class {
			decorations: DecorationSet;
			constructor(view: EditorView) {
				this.decorations = build(view, partsOf);
			}
			update({ docChanged, viewportChanged, view }: ViewUpdate) {
				if (docChanged || viewportChanged)
					this.decorations = build(view, partsOf);
			}
		},
		{ decorations: (plugin) => plugin.decorations },
	);
}
