/**
 * The text of an editor until CodeMirror is there, and for good where its file cannot be loaded: a textarea without marks, as typing,
 * selecting, searching, input methods and screen readers are the browser's there. editor-box.ts makes it, and the editor after the first
 * verdicts: CodeMirror in the page's first load was half of its bytes, and 260 ms of blocked time on Lighthouse's phone. What must hold:
 * nothing that was typed, selected or undone is lost when the editor comes (`handOver`), and that is one task, so that no key falls between.
 */
import { make } from "../page/dom.ts";
import type { TextOptions, TextView } from "./text-view.ts";

/** Characters that a textarea lays out in no time: 40,000 take 20 ms, 5 million 4 s. Longer texts are drawn by the editor alone. */
const LONGEST = 50_000;
/** Earlier texts that undo can bring back. */
const MOST_VERSIONS = 20;

/** All that the editor needs to go on where the textarea was left. */
export interface HandedOver {
	/** From the oldest to what is shown, each an edit of the one before. */
	readonly versions: readonly string[];
	readonly anchor: number;
	readonly head: number;
	/** The cursor is not where it was said to be last. */
	readonly isMoved: boolean;
	readonly hasFocus: boolean;
	readonly scrolled: number;
	/** What was to be brought into view. */
	readonly wanted: Wanted | undefined;
}

interface Wanted {
	readonly line: number;
	readonly y: "nearest" | "start";
}

export class PlainText implements TextView {
	readonly #options: TextOptions;
	readonly #want: () => void;
	readonly #field: HTMLTextAreaElement;
	readonly #versions: string[] = [];
	/** What is typed is one version, as long as nothing else changes the text. */
	#isTyped = false;
	#isComing = true;
	#wanted: Wanted | undefined;
	/** Where others know the cursor to be. */
	#knownAt = 0;
	#composed: Promise<void> | undefined;

	/** @param want Is called when the text is too long for a textarea. */
	constructor(
		place: HTMLElement,
		options: TextOptions,
		text: string,
		want: () => void,
	) {
		this.#options = options;
		this.#want = want;
		const field = make("textarea", {
			spellcheck: false,
			autocapitalize: "off",
			ariaLabel: options.label,
			placeholder: options.placeholder,
		});
		this.#field = field;
		field.addEventListener("beforeinput", () => {
			if (!this.#isTyped) this.#keepVersion();
			this.#isTyped = true;
		});
		field.addEventListener("input", () => this.#changed());
		field.addEventListener("selectionchange", () => {
			if (this.#head !== this.#knownAt) this.#tellMove();
		});
		field.addEventListener("scroll", () => {
			this.#wanted = undefined;
		});
		field.addEventListener("keydown", (event) => this.#undo(event));
		field.addEventListener("compositionstart", () => this.#compose());
		this.#set(text, 0);
		place.append(field);
	}

	get text(): string {
		return this.#field.value;
	}

	get length(): number {
		return this.#field.textLength;
	}

	get current(): { readonly text: string; readonly line: number } {
		const { text } = this;
		const before = text.slice(0, this.#head).split("\n");
		const from = this.#head - (before.at(-1)?.length ?? 0);
		const [line = ""] = text.slice(from).split("\n", 1);
		return { text: line, line: before.length };
	}

	replace(text: string): void {
		// As the editor takes the same text for no change.
		if (text === this.text && this.#head === 0) return;
		this.#edit(text, 0);
		this.reveal(1, "start");
	}

	change(text: string): void {
		this.#edit(text, this.#head);
	}

	goToLine(line: number, focus: boolean): void {
		const before = this.text.split("\n").slice(0, line - 1);
		const at = before.reduce((sum, { length }) => sum + length + 1, 0);
		this.#field.setSelectionRange(at, at);
		if (focus) this.#field.focus({ preventScroll: true });
		this.reveal(line, "nearest");
		this.#tellMove();
	}

	/** Left to the editor, which knows where a line is drawn; without one, lines are taken to be as high as a short one. */
	reveal(line: number, y: "nearest" | "start"): void {
		if (this.#isComing) {
			this.#wanted = { line, y };
			return;
		}
		const field = this.#field;
		const { lineHeight } = getComputedStyle(field);
		const height = Number.parseFloat(lineHeight);
		const top = (line - 1) * height;
		const isBelow = top + height > field.scrollTop + field.clientHeight;
		if (y === "start" || isBelow || top < field.scrollTop)
			field.scrollTop = top - 60;
	}

	/** Nothing is drawn but the text. */
	redraw(): void {}

	/** Until an input method has ended the word that it is at. */
	get composed(): Promise<void> | undefined {
		return this.#composed;
	}

	/** Ends the textarea: the editor takes its place in this task. Until that has the focus it is left there, or a phone's keyboard would close. */
	handOver(): HandedOver {
		const field = this.#field;
		const { selectionStart, selectionEnd, scrollTop } = field;
		const head = this.#head;
		return {
			versions: [...this.#versions, field.value],
			anchor: head === selectionEnd ? selectionStart : selectionEnd,
			head,
			isMoved: head !== this.#knownAt,
			hasFocus: document.activeElement === field,
			scrolled: scrollTop,
			wanted: this.#wanted,
		};
	}

	/** The editor cannot be loaded: the text is shown, however long it is. */
	stay(): void {
		this.#isComing = false;
		this.#field.classList.remove("long");
		const wanted = this.#wanted;
		this.#wanted = undefined;
		if (wanted) this.reveal(wanted.line, wanted.y);
	}

	/** The end of the selection that moves. */
	get #head(): number {
		const { selectionDirection, selectionStart, selectionEnd } = this.#field;
		return selectionDirection === "backward" ? selectionStart : selectionEnd;
	}

	#edit(text: string, at: number): void {
		this.#keepVersion();
		this.#isTyped = false;
		this.#set(text, at);
		this.#changed();
	}

	#set(text: string, at: number): void {
		const field = this.#field;
		const isLong = text.length > LONGEST;
		field.classList.toggle("long", isLong && this.#isComing);
		field.value = text;
		// Browsers put it at the end.
		field.setSelectionRange(at, at);
		if (isLong) this.#want();
	}

	#changed(): void {
		this.#wanted = undefined;
		this.#options.onChange();
		this.#tellMove();
	}

	#tellMove(): void {
		this.#knownAt = this.#head;
		this.#options.onMove?.();
	}

	#keepVersion(): void {
		this.#versions.push(this.text);
		if (this.#versions.length > MOST_VERSIONS) this.#versions.shift();
	}

	/** The browser takes back what was typed. A text that was set has taken its history away, and is taken back here. */
	#undo(event: KeyboardEvent): void {
		const { key, ctrlKey, metaKey, shiftKey, altKey } = event;
		if (key !== "z" || !(ctrlKey || metaKey) || shiftKey || altKey) return;
		if (this.#isTyped && this.text !== this.#versions.at(-1)) return;
		event.preventDefault();
		if (this.#isTyped) this.#versions.pop();
		this.#isTyped = false;
		const text = this.#versions.pop();
		if (text === undefined) return;
		this.#set(text, this.#head);
		this.#changed();
	}

	#compose(): void {
		this.#composed ??= new Promise((resolve) => {
			this.#field.addEventListener(
				"compositionend",
				() => {
					this.#composed = undefined;
					// The input event of the last word comes after this one.
					setTimeout(resolve);
				},
				{ once: true },
			);
		});
	}
}
