/** Texts that anyone may have written, as terminals may show them: for the command line, and for what other packages write for people. */

/**
 * A text in one line: control characters could drive the terminal, line ends split our line, and those of writing direction show text in
 * another order than it has.
 */
export function printable(text: string): string {
	return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, escaped);
}

/** A control character as \x1b. */
export function escaped(character: string): string {
	const code = character.charCodeAt(0);
	const hex = code.toString(16);
	return code > 0xff
		? `\\u${hex.padStart(4, "0")}`
		: `\\x${hex.padStart(2, "0")}`;
}
