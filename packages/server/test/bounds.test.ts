import { once } from "node:events";
import {
	createServer,
	request as httpRequest,
	type IncomingMessage,
} from "node:http";
import { type AddressInfo, connect } from "node:net";
import { type TracerProvider, trace } from "@opentelemetry/api";
import {
	CompressionType,
	columnFromArray,
	setCompressionCodec,
	tableFromColumns,
	tableFromIPC,
	tableToIPC,
	utf8,
} from "@uwdata/flechette";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Service, ServiceOptions } from "../src/index.ts";
import { listen, serviceOf } from "./services.ts";

/**
 * What is asked for wrongly or too much is refused before anything is answered, and what nobody waits for any more is cancelled. Over sockets
 * where HTTP libraries would not send it.
 */

const services: Service[] = [];
afterEach(async () => {
	await Promise.all(
		services.splice(0).map((service) => {
			service.server.closeAllConnections();
			return service.close();
		}),
	);
});

async function listening(
	options: ServiceOptions = {},
	table?: Parameters<typeof serviceOf>[1],
) {
	const made = await listen(options, table);
	services.push(made.service);
	return made;
}

/** A fetch that never answers, and counts who asks and who was cancelled. */
function silent() {
	const counts = { asked: 0, cancelled: 0 };
	const fetch = (_: unknown, init?: { signal?: AbortSignal | null }) =>
		new Promise<Response>((_, reject) => {
			counts.asked++;
			init?.signal?.addEventListener("abort", () => {
				counts.cancelled++;
				reject(init.signal?.reason);
			});
		});
	return { counts, client: { fetch: fetch as typeof globalThis.fetch } };
}

const post = (
	base: string,
	path: string,
	body: string | Uint8Array,
	type = "text/plain",
) =>
	fetch(base + path, {
		method: "POST",
		body: body as BodyInit,
		headers: { "content-type": type },
	});

