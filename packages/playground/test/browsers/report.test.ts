import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleReport } from "../../../audit/test/sample-report.ts";
import { hasChromium, launchChromium, openWatched } from "../chromium.ts";
import { overflowOf, violations } from "../faults.ts";
import { views } from "../views.ts";

describe.skipIf(!hasChromium)(
	"The page of robotrie audit --output html",
	() => {
		let browser: Browser;
		let folder = "";
		let address = "";

		beforeAll(async () => {
			folder = mkdtempSync(join(tmpdir(), "robotrie-"));
			const file = join(folder, "report.html");
			writeFileSync(file, await sampleReport());
			address = pathToFileURL(file).href;
			browser = await launchChromium();
		});
		afterAll(async () => {
			await browser?.close();
			rmSync(folder, { recursive: true, force: true });
		});

		const open = (width: number, colorScheme: "light" | "dark" = "light") =>
			openWatched(browser, address, {
				viewport: { width, height: 800 },
				colorScheme,
			});

		const column = (page: Page, index: number) =>
			page
				.locator(`table.sortable tbody td:nth-child(${index})`)
				.allInnerTexts();

		test.each(views)("fits %d px, %s", async (width, scheme) => {
			const { page, problems, requests } = await open(width, scheme);
			const found = await page.evaluate(() => ({
				charts: [...document.querySelectorAll("svg")].filter(
					(chart) => chart.getBoundingClientRect().width > 0,
				).length,
				// What a reader has to make out on a phone.
				smallest: Math.min(
					...[...document.querySelectorAll("svg text")]
						.map((text) => text.getBoundingClientRect().height)
						.filter((height) => height > 0),
				),
				background: getComputedStyle(document.body).backgroundColor,
				title: document.title,
			}));
			expect(await overflowOf(page)).toBe(0);
			expect(found.charts).toBeGreaterThanOrEqual(1);
			expect(found.smallest).toBeGreaterThan(9);
			expect(found.background).toBe(
				scheme === "dark" ? "rgb(18, 21, 24)" : "rgb(243, 245, 246)",
			);
			expect(found.title).toBe("Crawlers and robots.txt");
			expect(await violations(page)).toEqual([]);
			expect(problems).toEqual([]);
			expect(requests).toEqual([address]);
			await page.close();
		});

		test("sorts its table by a column, by number and by name", async () => {
			const { page } = await open(1280);
			const numbers = async () =>
				(await column(page, 4)).map((text) => Number(text.replaceAll(",", "")));
			const before = await numbers();
			await page.getByRole("columnheader", { name: "Requests" }).click();
			await expect.poll(numbers).toEqual(before.toSorted((a, b) => b - a));
			expect(await numbers()).not.toEqual(before);
			await page.getByRole("columnheader", { name: "Crawler" }).click();
			const names = async () =>
				(await column(page, 1)).map((name) => name.toLowerCase());
			const sorted = (await names()).toSorted().toReversed();
			await expect.poll(names).toEqual(sorted);
			await page.close();
		});

		test("says what the colours of every chart mean", async () => {
			const { page } = await open(1280);
			const unexplained = await page
				.locator(".card:has(.wide, .bars:not(.heat)):not(:has(.legend))")
				.count();
			expect(unexplained).toBe(0);
			await page.close();
		});

		test.each(["A4", "Letter"])("prints on two pages of %s", async (format) => {
			const { page } = await open(1280);
			const pdf = await page.pdf({ format });
			expect(pdf.toString("latin1").match(/\/Type \/Page\b/g)).toHaveLength(2);
			await page.close();
		});

		test("keeps the first column in place while its table scrolls", async () => {
			const { page } = await open(360);
			const table = page.getByRole("region", { name: "All crawlers" });
			const { scrolled, by } = await table.evaluate((region) => {
				region.scrollLeft = 10_000;
				const first = region.querySelector("tbody td");
				return {
					scrolled: region.scrollLeft > 100,
					by:
						(first?.getBoundingClientRect().left ?? 0) -
						region.getBoundingClientRect().left,
				};
			});
			expect(scrolled).toBe(true);
			expect(Math.abs(by)).toBeLessThan(2);
			await page.close();
		});

		test("shows on a phone who was disallowed how often, without scrolling", async () => {
			const { page } = await open(390);
			const table = page.getByRole("region", { name: "All crawlers" });
			const header = table.locator("th", { hasText: /^Disallowed$/ });
			const box = await header.boundingBox();
			expect((box?.x ?? 390) + (box?.width ?? 0)).toBeLessThan(390);
			await page.close();
		});

		test("escapes text from the log", async () => {
			const { page } = await open(1280);
			expect(await page.locator("b b, code script, code img").count()).toBe(0);
			expect(await page.locator("main").textContent()).toContain(
				"/cart<script>document.title='x'</script>",
			);
			await page.close();
		});
	},
);
