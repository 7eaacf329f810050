import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { casesOf } from "../../../test/cases.ts";
import { logs } from "../../../test/data/logs.ts";
import { Anonymizer } from "../src/common/anonymize.ts";
import {
	type AuditReport,
	auditRows,
	csvReport,
	formatOf,
	htmlReport,
	jsonFormat,
	LogAudit,
	parseRanges,
	suggestions,
} from "../src/index.ts";
import { scanSettings } from "../src/options/options.ts";
import { formatOfLog } from "../src/scan/detect.ts";
import { LogScanner } from "../src/scan/scanner.ts";

const KEY = "a key of some length";
const cut = new Anonymizer({ key: undefined });
const hashed = new Anonymizer({ key: KEY });
/** What a hashed address looks like, shortened to "#4" and "#6". */
const short = (text: string) =>
	text.replace(/ip([46])-[\da-f]{12}-[\da-f]{12}/g, "#$1");

/** Texts, and what becomes of them if addresses are cut; if they are hashed, what differs from that. */
const texts: readonly (readonly [string, string, hashed: string])[] = [
	["192.0.2.7", "192.0.2.0", "#4"],
	["/a?ip=192.0.2.7&b", "/a?ip=192.0.2.0&b", "/a?ip=#4&b"],
	["see 192.0.2.7.", "see 192.0.2.0.", "see #4."],
	["192.0.2.7:443", "192.0.2.0:443", "#4:443"],
	["v192.0.2.7x", "v192.0.2.0x", "v#4x"],
	["1.192.0.2.7", "(address)", "(address)"],
	["192.0.2.7777", "(address)", "(address)"],
	["192.0.2.077", "(address)", "(address)"],
	["/192%2E0%2e2%2E7", "/192.0.2.0", "/#4"],
	["/%31%39%32.0.2.7", "/192.0.2.0", "/#4"],
	["/192%252E0.2.7", "/192.0.2.0", "/#4"],
	["%20192.0.2.7%20", "%20192.0.2.0%20", "%20#4%20"],
	["2001:db8:1:2::7", "2001:db8:1::", "#6"],
	["[2001:DB8:1:2::7]:80", "[2001:db8:1::]:80", "[#6]:80"],
	["x=2001%3Adb8%3a1:2::7", "x=2001:db8:1::", "x=#6"],
	[String.raw`"2001\u003adb8::7"`, '"2001:db8::"', '"#6"'],
	["fe80::7%eth0", "fe80::%eth0", "#6%eth0"],
	["::ffff:192.0.2.7", "192.0.2.0", "#4"],
	["::1", "::", "#6"],
	["x2001:db8::7y", "x2001:db8::y", "x#6y"],
	[
		"ip:2001:db8::7, and 2001:db8::7:",
		"ip:2001:db8::, and 2001:db8:::",
		"ip:#6, and #6:",
	],
	["2001:db8:1:2:3", "(address)", "(address)"],
	["00:00:5e:00:53:af", "(address)", "(address)"],
	[
		"host-192-0-2-7.isp.example",
		"host-192.0.2.0.isp.example",
		"host-#4.isp.example",
	],
	["Chrome/120.0.0.0 Safari", "Chrome/120.0.0.0 Safari", ""],
	["Chrome/120.0.6099.109", "Chrome/120.0.6099.109", ""],
	["[14/Oct/2025:12:30:45 +0000]", "[14/Oct/2025:12:30:45 +0000]", ""],
	["2025-10-14T12:30:45.123Z", "2025-10-14T12:30:45.123Z", ""],
	["/std::vector/a::b", "/std::vector/a::", "/std::vector/#6"],
	["/2025-10-14-12", "/2025-10-14-12", ""],
	["/version/1.2.3/%C3%A9", "/version/1.2.3/%C3%A9", ""],
	["/", "/", ""],
];

test.each(texts)("%s", (text, whenCut, whenHashed) => {
	expect(cut.text(text)).toBe(whenCut);
	expect(short(hashed.text(text))).toBe(whenHashed || whenCut);
	expect(Buffer.from(cut.bytes(Buffer.from(text))).toString()).toBe(whenCut);
});

test.each([
	["1", true],
	["%25", true],
	["a....", true],
	["1.", false],
	["1:", false],
	["::", false],
	["1-", false],
])("a million bytes of %j are read once; they stay: %j", (text, stay) => {
	// Quadratic time would be hours.
	const long = `${text.repeat(1_000_000 / text.length)}!`;
	expect(cut.text(long) === long).toBe(stay);
});

