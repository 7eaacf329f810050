/**
 * conformance/recorded.jsonl by way of @robotrie/sites and the command line: lines and WARC files, one index and shards. Spark runs the same rows (integrations/spark/tests/test_recorded.py).
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RecordedRow } from "../../../test/data/recorded.ts";
import { file, folder, robotrie } from "../../cli/test/run.ts";
import { buildIndex, openIndex } from "../src/index.ts";

const rows = readFileSync(
	new URL("../../../conformance/recorded.jsonl", import.meta.url),
	"utf8",
)
	.trimEnd()
	.split("\n")
	.map((line) => JSON.parse(line) as RecordedRow);
const words = ["disallowed", "allowed", "unknown", "invalid", "later"];

const forms = {
	lines: ({ records }: RecordedRow) =>
		records?.map((one) => `${JSON.stringify(one)}\n`).join(""),
	WARC: ({ warc_b64 }: RecordedRow) => warc_b64 && atob(warc_b64),
};

const all = Object.entries(forms).flatMap(([form, textOf]) =>
	[null, ...new Set(rows.flatMap(({ as_of }) => as_of ?? []))].map((asOf) => {
		const some = rows.filter((row) => row.as_of === asOf && textOf(row));
		const text = some.map(textOf).join("");
		const name = form === "WARC" ? "recorded.warc" : "recorded.ndjson";
		const urls = some.flatMap(({ verdicts }) => Object.entries(verdicts));
		return {
			form,
			asOf,
			path: file(`${asOf ?? "last"}-${name}`.replaceAll(":", ""), text),
			urls,
		};
	}),
);

describe.each(all)("$form, as of $asOf", ({ asOf, path, urls }) => {
	test("there are rows of every verdict", () => {
		expect(new Set(urls.map(([, verdict]) => verdict)).size).toBeGreaterThan(2);
	});

	test.each([undefined, 7])("buildIndex, shards: %s", async (shards) => {
		const out = join(folder, `recorded-${all.length}-${shards}-${path.length}`);
		await buildIndex(
			path,
			{ agent: "ExampleBot", path: out },
			{
				...(asOf === null ? {} : { asOf }),
				...(shards === undefined ? {} : { shards }),
			},
		);
		const index = await openIndex(out);
		const found = await index.matchMany(urls.map(([url]) => url));
		expect(urls.map(([url], i) => [url, words[found[i] as number]])).toEqual(
			urls,
		);
	});

	test("robotrie index, robotrie match", async () => {
		const out = join(folder, `recorded-command-${path.length}`);
		const dated = asOf === null ? [] : ["--as-of", asOf];
		await robotrie([
			"index",
			"--agent",
			"ExampleBot",
			"--out",
			out,
			...dated,
			path,
		]);
		const stdin = urls.map(([url]) => `${url}\n`).join("");
		const { stdout } = await robotrie(["match", "--index", out], { stdin });
		const found = String(stdout)
			.trimEnd()
			.split("\n")
			.map((line) => line.split("\t").toReversed());
		expect(found).toEqual(urls);
	});
});
