/**
 * Logs as programs forward them and as they change: each field is what it looks like, whatever is in front of the line, or the line is
 * unparsed. The lines are made after public ones, with addresses of Googlebot and of documentation.
 */
import { describe, expect, test } from "vitest";
import {
	type AuditOptions,
	auditRows,
	LogAudit,
	parseRanges,
} from "../src/index.ts";

const robots = [
	{ file: "robots.txt", bytes: Buffer.from("User-agent: *\nDisallow: /p\n") },
];
const ranges = [
	parseRanges(
		'{"prefixes": [{"ipv4Prefix": "66.249.66.0/27"}, {"ipv6Prefix": "2001:4860:4801:10::/64"}]}',
		"googlebot.json",
	),
];
const google =
	"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
const IP = "66.249.66.1";
const V6 = "2001:4860:4801:10::a";
const time = "14/Oct/2025:12:30:45 +0000";
const COMMON = `[${time}] "GET /p HTTP/1.1" 200 5`;
const HEADERS = `"-" "${google}"`;
const REST = `${COMMON} ${HEADERS}`;
const COMBINED = `${IP} - - ${REST}`;
const VCOMBINED = `shop.example ${COMBINED}`;
const json = JSON.stringify({
	time_iso8601: "2025-10-14T12:30:45+00:00",
	remote_addr: IP,
	host: "shop.example",
	request: "GET /p HTTP/1.1",
	status: 200,
	http_user_agent: google,
});

const auditOf = async (text: string, options: Partial<AuditOptions> = {}) => {
	const audit = new LogAudit({ robots, ranges, ...options });
	await audit.add("a.log", [Buffer.from(text)]);
	return audit.report();
};

/** The first line's host and address. */
const fieldsOf = async (text: string) => {
	const rows = auditRows({ robots, ranges }, [Buffer.from(text)]);
	const { value } = await rows.next();
	return value && [value.host, value.address];
};

const ESC = "\x1b";
const prefixes: readonly (readonly [what: string, prefix: string])[] = [
	["docker logs -t", "2025-10-14T12:30:45.123456789Z "],
	["kubectl logs --timestamps", "2025-10-14T12:30:45.123456+02:00 "],
	["kubectl logs --prefix", "[pod/web-7d4b/nginx] "],
	[
		"kubectl logs --prefix --timestamps",
		"[pod/web-7d4b/nginx] 2025-10-14T12:30:45.1Z ",
	],
	["zgrep", "access.log.2.gz:"],
	["zgrep, a path", "/var/log/nginx/shop.access.log-20251014.gz:"],
	["grep -n", "access_log:1207:"],
	["docker compose", "web-1  | "],
	["docker compose, in colour", `${ESC}[36mweb-1  | ${ESC}[0m`],
	["docker compose, old", `${ESC}[36mweb_1  |${ESC}[0m `],
	["docker compose -t", "web-1  | 2025-10-14T12:30:45.123456789Z "],
	["pm2", "0|shop     | "],
	["pm2 with times", "0|shop     | 2025-10-14T12:30:45: "],
	["stern", "web-7d4b nginx "],
	["stern, in colour", `${ESC}[33mweb-7d4b${ESC}[0m ${ESC}[93mnginx${ESC}[0m `],
	["stern -t", "web-7d4b nginx 2025-10-14T12:30:45.123456789Z "],
	["heroku logs", "2025-10-14T12:30:45.123456+00:00 app[web.1]: "],
	["syslog without a host", "<13>Oct 14 12:30:45 nginx: "],
	["syslog", "<190>Oct 14 12:30:45 web1 nginx: "],
	["RFC 5424", "<190>1 2025-10-14T12:30:45.003Z web1 nginx 12 - - "],
	[
		"RFC 5424 with structured data",
		'<190>1 2025-10-14T12:30:45.003Z web1 nginx 12 - [a@32473 b="c d" e="f"][g@1 h="i"] ',
	],
	[
		"RFC 5424 with a byte order mark",
		"<190>1 2025-10-14T12:30:45.003Z web1 nginx 12 - - \ufeff",
	],
	["nginx-proxy", "nginx.1     | "],
	["nginx-proxy, in colour", `${ESC}[1;36mnginx.1     | ${ESC}[0m`],
	["nginx-proxy in docker compose", "nginx-proxy  | nginx.1     | "],
	["aws logs tail", "2025-10-14T12:30:45.123000+00:00 ecs/web/0a1b2c3d4e5f "],
	["aws logs tail --format short", "2025-10-14T12:30:45 "],
];

