import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { file, robotrie } from "../../../cli/test/run.ts";
import { hasChromium } from "../chromium.ts";
import {
	faultsAtWidths,
	hashWith,
	type PageOptions,
	Playground,
} from "../playground.ts";
import { schemes } from "../views.ts";

const sample = readFileSync(
	new URL("../../../../sample/robots.txt", import.meta.url),
	"utf8",
);
const urls = readFileSync(
	new URL("../../../../sample/urls.txt", import.meta.url),
	"utf8",
).trimEnd();
const edited = sample
	.replace("Disallow: /search\n", "Disallow: /search\nDisallow: /magazine/\n")
	.replace("Disallow: /forum/user/\n", "")
	.replace("User-agent: CCBot\n", "");

describe.skipIf(!hasChromium)("In Chromium, the Compare pane", () => {
	let playground: Playground;
	beforeAll(async () => {
		playground = await Playground.start();
	});
	afterAll(() => playground?.stop());

	const open = (options?: PageOptions) =>
		playground.openPane("compare", "#after-editor .cm-content", options);

	const choose = (page: Page, side: string, text: string | Buffer) =>
		page.setInputFiles(`#${side}-file`, {
			name: "robots.txt",
			mimeType: "text/plain",
			buffer: Buffer.from(text),
		});

	const summary = (page: Page) => page.locator("#compare-summary").innerText();

	test.each([
		["all crawlers", sample, edited, "", "rfc9309", false],
		["one crawler", sample, edited, "CCBot", "rfc9309", false],
		[
			"a header",
			sample,
			edited,
			"Mozilla/5.0 (compatible; CCBot/2.0)",
			"google",
			false,
		],
		["URLs of a list", sample, edited, "", "rfc9309", true],
		["CRLF", sample.replaceAll("\n", "\r\n"), edited, "", "yandex", false],
		[
			"bytes that are not UTF-8",
			Buffer.from("User-agent: *\nDisallow: /a\n# \xe9\n", "latin1"),
			"",
			"",
			"rfc9309",
			false,
		],
		["the same file", sample, sample, "", "rfc9309", false],
		["gzip", gzipSync(sample), edited, "", "rfc9309", false],
	] as const)(
		"says what robotrie diff says: %s",
		async (name, before, after, agent, dialect, byUrls) => {
			const { page, problems } = await open();
			await page.fill("#agent", agent);
			await page.selectOption("#dialect", dialect);
			await page.selectOption("#compare-by", byUrls ? "urls" : "rules");
			if (byUrls)
				await page.setInputFiles("#urls-file", {
					name: "urls.txt",
					mimeType: "text/plain",
					buffer: Buffer.from(`${urls}\nno url\n`),
				});
			await choose(page, "before", before);
			await choose(page, "after", after);
			const id = name.replaceAll(/\W/g, "");
			const args = [
				"diff",
				"--dialect",
				dialect,
				file(`compare-${id}-before.txt`, before),
				file(`compare-${id}-after.txt`, after),
				...(agent === "" ? [] : ["--agent", agent]),
				...(byUrls ? ["--urls", file(`compare-${id}-urls.txt`, urls)] : []),
			];
			const [text, json] = [
				await robotrie(args),
				await robotrie([...args, "--json"]),
			];
			const says = text.stderr.replace("robotrie: ", "").trim();
			await expect
				.poll(() => summary(page), { timeout: 20_000 })
				.toBe(`${says}.`);
			const changes = JSON.parse(String(json.stdout)) as readonly unknown[];
			await expect
				.poll(() => page.locator("#compare-changes .change").count())
				.toBe(Math.min(changes.length, 200));
			if (changes.length > 0) {
				const [download] = await Promise.all([
					page.waitForEvent("download"),
					page.locator("#compare-save").click(),
				]);
				expect(JSON.parse(readFileSync(await download.path(), "utf8"))).toEqual(
					changes,
				);
			}
			expect(changes.length === 0).toBe(name === "the same file");
			if (byUrls)
				expect(await page.locator("#compare-note").innerText()).toContain(
					"Left out: 1 line",
				);
			expect(problems).toEqual([]);
			await page.close();
		},
	);

	test("marks the lines that only one file has, and leads to those that decide", async () => {
		const { page, problems } = await open();
		await page.fill("#agent", "CCBot");
		await choose(page, "before", "User-agent: *\nDisallow: /a\nDisallow: /b\n");
		await choose(page, "after", "User-agent: *\nDisallow: /b\nDisallow: /c\n");
		await expect.poll(() => summary(page)).toMatch(/^2 of/);
		const marked = (side: string) =>
			page.locator(`#${side}-editor .only-here`).allInnerTexts();
		await expect
			.poll(() => marked("before"))
			.toEqual([expect.stringMatching(/^Disallow: \/a.*decides 1 change/s)]);
		await expect
			.poll(() => marked("after"))
			.toEqual([expect.stringMatching(/^Disallow: \/c.*decides 1 change/s)]);
		await page.getByRole("button", { name: "line 3: Disallow: /c" }).click();
		await page.keyboard.type("#");
		await expect
			.poll(() => page.locator("#after-editor .cm-line").nth(2).innerText())
			.toMatch(/^#Disallow: \/c/);
		await expect.poll(() => summary(page)).toMatch(/^1 of/);
		expect(problems).toEqual([]);
		await page.close();
	});

	test("has the lines of both sides beside each other, also when one is scrolled", async () => {
		const { page, problems } = await open();
		const lines = (from: number, to: number) =>
			Array.from({ length: to - from }, (_, i) => `Disallow: /${from + i}/\n`);
		const head = "User-agent: *\n";
		await choose(page, "before", head + lines(0, 200).join(""));
		await choose(
			page,
			"after",
			[
				"# new\n# new\n",
				head,
				...lines(0, 5),
				...lines(6, 9),
				...lines(500, 503),
			].join("") + ["Disallow: /eleven/\n", ...lines(12, 200)].join(""),
		);
		await expect
			.poll(() => page.locator(".gap").count(), { timeout: 20_000 })
			.toBe(3);
		const top = async (side: string, path: string) =>
			(
				await page
					.locator(`#${side}-editor .cm-line`, { hasText: `Disallow: ${path}` })
					.first()
					.boundingBox()
			)?.y;
		for (const path of ["/8/", "/12/", "/20/"])
			expect([path, await top("before", path)]).toEqual([
				path,
				await top("after", path),
			]);
		for (const [side, other, at, path] of [
			["before", "after", 1500, "/80/"],
			["after", "before", 700, "/45/"],
		] as const) {
			await page
				.locator(`#${side}-editor .cm-scroller`)
				.evaluate((box, to) => box.scrollTo(0, to), at);
			await page
				.locator(`#${other}-editor .cm-line`, { hasText: `: ${path}` })
				.waitFor();
			await expect
				.poll(async () => (await top(side, path)) === (await top(other, path)))
				.toBe(true);
		}
		expect(problems).toEqual([]);
		await page.close();
	});

	test("a link carries both files", async () => {
		const { page, problems } = await open();
		await page.selectOption("#compare-by", "urls");
		await choose(page, "before", "User-agent: *\nDisallow: /cart\n");
		await choose(
			page,
			"after",
			Buffer.from("User-agent: *\nDisallow: /\xe9\n", "latin1"),
		);
		await expect
			.poll(() => page.locator("#after-size").innerText())
			.toBe("27 bytes");
		const hash = await hashWith(page, {
			compare: {
				before: "User-agent: *\nDisallow: /cart\n",
				after: expect.any(Uint8Array),
				byUrls: true,
			},
		});
		// One file after the other is compared.
		const changed = page.locator(".change-url").first();
		await expect.poll(() => changed.innerText()).toContain("/cart");
		await expect.poll(() => page.locator(".stale").count()).toBe(0);
		const shown = await summary(page);
		expect(shown).toMatch(/^[1-9]\d* of/);
		const other = await playground.open({ hash });
		await expect.poll(() => summary(other.page)).toBe(shown);
		expect(await other.page.locator("#after-size").innerText()).toBe(
			"27 bytes",
		);
		expect([...problems, ...other.problems]).toEqual([]);
		await page.close();
		await other.page.close();
	});

	test("takes the file under Test", async () => {
		const { page, problems } = await open();
		await choose(page, "before", "User-agent: *\nDisallow: /\n");
		await choose(page, "after", "User-agent: *\nDisallow: /\n");
		await expect
			.poll(() => page.locator("#compare-note").innerText())
			.toContain("Both files are the same");
		await page.locator("#after-own").click();
		await expect
			.poll(() => page.locator("#after-editor .cm-line").first().innerText())
			.toContain("a tea shop");
		await expect.poll(() => summary(page)).toMatch(/^[1-9]\d* of/);
		expect(problems).toEqual([]);
		await page.close();
	});

	test.each(schemes)(
		"with changes is accessible and fits every width, %s",
		async (colorScheme) => {
			const { page, problems } = await open({ colorScheme });
			await choose(page, "after", edited);
			// The pane's own example has changes, too.
			await page
				.locator(".change-url", { hasText: "/magazine/" })
				.first()
				.waitFor();
			expect(await faultsAtWidths(page)).toEqual([]);
			expect(problems).toEqual([]);
			await page.close();
		},
	);
});
