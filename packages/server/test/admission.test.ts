import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import {
	type ClientHttp2Session,
	connect as connectHttp2,
	type ServerHttp2Stream,
} from "node:http2";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { casesOf } from "../../../test/cases.ts";
import type { Service, ServiceOptions } from "../src/index.ts";
import { serviceOf } from "./services.ts";

/**
 * What a request is counted for is given back, however it ends: answered, aborted, queued behind another one of its connection, cut within its
 * body. Time is the tests', so whatever waits does so until they let it pass.
 */

const folder = mkdtempSync(join(tmpdir(), "robotrie-admission-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MAX_TIME = 60_000;
/** After which a session of HTTP/2 that asks nothing ends: Fastify's default. */
const IDLE_TIME = 72_000;
const GAUGES = ["requests_waiting", "held_bytes", "fetches_active"];

/** A service whose sites never answer, but for example.com. */
async function silentService(options: ServiceOptions = {}) {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	const { service } = await serviceOf({
		maxTime: MAX_TIME,
		...options,
		client: {
			timeout: 10 * MAX_TIME,
			fetch: (_, init) =>
				new Promise((_, reject) => {
					init?.signal?.addEventListener("abort", () =>
						reject(init.signal?.reason),
					);
				}),
		},
	});
	onTestFinished(async () => {
		vi.useRealTimers();
		if ("closeAllConnections" in service.server)
			service.server.closeAllConnections();
		await service.close();
	});
	await service.inject({
		method: "PUT",
		url: "/origins/https%3A%2F%2Fexample.com",
		payload: "",
		headers: { "content-type": "text/plain" },
	});
	return service;
}

async function gaugesOf(service: Service): Promise<number[]> {
	const { body } = await service.inject("/metrics");
	return GAUGES.map((name) =>
		Number(new RegExp(`^robotrie_${name} (\\d+)`, "m").exec(body)?.[1]),
	);
}

/** Turns of the event loop until the gauges are such; they come to nothing else if they do not. */
async function until(
	service: Service,
	isSuch: (gauges: number[]) => boolean,
): Promise<void> {
	let gauges: number[] = [];
	for (let turn = 0; turn < 2000; turn++) {
		gauges = await gaugesOf(service);
		if (isSuch(gauges)) return;
		await new Promise(setImmediate);
	}
	throw new Error(`the gauges stay ${gauges}`);
}

/** Turns until no connection is left, when the time of idle sessions is over, too. */
async function untilUnconnected({ server }: Service): Promise<void> {
	await vi.advanceTimersByTimeAsync(IDLE_TIME);
	let count = 0;
	for (let turn = 0; turn < 2000; turn++) {
		server.getConnections((_, now) => {
			count = now;
		});
		await new Promise(setImmediate);
		if (count === 0) return;
	}
	throw new Error(`${count} connections stay`);
}

const isIdle = (gauges: number[]) => gauges.every((value) => value === 0);

/** Opens a connection that survives whatever is done to it. */
async function open(place: { port: number } | { path: string }) {
	const socket = connect({ allowHalfOpen: true, ...place });
	socket.on("error", () => {});
	socket.resume();
	await once(socket, "connect");
	return socket;
}

async function portOf(service: Service): Promise<{ port: number }> {
	await service.listen({ port: 0, host: "127.0.0.1" });
	const address = service.server.address();
	if (typeof address !== "object" || !address) throw new Error("no port");
	return { port: address.port };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const post = (path: string, body: string, length = body.length) =>
	`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n${body}`;
const SILENT = "https://silent.example/";
const EXPLAIN = get(`/explain?url=${SILENT}`);

describe("Requests behind each other on one connection", () => {
	test.each([
		["GET", EXPLAIN.repeat(3), 3, 0],
		["many", EXPLAIN.repeat(100), 100, 0],
		["with bodies", post("/match", `${SILENT}\n`.repeat(1000)).repeat(3), 3, 3],
		["behind one that is at hand", get("/healthz") + EXPLAIN + EXPLAIN, 2, 0],
	])(
		"%s: a client that goes leaves nothing",
		async (_, text, count, bodies) => {
			const service = await silentService();
			const socket = await open(await portOf(service));
			socket.write(text);
			const held = bodies * 24_000;
			await until(service, (now) => now[0] === count && now[1] === held);
			socket.destroy();
			await until(service, isIdle);
		},
	);

	test("one that stays gets every answer when its time is over", async () => {
		const service = await silentService();
		const socket = await open(await portOf(service));
		let answer = "";
		socket.on("data", (bytes) => {
			answer += bytes;
		});
		socket.write(EXPLAIN.repeat(3));
		await until(service, (now) => now[0] === 3);
		await vi.advanceTimersByTimeAsync(MAX_TIME);
		await until(service, isIdle);
		while (answer.match(/HTTP\/1\.1 503/g)?.length !== 3)
			await once(socket, "data");
	});

	test("crawlers that they asked about may leave", async () => {
		const service = await silentService({ maxAgents: 1 });
		const socket = await open(await portOf(service));
		const ask = get(`/explain?url=${SILENT}&agent=ABot`);
		// The service's own crawler leaves for this one, and this one stays as long as somebody waits.
		socket.write(ask.repeat(2));
		await until(service, (now) => now[0] === 2);
		const other = "/allowed?url=https://example.com/&agent=BBot";
		expect((await service.inject(other)).statusCode).toBe(503);
		socket.destroy();
		await until(service, isIdle);
		expect((await service.inject(other)).statusCode).toBe(200);
	});
});

test("a body that comes when its time is over is not kept", async () => {
	const service = await silentService();
	const socket = await open(await portOf(service));
	const [head = ""] = post("/match", "").split("Content-Length");
	socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
	await until(service, (now) => now[0] === 1);
	await vi.advanceTimersByTimeAsync(MAX_TIME);
	const chunk = `1000\r\n${"x".repeat(4096)}\r\n`;
	socket.write(chunk.repeat(4));
	await once(socket, "end");
	await until(service, isIdle);
});

test("HTTP/2: an answer that has begun is cut off, not ended", async () => {
	const service = await silentService({ fastify: { http2: true } });
	const { port } = await portOf(service);
	const session = connectHttp2(`http://127.0.0.1:${port}`);
	onTestFinished(() => session.destroy());
	const stream = session.request({
		":method": "POST",
		":path": "/match",
		"content-type": "text/plain",
	});
	stream.on("error", () => {});
	let isWhole = false;
	stream.on("end", () => {
		isWhole = stream.rstCode === 0;
	});
	// The first block is at hand, the last one never is.
	stream.end(`${"https://example.com/\n".repeat(60_000)}${SILENT}\n`);
	await once(stream, "response");
	stream.resume();
	await until(service, (now) => now[2] === 1);
	await vi.advanceTimersByTimeAsync(MAX_TIME);
	await once(stream, "close");
	expect([isWhole, stream.rstCode]).not.toEqual([true, 0]);
	expect(stream.rstCode).not.toBe(0);
	await until(service, isIdle);
});

describe("Sessions of HTTP/2", () => {
	/** Some that have asked for something, and what the service knows of them. */
	async function sessions(options: ServiceOptions["fastify"] = {}) {
		const service = await silentService({
			fastify: { http2: true, ...options },
		});
		const known: WeakRef<object>[] = [];
		service.server.on("session", (session) => known.push(new WeakRef(session)));
		const { port } = await portOf(service);
		const clients = Array.from({ length: 10 }, () =>
			connectHttp2(`http://127.0.0.1:${port}`),
		);
		onTestFinished(() => {
			for (const client of clients) client.destroy();
		});
		for (const client of clients) {
			const stream = client.request({ ":path": "/healthz" }).resume();
			await once(stream, "close");
		}
		return { known, clients };
	}

	test.each(["destroy", "close"] as const)(
		"those that clients %s are not kept",
		async (way) => {
			const { known, clients } = await sessions();
			for (const client of clients) {
				client[way]();
				await once(client, "close");
			}
			setFlagsFromString("--expose-gc");
			const collect = runInNewContext("gc") as () => void;
			for (let i = 0; i < 20; i++) {
				await new Promise((resolve) => setImmediate(resolve));
				collect();
			}
			// The last one may still be in a register or in the parser.
			const kept = known.filter((session) => session.deref()).length;
			expect(known).toHaveLength(10);
			expect(kept).toBeLessThanOrEqual(1);
		},
	);

	test.each([
		[IDLE_TIME, undefined],
		[MAX_TIME, 5000],
		[100_000, 100_000],
	])("those that ask nothing for %i ms are closed", async (time, option) => {
		const { clients } = await sessions(
			option === undefined ? {} : { http2SessionTimeout: option },
		);
		const [asking, ...idle] = clients as [
			ClientHttp2Session,
			...ClientHttp2Session[],
		];
		await vi.advanceTimersByTimeAsync(time - 1);
		await once(asking.request({ ":path": "/healthz" }).resume(), "close");
		expect(idle.some(({ closed }) => closed)).toBe(false);
		const closed = idle.map((client) => once(client, "close"));
		await vi.advanceTimersByTimeAsync(1);
		await Promise.all(closed);
		expect(asking.closed).toBe(false);
	});
});

describe("Streams of HTTP/2 whose clients send no end", () => {
	test.each([
		["too large a body", 413, "/match", 5000],
		["too large a body that goes on", 413, "/match", 100_000],
		["no such route", 404, "/nothing", 5000],
		["a wrong parameter", 400, "/match?fetch=perhaps", 5000],
		["a body that does not end in time", 503, "/match", 100],
	])("%s: they end with the answer", async (_, status, path, length) => {
		const service = await silentService({
			maxBody: 4500,
			fastify: { http2: true },
		});
		const closed: Promise<unknown>[] = [];
		service.server.on("stream", (stream: ServerHttp2Stream) =>
			closed.push(once(stream, "close")),
		);
		const { port } = await portOf(service);
		const session = connectHttp2(`http://127.0.0.1:${port}`);
		onTestFinished(() => session.destroy());
		const stream = session.request({
			":method": "POST",
			":path": path,
			"content-type": "text/plain",
		});
		stream.resume().write("x".repeat(length));
		if (status === 503) {
			await until(service, (now) => now[0] === 1);
			await vi.advanceTimersByTimeAsync(MAX_TIME);
		}
		const [head] = await once(stream, "response");
		// Not its "close": Node's client waits with that for what it may not send any more.
		await once(stream, "end");
		expect([head[":status"], stream.rstCode]).toEqual([status, 0]);
		expect(closed).toHaveLength(1);
		await Promise.all(closed);
		expect(session.destroyed).toBe(false);
	});

	test("answers that a client has no window for end with their session", async () => {
		const service = await silentService({ fastify: { http2: true } });
		const { port } = await portOf(service);
		const session = connectHttp2(`http://127.0.0.1:${port}`, {
			settings: { initialWindowSize: 0 },
		});
		const stream = session.request({ ":path": "/metrics" });
		await once(stream, "response");
		const closed = once(session, "close");
		await vi.advanceTimersByTimeAsync(IDLE_TIME);
		await closed;
		await untilUnconnected(service);
	});
});

/** What clients send, by kind. `@` is at hand. */
const requests = [
	get("/healthz"),
	get("/allowed?url=https://example.com/"),
	get(`/allowed?url=${SILENT}`),
	EXPLAIN,
	get("/visits?url=https://silent.example"),
	post("/visits?url=https://silent.example", ""),
	post("/match", `https://example.com/\n${SILENT}\n`),
	post("/match?fetch=no", "https://example.com/\n"),
	post("/match", `${SILENT}\n`, 5000),
	post("/origins", `${SILENT}\n`),
	post("/match", "x".repeat(5000)),
	// More than one chunk of what is read.
	post("/match", "x".repeat(200_000)),
	"nonsense\r\n\r\n",
];
const ends = ["stays", "destroys", "half-closes"] as const;
type End = (typeof ends)[number];

/** A connection: what it sends in one write, where it cuts that, and what it does then. */
const connection = fc.record({
	sends: fc.array(fc.constantFrom(...requests.keys()), {
		minLength: 1,
		maxLength: 6,
	}),
	cut: fc.oneof(fc.constant(0), fc.nat(200)),
	end: fc.constantFrom(...ends),
	/** Turns before that. */
	turns: fc.nat(5),
});

describe("Whatever clients do, nothing stays", () => {
	const RUNS = 40;
	const turns = async (count: number) => {
		for (let i = 0; i < count; i++) await new Promise(setImmediate);
	};

	/** All gauges are 0 once those that went have gone and the others' time is over. */
	const settles = async (service: Service) => {
		await turns(20);
		await vi.advanceTimersByTimeAsync(MAX_TIME + 1);
		await until(service, isIdle);
	};

	const endOf = (socket: Socket, end: End) => {
		if (end === "destroys") socket.destroy();
		else if (end === "half-closes") socket.end();
	};

	test.each(["HTTP/1.1", "a Unix socket"])("%s", async (kind) => {
		const service = await silentService({ maxBody: 4500 });
		const path = join(folder, `${process.pid}.sock`);
		let place: { port: number } | { path: string } = { path };
		if (kind === "HTTP/1.1") place = await portOf(service);
		else await service.listen({ path });
		await fc.assert(
			fc.asyncProperty(
				fc.array(connection, { minLength: 1, maxLength: 5 }),
				async (connections) => {
					const sockets = await Promise.all(
						connections.map(async ({ sends, cut, end, turns: count }) => {
							const socket = await open(place);
							const text = sends.map((i) => requests[i]).join("");
							socket.write(text.slice(0, text.length - cut) || text);
							await turns(count);
							endOf(socket, end);
							return socket;
						}),
					);
					await settles(service);
					for (const socket of sockets) socket.destroy();
					await untilUnconnected(service);
				},
			),
			{ numRuns: casesOf(RUNS) },
		);
	});

	test("HTTP/2", async () => {
		const service = await silentService({
			maxBody: 4500,
			fastify: { http2: true },
		});
		const { port } = await portOf(service);
		await fc.assert(
			fc.asyncProperty(
				fc.array(connection, { minLength: 1, maxLength: 3 }),
				async (connections) => {
					const sessions = await Promise.all(
						connections.map(async ({ sends, end, turns: count }) => {
							const session = connectHttp2(`http://127.0.0.1:${port}`);
							session.on("error", () => {});
							await once(session, "connect");
							const streams = sends.map((i) => sendHttp2(session, i));
							await turns(count);
							if (end === "destroys") session.destroy();
							else if (end === "half-closes") {
								for (const [i, stream] of streams.entries())
									if (i % 2 === 0) stream?.close(8);
								session.close();
							}
							return session;
						}),
					);
					await settles(service);
					for (const session of sessions) session.destroy();
					await untilUnconnected(service);
				},
			),
			{ numRuns: casesOf(RUNS) },
		);
	});

	/** The same request as a stream; one whose body is shorter than it says does not end. */
	function sendHttp2(session: ClientHttp2Session, index: number) {
		const text = requests[index] ?? "";
		const match = /^(\S+) (\S+) HTTP/.exec(text);
		if (!match) return undefined;
		const [, method = "", path = ""] = match;
		const body = text.slice(text.indexOf("\r\n\r\n") + 4);
		const stream = session.request(
			{
				":method": method,
				":path": path,
				...(method === "POST" && { "content-type": "text/plain" }),
			},
			{ endStream: method === "GET" },
		);
		stream.on("error", () => {});
		stream.resume();
		if (method === "POST") {
			stream.write(body);
			if (!text.includes("Content-Length: 5000") || body.length === 5000)
				stream.end();
		}
		return stream;
	}
});
