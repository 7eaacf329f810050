import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, test } from "vitest";
import type { AuditReport } from "../../audit/src/index.ts";
import { file, robotrie, robotrieProcess, robots, root } from "./run.ts";

const sample = [
	"audit",
	"--robots",
	"sample/robots.txt",
	"--crawlers",
	"sample/crawlers.txt",
];
const sampleLog = readFileSync(join(root, "sample/access.log"));

const entry = (
	agent: string,
	path: string,
	host = "",
	clock = "00:00:00",
	ip = "192.0.2.1",
) =>
	`${host && `${host} `}${ip} - - [14/Oct/2025:${clock} +0000] "GET ${path} HTTP/1.1" 200 5 "-" "${agent}"\n`;
const log = file(
	"few.log",
	entry("Examplebot/1.0", "/private/x") + entry("Otherbot/1.0", "/private/y"),
);

const rules = file("rules.txt", "User-agent: *\nDisallow: /private/\n");

async function report(...args: string[]): Promise<AuditReport> {
	const { stdout, stderr, code } = await robotrie([
		"audit",
		...args,
		"--output",
		"json",
	]);
	expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
	return JSON.parse(stdout.toString()) as AuditReport;
}

/** A file in a folder of the test's own. */
function nested(path: string, content: string | Uint8Array): string {
	const whole = join(dirname(log), path);
	mkdirSync(dirname(whole), { recursive: true });
	writeFileSync(whole, content);
	return whole;
}

/** Half of them people's. */
const agents = [
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 v",
	"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html) v",
	"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/",
	"curl/8.5.",
];

/** The time of day of one of 300,000 lines. */
function clockOf(index: number): string {
	const seconds = Math.floor((index * 86_400) / 300_000) * 1000;
	return new Date(seconds).toISOString().slice(11, 19);
}

describe("Parquet", () => {
	const column = (name: string, ...data: readonly string[]) => ({
		name,
		data: [...data],
		type: "STRING" as const,
	});
	const parquet = (
		codec: "SNAPPY" | "UNCOMPRESSED",
		agent = "cs(User-Agent)",
	) =>
		file(
			`${codec}-${agent.length}.parquet`,
			new Uint8Array(
				parquetWriteBuffer({
					codec,
					rowGroupSize: 2,
					columnData: [
						column("date", "2025-10-14", "2025-10-14", "2025-10-14"),
						column("time", "12:30:45", "12:30:46", "12:30:47"),
						column("c-ip", "192.0.2.1", "192.0.2.2", "192.0.2.3"),
						column("cs-method", "GET", "GET", "GET"),
						column("cs-uri-stem", "/private/a", "/", "/private/b"),
						column("cs-uri-query", "b=c", "-", "-"),
						column("sc-status", "200", "200", "404"),
						column(agent, "GPTBot/1%20(x)", "GPTBot/1", "-"),
						column("x-host-header", "a.example", "a.example", "a.example"),
					],
				}),
			),
		);

	test.each(["SNAPPY", "UNCOMPRESSED"] as const)(
		"of CloudFront, %s, as its text",
		async (codec) => {
			const found = await report("-r", rules, parquet(codec));
			expect(found).toMatchObject({
				lines: 3,
				unparsed: 0,
				crawlers: [
					{
						name: "GPTBot",
						allowed: 1,
						disallowed: 1,
						firstSeen: "2025-10-14T12:30:45.000Z",
						rules: [{ examples: ["/private/a?b=c"] }],
					},
				],
			});
		},
	);

	test("of other columns, by --fields", async () => {
		const fields = "path=cs-uri-stem,agent=who";
		const log = parquet("SNAPPY", "who");
		const found = await report("-r", rules, "--fields", fields, log);
		expect(found).toMatchObject({ lines: 3, judged: 2 });
	});

	test.each<
		readonly [
			what: string,
			args: readonly string[],
			stdin: string,
			said: string,
		]
	>([
		[
			"stdin",
			[],
			"PAR1xxxx",
			"<stdin> is Parquet, which is read from its end: name a file",
		],
		[
			"a file cut off",
			[file("cut.parquet", "PAR1xxxx")],
			"",
			"cut.parquet is not valid Parquet",
		],
	])("%s is refused", async (_, args, stdin, said) => {
		const { stderr, code } = await robotrie(["audit", "-r", rules, ...args], {
			stdin,
		});
		expect(stderr).toContain(said);
		expect(code).toBe(2);
	});
});

