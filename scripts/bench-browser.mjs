// Runs the playground's benchmark in headless Chromium and saves what it finds beside Node's results.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { build, preview } from "vite";
import { storeResult } from "./store-result.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
if (!existsSync(executablePath)) {
	process.stderr.write(
		`${executablePath} is not there: install Chromium, or name it in CHROMIUM\n`,
	);
	process.exit(2);
}
const configFile = "web/vite.config.ts";
await build({ configFile, logLevel: "warn" });
const server = await preview({ configFile, preview: { port: 0 } });
const browser = await chromium.launch({
	executablePath,
	args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
try {
	const page = await browser.newPage();
	await page.goto(server.resolvedUrls.local[0]);
	await page.locator("#counts button").first().waitFor();
	await page.locator("#tab-bench").click();
	const state = page.locator("#bench-state");
	let shown = "";
	const progress = setInterval(async () => {
		const text = await state.innerText().catch(() => shown);
		if (text !== shown) process.stderr.write(`${text}\n`);
		shown = text;
	}, 500);
	const saved = page.waitForEvent("download", { timeout: 600_000 });
	await page.locator("#bench-start").click();
	await page.locator("#bench-start:enabled").waitFor({ timeout: 600_000 });
	clearInterval(progress);
	if (!(await page.locator("#bench-save").isVisible()))
		throw new Error(await state.innerText());
	await page.locator("#bench-save").click();
	const file = await (await saved).path();
	for (const { date: _, build: name, ...rest } of JSON.parse(
		readFileSync(file, "utf8"),
	)) {
		const kind = name === "simd" ? "chromium" : "chromium-scalar";
		const path = storeResult(kind, { build: name, ...rest });
		process.stdout.write(`saved as ${path}\n`);
		for (const { name: subject, unit, engines } of rest.cases)
			for (const { name: engine, nsFastest, nsMedian } of engines)
				process.stdout.write(
					`  ${subject.padEnd(18)} ${engine.padEnd(24)} ${nsFastest.toFixed(1)} ns a ${unit} (median ${nsMedian.toFixed(1)})\n`,
				);
	}
} finally {
	await browser.close();
	await server.close();
}
