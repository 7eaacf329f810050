import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemoryStore } from "@robotrie/client";
import {
	afterAll,
	afterEach,
	describe,
	expect,
	onTestFinished,
	test,
	vi,
} from "vitest";
import { hasRedis, startRedis } from "../../client/test/redis.ts";
import { serveOrigins, startReplica } from "./replicas.ts";
import { listen, serviceOf } from "./services.ts";

/**
 * What goes wrong around a service: clients that send what proxies read otherwise, or nothing; more connections than there may be; a disk
 * that is full, a Redis server that stands still, a clock that is set back. Docs/service.md has these as a table.
 */

const folder = mkdtempSync(join(tmpdir(), "robotrie-faults-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The statuses of all answers that come until the connection ends. */
async function statusesOf(port: number, request: string): Promise<number[]> {
	const socket = connect(port, "127.0.0.1");
	socket.on("error", () => {});
	socket.write(request, "latin1");
	let answer = "";
	socket.on("data", (chunk: Buffer) => {
		answer += chunk.toString("latin1");
	});
	await once(socket, "close");
	return [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) =>
		Number(status),
	);
}

/** Two answers for what a proxy took for one request would let one client read another one's. */
describe("Request smuggling", () => {
	const begin =
		"POST /match HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n";
	const length = "Content-Length: 5\r\n\r\nhello";
	const chunks = "5\r\nhello\r\n0\r\n\r\n";
	// Once it is answered the connection ends: nobody has to wait for what may still come.
	const hidden =
		"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
	const coded = (coding: string) =>
		`${begin}Transfer-Encoding: ${coding}\r\n\r\n${chunks}`;
	const sized = (size: string) =>
		`${begin}Content-Length: ${size}\r\n\r\nhello`;
	const chunked = (body: string) =>
		`${begin}Transfer-Encoding: chunked\r\n\r\n${body}`;

	test.each([
		[
			"CL.TE: a length, and chunks that end before",
			`${begin}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
		],
		[
			"TE.CL: a length that ends within a chunk",
			`${begin}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
		],
		[
			"CL.CL: two lengths",
			`${begin}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
		],
		[
			"two lengths that are equal",
			`${begin}Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello`,
		],
		["a list of lengths", sized("5, 5")],
		["a length with a sign", sized("+5")],
		["a length below zero", sized("-5")],
		["a length in hex", sized("0x5")],
		["a length with a space within", sized("1 5")],
		["a length without digits", sized("")],
		["a length beyond 64 bits", sized("99999999999999999999")],
		["a space before the colon", `${begin}Content-Length : 5\r\n\r\nhello`],
		["a transfer coding that there is not", coded("xchunked")],
		["a transfer coding after a vertical tab", coded("\x0bchunked")],
		["chunked, and then another coding", coded("chunked, identity")],
		["another coding, and then chunked", coded("gzip, chunked")],
		["identity, and then chunked", coded("identity, chunked")],
		[
			"two transfer codings in two fields",
			coded("chunked\r\nTransfer-Encoding: identity"),
		],
		["chunks in HTTP/1.0", coded("chunked").replace("HTTP/1.1", "HTTP/1.0")],
		["a chunk's size that is no number", chunked("zz\r\nhello\r\n0\r\n\r\n")],
		[
			"a chunk's size beyond 64 bits",
			chunked("10000000000000005\r\nhello\r\n0\r\n\r\n"),
		],
		["a chunk longer than its size", chunked("4\r\nhello\r\n0\r\n\r\n")],
		["LF alone after a chunk's size", chunked("5\nhello\r\n0\r\n\r\n")],
		["LF alone after a chunk", chunked("5\r\nhello\n0\r\n\r\n")],
		["LF alone after a chunk's extension", chunked("5;a\nhello\r\n0\r\n\r\n")],
		[
			"a length among the trailers",
			chunked("5\r\nhello\r\n0\r\nContent-Length: 9\r\n\r\n"),
		],
		["LF alone everywhere", (begin + length).replaceAll("\r\n", "\n")],
		["LF alone after a field", (begin + length).replace("\r\n", "\n")],
		["LF alone after the last field", `${begin}Content-Length: 5\r\n\nhello`],
		["CR alone after a field", (begin + length).replace("\r\n", "\r")],
		["a length on a folded line", `${begin}Content-Length:\r\n 5\r\n\r\nhello`],
		[
			"a coding on a folded line",
			`${begin}Transfer-Encoding:\r\n chunked\r\n\r\n${chunks}`,
		],
		[
			"a field on a folded line of another",
			`${begin}X: a\r\n Content-Length: 7\r\n${length}`,
		],
		["a folded first line", begin.replace("Host", " Host") + length],
		["a zero byte in a name", `${begin}X\0: a\r\n${length}`],
		["a zero byte in a value", `${begin}X: a\0\r\n${length}`],
		["two hosts", `${begin}Host: attacker.example\r\n${length}`],
		["no host", begin.replace("Host: localhost\r\n", "") + length],
		["another version", begin.replace("1.1", "1.10") + length],
		["no version", begin.replace(" HTTP/1.1", "") + length],
	])("is refused: %s", async (_, request) => {
		await using service = await listen();
		expect(await statusesOf(service.port, request + hidden)).toEqual([400]);
	});

	test.each([
		["a length", begin + length, [200, 200]],
		["chunks", chunked(chunks), [200, 200]],
		[
			"chunks with an extension",
			chunked("5;a=b\r\nhello\r\n0\r\n\r\n"),
			[200, 200],
		],
		[
			"a body where none is read, which is no request",
			`GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
			[200, 200],
		],
		[
			"a body that is refused, which is no request either",
			`${begin.replace("text/plain", "image/png")}Content-Length: ${hidden.length}\r\n\r\n${hidden}`,
			[415],
		],
		[
			"a body at an address that there is not",
			`POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
			[404],
		],
	])("is read: %s", async (_, request, statuses) => {
		await using service = await listen();
		expect(await statusesOf(service.port, request + hidden)).toEqual(statuses);
	});
});

describe("Content types", () => {
	const LINES = "text/plain";
	test.each([
		["/match", undefined, 200],
		["/match", "Text/Plain", 200],
		["/match", "text/plain; charset=utf-8", 200],
		["/match", 'text/plain ; charset="UTF8"', 200],
		["/match", "text/plain; format=flowed; charset=us-ascii", 200],
		["/match", "text/plain; charset=utf-16", 415],
		["/match", "text/plain;charset=iso-8859-1", 415],
		["/match", "application/x-ndjson; charset=latin1", 415],
		["/match", "text/plain, text/html", 415],
		["/match", "text/plain/", 415],
		["/match", "text/plai", 415],
		["/match", "text/html", 415],
		["/match", "application/json", 415],
		["/match", "application/x-www-form-urlencoded", 415],
		["/match", "multipart/form-data; boundary=a", 415],
		["/match", "application/octet-stream", 415],
		["/match", "", 415],
		["/match", ";charset=utf-8", 415],
		["/origins", LINES, 200],
		["/origins", "application/x-ndjson", 415],
	])("%s %s: %d", async (url, type, statusCode) => {
		const { service, requests } = await serviceOf();
		const response = await service.inject({
			method: "POST",
			url,
			payload: "https://example.com/\n",
			headers: type === undefined ? {} : { "content-type": type },
		});
		await service.close();
		expect(response.statusCode).toBe(statusCode);
		// What is refused has no effect.
		if (statusCode === 415) expect(requests).toEqual([]);
	});

	test("an override with the one that curl sends by itself: what to send", async () => {
		const { service } = await serviceOf();
		const response = await service.inject({
			method: "PUT",
			url: "/origins/example.com",
			payload: "User-agent: *\nDisallow: /\n",
			headers: { "content-type": "application/x-www-form-urlencoded" },
		});
		await service.close();
		expect([response.statusCode, response.json().message]).toEqual([
			415,
			'the body came as "application/x-www-form-urlencoded"; send it with "Content-Type: text/plain" (curl: -H "Content-Type: text/plain")',
		]);
	});
});

describe("Slow clients", () => {
	const HEADERS = "POST /match HTTP/1.1\r\nHost: localhost\r\n";
	const BODY = `${HEADERS}Content-Type: text/plain\r\nContent-Length: 1000\r\n\r\n`;
	/** Sends a text, a byte at a time after its first bytes, until the connection ends. Gives what was answered. */
	async function slowly(port: number, text: string, first: number) {
		const socket = connect(port, "127.0.0.1");
		socket.on("error", () => {});
		let answer = "";
		socket.on("data", (chunk: Buffer) => {
			answer += chunk;
		});
		socket.write(text.slice(0, first));
		let at = first;
		const drip = setInterval(() => {
			if (socket.writable && at < text.length) socket.write(text[at++] ?? "");
		}, 50);
		await once(socket, "close");
		clearInterval(drip);
		return answer.split("\r\n")[0];
	}

	/** Whoever is stopped by the machine between two bytes is a slow client, too, and asks again. */
	async function inTime(ask: () => Promise<Response>): Promise<Response> {
		for (;;) {
			const response = await ask().catch(() => undefined);
			if (response && response.status !== 408) return response;
		}
	}

	test.each([
		["nothing at all", "", 0],
		["headers", HEADERS + "x".repeat(10_000), 1],
		["headers that do not end", HEADERS, HEADERS.length],
		["a body", BODY + "x".repeat(1000), BODY.length],
		["a body that does not begin", BODY, BODY.length],
	])("%s: 408, and others are answered", async (_, text, first) => {
		await using made = await listen({ maxWaiting: 4, maxWaitingOfPeer: 4 });
		const { service, base, port } = made;
		await service.inject("/allowed?url=https://example.com/");
		const { server } = service;
		expect([server.headersTimeout, server.requestTimeout]).toEqual([
			10_000, 30_000,
		]);
		server.headersTimeout = 300;
		server.requestTimeout = 300;
		// Of bodies there are as many as may wait, of headers any number.
		const length = text === "" || first < BODY.length ? 40 : 4;
		const connected = new Promise<void>((resolve) => {
			let count = 0;
			server.on("connection", () => {
				if (++count === length) resolve();
			});
		});
		const slow = Promise.all(
			Array.from({ length }, () => slowly(port, text, first)),
		);
		await connected;
		const allowed = await inTime(() =>
			fetch(`${base}/allowed?url=https://example.com/`),
		);
		expect(allowed.status).toBe(200);
		expect(new Set(await slow)).toEqual(
			new Set(["HTTP/1.1 408 Request Timeout"]),
		);
		const match = await inTime(() =>
			fetch(`${base}/match`, { method: "POST", body: "https://example.com/" }),
		);
		expect(await match.text()).toBe("allowed\n");
	});
});

describe("Connections", () => {
	test("more than there may be are closed, and counted", async () => {
		await using made = await listen({ maxConnections: 2 });
		const { service, port } = made;
		const open = async () => {
			const socket = connect(port, "127.0.0.1").on("error", () => {});
			await once(socket, "connect");
			return socket;
		};
		const sockets: Socket[] = [await open(), await open()];
		await vi.waitFor(
			async () => {
				expect(await promisedConnections(service.server)).toBe(2);
			},
			{ timeout: 15_000 },
		);
		const third = await open();
		await once(third.resume(), "close");
		expect((await service.inject("/metrics")).body).toContain(
			'robotrie_refused_total{code="too-many-connections"} 1',
		);
		for (const socket of sockets) socket.destroy();
	});

	/** ROBOTRIE_CONNECTIONS=10000 opens as many. */
	const CONNECTIONS = Number(process.env.ROBOTRIE_CONNECTIONS ?? 1000);
	test(`${CONNECTIONS} that stay open are all answered, again and again`, async () => {
		await using sites = await serveOrigins(2);
		const args = ["--port", "0", "--store", "none", "--agent", "ABot"];
		const replica = await startReplica([...args, "--allow-private-network"]);
		const memory = async () => {
			const text = await (await fetch(`${replica.base}/metrics`)).text();
			const [, bytes] =
				/^process_resident_memory_bytes (\S+)/m.exec(text) ?? [];
			return Math.round(Number(bytes) / 2 ** 20);
		};
		const url = `${sites.origins[0]}/a0`;
		await fetch(`${replica.base}/allowed?url=${url}`);
		const before = await memory();
		const port = Number(new URL(replica.base).port);
		const sockets: Socket[] = [];
		/** Asks on every connection at the same time; how many were answered "disallowed". */
		const askAll = async () => {
			const answers = await Promise.all(
				sockets.map(async (socket) => {
					const answered = once(socket, "data");
					socket.write(
						`GET /allowed?url=${url} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
					);
					return String((await answered)[0]);
				}),
			);
			return answers.filter((answer) => answer.includes('"disallowed"')).length;
		};
		while (sockets.length < CONNECTIONS) {
			// As many at a time as the backlog of what listens has room for.
			const more = Array.from({ length: 200 }, () =>
				connect(port, "127.0.0.1"),
			);
			await Promise.all(more.map((socket) => once(socket, "connect")));
			sockets.push(...more);
		}
		const rounds: number[] = [];
		const times: number[] = [];
		for (let round = 0; round < 3; round++) {
			const start = performance.now();
			rounds.push(await askAll());
			times.push(Math.round(performance.now() - start));
		}
		const during = await memory();
		for (const socket of sockets) socket.destroy();
		expect(rounds).toEqual([CONNECTIONS, CONNECTIONS, CONNECTIONS]);
		expect(sites.asked.get(sites.origins[0] ?? "")).toBe(1);
		expect(await replica.stop()).toBe(0);
		if (process.env.ROBOTRIE_CONNECTIONS)
			console.log(
				`${CONNECTIONS} connections: ${before} MiB before, ${during} MiB with them; all asked at a time: ${times.join(", ")} ms`,
			);
	}, 300_000);
});

const promisedConnections = (server: import("node:http").Server) =>
	new Promise((resolve) => {
		server.getConnections((_, count) => resolve(count));
	});

describe("A clock that is set back", () => {
	afterEach(() => {
		vi.useRealTimers();
	});
	const DAY = 86_400_000;
	test.each([
		["a second", 1000],
		["a day", DAY],
		["ten years", 3650 * DAY],
	])("by %s makes no visit wait as long", async (_, back) => {
		vi.useFakeTimers({ toFake: ["Date", "performance"] });
		const { service } = await serviceOf({ store: new MemoryStore() });
		const waitOf = async () => {
			const answer = await service.inject({
				method: "POST",
				url: "/visits?url=https://example.com",
			});
			return answer.json().wait as number;
		};
		const verdictOf = async () => {
			const url = "https://example.com/private/a";
			return (await service.inject({ url: "/allowed", query: { url } })).json();
		};
		const verdict = { allowed: false, verdict: "disallowed" };
		expect(await verdictOf()).toEqual(verdict);
		// Crawl-delay: 2.
		expect([await waitOf(), await waitOf()]).toEqual([0, 2000]);
		vi.setSystemTime(Date.now() - back);
		expect(await verdictOf()).toEqual(verdict);
		expect([await waitOf(), await waitOf()]).toEqual([4000, 6000]);
		await service.close();
	});
});

describe("A time of a visit in the store that is damaged", () => {
	afterEach(() => {
		vi.useRealTimers();
	});
	const entry = (last: string, visits = "[]") =>
		`{"written":0,"last":${last},"visits":${visits},"holds":{}}`;
	test.each([
		"",
		"now",
		"9e99 0",
		"[]",
		"{}",
		'{"visits":[]}',
		entry('"now"'),
		entry("1e999"),
		entry("8.65e15"),
		entry("0", "[[1]]"),
		entry("0", "[[1,8.65e15]]"),
		entry("0", "7"),
	])("does not count: %j", async (text) => {
		vi.useFakeTimers({ toFake: ["Date"] });
		// Both clocks stand still: of 2 s no time has passed.
		vi.useFakeTimers({ toFake: ["Date", "performance"] });
		onTestFinished(() => void vi.useRealTimers());
		const store = new MemoryStore();
		const { service } = await serviceOf({ store });
		await store.set("visit rfc9309 ExampleBot example.com", Buffer.from(text));
		const waits: unknown[] = [];
		for (let i = 0; i < 2; i++) {
			const answer = await service.inject({
				method: "POST",
				url: "/visits?url=https://example.com",
			});
			waits.push(answer.json().wait);
		}
		expect(waits).toEqual([0, 2000]);
		await service.close();
	});
});

describe("A store that stands still", () => {
	afterEach(() => {
		vi.useRealTimers();
	});
	test("gathers no looks at overrides; a change of them is refused in time", async () => {
		vi.useFakeTimers({ toFake: ["setInterval"] });
		const store = new MemoryStore();
		const { service } = await serviceOf({ store, maxTime: 300 });
		const get = vi
			.spyOn(store, "get")
			.mockImplementation(() => new Promise(() => {}));
		await vi.advanceTimersByTimeAsync(60_000);
		expect(get.mock.calls.length).toBe(1);
		for (const method of ["PUT", "DELETE"] as const) {
			const { statusCode, headers } = await service.inject({
				method,
				url: "/origins/https%3A%2F%2Fexample.com",
				...(method === "PUT" && {
					payload: "",
					headers: { "content-type": "text/plain" },
				}),
			});
			expect([statusCode, headers["retry-after"]]).toEqual([503, "1"]);
		}
		await service.close();
	});

	test.skipIf(!hasRedis)(
		"Redis: what is in memory is answered at once, the rest without it",
		async () => {
			await using redis = await startRedis();
			await using sites = await serveOrigins(3);
			const replica = await startReplica([
				"--port",
				"0",
				"--store",
				redis.url,
				"--agent",
				"ABot",
				"--allow-private-network",
			]);
			const [first = "", second = "", third = ""] = sites.origins;
			const ask = async (origin: string) => {
				const url = `${replica.base}/allowed?url=${origin}/a0`;
				return (await (await fetch(url)).json()) as { verdict: string };
			};
			const put = async () => {
				const url = `${replica.base}/origins/${encodeURIComponent(third)}`;
				const headers = { "content-type": "text/plain" };
				const body = "User-agent: *\nDisallow: /\n";
				return (await fetch(url, { method: "PUT", body, headers })).status;
			};
			expect(await ask(first)).toMatchObject({ verdict: "disallowed" });
			redis.stop();
			const unknown = ask(second);
			const change = put();
			for (let i = 0; i < 20; i++)
				expect(await ask(first)).toMatchObject({ verdict: "disallowed" });
			// /a0 is disallowed for the first origin only.
			expect(await unknown).toMatchObject({ verdict: "allowed" });
			expect(sites.asked.get(second)).toBe(1);
			expect(await change).toBe(503);
			expect((await fetch(`${replica.base}/readyz`)).status).toBe(200);
			redis.resume();
			await vi.waitFor(async () => expect(await put()).toBe(204), {
				timeout: 30_000,
				interval: 200,
			});
			expect(await ask(third)).toMatchObject({ verdict: "disallowed" });
			expect(sites.asked.has(third)).toBe(false);
			expect(await replica.stop()).toBe(0);
		},
	);
});

/** SQLite where Node has it, else LMDB. */
test("a disk that is full: every verdict is given, and with room again all is kept", async ({
	skip,
}) => {
	if (process.platform !== "linux" || process.getuid?.() !== 0)
		return skip("only root can mount a small disk");
	const disk = join(folder, "disk");
	mkdirSync(disk);
	try {
		execFileSync("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", disk], {
			stdio: "ignore",
		});
	} catch {
		return skip("mount is not permitted here");
	}
	const COUNT = 600;
	await using sites = await serveOrigins(COUNT, 0, 20_000);
	const args = ["--port", "0", "--store", join(disk, "store"), "--agent"];
	const start = () =>
		startReplica([...args, "ABot", "--allow-private-network"]);
	const verdictsOf = async (base: string, origins: readonly string[]) => {
		const body = origins.map((origin) => `${origin}/a0\n`).join("");
		const headers = { "content-type": "text/plain" };
		const answer = await fetch(`${base}/match`, {
			method: "POST",
			body,
			headers,
		});
		return (await answer.text()).trim().split("\n");
	};
	const expected = sites.origins.map((origin) =>
		sites.robotsOf(origin)?.includes("Disallow: /a0\n")
			? "disallowed"
			: "allowed",
	);
	try {
		const replica = await start();
		expect(await verdictsOf(replica.base, sites.origins)).toEqual(expected);
		const metrics = await (await fetch(`${replica.base}/metrics`)).text();
		expect(metrics).toMatch(/^robotrie_store_errors_total\{.*\} [1-9]/m);
		expect((await fetch(`${replica.base}/readyz`)).status).toBe(200);
		expect(await replica.stop()).toBe(0);

		execFileSync("mount", ["-o", "remount,size=64m", disk]);
		for (let run = 0; run < 2; run++) {
			const again = await start();
			expect(await verdictsOf(again.base, sites.origins)).toEqual(expected);
			expect(await again.stop()).toBe(0);
		}
		// What the full disk had no room for was fetched by the second process, nothing by the third one.
		const times = [...sites.asked.values()];
		expect(Math.max(...times)).toBe(2);
		expect(times.filter((count) => count === 1).length).toBeGreaterThan(50);
		expect(existsSync(join(disk, "store"))).toBe(true);
	} finally {
		execFileSync("umount", ["-l", disk]);
	}
});
