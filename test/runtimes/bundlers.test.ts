import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build as esbuild } from "esbuild";
import { build as viteBuild } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Installed } from "../installed.ts";
import { browsers, type RunningBrowser, start } from "./browsers.ts";
import { uses } from "./uses.ts";

let user: Installed;
/** A folder as users have it, with the packed files in node_modules. */
let folder = "";

/** What a user does with an entry, and the answer. */
function useOf(entry: string): { source: string; expected: unknown } {
	const use = uses.find((each) => each.entry === entry);
	if (!use) throw new Error(`no use of ${entry}`);
	return { source: use.code, expected: use.expected };
}
const { source: useLibrary, expected } = useOf("robotrie");
const { source: useAudit, expected: audited } = useOf("@robotrie/audit");
const toTitle = `import { answer } from "./use.js"; document.title = JSON.stringify(answer);`;
const toPage = `import { answer } from "./use.js"; postMessage(JSON.stringify(answer));`;
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
	user = new Installed();
	folder = user.folder;
});
afterAll(() => user?.remove());

describe.each(browsers)("In $runtime", (program) => {
	let browser: RunningBrowser;
	beforeAll(async () => {
		if (program.isInstalled) browser = await start(program);
	});
	afterAll(() => browser?.close());

	const answerOf = async (site: string): Promise<unknown> =>
		JSON.parse(await browser.answerOf(join(folder, site)));

	/** A folder with the packed files, a page and scripts. */
	function writePlain(site: string, scripts: Record<string, string>): void {
		mkdirSync(join(folder, site), { recursive: true });
		execFileSync("cp", [
			"-r",
			join(folder, "node_modules/robotrie/dist"),
			join(folder, site, "robotrie"),
		]);
		write(
			`${site}/use.js`,
			useLibrary.replace('"robotrie"', '"./robotrie/index.js"'),
		);
		write(`${site}/index.html`, page("./main.js"));
		for (const [name, text] of Object.entries(scripts))
			write(`${site}/${name}`, text);
	}

	/** The sources of an app that imports the package by its name. */
	function writeApp(
		site: string,
		scripts: Record<string, string>,
		source = useLibrary,
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

	const isMissing = !program.isInstalled;

	test.skipIf(isMissing)(
		"the audit answers in a Web Worker of a Vite build",
		async () => {
			writeApp("vite-audit", withWorker, useAudit);
			await buildWithVite("vite-audit");
			expect(await answerOf("vite-audit/dist")).toEqual(audited);
		},
	);

	test.skipIf(isMissing)("the audit answers in an esbuild build", async () => {
		writeApp("esbuild-audit", { "main.js": toTitle }, useAudit);
		expect(await answerOf(await buildWithEsbuild("esbuild-audit"))).toEqual(
			audited,
		);
	});

	test.skipIf(isMissing).each(cases)("answers in %s", async (_, prepare) => {
		expect(await answerOf(await prepare())).toEqual(expected);
	});
});
