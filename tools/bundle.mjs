// Bundles the packages, for Node and browsers and for the edge, with declarations of their public entries. What a package has in dist
// follows from its package.json: a file for each of `exports`, whose source is src/ENTRY.ts, and what is not among its dependencies is
// bundled. The build calls it, and a test that builds twice.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { esmExternalRequirePlugin } from "rolldown/plugins";
import { dts } from "rolldown-plugin-dts";
import { packages } from "./packages.mjs";
import { rawText, wasmImport, wasmText } from "./texts.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

export const bundle = async () => {
	for (const { folder, about } of packages)
		for (const output of outputsOf(folder, about)) await build(output);
};

/** The builds of a package: its code, that for the edge where `exports` has the condition workerd, and declarations. */
function outputsOf(folder, { exports, bin, dependencies, peerDependencies }) {
	/** The sources of entries that have a file of a kind. */
	const entries = (kind) =>
		Object.fromEntries(
			Object.values(exports)
				.map((one) => (typeof one === "string" ? { default: one } : one))
				.filter((one) => one[kind])
				.map((one) => /^\.\/dist\/([\w-]+)\.js$/.exec(one.default)?.[1])
				.filter(Boolean)
				.map((name) => [name, `src/${name}.ts`]),
		);
	const common = {
		cwd: `${root}${folder}`,
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
			// Commander requires it for commands that are programs of their own, which none is: Node would take a millisecond to load it.
			alias: bin ? { "node:child_process": false } : {},
		},
		transform: { target: "es2022" },
		// Entries that others load when they are needed.
		checks: { ineffectiveDynamicImport: false, bundlerTimings: false },
		treeshake: { moduleSideEffects: false },
	};
	const output = {
		dir: "dist",
		minifyInternalExports: false,
		// Docstrings are in the declarations.
		comments: { jsdoc: false },
		// Without hashes: the same wherever they are built.
		chunkFileNames: "[name].js",
		// Few files, since each costs Node almost a millisecond: of the library what almost all entries share, then what the main one reaches, or the
		// command's program; what five entries or commands share, and what rolldown makes of the rest. robotrie/access does without WebAssembly, "robotrie --version" without
		// robotrie: test/loading.test.ts has what is loaded.
		codeSplitting: {
			groups: [
				...(folder === "."
					? [
							{ name: "base", priority: 2, minShareCount: 10 },
							{ name: "main", priority: 1, test: /src[\\/]index\.ts$/ },
						]
					: [{ name: "main", priority: 1, test: /src[\\/]program\.ts$/ }]),
				{ name: "common", minShareCount: 5 },
			],
		},
	};
	const code = {
		...common,
		input: { ...entries("default"), ...(bin && { program: "src/program.ts" }) },
		plugins: [
			// Packages of CommonJS get what they require of Node by imports.
			esmExternalRequirePlugin({
				external: [bin ? /^node:(?!child_process)/ : /^node:/],
			}),
			threads,
			wasmText(),
			rawText,
			licences,
		],
		output,
	};
	// The same code once more, as one core cannot serve both: by "imports" of package.json it could choose its modules, which no page without a
	// bundler resolves; and modules that an entry hands over would leave the texts of the others, 27 KB gzipped, in a worker.
	const edge = {
		...common,
		input: entries("workerd"),
		plugins: [wasmImport],
		output: { ...output, dir: "dist/edge", minify: true },
	};
	const types = {
		...common,
		input: entries("types"),
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
			codeSplitting: true,
			// Matchers are disposable, which few projects' "lib" names; TypeScript 6 and later load Node's types only where they are asked for.
			banner: ({ imports }) =>
				[
					'/// <reference lib="esnext.disposable" />',
					...(imports.some((name) => name.startsWith("node:"))
						? ['/// <reference types="node" />']
						: []),
				].join("\n"),
		},
	};
	return [code, edge, types].filter(
		({ input }) => Object.keys(input).length > 0,
	);
}

/** A program that threads run is a file of its own: who starts them names it by `new URL("./NAME.js", import.meta.url)`. */
const threads = {
	name: "threads",
	transform(code, id) {
		const text = code.replace(
			/fileURLToPath\(import\.meta\.url \+ "\/\.\.\/entry\/worker\.js"\)/,
			'new URL("./tinypool-worker.js", import.meta.url)',
		);
		for (const [, name] of text.matchAll(
			/new URL\("\.\/([\w-]+)\.js", import\.meta\.url\)/g,
		))
			this.emitFile({
				type: "chunk",
				id: id.endsWith(".ts")
					? resolve(dirname(id), `${name}.ts`)
					: resolve(dirname(id), "entry/worker.js"),
				fileName: `${name}.js`,
			});
		return text === code ? undefined : { code: text, map: null };
	},
};

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
