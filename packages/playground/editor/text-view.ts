/**
 * What an editor of the Test and Compare panes shows, and what can be asked of it. Two classes can: PlainText, with which the page begins,
 * and TextEditor, which is CodeMirror; editor-box.ts puts the second in the place of the first.
 */

/** What stands at a line besides its text. */
export interface LineMark {
	readonly className?: string;
	/** In front of the text or after it; read out with the line. */
	readonly label?: Label;
	/** Parts of the line, counted from its begin. */
	readonly parts?: readonly LinePart[];
}

export interface LinePart {
	readonly from: number;
	readonly to: number;
	readonly className: string;
}

export interface Label {
	readonly side: "before" | "after";
	readonly symbol: string;
	readonly text: string;
	/** Read out after the text, and shown by the symbol alone. */
	readonly also?: string;
	readonly className: string;
}

/** A sign in the margin. Compared by identity: as long as it is the same object, nothing is drawn anew. */
export interface MarginMark {
	readonly className: string;
	readonly symbol: string;
	readonly title: string;
}

/** How a text is shown. Lines count from 1. `markOf` is asked about lines in view alone, and may read state that changes. */
export interface TextOptions {
	readonly label: string;
	/** Shown where there is no text. */
	readonly placeholder: string;
	readonly markOf: (line: number, text: string) => LineMark | undefined;
	readonly margin?: {
		readonly markOf: (line: number) => MarginMark | undefined;
		readonly onClick: (line: number) => void;
	};
	readonly onChange: () => void;
	/** The cursor has moved, or the text under it has changed. */
	readonly onMove?: () => void;
}

/** A text with a cursor. Ends of lines are LF. */
export interface TextView {
	readonly text: string;
	/** Characters. */
	readonly length: number;
	/** The line at the cursor. */
	readonly current: { readonly text: string; readonly line: number };
	/** Puts a text in place of all that was there, and the cursor at its begin. */
	replace(text: string): void;
	/** Changes only what differs: cursor and view stay. */
	change(text: string): void;
	/** Moves the cursor to a line and into view. */
	goToLine(line: number, focus: boolean): void;
	/** Brings a line into view. */
	reveal(line: number, y: "nearest" | "start"): void;
	/** Asks anew for all marks. */
	redraw(): void;
}
