import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { casesOf } from "../../../test/cases.ts";
import { packed, unpacked } from "../src/count/packed-counts.ts";
import { Totals } from "../src/count/totals.ts";
import {
	ASSET,
	checkVisits,
	Distinct,
	OTHER,
	PAGE,
	ROBOTS_TXT,
	targetOf,
	type Visit,
	VisitLog,
	Visitors,
} from "../src/count/visits.ts";
import { formatOf } from "../src/formats/formats.ts";
import {
	type AuditOptions,
	type AuditReport,
	LogAudit,
	type SuspectReport,
} from "../src/index.ts";
import { scanSettings } from "../src/options/options.ts";
import { RuleBook } from "../src/options/rule-book.ts";
import { reportOf } from "../src/report/make-report.ts";
import { LogScanner } from "../src/scan/scanner.ts";
import { htmlReport } from "../src/show/html.ts";

const robots = [
	{ file: "r", bytes: Buffer.from("User-agent: *\nDisallow: /private/\n") },
];
const BROWSER =
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36";

/** Requests of a client, each "path" or "path <" with a referrer. */
interface Client {
	readonly address: string;
	/** Seconds from one request to the next. */
	readonly pause: number;
	readonly requests: readonly string[];
	readonly header?: string;
}

function linesOf({ address, pause, requests, header }: Client): string[] {
	return requests.map((request, at) => {
		const [path, referrer] = request.split(" ");
		const time = new Date(Date.UTC(2025, 9, 14, 8) + at * pause * 1000);
		const [day, month, year, clock] = time
			.toUTCString()
			.slice(5, 25)
			.split(" ");
		return `${address} - - [${day}/${month}/${year}:${clock} +0000] "GET ${path} HTTP/1.1" 200 100 "${referrer ? "https://example.com/" : "-"}" "${header ?? BROWSER}"\n`;
	});
}

const pages = (count: number, path = "/page/") =>
	Array.from({ length: count }, (_, at) => `${path}${at}`);
/** A page with what it brings, each with its referrer. */
const read = (count: number, name = "p") =>
	pages(count, `/${name}/`).flatMap((page) => [
		`${page} <`,
		"/style.css <",
		`/img${page}.jpg?width=200 <`,
	]);

/** Six ordinary visitors, so that a lack of what they have is a sign. */
const visitors = Array.from(
	{ length: 6 },
	(_, at): Client => ({
		address: `198.51.100.${at}`,
		pause: 20,
		requests: read(5 + at),
	}),
);

async function reportOn(
	clients: readonly Client[],
	options: Partial<AuditOptions> = {},
): Promise<AuditReport> {
	const audit = new LogAudit({
		robots,
		format: "combined",
		suspects: true,
		...options,
	});
	const lines = clients.flatMap(linesOf);
	await audit.add("a.log", [Buffer.from(lines.join(""))]);
	return audit.report();
}

