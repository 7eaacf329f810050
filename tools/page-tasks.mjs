// How long tasks keep the playground's page from answering, in Chromium: at its start, and while somebody types in 60 KiB of rules over
// 100,000 URLs. By a trace, which has the wall time of each task and the CPU time of the page's thread: other programs change only the first.
// npm run build:web comes before it; --folder takes another build, to compare with.
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { preview } from "vite";
import { command, count } from "./command.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const { folder, rounds } = command(
	"node tools/page-tasks.mjs",
	"Measures the tasks of the playground's page.",
)
	.option("--folder <folder>", "the built page", "packages/playground/dist")
	.option("--rounds <number>", "how often each is measured", count, 3)
	.parse()
	.opts();

const server = await preview({
	configFile: "packages/playground/vite.config.ts",
	build: { outDir: resolve(folder) },
	preview: { port: 0, host: "127.0.0.1" },
});
/** By which the page's thread is found in a trace. */
const MARK = "robotrie-page";
const address = server.resolvedUrls.local[0];
const browser = await chromium.launch({
	executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
	args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});

/** Wall and CPU time of the tasks of the page's thread in milliseconds. Chromium's own pages, as that of a new tab, have threads, too. */
async function traced(page, run) {
	const path = join(tmpdir(), `robotrie-trace-${process.pid}.json`);
	const categories = ["toplevel", "blink.user_timing"];
	await browser.startTracing(page, { path, categories });
	await run();
	await page.evaluate((mark) => void performance.mark(mark), MARK);
	await browser.stopTracing();
	const { traceEvents } = JSON.parse(readFileSync(path, "utf8"));
	const { pid, tid } = traceEvents.find(({ name }) => name === MARK);
	return traceEvents
		.filter(
			(event) =>
				event.ph === "X" &&
				event.pid === pid &&
				event.tid === tid &&
				/RunTask$/.test(event.name),
		)
		.map(({ dur, tdur = 0 }) => ({ wall: dur / 1000, cpu: tdur / 1000 }));
}

const longest = (tasks, kind) =>
	tasks
		.map((task) => task[kind])
		.sort((a, b) => b - a)
		.slice(0, 5)
		.map((time) => time.toFixed(1))
		.join(" ");

async function started() {
	const page = await browser.newPage({
		viewport: { width: 412, height: 823 },
		// A page for phones is also laid out where a script reads the window's size.
		isMobile: true,
		serviceWorkers: "block",
	});
	const tasks = await traced(page, async () => {
		await page.goto(address);
		// Not for an element: playwright looks for it by a script that takes 20 ms of this thread.
		await page.waitForLoadState("networkidle");
		await page.waitForTimeout(1500);
	});
	await page.close();
	// As Lighthouse's phone, which has a quarter of the speed: what of each task is over 50 ms.
	const blocked = tasks.reduce(
		(sum, { cpu }) => sum + Math.max(0, 4 * cpu - 50),
		0,
	);
	const all = tasks.reduce((sum, { cpu }) => sum + cpu, 0);
	process.stdout.write(
		`start: longest CPU ${longest(tasks, "cpu")} ms, of ${all.toFixed(0)} in all; blocked on a phone ${blocked.toFixed(0)} ms\n`,
	);
}

async function typed() {
	const page = await browser.newPage({ serviceWorkers: "block" });
	await page.goto(address);
	await page.locator("#ask-answer .answer").waitFor();
	await page.locator("#tab-test").click();
	const rules = Array.from(
		{ length: 2500 },
		(_, i) => `Disallow: /part-${i}/*page`,
	);
	const urls = Array.from(
		{ length: 100_000 },
		(_, i) => `https://example.com/part-${i % 5000}/a/page/${i}`,
	);
	for (const [id, lines] of [
		["robots", ["User-agent: *", ...rules]],
		["urls", urls],
	])
		await page.setInputFiles(`#${id}-file`, {
			name: "given.txt",
			mimeType: "text/plain",
			buffer: Buffer.from(lines.join("\n")),
		});
	await page.locator("#counts button", { hasText: "50,000" }).first().waitFor();
	await page.waitForFunction(() => !document.querySelector(".stale"));
	for (const [id, text] of [
		["robots-editor", "\nDisallow: /part-2600/ # typed"],
		["urls-editor", "\n/part-1/of/a/page"],
	]) {
		await page.locator(`#${id} .cm-content`).click();
		await page.keyboard.press("Control+End");
		await page.waitForTimeout(3000);
		const tasks = await traced(page, async () => {
			await page.keyboard.type(text, { delay: 120 });
			await page.waitForTimeout(4000);
		});
		const over = tasks.filter(({ wall }) => wall > 50).length;
		process.stdout.write(
			`typing in ${id}: longest wall ${longest(tasks, "wall")} ms, CPU ${longest(tasks, "cpu")} ms; over 50 ms: ${over}\n`,
		);
	}
	await page.close();
}

for (let round = 0; round < rounds; round++) {
	await started();
	await typed();
}
await browser.close();
await server.close();
