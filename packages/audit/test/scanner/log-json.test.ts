import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { logs } from "../../../../test/data/logs.ts";
import { runs } from "../../../../test/differential.ts";
import { JsonLines } from "../../src/formats/json-lines.ts";
import {
	formatOf,
	type JsonFields,
	jsonFormat,
	LogAudit,
	type LogFormat,
} from "../../src/index.ts";
import { scanSettings } from "../../src/options/options.ts";
import { LogScanner } from "../../src/scan/scanner.ts";

const robots = ["a.example", "b.example", undefined].map((host) => ({
	file: `${host}.txt`,
	host,
	bytes: Buffer.from("User-agent: *\nDisallow: /private/\n"),
}));

async function reportOf(format: LogFormat, text: string) {
	const audit = new LogAudit({ robots, format, groupBy: "header" });
	await audit.add("a.log", [Buffer.from(text)]);
	const report = audit.report();
	return {
		...report,
		unparsedLines: report.unparsedLines.map(({ line }) => line),
	};
}

/** The report of lines that JSON.parse has read, one by one. */
function slowReportOf(fields: JsonFields, text: string) {
	const lines = new JsonLines(fields);
	const { json: _, ...format } = jsonFormat(fields);
	const transcoded = text.split("\n").map((line) => lines.transcode(line));
	return reportOf(format, `${transcoded.join("\n")}\n`);
}

const timed: JsonFields = {
	path: ["uri", "url.path", "http.request.path"],
	request: ["request"],
	query: ["query"],
	agent: ["ua", "headers.User-Agent"],
	status: ["status", "http.status"],
	time: ["ts", "@timestamp"],
	host: ["host", "url.domain", "uri"],
	ip: ["ip"],
	bytes: ["size"],
};
const { time: _, ...untimed } = timed;
const rootless: JsonFields = { ...timed, path: ["/uri", "/url.path"] };

const agents = [
	"GPTBot/1.0",
	"Mozilla/5.0 (compatible; Googlebot/2.1)",
	"Mozilla/5.0 (Windows NT 10.0) Chrome/126.0.0.0 Safari/537.36",
	"-",
	"",
];
const paths = [
	"/private/a",
	"/",
	"/a?b=c",
	"private/a",
	"*",
	"-",
	"",
	"https://b.example/private/",
	"ftp://",
	"/é",
	'/"',
	"/a\tb",
	"/robots.txt",
];
const times = [
	"2025-10-14T12:30:45Z",
	"2025-10-14T12:30:45.123456Z",
	"2025-10-14T14:30:45+02:00",
	"2025-10-14T14:30:45+0200",
	"2025-10-14 12:30:45",
	"2025-10-31T00:00:00Z",
	"2025-02-30T00:00:00Z",
	"2025-10-14T12:30:60Z",
	"2025-10-14T24:00:00Z",
	"2025-10-14T12:30:45,5Z",
	"2025-10-14T12:30:45.1234567891Z",
	"2025-10-14T12:30:45.Z",
	"14/Oct/2025:12:30:45 +0000",
	"30/Feb/2025:12:30:45 +0000",
	"14/Oct/1969:12:30:45 +0000",
	"1969-10-14T12:30:45Z",
	"yesterday",
	"",
	"1760445045",
	"1760445045.25",
	"1760445045250",
	"01760445045",
	"1760445045.",
];
const numericTimes = [
	1760445045, 1760445045.123456, 1760445045.1234567, 1760445045250,
	1760445045250999, 1760445045250999000, 0, -1, 1.5, 1e21,
];
const odd = fc.constantFrom<unknown>(
	null,
	true,
	false,
	[],
	{},
	[null],
	["x", 1],
	{ a: [{}] },
	1.5,
	-7,
	1e300,
);
const text = (texts: readonly string[]) =>
	fc.oneof(
		{ weight: 20, arbitrary: fc.constantFrom(...texts) },
		{ weight: 1, arbitrary: odd },
		{
			weight: 1,
			arbitrary: fc.constantFrom(...texts).map((one) => [one, "second"]),
		},
	);
const time = fc.oneof(
	{ weight: 8, arbitrary: fc.constantFrom("2025-10-14T12:30:45Z", 1760445045) },
	{ weight: 4, arbitrary: fc.constantFrom<unknown>(...times, ...numericTimes) },
	{ weight: 1, arbitrary: odd },
);
const status = text(["200", "404", "-", "2", "ok", ""]);
const host = text([
	"a.example",
	"b.example:80",
	"https://a.example/x",
	"c",
	"",
]);
const any = fc.oneof(odd, fc.string(), fc.constantFrom("\\", '"', "\u2028\n"));
const object = fc
	.record(
		{
			uri: text(paths),
			request: text(["GET /private/b HTTP/1.1", "GET /", "nothing", "- -"]),
			url: fc.oneof(
				odd,
				fc.record(
					{ path: text(paths), domain: host, more: any },
					{ requiredKeys: [] },
				),
			),
			"url.path": text(paths),
			http: fc.record(
				{ request: fc.record({ path: text(paths) }), status },
				{ requiredKeys: [] },
			),
			query: text(["a=b", "?a=b", "-", ""]),
			ua: text(agents),
			headers: fc.record({ "User-Agent": fc.tuple(text(agents)) }),
			status: fc.oneof(status, fc.constantFrom(200, 301, 5, 2000)),
			ts: time,
			"@timestamp": time,
			host,
			ip: text(["192.0.2.1", "::1"]),
			size: fc.oneof(status, fc.nat()),
			other: any,
		},
		{ requiredKeys: ["ts", "ua"] },
	)
	.chain((value) =>
		fc
			.shuffledSubarray(Object.keys(value), { minLength: 2 })
			.map((keys) =>
				Object.fromEntries(
					keys.map((key) => [key, value[key as keyof typeof value]]),
				),
			),
	);

