import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { answer, answers, big } from "../../../test/data/http-answers.ts";
import type { HttpOutcome, RobotsClientOptions } from "../src/index.ts";
import { clientOf, clock, FILE, type Handler, serve } from "./site.ts";

/** The client's timers stand still from here on, until the test tells them how much time has passed. */
function withoutTime() {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	onTestFinished(() => void vi.useRealTimers());
}

describe("A server's answer", () => {
	test.each(answers.map((row) => [row.what, row] as const))(
		"%s",
		async (_, row) => {
			const { options, access, code, copy, outcome, requests, passes } = row;
			if (passes) withoutTime();
			await using site = await serve((request, response) => {
				if (passes) vi.advanceTimersByTime(passes);
				row.handler(request, response);
			});
			await using client = clientOf(options);
			const url = site.origin("example.test");
			const asked = await client.fetch(url);
			expect(asked.access).toMatchObject({ access, code });
			const text =
				asked.access.copy && new TextDecoder().decode(asked.access.copy.body);
			expect(text).toBe(access === "rules" ? (copy ?? FILE) : null);
			expect(asked.outcome).toMatchObject({
				url: `${url}/robots.txt`,
				...outcome,
			} satisfies HttpOutcome);
			const all = requests ?? ["example.test/robots.txt"];
			// While the process is stopped the time for an answer passes, if it is the machine's.
			const { length } = code === "timeout" && !passes ? site.requests : all;
			expect(length).toBeLessThanOrEqual(all.length);
			expect(site.requests).toEqual(all.slice(0, length));
		},
	);

	test("that cannot be had: no such host, nothing listening", async () => {
		await using client = clientOf();
		const site = await serve(() => {});
		await site[Symbol.asyncDispose]();
		const of = async (url: string) => (await client.access(url)).code;
		expect(await of("http://nowhere.invalid/")).toBe("dns");
		expect(await of(site.origin("example.test"))).toBe("connection");
		expect(await of(`https://example.test:${site.port}/`)).toBe("connection");
	});

	test("that speaks no TLS, or cannot prove who it is", async () => {
		await using site = await serve(answer(200));
		await using client = clientOf();
		const { code } = await client.access(`https://example.test:${site.port}/`);
		expect(code).toBe("tls");
	});
});

describe("The time limit ends", () => {
	/** Called when what is to be ended has begun. */
	let begin = () => {};
	const lookup = () => begin();
	const never = () => {
		begin();
		return new Promise<never>(() => {});
	};
	type Row = readonly [
		what: string,
		scheme: string,
		options: Partial<RobotsClientOptions>,
		/** Connections to a server that takes them and says nothing. */
		connections: number,
	];
	const rows: readonly Row[] = [
		["a look-up of a name", "http", { lookup }, 0],
		["a look-up of a name for TLS", "https", { lookup }, 0],
		["a look-up of a name for FTP", "ftp", { lookup }, 0],
		["a TLS handshake", "https", {}, 1],
		["a wait for an answer", "http", {}, 1],
		["a wait for a greeting by FTP", "ftp", {}, 1],
		["a fetch that heeds no signal", "http", { fetch: never }, 0],
		[
			"a body that heeds no signal",
			"http",
			{ fetch: async () => new Response(new ReadableStream({ pull: never })) },
			0,
		],
	];
	test.each(
		rows.flatMap((row) => [
			[row[0], "by itself", row] as const,
			[row[0], "as a signal does", row] as const,
		]),
	)("%s, %s", async (_, by, [, scheme, options, connections]) => {
		const isItself = by === "by itself";
		if (isItself) withoutTime();
		const hasBegun = new Promise<void>((resolve) => {
			begin = resolve;
		});
		let made = 0;
		let open = 0;
		const server = createServer((socket) => {
			made++;
			open++;
			begin();
			socket
				.on("error", () => {})
				.on("close", () => open--)
				.resume();
		}).listen(0, "127.0.0.1");
		await once(server, "listening");
		const { port } = server.address() as AddressInfo;
		const timeout = isItself ? 200 : 600_000;
		await using client = clientOf({ ...options, timeout });
		const stop = new AbortController();
		const answer = client.access(`${scheme}://example.test:${port}/`, {
			signal: isItself ? undefined : stop.signal,
		});
		await hasBegun;
		if (isItself) {
			vi.advanceTimersByTime(200);
			expect((await answer).code).toBe("timeout");
		} else {
			stop.abort(new Error("enough"));
			await expect(answer).rejects.toThrow("enough");
		}
		await vi.waitFor(
			() => {
				const { active, queued } = client.stats();
				expect({ active, queued, open }).toEqual({
					active: 0,
					queued: 0,
					open: 0,
				});
			},
			{ timeout: 15_000 },
		);
		expect(made).toBe(connections);
		server.close();
	});
});

