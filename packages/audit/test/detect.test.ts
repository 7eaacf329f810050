import { describe, expect, test } from "vitest";
import { fieldFormats, formatOf } from "../src/formats/formats.ts";
import { formatNames, jsonFormat, LogAudit } from "../src/index.ts";
import {
	detectFormat,
	formatFor,
	formatOfHead,
	timeOfFirstLine,
} from "../src/scan/detect.ts";

describe("A log of no known format is refused with a hint:", () => {
	test.each([
		[
			"JSON of other keys",
			'{"req": {"uri": "/a", "ua": "x"}, "code": 200, "ts": 1}',
			"lines are JSON (req.uri, req.ua, code, ts); say where the fields are, perhaps path=req.uri,agent=req.ua,status=code,time=ts",
		],
		[
			"JSON without a path",
			'{"a": 1, "b": [2]}',
			"lines are JSON (a, b); say where the fields are: path=KEY,agent=KEY,…",
		],
		[
			"JSON whose request is a path",
			'{"req_id": 1, "request": "/a?b", "code": 200}',
			"perhaps path=request,status=code",
		],
		[
			"JSON whose request is a request line",
			'{"req_id": 1, "request": "GET /a HTTP/1.1", "code": 200}',
			"perhaps request=request,status=code",
		],
		[
			"JSON with a path and a request that is one",
			'{"request": "/a", "url": "/a?b", "code": 200}',
			"perhaps path=url,status=code",
		],
		[
			"CSV of other columns",
			"when,url,user agent\n1,/,x",
			"the first line names columns (when, url, user agent); say where the fields are, perhaps path=url,agent=user agent",
		],
		[
			"CSV with a column agent",
			"path,agent,status\n/,x,200",
			"perhaps path=path,agent=agent,status=status",
		],
		[
			"CSV without a header",
			'1760445045,192.0.2.1,GET,/a,200,"Mozilla/5.0"',
			"it looks like CSV, whose first line has to name the columns",
		],
		["JSON with null", '{"a": null, "b": 1}', "lines are JSON (a, b); say"],
		[
			"JSON of many keys, of which 20 are shown",
			JSON.stringify(
				Object.fromEntries(
					[..."abcdefghijklmnopqrstuvwxyz"].map((key) => [key, 1]),
				),
			),
			"s, t); say",
		],
		["CSV without a header, of six fields", "1,2,3,4,5,6", "it looks like CSV"],
		["five numbers", "1,2,3,4,5", "give its name, fields or a log_format"],
		["anything else", "hello\nworld", "give its name, fields or a log_format"],
	])("%s", (_, text, hint) =>
		expect(() => formatOfHead(Buffer.from(text), "a.log")).toThrow(hint),
	);
});

const COMMON = '192.0.2.1 - - [14/Oct/2025:12:30:45 +0000] "GET /" 200 5';
const COMBINED = `${COMMON} "-" "GPTBot/1"`;
const ofTwoWords = (line: string) => line.replace("- - [", "- John Smith [");
const inDocker = (log: string) =>
	JSON.stringify({
		log: `${log}\n`,
		stream: "stdout",
		time: "2025-10-14T12:30:45Z",
	});
const caddy = (rest: object) =>
	JSON.stringify({ request: { uri: "/" }, ...rest });
const inConsole = (json: string) =>
	`2025/10/14 12:30:45.500\tINFO\thandled request\t${json}`;