describe("Names of addresses", () => {
	test("are the same for the same key and address, and begin with their network's", () => {
		const name = hashed.address("192.0.2.7");
		expect(name).toMatch(/^ip4-[\da-f]{12}-[\da-f]{12}$/);
		expect(new Anonymizer({ key: KEY }).address("::ffff:192.0.2.7")).toBe(name);
		expect(new Anonymizer({ key: `${KEY}2` }).address("192.0.2.7")).not.toBe(
			name,
		);
		const network = hashed.network("192.0.2.200");
		expect(name.startsWith(`${network}-`)).toBe(true);
		expect(hashed.network("192.0.3.7")).not.toBe(network);
		expect(cut.address("2001:db8:1:2::7")).toBe("2001:db8:1::/48");
	});

	test("are all that is left of a field with addresses, and of a line", () => {
		const field = (text: string) =>
			Buffer.from(cut.field(Buffer.from(text))).toString();
		expect(field("192.0.2.7, [2001:db8::7]:80")).toBe(
			"192.0.2.0/24, 2001:db8::/48",
		);
		expect(field("pool-7.isp.example")).toBe("");
		expect(field("-")).toBe("");
		const line = Buffer.from('pool-7.isp.example - "GET /é HTTP/1.1"\n');
		expect(Buffer.from(cut.line(line, line.subarray(0, 18))).toString()).toBe(
			'(address) - "GET /é HTTP/1.1"\n',
		);
	});
});

const robots = [
	{
		file: "robots.txt",
		bytes: Buffer.from(
			"User-agent: *\nDisallow: /private\nDisallow: /*?\nCrawl-delay: 5\n",
		),
	},
];
const ranges = [
	parseRanges(
		'{"prefixes": [{"ipv4Prefix": "151.101.0.0/17"}]}',
		"GPTBot.json",
	),
];

/** Numbers of three digits, so that no address is found in another one, and none in a time or a size by chance. */
const part = fc.integer({ min: 101, max: 249 });
const group = fc
	.integer({ min: 0x1000, max: 0xffff })
	.map((n) => n.toString(16));
const address = fc.oneof(
	fc.tuple(part, part, part, part).map((parts) => parts.join(".")),
	fc.tuple(part, part).map(([a, b]) => `151.101.${a}.${b}`),
	fc.array(group, { minLength: 8, maxLength: 8 }).map((all) => all.join(":")),
	fc.tuple(group, group, group).map(([a, b, c]) => `${a}:${b}::${c}`),
);
/** Where a text may contain an address. */
const plainly = fc.constantFrom<(address: string) => string>(
	() => "",
	(address: string) => address,
	(address: string) => `ip/${address}/x`,
	(address: string) => `x?client=${address}&y`,
);
const escaped = fc.constantFrom<(address: string) => string>(
	(address: string) => encodeURIComponent(address),
	(address: string) => address.replaceAll(".", "%2E"),
	(address: string) => `v${address}w`,
	(address: string) => `%20${address}%20`,
	(address: string) => `é${address}é`,
	(address: string) => `[${address}]:8080`,
);
/** A few addresses come again and again. */
const pool = fc.array(address, { minLength: 1, maxLength: 6 });
const requestOf = (around: fc.Arbitrary<(address: string) => string>) =>
	fc.record({
		who: fc.nat(),
		other: fc.nat(),
		directory: fc.constantFrom("/", "/private/", "/private/b/", "*"),
		target: around,
		agent: fc.constantFrom("GPTBot/1.2", "CCBot/2.0", "NewBot/1.0 (+", "-"),
		header: around,
		referrer: around,
		host: fc.constantFrom("a.example", "b.example"),
		kind: fc.constantFrom("request", "request", "request", "junk"),
	});
type Request =
	ReturnType<typeof requestOf> extends fc.Arbitrary<infer Item> ? Item : never;

function lineOf(request: Request, addresses: readonly string[], at: number) {
	const of = (number: number) => addresses[number % addresses.length] as string;
	const [client, other] = [of(request.who), of(request.other)];
	const seconds = String(at % 60).padStart(2, "0");
	const header = `${request.agent}${request.header(other)}`;
	return request.kind === "junk"
		? `junk of ${client}, ${request.header(other)}`
		: `${request.host} ${client} - - [14/Oct/2025:12:30:${seconds} +0000] "GET ${request.directory}${request.target(other)} HTTP/1.1" 200 5 "http://${request.referrer(client)}/" "${header}"`;
}

