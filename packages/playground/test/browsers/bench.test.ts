import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FLOORS } from "../../../../bench/case.ts";
import type { CaseResult } from "../../../../bench/report.ts";
import { Estimate } from "../../views/bench/bench-estimate.ts";
import { benchParts } from "../../views/bench/bench-messages.ts";
import { hasChromium } from "../chromium.ts";
import { overflowOf, violations } from "../faults.ts";
import { type PageOptions, Playground } from "../playground.ts";
import { schemes, widths } from "../views.ts";

test("the estimate counts parts, and never ends below none", () => {
	expect(benchParts.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
	const estimate = new Estimate(0);
	estimate.begin("parse and compile", 0);
	expect(estimate.words(5000)).toContain("after the first part");
	// A share of 0.3 took 30 s: all take 100 s.
	estimate.begin("paths", 30_000);
	expect(estimate.done).toBeCloseTo(0.3);
	expect(estimate.words(30_000)).toBe("About 2 min are left.");
	expect(estimate.words(45_000)).toBe("About 55 s are left.");
	expect(estimate.words(200_000)).toBe("A few seconds are left.");
	estimate.begin("strings", 45_000);
	expect(estimate.words(45_000)).toBe("About 55 s are left.");
});

describe.skipIf(!hasChromium)("In Chromium, the Benchmark pane", () => {
	let playground: Playground;
	beforeAll(async () => {
		playground = await Playground.start();
	});
	afterAll(() => playground?.stop());

	const open = (options?: PageOptions) =>
		playground.openPane("bench", "#bench-start:enabled", options);

	const focused = () => document.activeElement?.id;

	test("shows only controls that apply, and can be cancelled", async () => {
		const { page, problems } = await open();
		expect(await page.locator("#agent").isVisible()).toBe(false);
		expect(await page.locator("#bench-cancel").isVisible()).toBe(false);
		await page.locator("#bench-start").click();
		expect(await page.locator("#bench-start").isVisible()).toBe(false);
		expect(await page.evaluate(focused)).toBe("bench-cancel");
		await expect
			.poll(() => page.locator("#bench-state").innerText(), { timeout: 60_000 })
			.toMatch(/^Measuring .* \([1-5] of 5\) …$/);
		expect(await page.locator("#bench-left").innerText()).toMatch(
			/after the first part| left\.$/,
		);
		await page.locator("#bench-cancel").click();
		await expect
			.poll(() => page.locator("#bench-state").innerText())
			.toBe("Cancelled.");
		expect(await page.evaluate(focused)).toBe("bench-start");
		expect(await page.locator("#bench-progress").isVisible()).toBe(false);
		await expect
			.poll(() => page.workers().some((worker) => /bench/.test(worker.url())))
			.toBe(false);
		expect(problems).toEqual([]);
		await page.close();
	});

	test("draws every case, and its numbers are on the screen of a phone", async () => {
		const { page, problems } = await open({ hash: "?rounds=1", width: 360 });
		await page.locator("#bench-start").click();
		await expect
			.poll(() => page.locator("#bench-state").innerText(), {
				timeout: 100_000,
			})
			.toMatch(/^(Done in|The benchmark failed)/);
		const names = await page.locator("#bench-results h2").allInnerTexts();
		expect(names).toEqual([
			"parse and compile, first pass",
			"parse and compile",
			"paths",
			"URLs",
			"strings",
			"index",
		]);
		const [download] = await Promise.all([
			page.waitForEvent("download"),
			page.locator("#bench-save").click(),
		]);
		const results = JSON.parse(readFileSync(await download.path(), "utf8")) as {
			cases: readonly CaseResult[];
		};
		const { cases } = results;
		expect(cases.map(({ name }) => name)).toEqual(names);
		for (const { name, engines } of cases) {
			const floors = engines
				.map((engine) => engine.name)
				.filter((engine) => FLOORS.some((floor) => floor === engine));
			expect(floors).toEqual(
				["paths", "URLs", "index"].includes(name) ? FLOORS : [],
			);
			for (const { nsFastest } of engines) expect(nsFastest).toBeGreaterThan(0);
		}
		const rows = page.locator("#bench-results tr");
		expect(await rows.count()).toBe(
			cases.reduce((sum, { engines }) => sum + engines.length, 0),
		);
		const outside = await page
			.locator("#bench-results .number")
			.evaluateAll((all) =>
				all
					.map((one) => one.getBoundingClientRect())
					.filter(({ left, right }) => left < 0 || right > innerWidth)
					.map(({ left, right }) => [left, right]),
			);
		expect(outside).toEqual([]);
		for (const colorScheme of schemes) {
			await page.emulateMedia({ colorScheme });
			expect(await violations(page)).toEqual([]);
		}
		for (const width of widths) {
			await page.setViewportSize({ width, height: 900 });
			expect(await overflowOf(page)).toBeLessThanOrEqual(0);
		}
		expect(problems).toEqual([]);
		await page.close();
	});
});
