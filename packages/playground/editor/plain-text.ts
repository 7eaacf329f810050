/**
 * What stands in an editor's place until somebody goes to it: the first lines, drawn as CodeMirror would draw them, and over them a field
 * that nobody sees and that has the focus, the keys, the input methods and the screen readers. editor-box.ts makes it, and the editor when
 * it is wanted. CodeMirror was half of the page's first load, and 260 ms of blocked time on Lighthouse's phone. What must hold: nothing
 * that was typed, marked or undone is lost when the editor comes (`handOver`), and that is one task, so that no key falls between.
 */
import { make } from "../page/dom.ts";
import {
	editorRoot,
	type LinePart,
	labelElement,
	marginElement,
	type TextOptions,
	type TextView,
} from "./text-view.ts";

/** Lines that are drawn at most. Beyond them somebody wants the editor. */
const MOST_LINES = 80;
/**
 * Lines that an editor shows: it has up to 58% of the window, and a line 20 pixels; on a phone 46% and 25 (style.css, editor.css). On
 * Lighthouse's phone 18 lines in place of 26 took an eighth of the CPU time of the page's start.
 */
const linesInView = () =>
	Math.max(12, Math.ceil(innerHeight / (innerWidth > 640 ? 32 : 48)));
/** Characters of a line that are drawn. */
const MOST_OF_LINE = 2000;
/** Characters for which the field and the drawing serve. Longer texts wait for the editor. */
const LONGEST = 50_000;
/** Earlier texts that undo can bring back. */
const MOST_VERSIONS = 20;

const MODIFIERS = new Set(["Control", "Meta", "Shift", "Alt"]);

/** All that the editor needs to go on where the field was left. */
export interface HandedOver {
	/** From the oldest to what is shown, each an edit of the one before. */
	readonly versions: readonly string[];
	readonly anchor: number;
	readonly head: number;
	readonly hasFocus: boolean;
	/** Where somebody pressed last, if they have not typed since. */
	readonly pressed: { readonly x: number; readonly y: number } | undefined;
	/** The cursor is not where it was said to be last. */
	readonly isMoved: boolean;
	readonly scrolled: number;
	/** The key for search was pressed. */
	readonly isSearch: boolean;
	/** A line that could not be brought into view, and whether the cursor belongs there. */
	readonly wanted: Wanted | undefined;
}

interface Wanted {
	readonly line: number;
	readonly y: "nearest" | "start";
	readonly isCursor: boolean;
}

export class PlainText implements TextView {
	readonly #options: TextOptions;
	readonly #want: () => void;
	readonly #element = make("div", { className: "plain cm-editor" });
	readonly #scroller = make("div", { className: "cm-scroller" });
	readonly #content = make("div", { className: "cm-content" });
	readonly #field = make("textarea", { spellcheck: false });
	#text = "";
	readonly #versions: string[] = [];
	/** What is typed is one version, as long as nothing else changes the text. */
	#isTyped = false;
	#isDrawn = true;
	#pressed: HandedOver["pressed"];
	#wanted: Wanted | undefined;
	#isSearch = false;
	#drawn = linesInView();
	/** Until then the layout need not be asked for, which at the page's start is not made yet. */
	#isScrolled = false;
	/** Where this class has scrolled to. */
	#scrolledTo = 0;
	/** Where others know the cursor to be. */
	#knownAt = 0;
	#composed: Promise<void> | undefined;

