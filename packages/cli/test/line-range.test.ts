import { closeSync, fstatSync, openSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import "../../../test/cases.ts";
import { bytes } from "../../../test/latin1.ts";
import {
	blocksForThreads,
	endBlock,
	type LineRange,
	RangeReader,
} from "../src/input/lines.ts";
import { file } from "./run.ts";

/** Texts with lines of several lengths, CR and NUL. */
const texts = fc
	.array(
		fc.oneof(
			fc.constantFrom("\n", "\r\n", "\n\n", "\0", "/a"),
			fc.string({ unit: "binary-ascii", maxLength: 40 }),
			fc
				.tuple(
					fc.constantFrom(16_383, 16_384, 40_000),
					fc.constantFrom("", "\n"),
				)
				.map(([length, end]) => "x".repeat(length) + end),
		),
		{ maxLength: 12 },
	)
	.map((parts) => parts.join(""));

/** The lines that begin within a range. */
function linesWithin(text: string, from: number, to: number): string {
	let at = 0;
	let found = "";
	for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
		if (at >= from && at < to) found += line;
		at += line.length;
	}
	return found;
}

function read(text: string, ranges: readonly [number, number][], size: number) {
	const path = file("ranges", bytes(text));
	const descriptor = openSync(path, "r");
	const reader = new RangeReader();
	const found = ranges.map(([from, to]) => {
		const range: LineRange = { descriptor, name: path, from, to, size };
		return Buffer.from(reader.read(range)).toString("latin1");
	});
	closeSync(descriptor);
	return found;
}

test("a range holds the lines that begin in it, wherever a file is cut", () => {
	const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
		maxLength: 8,
	});
	fc.assert(
		fc.property(texts, cuts, (text, places) => {
			const size = text.length;
			const borders = places.map((place) => Math.floor(place * size));
			const sorted = [...new Set([0, ...borders, size])].sort((a, b) => a - b);
			const ranges = sorted
				.slice(1)
				.map((to, index): [number, number] => [sorted[index] as number, to]);
			const expected = ranges.map(([from, to]) => linesWithin(text, from, to));
			expect(expected.join("")).toBe(text);
			expect(read(text, ranges, size)).toEqual(expected);
		}),
	);
});

test.each<[string, string, [number, number][], number, string[]]>([
	["has grown", "/a\n/b\n/c\n", [[0, 5]], 5, ["/a\n/b"]],
	["has grown by a line end", "/a\n/b\n", [[0, 5]], 5, ["/a\n/b"]],
	[
		"has shrunk",
		"/a\n/b",
		[
			[0, 4],
			[4, 8],
			[8, 20],
		],
		20,
		["/a\n/b", "", ""],
	],
	["is empty by now", "", [[0, 4]], 8, [""]],
])("a file that %s", (_, text, ranges, size, expected) => {
	expect(read(text, ranges, size)).toEqual(expected);
});

test("a range that cannot be read names its file", () => {
	const descriptor = openSync(file("ranges", ""), "r");
	closeSync(descriptor);
	const range = { descriptor, name: "urls.txt", from: 0, to: 1, size: 1 };
	expect(() => new RangeReader().read(range)).toThrow(
		"cannot read urls.txt: bad file descriptor",
	);
});

test("a file is open until its last part is done with", async () => {
	const path = file("ranges", "/a\n".repeat(1024 * 1024));
	const ranges: LineRange[] = [];
	for await (const part of blocksForThreads([path]))
		if ("descriptor" in part) ranges.push(part);
	expect(ranges).toHaveLength(3);
	const [{ descriptor }] = ranges as [LineRange];
	for (const range of ranges) {
		expect(fstatSync(descriptor).size).toBe(range.size);
		endBlock(range);
	}
	expect(() => fstatSync(descriptor)).toThrow("EBADF");
});
