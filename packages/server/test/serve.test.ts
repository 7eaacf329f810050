import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
} from "node:fs";
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { request as httpsRequest } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { root } from "../../../test/installed.ts";
import { hasRedis, startRedis } from "../../client/test/redis.ts";
import { serve } from "../src/index.ts";
import { serveOrigins, startReplica } from "./replicas.ts";
import { answering } from "./services.ts";

/** Who may ask what listens, and how it starts and ends. */

const folder = mkdtempSync(join(tmpdir(), "robotrie-serve-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TOKEN = "a secret of many characters";
const quiet = {
	port: 0,
	store: null,
	logLevel: "silent",
	signals: false,
	drainTime: 1000,
} as const;
const client = () => ({ fetch: answering().fetch });

describe("Elsewhere than on loopback it needs a token or certificates", () => {
	test.each([
		["nothing", {}, /to listen on 0\.0\.0\.0, give a token/],
		["a short token", { token: "short" }, /a token has at least 16 characters/],
		[
			"certificates without a CA",
			{ tls: { cert: "", key: "" } },
			/give a token/,
		],
	])("with %s it does not start", async (_, options, message) => {
		await expect(
			serve({ ...quiet, host: "0.0.0.0", ...options }),
		).rejects.toThrow(message);
	});
});

describe("A token", () => {
	const paths = [
		"/allowed?url=https://example.com/",
		"/metrics",
		"/openapi.json",
		"/nowhere",
	];
	test.each([
		["none", undefined, 401],
		["another one", "Bearer another secret of many", 401],
		["in another scheme", `Basic ${TOKEN}`, 401],
		["cut", `Bearer ${TOKEN.slice(0, -1)}`, 401],
		["the right one", `Bearer ${TOKEN}`, 200],
	])("%s", async (_, authorization, status) => {
		const service = await serve({
			...quiet,
			host: "0.0.0.0",
			agent: "ExampleBot",
			token: TOKEN,
			client: client(),
		});
		const base = service.address.replace("0.0.0.0", "127.0.0.1");
		const ask = (path: string) =>
			fetch(base + path, {
				headers: authorization === undefined ? {} : { authorization },
			});
		for (const path of paths) {
			const response = await ask(path);
			expect([path, response.status]).toEqual([
				path,
				status === 200 && path === "/nowhere" ? 404 : status,
			]);
		}
		expect((await ask("/healthz")).status).toBe(200);
		expect((await ask("/readyz")).status).toBe(200);
		await service.close();
	});
});

const PAGE = { host: "127.0.0.1", "sec-fetch-site": "cross-site" };
/** A page that a browser on this machine shows could otherwise ask, by a name of its own that leads here. */
describe("Who may ask", () => {
	const named = { hostNames: ["robots.example", "[2001:db8::1]"] };
	const token = { token: TOKEN };
	const authorization = `Bearer ${TOKEN}`;
	test.each<[string, object, Record<string, string>, number]>([
		["by address", {}, { host: "127.0.0.1" }, 200],
		["by the name localhost and a port", {}, { host: "LocalHost:80" }, 200],
		["by IPv6", {}, { host: "[::1]:80" }, 200],
		["by another name", {}, { host: "attacker.example" }, 403],
		[
			"by a name that begins alike",
			{},
			{ host: "127.0.0.1.attacker.example" },
			403,
		],
		[
			"from a page",
			{},
			{ host: "127.0.0.1", origin: "https://attacker.example" },
			403,
		],
		["from a page, by an image", {}, PAGE, 403],
		[
			"from a page of another port",
			{},
			{ ...PAGE, "sec-fetch-site": "same-site" },
			403,
		],
		["from the address bar", {}, { ...PAGE, "sec-fetch-site": "none" }, 200],
		["from a page with the token", token, { ...PAGE, authorization }, 200],
		["from a page without the token", token, PAGE, 401],
		["by any name with the token", token, { host: "a.b", authorization }, 200],
		["by a name it was told", named, { host: "Robots.Example.:8080" }, 200],
		["by an address it was told", named, { host: "[2001:db8::1]:80" }, 200],
		["by loopback beside names", named, { host: "localhost" }, 200],
		["by a name it was not told", named, { host: "a.robots.example" }, 403],
		[
			"by a name it was not told, with the token",
			{ ...named, ...token },
			{ host: "a.b", authorization },
			403,
		],
	])("%s", async (_, options, headers, status) => {
		const service = await serve({
			...quiet,
			...options,
			agent: "ExampleBot",
			client: client(),
		});
		const { port } = new URL(service.address);
		const statusOf = (path: string) =>
			new Promise((resolve) =>
				httpRequest({ port, path, headers }, (response) => {
					response.resume();
					resolve(response.statusCode);
				}).end(),
			);
		expect(await statusOf("/allowed?url=https://example.com/")).toBe(status);
		// Load balancers ask by address.
		expect(await statusOf("/healthz")).toBe(200);
		await service.close();
	});

	test("GET reserves nothing", async () => {
		vi.useFakeTimers({ toFake: ["Date", "performance"] });
		onTestFinished(() => void vi.useRealTimers());
		const service = await serve({
			...quiet,
			agent: "ExampleBot",
			client: client(),
		});
		const waits: number[] = [];
		for (const method of ["GET", "GET", "POST", "GET"]) {
			const url = `${service.address}/visits?url=https://example.com`;
			const answer = await fetch(url, { method });
			waits.push(((await answer.json()) as { wait: number }).wait);
		}
		expect(waits).toEqual([0, 0, 0, 2000]);
		await service.close();
	});
});

test("a Unix socket", async () => {
	const socket = join(folder, "robotrie.socket");
	const service = await serve({
		...quiet,
		socket,
		agent: "ExampleBot",
		client: client(),
	});
	expect(service.address).toBe(`unix:${socket}`);
	const answer = await new Promise<string>((resolve, reject) =>
		httpRequest(
			{ socketPath: socket, path: "/allowed?url=https://example.com/private/" },
			(response) => text(response).then(resolve, reject),
		).end(),
	);
	expect(answer).toBe('{"allowed":false,"verdict":"disallowed"}');
	await service.close();
});

describe("Certificates of clients", () => {
	const openssl = (...args: string[]) =>
		execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
	const make = (name: string, ...signed: string[]) =>
		openssl(
			"req",
			"-x509",
			"-newkey",
			"rsa:2048",
			"-nodes",
			"-days",
			"2",
			"-subj",
			`/CN=${name}`,
			"-addext",
			"subjectAltName=IP:127.0.0.1",
			"-keyout",
			`${name}.key`,
			"-out",
			`${name}.pem`,
			...signed,
		);
	const read = (file: string) => readFileSync(join(folder, file));

	test("whoever has none is refused, by HTTP/1.1 and HTTP/2", async () => {
		make("server");
		make("client");
		make("stranger");
		const service = await serve({
			...quiet,
			host: "0.0.0.0",
			agent: "ExampleBot",
			client: client(),
			tls: {
				cert: read("server.pem"),
				key: read("server.key"),
				ca: read("client.pem"),
			},
		});
		const { port } = new URL(service.address);
		const ask = (name?: string) =>
			new Promise<number | string | undefined>((resolve) => {
				const request = httpsRequest({
					host: "127.0.0.1",
					port,
					path: "/allowed?url=https://example.com/",
					ca: read("server.pem"),
					...(name && { cert: read(`${name}.pem`), key: read(`${name}.key`) }),
				});
				request.on("response", (response) => {
					response.resume();
					resolve(response.statusCode);
				});
				request.on("error", () => resolve("refused"));
				request.end();
			});
		expect([await ask(), await ask("stranger"), await ask("client")]).toEqual([
			"refused",
			"refused",
			200,
		]);
		const session = connectHttp2(`https://127.0.0.1:${port}`, {
			ca: read("server.pem"),
			cert: read("client.pem"),
			key: read("client.key"),
		});
		const stream = session.request({
			":method": "POST",
			":path": "/match",
			"content-type": "text/plain",
		});
		stream.end("https://example.com/\nhttps://example.com/private/\n");
		expect(await text(stream)).toBe("allowed\ndisallowed\n");
		const wrong = session.request({
			":method": "POST",
			":path": "/match",
			"content-type": "image/png",
		});
		wrong.end("x");
		expect(await text(wrong)).toContain("unsupported-type");
		session.close();
		await service.close();
	});
});

test.each([
	["text/plain", "https://example.com/private/\n", "disallowed\n"],
	[
		"application/x-ndjson",
		'{"url":"https://example.com/private/"}\n',
		'{"url":"https://example.com/private/","verdict":"disallowed"}\n',
	],
])("a byte order mark is no part of %s", async (type, body, answer) => {
	const service = await serve({
		...quiet,
		agent: "ExampleBot",
		client: client(),
	});
	for (const mark of ["", "\ufeff"]) {
		const response = await fetch(`${service.address}/match`, {
			method: "POST",
			headers: { "content-type": type },
			body: mark + body,
		});
		expect(await response.text()).toBe(answer);
	}
	await service.close();
});

test("before it ends listening, /readyz says so for half a second", async () => {
	const service = await serve({
		...quiet,
		agent: "ExampleBot",
		client: client(),
	});
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	onTestFinished(() => void vi.useRealTimers());
	const statuses = async () =>
		Promise.all(
			["readyz", "allowed?url=https://example.com/"].map(
				async (path) => (await fetch(`${service.address}/${path}`)).status,
			),
		);
	expect(await statuses()).toEqual([200, 200]);
	const closed = service.close();
	for (const passed of [0, 499]) {
		await vi.advanceTimersByTimeAsync(passed);
		expect(await statuses()).toEqual([503, 200]);
	}
	await vi.advanceTimersByTimeAsync(1);
	await closed;
	await expect(statuses()).rejects.toThrow();
});

test.each([
	["that has not begun", 0, "close"],
	// A block of what is at hand is written before the rest is.
	["that has begun", 60_000, "keep-alive"],
])(
	"an answer %s ends, and then its connection",
	async (_, atHand, connection) => {
		let isAsked = false;
		let answer: (response: Response) => void = () => {};
		const quick = client().fetch;
		const service = await serve({
			...quiet,
			drainTime: 600_000,
			agent: "ExampleBot",
			client: {
				fetch: (url) => {
					if (!String(url).includes("slow")) return quick(String(url));
					isAsked = true;
					return new Promise((resolve) => {
						answer = resolve;
					});
				},
			},
		});
		await fetch(`${service.address}/allowed?url=https://example.com/`);
		const agent = new Agent({ keepAlive: true });
		const request = httpRequest(`${service.address}/match`, {
			agent,
			method: "POST",
			headers: { "content-type": "text/plain" },
		});
		request.end(
			`${"https://example.com/\n".repeat(atHand)}https://slow.example/\n`,
		);
		const begun = once(request, "response");
		if (atHand > 0) await begun;
		await vi.waitUntil(() => isAsked, { timeout: 15_000 });
		const closed = service.close();
		// Until it has ended listening, and closed the connections that were idle by then.
		await vi.waitFor(() => expect(fetch(service.address)).rejects.toThrow(), {
			timeout: 15_000,
		});
		answer(new Response("", { status: 404 }));
		const [response] = (await begun) as [IncomingMessage];
		expect(response.headers.connection).toBe(connection);
		expect(await text(response)).toBe("allowed\n".repeat(atHand + 1));
		await closed;
		agent.destroy();
	},
);

describe("The command", () => {
	test("answers when it says that it listens, and SIGTERM lets what is in progress end", async () => {
		await using sites = await serveOrigins(1, 1500);
		const replica = await startReplica([
			"--port",
			"0",
			"--store",
			"none",
			"--agent",
			"ABot",
			"--allow-private-network",
		]);
		expect((await fetch(`${replica.base}/readyz`)).status).toBe(200);
		const answer = fetch(`${replica.base}/allowed?url=${sites.origins[0]}/a0`);
		await vi.waitFor(() => expect(sites.asked.size).toBe(1), {
			interval: 5,
			timeout: 30_000,
		});
		const stopped = replica.stop();
		const response = await answer;
		expect([response.status, await response.json()]).toEqual([
			200,
			{ allowed: false, verdict: "disallowed" },
		]);
		expect(await stopped).toBe(0);
		await expect(fetch(replica.base)).rejects.toThrow();
	});

	/** In SQLite where Node has it, else in LMDB. */
	test("a folder keeps what was fetched when the process is killed", async () => {
		await using sites = await serveOrigins(1);
		const store = join(folder, "kept");
		const url = `${sites.origins[0]}/a0`;
		const args = ["--port", "0", "--store", store, "--agent", "ABot"];
		for (let run = 0; run < 2; run++) {
			const replica = await startReplica([...args, "--allow-private-network"]);
			const response = await fetch(`${replica.base}/allowed?url=${url}`);
			expect(await response.json()).toEqual({
				allowed: false,
				verdict: "disallowed",
			});
			await replica.kill();
		}
		expect(sites.asked.get(sites.origins[0] ?? "")).toBe(1);
		const hasSqlite = process.getBuiltinModule("node:sqlite") !== undefined;
		expect(existsSync(join(store, "robots.sqlite"))).toBe(hasSqlite);
	});

	test("OpenTelemetry is asked for where the environment says so", async () => {
		const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };
		await expect(
			startReplica(["--port", "0", "--store", "none"], { env }),
		).rejects.toThrow(
			'OpenTelemetry needs the package "@opentelemetry/sdk-node"',
		);
	});

	test("without @robotrie/server it says how to install it", () => {
		const modules = join(folder, "node_modules");
		const own = join(modules, "@robotrie/cli");
		mkdirSync(own, { recursive: true });
		for (const name of ["dist", "main.js", "package.json"])
			cpSync(join(root, "packages/cli", name), join(own, name), {
				recursive: true,
			});
		for (const name of [
			"robotrie",
			"@robotrie/client",
			"@robotrie/audit",
			"@robotrie/sites",
			"p-limit",
			"basic-ftp",
			"tldts",
			"tldts-core",
			"tinypool",
		])
			symlinkSync(join(root, "node_modules", name), join(modules, name));
		const command = () =>
			execFileSync(process.execPath, [join(own, "main.js"), "serve"], {
				stdio: "pipe",
			});
		expect(command).toThrow(
			'robotrie: robotrie serve needs the package "@robotrie/server": npm install @robotrie/server',
		);
	});
});

describe.skipIf(!hasRedis)("Replicas that share a Redis server", () => {
	test("know each other's overrides and visits, and go on without the server", async () => {
		await using redis = await startRedis();
		await using sites = await serveOrigins(3);
		const args = [
			"--port",
			"0",
			"--store",
			redis.url,
			"--agent",
			"ABot",
			"--allow-private-network",
		];
		const replicas = await Promise.all([
			startReplica(args),
			startReplica(args),
		]);
		const [one, other] = replicas.map(({ base }) => base) as [string, string];
		const [site = "", second = "", third = ""] = sites.origins;
		const allowed = async (base: string, url: string) =>
			(
				(await (await fetch(`${base}/allowed?url=${url}`)).json()) as {
					verdict: string;
				}
			).verdict;
		const path = `${site}/elsewhere`;
		expect([await allowed(one, path), await allowed(other, path)]).toEqual([
			"allowed",
			"allowed",
		]);

		// An override holds at both within two seconds, and so does its removal; the site is not asked again.
		const override = `${one}/origins/${encodeURIComponent(site)}`;
		const headers = { "content-type": "text/plain" };
		expect(
			(
				await fetch(override, {
					method: "PUT",
					body: "User-agent: *\nDisallow: /\n",
					headers,
				})
			).status,
		).toBe(204);
		expect(await allowed(one, path)).toBe("disallowed");
		await vi.waitFor(
			async () => expect(await allowed(other, path)).toBe("disallowed"),
			{ timeout: 30_000 },
		);
		expect((await fetch(override, { method: "DELETE" })).status).toBe(204);
		expect(await allowed(one, path)).toBe("allowed");
		await vi.waitFor(
			async () => expect(await allowed(other, path)).toBe("allowed"),
			{ timeout: 30_000 },
		);
		expect(sites.asked.get(site)).toBe(1);

		// Whoever asks next gets a later time.
		const times: number[] = [];
		for (const base of [one, other, one, other]) {
			const { at } = (await (
				await fetch(`${base}/visits?url=${second}`, { method: "POST" })
			).json()) as { at: string };
			times.push(Date.parse(at));
		}
		for (const [i, time] of times.entries())
			if (i > 0)
				expect(time - (times[i - 1] ?? 0)).toBeGreaterThanOrEqual(1000);

		// What is in memory stays, what is not is fetched by each.
		await redis.kill();
		expect(await allowed(one, path)).toBe("allowed");
		expect([await allowed(one, third), await allowed(other, third)]).toEqual([
			"allowed",
			"allowed",
		]);
		expect(sites.asked.get(third)).toBe(2);
		expect(
			(await fetch(override, { method: "PUT", body: "", headers })).status,
		).toBe(503);
		await redis.restart();
		await vi.waitFor(
			async () =>
				expect(
					(await fetch(override, { method: "PUT", body: "", headers })).status,
				).toBe(204),
			{ timeout: 30_000, interval: 200 },
		);
		expect(
			await Promise.all(replicas.map((replica) => replica.stop())),
		).toEqual([0, 0]);
	});
});
