import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { casesOf } from "../../../test/cases.ts";
import { packed, unpacked } from "../src/count/packed-counts.ts";
import { checkTaken, Taken, TakenLog, TakenTexts } from "../src/count/taken.ts";
import { Totals } from "../src/count/totals.ts";
import { formatOf } from "../src/formats/formats.ts";
import { type AuditOptions, type AuditReport, LogAudit } from "../src/index.ts";
import { scanSettings } from "../src/options/options.ts";
import { RuleBook } from "../src/options/rule-book.ts";
import { reportOf } from "../src/report/make-report.ts";
import { LogScanner } from "../src/scan/scanner.ts";

/** Requests for texts: some often, most seldom. */
const texts = fc.array(
	fc.oneof(fc.nat(3), fc.nat(40)).map((number) => `/${number % 7}/${number}`),
	{ maxLength: 200 },
);

function counted(requests: readonly string[]): ReadonlyMap<string, number> {
	const counts = new Map<string, number>();
	for (const text of requests) counts.set(text, (counts.get(text) ?? 0) + 1);
	return counts;
}

/** The definition, without a heap: the least text goes, the first one by its code units of several. */
function spaceSaving(requests: readonly string[], most: number) {
	const kept = new Map<string, { requests: number; missed: number }>();
	for (const text of requests) {
		if (!kept.has(text)) {
			let missed = 0;
			if (kept.size >= most) {
				const countOf = (name: string) => {
					const { requests, missed } = kept.get(name) ?? {
						requests: 0,
						missed: 0,
					};
					return requests + missed;
				};
				const [least = ""] = [...kept.keys()].sort(
					(a, b) => countOf(a) - countOf(b) || (a < b ? -1 : 1),
				);
				missed = countOf(least);
				kept.delete(least);
			}
			kept.set(text, { requests: 0, missed });
		}
		const own = kept.get(text);
		if (own) own.requests++;
	}
	return kept;
}

test("texts are kept as Space-Saving says, and counts are within the bound", () => {
	fc.assert(
		fc.property(texts, fc.integer({ min: 1, max: 12 }), (requests, most) => {
			const top = new TakenTexts(most);
			for (const text of requests) top.add(text, false, 1);
			const kept = new Map(
				Array.from(top.values(), ({ text, requests, missed }) => [
					text,
					{ requests, missed },
				]),
			);
			expect(kept).toEqual(spaceSaving(requests, most));
			const counts = counted(requests);
			expect(top.bound).toBeLessThanOrEqual(requests.length / most);
			if (counts.size <= most) expect(top.bound).toBe(0);
			for (const [text, count] of counts) {
				const own = kept.get(text);
				expect(count).toBeGreaterThanOrEqual(own?.requests ?? 0);
				expect(count - (own?.requests ?? 0)).toBeLessThanOrEqual(
					own?.missed ?? top.bound,
				);
				expect(own?.missed ?? 0).toBeLessThanOrEqual(top.bound);
			}
		}),
		{ numRuns: casesOf(500) },
	);
});

test("a segment's requests are read as they were counted, wherever they are cut", () => {
	const request = fc.tuple(
		fc.nat(20).map((number) => number - 10),
		fc.boolean(),
		fc.oneof(fc.nat(300), fc.constantFrom(2 ** 32, 2 ** 52)),
	);
	fc.assert(
		fc.property(
			fc.array(fc.array(request, { maxLength: 20 }), { maxLength: 6 }),
			fc.integer({ min: 1, max: 9 }),
			(segments, most) => {
				const nameOf = (number: number) => `/${number % 3}/${number}`;
				const dataOf = (requests: typeof segments) => {
					const log = new TakenLog();
					for (const [path, isDisallowed, bytes] of requests.flat())
						log.add(path, isDisallowed, bytes);
					const data = log.toData(nameOf);
					checkTaken(data);
					return data;
				};
				const cut = new Taken(most);
				for (const segment of segments) cut.append(dataOf([segment]));
				const whole = new Taken(most);
				whole.append(dataOf(segments));
				const direct = new TakenTexts(most);
				for (const [path, isDisallowed, bytes] of segments.flat())
					direct.add(nameOf(path), isDisallowed, bytes);
				const plain = (top: TakenTexts) =>
					Array.from(top.values(), ({ text, requests, disallowed, bytes }) =>
						[text, requests, disallowed, bytes].join(" "),
					).sort();
				expect(plain(whole.paths)).toEqual(plain(direct));
				expect(plain(cut.paths)).toEqual(plain(direct));
				expect(plain(cut.sections)).toEqual(plain(whole.sections));
				expect(cut.paths.bound).toBe(direct.bound);
			},
		),
	);
});