const logOf = (lines: readonly string[]) =>
	Buffer.from(lines.map((line) => `${line}\n`).join(""));

type Options = Partial<ConstructorParameters<typeof LogAudit>[0]>;
const given = (options: Options) => ({
	robots,
	ranges,
	format: "vcombined",
	...options,
});

async function reportOf(log: Uint8Array, options: Options) {
	const audit = new LogAudit(given(options));
	await audit.add("a.log", [log]);
	return audit.report();
}

/** Everything that comes of a log, as text. */
async function outputsOf(log: Uint8Array, options: Options) {
	const audit = new LogAudit(given({ ...options, keepState: true }));
	await audit.add("a.log", [log]);
	const report = audit.report();
	const rows: string[] = [];
	const { groupBy: _, ...rest } = given(options);
	for await (const row of auditRows({ ...rest, all: true }, [log]))
		rows.push(JSON.stringify(row));
	const scanner = new LogScanner(scanSettings(given(options), true));
	const { format } = given(options);
	scanner.begin(
		typeof format === "object" ? format : formatOfLog(format, log, "a.log"),
	);
	scanner.feed(log);
	return {
		report: JSON.stringify(report),
		csv: await csvReport(report),
		html: await htmlReport(report),
		suggestions: JSON.stringify(suggestions(report)),
		state: Buffer.from(await audit.state()).toString("latin1"),
		rows: rows.join("\n"),
		violations: Buffer.concat(scanner.end().violations).toString("latin1"),
	};
}

const methods: readonly Options[] = [
	{ anonymize: true },
	{ anonymizeKey: KEY },
];

test("No address of a log is found in anything that comes of it", () =>
	fc.assert(
		fc.asyncProperty(
			pool,
			fc.array(requestOf(fc.oneof(plainly, escaped)), {
				minLength: 1,
				maxLength: 30,
			}),
			fc.constantFrom("name", "category", "header", "address", "network"),
			fc.constantFrom(...methods),
			async (addresses, requests, groupBy, method) => {
				const log = logOf(
					requests.map((each, at) => lineOf(each, addresses, at)),
				);
				const by =
					groupBy === "address" && !method.anonymizeKey ? "network" : groupBy;
				const outputs = await outputsOf(log, { ...method, groupBy: by });
				for (const [name, output] of Object.entries(outputs))
					for (const each of addresses)
						for (const form of [
							each,
							encodeURIComponent(each),
							each.replaceAll(".", "%2E"),
						])
							expect(output.includes(form), `${form} in ${name}`).toBe(false);
			},
		),
		{ numRuns: casesOf(120) },
	));

