import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { type Browser, chromium } from "playwright-core";

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
			const octets = await readFile(join(folder, path));
			response.setHeader("Content-Type", types[extname(path)] ?? "");
			response.end(octets);
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
