import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LogAudit } from "../../src/audit.ts";
import { htmlReport } from "../../src/log/html.ts";
import { hasChromium, launchChromium, openWatched } from "../web/chromium.ts";
import { overflowOf, violations } from "../web/faults.ts";
import { views } from "../web/views.ts";

const root = new URL("../../", import.meta.url);

/** Names and targets that would do harm in a page that believed them. */
const hostile = `192.0.2.9 - - [14/Oct/2025:01:00:00 +0000] "GET /cart<script>document.title='x'</script><img/src=x> HTTP/1.1" 200 5 "-" "<b>Evil</b>Bot/1.0"\n`;

async function sampleReport(): Promise<string> {
	const audit = new LogAudit({
		robots: [
			{
				file: "robots.txt",
				bytes: readFileSync(new URL("sample/robots.txt", root)),
			},
		],
	});
	const log = readFileSync(new URL("sample/access.log", root));
	await audit.add("access.log", [
		log,
		Buffer.from(hostile),
		Buffer.from("?\n"),
	]);
	return htmlReport(audit.report());
}

test("the file loads nothing else", async () => {
	const html = await sampleReport();
	expect(html).not.toMatch(/<[^<>]+\s(?:src|href)\s*=|url\(|@import/);
	expect(html).toContain("default-src 'none'");
	// What shows it may have a policy against these.
	expect(html).not.toMatch(/<[^<>]+\sstyle\s*=/);
});

/** Requests of the sample's first lines, with gaps of days, and of very many names. */
test("gaps are folded, names are cut in the middle, and 6,000 names make a small page", async () => {
	const audit = new LogAudit({
		robots: [
			{
				file: "robots.txt",
				bytes: Buffer.from("User-agent: *\nDisallow: /\nAllow: /open\n"),
			},
		],
		format: "combined",
		groupBy: "header",
	});
	const line = (day: string, path: string, header: string) =>
		`192.0.2.1 - - [${day}/Oct/2025:01:00:00 +0000] "GET ${path} HTTP/1.1" 200 5 "-" "${header}"\n`;
	const long =
		"Mozilla/5.0 (compatible; AVeryLongNameOfACrawler/1.0; +http://x.example/bot)";
	await audit.add("a.log", [
		Buffer.from(line("01", "/a", long).repeat(3)),
		Buffer.from(line("01", "/robots.txt", long)),
		Buffer.from(line("02", "/open", long)),
		Buffer.from(line("28", "/a", long)),
		...Array.from({ length: 6000 }, (_, at) =>
			Buffer.from(line("28", "/open", `New${at}Bot/1.0`)),
		),
	]);
	const html = htmlReport(audit.report());
	expect(html).toContain(
		"<b>1 of 5,001 crawlers disregarded robots.txt in 4 requests</b>, of which 4 were served.",
	);
	expect(html).toContain("no requests for 26 days");
	expect(html).toContain(`title="${long}">Mozilla/5.0…example/bot)</span>`);
	expect(html).toContain("are no contradiction to Disallow: /.");
	expect(html.match(/<tr>/g)?.length).toBe(501);
	expect(html).toContain("4,501 more, with");
	expect(html.length).toBeLessThan(1_000_000);
});

test("an empty report is a valid page", async () => {
	const audit = new LogAudit({
		robots: [{ file: "robots.txt", bytes: new Uint8Array(0) }],
	});
	await audit.add("empty.log", []);
	expect(htmlReport(audit.report())).toContain("No request of a crawler");
});

describe.skipIf(!hasChromium)("In Chromium, the page", () => {
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
		page.locator(`table.sortable tbody td:nth-child(${index})`).allInnerTexts();

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
			(await column(page, 3)).map((text) => Number(text.replaceAll(",", "")));
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

	test("escapes text from the log", async () => {
		const { page } = await open(1280);
		expect(await page.locator("b b, code script, code img").count()).toBe(0);
		expect(await page.locator("main").textContent()).toContain(
			"/cart<script>document.title='x'</script>",
		);
		await page.close();
	});
});
