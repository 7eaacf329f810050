/**
 * The Byte-code pane: a crawler's rules, its program and a path's way through it, in which pointing at one shows what belongs to it in the
 * others. main.ts loads it when it is opened; a worker makes the listing and the trace, pointing.ts joins them. What must hold: trace and
 * listing are of the same program, as steps find their instructions by offset.
 */
import "./byte-code.css";
import type { EditorView } from "@codemirror/view";
import { marksChanged, replaceText } from "../../editor/editor.ts";
import { readOnlyView, reveal } from "../../editor/read-only-view.ts";
import type { Label, LineMark } from "../../editor/text-view.ts";
import type { Asker } from "../../page/asker.ts";
import { byId, counted, delayed, fillPane, make } from "../../page/dom.ts";
import type { Instruction, Listing, Trace } from "../../page/messages.ts";
import {
	type InstructionKind,
	kindOf,
	kindWords,
	nameOf,
	wordsOf,
} from "./instruction.ts";
import { JumpTableView } from "./jump-table-view.ts";
import markup from "./pane-byte-code.html?raw";
import { PathView } from "./path-view.ts";
import { NOTHING, type Pointed, Pointing } from "./pointing.ts";
import { drawTree, MOST_RULES, markTree } from "./tree-view.ts";

// Before the class: its fields are elements of it.
fillPane("byte-code", markup);

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
	readonly #tables: JumpTableView;
	#listing: Listing = {
		...{ rules: [], ranks: 0, instructions: [], tables: [], size: 0 },
	};
	#trace: Trace | undefined;
	/** By offset: the index of an instruction. */
	#byOffset = new Map<number, number>();
	/** Indexes of the instructions that have their words beside them: the first of those that say the same. */
	#worded: ReadonlySet<number> = new Set();
	/** Offsets of instructions that the shown steps have run. */
	#passed = new Set<number>();
	#step = 0;
	readonly #path: PathView;
	#pointing: Pointing | undefined;
	#pointed: Pointed = NOTHING;

	constructor(page: Page) {
		this.#page = page;
		this.#rules = readOnlyView(
			"rules-view",
			"Rules of the crawler",
			(index) => this.#markOfRule(index),
			(index) => this.#pointAtRule(this.#listing.rules[index]?.line ?? 0),
		);
		this.#program = readOnlyView(
			"program-view",
			"Program",
			(index) => this.#markOfInstruction(index),
			(index) => this.#pointAtInstruction(this.#listing.instructions[index]),
		);
		this.#path = new PathView(byId("step-path"), (byte) =>
			this.#pointAtByte(byte),
		);
		this.#tables = new JumpTableView(byId("jump-tables"), {
			onCode: ({ from, to }, words) => this.#pointAtCode(from, to, words),
			onRule: (line) => this.#pointAtRule(line),
		});
		byId("kinds").replaceChildren(
			...Object.entries(kindWords).map(([kind, words]) =>
				make("span", { className: `kind-${kind}`, textContent: words }),
			),
		);
		// As a page of the documentation, it is beside how the engine works.
		byId("byte-code-docs").hidden = !document.querySelector(".docs");
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

	/** Shows the program of the present crawler. */
	async show(): Promise<void> {
		if (this.#url.value === "") this.#url.value = "/";
		await this.#orNotify(async () => {
			const listing = await this.#page.judge.ask("listing");
			if (!listing) return;
			this.#showListing(listing);
			// After the listing: the steps' offsets are looked up in it.
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
		const firsts = new Map<string, number>();
		listing.instructions.forEach((one, index) => {
			const words = one.offset < 0 ? "" : wordsOf(one);
			if (!firsts.has(words)) firsts.set(words, index);
		});
		this.#worded = new Set(firsts.values());
		this.#pointed = NOTHING;
		const { rules, ranks, instructions, size } = listing;
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
		replaceText(this.#program, instructions.map(shownText).join("\n"));
		byId("rules-size").textContent =
			`${counted(rules.length, "rule")}${ranks > rules.length ? ", and that /robots.txt itself is allowed" : ""}; point at one to see its instructions`;
		byId("program-size").textContent = `${counted(size, "byte")}, ${counted(
			instructions.filter(({ offset }) => offset >= 0).length,
			"instruction",
		)}`;
		this.#tables.draw(listing);
		byId("rule-tree").replaceChildren(
			rules.length > MOST_RULES
				? `Drawn for up to ${MOST_RULES} rules; here are ${rules.length.toLocaleString("en")}.`
				: rules.length === 0
					? "No rules."
					: drawTree(rules, (line) => this.#pointAtRule(line)),
		);
	}

	async #takePath(): Promise<void> {
		const trace = await this.#page.judge.ask("trace", {
			url: this.#url.value,
		});
		if (!trace) return;
		// The path that is typed while the pane opens is asked about twice: who has stepped on after the first answer stays there.
		const isSame = JSON.stringify(trace) === JSON.stringify(this.#trace);
		this.#trace = trace;
		// Anew with each trace, which it joins with the listing.
		this.#pointing = new Pointing(this.#listing.instructions, trace, (offset) =>
			this.#instructionAt(offset),
		);
		this.#pointed = NOTHING;
		this.#tables.showWay(trace);
		this.#range.max = String(trace.steps.length);
		this.#goTo(isSame ? this.#step : 0);
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
		this.#redraw();
		// Remarks have the offset -1; -2 is that of no line.
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

	#instructionAt(offset: number): Instruction | undefined {
		return this.#listing.instructions[this.#byOffset.get(offset) ?? -1];
	}

	/** The rank of the best rule so far. */
	get #best(): number {
		// A step holds the best rank before it ran; after the last one the verdict's counts.
		const { steps = [], rank = 0 } = this.#trace ?? {};
		return steps[this.#step]?.best ?? rank;
	}

	#ruleOf(rank: number): Listing["rules"][number] | undefined {
		return this.#listing.rules.find((one) => one.rank === rank);
	}

	#showState(trace: Trace): void {
		const current = trace.steps[this.#step];
		const rule = this.#ruleOf(this.#best);
		const best = !rule
			? "No rule matches so far."
			: `${current ? "Best rule so far" : "Deciding rule"}: #${rule.rank}${rule.line === 0 ? "" : `, line ${rule.line}`}.`;
		byId("step-state").replaceChildren(
			make(
				"p",
				{},
				`${this.#stepText(trace)} ${best} `,
				...(current
					? []
					: [
							make("span", {
								className: `chip ${trace.verdict}`,
								textContent: trace.verdict,
							}),
						]),
			),
		);
		byId("byte-words").textContent = this.#pointed.words;
	}

	#stepText(trace: Trace): string {
		const current = trace.steps[this.#step];
		if (current) {
			const instruction = this.#instructionAt(current.offset);
			return `Step ${this.#step + 1} of ${trace.steps.length}${trace.more ? " and more" : ""}: the instruction at ${current.offset} ${instruction ? wordsOf(instruction) : "runs"}.`;
		}
		if (trace.verdict === "invalid")
			return "This is not a URL: no instruction runs.";
		return trace.steps.length === 0
			? "No rule begins like this path: no instruction runs."
			: "All steps are done.";
	}

	#showPath(trace: Trace): void {
		const { ranges } = this.#pointed;
		this.#path.show(trace.path, {
			// More than any path has in UTF-8: after the last step all bytes have been passed.
			at: trace.steps[this.#step]?.at ?? trace.path.length * 4,
			isSeen: (byte) => this.#pointing?.isSeen(byte) ?? false,
			isPointed: (byte) =>
				ranges.some(({ from, to }) => byte >= from && byte < to),
			words: (byte) => this.#pointing?.wordsOfByte(byte) ?? "",
		});
	}

	#pointAtRule(line: number): void {
		if (!this.#pointing) return;
		this.#point(this.#pointing.atRule(line));
		if (line > 0)
			reveal(
				this.#program,
				this.#listing.instructions.findIndex((one) => one.line === line),
			);
	}

	#pointAtInstruction(instruction: Instruction | undefined): void {
		if (!this.#pointing || !instruction || instruction.offset < 0) return;
		this.#point(this.#pointing.atInstruction(instruction));
		const { line } = instruction;
		if (line > 0)
			reveal(
				this.#rules,
				this.#listing.rules.findIndex((one) => one.line === line),
			);
	}

	#pointAtCode(from: number, to: number, words: string): void {
		if (!this.#pointing) return;
		this.#point(this.#pointing.atCode(from, to, words));
		reveal(this.#program, this.#byOffset.get(from) ?? -1);
	}

	#pointAtByte(byte: number): void {
		if (!this.#pointing) return;
		const pointed = this.#pointing.atByte(byte);
		this.#point(pointed);
		const [first = -2] = pointed.offsets;
		reveal(this.#program, this.#byOffset.get(first) ?? -1);
	}

	/** Marks what belongs together among the rules, in the program and in the path. */
	#point(pointed: Pointed): void {
		const key = ({ offsets, lines, words }: Pointed) =>
			[...offsets, "of", ...lines, words].join(" ");
		// The pointer has moved, but not off the line. Every move comes here, and drawing two editors at each would lag.
		if (key(pointed) === key(this.#pointed)) return;
		this.#pointed = pointed;
		this.#redraw();
	}

	#markOfRule(index: number): LineMark | undefined {
		const rule = this.#listing.rules[index];
		if (!rule) return undefined;
		const isPointed = this.#pointed.lines.has(rule.line);
		const isBest = rule.rank === this.#best;
		if (!isBest) return isPointed ? { className: "of-rule" } : undefined;
		const isDone = this.#step === this.#lastStep;
		return {
			className: isPointed ? "of-rule" : `decides ${rule.type}`,
			label: {
				side: "after",
				symbol: "◀",
				text: isDone ? `decides: ${rule.type}` : "best so far",
				className: `rule-label ${rule.type}`,
			},
		};
	}

	#markOfInstruction(index: number): LineMark | undefined {
		const instruction = this.#listing.instructions[index];
		if (!instruction || instruction.offset < 0) return undefined;
		const { offset } = instruction;
		const kind = kindOf(instruction);
		const parts = kind ? [partOf(instruction, kind)] : [];
		if (offset === this.#trace?.steps[this.#step]?.offset)
			return {
				className: "at-step",
				parts,
				label: {
					side: "after",
					symbol: "◀",
					text: " next",
					className: "step-label",
				},
			};
		if (this.#pointed.offsets.has(offset))
			return { className: "of-rule", parts, label: says(instruction) };
		if (!this.#worded.has(index))
			return this.#passed.has(offset)
				? { className: "passed", parts }
				: { parts };
		const label = says(instruction);
		return this.#passed.has(offset)
			? { className: "passed", parts, label }
			: { parts, label };
	}

	#redraw(): void {
		for (const view of [this.#rules, this.#program])
			view.dispatch({ effects: marksChanged.of(null) });
		if (this.#trace) {
			this.#showPath(this.#trace);
			this.#showState(this.#trace);
		}
		this.#tables.mark(this.#pointed, this.#trace?.steps[this.#step]?.offset);
		for (const id of ["rule-tree", "jump-tables"])
			markTree(
				byId(id),
				this.#ruleOf(this.#best)?.line ?? -1,
				this.#pointed.lines,
			);
	}
}

/** Targets of a hash that are shown: it has up to some hundred, and the table beside it has all. */
const MOST_TARGETS = 8;

/** An instruction's line, without all targets of a hash. */
function shownText({ text }: Instruction): string {
	return text.replace(/ slots: [\d, ]+/, (list) => {
		const targets = list.split(", ");
		const more = targets.length - MOST_TARGETS;
		return more > 0
			? `${targets.slice(0, MOST_TARGETS).join(", ")} and ${more} more`
			: list;
	});
}

/** What an instruction does, as a sentence after it. */
function says(instruction: Instruction): Label {
	const words = wordsOf(instruction);
	return {
		...{ side: "after", symbol: "", className: "says" },
		text: `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`,
	};
}

/** The name of an instruction, in the colour of its kind. */
function partOf(
	instruction: Instruction,
	kind: InstructionKind,
): { readonly from: number; readonly to: number; readonly className: string } {
	const { from, to } = nameOf(instruction);
	return { from, to, className: `kind-${kind}` };
}
