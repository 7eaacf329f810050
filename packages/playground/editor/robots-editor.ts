/**
 * The editor for robots.txt, with what the worker found out: findings in the margin, groups that apply, rules that match. The Test pane has
 * one, and the Compare pane two (robots-side.ts). What must hold: findings come sorted by line, and no more is built for them than what is
 * in view, as a hostile file has a finding on every line.
 */
import type { Finding } from "robotrie/lint";
import { counted } from "../page/dom.ts";
import type { Details, GroupNote } from "../page/messages.ts";
import { EditorBox } from "./editor-box.ts";
import { partsOfLine } from "./line-parts.ts";
import type { TextEditor } from "./text-editor.ts";
import type { Label, LineMark, MarginMark } from "./text-view.ts";

export const severitySymbols = { error: "✕", warning: "▲", info: "i" } as const;

const order = ["error", "warning", "info"] as const;

function worstOf(findings: readonly Finding[]): Finding {
	return findings.reduce((worst, finding) =>
		order.indexOf(finding.severity) < order.indexOf(worst.severity)
			? finding
			: worst,
	);
}

function markOf(findings: readonly Finding[]): MarginMark {
	const { severity } = worstOf(findings);
	return {
		className: severity,
		symbol: severitySymbols[severity],
		title: findings.map(({ message }) => message).join("\n"),
	};
}

/** The index of the first finding on a line or after it. A search, not a map by lines: it is asked only for lines in view. */
function lowerBound(findings: readonly Finding[], line: number): number {
	let from = 0;
	let to = findings.length;
	while (from < to) {
		const middle = (from + to) >> 1;
		if ((findings[middle]?.line ?? line) < line) from = middle + 1;
		else to = middle;
	}
	return from;
}

function groupLabel(text: string, applies: boolean): Label {
	return {
		side: "after",
		symbol: applies ? "◀" : "◁",
		className: `group-label${applies ? " chosen" : ""}`,
		text,
	};
}

const lineEndNotes = {
	"\n": "",
	"\r\n": ", CRLF line ends",
	"\r": ", CR line ends",
} as const;
type LineEnd = keyof typeof lineEndNotes;

/** The most frequent line end of a text. */
function lineEndOf(text: string): LineEnd {
	const counts = { "\n": 0, "\r\n": 0, "\r": 0 };
	for (let at = text.search(/[\r\n]/); at >= 0 && at < text.length; at++) {
		const character = text[at];
		if (character === "\n") counts["\n"]++;
		else if (character === "\r") {
			const isPair = text[at + 1] === "\n";
			counts[isPair ? "\r\n" : "\r"]++;
			if (isPair) at++;
		}
	}
	const { "\n": lf, "\r\n": crlf, "\r": cr } = counts;
	if (crlf > lf && crlf >= cr) return "\r\n";
	return cr > lf ? "\r" : "\n";
}

/** The text of a robots.txt, with what was found out about its lines. */
export class RobotsEditor {
	readonly #box: EditorBox;
	#groups: readonly GroupNote[] = [];
	/** In the order of lines. */
	#findings: readonly Finding[] = [];
	/** Of lines that were in view. */
	readonly #markers = new Map<number, MarginMark | undefined>();
	#matching: ReadonlyMap<number, LineMark> = new Map();
	#lineEnd: LineEnd = "\n";

	constructor(
		place: HTMLElement,
		onChange: () => void,
		onFinding: (line: number) => void,
		{
			label = "robots.txt",
			text = "",
			Editor,
		}: { label?: string; text?: string; Editor?: typeof TextEditor } = {},
	) {
		this.#box = new EditorBox(
			place,
			{
				label,
				placeholder: "Paste your robots.txt, or drop the file here",
				markOf: (line, text) => this.#markOf(line, text),
				margin: { markOf: (line) => this.#markerOf(line), onClick: onFinding },
				onChange,
			},
			text,
			Editor,
		);
	}

	/** As it is shown, with LF alone. */
	get shown(): string {
		return this.#box.text;
	}

	/** CodeMirror takes the textarea's place, once its code is there. */
	loadEditor(): void {
		this.#box.loadSoon();
	}

	/** Characters. */
	get length(): number {
		return this.#box.length;
	}

	/** With line ends as they were in the text that was set; where it had several kinds, all become the most frequent. */
	get text(): string {
		const { text } = this.#box;
		return this.#lineEnd === "\n" ? text : text.replaceAll("\n", this.#lineEnd);
	}

	setText(text: string, isEdit = false): void {
		// Compared with what the editor holds, which has LF alone: with CRs every line would differ.
		if (isEdit) this.#box.change(text.replace(/\r\n?/g, "\n"));
		else this.#box.replace(text);
		this.#lineEnd = lineEndOf(text);
	}

	/** ", CRLF line ends" where they are not LF. */
	get lineEndNote(): string {
		return lineEndNotes[this.#lineEnd];
	}

	/** Marks the groups that apply, and says why others do not; `reveal` brings the first one that applies into view. */
	showGroups(groups: readonly GroupNote[], reveal: boolean): void {
		this.#groups = groups;
		this.#box.redraw();
		const chosen = groups.find(({ applies }) => applies);
		if (reveal && chosen) this.#box.reveal(chosen.from, "start");
	}

	showFindings(findings: readonly Finding[]): void {
		this.#findings = findings;
		this.#markers.clear();
		this.#box.redraw();
	}

	/** Made for lines in view only: there may be a finding on each of many thousands. */
	#markerOf(line: number): MarginMark | undefined {
		if (this.#markers.has(line)) return this.#markers.get(line);
		const first = lowerBound(this.#findings, line);
		const end = lowerBound(this.#findings, line + 1);
		const mark =
			first < end ? markOf(this.#findings.slice(first, end)) : undefined;
		this.#markers.set(line, mark);
		return mark;
	}

	/** Marks the deciding rule, the first of those that match, and those that lose to it; `reveal` brings it into view. */
	showDetails(details: Details | undefined, reveal: boolean): void {
		this.#matching = new Map(
			details?.matching.map(
				({ line, type, bytes }, place): [number, LineMark] => {
					const decides = place === 0;
					return [
						line,
						{
							className: decides ? `decides ${type}` : "loses",
							label: {
								side: "after",
								symbol: decides ? "◀" : "◁",
								className: decides ? `rule-label ${type}` : "rule-label",
								text: `${decides ? `decides: ${type}` : "loses"}, ${counted(bytes, "byte")}`,
							},
						},
					];
				},
			),
		);
		this.#box.redraw();
		const line = details?.matching[0]?.line;
		if (reveal && line !== undefined) this.#box.reveal(line, "nearest");
	}

	/** Marks lines, by their numbers. */
	showMarks(marks: ReadonlyMap<number, LineMark>): void {
		this.#matching = marks;
		this.#box.redraw();
	}

	goToLine(line: number): void {
		this.#box.goToLine(line);
	}

	#markOf(line: number, text: string): LineMark {
		const found = this.#matching.get(line);
		const group = this.#groups.find(
			({ from, to }) => line >= from && line <= to,
		);
		const isFirst = line === group?.from;
		return {
			...(isFirst && { label: groupLabel(group.note, group.applies) }),
			...found,
			className:
				`${group?.applies ? "applies" : ""} ${found?.className ?? ""}`.trim(),
			parts: [...partsOfLine(text), ...(found?.parts ?? [])],
		};
	}
}
