import { describe, expect, test } from "vitest";
import { type LogCase, logs } from "../../../../test/data/logs.ts";
import { formatOfString, parseFields } from "../../src/formats/formats.ts";
import {
	type AuditOptions,
	auditRows,
	formatOf,
	jsonFormat,
	LogAudit,
	parseRanges,
} from "../../src/index.ts";
import { detectFormat, timeOfFirstLine } from "../../src/scan/detect.ts";

const robots = {
	file: "shop.txt",
	bytes: Buffer.from("User-agent: *\nDisallow: /private/\n"),
};
const ranges = parseRanges(
	'{"prefixes": [{"ipv4Prefix": "66.249.66.0/27"}]}',
	"googlebot.json",
);

const formatOfCase = ({ logFormat, fields }: LogCase) =>
	logFormat !== undefined
		? formatOfString(logFormat)
		: fields !== undefined
			? jsonFormat(parseFields(fields))
			: undefined;

/** Bytes in pieces, so that lines and characters are cut. */
function* pieces(text: string, size: number): Generator<Uint8Array> {
	const bytes = new TextEncoder().encode(text);
	for (let at = 0; at < bytes.length; at += size)
		yield bytes.slice(at, at + size);
}

async function auditOf(
	text: string,
	options: Partial<AuditOptions>,
	size = 1 << 20,
) {
	const audit = new LogAudit({ robots: [robots], ...options });
	await audit.add("a.log", pieces(text, size));
	return audit.report();
}

describe.each(logs)("$name", (log) => {
	const { format, lines, without = [], milliseconds = 0, blank = 0 } = log;
	const directives = lines.filter((line) => line.startsWith("#")).length;
	const whole = (log.text ?? lines.join("\n")).split("\n");
	const hasAgent = !without.includes("agent");
	const asked = {
		format: formatOfCase(log),
		defaultAgent: hasAgent ? undefined : "Googlebot",
	};

	test.skipIf(formatOfCase(log))("is detected from its lines", () =>
		expect(detectFormat(whole)?.name).toBe(format),
	);

	// Of a record over several lines, all of them.
	const google = lines.find((line) => /Googlebot|71,/.test(line));
	const hasMethod = /GET|71,69,84/.test(google ?? whole.join("\n"));

	test("tells method and header of each request where the log has them", async () => {
		const rows = auditRows({ robots: [robots], ...asked }, [
			Buffer.from(`${whole.join("\n")}\n`),
		]);
		const { value } = await rows.next();
		expect(value).toMatchObject({
			method: hasMethod ? "GET" : null,
			user_agent: hasAgent ? expect.stringContaining("Googlebot/2.1") : null,
			referrer: format === "vercel" ? "*.vercel.app" : null,
		});
	});

	test.each([
		["LF", "\n", 1 << 20],
		["CRLF, byte by byte", "\r\n", 1],
		["no end at the end, in small pieces", "", 7],
	])("is read with %s", async (_, end, size) => {
		const text = whole.join(end || "\n") + end;
		const report = await auditOf(
			text,
			{
				format: formatOfCase(log),
				ranges: [ranges],
				robots: without.includes("host")
					? [robots]
					: [
							{ ...robots, host: "shop.example" },
							{ ...robots, file: "other.txt", host: "other.example" },
						],
				defaultAgent: hasAgent ? undefined : "Googlebot",
			},
			size,
		);
		expect(report).toMatchObject({
			lines: lines.length,
			unparsed: 1,
			blank: directives + blank,
			people: hasAgent ? 1 : 0,
			judged: hasAgent ? 1 : 2,
		});
		expect(report.unparsedLines).toMatchObject([
			{ file: "a.log", line: lines.length },
		]);
		const seen = without.includes("time")
			? null
			: `2025-10-14T12:30:45.${String(milliseconds).padStart(3, "0")}Z`;
		expect(report.crawlers).toMatchObject([
			{
				name: "Googlebot",
				verification: without.includes("ip") ? "unknown" : "verified",
				disallowed: 1,
				firstSeen: seen,
				statuses: without.includes("status") ? { none: 1 } : { "2xx": 1 },
				rules: [
					{
						file: "shop.txt",
						line: 2,
						pattern: "/private/",
						count: 1,
						examples: [
							format === "alb" || format === "elb"
								? "https://shop.example:443/private/a?b=c"
								: (log.target ?? "/private/a?b=c"),
						],
					},
				],
			},
		]);
	});
});

