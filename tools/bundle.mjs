import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { esmExternalRequirePlugin } from "rolldown/plugins";
import { dts } from "rolldown-plugin-dts";
import { rawText } from "./raw-text.mjs";
import { wasmImport, wasmText } from "./wasm-text.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** What both sides of a package have: the files that `exports` names, and programs that threads are started with. */
const packages = {
	".": {
		entries: {
			index: "src/index.ts",
			access: "src/access.ts",
			compare: "src/compare.ts",
			disassemble: "src/disassemble.ts",
			lint: "src/lint.ts",
			pool: "src/pool.ts",
			"robots-parser": "src/robots-parser.ts",
		},
		programs: {
			internal: "src/internal.ts",
			"pool-worker": "src/sites/pool-worker.ts",
			"pool-loader": "src/sites/pool-loader.ts",
			// Where the bundled thread pool looks for it.
			"entry/worker": "node_modules/tinypool/dist/entry/worker.js",
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
		edge: ["index", "compare", "disassemble", "lint", "robots-parser"],
	},
	"packages/client": {
		entries: {
			index: "src/index.ts",
			lmdb: "src/lmdb.ts",
			redis: "src/redis.ts",
			sqlite: "src/sqlite.ts",
		},
		programs: { internal: "src/internal.ts" },
	},
	"packages/audit": {
		entries: { index: "src/index.ts" },
		programs: { internal: "src/internal.ts" },
	},
	"packages/cli": {
		entries: {},
		programs: {
			program: "src/program.ts",
			"audit-worker": "src/audit/worker.ts",
			"index-worker": "src/index/worker.ts",
			"match-worker": "src/match/worker.ts",
		},
	},
};

/** Folders of packages that are built. */
export const PACKAGES = Object.keys(packages);

/** Bundles every package to its dist, for Node and browsers, with declarations of its public entries. */
export async function bundle() {
	for (const [folder, { entries, programs, groups, edge }] of Object.entries(
		packages,
	)) {
		const cwd = `${root}${folder}`;
		const settings = { cwd, external: dependenciesOf(cwd), ...common };
		await build({
			...settings,
			input: {
				...entries,
				...Object.fromEntries(
					Object.entries(programs).map(([name, file]) => [
						name,
						file.startsWith("node_modules/") ? `${root}${file}` : file,
					]),
				),
			},
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
		if (edge)
			await build({
				...settings,
				input: Object.fromEntries(edge.map((name) => [name, entries[name]])),
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
		if (Object.keys(entries).length > 0)
			await build({
				...settings,
				input: entries,
				plugins: [
					dts({
						emitDtsOnly: true,
						// It would tell of the compiler that it uses.
						logger: { ...console, info: () => {}, warn: () => {} },
						tsconfig: `${root}tsconfig.json`,
						compilerOptions: { stripInternal: true, noEmit: false },
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

/** What is installed beside a package; all else that it imports is bundled. */
function dependenciesOf(folder) {
	const { dependencies, peerDependencies } = JSON.parse(
		readFileSync(`${folder}/package.json`, "utf8"),
	);
	const names = Object.keys({ ...dependencies, ...peerDependencies });
	return (id) => names.some((name) => id === name || id.startsWith(`${name}/`));
}

/** The package that a module belongs to, unless it is one of ours. */
function packageOf(id) {
	const [, folder, name] =
		/^\0?((?:.*[\\/])?node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+))[\\/]/.exec(
			id,
		) ?? [];
	if (!name) return null;
	return {
		folder: folder.startsWith("node_modules") ? `${root}${folder}` : folder,
		name: name.replace("\\", "/"),
	};
}

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
		const found = new Map(
			ids.flatMap((id) => {
				const from = packageOf(id);
				return from ? [[from.name, from.folder]] : [];
			}),
		);
		if (found.size === 0) return;
		const texts = [...found].sort().map(([name, folder]) => {
			const { version, license } = JSON.parse(
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
			source: `Packages whose code is part of the files in this folder.\n\n${texts.join(`\n${"-".repeat(80)}\n\n`)}`,
		});
	},
};