describe("The format of a log is detected from its first lines:", () => {
	test.each<
		[
			what: string,
			lines: readonly string[],
			format: string | undefined,
			envelope?: string,
		]
	>([
		["most lines count", [COMMON, COMBINED, COMBINED], "combined"],
		[
			"what is of no format does not count",
			["x", "y", "z", COMBINED],
			"combined",
		],
		["a comment is no directive", ["# hello", COMBINED], "combined"],
		[
			"nor is one that speaks of one",
			["# see #Fields: x", COMBINED],
			"combined",
		],
		["W3C", ["#Version: 1.0", "#Fields: date time"], "w3c"],
		[
			"CloudFront",
			["#Version: 1.0", "#Fields: date x-edge-location"],
			"cloudfront",
		],
		[
			"fields in a line that is none",
			["#Version: 1.0", "a #Fields: x-edge-location", "#Fields: date"],
			"w3c",
		],
		[
			"JSON with a path and a header",
			[caddy({ request: { uri: "/", headers: { "User-Agent": ["a"] } } })],
			"caddy",
		],
		["JSON with a path and a status", [caddy({ status: 200 })], "caddy"],
		["JSON with a path alone", [caddy({})], undefined],
		["a console's", [inConsole(caddy({ status: 200 }))], "caddy", ""],
		[
			"a console's with blanks behind",
			[`${inConsole(caddy({ status: 200 }))}  `],
			"caddy",
			"",
		],
		[
			"a console's with text in front",
			[`x ${inConsole(caddy({ status: 200 }))}`],
			undefined,
		],
		["a console's of unknown JSON", [inConsole('{"a":1}')], undefined],
		["in Docker's JSON", [inDocker(COMBINED)], "combined", "log"],
		[
			"in journald's JSON",
			[
				'{"MESSAGE":"192.0.2.1 - - [14/Oct/2025:12:30:45 +0000] \\"GET /\\" 200 5","__REALTIME_TIMESTAMP":"1"}',
			],
			"common",
			"MESSAGE",
		],
		["a message of another journal", ['{"MESSAGE":"x"}'], undefined],
		[
			"JSON with a path and a status of no gateway",
			['{"path":"/","status":200,"ip":"192.0.2.1"}'],
			undefined,
		],
		[
			"JSON with a path and an agent that is not Envoy's",
			['{"path":"/","user_agent":"a","response_code":200}'],
			undefined,
		],
		[
			"JSON with a URL and an agent that is not Netlify's",
			['{"url":"/","user_agent":"a","status_code":200}'],
			undefined,
		],
		[
			"a list of pipes with a path in place of Bunny's URL",
			["HIT|200|1760445045421|412|390|192.0.2.1|-|/a|WA|a|b|DE"],
			undefined,
		],
		[
			"Envoy's line cut before its hosts",
			['[2025-10-14T12:30:45.310Z] "GET / HTTP/2" 200 - 154 0 226 100 "-" "a"'],
			undefined,
		],
		["combined with two blanks", [COMBINED.replaceAll(" ", "  ")], "combined"],
		["blanks in a header", [`${COMMON} "a  b" "c  d"`], "combined"],
		["nothing known in Docker's JSON", [inDocker("hello")], undefined],
		[
			"CSV with a request",
			["request,http_user_agent,x", "a,b,c"],
			"nginx-json",
		],
		["CSV with a path alone", ["ClientRequestURI,a,b", "/,1,2"], undefined],
		["Nginx's own", [`${COMBINED} "-"`], "main"],
		["the same with a list", [`${COMBINED} "unknown, 192.0.2.1:80" 5`], "main"],
		["a dash and more", [`${COMBINED} "-" 0.003`], "combined"],
		["a cookie", [`${COMBINED} "a=b"`], "combined"],
		["a list of addresses in front", [`192.0.2.9, ${COMBINED}`], "combined"],
		["the same, common", [`192.0.2.9, ${COMMON}`], "common"],
		["a virtual host", [`a.example ${COMBINED}`], "vcombined"],
		// A user whose name has a blank: what comes second is no address.
		["a user of two words", [ofTwoWords(COMBINED)], "combined"],
		["the same, common", [ofTwoWords(COMMON)], "common"],
		["the same, Nginx's own", [ofTwoWords(`${COMBINED} "-"`)], "main"],
		[
			"the same behind a host name",
			[ofTwoWords(COMBINED.replace("192.0.2.1", "crawler.example"))],
			"combined",
		],
		...["192.0.2.1", "2001:db8::1", "192.0.2.1,"].flatMap((address) => {
			const at = (line: string) =>
				`a.example ${line.replace("192.0.2.1", address)}`;
			return [
				[`${address} behind a virtual host`, [at(COMBINED)], "vcombined"],
				[`the same, common`, [at(COMMON)], "vcommon"],
				[
					"the same and a user of two words",
					[at(ofTwoWords(COMBINED))],
					"vcombined",
				],
			] as [string, string[], string][];
		}),
	])("%s", (_, lines, name, envelope) => {
		const format = detectFormat(lines);
		expect(format?.name).toBe(name);
		expect(format?.envelope?.join(" ")).toBe(envelope);
	});
});

