/**
 * The keys of all editors of the page: CodeMirror's defaults, bound here one by one. editor.ts is the only caller. No command may be used
 * that needs a language's syntax, itself or through another: its packages would come into what every editor loads.
 */
import {
	copyLineDown,
	copyLineUp,
	cursorCharLeft,
	cursorCharRight,
	cursorDocEnd,
	cursorDocStart,
	cursorGroupLeft,
	cursorGroupRight,
	cursorLineBoundaryBackward,
	cursorLineBoundaryForward,
	cursorLineDown,
	cursorLineEnd,
	cursorLineStart,
	cursorLineUp,
	cursorPageDown,
	cursorPageUp,
	deleteGroupBackward,
	deleteGroupForward,
	deleteLine,
	deleteLineBoundaryBackward,
	deleteLineBoundaryForward,
	historyKeymap,
	insertNewline,
	moveLineDown,
	moveLineUp,
	selectAll,
	selectCharLeft,
	selectCharRight,
	selectDocEnd,
	selectDocStart,
	selectGroupLeft,
	selectGroupRight,
	selectLine,
	selectLineBoundaryBackward,
	selectLineBoundaryForward,
	selectLineDown,
	selectLineEnd,
	selectLineStart,
	selectLineUp,
	selectPageDown,
	selectPageUp,
	simplifySelection,
	splitLine,
	toggleTabFocusMode,
	transposeChars,
} from "@codemirror/commands";
import { EditorSelection, findClusterBreak } from "@codemirror/state";
import type { Command, KeyBinding } from "@codemirror/view";

const always = { preventDefault: true } as const;

/** Deletes the selection, or a character. The package's own commands for it know of indentation, and so bring languages with them. */
function deleting(forward: boolean): Command {
	return ({ state, dispatch }) => {
		if (state.readOnly) return false;
		const { doc } = state;
		const change = state.changeByRange(({ empty, anchor, head }) => {
			const line = doc.lineAt(head);
			let other = anchor;
			if (empty && head === (forward ? line.to : line.from))
				other = Math.min(
					Math.max(0, forward ? head + 1 : head - 1),
					doc.length,
				);
			else if (empty)
				other =
					line.from + findClusterBreak(line.text, head - line.from, forward);
			const from = Math.min(head, other);
			const to = Math.max(head, other);
			return { changes: { from, to }, range: EditorSelection.cursor(from) };
		});
		dispatch(
			state.update(change, {
				scrollIntoView: true,
				userEvent: forward ? "delete.forward" : "delete.backward",
			}),
		);
		return true;
	};
}

const deleteForward = deleting(true);
const deleteBackward = deleting(false);

/** As in macOS's text fields. */
const macKeys: readonly KeyBinding[] = [
	{ key: "Ctrl-b", run: cursorCharLeft, shift: selectCharLeft, ...always },
	{ key: "Ctrl-f", run: cursorCharRight, shift: selectCharRight },
	{ key: "Ctrl-p", run: cursorLineUp, shift: selectLineUp },
	{ key: "Ctrl-n", run: cursorLineDown, shift: selectLineDown },
	{ key: "Ctrl-a", run: cursorLineStart, shift: selectLineStart },
	{ key: "Ctrl-e", run: cursorLineEnd, shift: selectLineEnd },
	{ key: "Ctrl-d", run: deleteForward },
	{ key: "Ctrl-h", run: deleteBackward },
	{ key: "Ctrl-k", run: deleteLineBoundaryForward },
	{ key: "Ctrl-Alt-h", run: deleteGroupBackward },
	{ key: "Ctrl-o", run: splitLine },
	{ key: "Ctrl-t", run: transposeChars },
	{ key: "Ctrl-v", run: cursorPageDown },
].map(({ key, ...rest }) => ({ mac: key, ...rest }));

/**
 * CodeMirror's default keys without those that need a language's syntax: the packages of languages would be a tenth of the
 * editor.
 */
export const editorKeys: readonly KeyBinding[] = [
	{ key: "ArrowLeft", run: cursorCharLeft, shift: selectCharLeft, ...always },
	{
		key: "Mod-ArrowLeft",
		mac: "Alt-ArrowLeft",
		run: cursorGroupLeft,
		shift: selectGroupLeft,
		...always,
	},
	{
		mac: "Cmd-ArrowLeft",
		run: cursorLineBoundaryBackward,
		shift: selectLineBoundaryBackward,
		...always,
	},
	{
		key: "ArrowRight",
		run: cursorCharRight,
		shift: selectCharRight,
		...always,
	},
	{
		key: "Mod-ArrowRight",
		mac: "Alt-ArrowRight",
		run: cursorGroupRight,
		shift: selectGroupRight,
		...always,
	},
	{
		mac: "Cmd-ArrowRight",
		run: cursorLineBoundaryForward,
		shift: selectLineBoundaryForward,
		...always,
	},
	{ key: "ArrowUp", run: cursorLineUp, shift: selectLineUp, ...always },
	{ mac: "Cmd-ArrowUp", run: cursorDocStart, shift: selectDocStart },
	{ mac: "Ctrl-ArrowUp", run: cursorPageUp, shift: selectPageUp },
	{ key: "ArrowDown", run: cursorLineDown, shift: selectLineDown, ...always },
	{ mac: "Cmd-ArrowDown", run: cursorDocEnd, shift: selectDocEnd },
	{ mac: "Ctrl-ArrowDown", run: cursorPageDown, shift: selectPageDown },
	{ key: "PageUp", run: cursorPageUp, shift: selectPageUp },
	{ key: "PageDown", run: cursorPageDown, shift: selectPageDown },
	{
		key: "Home",
		run: cursorLineBoundaryBackward,
		shift: selectLineBoundaryBackward,
		...always,
	},
	{ key: "Mod-Home", run: cursorDocStart, shift: selectDocStart },
	{
		key: "End",
		run: cursorLineBoundaryForward,
		shift: selectLineBoundaryForward,
		...always,
	},
	{ key: "Mod-End", run: cursorDocEnd, shift: selectDocEnd },
	{ key: "Enter", run: insertNewline, shift: insertNewline },
	{ key: "Mod-a", run: selectAll },
	{
		key: "Backspace",
		run: deleteBackward,
		shift: deleteBackward,
		...always,
	},
	{ key: "Delete", run: deleteForward, ...always },
	{
		key: "Mod-Backspace",
		mac: "Alt-Backspace",
		run: deleteGroupBackward,
		...always,
	},
	{
		key: "Mod-Delete",
		mac: "Alt-Delete",
		run: deleteGroupForward,
		...always,
	},
	{ mac: "Mod-Backspace", run: deleteLineBoundaryBackward, ...always },
	{ mac: "Mod-Delete", run: deleteLineBoundaryForward, ...always },
	{ key: "Alt-ArrowUp", run: moveLineUp },
	{ key: "Shift-Alt-ArrowUp", run: copyLineUp },
	{ key: "Alt-ArrowDown", run: moveLineDown },
	{ key: "Shift-Alt-ArrowDown", run: copyLineDown },
	{ key: "Escape", run: simplifySelection },
	{ key: "Alt-l", mac: "Ctrl-l", run: selectLine },
	{ key: "Shift-Mod-k", run: deleteLine },
	{ key: "Ctrl-m", mac: "Shift-Alt-m", run: toggleTabFocusMode },
	...macKeys,
	...historyKeymap,
];