	/** @param want Is called when the editor is wanted, each time. */
	constructor(
		place: HTMLElement,
		options: TextOptions,
		text: string,
		want: () => void,
	) {
		this.#options = options;
		this.#want = want;
		const field = this.#field;
		field.setAttribute("aria-label", options.label);
		field.setAttribute("autocapitalize", "off");
		field.placeholder = options.placeholder;
		field.addEventListener("focus", want);
		field.addEventListener("input", () => this.#typed());
		field.addEventListener("compositionstart", () => this.#compose());
		for (const type of ["pointerenter", "pointerdown", "dragenter"])
			this.#element.addEventListener(type, want);
		// Firefox lets scrollers have the focus, and this one comes before the field.
		this.#scroller.tabIndex = -1;
		this.#scroller.addEventListener("focus", () =>
			field.focus({ preventScroll: true }),
		);
		this.#scroller.addEventListener("scroll", () => {
			this.#isScrolled = true;
			if (this.#scroller.scrollTop !== this.#scrolledTo) want();
		});
		field.addEventListener("keydown", (event) => this.#press(event));
		this.#element.addEventListener("mousedown", (event) => this.#point(event));
		// More lines may be in view then.
		addEventListener("resize", want, { once: true });
		this.#scroller.append(this.#content, field);
		this.#element.append(this.#scroller);
		editorRoot(place).append(this.#element);
		this.#set(text);
		// Chromium puts it at the end; then the same text that is set again would be an edit, drawn and judged twice at the page's start.
		field.setSelectionRange(0, 0);
	}

	get text(): string {
		return this.#text;
	}

	get length(): number {
		return this.#text.length;
	}

	get current(): { readonly text: string; readonly line: number } {
		const at = this.#at;
		const from = at === 0 ? 0 : this.#text.lastIndexOf("\n", at - 1) + 1;
		const end = this.#text.indexOf("\n", at);
		return {
			text: this.#text.slice(from, end < 0 ? undefined : end),
			line: at === 0 ? 1 : this.#text.slice(0, from).split("\n").length,
		};
	}

	replace(text: string): void {
		// As the editor takes the same text for no change.
		if (text !== this.#text || this.#at > 0) this.#edit(text, 0);
	}

	change(text: string): void {
		this.#edit(text, Math.min(this.#at, text.length));
	}

	goToLine(line: number, focus: boolean): void {
		let at = 0;
		for (let next = 1; next < line; next++) {
			const end = this.#text.indexOf("\n", at);
			if (end < 0) break;
			at = end + 1;
		}
		this.#field.setSelectionRange(at, at);
		this.#pressed = undefined;
		this.#show({ line, y: "nearest", isCursor: true });
		this.#tellMove();
		if (focus) this.#field.focus({ preventScroll: true });
	}

	reveal(line: number, y: "nearest" | "start"): void {
		this.#show({ line, y, isCursor: false });
	}

	#show(wanted: Wanted): void {
		const { line, y } = wanted;
		this.#drawn = Math.min(MOST_LINES, Math.max(this.#drawn, line + 8));
		this.#isDrawn = false;
		this.#draw();
		this.#wanted = undefined;
		const row =
			this.#content.querySelectorAll<HTMLElement>(".cm-line")[line - 1];
		if (!row || this.#isLong) {
			this.#wanted = wanted;
			this.#want();
			return;
		}
		const box = this.#scroller.getBoundingClientRect();
		const { top, bottom } = row.getBoundingClientRect();
		// Not scrollIntoView, which would move the page as well.
		const margin = 60;
		const { scrollTop } = this.#scroller;
		if (y === "start" || top < box.top)
			this.#scrollTo(scrollTop + top - box.top - margin);
		else if (bottom > box.bottom)
			this.#scrollTo(scrollTop + bottom - box.bottom + margin);
	}

	#scrollTo(top: number): void {
		this.#isScrolled = true;
		this.#scroller.scrollTop = top;
		// Within its bounds, and before the event.
		this.#scrolledTo = this.#scroller.scrollTop;
	}

	/** One drawing for all that changes in a task. */
	redraw(): void {
		if (!this.#isDrawn) return;
		this.#isDrawn = false;
		queueMicrotask(() => this.#draw());
	}

	/** Until an input method has ended the word that it is at. */
	get composed(): Promise<void> | undefined {
		return this.#composed;
	}

	/** Ends the field: the editor takes its place in this task. */
	handOver(): HandedOver {
		const field = this.#field;
		const hasFocus = this.#isFocused;
		const { scrollTop } = this.#scroller;
		// Nothing is drawn any more.
		this.#isDrawn = true;
		this.#element.remove();
		const backward = field.selectionDirection === "backward";
		const { selectionStart: from, selectionEnd: to } = field;
		return {
			versions: [...this.#versions, this.#text],
			anchor: this.#isLong ? 0 : backward ? to : from,
			head: this.#isLong ? 0 : backward ? from : to,
			hasFocus,
			pressed: this.#pressed,
			isSearch: this.#isSearch,
			isMoved: this.#at !== this.#knownAt,
			wanted: this.#wanted,
			scrolled: scrollTop,
		};
	}

	/** Where the editor cannot be loaded, the field itself is shown: it lacks marks, and no letter. */
	showField(): void {
		this.#field.readOnly = false;
		this.#field.value = this.#text;
		this.#element.classList.add("field-only");
	}

	get #at(): number {
		return this.#isLong ? 0 : this.#field.selectionStart;
	}

	get #isLong(): boolean {
		return this.#text.length > LONGEST;
	}

	get #isFocused(): boolean {
		const root = this.#element.getRootNode();
		return root instanceof ShadowRoot && root.activeElement === this.#field;
	}

	#set(text: string): void {
		this.#text = text.replace(/\r\n?/g, "\n");
		const isLong = this.#isLong;
		this.#field.readOnly = isLong;
		// Of megabytes its layout takes seconds.
		this.#field.value = isLong ? "" : this.#text;
		if (isLong) this.#want();
		this.redraw();
	}

	#edit(text: string, at: number): void {
		this.#keepVersion();
		this.#isTyped = false;
		this.#set(text);
		this.#moveTo(at);
		if (at === 0 && this.#isScrolled) this.#scrollTo(0);
		this.#options.onChange();
		this.#tellMove();
	}