const IP = "192.0.2.7";
describe("who behaves like a crawler", () => {
	test.each<
		[who: string, requests: string[], pause: number, reason: string | undefined]
	>([
		[
			"a crawler",
			["/robots.txt", ...pages(60)],
			1,
			"no images, styles or scripts; never says which page it comes from; asked for robots.txt; 30 pages a minute",
		],
		[
			"a slow crawler",
			pages(50),
			40,
			"no images, styles or scripts; never says which page it comes from",
		],
		[
			"a crawler by queries",
			pages(50, "/index.php?title="),
			40,
			"no images, styles or scripts; never says which page it comes from",
		],
		[
			"a crawler that took a picture, and sends a referrer now and then",
			["/logo.svg", "/start <", ...pages(120)],
			10,
			"only 1 image, style or script; says in 1 of 121 requests which page it comes from",
		],
		[
			"a crawler that sends referrers",
			pages(60).map((page) => `${page} <`),
			1,
			"no images, styles or scripts; 60 pages a minute",
		],
		["an ordinary visitor", read(12), 15, undefined],
		["an avid reader", read(80), 15, undefined],
		[
			"many visitors behind one address, one of whom looks at robots.txt",
			[
				"/robots.txt",
				...Array.from({ length: 9 }, (_, at) => read(40, `n${at}`)).flat(),
			],
			0.5,
			undefined,
		],
		[
			"a visitor whose browser has all images",
			pages(70).map((page) => `${page} <`),
			10,
			undefined,
		],
		[
			"a browser that sends no referrer",
			read(70).map((request) => request.replace(" <", "")),
			10,
			undefined,
		],
		["a monitor", new Array<string>(500).fill("/"), 1, undefined],
		["49 pages", pages(49), 1, undefined],
		[
			"one that only fetches icons beside pages",
			["/favicon.ico", "/apple-touch-icon-120x120.png", ...pages(50)],
			40,
			"no images, styles or scripts; never says which page it comes from",
		],
	])("%s", async (_, requests, pause, reason) => {
		const { suspects } = await reportOn([
			...visitors,
			{ address: IP, pause, requests },
		]);
		const found = reason === undefined ? [] : [[IP, reason]];
		expect(suspects?.top.map((each) => [each.address, each.reason])).toEqual(
			found,
		);
		expect(suspects?.different).toBe(found.length);
	});
	test("numbers", async () => {
		const { suspects, people, crawlers, judged } = await reportOn([
			...visitors,
			{
				address: IP,
				pause: 2,
				requests: [
					"/robots.txt",
					...pages(40),
					...pages(20, "/private/"),
					"/page/0",
					"/a.png",
					"*",
				],
			},
		]);
		expect(suspects).toEqual({
			top: [
				{
					address: IP,
					system: null,
					requests: 64,
					pages: 60,
					pagesEstimated: false,
					pageRequests: 61,
					assets: 1,
					referrers: 0,
					robotsTxt: 1,
					disallowed: 20,
					pagesPerMinute: 20,
					firstSeen: "2025-10-14T08:00:00.000Z",
					lastSeen: "2025-10-14T08:02:00.000Z",
					signs: ["assets", "referrers", "robotsTxt", "rate"],
					reason:
						"only 1 image, style or script; never says which page it comes from; asked for robots.txt; 20 pages a minute",
				},
			],
			different: 1,
			clients: 7,
			uncounted: 0,
			unusable: [],
		});
		expect({ people, crawlers, judged }).toEqual({
			people: 64 + 3 * 45,
			crawlers: [],
			judged: 0,
		});
	});
});

const crawler: Client = { address: IP, pause: 1, requests: pages(60) };

test.each<
	[
		what: string,
		clients: Client[],
		expected: Partial<SuspectReport>[],
		unusable: string[],
	]
>([
	["a log of crawlers alone", [crawler], [], ["assets", "referrers"]],
	[
		"a log without referrers",
		[
			crawler,
			...visitors.map((each) => ({
				...each,
				requests: each.requests.map((text) => text.replace(" <", "")),
			})),
		],
		[{ signs: ["assets", "rate"] }],
		["referrers"],
	],
	[
		"a log without images, but for icons",
		[
			crawler,
			...visitors.map((each) => ({
				...each,
				requests: ["/favicon.ico", ...pages(9).map((page) => `${page} <`)],
			})),
		],
		[{ signs: ["referrers", "rate"] }],
		["assets"],
	],
])(
	"%s: what hardly any client does is no sign",
	async (_, clients, expected, unusable) => {
		const { suspects } = await reportOn(clients);
		expect(suspects).toMatchObject({ top: expected, unusable });
	},
);

test("named crawlers, and clients without an address, are no suspects", async () => {
	const { suspects, crawlers } = await reportOn([
		...visitors,
		{ ...crawler, header: "GPTBot/1.0" },
		{ ...crawler, address: "-" },
	]);
	expect(suspects).toMatchObject({ top: [], clients: 6 });
	expect(crawlers.map(({ name }) => name)).toEqual(["GPTBot"]);
});

test("without the option there is nothing of it, and the rest is the same", async () => {
	const clients = [
		...visitors,
		crawler,
		{ ...crawler, header: "GPTBot/1.0" },
		{ ...crawler, header: "-" },
	];
	for (const options of [
		{},
		{ paths: true },
		{ where: ["path=/page/1*"] },
		{ robots: [{ file: "r", host: "other.example", bytes: Buffer.from("") }] },
	]) {
		const { suspects, ...rest } = await reportOn(clients, {
			...options,
			suspects: false,
		});
		expect(suspects).toBeNull();
		expect(await reportOn(clients, options)).toMatchObject(rest);
	}
});

test.each<
	[
		what: string,
		options: Partial<AuditOptions>,
		address: string | undefined,
		system: string | null,
	]