/** What breaks or bends the text of an object. */
const pieces = [
	...'{}[],:"\\ \t\r\n0-.eE+tnf',
	'"ua":"x",',
	'"uri":null,',
	'"url":{"path":"/x"},',
	"null",
	"true",
	'"\\u0075a":"y",',
	"\\n",
	"\\u00e9",
	"\\x",
	"\\ud800",
	"1e5",
	"\u0001",
	"\ufeff",
	"é",
	'"uri":"/z",',
];
const line = fc
	.tuple(
		object,
		fc.constantFrom(undefined, 1, "\t"),
		fc.array(
			fc.record({
				at: fc.nat(999),
				length: fc.constantFrom(0, 0, 1, 5),
				piece: fc.constantFrom("", ...pieces),
			}),
			{ maxLength: 2 },
		),
		fc.boolean(),
	)
	.map(([value, indent, changes, isWhole]) => {
		const written = JSON.stringify(value, undefined, indent).replace(/\n/g, "");
		if (isWhole) return written;
		return changes.reduce((whole, { at, length, piece }) => {
			const from = Math.floor((at * whole.length) / 1000);
			return whole.slice(0, from) + piece + whole.slice(from + length);
		}, written);
	});

describe.each([
	["with times", timed],
	["without times", untimed],
	["with paths that lack their slash", rootless],
])("Lines of JSON %s", (_, fields) => {
	test("mean what JSON.parse makes of them, broken ones too", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(line, { minLength: 1, maxLength: 40, size: "max" }),
				async (lines) => {
					const text = `${lines.join("\n")}\n`;
					expect(await reportOf(jsonFormat(fields), text)).toEqual(
						await slowReportOf(fields, text.replace(/\n$/, "")),
					);
				},
			),
			runs(60),
		);
	});
});

test.each([
	[
		"a list that is a value in a later line",
		[
			'{"ip":"::1"t":"https://a.example/x"}',
			'{"other":"*pI[/,"host":"c","http":{"request":{"path":"/robots.txt"}}}',
			'{"url":["x",1],"host":"a.example","other":""}',
			'{"http":{"request":{"path":"/private/a"}},"status":200}',
		],
	],
	[
		"a bracket in front of a whole object",
		[
			'[{"uri":"/private/a","ts":"2025-10-14T12:30:45Z"}',
			'{"ts":"2025-10-14T12:30:45Z","ua":"GPTBot/1.0"}',
		],
	],
])("a broken first line makes no list of the log: %s", async (_, lines) => {
	const report = await reportOf(jsonFormat(timed), `${lines.join("\n")}\n`);
	expect(report.lines).toBe(lines.length);
});

describe("Without JSON.parse", () => {
	afterEach(() => {
		vi.restoreAllMocks();
	});
	/** Calls of JSON.parse for the lines of a format. */
	function callsFor(format: LogFormat, text: string): number {
		const scanner = new LogScanner(scanSettings({ robots }, false));
		scanner.begin(format);
		const parse = vi.spyOn(JSON, "parse");
		scanner.feed(Buffer.from(text));
		scanner.end();
		return parse.mock.calls.length;
	}

	// Those of AWS WAF have headers in a list.
	const json = logs.filter(
		({ lines, logFormat, fields, text, format }) =>
			/^\{(?!"log"|"__CURSOR")/.test(lines[0] ?? "") &&
			logFormat === undefined &&
			fields === undefined &&
			text === undefined &&
			format !== "waf",
	);
	test.each(json)("$name", ({ format, lines }) =>
		expect(callsFor(formatOf(format), `${lines[0]}\n${lines[1]}\n`)).toBe(0),
	);

	test.each<readonly [what: string, line: string, isRead: boolean]>([
		["blanks and a CR", ' {\t"uri" : "/" , "ua":"a" } \r', true],
		["keys in a list of texts", '{"uri":["/","x",{"a":[]}],"ua":"a"}', true],
		["escapes elsewhere", '{"x":"\\u00e9\\n","uri":"/","ua":"a"}', true],
		["bytes beyond ASCII elsewhere", '{"x":"é","uri":"/","ua":"a"}', true],
		["numbers of all kinds", '{"x":[-1,0.5,1e9,2E-3],"uri":"/"}', true],
		["an escape", '{"uri":"\\/","ua":"a"}', false],
		["a key twice", '{"uri":"/","uri":"/a"}', false],
		["a leading zero", '{"x":01,"uri":"/"}', false],
		["a comma too many", '{"uri":"/",}', false],
		["a comma too few", '{"uri":"/" "ua":"a"}', false],
		["something behind it", '{"uri":"/"} x', false],
		[
			"24 objects in each other",
			`{"x":${'{"a":'.repeat(30)}1${"}".repeat(31)}`,
			false,
		],
	])("%s: %s", (_, line, isRead) =>
		// A chosen format: lines of a detected one that are no JSON are looked at again, as they may be of another format.
		expect(
			callsFor({ ...jsonFormat(untimed), isChosen: true }, `${line}\n`),
		).toBe(isRead ? 0 : 1),
	);
});
