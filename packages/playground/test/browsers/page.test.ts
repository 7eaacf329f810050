import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RobotsTxt, Verdict } from "../../../../src/index.ts";
import { lintCodes } from "../../../../src/lint/finding.ts";
import { lint } from "../../../../src/lint.ts";
import { file } from "../../../cli/test/run.ts";
import type { Judgement } from "../../page/messages.ts";
import { decodeState, encodeState } from "../../page/permalink.ts";
import { samples } from "../../work/samples.ts";
import { hasChromium } from "../chromium.ts";
import { faultsOf, overflowOf, violations } from "../faults.ts";
import { faultsAtWidths, hashWith, Playground, reload } from "../playground.ts";
import { schemes, widths } from "../views.ts";

const root = new URL("../../../../", import.meta.url);
const sample = (name: string) =>
	readFileSync(new URL(`sample/${name}`, root), "utf8");
/** What lets an answer go. Of verdicts it says about which crawler they are. */
type HeldAnswer = (() => void) & { agent?: string | undefined };

/**
 * Runs in the page: what workers answer, and the text of a file whose name begins with "first", is kept in the array `heldAnswers`, as
 * functions, once a test has made it.
 */
function holdAnswers(): void {
	const readText = File.prototype.text;
	File.prototype.text = async function () {
		const { heldAnswers } = globalThis as { heldAnswers?: (() => void)[] };
		if (heldAnswers && this.name.startsWith("first"))
			await new Promise<void>((resolve) => {
				heldAnswers.push(resolve);
			});
		return readText.call(this);
	};
	const { prototype } = Worker;
	const listen = prototype.addEventListener;
	prototype.addEventListener = function (
		type: string,
		listener: EventListenerOrEventListenerObject,
	) {
		const held = (event: Event) => {
			const answer: HeldAnswer = () =>
				(listener as EventListener).call(this, event);
			const { heldAnswers } = globalThis as { heldAnswers?: HeldAnswer[] };
			const { data } = event as MessageEvent<
				{ result?: Partial<Judgement> } | undefined
			>;
			answer.agent = data?.result?.recognised?.agent;
			if (heldAnswers) heldAnswers.push(answer);
			else answer();
		};
		listen.call(this, type, type === "message" ? held : listener);
	};
}