>([
	["as in the log", {}, IP, null],
	["cut", { anonymize: true }, "192.0.2.0/24", null],
	[
		"hashed",
		{ anonymizeKey: "0123456789abcdef" },
		expect.stringMatching(/^ip4-[\da-f]{12}-[\da-f]{12}$/) as never,
		null,
	],
	[
		"with its network",
		{ systemOf: (address) => (address === IP ? "AS1 A" : undefined) },
		IP,
		"AS1 A",
	],
	[
		"cut, with the network of what it was",
		{
			anonymize: true,
			systemOf: (address) => (address === IP ? "AS1 A" : undefined),
		},
		"192.0.2.0/24",
		"AS1 A",
	],
	["conditions choose among its requests", { where: ["path=/p*"] }, IP, null],
	[
		"conditions on crawlers leave it out",
		{ where: ["crawler=GPTBot"] },
		undefined,
		null,
	],
])("addresses: %s", async (_, options, address, system) => {
	const { suspects } = await reportOn([...visitors, crawler], options);
	expect(suspects?.top.map((each) => [each.address, each.system])).toEqual(
		address === undefined ? [] : [[address, system]],
	);
});

test("the HTML report has suspects in a section of their own", async () => {
	const html = htmlReport(await reportOn([...visitors, crawler]));
	expect(html).toContain("Suspects among browsers");
	expect(html).toContain(IP);
	expect(htmlReport(await reportOn(visitors))).toContain(
		"None of 6 addresses with a browser's User-Agent behaves like a crawler.",
	);
	expect(
		htmlReport(await reportOn(visitors, { suspects: false })),
	).not.toContain("Suspects");
});

test.each<[target: string, type: string, kind: number]>([
	["/", "", PAGE],
	["/a/style.css", "", ASSET],
	["/a/STYLE.CSS?v=1.html", "", ASSET],
	["/a.css/page", "", PAGE],
	["/a?file=b.css", "", PAGE],
	["/a.verylongending", "", PAGE],
	["/a.", "", PAGE],
	["https://a.example/b.woff2", "", ASSET],
	["/favicon.ico?v=2", "", OTHER],
	["/icons/favicon.ico", "", ASSET],
	["/avatar/7", "image/png", ASSET],
	["/avatar/7", "text/html", PAGE],
	["/bundle", "application/x-javascript", ASSET],
	["/bundle", "text/css", ASSET],
])("%s of type %j", (target, type, kind) =>
	expect(targetOf(Buffer.from(target), type, 0).kind).toBe(kind),
);

test("pages are told apart by queries and sites", () => {
	const hashes = ["/a", "/a?", "/a?b", "/b"].flatMap((target) =>
		[0, 1].map((site) => targetOf(Buffer.from(target), "", site).page),
	);
	expect(new Set(hashes).size).toBe(8);
});

test("different things are counted exactly up to 127, then nearly, in any order", () => {
	const hashOf = (number: number) =>
		targetOf(Buffer.from(`/${number}`), "", 0).page;
	fc.assert(
		fc.property(fc.array(fc.nat(3000), { maxLength: 4000 }), (numbers) => {
			const [one, other] = [new Distinct(), new Distinct()];
			for (const number of numbers) one.add(hashOf(number));
			for (const number of numbers.toSorted()) other.add(hashOf(number));
			const { size } = new Set(numbers);
			expect([one.count, one.isExact]).toEqual([other.count, size < 128]);
			if (size < 128) expect(one.count).toBe(size);
			// Five standard deviations.
			else expect(Math.abs(one.count / size - 1)).toBeLessThan(0.45);
		}),
		{ numRuns: casesOf(40) },
	);
});

const visit = fc.record({
	client: fc.nat(12).map(String),
	kind: fc.constantFrom(PAGE, ASSET, ROBOTS_TXT, OTHER),
	hasReferrer: fc.boolean(),
	isDisallowed: fc.boolean(),
	minute: fc.constantFrom(Number.NaN, 0, 1, -5, 29_000_000, 29_000_001),
	page: fc.nat(5),
	system: fc.constantFrom("", "AS1", "AS2"),
});