describe("What is wrong is refused", () => {
	const lines = "https://example.com/\n".repeat(11);
	test.each([
		[
			"a body too large",
			"/match",
			"x".repeat(2000),
			"text/plain",
			413,
			"too-large",
		],
		["too many lines", "/match", lines, "text/plain", 413, "too-large"],
		[
			"too many rows",
			"/match",
			'{"url":"a"}\n'.repeat(11),
			"application/x-ndjson",
			413,
			"too-large",
		],
		["too many origins", "/origins", lines, "text/plain", 413, "too-large"],
		[
			"another type",
			"/match",
			"x",
			"application/json",
			415,
			"unsupported-type",
		],
		["no type that exists", "/match", "x", "nonsense", 415, "unsupported-type"],
		[
			"a row that is no JSON",
			"/match",
			"{",
			"application/x-ndjson",
			400,
			"invalid-row",
		],
		[
			"a row that is a list",
			"/match",
			"[]",
			"application/x-ndjson",
			400,
			"invalid-row",
		],
		[
			"a row with another field",
			"/match",
			'{"url":"a","agnet":"b"}',
			"application/x-ndjson",
			400,
			"invalid-row",
		],
		[
			"a row with an empty list of agents",
			"/match",
			'{"url":"a","agent":[]}',
			"application/x-ndjson",
			400,
			"invalid-row",
		],
		[
			"a row with another dialect",
			"/match",
			'{"url":"a","dialect":"b"}',
			"application/x-ndjson",
			400,
			"invalid-dialect",
		],
		[
			"a row whose agent is no token",
			"/match",
			'{"url":"a","agent":"a b"}',
			"application/x-ndjson",
			400,
			"invalid-agent",
		],
		[
			"no Arrow",
			"/match",
			"nonsense",
			"application/vnd.apache.arrow.stream",
			400,
			"invalid-arrow",
		],
		[
			"a parameter that is misspelled",
			"/match?agnet=a",
			"x",
			"text/plain",
			400,
			"invalid-request",
		],
		[
			"a dialect that there is not",
			"/match?dialect=a",
			"x",
			"text/plain",
			400,
			"invalid-request",
		],
		["an unknown route", "/matches", "x", "text/plain", 404, "not-found"],
		[
			"a path that cannot be decoded",
			"/origins/%zz",
			"x",
			"text/plain",
			400,
			"invalid-request",
		],
	])("%s", async (_, path, body, type, status, code) => {
		const { base } = await listening({ maxBody: 1000, maxRows: 10 });
		const response = await post(base, path, body, type);
		expect({
			status: response.status,
			...(await response.json()),
		}).toMatchObject({ status, code });
	});

	test.each([
		["PUT", "/origins/https%3A%2F%2Fa.example?agent=GPTBot"],
		["DELETE", "/origins/https%3A%2F%2Fa.example?agent=GPTBot"],
		["GET", "/openapi.json?agent=GPTBot"],
	] as const)(
		"a parameter that a route does not have: %s %s",
		async (method, url) => {
			const { service } = await serviceOf();
			services.push(service);
			const headers = { "content-type": "text/plain" };
			const payload = method === "PUT" ? { payload: "x", headers } : {};
			const answer = await service.inject({ method, url, ...payload });
			expect(answer.statusCode).toBe(400);
			expect(answer.json()).toMatchObject({ code: "invalid-request" });
		},
	);

	test.each(["/metrics", "/healthz", "/readyz"])(
		"but not of %s, which programs ask with their own",
		async (path) => {
			const { service } = await serviceOf();
			services.push(service);
			const { statusCode } = await service.inject(`${path}?a=b`);
			expect(statusCode).toBe(200);
		},
	);

	test("an encoded body", async () => {
		const { base } = await listening();
		const response = await fetch(`${base}/match`, {
			method: "POST",
			body: "x",
			headers: { "content-type": "text/plain", "content-encoding": "gzip" },
		});
		expect(response.status).toBe(415);
	});

	test("a crawler that is not named, where the service has none", async () => {
		const { service } = await serviceOf({ agent: "*" });
		services.push(service);
		const { service: nameless } = await serviceOf();
		services.push(nameless);
		expect(
			(await service.inject("/allowed?url=https://example.com/")).statusCode,
		).toBe(200);
	});
});

/** Waits until so many bytes and requests are in progress, as the service says. */
async function inProgress(
	service: Service,
	{ held, waiting }: { readonly held: number; readonly waiting?: number },
): Promise<void> {
	const gauges =
		waiting === undefined ? ["held_bytes"] : ["held_bytes", "requests_waiting"];
	await vi.waitFor(
		async () => {
			const { body } = await service.inject("/metrics");
			const found = gauges.map((name) =>
				Number(new RegExp(`^robotrie_${name} (\\d+)$`, "m").exec(body)?.[1]),
			);
			expect(found).toEqual([held, waiting].slice(0, gauges.length));
		},
		{ timeout: 15_000 },
	);
}

