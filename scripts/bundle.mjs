import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { build } from "esbuild";
import { rawText } from "./raw-text.mjs";
import { wasmText } from "./wasm-text.mjs";

const { dependencies, peerDependencies } = JSON.parse(
	readFileSync("package.json", "utf8"),
);
const options = {
	bundle: true,
	format: "esm",
	target: "es2022",
	platform: "neutral",
	// What the library itself uses is bundled, so that it also runs where nothing resolves package names; and a development
	// dependency that would be loaded for long.
	external: [
		"node:*",
		...Object.keys({ ...dependencies, ...peerDependencies }),
	],
	mainFields: ["module", "main"],
	conditions: ["import"],
	charset: "utf8",
	legalComments: "inline",
	minify: true,
};

/**
 * Bundles files to dist, an output for each name. All that the library (`index`) consists of goes into one file, core.js, which
 * they import from. Left to itself the bundler would cut it into a file for each set of entries that share something:
 * gzipped, those are 3 KB more.
 */
export async function bundle(entries) {
	const core = await filesOf(entries.index);
	const { outputFiles, metafile } = await build({
		...options,
		metafile: true,
		entryPoints: entries,
		outdir: "dist",
		splitting: true,
		chunkNames: "shared-[hash]",
		plugins: [importCore(core), wasmText, rawText, licensed],
		write: false,
	});
	const names = new Set();
	for (const { path, text: whole } of outputFiles) {
		// The library's own entry has nothing but core.js, even where others share it; no file does more than define things.
		const { exports } = metafile.outputs["dist/index.js"];
		const text = path.endsWith("/index.js")
			? `export{${exports}}from"./core.js";\n`
			: whole.replace(/import"\.\/shared-\w+\.js";/g, "");
		for (const name of namesFromCore(text)) names.add(name);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
	}
	await build({
		...options,
		stdin: {
			contents: `export { ${[...names]} } from "all"`,
			resolveDir: ".",
		},
		outfile: "dist/core.js",
		plugins: [allOf(core), wasmText],
	});
}

/** Packages that are bundled come with their licences. As a file of its own, ipaddr.js costs an audit 8 of its first 250 ms. */
const licensed = {
	name: "licensed",
	setup(bundler) {
		bundler.onLoad(
			{ filter: /node_modules.ipaddr\.js.lib.\w+\.js$/ },
			(args) => {
				const licence = readFileSync("node_modules/ipaddr.js/LICENSE", "utf8");
				const source = readFileSync(args.path, "utf8");
				return { contents: `/*! ipaddr.js: ${licence}*/\n${source}` };
			},
		);
	},
};

/** Sources that an entry consists of, without itself. */
async function filesOf(entry) {
	const { metafile } = await build({
		...options,
		entryPoints: [entry],
		plugins: [wasmText],
		metafile: true,
		write: false,
	});
	return Object.keys(metafile.inputs).filter(
		(file) => file.startsWith("src/") && file.endsWith(".ts") && file !== entry,
	);
}

/** What a bundle imports from core.js. */
function namesFromCore(text) {
	const lists = text.matchAll(/\{([^{}]*)\}from"\.\/core\.js"/g);
	return [...lists].flatMap(([, list]) =>
		list.split(",").map((name) => name.split(" as ")[0].trim()),
	);
}

/** Imports of core's files become imports of core.js. */
const importCore = (core) => ({
	name: "import-core",
	setup(bundler) {
		bundler.onResolve({ filter: /\.ts$/ }, ({ path, resolveDir }) => {
			const file = relative(".", join(resolveDir, path));
			return core.includes(file)
				? { path: "./core.js", external: true, sideEffects: false }
				: undefined;
		});
	},
});

/** The module "all" exports what any of these files does. */
const allOf = (files) => ({
	name: "all",
	setup(bundler) {
		const filter = /^all$/;
		bundler.onResolve({ filter }, ({ path }) => ({ path, namespace: path }));
		bundler.onLoad({ filter, namespace: "all" }, () => ({
			contents: files.map((file) => `export * from "./${file}";`).join("\n"),
			resolveDir: ".",
		}));
	},
});
