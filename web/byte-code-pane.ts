import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type { Asker } from "./asker.ts";
import { byId, counted, delayed, make } from "./dom.ts";
import { createEditor, marksChanged, replaceText } from "./editor.ts";
import { type LineMark, lineMarks } from "./line-marks.ts";
import type { Listing, Trace } from "./messages.ts";

/** What the pane needs of the page. */
interface Page {
	readonly judge: Asker;
	readonly notify: (text: string) => void;
}

/** The chosen crawler's program beside its rules, and a path's way through it. */
export class ByteCodePane {
	readonly #page: Page;
	readonly #rules: EditorView;
	readonly #program: EditorView;
	readonly #url = byId<HTMLInputElement>("step-url");
	readonly #range = byId<HTMLInputElement>("step-range");
	#listing: Listing = { rules: [], instructions: [], size: 0 };
	#trace: Trace | undefined;
	/** By offset: the index of an instruction. */
	#byOffset = new Map<number, number>();
	/** Offsets of instructions that the shown steps have run. */
	#passed = new Set<number>();
	#step = 0;
	/** The line of robots.txt that is pointed at, 0 for none. */
	#line = 0;

	constructor(page: Page) {
		this.#page = page;
		this.#rules = readOnlyView(
			"rules-view",
			"Rules of the crawler",
			(index) => this.#markOfRule(index),
			(index) => this.#point(this.#listing.rules[index]?.line ?? 0, "rules"),
		);
		this.#program = readOnlyView(
			"program-view",
			"Program",
			(index) => this.#markOfInstruction(index),
			(index) =>
				this.#point(this.#listing.instructions[index]?.line ?? 0, "program"),
		);
		const trace = delayed(() => this.#orNotify(() => this.#takePath()), 80);
		this.#url.addEventListener("input", trace);
		this.#range.addEventListener("input", () =>
			this.#goTo(this.#range.valueAsNumber),
		);
		const onClick = (id: string, target: () => number) =>
			byId(id).addEventListener("click", () => this.#goTo(target()));
		onClick("step-first", () => 0);
		onClick("step-back", () => this.#step - 1);
		onClick("step-forward", () => this.#step + 1);
		onClick("step-last", () => this.#lastStep);
	}

	/** Shows the program of the present crawler; a URL takes the place of the one that is stepped through. */
	async show(url?: string): Promise<void> {
		if (url !== undefined && url !== "") this.#url.value = url;
		if (this.#url.value === "") this.#url.value = "/";
		await this.#orNotify(async () => {
			const listing = await this.#page.judge.ask("listing");
			if (!listing) return;
			this.#showListing(listing);
			await this.#takePath();
		});
	}

	async #orNotify(run: () => Promise<void>): Promise<void> {
		try {
			await run();
		} catch (error) {
			this.#page.notify(error instanceof Error ? error.message : String(error));
		}
	}

	get #lastStep(): number {
		return this.#trace?.steps.length ?? 0;
	}

	#showListing(listing: Listing): void {
		this.#listing = listing;
		this.#byOffset = new Map(
			listing.instructions.map(({ offset }, index) => [offset, index]),
		);
		this.#line = 0;
		const { rules, instructions, size } = listing;
		replaceText(
			this.#rules,
			rules.length === 0
				? "no rules"
				: rules
						.map(
							({ line, type, pattern }) =>
								`${String(line).padStart(5)}  ${type}: ${pattern}`,
						)
						.join("\n"),
		);
		replaceText(this.#program, instructions.map(({ text }) => text).join("\n"));
		byId("rules-size").textContent =
			`${counted(rules.length, "rule")}, with their lines; point at one to see its instructions`;
		byId("program-size").textContent = `${counted(size, "byte")}, ${counted(
			instructions.filter(({ offset }) => offset >= 0).length,
			"instruction",
		)}`;
	}

	async #takePath(): Promise<void> {
		const trace = await this.#page.judge.ask("trace", {
			url: this.#url.value,
		});
		if (!trace) return;
		this.#trace = trace;
		this.#range.max = String(trace.steps.length);
		this.#goTo(0);
	}

	#goTo(step: number): void {
		this.#step = Math.max(0, Math.min(step, this.#lastStep));
		this.#range.value = String(this.#step);
		const steps = this.#trace?.steps ?? [];
		this.#passed = new Set(
			steps.slice(0, this.#step).map(({ offset }) => offset),
		);
		this.#allow(["step-first", "step-back"], this.#step > 0);
		this.#allow(["step-forward", "step-last"], this.#step < this.#lastStep);
		this.#showState();
		this.#redraw();
		const index = this.#byOffset.get(steps[this.#step]?.offset ?? -2);
		if (index !== undefined) reveal(this.#program, index);
	}

	/** A button that is disabled loses the focus, which then goes to the way back. */
	#allow(ids: readonly string[], isAllowed: boolean): void {
		const hadFocus = ids.includes(document.activeElement?.id ?? "");
		for (const id of ids) byId<HTMLButtonElement>(id).disabled = !isAllowed;
		if (hadFocus && !isAllowed)
			queueMicrotask(() =>
				byId(this.#step === 0 ? "step-forward" : "step-back").focus(),
			);
	}

	#showState(): void {
		const trace = this.#trace;
		if (!trace) return;
		const current = trace.steps[this.#step];
		const best = current ? current.best : trace.rank;
		const where = current
			? `Step ${this.#step + 1} of ${trace.steps.length}${trace.more ? " and more" : ""}: the instruction at ${current.offset}.`
			: trace.verdict === "invalid"
				? "This is not a URL: no instruction runs."
				: trace.steps.length === 0
					? "The heads know no instruction for a path that begins so: none runs."
					: "All steps are done.";
		const verdict = make("span", {
			className: `chip ${trace.verdict}`,
			textContent: trace.verdict,
		});
		byId("step-state").replaceChildren(
			make("p", { className: "path" }, ...this.#pathParts()),
			make(
				"p",
				{},
				`${where} ${best === 0 ? "No rule matches so far." : `Best rule so far: #${best}${this.#ruleText(best)}.`} `,
				...(current ? [] : [verdict]),
			),
		);
	}

	/** The path: what is behind, the byte that comes next, the rest. */
	#pathParts(): Node[] {
		const trace = this.#trace;
		if (!trace) return [];
		const bytes = new TextEncoder().encode(trace.path);
		const at = trace.steps[this.#step]?.at ?? bytes.length;
		const text = (from: number, to?: number) =>
			new TextDecoder().decode(bytes.subarray(from, to));
		return [
			make("mark", { textContent: text(0, at) }),
			make("span", {
				className: at < bytes.length ? "next" : "",
				textContent: text(at, at + 1),
			}),
			make("span", { textContent: text(at + 1) }),
		];
	}

	#ruleText(rank: number): string {
		const rule = this.#listing.rules.find((one) => one.rank === rank);
		return rule ? `, line ${rule.line}` : "";
	}

	/** Marks what belongs to a line of robots.txt, and brings it into view on the other side. */
	#point(line: number, from: "rules" | "program"): void {
		if (line === this.#line) return;
		this.#line = line;
		this.#redraw();
		if (line === 0) return;
		const index = (
			from === "rules" ? this.#listing.instructions : this.#listing.rules
		).findIndex((one) => one.line === line);
		if (index >= 0)
			reveal(from === "rules" ? this.#program : this.#rules, index);
	}

	#markOfRule(index: number): LineMark | undefined {
		const { line } = this.#listing.rules[index] ?? { line: 0 };
		return line !== 0 && line === this.#line
			? { className: "of-rule" }
			: undefined;
	}

	#markOfInstruction(index: number): LineMark | undefined {
		const { offset = -1, line = 0 } = this.#listing.instructions[index] ?? {};
		if (offset >= 0 && offset === this.#trace?.steps[this.#step]?.offset)
			return {
				className: "at-step",
				label: {
					side: "after",
					symbol: "◀",
					text: " next",
					className: "step-label",
				},
			};
		if (line !== 0 && line === this.#line) return { className: "of-rule" };
		return this.#passed.has(offset) ? { className: "passed" } : undefined;
	}

	#redraw(): void {
		for (const view of [this.#rules, this.#program])
			view.dispatch({ effects: marksChanged.of(null) });
	}
}

/** A text to look at; `onPoint` is told of the line under the pointer or at the cursor, from 0. */
function readOnlyView(
	id: string,
	label: string,
	markOf: (index: number) => LineMark | undefined,
	onPoint: (index: number) => void,
): EditorView {
	return createEditor(byId(id), label, [
		EditorState.readOnly.of(true),
		lineMarks((line) => markOf(line - 1)),
		EditorView.updateListener.of(({ selectionSet, docChanged, state }) => {
			if (!selectionSet || docChanged) return;
			// Marks are drawn by another update, which cannot begin during this one.
			queueMicrotask(() =>
				onPoint(state.doc.lineAt(state.selection.main.head).number - 1),
			);
		}),
		EditorView.domEventHandlers({
			mousemove: ({ clientX: x, clientY: y }, view) => {
				const position = view.posAtCoords({ x, y }, false);
				onPoint(view.state.doc.lineAt(position).number - 1);
			},
		}),
	]);
}

function reveal(view: EditorView, index: number): void {
	const { doc } = view.state;
	if (index >= doc.lines) return;
	view.dispatch({
		effects: EditorView.scrollIntoView(doc.line(index + 1).from, {
			y: "nearest",
			yMargin: 40,
		}),
	});
}
