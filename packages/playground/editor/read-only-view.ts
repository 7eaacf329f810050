/**
 * The two texts of the Byte-code pane, rules and program: editors that cannot be typed in, so that long ones are drawn, searched and marked
 * like all others.
 */
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { byId } from "../page/dom.ts";
import { createEditor } from "./editor.ts";
import { lineMarks } from "./line-marks.ts";
import type { LineMark } from "./text-view.ts";

/** A text to look at; `onPoint` gets the line under the pointer or at the cursor, from 0. */
export function readOnlyView(
	id: string,
	label: string,
	markOf: (index: number) => LineMark | undefined,
	onPoint: (index: number) => void,
): EditorView {
	return createEditor(byId(id), label, [
		EditorState.readOnly.of(true),
		lineMarks((line) => markOf(line - 1)),
		EditorView.updateListener.of(({ selectionSet, docChanged, state }) => {
			// A text that is replaced moves the cursor, and nobody has pointed at anything.
			if (!selectionSet || docChanged) return;
			// Marks are drawn by another update, which cannot begin during this one.
			queueMicrotask(() =>
				onPoint(state.doc.lineAt(state.selection.main.head).number - 1),
			);
		}),
		EditorView.domEventHandlers({
			mousemove: ({ clientX: x, clientY: y }, view) => {
				// `false`: the nearest line also beside and below the text, where a pointer mostly moves.
				const position = view.posAtCoords({ x, y }, false);
				onPoint(view.state.doc.lineAt(position).number - 1);
			},
		}),
	]);
}

/** Brings a line into view, from 0. */
export function reveal(view: EditorView, index: number): void {
	const { doc } = view.state;
	if (index < 0 || index >= doc.lines) return;
	view.dispatch({
		effects: EditorView.scrollIntoView(doc.line(index + 1).from, {
			y: "nearest",
			yMargin: 40,
		}),
	});
}