	#tellMove(): void {
		this.#knownAt = this.#at;
		this.#options.onMove?.();
	}

	#keepVersion(): void {
		this.#versions.push(this.#text);
		if (this.#versions.length > MOST_VERSIONS) this.#versions.shift();
	}

	#typed(): void {
		if (!this.#isTyped) this.#keepVersion();
		this.#isTyped = true;
		this.#pressed = undefined;
		this.#wanted = undefined;
		this.#text = this.#field.value;
		this.redraw();
		this.#options.onChange();
		this.#tellMove();
	}

	/** Keys that would ask the browser for what only the editor knows. */
	#press(event: KeyboardEvent): void {
		const { key, ctrlKey, metaKey, shiftKey, altKey } = event;
		// It may move the cursor from where somebody pressed.
		if (!MODIFIERS.has(key)) this.#pressed = undefined;
		if (!(ctrlKey || metaKey) || shiftKey || altKey) return;
		if (key === "f") this.#isSearch = true;
		else if (key === "z") this.#undo();
		else return;
		event.preventDefault();
		this.#want();
	}

	/** A text that was set has taken the field's own history away. */
	#undo(): void {
		const text = this.#versions.pop();
		if (text === undefined) return;
		this.#isTyped = false;
		const at = Math.min(this.#at, text.length);
		this.#set(text);
		this.#moveTo(at);
		this.#options.onChange();
		this.#tellMove();
	}

	#moveTo(at: number): void {
		this.#field.setSelectionRange(at, at);
		this.#pressed = undefined;
		this.#wanted = undefined;
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

	/** Puts the cursor near to where somebody presses. The editor, which knows the letter, corrects that. */
	#point(event: MouseEvent): void {
		if (this.#element.classList.contains("field-only")) return;
		const target = event.target as Element;
		const row = target.closest(".cm-line, .finding, .plain-number");
		const rows = Array.from(this.#content.querySelectorAll(".cm-line"));
		const line = rows.findIndex((one) => one.parentElement?.contains(row)) + 1;
		// Else the browser takes the focus away again.
		event.preventDefault();
		if (line > 0 && target.closest(".finding")) {
			this.#options.margin?.onClick(line);
			return;
		}
		this.#field.focus({ preventScroll: true });
		const all = this.#text.split("\n");
		const end = all.slice(0, line > 0 ? line : undefined).join("\n").length;
		this.#field.setSelectionRange(end, end);
		this.#wanted = undefined;
		this.#pressed = { x: event.clientX, y: event.clientY };
	}

	#draw(): void {
		if (this.#isDrawn) return;
		this.#isDrawn = true;
		const rows: HTMLElement[] = [this.#cells("filler")];
		let from = 0;
		while (rows.length <= this.#drawn && from <= this.#text.length) {
			const found = this.#text.indexOf("\n", from);
			const end = found < 0 ? this.#text.length : found;
			rows.push(this.#row(rows.length, this.#text.slice(from, end)));
			from = end + 1;
		}
		const count = rows.length - 1;
		rows.push(this.#cells("filler"));
		// The rest has its place, so that the scroll bar tells how much there is.
		const left =
			this.#isLong || from > this.#text.length
				? 0
				: this.#text.slice(from).split("\n").length;
		const { style } = this.#content;
		style.setProperty("--digits", String(`${count + left}`.length));
		style.setProperty("--left", String(left));
		// Most rows stay as they are, and a row that is replaced costs a layout.
		const { children } = this.#content;
		rows.forEach((row, at) => {
			const old = children[at];
			if (!old) this.#content.append(row);
			else if (!old.isEqualNode(row)) old.replaceWith(row);
		});
		while (children.length > rows.length) children[rows.length]?.remove();
	}

	#row(line: number, whole: string): HTMLElement {
		const text = whole.slice(0, MOST_OF_LINE);
		const mark = this.#options.markOf(line, whole);
		const place = make("div", {
			className: `cm-line ${mark?.className ?? ""}`,
		});
		const label = mark?.label && labelElement(mark.label);
		if (mark?.label?.side === "before" && label) place.append(label);
		if (this.#text === "")
			place.append(
				make("span", {
					className: "cm-placeholder",
					textContent: this.#options.placeholder,
				}),
			);
		else place.append(...coloured(text, mark?.parts ?? []));
		if (mark?.label?.side === "after" && label) place.append(label);
		const margin = this.#options.margin?.markOf(line);
		return this.#cells("", margin && marginElement(margin), place);
	}

	/** A row: margin, where there is one, number, text. */
	#cells(
		className: string,
		mark?: HTMLElement,
		text: HTMLElement = make("div"),
	): HTMLElement {
		const margin = make("div", { className: "plain-margin" });
		if (mark) margin.append(mark);
		return make(
			"div",
			{ className: `plain-row ${className}` },
			...(this.#options.margin ? [margin] : []),
			make("div", { className: "plain-number" }),
			text,
		);
	}
}

function coloured(
	text: string,
	parts: readonly LinePart[],
): readonly (Node | string)[] {
	const nodes: (Node | string)[] = [];
	let at = 0;
	for (const { from, to, className } of [...parts].sort(
		(a, b) => a.from - b.from,
	)) {
		nodes.push(
			text.slice(at, from),
			make("span", { className, textContent: text.slice(from, to) }),
		);
		at = to;
	}
	nodes.push(text.slice(at));
	// An empty line is as high as others.
	return text === "" ? [make("br")] : nodes;
}
