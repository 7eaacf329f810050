import { existsSync } from "node:fs";
import puppeteer, { type Browser, type Page } from "puppeteer-core";

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
	await page.waitForSelector("#counts button");
	return { page, problems };
}
