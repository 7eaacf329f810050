import {
	EditorView,
	GutterMarker,
	gutter,
	lineNumbers,
} from "@codemirror/view";
import type { Finding } from "../src/lint.ts";
import { createEditor, goToLine, marksChanged } from "./editor.ts";
import { type LineMark, lineMarks } from "./line-marks.ts";
import type { Details, LineRange } from "./messages.ts";

export const severitySymbols = { error: "✕", warning: "▲", info: "i" } as const;

class FindingMarker extends GutterMarker {
	readonly #findings: readonly Finding[];

	constructor(findings: readonly Finding[]) {
		super();
		this.#findings = findings;
	}

	override eq(other: FindingMarker): boolean {
		return this.#findings === other.#findings;
	}

	override toDOM(): HTMLElement {
		const element = document.createElement("span");
		const { severity } = worstOf(this.#findings);
		element.className = `finding ${severity}`;
		element.textContent = severitySymbols[severity];
		element.title = this.#findings.map(({ message }) => message).join("\n");
		return element;
	}
}

const order = ["error", "warning", "info"] as const;

function worstOf(findings: readonly Finding[]): Finding {
	return findings.reduce((worst, finding) =>
		order.indexOf(finding.severity) < order.indexOf(worst.severity)
			? finding
			: worst,
	);
}

/** The text of a robots.txt, with what was found out about its lines. */
export class RobotsEditor {
	readonly view: EditorView;
	#groups: readonly LineRange[] = [];
	#markers = new Map<number, FindingMarker>();
	#matching = new Map<number, LineMark>();

	constructor(
		place: HTMLElement,
		onChange: () => void,
		onFinding: (line: number) => void,
	) {
		this.view = createEditor(place, "robots.txt", [
			gutter({
				class: "findings",
				lineMarker: (view, block) =>
					this.#markers.get(view.state.doc.lineAt(block.from).number) ?? null,
				lineMarkerChange: ({ transactions }) =>
					transactions.some(({ effects }) =>
						effects.some((effect) => effect.is(marksChanged)),
					),
				domEventHandlers: {
					click: (view, block) => {
						onFinding(view.state.doc.lineAt(block.from).number);
						return true;
					},
				},
			}),
			lineNumbers(),
			lineMarks((line) => this.#markOf(line)),
			EditorView.updateListener.of(({ docChanged }) => {
				if (docChanged) onChange();
			}),
		]);
	}

	get text(): string {
		return this.view.state.doc.toString();
	}

	showGroups(groups: readonly LineRange[]): void {
		this.#groups = groups;
		this.#redraw();
	}

	showFindings(findings: readonly Finding[]): void {
		const byLine = new Map<number, Finding[]>();
		for (const finding of findings) {
			const same = byLine.get(finding.line);
			if (same) same.push(finding);
			else byLine.set(finding.line, [finding]);
		}
		this.#markers = new Map(
			[...byLine].map(([line, list]) => [line, new FindingMarker(list)]),
		);
		this.#redraw();
	}

	/** Marks the deciding rule and those that lose to it; `reveal` brings it into view. */
	showDetails(details: Details | undefined, reveal: boolean): void {
		this.#matching = new Map(
			details?.matching.map(
				({ line, type, octets }, place): [number, LineMark] => {
					const decides = place === 0;
					return [
						line,
						{
							className: decides ? `decides ${type}` : "loses",
							label: {
								side: "after",
								symbol: decides ? "◀" : "◁",
								className: decides ? `rule-label ${type}` : "rule-label",
								text: `${decides ? `decides: ${type}` : "loses"}, ${octets} octets`,
							},
						},
					];
				},
			),
		);
		this.#redraw();
		const line = details?.matching[0]?.line;
		if (!reveal || line === undefined || line > this.view.state.doc.lines)
			return;
		const { from } = this.view.state.doc.line(line);
		this.view.dispatch({
			effects: EditorView.scrollIntoView(from, { y: "nearest", yMargin: 60 }),
		});
	}

	goToLine(line: number): void {
		goToLine(this.view, line);
	}

	#markOf(line: number): LineMark | undefined {
		const matching = this.#matching.get(line);
		const applies = this.#groups.some(
			({ from, to }) => line >= from && line <= to,
		);
		if (!applies) return matching;
		const className = `applies ${matching?.className ?? ""}`;
		return { ...matching, className };
	}

	#redraw(): void {
		this.view.dispatch({ effects: marksChanged.of(null) });
	}
}