test.each<[what: string, texts: string[], log: number[]]>([
	["no path of this number", ["/"], [2, 0]],
	["a request without its bytes", ["/"], [0]],
	["a number that goes on", ["/"], [0, 128]],
	["a number of nine bytes", ["/"], [0, ...new Array(8).fill(128), 1]],
	["more than 2 ** 53 bytes", ["/"], [0, ...new Array(7).fill(255), 127]],
])("data from elsewhere is refused: %s", (_, texts, log) =>
	expect(() => checkTaken({ texts, log: Uint8Array.from(log) })).toThrow(
		RangeError,
	),
);

const robots = [
	{ file: "r", bytes: Buffer.from("User-agent: *\nDisallow: /private/\n") },
];

/** "GPTBot /a 200 10 text/html": a line in a format with content types. */
function line(text: string): string {
	const [agent, path, status = "200", bytes = "10", type = "-"] =
		text.split(" ");
	return `192.0.2.1 - - [14/Oct/2025:00:00:00 +0000] "GET ${path} HTTP/1.1" ${status} ${bytes} "${agent}/1.0" "${type.replaceAll("+", " ")}"\n`;
}

const FORMAT =
	'$remote_addr - - [$time_local] "$request" $status $body_bytes_sent "$http_user_agent" "$sent_http_content_type"';

async function reportOn(
	lines: readonly string[],
	options: Partial<AuditOptions> = {},
): Promise<AuditReport> {
	const { nginxFormat } = await import("../src/index.ts");
	const audit = new LogAudit({
		robots,
		format: nginxFormat(FORMAT),
		paths: true,
		...options,
	});
	await audit.add("a.log", [Buffer.from(lines.map(line).join(""))]);
	return audit.report();
}

const lines = [
	"GPTBot /robots.txt 200 7 text/plain",
	"GPTBot /a/1?x=1 200 10 text/html",
	"GPTBot /a/1 200 20 Text/HTML;+charset=utf-8",
	"GPTBot /a/2 404 30 text/html",
	"GPTBot /private/x 403 5 -",
	"GPTBot / 200 8 application/json",
	"CCBot /a/1 200 10 -",
	"CCBot /b 200 10 -",
	"Googlebot /b 200 10 -",
	"Googlebot /a/2 200 10 -",
	"Mozilla/5.0+(X11;+Linux)+Firefox /b 200 50 text/html",
	"GPTBot * 200 3 -",
];

test("a report says what was taken", async () => {
	const report = await reportOn(lines);
	expect(report.crawlers.find(({ name }) => name === "GPTBot")?.taken).toEqual({
		paths: {
			top: [
				{ text: "/a/1", requests: 2, disallowed: 0, bytes: 30 },
				{ text: "/", requests: 1, disallowed: 0, bytes: 8 },
				{ text: "/a/2", requests: 1, disallowed: 0, bytes: 30 },
				{ text: "/private/x", requests: 1, disallowed: 1, bytes: 5 },
			],
			different: 4,
			uncounted: 0,
		},
		sections: {
			top: [
				{ text: "/a/", requests: 3, disallowed: 0, bytes: 60 },
				{ text: "/", requests: 1, disallowed: 0, bytes: 8 },
				{ text: "/private/", requests: 1, disallowed: 1, bytes: 5 },
			],
			different: 3,
			uncounted: 0,
		},
		contentTypes: {
			top: [
				{ text: "text/html", count: 3 },
				{ text: "application/json", count: 1 },
			],
			different: 2,
			uncounted: 0,
		},
		share: 47.97,
	});
	expect(report.bytes).toBe(173);
	expect(report.sharedPages).toEqual({
		top: [
			{
				host: null,
				path: "/a/1",
				crawlers: ["CCBot", "GPTBot"],
				requests: 3,
				disallowed: 0,
				bytes: 40,
			},
		],
		different: 1,
		exact: true,
	});
});