test("a segment's requests are read as they were counted, wherever they are cut", () => {
	type Seen = Visit & { client: string; system: string };
	const dataOf = (visits: readonly Seen[]) => {
		const log = new VisitLog();
		for (const { client, system, ...rest } of visits)
			log.add(client, rest, system);
		const data = log.toData();
		checkVisits(data);
		return data;
	};
	const plain = (visitors: Visitors) =>
		Array.from(visitors.values(), (visitor) => ({
			...visitor,
			key: undefined,
			pages: visitor.pages.count,
			minutes: visitor.minutes.count,
		})).sort((a, b) => (a.text < b.text ? -1 : 1));
	fc.assert(
		fc.property(
			fc.array(fc.array(visit, { maxLength: 30 }), { maxLength: 6 }),
			fc.integer({ min: 1, max: 14 }),
			(segments, most) => {
				const [cut, whole] = [new Visitors(most), new Visitors(most)];
				for (const segment of segments) cut.append(dataOf(segment));
				const all = segments.flat();
				whole.append(dataOf(all));
				expect(plain(cut)).toEqual(plain(whole));
				expect(cut.bound).toBe(whole.bound);
				if (new Set(all.map(({ client }) => client)).size > most) return;
				// With room for all, the order does not matter either.
				const turned = new Visitors(most);
				turned.append(dataOf(all.toReversed()));
				expect(plain(turned)).toEqual(plain(whole));
				for (const { text, requests, assets, pages } of whole.values()) {
					const own = all.filter(({ client }) => client === text);
					expect(requests).toBe(own.length);
					expect(assets).toBe(own.filter(({ kind }) => kind === ASSET).length);
					expect(pages.count).toBe(
						new Set(
							own.filter(({ kind }) => kind === PAGE).map(({ page }) => page),
						).size,
					);
				}
			},
		),
	);
});

test.each<[what: string, clients: string[], systems: string[], log: number[]]>([
	["no client of this number", ["a"], [], [16, 0, 0]],
	["a request without its minute", ["a"], [], [1]],
	["a page without its hash", ["a"], [], [0, 0]],
	["a hash of more than 32 bits", ["a"], [], [0, 0, 255, 255, 255, 255, 31]],
	["a minute that no Date has", ["a"], [], [1, ...new Array(7).fill(255), 127]],
	["a number that goes on", ["a"], [], [1, 128]],
	["fewer systems than clients", ["a", "b"], ["AS1"], []],
])("data from elsewhere is refused: %s", (_, clients, systems, log) =>
	expect(() =>
		checkVisits({ clients, systems, log: Uint8Array.from(log) }),
	).toThrow(RangeError),
);

test("the report does not depend on where a log is cut, on who scans it, or on the order of lines", async () => {
	const settings = { robots, suspects: true };
	const lines = [
		...visitors,
		crawler,
		{ ...crawler, address: "203.0.113.9", requests: pages(200, "/private/") },
		{ ...crawler, header: "GPTBot/1.0" },
	].flatMap(linesOf);
	// States are added in the order of time.
	const clock = (line: string) =>
		line.slice(line.indexOf("["), line.indexOf("]"));
	const inTime = lines.toSorted((a, b) => (clock(a) < clock(b) ? -1 : 1));
	const reportOfRuns = (
		all: readonly string[],
		cuts: readonly number[],
		isSent: boolean,
	) => {
		const scanners = [0, 1].map(
			() => new LogScanner(scanSettings(settings, false)),
		);
		const totals = new Totals(settings);
		[0, ...cuts].forEach((from, index) => {
			const scanner = scanners[index % 2] as LogScanner;
			scanner.begin(formatOf("combined"));
			scanner.feed(Buffer.from(all.slice(from, cuts[index]).join("")));
			const segment = scanner.end();
			totals.append("log", isSent ? unpacked(packed(segment)) : segment);
		});
		return reportOf(totals, new RuleBook(robots, {}), "name");
	};
	const whole = reportOfRuns(lines, [], false);
	expect(whole.suspects?.top).toHaveLength(2);
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.nat(lines.length), { maxLength: 5 }),
			fc.shuffledSubarray(lines, { minLength: lines.length }),
			async (places, shuffled) => {
				const cuts = places.sort((a, b) => a - b);
				expect(reportOfRuns(lines, cuts, false)).toEqual(whole);
				expect(reportOfRuns(lines, cuts, true)).toEqual(whole);
				expect(reportOfRuns(shuffled, cuts, true).suspects).toEqual(
					whole.suspects,
				);
				const merged = new LogAudit(settings);
				const bounds = [0, ...cuts, inTime.length];
				for (let at = 1; at < bounds.length; at++) {
					const audit = new LogAudit({
						...settings,
						format: "combined",
						keepState: true,
					});
					const part = inTime.slice(bounds[at - 1], bounds[at]);
					await audit.add("log", [Buffer.from(part.join(""))]);
					await merged.addState(await audit.state());
				}
				expect(merged.report().suspects).toEqual(whole.suspects);
			},
		),
		{ numRuns: casesOf(10) },
	);
});
