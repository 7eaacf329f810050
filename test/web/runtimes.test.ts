import { execFileSync } from "node:child_process";
import {
	cpSync,
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

const root = fileURLToPath(new URL("../../", import.meta.url));

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
/** Audits a log, with the lists of crawlers that the package depends on. */
const useAudit = `
import { LogAudit } from "robotrie/audit";
const bytes = (text) => new TextEncoder().encode(text);
const line = '192.0.2.1 - - [14/Oct/2025:01:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" ';
const audit = new LogAudit({
	robots: [{ file: "robots.txt", bytes: bytes("User-agent: *\\nDisallow: /\\n") }],
});
await audit.add("access.log", [bytes(line + '"psbot-image/1.0"\\n' + line), bytes('"GPTBot/1.2"')]);
const { lines, crawlers } = audit.report();
export const answer = JSON.stringify([
	lines,
	crawlers.map(({ name, category, disallowed }) => [name, category, disallowed]),
]);
`;
const audited = [
	2,
	[
		["GPTBot", "ai-training", 1],
		["psbot", "search", 1],
	],
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
	for (const name of ["crawler-user-agents", "isbot"])
		cpSync(
			join(root, "node_modules", name),
			join(folder, "node_modules", name),
			{ recursive: true },
		);
	write("audit/use.js", useAudit);
	write(
		"audit/main.js",
		'import { answer } from "./use.js"; console.log(answer);',
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
	["Node", process.execPath, []],
	["Deno", commandOf("deno"), ["run", "--no-prompt", "--quiet"]],
	["Bun", commandOf("bun"), ["run"]],
] as const)("In %s", (_, command, args) => {
	test.skipIf(!command).each([
		["the library", "main.js", expected],
		["the audit", "audit/main.js", audited],
	])("%s answers", (_, file, answer) => {
		const found = execFileSync(command ?? "", [...args, file], {
			cwd: folder,
			encoding: "utf8",
			env: { ...process.env, DENO_DIR: join(folder, "deno-cache") },
		});
		expect(JSON.parse(found)).toEqual(answer);
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
	function writeApp(
		site: string,
		scripts: Record<string, string>,
		source = use("robotrie"),
	): void {
		write(`${site}/use.js`, source);
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
				return buildWithEsbuild("esbuild");
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

	async function buildWithEsbuild(site: string): Promise<string> {
		await esbuild({
			entryPoints: [join(folder, site, "main.js")],
			outfile: join(folder, site, "dist/main.js"),
			bundle: true,
			format: "esm",
			minify: true,
			logLevel: "error",
		});
		write(`${site}/dist/index.html`, page("./main.js"));
		return `${site}/dist`;
	}

	test("the audit answers in a Web Worker of a Vite build", async () => {
		writeApp("vite-audit", withWorker, useAudit);
		await buildWithVite("vite-audit");
		expect(await answerOf("vite-audit/dist")).toEqual(audited);
	});

	test("the audit answers in an esbuild build", async () => {
		writeApp("esbuild-audit", { "main.js": toTitle }, useAudit);
		expect(await answerOf(await buildWithEsbuild("esbuild-audit"))).toEqual(
			audited,
		);
	});

	test.each(cases)("answers in %s", async (_, prepare) => {
		expect(await answerOf(await prepare())).toEqual(expected);
	});
});
