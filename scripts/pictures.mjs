// Takes the pictures of docs/images in Chromium: the playground (web/dist) and the HTML report of the sample log.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { preview } from "vite";

// The report names the robots.txt as the command line does.
process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const width = 1160;

const server = await preview({ configFile: "web/vite.config.ts" });
const browser = await chromium.launch({
	executablePath: "/usr/bin/chromium",
	args: ["--no-sandbox", "--disable-gpu"],
});
mkdirSync("docs/images", { recursive: true });

async function picture(name, height, address) {
	const page = await browser.newPage({
		viewport: { width, height },
		colorScheme: "light",
	});
	await page.goto(address, { waitUntil: "networkidle" });
	await page.screenshot({ path: `docs/images/${name}.png` });
	await page.close();
}

await picture("playground", 730, server.resolvedUrls.local[0]);

const audit = "audit -r sample/robots.txt sample/access.log -o html";
execFileSync(process.execPath, [
	"dist/cli.js",
	...audit.split(" "),
	...["--out", "build/report.html"],
]);
const report = new URL("../build/report.html", import.meta.url);
await picture("report", 1084, report.href);

await browser.close();
await server.close();