describe("What a program put in front of each line is taken off:", () => {
	test.each(prefixes)("%s", async (_, prefix) => {
		for (const [line, name, host] of [
			[COMBINED, "combined", null],
			[`shop.example:443 ${COMBINED}`, "vcombined", "shop.example:443"],
			[json, "nginx-json", "shop.example"],
		] as const) {
			const text = `${prefix}${line}\n`;
			const report = await auditOf(text.repeat(3));
			expect(report).toMatchObject({
				unparsed: 0,
				formats: [{ name, lines: 3, prefix: expect.any(String) }],
				crawlers: [{ name: "Googlebot", verification: "verified" }],
			});
			expect(await fieldsOf(text)).toEqual([host, IP]);
		}
	});
});

describe("Columns are what they look like:", () => {
	test.each<
		[
			what: string,
			line: string,
			format: string,
			host: string | null,
			address: string | null,
			verification?: string,
		]
	>([
		[
			"a list, and the proxy",
			`${IP}, 192.0.2.7 10.0.0.1 - - ${REST}`,
			"proxied",
			null,
			"10.0.0.1",
			"unknown",
		],
		[
			"one address, and the proxy",
			`${IP} 10.0.0.1 - - ${REST}`,
			"proxied",
			null,
			"10.0.0.1",
			"unknown",
		],
		[
			"no address, and the proxy",
			`- 10.0.0.1 - - ${REST}`,
			"proxied",
			null,
			"10.0.0.1",
			"unknown",
		],
		[
			"a list in place of the address",
			`${IP}, 192.0.2.7 - - ${REST}`,
			"combined",
			null,
			`${IP}, 192.0.2.7`,
			"unknown",
		],
		[
			"ports behind host and address",
			`shop.example:443 ${IP}:51234 - - ${REST}`,
			"vcombined",
			"shop.example:443",
			`${IP}:51234`,
		],
		[
			"IPv6 in brackets, with a port",
			`[${V6}]:51234 - - ${REST}`,
			"combined",
			null,
			`[${V6}]:51234`,
		],
		[
			"the same behind a host",
			`shop.example:443 [${V6}]:51234 - - ${REST}`,
			"vcombined",
			"shop.example:443",
			`[${V6}]:51234`,
		],
		["IPv6", `${V6} - - ${REST}`, "combined", null, V6],
		[
			"mapped IPv4",
			`::ffff:${IP} - - ${REST}`,
			"combined",
			null,
			`::ffff:${IP}`,
		],
		[
			"a host in the second field",
			`${IP} shop.example - ${REST}`,
			"lighttpd",
			"shop.example",
			IP,
		],
		[
			"the same with a user",
			`${IP} www.shop.example jane ${REST}`,
			"lighttpd",
			"www.shop.example",
			IP,
		],
		[
			"a client's name",
			`crawl-66-249-66-1.googlebot.com - - ${REST}`,
			"combined",
			null,
			"crawl-66-249-66-1.googlebot.com",
			"unknown",
		],
		[
			"a client's name and a user",
			`crawl.googlebot.com jane doe ${REST}`,
			"combined",
			null,
			"crawl.googlebot.com",
			"unknown",
		],
		[
			"nginx-proxy, asked for by its address",
			`192.0.2.7 ${COMBINED} "172.18.0.5:80"`,
			"vcombined",
			"192.0.2.7",
			IP,
		],
		[
			"the same, asked several upstreams",
			`192.0.2.7 ${COMBINED} "172.18.0.5:80, 172.18.0.6:80"`,
			"vcombined",
			"192.0.2.7",
			IP,
		],
		[
			"a host, a list, and the proxy",
			`shop.example:443 ${IP}, 192.0.2.7 10.0.0.1 - - ${REST}`,
			"vproxied",
			"shop.example:443",
			"10.0.0.1",
			"unknown",
		],
		[
			"a host, and a list in place of the address",
			`shop.example:443 ${IP}, 192.0.2.7 - - ${REST}`,
			"vcombined",
			"shop.example:443",
			`${IP}, 192.0.2.7`,
			"unknown",
		],
		[
			"a host, and no address",
			`shop.example:443 - - - ${REST}`,
			"vcombined",
			"shop.example:443",
			null,
			"unknown",
		],
		[
			"a host, the address, and the upstream's",
			`shop.example ${IP} 203.0.113.5:443 - - ${REST}`,
			"vcombined",
			"shop.example",
			IP,
		],
		[
			"HAProxy's captures of a host and a referrer with a crawler's word",
			`${IP}:1234 [14/Oct/2025:12:30:45.123] fe be/s1 0/0/0/1/1 200 5 - - ---- 1/1/0/0/0 0/0 {robotshop.example|https://robotshop.example/|${google}} "GET /p HTTP/1.1"`,
			"haproxy",
			"robotshop.example",
			`${IP}:1234`,
		],
		[
			"Istio's status of a client that left",
			`[2025-10-14T12:30:45.123Z] "GET /p HTTP/1.1" 0 DC downstream_remote_disconnect - "-" 0 0 1 - "-" "${google}" "id" "shop.example" "-" - - 10.0.0.2:80 ${IP}:0 - -`,
			"istio",
			"shop.example",
			`${IP}:0`,
		],
		...["useragent", "user_agent"].map(
			(label): [string, string, string, string, string] => [
				`LTSV with the labels domain and ${label}`,
				`time:[${time}]\thost:${IP}\treq:GET /p HTTP/1.1\tstatus:200\t${label}:${google}\tdomain:shop.example`,
				"ltsv",
				"shop.example",
				IP,
			],
		),
		["a socket", `unix: - - ${REST}`, "combined", null, "unix:", "unknown"],
		["no client", `- - - ${REST}`, "combined", null, null, "unknown"],
	])("%s", async (_, line, name, host, address, verification = "verified") => {
		const report = await auditOf(`${line}\n`.repeat(3));
		expect(report).toMatchObject({
			unparsed: 0,
			formats: [{ name, prefix: null, lines: 3 }],
			crawlers: [{ name: "Googlebot", verification }],
		});
		expect(await fieldsOf(`${line}\n`)).toEqual([host, address]);
	});

	test.each([
		[
			"a list, and the proxy",
			`${IP}, 10.0.0.7 10.0.0.1 - - ${REST}`,
			"verified",
		],
		["one address, and the proxy", `${IP} 10.0.0.1 - - ${REST}`, "verified"],
		["no address, and the proxy", `- 10.0.0.1 - - ${REST}`, "unknown"],
		[
			"a public proxy without a list",
			`198.51.100.9 - - ${REST} "-"`,
			"unknown",
		],
		["a public proxy and no such field", `198.51.100.9 - - ${REST}`, "unknown"],
	])("behind trusted proxies: %s", async (_, line, verification) => {
		const trustedProxies = ["10.0.0.0/8", "198.51.100.0/24"];
		const { crawlers } = await auditOf(line, { trustedProxies });
		expect(crawlers).toMatchObject([{ verification }]);
	});

	test.each([
		[
			"by its number, without a list",
			`198.51.100.9 - - ${REST} "-"`,
			"unknown",
		],
		["by its number", `198.51.100.9 - - ${REST} "${IP}"`, "verified"],
	])("behind a proxy, %s", async (_, line, verification) => {
		const { crawlers } = await auditOf(line, { trustedProxies: ["1"] });
		expect(crawlers).toMatchObject([{ verification }]);
	});

	test.each([
		["text", "worker process 12 exited"],
		["an unknown column in front", `rid=7f3a ${COMBINED}`],
		["a date in front that no program writes", `14.10.2025;12:30 ${COMBINED}`],
		["a list that ends with a comma", `${IP}, - - ${REST}`],
		["a line cut off", `${IP} - - ${COMMON} "-" "Mozilla/5.0 (comp`],
		["a day that no month has", COMBINED.replace("14/Oct", "31/Sep")],
	])("unparsed is %s", async (_, odd) => {
		const report = await auditOf(`${COMBINED}\n${odd}\n${COMBINED}\n`);
		expect(report).toMatchObject({
			judged: 2,
			unparsed: 1,
			unparsedLines: [{ line: 2, text: odd }],
		});
	});
});

