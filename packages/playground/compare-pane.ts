import "./compare.css";
import type { VerdictChange } from "robotrie/compare";
import { summaryText } from "robotrie/internal";
import type { Asker } from "./asker.ts";
import { changeItem } from "./compare-results.ts";
import { byId, counted, delayed, fillPane, make } from "./dom.ts";
import type { LineMark } from "./line-marks.ts";
import type { Comparison } from "./messages.ts";
import markup from "./pane-compare.html?raw";
import type { ComparedFiles } from "./permalink.ts";
import { RobotsSide } from "./robots-side.ts";
import { saveAs } from "./save.ts";
import { Stale } from "./stale.ts";

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

	constructor(page: Page) {
		this.#page = page;
		const compareSoon = delayed(() => this.compare(), 250);
		const onChange = () => {
			compareSoon();
			page.onChange();
		};
		const { notify } = page;
		this.#before = new RobotsSide("before", { onChange, notify });
		this.#after = new RobotsSide("after", { onChange, notify });
		this.#byUrls.addEventListener("change", onChange);
		for (const [name, side] of [
			["before", this.#before],
			["after", this.#after],
		] as const)
			byId(`${name}-own`).addEventListener("click", () => {
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
		this.#before.source = before;
		this.#after.source = after;
		this.#byUrls.value = byUrls ? "urls" : "rules";
	}

	async compare(): Promise<void> {
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
		byId("compare-summary").textContent = `${summaryText(found)}.`;
		byId("compare-note").textContent = noteOf(found, files);
		byId("compare-save").hidden = changes.length === 0;
		const shown = changes.slice(0, MOST_SHOWN);
		byId("compare-changes").replaceChildren(
			...shown.map((change) =>
				changeItem(change, (side, line) =>
					(side === "before" ? this.#before : this.#after).goToLine(line),
				),
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
		this.#before.mark(
			marksOf(
				this.#before.lines,
				this.#after.lines,
				linesOf(changes, "before"),
			),
		);
		this.#after.mark(
			marksOf(this.#after.lines, this.#before.lines, linesOf(changes, "after")),
		);
	}
}

/** What a reader should know of the comparison. */
function noteOf(
	{ complete, leftOut }: Comparison,
	{ before, after, byUrls }: ComparedFiles,
): string {
	return [
		before === after &&
			"Both files are the same: edit one, or open another file.",
		leftOut > 0 && `Left out: ${counted(leftOut, "line")} that are no URLs.`,
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

/** Marks lines that the other file does not have, and those that decide. */
function marksOf(
	lines: readonly string[],
	others: readonly string[],
	deciding: ReadonlyMap<number, number>,
): ReadonlyMap<number, LineMark> {
	const known = new Set(others.map((line) => line.trim()));
	const marks = new Map<number, LineMark>();
	lines.forEach((line, index) => {
		if (!known.has(line.trim()))
			marks.set(index + 1, { className: "only-here" });
	});
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
