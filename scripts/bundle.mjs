import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { esmExternalRequirePlugin } from "rolldown/plugins";
import { rawText } from "./raw-text.mjs";
import { wasmImport, wasmText } from "./wasm-text.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { dependencies, peerDependencies } = JSON.parse(
	readFileSync(join(root, "package.json"), "utf8"),
);
const packages = Object.keys({ ...dependencies, ...peerDependencies });

/**
 * Bundles files to dist, an output for each name: readable, with source maps. All that `entries.index` (the library) consists of is
 * one chunk, core.js, but for what `entries.access` uses as well, which is base.js. What else several entries use is a chunk for each
 * folder of src; WebAssembly binaries are modules without other code, so that no stack trace shows them. Chunks have names without hashes,
 * the same wherever they are built.
 */
export async function bundle(entries) {
	await build({
		input: entries,
		platform: "neutral",
		resolve: { mainFields: ["module", "main"], conditionNames: ["import"] },
		// Packages that are not among the dependencies are bundled: so the library runs where nothing resolves package names.
		external: (id) =>
			packages.some((name) => id === name || id.startsWith(`${name}/`)),
		plugins: [
			noChildProcesses,
			// Packages of CommonJS get what they require of Node by imports.
			esmExternalRequirePlugin({ external: [/^node:/] }),
			wasmText(),
			rawText,
			licences,
		],
		transform: { target: "es2022" },
		// Stores load lazily as a file each, for their entries, or as parts of the client.
		checks: { ineffectiveDynamicImport: false },
		output: {
			dir: "dist",
			format: "esm",
			sourcemap: true,
			minifyInternalExports: false,
			entryFileNames: "[name].js",
			chunkFileNames: chunkName,
			codeSplitting: {
				groups: [
					{ debugName: "wasm", name: wasmChunk },
					{ debugName: "base", name: baseChunk(entries.access) },
					{ debugName: "core", name: chunkOf("core", entries.index) },
					// The program must not load what its commands have in common.
					{
						debugName: "start",
						test: /[\\/]src[\\/]cli[\\/]output[\\/](failure|output|util)\.ts$/,
						name: "cli-start",
					},
					{ debugName: "bundled", name: packageChunk },
					// The command line looks at files and lines so before it does anything with them.
					{
						debugName: "whole-file",
						test: /[\\/](whole-file|line-feed)\.ts$/,
						name: "whole-file",
						minShareCount: 2,
					},
					// Comparing files takes of lint only this.
					{
						debugName: "witness",
						test: /[\\/]src[\\/]lint[\\/](witness|work)\.ts$/,
						name: "witness",
					},
					// The command line asks for near names without linting.
					{
						debugName: "suggest",
						test: /[\\/]suggest\.ts$/,
						name: "suggest",
						minShareCount: 2,
					},
					// A chunk takes in what its modules import. What lint has in common with the command line must not need Node.
					{
						debugName: "lint",
						test: /[\\/]src[\\/]lint[\\/]/,
						name: folderChunk,
						minShareCount: 2,
					},
					// Of audits, few write states, or rows.
					{
						debugName: "state",
						test: /[\\/]src[\\/]log[\\/]state/,
						name: "audit-state",
					},
					// Only commands that write files or read shards need this, and node:crypto for it.
					{
						debugName: "output-file",
						test: /[\\/]src[\\/]cli[\\/][\w-]+[\\/](draft|index-file|index-folder|output-file|shard-set)\.ts$/,
						name: "output-file",
					},
					// Only threads need this, and tinypool for it.
					{
						debugName: "threads",
						test: /[\\/]src[\\/]cli[\\/]options[\\/]threads\.ts$/,
						name: "cli-threads",
					},
					// Rows in CSV need a package; rows of the library do not.
					{
						debugName: "each-csv",
						test: /[\\/]src[\\/]log[\\/]each-csv\.ts$/,
						name: "audit-csv-rows",
					},
					{
						debugName: "each",
						test: /[\\/]src[\\/]log[\\/]each-/,
						name: "audit-rows",
					},
					// Few commands need what only two of them have in common.
					{
						debugName: "commands",
						test: /[\\/]src[\\/]cli[\\/]/,
						name: folderChunk,
						minShareCount: 4,
					},
					{
						debugName: "shared",
						test: /[\\/]src[\\/](?!cli[\\/])/,
						name: folderChunk,
						minShareCount: 2,
					},
				],
			},
		},
	});
}