const times = (count: number, line: string) => `${line}\n`.repeat(count);
const common = `${IP} - - ${COMMON}`;
describe("A format may change inside a log:", () => {
	test.each<
		[
			what: string,
			text: string,
			formats: readonly [string, number][],
			judged: number,
		]
	>([
		[
			"common, then combined",
			times(100, common) + times(500, COMBINED),
			[
				["combined", 500],
				["common", 100],
			],
			500,
		],
		[
			"the same, far behind the first lines",
			times(2000, common) + times(20_000, COMBINED),
			[
				["combined", 20_000],
				["common", 2000],
			],
			20_000,
		],
		[
			"combined, then with a host",
			times(100, COMBINED) + times(500, VCOMBINED),
			[
				["vcombined", 500],
				["combined", 100],
			],
			600,
		],
		[
			"with a host, then combined",
			times(2000, VCOMBINED) + times(500, COMBINED),
			[
				["vcombined", 2000],
				["combined", 500],
			],
			2500,
		],
		[
			"line by line",
			times(50, `${COMBINED}\n${VCOMBINED}\n${common}`),
			[
				["combined", 50],
				["common", 50],
				["vcombined", 50],
			],
			100,
		],
		[
			"without ident and user, then combined",
			times(3, `${IP} ${REST}`) + times(2, COMBINED),
			[
				["aiohttp", 3],
				["combined", 2],
			],
			5,
		],
		[
			"text, then JSON",
			times(2000, COMBINED) + times(30, json),
			[
				["combined", 2000],
				["nginx-json", 30],
			],
			2030,
		],
		[
			"JSON, then text",
			times(2000, json) + times(30, COMBINED),
			[
				["nginx-json", 2000],
				["combined", 30],
			],
			2030,
		],
		[
			"errors between them",
			times(1500, `oh no\n${COMBINED}`) + times(40, VCOMBINED),
			[
				["combined", 1500],
				["vcombined", 40],
			],
			1540,
		],
	])("%s", async (_, text, formats, judged) => {
		const report = await auditOf(text);
		expect(report).toMatchObject({
			judged,
			unparsed: text.split("oh no").length - 1,
			formats: formats.map(([name, lines]) => ({ name, lines })),
			warnings: [],
		});
	});

	test("the host counts from there on", async () => {
		const [one] = robots;
		const report = await auditOf(
			times(9, COMBINED) + times(9, `other.example ${COMBINED}`),
			{
				robots: [
					{ ...(one as { file: string; bytes: Buffer }), host: "shop.example" },
				],
			},
		);
		expect(report).toMatchObject({ judged: 9, withoutRobots: 9 });
	});

	test("a format that was chosen does not change", async () => {
		const text = times(3, COMBINED) + times(2, VCOMBINED);
		const report = await auditOf(text, { format: "combined" });
		expect(report).toMatchObject({
			judged: 3,
			unparsed: 2,
			formats: [{ name: "combined", lines: 3 }],
		});
	});

	test("many other lines do not hide one of another format for long", async () => {
		const noise = times(1200, "oh no");
		const report = await auditOf(
			times(200, COMBINED) + noise + times(500, VCOMBINED),
		);
		expect(report.formats).toMatchObject([
			{
				name: "vcombined",
				lines: expect.toSatisfy((lines: number) => lines > 480),
			},
			{ name: "combined", lines: 200 },
		]);
	});
});

