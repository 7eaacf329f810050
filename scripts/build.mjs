// Builds everything: the module in its variants, the library and the command
// line as bundles, the declarations. "--tests" adds the module's debug build.
import {
	chmodSync,
	copyFileSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import pLimit from "p-limit";
import { bundle, bundleForEdge } from "./bundle.mjs";
import { edgeEntries, entries, programs } from "./entries.mjs";
import { compileModule, node } from "./wasm-module.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

/** Tells a person who waits what is being done. */
const progress = (text) => {
	if (process.stderr.isTTY) console.error(text);
};

rmSync("dist", { recursive: true, force: true });
const targets = process.argv.includes("--tests")
	? ["simd", "scalar", "debug"]
	: ["simd", "scalar"];
const modules = [
	...targets.flatMap((target) => [
		["assembly/index.ts", "robotrie", target],
		["assembly/robots-index.ts", "robotrie-index", target],
		// Nobody asks for it as a file.
		["assembly/audit.ts", "robotrie-audit", target],
		// The benchmark's lower bounds.
		["assembly/controls.ts", "controls", target],
	]),
	["assembly/shared-index.ts", "robotrie-index", "shared"],
	// For the playground, which steps through byte-code.
	["assembly/index.ts", "robotrie", "traced"],
	// Parts by themselves, for test/units.
	...(targets.includes("debug")
		? ["debug", "scalar", "shared"].map((target) => [
				"assembly/test-exports.ts",
				"units",
				target,
			])
		: []),
];
progress("Compiling the WebAssembly modules, writing the declarations…");
const limit = pLimit(availableParallelism());
await Promise.all([
	...modules.map((args) => limit(() => compileModule(...args))),
	limit(() =>
		node(
			"node_modules/typescript/bin/tsc",
			...["--project", "tsconfig.types.json"],
		),
	),
]);

progress("Bundling the library and the command line…");
await bundle({ ...entries, ...programs });
await bundleForEdge(edgeEntries);
chmodSync("dist/cli.js", 0o755);
for (const name of ["robotrie", "robotrie-index"])
	for (const target of ["simd", "scalar"])
		copyFileSync(`build/${name}.${target}.wasm`, `dist/${name}.${target}.wasm`);

// Specifiers that end in ".ts" are no use to a reader of declarations; matchers are disposable, which few projects' "lib" names.
for (const name of readdirSync("dist/types", { recursive: true })) {
	if (!name.endsWith(".d.ts")) continue;
	const text = readFileSync(`dist/types/${name}`, "utf8");
	writeFileSync(
		`dist/types/${name}`,
		text.replace(/(["']\.[^"']*)\.ts(["'])/g, "$1.js$2"),
	);
}
// TypeScript 6 and later load Node's types only where they are asked for.
const needsNodeTypes = (name) => name === "client";
for (const [name, source] of Object.entries(entries)) {
	const from = `from "./types/${source.replace(/\.ts$/, ".js")}";\n`;
	// "export *" leaves out the default export.
	const hasDefault = /\bdefault\b/.test(readFileSync(source, "utf8"));
	writeFileSync(
		`dist/${name}.d.ts`,
		`/// <reference lib="esnext.disposable" />\n${needsNodeTypes(name) ? '/// <reference types="node" />\n' : ""}export * ${from}${hasDefault ? `export { default } ${from}` : ""}`,
	);
}