test.each([
	["first asked", "http://example.test:6667/"],
	["of a redirect", ""],
])("a port of another protocol is not connected to: %s", async (_, url) => {
	await using site = await serve(
		answer(302, { location: "http://example.test:25/robots.txt" }),
	);
	let lookUps = 0;
	await using client = clientOf({
		lookup: (_, options, callback) => {
			lookUps++;
			if (options.all) callback(null, [{ address: "127.0.0.1", family: 4 }]);
			else callback(null, "127.0.0.1", 4);
		},
	});
	const { outcome } = await client.fetch(url || site.origin("example.test"));
	expect(outcome.failure).toMatchObject({
		code: "connection",
		message: expect.stringMatching(/^port (6667|25) is for another protocol/),
	});
	expect(lookUps).toBe(site.requests.length);
});

test.each([
	["a body that is too long", "200 OK"],
	["a body of a redirect", "302 Found\r\nLocation: gopher:"],
	["a body of an error", "404 Not Found"],
])("%s takes one connection, and is not read to its end", async (_, status) => {
	let made = 0;
	let open = 0;
	const server = createServer((socket) => {
		made++;
		open++;
		const more = () => {
			while (socket.write(big));
		};
		socket
			.on("error", () => {})
			.on("close", () => open--)
			.on("drain", more)
			.once("data", () => {
				socket.write(`HTTP/1.1 ${status}\r\n\r\n`);
				more();
			});
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	await using client = clientOf();
	await client.fetch(`http://example.test:${port}/`);
	await vi.waitFor(() => expect(open).toBe(0), { timeout: 15_000 });
	expect(made).toBe(1);
	server.close();
});

test("a long body is not read to its end", async () => {
	let closed = () => {};
	const done = new Promise<void>((resolve) => {
		closed = resolve;
	});
	await using site = await serve((_, response) => {
		const more = () => {
			while (response.write(big));
		};
		response.on("drain", more).on("close", closed);
		more();
	});
	await using client = clientOf();
	await client.fetch(site.origin("example.test"));
	await done;
});

describe("A request", () => {
	test("has the crawler's name and asks for text", async () => {
		await using site = await serve(answer(200));
		await using client = clientOf({
			userAgent: "ExampleBot/1.0 (+https://example.com/bot)",
		});
		await client.fetch(site.origin("example.test"));
		expect(site.headers[0]).toMatchObject({
			"user-agent": "ExampleBot/1.0 (+https://example.com/bot)",
			accept: "text/plain, */*;q=0.5",
			"accept-encoding": "gzip, br, deflate",
		});
	});

	test("by a fetch of one's own asks for no content coding", async () => {
		await using site = await serve(answer(200));
		const origin = "http://example.test";
		await using client = clientOf({
			fetch: (_, init) => fetch(`${site.origin("127.0.0.1")}/robots.txt`, init),
		});
		await client.fetch(origin);
		expect(site.headers[0]?.["accept-encoding"]).toBe("identity");
	});

	test.each([
		["ExampleBot", "ExampleBot"],
		[["Example-News", "ExampleBot"], "Example-News"],
		["*", "robotrie"],
	])("of %j is from %s", async (agent, name) => {
		await using site = await serve(answer(200));
		await using client = clientOf({ agent });
		await client.fetch(site.origin("example.test"));
		expect(site.headers[0]?.["user-agent"]).toBe(name);
	});
});

test("the rules of a redirect's target are those of the origin first asked, and of no other", async () => {
	await using site = await serve((request, response) => {
		const { host = "" } = request.headers;
		if (host.startsWith("old."))
			response
				.writeHead(301, {
					location: `http://${host.replace("old.", "new.")}/robots.txt`,
				})
				.end();
		else if (request.headers["x-again"]) response.end();
		else response.end(FILE);
	});
	await using client = clientOf();
	expect(await client.isAllowed(`${site.origin("old.test")}/private`)).toBe(
		false,
	);
	expect(site.requests).toEqual(["old.test/robots.txt", "new.test/robots.txt"]);
	expect(await client.isAllowed(`${site.origin("new.test")}/private`)).toBe(
		false,
	);
	expect(site.requests).toHaveLength(3);
});

describe("The target of a redirect", () => {
	const old =
		(next: string): Handler =>
		(request, response) => {
			const { host = "" } = request.headers;
			if (host.startsWith("old."))
				response
					.writeHead(301, {
						location: `http://${host.replace("old.", "new.")}${next}`,
					})
					.end();
			else if (request.url === "/late") response.writeHead(503).end();
			else
				response.writeHead(200, { "cache-control": "max-age=1000" }).end(FILE);
		};
	const first = ["new.test/robots.txt", "old.test/robots.txt"];
	const asked = [...first, "new.test/robots.txt"];
	test.each<
		[
			what: string,
			options: Partial<RobotsClientOptions>,
			seconds: number,
			requests: readonly string[],
		]
	>([
		["that is known is not asked again", {}, 0, first],
		["that is known for a while", {}, 890, first],
		["that is soon to be asked for is asked", {}, 910, asked],
		["that is known no longer is asked", {}, 1001, asked],
		[
			"whose 5xx would mean something else is asked",
			{ serverErrorAsNotFound: (origin) => origin.includes("old.") },
			0,
			asked,
		],
	])("%s", async (_, options, seconds, requests) => {
		await using site = await serve(old("/robots.txt"));
		const time = clock();
		await using client = clientOf({ now: time.read, ...options });
		const known = await client.access(site.origin("new.test"));
		time.now += seconds * 1000;
		const found = await client.access(site.origin("old.test"));
		expect(site.requests).toEqual(requests);
		expect(await client.isAllowed(`${site.origin("old.test")}/private`)).toBe(
			false,
		);
		// It holds no longer than what is known.
		if (requests === first) expect(found.expires).toBe(known.expires);
	});

	test("is asked where that is asked for", async () => {
		await using site = await serve(old("/robots.txt"));
		await using client = clientOf();
		await client.access(site.origin("new.test"));
		const { outcome } = await client.fetch(site.origin("old.test"));
		expect([site.requests, outcome.status]).toEqual([asked, 200]);
	});

	test("that is another file is asked", async () => {
		await using site = await serve(old("/late"));
		await using client = clientOf();
		await client.access(site.origin("new.test"));
		const { access } = await client.access(site.origin("old.test"));
		expect([access, site.requests.at(-1)]).toEqual([
			"disallow-all",
			"new.test/late",
		]);
	});
});

test("5xx can count as 404 for sites known for it", async () => {
	await using site = await serve(answer(500));
	const bad = site.origin("bad.test");
	await using client = clientOf({
		serverErrorAsNotFound: (origin) => origin === bad,
	});
	expect(await client.isAllowed(`${bad}/a`)).toBe(true);
	expect(await client.isAllowed(`${site.origin("good.test")}/a`)).toBe(false);
});

test("for Yandex a file over the limit allows everything", async () => {
	await using site = await serve(answer(200, { "content-type": "text/plain" }));
	const url = `${site.origin("example.test")}/private`;
	await using small = clientOf({ dialect: "yandex", maxBytes: 20 });
	expect(await small.isAllowed(url)).toBe(true);
	await using large = clientOf({ dialect: "yandex" });
	expect(await large.isAllowed(url)).toBe(false);
});
