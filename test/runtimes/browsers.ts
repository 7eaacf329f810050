import puppeteer from "puppeteer-core";
import { serveFolder } from "../../packages/playground/test/chromium.ts";
import { hasProgram } from "./commands.ts";
import type { Runtime } from "./uses.ts";

interface BrowserProgram {
	readonly runtime: Runtime;
	readonly browser: "chrome" | "firefox";
	readonly executablePath: string;
	readonly isInstalled: boolean;
	readonly args: string[];
}

/** Debian's browsers, both driven by WebDriver BiDi. */
export const browsers: readonly BrowserProgram[] = [
	{
		runtime: "Chromium",
		browser: "chrome",
		executablePath: "/usr/bin/chromium",
		isInstalled: hasProgram("Chromium", "/usr/bin/chromium", "chromium"),
		args: ["--no-sandbox", "--disable-gpu", "--no-first-run"],
	},
	{
		runtime: "Firefox",
		browser: "firefox",
		executablePath: "/usr/bin/firefox-esr",
		isInstalled: hasProgram("Firefox", "/usr/bin/firefox-esr", "firefox-esr"),
		args: [],
	},
];

/** A running browser that opens pages, each of which puts an answer into its title. */
export interface RunningBrowser {
	/** The title of the page in a folder, once it has one. */
	answerOf(folder: string): Promise<string>;
	close(): Promise<void>;
}

export async function start(program: BrowserProgram): Promise<RunningBrowser> {
	const { browser: kind, executablePath, args } = program;
	const browser = await puppeteer.launch({
		...{ browser: kind, executablePath, args },
		protocol: "webDriverBiDi",
		headless: true,
	});
	return {
		async answerOf(folder) {
			const { address, server } = await serveFolder(folder);
			const page = await browser.newPage();
			const problems: string[] = [];
			page.on("pageerror", (error) => problems.push(String(error)));
			try {
				await page.goto(address);
				const end = Date.now() + 100_000;
				let title = await page.title();
				while (title === "" && problems.length === 0 && Date.now() < end) {
					await new Promise((resolve) => setTimeout(resolve, 50));
					title = await page.title();
				}
				if (problems.length > 0) throw new Error(problems.join("\n"));
				return title;
			} finally {
				await page.close();
				server.closeAllConnections();
				server.close();
			}
		},
		close: () => browser.close(),
	};
}