/** Node's streams give Buffers, whose slices share their memory. */
test("the caller's bytes stay as they are", async () => {
	const quoted =
		'request,http_user_agent,status\n"GET /a HTTP/1.1","Bot\n1",200\n';
	for (const text of [
		quoted,
		...logs.map((log) => log.text ?? log.lines.join("\n")),
	]) {
		const bytes = Buffer.from(text);
		const audit = new LogAudit({ robots: [robots] });
		// Where the format is not detected, it was read all the same.
		await audit.add("a.log", [bytes]).catch(() => {});
		const format = detectFormat(text.split("\n"));
		if (format) timeOfFirstLine(bytes, format);
		expect(bytes.toString()).toBe(text);
	}
});

describe("Targets", () => {
	const line = (request: string, agent = "Googlebot/2.1") =>
		`192.0.2.1 - - [14/Oct/2025:12:30:45 +0000] "${request}" 200 5 "-" "${agent}"\n`;
	test.each([
		["GET /private/ HTTP/1.1", "disallowed"],
		["GET /private/ HTTP/2.0", "disallowed"],
		["GET /private/", "disallowed"],
		["GET /a b/../private/ HTTP/1.1", "allowed"],
		["GET /p%72ivate/x HTTP/1.1", "disallowed"],
		['GET /private/\\"x\\" HTTP/1.1', "disallowed"],
		["GET /\\x70rivate/ HTTP/1.1", "disallowed"],
		["GET /private\\\\ HTTP/1.1", "allowed"],
		["GET http://shop.example/private/ HTTP/1.1", "disallowed"],
		["GET http://shop.example/robots.txt HTTP/1.1", "robotsTxt"],
		["GET /robots.txt HTTP/1.1", "robotsTxt"],
		["HEAD /robots.txt?x HTTP/1.1", "robotsTxt"],
		["GET /robots.txt.bak HTTP/1.1", "allowed"],
		["GET /Robots.txt HTTP/1.1", "allowed"],
		["POST /private/ HTTP/1.1", "disallowed"],
		["VERSION-CONTROL / HTTP/1.1", "allowed"],
		["OPTIONS * HTTP/1.1", "invalid"],
		["CONNECT shop.example:443 HTTP/1.1", "invalid"],
		["-", "invalid"],
		["", "invalid"],
		["\\x16\\x03\\x01\\x02\\x00 /private/", "invalid"],
		["GET ", "invalid"],
		["GET", "invalid"],
	] as const)("%s is %s", async (request, outcome) => {
		// Of a crawler without a dialect of its own: Google's parser takes any text for a URL, and a path as it is written.
		const report = await auditOf(line(request, "bingbot/2.0"), {
			format: "combined",
		});
		expect(report.crawlers).toMatchObject([{ requests: 1, [outcome]: 1 }]);
	});

	/** What lies behind a target is not read: neither the protocol nor the quote ends an escape. */
	test.each([
		["/a\\x62", "/ab"],
		["/a\\x6", "/a\\x6"],
		["/a\\x", "/a\\x"],
		["/a\\xg2", "/a\\xg2"],
		["/a\\x2g", "/a\\x2g"],
		["/a\\\\", "/a\\"],
		['/a\\"', '/a"'],
		["/a\\\\x62", "/a\\x62"],
		["/a\\x62\\x63", "/abc"],
		["/a\\x62?b=\\x63", "/ab?b=c"],
		["/a\\tb\\t", "/a\tb\t"],
		["/a\\q", "/a\\q"],
	])(
		"%s, with and without a protocol, is judged as %s",
		async (target, judged) => {
			for (const end of ["", " HTTP/1.1", " HTTP/2.0"]) {
				const { crawlers } = await auditOf(line(`GET ${target}${end}`), {
					format: "combined",
					robots: [
						{ file: "r.txt", bytes: Buffer.from("User-agent: *\nDisallow: /") },
					],
				});
				const [example] = crawlers[0]?.rules[0]?.examples ?? [];
				expect([end, example]).toEqual([end, judged]);
			}
		},
	);

	/** Text behind the field that would go on with the escape. */
	test.each([
		["/a\\x62", "62", "/ab"],
		["/a\\x6", "62", "/a\\x6"],
		["/a\\x", "62", "/a\\x"],
		["/a\\", "x62", "/a\\"],
		["/a\\", "n", "/a\\"],
		["/a\\", "\\", "/a\\"],
	])("%s in front of %s is judged as %s", async (target, behind, judged) => {
		const format = formatOfString(
			`%h %l %u %t "%m" %U${behind} %>s %b "%{Referer}i" "%{User-Agent}i"`,
		);
		const { crawlers } = await auditOf(
			`192.0.2.1 - - [14/Oct/2025:12:30:45 +0000] "GET" ${target}${behind} 200 5 "-" "GPTBot/1"\n`,
			{
				format,
				robots: [
					{ file: "r.txt", bytes: Buffer.from("User-agent: *\nDisallow: /") },
				],
			},
		);
		expect(crawlers[0]?.rules[0]?.examples).toEqual([judged]);
	});

	test.each([
		["/shop/private/a", "private/a", "/private/a"],
		["/private/a", "private/a", "/private/a"],
		["/shop", "-", "/"],
		["/shop/", "-", "/"],
		["/shop?list-type=2", "-", "/?list-type=2"],
		["/shop/a", "shop/a", "/shop/a"],
		["/shop/shop/a", "shop/a", "/shop/a"],
		["/shop", "shop", "/shop"],
		["/shopping/a", "shopping/a", "/shopping/a"],
		["/shop.txt", "shop.txt", "/shop.txt"],
		["/sho", "sho", "/sho"],
	])(
		"%s of the object %s in the bucket shop is %s",
		async (path, key, judged) => {
			const text = `7 shop [14/Oct/2025:12:30:45 +0000] 192.0.2.1 - 3E REST.GET.OBJECT ${key} "GET ${path} HTTP/1.1" 200 - 1 1 7 1 "-" "GPTBot/1" -\n`;
			const report = await auditOf(text, {
				robots: [
					{ file: "r.txt", bytes: Buffer.from("User-agent: *\nDisallow: /") },
				],
			});
			expect(report.crawlers[0]?.rules[0]?.examples).toEqual([judged]);
		},
	);

	test.each([
		["a quote", "Foo\\x22Bot/1", 'Foo"Bot/1'],
		["an escaped quote", 'Foo\\"Bot/1', 'Foo"Bot/1'],
		["a backslash at its end", "FooBot/1 \\\\", "FooBot/1 \\"],
		["letters beyond ASCII", "FooBot\\xC3\\xA9\\xe2\\x82\\xac/1", "FooBoté€/1"],
		["a byte that is no UTF-8", "FooBot/\\xFF\\x411", "FooBot/\uFFFDA1"],
		["no escape behind a backslash", "FooBot/1 \\\\xC3", "FooBot/1 \\xC3"],
	])("a header with %s", async (_, written, header) => {
		const report = await auditOf(line("GET / HTTP/1.1", written), {
			format: "combined",
			groupBy: "header",
		});
		expect(report.crawlers).toMatchObject([{ name: header }]);
	});
});

