/** The search panel of editors. editor.ts loads it at the first Ctrl+F: CodeMirror's search is code that few readers use. */
import { openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { StateEffect } from "@codemirror/state";
import { type EditorView, keymap } from "@codemirror/view";
import sheetText from "./search.css?inline";

const sheet = new CSSStyleSheet();
sheet.replaceSync(sheetText);

/** Editors that have the panel: appended again with each Ctrl+F, its configuration would grow. */
const equipped = new WeakSet<EditorView>();

/** Opens the search panel of an editor: it searches the whole text, drawn or not. */
export function openSearchIn(view: EditorView): void {
	if (!equipped.has(view)) {
		equipped.add(view);
		view.root.adoptedStyleSheets.push(sheet);
		view.dispatch({
			effects: StateEffect.appendConfig.of([
				search({ top: true }),
				keymap.of(searchKeymap),
			]),
		});
	}
	openSearchPanel(view);
}