describe("Lists of JSON over many lines are lists, however many records there are:", () => {
	const record = (at: number) =>
		JSON.stringify({ uri: `/${at}`, http_user_agent: "GPTBot/1", time: at });
	const named = (at: number) => JSON.stringify({ p: `/${at}`, u: "GPTBot/1" });
	const robots = [{ file: "robots.txt", bytes: Buffer.from("") }];
	const fields = jsonFormat({ path: ["p"], agent: ["u"] });
	const shapes: readonly [
		what: string,
		open: string,
		start: string,
		end: string,
	][] = [
		["a list", "[\n", "", "\n]\n"],
		["DuckDB's", "[\n", "\t", "\n]\n"],
		["a list in an object", '{"records":[\n', "", "\n]}\n"],
		["the same, a bracket a line", '{\n"records": [\n', "  ", "\n]\n}\n"],
	];
	test.each(shapes)("%s", async (_, open, start, end) => {
		for (const count of [1, 2, 9, 10, 50, 120, 199, 200, 5000])
			for (const [of, format] of [
				[record, undefined],
				[named, fields],
			] as const) {
				const records = Array.from(
					{ length: count },
					(_, at) => start + of(at),
				);
				const audit = new LogAudit({ robots, format });
				await audit.add("a.json", [
					Buffer.from(open + records.join(",\n") + end),
				]);
				const { lines, unparsed, judged } = audit.report();
				expect([count, lines, unparsed, judged]).toEqual([
					count,
					count,
					0,
					count,
				]);
			}
	});
});

describe("Fields of W3C's format", () => {
	const agent =
		"Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)";
	test.each<[what: string, fields: string, line: string, judged: number]>([
		[
			"in quotes",
			"date time c-ip cs-uri-stem cs(User-Agent) sc-status",
			`2025-10-14 12:30:45 192.0.2.1 "/b" "${agent}" 200`,
			1,
		],
		[
			"in quotes, at the end",
			"date time cs-uri-stem sc-status cs(User-Agent)",
			`"2025-10-14" "12:30:45" /b "200" "${agent}"`,
			1,
		],
		[
			"quotes twice in them",
			"cs(Referer) cs-uri-stem cs(User-Agent)",
			`"a ""b"" c" /b "${agent}"`,
			1,
		],
		[
			"a quote that is the header's own",
			"cs-uri-stem cs(User-Agent) sc-status",
			`/b "GPTBot/1 200`,
			1,
		],
		["cs-uri-path", "cs-uri-path cs(User-Agent)", "/b GPTBot/1", 1],
		["a blank at the end", "cs-uri-path cs(User-Agent)", "/b GPTBot/1 ", 1],
		[
			"a status that is empty",
			"cs-uri-stem cs(User-Agent) sc-status",
			`"/b" "${agent}" ""`,
			1,
		],
		[
			"one more than is named",
			"cs(User-Agent) cs-uri-stem cs-uri-query",
			"GPTBot/1 /b - 80",
			0,
		],
	])("%s", async (_, fields, line, judged) => {
		const audit = new LogAudit({
			robots: [
				{ file: "r", bytes: Buffer.from("User-agent: *\nDisallow: /b\n") },
			],
		});
		// Also behind a line that is cut quickly.
		const text = `#Fields: ${fields}\r\n${`${line}\r\n`.repeat(2)}${line}`;
		await audit.add("a.log", [Buffer.from(text)]);
		expect(audit.report()).toMatchObject({
			unparsed: judged ? 0 : 3,
			crawlers: judged ? [{ name: "GPTBot", disallowed: 3 * judged }] : [],
		});
	});
});

test("one line of several blanks is enough for a template that allows them", () => {
	const text = [COMBINED, COMBINED, COMBINED.replace(" 200", "  200")];
	const { template } = detectFormat(text) ?? {};
	expect(template).toEqual(detectFormat(text.slice(2))?.template);
	expect(template).not.toEqual(formatOf("combined").template);
});

