// The site as `npm run site` builds it, read from a folder below the server's root, as any host of files would serve it: all links, the
// search, the links to the playground, the front page's verdict, and what axe-core and Lighthouse find.
import { execFile, spawnSync } from "node:child_process";
import {
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
} from "node:fs";
import type { Server } from "node:http";
import { loadavg, tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RobotsTxt } from "../../../src/index.ts";
import { decodeState } from "../../playground/page/permalink.ts";
import {
	hasChromium,
	launchChromium,
	openWatched,
	serveFolder,
} from "../../playground/test/chromium.ts";
import { faultsOf } from "../../playground/test/faults.ts";
import { views } from "../../playground/test/views.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const isInstalled = existsSync(
	join(root, "packages/site/node_modules/vitepress"),
);
if (!isInstalled)
	console.warn("skipped: site: npm run test:site brings its packages");

/** One page of each kind. */
const kinds = {
	front: "index.html",
	text: "docs/library.html",
	tables: "docs/performance.html",
	question: "docs/questions/block-ai-crawlers.html",
	finding: "docs/lint/html-entity.html",
	findings: "docs/lint/index.html",
	entry: "api/robotrie/index.html",
	reference: "api/robotrie/classes/RobotsTxt.html",
	entries: "api/index.html",
	charts: "charts.html",
	pictures: "docs/design.html",
} as const;

/** Where it would stand, which only links to its picture say. */
const standsAt = "https://docs.example/robotrie/";

