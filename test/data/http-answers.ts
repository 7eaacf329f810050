import {
	brotliCompressSync,
	deflateRawSync,
	deflateSync,
	gzipSync,
} from "node:zlib";
import type {
	RobotsAccess,
	RobotsClientOptions,
} from "../../packages/client/src/index.ts";
import { FILE, type Handler } from "../../packages/client/test/site.ts";

/** What a server does, and what it means. */
export interface HttpAnswer {
	readonly what: string;
	readonly handler: Handler;
	readonly options?: Partial<RobotsClientOptions>;
	readonly access: RobotsAccess["access"];
	readonly code: RobotsAccess["code"];
	/** The copy's text; FILE where rules hold. */
	readonly copy?: string;
	readonly outcome?: object;
	/** What was asked for; "example.test/robots.txt" by default. */
	readonly requests?: readonly string[];
	/** Milliseconds that pass for the client, and for nobody else, before each answer. */
	readonly passes?: number;
}

const good = { access: "rules", code: "success" } as const;
const absent = { access: "allow-all", code: "client-error" } as const;
const refused = (code: RobotsAccess["code"]) =>
	({ access: "disallow-all", code }) as const;

export const answer =
	(status: number, headers: Record<string, string> = {}, body?: unknown) =>
	(...[, response]: Parameters<Handler>) =>
		response.writeHead(status, headers).end(body ?? FILE);

/** Redirects from /robots.txt to each of these in turn, "PORT" being the server's, then an answer. */
const path = (locations: readonly string[], last: Handler): Handler => {
	const next = new Map<string, string>();
	let from = "example.test/robots.txt";
	for (const location of locations) {
		next.set(from, location);
		const url = new URL(location.replace(":PORT", ""), "http://example.test");
		from = url.hostname + url.pathname + url.search;
	}
	return (request, response) => {
		const [host = "", port = ""] = request.headers.host?.split(":") ?? [];
		const location = next.get(host + request.url);
		if (location === undefined) last(request, response);
		else
			response
				.writeHead(308, { location: location.replace("PORT", port) })
				.end();
	};
};

const hops = (count: number) =>
	Array.from({ length: count }, (_, i) => `/${i + 1}`);

/** Writes to the connection, past Node's HTTP. */
const raw =
	(text: string, then: "end" | "reset" | "stay" = "end"): Handler =>
	({ socket }) => {
		socket.write(text, "latin1", () => {
			if (then === "end") socket.end();
			else if (then === "reset") setTimeout(() => socket.resetAndDestroy(), 20);
		});
	};

/** Answers /robots.txt with these lines, and all else with FILE. */
const moved =
	(...lines: readonly string[]): Handler =>
	(request, response) =>
		request.url === "/robots.txt"
			? raw(`${lines.join("\r\n")}\r\nContent-Length: 0\r\n\r\n`)(
					request,
					response,
				)
			: response.end(FILE);

