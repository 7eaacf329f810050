import { existsSync } from "node:fs";
import puppeteer, {
	type Browser,
	type ElementHandle,
	type Page,
} from "puppeteer-core";
import { expect } from "vitest";

const executablePath = "/usr/bin/firefox-esr";

/** Without it, tests in Firefox are skipped, and say so. */
export const hasFirefox: boolean = existsSync(executablePath);

/** Debian's Firefox, by WebDriver BiDi: Playwright needs a Firefox of its own. */
export function launchFirefox(scheme: "light" | "dark"): Promise<Browser> {
	return puppeteer.launch({
		browser: "firefox",
		executablePath,
		protocol: "webDriverBiDi",
		headless: true,
		extraPrefsFirefox: {
			// It loads all parts ahead, which costs more than the rest of opening a page.
			"dom.serviceWorkers.enabled": false,
			"layout.css.prefers-color-scheme.content-override":
				scheme === "dark" ? 0 : 1,
		},
	});
}

/** A fresh page of the playground, and what went wrong in it. */
export async function openPlayground(
	browser: Browser,
	address: string,
	width = 1280,
): Promise<{ readonly page: Page; readonly problems: readonly string[] }> {
	const page = await browser.newPage();
	await page.setViewport({ width, height: 900 });
	const problems: string[] = [];
	page.on("pageerror", (error) => problems.push(String(error)));
	page.on("console", (message) => problems.push(message.text()));
	await page.goto(address);
	// It may begin with the view of the test before.
	await page.waitForFunction(
		() => document.querySelector("#robots-size")?.textContent !== "",
	);
	await page.click("#tab-test");
	await page.waitForSelector("#counts button");
	return { page, problems };
}

/** What an editor has in its shadow root, once it is there: `waitForSelector` hears only of changes outside of such roots. */
export async function inEditor(
	page: Page,
	selector: string,
): Promise<ElementHandle> {
	let found: ElementHandle | null = null;
	await expect
		.poll(async () => {
			found = await page.$(selector);
			return found;
		})
		.not.toBeNull();
	return found as unknown as ElementHandle;
}