describe("Too much is refused", () => {
	const waiting = (base: string, host: string) =>
		fetch(`${base}/allowed?url=https://${host}.example/`);

	test.each([
		["in all", { maxWaiting: 2, maxWaitingOfPeer: 2 }, 503, "busy"],
		[
			"of one address",
			{ maxWaiting: 10, maxWaitingOfPeer: 2 },
			429,
			"too-many-requests",
		],
	])(
		"requests that wait, %s; what is at hand is answered all the same",
		async (_, limits, status, code) => {
			const { counts, client } = silent();
			const { base, service } = await listening({ ...limits, client });
			await service.inject({
				method: "PUT",
				url: "/origins/https%3A%2F%2Fexample.com",
				payload: "",
				headers: { "content-type": "text/plain" },
			});
			expect(
				(await fetch(`${base}/allowed?url=https://example.com/`)).status,
			).toBe(200);
			const stop = new AbortController();
			const held = ["a", "b"].map((host) =>
				fetch(`${base}/allowed?url=https://${host}.example/`, {
					signal: stop.signal,
				}).catch(() => {}),
			);
			await vi.waitFor(() => expect(counts.asked).toBe(2), { timeout: 15_000 });
			const response = await waiting(base, "c");
			expect(response.status).toBe(status);
			expect(response.headers.get("retry-after")).toBe("1");
			expect(await response.json()).toMatchObject({ code });
			expect(
				(await fetch(`${base}/allowed?url=https://example.com/`)).status,
			).toBe(200);
			stop.abort();
			await Promise.all(held);
		},
	);

	test("bytes of bodies in progress", async () => {
		const { client } = silent();
		const { base, service } = await listening({ maxHeld: 1000, client });
		const held = post(base, "/match", "https://a.example/\n".repeat(50)).catch(
			() => {},
		);
		await inProgress(service, { held: 950 });
		const response = await post(
			base,
			"/match",
			"https://b.example/\n".repeat(50),
		);
		expect([response.status, response.headers.get("retry-after")]).toEqual([
			503,
			"1",
		]);
		service.server.closeAllConnections();
		await held;
		await inProgress(service, { held: 0, waiting: 0 });
	});

	/** What is sent of a request that has the whole service for itself, and whether its client then leaves. */
	const HEADERS =
		"POST /match HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n";
	const BODY = "https://a.example/\n".repeat(40);
	const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
	const chunked = `${HEADERS}Transfer-Encoding: chunked\r\n\r\n`;
	const sized = (body: string, type = "text/plain") =>
		`${HEADERS.replace("text/plain", type)}Content-Length: ${body.length}\r\n\r\n${body}`;
	const twoChunks = chunk(BODY.slice(0, 99)) + chunk(BODY.slice(99));
	const known = BODY.replaceAll("a.example", "example.com");
	test.each<
		[what: string, request: string, held: number, status: number | "leaves"]
	>([
		["whose client left while it was answered", sized(BODY), 760, "leaves"],
		[
			"whose client left while it was sent",
			sized(BODY).slice(0, -1),
			760,
			"leaves",
		],
		["in chunks", `${chunked}${twoChunks}${chunk("")}`, 760, "leaves"],
		["in chunks that do not end", chunked + twoChunks, 760, "leaves"],
		["that was answered", sized(known), 0, 200],
		["that is empty", sized(""), 0, 200],
		["of more than may be held", sized("x".repeat(1001)), 0, 503],
		[
			"of more than may be held, in chunks",
			`${chunked}${chunk("x".repeat(900)).repeat(2)}`,
			0,
			503,
		],
		[
			"of more than a body may have, in chunks",
			`${chunked}${chunk(`${"x".repeat(99)}\n`.repeat(6)).repeat(2)}`,
			0,
			413,
		],
		["of another type", sized(BODY, "image/png"), 0, 415],
		["in HTTP/1.0", sized(known).replace("1.1", "1.0"), 0, 200],
	])("a request %s takes no room any more", async (_, request, held, end) => {
		const { client } = silent();
		const { port, service } = await listening({
			maxHeld: 1000,
			maxBody: end === 413 ? 800 : 2000,
			maxWaiting: 1,
			maxWaitingOfPeer: 1,
			client,
		});
		await service.inject({
			method: "PUT",
			url: "/origins/https%3A%2F%2Fexample.com",
			payload: "",
			headers: { "content-type": "text/plain" },
		});
		// Twice: what the first one leaves behind would keep the second one out.
		for (let time = 0; time < 2; time++) {
			const socket = connect(port, "127.0.0.1").on("error", () => {});
			socket.write(request);
			if (end === "leaves") {
				await inProgress(service, { held, waiting: 1 });
				socket.destroy();
			} else {
				const [answer] = (await once(socket, "data")) as [Buffer];
				expect(String(answer)).toContain(`HTTP/1.1 ${end} `);
				socket.destroy();
			}
			await inProgress(service, { held: 0, waiting: 0 });
		}
	});

	test("time: 503 before the first verdict", async () => {
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
		onTestFinished(() => void vi.useRealTimers());
		const { counts, client } = silent();
		const { base } = await listening({ maxTime: 4000, client });
		const answer = post(base, "/match", "https://a.example/\n");
		await vi.waitUntil(() => counts.asked > 0, { timeout: 15_000 });
		await vi.advanceTimersByTimeAsync(4000);
		const response = await answer;
		expect([response.status, response.headers.get("retry-after")]).toEqual([
			503,
			"1",
		]);
		expect(await response.json()).toMatchObject({ code: "timeout" });
	});

	test("time: an answer that has begun ends without its end", async () => {
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
		onTestFinished(() => void vi.useRealTimers());
		const { counts, client } = silent();
		const { base, service } = await listening({ maxTime: 4000, client });
		await service.inject({
			method: "PUT",
			url: "/origins/https%3A%2F%2Fexample.com",
			payload: "",
			headers: { "content-type": "text/plain" },
		});
		// The first block is at hand, the last one never is.
		const body = `${"https://example.com/\n".repeat(60_000)}https://a.example/\n`;
		const response = await post(base, "/match", body);
		expect(response.status).toBe(200);
		const text = response.text();
		await vi.waitUntil(() => counts.asked > 0, { timeout: 15_000 });
		await vi.advanceTimersByTimeAsync(4000);
		await expect(text).rejects.toThrow();
	});
});