describe("Outputs", () => {
	test("a table of 80 columns; colours only in a terminal", async () => {
		const { stdout, code } = await robotrie([...sample, "sample/access.log"]);
		const lines = stdout.toString().split("\n");
		expect(code).toBe(0);
		expect(lines.slice(0, 5)).toEqual([
			"3 of 3 AI crawlers disregarded robots.txt since 14 October 2025 (ExampleAI,",
			"SampleAI and ExampleCorpus), in 666 requests, of which 602 were served; so did 5",
			"of 5 search engines and 1 of 1 SEO crawler. By their User-Agent, not verified.",
			"3,000 lines, 2025-10-14 00:00 to 2025-10-14 22:54 UTC",
			"2,658 requests of 9 crawlers, 1,099 of them disallowed",
		]);
		expect(lines).toContain(
			"AI training           3              3      801        666  14.8%",
		);
		expect(lines).toContain(
			"ExampleAI           401          10        61         330    15.6%      -",
		);
		expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(
			80,
		);
		expect(stdout.includes("\x1b")).toBe(false);
	});

	test.each<[args: readonly string[], isSaid: boolean]>([
		[[], true],
		// Nobody to refuse: search engines only, and nobody in particular.
		[["--agents", "ExampleSearch"], false],
		[["-g", "category"], false],
	])(
		"with %j, the end of a table says how to print what to do: %s",
		async (args, isSaid) => {
			const { stdout } = await robotrie([
				...sample,
				...args,
				"sample/access.log",
			]);
			const end = stdout.toString().trimEnd().split("\n\n").at(-1) ?? "";
			const hint =
				"Who it was: anyone can send a crawler's name. --verify compares addresses with those that its operator publishes, --resolve asks DNS. What to do: add --suggest robots.txt to this command, and it prints lines to copy (or nginx, apache, cloudflare, addresses).";
			expect(end.replaceAll("\n", " ") === hint).toBe(isSaid);
		},
	);

	test.each([
		["name", "9 crawlers", "crawler "],
		["category", "3 categories", "category "],
		["header", "9 headers", "header "],
		["address", "54 addresses", "address "],
		["network", "4 networks", "network "],
	])("a table by %s counts %s", async (groupBy, rows, column) => {
		const args = [...sample, "-g", groupBy, "--top", "3", "sample/access.log"];
		const { stdout } = await robotrie(args);
		const lines = stdout.toString().split("\n");
		expect(lines.join("\n")).toMatch(` requests of ${rows}, `);
		const head = lines.find((line) => line.includes("  requests  robots"));
		expect(head?.startsWith(column)).toBe(true);
		const more = lines.filter((line) => line.startsWith("… and "));
		expect(more.join()).toMatch(
			groupBy === "category"
				? /^$/
				: `more ${rows.replace(/^\d+ /, "").replace(/s$/, "")}`,
		);
	});

	test("long headers are cut in the middle, so that rows differ", async () => {
		const { stdout } = await robotrie([
			...sample,
			"-g",
			"header",
			"sample/access.log",
		]);
		const rows = stdout
			.toString()
			.split("\n")
			.filter((line) => /^\S.*%/.test(line));
		expect(rows).toHaveLength(9);
		expect(new Set(rows.map((row) => row.slice(0, 20))).size).toBe(9);
		expect(rows[0]).toMatch(/^Mozilla\/5…\S*eai\) +401 /);
	});

	test("a log that is named twice, in two ways, counts once", async () => {
		const twice = ["sample/access.log", "./sample/access.lo?"];
		const { lines } = await report("-r", "sample/robots.txt", ...twice);
		expect(lines).toBe(3000);
	});

	test("colours when they are asked for", async () => {
		const { stdout } = await robotrie([...sample, "sample/access.log"], {
			env: { FORCE_COLOR: "1" },
		});
		expect(stdout.includes("\x1b[31m")).toBe(true);
	});

	const schema = JSON.parse(
		readFileSync(join(root, "docs/audit.schema.json"), "utf8"),
	) as object;
	const ajv = new Ajv2020({
		allErrors: true,
		strict: true,
		allowUnionTypes: true,
	});
	formats.default(ajv);
	const validate = ajv.compile(schema);
	test.each([
		[["sample/access.log"]],
		[["--group-by", "category", "sample/access.log"]],
		[["--group-by", "header", "sample/access.log"]],
		[["--paths", "sample/access.log"]],
		[["--suspects", "sample/browsers.log"]],
		[["--time-zone", "Asia/Kolkata", "--every", "hour", "sample/access.log"]],
		[["--since", "2025-10-14T12:00:00Z", "sample/access.log"]],
		[["--agents", "nobody", "sample/access.log"]],
	])("JSON by its schema: %j", async (args) => {
		const found = await report("--robots", "sample/robots.txt", ...args);
		validate(found);
		expect(validate.errors ?? []).toEqual([]);
		expect(found.lines).toBe(
			found.unparsed +
				found.judged +
				found.people +
				found.withoutAgent +
				found.leftOut +
				found.withoutRobots +
				found.outside +
				found.blank,
		);
	});

	test("--list-headers says who headers are counted as, and patterns change it", async () => {
		const people = file("people.txt", "# comments\n\nExampleAI/*bots/eai\n");
		const listed = async (...args: string[]) => {
			const { stdout, code } = await robotrie([
				"audit",
				"sample/access.log",
				"--list-headers",
				"-o",
				"json",
				...args,
			]);
			expect(code).toBe(0);
			const list = JSON.parse(stdout.toString()) as {
				header: string;
				category: string;
				requests: number;
			}[];
			return list.find(({ header }) => header.includes("ExampleAI"));
		};
		expect(await listed()).toMatchObject({
			category: "unknown",
			requests: 401,
		});
		const purposes = ["--crawlers", "sample/crawlers.txt"];
		expect(await listed(...purposes)).toMatchObject({
			category: "ai-training",
			requests: 401,
		});
		expect(await listed("--people", people)).toMatchObject({
			category: "person",
			requests: 401,
		});
		const { stdout } = await robotrie([
			"audit",
			"sample/access.log",
			"--list-headers",
			"--top",
			"1",
		]);
		expect(stdout.toString()).toMatch(
			/^ {3}requests {2}counted as {4}header\n +[\d,]+ {2}\S+ .+\n… and \d+ more headers; --top \d+ shows all\n$/,
		);
	});

	test("the schema refuses a wrong report", () =>
		expect(validate({ lines: -1, crawlers: [] })).toBe(false));

	test("NDJSON and CSV have one line per crawler", async () => {
		const { crawlers } = await report(...sample.slice(1), "sample/access.log");
		const ndjson = await robotrie([
			...sample,
			"-o",
			"ndjson",
			"sample/access.log",
		]);
		expect(
			ndjson.stdout
				.toString()
				.trimEnd()
				.split("\n")
				.map((line) => JSON.parse(line) as unknown),
		).toEqual(crawlers);
		const csv = await robotrie([...sample, "-o", "csv", "sample/access.log"]);
		const [header, first, ...rest] = csv.stdout
			.toString()
			.trimEnd()
			.split("\n");
		expect(header?.split(",").slice(0, 4)).toEqual([
			"name",
			"category",
			"verification",
			"requests",
		]);
		expect(first).toMatch(
			/^ExampleAI,ai-training,,401,10,61,330,0,0,0,15.6,329,/,
		);
		expect(rest).toHaveLength(crawlers.length - 1);
	});

	test("CSV has no formulas", async () => {
		const evil = file("evil.log", entry("=cmd()Bot/1.0", "/private/x"));
		const { stdout } = await robotrie([
			"audit",
			"-r",
			robots,
			"-g",
			"header",
			"-o",
			"csv",
			evil,
		]);
		expect(stdout.toString()).toContain("\n'=cmd()Bot/1.0,");
	});

	test("HTML to a file", async () => {
		const out = join(dirname(log), "report.html");
		const { stdoutSize, code } = await robotrie([
			...sample,
			"-o",
			"html",
			"--out",
			out,
			"sample/access.log",
		]);
		expect({ stdoutSize, code }).toEqual({ stdoutSize: 0, code: 0 });
		expect(readFileSync(out, "utf8")).toMatch(
			/^<!doctype html>[\s\S]*<\/html>\n$/,
		);
	});

	test("disallowed lines, unchanged", async () => {
		const text = entry("Examplebot/1", "/private/x").replace("\n", "\r\n");
		const lines = [
			text,
			entry("Otherbot/1", "/private/y"),
			entry("Examplebot/\xff", "/examples"),
			entry("Otherbot/1", "/others").trimEnd(),
		];
		const violations = join(dirname(log), "violations.log");
		const { code } = await robotrie([
			"audit",
			"-r",
			robots,
			"--check",
			"--violations",
			violations,
			file("mixed.log", Buffer.from(lines.join(""), "latin1")),
		]);
		expect(code).toBe(1);
		expect(readFileSync(violations, "latin1")).toBe(
			`${[lines[0], lines[2], lines[3]].join("")}\n`,
		);
	});
});

