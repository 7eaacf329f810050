/** What a site sends is worked on in steps, between which the event loop turns. Steps are counted, not timed. */
import { describe, expect, test } from "vitest";
import { RobotsTxt } from "../../../src/index.ts";
import { inOneGo, type Steps } from "../../../src/robots-txt/steps.ts";
import type { Fetch } from "../src/index.ts";
import { clientOf, clock } from "./site.ts";

const KIB = 1024;
/** Files of a size that are made to take time. */
const hostile: readonly (readonly [string, (bytes: number) => string])[] = [
	["rules that all have to be tried", (size) => fill("Allow:*i$", size)],
	["Request-rate", (size) => fill("Request-rate: 1/5 0100-0200", size)],
	["Visit-time that does not count", (size) => fill("Visit-time: x", size)],
	["Crawl-delay", (size) => fill("Crawl-delay: x", size)],
	["user-agent lines", (size) => fill("User-agent: a\nCrawl-delay: 1", size)],
	["unknown lines", (size) => fill("X: y", size)],
];
function fill(line: string, size: number): string {
	const all = `User-agent: *\n${`${line}\n`.repeat(size / (line.length + 1))}`;
	return all.slice(0, all.lastIndexOf("\n", size - 1) + 1);
}

/** The number of steps, and what comes of them. */
function count<Result>(steps: Steps<Result>): [number, Result] {
	for (let number = 1; ; number++) {
		const step = steps.next();
		if (step.done) return [number, step.value];
	}
}

describe.each(hostile)("%s", (_, text) => {
	const url = `/${"i".repeat(8 * KIB - 1)}`;
	/** Lines that one step may read. */
	const most = 1000;

	test("pace: a step has at most 1,000 lines", () => {
		for (const size of [62 * KIB, 250 * KIB, 500 * KIB]) {
			const file = text(size);
			const robots = RobotsTxt.parse(file);
			const [steps, pace] = count(robots.paceSteps("x"));
			const { otherLines } = RobotsTxt.parse(file);
			expect(steps).toBeGreaterThan(otherLines.length / most);
			const whole = RobotsTxt.parse(file);
			expect(pace).toEqual({
				delay: whole.crawlDelay("x"),
				rates: whole.requestRates("x"),
				window: whole.visitTime("x"),
			});
		}
	});

	test("explain: each dialect is compiled, judged and parsed in steps of its own", () => {
		const file = text(500 * KIB);
		const robots = RobotsTxt.parse(file);
		const [steps, explanation] = count(robots.explainSteps(url, "x"));
		expect(steps).toBeGreaterThanOrEqual(3 * 4);
		expect(explanation).toEqual(RobotsTxt.parse(file).explain(url, "x"));
		expect(explanation).toEqual(inOneGo(robots.explainSteps(url, "x")));
	});

	test("the event loop turns meanwhile", async () => {
		const body = text(500 * KIB);
		const fetch: Fetch = async () => new Response(body);
		await using client = clientOf({ fetch, now: clock().read });
		const origin = "https://a.test";
		await client.isAllowed(origin);
		const hasMany = RobotsTxt.parse(body).otherLines.length > most;
		const calls: readonly (readonly [number, () => Promise<unknown>])[] = [
			[3, () => client.explain(origin + url)],
			[hasMany ? 1 : 0, () => client.nextVisit(origin)],
			[0, () => client.crawlDelay(origin)],
			[0, () => client.sitemaps(origin)],
		];
		for (const [least, call] of calls) {
			let turns = 0;
			const ended = call().then(() => true);
			const turn = () => new Promise<false>((go) => setImmediate(go, false));
			while (!(await Promise.race([ended, turn()]))) turns++;
			expect(turns).toBeGreaterThanOrEqual(least);
		}
	});
});
