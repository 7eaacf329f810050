// Runs the command lines that its parent sends, one after the other. Modules stay loaded; argv, env, the folder, stdin and the exit code
// are set anew for each.
import { Readable } from "node:stream";

const cli = new URL("../main.js", import.meta.url);
const CHUNK = 65_536;

function* chunksOf(bytes) {
	for (let at = 0; at < bytes.length; at += CHUNK)
		yield bytes.subarray(at, at + CHUNK);
}

function setEnv(env) {
	for (const name of Object.keys(process.env))
		if (!(name in env)) delete process.env[name];
	Object.assign(process.env, env);
}

let runs = 0;
process.on("message", async ({ args, env, cwd, stdin }) => {
	const outputs = [process.stdout, process.stderr];
	const before = outputs.map(({ bytesWritten }) => bytesWritten);
	setEnv(env);
	process.chdir(cwd);
	process.argv.splice(1, process.argv.length, cli.pathname, ...args);
	process.exitCode = undefined;
	Object.defineProperty(process, "stdin", {
		value: Readable.from(chunksOf(Buffer.from(stdin)), { objectMode: false }),
		configurable: true,
	});
	// Another address evaluates the entry again; it ends when the command has.
	await import(`${cli}?${runs++}`);
	for (const output of outputs) output.removeAllListeners("error");
	const code = process.exitCode ?? 0;
	process.exitCode = undefined;
	const [stdout, stderr] = outputs.map(
		({ bytesWritten }, i) => bytesWritten - before[i],
	);
	process.send({ code, stdout, stderr });
});
// What a command may have left open does not keep it alive.
process.on("disconnect", () => process.exit());
