import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { esmExternalRequirePlugin } from "rolldown/plugins";
import { dts } from "rolldown-plugin-dts";
import { rawText } from "./raw-text.mjs";
import { wasmImport, wasmText } from "./wasm-text.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** What packages have in dist besides what their `exports` name: programs that threads and main.js start. */
const packages = {
	".": {
		programs: {
			"pool-worker": "src/sites/pool-worker.ts",
			"pool-loader": "src/sites/pool-loader.ts",
			// Where the bundled thread pool looks for it.
			"entry/worker": `${root}node_modules/tinypool/dist/entry/worker.js`,
		},
		// Few files, since each costs Node half a millisecond: what robotrie/access reaches, which contains no WebAssembly; what
		// the main entry reaches; what else several entries share. Binaries are modules without other code, so that no stack trace shows them.
		groups: [
			{ name: "wasm", test: /\.wasm$/, entriesAware: true },
			{
				name: "base",
				test: /[\\/]src[\\/]access\.ts$/,
				entriesAware: true,
				entriesAwareMergeThreshold: 20_000,
			},
			{ name: "core", test: /[\\/]src[\\/]index\.ts$/ },
			{
				name: "shared",
				minShareCount: 2,
				entriesAware: true,
				entriesAwareMergeThreshold: 20_000,
			},
		],
	},
	"packages/client": {},
	"packages/audit": {},
	"packages/cli": {
		programs: {
			program: "src/program.ts",
			"audit-worker": "src/audit/threads.ts",
			"index-worker": "src/index/build.ts",
			"match-worker": "src/match/label.ts",
		},
	},
};

/** Folders of packages that are built. */
export const PACKAGES = Object.keys(packages);

/** Bundles every package to its dist, for Node and browsers, with declarations of its public entries. */
export async function bundle() {
	for (const [folder, { programs, groups }] of Object.entries(packages)) {
		const cwd = `${root}${folder}`;
		const manifest = JSON.parse(readFileSync(`${cwd}/package.json`, "utf8"));
		const settings = { cwd, external: installed(manifest), ...common };
		const entries = sourcesOf(manifest, () => true);
		const typed = sourcesOf(manifest, ({ types }) => types);
		const edge = sourcesOf(manifest, ({ workerd }) => workerd);
		await build({
			...settings,
			input: { ...entries, ...programs },
			plugins: [
				noChildProcesses,
				// Packages of CommonJS get what they require of Node by imports.
				esmExternalRequirePlugin({ external: [/^node:/] }),
				wasmText(),
				rawText,
				licences,
			],
			output: { ...output, ...(groups && { codeSplitting: { groups } }) },
		});
		if (Object.keys(edge).length > 0)
			await build({
				...settings,
				input: edge,
				// Runtimes that compile no WebAssembly from bytes (workerd, edge-light) import the .wasm files of dist as modules.
				plugins: [wasmImport((name) => `../${name}.simd.wasm`)],
				makeAbsoluteExternalsRelative: false,
				output: {
					...output,
					dir: "dist/edge",
					minify: true,
					codeSplitting: { groups: [{ name: "core", minShareCount: 2 }] },
				},
			});
		if (Object.keys(typed).length > 0)
			await build({
				...settings,
				input: typed,
				plugins: [
					dts({
						emitDtsOnly: true,
						// It would tell of the compiler that it uses.
						logger: { ...console, info: () => {}, warn: () => {} },
						tsconfig: `${root}tsconfig.json`,
						compilerOptions: { noEmit: false },
					}),
				],
				output: {
					...output,
					comments: true,
					banner:
						folder === "packages/client" ? `${DISPOSABLE}${NODE}` : DISPOSABLE,
				},
			});
	}
}

/** Matchers are disposable, which few projects' "lib" names. */
const DISPOSABLE = '/// <reference lib="esnext.disposable" />\n';
/** TypeScript 6 and later load Node's types only where they are asked for. */
const NODE = '/// <reference types="node" />\n';

const common = {
	platform: "neutral",
	// Packages find each other by their names, as their users do.
	tsconfig: false,
	resolve: { mainFields: ["module", "main"], conditionNames: ["import"] },
	transform: { target: "es2022" },
	// Entries of their own, and loaded by others when they are needed.
	checks: { ineffectiveDynamicImport: false, bundlerTimings: false },
	treeshake: { moduleSideEffects: false },
};

const output = {
	dir: "dist",
	format: "esm",
	minifyInternalExports: false,
	// Docstrings are in the declarations.
	comments: { jsdoc: false },
	entryFileNames: "[name].js",
	// Without hashes: the same wherever they are built.
	chunkFileNames: ({ name }) => `${name.split(/[~.]/)[0]}.js`,
};

/** Sources of the files in dist that `exports` name, of those that are asked for. */
const sourcesOf = ({ exports }, isAsked) =>
	Object.fromEntries(
		Object.values(exports).flatMap((one) => {
			const [, name] =
				/^\.\/dist\/([\w-]+)\.js$/.exec(one.default ?? one) ?? [];
			return name && isAsked(one) ? [[name, `src/${name}.ts`]] : [];
		}),
	);

/** What is installed beside a package; all else that it imports is bundled. */
const installed = ({ dependencies, peerDependencies }) =>
	Object.keys({ ...dependencies, ...peerDependencies }).map(
		(name) => new RegExp(`^${name}(/|$)`),
	);

/** Commander requires it for commands that are programs of their own, which no command is. Node takes a millisecond to load it. */
const noChildProcesses = {
	name: "no-child-processes",
	resolveId: {
		order: "pre",
		handler: (id, importer = "") =>
			id === "node:child_process" && importer.includes("commander")
				? "\0no-child-processes"
				: null,
	},
	load: (id) => (id === "\0no-child-processes" ? "module.exports = {};" : null),
};

/** The licences of bundled packages, in one file. */
const licences = {
	name: "licences",
	generateBundle(_options, chunks) {
		const ids = Object.values(chunks).flatMap(
			({ moduleIds = [] }) => moduleIds,
		);
		const folders = ids.flatMap((id) => {
			const [, folder] =
				/^\0?((?:.*[\\/])?node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(
					id,
				) ?? [];
			// Those of texts are relative.
			return folder ? [resolve(root, folder)] : [];
		});
		if (folders.length === 0) return;
		const texts = [...new Set(folders)].map((folder) => {
			const { name, version, license } = JSON.parse(
				readFileSync(`${folder}/package.json`, "utf8"),
			);
			const file = [
				...["LICENSE", "LICENSE.md", "license"].map(
					(each) => `${folder}/${each}`,
				),
				// The loader is a folder of the compiler's repository, published without its licence.
				`${folder}/../../assemblyscript/LICENSE`,
			].find((each) => existsSync(each));
			if (!file) throw new Error(`${name} has no licence file`);
			return `${name} ${version} (${license})\n\n${readFileSync(file, "utf8").trim()}\n`;
		});
		this.emitFile({
			type: "asset",
			fileName: "bundled-licenses.txt",
			source: `Packages whose code is part of the files in this folder.\n\n${texts.sort().join(`\n${"-".repeat(80)}\n\n`)}`,
		});
	},
};
