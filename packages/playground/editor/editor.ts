/**
 * The editors of the page, and what is done to their texts. text-editor.ts and read-only-view.ts make them with their own
 * extensions. What must hold: no style element is made (the policy forbids it), and lines are LF alone inside, whatever was put in.
 */
import {
	defaultKeymap,
	history,
	historyKeymap,
	insertNewline,
	isolateHistory,
} from "@codemirror/commands";
import {
	EditorSelection,
	EditorState,
	type Extension,
	StateEffect,
	Text,
	type TransactionSpec,
} from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import sheetText from "./editor.css?inline";

const sheet = new CSSStyleSheet();
sheet.replaceSync(sheetText);

/** What is shown around the text has changed, the text has not. */
export const marksChanged = StateEffect.define<null>();

const atStart = EditorSelection.cursor(0);

/**
 * An editor for text of any length, of which only what is in view is drawn.
 */
export function createEditor(
	place: HTMLElement,
	label: string,
	extensions: readonly Extension[],
	text = "",
): EditorView {
	// The page's policy allows no style elements, and CodeMirror's styles are sheets of a root.
	const root = place.attachShadow({ mode: "open", delegatesFocus: true });
	// CodeMirror puts its own in front, so these win.
	root.adoptedStyleSheets.push(sheet);
	const view = new EditorView({
		root,
		parent: root,
		state: EditorState.create({
			doc: text,
			extensions: [
				history(),
				scrollInside,
				EditorView.lineWrapping,
				EditorView.domEventHandlers({ beforeinput: replaceSelected }),
				keymap.of([
					{ key: "Mod-f", run: openSearch, preventDefault: true },
					// The default one indents the new line as the one before, and a path with a space before it is none.
					{ key: "Enter", run: insertNewline, shift: insertNewline },
					...defaultKeymap,
					...historyKeymap,
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
	// Firefox gives the focus of the whole box to what scrolls in it, where no key would be heard.
	view.scrollDOM.addEventListener("focus", () => view.focus());
	return view;
}

/**
 * Scrolls an editor within itself. CodeMirror's own scrolling takes the page along: what a field or a tap elsewhere led to moved that field
 * out of sight. The page follows only the cursor of who is in the editor, and only where it would not be seen.
 */
const scrollInside = EditorView.scrollHandler.of((view, { head }, target) => {
	const { top, bottom } = boxAt(view, head);
	const { scrollDOM } = view;
	const box = scrollDOM.getBoundingClientRect();
	const margin = Math.min(target.yMargin, box.height / 2);
	const above = top - margin - box.top;
	const below = bottom + margin - (box.top + scrollDOM.clientHeight);
	let down = 0;
	if (target.y === "start") down = above;
	else if (target.y === "center") down = (above + below) / 2;
	else if (above < 0) down = above;
	else if (below > 0) down = below;
	const before = scrollDOM.scrollTop;
	if (down !== 0) scrollDOM.scrollTop = before + down;
	const moved = scrollDOM.scrollTop - before;
	// Less than the window while a phone shows its keyboard.
	const end = window.visualViewport?.height ?? innerHeight;
	if (view.hasFocus && top - moved < 0) scrollBy(0, top - moved - 5);
	else if (view.hasFocus && bottom - moved > end)
		scrollBy(0, bottom - moved - end + 5);
	return true;
});

/** Where a place in the text is drawn. Not `coordsAtPos`, which is refused while the editor measures, as it does here. */
function boxAt(view: EditorView, at: number): DOMRect {
	const { node, offset } = view.domAtPos(at);
	const range = document.createRange();
	range.setStart(node, offset);
	const [rect] = range.getClientRects();
	const element = node instanceof Element ? node : node.parentElement;
	// An empty line has no text to be beside.
	return rect ?? element?.getBoundingClientRect() ?? new DOMRect();
}

/**
 * A letter in the place of a selection, without the browser's help: Chromium gives what it types there the style of what was selected, as an
 * attribute, which the page's policy forbids.
 */
function replaceSelected(event: InputEvent, view: EditorView): boolean {
	const { state } = view;
	const { inputType, data, isComposing } = event;
	if (
		inputType !== "insertText" ||
		data === null ||
		isComposing ||
		view.composing ||
		state.readOnly ||
		state.selection.main.empty
	)
		return false;
	view.dispatch(state.replaceSelection(data), {
		userEvent: "input.type",
		scrollIntoView: true,
	});
	return true;
}

/** The browser's own search finds only what is drawn, so the key is taken from it. This one is loaded for those who search. */
function openSearch(view: EditorView): boolean {
	import("./search.ts").then(
		({ openSearchIn }) => openSearchIn(view),
		// Offline, and not loaded before: there is no search.
		() => {},
	);
	return true;
}

/**
 * Puts a text in place of all that was there. Undo takes back that alone: without `isolateHistory`, changes within half a second are one,
 * and undo took back what was typed before, too. A text that is there already is left alone: to draw both samples twice took 54 ms of CPU
 * at the page's start.
 * @returns Whether listeners have not heard of the change. Out of sight CodeMirror would draw every line that is put in the place of those
 * that were drawn: 9,000 on a phone, where robots.txt is below the window, took 20 s. A state that is set draws a window's height.
 */
export function replaceText(view: EditorView, text: string): boolean {
	const { doc, selection } = view.state;
	if (
		doc.length === text.length &&
		selection.main.eq(atStart) &&
		doc.eq(Text.of(text.split("\n")))
	)
		return false;
	const transaction = view.state.update({
		annotations: isolateHistory.of("full"),
		changes: { from: 0, to: view.state.doc.length, insert: text },
		selection: { anchor: 0 },
		scrollIntoView: true,
	});
	if (view.inView) {
		view.dispatch(transaction);
		return false;
	}
	view.setState(transaction.state);
	view.dispatch({ effects: EditorView.scrollIntoView(0) });
	return true;
}

/** Replaces only what differs between the text that is there and a nearly equal one: cursor and view stay. Undo takes back that alone. */
export function changeText(view: EditorView, text: string): void {
	view.dispatch(changeTo(view.state, text));
}

/** What `changeText` does, for a state that is not shown yet. */
export function changeTo(state: EditorState, text: string): TransactionSpec {
	const before = state.doc.toString();
	const most = Math.min(before.length, text.length);
	let from = 0;
	while (from < most && before[from] === text[from]) from++;
	let end = 0;
	while (
		// The common end stops before the common start: of "aa" and "a" both would claim the same letter.
		end < most - from &&
		before[before.length - 1 - end] === text[text.length - 1 - end]
	)
		end++;
	return {
		annotations: isolateHistory.of("full"),
		changes: {
			from,
			to: before.length - end,
			insert: text.slice(from, text.length - end),
		},
	};
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