test("without the option there is nothing of it, and the rest is the same", async () => {
	const { crawlers, bytes, sharedPages, ...rest } = await reportOn(lines, {
		paths: undefined,
	});
	const taking = await reportOn(lines);
	expect({ bytes, sharedPages }).toEqual({ bytes: null, sharedPages: null });
	expect(taking).toMatchObject(rest);
	expect(crawlers).toEqual(
		taking.crawlers.map((crawler) => ({ ...crawler, taken: null })),
	);
});

describe("the report does not depend on where a log is cut, or on who scans it", () => {
	const settings = { robots, paths: true };
	const agents = ["GPTBot", "CCBot", "Googlebot"];
	// More paths than are counted for a crawler beyond the 100th (5), and for others few.
	const many = Array.from(
		{ length: 120 },
		(_, at) => `Agent${at}Bot /x 200 1 -`,
	);
	const log = fc
		.array(fc.tuple(fc.constantFrom(...agents, "LateBot"), fc.nat(30)), {
			maxLength: 150,
		})
		.map((requests) =>
			requests.map(
				([agent, path]) =>
					`${agent} ${path % 9 === 0 ? "/private" : ""}/${path % 4}/${path} 200 ${path} -`,
			),
		);
	const combined = (text: string) => {
		const [agent, path, status, bytes] = text.split(" ");
		return `192.0.2.1 - - [14/Oct/2025:00:00:00 +0000] "GET ${path} HTTP/1.1" ${status} ${bytes} "-" "${agent}/1.0"\n`;
	};
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
			const part = all.slice(from, cuts[index]).map(combined).join("");
			scanner.feed(Buffer.from(part));
			const segment = scanner.end();
			totals.append("log", isSent ? unpacked(packed(segment)) : segment);
		});
		return reportOf(totals, new RuleBook(robots, {}), "name");
	};
	test("cuts, two scanners, threads and states", async () =>
		fc.assert(
			fc.asyncProperty(
				log,
				fc.array(fc.nat(260), { maxLength: 5 }),
				async (requests, places) => {
					const all = [...many, ...requests];
					const whole = reportOfRuns(all, [], false);
					const cuts = places
						.map((at) => Math.min(at, all.length))
						.sort((a, b) => a - b);
					expect(reportOfRuns(all, cuts, false)).toEqual(whole);
					expect(reportOfRuns(all, cuts, true)).toEqual(whole);
					const merged = new LogAudit(settings);
					const bounds = [0, ...cuts, all.length];
					for (let at = 1; at < bounds.length; at++) {
						const audit = new LogAudit({
							...settings,
							format: "combined",
							keepState: true,
						});
						const part = all.slice(bounds[at - 1], bounds[at]);
						await audit.add("log", [Buffer.from(part.map(combined).join(""))]);
						await merged.addState(await audit.state());
					}
					const { crawlers, sharedPages, bytes } = merged.report();
					expect({ crawlers, sharedPages, bytes }).toEqual({
						crawlers: whole.crawlers,
						sharedPages: whole.sharedPages,
						bytes: whole.bytes,
					});
					// Numbers are those of the log, or at least as many as the report says.
					for (const { name, taken } of whole.crawlers) {
						const own = requests.filter((text) => text.startsWith(`${name} `));
						const counts = counted(own.map((text) => text.split(" ")[1] ?? ""));
						const { top, uncounted } = taken?.paths ?? {
							top: [],
							uncounted: 0,
						};
						if (!agents.includes(name) && name !== "LateBot") continue;
						for (const { text, requests } of top) {
							const count = counts.get(text) ?? 0;
							expect(count).toBeGreaterThanOrEqual(requests);
							expect(count).toBeLessThanOrEqual(requests + uncounted);
						}
					}
				},
			),
			{ numRuns: casesOf(8) },
		));
	test("beyond the first 100 crawlers, 5 paths are counted, and the bound says so", () => {
		const late = Array.from(
			{ length: 60 },
			(_, at) => `LateBot /${at % 12} 200 1 -`,
		);
		const { crawlers } = reportOfRuns([...many, ...late], [], false);
		const { taken } = crawlers.find(({ name }) => name === "LateBot") ?? {};
		expect(taken?.paths).toMatchObject({ different: 5, uncounted: 12 });
	});
});
