import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { failureOf } from "../src/fetch/failures.ts";
import type { RobotsClientOptions } from "../src/index.ts";
import { clientOf, FILE, type loopback } from "./site.ts";

describe("What kind of failure an error is", () => {
	test.each([
		// Node's "X509 certificate error codes", and OpenSSL's alerts.
		["INVALID_PURPOSE", "tls"],
		["INVALID_CA", "tls"],
		["CRL_HAS_EXPIRED", "tls"],
		["PATH_LENGTH_EXCEEDED", "tls"],
		["HOSTNAME_MISMATCH", "tls"],
		["CERT_HAS_EXPIRED", "tls"],
		["DEPTH_ZERO_SELF_SIGNED_CERT", "tls"],
		["ERR_TLS_CERT_ALTNAME_INVALID", "tls"],
		["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "tls"],
		["ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", "tls"],
		["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls"],
		["ECONNRESET", "connection"],
		["ECONNREFUSED", "connection"],
		["ENOTFOUND", "dns"],
		["ETIMEDOUT", "timeout"],
		["UND_ERR_CONNECT_TIMEOUT", "timeout"],
		["HPE_INVALID_CONSTANT", "invalid-response"],
	])("%s", (code, expected) => {
		const error = Object.assign(new Error("it failed"), { code });
		expect(failureOf(error).code).toBe(expected);
		expect(
			failureOf(new TypeError("fetch failed", { cause: error })).code,
		).toBe(expected);
	});
});

test.each([
	[
		"write EPROTO 80ECED:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/openssl/ssl3_record.c:350:\n",
		"wrong version number",
	],
	[
		"error:100000f7:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER",
		"wrong version number",
	],
	["Parse Error: Duplicate Content-Length", "Duplicate Content-Length"],
	["socket hang up", "the server closed the connection before it had answered"],
	["two\n lines", "two lines"],
])("people read of %j: %s", (message, expected) => {
	expect(failureOf(new Error(message)).message).toBe(expected);
});

const HEAD = "HTTP/1.1 200 OK\r\n";
const coded = (name: string) =>
	`${HEAD}Content-Encoding: ${name}\r\nContent-Length: ${FILE.length}\r\n\r\n${FILE}`;
/** What a server sends, the code, and what people read. */
const raw: readonly (readonly [
	what: string,
	sent: string,
	code: string,
	reason: RegExp,
])[] = [
	[
		"an unasked 100, then an answer",
		`HTTP/1.1 100 Continue\r\n\r\n${HEAD}Content-Length: ${FILE.length}\r\n\r\n${FILE}`,
		"success",
		/^HTTP 200: /,
	],
	[
		"an unasked 100 alone",
		"HTTP/1.1 100 Continue\r\n\r\n",
		"connection",
		/: the server closed the connection before it had answered\.$/,
	],
	[
		"frames of HTTP/2",
		"\0\0\0\x04\0\0\0\0\0",
		"invalid-response",
		/: it is HTTP\/2, which was not asked for\.$/,
	],
	[
		"another protocol",
		"SSH-2.0-OpenSSH_9.2\r\n",
		"invalid-response",
		/: it does not begin with HTTP\/\.$/,
	],
	[
		"two equal lengths",
		`${HEAD}Content-Length: 3\r\nContent-Length: 3\r\n\r\n#\n\n`,
		"invalid-response",
		/: Duplicate Content-Length\.$/,
	],
	[
		"a body that is too short",
		`${HEAD}Content-Length: 999\r\n\r\n${FILE}`,
		"incomplete-body",
		/: the connection ended before the body did/,
	],
	[
		"wrong chunks",
		`${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
		"incomplete-body",
		/, or chunks are wrong\.$/,
	],
	...["gzip", "br", "deflate"].map(
		(name) =>
			[
				`plain text as ${name}`,
				coded(name),
				"incomplete-body",
				new RegExp(`: the body is not whole, or not ${name} as its`),
			] as const,
	),
];

test.each(raw)("people read of %s", async (_, sent, code, reason) => {
	const server = createServer((socket) => {
		socket.on("error", () => {});
		socket.once("data", () => socket.end(sent, "latin1"));
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	await using client = clientOf();
	const access = await client.access(`http://example.test:${port}/`);
	server.close();
	expect([access.code, access.reason]).toEqual([
		code,
		expect.stringMatching(reason),
	]);
	expect(access.reason).not.toMatch(/[\n\r]|SSL routines/);
});

type Found = Parameters<Parameters<typeof loopback>[2]>[1];

test.each<[what: string, found: Found, mayBePrivate: boolean]>([
	["no address", [], true],
	["no address", [], false],
	["nothing", undefined as unknown as Found, true],
	["nothing", undefined as unknown as Found, false],
])("a lookup that gives %s: %j, %j", async (_, found, allowPrivateNetwork) => {
	await using client = clientOf({
		allowPrivateNetwork,
		lookup: (_name, _options, callback) => callback(null, found),
	});
	const { code, reason } = await client.access("http://example.test/");
	expect([code, reason]).toEqual([
		"dns",
		"The host name cannot be resolved: example.test has no address.",
	]);
});

const headers = new Headers();
test.each([
	["nothing", undefined],
	["null", null],
	["a text", "User-agent: *"],
	["an object without header fields", { status: 200 }],
	["plain header fields", { status: 200, headers: { a: "b" } }],
	["a status as text", { status: "200", headers, body: null }],
	["a body as text", { status: 200, headers, body: "User-agent: *" }],
])("a fetch that gives %s is a mistake of the program", async (_, given) => {
	const fetch = async () => given;
	await using client = clientOf({
		fetch: fetch as unknown as NonNullable<RobotsClientOptions["fetch"]>,
	});
	const url = "http://example.test/a";
	for (const call of [
		client.access(url),
		client.isAllowed(url),
		client.matchMany([url]),
		client.visit(url, () => {}),
	])
		await expect(call).rejects.toMatchObject({
			code: "invalid-argument",
			message: expect.stringMatching(
				/^what fetch resolves to is a Response, .*, not /,
			),
		});
});

test.each(["", "  ", [""], ["ExampleBot", ""]])(
	"the agent %j is a mistake of the program",
	(agent) => {
		expect(() => clientOf({ agent })).toThrow(
			expect.objectContaining({
				code: "invalid-argument",
				message: expect.stringMatching(/^agent is a product token/),
			}),
		);
	},
);