const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n";
/** All of an answer. */
const whole = `${HEAD}Content-Length: ${FILE.length}\r\n\r\n${FILE}`;
const chunked = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`;
export const big = Buffer.from(
	`User-agent: *\nDisallow: /a\n${"# filler, to be long\n".repeat(100_000)}`,
);
/** A file whose last line counts, too long for one chunk of a decoder. */
const LONG = `User-agent: *\n${Array.from({ length: 6000 }, (_, i) => `Disallow: /${(i * 7919) % 10_007}\n`).join("")}Disallow: /secret/\n`;
const compressors = {
	gzip: gzipSync,
	br: brotliCompressSync,
	deflate: deflateSync,
	"deflate, bare": deflateRawSync,
	"gzip, br": (text: string | Buffer) => brotliCompressSync(gzipSync(text)),
};
const coded = (name: string, body: Uint8Array) =>
	answer(200, { "content-encoding": name.split(", bare")[0] ?? "" }, body);

/** What becomes of a compressed body whose HTTP message is complete. */
const compressedBodies = Object.entries(compressors).flatMap(
	([name, compress]): HttpAnswer[] => {
		const whole = compress(LONG);
		const cuts: readonly (readonly [string, number])[] = [
			["its first byte", 1],
			["its header", Math.min(12, whole.length - 1)],
			["its first half", whole.length >> 1],
			["all but its last byte", whole.length - 1],
		];
		return [
			{
				what: `${name}, a long file`,
				handler: coded(name, whole),
				...good,
				copy: LONG,
			},
			{
				what: `${name}, sent byte by byte`,
				handler: (_, response) => {
					response.writeHead(200, {
						"content-encoding": name.split(", bare")[0] ?? "",
					});
					for (const byte of compress(FILE)) response.write(Buffer.of(byte));
					response.end();
				},
				...good,
			},
			...cuts.map(
				([what, length]): HttpAnswer => ({
					what: `${name}, cut to ${what}`,
					handler: coded(name, whole.subarray(0, length)),
					...refused("incomplete-body"),
				}),
			),
			{
				what: `${name}, no length, cut to its first half`,
				handler: ({ socket }) => {
					socket.write(
						`${HEAD}Content-Encoding: ${name.split(", bare")[0]}\r\n\r\n`,
					);
					socket.end(whole.subarray(0, whole.length >> 1));
				},
				...refused("incomplete-body"),
			},
			{
				what: `${name}, no length and no body`,
				handler: raw(
					`${HEAD}Content-Encoding: ${name.split(", bare")[0]}\r\n\r\n`,
				),
				...refused("incomplete-body"),
			},
			{
				what: `${name}, no chunks`,
				handler: coded(name, new Uint8Array()),
				...good,
				copy: "",
			},
			{
				what: `${name}, a length of 0`,
				handler: raw(
					`${HEAD}Content-Length: 0\r\nContent-Encoding: ${name.split(", bare")[0]}\r\n\r\n`,
				),
				...good,
				copy: "",
			},
			{
				what: `${name} of nothing`,
				handler: coded(name, compress("")),
				...good,
				copy: "",
			},
		];
	},
);

const HTML = `<!doctype html><script>location = "/other"</script>\n${FILE}</html>`;

export const answers: readonly HttpAnswer[] = [
	{ what: "200", handler: answer(200), ...good },
	{ what: "200 and nothing", handler: answer(200, {}, ""), ...good, copy: "" },
	{ what: "204", handler: answer(204), ...good, copy: "" },
	{
		what: "HTML",
		handler: answer(200, { "content-type": "text/html" }, HTML),
		...good,
		copy: HTML,
	},
	...[400, 401, 403, 404, 410, 451].map((status) => ({
		what: `${status}`,
		handler: answer(status),
		...absent,
	})),
	{
		what: "429",
		handler: answer(429, { "retry-after": "7" }),
		...refused("too-many-requests"),
	},
	...[500, 502, 503, 504].map((status) => ({
		what: `${status}`,
		handler: answer(status),
		...refused("server-error"),
	})),
	{
		what: "999",
		handler: raw("HTTP/1.1 999 No\r\nContent-Length: 0\r\n\r\n"),
		...refused("server-error"),
	},
	{
		what: "304 that was not asked for",
		handler: answer(304),
		...refused("server-error"),
	},

	{
		what: "five redirects",
		handler: path(hops(5), answer(200)),
		...good,
		requests: ["robots.txt", "1", "2", "3", "4", "5"].map(
			(name) => `example.test/${name}`,
		),
	},
	{
		what: "five redirects to nothing",
		handler: path(hops(5), answer(404)),
		...absent,
		requests: ["robots.txt", "1", "2", "3", "4", "5"].map(
			(name) => `example.test/${name}`,
		),
	},
	{
		what: "six redirects",
		handler: path(hops(6), answer(200)),
		access: "allow-all",
		code: "too-many-redirects",
		requests: ["robots.txt", "1", "2", "3", "4", "5"].map(
			(name) => `example.test/${name}`,
		),
	},
	{
		what: "a redirect to another host, a relative and an absolute one",
		handler: path(["http://other.test:PORT/a?b#c"], answer(200)),
		...good,
		requests: ["example.test/robots.txt", "other.test/a?b"],
		outcome: { redirects: [{ status: 308 }] },
	},
	{
		what: "a redirect with credentials, which are not sent",
		handler: path(["http://user:word@other.test:PORT/a"], answer(200)),
		...good,
		requests: ["example.test/robots.txt", "other.test/a"],
	},
	{
		what: "a circle",
		handler: path(["/1", "/2", "/robots.txt"], answer(200)),
		access: "allow-all",
		code: "redirect-loop",
		requests: ["robots.txt", "1", "2"].map((name) => `example.test/${name}`),
	},
	{
		what: "a redirect to itself",
		handler: answer(302, { location: "/robots.txt" }),
		access: "allow-all",
		code: "redirect-loop",
	},
	...[
		"ftp://example.test/robots.txt",
		"javascript:alert(1)",
		"http://",
		"data:,User-agent",
	].map(
		(location) =>
			({
				what: `a redirect to ${location}`,
				handler: answer(302, { location }),
				access: "allow-all",
				code: "redirect-nowhere",
			}) as const,
	),
	{
		what: "a redirect without Location",
		handler: answer(301),
		access: "allow-all",
		code: "redirect-nowhere",
	},
	{
		what: "300 with a Location",
		handler: moved("HTTP/1.1 300 Multiple Choices", "Location: /other"),
		...good,
		requests: ["example.test/robots.txt", "example.test/other"],
	},
	{
		what: "300 without one",
		handler: answer(300),
		access: "allow-all",
		code: "redirect-nowhere",
	},
	...(
		[
			["in UTF-8", "/r\xc3\xbc.txt", "/r%C3%BC.txt"],
			["in Latin-1", "/r\xfc.txt?\xe9", "/r%FC.txt?%E9"],
			["escaped", "/r%c3%bc.txt", "/r%c3%bc.txt"],
		] as const
	).map(
		([what, location, target]) =>
			({
				what: `a redirect whose Location is ${what}`,
				handler: moved("HTTP/1.1 301 Moved", `Location: ${location}`),
				...good,
				requests: ["example.test/robots.txt", `example.test${target}`],
			}) as const,
	),
	{
		what: "a redirect with two Location fields",
		handler: moved("HTTP/1.1 301 Moved", "Location: /a", "location: /b"),
		...refused("invalid-response"),
	},
	{
		what: "a redirect with the same Location twice",
		handler: moved("HTTP/1.1 301 Moved", "Location: /a", "Location: /a"),
		...good,
		requests: ["example.test/robots.txt", "example.test/a"],
	},
	{
		what: "a redirect to a host that does not exist",
		handler: path(["http://nowhere.invalid/robots.txt"], answer(200)),
		...refused("dns"),
	},

	{
		what: "gzip",
		handler: answer(200, { "content-encoding": "gzip" }, gzipSync(FILE)),
		...good,
	},
	{
		what: "x-gzip",
		handler: answer(200, { "content-encoding": "X-GZIP" }, gzipSync(FILE)),
		...good,
	},
	{
		what: "br",
		handler: answer(
			200,
			{ "content-encoding": "br" },
			brotliCompressSync(FILE),
		),
		...good,
	},
	{
		what: "deflate",
		handler: answer(200, { "content-encoding": "deflate" }, deflateSync(FILE)),
		...good,
	},
	{
		what: "gzip, then br",
		handler: answer(
			200,
			{ "content-encoding": "gzip, br" },
			brotliCompressSync(gzipSync(FILE)),
		),
		...good,
	},
	...compressedBodies,
	{
		what: "gzip, two members",
		handler: coded(
			"gzip",
			Buffer.concat([gzipSync("User-agent: *\n"), gzipSync("Disallow: /b\n")]),
		),
		...good,
		copy: "User-agent: *\nDisallow: /b\n",
	},
	{
		what: "gzip, the second member cut",
		handler: coded(
			"gzip",
			Buffer.concat([gzipSync(FILE), gzipSync(LONG).subarray(0, 100)]),
		),
		...refused("incomplete-body"),
	},
	{
		what: "gzip, the second member cut to one byte",
		handler: coded("gzip", Buffer.concat([gzipSync(FILE), Buffer.of(0x1f)])),
		...refused("incomplete-body"),
	},
	{
		what: "gzip, then zeros",
		handler: coded("gzip", Buffer.concat([gzipSync(FILE), Buffer.alloc(9)])),
		...good,
	},
	{
		what: "gzip, then what is no member",
		handler: coded("gzip", Buffer.concat([gzipSync(FILE), Buffer.from("x")])),
		...refused("incomplete-body"),
	},
	...["br", "deflate", "deflate, bare"].map((name) => ({
		what: `${name}, then what does not belong to it`,
		handler: coded(
			name,
			Buffer.concat([
				compressors[name as "br"](FILE),
				Buffer.from("x".repeat(100)),
			]),
		),
		...good,
	})),
	{
		what: "gzip, too many times",
		handler: answer(200, {
			"content-encoding": "gzip, gzip, gzip, gzip, gzip, gzip",
		}),
		...refused("invalid-response"),
	},
	{
		what: "gzip of 5 MB that are members without content",
		handler: coded(
			"gzip, gzip",
			gzipSync(Buffer.concat(new Array(1 << 18).fill(gzipSync("")))),
		),
		...refused("invalid-response"),
	},
	{
		what: "zstd, which was not asked for",
		handler: answer(200, { "content-encoding": "zstd" }),
		...refused("invalid-response"),
	},
	{
		what: "gzip that is none",
		handler: answer(200, { "content-encoding": "gzip" }, "User-agent: *"),
		...refused("incomplete-body"),
	},
	{
		what: "gzip that is damaged",
		handler: answer(
			200,
			{ "content-encoding": "gzip" },
			Buffer.concat([gzipSync(FILE).subarray(0, -8), Buffer.alloc(8)]),
		),
		...refused("incomplete-body"),
	},
	{
		what: "an unknown content coding",
		handler: answer(200, { "content-encoding": "compress" }),
		...refused("invalid-response"),
	},

	{
		what: "2 MB",
		handler: answer(200, {}, big),
		...good,
		copy: big.toString().slice(0, 512_001),
		outcome: { truncated: true },
	},
	{
		what: "2 MB, compressed",
		handler: answer(200, { "content-encoding": "gzip" }, gzipSync(big)),
		...good,
		copy: big.toString().slice(0, 512_001),
		outcome: { truncated: true },
	},
	{
		what: "as long as the limit",
		handler: answer(200),
		options: { maxBytes: FILE.length },
		...good,
		outcome: { truncated: false },
	},
	{
		what: "longer than the limit",
		handler: answer(200),
		options: { maxBytes: FILE.length - 1 },
		...good,
		outcome: { truncated: true },
	},
	{
		what: "a limit of 0",
		handler: answer(200),
		options: { maxBytes: 0 },
		...good,
		copy: "U",
		outcome: { truncated: true },
	},
	{
		what: "endless, cut at the limit",
		handler: (_, response) => {
			response.write(big);
		},
		...good,
		copy: big.toString().slice(0, 512_001),
	},

	{
		what: "chunks",
		handler: raw(
			`${chunked}1\r\nU\r\n${(FILE.length - 1).toString(16)};x=y\r\n${FILE.slice(1)}\r\n0\r\nTrailer: x\r\n\r\n`,
		),
		...good,
	},
	{
		what: "no length, ended by the end of the connection",
		handler: raw(`${HEAD}\r\n${FILE}`),
		...good,
	},
	{
		what: "chunks without an end",
		handler: raw(`${chunked}5\r\nUser-\r\n`),
		...refused("incomplete-body"),
	},
	{
		what: "a chunk without a size",
		handler: raw(`${chunked}5\r\nUser-\r\nzz\r\n`),
		...refused("incomplete-body"),
	},
	{
		what: "a chunk that is shorter than it says",
		handler: raw(`${chunked}ff\r\nUser-agent\r\n`),
		...refused("incomplete-body"),
	},
	{
		what: "fewer bytes than Content-Length",
		handler: raw(`${HEAD}Content-Length: 100\r\n\r\n${FILE}`),
		...refused("incomplete-body"),
	},
	{
		what: "a reset within the body",
		handler: raw(`${HEAD}Content-Length: 100\r\n\r\n${FILE}`, "reset"),
		...refused("incomplete-body"),
	},
	{
		what: "a reset in place of the end of the connection, which ends the body",
		handler: raw(`${HEAD}Connection: close\r\n\r\n${FILE}`, "reset"),
		...refused("incomplete-body"),
	},
	{
		what: "a reset before an answer",
		handler: ({ socket }) => socket.resetAndDestroy(),
		...refused("connection"),
	},
	{
		what: "the end of the connection before an answer",
		handler: ({ socket }) => socket.end(),
		...refused("connection"),
	},
	{
		what: "half a head",
		handler: raw("HTTP/1.1 200 OK\r\nContent-"),
		...refused("connection"),
	},
	{
		what: "no HTTP",
		handler: raw("220 ftp.example.test\r\n"),
		...refused("invalid-response"),
	},
	...[
		"none",
		"utf-8",
		"text/plain",
		"binary",
		"8bit",
		"chunked",
		"aws-chunked",
		"UTF-8, identity",
		"",
	].map((name) => ({
		what: `plain text with the content coding ${name || "without a name"}`,
		handler: answer(200, { "content-encoding": name }),
		...good,
	})),
	{
		what: "gzip beside a coding that is none",
		handler: answer(
			200,
			{ "content-encoding": "aws-chunked, gzip" },
			gzipSync(FILE),
		),
		...good,
	},
	{
		what: "100 Continue that was not asked for",
		handler: raw(`HTTP/1.1 100 Continue\r\n\r\n${whole}`),
		...good,
	},
	{
		what: "103 Early Hints",
		handler: raw(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${whole}`),
		...good,
	},
	{
		what: "101, another protocol",
		handler: raw(
			"HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
		),
		...refused("invalid-response"),
	},
	{
		what: "Content-Length beside chunks",
		handler: raw(
			`${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n${FILE.length.toString(16)}\r\n${FILE}\r\n0\r\n\r\n`,
		),
		...good,
	},
	{
		what: "a folded header field",
		handler: raw(whole.replace("\r\n", "\r\nX: a\r\n  b\r\n")),
		...good,
	},
	{
		what: "bare line feeds",
		handler: raw(whole.replaceAll("\r\n", "\n")),
		...good,
	},
	{
		what: "header fields of 60 KB",
		handler: raw(whole.replace("\r\n", `\r\nX: ${"x".repeat(60_000)}\r\n`)),
		...good,
	},
	{
		what: "a status without a reason, by HTTP/1.0",
		handler: raw(`HTTP/1.0 200\r\n\r\n${FILE}`),
		...good,
	},
	{
		what: "two Content-Length fields that differ",
		handler: raw(whole.replace("\r\n", "\r\nContent-Length: 7\r\n")),
		...refused("invalid-response"),
	},
	{
		what: "a Content-Length that is no number",
		handler: raw(`${HEAD}Content-Length: many\r\n\r\n${FILE}`),
		...refused("invalid-response"),
	},
	{
		what: "a line that is no header field",
		handler: raw(whole.replace("\r\n", "\r\nno field\r\n")),
		...refused("invalid-response"),
	},
	{
		what: "endless header fields",
		handler: raw(`${HEAD}X: ${"x".repeat(200_000)}`, "stay"),
		...refused("invalid-response"),
	},
	{
		what: "no answer in time",
		handler: () => {},
		options: { timeout: 200 },
		...refused("timeout"),
	},
	{
		what: "half a body in time",
		handler: raw(`${chunked}5\r\nUser-\r\n`, "stay"),
		options: { timeout: 200 },
		...refused("timeout"),
	},
	{
		what: "a body that comes byte by byte",
		handler: (_, response) => {
			const timer = setInterval(() => response.write("#"), 10);
			response.on("close", () => clearInterval(timer));
		},
		options: { timeout: 300 },
		...refused("timeout"),
	},
	{
		what: "redirects that are slow together",
		handler: path(hops(5), answer(200)),
		passes: 600,
		options: { timeout: 1500 },
		...refused("timeout"),
		requests: ["robots.txt", "1", "2"].map((name) => `example.test/${name}`),
	},
];
