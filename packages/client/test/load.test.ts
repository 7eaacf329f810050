import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type CrawlPart, crawl } from "../bench/crawl.ts";
import { schedulersDay } from "../bench/scheduler.ts";
import { openStore } from "../src/index.ts";

const folder = mkdtempSync(join(tmpdir(), "robotrie-load-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the load test, in small: no answer is lost or wrong, each origin is asked once", async () => {
	const parts: CrawlPart[] = [];
	await crawl({
		origins: 300,
		urls: 30_000,
		openStore: () => openStore(folder),
		report: (part) => parts.push(part),
	});
	expect(parts.map(({ what, requests }) => [what, requests])).toEqual([
		["cold: fetched, stored, judged", 300],
		["warm: matchMany", 0],
		["warm: matchLines", 0],
		["warm: isAllowed, one at a time", 0],
		["another client, from the store", 0],
	]);
});

test.each([
	["of robotrie", { isControl: false }],
	// Refreshes in the background are under way when the clock jumps.
	["of robotrie and slow sites", { isControl: false, answerDelay: 30 }],
	["of the benchmark alone", { isControl: true }],
])(
	"a scheduler's day, in small, %s: no verdict is wrong",
	async (name, options) => {
		const { latencies, requests, verdicts, memory } = await schedulersDay({
			minutes: 0.05,
			sites: 300,
			...options,
			openStore: () => openStore(join(folder, name)),
			collect: () => {},
		});
		expect(verdicts).toBeGreaterThan(500);
		// Each site once, and after every jump of the clock those that are in use.
		expect(requests).toBeGreaterThan(500);
		// A sample every two hours of that day; on a busy machine one turn may last longer.
		expect(memory.length).toBeGreaterThan(0);
		const { count } = latencies.get("turn");
		expect(count).toBeGreaterThan(0);
		expect(latencies.get("turn, garbage collection apart").count).toBe(count);
	},
	60_000,
);
