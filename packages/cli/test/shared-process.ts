import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Collected } from "./collected.ts";

const server = fileURLToPath(new URL("command-server.mjs", import.meta.url));

/** What the process is sent. */
export interface Command {
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly cwd: string;
	readonly stdin: Uint8Array;
}

/** What it answers. */
interface Done {
	readonly code: number;
	/** How many bytes it wrote to each. */
	readonly stdout: number;
	readonly stderr: number;
}

let child: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/** Runs a command line in a process that has run others before: starting one takes longer than most commands. */
export function runShared(command: Command): Promise<Collected> {
	const collected = last.then(() => runNow(command));
	last = collected;
	return collected;
}

/** Waits until no command runs. The process ends with the one that started it. */
export async function idleShared(): Promise<void> {
	await last;
}

function start(): ChildProcess {
	return fork(server, {
		env: { PATH: process.env.PATH },
		execArgv: [],
		serialization: "advanced",
		stdio: ["ignore", "pipe", "pipe", "ipc"],
	});
}

function runNow(command: Command): Promise<Collected> {
	child ??= start();
	const running = child;
	const collected = new Collected();
	return new Promise((resolve) => {
		let done: Done | undefined;
		const settle = () => {
			running.stdout?.off("data", onStdout);
			running.stderr?.off("data", onStderr);
			running.off("message", onDone).off("close", onClose);
			resolve(collected);
		};
		// What is written may come after the answer.
		const check = () => {
			if (!done) return;
			if (collected.stdoutSize < done.stdout) return;
			if (collected.stderrSize < done.stderr) return;
			collected.code = done.code;
			settle();
		};
		const onStdout = (chunk: Buffer) => {
			collected.addStdout(chunk);
			check();
		};
		const onStderr = (chunk: Buffer) => {
			collected.addStderr(chunk);
			check();
		};
		const onDone = (message: unknown) => {
			done = message as Done;
			check();
		};
		// The command ended the process, as uncaught errors do.
		const onClose = (code: number | null) => {
			collected.code = code;
			child = undefined;
			settle();
		};
		running.stdout?.on("data", onStdout);
		running.stderr?.on("data", onStderr);
		running.on("message", onDone).on("close", onClose);
		running.send(command);
	});
}
