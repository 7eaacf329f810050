/**
 * No clock decides: a test must not be red because the machine was busy. Whatever sleeps, or reads a clock, in a test or its helpers stands in
 * this table with the reason why a slow machine cannot turn it red. Before a row is added: an event, a hold, fake time or a count in place of
 * a time needs none. Beside that: what waits for something has as long as a busy machine may take, and generated cases have a fixed seed.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../packages/cli/test/run.ts";

const looks =
	"looks again and again, until it is so or the test's own limit is over";
const fake = "time is fake";
const stamp = "dates an entry; it is of now for a day";

/** File, how many sleeps and readings of a clock it has, and why they cannot turn it red. */
const clocks: readonly (readonly [
	file: string,
	count: number,
	reason: string,
])[] = [
	["packages/cli/test/audit-follow.test.ts", 3, looks],
	["packages/cli/test/audit-metrics.test.ts", 4, looks],
	["packages/cli/test/audit-pipelines.test.ts", 2, looks],
	[
		"packages/cli/test/audit-resolve.test.ts",
		1,
		"dates entries a day and more from what would make another answer",
	],
	[
		"packages/cli/test/compressed.test.ts",
		1,
		"parts that arrive together mean the same",
	],
	[
		"packages/cli/test/killed-index.test.ts",
		2,
		"looks until the other process is killed; it is tried again if that had written all before",
	],
	["packages/cli/test/output.test.ts", 1, looks],
	["packages/cli/test/run.ts", 1, "stops reading for a while; longer is fine"],
	[
		"packages/cli/test/stream-process.test.ts",
		2,
		"looks whether another process sleeps, which one that the machine stops does not",
	],
	["packages/cli/test/terminal.test.ts", 3, "counts what an interval shows"],
	[
		"packages/cli/test/threads.test.ts",
		2,
		"results come in order, whichever is there first",
	],
	[
		"packages/client/test/aborts.test.ts",
		1,
		"one limit begins before the other, however long it takes",
	],
	[
		"packages/client/test/ftp.test.ts",
		1,
		"the signal ends it wherever it is by then",
	],
	[
		"packages/client/test/kept.mjs",
		2,
		"what failed because the machine stopped a process is tried again",
	],
	["packages/client/test/behaviours.ts", 2, fake],
	["packages/client/test/knowledge.test.ts", 1, fake],
	["packages/client/test/lmdb-work.test.ts", 2, fake],
	[
		"packages/client/test/requests.test.ts",
		3,
		"all have asked before the answer can come; more would come meanwhile",
	],
	[
		"packages/client/test/scheduler.test.ts",
		15,
		`${stamp}; turns are counted by a fake clock; more would come meanwhile`,
	],
	[
		"packages/client/test/shared-fetches.test.ts",
		2,
		"one asks however late the others come; more would come meanwhile",
	],
	["packages/client/test/sqlite-parts.test.ts", 3, `${fake}; ${stamp}`],
	[
		"packages/client/test/store.test.ts",
		2,
		"a store that takes long; longer is fine",
	],
	["packages/client/test/stores.test.ts", 1, fake],
	[
		"packages/client/test/torture.test.ts",
		4,
		"kills at any moment; the time it takes is only printed",
	],
	["packages/client/test/visit.test.ts", 24, fake],
	[
		"packages/playground/test/browsers/log.test.ts",
		1,
		"nothing else may come meanwhile",
	],
	[
		"packages/playground/test/browsers/page.test.ts",
		1,
		"nothing else may come meanwhile",
	],
	[
		"packages/playground/test/browsers/work.test.ts",
		5,
		"waits by the page's own timers, or holds the page up; longer is fine",
	],
	[
		"packages/server/test/crawl.test.ts",
		4,
		"counts how often the machine stopped something, which is allowed for",
	],
	["packages/server/test/crawler.mjs", 2, "waits before it asks again"],
	["packages/server/test/crawler.py", 1, "waits before it asks again"],
	["packages/server/test/doors.test.ts", 6, fake],
	[
		"packages/server/test/faults.test.ts",
		4,
		`a slow client, which may be slower; times that are only printed; ${fake}`,
	],
	["packages/server/test/overrides.test.ts", 2, fake],
	[
		"packages/server/test/replicas.ts",
		1,
		"sites that take long; longer is fine",
	],
	["test/bundlers/projects.test.ts", 1, "a name for bundlers; nothing waits"],
	[
		"test/data/http-answers.ts",
		2,
		"what arrived is read before a reset; a slow body may be slower",
	],
	[
		"test/crawled-sites.ts",
		3,
		"a slow answer, which may be slower; pauses must be no shorter, and longer is fine",
	],
	["test/data/wrong-uses.ts", 1, "is no function, which is what is wrong"],
	["test/docstring-examples.test.ts", 2, "for examples; nothing is measured"],
	["test/engine/callers-memory.test.ts", 3, looks],
	[
		"test/examples/examples.test.ts",
		1,
		"a pause begins when the answer to the last request has come; longer is fine",
	],
	[
		"test/fuzz/run.ts",
		5,
		"how long to go on, and the first seed; both are shown",
	],
	["test/live-index.test.ts", 1, looks],
	["test/live-pool.ts", 4, "how long to go on at least"],
	["test/pool.test.ts", 1, "gives work a chance to begin; either is right"],
	[
		"test/runtimes/browsers.ts",
		3,
		"gives up after 100 seconds, in place of the test's own limit",
	],
];

