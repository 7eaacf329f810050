/**
 * One of the two files of the Compare pane: an editor, a button that opens a file, and the size. What is compared is the source, which is
 * what was opened until somebody edits it.
 */
import { Text } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { RobotsEditor } from "../../editor/robots-editor.ts";
import { TextEditor } from "../../editor/text-editor.ts";
import type { LineMark } from "../../editor/text-view.ts";
import {
	acceptFiles,
	bytesOfRobots,
	othersText,
	Turns,
	textOrBytes,
} from "../../files/files.ts";
import { byId, counted } from "../../page/dom.ts";
import { type Gap, showGaps } from "./aligned.ts";

/** One of the two files that are compared: an editor, and a button that opens a file. */
export class RobotsSide {
	/** The editor's own. */
	readonly view: EditorView;
	readonly #editor: RobotsEditor;
	readonly #size: HTMLElement;
	readonly #turns = new Turns();
	/** What was opened, until it is edited: the editor keeps neither CRLF nor bytes that are not UTF-8. */
	#opened: string | Uint8Array | undefined;

	constructor(
		name: "before" | "after",
		events: {
			readonly onChange: () => void;
			readonly notify: (text: string) => void;
			readonly read: Parameters<typeof bytesOfRobots>[1];
		},
	) {
		const place = byId(`${name}-editor`);
		this.#size = byId(`${name}-size`);
		this.#editor = new RobotsEditor(
			place,
			() => {
				this.#opened = undefined;
				this.#showSize();
				events.onChange();
			},
			() => {},
			{ label: `robots.txt, ${name}`, Editor: TextEditor },
		);
		const view = EditorView.findFromDOM(
			place.shadowRoot?.lastElementChild as HTMLElement,
		);
		if (!view) throw new Error(`no editor in ${name}-editor`);
		this.view = view;
		const card = place.closest<HTMLElement>(".card") ?? place;
		acceptFiles(card, byId(`${name}-file`), async (file, all) => {
			const isLast = this.#turns.next();
			try {
				const bytes = await bytesOfRobots(file, events.read);
				if (!bytes || !isLast()) return;
				this.source = textOrBytes(bytes);
				events.onChange();
				const others = othersText(all);
				if (others !== "") events.notify(others);
			} catch (error) {
				if (!isLast()) return;
				events.notify(error instanceof Error ? error.message : String(error));
			}
		});
	}

	get source(): string | Uint8Array {
		return this.#opened ?? this.#editor.text;
	}

	set source(source: string | Uint8Array) {
		this.#turns.next();
		this.#editor.setText(
			typeof source === "string" ? source : new TextDecoder().decode(source),
		);
		// After setText, whose change event takes the text for the source.
		this.#opened = source;
		this.#showSize();
	}

	/** The text as it is shown. */
	get doc(): Text {
		return Text.of(this.#editor.shown.split("\n"));
	}

	mark(marks: ReadonlyMap<number, LineMark>, gaps: readonly Gap[]): void {
		this.#editor.showMarks(marks);
		showGaps(this.view, gaps);
	}

	goToLine(line: number): void {
		this.#editor.goToLine(line);
	}

	#showSize(): void {
		const source = this.source;
		const { length } =
			typeof source === "string" ? new TextEncoder().encode(source) : source;
		this.#size.textContent = counted(length, "byte") + this.#editor.lineEndNote;
	}
}
