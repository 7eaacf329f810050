// Takes the pictures of docs/images in Chromium, each in light and, as NAME-dark.png, in dark: panes of the playground
// (packages/playground/dist, after npm run build:web) and the HTML report of the sample log; and share.png, which shared links show, of
// packages/site/share.html. With `-- --all FOLDER` it writes all views there instead, as a desktop and as a phone shows them, for somebody to
// look at.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { preview } from "vite";
import { command } from "./command.mjs";

const { all } = command(
	"node tools/pictures.mjs --",
	"Takes the pictures of the documentation.",
)
	.option("--all <folder>", "write all views to a folder, for looking at them")
	.parse()
	.opts();

// The report names the robots.txt as the command line does.
process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const server = await preview({
	configFile: "packages/playground/vite.config.ts",
});
const playground = server.resolvedUrls.local[0];
const audit =
	"audit -r sample/robots.txt --crawlers sample/crawlers.txt sample/access.log -o html";
execFileSync(process.execPath, [
	"packages/cli/main.js",
	...audit.split(" "),
	"--out",
	"build/report.html",
]);
const report = new URL("../build/report.html", import.meta.url).href;
const browser = await chromium.launch({
	executablePath: "/usr/bin/chromium",
	args: ["--no-sandbox", "--disable-gpu"],
});

const edited = () =>
	readFileSync("sample/robots.txt", "utf8")
		.replace("Disallow: /search\n", "Disallow: /search\nDisallow: /magazine/\n")
		.replace("Disallow: /forum/user/\n", "");

/**
 * By pane, or "report". `prepare` brings something to look at; `image` is the name in docs/images, and `end` the element with which that
 * picture ends, as a whole page has more than a reader of the docs wants.
 */
const views = {
	test: {
		image: "playground",
		end: "#explanation",
		async prepare(page) {
			await page.locator("#findings-list li").first().waitFor();
			// A URL that several rules match.
			await page
				.locator("#urls-editor .cm-line", { hasText: "press-kit" })
				.first()
				.click();
			await page.locator("#robots-editor .decides").waitFor();
		},
	},
	ask: {
		async prepare(page) {
			await page.locator("#pane-ask .chip").first().waitFor();
		},
	},
	ai: {
		async prepare(page) {
			await page.locator("#pane-ai .chip").first().waitFor();
		},
	},
	compare: {
		image: "compare",
		end: "#pane-compare",
		async prepare(page) {
			await page.setInputFiles("#after-file", {
				name: "robots.txt",
				mimeType: "text/plain",
				buffer: Buffer.from(edited()),
			});
			await page.locator("#compare-changes .change").first().waitFor();
		},
	},
	log: {
		async prepare(page) {
			await page.locator("#log-sample:enabled").click();
			await page.locator("#log-report iframe").waitFor();
		},
	},
	"byte-code": {
		image: "byte-code",
		end: "#jump-tables",
		async prepare(page) {
			await page.fill("#step-url", "/forum/42/print");
			await page
				.locator("#step-path", { hasText: "/forum/42/print" })
				.waitFor();
			await page.locator("#step-forward:enabled").click();
			await page.locator("#step-path span").nth(8).hover();
			await page.locator("#program-view .of-rule").first().waitFor();
		},
	},
	bench: { async prepare() {} },
	report: { image: "report", end: "table" },
};

const schemes = ["light", "dark"];

/** Takes a picture of a view, from its top to the bottom of `end`, or of all of it. */
async function picture(path, name, { width, height, scheme, end }) {
	const page = await browser.newPage({
		viewport: { width, height },
		colorScheme: scheme,
		reducedMotion: "reduce",
	});
	await page.goto(name === "report" ? report : playground, {
		waitUntil: "networkidle",
	});
	if (name !== "report") {
		await page.locator("#ask-answer .answer").waitFor();
		await page.locator(`#tab-${name}`).click();
		await page.waitForLoadState("networkidle");
	}
	await views[name].prepare?.(page);
	// What is out of date is paler, until its answer is there.
	await page.waitForFunction(() => !document.querySelector(".stale"));
	// A cursor or a scrolled page is not what the picture is about.
	await page.evaluate(() => {
		document.activeElement?.blur();
		scrollTo(0, 0);
	});
	const box = end && (await page.locator(end).first().boundingBox());
	await page.screenshot({
		path,
		fullPage: true,
		...(box && {
			clip: {
				...{ x: 0, y: 0, width },
				height: Math.ceil(box.y + box.height) + 14,
			},
		}),
	});
	await page.close();
}

if (all) {
	mkdirSync(all, { recursive: true });
	for (const name of Object.keys(views))
		for (const [device, width, height] of [
			["desktop", 1280, 900],
			["phone", 360, 740],
		])
			for (const scheme of schemes)
				await picture(join(all, `${name}-${device}-${scheme}.png`), name, {
					...{ width, height, scheme },
				});
} else {
	for (const [name, { image, end }] of Object.entries(views))
		for (const scheme of image ? schemes : [])
			await picture(
				`docs/images/${image}${scheme === "dark" ? "-dark" : ""}.png`,
				name,
				{ width: 1160, height: 760, scheme, end },
			);
	const page = await browser.newPage({
		viewport: { width: 1200, height: 630 },
	});
	await page.goto(new URL("../packages/site/share.html", import.meta.url).href);
	await page.screenshot({ path: "docs/images/share.png" });
}

await browser.close();
await server.close();