test("the request of a load balancer that is none has no target", async () => {
	const line = `http 2025-10-14T12:30:45.186641Z app/lb/50dc ${IP}:2817 - -1 -1 -1 400 - 0 57 "- http://shop.example:80- -" "${google}" - - -`;
	const report = await auditOf(`${line}\n`.repeat(3));
	expect(report).toMatchObject({
		formats: [{ name: "alb", lines: 3 }],
		crawlers: [{ invalid: 3, allowed: 0, disallowed: 0 }],
	});
});

test("lines of blanks are blank", async () => {
	const report = await auditOf(`${COMBINED}\n   \n\t \t\n${COMBINED}\n \r\n`);
	expect(report).toMatchObject({ lines: 5, judged: 2, blank: 3, unparsed: 0 });
});

describe("A line or a record in JSON:", () => {
	const inside = { message: COMBINED, time: "2025-10-14T12:30:46Z" };
	const pretty = (value: unknown) => JSON.stringify(value, null, 2);
	test.each<[what: string, text: string, format: string, lines: number]>([
		[
			"Fluent Bit",
			times(3, JSON.stringify({ date: 1.5, log: COMBINED })),
			"combined",
			3,
		],
		["indented", times(3, `  ${JSON.stringify(inside)}`), "combined", 3],
		["over several lines", times(3, pretty(inside)), "combined", 3],
		["glued", JSON.stringify(inside).repeat(3), "combined", 3],
		["a list over several lines", pretty([inside, inside]), "combined", 2],
		[
			"records over several lines",
			times(3, pretty(JSON.parse(json))),
			"nginx-json",
			3,
		],
		["records, glued", json.repeat(3), "nginx-json", 3],
		[
			"JSON in JSON",
			times(3, JSON.stringify({ log: `${json}\n` })),
			"nginx-json",
			3,
		],
		[
			"an object in JSON",
			times(3, JSON.stringify({ jsonPayload: JSON.parse(json) })),
			"nginx-json",
			3,
		],
		[
			"Filebeat of Docker's files",
			times(
				3,
				JSON.stringify({
					message: JSON.stringify({ log: `${COMBINED}\n`, stream: "stdout" }),
				}),
			),
			"combined",
			3,
		],
		[
			"behind a prefix, with one inside",
			times(
				3,
				`web-1  | ${JSON.stringify({ msg: `<190>Oct 14 12:30:45 web1 nginx: ${COMBINED}` })}`,
			),
			"combined",
			3,
		],
		[
			"an answer of Elasticsearch",
			pretty({
				took: 1,
				hits: {
					total: { value: 2 },
					hits: [{ _source: inside }, { _source: inside }],
				},
			}),
			"combined",
			2,
		],
		[
			"OpenTelemetry, an object per export",
			times(
				2,
				JSON.stringify({
					resourceLogs: [
						{
							scopeLogs: [
								{ logRecords: [{ body: { stringValue: COMBINED } }] },
							],
						},
					],
				}),
			),
			"combined",
			2,
		],
	])("%s", async (_, text, name, lines) => {
		const report = await auditOf(text);
		expect(report).toMatchObject({
			judged: lines,
			unparsed: 0,
			crawlers: [{ name: "Googlebot", verification: "verified" }],
		});
		// Of records over several lines each is one.
		expect(report.formats).toMatchObject([{ name, lines }]);
		expect((await fieldsOf(text))?.[1]).toBe(IP);
	});

	test("a header under a key that is not read is no missing one", async () => {
		const text = JSON.stringify({
			request: "GET /a HTTP/1.1",
			status: 200,
			"User-Agent": google,
		});
		await expect(auditOf(text)).rejects.toThrow(
			"lines are JSON (request, status, User-Agent); say where the fields are, perhaps request=request,agent=User-Agent,status=status",
		);
	});

	test("a request line where Apache's recipe has a path is not read as one", async () => {
		const text = JSON.stringify({
			request: "GET /a HTTP/1.1",
			remoteIP: IP,
			status: 200,
			userAgent: google,
		});
		await expect(auditOf(text)).rejects.toThrow(
			"perhaps request=request,agent=userAgent,status=status,ip=remoteIP",
		);
	});
});

