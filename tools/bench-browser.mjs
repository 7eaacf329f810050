// Runs the playground's benchmark in headless Chromium and Firefox, and its cases in Node, and stores what they find beside Node's results:
// npm run bench:browser -- --only firefox; with --rounds 1 it only shows that it works, and what it stores gives no figures.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { InvalidArgumentError, Option } from "commander";
import puppeteer from "puppeteer-core";
import { build, preview } from "vite";
import { bundleSources } from "./bundle-sources.mjs";
import { command } from "./command.mjs";
import { storeResult } from "./store-result.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

/** Debian's browsers. */
const browsers = {
	chromium: {
		browser: "chrome",
		executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
		args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
	},
	firefox: {
		browser: "firefox",
		executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
		args: [],
	},
};

function roundsOf(text) {
	if (!/^[1-9]\d?$/.test(text))
		throw new InvalidArgumentError("Expected a number from 1 to 99.");
	return text;
}

const { only, rounds } = command(
	"npm run bench:browser --",
	"Runs the playground's benchmark in browsers, and its cases in Node.",
)
	.addOption(
		new Option("--only <name>", "run it in one of them").choices([
			"node",
			...Object.keys(browsers),
		]),
	)
	.option(
		"--rounds <number>",
		"fewer rounds than the usual ones: only shows that it works",
		roundsOf,
	)
	.parse()
	.opts();

function store(kind, { date: _, ...rest }) {
	const part = rounds === undefined ? "" : "short";
	const path = storeResult(kind, rest, part);
	process.stdout.write(`saved as ${path}\n`);
	for (const { name: subject, unit, engines } of rest.cases)
		for (const { name: engine, nsFastest, nsMedian } of engines)
			process.stdout.write(
				`  ${subject.padEnd(30)} ${engine.padEnd(26)} ${nsFastest.toFixed(1)} ns a ${unit} (median ${nsMedian.toFixed(1)})\n`,
			);
}

async function runInNode() {
	const file = "build/bench/page.mjs";
	await bundleSources("packages/playground/views/bench/bench-node.ts", file, {
		external: ["robots-parser", "robots-txt-guard", "tinybench"],
	});
	const text = execFileSync(
		process.execPath,
		[file, ...(rounds ? [rounds] : [])],
		{
			encoding: "utf8",
			stdio: ["ignore", "pipe", "inherit"],
			maxBuffer: 2 ** 26,
		},
	);
	store("page-node", JSON.parse(text));
}

async function runInBrowser(kind, address) {
	const browser = await puppeteer.launch({
		...browsers[kind],
		protocol: "webDriverBiDi",
		headless: true,
		protocolTimeout: 1_800_000,
	});
	try {
		const page = await browser.newPage();
		await page.goto(address + (rounds ? `?rounds=${rounds}` : ""));
		await page.waitForSelector("#ask-answer .answer");
		await page.click("#tab-bench");
		await page.waitForSelector("#bench-start:not([disabled])");
		await page.click("#bench-start");
		let shown = "";
		for (;;) {
			const [text, results] = await page.evaluate(() => [
				document.querySelector("#bench-state")?.textContent ?? "",
				document.querySelector("#bench-save")?.dataset.results,
			]);
			if (text !== shown) process.stderr.write(`${kind}: ${text}\n`);
			shown = text;
			if (results !== undefined) {
				store(kind, JSON.parse(results));
				return;
			}
			if (/failed/.test(text)) throw new Error(text);
			await new Promise((resolve) => setTimeout(resolve, 500));
		}
	} finally {
		await browser.close();
	}
}

// First: the page shows what Node's newest run found.
if (only === undefined || only === "node") await runInNode();
const configFile = "packages/playground/vite.config.ts";
await build({ configFile, logLevel: "warn" });
const server = await preview({ configFile, preview: { port: 0 } });
try {
	for (const [kind, { executablePath }] of Object.entries(browsers)) {
		if (only !== undefined && only !== kind) continue;
		if (existsSync(executablePath))
			await runInBrowser(kind, server.resolvedUrls.local[0]);
		else
			process.stderr.write(
				`skipped: ${kind}: ${executablePath} is not there: install it, or name it in ${kind.toUpperCase()}\n`,
			);
	}
} finally {
	await server.close();
}
