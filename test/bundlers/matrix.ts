import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { build as esbuild } from "esbuild";
import { build as viteBuild } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
	hasRedis,
	type RedisServer,
	startRedis,
} from "../../packages/client/test/redis.ts";
import { Installed, root } from "../installed.ts";
import { workerd } from "../runtimes/commands.ts";
import { type Use, uses } from "../runtimes/uses.ts";
import { WORKER, WRANGLER, workerAnswer } from "./worker.ts";

/**
 * Every entry of every package, built by every bundler, and run: each in one format, with ROBOTRIE_ALL=1 in both, as bundling takes
 * minutes of one core. Pages are in test/runtimes. `npm run test:bundlers` installs the bundlers. What an entry needs is in `needs`, and in docs/library.md.
 */
const here = join(root, "test/bundlers");
const isInstalled = existsSync(join(here, "node_modules/wrangler"));
if (!isInstalled)
	console.warn("skipped: matrix: npm run test:bundlers brings the bundlers");
const require = createRequire(join(here, "package.json"));
const run = promisify(execFile);

type Format = "esm" | "cjs";

interface Job {
	readonly input: string;
	readonly folder: string;
	/** The file to write. */
	readonly file: string;
	readonly format: Format;
	/** What stays in node_modules. */
	readonly external: readonly string[];
	readonly banner: string;
	/** Of Rollup, besides @rollup/plugin-node-resolve. */
	readonly plugins: readonly string[];
}

/** The format that each writes; the other one, too, where everything runs. */
const formats: Readonly<Record<string, Format>> = {
	esbuild: "cjs",
	webpack: "esm",
	Rollup: "cjs",
	Vite: "esm",
};
const isWhole = process.env.ROBOTRIE_ALL === "1";

const bundlers: Readonly<Record<string, (job: Job) => Promise<unknown>>> = {
	esbuild: ({ input, folder, file, format, external, banner }) =>
		esbuild({
			entryPoints: [join(folder, input)],
			outfile: join(folder, file),
			bundle: true,
			platform: "node",
			format,
			external: [...external],
			banner: { js: banner },
			logLevel: "silent",
		}),
	webpack: ({ input, folder, file, format, external }) =>
		new Promise((resolve, reject) => {
			const kind = format === "esm" ? "module" : "commonjs2";
			require("webpack")(
				{
					mode: "production",
					target: "node",
					context: folder,
					entry: `./${input}`,
					externals: Object.fromEntries(
						external.map((name) => [
							name,
							format === "esm" ? `module ${name}` : `commonjs ${name}`,
						]),
					),
					experiments: { outputModule: format === "esm" },
					// It takes most of the time, and does the same to the other format.
					optimization: { minimize: isWhole && format === "esm" },
					output: {
						path: folder,
						filename: file,
						chunkFormat: format === "esm" ? "module" : "commonjs",
						library: { type: kind },
					},
				},
				(
					error: Error | null,
					stats?: { hasErrors(): boolean; toString(): string },
				) => {
					if (error || stats?.hasErrors())
						reject(error ?? new Error(String(stats)));
					else resolve(undefined);
				},
			);
		}),
	Rollup: async ({ input, folder, file, format, external, plugins }) => {
		const { nodeResolve } = require("@rollup/plugin-node-resolve");
		const bundle = await require("rollup").rollup({
			input: join(folder, input),
			external: [...external],
			plugins: [
				nodeResolve({ exportConditions: ["node"] }),
				...plugins.map((name) => require(name)()),
			],
			onwarn: () => {},
		});
		await bundle.write({
			file: join(folder, file),
			format,
			inlineDynamicImports: true,
		});
	},
	Vite: ({ input, folder, file, format, external }) =>
		viteBuild({
			root: folder,
			configFile: false,
			logLevel: "silent",
			ssr: { noExternal: true, external: [...external] },
			build: {
				ssr: join(folder, input),
				outDir: folder,
				emptyOutDir: false,
				rollupOptions: {
					output: { format, entryFileNames: file, codeSplitting: false },
				},
			},
		}),
};

const requireBanner =
	"import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** What an entry needs: see "Bundlers" in docs/library.md. */
