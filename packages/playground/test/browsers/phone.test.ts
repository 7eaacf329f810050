/** What a phone and a tablet show: an answer in a few taps, in the first viewport; and a page that stays where it was. */
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasChromium } from "../chromium.ts";
import { Playground } from "../playground.ts";

const sample = (name: string) =>
	readFileSync(new URL(`../../../../sample/${name}`, import.meta.url), "utf8");

describe.skipIf(!hasChromium)("In Chromium, on a small screen,", () => {
	let playground: Playground;
	beforeAll(async () => {
		playground = await Playground.start();
	});
	afterAll(() => playground?.stop());

	const own =
		"User-agent: *\nDisallow: /private\n\nUser-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\nSitemap: https://tea.example/sitemap.xml\n";

	/** Somebody's hand, which counts taps and drops. */
	class Hand {
		readonly page: Page;
		count = 0;

		constructor(page: Page) {
			this.page = page;
		}

		async tap(selector: string): Promise<void> {
			this.count++;
			await this.page.locator(selector).click();
		}

		/** Into what was tapped last. */
		async paste(text: string): Promise<void> {
			const { page } = this;
			const context = page.context();
			await context.grantPermissions(["clipboard-read", "clipboard-write"]);
			await page.evaluate((text) => navigator.clipboard.writeText(text), text);
			await page.keyboard.press("Control+v");
		}

		async drop(selector: string, name: string, text: string): Promise<void> {
			this.count++;
			const dataTransfer = await this.page.evaluateHandle(
				([name, text]) => {
					const transfer = new DataTransfer();
					transfer.items.add(new File([text], name));
					return transfer;
				},
				[name, text] as const,
			);
			await this.page.dispatchEvent(selector, "drop", { dataTransfer });
		}
	}

	test.each<
		readonly [
			question: string,
			ask: (hand: Hand) => Promise<void>,
			place: string,
			says: RegExp,
		]
	>([
		[
			"May Googlebot fetch this URL?",
			async (hand) => {
				await hand.tap("#ask-url");
				await hand.page.keyboard.type("https://tea.example/private/a");
				await hand.tap("#ask-agent");
				await hand.page.keyboard.type("Googlebot");
				await hand.tap("#ask-robots");
				await hand.paste(own);
			},
			"#ask-answer .answer",
			/✕ Disallowed\s+Googlebot may not fetch this URL/,
		],
		[
			"Which AI crawlers may train on my site?",
			async (hand) => {
				await hand.tap("#tab-ai");
				await hand.tap("#whose .paste");
				await hand.paste(own);
			},
			"#ai-says p",
			/^Of the \d+ crawlers that collect texts for training, \d+ may train with parts of tea\.example and 2 nothing\.$/,
		],
		[
			"Who disobeyed in this log?",
			async (hand) => {
				await hand.tap("#tab-log");
				await hand.drop("#log-card", "access.log", sample("access.log"));
				await hand.page.locator("#log-whose button").first().waitFor();
				await hand.drop("#log-state-card", "robots.txt", own);
			},
			"#log-report iframe",
			/AI crawlers? disregarded|disregarded robots\.txt/,
		],
	])(
		"%s is answered in three taps or drops, in the first viewport",
		async (_, ask, place, says) => {
			const { page, problems } = await playground.open({
				...{ landing: true, width: 390, height: 844 },
			});
			const hand = new Hand(page);
			await ask(hand);
			expect(hand.count).toBeLessThanOrEqual(3);
			const answer = page.locator(place).first();
			const text = async () => {
				const frame = await (await answer.elementHandle())?.contentFrame();
				return frame
					? frame.locator("main, body").first().innerText()
					: answer.innerText();
			};
			await expect.poll(text).toMatch(says);
			expect(await page.evaluate(() => scrollY)).toBe(0);
			const box = await answer.boundingBox();
			// Of a report its first sentences, of the others all.
			const height = place.endsWith("iframe") ? 200 : (box?.height ?? 0);
			expect(box?.y).toBeGreaterThan(0);
			expect((box?.y ?? 0) + height).toBeLessThanOrEqual(844);
			expect(problems).toEqual([]);
			await page.close();
		},
	);

	/** What is touched, what is typed there, and what then appears. */
	type Step = readonly [
		touched: string,
		typed: string,
		place: string,
		says: RegExp,
	];
	const steps: Readonly<Record<string, readonly Step[]>> = {
		ask: [
			["#ask-agent", "Googlebot", "#ask-answer", /Googlebot may not/],
			["#ask-all summary", "", "#ask-who", /known crawlers may not fetch/],
		],
		ai: [
			["#ai-path", "/cart", "#ai-says", /train with \/cart/],
			["#whose .paste", "", "#whose", /sample/],
		],
		log: [
			["#log-fold > summary", "", "#log-fold", /Format of the logs/],
			["#log-sample", "", "#log-message", /^3,000 lines/],
		],
		test: [
			[
				"#urls-editor .cm-line >> nth=2",
				"",
				"#explanation .answer",
				/✓ Allowed/,
			],
			["#urls-editor .cm-line >> nth=1", "x", "#explanation .url", /x/],
			["#next-disallowed", "", "#explanation .answer", /Disallowed/],
			["#sorted summary", "", "#sorted-list", /disallow/],
		],
		compare: [
			["#before-editor .cm-line >> nth=3", "x", "#compare-note", /./],
			["#compare-by", "", "#compare-summary", /change/],
		],
		"byte-code": [
			["#step-url", "a", "#step-path", /a/],
			["#step-forward", "", "#step-state", /done|Step 2/],
			["#program-size", "", "#program-size", /bytes/],
			["#step-last", "", "#step-state", /done/],
		],
		bench: [["#bench-start", "", "#bench-state", /Measuring/]],
	};
	test.each([390, 768])(
		"at %i px the page stays where it was, in every view",
		async (width) => {
			const { page, problems } = await playground.open({
				...{ landing: true, width, height: 844 },
			});
			const at = () => page.evaluate(() => scrollY);
			for (const [name, touches] of Object.entries(steps)) {
				await page.evaluate(() => scrollTo(0, 0));
				// By key: a click at once after a scroll may go to where the report's frame was.
				await page.locator(`#tab-${name}`).press("Enter");
				await page.locator(touches[0]?.[0] ?? "").waitFor();
				// What an editor brings into view it does when it is drawn.
				const drawn = () =>
					page.evaluate(
						() =>
							new Promise<void>((resolve) => {
								requestAnimationFrame(() =>
									requestAnimationFrame(() => resolve()),
								);
							}),
					);
				await drawn();
				expect(await at(), `${name} opened`).toBe(0);
				for (const [touched, typed, place, says] of touches) {
					const target = page.locator(touched);
					await target.scrollIntoViewIfNeeded();
					const before = await at();
					await target.click();
					if (typed !== "") await page.keyboard.type(typed);
					await expect
						.poll(() => page.locator(place).first().innerText(), {
							message: touched,
						})
						.toMatch(says);
					await drawn();
					expect(await at(), `${name} ${touched}`).toBe(before);
				}
			}
			expect(problems).toEqual([]);
			await page.close();
		},
	);
});
