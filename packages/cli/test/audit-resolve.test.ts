import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { ptr, startDns } from "./dns-server.ts";
import { file, folder, robotrie } from "./run.ts";

/** `robotrie audit --resolve` with a DNS server on loopback. packages/audit/test/reverse-dns.test.ts has a row for each answer of DNS. */

const own = "66.249.66.1";
const name = "crawl-66-249-66-1.googlebot.com";
const own6 = "2001:4860:4801:10::1";
const name6 = "crawl-6.googlebot.com";
const forged = "8.8.8.8";
const failing = "9.9.9.9";
const nobody = "1.1.1.1";
const dns = await startDns({
	[ptr(own)]: [name],
	[`A ${name}`]: [own],
	"PTR 1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1.0.0.1.0.8.4.0.6.8.4.1.0.0.2.ip6.arpa":
		[name6],
	[`AAAA ${name6}`]: [own6],
	// Whoever owns an address may call it what they like.
	[ptr(forged)]: [name],
	[ptr(failing)]: "SERVFAIL",
});
afterAll(dns.stop);

const rules = file("resolve.txt", "User-agent: *\nDisallow: /private\n");
const clients = [own, forged, failing, nobody, own6, "10.0.0.1", own];
const lines = clients.map(
	(client, at) =>
		`${client} - - [14/Oct/2025:12:30:4${at} +0000] "GET /private HTTP/1.1" 200 5 "-" "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"`,
);
const text = lines.join("\n");
const log = file("resolve.log", text);
const packed = join(folder, "resolve.log.gz");
writeFileSync(packed, gzipSync(text));
const cache = (of: string) => join(folder, `resolve-${of}.json`);
const audit = (of: string, ...subcommand: readonly string[]) => [
	"audit",
	...subcommand,
	"-r",
	rules,
	"--resolve",
	"--resolve-server",
	dns.address,
	"--resolve-cache",
	cache(of),
];
const UNKNOWN =
	'robotrie: warning: DNS gave no answer about an address: these requests are "unknown"\n';

interface Report {
	readonly crawlers: readonly {
		readonly name: string;
		readonly verification: string;
		readonly requests: number;
		readonly addresses: { readonly top: readonly { readonly text: string }[] };
	}[];
}

/** Requests by verification. */
function counted(stdout: Uint8Array) {
	const { crawlers } = JSON.parse(Buffer.from(stdout).toString()) as Report;
	return Object.fromEntries(
		crawlers.map(({ verification, requests }) => [verification, requests]),
	);
}

const counts = { verified: 3, claimed: 2, unknown: 2 };

