import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { build as esbuild, type Plugin } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
	hasRedis,
	type RedisServer,
	startRedis,
} from "../../packages/client/test/redis.ts";
import { Installed, packageNames } from "../installed.ts";
import { browsers, type RunningBrowser, start } from "./browsers.ts";
import { commands, workerd } from "./commands.ts";
import { type Runtime, type Use, uses } from "./uses.ts";

if (!hasRedis)
	console.warn(
		"skipped: @robotrie/client/redis: there is no redis-server; it comes with apt-get install redis-server",
	);

const fileOf = ({ entry }: Use) => `use-${entry.replace(/\W+/g, "-")}.mjs`;
const usesIn = (runtime: Runtime) =>
	uses.filter(({ runtimes }) => runtimes.includes(runtime));

let user: Installed;
let redis: RedisServer | undefined;
beforeAll(async () => {
	user = new Installed(...uses.flatMap(({ packages = [] }) => packages));
	for (const use of uses)
		writeFileSync(join(user.folder, fileOf(use)), use.code);
	if (hasRedis) redis = await startRedis();
});
afterAll(async () => {
	await redis?.[Symbol.asyncDispose]();
	user?.remove();
});

/** Has a bundle import the .wasm files from its own folder, as bundlers for edge runtimes do. */
const besideBundle: Plugin = {
	name: "beside-bundle",
	setup: ({ onResolve }) =>
		onResolve({ filter: /\.wasm\?module$/ }, ({ path }) => ({
			path: `./${basename(path, "?module")}`,
			external: true,
		})),
};

/** Bundles what a user does with an entry, for runtimes without Node's modules. `conditions` are those of the runtime in package.json. */
async function bundled(
	contents: string,
	file: string,
	conditions: string[] = [],
): Promise<string> {
	const folder = join(user.folder, file.replace(/\.\w+$/, ""));
	mkdirSync(folder, { recursive: true });
	await esbuild({
		stdin: { contents, resolveDir: user.folder },
		outfile: join(folder, "main.js"),
		bundle: true,
		format: "esm",
		logLevel: "error",
		conditions,
		plugins: [besideBundle],
	});
	return folder;
}

test("every entry of the packages is used", () => {
	const entries = packageNames.flatMap((name) => {
		const about = readFileSync(join(user.folderOf(name), "package.json"));
		const { exports = {} } = JSON.parse(about.toString()) as {
			exports?: Record<string, unknown>;
		};
		return Object.keys(exports)
			.filter((entry) => /^\.(\/[\w-]+)?$/.test(entry))
			.filter((entry) => !entry.startsWith("./internal"))
			.map((entry) => `${name}${entry.slice(1)}`);
	});
	expect(uses.map(({ entry }) => entry).sort()).toEqual(entries.sort());
});

describe.each([...commands])("In %s", (runtime, command) => {
	test.skipIf(!command).each(usesIn(runtime))("$entry answers", async (use) => {
		if (!command || (use.redis && !redis)) return;
		const main = `main-${fileOf(use)}`;
		writeFileSync(
			join(user.folder, main),
			`import { answer } from "./${fileOf(use)}";\nconsole.log(JSON.stringify(answer));\n`,
		);
		const { stdout } = await promisify(execFile)(
			command.file,
			[...command.args, main],
			{
				cwd: user.folder,
				env: {
					...process.env,
					DENO_DIR: join(user.folder, "deno-cache"),
					REDIS_URL: redis?.url,
					WORKERS: "2",
				},
				timeout: 60_000,
			},
		);
		expect(JSON.parse(stdout)).toEqual(use.expected);
	});
});

describe.each(browsers)("In $runtime", (program) => {
	let browser: RunningBrowser;
	beforeAll(async () => {
		if (program.isInstalled) browser = await start(program);
	});
	afterAll(() => browser?.close());

	test.skipIf(!program.isInstalled).each(usesIn(program.runtime))(
		"$entry answers",
		async (use) => {
			const folder = await bundled(
				`import { answer } from "./${fileOf(use)}"; document.title = JSON.stringify(answer);`,
				`${program.runtime}-${fileOf(use)}`,
			);
			writeFileSync(
				join(folder, "index.html"),
				`<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="script-src 'self' 'wasm-unsafe-eval'"><script type="module" src="./main.js"></script>`,
			);
			expect(JSON.parse(await browser.answerOf(folder))).toEqual(use.expected);
		},
	);
});

describe("In workerd", () => {
	test.skipIf(!workerd).each(usesIn("workerd"))(
		"$entry answers",
		async (use) => {
			const folder = await bundled(
				// Random numbers, which an index needs, are given to handlers alone.
				`export default { async test() {
	const { answer } = await import("./${fileOf(use)}");
	console.log(JSON.stringify(answer));
} };`,
				`workerd-${fileOf(use)}`,
				["workerd"],
			);
			const main = readFileSync(join(folder, "main.js"), "utf8");
			const modules = [...main.matchAll(/from "\.\/([\w.-]+\.wasm)"/g)].map(
				([, file = ""]) => {
					cpSync(join(user.package, "dist", file), join(folder, file));
					return `(name = "${file}", wasm = embed "${file}")`;
				},
			);
			writeFileSync(
				join(folder, "config.capnp"),
				`using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = .main)]);
const main :Workerd.Worker = (
  modules = [${['(name = "main.js", esModule = embed "main.js")', ...modules].join(", ")}],
  compatibilityDate = "2026-01-01",
);
`,
			);
			const { stdout } = await promisify(execFile)(
				workerd?.file ?? "",
				[...(workerd?.args ?? []), join(folder, "config.capnp")],
				{ timeout: 60_000 },
			);
			expect(JSON.parse(stdout)).toEqual(use.expected);
		},
	);
});