describe("W3C's format:", () => {
	test.each([
		[
			"IIS",
			`2025-10-14 12:30:45 10.0.0.1 GET /p b=c 443 - ${IP} Mozilla/5.0 - 200 0 0 15`,
			"w3c",
		],
		[
			"CloudFront",
			`2025-10-14\t12:30:45\tFRA2-C1\t392\t${IP}\tGET\tshop.example\t/p\t200`,
			"cloudfront",
		],
	])("%s without its fields is refused", async (_, line, name) => {
		await expect(auditOf(times(3, line))).rejects.toThrow(
			`it looks like ${name} without its "#Fields:" line`,
		);
	});

	test.each([
		[
			"date-local and time-local",
			"#Fields: date-local time-local c-ip cs-uri-stem sc-status cs(User-Agent)",
			`2025-10-14 12:30:45 ${IP} /p 200 Googlebot/2.1`,
			null,
		],
		[
			"tabs",
			"#Fields: date time c-ip cs-uri-stem sc-status cs(User-Agent)",
			`2025-10-14\t12:30:45\t${IP}\t/p\t200\tGooglebot/2.1 (x)`,
			null,
		],
		[
			"URLs without their scheme",
			"#Software: Incapsula LOGS API\n#Fields: date time c-ip cs-uri sc-status cs(User-Agent)",
			`"2025-10-14" "12:30:45" "${IP}" "shop.example/p" "200" "Googlebot/2.1"`,
			"shop.example",
		],
		[
			"URLs with their scheme after all",
			"#Software: Incapsula LOGS API\n#Fields: date time c-ip cs-uri sc-status cs(User-Agent)",
			`"2025-10-14" "12:30:45" "${IP}" "https://shop.example/p" "200" "Googlebot/2.1"`,
			"shop.example",
		],
		[
			"a header with a tab",
			"#Fields: date time c-ip cs-uri-stem sc-status cs(User-Agent)",
			`2025-10-14 12:30:45 ${IP} /p 200 Googlebot/2.1\n2025-10-14 12:30:45 ${IP} /ok 200 Googlebot\t2.1`,
			null,
		],
	])("%s", async (_, fields, line, host) => {
		const text = `${fields}\n${line}\n`;
		expect(await auditOf(text)).toMatchObject({
			unparsed: 0,
			crawlers: [{ disallowed: 1, firstSeen: "2025-10-14T12:30:45.000Z" }],
		});
		const rows = auditRows({ robots, ranges }, [Buffer.from(text)]);
		for await (const row of rows)
			if (row.address !== null)
				expect([row.host, row.address]).toEqual([host, IP]);
	});
});

describe("LTSV:", () => {
	const labels = `time:[${time}]\tstatus:200\tua:${google}`;
	test.each([
		[
			"host is Nginx's $host where the address has its own label",
			`host:shop.example\tremote_addr:${IP}\turi:/p`,
			"shop.example",
			"/p",
		],
		[
			"the same, behind it",
			`remote_addr:${IP}\thost:shop.example\turi:/p`,
			"shop.example",
			"/p",
		],
		[
			"host is the address without it",
			`host:${IP}\turi:/p\tvhost:shop.example`,
			"shop.example",
			"/p",
		],
		[
			"the request line counts before a path",
			`host:${IP}\turi:/p\treq:GET /p?a=b HTTP/1.1`,
			null,
			"/p?a=b",
		],
	])("%s", async (_, more, host, path) => {
		const text = `${more}\t${labels}\n`;
		const rows = auditRows({ robots, ranges }, [Buffer.from(text)]);
		expect((await rows.next()).value).toMatchObject({
			host,
			address: IP,
			path,
			verification: "verified",
		});
	});
});
