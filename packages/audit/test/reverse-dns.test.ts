import { describe, expect, test } from "vitest";
import {
	auditRows,
	type DnsLookups,
	LogAudit,
	parseRanges,
} from "../src/index.ts";
import {
	type DnsQuestion,
	ResolvedAddresses,
	ReverseDns,
} from "../src/scan/reverse-dns.ts";

/** What a server says: records, an error by its code, or nothing at all. */
type Answer =
	| readonly string[]
	| "ENOTFOUND"
	| "ENODATA"
	| "ESERVFAIL"
	| "ETIMEOUT"
	| "silence";
type Zone = Readonly<Record<string, Answer>>;

/** The address of a name in in-addr.arpa or ip6.arpa, in its usual notation. */
function addressIn(arpa: string): string {
	const [labels = "", suffix] = arpa.split(/\.(?=in-addr|ip6)/);
	const parts = labels.split(".").reverse();
	if (suffix === "in-addr.arpa") return parts.join(".");
	expect([suffix, parts.length]).toEqual(["ip6.arpa", 32]);
	const groups = parts.join("").match(/.{4}/g) ?? [];
	return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}

/** Answers from a table, by address or host name; ENOTFOUND for what is not in it. */
function lookupsOf(zone: Zone, asked: string[] = []): DnsLookups {
	const find = async (name: string) => {
		asked.push(name);
		const answer = zone[name] ?? "ENOTFOUND";
		if (answer === "silence") return new Promise<never>(() => {});
		if (typeof answer !== "string") return answer;
		throw Object.assign(new Error(answer), { code: answer });
	};
	return {
		resolvePtr: (arpa) => find(addressIn(arpa)),
		resolve4: find,
		resolve6: find,
	};
}

const limits = { concurrency: 4, addresses: 100, timeout: 50, total: 10_000 };
const v4 = "66.249.66.1";
const v6 = "2001:4860:4801:10::1";
const name = "crawl-66-249-66-1.googlebot.com";

const cases: readonly (readonly [
	what: string,
	address: string,
	zone: Zone,
	answer: string,
])[] = [
	[
		"a name that has the address",
		v4,
		{ [v4]: [name], [name]: [v4] },
		"verified",
	],
	[
		"one of several addresses",
		v4,
		{ [v4]: [name], [name]: ["192.0.2.1", v4] },
		"verified",
	],
	[
		"one of several names",
		v4,
		{ [v4]: ["a.example", name], [name]: [v4] },
		"verified",
	],
	[
		"upper case and a dot",
		v4,
		{ [v4]: [`${name.toUpperCase()}.`], [name]: [v4] },
		"verified",
	],
	[
		"IPv6 in another notation",
		v6,
		{ [v6]: [name], [name]: ["2001:4860:4801:0010:0:0:0:1"] },
		"verified",
	],
	[
		"IPv4 mapped to IPv6",
		`::ffff:${v4}`,
		{ [v4]: [name], [name]: [v4] },
		"verified",
	],
	[
		"a name that has another address",
		v4,
		{ [v4]: [name], [name]: ["192.0.2.1"] },
		"claimed",
	],
	[
		"a name without addresses",
		v4,
		{ [v4]: [name], [name]: "ENODATA" },
		"claimed",
	],
	["a name that does not exist", v4, { [v4]: [name] }, "claimed"],
	[
		"a name of another domain",
		v4,
		{ [v4]: ["a.example"], "a.example": [v4] },
		"claimed",
	],
	[
		"a domain that only ends like it",
		v4,
		{ [v4]: ["evilgooglebot.com"], "evilgooglebot.com": [v4] },
		"claimed",
	],
	[
		"the domain in front",
		v4,
		{ [v4]: [`${name}.evil.example`], [`${name}.evil.example`]: [v4] },
		"claimed",
	],
	[
		"the domain itself",
		v4,
		{ [v4]: ["googlebot.com"], "googlebot.com": [v4] },
		"claimed",
	],
	[
		"a rented machine",
		v4,
		{
			[v4]: ["1.bc.googleusercontent.com"],
			"1.bc.googleusercontent.com": [v4],
		},
		"claimed",
	],
	["no name", v4, {}, "claimed"],
	["no record", v4, { [v4]: "ENODATA" }, "claimed"],
	["an empty answer", v4, { [v4]: [] }, "claimed"],
	["a failing server", v4, { [v4]: "ESERVFAIL" }, "unknown"],
	["a server that is too late", v4, { [v4]: "ETIMEOUT" }, "unknown"],
	["a silent server", v4, { [v4]: "silence" }, "unknown"],
	[
		"a failing server for the name",
		v4,
		{ [v4]: [name], [name]: "ESERVFAIL" },
		"unknown",
	],
	[
		"a silent server for the name",
		v4,
		{ [v4]: [name], [name]: "silence" },
		"unknown",
	],
	[
		"a failing name before a good one",
		v4,
		{ [v4]: [`x.${name}`, name], [`x.${name}`]: "ESERVFAIL", [name]: [v4] },
		"verified",
	],
	[
		"more names than are looked up",
		v4,
		{ [v4]: Array.from({ length: 11 }, (_, i) => `${i}.googlebot.com`) },
		"unknown",
	],
	["a private address", "10.0.0.1", { "10.0.0.1": "ENOTFOUND" }, "unknown"],
	["a loopback address", "::1", {}, "unknown"],
	["no address", "example.com", {}, "unknown"],
];

