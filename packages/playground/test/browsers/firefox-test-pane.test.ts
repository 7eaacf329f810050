import { readFileSync } from "node:fs";
import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compareCrawlers } from "../../../../src/compare.ts";
import { OwnDialects } from "../../../../src/matching/own-dialects.ts";
import { faultsOf } from "../faults.ts";
import {
	hasFirefox,
	inEditor,
	launchFirefox,
	openPlayground,
} from "../firefox.ts";
import { SiteServer } from "../playground.ts";
import { views } from "../views.ts";

const root = new URL("../../../../", import.meta.url);
describe.skipIf(!hasFirefox)("In Firefox, the panes Test and Log", () => {
	let site: SiteServer;
	let light: Browser;
	let dark: Browser;
	beforeAll(async () => {
		site = await SiteServer.start();
		light = await launchFirefox("light");
		dark = await launchFirefox("dark");
	});
	afterAll(async () => {
		await light?.close();
		await dark?.close();
		await site?.stop();
	});

	async function open(width = 1280, colorScheme = "light") {
		const browser = colorScheme === "light" ? light : dark;
		const opened = await openPlayground(browser, site.address, width);
		await opened.page.waitForSelector("#export");
		await opened.page.waitForSelector("#findings-list li");
		await opened.page.waitForSelector("#explanation .answer");
		return opened;
	}

	const textOf = (page: Page, place: string) =>
		page.$eval(place, (element) => (element as HTMLElement).innerText);

	test("finds in the whole text what is not drawn", async () => {
		const { page, problems } = await open();
		await inEditor(page, "#urls-editor >>> .cm-gutters");
		// Its middle may be out of sight.
		await page.focus("#urls-editor");
		await page.keyboard.down("Control");
		await page.keyboard.press("f");
		await page.keyboard.up("Control");
		const field = await inEditor(page, "#urls-editor >>> [main-field]");
		await field.type("magazine/open/how-to-brew/comments");
		await page.keyboard.press("Enter");
		await expect
			.poll(() => textOf(page, "#explanation .url"))
			.toContain("magazine/open/how-to-brew/comments");
		expect(problems).toEqual([]);
		await page.close();
	});

	test("goes on in the editor with what was typed before it was there", async () => {
		const { page, problems } = await open();
		let release = () => {};
		const released = new Promise<void>((resolve) => {
			release = resolve;
		});
		await page.setRequestInterception(true);
		page.on("request", async (request) => {
			if (/\/editor-[^/]*\.js$/.test(request.url())) await released;
			await request.continue();
		});
		await page.reload();
		await page.waitForSelector("#counts button");
		await page.focus("#urls-editor textarea");
		await page.keyboard.type("/typed\n/be");
		await expect.poll(() => textOf(page, "#explanation .url")).toContain("/be");
		release();
		await inEditor(page, "#urls-editor >>> .cm-gutters");
		await page.keyboard.type("hind");
		await expect
			.poll(() => textOf(page, "#explanation .url"))
			.toContain("/behind");
		await page.keyboard.down("Control");
		await page.keyboard.press("z");
		await page.keyboard.press("z");
		await page.keyboard.up("Control");
		const text = await inEditor(page, "#urls-editor >>> .cm-content");
		await expect
			.poll(() => text.evaluate(({ textContent }) => textContent))
			.not.toContain("/typed");
		expect(problems).toEqual([]);
		await page.close();
	});

	test("recognises a header, and answers for all crawlers as the library does", async () => {
		const { page, problems } = await open();
		await page.type("#agent", "Mozilla/5.0 (compatible; GPTBot/1.2)");
		await expect
			.poll(() => textOf(page, "#about-crawler"))
			.toContain("Recognised: GPTBot.");
		await expect
			.poll(() =>
				page.$$eval("#robots-editor >>> .group-label", (labels) =>
					labels.map(({ textContent }) => textContent).join(),
				),
			)
			.toContain("holds for GPTBot");
		const url = await textOf(page, "#explanation .url");
		const robots = new OwnDialects(
			readFileSync(new URL("sample/robots.txt", root)),
			"auto",
		);
		const answers = compareCrawlers((name) => robots.of(name), url);
		const refused = answers.filter(({ allowed }) => !allowed).length;
		await page.$eval("#who", (card) => card.setAttribute("open", ""));
		await expect
			.poll(() => textOf(page, "#who-body"))
			.toContain(
				`${refused} of ${answers.length} known crawlers may not fetch this URL.`,
			);
		expect(problems).toEqual([]);
		await page.close();
	});

	test.each(views)(
		"is accessible and fits %d px, %s",
		async (width, colorScheme) => {
			const { page, problems } = await open(width, colorScheme);
			await page.$eval("#who", (card) => card.setAttribute("open", ""));
			await page.waitForSelector(".who tr");
			expect(await faultsOf(page)).toEqual([]);
			await page.click("#tab-log");
			await page.waitForSelector("#log-more");
			expect(await faultsOf(page)).toEqual([]);
			expect(problems).toEqual([]);
			await page.close();
		},
	);
});
