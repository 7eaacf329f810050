const LONGEST_TEXT = 60;

/** A text from a file as messages show it; not cut within a character. */
export function shorten(text: string): string {
	return text.length > LONGEST_TEXT
		? `${text.slice(0, LONGEST_TEXT).replace(/[\ud800-\udbff]$/, "")}…`
		: text;
}
