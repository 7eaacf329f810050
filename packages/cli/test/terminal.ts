import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "./run.ts";

export interface InTerminal {
	/** What the terminal shows: stdout and stderr, as they come. */
	readonly shown: string;
	readonly code: number | null;
}

/**
 * Runs a shell command in a terminal of 80 columns, which `script` makes; `robotrie` in it is the built command line. What is typed comes
 * from `typed`, then Ctrl-D: at once, or as soon as `after` is shown. `onShown` is called with all that is shown whenever there is more.
 */
export async function inTerminal(
	command: string,
	{
		typed = "",
		columns = 80,
		after = "",
		onShown = (_shown: string): void => {},
	} = {},
): Promise<InTerminal> {
	const cli = `'${process.execPath}' '${join(root, "packages/cli/main.js")}'`;
	const text = `stty cols ${columns} rows 24 -echo; ${command.replaceAll("robotrie ", `${cli} `)}`;
	const child = spawn("script", ["-qefc", text, "/dev/null"], {
		env: { PATH: process.env.PATH, TERM: "xterm", SHELL: "/bin/sh" },
	});
	let shown = "";
	const type = () => {
		if (shown.includes(after) && !child.stdin.writableEnded)
			child.stdin.end(typed);
	};
	child.stdout.on("data", (chunk) => {
		shown += chunk;
		onShown(shown);
		type();
	});
	type();
	const code = await new Promise<number | null>((resolve) => {
		child.on("close", resolve);
	});
	return { shown: shown.replace(/\r+\n/g, "\n"), code };
}
