// Builds everything: the module in its variants, the library and the command
// line as bundles, the declarations. "--tests" adds the module's debug build.
import { execFileSync } from "node:child_process";
import {
	chmodSync,
	copyFileSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { wasmText } from "./wasm-text.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const node = (script, ...args) =>
	execFileSync(process.execPath, [script, ...args], { stdio: "inherit" });

/** The compiler's remarks about its passes are of no use here, its errors are. */
function compileModule(target) {
	const compiler = "node_modules/assemblyscript/bin/asc.js";
	const options = ["--config", "asconfig.json", "--target", target];
	try {
		execFileSync(process.execPath, [compiler, ...options], { stdio: "pipe" });
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
for (const target of targets) compileModule(target);

const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
await build({
	entryPoints: {
		index: "src/index.ts",
		lint: "src/lint.ts",
		cli: "src/cli/main.ts",
	},
	outdir: "dist",
	bundle: true,
	splitting: true,
	format: "esm",
	target: "es2022",
	platform: "neutral",
	chunkNames: "shared-[hash]",
	// The loader is bundled, so that the library also runs where nothing resolves package names.
	external: ["node:*", ...Object.keys(dependencies)],
	mainFields: ["module", "main"],
	conditions: ["import"],
	plugins: [wasmText],
	charset: "utf8",
	legalComments: "inline",
	// Names stay, for stack traces.
	minifyWhitespace: true,
	minifySyntax: true,
});
chmodSync("dist/cli.js", 0o755);
for (const target of ["simd", "scalar"])
	copyFileSync(`build/robotrie.${target}.wasm`, `dist/robotrie.${target}.wasm`);
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
for (const entry of ["index", "lint"])
	writeFileSync(
		`dist/${entry}.d.ts`,
		`/// <reference lib="esnext.disposable" />\nexport * from "./types/src/${entry}.js";\n`,
	);
