import { GRAM } from "robotrie/internal";

/**
 * Plain texts in lower case, of which every match of an expression holds one, whatever the case; undefined where no
 * such text is certain, or one is too short to be looked up.
 */
export function literalsOf(pattern: string): readonly string[] | undefined {
	if (/\\[ux\d]/.test(pattern)) return undefined;
	let text = pattern
		.replace(/\\[a-z]/gi, "\0")
		.replace(/\\(.)/g, (_, character: string) =>
			String.fromCharCode(ESCAPED + character.charCodeAt(0)),
		)
		.replace(/\[[^\]]*\]/g, "\0");
	for (let before = ""; before !== text; ) {
		before = text;
		text = text.replace(/\([^()]*\)/g, "\0");
	}
	const literals = text
		.replace(/.(?:[*?+]|\{[^}]*\})/gs, "\0")
		.replace(/[.^$?]/g, "\0")
		.split("|")
		.map((alternative) =>
			alternative
				.split("\0")
				.reduce((a, b) => (b.length > a.length ? b : a), "")
				.replace(/[\ue000-\ue07f]/g, (character) =>
					String.fromCharCode(character.charCodeAt(0) - ESCAPED),
				)
				.toLowerCase(),
		);
	return literals.every(({ length }) => length >= GRAM) ? literals : undefined;
}

/** Escaped characters stand here until all that means something is gone. */
const ESCAPED = 0xe000;
