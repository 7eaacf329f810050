/**
 * Dictionaries of structured fields (RFC 9651 §3.2), as far as preferences need them: keys and tokens are read, all else is
 * only checked. A library for structured fields takes 2 KB of the 40 that this one may have; it stands by in the tests.
 */

const key = "[a-z*][a-z\\d_.*-]*";
/** RFC 9651 §3.3, the items, in the order: token, number or date, string, bytes, boolean, display string. */
const item = [
	"[A-Za-z*][\\w!#$%&'*+.^`|~:/-]*",
	"@-?\\d{1,15}(?![\\d.])",
	"-?(?:\\d{1,12}\\.\\d{1,3}|\\d{1,15})(?![\\d.])",
	'"(?:[ !#-[\\]-~]|\\\\["\\\\])*"',
	":(?:[A-Za-z\\d+/]{4})*(?:[A-Za-z\\d+/]{2}(?:==)?|[A-Za-z\\d+/]{3}=?)?:",
	"\\?[01]",
	'%"(?:[ !#$&-~]|%[\\da-f]{2})*"',
].join("|");
const parameters = `(?:; *${key}(?:=(?:${item}))?)*`;
const innerList = `\\( *(?:(?:${item})${parameters}(?: +|(?=\\))))*\\)`;
const member = new RegExp(
	`(${key})(?:=(?:(${item})|${innerList}))?${parameters}[ \\t]*(,[ \\t]*(?=[^])|$)`,
	"y",
);

/** Longer texts are no preferences; the pattern would need a stack for them. */
const LONGEST = 10_000;

/**
 * Keys of a dictionary with the token that is their value, undefined for any other value; of a key that appears twice the
 * last one counts. Null when the text is no dictionary.
 */
export function parseDictionary(
	text: string,
): ReadonlyMap<string, string | undefined> | null {
	const values = new Map<string, string | undefined>();
	if (text.length > LONGEST) return null;
	member.lastIndex = 0;
	while (member.lastIndex < text.length) {
		const [, name = "", value] = member.exec(text) ?? [];
		if (name === "") return null;
		values.set(name, /^[a-z*]/i.test(value ?? "") ? value : undefined);
	}
	return values;
}