/** The answer about an address of a crawler. */
async function answerOf(dns: ReverseDns, crawler: string, address: string) {
	dns.resolved.verify(crawler, address);
	await dns.ask(dns.resolved.takeQuestions());
	return dns.resolved.verify(crawler, address);
}

describe("Reverse DNS", () => {
	test.each(cases)("%s: %s", async (_, address, zone, answer) => {
		const dns = new ReverseDns(lookupsOf(zone), limits);
		expect(await answerOf(dns, "Googlebot", address)).toBe(answer);
	});

	test.each([
		["Googlebot", true],
		["AdsBot-Google", true],
		["bingbot", true],
		["Applebot", true],
		["YandexBot", true],
		["Amazonbot", true],
		["GPTBot", false],
		["MicrosoftPreview", false],
		["MyGooglebotLike", false],
		["", false],
	])("knows %j: %s", (crawler, isKnown) =>
		expect(new ResolvedAddresses(1).knows(crawler)).toBe(isKnown),
	);

	test("asks about an address once, whoever claims it", async () => {
		const asked: string[] = [];
		const dns = new ReverseDns(lookupsOf({ [v4]: "ESERVFAIL" }, asked), limits);
		for (const crawler of ["Googlebot", "Googlebot-Image", "Googlebot"])
			expect(await answerOf(dns, crawler, v4)).toBe("unknown");
		expect(asked).toEqual([v4]);
		expect(dns.resolved.unanswered).toBe(1);
		expect(await answerOf(dns, "bingbot", v4)).toBe("unknown");
		expect(asked).toEqual([v4, v4]);
	});

	test("is asked for so many addresses, so many at a time", async () => {
		let running = 0;
		let most = 0;
		let lookups = 0;
		const reverse = async () => {
			lookups++;
			most = Math.max(most, ++running);
			await new Promise(setImmediate);
			running--;
			return [];
		};
		const dns = new ReverseDns(
			{ resolvePtr: reverse, resolve4: reverse, resolve6: reverse },
			{ ...limits, addresses: 9, timeout: 10_000 },
		);
		for (let i = 1; i < 20; i++) dns.resolved.verify("Googlebot", `8.8.8.${i}`);
		await dns.ask(dns.resolved.takeQuestions());
		expect([lookups, most, dns.resolved.leftOut]).toEqual([9, 4, true]);
		expect(dns.resolved.verify("Googlebot", "8.8.8.9")).toBe("claimed");
		expect(dns.resolved.verify("Googlebot", "8.8.8.10")).toBe("unknown");
		expect(dns.resolved.takeQuestions()).toEqual([]);
	});

	test("gives up when time is up", async () => {
		const zone: Record<string, Answer> = {};
		const questions: DnsQuestion[] = [];
		for (let i = 1; i < 100; i++) {
			zone[`8.8.8.${i}`] = "silence";
			questions.push({ address: `8.8.8.${i}`, domains: ["googlebot.com"] });
		}
		const asked: string[] = [];
		const dns = new ReverseDns(lookupsOf(zone, asked), {
			...limits,
			total: 60,
		});
		await dns.ask(questions);
		expect(asked.length).toBeLessThan(20);
		expect(dns.resolved.unanswered).toBe(99);
	});
});

