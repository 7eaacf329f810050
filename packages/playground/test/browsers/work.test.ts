/** Work that is kept, files that are opened, repairs, and the views of one URL and of AI crawlers. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { BrowserContext, Page } from "playwright-core";
import { crawlers } from "robotrie";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lint } from "../../../../src/lint.ts";
import { hasChromium } from "../chromium.ts";
import { faultsOf } from "../faults.ts";
import { faultsAtWidths, hashWith, Playground } from "../playground.ts";
import { schemes } from "../views.ts";

const root = new URL("../../../../", import.meta.url);
const sample = (name: string) =>
	readFileSync(new URL(`sample/${name}`, root), "utf8");

describe.skipIf(!hasChromium)("In Chromium", () => {
	let playground: Playground;
	beforeAll(async () => {
		playground = await Playground.start();
	});
	afterAll(() => playground?.stop());
	const open: Playground["open"] = (options) => playground.open(options);

	const choose = (
		page: Page,
		input: string,
		name: string,
		text: string | Buffer,
	) =>
		page.setInputFiles(`#${input}`, {
			name,
			mimeType: "text/plain",
			buffer: Buffer.from(text),
		});
	const urlsOf = async (page: Page) =>
		(await page.locator("#urls-editor .cm-line").allInnerTexts()).map((line) =>
			line.replace(/^.*?(?=https?:)/s, "").trim(),
		);
	/** Without the labels after lines. */
	const robotsOf = (page: Page) =>
		page.locator("#robots-editor .cm-content").evaluate((content) =>
			Array.from(content.querySelectorAll(".cm-line"), (line) => {
				const copy = line.cloneNode(true) as Element;
				for (const label of copy.querySelectorAll(".rule-label, .group-label"))
					label.remove();
				return copy.textContent ?? "";
			}).join("\n"),
		);
	const type = async (page: Page, text: string) => {
		await page.locator("#robots-editor .cm-content").click();
		await page.keyboard.press("Control+Home");
		await page.keyboard.type(text);
	};
	/** All of the page's own work is written. */
	const kept = (page: Page, text: string) =>
		expect.poll(() =>
			page.evaluate(async (wanted) => {
				const databases = await indexedDB.databases();
				// To open it would make one without anything in it.
				if (!databases.some(({ name }) => name === "robotrie")) return false;
				const request = indexedDB.open("robotrie");
				return new Promise<boolean>((resolve) => {
					request.onsuccess = () => {
						const database = request.result;
						const all = database
							.transaction("work")
							.objectStore("work")
							.getAll();
						all.onsuccess = () => {
							database.close();
							resolve(JSON.stringify(all.result).includes(wanted));
						};
					};
				});
			}, text),
		);

	const large = Array.from(
		{ length: 5000 },
		(_, i) => `https://e.com/${i}/${"x".repeat(i % 40)}`,
	);
	const rules = `User-agent: *\n${Array.from({ length: 3500 }, (_, i) => `Disallow: /${i}/`).join("\n")}\n`;

	/** A transaction that does not end before its page does. */
	const keepBusy = (page: Page) =>
		page.evaluate(
			() =>
				new Promise<void>((resolve) => {
					const request = indexedDB.open("robotrie");
					request.onsuccess = () => {
						const store = request.result
							.transaction("work", "readwrite")
							.objectStore("work");
						const next = () => {
							store.get("").onsuccess = next;
						};
						next();
						resolve();
					};
				}),
		);

	test.each<
		readonly [
			name: string,
			wait: number,
			isLarge: boolean,
			before: ((page: Page) => Promise<void>) | undefined,
		]
	>([
		["at once", 0, false, undefined],
		["after 60 KiB and 5,000 URLs", 0, true, undefined],
		["after a while", 700, false, undefined],
		["while the database is busy", 700, false, keepBusy],
	])("a reload loses nothing, %s", async (_, wait, isLarge, before) => {
		const { page } = await open();
		await page.waitForLoadState("networkidle");
		if (before) {
			await type(page, "# first ");
			await kept(page, "# first").toBe(true);
			await before(page);
		}
		if (isLarge) {
			await choose(page, "robots-file", "robots.txt", rules);
			await choose(page, "urls-file", "urls.txt", large.join("\n"));
			// What is not there yet cannot be lost.
			await expect.poll(() => robotsOf(page)).toContain("Disallow: /1/");
			await expect.poll(() => urlsOf(page)).toContain(large[0]);
		}
		await type(page, "# the last words ");
		await page.waitForTimeout(wait);
		await page.reload();
		await page.locator("#counts button").first().waitFor();
		await expect.poll(() => robotsOf(page)).toMatch(/^# the last words /);
		if (isLarge) await expect.poll(() => urlsOf(page)).toContain(large[0]);
		await page.close();
	});

	test("a reload that takes long loses nothing that is typed before, and another address shows what it stands for", async () => {
		const { page } = await open();
		await page.waitForLoadState("networkidle");
		await page.route("**/*", async (route) => {
			// Longer than the page waits before it writes its address.
			if (route.request().isNavigationRequest())
				await new Promise((resolve) => setTimeout(resolve, 1000));
			await route.continue();
		});
		await type(page, "# slow ");
		await page.reload();
		await expect.poll(() => robotsOf(page)).toMatch(/^# slow /);
		/** The address once it has followed all changes, which it does 400 ms after the last one. */
		const settled = async (): Promise<string> => {
			const before = page.url();
			// By the page's own timers, which stand still while the machine stops it.
			await page.evaluate(
				() => new Promise((resolve) => setTimeout(resolve, 1500)),
			);
			return page.url() === before ? before : settled();
		};
		const changes = async (text: string) => {
			const before = await settled();
			await type(page, text);
			await expect.poll(() => page.url()).not.toBe(before);
			return settled();
		};
		const older = await changes("# older ");
		await changes("# newer ");
		// In the same document, and after a reload of that.
		await page.evaluate((address) => location.assign(address), older);
		await expect.poll(() => robotsOf(page)).toMatch(/^# older /);
		await page.reload();
		await expect.poll(() => robotsOf(page)).toMatch(/^# older /);
		await page.close();
	});

	test("a reload loses nothing while 24 MB are written", async () => {
		const { page } = await open();
		await page.waitForLoadState("networkidle");
		await page.evaluate(() => {
			const { put } = IDBObjectStore.prototype;
			let isFirst = true;
			// As soon as the file is given to the database, the crawler is changed and the page reloaded.
			IDBObjectStore.prototype.put = function (value, key) {
				const request = put.call(this, value, key);
				if (isFirst && value.state?.robots.length > 20_000_000) {
					isFirst = false;
					setTimeout(() => {
						const field = document.querySelector<HTMLInputElement>("#agent");
						if (field) field.value = "Last";
						field?.dispatchEvent(new Event("input", { bubbles: true }));
						location.reload();
					});
				}
				return request;
			};
		});
		const reloaded = page.waitForEvent("load");
		await choose(
			page,
			"robots-file",
			"robots.txt",
			`# long\n${"# a line of a comment\n".repeat(1_100_000)}`,
		);
		await reloaded;
		await expect.poll(() => robotsOf(page)).toMatch(/^# long/);
		expect(await page.inputValue("#agent")).toBe("Last");
		await page.close();
	});

	/** Two tabs of one browser: pages that `open` makes share nothing. */
	async function openTwo(): Promise<readonly [Page, Page]> {
		const { page: first } = await open();
		const context = await first.context().browser()?.newContext();
		await first.close();
		const tab = async () => {
			const page = (await context?.newPage()) as Page;
			await page.goto(playground.address);
			await page.click("#tab-test");
			await page.locator("#counts button").first().waitFor();
			return page;
		};
		return [await tab(), await tab()];
	}
	const goBackTo = async (page: Page, text: string) => {
		await page.click("#earlier");
		await page
			.locator("#earlier-list li", { hasText: text })
			.first()
			.getByRole("button")
			.click();
		await expect.poll(() => robotsOf(page)).toMatch(new RegExp(`^${text}`));
	};

	test("what a tab had that is killed is kept", async () => {
		const [page, other] = await openTwo();
		await type(page, "# killed ");
		await kept(page, "# killed").toBe(true);
		const session = await page.context().newCDPSession(page);
		const crashed = page.waitForEvent("crash");
		session.send("Page.crash").catch(() => {});
		await crashed;
		await goBackTo(other, "# killed");
		await other.context().close();
	});

	test("two tabs keep their own work, and each can go back to the other's", async () => {
		const [page, other] = await openTwo();
		await type(page, "# one ");
		await type(other, "# two ");
		await kept(page, "# one").toBe(true);
		await kept(page, "# two").toBe(true);
		await page.reload();
		await other.reload();
		await expect.poll(() => robotsOf(page)).toMatch(/^# one/);
		await expect.poll(() => robotsOf(other)).toMatch(/^# two/);
		await goBackTo(page, "# two");
		// What was there is kept as well.
		await goBackTo(page, "# one");
		expect(await robotsOf(other)).toMatch(/^# two/);
		await page.context().close();
	});

	test("storage that is full is said, and said to be over", async () => {
		const { page } = await open();
		await page.evaluate(() => {
			const { put } = IDBObjectStore.prototype;
			Object.assign(window, { put });
			IDBObjectStore.prototype.put = () => {
				throw new DOMException("full", "QuotaExceededError");
			};
		});
		await type(page, "# a");
		await expect
			.poll(() => page.locator("#link-note").innerText())
			.toMatch(/cannot keep your work/);
		await page.evaluate(() => {
			IDBObjectStore.prototype.put = (
				window as unknown as { put: IDBObjectStore["put"] }
			).put;
		});
		await type(page, "# b");
		await expect.poll(() => page.locator("#link-note").isVisible()).toBe(false);
		await page.close();
	});

	test("the counts stay in view, and the samples beside their text", async () => {
		const { page } = await open({ width: 1280 });
		const top = async (selector: string) =>
			(await page.locator(selector).boundingBox())?.y;
		const intro = await page
			.locator("#pane-test .intro")
			.evaluate((element) => element.getBoundingClientRect().height);
		expect(intro).toBeLessThan(45);
		await page.setViewportSize({ width: 1280, height: 300 });
		await page
			.locator("#explanation")
			.evaluate((element) => element.scrollIntoView());
		await expect.poll(() => top("#counts")).toBe(0);
		// A window of 1280 by 900 pixels at 400 %: they would cover most of it.
		await page.setViewportSize({ width: 320, height: 225 });
		await page
			.locator("#explanation")
			.evaluate((element) => element.scrollIntoView());
		await expect.poll(() => top("#counts")).toBeLessThan(-160);
		await page.close();
	});

	test("Compare begins with an example that differs", async () => {
		const { page } = await playground.openPane("compare", ".change >> nth=0");
		expect(await page.locator("#compare-summary").innerText()).toMatch(
			/^[1-9]\d* of \d+ URLs change their verdict; 299 crawlers compared/,
		);
		expect(await page.locator("#compare-note").innerText()).toMatch(
			/^Of these crawlers 298 are known or named in a file, and one, \*, stands for any other\./,
		);
		await page.close();
	});

	test.each([360, 1280])(
		"a page of HTML is a red banner, %i px",
		async (width) => {
			const { page } = await open({ width });
			await choose(
				page,
				"robots-file",
				"robots.txt",
				"<!doctype html><p>Not found</p>",
			);
			const banner = page.locator("#robots-problem");
			await expect
				.poll(() => banner.innerText())
				.toMatch(/not a robots\.txt but a page of markup/);
			const box = await banner.boundingBox();
			expect((box?.y ?? 999) + (box?.height ?? 0)).toBeLessThan(700);
			const colourOf = (selector: string) =>
				page
					.locator(selector)
					.first()
					.evaluate((element) => getComputedStyle(element).color);
			// "Allowed" is no good news, and for one URL it is no answer.
			expect(await colourOf("#next-allowed")).toBe(
				await colourOf("#urls-card .card-head .quiet"),
			);
			await page.click("#tab-ask");
			await expect
				.poll(() => page.locator("#ask-answer").innerText())
				.toMatch(/not a robots\.txt but a page of markup/);
			expect(await page.locator("#ask-answer .answer").count()).toBe(0);
			expect(await banner.isVisible()).toBe(true);
			await page.click("#tab-log");
			await expect.poll(() => banner.isVisible()).toBe(true);
			await page.click("#tab-compare");
			await expect.poll(() => banner.isVisible()).toBe(false);
			await choose(
				page,
				"after-file",
				"robots.txt",
				"<!doctype html><p>Not found</p>",
			);
			await expect
				.poll(() => page.locator("#compare-problem").innerText())
				.toMatch(/The file after: This is not a robots\.txt but a page/);
			await page.close();
		},
	);

	/** zstd of the two lines. */
	const zstdOfPages = Buffer.from(
		"KLUv/SQl7QAAuGh0dHBzOi8vZS5jb20vYT94PTEsMgpiAQBSnk01kSUN",
		"base64",
	);
	const pages = ["https://e.com/a?x=1,2", "https://e.com/b"];
	const xml = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${pages.map((url) => `<url><loc> ${url}\n</loc></url>`).join("")}</urlset>`;
	const frog = `"Address","Content Type","Status Code"\n${pages.map((url) => `"${url}","text/html","200"`).join("\n")}\n`;
	const ahrefs = `\ufeff"#"\t"URL"\t"Traffic"\r\n${pages.map((url, i) => `"${i}"\t"${url}"\t"5"`).join("\r\n")}\r\n`;
	const lists: readonly [string, string, string | Buffer, boolean][] = [
		["a list", "urls.txt", pages.join("\n"), false],
		["gzip", "urls.txt.gz", gzipSync(pages.join("\n")), false],
		["zstd", "urls.zst", zstdOfPages, false],
		[
			"UTF-16",
			"urls.txt",
			Buffer.from(`\ufeff${pages.join("\r\n")}`, "utf16le"),
			false,
		],
		["a sitemap", "sitemap.xml", xml, false],
		[
			"a sitemap with a bare ampersand",
			"sitemap.xml",
			xml.replace("</url>", "<image>a & b</image></url>"),
			false,
		],
		[
			"a feed as a sitemap",
			"feed.xml",
			`<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://e.com/feed"/>${pages.map((url) => `<entry><link href="${url}"/></entry>`).join("")}</feed>`,
			false,
		],
		[
			"RSS as a sitemap",
			"rss.xml",
			`<rss><channel><link>https://e.com/</link>${pages.map((url) => `<item><link>${url}</link></item>`).join("")}</channel></rss>`,
			false,
		],
		[
			"big-endian UTF-16",
			"urls.txt",
			Buffer.from(`\ufeff${pages.join("\r\n")}`, "utf16le").swap16(),
			false,
		],
		["a sitemap, gzip", "sitemap.xml.gz", gzipSync(xml), false],
		["Screaming Frog's export", "internal_all.csv", frog, true],
		[
			"Search Console's export",
			"Pages.csv",
			`Top pages,Clicks\n"${pages[0]}",5\n${pages[1]},1\n`,
			true,
		],
		[
			"a table with commas and line ends in cells",
			"pages.csv",
			`Title,Address\n"a, ""b""\nc","${pages[0]}"\nd,"https://e.com/\nb"\n`,
			true,
		],
		[
			"Excel's table",
			"pages.csv",
			`sep=;\r\nAddress;Title\r\n${pages.map((url) => `${url};a, b`).join("\r\n")}\r\n`,
			true,
		],
		["Ahrefs' export", "ahrefs.csv", Buffer.from(ahrefs, "utf16le"), true],
	];
	test.each(lists)("opens %s", async (_, name, content, hasColumns) => {
		const { page, problems } = await open();
		await choose(page, "urls-file", name, content);
		if (hasColumns)
			await page.getByRole("button", { name: "Take this column" }).click();
		await expect.poll(() => urlsOf(page)).toEqual(pages);
		// Chromium puts a style into what it makes of XML with an error.
		const isOfXml = (text: string) => text.startsWith("Applying inline style");
		expect(problems.filter((text) => !isOfXml(text))).toEqual([]);
		await page.close();
	});

	test("lets one choose another column, or none", async () => {
		const { page } = await open();
		const before = await urlsOf(page);
		const table = "From,To\nhttps://e.com/1,https://e.com/2\n";
		await choose(page, "urls-file", "links.csv", table);
		await page.getByRole("button", { name: "Cancel" }).click();
		expect(await urlsOf(page)).toEqual(before);
		await choose(page, "urls-file", "links.csv", table);
		await page.selectOption("#column", "1");
		await page.getByRole("button", { name: "Take this column" }).click();
		await expect.poll(() => urlsOf(page)).toEqual(["https://e.com/2"]);
		await page.close();
	});

	test.each<[string, string | Buffer, RegExp]>([
		["report.pdf", "%PDF-1.7\n", /no list of URLs but a PDF document\. Open a/],
		[
			"page.html",
			"<!doctype html><p>x",
			/no list of URLs but a page of markup/,
		],
		["x.zip", "PK\x03\x04", /no list of URLs but a ZIP archive/],
		["x.bin", Buffer.from([1, 0, 3, 4, 0, 9]), /no list of URLs but a binary/],
		["x.csv", "a,b\n1,2\n", /a table without a column of URLs/],
		["x.gz", Buffer.from("1f8b0800", "hex"), /holds damaged gzip data/],
		["empty.txt", "", /empty\.txt is empty: it holds no URL/],
		[
			"robots.txt",
			"User-agent: *\n",
			/no list of URLs but a robots\.txt: open/,
		],
		[
			"utf-16.txt",
			Buffer.from(pages.join("\n"), "utf16le"),
			/no list of URLs but UTF-16 without a byte order mark/,
		],
		["utf-32.txt", Buffer.from("fffe0000680000", "hex"), /but UTF-32/],
	])("refuses %s in a sentence", async (name, content, says) => {
		const { page } = await open();
		const before = await urlsOf(page);
		await choose(page, "urls-file", name, content);
		await expect
			.poll(() => page.locator("#notice-text").innerText())
			.toMatch(says);
		expect(await urlsOf(page)).toEqual(before);
		await page.close();
	});

	/** Drops files or folders as a person does. */
	async function drop(
		page: Page,
		place: string,
		files: readonly string[],
	): Promise<void> {
		const session = await page.context().newCDPSession(page);
		const box = await page.locator(place).boundingBox();
		if (!box) throw new Error(`${place} is not on the screen`);
		for (const type of ["dragEnter", "dragOver", "drop"] as const)
			await session.send("Input.dispatchDragEvent", {
				type,
				x: box.x + box.width / 2,
				y: box.y + 20,
				data: { items: [], files: [...files], dragOperationsMask: 1 },
			});
	}

	test.each([
		["test", "#robots-editor", "#notice-text"],
		["test", "#urls-editor", "#notice-text"],
		["compare", "#before-editor", "#notice-text"],
		["log", "#log-robots-card", "#log-message"],
		["log", "#log-card", "#log-message"],
	])("a folder is refused in a sentence, %s %s", async (tab, card, says) => {
		const { page, problems } = await open();
		await page.click(`#tab-${tab}`);
		await page.locator(card).waitFor();
		await drop(page, card, [fileURLToPath(new URL("sample/", root))]);
		await expect
			.poll(() => page.locator(says).innerText())
			.toMatch(/sample cannot be read/);
		expect(problems).toEqual([]);
		await page.close();
	});

	test("a PDF is no access log", async () => {
		const { page } = await playground.openPane("log", "#log-sample:enabled");
		await choose(page, "log-files", "report.pdf", "%PDF-1.7\n");
		await expect
			.poll(() => page.locator("#log-message").innerText())
			.toBe(
				"This did not work: report.pdf is no access log but a PDF document.",
			);
		await page.close();
	});

	test("repairs a finding, asks before verdicts change, and takes it back", async () => {
		const { page, problems } = await open();
		const wrong =
			"User-agent: *\r\nDisalow: /a\r\nDisallow: /b\r\nsitemap http://e.com/s.xml\r\n";
		await choose(page, "robots-file", "robots.txt", wrong);
		const one = page.getByRole("button", {
			name: /^Repair line 2: Write Disallow/,
		});
		const questions: string[] = [];
		let says = false;
		page.on("dialog", (dialog) => {
			questions.push(dialog.message());
			void (says ? dialog.accept() : dialog.dismiss());
		});
		await one.click();
		await expect.poll(() => questions.length).toBe(1);
		expect(questions[0]).toMatch(
			/Write Disallow, .*\/a becomes disallowed for \*.* \(rfc9309\).* \(yandex\).*Is that what you want\?$/s,
		);
		expect(await robotsOf(page)).toMatch(/Disalow: \/a\n/);
		says = true;
		await one.click();
		await expect.poll(() => robotsOf(page)).toMatch(/Disallow: \/a\n/);
		await page.click("#repair-all");
		await expect
			.poll(() => page.locator("#repair-all").isVisible())
			.toBe(false);
		expect(questions.length).toBe(2);
		const fixed =
			"User-agent: *\nDisallow: /a\nDisallow: /b\nSitemap: http://e.com/s.xml\n";
		expect((await robotsOf(page)).trim()).toBe(fixed.trim());
		await expect
			.poll(() => page.locator("#robots-size").innerText())
			.toBe(`${fixed.length + 4} bytes, CRLF line ends`);
		expect(lint(fixed)).toEqual([]);
		await page.locator("#robots-editor .cm-content").click();
		await page.keyboard.press("Control+z");
		await expect
			.poll(() => robotsOf(page))
			.toMatch(/Disallow: \/a\n.*sitemap http/s);
		await page.keyboard.press("Control+z");
		await expect.poll(() => robotsOf(page)).toMatch(/Disalow: \/a/);
		expect(problems).toEqual([]);
		await page.close();
	});

	test("who repairs by keyboard stays in the list", async () => {
		const { page } = await open();
		const sitemap = (name: string) => `sitemap http://e.com/${name}.xml\n`;
		const wrong = `User-agent: *\nDisallow:\n${sitemap("a")}${sitemap("b")}${sitemap("c")}`;
		await choose(page, "robots-file", "robots.txt", wrong);
		const focused = () =>
			page.evaluate(
				() =>
					document.activeElement?.getAttribute("aria-label") ??
					document.activeElement?.textContent,
			);
		const repair = (line: number) =>
			page.getByRole("button", { name: `Repair line ${line}` });
		await repair(3).focus();
		await page.keyboard.press("Enter");
		await expect.poll(() => repair(3).count()).toBe(0);
		await expect.poll(focused).toMatch(/^Repair line 4:/);
		await page.locator("#repair-all").focus();
		await page.keyboard.press("Enter");
		await expect.poll(focused).toBe("No findings");
		await page.close();
	});

	/** A page whose start takes long, so that somebody is quicker. */
	async function openSlowly(context: BrowserContext): Promise<Page> {
		const page = await context.newPage();
		await page.addInitScript(() => {
			// What the page's steps wait for, pause() in dom.ts.
			Object.assign(window, {
				MessageChannel: class {
					readonly port1 = { onmessage: () => {}, close: () => {} };
					readonly port2 = {
						postMessage: () => setTimeout(() => this.port1.onmessage(), 1500),
					};
				},
			});
		});
		await page.goto(playground.address);
		await page.locator("#robots-editor textarea").waitFor({
			state: "attached",
		});
		return page;
	}

	test("what is typed while the page starts stays", async () => {
		const [other] = await openTwo();
		const context = other.context();
		const page = await openSlowly(context);
		const problems: string[] = [];
		page.on("pageerror", ({ message }) => problems.push(message));
		await page.fill("#ask-agent", "GPTBot");
		await page.fill("#ask-url", "/quick");
		await page.locator("#ask-answer .answer").waitFor();
		expect(await page.inputValue("#ask-agent")).toBe("GPTBot");
		expect(await page.inputValue("#ask-url")).toBe("/quick");
		expect(await page.inputValue("#agent")).toBe("GPTBot");
		await page.click("#tab-test");
		await page.locator("#counts button").first().waitFor();
		await type(page, "# quick ");
		expect(await robotsOf(page)).toMatch(/^# quick .*User-agent/s);
		// And it goes on from there.
		await page.keyboard.type("and more ");
		expect(await robotsOf(page)).toMatch(/^# quick and more /);
		await kept(page, "# quick and more").toBe(true);
		expect(await urlsOf(page)).toEqual(await urlsOf(other));
		// Where older work is on its way, it comes, and what was typed is beside it.
		const again = await hashWith(page, {
			robots: expect.stringContaining("# quick and more"),
		});
		await page.goto("about:blank");
		await page.goto(playground.address + again);
		await page.fill("#ask-robots", "# quicker ");
		await expect.poll(() => robotsOf(page)).toMatch(/^# quick and more /);
		await kept(page, "# quicker").toBe(true);
		await goBackTo(page, "# quicker");
		expect(problems).toEqual([]);
		await context.close();
	});

	test("one URL: the verdict, the line, and what each crawler may do", async () => {
		const { page, problems } = await playground.openPane("ask", "#ask-url");
		await page.fill("#ask-robots", "User-agent: GPTBot\nDisallow: /a\n");
		await page.fill("#ask-agent", "GPTBot");
		await page.fill("#ask-url", "https://e.com/a/b");
		const answer = page.locator("#ask-answer .answer");
		await expect
			.poll(() => answer.innerText())
			.toMatch(/✕ Disallowed\s+GPTBot may not fetch/);
		await page.click("#ask-all summary");
		await expect
			.poll(() => page.locator("#ask-who").innerText())
			.toMatch(/1 of \d+ known crawlers may not fetch this URL/);
		// Where the robots.txt of the URL is: no page may fetch it by itself.
		expect(await page.locator("#ask-whose a").getAttribute("href")).toBe(
			"https://e.com/robots.txt",
		);
		await page.fill("#ask-agent", "Googlebot");
		await expect.poll(() => answer.innerText()).toMatch(/✓ Allowed/);
		// There is one URL to correct, and the link has it.
		await page.fill("#ask-agent", "GPTBot");
		await page.fill("#ask-url", "e.com/a");
		await expect.poll(() => answer.innerText()).toMatch(/\? Invalid/);
		expect(await page.locator(".proposal button").count()).toBe(1);
		await hashWith(page, { ask: "e.com/a" });
		await page.click("#use-proposal");
		await expect.poll(() => answer.innerText()).toMatch(/✕ Disallowed/);
		await hashWith(page, { ask: "https://e.com/a" });
		await page.fill("#ask-agent", "Googlebot");
		// Other views go on from there.
		await page.click("#tab-test");
		await expect.poll(() => robotsOf(page)).toMatch(/^User-agent: GPTBot/);
		expect(await page.inputValue("#agent")).toBe("Googlebot");
		expect(problems).toEqual([]);
		await page.close();
	});

	test("Each known crawler is judged as its operator reads, and it says so", async () => {
		const { page, problems } = await playground.openPane("ask", "#ask-url");
		const answer = page.locator("#ask-answer .answer");
		// Google's parser takes no pattern without a slash.
		await page.fill("#ask-robots", "User-agent: *\nDisallow: a\n");
		await page.fill("#ask-url", "https://e.com/a");
		await page.click("#ask-all summary");
		const who = (verdict: string) =>
			page.locator("#ask-who tr", { hasText: verdict });
		const says = async (agent: string, text: RegExp) => {
			await page.fill("#ask-agent", agent);
			await expect.poll(() => answer.innerText()).toMatch(text);
		};
		await says("Googlebot", /✓ Allowed\s+Googlebot may.*Read as google\.$/s);
		await says("GPTBot", /✕ Disallowed\s+GPTBot may.*Read as rfc9309\.$/s);
		await expect
			.poll(() => who("✓ allowed").first().innerText())
			.toMatch(/Googlebot,.*read as google/s);
		await expect
			.poll(() => who("✕ disallowed").first().innerText())
			.toMatch(/bingbot.*read as rfc9309/s);
		await page.click("#tab-ai");
		await page.fill("#ai-path", "/a");
		const row = (name: string) =>
			page.locator("#ai-table tbody tr", { hasText: name }).first();
		await expect
			.poll(() => row("Google-Extended").innerText())
			.toMatch(/✓ yes.*read as google/s);
		await expect
			.poll(() => row("GPTBot").innerText())
			.toMatch(/✕ no\s.*read as rfc9309/s);
		// A dialect that is chosen by hand wins.
		await page.selectOption("#dialect", "rfc9309");
		await expect
			.poll(() => row("Google-Extended").innerText())
			.toMatch(/✕ no\s.*read as rfc9309/s);
		await page.click("#tab-ask");
		await says(
			"Googlebot",
			/✕ Disallowed.*Read as rfc9309, chosen by hand\.$/s,
		);
		expect(problems).toEqual([]);
		await page.close();
	});

	test("the sample judges no other site, unless the reader says so", async () => {
		const { page, problems } = await open();
		const url = "https://tea.example/cart";
		const question = page.locator(".whose-question:visible");
		await choose(page, "urls-file", "urls.txt", `/cart\n${url}\n/shop/`);
		const counts = page.locator("#counts button");
		await expect
			.poll(async () => (await counts.allInnerTexts()).join())
			.toMatch(/✓ 1 allowed,✕ 1 disallowed/);
		await page.locator("#urls-editor .cm-line", { hasText: "tea" }).click();
		await expect
			.poll(() => question.innerText())
			.toMatch(
				/example\.com’s robots\.txt, the sample, says nothing about tea/,
			);
		await page.click("#tab-ask");
		await page.fill("#ask-url", url);
		await expect.poll(() => question.count()).toBe(1);
		expect(await question.locator("a").getAttribute("href")).toBe(
			"https://tea.example/robots.txt",
		);
		expect(await page.locator("#ask-answer .answer").count()).toBe(0);
		// To Google every text is a URL, also one without its scheme.
		await page.fill("#ask-agent", "Googlebot");
		await page.fill("#ask-url", "/cart");
		await page.locator("#ask-answer .answer").waitFor();
		await page.fill("#ask-url", "tea.example/cart");
		await expect.poll(() => question.count()).toBe(1);
		expect(await question.locator("a").getAttribute("href")).toBe(
			"https://tea.example/robots.txt",
		);
		await page.fill("#ask-agent", "");
		await page.click("#tab-ai");
		// The card names the site that the answers are of.
		await expect.poll(() => page.locator("#ai-site").isDisabled()).toBe(true);
		await page.fill("#ai-path", url);
		await expect.poll(() => question.count()).toBe(1);
		expect(await page.locator("#ai-card").isVisible()).toBe(false);
		expect(await faultsOf(page)).toEqual([]);
		await question.locator("button").click();
		await page.locator("#ai-card").waitFor();
		await page.fill("#ai-site", "tea.example");
		await page.click("#tab-ask");
		await page.locator("#ask-answer .answer").waitFor();
		await page.click("#tab-test");
		await expect
			.poll(async () => (await counts.allInnerTexts()).join())
			.toMatch(/✓ 1 allowed,✕ 2 disallowed/);
		// Compare shows the file that was opened, not the example with which it began.
		await page.click("#tab-compare");
		await page.locator(".change").first().waitFor();
		await page.click("#tab-test");
		const own = "User-agent: *\nDisallow: /own\n";
		await choose(page, "robots-file", "robots.txt", own);
		await expect
			.poll(() => page.locator("#test-whose").textContent())
			.not.toContain("sample");
		await page.click("#tab-compare");
		for (const side of ["before", "after"])
			await expect
				.poll(() => page.locator(`#${side}-editor .cm-content`).innerText())
				.toContain("/own");
		expect(problems).toEqual([]);
		await page.close();
	});

	test("each sample is named, and One URL begins with a URL of it", async () => {
		const { page, problems } = await open();
		for (const [sample, words] of [
			["A shop", "This is the sample’s robots.txt, of example.com."],
			["A hostile file", "This is the sample’s robots.txt."],
			[
				"A news site against AI crawlers",
				"This is the sample’s robots.txt, of news.example.",
			],
		] as const) {
			await page.selectOption("#sample", sample);
			await expect
				.poll(() => page.locator("#whose-words").textContent())
				.toBe(words);
			await page.click("#tab-ask");
			await page.locator("#ask-answer .answer").waitFor();
			expect(await page.locator("#ask-answer .whose-question").count()).toBe(0);
			await page.click("#tab-test");
		}
		expect(problems).toEqual([]);
		await page.close();
	});

	test("to look at other views leaves nothing in Earlier work, and a page begins with the view of the last work", async () => {
		const { page: first } = await open();
		const context = await first.context().browser()?.newContext();
		await first.close();
		const page = (await context?.newPage()) as Page;
		await page.goto(playground.address);
		await page.locator("#ask-answer .answer").waitFor();
		const titles = new Set<string>();
		for (const tab of await page.locator("[role=tab]").all()) {
			await tab.click();
			titles.add(await page.title());
		}
		expect(titles.size).toBe(7);
		await page.click("#tab-ai");
		await page.click("#earlier");
		await expect
			.poll(() => page.locator("#earlier-list").innerText())
			.toContain("Nothing is kept yet");
		await page.keyboard.press("Escape");
		await page.fill("#ai-path", "/mine");
		await kept(page, "/mine").toBe(true);
		const other = (await context?.newPage()) as Page;
		await other.goto(playground.address);
		await other.locator("#ai-card").waitFor();
		// A link has a view of its own, whatever was worked on before.
		await page.click("#tab-compare");
		const hash = await hashWith(page, { pane: "compare", ai: "/mine" });
		const linked = (await context?.newPage()) as Page;
		await linked.goto(playground.address + hash);
		await linked.locator(".change").first().waitFor();
		expect(
			await linked.locator("#tab-compare").getAttribute("aria-selected"),
		).toBe("true");
		await context?.close();
	});

	test("AI crawlers: who may fetch, train and answer, and a picture", async () => {
		const { page, problems } = await open();
		await choose(
			page,
			"robots-file",
			"robots.txt",
			"User-agent: *\nContent-Signal: ai-train=no, ai-input=yes\nAllow: /\n\nUser-agent: GPTBot\nDisallow: /\n",
		);
		await page.click("#tab-ai");
		const row = (name: string) =>
			page.locator("#ai-table tbody tr", { hasText: name }).first();
		const says = () => page.locator("#ai-says").innerText();
		// Rows with the same answer for the same reason are one.
		await expect
			.poll(() => row("GPTBot").innerText())
			.toMatch(/✕ nothing\s+GPTBot read as rfc9309 line 6$/s);
		await expect
			.poll(() => row("ClaudeBot").innerText())
			.toMatch(/✕ nothing.*may fetch it, but the use is refused.* line 2$/s);
		await expect
			.poll(() => row("PerplexityBot").innerText())
			.toMatch(/✓ all.*the use is permitted/s);
		expect(await row("ChatGPT-User").innerText()).toMatch(/ChatGPT-User\*/);
		expect(await row("Google-Extended").innerText()).toMatch(
			/Google-Extended†/,
		);
		await expect
			.poll(says)
			.toMatch(
				/^None of the \d+ crawlers that collect texts for training may train with anything of this site\.\s+All \d+ crawlers of AI search may answer with all of this site\./,
			);
		// Every purpose of AI has its sentence, and no crawler is left out.
		const counted = (await says()).matchAll(/(?:All|of the|Of the) (\d+)/gi);
		expect(
			[...counted].reduce((sum, [, count]) => sum + Number(count), 0),
		).toBe(crawlers.filter(({ kind }) => kind.startsWith("ai")).length);
		expect(await row("GrokBot").innerText()).toMatch(/use unknown.*✓ all/s);
		// A link has the page that was asked about.
		await page.fill("#ai-path", "/blog");
		await expect.poll(says).toMatch(/ may answer with \/blog\./);
		expect(await row("GPTBot").innerText()).toMatch(/✕ no\s/);
		expect(await row("PerplexityBot").innerText()).toMatch(/✓ yes\s/);
		// A path that is none leaves no answer of another standing, and no card.
		const card = page.locator("#ai-card");
		expect(await card.isVisible()).toBe(true);
		await page.fill("#ai-path", "no path");
		await expect.poll(says).toMatch(/no path/);
		expect(await page.locator("#ai-table").innerText()).toBe("");
		expect(await card.isVisible()).toBe(false);
		await page.fill("#ai-path", "/blog");
		// Nor does a file that is no robots.txt.
		const text = page.locator("#ai-table tr").first();
		await text.waitFor();
		await choose(
			page,
			"robots-file",
			"robots.txt",
			Buffer.from("89504e470d0a1a0a0000", "hex"),
		);
		await expect.poll(says).toMatch(/is not a robots\.txt but/);
		expect(await card.isVisible()).toBe(false);
		await page.click("#tab-ask");
		await expect
			.poll(() => page.locator("#ask-answer").innerText())
			.toMatch(/is not a robots\.txt but/);
		await page.click("#tab-ai");
		await choose(
			page,
			"robots-file",
			"robots.txt",
			"User-agent: *\nDisallow: /x\nSitemap: https://a.example/sitemap.xml\n",
		);
		await card.waitFor();
		// The card has the colours of the page.
		const corner = () =>
			card.evaluate(
				(canvas) => (canvas as HTMLCanvasElement).toDataURL().length,
			);
		const light = await corner();
		await page.emulateMedia({ colorScheme: "dark" });
		await expect.poll(corner).not.toBe(light);
		await page.emulateMedia({ colorScheme: "light" });
		const hash = await hashWith(page, { pane: "ai", ai: "/blog" });
		const { page: other } = await open({ hash });
		await expect
			.poll(() => other.locator("#ai-says").innerText())
			.toMatch(/ may answer with \/blog\./);
		await other.close();
		await page.fill("#ai-path", "");
		await choose(page, "robots-file", "robots.txt", "User-agent: *\n");
		await page.click("#tab-test");
		await page.click("#tab-ai");
		await expect
			.poll(() => page.locator("#ai-notes").innerText())
			.toMatch(/no Content-Signal or Content-Usage/);
		await expect
			.poll(says)
			.toMatch(/^All \d+ crawlers .* may train with all of this site\./);
		const [download] = await Promise.all([
			page.waitForEvent("download"),
			page.click("#ai-picture"),
		]);
		const picture = readFileSync(await download.path());
		expect(picture.subarray(1, 4).toString()).toBe("PNG");
		expect(picture.length).toBeGreaterThan(10_000);
		expect(problems).toEqual([]);
		await page.close();
	});

	test.each(schemes)(
		"new views are accessible and fit every width, %s",
		async (colorScheme) => {
			const { page } = await open({ colorScheme });
			await choose(page, "robots-file", "robots.txt", sample("mistakes.txt"));
			await expect
				.poll(() => page.locator("#repair-all").isVisible())
				.toBe(true);
			expect(await faultsAtWidths(page)).toEqual([]);
			await page.click("#tab-ask");
			await page.click("#ask-all summary");
			await page.locator("#ask-who table").waitFor();
			expect(await faultsAtWidths(page)).toEqual([]);
			await page.click("#tab-ai");
			await page.locator("#ai-table table").waitFor();
			expect(await faultsAtWidths(page)).toEqual([]);
			// Where they are folded up, so that they are open at every width.
			await page.setViewportSize({ width: 360, height: 900 });
			await page.click("#settings-toggle");
			await page.click("#earlier");
			await page.locator("#earlier-list").waitFor();
			expect(await faultsAtWidths(page)).toEqual([]);
			await page.close();
		},
	);
});
