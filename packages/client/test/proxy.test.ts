import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import {
	type AddressInfo,
	connect,
	createServer as createNetServer,
} from "node:net";
import { describe, expect, test } from "vitest";
import type { RobotsClientOptions } from "../src/index.ts";
import { clientOf, FILE, serve } from "./site.ts";

interface Proxy extends AsyncDisposable {
	readonly url: string;
	/** What it was asked for: "CONNECT host:port", "GET http://host:port/path". */
	readonly asked: string[];
	readonly fields: IncomingMessage["headers"][];
}

/** A proxy that finds all hosts on this machine, or answers everything with a status and fields of its own. */
async function proxyOf(
	own?: readonly [status: number, fields?: Record<string, string>],
): Promise<Proxy> {
	const asked: string[] = [];
	const fields: IncomingMessage["headers"][] = [];
	const server = createServer((question, answer) => {
		asked.push(`${question.method} ${question.url}`);
		fields.push(question.headers);
		if (own) return answer.writeHead(...own).end("no");
		const { port, pathname } = new URL(question.url ?? "");
		const headers = { host: question.headers.host };
		request({ host: "127.0.0.1", port, path: pathname, headers }, (found) => {
			answer.writeHead(found.statusCode ?? 0, found.headers);
			found.pipe(answer);
		}).end();
	});
	server.on("connect", (question, socket) => {
		asked.push(`CONNECT ${question.url}`);
		fields.push(question.headers);
		socket.on("error", () => {});
		if (own) return socket.end(`HTTP/1.1 ${own[0]} No\r\n\r\nno`);
		const port = Number(question.url?.split(":").at(-1));
		const site = connect(port, "127.0.0.1", () => {
			socket.write("HTTP/1.1 200 Yes\r\n\r\n");
			site.pipe(socket).pipe(site);
		});
		site.on("error", () => socket.destroy());
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		asked,
		fields,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			server.close();
		},
	};
}

/** Through a proxy names are not looked up here. */
const lookup: NonNullable<RobotsClientOptions["lookup"]> = () => {
	throw new Error("it was looked up");
};

describe("A proxy", () => {
	test("is asked for http sites by their whole URL, with its password", async () => {
		await using site = await serve((_, response) => response.end(FILE));
		await using proxy = await proxyOf();
		const url = proxy.url.replace("//", "//me:a%20b@");
		await using client = clientOf({
			proxy: url,
			lookup,
			allowPrivateNetwork: false,
		});
		const origin = site.origin("example.test");
		expect(await client.isAllowed(`${origin}/private`)).toBe(false);
		expect([proxy.asked, site.requests]).toEqual([
			[`GET ${origin}/robots.txt`],
			["example.test/robots.txt"],
		]);
		expect(proxy.fields[0]).toMatchObject({
			"user-agent": "ExampleBot",
			"proxy-authorization": `Basic ${btoa("me:a b")}`,
		});
	});

	test("is asked for a connection to https sites", async () => {
		await using proxy = await proxyOf();
		const site = createNetServer((socket) => {
			socket.on("error", () => {});
			socket.once("data", () => socket.end("it speaks no TLS"));
		}).listen(0, "127.0.0.1");
		await once(site, "listening");
		const { port } = site.address() as AddressInfo;
		await using client = clientOf({ proxy: new URL(proxy.url), lookup });
		const { code } = await client.access(`https://example.test:${port}/`);
		site.close();
		// As without one.
		expect([code, proxy.asked]).toEqual([
			"tls",
			[`CONNECT example.test:${port}`],
		]);
	});

	const refusals: readonly (readonly [
		scheme: string,
		answer: readonly [number, Record<string, string>?],
	])[] = [
		...[403, 404, 407, 502].map((status) => ["https", [status]] as const),
		["http", [407]],
		["http", [403, { "x-squid-error": "ERR_ACCESS_DENIED 0" }]],
		["http", [404, { "proxy-status": "p; error=destination_not_found" }]],
	];
	test.each(refusals)(
		"that answers itself says nothing of the site: %s, %j",
		async (scheme, answer) => {
			await using proxy = await proxyOf(answer);
			await using client = clientOf({ proxy: proxy.url, lookup });
			const found = await client.access(`${scheme}://example.test/`);
			expect([found.access, found.code, found.reason]).toEqual([
				"disallow-all",
				"connection",
				`There is no connection: the proxy answered ${answer[0]} itself, without an answer of the site.`,
			]);
		},
	);

	test("that never answers is left in time", async () => {
		let closed = () => {};
		const over = new Promise<void>((resolve) => {
			closed = resolve;
		});
		const server = createNetServer((socket) => {
			socket.on("error", () => {}).on("close", closed);
			socket.resume();
		}).listen(0, "127.0.0.1");
		await once(server, "listening");
		const { port } = server.address() as AddressInfo;
		const proxy = `http://127.0.0.1:${port}`;
		await using client = clientOf({ proxy, lookup, timeout: 50 });
		const { code } = await client.access("https://example.test/");
		await over;
		server.close();
		expect(code).toBe("timeout");
	});

	test.each([
		["http://127.0.0.1:1/", "address-refused"],
		["http://localhost/", "address-refused"],
		["ftp://example.test/", "connection"],
	])("is not asked for %s", async (url, code) => {
		await using proxy = await proxyOf([200]);
		await using client = clientOf({
			proxy: proxy.url,
			lookup,
			allowPrivateNetwork: false,
		});
		const access = await client.access(url);
		expect([access.code, proxy.asked]).toEqual([code, []]);
	});
});

test("further header fields are sent, after redirects, too", async () => {
	await using site = await serve((question, response) =>
		question.url === "/robots.txt"
			? response.writeHead(302, { location: "/other" }).end()
			: response.end(FILE),
	);
	await using client = clientOf({
		headers: { From: "bot@example.com", "X-Team": "crawl" },
	});
	await client.access(site.origin("example.test"));
	expect(site.headers).toHaveLength(2);
	for (const headers of site.headers)
		expect(headers).toMatchObject({
			from: "bot@example.com",
			"x-team": "crawl",
			"user-agent": "ExampleBot",
		});
});