/** A name in quotes is one that is faked. */
const CLOCK =
	/\bset(?:Timeout|Interval)\b(?!")|\bsleep\(|\b(?:Date|performance)\.now\(|\bhrtime\b|\bAbortSignal\.timeout\(|\bwaitForTimeout\(/g;

const own = "test/clocks.test.ts";
const texts = new Map(
	execFileSync("git", ["ls-files", "--", "test", ":(glob)packages/*/test/**"], {
		cwd: root,
		encoding: "utf8",
	})
		.split("\n")
		.filter((file) => /\.(m?[jt]s|py)$/.test(file) && file !== own)
		.map((file) => [file, readFileSync(join(root, file), "utf8")]),
);

describe("In tests and their helpers", () => {
	test("each sleep and each clock has a reason, and each reason a clock", () => {
		const found: [file: string, count: number][] = [];
		for (const [file, text] of texts) {
			const count = text.match(CLOCK)?.length ?? 0;
			if (count > 0) found.push([file, count]);
		}
		expect(Object.fromEntries(found)).toEqual(
			Object.fromEntries(clocks.map(([file, count]) => [file, count])),
		);
	});

	test("what waits for something waits for 15 seconds at least", () => {
		const hasty: string[] = [];
		let waits = 0;
		for (const [file, text] of texts)
			for (const { index } of text.matchAll(/\bvi\.wait(?:For|Until)\(/g)) {
				waits++;
				const [, limit = "0"] =
					/\btimeout: ([\d_]+)/.exec(callAt(text, index)) ?? [];
				if (Number(limit.replaceAll("_", "")) < 15_000)
					hasty.push(`${file}:${text.slice(0, index).split("\n").length}`);
			}
		expect(waits).toBeGreaterThan(20);
		expect(hasty).toEqual([]);
	});

	test("generated cases have a fixed seed: that of cases.ts, of runs() or their own", () => {
		const seedless: string[] = [];
		let properties = 0;
		for (const [file, text] of texts) {
			const count = text.match(/\bfc\.(?:assert|check|sample)\(/g)?.length ?? 0;
			properties += count;
			const seeds = text.match(/\bruns\(|\bseed\b/g)?.length ?? 0;
			if (!text.includes('/cases.ts"') && seeds < count) seedless.push(file);
		}
		expect(properties).toBeGreaterThan(100);
		expect(seedless).toEqual([]);
	});
});

/** A call from its name to its last parenthesis, by counting them. */
function callAt(text: string, index: number): string {
	let depth = 0;
	for (let end = text.indexOf("(", index); end < text.length; end++) {
		if (text[end] === "(") depth++;
		if (text[end] === ")" && --depth === 0) return text.slice(index, end);
	}
	return text.slice(index);
}
