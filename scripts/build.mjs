// Builds everything: the module in its variants, the library and the command
// line as bundles, the declarations. "--tests" adds the module's debug build.
import { execFileSync } from "node:child_process";
import {
	chmodSync,
	copyFileSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { rawText } from "./raw-text.mjs";
import { wasmText } from "./wasm-text.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const node = (script, ...args) =>
	execFileSync(process.execPath, [script, ...args], { stdio: "inherit" });

/** The compiler's remarks about its passes are of no use here, its errors are. */
function compileModule(entry, name, target) {
	const compiler = "node_modules/assemblyscript/bin/asc.js";
	const outFile = `build/${name}.${target}.wasm`;
	const options = ["--config", "asconfig.json", "--target", target];
	try {
		execFileSync(
			process.execPath,
			[compiler, entry, ...options, "--outFile", outFile],
			{ stdio: "pipe" },
		);
	} catch (error) {
		process.stderr.write(error.stdout);
		process.stderr.write(error.stderr);
		process.exit(1);
	}
}

rmSync("dist", { recursive: true, force: true });
const targets = process.argv.includes("--tests")
	? ["simd", "scalar", "debug"]
	: ["simd", "scalar"];
const modules = [
	["assembly/index.ts", "robotrie"],
	["assembly/robots-index.ts", "robotrie-index"],
];
for (const target of targets) {
	for (const [entry, name] of modules) compileModule(entry, name, target);
	// For Node only, where nobody asks for it as a file.
	compileModule("assembly/audit.ts", "robotrie-audit", target);
}
compileModule("assembly/shared-index.ts", "robotrie-index", "shared");

/** What `exports` in package.json names, by the file in dist. */
const entries = {
	index: "src/index.ts",
	access: "src/access/index.ts",
	audit: "src/audit.ts",
	client: "src/client/index.ts",
	disassemble: "src/disassemble.ts",
	lint: "src/lint.ts",
	pool: "src/pool.ts",
	"store-lmdb": "src/client/lmdb-store.ts",
	"store-redis": "src/client/redis-store.ts",
};
const { dependencies, peerDependencies } = JSON.parse(
	readFileSync("package.json", "utf8"),
);
const options = {
	bundle: true,
	format: "esm",
	target: "es2022",
	platform: "neutral",
	// What the library itself uses is bundled, so that it also runs where nothing resolves package names.
	external: [
		"node:*",
		...Object.keys({ ...dependencies, ...peerDependencies }),
	],
	mainFields: ["module", "main"],
	conditions: ["import"],
	plugins: [wasmText],
	charset: "utf8",
	legalComments: "inline",
	minify: true,
	metafile: true,
};

// All that the library consists of goes into one file, core.js, which the entries import from. Left to itself the bundler
// would cut it into a file for each set of entries that share something: gzipped, those are 3 KB more.
const { metafile } = await build({
	...options,
	entryPoints: [entries.index],
	write: false,
});
const core = Object.keys(metafile.inputs).filter(
	(file) =>
		file.startsWith("src/") && file.endsWith(".ts") && file !== entries.index,
);
const importCore = {
	name: "import-core",
	setup(bundle) {
		bundle.onResolve({ filter: /\.ts$/ }, ({ path, resolveDir }) => {
			const file = relative(".", join(resolveDir, path));
			return core.includes(file)
				? { path: "./core.js", external: true, sideEffects: false }
				: undefined;
		});
	},
};
const { outputFiles } = await build({
	...options,
	entryPoints: {
		...entries,
		"pool-worker": "src/pool-worker.ts",
		"audit-worker": "src/cli/audit-worker.ts",
		cli: "src/cli/main.ts",
	},
	outdir: "dist",
	splitting: true,
	chunkNames: "shared-[hash]",
	plugins: [importCore, wasmText, rawText],
	write: false,
});
const names = new Set();
for (const { path, text } of outputFiles) {
	for (const [, list] of text.matchAll(/\{([^{}]*)\}from"\.\/core\.js"/g))
		for (const name of list.split(",")) names.add(name.split(" as ")[0].trim());
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
	plugins: [
		wasmText,
		{
			name: "all",
			setup(bundle) {
				bundle.onResolve({ filter: /^all$/ }, () => ({
					path: "all",
					namespace: "all",
				}));
				bundle.onLoad({ filter: /^all$/, namespace: "all" }, () => ({
					contents: core.map((file) => `export * from "./${file}";`).join("\n"),
					resolveDir: ".",
				}));
			},
		},
	],
});
chmodSync("dist/cli.js", 0o755);
for (const target of ["simd", "scalar"])
	for (const [, name] of modules)
		copyFileSync(`build/${name}.${target}.wasm`, `dist/${name}.${target}.wasm`);
node("node_modules/typescript/bin/tsc", "--project", "tsconfig.types.json");

// Specifiers that end in ".ts" are no use to a reader of declarations; matchers are disposable, which few projects' "lib" names.
for (const name of readdirSync("dist/types", { recursive: true })) {
	if (!name.endsWith(".d.ts")) continue;
	const text = readFileSync(`dist/types/${name}`, "utf8");
	writeFileSync(
		`dist/types/${name}`,
		text.replace(/(["']\.[^"']*)\.ts(["'])/g, "$1.js$2"),
	);
}
for (const [name, source] of Object.entries(entries))
	writeFileSync(
		`dist/${name}.d.ts`,
		`/// <reference lib="esnext.disposable" />\nexport * from "./types/${source.replace(/\.ts$/, ".js")}";\n`,
	);