const needs: readonly (Partial<Omit<Job, "format">> & {
	readonly entry: string;
	readonly bundler?: string;
	readonly format?: Format;
})[] = [
	// Bundled, it answers in one thread where the bundler leaves import.meta.url alone, and fails where it does not.
	{ entry: "robotrie/pool", external: ["robotrie/pool"] },
	// basic-ftp requires Node's modules.
	{
		entry: "@robotrie/client",
		bundler: "esbuild",
		format: "esm",
		banner: requireBanner,
	},
	{
		entry: "@robotrie/client",
		bundler: "Rollup",
		plugins: ["@rollup/plugin-commonjs"],
	},
	{
		entry: "@robotrie/sites",
		bundler: "esbuild",
		format: "esm",
		banner: requireBanner,
	},
	{
		entry: "@robotrie/sites",
		bundler: "Rollup",
		plugins: ["@rollup/plugin-commonjs"],
	},
	{
		entry: "@robotrie/server",
		bundler: "esbuild",
		format: "esm",
		banner: requireBanner,
	},
	{
		entry: "@robotrie/server",
		bundler: "Rollup",
		plugins: ["@rollup/plugin-commonjs", "@rollup/plugin-json"],
	},
	{
		entry: "@robotrie/audit",
		bundler: "Rollup",
		plugins: ["@rollup/plugin-json"],
	},
	{
		entry: "@robotrie/audit/files",
		bundler: "Rollup",
		plugins: ["@rollup/plugin-json", "@rollup/plugin-commonjs"],
	},
];

/** A script that prints the answer, without `await` outside functions, which CommonJS does not have. */
function scriptOf({ code }: Use): string {
	const lines = code.trim().split("\n");
	const isImport = (line: string) => line.startsWith("import ");
	return `${lines.filter(isImport).join("\n")}
async function main() {
${lines
	.filter((line) => !isImport(line))
	.join("\n")
	.replace("export const", "const")}
console.log(JSON.stringify(answer));
}
main();
`;
}

const scripts = uses.filter(
	({ runtimes }) =>
		runtimes.includes("Node 20") || runtimes.includes("Node 22"),
);

let user: Installed;
let redis: RedisServer | undefined;

/** docs/library.md says what an entry needs. */
export function needsAreSaid(): void {
	const text = readFileSync(join(root, "docs/library.md"), "utf8");
	for (const { entry, bundler = "", ...need } of needs) {
		const row = text
			.split("\n")
			.find((line) => line.startsWith(`| \`${entry}\` | ${bundler}`));
		for (const text of [
			...(need.external ?? []),
			...(need.plugins ?? []),
			need.banner ?? "",
		])
			expect(row, entry).toContain(text);
	}
}

/** The rows of a format. */
export function scriptsIn(format: Format): void {
	beforeAll(async () => {
		if (!isInstalled) return;
		user = new Installed("lmdb", "redis");
		if (hasRedis) redis = await startRedis();
	});
	afterAll(async () => {
		await redis?.[Symbol.asyncDispose]();
		user?.remove();
	});

	const rows = scripts.flatMap((use) =>
		Object.keys(bundlers)
			.filter((bundler) => isWhole || formats[bundler] === format)
			.map((bundler) => ({ entry: use.entry, bundler, use })),
	);
	test.skipIf(!isInstalled).each(rows)(
		`a script of $entry, built by $bundler as ${format}, answers`,
		async ({ entry, bundler, use }) => {
			if (use.redis && !redis) return;
			const folder = join(
				user.folder,
				`${bundler}-${format}-${entry.replace(/\W+/g, "-")}`,
			);
			mkdirSync(folder);
			writeFileSync(join(folder, "input.mjs"), scriptOf(use));
			const own = needs.filter(
				(need) =>
					need.entry === entry &&
					(need.bundler ?? bundler) === bundler &&
					(need.format ?? format) === format,
			);
			const file = format === "esm" ? "main.mjs" : "main.cjs";
			await bundlers[bundler]?.({
				input: "input.mjs",
				folder,
				file,
				format,
				external: own.flatMap(({ external = [] }) => external),
				banner: own.map(({ banner = "" }) => banner).join(""),
				plugins: own.flatMap(({ plugins = [] }) => plugins),
			});
			const ran = run(process.execPath, [join(folder, file)], {
				env: { ...process.env, REDIS_URL: redis?.url },
				timeout: 60_000,
			});
			if (
				entry === "@robotrie/client/sqlite" &&
				process.versions.node.startsWith("20.")
			)
				await expect(ran).rejects.toThrow(/code: 'unsupported'/);
			else expect(JSON.parse((await ran).stdout)).toEqual(use.expected);
		},
	);
}

/** Workers, which know one format. */
export function workersAnswer(): void {
	test
		.skipIf(!isInstalled || !workerd)
		.each(uses.filter(({ runtimes }) => runtimes.includes("workerd")))(
		"a script of $entry, built by wrangler, answers in workerd",
		async ({ entry, code, expected }) => {
			const folder = join(
				user.folder,
				`wrangler-${entry.replace(/\W+/g, "-")}`,
			);
			mkdirSync(folder);
			writeFileSync(join(folder, "use.js"), code);
			writeFileSync(join(folder, "worker.js"), WORKER);
			writeFileSync(join(folder, "wrangler.toml"), WRANGLER);
			expect(await workerAnswer(folder)).toEqual(expected);
		},
	);
}
