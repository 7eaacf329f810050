/**
 * The text of an editor's document, for urls-editor.ts. Every letter typed asks for it, to send it to a worker and to keep it: of 100,000 URLs
 * that took 60 ms with `toString`, which puts it together of single lines. A document is a tree whose parts are the same objects as long as
 * nobody edits in them, so that their texts can be kept: then it takes a tenth.
 */
import type { Text } from "@codemirror/state";

/** By part; parts that are no longer in a document are dropped with it. */
const texts = new WeakMap<Text, string>();

/** Lines of a part whose text is kept. Each edit makes that of one such part anew. */
const LEAST = 1_000;
const MOST = 16_000;

/** All of a document's text, with LF between lines. */
export function textOf(doc: Text): string {
	const { children, lines } = doc;
	if (!children || lines < LEAST) return doc.toString();
	const known = texts.get(doc);
	if (known !== undefined) return known;
	const text = children.map(textOf).join("\n");
	if (lines <= MOST) texts.set(doc, text);
	return text;
}
