// Takes the pictures of docs/images in Chromium: the playground (packages/playground/dist), its panes Compare and Byte-code, and the HTML report of the sample
// log.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { preview } from "vite";

// The report names the robots.txt as the command line does.
process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const width = 1160;

const server = await preview({
	configFile: "packages/playground/vite.config.ts",
});
const playground = server.resolvedUrls.local[0];
const browser = await chromium.launch({
	executablePath: "/usr/bin/chromium",
	args: ["--no-sandbox", "--disable-gpu"],
});
mkdirSync("docs/images", { recursive: true });

/** Takes a picture of a window of some height; with `prepare`, of the whole page. */
async function picture(name, height, address, prepare) {
	const page = await browser.newPage({
		viewport: { width, height },
		colorScheme: "light",
	});
	await page.goto(address, { waitUntil: "networkidle" });
	await prepare?.(page);
	await page.screenshot({
		path: `docs/images/${name}.png`,
		fullPage: prepare !== undefined,
	});
	await page.close();
}

const open = async (page, pane) => {
	await page.locator(`#tab-${pane}`).click();
	await page.waitForLoadState("networkidle");
};

await picture("playground", 700, playground, async (page) => {
	await page.locator("#findings-list li").first().waitFor();
	// A URL that several rules match.
	await page
		.locator("#urls-editor .cm-line", { hasText: "press-kit" })
		.first()
		.click();
	// The cursor has moved long lines to the left.
	await page
		.locator("#urls-editor .cm-scroller")
		.evaluate((scroller) => scroller.scrollTo(0, 0));
	await page.locator("#robots-editor .decides").waitFor();
});

await picture("compare", 620, playground, async (page) => {
	await open(page, "compare");
	const edited = readFileSync("sample/robots.txt", "utf8")
		.replace("Disallow: /search\n", "Disallow: /search\nDisallow: /magazine/\n")
		.replace("Disallow: /forum/user/\n", "");
	await page.setInputFiles("#after-file", {
		name: "robots.txt",
		mimeType: "text/plain",
		buffer: Buffer.from(edited),
	});
	await page.locator("#compare-changes .change").first().waitFor();
});

await picture("byte-code", 620, playground, async (page) => {
	await open(page, "byte-code");
	await page.fill("#step-url", "/forum/42/print");
	await page.locator("#step-path", { hasText: "/forum/42/print" }).waitFor();
	await page.locator("#step-forward:enabled").click();
	await page.locator("#step-path span").nth(8).hover();
	await page.locator("#program-view .of-rule").waitFor();
});

const audit = "audit -r sample/robots.txt sample/access.log -o html";
execFileSync(process.execPath, [
	"packages/cli/main.js",
	...audit.split(" "),
	...["--out", "build/report.html"],
]);
const report = new URL("../build/report.html", import.meta.url);
await picture("report", 1084, report.href);

await browser.close();
await server.close();