describe("Inputs", () => {
	const gz = file(
		"a.log.gz",
		Buffer.concat([
			gzipSync(sampleLog.subarray(0, 100_000)),
			gzipSync(sampleLog.subarray(100_000)),
		]),
	);

	test("plain, gzip with several members, stdin, all the same", async () => {
		const plain = await report(...sample.slice(1), "sample/access.log");
		const packed = await report(...sample.slice(1), gz);
		expect(packed).toEqual({ ...plain, logs: [gz] });
		for (const stdin of [sampleLog, readFileSync(gz)]) {
			const { stdout } = await robotrie([...sample, "-o", "json"], { stdin });
			expect(JSON.parse(stdout.toString())).toEqual({
				...plain,
				logs: ["<stdin>"],
			});
		}
	});

	test("--json is --output json", async () => {
		const [long, short] = [
			await robotrie([...sample, "--output", "json", "sample/access.log"]),
			await robotrie([...sample, "--json", "sample/access.log"]),
		];
		expect([short.code, short.stderr]).toEqual([0, ""]);
		expect(String(short.stdout)).toBe(String(long.stdout));
	});

	test("rotated files given by a pattern are read in order of time", async () => {
		const lines = sampleLog.toString().split(/(?<=\n)/);
		nested("rotated/access.log", lines.slice(2000).join(""));
		nested("rotated/access.log.1", lines.slice(1000, 2000).join(""));
		nested("rotated/access.log.2", lines.slice(0, 1000).join(""));
		const whole = await report("-r", "sample/robots.txt", "sample/access.log");
		const pattern = join(dirname(log), "rotated/access.log*");
		const rotated = await report("-r", "sample/robots.txt", pattern);
		expect(rotated.logs.map((name) => basename(name))).toEqual([
			"access.log.2",
			"access.log.1",
			"access.log",
		]);
		expect({ ...rotated, logs: whole.logs }).toEqual(whole);
	});

	test("several sites, by option and by folder", async () => {
		const vhosts = file(
			"vhosts.log",
			["a.example:443", "b.example", "c.example"]
				.map((host) => entry("Examplebot/1", "/a", host))
				.join(""),
		);
		const a = nested("sites/a.example.txt", "User-agent: *\nDisallow: /a\n");
		const b = nested("sites/b.example/robots.txt", "User-agent: *\nAllow: /\n");
		const expected = {
			lines: 3,
			judged: 2,
			withoutRobots: 1,
			crawlers: [{ requests: 2, disallowed: 1 }],
		};
		const args = ["-o", "json", vhosts];
		for (const sources of [
			["-r", `a.example=${a}`, "-r", `b.example=${b}`],
			["-r", dirname(a)],
		]) {
			const { stdout, stderr } = await robotrie(["audit", ...sources, ...args]);
			expect(JSON.parse(stdout.toString())).toMatchObject(expected);
			expect(stderr).toContain("1 request of crawlers went to hosts");
		}
	});

	test.each([
		["e.example_8443.txt", "e.example:8443"],
		["e.example.robots.txt", "e.example"],
		["e.example.txt.gz", "e.example"],
		["e.example_8443/robots.txt", "e.example:8443"],
		["m\u00fcller.example_8443.txt", "xn--mller-kva.example:8443"],
	])("a folder with the file %s, as index names hosts", async (path, host) => {
		const bytes = Buffer.from("User-agent: *\nDisallow: /a\n");
		const named = nested(
			`folder-${path.replaceAll("/", "-")}/${path}`,
			path.endsWith(".gz") ? gzipSync(bytes) : bytes,
		);
		const place = path.includes("/") ? dirname(dirname(named)) : dirname(named);
		const vhosts = file("port.log", entry("Examplebot/1", "/a", host));
		expect(await report("-r", place, vhosts)).toMatchObject({
			withoutRobots: 0,
			crawlers: [{ disallowed: 1 }],
		});
	});

	test("a host with letters beyond ASCII, which logs have in Punycode", async () => {
		const named = file("idn.txt", "User-agent: *\nDisallow: /a\n");
		const vhosts = file(
			"idn.log",
			entry("Examplebot/1", "/a", "xn--mller-kva.example:8443"),
		);
		for (const host of ["müller.example", "Müller.example:8443"])
			expect(await report("-r", `${host}=${named}`, vhosts)).toMatchObject({
				withoutRobots: 0,
				crawlers: [{ disallowed: 1 }],
			});
	});

	test.each(["a@müller.example.txt", "müller.example?b.txt"])(
		"a folder with nothing but %s, whose name is more than a host",
		async (name) => {
			const named = nested(`no-host-${name}/${name}`, "User-agent: *\n");
			const { code, stderr } = await robotrie([
				"audit",
				"-r",
				dirname(named),
				file("no-host.log", entry("Examplebot/1", "/a", "e.example")),
			]);
			expect(stderr.toString()).toContain("has no files named after hosts");
			expect(code).toBe(2);
		},
	);

	test("several versions of robots.txt, each from its date on", async () => {
		const both = file(
			"history.log",
			entry("Examplebot/1", "/private/x", "", "01:00:00") +
				entry("Examplebot/1", "/private/x", "", "13:00:00"),
		);
		const nothing = file("nothing.txt", "");
		const found = await report(
			"-r",
			`2025-10-01=${robots}`,
			"-r",
			`2025-10-14T12:00:00Z=${nothing}`,
			both,
		);
		expect(found.crawlers).toMatchObject([{ allowed: 1, disallowed: 1 }]);
	});

	test("address ranges, named by the option or the file", async () => {
		const google = file(
			"google.log",
			entry("Googlebot/2.1", "/", "", "00:00:00", "66.249.66.1") +
				entry("Googlebot/2.1", "/"),
		);
		const json = '{"prefixes":[{"ipv4Prefix":"66.249.66.0/24"}]}';
		const named = nested("ranges/googlebot.json", json);
		const other = nested("ranges/other.json", json);
		for (const value of [named, `Googlebot=${other}`, other]) {
			const { crawlers } = await report(
				"-r",
				robots,
				"--verify",
				value,
				google,
			);
			expect(crawlers.map(({ verification }) => verification)).toEqual([
				"claimed",
				"verified",
			]);
		}
	});

	test("with a format of a server's configuration, by its name where it has several", async () => {
		const one = `log_format  timed  '$msec $remote_addr "$request" '\n  '$status "$http_user_agent"';\n`;
		const conf = file("nginx.conf", `http {\n  ${one}}\n`);
		const two = file(
			"two.conf",
			`http {\n  ${one}  log_format bare '$status $request_uri';\n}\n`,
		);
		const timed = file(
			"timed.log",
			'1760400000.5 192.0.2.1 "GET /private/a HTTP/1.1" 200 "GPTBot/1"\n',
		);
		for (const name of [conf, `${conf}:timed`, `${two}:timed`]) {
			const { crawlers } = await report(
				"-r",
				rules,
				"--log-format",
				`@${name}`,
				timed,
			);
			expect(crawlers).toMatchObject([
				{
					name: "GPTBot",
					disallowed: 1,
					firstSeen: "2025-10-14T00:00:00.500Z",
				},
			]);
		}
		const { code, stderr } = await robotrie([
			...sample,
			"--log-format",
			`@${two}`,
			timed,
		]);
		expect([code, stderr.toString()]).toEqual([
			2,
			expect.stringContaining("there are 2 log formats (timed, bare)"),
		]);
	});

	test("results do not depend on the number of workers", async () => {
		// Three tasks of 16 MiB, cut within lines.
		const times = Math.ceil((36 * 2 ** 20) / sampleLog.length);
		const large = file(
			"large.log",
			Buffer.concat(Array(times).fill(sampleLog)),
		);
		const results = await Promise.all(
			["1", "2", "3"].map(async (workers) => {
				const violations = join(dirname(log), `violations-${workers}.log`);
				const { code, stderr, stdoutHash } = await robotrie([
					...sample,
					"-o",
					"json",
					"--workers",
					workers,
					"--violations",
					violations,
					large,
					gz,
					gz,
				]);
				expect([workers, code, stderr]).toEqual([workers, 0, ""]);
				return { stdoutHash, size: readFileSync(violations).length };
			}),
		);
		expect(results).toEqual(results.map(() => results[0]));
	});

	test.each<[headers: number]>([[20_000], [300_000]])(
		"of %i headers, which take little memory",
		async (headers) => {
			const lines = Array.from({ length: 300_000 }, (_, index) => {
				const number = (index * 7919) % headers;
				const agent = `${agents[number % agents.length]}${number}`;
				return entry(agent, `/x/${index % 997}`, "", clockOf(index));
			});
			const many = nested(`headers-${headers}.log`, lines.join(""));
			const options = [...sample, "-o", "json", "--workers", "2", many];
			const { stderr, stdout, memory } = await robotrieProcess(options);
			expect(stderr).toBe("");
			expect(JSON.parse(stdout.toString())).toMatchObject({ lines: 300_000 });
			expect(memory).toBeLessThan(160);
		},
		60_000,
	);
});

