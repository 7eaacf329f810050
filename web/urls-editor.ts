import { EditorView, lineNumbers } from "@codemirror/view";
import { type Dialect, dialectNames } from "../src/dialect.ts";
import { Verdict } from "../src/verdict.ts";
import { createEditor, goToLine, marksChanged } from "./editor.ts";
import { type LineMark, lineMarks } from "./line-marks.ts";
import { BLANK, type Verdicts } from "./messages.ts";

/** What a line can be. */
export const verdictKinds = [
	"allowed",
	"disallowed",
	"invalid",
	"differing",
] as const;
export type VerdictKind = (typeof verdictKinds)[number];

export const verdictSymbols = {
	allowed: "✓",
	disallowed: "✕",
	invalid: "?",
	differing: "≠",
} as const;

export function verdictName(
	verdict: number,
): Exclude<VerdictKind, "differing"> {
	if (verdict === Verdict.Allowed) return "allowed";
	return verdict === Verdict.Disallowed ? "disallowed" : "invalid";
}

/** URLs, a line each, with their verdicts in front. */
export class UrlsEditor {
	readonly view: EditorView;
	#verdicts: Verdicts | undefined;
	#dialect: Dialect = "rfc9309";

	constructor(
		place: HTMLElement,
		events: { readonly onChange: () => void; readonly onMove: () => void },
	) {
		this.view = createEditor(place, "URLs, one a line", [
			lineNumbers(),
			lineMarks((line, text) => (text === "" ? undefined : this.#markOf(line))),
			EditorView.updateListener.of(({ docChanged, selectionSet }) => {
				if (docChanged) events.onChange();
				if (docChanged || selectionSet) events.onMove();
			}),
		]);
	}

	get text(): string {
		return this.view.state.doc.toString();
	}

	/** The URL at the cursor, and its line. */
	get current(): { readonly url: string; readonly line: number } {
		const { doc, selection } = this.view.state;
		const { text, number } = doc.lineAt(selection.main.head);
		return { url: text, line: number };
	}

	showVerdicts(verdicts: Verdicts, dialect: Dialect): void {
		this.#verdicts = verdicts;
		this.#dialect = dialect;
		this.view.dispatch({ effects: marksChanged.of(null) });
	}

	/** How many lines are of each kind. */
	counts(): Record<VerdictKind, number> {
		const counts = { allowed: 0, disallowed: 0, invalid: 0, differing: 0 };
		const own = this.#verdicts?.[this.#dialect];
		if (!own) return counts;
		for (let index = 0; index < own.length; index++) {
			if (own[index] === BLANK) continue;
			counts[verdictName(own[index] ?? 0)]++;
			if (this.#differs(index)) counts.differing++;
		}
		return counts;
	}

	/** Moves to the next line of a kind, from the top when none follows. */
	goToNext(kind: VerdictKind): void {
		const own = this.#verdicts?.[this.#dialect];
		if (!own) return;
		const { line } = this.current;
		for (let step = 0; step < own.length; step++) {
			const index = (line + step) % own.length;
			if (own[index] === BLANK) continue;
			const is =
				kind === "differing"
					? this.#differs(index)
					: verdictName(own[index] ?? 0) === kind;
			if (is) {
				goToLine(this.view, index + 1);
				return;
			}
		}
	}

	#differs(index: number): boolean {
		const own = this.#verdicts?.[this.#dialect][index];
		return dialectNames.some((name) => this.#verdicts?.[name][index] !== own);
	}

	#markOf(line: number): LineMark | undefined {
		const verdict = this.#verdicts?.[this.#dialect][line - 1];
		if (verdict === undefined || verdict === BLANK) return undefined;
		const name = verdictName(verdict);
		const differs = this.#differs(line - 1);
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
