import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import {
	type Browser,
	type BrowserContextOptions,
	chromium,
	type Page,
} from "playwright-core";

const executablePath = "/usr/bin/chromium";

/** Without it, tests in a browser are skipped, and say so. */
export const hasChromium = existsSync(executablePath);

export function launchChromium(): Promise<Browser> {
	return chromium.launch({
		executablePath,
		args: [
			"--no-sandbox",
			"--disable-gpu",
			"--disable-quic",
			"--no-first-run",
			"--disable-background-networking",
			"--disable-component-update",
			"--disable-sync",
		],
	});
}

/** A page that takes note of what goes wrong in it and of what it asks for. */
export interface WatchedPage {
	readonly page: Page;
	readonly problems: readonly string[];
	readonly requests: readonly string[];
}

export async function openWatched(
	browser: Browser,
	address: string,
	options: BrowserContextOptions,
): Promise<WatchedPage> {
	const page = await browser.newPage(options);
	const problems: string[] = [];
	const requests: string[] = [];
	page.on("console", (message) => {
		// What Playwright itself says where a test blocks them.
		if (!message.text().startsWith("Service Worker registration blocked"))
			problems.push(message.text());
	});
	page.on("pageerror", (error) => problems.push(error.message));
	page.on("request", (request) => requests.push(request.url()));
	await page.goto(address);
	return { page, problems, requests };
}

const types: Readonly<Record<string, string>> = {
	".html": "text/html; charset=utf-8",
	".js": "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml",
};

/** Serves a folder on loopback, as any server of files would. */
export async function serveFolder(
	folder: string,
): Promise<{ address: string; server: Server }> {
	const server = createServer(async (request, response) => {
		const { pathname } = new URL(request.url ?? "/", "http://localhost");
		const path = normalize(pathname.endsWith("/") ? "/index.html" : pathname);
		try {
			const bytes = await readFile(join(folder, path));
			response.setHeader("Content-Type", types[extname(path)] ?? "");
			response.end(bytes);
		} catch {
			response.writeHead(404).end();
		}
	});
	await new Promise<void>((resolve) => {
		server.listen(0, "127.0.0.1", resolve);
	});
	const { port } = server.address() as AddressInfo;
	return { address: `http://127.0.0.1:${port}/`, server };
}
