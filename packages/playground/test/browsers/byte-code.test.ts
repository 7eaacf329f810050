import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasChromium } from "../chromium.ts";
import { faultsOf } from "../faults.ts";
import { type PageOptions, Playground } from "../playground.ts";
import { views } from "../views.ts";

describe.skipIf(!hasChromium)("In Chromium, the Byte-code pane", () => {
	let playground: Playground;
	beforeAll(async () => {
		playground = await Playground.start();
	});
	afterAll(() => playground?.stop());

	async function open(path: string, options?: PageOptions) {
		const opened = await playground.openPane(
			"byte-code",
			"#step-state p",
			options,
		);
		const { page } = opened;
		await page.fill("#step-url", path);
		await expect.poll(() => page.locator("#step-path").innerText()).toBe(path);
		return opened;
	}

	const decides = (page: Page) =>
		page.locator("#rules-view .decides").allInnerTexts();

	test("marks the best rule so far, and the deciding one, also in the tree", async () => {
		const { page, problems } = await open("/internal/press-kit.pdf");
		expect(await decides(page)).toEqual([]);
		await page.locator("#step-forward").click();
		expect(await decides(page)).toEqual([
			expect.stringMatching(/disallow: \/internal\/.*best so far/s),
		]);
		await page.locator("#step-last").click();
		expect(await decides(page)).toEqual([
			expect.stringMatching(/press-kit\.pdf\$.*decides: allow/s),
		]);
		expect(
			await page.locator("#rule-tree .on-way > .node code").allInnerTexts(),
		).toEqual(["/", "internal/", "press-kit.pdf$"]);
		expect(problems).toEqual([]);
		await page.close();
	});

	test("stays at a step when the same path is answered again", async () => {
		const { page, problems } = await open("/internal/press-kit.pdf");
		await page.locator("#step-forward").click();
		await page.evaluate(() => {
			document.querySelector("#step-state p")?.classList.add("before");
			document
				.querySelector("#step-url")
				?.dispatchEvent(new Event("input", { bubbles: true }));
		});
		const state = page.locator("#step-state p:not(.before)");
		await expect.poll(() => state.innerText()).toContain("Step 2 of 2");
		expect(problems).toEqual([]);
		await page.close();
	});

	const pointed = async (page: Page) => ({
		rules: (await page.locator("#rules-view .of-rule").allInnerTexts()).map(
			(text) => Number.parseInt(text, 10),
		),
		program: (await page.locator("#program-view .of-rule").allInnerTexts()).map(
			(text) => Number(/line (\d+)/.exec(text)?.[1]),
		),
		path: (await page.locator("#step-path .pointed").allInnerTexts()).join(""),
	});

	test.each([
		[
			"a rule",
			(page: Page) =>
				page.locator("#rules-view .cm-line", { hasText: "/forum/user/" }),
			{ rules: [12], program: [12], path: "forum/4" },
		],
		[
			"an instruction",
			(page: Page) =>
				page.locator("#program-view .cm-line", { hasText: "line 12:" }),
			{ rules: [12], program: [12], path: "forum/4" },
		],
		[
			"a byte",
			(page: Page) => page.locator("#step-path span").nth(8),
			{ rules: [13], program: [13], path: "2" },
		],
		[
			"a rule of the tree",
			(page: Page) => page.locator('#rule-tree [data-line="13"]'),
			{ rules: [13], program: [13], path: "forum/42/print" },
		],
	] as const)(
		"marks what belongs to %s that is pointed at",
		async (_, place, expected) => {
			const { page, problems } = await open("/forum/42/print");
			await page.locator("#step-last").click();
			await place(page).hover();
			await expect.poll(() => pointed(page)).toEqual(expected);
			expect(problems).toEqual([]);
			await page.close();
		},
	);

	/** The slots, of both tables, that are marked so; "short" is that of short patterns. */
	const slots = async (page: Page, mark: string) =>
		(await page.locator(`#jump-tables .${mark} > .slot`).allInnerTexts()).join(
			" ",
		);
	const slotOf = async (page: Page, key: string) =>
		page
			.locator("#jump-tables li", {
				has: page.locator("code", { hasText: key }),
			})
			.locator(".slot")
			.innerText();

	test.each([
		["/forum/42/print", "for", [/“for”: slot \d+, whose code begins at \d+/]],
		["/zzz", "", [/“zzz”: slot \d+, wh(ich has no code|ose code is for)/]],
		["/zz", "", [/^Fewer than 3 bytes follow/]],
		["/a?b&sort=x", "rt=", [/“a\?b”/, /“rt=” at byte 8\.$/]],
	] as const)(
		"shows where jump tables lead %s",
		async (path, key, expected) => {
			const { page, problems } = await open(path);
			const ways = await page.locator("#jump-tables .way").allInnerTexts();
			for (const words of expected) expect(ways.join("\n")).toMatch(words);
			expect(await slots(page, "led")).toBe(
				key === "" ? "" : await slotOf(page, key),
			);
			expect(problems).toEqual([]);
			await page.close();
		},
	);

	test("a slot of the jump table and its code mark each other", async () => {
		const { page, problems } = await open("/forum/42/print");
		// The instruction of the present step has a mark of its own.
		await page.locator("#step-last").click();
		const slot = await slotOf(page, "for");
		const code = page.locator("#program-view .of-rule");
		await page
			.locator("#program-view .cm-line", { hasText: "/forum/*/print$" })
			.hover();
		await expect.poll(() => slots(page, "pointed")).toBe(slot);
		await page.locator("#jump-tables button.slot").first().focus();
		await expect.poll(() => slots(page, "pointed")).not.toBe(slot);
		await page
			.locator("#jump-tables button.slot")
			.getByText(slot, { exact: true })
			.first()
			.focus();
		await expect
			.poll(async () => (await code.allInnerTexts()).join("\n"))
			.toContain("/forum/*/print$");
		expect(await page.locator("#byte-words").innerText()).toMatch(
			/^Slot \d+ leads to the code at \d+, for “for”/,
		);
		expect(problems).toEqual([]);
		await page.close();
	});

	test("says in words what looks at a byte, with arrow keys, too", async () => {
		const { page, problems } = await open("/cart/tea");
		const words = page.locator("#byte-words");
		await page.locator("#step-path").focus();
		await page.keyboard.press("ArrowRight");
		// Browsers' own keys, such as Back, are left to them.
		await page.keyboard.press("Alt+ArrowLeft");
		await expect
			.poll(() => words.innerText())
			.toMatch(
				/^Byte 2: the instruction at \d+ \(text\) looks at it in step 1, for line 5\.$/,
			);
		await page.keyboard.press("End");
		await expect
			.poll(() => words.innerText())
			.toBe("Byte 9: no instruction looks at this byte.");
		expect(
			await page.locator("#step-path").getAttribute("aria-valuetext"),
		).toBe("Byte 9: no instruction looks at this byte.");
		expect(problems).toEqual([]);
		await page.close();
	});

	test("shows instructions of each kind in a colour of its own", async () => {
		const { page, problems } = await open("/");
		const colours = await page
			.locator("#kinds span")
			.evaluateAll((all) => all.map((one) => getComputedStyle(one).color));
		expect(new Set(colours).size).toBe(4);
		const shown = await page
			.locator("#program-view [class*=kind-]")
			.evaluateAll((all) => all.map((one) => getComputedStyle(one).color));
		expect(shown.length).toBeGreaterThan(10);
		for (const colour of new Set(shown)) expect(colours).toContain(colour);
		expect(problems).toEqual([]);
		await page.close();
	});

	test("draws no tree of thousands of rules, and only a part of a long path", async () => {
		const { page, problems } = await open("/");
		// Each with another key.
		const rules = Array.from(
			{ length: 2000 },
			(_, i) => `Disallow: /${i.toString(36).padStart(3, "r")}`,
		);
		await page.setInputFiles("#robots-file", {
			name: "robots.txt",
			mimeType: "text/plain",
			buffer: Buffer.from(`User-agent: *\n${rules.join("\n")}`),
		});
		await page.locator("#tab-test").click();
		await page.locator("#tab-byte-code").click();
		await expect
			.poll(() => page.locator("#rule-tree").innerText())
			.toContain("here are 2,000");
		expect(await page.locator("#jump-tables").innerText()).toContain(
			"Drawn for up to 300 slots with code.",
		);
		await page.fill("#step-url", `/r1${"a".repeat(5000)}`);
		await expect
			.poll(() => page.locator("#step-path").innerText())
			.toMatch(/^\/r1a+ …$/);
		await page.locator("#step-last").click();
		await expect
			.poll(() => page.locator("#step-path").innerText())
			.toMatch(/^… a+$/);
		expect(problems).toEqual([]);
		await page.close();
	});

	test.each(views)(
		"is accessible with something pointed at, and fits %d px, %s",
		async (width, colorScheme) => {
			const { page, problems } = await open("/forum/42/print", {
				width,
				colorScheme,
			});
			await page.locator("#step-forward").click();
			await page.locator("#step-path span").nth(3).hover();
			await page.locator("#step-path .pointed").waitFor();
			expect(await faultsOf(page)).toEqual([]);
			expect(problems).toEqual([]);
			await page.close();
		},
	);
});