describe("What nobody waits for is cancelled", () => {
	test.each([
		"/allowed?url=https://a.example/",
		"/explain?url=https://a.example/",
		"/visits?url=https://a.example/",
		"/match",
		"/origins",
	])("%s", async (path) => {
		const { counts, client } = silent();
		const { base } = await listening({ client });
		const stop = new AbortController();
		const isBody = !path.includes("?");
		const gone = fetch(base + path, {
			signal: stop.signal,
			...(isBody && {
				method: "POST",
				body: "https://a.example/\n",
				headers: { "content-type": "text/plain" },
			}),
		}).catch(() => "gone");
		await vi.waitFor(() => expect(counts.asked).toBe(1), { timeout: 15_000 });
		stop.abort();
		expect(await gone).toBe("gone");
		await vi.waitFor(() => expect(counts.cancelled).toBe(1), {
			timeout: 15_000,
		});
	});

	test("but what another one waits for goes on", async () => {
		let answer: (response: Response) => void = () => {};
		let asked = 0;
		const { base, service } = await listening({
			client: {
				fetch: () => {
					asked++;
					return new Promise((resolve) => {
						answer = resolve;
					});
				},
			},
		});
		const stop = new AbortController();
		const url = `${base}/allowed?url=https://a.example/`;
		const gone = fetch(url, { signal: stop.signal }).catch(() => "gone");
		await vi.waitFor(() => expect(asked).toBe(1), { timeout: 15_000 });
		const waiting = (count: number) =>
			vi.waitFor(
				async () =>
					expect((await service.inject("/metrics")).body).toContain(
						`robotrie_requests_waiting ${count}\n`,
					),
				{ timeout: 15_000 },
			);
		const stays = fetch(url);
		await waiting(2);
		stop.abort();
		await gone;
		await waiting(1);
		answer(new Response("", { status: 404 }));
		expect(await (await stays).json()).toEqual({
			allowed: true,
			verdict: "allowed",
		});
		expect(asked).toBe(1);
	});
});

test("a slow reader holds nobody up", async () => {
	const { base, port, service } = await listening();
	await service.inject("/allowed?url=https://example.com/");
	const body = "https://example.com/\n".repeat(400_000);
	const slow = httpRequest({
		port,
		path: "/match",
		method: "POST",
		headers: { "content-type": "text/plain" },
	});
	slow.end(body);
	const [response] = (await once(slow, "response")) as [IncomingMessage];
	response.pause();
	for (let i = 0; i < 20; i++)
		expect(
			(await fetch(`${base}/allowed?url=https://example.com/`)).status,
		).toBe(200);
	let length = 0;
	for await (const chunk of response) length += chunk.length;
	expect(length).toBe("allowed\n".length * 400_000);
});

