import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import {
	createSecureContext,
	createServer as createSecureServer,
	TLSSocket,
	type TlsOptions,
} from "node:tls";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { clientOf, FILE } from "./site.ts";

/** Of nobody: made for this test, for 100 years. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgx5Y4D+FISxnQij/i
AhlQMZmMK1oTjLDe7QJeZ2zAAIWhRANCAASeFwmXnjIEJYyWHjW1F5+lv/LSpGm3
UNrskMOEioD+ntA8Yqhp9p2gp6Dry7KgxzBF04vhILWBKKcvLNX0I054
-----END PRIVATE KEY-----`;
const cert = `-----BEGIN CERTIFICATE-----
MIIBnjCCAUSgAwIBAgIUTxy1wXW07FrmxjMVXjpoMwxLl1cwCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMZXhhbXBsZS50ZXN0MCAXDTI2MTEyNDEyNTM1M1oYDzIxMjYx
MDMxMTI1MzUzWjAXMRUwEwYDVQQDDAxleGFtcGxlLnRlc3QwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAASeFwmXnjIEJYyWHjW1F5+lv/LSpGm3UNrskMOEioD+ntA8
Yqhp9p2gp6Dry7KgxzBF04vhILWBKKcvLNX0I054o2wwajAdBgNVHQ4EFgQUEINt
9oMh5Wr3qFX3tSFQnC0PxwwwHwYDVR0jBBgwFoAUEINt9oMh5Wr3qFX3tSFQnC0P
xwwwDwYDVR0TAQH/BAUwAwEB/zAXBgNVHREEEDAOggxleGFtcGxlLnRlc3QwCgYI
KoZIzj0EAwIDSAAwRQIgHsH0bOZuqJFtBd4Uybn3vctpq9Og+YMGJiCJuKuI/bkC
IQDrLMDS+8fvrGQ2IHHOmtHTrEsVYmeHKG2c3kNrAsvWng==
-----END CERTIFICATE-----`;

beforeAll(() => {
	vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
});
afterAll(() => {
	vi.unstubAllEnvs();
});

type Serve = (secure: TLSSocket, raw: Socket) => void;
const answer: Serve = (secure) =>
	secure.end(
		`HTTP/1.1 200 OK\r\ncontent-length: ${FILE.length}\r\n\r\n${FILE}`,
	);
const reset: Serve = (_, raw) => raw.resetAndDestroy();
const close: Serve = (secure) => secure.destroy();
const wanted = { requestCert: true, rejectUnauthorized: true };
const asked = { requestCert: true, rejectUnauthorized: false };
const newer = { minVersion: "TLSv1.3" } as const;
const older = { maxVersion: "TLSv1.2" } as const;

const rows: readonly (readonly [
	what: string,
	options: TlsOptions,
	serve: Serve,
	code: string,
	message: RegExp,
])[] = [
	[
		"wanted, TLS 1.3",
		{ ...wanted, ...newer },
		answer,
		"tls",
		/certificate required/,
	],
	[
		"wanted, TLS 1.2",
		{ ...wanted, ...older },
		answer,
		"tls",
		/handshake failure/,
	],
	[
		"asked for, TLS 1.3",
		{ ...asked, ...newer },
		answer,
		"success",
		/^HTTP 200/,
	],
	[
		"asked for, then a reset",
		{ ...asked, ...newer },
		reset,
		"tls",
		/client certificate/,
	],
	[
		"asked for, then the end",
		{ ...asked, ...newer },
		close,
		"tls",
		/client certificate/,
	],
	[
		"not asked for, then a reset",
		newer,
		reset,
		"connection",
		/ECONNRESET|closed the connection/,
	],
	[
		"not asked for, then the end",
		newer,
		close,
		"connection",
		/closed the connection/,
	],
];

test.each(rows)(
	"a client certificate is %s",
	async (_, options, serve, code, message) => {
		const secureContext = createSecureContext({ key, cert, ...options });
		const server = createServer((raw) => {
			const isServer = true;
			const secure = new TLSSocket(raw, {
				isServer,
				secureContext,
				...options,
			});
			for (const socket of [raw, secure]) socket.on("error", () => {});
			secure.once("data", () => serve(secure, raw));
		}).listen(0, "127.0.0.1");
		await once(server, "listening");
		const { port } = server.address() as AddressInfo;
		await using client = clientOf();
		const { access, outcome } = await client.fetch(
			`https://example.test:${port}/`,
		);
		server.close();
		expect([access.code, access.reason]).toEqual([
			code,
			expect.stringMatching(message),
		]);
		expect(outcome.failure?.code).toBe(code === "success" ? undefined : code);
	},
);

test.each([
	["example.test", "example.test"],
	// RFC 6066 §3: without the dot; servers written in Go refuse a name that has it.
	["example.test.", "example.test"],
	["127.0.0.1", false],
])("the server is told that %j is wanted as %j", async (host, name) => {
	const secureContext = createSecureContext({ key, cert });
	const names: unknown[] = [];
	const server = createServer((raw) => {
		const secure = new TLSSocket(raw, { isServer: true, secureContext });
		for (const socket of [raw, secure]) socket.on("error", () => {});
		secure.once("data", () => {
			names.push((secure as TLSSocket & { servername?: unknown }).servername);
			answer(secure, raw);
		});
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	await using client = clientOf();
	const { code } = await client.access(`https://${host}:${port}/`);
	server.close();
	expect([code, names]).toEqual(["success", [name]]);
});

test.each([
	[
		"only HTTP/2",
		{ ALPNProtocols: ["h2"] },
		"tlsv1 alert no application protocol",
	],
	[
		"only TLS 1.1",
		{
			minVersion: "TLSv1",
			maxVersion: "TLSv1.1",
			ciphers: "ALL:@SECLEVEL=0",
		} as const,
		"tlsv1 alert protocol version",
	],
])("a server that speaks %s", async (_, options, reason) => {
	const server = createSecureServer({ key, cert, ...options }, (socket) => {
		socket.on("error", () => {});
		socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	await using client = clientOf();
	const access = await client.access(`https://example.test:${port}/`);
	server.close();
	expect([access.code, access.reason]).toEqual([
		"tls",
		`No secure connection can be made: ${reason}.`,
	]);
});
