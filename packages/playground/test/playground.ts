import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { build, type PreviewServer, preview } from "vite";
import { expect } from "vitest";
import { decodeState, type PageState } from "../page/permalink.ts";
import { launchChromium, openWatched, type WatchedPage } from "./chromium.ts";

const root = new URL("../../../", import.meta.url);
const configFile = fileURLToPath(
	new URL("packages/playground/vite.config.ts", root),
);

/** The built playground, served as `npm run web` does. */
export class SiteServer {
	readonly folder: string;
	readonly address: string;
	/** Paths that were asked for, in their order. */
	readonly requests: string[] = [];
	readonly #server: PreviewServer;

	private constructor(folder: string, server: PreviewServer) {
		this.folder = folder;
		this.#server = server;
		this.address = server.resolvedUrls?.local[0] ?? "";
		server.httpServer.prependListener("request", ({ url = "" }) =>
			this.requests.push(url),
		);
	}

	static async start(): Promise<SiteServer> {
		const folder = mkdtempSync(join(tmpdir(), "robotrie-web-"));
		const settings = {
			configFile,
			logLevel: "warn" as const,
			build: { outDir: folder },
		};
		await build(settings);
		return new SiteServer(
			folder,
			await preview({ ...settings, preview: { port: 0, host: "127.0.0.1" } }),
		);
	}

	async stop(): Promise<void> {
		await this.#server.close();
		rmSync(this.folder, { recursive: true, force: true });
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
