import { expect, test } from "vitest";
import {
	type RobotsAccess,
	RobotsClient,
	type RobotsClientOptions,
} from "../src/index.ts";
import { type FtpBehaviour, serveFtp } from "./ftp-site.ts";
import { clientOf, FILE, loopback } from "./site.ts";

const good = { access: "rules", code: "success" } as const;
const absent = { access: "allow-all", code: "client-error" } as const;
const failed = (code: RobotsAccess["code"]) =>
	({ access: "disallow-all", code }) as const;
const long = "#".repeat(2_000_000);

/** What the server does, what it means, and the text of the copy. */
const cases: readonly [
	what: string,
	server: FtpBehaviour,
	expected: Partial<RobotsAccess>,
	copy?: string | undefined,
	options?: Partial<RobotsClientOptions>,
][] = [
	["a file", { file: FILE }, good, FILE],
	["an empty file", {}, good, ""],
	["2 MB", { file: long }, good, long.slice(0, 512_001)],
	[
		"2 MB without an end",
		{ file: long, data: "stay" },
		good,
		long.slice(0, 512_001),
	],
	["PASV", { file: FILE, passive: "127,0,0,1" }, good, FILE],
	[
		"PASV that leads to another host, where nobody goes",
		{ file: FILE, passive: "169,254,169,254" },
		failed("connection"),
	],
	["no such file", { replies: { RETR: "550 no such file" } }, absent],
	["no anonymous login", { replies: { PASS: "530 who are you?" } }, absent],
	["not now", { replies: { RETR: "450 busy" } }, failed("server-error")],
	[
		"no service",
		{ replies: { greeting: "421 too many users" } },
		failed("server-error"),
	],
	[
		"a transfer that breaks off",
		{ file: "User-", data: "reset" },
		{ access: "disallow-all" },
	],
	[
		"no FTP",
		{ replies: { greeting: "HTTP/1.1 400 Bad Request" } },
		failed("timeout"),
		undefined,
		{ timeout: 300 },
	],
	[
		"a transfer that does not end",
		{ file: FILE, data: "stay" },
		failed("timeout"),
		undefined,
		{ timeout: 300 },
	],
	[
		"Yandex, no such file",
		{ replies: { RETR: "550 no such file" } },
		absent,
		undefined,
		{ dialect: "yandex" },
	],
];

test.each(cases)(
	"by FTP, %s",
	async (_, behaviour, expected, copy, options) => {
		await using site = await serveFtp(behaviour);
		await using client = clientOf(options);
		const { access } = await client.fetch(
			`ftp://example.test:${site.port}/pub/`,
		);
		expect(access).toMatchObject(expected);
		expect(access.copy && new TextDecoder().decode(access.copy.body)).toBe(
			copy ?? null,
		);
		if (expected.code !== "timeout" || copy)
			expect(site.commands).not.toContain("PORT");
	},
);

test("the login is anonymous, the file the one at the root", async () => {
	await using site = await serveFtp({ file: FILE });
	await using client = clientOf();
	const url = `ftp://example.test:${site.port}`;
	expect(
		await client.filter([
			`${url}/private/a`,
			`${url}/pub/b`,
			`${url}/robots.txt`,
		]),
	).toEqual([`${url}/pub/b`, `${url}/robots.txt`]);
	expect(site.commands).toEqual(
		expect.arrayContaining(["USER anonymous", "RETR /robots.txt"]),
	);
	const { reason } = await client.access(url);
	expect(reason).toBe("FTP reply 226: the rules of the file hold.");
	// http on the same host and port is another origin.
	expect(await client.isAllowed(`http://example.test:${site.port}/pub/b`)).toBe(
		false,
	);
});

test.each(["127.0.0.1", "example.test", "[::ffff:127.0.0.1]"])(
	"private addresses are refused: %s",
	async (host) => {
		await using site = await serveFtp({ file: FILE });
		await using client = new RobotsClient({
			agent: "ExampleBot",
			lookup: loopback,
		});
		const { code } = await client.access(`ftp://${host}:${site.port}/`);
		expect(code).toBe("address-refused");
		expect(site.commands).toEqual([]);
	},
);

test("no server, no host", async () => {
	const site = await serveFtp({});
	await site[Symbol.asyncDispose]();
	await using client = clientOf();
	const of = async (host: string) =>
		(await client.access(`ftp://${host}:${site.port}/`)).code;
	expect(await of("example.test")).toBe("connection");
	expect(await of("nowhere.invalid")).toBe("dns");
});

test("an abort signal ends it", async () => {
	await using site = await serveFtp({ file: FILE, data: "stay" });
	await using client = clientOf({ timeout: 600_000 });
	const call = client.isAllowed(`ftp://example.test:${site.port}/`, {
		signal: AbortSignal.timeout(200),
	});
	await expect(call).rejects.toMatchObject({ name: "TimeoutError" });
	expect(client.stats().active).toBeLessThanOrEqual(1);
});
