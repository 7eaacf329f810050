import {
	createServer,
	type IncomingHttpHeaders,
	type IncomingMessage,
	type ServerResponse,
} from "node:http";
import type { AddressInfo, LookupFunction } from "node:net";
import { expect, vi } from "vitest";
import { RobotsClient, type RobotsClientOptions } from "../src/index.ts";

export type Handler = (
	request: IncomingMessage,
	response: ServerResponse,
) => void;

/** A server on loopback that stands for all hosts. */
export interface Site extends AsyncDisposable {
	readonly port: number;
	/** "http://name:port". */
	origin(name: string): string;
	/** What was asked for, "name/path", in order. */
	readonly requests: string[];
	readonly headers: IncomingHttpHeaders[];
}

export const FILE = "User-agent: *\nDisallow: /private\n";

/** Answers with FILE. */
export const file: Handler = (_, response) => response.end(FILE);

export async function serve(handler: Handler): Promise<Site> {
	const requests: string[] = [];
	const headers: IncomingHttpHeaders[] = [];
	const server = createServer((request, response) => {
		const host = request.headers.host?.replace(/:\d+$/, "");
		requests.push(`${host}${request.url}`);
		headers.push(request.headers);
		handler(request, response);
	});
	await new Promise<void>((resolve) => {
		server.listen(0, "127.0.0.1", resolve);
	});
	const { port } = server.address() as AddressInfo;
	return {
		port,
		requests,
		headers,
		origin: (name) => `http://${name}:${port}`,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** Every name is this machine, but those that end in ".invalid", which are none (RFC 6761 §6.4). */
export const loopback: LookupFunction = (hostname, options, callback) => {
	if (hostname.endsWith(".invalid")) {
		const error = new Error(`no address for ${hostname}`);
		return callback(Object.assign(error, { code: "ENOTFOUND" }), []);
	}
	const address = { address: "127.0.0.1", family: 4 };
	if (options.all) callback(null, [address]);
	else callback(null, address.address, address.family);
};

/** A client that finds all hosts on this machine. */
export function clientOf(
	options: Partial<RobotsClientOptions> = {},
): RobotsClient {
	return new RobotsClient({
		agent: "ExampleBot",
		allowPrivateNetwork: true,
		lookup: loopback,
		timeout: 10_000,
		...options,
	});
}

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A clock that stands still until it is set. */
export function clock() {
	const time = { now: Date.UTC(2026, 0, 1), read: () => time.now };
	return time;
}

/** Resolves when nothing is under way any more. */
export async function idle(client: RobotsClient): Promise<void> {
	await vi.waitFor(
		() => {
			const { active, queued } = client.stats();
			expect(active + queued).toBe(0);
		},
		{ timeout: 15_000 },
	);
}

/** Times by the wall clock and by the one that cannot be set, which go on together. */
export function clocks() {
	const wall = clock();
	const { now } = performance;
	let passed = now.call(performance);
	performance.now = () => passed;
	return {
		wall,
		pass(milliseconds: number) {
			wall.now += milliseconds;
			passed += milliseconds;
		},
		[Symbol.dispose]() {
			performance.now = now;
		},
	};
}