describe.skipIf(!hasChromium)("In Chromium, the page", () => {
	let playground: Playground;
	beforeAll(async () => {
		playground = await Playground.start();
	});
	afterAll(() => playground?.stop());
	const open: Playground["open"] = (options) => playground.open(options);

	const drop = (page: Page, input: string, name: string, buffer: Buffer) =>
		page.setInputFiles(`#${input}`, { name, mimeType: "text/plain", buffer });

	/** Chooses a crawler and a dialect, and gives files to both sides. */
	async function judge(
		page: Page,
		given: { robots: Buffer; urls: string; agent: string; dialect?: string },
	): Promise<void> {
		// On a phone they are folded up.
		const toggle = page.locator("#settings-toggle[aria-expanded=false]");
		if (await toggle.isVisible()) await toggle.click();
		await page.fill("#agent", given.agent);
		await page.selectOption("#dialect", given.dialect ?? "rfc9309");
		await drop(page, "robots-file", "robots.txt", given.robots);
		await drop(page, "urls-file", "urls.txt", Buffer.from(given.urls));
	}

	const countsOf = async (page: Page) =>
		(await page.locator("#counts button").allInnerTexts()).map((text) =>
			Number(/[\d,]+/.exec(text)?.[0].replaceAll(",", "")),
		);

	const urls = sample("urls.txt").trimEnd().split("\n");
	test.each([
		["Googlebot", "rfc9309", sample("robots.txt")],
		["GPTBot", "google", sample("robots.txt")],
		["YandexBot", "yandex", sample("robots.txt")],
		["Nobody", "rfc9309", sample("mistakes.txt")],
		["Nobody", "google", sample("mistakes.txt")],
	] as const)(
		"judges for %s in %s as the library does",
		async (agent, dialect, robots) => {
			const { page, problems } = await open();
			await judge(page, {
				robots: Buffer.from(robots),
				urls: `${urls.join("\n")}\nno url\n\n/drafts/1`,
				agent,
				dialect,
			});
			const judged = [...urls, "no url", "/drafts/1"];
			const answers = (["rfc9309", "google", "yandex"] as const).map((name) =>
				RobotsTxt.parse(robots, { dialect: name }).for(agent).matchMany(judged),
			);
			const own = [
				...(answers[["rfc9309", "google", "yandex"].indexOf(dialect)] ?? []),
			];
			const expected = [
				own.filter((verdict) => verdict === 1).length,
				own.filter((verdict) => verdict === 0).length,
				own.filter((verdict) => verdict === 3).length,
				own.filter((_, i) => {
					const verdicts = new Set(answers.map((one) => one[i]));
					// What is no URL to one of them differs for another reason.
					return verdicts.size > 1 && !verdicts.has(Verdict.Invalid);
				}).length,
			];
			await expect.poll(() => countsOf(page)).toEqual(expected);
			expect(problems).toEqual([]);
			await page.close();
		},
	);

	test("loads at most 128 KB, gzipped, each file once", async () => {
		const { page } = await open({ landing: true });
		const { requests, folder } = playground.server;
		await page.locator("#ask-answer .answer").waitFor();
		await page.waitForLoadState("networkidle");
		const asked = requests.slice(requests.lastIndexOf("/"));
		expect(asked).toEqual([...new Set(asked)]);
		const sizes = asked.map((path) => {
			const name = path === "/" ? "index.html" : path;
			return gzipSync(readFileSync(join(folder, name))).length;
		});
		expect(sizes.length).toBeGreaterThanOrEqual(4);
		expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(
			128_000,
		);
		await page.close();
	});

	test("comes compressed from npm run web", async () => {
		const { page } = await open();
		const { requests, address } = playground.server;
		const scripts = requests.filter((path) => path.endsWith(".js"));
		let compressed = 0;
		for (const path of new Set(["/", ...scripts])) {
			const response = await fetch(new URL(path, address));
			const { length } = await response.text();
			// Less is not worth it.
			if (length < 2000) continue;
			expect([path, response.headers.get("content-encoding")]).toEqual([
				path,
				expect.stringMatching(/^(br|gzip)$/),
			]);
			compressed++;
		}
		expect(compressed).toBeGreaterThan(3);
		await page.close();
	});

	test("asks no other server, and nothing once it is loaded", async () => {
		const { page, requests } = await open({ serviceWorkers: "allow" });
		await page.locator("#findings-list li").first().waitFor();
		// The last of the page's own requests.
		await page.evaluate(async () => {
			await navigator.serviceWorker.ready;
		});
		await page.waitForLoadState("networkidle");
		// Chromium looks for the icon again whenever the address changes.
		const asked = () => requests.filter((url) => !/icon/.test(url)).length;
		const before = asked();
		await page.fill("#agent", "bingbot");
		await page.locator("#next-disallowed").click();
		await page.waitForTimeout(700);
		expect(asked()).toBe(before);
		expect(
			requests.filter((url) => !url.startsWith(playground.address)),
		).toEqual([]);
		await page.close();
	});

	test("marks the deciding line, those that lose with their length, and the groups that apply", async () => {
		const { page } = await open();
		await judge(page, {
			robots: Buffer.from(
				"User-agent: a\nDisallow: /x\n\nUser-agent: *\nDisallow: /shop\nAllow: /shop/tea\nDisallow: /*green\n",
			),
			urls: "/shop/tea/green",
			agent: "Nobody",
		});
		const labels = page.locator("#robots-editor .rule-label");
		await expect
			.poll(async () =>
				(await labels.allInnerTexts()).map((text) => text.replace(/\s+/g, " ")),
			)
			.toEqual([
				"◁loses, 5 bytes",
				"◀decides: allow, 9 bytes",
				"◁loses, 7 bytes",
			]);
		expect(await page.locator("#robots-editor .decides").innerText()).toContain(
			"Allow: /shop/tea",
		);
		await expect
			.poll(() => page.locator("#robots-editor .applies").count())
			.toBe(4);
		expect(await page.locator("#explanation").innerText()).toContain(
			"/shop/tea",
		);
		await page.close();
	});

	test("judges while one types", async () => {
		const { page } = await open();
		await judge(page, {
			robots: Buffer.from(""),
			urls: "/a/b",
			agent: "Nobody",
		});
		await expect.poll(() => countsOf(page)).toEqual([1, 0, 0, 0]);
		await page.locator("#robots-editor .cm-content").click();
		await page.keyboard.type("User-agent: *\nDisallow: /a");
		await expect.poll(() => countsOf(page)).toEqual([0, 1, 0, 0]);
		await page.locator("#urls-editor .cm-content").click();
		await page.keyboard.press("Control+End");
		await page.keyboard.type("\n/c");
		await expect.poll(() => countsOf(page)).toEqual([1, 1, 0, 0]);
		await page.close();
	});

	test.each([
		["dialect", "#dialect", "google"],
		["crawler", "#agent", "GPTBot"],
	])(
		"marks verdicts as out of date until those of another %s have come",
		async (_, field, value) => {
			const { page, problems } = await open();
			await page.locator("#findings-list li").first().waitFor();
			const marked = page.locator("#pane-test .stale");
			await expect.poll(() => marked.count()).toBe(0);
			// In one task: the worker's answer cannot come between.
			const stale = await page.evaluate(
				([field, value]) => {
					const input = document.querySelector<HTMLInputElement>(field);
					if (!input) return [];
					input.value = value;
					input.dispatchEvent(new Event("input", { bubbles: true }));
					input.dispatchEvent(new Event("change", { bubbles: true }));
					return Array.from(
						document.querySelectorAll("#pane-test .stale[aria-busy=true]"),
						({ id }) => id,
					);
				},
				[field, value] as const,
			);
			expect(stale).toEqual(
				expect.arrayContaining(["counts", "urls-editor", "explanation"]),
			);
			await expect.poll(() => marked.count()).toBe(0);
			expect(await page.locator("#judging").innerText()).toBe("");
			expect(problems).toEqual([]);
			await page.close();
		},
	);

	test("has lint's findings in the margin and as a list that leads to lines", async () => {
		const { page } = await open();
		const robots = sample("mistakes.txt");
		await drop(page, "robots-file", "mistakes.txt", Buffer.from(robots));
		const findings = lint(robots);
		await expect
			.poll(() => page.locator("#findings-list li").count())
			.toBe(findings.length);
		const lines = new Set(findings.map(({ line }) => line));
		await expect
			.poll(() => page.locator("#robots-editor .finding").count())
			.toBe(lines.size);
		await page
			.locator("#findings-list button", { hasText: /^line / })
			.last()
			.click();
		await page.keyboard.type("#");
		const last = findings.at(-1)?.line ?? 0;
		await expect
			.poll(() =>
				page
					.locator("#robots-editor .cm-line")
					.nth(last - 1)
					.innerText(),
			)
			.toMatch(/^#/);
		await page.close();
	});

	test("says where the dialects differ", async () => {
		const { page } = await open();
		await judge(page, {
			robots: Buffer.from(sample("robots.txt")),
			urls: "/tee/gr%C3%BC%6E/lager/1",
			agent: "DuckDuckBot",
		});
		await expect.poll(() => countsOf(page)).toEqual([0, 1, 0, 1]);
		const rows = page.locator("#explanation tr");
		await expect
			.poll(() => rows.allInnerTexts())
			.toEqual([
				expect.stringMatching(/rfc9309.*disallowed/s),
				expect.stringMatching(/google.*allowed.*differs/s),
				expect.stringMatching(/yandex/),
			]);
		await page.close();
	});

	test("has its state in the link", async () => {
		const { page } = await open();
		await judge(page, {
			robots: Buffer.from("User-agent: *\nDisallow: /grün\n"),
			urls: "/gr%C3%BCn\n/b",
			agent: "ExampleBot/1.0",
			dialect: "google",
		});
		await expect.poll(() => countsOf(page)).toEqual([1, 1, 0, 0]);
		const hash = await hashWith(page, {
			agent: "ExampleBot/1.0",
			dialect: "google",
			robots: "User-agent: *\nDisallow: /grün\n",
			urls: "/gr%C3%BCn\n/b",
		});
		const other = await open({ hash });
		expect(await other.page.inputValue("#agent")).toBe("ExampleBot/1.0");
		expect(await other.page.inputValue("#dialect")).toBe("google");
		await expect.poll(() => countsOf(other.page)).toEqual([1, 1, 0, 0]);
		expect(
			await other.page.locator("#robots-editor .cm-content").innerText(),
		).toContain("/grün");
		await page.close();
		await other.page.close();
	});

	test.each(["#x", "#eJwrSS0u", "#%00", "#q1YqSMxLVbJSKkktLlHSUUpMzkksBgA"])(
		"shows the sample for the damaged link %s",
		async (hash) => {
			const { page } = await open({ hash });
			await expect
				.poll(() => page.locator("#notice").innerText())
				.toContain("damaged");
			await page.click("#tab-test");
			await page.locator("#counts button").first().waitFor();
			expect((await countsOf(page))[0]).toBeGreaterThan(100);
			await page.close();
		},
	);

	test("takes 500 KiB of rules and 100,000 URLs, and draws only what is in view", async () => {
		const { page, problems } = await open();
		const rules = Array.from(
			{ length: 18_000 },
			(_, i) => `Disallow: /section-${i}/*page`,
		);
		const robots = `User-agent: *\n${rules.join("\n")}\n`.slice(0, 512_000);
		const many = Array.from(
			{ length: 100_000 },
			(_, i) => `https://example.com/section-${i % 36_000}/a/page/${i}`,
		);
		await judge(page, {
			robots: Buffer.from(robots),
			urls: many.join("\n"),
			agent: "Nobody",
		});
		const own = RobotsTxt.parse(robots).for("Nobody").matchMany(many);
		const disallowed = own.filter((verdict) => verdict === 0).length;
		await expect
			.poll(() => countsOf(page), { timeout: 60_000 })
			.toEqual([100_000 - disallowed, disallowed, 0, 0]);
		expect(await page.locator("#urls-editor .cm-line").count()).toBeLessThan(
			300,
		);
		expect(await page.locator("#robots-editor .cm-line").count()).toBeLessThan(
			300,
		);
		await page.locator("#urls-editor .cm-content").click();
		await page.keyboard.press("Control+End");
		await page.keyboard.type("9");
		await expect
			.poll(() => page.locator("#explanation .url").innerText())
			.toBe(`${many.at(-1)}9`);
		expect(problems).toEqual([]);
		await page.close();
	});

	test.each([
		[
			"bytes of no text",
			Buffer.from(Uint8Array.from({ length: 5000 }, (_, i) => (i * 7) % 256)),
		],
		["UTF-16", Buffer.from("\ufeffUser-agent: *\nDisallow: /\n", "utf16le")],
		["nothing", Buffer.alloc(0)],
		[
			"one line of a megabyte",
			Buffer.from(`User-agent: *\nDisallow: /${"a*".repeat(500_000)}`),
		],
	])("takes a file of %s", async (_, bytes) => {
		const { page, problems } = await open();
		await judge(page, { robots: bytes, urls: "/a", agent: "Nobody" });
		const [allowed, ...others] = (["rfc9309", "google", "yandex"] as const).map(
			(dialect) =>
				RobotsTxt.parse(bytes, { dialect }).isAllowed("/a", "Nobody"),
		);
		const differ = Number(others.some((other) => other !== allowed));
		await expect
			.poll(() => countsOf(page), { timeout: 20_000 })
			.toEqual(allowed ? [1, 0, 0, differ] : [0, 1, 0, differ]);
		await expect
			.poll(() => page.locator("#findings-count").innerText(), {
				timeout: 20_000,
			})
			.toBe(summaryOf(bytes));
		expect(problems).toEqual([]);
		await page.close();
	});

	test("steps a path through the byte-code", async () => {
		const { page, problems } = await open();
		await page.locator("#tab-byte-code").click();
		await page.fill("#step-url", "/internal/press-kit.pdf");
		const state = page.locator("#step-state");
		await expect.poll(() => state.innerText()).toContain("Step 1 of 2");
		expect(await page.locator("#program-view .at-step").innerText()).toContain(
			'"internal/"',
		);
		for (const best of ["No rule", "line 14"]) {
			expect(await state.innerText()).toContain(best);
			await page.locator("#step-forward").click();
		}
		expect(await state.innerText()).toMatch(/done.*line 15.*allowed/s);
		expect(await page.locator("#program-view .passed").count()).toBe(2);
		await page.locator("#rules-view .cm-line", { hasText: "/cart" }).hover();
		await expect
			.poll(() => page.locator("#program-view .of-rule").allInnerTexts())
			.toEqual([expect.stringContaining("line 5: disallow /cart")]);
		await page.fill("#step-url", "no url");
		await expect.poll(() => state.innerText()).toContain("This is not a URL");
		expect(problems).toEqual([]);
		await page.close();
	});

	test.each([
		[
			"a PNG",
			Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
			"a PNG image",
		],
		["UTF-16", Buffer.from("\ufeffUser-agent: *\n", "utf16le"), "UTF-16"],
	])("says that %s is no robots.txt", async (_, bytes, says) => {
		const { page, problems } = await open();
		const problem = page.locator("#robots-problem");
		expect(await problem.isVisible()).toBe(false);
		await drop(page, "robots-file", "robots.txt", bytes);
		await expect.poll(() => problem.innerText()).toContain(says);
		await drop(page, "robots-file", "robots.txt", Buffer.from("User-agent: *"));
		await expect.poll(() => problem.isVisible()).toBe(false);
		expect(problems).toEqual([]);
		await page.close();
	});

	test("proposes URLs for lines that are none", async () => {
		const { page, problems } = await open();
		await judge(page, {
			robots: Buffer.from("User-agent: *\nDisallow: /cart"),
			urls: 'example.com/cart\nexample.com/cart/2\n"https://example.com/x"\nno url',
			agent: "Nobody",
		});
		await expect.poll(() => countsOf(page)).toEqual([0, 0, 4, 0]);
		await expect
			.poll(() => page.locator(".proposal").innerText())
			.toContain("https://example.com/cart");
		await page.locator("#use-proposal").click();
		await expect.poll(() => countsOf(page)).toEqual([0, 1, 3, 0]);
		await page.keyboard.press("ArrowDown");
		await page.locator("#use-proposals").click();
		await expect.poll(() => countsOf(page)).toEqual([1, 2, 1, 0]);
		expect(problems).toEqual([]);
		await page.close();
	});

	const overLimit = (end: string) =>
		`User-agent: *${end}${`#${"x".repeat(97)}${end}`.repeat(5150)}Disallow: /late${end}`;
	test.each([
		["LF", overLimit("\n"), ""],
		["CRLF", overLimit("\r\n"), ", CRLF line ends"],
		["CR", overLimit("\r"), ", CR line ends"],
		["CRLF and LF", `${overLimit("\r\n")}#\n#\n`, ", CRLF line ends"],
		[
			"CRLF behind a mark",
			"\ufeffUser-agent: *\r\nDisallow: /late\r\n",
			", CRLF line ends",
		],
	])("keeps %s at the ends of lines", async (_, robots, note) => {
		const { page, problems } = await open();
		const bytes = Buffer.from(robots);
		const given = {
			robots: bytes,
			urls: "/late",
			agent: "Nobody",
			dialect: "yandex",
		};
		const sizeOf = (size: number) =>
			`${size.toLocaleString("en")} bytes${note}`;
		const size = page.locator("#robots-size");
		await judge(page, given);
		await expect.poll(() => size.innerText()).toBe(sizeOf(bytes.length));
		const allowed = (text: string | Buffer) =>
			RobotsTxt.parse(text, { dialect: "yandex" }).isAllowed("/late", "Nobody");
		const allowedCount = async () => (await countsOf(page))[0];
		await expect.poll(allowedCount).toBe(Number(allowed(bytes)));
		// An edit keeps the other line ends, where all are alike.
		await page.locator("#robots-editor .cm-content").click();
		await page.keyboard.press("Control+End");
		await page.keyboard.type("#");
		const end = robots.includes("\r\n")
			? "\r\n"
			: robots.includes("\r")
				? "\r"
				: "\n";
		const edited = `${robots.replace(/\r\n|\r|\n/g, end)}#`;
		await expect
			.poll(() => size.innerText())
			.toBe(sizeOf(Buffer.byteLength(edited)));
		await expect.poll(allowedCount).toBe(Number(allowed(edited)));
		expect(problems).toEqual([]);
		await page.close();
	});

	test("takes a notice away with the next change, or its button", async () => {
		const { page, problems } = await open({ hash: "#x" });
		const notice = page.locator("#notice");
		await expect.poll(() => notice.innerText()).toContain("damaged");
		await page.fill("#ask-agent", "bingbot");
		await expect.poll(() => notice.isVisible()).toBe(false);
		// By its path: bytes would travel as text.
		const large = file("big33.txt", Buffer.alloc(33_600_000, "#"));
		await page.setInputFiles("#robots-file", large);
		await expect.poll(() => notice.innerText()).toContain("33,600,000 bytes");
		await page.locator("#notice-close").click();
		expect(await notice.isVisible()).toBe(false);
		expect(problems).toEqual([]);
		await page.close();
	});

	test.each([360, 768, 900, 1100, 1500])(
		"has no fields that overlap or are cut off at %d px",
		async (width) => {
			const { page, problems } = await open({ width });
			for (const name of ["test", "compare", "log", "byte-code"]) {
				await page.locator(`#tab-${name}`).click();
				await page.waitForLoadState("networkidle");
				const faults = await page.evaluate(() => {
					const fields = Array.from(
						document.querySelectorAll<HTMLElement>(
							// The list of tabs scrolls.
							":is(input, select, button):not([type=file], [role=tab])",
						),
					).filter((field) => field.checkVisibility());
					const boxes = fields.map((field) => field.getBoundingClientRect());
					return fields.flatMap((field, at) => {
						const box = boxes[at] as DOMRect;
						const card = field.closest(".card")?.getBoundingClientRect();
						const isCut = box.right > (card?.right ?? innerWidth) + 1;
						const overlaps = boxes.some(
							(other, index) =>
								index > at &&
								other.left < box.right - 1 &&
								box.left < other.right - 1 &&
								other.top < box.bottom - 1 &&
								box.top < other.bottom - 1,
						);
						return isCut || overlaps ? [field.outerHTML] : [];
					});
				});
				expect(faults, name).toEqual([]);
			}
			expect(problems).toEqual([]);
			await page.close();
		},
	);

	test.each([
		["many URLs", Buffer.from("User-agent: *\nDisallow: /a"), 450_000],
		["a file that is no text", randomBytes(1_500_000), 1],
	])(
		"keeps %s over a reload, and no hash of another state",
		async (_, robots, count) => {
			const { page, problems } = await open();
			const lines = Array.from(
				{ length: count },
				(_, i) => `/${i}/${"a".repeat(20)}`,
			);
			await page.fill("#agent", "Somebody");
			const before = await hashWith(page, { agent: "Somebody" });
			await judge(page, { robots, urls: lines.join("\n"), agent: "Nobody" });
			const hash = () => new URL(page.url()).hash;
			const size = () => page.locator("#robots-size").innerText();
			const robotsSize = `${robots.length.toLocaleString("en")} byte`;
			// One file is there before the other, and what is not there yet cannot be kept.
			await expect
				.poll(() => countsOf(page), { timeout: 20_000 })
				.toEqual([count, 0, 0, 0]);
			await expect.poll(size).toContain(robotsSize);
			await expect
				.poll(hash, { timeout: 20_000 })
				.toMatch(/^#kept=[\da-f]{16}$/);
			expect(hash()).not.toBe(before);
			expect(await page.locator("#link-note").innerText()).toContain(
				"kept in this browser",
			);
			await page.reload();
			await expect
				.poll(() => countsOf(page), { timeout: 20_000 })
				.toEqual([count, 0, 0, 0]);
			await expect.poll(size).toContain(robotsSize);
			const other = await open({ hash: hash() });
			expect(await other.page.locator("#notice").innerText()).toContain(
				"another browser",
			);
			await other.page.close();
			await judge(page, {
				robots: Buffer.from(""),
				urls: "/",
				agent: "Nobody",
			});
			await expect.poll(hash).not.toMatch(/kept/);
			await expect
				.poll(() => page.locator("#link-note").isVisible())
				.toBe(false);
			expect(problems).toEqual([]);
			await page.close();
		},
	);

	test("keeps what makes a long link, and copies that link", async () => {
		const { page, problems } = await open();
		const robots = Buffer.from(
			`User-agent: *\nDisallow: /${randomBytes(60_000).toString("hex")}\n`,
		);
		await judge(page, { robots, urls: "/\n/b", agent: "Nobody" });
		const hash = () => new URL(page.url()).hash;
		await expect.poll(hash).toMatch(/^#kept=[\da-f]{16}$/);
		expect(await page.locator("#link-note").innerText()).toContain("Copy link");
		await page.click("#copy-link");
		await expect.poll(() => hash().length).toBeGreaterThan(60_000);
		const other = await open({ hash: hash() });
		await expect
			.poll(() => other.page.locator("#robots-size").innerText())
			.toContain(robots.length.toLocaleString("en"));
		expect([...problems, ...other.problems]).toEqual([]);
		await other.page.close();
		await page.close();
	});

	const focused = (page: Page) =>
		page.evaluate(() => document.activeElement?.id ?? "");

	test("keeps the focus on buttons that lead to URLs and through steps", async () => {
		const { page, problems } = await open();
		await page.locator("#next-disallowed").click();
		expect(await focused(page)).toBe("next-disallowed");
		const url = () => page.locator("#explanation .url").innerText();
		await expect.poll(url).toContain("/forum/user/7/print");
		await page.keyboard.press("Enter");
		await expect.poll(url).toContain("/search?q=oolong");
		await page.locator("#tab-byte-code").click();
		await expect
			.poll(() => page.locator("#step-state").innerText())
			.toContain("Step 1");
		await page.locator("#step-last").click();
		await expect.poll(() => focused(page)).toBe("step-back");
		await page.locator("#step-first").click();
		await expect.poll(() => focused(page)).toBe("step-forward");
		expect(problems).toEqual([]);
		await page.close();
	});

	test("goes back to the pane before, with the work of now", async () => {
		const { page, problems } = await open();
		await page.locator("#findings-list li").first().waitFor();
		await page.locator("#tab-byte-code").click();
		await page.locator("#tab-log").click();
		await page.locator("#tab-test").click();
		await judge(page, {
			robots: Buffer.from(""),
			urls: "/now",
			agent: "Nobody",
		});
		await hashWith(page, { pane: "test", robots: "", urls: "/now" });
		const selected = () =>
			page.locator("[role=tab][aria-selected=true]").innerText();
		for (const pane of ["Log", "Byte-code", "Test"]) {
			await page.goBack();
			await expect.poll(selected).toBe(pane);
		}
		await expect.poll(() => countsOf(page)).toEqual([1, 0, 0, 0]);
		await hashWith(page, { pane: "test", robots: "", urls: "/now" });
		await page.reload();
		await expect.poll(() => countsOf(page)).toEqual([1, 0, 0, 0]);
		expect(problems).toEqual([]);
		await page.close();
	});

	test("goes back to the work of the link before, and forward again", async () => {
		const { page, problems } = await open();
		const agent = () => page.inputValue("#agent");
		await page.fill("#agent", "First");
		const first = await hashWith(page, { agent: "First" });
		await page.locator("#tab-byte-code").click();
		await hashWith(page, { agent: "First", pane: "byte-code" });
		const state = { ...(await decodeState(first)), agent: "Second" };
		const second = `#${await encodeState(state)}`;
		await page.evaluate((hash) => {
			location.hash = hash;
		}, second);
		await expect.poll(agent).toBe("Second");
		for (const [direction, name, pane] of [
			["goBack", "First", "byte-code"],
			["goForward", "Second", "test"],
		] as const) {
			await page[direction]();
			await expect.poll(agent).toBe(name);
			await hashWith(page, { agent: name, pane });
			const tab = page.locator("[role=tab][aria-selected=true]");
			await expect.poll(() => tab.getAttribute("id")).toBe(`tab-${pane}`);
		}
		await page.goBack();
		await expect.poll(agent).toBe("First");
		await page.goBack();
		await hashWith(page, { agent: "First", pane: "test" });
		expect(problems).toEqual([]);
		await page.close();
	});

	test.each([
		["body", ["a.txt"], "Drop files on robots.txt"],
		[".card:has(#robots-editor)", ["a.txt", "b.txt"], "Not opened: b.txt"],
		[".card:has(#urls-editor)", ["a.txt", "b.txt"], "Not opened: b.txt"],
	])("says what becomes of files dropped on %s", async (place, names, says) => {
		const { page, problems } = await open();
		const dataTransfer = await page.evaluateHandle((names) => {
			const transfer = new DataTransfer();
			for (const name of names) transfer.items.add(new File(["/a"], name));
			return transfer;
		}, names);
		const isLeft = await page.locator(place).evaluate((element, data) => {
			const event = new DragEvent("drop", {
				bubbles: true,
				cancelable: true,
				dataTransfer: data,
			});
			return element.dispatchEvent(event);
		}, dataTransfer);
		expect(isLeft).toBe(false);
		await expect
			.poll(() => page.locator("#notice-text").innerText())
			.toContain(says);
		expect(problems).toEqual([]);
		await page.close();
	});

	test("says in empty editors what to put there, and needs no crawler's name", async () => {
		const { page, problems } = await open();
		expect(await page.inputValue("#agent")).toBe("");
		// An empty file is no list, so the editor is emptied by hand.
		await drop(page, "robots-file", "robots.txt", Buffer.from(""));
		await page.locator("#urls-editor .cm-line").first().click();
		await page.locator("#urls-editor .cm-focused").waitFor();
		await page.keyboard.press("Control+A");
		await page.keyboard.press("Delete");
		const texts = page.locator(".cm-placeholder");
		await expect
			.poll(() => texts.allInnerTexts())
			.toEqual([
				"Paste your robots.txt, or drop the file here",
				"Paste URLs, one per line, or drop a list here",
			]);
		expect(await violations(page)).toEqual([]);
		expect(problems).toEqual([]);
		await page.close();
	});

	test("judges each of its samples as the library does", async () => {
		const { page, problems } = await open();
		for (const { name, agent, robots, urls } of samples.slice(1)) {
			await page.selectOption("#sample", name);
			const own = RobotsTxt.parse(robots)
				.for(agent)
				.matchMany(urls.split("\n"));
			const count = (verdict: number) =>
				own.filter((one) => one === verdict).length;
			await expect
				.poll(async () => (await countsOf(page)).slice(0, 3), { message: name })
				.toEqual([count(1), count(0), count(3)]);
			expect(await page.inputValue("#agent")).toBe(agent === "*" ? "" : agent);
		}
		expect(problems).toEqual([]);
		await page.close();
	});

	test.each([
		["Googlebot", "google", "1 URL here has another verdict"],
		["YandexBot", "yandex", "every URL here has the same verdict"],
	])("says in which dialect %s reads", async (agent, dialect, says) => {
		const { page, problems } = await open();
		const robots = "User-agent: *\nDisallow: /tee/grün/lager\n";
		await judge(page, {
			robots: Buffer.from(robots),
			urls: "/tee/gr%C3%BC%6E/lager/1\n/",
			agent: "Nobody",
		});
		const reading = page.locator("#reading");
		const answer = page.locator("#explanation .answer");
		expect(await reading.isVisible()).toBe(false);
		await page.fill("#agent", agent);
		await expect
			.poll(() => reading.innerText())
			.toContain(
				`The dialect rfc9309 was chosen by hand. ${agent} reads robots.txt in the dialect ${dialect}, in which`,
			);
		await expect
			.poll(() => answer.innerText())
			.toContain("Read as rfc9309, chosen by hand.");
		const answers = [dialect, "rfc9309"].map((name) => [
			...RobotsTxt.parse(robots, {
				dialect: name as "google" | "yandex" | "rfc9309",
			})
				.for(agent)
				.matchMany(["/tee/gr%C3%BC%6E/lager/1", "/"]),
		]);
		const differ = answers[0]?.filter((one, at) => one !== answers[1]?.[at]);
		expect(differ).toHaveLength(says.startsWith("1") ? 1 : 0);
		// The name may be judged before the list that was opened is there.
		await expect.poll(() => reading.innerText()).toContain(says);
		await page.locator("#use-dialect").click();
		expect(await page.inputValue("#dialect")).toBe("auto");
		await expect
			.poll(() => reading.innerText())
			.toBe(
				`${agent} reads robots.txt in the dialect ${dialect}, and so do these verdicts.`,
			);
		await expect
			.poll(() => answer.innerText())
			.toContain(`Read as ${dialect}.`);
		await page.fill("#agent", "Nobody");
		await expect.poll(() => reading.isVisible()).toBe(false);
		expect(problems).toEqual([]);
		await page.close();
	});

	test("says how a crawler reads of the answer that is shown, not of the name in the field", async () => {
		const { page, problems } = await open();
		await page.addInitScript(holdAnswers);
		await reload(page);
		await page.locator("#counts button").first().waitFor();
		const robots =
			"User-agent: Googlebot\nDisallow: /tee/grün/lager\n\nUser-agent: YandexBot\nDisallow: /a\n";
		await judge(page, {
			robots: Buffer.from(robots),
			urls: "/tee/gr%C3%BC%6E/lager/own\n/",
			agent: "Nobody",
		});
		const reading = page.locator("#reading");
		for (const [id, text] of [
			["robots", "YandexBot"],
			["urls", "lager/own"],
		])
			await expect
				.poll(() => page.locator(`#${id}-editor .cm-content`).innerText())
				.toContain(text);
		const firstOf = async () => (await reading.innerText()).split(". ")[1];
		const alone: (string | undefined)[] = [];
		for (const agent of ["Googlebot", "YandexBot", "Nobody"]) {
			await page.fill("#agent", agent);
			await expect.poll(() => page.locator(".stale").count()).toBe(0);
			if (await reading.isVisible()) alone.push(await firstOf());
		}
		expect(alone).toEqual([
			expect.stringContaining("1 URL here has another verdict"),
			expect.stringContaining("every URL here has the same verdict"),
		]);
		// Answers wait until the test lets them go. Those about other things go first, as questions wait for each other.
		const isHeldFor = (agent: string) =>
			expect
				.poll(() =>
					page.evaluate((agent) => {
						const { heldAnswers } = globalThis as unknown as {
							heldAnswers: HeldAnswer[];
						};
						while (heldAnswers[0] && heldAnswers[0].agent !== agent)
							heldAnswers.shift()?.();
						return heldAnswers.length > 0;
					}, agent),
				)
				.toBe(true);
		await page.evaluate("heldAnswers = []");
		await page.fill("#agent", "Googlebot");
		await isHeldFor("Googlebot");
		await page.fill("#agent", "YandexBot");
		for (const [agent, says] of [
			["Googlebot", alone[0]],
			["YandexBot", alone[1]],
		] as const) {
			await isHeldFor(agent);
			await page.evaluate("heldAnswers.shift()()");
			await expect
				.poll(async () => (await reading.isVisible()) && firstOf())
				.toBe(says);
		}
		expect(problems).toEqual([]);
		await page.close();
	});

	test("opens both of two compressed files, while the worker that reads them is busy", async () => {
		const { page, problems } = await open();
		await page.addInitScript(holdAnswers);
		await reload(page);
		await page.locator("#findings-list li").first().waitFor();
		await page.evaluate("heldAnswers = []");
		// Asks about findings, of which no answer comes.
		await page.selectOption("#dialect", "google");
		const robots = gzipSync("User-agent: *\nDisallow: /packed\n");
		await drop(page, "robots-file", "robots.txt.gz", robots);
		await drop(page, "urls-file", "urls.txt.gz", gzipSync("/packed\n/b\n/c"));
		await expect
			.poll(async () => {
				await page.evaluate("heldAnswers.shift()?.()");
				return countsOf(page);
			})
			.toEqual([2, 1, 0, 0]);
		expect(problems).toEqual([]);
		await page.close();
	});

	const rulesOf = (name: string) => `User-agent: *\nDisallow: /${name}\n`;
	test.each<
		readonly [
			input: string,
			tab: string,
			shownIn: string,
			textOf: (name: string) => string,
			packed: string,
			/** The worker is asked what both are, and answers about the first one first. */
			isInTurn: boolean,
		]
	>([
		[
			"robots-file",
			"test",
			"#robots-editor .cm-content",
			rulesOf,
			".gz",
			false,
		],
		[
			"before-file",
			"compare",
			"#before-editor .cm-content",
			rulesOf,
			".gz",
			false,
		],
		["log-robots-files", "log", "#log-robots", rulesOf, ".gz", true],
		["log-ranges-files", "log", "#log-more .ranges", () => "[]", "", false],
	])(
		"of two files the one that was opened last stays, also if it arrives first: %s",
		async (input, tab, shownIn, textOf, packed, isInTurn) => {
			const { page, problems } = await open();
			await page.addInitScript(holdAnswers);
			await reload(page);
			await page.locator("#findings-list li").first().waitFor();
			await page.click(`#tab-${tab}`);
			await page.locator(`#${input}`).waitFor({ state: "attached" });
			const give = (name: string, ending: string) =>
				drop(
					page,
					input,
					`${name}.txt${ending}`,
					ending === "" ? Buffer.from(textOf(name)) : gzipSync(textOf(name)),
				);
			const shows = (name: string) =>
				expect.poll(() => page.locator(shownIn).textContent()).toContain(name);
			await page.evaluate((selector) => {
				const root =
					document.querySelector(selector) ??
					document.querySelector(selector.replace(/ .*/, ""))?.shadowRoot;
				if (!root) throw new Error(`no ${selector}`);
				new MutationObserver(() => {
					if (root.textContent?.includes("first"))
						Object.assign(window, { hasShownFirst: true });
				}).observe(root, {
					characterData: true,
					childList: true,
					subtree: true,
				});
				Object.assign(window, { hasShownFirst: false, heldAnswers: [] });
			}, shownIn);
			await give("first", packed);
			await expect
				.poll(() => page.evaluate("heldAnswers.length"))
				.toBeGreaterThan(0);
			await give("second", "");
			if (!isInTurn) await shows("second");
			await page.evaluate(
				"for (const answer of heldAnswers.splice(0)) answer(); heldAnswers = undefined",
			);
			await shows("second");
			// It goes the same way, and arrives after the first one.
			await give("third", packed);
			await shows("third");
			expect(await page.evaluate("hasShownFirst")).toBe(false);
			expect(problems).toEqual([]);
			await page.close();
		},
	);

	test("asks for no column of a table when another list was opened meanwhile", async () => {
		const { page, problems } = await open();
		await page.addInitScript(holdAnswers);
		await reload(page);
		await page.locator("#findings-list li").first().waitFor();
		await page.evaluate("heldAnswers = []");
		await drop(
			page,
			"urls-file",
			"first.csv.gz",
			gzipSync("URL,From\n/first,/a\n"),
		);
		await drop(page, "urls-file", "second.txt", Buffer.from("/second\n"));
		await expect
			.poll(async () => {
				await page.evaluate("heldAnswers.shift()?.()");
				return page.locator("#urls-editor .cm-content").textContent();
			})
			.toContain("/second");
		expect(await page.locator("#choose-column").count()).toBe(0);
		expect(problems).toEqual([]);
		await page.close();
	});

	test("answers about the URL at the cursor in large letters", async () => {
		const { page, problems } = await open();
		const answer = page.locator("#explanation .answer");
		for (const [agent, urls, says] of [
			[
				"Nobody",
				"/a",
				"✕ Disallowed Nobody may not fetch this URL. Read as rfc9309, chosen by hand.",
			],
			[
				"Nobody",
				"/b",
				"✓ Allowed Nobody may fetch this URL. Read as rfc9309, chosen by hand.",
			],
			["Nobody", "no url", "? Invalid This is not a URL."],
			["", "/a", "✕ Disallowed A crawler without a group of its own may not"],
		] as const) {
			const robots = Buffer.from("User-agent: *\nDisallow: /a");
			await judge(page, { robots, urls, agent });
			await expect
				.poll(async () => (await answer.innerText()).replace(/\s+/g, " "))
				.toContain(says);
		}
		expect(problems).toEqual([]);
		await page.close();
	});

	test("has a search that finds what is not drawn", async () => {
		const { page, problems } = await open({ width: 360 });
		const lines = Array.from({ length: 50_000 }, (_, i) => `/page-${i}`);
		await judge(page, {
			robots: Buffer.from(`User-agent: *\n${"#\n".repeat(9000)}Disallow: /x`),
			urls: lines.join("\n"),
			agent: "Nobody",
		});
		for (const [editor, wanted] of [
			["robots-editor", "Disallow: /x"],
			["urls-editor", "/page-43210"],
		]) {
			const content = page.locator(`#${editor} .cm-content`);
			await content.click();
			await page.keyboard.press("Control+f");
			const field = page.locator(`#${editor} [main-field]`);
			await field.pressSequentially(wanted ?? "");
			expect(await faultsOf(page)).toEqual([]);
			await field.press("Enter");
			await expect.poll(() => content.innerText()).toContain(wanted);
			await field.press("Escape");
			expect(await field.count()).toBe(0);
		}
		await expect
			.poll(() => page.locator("#explanation .url").innerText())
			.toBe("/page-43210");
		expect(problems).toEqual([]);
		await page.close();
	});

	test("tells whose header it is, and brings the chosen group into view, with reasons at the others", async () => {
		const { page, problems } = await open();
		await judge(page, {
			robots: Buffer.from(
				`User-agent: *\nDisallow: /\n${"#\n".repeat(200)}User-agent: Googlebot\nDisallow: /a # wait: *\n\nUser-agent: Googlebot-Image\nDisallow: /b*\n`,
			),
			urls: "/c",
			agent: "Nobody",
		});
		const notes = page.locator("#robots-editor .group-label");
		await expect
			.poll(() => notes.allInnerTexts())
			.toEqual([expect.stringContaining("no group names the crawler")]);
		await page.fill("#agent", "Mozilla/5.0 (compatible; Googlebot-Image/1.0)");
		const about = page.locator("#about-crawler");
		await expect
			.poll(() => about.innerText())
			.toContain(
				"Recognised: Googlebot-Image. Google, search. Groups: Googlebot-Image, else Googlebot.",
			);
		await expect
			.poll(() => notes.allInnerTexts())
			.toEqual([
				expect.stringContaining(
					"loses to line 206: Googlebot-Image is more specific than Googlebot",
				),
				expect.stringContaining("holds for Googlebot-Image"),
			]);
		expect(
			await page.locator("#robots-editor .robots-comment").last().innerText(),
		).toBe("# wait: *");
		expect(await page.locator("#robots-editor .robots-wildcard").count()).toBe(
			1,
		);
		await page.fill("#agent", "Acme.Bot/1.0 (+https://acme.example)");
		await expect
			.poll(() => about.innerText())
			.toBe("No known crawler. Product token: Acme.");
		expect(await violations(page)).toEqual([]);
		expect(problems).toEqual([]);
		await page.close();
	});

	test("links the code of each finding to its page", async () => {
		const { page, problems } = await open();
		const links = page.locator("#findings-list a");
		await expect.poll(() => links.count()).toBe(11);
		const addresses = await links.evaluateAll((all) =>
			all.map((link) => link.getAttribute("href")),
		);
		expect(addresses).toContain("./lint/dialects-differ.html");
		const addressOf = (name: string) =>
			`${playground.address}lint/${name}.html`;
		await page.setViewportSize({ width: 360, height: 700 });
		for (const code of lintCodes) {
			const answer = await page.goto(addressOf(code));
			expect(answer?.status(), code).toBe(200);
			expect(await overflowOf(page), code).toBeLessThanOrEqual(0);
		}
		for (const colorScheme of ["light", "dark"] as const) {
			await page.emulateMedia({ colorScheme });
			await page.goto(addressOf("index"));
			expect(await violations(page)).toEqual([]);
			await page.getByRole("link", { name: "shadowed-rule" }).click();
			await expect
				.poll(() => page.locator("h1").innerText())
				.toBe("shadowed-rule");
			expect(await violations(page)).toEqual([]);
		}
		expect(problems).toEqual([]);
		await page.close();
	});

	const exportUrls = '/a\n\n/b,"c"\nno url\n/d?q=gr%C3%BC%6En';
	const exported = (only: string) =>
		exportUrls
			.split("\n")
			.map((url, at) => {
				const all = (["rfc9309", "google", "yandex"] as const).map(
					(dialect) => {
						const robots = RobotsTxt.parse(exportRobots, { dialect });
						const [verdict] = robots.for("Nobody").matchMany([url]);
						return ["disallowed", "allowed", "", "invalid"][verdict ?? 3];
					},
				);
				const [rfc9309, google, yandex] = all;
				return {
					...{ line: at + 1, url, verdict: rfc9309 },
					...{ rfc9309, google, yandex },
				};
			})
			.filter(({ url }) => url !== "")
			.filter(
				({ verdict, google, yandex }) =>
					only === "" ||
					verdict === only ||
					(only === "differing" && !(verdict === google && google === yandex)),
			);
	const exportRobots = "User-agent: *\nDisallow: /a\nDisallow: /*grün\n";
	test.each(["", "allowed", "disallowed", "invalid", "differing"])(
		"exports verdicts, filtered by %j, as NDJSON, CSV and lines to paste",
		async (only) => {
			const { page, problems } = await open();
			await judge(page, {
				robots: Buffer.from(exportRobots),
				urls: exportUrls,
				agent: "Nobody",
			});
			await page.selectOption("#export-only", only);
			const fileOf = async (format: string) => {
				const [download] = await Promise.all([
					page.waitForEvent("download"),
					page.locator(`#export-${format}`).click(),
				]);
				expect(download.suggestedFilename()).toBe(`verdicts.${format}`);
				return readFileSync(await download.path(), "utf8");
			};
			const rows = exported(only);
			expect(rows.length).toBeGreaterThan(0);
			// What was dropped is judged in a worker, and may not have been yet.
			await expect
				.poll(() => fileOf("ndjson"))
				.toBe(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
			const cell = (value: unknown) =>
				/[",]/.test(String(value))
					? `"${String(value).replaceAll('"', '""')}"`
					: String(value);
			expect(await fileOf("csv")).toBe(
				[
					"line,url,verdict,rfc9309,google,yandex",
					...rows.map((row) => Object.values(row).map(cell).join()),
					"",
				].join("\n"),
			);
			await page
				.context()
				.grantPermissions(["clipboard-read", "clipboard-write"]);
			await page.locator("#export-copy").click();
			await expect
				.poll(() => page.locator("#export-copy").innerText())
				.toBe("Copied");
			expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
				rows.map(({ verdict, url }) => `${verdict}\t${url}\n`).join(""),
			);
			expect(problems).toEqual([]);
			await page.close();
		},
	);

	/** What the card says, as the command line would write it. */
	/** Until it is open: what the cards above have to say moves it, and a click while it moves meets another. */
	const openCrawlers = async (page: Page) => {
		const card = page.locator("#who");
		await expect
			.poll(async () => {
				const isOpen = await card.evaluate(
					(element) => element instanceof HTMLDetailsElement && element.open,
				);
				if (!isOpen) await card.locator("summary").click();
				return isOpen;
			})
			.toBe(true);
		await page.locator(".who tr").first().waitFor();
	};

	const asCommandLine = (page: Page) =>
		page.evaluate(() =>
			Array.from(document.querySelectorAll(".who tr"), (row) => {
				const cells = row.querySelectorAll("td");
				const verdict = cells[0]?.innerText.replace(/^\S+ /, "");
				const line = /line \d+/.exec(cells[1]?.innerText ?? "")?.[0] ?? "";
				const names = cells[1]?.querySelector("span")?.innerText ?? "";
				return names
					.split(", ")
					.map((name) => `${name.replace("*", "")} ${verdict} ${line}`);
			})
				.flat()
				.sort(),
		);

	test("answers for all known crawlers as robotrie crawlers --url does", async () => {
		const { page, problems } = await open();
		const urls = ["/a", "/shop/", "/forum/user/7/print"];
		const robots = sample("robots.txt");
		await judge(page, {
			robots: Buffer.from(robots),
			urls: urls.join("\n"),
			agent: "Nobody",
		});
		await openCrawlers(page);
		await page.locator("#urls-editor .cm-content").click();
		await page.keyboard.press("Control+Home");
		for (const url of urls) {
			const { stdout } = spawnSync(
				process.execPath,
				[
					fileURLToPath(new URL("packages/cli/main.js", root)),
					"crawlers",
					"--robots",
					fileURLToPath(new URL("sample/robots.txt", root)),
					"--url",
					url,
					"--json",
				],
				{ encoding: "utf8" },
			);
			const answers = JSON.parse(stdout) as readonly {
				name: string;
				allowed: boolean;
				rule: { line: number } | null;
			}[];
			const expected = answers
				.map(
					({ name, allowed, rule }) =>
						`${name} ${allowed ? "allowed" : "disallowed"} ${rule ? `line ${rule.line}` : ""}`,
				)
				.sort();
			await expect.poll(() => asCommandLine(page)).toEqual(expected);
			await page.keyboard.press("ArrowDown");
		}
		await page.selectOption("#who-about", "all");
		const row = page.locator(".who tr", { hasText: "GPTBot" });
		const own = RobotsTxt.parse(robots).for("GPTBot").matchMany(urls);
		const disallowed = own.filter((verdict) => verdict === 0).length;
		await expect
			.poll(() => row.innerText())
			.toContain(`✕ ${disallowed} disallowed`);
		expect(problems).toEqual([]);
		await page.close();
	});

	test.each(schemes)(
		"shows all crawlers accessibly at every width, %s",
		async (colorScheme) => {
			const { page, problems } = await open({ colorScheme });
			await openCrawlers(page);
			for (const about of ["url", "all"]) {
				await page.selectOption("#who-about", about);
				const says = about === "url" ? "this URL" : "some of these URLs";
				await expect
					.poll(() => page.locator(".who-answer").innerText())
					.toContain(says);
				expect(await faultsAtWidths(page)).toEqual([]);
				for (const width of widths) {
					await page.setViewportSize({ width, height: 900 });
					const cut = await page.evaluate(() => {
						const right = document
							.querySelector("#who")
							?.getBoundingClientRect().right;
						return Array.from(document.querySelectorAll(".who *"))
							.filter((one) => one.getBoundingClientRect().right > (right ?? 0))
							.map((one) => one.outerHTML);
					});
					expect(cut, `${about}, ${width} px`).toEqual([]);
				}
			}
			expect(problems).toEqual([]);
			await page.close();
		},
	);

	const late = Buffer.from("User-agent: *\nDisallow: /late\nDisallow: /\n");
	test.each([
		["log", "#log-robots", new RegExp(`under Test, ${late.length} bytes`)],
		["byte-code", "#program-view .cm-content", /disallow \/late/],
		["ask", "#ask-answer", /\bline 3\b/],
		["ai", "#ai-says", /None of the|nothing\./],
	])(
		"shows under %s, too, the robots.txt that comes when it is open",
		async (name, place, says) => {
			const { page, problems } = await open();
			await page.evaluate(() => {
				const read = Blob.prototype.arrayBuffer;
				Blob.prototype.arrayBuffer = async function (this: Blob) {
					await new Promise<void>((resolve) => {
						Object.assign(globalThis, { letCome: resolve });
					});
					return read.call(this);
				};
			});
			await drop(page, "robots-file", "robots.txt", late);
			await page.locator(`#tab-${name}`).click();
			await page.locator(place).waitFor();
			const text = () => page.locator(place).innerText();
			await expect.poll(text).not.toBe("");
			expect(await text()).not.toMatch(says);
			await page.evaluate("letCome()");
			await expect.poll(text).toMatch(says);
			expect(problems).toEqual([]);
			await page.close();
		},
	);

	test("suits a phone: targets of 44 px, fields of 16 px, URLs above findings", async () => {
		const { page, problems } = await open({ width: 360 });
		await page.locator("#findings-list li").first().waitFor();
		for (const tab of await page.locator("[role=tab]").all()) {
			await tab.click();
			await page.waitForLoadState("networkidle");
			const faults = await page.evaluate(() =>
				Array.from(
					document.querySelectorAll<HTMLElement>(
						"button, .file, select, summary, input:not([type=range], [type=file])",
					),
				)
					.filter((element) => element.checkVisibility())
					.filter((element) => {
						const { width, height } = element.getBoundingClientRect();
						const isField = element.matches("select, input");
						const size = Number.parseFloat(getComputedStyle(element).fontSize);
						return height < 44 || width < 44 || (isField && size < 16);
					})
					.map((element) => element.outerHTML),
			);
			expect(faults).toEqual([]);
		}
		await page.locator("#tab-test").click();
		const [urls, findings] = await Promise.all(
			["#urls-card", "#findings"].map((place) =>
				page.locator(place).boundingBox(),
			),
		);
		expect(urls?.y).toBeLessThan(findings?.y ?? 0);
		expect(problems).toEqual([]);
		await page.close();
	});

	test("works offline, all of it, once it was loaded", async () => {
		const { page, problems } = await open({ serviceWorkers: "allow" });
		await page.evaluate(async () => {
			await navigator.serviceWorker.ready;
		});
		await page.context().setOffline(true);
		await reload(page);
		await expect.poll(async () => (await countsOf(page))[0]).toBeGreaterThan(9);
		await page.locator("#tab-byte-code").click();
		await expect
			.poll(() => page.locator("#step-state").innerText())
			.toContain("Step 1");
		await page.locator("#tab-log").click();
		await page.locator("#log-sample").click();
		await expect
			.poll(() => page.locator("#log-message").innerText())
			.toMatch(/^3,000 lines/);
		// By key: a click that follows a scroll may be sent to where the report's frame was, and be lost.
		await page.locator("#tab-bench").press("Enter");
		await page.locator("#bench-start").click();
		await expect
			.poll(() => page.locator("#bench-state").innerText())
			.toMatch(/^Measuring/);
		expect(problems.filter((text) => !/ERR_INTERNET/.test(text))).toEqual([]);
		await page.close();
	});

	test("says that its scripts did not come", async () => {
		const { page } = await open();
		const said = page.locator("#not-started");
		expect(await said.count()).toBe(0);
		await page.route(/\.js$/, (route) => route.abort());
		await page.reload();
		expect(await said.isVisible()).toBe(false);
		await said.waitFor();
		expect(await violations(page)).toEqual([]);
		await page.close();
	});

	test.each([
		["log", "#log-sample"],
		["bench", "#bench-start"],
	])(
		"says that the pane %s could not be loaded, and loads it later",
		async (name, button) => {
			const { page, problems } = await open();
			await page.locator("#findings-list li").first().waitFor();
			await page.context().setOffline(true);
			await page.locator(`#tab-${name}`).click();
			const notice = page.locator("#notice");
			await expect
				.poll(() => notice.innerText())
				.toContain("This part of the page could not be loaded");
			await page.context().setOffline(false);
			await page.locator("#tab-test").click();
			await page.locator(`#tab-${name}`).click();
			await expect.poll(() => page.locator(button).isEnabled()).toBe(true);
			expect(await notice.isVisible()).toBe(false);
			expect(problems.filter((text) => !/ERR_INTERNET/.test(text))).toEqual([]);
			await page.close();
		},
	);

	test.each(schemes)(
		"is accessible and fits every width, %s",
		async (colorScheme) => {
			const { page, problems } = await open({ colorScheme });
			await page.locator("#findings-list li").first().waitFor();
			for (const tab of await page.locator("[role=tab]").all()) {
				await tab.click();
				expect([
					await tab.innerText(),
					...(await faultsAtWidths(page)),
				]).toEqual([await tab.innerText()]);
			}
			expect(problems).toEqual([]);
			await page.close();
		},
	);
});

function summaryOf(bytes: Buffer): string {
	const findings = lint(bytes);
	const counts = (["error", "warning", "info"] as const).map(
		(severity) => findings.filter((one) => one.severity === severity).length,
	);
	const nouns = ["error", "warning", "remark"];
	const parts = counts
		.map((count, i) => count && `${count} ${nouns[i]}${count === 1 ? "" : "s"}`)
		.filter(Boolean);
	return parts.join(", ") || "No findings";
}
