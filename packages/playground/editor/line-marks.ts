/**
 * Marks beside and within lines of an editor: classes, coloured parts, labels. All editors use it for what a worker has found out about
 * their lines. Only lines in view are asked about, so `markOf` must be quick, and may read state that changes: `marksChanged` (editor.ts)
 * draws anew.
 */
import type { Extension, Range } from "@codemirror/state";
import {
	Decoration,
	type DecorationSet,
	type EditorView,
	ViewPlugin,
	type ViewUpdate,
	WidgetType,
} from "@codemirror/view";
import { make } from "../page/dom.ts";
import { marksChanged } from "./editor.ts";
import type { Label, LineMark } from "./text-view.ts";

class LabelWidget extends WidgetType {
	readonly #label: Label;

	constructor(label: Label) {
		super();
		this.#label = label;
	}

	/** CodeMirror keeps the element of an equal widget. Text and class are enough: symbol and `also` follow from them in every caller. */
	override eq(other: LabelWidget): boolean {
		const a = this.#label;
		const b = other.#label;
		return a.text === b.text && a.className === b.className;
	}

	override toDOM(): HTMLElement {
		const { symbol, text, also = "", className } = this.#label;
		const sign = make("span", { className: "symbol", textContent: symbol });
		sign.setAttribute("aria-hidden", "true");
		return make(
			"span",
			{ className: `label ${className}`, title: text + also },
			sign,
			make("span", { className: "word", textContent: text }),
			...(also === ""
				? []
				: [make("span", { className: "also", textContent: also })]),
		);
	}
}

/** Marks the lines in view by what `markOf` says of a line, from 1, and its text. */
export function lineMarks(
	markOf: (line: number, text: string) => LineMark | undefined,
): Extension {
	const build = (view: EditorView): DecorationSet => {
		const ranges: Range<Decoration>[] = [];
		for (const { from, to } of view.visibleRanges) {
			// `<=`: the last line may be empty, and begin where it ends.
			for (let at = from; at <= to; ) {
				const line = view.state.doc.lineAt(at);
				const mark = markOf(line.number, line.text);
				if (mark?.className)
					ranges.push(
						Decoration.line({ class: mark.className }).range(line.from),
					);
				for (const part of mark?.parts ?? [])
					ranges.push(
						Decoration.mark({ class: part.className }).range(
							line.from + part.from,
							line.from + part.to,
						),
					);
				if (mark?.label) {
					const before = mark.label.side === "before";
					ranges.push(
						Decoration.widget({
							widget: new LabelWidget(mark.label),
							side: before ? -1 : 1,
						}).range(before ? line.from : line.to),
					);
				}
				at = line.to + 1;
			}
		}
		// Sorted here: of one line, the label before it is added after the parts.
		return Decoration.set(ranges, true);
	};
	return ViewPlugin.fromClass(
		class {
			decorations: DecorationSet;
			constructor(view: EditorView) {
				this.decorations = build(view);
			}
			update(update: ViewUpdate) {
				const changed = update.transactions.some((transaction) =>
					transaction.effects.some((effect) => effect.is(marksChanged)),
				);
				if (changed || update.docChanged || update.viewportChanged)
					this.decorations = build(update.view);
			}
		},
		{ decorations: (plugin) => plugin.decorations },
	);
}