describe("A chosen format is adapted to the first lines:", () => {
	const fields = jsonFormat({ path: ["p"] });
	const list = (key?: string) => ({ kind: "list", ...(key ? { key } : {}) });
	test.each([
		["a line each", '{"p":"/"}', undefined],
		["a list", '[{"p":"/"},\n{"p":"/"}]', list()],
		["a list over many lines", '[\n  {\n    "p": "/"\n  }\n]', list()],
		["a list in an object", '{\n"n": 1, "rows": [\n{"p":"/"}]}', list("rows")],
		["rows", "n;p;q\n1;/;2", { kind: "csv", separator: ";" }],
		["rows with tabs", "n\tp\tq\n1\t/\t2", { kind: "csv", separator: "\t" }],
		["rows of two columns", "p,q\n/,2", { kind: "csv", separator: "," }],
		["rows of one column", "p\n/", { kind: "csv", separator: "," }],
		[
			"rows with an unnamed column, as pandas writes them",
			",p,Größe,2xx\n0,/,1,2",
			{ kind: "csv", separator: "," },
		],
		["rows without its columns", "n,path,q\n1,/,2", undefined],
		[
			"a line each, with lists in it",
			'{"p":"/","rows":[{"p":"/"}]}\n{"q":1}',
			undefined,
		],
		["a list with an object without a path", '[{"p":"/"},\n{"q":1}]', list()],
		[
			"a list in an object, with blanks",
			'\n {"rows" :\n[\n{"p":"/"}]}',
			list("rows"),
		],
		[
			"a list in an object behind text",
			'x\n{"rows": [\n{"p":"/"}]}',
			undefined,
		],
	])("%s", (_, text, records) =>
		expect(formatFor(fields, Buffer.from(text)).records).toEqual(records),
	);

	test("keys may have slashes in them", () => {
		const slashes = jsonFormat({ path: ["a/b"] });
		expect(formatFor(slashes, Buffer.from('[{"a/b":"/"}]')).records).toEqual(
			list(),
		);
		expect(formatFor(slashes, Buffer.from("a/b,c,d\n/,1,2")).records).toEqual({
			kind: "csv",
			separator: ",",
		});
	});

	test("text in front of objects is skipped", () =>
		expect(
			formatFor(
				formatOf("caddy"),
				Buffer.from(`web | ${caddy({ status: 200 })}`),
			),
		).toEqual({
			...formatOf("caddy"),
			envelope: [""],
			prefix: "docker compose",
			isChosen: true,
		}));

	test("text in front of lines is skipped", () => {
		const line =
			'web | 192.0.2.1 - - [14/Oct/2025:12:30:45 +0000] "GET /" 200 5 "-" "a"';
		const { template } = formatOf("combined");
		const format = formatFor(formatOf("combined"), Buffer.from(line));
		expect(format.template.steps.slice(1)).toEqual(template.steps);
	});
});

describe("Any bytes are counted, as lines or records", () => {
	let state = 1;
	const random = () => {
		state = (Math.imul(state, 1103515245) + 12345) >>> 0;
		return state >>> 24;
	};
	const signs = [...'{}[]",:\\\n\r\t 0aé'].join("");
	const noise = Buffer.concat([
		Uint8Array.from({ length: 30_000 }, random),
		Buffer.from(
			Array.from({ length: 30_000 }, () => signs[random() % signs.length]).join(
				"",
			),
		),
	]);
	const robots = [{ file: "robots.txt", bytes: Buffer.from("") }];
	const names = formatNames.filter((name) => !fieldFormats.includes(name));
	test.each(names)("%s", async (name) => {
		const audit = new LogAudit({ robots, format: name });
		await audit.add("noise", [noise]);
		const report = audit.report();
		const { lines, unparsed, blank, people, withoutAgent, judged } = report;
		const ends = noise.filter((byte) => byte === 10).length + 1;
		if (!formatOf(name).records) expect(lines).toBe(ends);
		expect(lines).toBeGreaterThan(100);
		expect(unparsed + blank + people + withoutAgent + judged).toBe(lines);
	});
});

