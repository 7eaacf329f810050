// Bundles the fuzzer over the SIMD and the scalar build of the module, and runs both, half of the time each:
// npm run fuzz -- --minutes 60
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { wasmText } from "./wasm-text.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const args = process.argv.slice(2);
const at = args.indexOf("--minutes");
const [, minutes = "1"] = at < 0 ? [] : args.splice(at, 2);
if (!(Number(minutes) > 0)) throw new Error(`--minutes ${minutes} is no time`);

for (const variant of ["simd", "scalar"]) {
	const file = `build/fuzz/${variant}.mjs`;
	await build({
		input: "test/fuzz/run.ts",
		platform: "node",
		external: /^(?!@oxc-project)(@?[a-z][^:]*$|node:)/,
		plugins: [wasmText(variant)],
		// Node 20 knows no "using".
		transform: { target: "es2022" },
		output: { file, format: "esm", codeSplitting: false },
	});
	const half = String(Number(minutes) / 2);
	const { status } = spawnSync(
		process.execPath,
		[file, "--build", variant, "--minutes", half, ...args],
		{ stdio: "inherit" },
	);
	if (status !== 0) process.exitCode = 1;
}