describe("Exit codes and errors", () => {
	const broken = file("broken.log", `${entry("Examplebot/1", "/a")}?\n`);
	test.each([
		["nothing disallowed", ["--check", "--agents", "Otherbot", log], 0, ""],
		["disallowed, not checked", [log], 0, ""],
		["disallowed", ["--check", log], 1, ""],
		[
			"a line that cannot be parsed",
			[broken],
			0,
			"1 line of 2 cannot be parsed as combined:",
		],
		["the same, strictly", ["--strict", broken], 2, `${broken}:2: ?`],
		[
			"no such file",
			["no-such.log"],
			2,
			"cannot read no-such.log: no such file",
		],
		["no match", ["no-such*.log"], 2, "no file matches no-such*.log"],
		["a folder", ["sample"], 2, "sample is a directory; name its files"],
		[
			"an unknown format",
			["--format", "comined", log],
			2,
			'Did you mean combined, vcombined, common? "robotrie help audit" lists all formats.',
		],
		[
			"a format told by nothing",
			["package.json"],
			2,
			"the format of package.json is not one of the ",
		],
		[
			"JSON without fields",
			["--format", "ndjson", log],
			2,
			"needs the keys of its fields",
		],
		["fields without a path", ["--fields", "agent=a", log], 2, "lack path="],
		[
			"an unknown field",
			["--fields", "path=a,x=b", log],
			2,
			'"x=b" is not a field',
		],
		[
			"a log_format without a request",
			["--log-format", "$remote_addr $status", log],
			2,
			"has neither $request nor $request_uri, but $remote_addr, $status",
		],
		[
			"a configuration that is not there",
			["--log-format", "@no-such.conf", log],
			2,
			"no-such.conf",
		],
		[
			"a configuration without a format",
			["--log-format", `@${robots}`, log],
			2,
			"has several lines, of which none begins with log_format or LogFormat",
		],
		["no time", ["--since", "yesterday", log], 2, "Expected a time such as"],
		["no ranges", ["--verify", log, log], 2, "is not a file of address ranges"],
		[
			"two robots.txt for one host",
			["-r", robots, "-r", "sample/robots.txt", log],
			2,
			"is a second robots.txt for all hosts",
		],
		[
			"an output that cannot be written",
			["--out", "no/such/folder/x", log],
			2,
			"cannot write no/such/folder/x: no such file or directory",
		],
		[
			"violations that cannot be written",
			["--violations", "no/such/folder/x", log],
			2,
			"cannot write no/such/folder/x: no such file or directory",
		],
		[
			"hosts that the log does not tell",
			["-r", `a.example=${robots}`, "-r", `b.example=${robots}`, log],
			2,
			"(combined) have no host; give one robots.txt without a host",
		],
		["zero workers", ["--workers", "0", log], 2, "whole number from 1 to 9999"],
		["stdin twice", ["-r", "-", "-"], 2, "stdin cannot be both"],
	])("%s", async (_, args, code, message) => {
		const source = args.includes("-r") ? [] : ["-r", robots];
		const result = await robotrie(["audit", ...source, ...args]);
		expect(result.stderr).toContain(message);
		expect(result.code).toBe(code);
		if (message === "") expect(result.stderr).toBe("");
	});

	test("no robots.txt", async () =>
		expect(await robotrie(["audit", log])).toMatchObject({
			code: 2,
			stderr:
				"robotrie: required option '-r, --robots <[host=][time=]file>' not specified\n",
		}));

	test("a format without a User-Agent header is an error", async () => {
		const common = file(
			"common.log",
			'192.0.2.1 - - [14/Oct/2025:00:00:00 +0000] "GET /private HTTP/1.1" 200 5\n',
		);
		const { stderr } = await robotrie(["audit", "-r", robots, common]);
		expect(stderr).toContain(
			"--default-agent names the crawler to count them for",
		);
		const found = await report(
			"-r",
			robots,
			"--default-agent",
			"Examplebot",
			common,
		);
		expect(found.crawlers).toMatchObject([
			{ name: "Examplebot", disallowed: 1 },
		]);
	});

	test("--progress shows progress", async () => {
		const { stderr } = await robotrie([
			...sample,
			"--progress",
			"sample/access.log",
		]);
		expect(stderr).toMatch(
			/robotrie: \d+% of 1 MB, 3,000 lines, [\d,]+ lines\/s/,
		);
	});
});
