import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { type PreviewServer, preview } from "vite";
import { expect, inject } from "vitest";
import { decodeState, type PageState } from "../page/permalink.ts";
import { configFile } from "./build-page.ts";
import { launchChromium, openWatched, type WatchedPage } from "./chromium.ts";
import { faultsOf } from "./faults.ts";
import { widths } from "./views.ts";

/** The built playground, served as `npm run web` does. build-page.ts has built it. */
export class SiteServer {
	readonly folder = inject("builtPage");
	readonly address: string;
	/** Paths that were asked for, in their order. */
	readonly requests: string[] = [];
	readonly #server: PreviewServer;

	private constructor(server: PreviewServer) {
		this.#server = server;
		this.address = server.resolvedUrls?.local[0] ?? "";
		server.httpServer.prependListener("request", ({ url = "" }) =>
			this.requests.push(url),
		);
	}

	static async start(): Promise<SiteServer> {
		return new SiteServer(
			await preview({
				...{ configFile, logLevel: "warn" },
				build: { outDir: inject("builtPage") },
				preview: { port: 0, host: "127.0.0.1" },
			}),
		);
	}

	async stop(): Promise<void> {
		await this.#server.close();
	}
}

export interface PageOptions {
	readonly hash?: string;
	/** The view that the page begins with, not Test. */
	readonly landing?: boolean;
	readonly width?: number;
	readonly height?: number;
	readonly colorScheme?: "light" | "dark";
	/** "block" unless told: the service worker loads all parts ahead, which takes 1.3 s of a page's 3.5 s of CPU. */
	readonly serviceWorkers?: "allow" | "block";
}

/** Faults of what is shown at every width. A page that is made wider costs a third of one that is opened anew, and has the same rules. */
export async function faultsAtWidths(page: Page): Promise<readonly string[]> {
	const before = page.viewportSize();
	const found: string[] = [];
	for (const width of widths) {
		await page.setViewportSize({ width, height: 900 });
		for (const fault of await faultsOf(page))
			found.push(`${width} px: ${fault}`);
	}
	if (before) await page.setViewportSize(before);
	return found;
}

/** What the address carries, once that has all of `expected`: it follows changes after a while. */
export async function hashWith(
	page: Page,
	expected: Partial<PageState>,
): Promise<string> {
	const hash = () => new URL(page.url()).hash;
	await expect
		.poll(() => decodeState(hash()).catch(() => hash()))
		.toMatchObject(expected);
	return hash();
}

/**
 * Loads a page of `open` anew. Chromium forgets which view an entry of its history stands for if the page writes an address while it is
 * left, and a busy machine leaves pages slowly: so the address is awaited that follows the choice of the view.
 */
export async function reload(page: Page): Promise<void> {
	await hashWith(page, { pane: "test" });
	await page.reload();
}

/** The playground in Chromium. */
export class Playground {
	readonly server: SiteServer;
	readonly #browser: Browser;

	private constructor(server: SiteServer, browser: Browser) {
		this.server = server;
		this.#browser = browser;
	}

	get address(): string {
		return this.server.address;
	}

	static async start(): Promise<Playground> {
		return new Playground(await SiteServer.start(), await launchChromium());
	}

	async stop(): Promise<void> {
		await this.#browser.close();
		await this.server.stop();
	}

	/** Megabytes of memory that a page's process took at most, of all of them the one that took most. */
	async memory(): Promise<number> {
		const session = await this.#browser.newBrowserCDPSession();
		const { processInfo } = await session.send("SystemInfo.getProcessInfo");
		await session.detach();
		const sizes = processInfo
			.filter(({ type }) => type === "renderer")
			.map(({ id }) =>
				/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, "utf8")),
			);
		return Math.max(...sizes.map((found) => Number(found?.[1]) / 1000));
	}

	/** A fresh page. */
	async open(options: PageOptions = {}): Promise<WatchedPage> {
		const { hash = "", width = 1280, height = 900 } = options;
		const { colorScheme = "light", landing = hash !== "" } = options;
		const { serviceWorkers = "block" } = options;
		const opened = await openWatched(this.#browser, this.address + hash, {
			viewport: { width, height },
			colorScheme,
			serviceWorkers,
		});
		const { page } = opened;
		// The first verdicts are there.
		await page.waitForFunction(
			() => document.querySelector("#robots-size")?.textContent !== "",
		);
		if (!landing) {
			await page.locator("#tab-test").click();
			await page.locator("#counts button").first().waitFor();
			for (const name of ["urls", "robots"])
				await page
					.locator(`#${name}-editor .cm-content`)
					.waitFor({ state: "attached" });
		}
		return opened;
	}

	/** A fresh page with this tab chosen, once `ready` is on the screen. */
	async openPane(
		tab: string,
		ready: string,
		options?: PageOptions,
	): Promise<WatchedPage> {
		const opened = await this.open(options);
		await opened.page.locator(`#tab-${tab}`).click();
		await opened.page.locator(ready).waitFor();
		return opened;
	}
}
