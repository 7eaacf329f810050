import { execFileSync } from "node:child_process";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build as esbuild } from "esbuild";
import type { Browser } from "playwright-core";
import { build as viteBuild } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasChromium, launchChromium, serveFolder } from "./chromium.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A folder as users have it, with the packed files in node_modules. */
let folder = "";

/** Uses the library's bulk calls, strings, errors and the index; the answer is the same everywhere. */
const use = (library: string) => `
import { RobotsIndex, RobotsTxt } from "${library}";
const text = "User-agent: *\\nDisallow: /grün/\\nAllow: /*.html$\\n";
const robots = RobotsTxt.parse(text);
const index = new RobotsIndex({ agent: "x" });
index.set("https://example.com", text);
let code = "";
try { robots.isAllowed("no url", "x"); } catch (error) { code = error.code; }
export const answer = JSON.stringify([
	robots.explain("/gr%C3%BCn/a", "x").rule,
	[...robots.for("x").matchMany(["/grün/a.html", "/grün/b", "/c", "no url"])],
	[...robots.for("x").matchLines(new TextEncoder().encode("/gr%C3%BCn/\\n/\\n"))],
	[...index.matchMany(["https://EXAMPLE.com:443/gr%c3%bcn/", "https://example.net/"])],
	code,
]);
`;
const expected = [
	{ type: "disallow", pattern: "/grün/", line: 2 },
	[0, 0, 1, 3],
	[0, 1],
	[0, 2],
	"invalid-url",
];
const toTitle = `import { answer } from "./use.js"; document.title = answer;`;
const toPage = `import { answer } from "./use.js"; postMessage(answer);`;
const fromWorker = (address: string) => `
const worker = new Worker(${address}, { type: "module" });
worker.onmessage = ({ data }) => { document.title = data; };
worker.onerror = ({ message }) => { document.title = "error: " + message; };
`;
/** WebAssembly is all that the library asks of a policy. */
const page = (script: string) =>
	`<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="script-src 'self' 'wasm-unsafe-eval'"><script type="module" src="${script}"></script>`;

const write = (path: string, text: string) => {
	mkdirSync(join(folder, path, ".."), { recursive: true });
	writeFileSync(join(folder, path), text);
};

beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), "robotrie-runtimes-"));
	const [report] = JSON.parse(
		execFileSync("npm", ["pack", root, "--json", "--ignore-scripts"], {
			cwd: folder,
			encoding: "utf8",
			stdio: ["ignore", "pipe", "ignore"],
		}),
	) as [{ filename: string }];
	const installed = join(folder, "node_modules/robotrie");
	mkdirSync(installed, { recursive: true });
	execFileSync("tar", [
		"-xzf",
		join(folder, report.filename),
		"-C",
		installed,
		"--strip-components=1",
	]);
	write(
		"package.json",
		'{ "private": true, "type": "module", "dependencies": { "robotrie": "*" } }',
	);
	write("use.js", use("robotrie"));
	write("main.js", 'import { answer } from "./use.js"; console.log(answer);');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Where npm has put a runtime, or where the system has it. */
function commandOf(name: string): string | undefined {
	const own = join(root, "node_modules/.bin", name);
	const command = existsSync(own) ? own : name;
	try {
		execFileSync(command, ["--version"], { stdio: "ignore" });
		return command;
	} catch {
		return undefined;
	}
}

describe.each([
	["Node", process.execPath, ["main.js"]],
	["Deno", commandOf("deno"), ["run", "--no-prompt", "--quiet", "main.js"]],
	["Bun", commandOf("bun"), ["run", "main.js"]],
] as const)("The library in %s", (_, command, args) => {
	test.skipIf(!command)("answers", () => {
		const answer = execFileSync(command ?? "", args, {
			cwd: folder,
			encoding: "utf8",
			env: { ...process.env, DENO_DIR: join(folder, "deno-cache") },
		});
		expect(JSON.parse(answer)).toEqual(expected);
	});
});

describe.skipIf(!hasChromium)("The library in Chromium", () => {
	let browser: Browser;
	beforeAll(async () => {
		browser = await launchChromium();
	});
	afterAll(() => browser?.close());

	/** What the page of a folder comes to. */
	async function answerOf(site: string): Promise<unknown> {
		let server: Server | undefined;
		const tab = await browser.newPage();
		const problems: string[] = [];
		tab.on("pageerror", ({ message }) => problems.push(message));
		try {
			const served = await serveFolder(join(folder, site));
			server = served.server;
			await tab.goto(served.address);
			await expect
				.poll(() => tab.title().then((title) => title || problems.join()), {
					timeout: 20_000,
				})
				.not.toBe("");
			expect(problems).toEqual([]);
			return JSON.parse(await tab.title());
		} finally {
			await tab.close();
			server?.close();
		}
	}

	/** A folder with the packed files, a page and scripts. */
	function writePlain(site: string, scripts: Record<string, string>): void {
		mkdirSync(join(folder, site), { recursive: true });
		execFileSync("cp", [
			"-r",
			join(folder, "node_modules/robotrie/dist"),
			join(folder, site, "robotrie"),
		]);
		write(`${site}/use.js`, use("./robotrie/index.js"));
		write(`${site}/index.html`, page("./main.js"));
		for (const [name, text] of Object.entries(scripts))
			write(`${site}/${name}`, text);
	}

	/** The sources of an app that imports the package by its name. */
	function writeApp(site: string, scripts: Record<string, string>): void {
		write(`${site}/use.js`, use("robotrie"));
		write(`${site}/index.html`, page("./main.js"));
		for (const [name, text] of Object.entries(scripts))
			write(`${site}/${name}`, text);
	}

	const withWorker = {
		"main.js": fromWorker('new URL("./worker.js", import.meta.url)'),
		"worker.js": toPage,
	};

	const cases: readonly (readonly [string, () => Promise<string>])[] = [
		[
			"a page without a bundler",
			async () => {
				writePlain("plain", { "main.js": toTitle });
				return "plain";
			},
		],
		[
			"a Web Worker without a bundler",
			async () => {
				writePlain("plain-worker", withWorker);
				return "plain-worker";
			},
		],
		[
			"a Vite build",
			async () => {
				writeApp("vite", { "main.js": toTitle });
				await buildWithVite("vite");
				return "vite/dist";
			},
		],
		[
			"a Web Worker of a Vite build",
			async () => {
				writeApp("vite-worker", withWorker);
				await buildWithVite("vite-worker");
				return "vite-worker/dist";
			},
		],
		[
			"an esbuild build",
			async () => {
				writeApp("esbuild", { "main.js": toTitle });
				await esbuild({
					entryPoints: [join(folder, "esbuild/main.js")],
					outfile: join(folder, "esbuild/dist/main.js"),
					bundle: true,
					format: "esm",
					minify: true,
					logLevel: "error",
				});
				write("esbuild/dist/index.html", page("./main.js"));
				return "esbuild/dist";
			},
		],
	];

	const buildWithVite = (site: string) =>
		viteBuild({
			root: join(folder, site),
			configFile: false,
			logLevel: "error",
			worker: { format: "es" },
			build: { assetsInlineLimit: 0, modulePreload: { polyfill: false } },
		});

	test.each(cases)("answers in %s", async (_, prepare) => {
		expect(await answerOf(await prepare())).toEqual(expected);
	});
});
