import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Whether the tests with a real Redis can run; where it is not installed they are skipped. */
export const hasRedis: boolean = (() => {
	try {
		execFileSync("redis-server", ["--version"]);
		return true;
	} catch {
		return false;
	}
})();

export interface RedisServer extends AsyncDisposable {
	readonly url: string;
	/** Ends the server at once, as a crash does. */
	kill(): Promise<void>;
	/** Makes it stand still, with its connections open. */
	stop(): void;
	resume(): void;
	/** Starts it again on the same port, with what it has on disk. */
	restart(): Promise<void>;
}

/** An address of this process alone: connections of others, which take thousands of ports, cannot take that of a server that is started again. */
const HOST = `127.${64 + ((process.pid >> 16) & 63)}.${(process.pid >> 8) & 255}.${process.pid & 255}`;

/** A Redis server of our own on loopback, which writes everything to disk at once. */
export async function startRedis(): Promise<RedisServer> {
	const folder = mkdtempSync(join(tmpdir(), "robotrie-redis-"));
	const port = await freePort();
	const start = async () => {
		const child = spawn(
			"redis-server",
			[
				"--port",
				String(port),
				"--bind",
				HOST,
				"--dir",
				folder,
				"--save",
				"",
				"--appendonly",
				"yes",
				"--appendfsync",
				"always",
			],
			{ stdio: ["ignore", "pipe", "inherit"] },
		);
		let log = "";
		for await (const chunk of child.stdout) {
			log += chunk;
			if (log.includes("Ready to accept connections")) break;
		}
		if (child.exitCode !== null) throw new Error(`redis-server: ${log}`);
		return child;
	};
	let child = await start();
	const kill = async () => {
		if (child.exitCode !== null || child.signalCode !== null) return;
		child.kill("SIGKILL");
		await once(child, "exit");
	};
	return {
		url: `redis://${HOST}:${port}`,
		kill,
		stop: () => child.kill("SIGSTOP"),
		resume: () => child.kill("SIGCONT"),
		async restart() {
			child = await start();
		},
		async [Symbol.asyncDispose]() {
			await kill();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

async function freePort(): Promise<number> {
	const server = createServer().listen(0, HOST);
	await once(server, "listening");
	const address = server.address();
	server.close();
	await once(server, "close");
	if (address === null || typeof address === "string")
		throw new Error("no port");
	return address.port;
}
