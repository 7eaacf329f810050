import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasChromium } from "../chromium.ts";
import { violations } from "../faults.ts";
import { Playground } from "../playground.ts";

const editorCode = /\/(?:text-)?editor-[^/]*\.js$/;
const robots = "User-agent: *\nDisallow: /a\n";
const urls = "/a\n/b\nexample.com/c";

describe.skipIf(!hasChromium)("In Chromium, an editor's textarea", () => {
	let playground: Playground;
	beforeAll(async () => {
		playground = await Playground.start();
	});
	afterAll(() => playground?.stop());

	/** A page with first verdicts, whose editors come when the test lets them, or never. */
	async function open(width = 1280) {
		const opened = await playground.open({ landing: true, width });
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
		await page.locator("#tab-test").click();
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

	type Id = "robots-editor" | "urls-editor";

	const fieldOf = (page: Page, id: Id) => page.locator(`#${id} textarea`);

	/** Whether the textarea is still there. */
	const isPlain = async (page: Page, id: Id) =>
		(await fieldOf(page, id).count()) === 1;

	/** Lines, of the editor without their labels. */
	const linesOf = async (page: Page, id: Id) =>
		(await isPlain(page, id))
			? (await fieldOf(page, id).inputValue()).split("\n")
			: page.locator(`#${id} .cm-content`).evaluate((content) =>
					Array.from(content.querySelectorAll(".cm-line"), (line) => {
						const copy = line.cloneNode(true) as Element;
						for (const label of copy.querySelectorAll(".label")) label.remove();
						return copy.textContent ?? "";
					}),
				);

	const openRobots = (page: Page, text: string) =>
		page.setInputFiles("#robots-file", {
			name: "robots.txt",
			mimeType: "text/plain",
			buffer: Buffer.from(text),
		});

	const mistake = "User-agent: *\nsitemap http://e.com/a.xml\n";
	const repair = async (page: Page) => {
		await openRobots(page, mistake);
		await page.locator("#repair-all:visible").click();
		await expect
			.poll(() => linesOf(page, "robots-editor"))
			.toContain("Sitemap: http://e.com/a.xml");
		await fieldOf(page, "robots-editor").focus();
	};

	const press = async (page: Page, ...keys: readonly string[]) => {
		for (const key of keys) await page.keyboard.press(key);
	};

	test("of the sample is judged once", async () => {
		const { page } = await playground.open({ landing: true });
		await page.addInitScript(() => {
			localStorage.setItem("robotrie-view", "test");
			const { prototype } = Worker;
			const post = prototype.postMessage;
			const asked: string[] = [];
			Object.assign(globalThis, { asked });
			prototype.postMessage = function (message: { kind: string }) {
				asked.push(message.kind);
				post.call(this, message);
			};
		});
		// Another document: of this one's the history knows the view.
		await page.goto("about:blank");
		await page.goto(playground.address);
		await page.locator("#crawlers option").first().waitFor({
			state: "attached",
		});
		await page.locator("#robots-editor .cm-gutters").waitFor();
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

	test("gives way to the editor after the first verdicts of its view", async () => {
		const { page, problems, requests } = await playground.open({
			landing: true,
		});
		const asked = () => requests.filter((url) => editorCode.test(url));
		await page.locator("#ask-answer .answer").waitFor();
		await page.waitForLoadState("networkidle");
		expect(asked()).toEqual([]);
		await page.locator("#tab-test").click();
		for (const id of ["urls-editor", "robots-editor"] as const) {
			await page.locator(`#${id} .cm-gutters`).waitFor();
			expect(await isPlain(page, id)).toBe(false);
		}
		expect(problems).toEqual([]);
		await page.close();
	});

	test("is labelled, and the page stays as it is when the editor comes", async () => {
		for (const width of [390, 1280]) {
			const { page, problems, release } = await open(width);
			for (const name of ["robots.txt", "URLs, one a line"])
				await page.getByRole("textbox", { name, exact: true }).waitFor();
			expect(await violations(page)).toEqual([]);
			const boxes = () =>
				page
					.locator("#pane-test :is(.card, .editor, button)")
					.evaluateAll((elements) =>
						elements.map((element) => {
							const { x, y, width, height } = element.getBoundingClientRect();
							return [x, y, width, height];
						}),
					);
			await page.locator("#export").waitFor();
			const before = await boxes();
			release();
			await expect.poll(() => isPlain(page, "robots-editor")).toBe(false);
			expect(await boxes()).toEqual(before);
			expect(problems()).toEqual([]);
			await page.close();
		}
	});

	/** By what is done before the editor is there: the lines, once it is, after what is done then. */
	test.each<
		readonly [
			name: string,
			id: Id,
			before: (page: Page) => Promise<unknown>,
			after: (page: Page) => Promise<unknown>,
			lines: readonly string[],
		]
	>([
		[
			"a pressed letter's place",
			"urls-editor",
			(page) =>
				fieldOf(page, "urls-editor").click({ position: { x: 146, y: 56 } }),
			(page) => page.keyboard.type("https://"),
			["/a", "/b", "https://example.com/c"],
		],
		[
			"typed text, and the cursor behind it",
			"urls-editor",
			async (page) => {
				await fieldOf(page, "urls-editor").focus();
				await press(page, "ArrowDown", "End");
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
				await press(page, "Tab", "Control+End");
				await page.keyboard.type("Allow: /a");
			},
			(page) => page.keyboard.type("b"),
			["User-agent: *", "Disallow: /a", "Allow: /ab"],
		],
		[
			"a selection, which the next letter replaces",
			"robots-editor",
			async (page) => {
				await fieldOf(page, "robots-editor").focus();
				await press(page, "Control+a");
			},
			(page) => page.keyboard.type("#"),
			["#"],
		],
		[
			"which end of a selection moves",
			"urls-editor",
			async (page) => {
				await fieldOf(page, "urls-editor").focus();
				await press(page, "Control+End", "Control+Shift+Home");
			},
			async (page) => {
				await press(page, "Shift+ArrowRight");
				await page.keyboard.type("#");
			},
			["/#"],
		],
		[
			"pasted text",
			"urls-editor",
			async (page) => {
				await fieldOf(page, "urls-editor").focus();
				await press(page, "Control+a");
				await page.keyboard.insertText("/p\n/q");
			},
			async () => {},
			["/p", "/q"],
		],
		[
			"the line that a finding led to",
			"robots-editor",
			async (page) => {
				await openRobots(page, mistake);
				await page.getByRole("button", { name: "line 2", exact: true }).click();
			},
			(page) => page.keyboard.type("#"),
			["User-agent: *", "#sitemap http://e.com/a.xml", ""],
		],
		[
			"what undo takes back: typed text, then the opened file",
			"urls-editor",
			async (page) => {
				await fieldOf(page, "urls-editor").focus();
				await page.keyboard.type("xy");
			},
			(page) => press(page, "Control+z"),
			["/a", "/b", "example.com/c"],
		],
		[
			"what undo has left: the opened file, without typed text",
			"urls-editor",
			async (page) => {
				await fieldOf(page, "urls-editor").focus();
				await press(page, "Control+End", "x", "Control+z");
			},
			(page) => page.keyboard.type("z"),
			["/a", "/b", "example.com/cz"],
		],
		[
			"a repair, which undo takes back",
			"robots-editor",
			repair,
			(page) => press(page, "Control+z"),
			mistake.split("\n"),
		],
		[
			"what undo has left of a repair and of what was typed after it",
			"robots-editor",
			async (page) => {
				await repair(page);
				await page.keyboard.type("#");
				await press(page, "Control+z", "Control+z");
			},
			(page) => page.keyboard.type("x"),
			["xUser-agent: *", ...mistake.split("\n").slice(1)],
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

	test("hands over how far it is scrolled", async () => {
		const { page, problems, release } = await open();
		await openRobots(page, "#\n".repeat(200));
		const field = fieldOf(page, "robots-editor");
		await expect.poll(() => field.inputValue()).toMatch(/^#\n#/);
		await field.evaluate((element) => {
			element.scrollTop = 1500;
		});
		release();
		const scroller = page.locator("#robots-editor .cm-scroller");
		const scrolled = await scroller.evaluate(({ scrollTop }) => scrollTop);
		// Less than a line away: the editor measures them in whole pixels.
		expect(Math.abs(scrolled - 1500)).toBeLessThan(15);
		expect(problems()).toEqual([]);
		await page.close();
	});

	test("stays until an input method has ended its word", async () => {
		const { page, problems, release } = await open();
		await fieldOf(page, "urls-editor").focus();
		const session = await page.context().newCDPSession(page);
		await session.send("Input.imeSetComposition", {
			...{ text: "/ü", selectionStart: 2, selectionEnd: 2 },
		});
		release();
		await expect.poll(() => isPlain(page, "robots-editor")).toBe(false);
		expect(await isPlain(page, "urls-editor")).toBe(true);
		await session.send("Input.insertText", { text: "/über" });
		await expect.poll(() => isPlain(page, "urls-editor")).toBe(false);
		await expect
			.poll(() => linesOf(page, "urls-editor"))
			.toEqual(["/über/a", "/b", "example.com/c"]);
		expect(problems()).toEqual([]);
		await page.close();
	});

	test("explains the URL to which the cursor is moved", async () => {
		const { page, problems } = await open();
		await fieldOf(page, "urls-editor").focus();
		await press(page, "ArrowDown");
		await expect
			.poll(() => page.locator("#explanation .url").innerText())
			.toBe("/b");
		expect(problems()).toEqual([]);
		await page.close();
	});

	test.each([
		["below the window", "#tab-test"],
		["of a view that is not shown", "#tab-ask"],
	])("gives way to an editor %s that draws few lines", async (_, tab) => {
		const { page, problems } = await playground.open({ width: 360 });
		await page.locator(tab).click();
		await openRobots(page, "#\n".repeat(9000) + mistake);
		await expect
			.poll(() => page.locator("#robots-size").innerText())
			.toBe("18,041 bytes");
		const lines = page.locator("#robots-editor .cm-line");
		expect(await lines.count()).toBeLessThan(100);
		await page.locator("#tab-test").click();
		await page.getByText("line 9002").first().click();
		await page.keyboard.type("#");
		await expect
			.poll(() => lines.allInnerTexts())
			.toContain("#sitemap http://e.com/a.xml");
		await press(page, "Control+z", "Control+z");
		await expect.poll(() => lines.allInnerTexts()).toContain("Disallow: /cart");
		expect(problems).toEqual([]);
		await page.close();
	});

	test("stays where the editor does not come, until it can", async () => {
		const { page, release, setMissing } = await open();
		setMissing(true);
		release();
		const field = fieldOf(page, "urls-editor");
		await field.focus();
		await press(page, "Control+End");
		await page.keyboard.type("\n/a/d");
		await expect.poll(() => countsOf(page)).toEqual([1, 2, 1]);
		await repair(page);
		await press(page, "Control+z");
		expect(await linesOf(page, "robots-editor")).toEqual(mistake.split("\n"));
		// Longer than a textarea is laid out for while the editor is expected.
		await openRobots(page, "#\n".repeat(30_000) + mistake);
		await expect
			.poll(() => linesOf(page, "robots-editor"))
			.toHaveLength(30_003);
		await page.getByText("line 30002").first().click();
		await expect
			.poll(() =>
				fieldOf(page, "robots-editor").evaluate((element) => element.scrollTop),
			)
			.toBeGreaterThan(1000);
		expect(await violations(page)).toEqual([]);
		setMissing(false);
		await field.focus();
		await press(page, "Control+End");
		await page.keyboard.type("e");
		await expect.poll(() => isPlain(page, "urls-editor")).toBe(false);
		await page.keyboard.type("f");
		await expect
			.poll(() => linesOf(page, "urls-editor"))
			.toEqual([...urls.split("\n"), "/a/def"]);
		await page.close();
	});
});
