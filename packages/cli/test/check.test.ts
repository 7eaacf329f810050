import { expect, test } from "vitest";
import { FILE, serve } from "../../client/test/site.ts";
import { file, type Input, robotrie, robotrieProcess, robots } from "./run.ts";

const MALFORMED =
	"a row is a URL, a crawler, and allowed or disallowed, separated by tabs";

interface Row {
	readonly name: string;
	readonly table: string;
	readonly stdout?: string;
	readonly stderr: string;
	readonly code: number;
}

/** Tables held against `robots`: /private is disallowed, to Examplebot /examples as well. TABLE stands for the table's name. */
const tables: readonly Row[] = [
	{
		name: "all are met",
		table: "/private/a\tx\tdisallowed\n/private/open\tx\tallowed\n",
		stderr: "2 of 2 expectations met",
		code: 0,
	},
	{
		name: "a rule, no rule, and no group of its own decide",
		table:
			"/private/a\tx\tallowed\nhttps://e.com/a\tExamplebot\tDISALLOWED\n/private\tOtherbot\tdisallowed\n",
		stdout: `TABLE:1: /private/a for x: disallowed, expected allowed (line 2: Disallow: /private; read as rfc9309)
TABLE:2: https://e.com/a for Examplebot: allowed, expected disallowed (no rule of the group at line 5 matches; read as rfc9309)
TABLE:3: /private for Otherbot: allowed, expected disallowed (no rule of the group at line 9 matches; read as rfc9309)
`,
		stderr: "0 of 3 expectations met",
		code: 1,
	},
	{
		name: "names, remarks, empty lines, CR LF, more columns and blanks around fields",
		table:
			"URL\tAgent\tExpected\r\n\r\n# remark\t/\tx\r\n /a \t x \t allowed \twhy\r\n",
		stderr: "1 of 1 expectation met",
		code: 0,
	},
	{
		name: "a byte order mark",
		table: "\uFEFFurl\tagent\tverdict\n/a\tx\tallowed\n",
		stderr: "1 of 1 expectation met",
		code: 0,
	},
	{
		name: "tokens to fall back to, and a header with commas",
		table:
			"/examples\tNobody, Examplebot\tdisallowed\n/examples\tMozilla/5.0 (compatible, like x; Examplebot/1.0; +http://e.com/)\tdisallowed\n",
		stderr: "2 of 2 expectations met",
		code: 0,
	},
	{
		name: "malformed rows, the others judged all the same",
		table:
			"/a\tx\tallowed\n/a x allowed\n/a\tx\talowed\n\tx\tallowed\n/a\t\tallowed\n/private\tx\tallowed\n",
		stdout:
			"TABLE:6: /private for x: disallowed, expected allowed (line 2: Disallow: /private; read as rfc9309)\n",
		stderr: `TABLE:2: ${MALFORMED}
robotrie: TABLE:3: expected allowed or disallowed, not "alowed"
robotrie: TABLE:4: the URL is missing
robotrie: TABLE:5: the crawler is missing
robotrie: 1 of 2 expectations met`,
		code: 2,
	},
	{
		name: "crawlers with an empty name, which would be judged as others",
		table:
			"/private\t,\tdisallowed\n/private\tx,\tdisallowed\n/private\tx,,y\tdisallowed\n/private\tx, y\tdisallowed\n",
		stderr: `TABLE:1: a name is missing beside a comma of ","
robotrie: TABLE:2: a name is missing beside a comma of "x,"
robotrie: TABLE:3: a name is missing beside a comma of "x,,y"
robotrie: 1 of 1 expectation met`,
		code: 2,
	},
	{
		name: "a URL that is none",
		table: "e.com/a\tx\tallowed\n/a\tx\tallowed\n",
		stderr:
			'TABLE:1: "e.com/a" is neither an absolute URL nor a path that begins with "/"; did you mean https://e.com/a?\nrobotrie: 1 of 2 expectations met',
		code: 2,
	},
	{
		name: "a host with a port and no scheme, and a port that is none",
		table:
			"localhost:80/p\tx\tallowed\nhttp://e.com:99999/p\tx\tallowed\nhttp://e.com:8080/p\tx\tallowed\n",
		stderr: `TABLE:1: "localhost:80/p" is neither an absolute URL nor a path that begins with "/"; did you mean http://localhost:80/p?
robotrie: TABLE:2: "http://e.com:99999/p" is not an absolute URL with a host
robotrie: 1 of 3 expectations met`,
		code: 2,
	},
	{
		name: "a second row of names is no row of names",
		table: "/a\tx\tallowed\nurl\tagent\texpected\n",
		stderr:
			'TABLE:2: expected allowed or disallowed, not "expected"\nrobotrie: 1 of 1 expectation met',
		code: 2,
	},
	...["", "# nothing\n", "url\tagent\tverdict\n"].map((table) => ({
		name: `no rows: ${JSON.stringify(table)}`,
		table,
		stderr: `TABLE has no expectations: ${MALFORMED}`,
		code: 2,
	})),
];

