import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { FILE, type Handler, serve } from "../../client/test/site.ts";
import { robotrie } from "./run.ts";

const folder = mkdtempSync(join(tmpdir(), "robotrie-fetch-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const local = "--allow-private-network";
const plain = { "content-type": "text/plain", "cache-control": "max-age=7200" };
const file: Handler = (_, response) => response.writeHead(200, plain).end(FILE);
const time = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`;

const texts: readonly (readonly [
	string,
	Handler,
	readonly string[],
	RegExp,
	number,
])[] = [
	[
		"a file",
		file,
		[],
		new RegExp(
			String.raw`^URL/robots\.txt
  status    200 \([\d,]+ ms\)
  file      33 bytes, text/plain, 1 group, 1 rule, 0 sitemaps
  meaning   rules: HTTP 200: the rules of the file hold\.
  expires   ${time} \(in 2 hours\)
$`,
		),
		0,
	],
	[
		"redirects",
		(request, response) => {
			if (request.url === "/robots.txt")
				response.writeHead(301, { location: "/a?b" }).end();
			else response.writeHead(404).end();
		},
		[],
		/^URL\/robots\.txt\n {2}redirect {2}301 to URL\/a\?b\n {2}status {4}404 .*\n {2}meaning {3}allow-all: HTTP 404: .*\n {2}expires .* \(in 24 hours\)\n$/,
		0,
	],
	[
		"an HTML page with a meta refresh",
		(_, response) =>
			response
				.writeHead(200, { "content-type": "text/html" })
				.end(
					'<!doctype html><html><head><meta http-equiv="Refresh" content="0; URL=/real.txt"></head></html>',
				),
		[],
		/ {2}warning {3}.*a page of markup.*\n {2}warning {3}The page has a meta refresh to \/real\.txt, which crawlers do not follow/,
		0,
	],
	[
		"a meta refresh whose attributes stand the other way round, behind one in a comment",
		(_, response) =>
			response
				.writeHead(200, { "content-type": "text/html" })
				.end(
					`<html><!-- <meta http-equiv=refresh content="0;url=/no"> --><meta content="0; url='/real.txt'" http-equiv=REFRESH></html>`,
				),
		[],
		/ {2}warning {3}The page has a meta refresh to \/real\.txt, which crawlers do not follow/,
		0,
	],
	[
		"other content for another User-Agent",
		(request, response) =>
			response.end(
				`User-agent: *\nDisallow: /${request.headers["user-agent"]}\n`,
			),
		["--as", "A/1.0", "--as", "A/1.0", "--as", "B/1.0"],
		/expires .*\n {2}warning {3}The answer for B\/1\.0 differs from that for A\/1\.0: other content from line 2 on\. Google advises against it\.\n$/,
		0,
	],
	[
		"another status for another User-Agent",
		(request, response) =>
			response
				.writeHead(request.headers["user-agent"] === "B" ? 403 : 200)
				.end(FILE),
		["--as", "A", "--as", "B"],
		/ {2}warning {3}The answer for B differs from that for A: HTTP 403, not HTTP 200\./,
		0,
	],
	[
		"a server error that counts as 404",
		(_, response) => response.writeHead(500).end(),
		["--server-error-as-not-found", "127.0.0.1"],
		/ {2}meaning {3}allow-all: HTTP 500 counts as 404 here: /,
		0,
	],
	[
		"a server error",
		(_, response) => response.writeHead(503, { "retry-after": "600" }).end(),
		[],
		/ {2}status {4}503 .*\n {2}meaning {3}disallow-all: HTTP 503: .*\n {2}expires .* \(in 10 minutes\)\n {2}retry {5}not before .*Z\n$/,
		1,
	],
	[
		"a reset connection",
		({ socket }) => socket.resetAndDestroy(),
		[],
		/ {2}failure {3}connection: .* ms\)\n {2}meaning {3}disallow-all: There is no connection: .*\n/,
		1,
	],
	[
		"an answer that does not come",
		() => {},
		["--timeout", "0.2"],
		/failure {3}timeout: no answer within 200 ms/,
		1,
	],
	[
		"a file over the limit",
		file,
		["--max-bytes", "20"],
		/file {6}20 bytes and more, which are ignored, text\/plain, 1 group, 0 rules/,
		0,
	],
	[
		"Yandex",
		(_, response) => response.writeHead(503).end(),
		["--dialect", "yandex"],
		/allow-all: HTTP 503: .*For Yandex/,
		1,
	],
	[
		"an address in a header, with control characters",
		(_, response) => {
			response.socket?.end("HTTP/1.1 301 X\r\nLocation: /a\x9bb\r\n\r\n");
		},
		[],
		/^[^\x9b]*$/,
		0,
	],
];

test.each(texts)("%s as text", async (_, handler, options, expected, code) => {
	await using site = await serve(handler);
	const url = site.origin("127.0.0.1");
	const result = await robotrie([
		"fetch",
		local,
		...options,
		`${url}/some/page`,
	]);
	expect(String(result.stdout).replaceAll(url, "URL")).toMatch(expected);
	expect(result).toMatchObject({ code, stderr: "" });
});

test("several sites, in order, as JSON", async () => {
	let answer = () => {};
	const isOtherAnswered = new Promise<void>((resolve) => {
		answer = resolve;
	});
	await using slow = await serve(async (_, response) => {
		await isOtherAnswered;
		response.writeHead(200, plain).end(FILE);
	});
	await using quick = await serve((_, response) => {
		response.writeHead(404).end(answer);
	});
	const urls = [slow.origin("127.0.0.1"), quick.origin("127.0.0.1")];
	const result = await robotrie(["fetch", local, "--json", ...urls]);
	const rows = JSON.parse(String(result.stdout));
	expect(rows).toMatchObject([
		{
			url: urls[0],
			robotsUrl: `${urls[0]}/robots.txt`,
			redirects: [],
			status: 200,
			failure: null,
			bytes: FILE.length,
			truncated: false,
			access: "rules",
			code: "success",
			retryAfter: null,
		},
		{ url: urls[1], status: 404, access: "allow-all", code: "client-error" },
	]);
	expect(Date.parse(rows[0].expires) - Date.parse(rows[0].askedAt)).toBe(
		7_200_000,
	);
	expect(result).toMatchObject({ code: 0, stderr: "" });
});

describe("--body", () => {
	test("is the file, byte for byte", async () => {
		const bytes = Buffer.from(
			"\xff\x00User-agent: *\r\nDisallow: /\xe9",
			"latin1",
		);
		await using site = await serve((_, response) => response.end(bytes));
		const url = site.origin("127.0.0.1");
		const whole = await robotrie(["fetch", local, "--body", url]);
		expect(whole.stdout.equals(bytes)).toBe(true);
		const part = await robotrie([
			"fetch",
			local,
			"--body",
			"--max-bytes",
			"9",
			url,
		]);
		expect(part.stdout.equals(bytes.subarray(0, 9))).toBe(true);
	});

	test("is empty without a file, with a message", async () => {
		await using site = await serve((_, response) =>
			response.writeHead(404).end(),
		);
		const url = site.origin("127.0.0.1");
		const result = await robotrie(["fetch", local, "--body", url]);
		expect(result).toMatchObject({ code: 0, stdoutSize: 0 });
		expect(result.stderr).toBe(
			`robotrie: ${url}/robots.txt: HTTP 404: the site has no robots.txt, everything is allowed.\n`,
		);
	});
});

test("--proxy, --header and --forbidden-as-disallow count", async () => {
	await using proxy = await serve((request, response) =>
		response
			.writeHead(request.url === "http://example.test/robots.txt" ? 403 : 404)
			.end(),
	);
	const { stdout, stderr, code } = await robotrie([
		"fetch",
		"--proxy",
		proxy.origin("127.0.0.1"),
		"--header",
		"From: bot@example.com",
		"--forbidden-as-disallow",
		"http://example.test/",
	]);
	expect([code, stderr]).toEqual([0, ""]);
	expect(String(stdout)).toContain(
		"disallow-all: HTTP 403 counts as disallow here",
	);
	expect(proxy.headers).toMatchObject([{ from: "bot@example.com" }]);
});

test("a store makes requests conditional", async () => {
	await using site = await serve((request, response) => {
		if (request.headers["if-none-match"] === '"1"')
			response.writeHead(304).end();
		else response.writeHead(200, { etag: '"1"' }).end(FILE);
	});
	const args = [
		"fetch",
		local,
		"-s",
		join(folder, "store"),
		"--user-agent",
		"ExampleBot/1.0",
		site.origin("127.0.0.1"),
	];
	const first = await robotrie(args);
	expect(String(first.stdout)).toMatch(/status {4}200/);
	const second = await robotrie(args);
	expect(String(second.stdout)).toMatch(
		/status {4}304 .*\n {2}meaning {3}rules: HTTP 304/,
	);
	const third = await robotrie([...args, "--body"]);
	expect(String(third.stdout)).toBe(FILE);
	expect(site.headers[0]?.["user-agent"]).toBe("ExampleBot/1.0");
});

test("private addresses are refused unless they are allowed", async () => {
	await using site = await serve(file);
	const result = await robotrie(["fetch", site.origin("127.0.0.1")]);
	expect(String(result.stdout)).toMatch(
		/failure {3}address-refused: 127\.0\.0\.1 is loopback/,
	);
	expect(result.code).toBe(1);
	expect(site.requests).toEqual([]);
});
