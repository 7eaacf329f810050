import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../installed.ts";
import type { Runtime } from "./uses.ts";

/** Starts a runtime with a script. */
export interface Command {
	readonly file: string;
	readonly args: readonly string[];
}

/** The command if it runs here; otherwise says why it is skipped. */
function command(
	runtime: Runtime,
	file: string,
	from: string,
	...args: readonly string[]
): Command | undefined {
	try {
		execFileSync(file, ["--version"], { stdio: "ignore" });
		return { file, args };
	} catch (error) {
		const { code, status } = error as { code?: string; status?: number };
		console.warn(
			`skipped: ${runtime}: ${file} does not run (${code ?? status}); ${from}`,
		);
		return undefined;
	}
}

const bin = (name: string) => join(root, "node_modules/.bin", name);
const inNpm = "it comes with npm ci, without --ignore-scripts";

function node(major: number): Command | undefined {
	const runtime = `Node ${major}` as Runtime;
	if (process.version.startsWith(`v${major}.`))
		return command(runtime, process.execPath, "");
	const name = `node-${major}-${process.platform}-${process.arch}/bin/node`;
	const file = join(root, "test/nodes/node_modules", name);
	return command(runtime, file, "it comes with npm ci --prefix test/nodes");
}

export const commands: ReadonlyMap<Runtime, Command | undefined> = new Map([
	["Node 20", node(20)],
	["Node 22", node(22)],
	["Node 24", node(24)],
	["Deno", command("Deno", bin("deno"), inNpm, "run", "-A", "--quiet")],
	["Bun", command("Bun", bin("bun"), inNpm, "run")],
]);

/** workerd's program, or undefined; says why. */
export const workerd: Command | undefined = command(
	"workerd",
	bin("workerd"),
	inNpm,
	"test",
);

/** Whether a program of Debian's is there; says that it is not. */
export function hasProgram(
	runtime: Runtime,
	path: string,
	name: string,
): boolean {
	const found = existsSync(path);
	if (!found)
		console.warn(
			`skipped: ${runtime}: there is no ${path}; it comes with apt-get install ${name}`,
		);
	return found;
}
