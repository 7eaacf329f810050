/**
 * The editors of the Test and Compare panes in CodeMirror. editor-box.ts loads this after the first verdicts, or when a text is long; the
 * Compare pane has it from the start. What must hold: what a PlainText hands over comes without a change that anybody hears of, except
 * where the cursor now stands elsewhere.
 */
import {
	EditorView,
	GutterMarker,
	gutter,
	lineNumbers,
	placeholder,
} from "@codemirror/view";
import { make } from "../page/dom.ts";
import { textOf } from "./doc-text.ts";
import {
	changeText,
	changeTo,
	createEditor,
	goToLine,
	marksChanged,
	replaceText,
} from "./editor.ts";
import { lineMarks } from "./line-marks.ts";
import type { HandedOver } from "./plain-text.ts";
import type { MarginMark, TextOptions, TextView } from "./text-view.ts";

class Marker extends GutterMarker {
	readonly #mark: MarginMark;

	constructor(mark: MarginMark) {
		super();
		this.#mark = mark;
	}

	override eq(other: Marker): boolean {
		return this.#mark === other.#mark;
	}

	override toDOM(): HTMLElement {
		const { className, symbol, title } = this.#mark;
		return make("span", {
			className: `finding ${className}`,
			textContent: symbol,
			title,
		});
	}
}

function marginOf({ markOf, onClick }: NonNullable<TextOptions["margin"]>) {
	return gutter({
		class: "findings",
		lineMarker: (view, block) => {
			const mark = markOf(view.state.doc.lineAt(block.from).number);
			return mark ? new Marker(mark) : null;
		},
		lineMarkerChange: ({ transactions }) =>
			transactions.some(({ effects }) =>
				effects.some((effect) => effect.is(marksChanged)),
			),
		domEventHandlers: {
			click: (view, block) => {
				onClick(view.state.doc.lineAt(block.from).number);
				return true;
			},
		},
	});
}

export class TextEditor implements TextView {
	readonly view: EditorView;
	readonly #options: TextOptions;
	/** While it takes over what others know of already. */
	#isQuiet = true;

	/** @param given What a PlainText was left with, or a text. */
	constructor(
		place: HTMLElement,
		options: TextOptions,
		given: HandedOver | string,
	) {
		this.#options = options;
		const text = typeof given === "string" ? given : (given.versions[0] ?? "");
		const { label, margin, markOf, onChange, onMove } = options;
		this.view = createEditor(
			place,
			label,
			[
				...(margin ? [marginOf(margin)] : []),
				lineNumbers(),
				placeholder(options.placeholder),
				lineMarks(markOf),
				EditorView.updateListener.of(({ docChanged, selectionSet }) => {
					if (this.#isQuiet) return;
					if (docChanged) onChange();
					if (docChanged || selectionSet) onMove?.();
				}),
			],
			text,
		);
		if (typeof given !== "string") this.#takeOver(given);
		this.#isQuiet = false;
	}

	#takeOver(given: HandedOver): void {
		const { view } = this;
		const { versions, anchor, head, wanted } = given;
		// Undo takes them back, one by one. Not shown one by one: the last may be long.
		let { state } = view;
		for (const version of versions.slice(1))
			({ state } = state.update(changeTo(state, version)));
		if (state !== view.state) view.setState(state);
		this.#isQuiet = !given.isMoved;
		view.dispatch({ selection: { anchor, head } });
		// Measures its lines. Else it takes them for lower, and what stands there then would be another one.
		view.coordsAtPos(0);
		view.scrollDOM.scrollTop = given.scrolled;
		this.#isQuiet = false;
		if (wanted) this.reveal(wanted.line, wanted.y);
		if (given.hasFocus) view.focus();
	}

	get text(): string {
		return textOf(this.view.state.doc);
	}

	get length(): number {
		return this.view.state.doc.length;
	}

	get current(): { readonly text: string; readonly line: number } {
		const { doc, selection } = this.view.state;
		const { text, number } = doc.lineAt(selection.main.head);
		return { text, line: number };
	}

	replace(text: string): void {
		if (!replaceText(this.view, text)) return;
		this.#options.onChange();
		this.#options.onMove?.();
	}

	change(text: string): void {
		changeText(this.view, text);
	}

	goToLine(line: number, focus: boolean): void {
		goToLine(this.view, line, focus);
	}

	reveal(line: number, y: "nearest" | "start"): void {
		const { doc } = this.view.state;
		if (line > doc.lines) return;
		this.view.dispatch({
			effects: EditorView.scrollIntoView(doc.line(line).from, {
				y,
				yMargin: 60,
			}),
		});
	}

	redraw(): void {
		this.view.dispatch({ effects: marksChanged.of(null) });
	}
}