test("no request makes it connect to an address that is not public", async () => {
	let asked = 0;
	const inner = createServer((_, response) => {
		asked++;
		response.end("User-agent: *\nAllow: /\n");
	}).listen(0, "127.0.0.1");
	await once(inner, "listening");
	const { port } = inner.address() as AddressInfo;
	const { createService } = await import("../src/index.ts");
	const service = await createService({ agent: "ExampleBot" });
	services.push(service);
	const url = `http://127.0.0.1:${port}/`;
	const [allowed, match, prefetch, pace, explain] = await Promise.all([
		service.inject({ url: "/allowed", query: { url } }),
		service.inject({
			method: "POST",
			url: "/match",
			payload: `${url}\n`,
			headers: { "content-type": "text/plain" },
		}),
		service.inject({
			method: "POST",
			url: "/origins",
			// With the byte order mark of Windows.
			payload: `\ufeff${url}\n`,
			headers: { "content-type": "text/plain" },
		}),
		service.inject({ method: "POST", url: "/visits", query: { url } }),
		service.inject({ url: "/explain", query: { url } }),
	]);
	expect(allowed.json()).toEqual({ allowed: false, verdict: "unknown" });
	expect(match.body).toBe("unknown\n");
	expect(explain.json()).toMatchObject({
		allowed: false,
		code: "address-refused",
	});
	expect([prefetch.statusCode, pace.statusCode]).toEqual([200, 200]);
	expect(asked).toBe(0);
	inner.close();
});

describe("Arrow", () => {
	test("verdicts of rows, each with its agent and dialect", async () => {
		const { base } = await listening();
		const table = tableFromColumns({
			url: columnFromArray(
				[
					"https://example.com/private/a",
					"https://example.com/private/a",
					null,
					"nope",
				],
				utf8(),
			),
			agent: columnFromArray([null, "OtherBot", null, null], utf8()),
			dialect: columnFromArray([null, "google", null, null], utf8()),
		});
		const response = await post(
			base,
			"/match",
			tableToIPC(table, { format: "stream" }) as Uint8Array,
			"application/vnd.apache.arrow.stream",
		);
		expect(response.status).toBe(200);
		const answer = tableFromIPC(new Uint8Array(await response.arrayBuffer()));
		expect(answer.getChild("verdict").toArray()).toEqual([
			"disallowed",
			"allowed",
			"invalid",
			"invalid",
		]);
	});

	test.each([
		[
			"no column url",
			{ link: columnFromArray(["a"], utf8()) },
			"invalid-arrow",
		],
		[
			"urls that are numbers",
			{ url: columnFromArray([1, 2]) },
			"invalid-arrow",
		],
	])("%s", async (_, columns, code) => {
		const { base } = await listening();
		const body = tableToIPC(tableFromColumns(columns), {
			format: "stream",
		}) as Uint8Array;
		const response = await post(
			base,
			"/match",
			body,
			"application/vnd.apache.arrow.stream",
		);
		expect(await response.json()).toMatchObject({ code });
	});

	test("batches that are compressed", async () => {
		const { base } = await listening();
		const same = (bytes: Uint8Array) => bytes;
		setCompressionCodec(CompressionType.ZSTD, { encode: same, decode: same });
		const url = columnFromArray(Array(100).fill("https://a.example/"), utf8());
		const body = tableToIPC(tableFromColumns({ url }), {
			format: "stream",
			codec: CompressionType.ZSTD,
		}) as Uint8Array;
		const type = "application/vnd.apache.arrow.stream";
		expect(await (await post(base, "/match", body, type)).json()).toMatchObject(
			{
				code: "invalid-arrow",
				message: expect.stringContaining('compression codec "ZSTD"'),
			},
		);
	});

	/** Cut in many places and with many bytes changed, a stream is refused or read, and the service goes on. */
	test("streams that are damaged", async () => {
		const { service } = await listening();
		const table = tableFromColumns({
			url: columnFromArray(
				["https://example.com/", "https://example.com/private/"],
				utf8(),
			),
		});
		const whole = tableToIPC(table, { format: "stream" }) as Uint8Array;
		const statuses = new Set<number>();
		// Each takes a process, and some all the memory that it may have.
		for (let at = 0; at < whole.length; at += 21)
			for (const damaged of [
				whole.slice(0, at),
				whole.with(at, (whole[at] as number) ^ 0xff),
			]) {
				const { statusCode } = await service.inject({
					method: "POST",
					url: "/match?fetch=no",
					payload: Buffer.from(damaged),
					headers: { "content-type": "application/vnd.apache.arrow.stream" },
				});
				statuses.add(statusCode);
			}
		expect(
			[...statuses].filter((status) => ![200, 400, 413].includes(status)),
		).toEqual([]);
	});
});

