/**
 * The Compare pane: two robots.txt files side by side, lines and letters that differ, and the URLs whose verdict changes. main.ts loads it
 * when it is opened; compare.ts, in a worker, finds the changes. The marks show how the texts differ, the list what that means: either may
 * be empty without the other.
 */
import "./compare.css";
import { diff, presentableDiff } from "@codemirror/merge";
import type { Text } from "@codemirror/state";
import type { VerdictChange } from "robotrie/compare";
import { summaryText } from "#robotrie/common/verdict-texts";
import type { LineMark } from "../../editor/text-view.ts";
import { saveAs } from "../../files/save.ts";
import type { Asker } from "../../page/asker.ts";
import { byId, counted, delayed, fillPane, make } from "../../page/dom.ts";
import type { Comparison } from "../../page/messages.ts";
import type { ComparedFiles } from "../../page/permalink.ts";
import { Stale } from "../../page/stale.ts";
import { type Gap, scrollTogether } from "./aligned.ts";
import { changeGroups } from "./compare-results.ts";
import markup from "./pane-compare.html?raw";
import { RobotsSide } from "./robots-side.ts";

// Before the class: its fields are elements of it.
fillPane("compare", markup);

/** Changes that are drawn; a file holds all. */
const MOST_SHOWN = 200;

/** What the pane needs of the page. */
interface Page {
	/** A worker of its own: comparing long lists takes a while. */
	readonly asker: Asker;
	readonly robots: () => string | Uint8Array;
	readonly notify: (text: string) => void;
	readonly onChange: () => void;
}

/** Two robots.txt files side by side, and the URLs whose verdict changes. */
export class ComparePane {
	readonly #page: Page;
	readonly #before: RobotsSide;
	readonly #after: RobotsSide;
	readonly #byUrls = byId<HTMLSelectElement>("compare-by");
	readonly #results = new Stale([byId("compare-results")]);
	#changes: readonly VerdictChange[] = [];
	#isFilled = false;

