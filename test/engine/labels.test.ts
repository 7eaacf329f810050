import fc from "fast-check";
import { expect, test } from "vitest";
import { LineLabels } from "../../src/engine/engine.ts";
import { casesOf } from "../cases.ts";

const texts = ["no\t", "yes\t", "unknown\t", "invalid\t", "sixteen letters\t"];
const labels = new LineLabels(texts);

/** What `label` writes, and its counts. */
function labelled(lines: string, verdicts: readonly number[], only: number) {
	const bytes = Buffer.from(lines);
	const into = Buffer.alloc(labels.room(bytes.length, verdicts.length));
	const counts = new Float64Array(texts.length);
	const judged = Uint8Array.from(verdicts);
	const size = labels.label(bytes, judged, only, into, counts);
	return { text: into.toString("utf8", 0, size), counts: [...counts] };
}

/** The same, line by line. */
function expected(lines: string, verdicts: readonly number[], only: number) {
	const counts = texts.map(
		(_, verdict) => verdicts.filter((other) => other === verdict).length,
	);
	const text = lines
		.split("\n")
		.slice(0, verdicts.length)
		.map((line, i) => [verdicts[i] as number, line] as const)
		.filter(([verdict]) => only < 0 || verdict === only)
		.map(([verdict, line]) => `${texts[verdict]}${line}\n`)
		.join("");
	return { text, counts };
}

const line = (length: number) => "x".repeat(length);

test.each<[string, string, number]>([
	["nothing", "", 0],
	["an empty line", "\n", 1],
	["a last line without an end", "/a\n/b", 2],
	["CRs stay", "/a\r\n\r\r\n/b\r", 3],
	["NUL and other bytes", "/\0\n/\u00e9\u{1f600}\n", 2],
	["empty lines, more than a chunk", "\n".repeat(300_000), 300_000],
	[
		"a line longer than a chunk between short ones",
		`/a\n${line(300_000)}\n/b\n`,
		3,
	],
	["a long last line without an end", `/a\n${line(200_000)}`, 2],
	["many lines", `${line(60)}\n`.repeat(20_000), 20_000],
	[
		"all lengths around a vector",
		Array.from({ length: 70 }, (_, i) => `${line(i)}\n`).join(""),
		70,
	],
])("labels before lines: %s", (_, lines, count) => {
	const verdicts = Array.from({ length: count }, (_, i) => (i * 7) % 5);
	for (const only of [-1, 0, 1, 2, 3, 4])
		expect(labelled(lines, verdicts, only)).toEqual(
			expected(lines, verdicts, only),
		);
});

test("any lines, verdicts and choice", () => {
	const one = fc.tuple(
		fc.string({ maxLength: 40, unit: "binary" }),
		fc.nat({ max: 4 }),
	);
	fc.assert(
		fc.property(
			fc.array(one, { maxLength: 60 }),
			fc.integer({ min: -1, max: 4 }),
			fc.boolean(),
			(items, only, ended) => {
				const own = items.map(
					([text, verdict]) => [text.replaceAll("\n", "/"), verdict] as const,
				);
				// Without an end, an empty last line is none.
				const last = own.at(-1)?.[0];
				const end = (ended || last === "") && own.length > 0 ? "\n" : "";
				const lines = own.map(([text]) => text).join("\n") + end;
				const verdicts = own.map(([, verdict]) => verdict);
				expect(labelled(lines, verdicts, only)).toEqual(
					expected(lines, verdicts, only),
				);
			},
		),
		{ numRuns: casesOf(300) },
	);
});
