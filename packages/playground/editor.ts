import { history } from "@codemirror/commands";
import { EditorState, type Extension, StateEffect } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import sheetText from "./editor.css?inline";
import { editorKeys } from "./editor-keys.ts";

/** What is shown around the text has changed, the text has not. */
export const marksChanged = StateEffect.define<null>();

const sheet = new CSSStyleSheet();
sheet.replaceSync(sheetText);

/**
 * An editor for text of any length, of which only what is in view is drawn. It stands in a shadow root, where CodeMirror's
 * styles are sheets of the root: the page's policy allows no style elements.
 */
export function createEditor(
	place: HTMLElement,
	label: string,
	extensions: readonly Extension[],
): EditorView {
	const root = place.attachShadow({ mode: "open", delegatesFocus: true });
	const view = new EditorView({
		root,
		parent: root,
		state: EditorState.create({
			extensions: [
				history(),
				keymap.of([
					{ key: "Mod-f", run: openSearch, preventDefault: true },
					...editorKeys,
				]),
				EditorView.contentAttributes.of({
					"aria-label": label,
					tabindex: "0",
					spellcheck: "false",
					autocapitalize: "off",
				}),
				...extensions,
			],
		}),
	});
	root.adoptedStyleSheets.push(sheet);
	return view;
}

/** The browser's own search finds only what is drawn. This one is loaded for those who search. */
function openSearch(view: EditorView): boolean {
	import("./search.ts").then(
		({ openSearchIn }) => openSearchIn(view),
		// Offline, and not loaded before: there is no search.
		() => {},
	);
	return true;
}

/** Puts a text in place of all that was there. */
export function replaceText(view: EditorView, text: string): void {
	view.dispatch({
		changes: { from: 0, to: view.state.doc.length, insert: text },
		selection: { anchor: 0 },
		scrollIntoView: true,
	});
}

/** Moves the cursor to a line, from 1, and into view. */
export function goToLine(view: EditorView, line: number, focus = true): void {
	const { doc } = view.state;
	const { from } = doc.line(Math.min(Math.max(1, line), doc.lines));
	view.dispatch({
		selection: { anchor: from },
		effects: EditorView.scrollIntoView(from, { y: "center" }),
	});
	if (focus) view.focus();
}
