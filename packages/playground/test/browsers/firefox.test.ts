import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { summaryText } from "../../../../src/common/verdict-texts.ts";
import { compareFiles } from "../../../../src/compare.ts";
import { RobotsTxt } from "../../../../src/index.ts";
import { shop } from "../../work/shop.ts";
import { overflowOf, violations } from "../faults.ts";
import {
	hasFirefox,
	inEditor,
	launchFirefox,
	openPlayground,
} from "../firefox.ts";
import { SiteServer } from "../playground.ts";
import { schemes, widths } from "../views.ts";

const text = (page: Page, selector: string) =>
	page.$eval(selector, (element) => element.textContent ?? "");

const countsOf = (page: Page) =>
	page.$$eval("#counts button", (buttons) =>
		buttons.map(({ textContent }) =>
			Number(/[\d,]+/.exec(textContent ?? "")?.[0].replaceAll(",", "")),
		),
	);

describe.skipIf(!hasFirefox)("In Firefox, the page", () => {
	let server: SiteServer;
	let browser: Browser;
	beforeAll(async () => {
		server = await SiteServer.start();
		browser = await launchFirefox("light");
	});
	afterAll(async () => {
		await browser?.close();
		await server?.stop();
	});

	/** What each pane shows that has done its work. */
	const panes: readonly (readonly [
		name: string,
		open: (page: Page) => Promise<void>,
		shows: (page: Page) => Promise<unknown>,
		expected: unknown,
	])[] = [
		[
			"test",
			async () => {},
			async (page) => (await countsOf(page)).slice(0, 3),
			[1, 0, 3].map(
				(verdict) =>
					[
						...RobotsTxt.parse(shop.robots)
							.for("*")
							.matchMany(shop.urls.split("\n")),
					].filter((one) => one === verdict).length,
			),
		],
		[
			"compare",
			async (page) => {
				const text = await inEditor(page, "#after-editor >>> .cm-content");
				await text.focus();
				await page.keyboard.down("Control");
				await page.keyboard.press("a");
				await page.keyboard.up("Control");
				await page.keyboard.type("User-agent: GPTBot\nDisallow: /\n");
			},
			(page) => text(page, "#compare-summary"),
			`${summaryText(
				compareFiles(
					RobotsTxt.parse(shop.robots),
					RobotsTxt.parse("User-agent: GPTBot\nDisallow: /\n"),
				),
			)}.`,
		],
		[
			"log",
			async (page) => {
				await page.waitForSelector("#log-sample:not([disabled])");
				await page.click("#log-sample");
			},
			async (page) => (await text(page, "#log-message")).slice(0, 11),
			"3,000 lines",
		],
		[
			"byte-code",
			async (page) => {
				await page.waitForSelector("#step-state p");
				await page.click("#step-last");
			},
			async (page) => [
				/All steps are done/.test(await text(page, "#step-state")),
				await page.evaluate(() => document.activeElement?.id),
			],
			[true, "step-back"],
		],
		[
			"bench",
			async (page) => {
				await page.waitForSelector("#bench-start:not([disabled])");
				await page.click("#bench-start");
			},
			(page) => text(page, "#bench-state"),
			"Measuring parse and compile (1 of 5) …",
		],
	];

	test.each(panes)(
		"does the work of the pane %s",
		async (name, open, shows, expected) => {
			const { page, problems } = await openPlayground(browser, server.address);
			await page.click(`#tab-${name}`);
			await open(page);
			await expect
				.poll(() => shows(page), { timeout: 30_000 })
				.toEqual(expected);
			expect(problems).toEqual([]);
			await page.close();
		},
	);

	test.each(schemes)(
		"is accessible and fits three widths, %s",
		async (scheme) => {
			const own = await launchFirefox(scheme);
			try {
				const { page, problems } = await openPlayground(own, server.address);
				expect(
					await page.evaluate(
						() => matchMedia("(prefers-color-scheme: dark)").matches,
					),
				).toBe(scheme === "dark");
				for (const [name] of panes) {
					await page.click(`#tab-${name}`);
					for (const width of widths) {
						await page.setViewport({ width, height: 900 });
						expect(
							await overflowOf(page),
							`${name}, ${width} px`,
						).toBeLessThanOrEqual(0);
					}
					expect([name, ...(await violations(page))]).toEqual([name]);
				}
				expect(problems).toEqual([]);
			} finally {
				await own.close();
			}
		},
	);
});