/**
 * Bundles files to dist/edge, for runtimes that compile no WebAssembly from bytes (workerd, edge-light): they import the .wasm files of
 * dist as modules.
 */
export async function bundleForEdge(entries) {
	await build({
		input: entries,
		platform: "neutral",
		resolve: { mainFields: ["module", "main"], conditionNames: ["import"] },
		plugins: [wasmImport((name) => `../${name}.simd.wasm`)],
		transform: { target: "es2022" },
		makeAbsoluteExternalsRelative: false,
		output: {
			dir: "dist/edge",
			format: "esm",
			sourcemap: true,
			minifyInternalExports: false,
			entryFileNames: "[name].js",
			chunkFileNames: "[name].js",
			codeSplitting: {
				groups: [{ debugName: "core", name: "core", minShareCount: 2 }],
			},
		},
	});
}

/** Parts of the command line are called by their folder too: audit/run.ts is cli-audit-run.js, audit/audit.ts cli-audit.js. */
function chunkName({ name, facadeModuleId, moduleIds }) {
	const id =
		facadeModuleId ?? moduleIds.find((each) => each.endsWith(`/${name}.ts`));
	const [, folder, file] =
		/[\\/]src[\\/]cli[\\/](?:([\w-]+)[\\/])?([\w-]+)\.ts$/.exec(id ?? "") ?? [];
	if (!file) return "[name].js";
	return folder && !file.startsWith(folder)
		? `cli-${folder}-${file}.js`
		: `cli-${file}.js`;
}

/** What the library loads in any case is one file, as each costs Node half a millisecond. */
const wasmChunk = (id) => {
	const [, name, build] = /([\w-]+)\.(\w+)\.wasm$/.exec(id) ?? [];
	if (!name) return null;
	if (build === "shared") return "wasm/shared";
	return name === "robotrie-audit" ? "wasm/audit" : "wasm/core";
};

/** One chunk for the modules that an entry imports, directly or not. */
function chunkOf(name, entry) {
	const modules = new Set();
	return (id, chunking) => {
		if (modules.size === 0) {
			modules.add(join(root, entry));
			for (const module of modules)
				for (const imported of chunking.getModuleInfo(module)?.importedIds ??
					[])
					modules.add(imported);
		}
		return modules.has(id) ? name : null;
	};
}

/** What `robotrie/access` has in common with the rest. It must not load core.js, which compiles WebAssembly. */
function baseChunk(entry) {
	const chunk = chunkOf("base", entry);
	const isCommon = /[\\/](src[\\/](common|robots-txt)|assembly)[\\/]/;
	return (id, chunking) => (isCommon.test(id) ? chunk(id, chunking) : null);
}

const packageChunk = (id) => {
	if (id.includes("@oxc-project+runtime")) return "bundled/oxc-runtime";
	const name = packageOf(id)?.name;
	return name
		? `bundled/${name.replace("@", "").replace("/", "-").replace(/\.js$/, "")}`
		: null;
};

const folderChunk = (id) => {
	const folder = /[\\/]src[\\/]([\w-]+)/.exec(id)?.[1];
	return folder ? `shared-${folder}` : null;
};

/** The package that a module belongs to, unless it is this one. */
function packageOf(id) {
	const [, folder, name] =
		/^\0?((?:.*[\\/])?node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+))[\\/]/.exec(
			id,
		) ?? [];
	return name
		? { folder: resolve(root, folder), name: name.replace("\\", "/") }
		: null;
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