	constructor(page: Page) {
		this.#page = page;
		const compareSoon = delayed(() => this.compare(), 250);
		const onChange = () => {
			// To be given files is no change of theirs.
			if (this.#isFilled) return;
			compareSoon();
			page.onChange();
		};
		const { notify, asker } = page;
		const read = (file: File) => asker.ask("read", { file });
		this.#before = new RobotsSide("before", { onChange, notify, read });
		this.#after = new RobotsSide("after", { onChange, notify, read });
		scrollTogether(this.#before.view.scrollDOM, this.#after.view.scrollDOM);
		this.#byUrls.addEventListener("change", onChange);
		for (const [name, side] of [
			["before", this.#before],
			["after", this.#after],
		] as const)
			byId(`${name}-own`).addEventListener("click", () => {
				// The source and not a text: bytes that are not UTF-8 stay as they are.
				side.source = page.robots();
				onChange();
			});
		byId("compare-save").addEventListener("click", () =>
			saveAs(
				"robotrie-diff.json",
				"application/json",
				`${JSON.stringify(this.#changes, null, 2)}\n`,
			),
		);
	}

	get files(): ComparedFiles {
		return {
			before: this.#before.source,
			after: this.#after.source,
			byUrls: this.#byUrls.value === "urls",
		};
	}

	set files({ before, after, byUrls }: ComparedFiles) {
		this.#isFilled = true;
		this.#before.source = before;
		this.#after.source = after;
		this.#byUrls.value = byUrls ? "urls" : "rules";
		this.#isFilled = false;
	}

	/** The sample, and a version of it that differs. */
	example(sample: string): ComparedFiles {
		return { before: sample, after: nextVersion(sample), byUrls: false };
	}

	/** Takes the page's robots.txt for both sides, where they still hold the example and it is no longer the sample. */
	replaceExample(sample: string, robots: string | Uint8Array): void {
		const { before, after, byUrls } = this.files;
		if (robots === sample || before !== sample) return;
		if (after === nextVersion(sample))
			this.files = { before: robots, after: robots, byUrls };
	}

	async compare(): Promise<void> {
		// Once, for question and notes: the editors may have other texts when the answer comes.
		const { files } = this;
		try {
			const found = await this.#results.until(
				this.#page.asker.ask("compare", { files }),
			);
			if (found) this.#show(found, files);
		} catch (error) {
			this.#page.notify(error instanceof Error ? error.message : String(error));
		}
	}

	#show(found: Comparison, files: ComparedFiles): void {
		const { changes } = found;
		this.#changes = changes;
		byId("compare-problem").hidden = found.problems.length === 0;
		byId("compare-problem").textContent = found.problems.join(" ");
		byId("compare-summary").textContent = `${summaryText(found)}.`;
		byId("compare-note").textContent = noteOf(found, files);
		byId("compare-save").hidden = changes.length === 0;
		const shown = changes.slice(0, MOST_SHOWN);
		byId("compare-changes").replaceChildren(
			...changeGroups(shown, (side, line) =>
				(side === "before" ? this.#before : this.#after).goToLine(line),
			),
			...(changes.length > shown.length
				? [
						make("li", {
							className: "quiet",
							textContent: `${counted(changes.length - shown.length, "more change")}: Save as JSON has all.`,
						}),
					]
				: []),
		);
		const { doc: one } = this.#before;
		const { doc: other } = this.#after;
		const [before, after] = changedIn(one, other);
		this.#before.mark(
			marksOf(one, before, linesOf(changes, "before")),
			gapsIn(before),
		);
		this.#after.mark(
			marksOf(other, after, linesOf(changes, "after")),
			gapsIn(after),
		);
	}
}

/** What a reader should know of the comparison. */
function noteOf(
	{ agents, complete, leftOut }: Comparison,
	{ before, after, byUrls }: ComparedFiles,
): string {
	return [
		before === after &&
			"Both files are the same: edit one, or open another file.",
		agents.length > 1 &&
			`Of these crawlers ${agents.length - 1} are known or named in a file, and one, *, stands for any other.`,
		leftOut > 0 && `Left out: ${counted(leftOut, "line")} that are not URLs.`,
		!byUrls &&
			before !== after &&
			"The URLs are derived from the rules that differ and do not show every change: compare your own to be sure.",
		!complete &&
			"The files have too many rules to derive all URLs from: compare your own.",
	]
		.filter(Boolean)
		.join(" ");
}

/** How many changes each line decides. */
function linesOf(
	changes: readonly VerdictChange[],
	side: "before" | "after",
): ReadonlyMap<number, number> {
	const counts = new Map<number, number>();
	for (const change of changes) {
		const line = change[side].rule?.line;
		if (line !== undefined) counts.set(line, (counts.get(line) ?? 0) + 1);
	}
	return counts;
}

/** Marks what the other file does not have, lines and the text within them, and lines that decide. */
function marksOf(
	doc: Text,
	changed: readonly Changed[],
	deciding: ReadonlyMap<number, number>,
): ReadonlyMap<number, LineMark> {
	const marks = new Map<number, LineMark>();
	for (const { from, end, parts } of changed) {
		// The other file has lines here, and this one none.
		if (end < from) continue;
		const last = doc.lineAt(Math.min(end, doc.length)).number;
		for (let number = doc.lineAt(from).number; number <= last; number++) {
			const line = doc.line(number);
			marks.set(number, {
				className: "only-here",
				parts: parts
					.map((part) => ({
						from: Math.max(part.from - line.from, 0),
						to: Math.min(part.to - line.from, line.length),
						className: "only-here-text",
					}))
					.filter((part) => part.from < part.to),
			});
		}
	}
	for (const [line, count] of deciding)
		marks.set(line, {
			...marks.get(line),
			label: {
				side: "after",
				symbol: "◀",
				className: "rule-label",
				text: `decides ${counted(count, "change")}`,
			},
		});
	return marks;
}

/** A run of lines that differ, and the text in them that does, as offsets in the document. */
interface Changed {
	readonly from: number;
	/** Before `from` where the run has no lines on this side. */
	readonly end: number;
	readonly parts: readonly { readonly from: number; readonly to: number }[];
	/** Lines up to the run's end, and how many the run of the other file has more. */
	readonly last: number;
	readonly missing: number;
}

function gapsIn(changed: readonly Changed[]): readonly Gap[] {
	return changed
		.filter(({ missing }) => missing > 0)
		.map(({ last, missing }) => ({ after: last, lines: missing }));
}

/** Longer runs of lines are not compared letter by letter. */
const LONGEST_COMPARED = 5000;

/**
 * The line diff, for both sides, by the algorithm of CodeMirror's merge view. That compares letters: of "a, b" and "b, c" it would make two
 * lines with other letters. So each line is given as one letter, and only lines that take each other's place are compared as text.
 */
function changedIn(a: Text, b: Text): readonly [Changed[], Changed[]] {
	const letters = new Map<string, string>();
	const lettersOf = (doc: Text) =>
		Array.from({ length: doc.lines }, (_, i) => {
			// White space around a line means nothing to any dialect.
			const line = doc.line(i + 1).text.trim();
			const letter =
				// Below the surrogates, of which diff would make pairs. Files with more than 55,296 different lines share letters: a line that
				// differs may go unmarked there, but no verdict depends on it.
				letters.get(line) ?? String.fromCharCode(letters.size % 0xd800);
			letters.set(line, letter);
			return letter;
		}).join("");
	const [left, right]: [Changed[], Changed[]] = [[], []];
	for (const { fromA, toA, fromB, toB } of diff(lettersOf(a), lettersOf(b))) {
		const one = rangeOf(a, fromA, toA);
		const other = rangeOf(b, fromB, toB);
		const isReplaced =
			toA > fromA &&
			toB > fromB &&
			one.end - one.from < LONGEST_COMPARED &&
			other.end - other.from < LONGEST_COMPARED;
		const texts = isReplaced
			? presentableDiff(
					a.sliceString(one.from, one.end),
					b.sliceString(other.from, other.end),
				)
			: [];
		const more = toA - fromA - (toB - fromB);
		left.push({
			...one,
			last: toA,
			missing: -more,
			parts: texts.map((text) => ({
				from: one.from + text.fromA,
				to: one.from + text.toA,
			})),
		});
		right.push({
			...other,
			last: toB,
			missing: more,
			parts: texts.map((text) => ({
				from: other.from + text.fromB,
				to: other.from + text.toB,
			})),
		});
	}
	return [left, right];
}

/** Lines, from 0, as offsets. */
function rangeOf(
	doc: Text,
	first: number,
	end: number,
): { readonly from: number; readonly end: number } {
	if (end <= first) return { from: 0, end: -1 };
	return { from: doc.line(first + 1).from, end: doc.line(end).to };
}

/** The sample's next version, to begin with something that differs. */
function nextVersion(sample: string): string {
	return sample
		.replace("User-agent: CCBot\n", "")
		.replace("Disallow: /forum/user/", "Disallow: /forum/");
}
