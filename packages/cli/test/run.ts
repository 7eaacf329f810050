import { type ChildProcess, spawn } from "node:child_process";
import {
	existsSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { Collected, type Result } from "./collected.ts";
import { idleShared, runShared } from "./shared-process.ts";

export const root: string = fileURLToPath(
	new URL("../../../", import.meta.url),
);
const cli = join(root, "packages/cli/main.js");

const reportMemory = join(root, "tools/report-memory.mjs");
/** What it says on stderr. */
const REPORT = /peak memory (\S+) MiB\n/;

export interface Input {
	/** What stands on stdin; nothing by default. */
	readonly stdin?: string | Uint8Array;
	readonly env?: Readonly<Record<string, string>>;
	/** The folder it runs in, by default the project's. */
	readonly cwd?: string;
}

/**
 * Runs the built command line, in a process that runs those of many test files; with ROBOTRIE_ALL=1 in one of its own, which takes longer
 * than most commands do.
 */
export async function robotrie(
	args: readonly string[],
	input: Input = {},
): Promise<Result> {
	if (process.env.ROBOTRIE_ALL === "1") return robotrieProcess(args, input);
	const { stdin = "", env = {}, cwd = root } = input;
	const collected = await runShared({
		args,
		env: { PATH: process.env.PATH, ...env },
		cwd,
		stdin: Buffer.from(stdin),
	});
	return collected.result();
}

export interface ProcessInput extends Omit<Input, "stdin"> {
	readonly stdin?:
		| string
		| Uint8Array
		| Iterable<Uint8Array>
		| AsyncIterable<Uint8Array>;
	/** Closes our end of stdout once this much has been read. */
	readonly closeAfter?: number;
	/** Called whenever something arrives on stdout. */
	readonly onOutput?: () => void;
	/** Called with what arrives on stderr. */
	readonly onMessage?: (text: string) => void;
	/** Reads nothing for so many milliseconds now and then. */
	readonly pauses?: number;
}

export interface ProcessResult extends Result {
	/** MiB of memory that the process took at most. */
	readonly memory: number;
}

/** Runs the built command line as a process of its own, for tests of memory, pipes and what else a process has. */
export async function robotrieProcess(
	args: readonly string[],
	{
		stdin = "",
		env = {},
		cwd = root,
		closeAfter = Number.POSITIVE_INFINITY,
		onOutput,
		onMessage,
		pauses = 0,
	}: ProcessInput = {},
): Promise<ProcessResult> {
	const child = spawn(
		process.execPath,
		["--import", reportMemory, cli, ...args],
		{ cwd, env: { PATH: process.env.PATH, ...env } },
	);
	const collected = new Collected();
	child.stdout.on("data", (chunk: Buffer) => {
		collected.addStdout(chunk);
		onOutput?.();
		if (pauses > 0) {
			child.stdout.pause();
			setTimeout(() => child.stdout.resume(), pauses);
		}
		if (collected.stdoutSize >= closeAfter) child.stdout.destroy();
	});
	child.stderr.on("data", (chunk: Buffer) => {
		collected.addStderr(chunk);
		onMessage?.(String(chunk));
	});
	const closed = new Promise<number | null>((resolve) => {
		child.on("close", resolve);
	});
	const chunks =
		typeof stdin === "string" || stdin instanceof Uint8Array
			? [Buffer.from(stdin)]
			: stdin;
	await pipeline(
		Readable.from(chunks, { objectMode: false }),
		child.stdin,
	).catch(() => {
		// The process may end before it has read all.
	});
	collected.code = await closed;
	const result = collected.result();
	return {
		...result,
		stderr: result.stderr.replace(REPORT, ""),
		memory: Number(REPORT.exec(result.stderr)?.[1]),
	};
}

/** Whether a process waits for something, where that can be told: one that the machine stops, or has no time for, does not. */
export function isAsleep({ pid }: ChildProcess): boolean {
	const path = `/proc/${pid}/stat`;
	if (!existsSync(path)) return true;
	return / S [^)]*$/.test(readFileSync(path, "utf8"));
}

/** A temporary folder of the test file. */
export let folder: string;

/** A robots.txt for most tests: /private is disallowed, to Examplebot /examples as well, to Otherbot only /others. */
export let robots: string;

/** Gives a test file its folder. Where files share a process, this module is loaded once; own-folder.ts begins each of them. */
export function begin(): void {
	const own = mkdtempSync(join(tmpdir(), "robotrie-"));
	folder = own;
	robots = file(
		"robots.txt",
		`User-agent: *
Disallow: /private
Allow: /private/open

User-agent: Examplebot
Disallow: /private
Disallow: /examples

User-agent: Otherbot
Disallow: /others
`,
	);
	afterAll(async () => {
		await idleShared();
		rmSync(own, { recursive: true, force: true });
	});
}

/** The path of a temporary file with this content. */
export function file(name: string, content: string | Uint8Array): string {
	const path = join(folder, name);
	writeFileSync(path, content);
	return path;
}

begin();
