/**
 * The editor for URLs, a line each, with their verdicts as bytes (`Judgement.marks`), one for each line. While a newer answer is under way
 * the marks belong to the lines as they were: the Test pane shows them as stale, and what acts on a mark looks at the line's text as well.
 */
import type { ChangeSpec } from "@codemirror/state";
import {
	BLANK,
	DIFFERS,
	type Judgement,
	type VerdictKind,
	verdictName,
} from "../page/messages.ts";
import { proposalFor } from "../page/url-text.ts";
import { EditorBox } from "./editor-box.ts";
import type { LineMark } from "./text-view.ts";

export const verdictSymbols = {
	allowed: "✓",
	disallowed: "✕",
	invalid: "?",
	differing: "≠",
} as const;

/** URLs, a line each, with their verdicts in front. */
export class UrlsEditor {
	readonly #box: EditorBox;
	#marks: Judgement["marks"] = new Uint8Array(0);

	constructor(
		place: HTMLElement,
		events: { readonly onChange: () => void; readonly onMove: () => void },
		text: string,
	) {
		this.#box = new EditorBox(
			place,
			{
				label: "URLs, one a line",
				placeholder: "Paste URLs, one per line, or drop a list here",
				markOf: (line, text) => (text === "" ? undefined : this.#markOf(line)),
				...events,
			},
			text,
		);
	}

	get text(): string {
		return this.#box.text;
	}

	/** Puts a text in place of all that was there. */
	setText(text: string): void {
		this.#box.replace(text);
	}

	/** CodeMirror takes the textarea's place, once its code is there. */
	loadEditor(): void {
		this.#box.loadSoon();
	}

	/** Characters. */
	get length(): number {
		return this.#box.length;
	}

	/** The URL at the cursor, and its line. */
	get current(): { readonly url: string; readonly line: number } {
		const { text, line } = this.#box.current;
		return { url: text, line };
	}

	/**
	 * Puts what was probably meant in the place of the line at the cursor, or of all lines that are no URLs.
	 * @throws {Error} when the editor cannot be loaded.
	 */
	async correct(isWhole: boolean): Promise<void> {
		const { view } = await this.#box.load();
		const { doc, selection } = view.state;
		const own = doc.lineAt(selection.main.head).number;
		const first = isWhole ? 1 : own;
		const last = isWhole ? doc.lines : own;
		const changes: ChangeSpec[] = [];
		for (let number = first; number <= last; number++) {
			if (number !== own && !this.#isInvalid(number)) continue;
			const { from, to, text } = doc.line(number);
			const insert = proposalFor(text);
			if (insert !== undefined) changes.push({ from, to, insert });
		}
		// One transaction, so that one undo takes back all of them.
		view.dispatch({ changes });
		view.focus();
	}

	#isInvalid(line: number): boolean {
		const mark = this.#marks[line - 1] ?? BLANK;
		return mark !== BLANK && verdictName(mark & ~DIFFERS) === "invalid";
	}

	showMarks(marks: Judgement["marks"]): void {
		this.#marks = marks;
		this.#box.redraw();
	}

	/** Moves to the next line of a kind, from the top when none follows. */
	goToNext(kind: VerdictKind): void {
		const marks = this.#marks;
		const { line } = this.current;
		// `line` counts from 1 and indexes from 0, so it is that of the line after the cursor's.
		for (let step = 0; step < marks.length; step++) {
			const index = (line + step) % marks.length;
			const mark = marks[index] ?? BLANK;
			if (mark === BLANK) continue;
			const is =
				kind === "differing"
					? (mark & DIFFERS) !== 0
					: verdictName(mark & ~DIFFERS) === kind;
			if (is) {
				// The focus stays on the button, which leads to the one after that.
				this.#box.goToLine(index + 1, false);
				return;
			}
		}
	}

	#markOf(line: number): LineMark | undefined {
		const mark = this.#marks[line - 1] ?? BLANK;
		if (mark === BLANK) return undefined;
		const name = verdictName(mark & ~DIFFERS);
		const differs = (mark & DIFFERS) !== 0;
		return {
			label: {
				side: "before",
				symbol:
					verdictSymbols[name] + (differs ? verdictSymbols.differing : ""),
				text: name,
				...(differs ? { also: ", dialects differ" } : {}),
				className: `verdict ${name}${differs ? " differing" : ""}`,
			},
		};
	}
}
