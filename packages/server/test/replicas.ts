/** Replicas as processes of the built command line, over a Redis server, and a server on loopback that is all origins. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { root } from "../../../test/installed.ts";

export interface Replica {
	readonly base: string;
	readonly child: ChildProcess;
	/** Ends it at once, as a crash does. */
	kill(): Promise<void>;
	/** Ends it as a deployment does; gives its exit code. */
	stop(): Promise<number | null>;
}

/** Starts `robotrie serve` and waits until it listens. */
export async function startReplica(
	args: readonly string[],
	{
		node = process.execPath,
		env = {},
	}: { node?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Replica> {
	const child = spawn(
		node,
		[
			join(root, "packages/cli/main.js"),
			"serve",
			"--log-level",
			"warn",
			...args,
		],
		{ stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } },
	);
	child.stdout.resume();
	let said = "";
	let base: string | undefined;
	for await (const line of createInterface({ input: child.stderr })) {
		said += `${line}\n`;
		base = /listening on (.*)/.exec(line)?.[1];
		if (base !== undefined) break;
	}
	if (base === undefined) throw new Error(`robotrie serve: ${said}`);
	child.stderr.resume();
	const end = async (signal: NodeJS.Signals) => {
		if (child.exitCode === null && child.signalCode === null) {
			child.kill(signal);
			await once(child, "exit");
		}
		return child.exitCode;
	};
	return {
		base,
		child,
		kill: async () => {
			await end("SIGKILL");
		},
		stop: () => end("SIGTERM"),
	};
}

/** Origins on loopback: addresses of 127.0.0.0/8 with one port, so that no names have to be resolved. */
export interface Origins extends AsyncDisposable {
	readonly origins: readonly string[];
	/** How often each origin was asked for its robots.txt. */
	readonly asked: ReadonlyMap<string, number>;
	/** The robots.txt of an origin, or undefined for a 404. */
	robotsOf(origin: string): string | undefined;
}

/** Each answer takes some milliseconds, and has a comment of so many random bytes. */
export async function serveOrigins(
	count: number,
	milliseconds = 0,
	comment = 0,
): Promise<Origins> {
	const asked = new Map<string, number>();
	const robotsOf = (origin: string) => {
		const number = numbers.get(origin) ?? 0;
		if (number % 10 === 9) return undefined;
		return `User-agent: ABot\nDisallow: /a${number % 7}\n\nUser-agent: *\nDisallow: /b${number % 5}\nAllow: /b0/open\n`;
	};
	const server = createServer((request, response) => {
		const origin = `http://${request.headers.host}`;
		const isRobots = request.url === "/robots.txt";
		if (isRobots) asked.set(origin, (asked.get(origin) ?? 0) + 1);
		response.setHeader("content-type", isRobots ? "text/plain" : "text/html");
		const robots = robotsOf(origin);
		setTimeout(() => {
			if (robots === undefined) response.statusCode = 404;
			const random = randomBytes(comment / 2).toString("hex");
			response.end(`${robots ?? ""}# ${random}`);
		}, milliseconds);
	});
	server.listen(0, "0.0.0.0");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	const origins = Array.from(
		{ length: count },
		(_, i) => `http://127.1.${i >> 8}.${i & 255}:${port}`,
	);
	const numbers = new Map(origins.map((origin, i) => [origin, i]));
	return {
		origins,
		asked,
		robotsOf,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			server.close();
			await once(server, "close");
		},
	};
}
