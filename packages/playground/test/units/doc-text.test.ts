import { Text } from "@codemirror/state";
import fc from "fast-check";
import { expect, test } from "vitest";
import { casesOf } from "../../../../test/cases.ts";
import { textOf } from "../../editor/doc-text.ts";

test("the text of a document is that of its lines, however it was edited", () => {
	const line = fc
		.string({ maxLength: 4 })
		.map((text) => text.replace(/[\r\n]/g, ""));
	const edit = fc.record({
		at: fc.double({ min: 0, max: 1, noNaN: true }),
		length: fc.constantFrom(0, 1, 30, 5_000),
		insert: fc.array(line, { minLength: 1, maxLength: 3 }),
	});
	fc.assert(
		fc.property(
			fc.constantFrom(0, 1, 999, 1_000, 40_000),
			fc.array(edit, { maxLength: 12 }),
			(lines, edits) => {
				let doc = Text.of(
					Array.from({ length: lines + 1 }, (_, i) => (i % 7 ? `/${i}` : "")),
				);
				expect(textOf(doc)).toBe(doc.toString());
				for (const { at, length, insert } of edits) {
					const from = Math.floor(at * doc.length);
					const to = Math.min(from + length, doc.length);
					doc = doc.replace(from, to, Text.of(insert));
					expect(textOf(doc)).toBe(doc.toString());
				}
			},
		),
		{ numRuns: casesOf(20) },
	);
});
