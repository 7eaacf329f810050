import { execFile } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../installed.ts";
import { workerd } from "../runtimes/commands.ts";

/**
 * A worker at the edge as wrangler bundles it, without sending it anywhere, and as workerd runs it. In wrangler's own order: it finds the
 * package's `.wasm` files by the condition `workerd`, and puts them beside the script.
 */

/** Prints the `answer` of use.js: an index needs random numbers, which are given to handlers alone. */
export const WORKER = `export default { async test() {
	const { answer } = await import("./use.js");
	console.log(JSON.stringify(answer));
} };`;

export const WRANGLER =
	'name = "use"\nmain = "worker.js"\ncompatibility_date = "2026-01-01"\n';

/** Bundles a folder's worker.js and runs it. */
export async function workerAnswer(folder: string): Promise<unknown> {
	const run = promisify(execFile);
	await run(
		join(root, "test/bundlers/node_modules/.bin/wrangler"),
		["deploy", "--dry-run", "--outdir", "out"],
		{
			cwd: folder,
			env: { ...process.env, WRANGLER_SEND_METRICS: "false", HOME: folder },
		},
	);
	const modules = readdirSync(join(folder, "out"))
		.filter((file) => /\.(js|wasm)$/.test(file))
		// The first one is the worker.
		.sort((a, b) => Number(b.endsWith(".js")) - Number(a.endsWith(".js")))
		.map((file) => {
			const kind = file.endsWith(".js") ? "esModule" : "wasm";
			return `(name = "${file}", ${kind} = embed "out/${file}")`;
		});
	writeFileSync(
		join(folder, "config.capnp"),
		`using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = .main)]);
const main :Workerd.Worker = (
  modules = [${modules.join(", ")}],
  compatibilityDate = "2026-01-01",
);
`,
	);
	if (!workerd) throw new Error("workerd does not run");
	const { stdout } = await run(
		workerd.file,
		[...workerd.args, join(folder, "config.capnp")],
		{ timeout: 60_000 },
	);
	return JSON.parse(stdout);
}