const robots = [
	{
		file: "robots.txt",
		bytes: new TextEncoder().encode("User-agent: *\nDisallow: /private\n"),
	},
];
const agents = {
	G: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
	B: "bingbot/2.0",
	O: "GPTBot/1.2",
};
const log = (...rows: readonly (readonly [keyof typeof agents, string])[]) =>
	new TextEncoder().encode(
		rows
			.map(
				([agent, address], at) =>
					`${address} - - [14/Oct/2025:12:00:0${at} +0000] "GET /private HTTP/1.1" 200 5 "-" "${agents[agent]}"`,
			)
			.join("\n"),
	);
const zone: Zone = { [v4]: [name], [name]: [v4], "9.9.9.9": "ESERVFAIL" };
const lines = log(
	["G", v4],
	["G", "8.8.8.8"],
	["G", "9.9.9.9"],
	["G", "10.0.0.1"],
	["O", v4],
	["G", v4],
	["B", v4],
);
const verdicts = [
	"verified",
	"claimed",
	"unknown",
	"unknown",
	null,
	"verified",
	"claimed",
];

describe("An audit with resolve", () => {
	test.each([
		["at once", [lines]],
		["byte by byte", Array.from(lines, (byte) => Uint8Array.of(byte))],
	])("has a row for each answer: %s", async (_, chunks) => {
		const rows = auditRows({ robots, resolve: lookupsOf(zone) }, chunks);
		const found = [];
		for await (const { verification } of rows) found.push(verification);
		expect(found).toEqual(verdicts);
		const audit = new LogAudit({
			robots,
			resolve: lookupsOf(zone),
			keepState: true,
		});
		await audit.add("access.log", chunks);
		const report = audit.report();
		expect(
			report.crawlers
				.map((each) => [each.name, each.verification, each.requests])
				.sort(),
		).toEqual([
			["GPTBot", null, 1],
			["Googlebot", "claimed", 1],
			["Googlebot", "unknown", 2],
			["Googlebot", "verified", 2],
			["bingbot", "claimed", 1],
		]);
		const state = await audit.state();
		const merged = new LogAudit({ robots, resolve: lookupsOf({}) });
		await merged.addState(state);
		expect(merged.report()).toEqual(report);
		await expect(new LogAudit({ robots }).addState(state)).rejects.toThrow(
			"resolved is true, not not set",
		);
	});

	test("prefers lists of addresses, and asks about no other address", async () => {
		const asked: string[] = [];
		const ranges = [
			parseRanges(
				'{"prefixes":[{"ipv4Prefix":"8.8.8.0/24"}]}',
				"googlebot.json",
			),
		];
		const rows = auditRows(
			{ robots, ranges, resolve: lookupsOf(zone, asked) },
			[lines],
		);
		const found = [];
		for await (const { verification } of rows) found.push(verification);
		expect(found).toEqual([
			"claimed",
			"verified",
			"claimed",
			// Of a private network.
			"unknown",
			null,
			"claimed",
			"claimed",
		]);
		expect(asked).toEqual([v4]);
	});

	test.each([[{}], [null], [true], [{ resolvePtr: () => [] }]])(
		"refuses %j",
		(resolve) =>
			expect(
				() =>
					new LogAudit({ robots, resolve: resolve as unknown as DnsLookups }),
			).toThrow("resolvePtr, resolve4 and resolve6"),
	);
});