describe("--resolve", () => {
	test.each<
		[name: string, options: string[], stdin: string, ...subcommand: string[]]
	>([
		["a file", [log], ""],
		["a gzip file", [packed], ""],
		["stdin", ["-"], text],
		["a growing log", ["-"], text, "follow"],
		["a file, with conditions", ["--where", "crawler=Googlebot", log], ""],
	])("verifies crawlers in %s", async (name, options, stdin, ...subcommand) => {
		const of = name.replaceAll(" ", "-");
		const { stdout, stderr } = await robotrie(
			[...audit(of, ...subcommand), "--json", ...options],
			{ stdin },
		);
		expect(stderr).toBe(UNKNOWN);
		expect(counted(stdout)).toEqual(counts);
	});

	test("verifies crawlers in two periods that are compared", async () => {
		const periods = ["..2025-10-14T12:30:43", "2025-10-14T12:30:43.."];
		const { stdout, stderr } = await robotrie([
			...audit("periods", "compare"),
			"--json",
			...periods,
			log,
		]);
		expect(stderr).toBe(UNKNOWN);
		const { crawlers } = JSON.parse(Buffer.from(stdout).toString()) as {
			readonly crawlers: readonly {
				readonly verification: string;
				readonly before: { readonly requests: number } | null;
				readonly after: { readonly requests: number } | null;
			}[];
		};
		expect(
			Object.fromEntries(
				crawlers.map(({ verification, before, after }) => [
					verification,
					[before?.requests, after?.requests],
				]),
			),
		).toEqual({ verified: [1, 2], claimed: [1, 1], unknown: [1, 1] });
	});

	test("has rows for the same answers", async () => {
		const { stdout } = await robotrie([...audit("each"), "--each", "-", log]);
		const rows = stdout.toString().trim().split("\n");
		expect(
			rows.map(
				(row) => (JSON.parse(row) as Report["crawlers"][0]).verification,
			),
		).toEqual([
			"verified",
			"claimed",
			"unknown",
			"claimed",
			"verified",
			"unknown",
			"verified",
		]);
	});

	test("keeps definite answers on disk, and asks no more", async () => {
		await robotrie([...audit("kept"), log]);
		const kept = JSON.parse(readFileSync(cache("kept"), "utf8")) as {
			entries: Record<string, { answer: string; time: number }>;
		};
		expect(
			Object.entries(kept.entries).map(([key, { answer }]) => [key, answer]),
		).toEqual(
			[
				[`${own} googlebot.com,google.com`, "verified"],
				[`${nobody} googlebot.com,google.com`, "claimed"],
				[`${forged} googlebot.com,google.com`, "claimed"],
				[`${own6} googlebot.com,google.com`, "verified"],
			].sort((a, b) => order(kept.entries, a) - order(kept.entries, b)),
		);
		if (process.platform !== "win32")
			expect(statSync(cache("kept")).mode & 0o077 & 0o022).toBe(0);
		const before = dns.asked.length;
		const { stdout } = await robotrie([...audit("kept"), "--json", log]);
		expect(counted(stdout)).toEqual(counts);
		expect(new Set(dns.asked.slice(before))).toEqual(new Set([ptr(failing)]));
	});

	/** Where an entry is among others; they are in the order of answers, which is any. */
	function order(entries: object, [key = ""]: readonly string[]): number {
		return Object.keys(entries).indexOf(key);
	}

	const key = `${own} googlebot.com,google.com`;
	const day = 86_400_000;
	test.each([
		["a claim of an hour", "claimed", day / 24, { claimed: 4, verified: 1 }],
		["a claim of a day", "claimed", day, counts],
		["a name of six days", "verified", 6 * day, counts],
		["one of the future", "claimed", -day, counts],
		["one without a meaning", "unknown", 0, counts],
	])("trusts %s, or asks again", async (of, answer, age, wanted) => {
		const time = Date.now() - age;
		const entries = { [key]: { answer, time } };
		const content = { format: "robotrie-resolve", version: 1, entries };
		writeFileSync(cache(of), JSON.stringify(content));
		const { stdout } = await robotrie([...audit(of), "--json", log]);
		expect(counted(stdout)).toEqual({ unknown: 2, ...wanted });
	});

	test.each([
		["an older version", '{"format":"robotrie-resolve","version":0}', true],
		["an empty file", "", true],
		["a newer version", '{"format":"robotrie-resolve","version":2}', false],
	])("reads no cache of %s", async (of, content, isReplaced) => {
		writeFileSync(cache(of), content);
		const { stdout, stderr } = await robotrie([...audit(of), "--json", log]);
		expect(counted(stdout)).toEqual(counts);
		const now = readFileSync(cache(of), "utf8");
		if (isReplaced) expect(now).toContain('"version":1');
		else {
			expect(now).toBe(content);
			expect(stderr).toContain("is of a newer robotrie");
		}
	});

	test("makes the folder of the cache, by default the user's", async () => {
		const env = { XDG_CACHE_HOME: join(folder, "of-a-user") };
		await robotrie(
			["audit", "-r", rules, "--resolve", "--resolve-server", dns.address, log],
			{ env },
		);
		expect(
			existsSync(join(env.XDG_CACHE_HOME, "robotrie", "resolve.json")),
		).toBe(process.platform !== "win32");
	});

	test.each([
		[["--anonymize"]],
		[["--anonymize-key", file("resolve.key", "0123456789abcdef")]],
	])(
		"%s verifies real addresses, and keeps those of operators only",
		async (how) => {
			const of = `anonymous-${how.length}`;
			const { stdout, stderr } = await robotrie([
				...audit(of),
				...how,
				"--json",
				log,
			]);
			expect(counted(stdout)).toEqual(counts);
			const written = `${stdout}${stderr}${readFileSync(cache(of), "utf8")}`;
			for (const client of [forged, failing, nobody])
				expect(written).not.toContain(client);
			expect(written).toContain(key);
		},
	);

	test("a state remembers that it was verified", async () => {
		const state = join(folder, "resolve.state");
		await robotrie([...audit("state"), "--state", state, log]);
		const { stdout } = await robotrie(["audit", "merge", "--json", state]);
		expect(counted(stdout)).toEqual(counts);
	});

	test("a server that is not there makes everything unknown", async () => {
		const { stdout, stderr } = await robotrie([
			"audit",
			"-r",
			rules,
			"--resolve",
			"--json",
			"--resolve-cache",
			cache("gone"),
			"--resolve-server",
			"127.0.0.1:9",
			log,
		]);
		expect(counted(stdout)).toEqual({ unknown: 7 });
		expect(stderr).toContain("DNS gave no answer about 5 addresses");
		expect(existsSync(cache("gone"))).toBe(false);
	});

	test.each([
		[["--resolve-cache", "x"], "--resolve-cache needs --resolve"],
		[["--resolve-server", "192.0.2.1"], "--resolve-server needs --resolve"],
		[["--resolve", "--workers", "2"], "cannot be used with --workers"],
		[
			["--resolve", "--resolve-server", "dns.example"],
			"needs an address such as",
		],
		[["--resolve", "--resolve-cache", rules], "is not a cache of --resolve"],
		[["--resolve", "--resolve-cache", folder], "cannot read"],
		[["--resolve", "--list-headers"], "cannot be used with --resolve"],
	])("%j is refused", async (options, message) => {
		const { code, stderr } = await robotrie([
			"audit",
			"-r",
			rules,
			...options,
			log,
		]);
		expect(code).toBe(2);
		expect(stderr).toContain(message);
	});
});