describe("Records in a list", () => {
	const robots = [{ file: "robots.txt", bytes: Buffer.from("") }];
	const one = '{"p":"/a","u":"GPTBot/1"}';
	test.each<
		readonly [what: string, text: string, lines: number, judged: number]
	>([
		["an empty list", "[]", 0, 0],
		["objects", `[${one},${one}]`, 2, 2],
		["objects with braces in texts", `[{"p":"/}]{[\\"","u":"GPTBot/1"}]`, 1, 1],
		["objects in objects", `[{"x":{"y":[{}]},"p":"/","u":"GPTBot/1"}]`, 1, 1],
		["what is no object", `[${one},7,"x,y",null,[1],${one}]`, 7, 2],
		["a list cut off", `[${one},{"p":"/a"`, 2, 1],
		[
			"a record cut off, and whole ones behind it",
			`[${one},{"p":"/\n${one},\n${one}]`,
			4,
			3,
		],
		["two lists", `[${one}]\n[${one}]`, 2, 2],
		["objects behind a list", `[${one}]\n${one}\n${one}`, 3, 3],
		["brackets that close nothing", `[${one}]]}]\n[${one}]`, 2, 2],
	])("%s", async (_, text, lines, judged) => {
		const format = formatFor(
			jsonFormat({ path: ["p"], agent: ["u"] }),
			Buffer.from(`[${one}]`),
		);
		for (const size of [1, 7, 1000]) {
			const audit = new LogAudit({
				robots,
				format: { ...format, name: "list" },
			});
			const bytes = Buffer.from(text);
			const parts = Array.from(
				{ length: Math.ceil(bytes.length / size) },
				(_, part) => bytes.subarray(part * size, (part + 1) * size),
			);
			await audit.add("a.log", parts);
			expect(audit.report()).toMatchObject({ lines, judged });
		}
	});
});

describe("Rows of CSV", () => {
	const robots = [{ file: "robots.txt", bytes: Buffer.from("") }];
	const format = jsonFormat({ path: ["p"], agent: ["u"] }, "rows");
	test.each<
		readonly [what: string, text: string, lines: number, judged: number]
	>([
		["quotes", 'p,u,x\n"/a","GPTBot/1","x ""y"", z"', 2, 1],
		["line feeds in quotes", 'p,u,x\n/a,GPTBot/1,"\n\r\n"\n/b,GPTBot/1,', 3, 2],
		["a stray quote", 'p,u,x\n/a,GPTBot/1,5" disk\n/b,GPTBot/1,', 3, 2],
		[
			"a quote that is never closed",
			'p,u,x\n/a,GPTBot/1,"x\n/b,GPTBot/1,',
			2,
			1,
		],
		["the header again", "p,u,x\n/a,GPTBot/1,\np,u,x\n/b,GPTBot/1,", 4, 2],
		["rows too short and too long", "p,u,x\n/a\n/a,GPTBot/1,1,2,3", 3, 1],
		["no rows", "p,u,x", 1, 0],
		["blank rows", "p,u,x\n\n \n/a,GPTBot/1,", 4, 1],
		[
			"an unclosed quote of 2 MiB",
			`p,u,x\n"${"y\n".repeat(1 << 20)}/a,GPTBot/1,\n/a,GPTBot/1,`,
			-1,
			2,
		],
	])("%s", async (_, text, lines, judged) => {
		for (const size of text.length > 1000 ? [100_000] : [1, 7, 1000]) {
			const audit = new LogAudit({
				robots,
				format: { ...format, records: { kind: "csv", separator: "," } },
			});
			const bytes = Buffer.from(text);
			const parts = Array.from(
				{ length: Math.ceil(bytes.length / size) },
				(_, part) => bytes.subarray(part * size, (part + 1) * size),
			);
			await audit.add("a.log", parts);
			expect(audit.report()).toMatchObject(
				lines < 0 ? { judged } : { lines, judged },
			);
		}
	});
});

const noon = Date.UTC(2025, 9, 14, 12);
const line =
	'192.0.2.1 - - [14/Oct/2025:14:00:00 +0200] "GET / HTTP/1.1" 200 5';

test.each([
	["common", line, noon],
	["common", `broken\n${line}`, noon],
	["w3c", "#Fields: date time cs-uri\n2025-10-14 12:00:00 /", noon],
	["w3c", "#Date: 2025-10-14 12:00:00\n#Fields: time cs-uri\n12:30:00 /", noon],
	[
		"w3c",
		"#Date: 2025-10-15 00:00:00\n#Fields: date time\n2025-10-14 12:00:00",
		noon,
	],
	["w3c", "#Date: soon\n#Fields: time cs-uri\n12:30:00 /", Infinity],
	["caddy", '{"ts":1760443200,"request":{"uri":"/"}}', noon],
	["bunny", "HIT|200|1760443200000|412|390|192.0.2.1|-|https://a/|WA|b", noon],
	["squid", "1760443200.000     57 192.0.2.1 TCP_MISS/200 5 GET /", noon],
	["common", "", Infinity],
])("the first time of a log in the format %s, %j", (name, text, time) =>
	expect(timeOfFirstLine(Buffer.from(text), formatOf(name))).toBe(time),
);