/** A report without the texts that contain addresses; rankings by their counts, which add up where addresses are cut. */
function numbersOf(report: AuditReport, isCut: boolean) {
	const counts = ({
		top,
		different,
		uncounted,
	}: AuditReport["crawlers"][0]["addresses"]) => {
		const all = top.map(({ count }) => count).sort((a, b) => a - b);
		return isCut ? all.reduce((a, b) => a + b, 0) : [all, different, uncounted];
	};
	const isByAddress = /address|network/.test(report.groupBy);
	return {
		...report,
		warnings: report.warnings.length,
		unparsedLines: [],
		crawlers: report.crawlers
			.map((crawler) => ({
				...crawler,
				name: isByAddress || /\(\+/.test(crawler.name) ? "" : crawler.name,
				disallowedPaths: counts(crawler.disallowedPaths),
				disallowedDirectories: counts(crawler.disallowedDirectories),
				addresses: counts(crawler.addresses),
				networks: counts(crawler.networks),
				rules: crawler.rules.map((rule) => ({
					...rule,
					examples: isCut ? [] : rule.examples.length,
				})),
			}))
			.map((crawler) => JSON.stringify(crawler))
			.sort(),
	};
}

test("Counts and verdicts are those of an audit that replaces nothing", () =>
	fc.assert(
		fc.asyncProperty(
			pool,
			fc.array(requestOf(plainly), { minLength: 1, maxLength: 30 }),
			fc.constantFrom("name", "category", "address", "network"),
			fc.constantFrom(...methods),
			async (addresses, requests, groupBy, method) => {
				const log = logOf(
					requests.map((each, at) => lineOf(each, addresses, at)),
				);
				const isCut = method.anonymizeKey === undefined;
				const by = groupBy === "address" && isCut ? "network" : groupBy;
				const report = await reportOf(log, { ...method, groupBy: by });
				const usual = await reportOf(log, { groupBy: by });
				expect(numbersOf(report, isCut)).toEqual(numbersOf(usual, isCut));
				expect(report.unparsedLines).toEqual([]);
			},
		),
		{ numRuns: casesOf(120) },
	));

test("Rows differ in the columns that may contain addresses only", async () => {
	const log = logOf([
		'a.example 151.101.1.7 - - [14/Oct/2025:12:30:45 +0000] "GET /private/151.101.1.7?a HTTP/1.1" 200 5 "http://151.101.1.7/" "GPTBot/1.2 (151.101.1.7)"',
		'a.example 151.101.200.7 - - [14/Oct/2025:12:30:45 +0000] "GET / HTTP/1.1" 200 5 "-" "GPTBot/1.2"',
		'a.example host.isp.example - - [14/Oct/2025:12:30:45 +0000] "GET / HTTP/1.1" 200 5 "-" "GPTBot/1.2"',
	]);
	const rows: unknown[] = [];
	for await (const row of auditRows(given({ anonymize: true }), [log]))
		rows.push(row);
	expect(rows).toMatchObject([
		{
			verification: "verified",
			verdict: "disallowed",
			rule: "/private",
			path: "/private/151.101.1.0?a",
			address: "151.101.1.0/24",
			referrer: "http://151.101.1.0/",
			user_agent: "GPTBot/1.2 (151.101.1.0)",
		},
		{ verification: "claimed", address: "151.101.200.0/24", referrer: null },
		{ verification: "unknown", address: null },
	]);
});

test("A state says how its addresses were replaced, and is merged with its like only", async () => {
	const log = logOf([
		'a.example 192.0.2.7 - - [14/Oct/2025:12:30:45 +0000] "GET /private HTTP/1.1" 200 5 "-" "GPTBot/1.2"',
	]);
	const all: readonly Options[] = [
		{},
		...methods,
		{ anonymizeKey: `another ${KEY}` },
	];
	for (const made of all) {
		const audit = new LogAudit(given({ ...made, keepState: true }));
		await audit.add("a.log", [log]);
		const state = await audit.state();
		expect(Buffer.from(state).includes(KEY)).toBe(false);
		for (const wanted of all) {
			const other = new LogAudit(given(wanted));
			const adding = other.addState(state, "a.state");
			if (wanted === made) {
				await adding;
				expect(other.report()).toEqual(audit.report());
			} else
				await expect(adding).rejects.toThrow(
					/^cannot merge a\.state: .* anonymized is /,
				);
		}
	}
});

/** The addresses of clients in the logs of all formats. */
const CLIENT = /66\.249\.66\.\d|203\.0\.113\.\d|2001:4860/;

test.each(logs)("$name: clients' addresses are replaced", async (log) => {
	const { logFormat, fields, without = [], text, lines } = log;
	const bytes = Buffer.from(text ?? `${lines.join("\n")}\n`);
	const options = {
		ranges: [],
		defaultAgent: without.includes("agent") ? "Googlebot" : undefined,
		format:
			logFormat !== undefined
				? formatOf(logFormat)
				: fields !== undefined
					? jsonFormat(fields)
					: undefined,
		groupBy: "network",
	} as const;
	const usual = await outputsOf(bytes, options);
	expect(CLIENT.test(JSON.stringify(usual))).toBe(!without.includes("ip"));
	for (const method of methods) {
		const outputs = await outputsOf(bytes, { ...options, ...method });
		const found = JSON.stringify(outputs).match(CLIENT);
		// A network's own address ends in 0.
		expect(found?.[0].replace(/^66\.249\.66\.0$/, "") ?? "").toBe("");
		expect(JSON.parse(outputs.report).judged).toBe(
			JSON.parse(usual.report).judged,
		);
	}
});

test.each<[Options, RegExp]>([
	[{ anonymizeKey: "short" }, /anonymizeKey.*at least 16 characters/],
	[{ anonymize: true, groupBy: "address" }, /count by network, or hash/],
])("%j is refused", (options, message) => {
	expect(() => new LogAudit(given(options))).toThrow(message);
});