describe.skipIf(!isInstalled)("The site", () => {
	const served = mkdtempSync(join(tmpdir(), "robotrie-site-"));
	const folder = join(served, "some/where");
	let files: readonly string[] = [];
	beforeAll(() => {
		const { status, stderr } = spawnSync(
			process.execPath,
			["packages/site/site.mjs", "--out", folder, "--address", standsAt],
			{ cwd: root, encoding: "utf8" },
		);
		expect([status, stderr]).toEqual([0, expect.any(String)]);
		files = readdirSync(folder, { recursive: true, encoding: "utf8" })
			.map((file) => file.replaceAll("\\", "/"))
			.filter((file) => file.endsWith(".html"));
	}, 300_000);
	afterAll(() => rmSync(served, { recursive: true, force: true }));

	const textOf = (file: string) => readFileSync(join(folder, file), "utf8");
	const docs = () =>
		files.filter(
			(file) => !file.startsWith("playground/") && file !== "404.html",
		);
	const addressesIn = (html: string) =>
		[...html.matchAll(/<[a-z][^>]* (?:href|src)="([^"]*)"/g)].map(
			([, address = ""]) => address.replaceAll("&amp;", "&"),
		);

	test("has a page for each text and finding, the reference and the charts", () => {
		const texts = ["docs", "docs/lint", "docs/questions"].flatMap((name) =>
			readdirSync(join(root, name))
				.filter((file) => file.endsWith(".md"))
				.map((file) =>
					`${name}/${file}`
						.replace("README.md", "index.md")
						.replace(/md$/, "html"),
				),
		);
		expect(files).toEqual(
			expect.arrayContaining([
				...texts,
				...Object.values(kinds),
				"playground/index.html",
			]),
		);
	});

	test("has no link that leads nowhere, and none that depends on the server's root", () => {
		const ids = new Map<string, Set<string>>();
		const idsIn = (file: string) => {
			let found = ids.get(file);
			if (!found) {
				const all = textOf(file).matchAll(/ id="([^"]*)"/g);
				found = new Set([...all].map(([, id = ""]) => id));
				ids.set(file, found);
			}
			return found;
		};
		const wrong: string[] = [];
		let seen = 0;
		for (const file of files.filter((name) => name !== "404.html"))
			for (const address of addressesIn(textOf(file))) {
				if (/^(https?|mailto):/.test(address)) continue;
				seen++;
				const [path = "", hash = ""] = address.split("#");
				const to =
					path === "" ? file : posix.join(posix.dirname(file), decodeURI(path));
				const target = to.endsWith("/") ? `${to}index.html` : to;
				const isThere =
					!path.startsWith("/") && existsSync(join(folder, target));
				const isId =
					hash === "" ||
					target.startsWith("playground/") ||
					(isThere && idsIn(target).has(decodeURIComponent(hash)));
				if (!isThere || !isId) wrong.push(`${file}: ${address}`);
			}
		expect(wrong).toEqual([]);
		expect(seen).toBeGreaterThan(5000);
	});

	test("says on each page what it is, and of each link where it leads", () => {
		// What Lighthouse takes for no answer, of the words that a link here might have.
		const vague =
			/^(?:click here|go|here|learn more|more|read more|start|this)$/i;
		const wrong: string[] = [];
		const titles = new Map<string, string>();
		for (const file of files) {
			const html = textOf(file);
			const [, title] = /<title>([^<]+)</.exec(html) ?? [];
			const [, description] =
				/<meta name="description" content="([^"]+)"/.exec(html) ?? [];
			if (!title) wrong.push(`${file}: no title`);
			if (!description) wrong.push(`${file}: no description`);
			if (docs().includes(file)) {
				for (const [name, content] of [
					["og:title", title],
					["og:description", description],
				])
					if (!html.includes(`<meta property="${name}" content="${content}"`))
						wrong.push(`${file}: ${name} is not ${content}`);
				const other = titles.get(String(title));
				// Two entries may export one name.
				if (other && !file.startsWith("api/"))
					wrong.push(`${file}: the title of ${other}`);
				titles.set(String(title), file);
			}
			for (const [, content = ""] of html.matchAll(/<a\b[^>]*>(.*?)<\/a>/gs)) {
				const text = content.replace(/<[^>]*>/g, "").trim();
				if (vague.test(text)) wrong.push(`${file}: a link says ${text}`);
			}
		}
		expect(wrong).toEqual([]);
	});

	test("has one picture for links to all of its pages, of the size that they show", () => {
		for (const file of [...docs(), "playground/index.html"]) {
			const [, image = ""] =
				/<meta property="og:image" content="([^"]*)"/.exec(textOf(file)) ?? [];
			expect([file, image]).toEqual([file, `${standsAt}share.png`]);
			expect(textOf(file)).toContain(
				'<meta name="twitter:card" content="summary_large_image"',
			);
		}
		const picture = readFileSync(join(folder, "share.png"));
		// Of a PNG's header. What is larger, some that show links leave out.
		expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([
			1200, 630,
		]);
		expect(picture.length).toBeLessThan(60_000);
	});

	test("begins the reference with what a program calls first, in a sentence", () => {
		const firstOf = (file: string) => {
			const [, name, sentence] =
				/<tbody><tr><td><a [^>]*><code>(\w+)<\/code><\/a><\/td><td>(.*?)<\/td>/s.exec(
					textOf(file).replaceAll(/>\s+</g, "><"),
				) ?? [];
			return [name, sentence?.replaceAll(/<[^>]*>/g, "").length] as const;
		};
		for (const [entry, name] of [
			["robotrie", "RobotsTxt"],
			["robotrie-lint", "lint"],
			["robotrie-pool", "RobotsPool"],
			["client", "RobotsClient"],
			["client-redis", "RedisStore"],
			["audit", "LogAudit"],
		] as const)
			expect([entry, ...firstOf(`api/${entry}/index.html`)]).toEqual([
				entry,
				name,
				expect.toSatisfy((length: number) => length > 20 && length < 250),
			]);
	});

	test("leads from each robots.txt in the texts to the playground with that file", async () => {
		const blocks = readdirSync(join(root, "docs"), {
			recursive: true,
			encoding: "utf8",
		})
			.filter((file) => file.endsWith(".md"))
			.flatMap((file) => {
				const text = readFileSync(join(root, "docs", file), "utf8");
				return [...text.matchAll(/```robots\.txt\n(.*?)```/gs)].map(
					([, code]) => code,
				);
			});
		const linked = await Promise.all(
			docs()
				.flatMap((file) => addressesIn(textOf(file)))
				.flatMap(
					(address) => /playground\/index\.html#(.+)/.exec(address)?.[1] ?? [],
				)
				.map(decodeState),
		);
		expect(blocks.length).toBeGreaterThan(40);
		expect(linked.map(({ robots }) => robots)).toEqual(
			expect.arrayContaining(blocks),
		);
		// Examples of the library as well.
		expect(linked.length).toBeGreaterThan(blocks.length + 10);
		expect(
			linked.filter(({ urls, agent }) => urls === "" || agent === ""),
		).toEqual([]);
	});

	describe.skipIf(!hasChromium)("in Chromium", () => {
		let browser: Browser;
		let address = "";
		let server: Server;
		beforeAll(async () => {
			browser = await launchChromium();
			({ address, server } = await serveFolder(served));
			address += "some/where/";
		});
		afterAll(async () => {
			await browser?.close();
			server?.close();
		});
		const open = (file: string, options = {}) =>
			openWatched(browser, address + file, {
				viewport: { width: 1280, height: 900 },
				...options,
			});

		test.each(
			views.flatMap(([width, scheme]) =>
				Object.entries(kinds).map(
					([kind, file]) => [kind, width, scheme, file] as const,
				),
			),
		)(
			"%s, %i px, %s: no faults, nothing from elsewhere",
			async (_, width, scheme, file) => {
				const { page, problems, requests } = await open(file, {
					viewport: { width, height: 800 },
					colorScheme: scheme,
				});
				await page.waitForLoadState("networkidle");
				expect(
					await page.evaluate("document.documentElement.className"),
				).toEqual(
					scheme === "dark"
						? expect.stringContaining("dark")
						: expect.not.stringContaining("dark"),
				);
				expect(await faultsOf(page)).toEqual([]);
				expect(problems).toEqual([]);
				expect(requests.filter((url) => !url.startsWith(address))).toEqual([]);
				await page.close();
			},
		);

		test.each([
			["a text", "html-entity", /html-entity/],
			["the reference", "isAllowed", /isAllowed/],
			["a phrase", "hostile input", /hostile input/i],
			["a question", "block GPTBot", /how do I block GPTBot/i],
			["a question", "allow only search engines", /allow only search eng/i],
			["a question", "indexed though blocked", /although robots.txt blocks/i],
			["a question", "what does crawler obey", /does this crawler obey/i],
		])("finds %s, from its own files alone", async (_, query, expected) => {
			const { page, problems, requests } = await open(kinds.text);
			await page.locator(".VPNavBarSearch button").first().click();
			await page.locator(".VPLocalSearchBox input").fill(query);
			const first = page.locator(".VPLocalSearchBox .result").first();
			await first.waitFor();
			await expect.poll(() => first.innerText()).toMatch(expected);
			// With the words around what was found.
			await expect
				.poll(() => first.locator(".excerpt").innerText())
				.not.toBe("");
			await first.click();
			await page.locator(".VPLocalSearchBox").waitFor({ state: "detached" });
			await expect
				.poll(() => page.locator(".vp-doc").innerText())
				.toMatch(expected);
			// The address is one that the server has.
			expect((await fetch(page.url())).status).toBe(200);
			expect(problems).toEqual([]);
			expect(requests.filter((url) => !url.startsWith(address))).toEqual([]);
			await page.close();
		});

		test("shows the library's examples and their results whole", async () => {
			const { page } = await open(kinds.text);
			const examples = page.locator(".vp-doc pre");
			await examples.first().waitFor();
			const cut = await examples.evaluateAll((all) =>
				all
					.filter((pre) => pre.scrollWidth > pre.clientWidth + 1)
					.map((pre) => pre.textContent),
			);
			expect(cut).toEqual([]);
			await page.close();
		});

		test("begins with the line to install, and three doors", async () => {
			const { page } = await open(kinds.front);
			expect(await page.locator(".install code").first().innerText()).toBe(
				"npm install robotrie",
			);
			const doors = page.locator(".VPFeature");
			expect(await doors.locator(".title").allInnerTexts()).toEqual([
				"Test a file",
				"AI crawlers and logs",
				"The library",
			]);
			await doors.last().click();
			await page.locator(".vp-doc h1", { hasText: "library" }).waitFor();
			await page.close();
		});

		test("shows a verdict on the front page as it is typed", async () => {
			const { page, problems } = await open(kinds.front);
			const shown = page.locator(".live-verdict output");
			const robots = await page.locator("#live-robots").inputValue();
			for (const [url, agent] of [
				["https://example.com/private/a.html", "ExampleBot"],
				["https://example.com/private/a.pdf", "ExampleBot"],
				["https://example.com/", "GPTBot"],
			] as const) {
				await page.fill("#live-url", url);
				await page.fill("#live-agent", agent);
				const { allowed, reason, rule } = RobotsTxt.parse(robots).explain(
					url,
					agent,
				);
				await expect
					.poll(() => shown.locator("strong").innerText())
					.toBe(allowed ? "allowed" : "disallowed");
				// The verdict may be the one before.
				await expect.poll(() => shown.innerText()).toContain(reason);
				const line = robots.split("\n")[(rule?.line ?? 0) - 1];
				await expect
					.poll(async () =>
						(
							await page.locator(".live-verdict .decides").textContent()
						)?.trim(),
					)
					.toBe(line);
			}
			await page.fill("#live-url", "no url");
			await expect
				.poll(() => shown.locator("strong").innerText())
				.toBe("no verdict");
			expect(problems).toEqual([]);
			await page.close();
		});

		test.each([kinds.front, kinds.finding])(
			"%s says from a folder what does not work there, and can be read",
			async (file) => {
				const { page, problems } = await openWatched(
					browser,
					String(pathToFileURL(join(folder, file))),
					{ viewport: { width: 1280, height: 900 } },
				);
				expect(await page.locator(".without-scripts-note").innerText()).toMatch(
					/^Opened from a folder, this page can be read\./,
				);
				for (const dead of [
					".VPNavBarSearch",
					".live-verdict",
					".open-playground",
					"a[href*='playground/index.html']",
				])
					expect(await page.locator(`${dead}:visible`).count()).toBe(0);
				await page.locator("a[href*='readme.html']:visible").first().click();
				await page.locator(".vp-doc h1", { hasText: "robotrie" }).waitFor();
				expect(problems).toEqual([]);
				await page.close();
			},
		);

		test("opens a block of code in the playground, which judges it", async () => {
			const { page } = await open(kinds.finding);
			const code = await page
				.locator(".language-robots code")
				.first()
				.innerText();
			const [playground] = await Promise.all([
				page.waitForEvent("popup"),
				page.locator(".open-playground a").first().click(),
			]);
			await playground.locator("#counts button").first().waitFor();
			await expect
				.poll(() => playground.locator("body").innerText())
				.toContain(`${Buffer.byteLength(`${code.trimEnd()}\n`)} bytes`);
			await expect
				.poll(() => playground.locator("#findings-list").textContent())
				.toContain("html-entity");
			await playground.close();
			await page.close();
		});

		test("follows links within the page, and back from the playground", async () => {
			const { page, problems } = await open(kinds.front);
			// A link that is followed sooner has Vue take the one page's markup for the other's, which it says and mends.
			const mounted = () =>
				expect
					.poll(() =>
						page.evaluate(() => {
							const app = document.querySelector("#app");
							return app !== null && "__vue_app__" in app;
						}),
					)
					.toBe(true);
			await mounted();
			await page.locator(".VPHero a", { hasText: "playground" }).click();
			await page.locator("#ask-answer .answer").waitFor();
			await page.locator(".docs a", { hasText: "Docs" }).click();
			await page.locator(".vp-doc h1", { hasText: "robotrie" }).waitFor();
			await page.goBack();
			await page.locator("#ask-answer .answer").waitFor();
			await page.goBack();
			await mounted();
			await page.locator(".VPHero a", { hasText: "Get started" }).click();
			await page.locator(".vp-doc h1", { hasText: "robotrie" }).waitFor();
			await page.locator(".vp-doc a", { hasText: /^The library$/ }).click();
			await page.locator(".vp-doc h1", { hasText: "library" }).waitFor();
			expect(page.url()).toBe(address + kinds.text);
			expect(problems).toEqual([]);
			await page.close();
		});

		test("can be read from the disk, without a server", async () => {
			const page = await browser.newPage();
			await page.goto(pathToFileURL(join(folder, kinds.text)).href);
			expect(await page.locator(".vp-doc h1").innerText()).toContain("library");
			await page.locator(".vp-doc a[href*='crawlers.html']").first().click();
			await page.locator(".vp-doc h1", { hasText: /crawlers/i }).waitFor();
			expect(dirname(fileURLToPath(page.url().split("#")[0] ?? ""))).toBe(
				join(folder, "docs"),
			);
			await page.close();
		});

		// Its score for speed is of times, which a busy machine spoils: it is printed. What a page is slow by does not depend on the machine.
		test.each([
			kinds.front,
			kinds.text,
			kinds.reference,
			"playground/index.html",
		])("%s: Lighthouse finds nothing", async (file) => {
			const { stdout } = await promisify(execFile)(
				process.execPath,
				[
					join(root, "packages/site/node_modules/lighthouse/cli/index.js"),
					address + file,
					"--output=json",
					"--quiet",
					"--chrome-flags=--headless=new --no-sandbox --disable-gpu",
					"--no-enable-error-reporting",
				],
				{
					encoding: "utf8",
					maxBuffer: 1e8,
					env: { ...process.env, CHROME_PATH: "/usr/bin/chromium" },
				},
			);
			const { categories, audits } = JSON.parse(stdout) as {
				categories: Record<string, { score: number }>;
				audits: Record<
					string,
					{ numericValue?: number; details?: { items?: readonly object[] } }
				>;
			};
			const { performance, ...others } = categories;
			console.info(
				`${file}: performance ${100 * (performance?.score ?? 0)}, load ${loadavg()[0]}`,
			);
			expect(Object.values(others).map(({ score }) => score)).toEqual([
				1, 1, 1,
			]);
			const shift = audits["cumulative-layout-shift"]?.numericValue;
			expect(shift).toBeLessThan(0.02);
			expect(audits["offscreen-images"]?.details?.items).toEqual([]);
			const requests = (audits["network-requests"]?.details?.items ??
				[]) as readonly {
				readonly url: string;
				readonly resourceType: string;
				readonly priority: string;
			}[];
			const isBlocking = requests.filter(
				({ resourceType, priority }) =>
					resourceType === "Stylesheet" && priority === "VeryHigh",
			);
			if (file.startsWith("playground")) expect(isBlocking).toEqual([]);
			// A phone reads a text without running a script: start.js.
			else {
				expect(isBlocking.length).toBe(1);
				expect(audits["unused-javascript"]?.details?.items).toEqual([]);
				expect(audits["bootup-time"]?.details?.items ?? []).not.toContainEqual(
					expect.objectContaining({
						url: expect.stringContaining("/chunks/framework"),
					}),
				);
			}
		});

		describe("on a phone, before its scripts are there,", () => {
			const phone = { viewport: { width: 390, height: 800 } };
			const frameworkOf = (requests: readonly string[]) =>
				requests.filter((url) => /\/app\.[\w-]+\.js/.test(url)).length;

			test.each([
				["the menu", ".VPNavBarHamburger", ".VPNavScreen"],
				["the search", ".VPNavBarSearchButton", ".VPLocalSearchBox"],
			])("opens %s at the first press", async (_, button, opened) => {
				const { page, problems, requests } = await open(kinds.text, phone);
				await page.waitForLoadState("networkidle");
				expect(frameworkOf(requests)).toBe(0);
				await page.locator(button).first().click();
				await page.locator(opened).waitFor();
				expect(frameworkOf(requests)).toBe(1);
				expect(problems).toEqual([]);
				await page.close();
			});

			test("opens the search by its key", async () => {
				const { page } = await open(kinds.text, phone);
				await page.waitForLoadState("networkidle");
				await page.keyboard.press("Control+k");
				await page.locator(".VPLocalSearchBox").waitFor();
				await page.close();
			});

			test("shows a verdict, and judges what is typed at once", async () => {
				const { page, requests } = await open(kinds.front, phone);
				const shown = page.locator(".live-verdict output strong");
				expect(await shown.innerText()).toBe("allowed");
				expect(frameworkOf(requests)).toBe(0);
				await page.fill("#live-agent", "GPTBot");
				await expect.poll(() => shown.innerText()).toBe("disallowed");
				expect(await page.locator("#live-agent").inputValue()).toBe("GPTBot");
				await page.close();
			});
		});

		test.each(["charts", "front"] as const)(
			"shows the figures of its charts in 360 px: %s",
			async (kind) => {
				const viewport = { width: 360, height: 740 };
				const { page } = await open(kinds[kind], { viewport });
				const charts = page.locator(".chart");
				expect(await charts.count()).toBeGreaterThan(0);
				expect(
					await charts.evaluateAll((all) =>
						all
							.filter(
								({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
							)
							.map(({ textContent }) => textContent?.slice(0, 60)),
					),
				).toEqual([]);
				await page.close();
			},
		);

		test("prints texts alone", async () => {
			const { page } = await open(kinds.charts);
			await page.emulateMedia({ media: "print" });
			const isVisible = (selector: string) =>
				page.locator(selector).first().isVisible();
			expect(
				await Promise.all([".VPNav", ".VPSidebar", ".vp-doc"].map(isVisible)),
			).toEqual([false, false, true]);
			await page.close();
		});

		test("prints dark letters, also of a dark page", async () => {
			const { page } = await open(kinds.text, { colorScheme: "dark" });
			await page.waitForLoadState("networkidle");
			const colour = () =>
				page.evaluate(() => {
					const text = document.querySelector(".vp-doc p") ?? document.body;
					return getComputedStyle(text).color;
				});
			const onScreen = await colour();
			await page.evaluate(() =>
				addEventListener("beforeprint", () => {
					const text = document.querySelector(".vp-doc p") ?? document.body;
					Object.assign(window, { printed: getComputedStyle(text).color });
				}),
			);
			await page.pdf();
			const other = await open(kinds.text, { colorScheme: "light" });
			const light = await other.page.evaluate(() => {
				const text = document.querySelector(".vp-doc p") ?? document.body;
				return getComputedStyle(text).color;
			});
			expect(await page.evaluate("printed")).toBe(light);
			expect(onScreen).not.toBe(light);
			await expect.poll(colour).toBe(onScreen);
			await page.close();
			await other.page.close();
		});
	});
});