test.each(tables)(
	"$name",
	async ({ name, table, stdout = "", stderr, code }) => {
		const path = file(`${name.replace(/\W+/g, "-")}.tsv`, table);
		const ways: readonly (readonly [name: string, args: string[], Input])[] = [
			[path, ["check", path, "-r", robots], {}],
			["<stdin>", ["check", "-", "-r", robots], { stdin: table }],
		];
		for (const [shown, args, input] of ways) {
			const result = await robotrie(args, input);
			expect(String(result.stdout)).toBe(stdout.replaceAll("TABLE", shown));
			expect(result).toMatchObject({
				code,
				stderr: `robotrie: ${stderr.replaceAll("TABLE", shown)}\n`,
			});
		}
	},
);

test("--json", async () => {
	const table = file("check-json.tsv", "/private\tx\tallowed\n/\tx\tallowed\n");
	const args = ["check", table, "-r", robots, "--json"];
	const { stdout, code } = await robotrie(args);
	expect(JSON.parse(String(stdout))).toEqual([
		{
			line: 1,
			url: "/private",
			agent: "x",
			expected: "allowed",
			dialect: "rfc9309",
			allowed: false,
			rule: { type: "disallow", pattern: "/private", line: 2 },
			group: { agents: ["*"], line: 1 },
			reason: expect.stringContaining("longest rule"),
		},
	]);
	expect(code).toBe(1);
});

/** What a site answers, and what becomes of a row that expects its /private to be disallowed, and /open allowed. */
const sites: readonly (readonly [number, string, code: number, RegExp])[] = [
	[200, "", 0, /2 of 2/],
	[404, "ORIGIN/private for x: allowed, expected disallowed", 1, /1 of 2/],
	[503, "", 2, /HTTP 503.*\n.*HTTP 503.*\n.*0 of 2/],
];
test.each(sites)("a site that answers %i", async (status, line, code, text) => {
	await using site = await serve((_, response) => {
		response.writeHead(status).end(FILE);
	});
	const origin = site.origin("127.0.0.1");
	const table = file(
		`check-site-${status}.tsv`,
		`${origin}/private\tx\tdisallowed\n${origin}/open\tx\tallowed\n`,
	);
	const result = await robotrie(["check", table, "--allow-private-network"]);
	expect(result.code).toBe(code);
	expect(result.stderr).toMatch(text);
	expect(String(result.stdout)).toContain(line.replace("ORIGIN", origin));
	expect(result.stdoutSize > 0).toBe(line !== "");
	expect(site.requests).toHaveLength(1);
});

const closed = "http://127.0.0.1:1/";
const silent: readonly (readonly [args: string[], verdict: string])[] = [
	[[], "disallowed"],
	[["--allow-private-network"], "disallowed"],
	[["--allow-private-network", "--dialect", "yandex"], "allowed"],
	[["--allow-private-network", "--robots", closed], "disallowed"],
];
test.each(silent)(
	"a site without an answer meets no expectation: %j",
	async (args, verdict) => {
		const table = file("check-closed.tsv", `${closed}\tx\t${verdict}\n`);
		const result = await robotrieProcess(["check", table, ...args]);
		expect(result).toMatchObject({ code: 2, stdoutSize: 0 });
		expect(result.stderr).not.toContain("1 of 1");
	},
);
