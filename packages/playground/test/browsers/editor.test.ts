import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasChromium } from "../chromium.ts";
import { violations } from "../faults.ts";
import { Playground } from "../playground.ts";

const editorCode = /\/(?:text-)?editor-[^/]*\.js$/;
const robots = "User-agent: *\nDisallow: /a\n";
const urls = "/a\n/b\nexample.com/c";

describe.skipIf(!hasChromium)("In Chromium, plain text", () => {
	let playground: Playground;
	beforeAll(async () => {
		playground = await Playground.start();
	});
	afterAll(() => playground?.stop());

	/** A page whose editors come when the test lets them, or never. */
	async function open() {
		// It would load the editor, too.
		const opened = await playground.open({ serviceWorkers: "block" });
		const { page } = opened;
		let release = () => {};
		let isMissing = false;
		const released = new Promise<void>((resolve) => {
			release = resolve;
		});
		await page.route(editorCode, async (route) => {
			await released;
			if (isMissing) await route.abort();
			else await route.continue();
		});
		for (const [id, text] of [
			["robots-file", robots],
			["urls-file", urls],
		] as const)
			await page.setInputFiles(`#${id}`, {
				name: "given.txt",
				mimeType: "text/plain",
				buffer: Buffer.from(text),
			});
		await expect.poll(() => countsOf(page)).toEqual([1, 1, 1]);
		return {
			page,
			requests: opened.requests,
			/** What has gone wrong. */
			problems: () =>
				opened.problems.filter((text) => !/blocked by Playwright/.test(text)),
			release,
			setMissing: (missing: boolean) => {
				isMissing = missing;
			},
		};
	}

	const countsOf = async (page: Page) =>
		(await page.locator("#counts button").allInnerTexts())
			.slice(0, 3)
			.map((text) => Number.parseInt(text.replace(/^\D+/, ""), 10));

	/** Lines without their labels. */
	const linesOf = (page: Page, id: string) =>
		page.locator(`#${id} .cm-content`).evaluate((content) =>
			Array.from(content.querySelectorAll(".cm-line"), (line) => {
				const copy = line.cloneNode(true) as Element;
				for (const label of copy.querySelectorAll(".label")) label.remove();
				return copy.textContent ?? "";
			}),
		);

	const isPlain = (page: Page, id: string) =>
		page.locator(`#${id} .plain`).isVisible();

	const requestsOf = (requests: readonly string[]) =>
		requests.filter((url) => editorCode.test(url));

	test("of the sample is judged once", async () => {
		const { page } = await playground.open({ serviceWorkers: "block" });
		await page.addInitScript(() => {
			const { prototype } = Worker;
			const post = prototype.postMessage;
			const asked: string[] = [];
			Object.assign(globalThis, { asked });
			prototype.postMessage = function (message: { kind: string }) {
				asked.push(message.kind);
				post.call(this, message);
			};
		});
		await page.reload();
		await page.locator("#crawlers option").first().waitFor({
			state: "attached",
		});
		await page.waitForLoadState("networkidle");
		const asked = await page.evaluate(
			() => (globalThis as unknown as { asked: string[] }).asked,
		);
		expect(asked.filter((kind) => kind !== "link").sort()).toEqual([
			"crawlers",
			"explain",
			"judge",
			"lint",
		]);
		await page.close();
	});

	test("stands in the editors' places until somebody goes to one", async () => {
		const { page, problems, requests, release } = await open();
		release();
		// Buttons, fields and other panes need none.
		await page.locator("#next-disallowed").click();
		await page.fill("#agent", "Googlebot");
		await page.selectOption("#dialect", "google");
		await page.locator("#tab-ask").click();
		await page.locator("#tab-test").click();
		await page.waitForLoadState("networkidle");
		expect(requestsOf(requests)).toEqual([]);
		await page.locator("#urls-editor").hover();
		await expect.poll(() => isPlain(page, "urls-editor")).toBe(false);
		expect(await isPlain(page, "robots-editor")).toBe(true);
		expect(problems()).toEqual([]);
		await page.close();
	});

	/** By what is done before the editor is there: the lines, once it is, after what is done then. */
	test.each<
		readonly [
			name: string,
			id: "robots-editor" | "urls-editor",
			before: (page: Page) => Promise<unknown>,
			after: (page: Page) => Promise<unknown>,
			lines: readonly string[],
		]
	>([
		[
			"a pressed letter's place",
			"urls-editor",
			(page) =>
				page.getByText("example.com/c").click({ position: { x: 1, y: 8 } }),
			(page) => page.keyboard.type("https://"),
			["/a", "/b", "https://example.com/c"],
		],
		[
			"where a key has moved the cursor from a pressed letter",
			"urls-editor",
			async (page) => {
				await page.getByText("example.com/c").click();
				await page.keyboard.press("Control+Home");
			},
			(page) => page.keyboard.type("/x"),
			["/x/a", "/b", "example.com/c"],
		],
		[
			"typed text, and the cursor behind it",
			"urls-editor",
			async (page) => {
				await page.locator("#urls-editor .cm-line").nth(1).click();
				await page.keyboard.press("End");
				await page.keyboard.type("/x\n/");
			},
			(page) => page.keyboard.type("y"),
			["/a", "/b/x", "/y", "example.com/c"],
		],
		[
			"the focus of the Tab key",
			"robots-editor",
			async (page) => {
				await page.locator("#robots-file").focus();
				await page.keyboard.press("Tab");
				await page.keyboard.press("Control+End");
				await page.keyboard.type("Allow: /a");
			},
			(page) => page.keyboard.type("b"),
			["User-agent: *", "Disallow: /a", "Allow: /ab"],
		],
		[
			"a selection, which the next letter replaces",
			"robots-editor",
			async (page) => {
				await page.locator("#robots-editor").focus();
				await page.keyboard.press("Control+a");
			},
			(page) => page.keyboard.type("#"),
			["#"],
		],
		[
			"pasted text",
			"urls-editor",
			async (page) => {
				await page.locator("#urls-editor").focus();
				await page.keyboard.press("Control+a");
				await page.keyboard.insertText("/p\n/q");
			},
			async () => {},
			["/p", "/q"],
		],
		[
			"what undo takes back: typed text, then the opened file",
			"urls-editor",
			async (page) => {
				await page.locator("#urls-editor").focus();
				await page.keyboard.type("xy");
			},
			(page) => page.keyboard.press("Control+z"),
			["/a", "/b", "example.com/c"],
		],
		[
			"what undo has left: the opened file, without typed text",
			"urls-editor",
			async (page) => {
				await page.locator("#urls-editor").focus();
				await page.keyboard.press("Control+End");
				await page.keyboard.type("xy");
				await page.keyboard.press("Control+z");
			},
			(page) => page.keyboard.type("z"),
			["/a", "/b", "example.com/cz"],
		],
		[
			"a repair, which undo takes back",
			"robots-editor",
			async (page) => {
				await page.setInputFiles("#robots-file", {
					name: "mistakes.txt",
					mimeType: "text/plain",
					buffer: Buffer.from("User-agent: *\nsitemap http://e.com/a.xml\n"),
				});
				await page.locator("#repair-all:visible").click();
				await expect
					.poll(() => linesOf(page, "robots-editor"))
					.toContain("Sitemap: http://e.com/a.xml");
				await page.locator("#robots-editor").focus();
			},
			(page) => page.keyboard.press("Control+z"),
			["User-agent: *", "sitemap http://e.com/a.xml", ""],
		],
	])("hands over %s", async (_, id, before, after, lines) => {
		const { page, problems, release } = await open();
		await before(page);
		expect(await isPlain(page, id)).toBe(true);
		release();
		await expect.poll(() => isPlain(page, id)).toBe(false);
		await after(page);
		await expect.poll(() => linesOf(page, id)).toEqual(lines);
		expect(problems()).toEqual([]);
		await page.close();
	});

	test("opens search for who pressed its key meanwhile", async () => {
		const { page, problems, release } = await open();
		await page.locator("#urls-editor").focus();
		await page.keyboard.press("Control+f");
		release();
		await page.locator("#urls-editor [main-field]").waitFor();
		expect(problems()).toEqual([]);
		await page.close();
	});

	test("explains the URL of who moved the cursor meanwhile", async () => {
		const { page, problems, release } = await open();
		await page.locator("#urls-editor").focus();
		await page.keyboard.press("ArrowDown");
		release();
		await expect
			.poll(() => page.locator("#explanation .url").innerText())
			.toBe("/b");
		expect(problems()).toEqual([]);
		await page.close();
	});

	test("becomes a field where the editor does not come, and an editor later", async () => {
		const { page, release, setMissing } = await open();
		setMissing(true);
		release();
		const field = page.locator("#urls-editor textarea");
		await field.focus();
		await page.locator("#urls-editor .field-only").waitFor();
		await page.keyboard.press("Control+End");
		await page.keyboard.type("\n/a/d");
		await expect.poll(() => countsOf(page)).toEqual([1, 2, 1]);
		expect(await violations(page)).toEqual([]);
		setMissing(false);
		await page.locator("#agent").focus();
		await field.focus();
		await expect.poll(() => isPlain(page, "urls-editor")).toBe(false);
		await expect
			.poll(() => linesOf(page, "urls-editor"))
			.toEqual([...urls.split("\n"), "/a/d"]);
		await page.close();
	});
});
