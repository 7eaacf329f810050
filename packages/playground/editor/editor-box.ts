/**
 * An editor of the Test or Compare pane: a textarea until the first verdicts are drawn, then CodeMirror. robots-editor.ts and urls-editor.ts
 * make it. Whoever asks it for a text or for marks need not know which of the two there is.
 */
import { pause } from "../page/dom.ts";
import { part } from "../page/part.ts";
import { PlainText } from "./plain-text.ts";
import type { TextEditor } from "./text-editor.ts";
import type { TextOptions, TextView } from "./text-view.ts";

export class EditorBox implements TextView {
	readonly #place: HTMLElement;
	readonly #options: TextOptions;
	#shown: TextView;

	/** @param Editor Where it is loaded already, there need be no plain text first. */
	constructor(
		place: HTMLElement,
		options: TextOptions,
		text: string,
		Editor?: typeof TextEditor,
	) {
		this.#place = place;
		this.#options = options;
		this.#shown = Editor
			? new Editor(place, options, text)
			: new PlainText(place, options, text, () => this.loadSoon());
	}

	/** Makes the editor, if there is none yet. @throws {Error} when its code cannot be loaded. */
	readonly load = part(async (): Promise<TextEditor> => {
		const { TextEditor: Editor } = await import("./text-editor.ts");
		// A task for each editor: both wait for the same file.
		await pause();
		const plain = this.#shown;
		if (!(plain instanceof PlainText)) return plain as TextEditor;
		while (plain.composed) await plain.composed;
		const editor = new Editor(this.#place, this.#options, plain.handOver());
		this.#place.replaceChildren();
		this.#shown = editor;
		return editor;
	});

	/** As `load`, but where that fails, the textarea stays, and serves. */
	loadSoon(): void {
		this.load().catch(() => {
			if (this.#shown instanceof PlainText) this.#shown.stay();
		});
	}

	get text(): string {
		return this.#shown.text;
	}

	get length(): number {
		return this.#shown.length;
	}

	get current(): TextView["current"] {
		return this.#shown.current;
	}

	replace(text: string): void {
		this.#shown.replace(text);
	}

	change(text: string): void {
		this.#shown.change(text);
	}

	goToLine(line: number, focus = true): void {
		this.#shown.goToLine(line, focus);
	}

	reveal(line: number, y: "nearest" | "start"): void {
		this.#shown.reveal(line, y);
	}

	redraw(): void {
		this.#shown.redraw();
	}
}