test("crawlers that nobody is asking about leave when there are too many", async () => {
	const { service } = await serviceOf({ maxAgents: 2 });
	services.push(service);
	for (const agent of ["ABot", "BBot", "CBot", "DBot"]) {
		const { body } = await service.inject(
			`/allowed?url=https://example.com/private/&agent=${agent}`,
		);
		expect(body).toContain('"allowed"');
	}
	expect((await service.inject("/metrics")).body).toContain(
		"robotrie_crawlers 2",
	);
});

test("one robots.txt is fetched once for all crawlers", async () => {
	const { service, requests } = await serviceOf();
	services.push(service);
	const rows = ["ABot", "BBot", "ExampleBot"].map((agent) =>
		JSON.stringify({ url: "https://example.com/private/", agent }),
	);
	const { body } = await service.inject({
		method: "POST",
		url: "/match",
		payload: rows.join("\n"),
		headers: { "content-type": "application/x-ndjson" },
	});
	expect(body.match(/"verdict":"\w+/g)).toEqual([
		'"verdict":"allowed',
		'"verdict":"allowed',
		'"verdict":"disallowed',
	]);
	expect(requests).toEqual(["https://example.com/robots.txt"]);
	const metrics = (await service.inject("/metrics")).body;
	expect(metrics).toContain(
		'robotrie_fetches_total{access="rules",code="success"} 1',
	);
	expect(metrics).toContain('robotrie_verdicts_total{verdict="allowed"} 2');
	expect(metrics).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
});

test("requests and fetches are spans", async () => {
	const spans: string[] = [];
	const span = { setStatus: () => span, end: () => {} };
	const startSpan = (name: string) => {
		spans.push(name);
		return span;
	};
	trace.setGlobalTracerProvider({
		getTracer: () => ({ startSpan }),
	} as unknown as TracerProvider);
	const { service } = await serviceOf({ tracing: true });
	services.push(service);
	await service.inject("/allowed?url=https://example.com/");
	trace.disable();
	expect(spans).toEqual(["fetch robots.txt", "GET /allowed"]);
});

test.each([0, 1, 10_000, 25_001])("/sitemaps of %d", async (count) => {
	const sitemaps = Array.from(
		{ length: count },
		(_, i) => `https://maps.example/${i}.xml`,
	);
	const file = sitemaps.map((url) => `Sitemap: ${url}\n`).join("");
	const { service } = await serviceOf({}, { "https://maps.example": file });
	onTestFinished(() => service.close());
	const answer = await service.inject(
		"/sitemaps?origin=https%3A%2F%2Fmaps.example&dialect=google",
	);
	expect(answer.headers["content-type"]).toMatch("application/json");
	const { origin, sitemaps: found } = answer.json();
	expect(origin).toBe("https://maps.example");
	expect(found).toEqual(sitemaps);
});
