// Bundles the packages, for Node and browsers and for the edge, with declarations of their public entries. What a package has in dist
// follows from its package.json: a file for each of `exports`, whose source is src/ENTRY.ts, and what is not among its dependencies is
// bundled. The build calls it, and a test that builds twice.
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { esmExternalRequirePlugin } from "rolldown/plugins";
import { dts } from "rolldown-plugin-dts";
import { rawText, wasmImport, wasmText } from "./texts.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Packages' folders; what is in their dist besides entries: programs that threads and main.js start; and sources whose code is a file each,
 * with all that they reach, less what an earlier one has: robotrie/access does without WebAssembly, "robotrie --version" without robotrie.
 */
export const packages = {
	".": {
		layers: ["access/options", "index"],
		programs: {
			"pool-worker": "src/sites/pool-worker.ts",
			"pool-loader": "src/sites/pool-loader.ts",
			// Where the bundled thread pool looks for it.
			"entry/worker": "node_modules/tinypool/dist/entry/worker.js",
		},
	},
	"packages/client": {},
	"packages/audit": {},
	"packages/server": {},
	"packages/cli": {
		layers: ["program"],
		programs: {
			program: "src/program.ts",
			"audit-worker": "src/audit/threads.ts",
			"index-worker": "src/index/build.ts",
			"match-worker": "src/match/label.ts",
		},
	},
};

/** Matchers are disposable, which few projects' "lib" names; TypeScript 6 and later load Node's types only where they are asked for. */
const REFERENCES = {
	".": '/// <reference lib="esnext.disposable" />\n',
	"packages/client":
		'/// <reference lib="esnext.disposable" />\n/// <reference types="node" />\n',
	"packages/server":
		'/// <reference lib="esnext.disposable" />\n/// <reference types="node" />\n',
};

export async function bundle() {
	for (const [folder, { layers = [], programs }] of Object.entries(packages)) {
		const cwd = `${root}${folder}`;
		const isCli = folder === "packages/cli";
		const { exports, dependencies, peerDependencies } = JSON.parse(
			readFileSync(`${cwd}/package.json`, "utf8"),
		);
		/** The sources of entries that have a file of a kind. */
		const entries = (kind) =>
			Object.fromEntries(
				Object.values(exports)
					.map((one) => (typeof one === "string" ? { default: one } : one))
					.filter(
						(one) => one[kind] && /^\.\/dist\/[\w-]+\.js$/.test(one.default),
					)
					.map((one) => /([\w-]+)\.js$/.exec(one.default)[1])
					.map((name) => [name, `src/${name}.ts`]),
			);
		const write = (input, plugins, output) =>
			build({
				cwd,
				input,
				plugins,
				platform: "neutral",
				// Packages find each other by their names, as their users do.
				tsconfig: false,
				external: Object.keys({ ...dependencies, ...peerDependencies }).map(
					(name) => new RegExp(`^${name}(/|$)`),
				),
				makeAbsoluteExternalsRelative: false,
				resolve: {
					mainFields: ["module", "main"],
					conditionNames: ["import"],
					// For the plugin below.
					alias: isCli ? { "node:child_process": false } : {},
				},
				transform: { target: "es2022" },
				// Entries that others load when they are needed.
				checks: { ineffectiveDynamicImport: false, bundlerTimings: false },
				treeshake: { moduleSideEffects: false },
				output: {
					dir: "dist",
					minifyInternalExports: false,
					// Docstrings are in the declarations.
					comments: { jsdoc: false },
					// Without hashes: the same wherever they are built.
					chunkFileNames: "[name].js",
					// Few files, since each costs Node almost a millisecond: layers, what five entries or commands share, and what rolldown makes of the rest.
					codeSplitting: {
						groups: [
							...layers.map((name, i) => ({
								name: `${basename(name)}-code`,
								test: new RegExp(`[\\\\/]src[\\\\/]${name}\\.ts$`),
								priority: layers.length - i,
							})),
							{ name: "common", minShareCount: 5 },
						],
					},
					...output,
				},
			});
		await write({ ...entries("default"), ...programs }, [
			// Packages of CommonJS get what they require of Node by imports. Commander requires child processes for commands that are programs of
			// their own, which none is: Node would take a millisecond to load it.
			esmExternalRequirePlugin({
				external: [isCli ? /^node:(?!child_process)/ : /^node:/],
			}),
			wasmText(),
			rawText,
			licences,
		]);
		// The same code once more, as one core cannot serve both: by "imports" of package.json it could choose its modules, which no page without a
		// bundler resolves; and modules that an entry hands over would leave the texts of the others, 27 KB gzipped, in a worker.
		const edge = entries("workerd");
		if (Object.keys(edge).length > 0)
			await write(edge, [wasmImport], {
				dir: "dist/edge",
				minify: true,
			});
		const typed = entries("types");
		if (Object.keys(typed).length > 0)
			await write(
				typed,
				[
					dts({
						emitDtsOnly: true,
						// It would tell of the compiler that it uses.
						logger: { ...console, info: () => {}, warn: () => {} },
						tsconfig: `${root}tsconfig.json`,
						compilerOptions: { noEmit: false },
					}),
				],
				{
					comments: true,
					banner: REFERENCES[folder] ?? REFERENCES["."],
					codeSplitting: true,
				},
			);
	}
}

/** The licences of bundled packages, in one file. */
const licences = {
	name: "licences",
	generateBundle(_options, chunks) {
		const names = Object.values(chunks)
			.flatMap(({ moduleIds = [] }) => moduleIds)
			.map(
				(id) =>
					/(?:node_modules[\\/]|raw-text:)((@[^\\/]+[\\/])?[^\\/]+)/.exec(
						id,
					)?.[1],
			)
			.filter(Boolean);
		const texts = [...new Set(names)].sort().map((name) => {
			const folder = `${root}node_modules/${name}`;
			const { version, license } = JSON.parse(
				readFileSync(`${folder}/package.json`, "utf8"),
			);
			// The loader is a folder of the compiler's repository, published without its licence.
			const from = folder.replace("@assemblyscript/loader", "assemblyscript");
			const file = readdirSync(from).find((each) => /^licen[cs]e/i.test(each));
			const text = readFileSync(`${from}/${file}`, "utf8").trim();
			return `${name} ${version} (${license})\n\n${text}\n`;
		});
		if (texts.length > 0)
			this.emitFile({
				type: "asset",
				fileName: "bundled-licenses.txt",
				source: `Packages whose code is part of the files in this folder.\n\n${texts.join(`\n${"-".repeat(80)}\n\n`)}`,
			});
	},
};