describe("Broken lines", () => {
	const good = `192.0.2.1 - - [14/Oct/2025:12:30:45 +0000] "GET / HTTP/1.1" 200 5 "-" "Googlebot/2.1"`;
	test("a truncated line is not taken for a whole one", async () => {
		const text = Array.from({ length: good.length + 1 }, (_, end) =>
			good.slice(0, end),
		).join("\n");
		const report = await auditOf(text, { format: "combined" });
		expect(report).toMatchObject({
			lines: good.length + 1,
			blank: 1,
			unparsed: good.length - 1,
			judged: 1,
		});
	});

	test.each([
		["combined", good],
		["caddy", logs.find(({ format }) => format === "caddy")?.lines[0] ?? ""],
	])("a line of 3 MiB does no harm to others, in %s", async (format, line) => {
		const text = `${line}\n${"x".repeat(3 << 20)}\n${line}\n\n${"y".repeat(3 << 20)}`;
		const report = await auditOf(text, { format });
		expect(report).toMatchObject({
			lines: 5,
			blank: 1,
			unparsed: 2,
			judged: 2,
		});
		expect(report.unparsedLines.map(({ line: at }) => at)).toEqual([2, 5]);
		expect(report.unparsedLines[0]?.text).toMatch(/^x{200}$/);
	});

	test.each([
		["1 MiB", 0, 3],
		["one byte more", 1, 0],
	])(
		"a line of %s counts alike in chunks of any size",
		async (_, more, judged) => {
			const long = good.replace(
				" / ",
				` /${"a".repeat(2 ** 20 + more - good.length)} `,
			);
			const start = `${good}\n`.repeat(3);
			const log = Buffer.from(`${start}${long}\n${start}${long}\n${long}`);
			for (const size of [64 * 1024, 250_007, log.length]) {
				const audit = new LogAudit({ robots: [robots], format: "combined" });
				const count = Math.ceil(log.length / size);
				const chunks = Array.from({ length: count }, (_, at) =>
					log.subarray(at * size, (at + 1) * size),
				);
				await audit.add("log", chunks);
				const report = audit.report();
				expect(report).toMatchObject({ lines: 9, judged: 6 + judged });
				expect(report.unparsedLines.map(({ line }) => line)).toEqual(
					judged > 0 ? [] : [4, 8, 9],
				);
			}
		},
	);

	test("lines in front of #Fields cannot be parsed", async () => {
		const text = "GET / 200\n#Fields: cs-uri-stem cs(User-Agent)\n/ GPTBot/1\n";
		expect(await auditOf(text, { format: "w3c" })).toMatchObject({
			lines: 3,
			unparsed: 1,
			blank: 1,
			judged: 1,
		});
	});

	test.each([
		["cs-uri-stem cs-uri cs(User-Agent)", "/private/ / GPTBot/1", 1],
		["cs-uri cs-uri-stem cs(User-Agent)", "/ /private/ GPTBot/1", 0],
		["cs-uri cs(User-Agent) cs(User-Agent)", "/private/ GPTBot/1 -", 1],
		["cs(User-Agent) cs-uri cs-uri", "GPTBot/1 / /private/", 0],
		["sc-bytes cs-uri x-a cs(User-Agent) x-b", "1 /private/ 2 GPTBot/1 3", 1],
	])(
		"of fields %s that tell the same, the first counts",
		async (names, line, disallowed) => {
			const text = `#Fields: ${names}\n${line}\n`;
			const report = await auditOf(text, { format: "w3c" });
			expect(report.crawlers).toMatchObject([{ name: "GPTBot", disallowed }]);
		},
	);

	test("lines of any bytes are counted", async () => {
		let state = 1;
		const noise = Uint8Array.from({ length: 200_000 }, () => {
			state = (Math.imul(state, 1103515245) + 12345) >>> 0;
			return state >>> 24;
		});
		for (const format of ["combined", "s3", "w3c", "cloudflare"]) {
			const audit = new LogAudit({ robots: [robots], format });
			await audit.add("noise", [noise]);
			const { lines, unparsed, blank, people, withoutAgent, judged } =
				audit.report();
			const ends = noise.filter((byte) => byte === 10).length;
			expect(lines).toBe(noise.at(-1) === 10 ? ends : ends + 1);
			expect(unparsed + blank + people + withoutAgent + judged).toBe(lines);
		}
	});
});

test("Apache's and Nginx's notation of a format are equivalent", () =>
	expect(
		formatOfString(
			'%h %l %u %t \\"%r\\" %>s %b \\"%{Referer}i\\" \\"%{User-Agent}i\\"',
		).template,
	).toEqual(formatOf("combined").template));

test.each([
	["%h %l %u", "has neither %r nor %U"],
	["$remote_addr", "has neither $request nor $request_uri"],
	["combined", "has neither $request nor"],
	["%h%l %r", "has nothing between %h and %l"],
	["%h %r %", 'has a "%" that begins no directive'],
	["%h %{%c}t %r", "has a time that cannot be read, %{%c}t"],
])("the format %s is refused", (text, reason) =>
	expect(() => formatOfString(text)).toThrow(reason),
);

test.each(["COMBINED", "AWSELB", "VCOMMON", "awsalb", "AWSS3"])(
	"%s is a name",
	(name) => expect(formatOf(name).template.steps.length).toBeGreaterThan(0),
);
