import { describe, expect, test } from "vitest";
import { FILE, serve } from "../../client/test/site.ts";
import { file, robotrie, robots } from "./run.ts";

const explain = (...more: string[]) => [
	"explain",
	"--robots",
	robots,
	"--agent",
	"x",
	...more,
];

const text = `disallowed  https://example.com/private/1
  rule    line 2: Disallow: /private
  group   line 1: User-agent: *
  reason  Disallow: /private (line 2) is the longest rule that matches.
  read    as rfc9309

allowed  /b
  group   line 1: User-agent: *
  reason  No rule of the group at line 1 matches, so the URL is allowed.
  read    as rfc9309
`;

test("text", async () => {
	const result = await robotrie(explain("https://example.com/private/1", "/b"));
	expect(String(result.stdout)).toBe(text);
	expect(result).toMatchObject({ code: 0, stderr: "" });
});

test("URLs from stdin; empty lines are ignored", async () => {
	const result = await robotrie(explain(), {
		stdin: "https://example.com/private/1\r\n\n/b",
	});
	expect(String(result.stdout)).toBe(text);
	expect(result).toMatchObject({ code: 0, stderr: "" });
});

test("--json", async () => {
	const result = await robotrie(explain("--json", "/private/1", "/b"));
	expect(JSON.parse(String(result.stdout))).toEqual([
		{
			url: "/private/1",
			dialect: "rfc9309",
			allowed: false,
			rule: { type: "disallow", pattern: "/private", line: 2 },
			group: { agents: ["*"], line: 1 },
			reason: expect.stringContaining("Disallow: /private (line 2)"),
		},
		{
			url: "/b",
			dialect: "rfc9309",
			allowed: true,
			rule: null,
			group: { agents: ["*"], line: 1 },
			reason: expect.any(String),
		},
	]);
	expect(result).toMatchObject({ code: 0, stderr: "" });
});

test("--json without URLs", async () => {
	const result = await robotrie(explain("--json"));
	expect(String(result.stdout)).toBe("[]\n");
	expect(result.code).toBe(0);
});

test("a text that is not a URL is an error; the others are answered", async () => {
	const result = await robotrie(explain("--json", "nonsense", "/b", "also"));
	expect(JSON.parse(String(result.stdout))).toMatchObject([{ url: "/b" }]);
	expect(result.code).toBe(2);
	expect(result.stderr).toMatch(
		/^robotrie: "nonsense" is neither .*\nrobotrie: "also" is neither .*\n$/,
	);
});

test("agents, most specific first", async () => {
	const result = await robotrie(
		explain("--json", "--agent", "Examplebot", "/examples/1"),
	);
	expect(JSON.parse(String(result.stdout))).toMatchObject([
		{ allowed: false, group: { agents: ["Examplebot"], line: 5 } },
	]);
});

test("where dialects differ, the reason says so", async () => {
	const result = await robotrie([
		"explain",
		"-r",
		file("typo.txt", "User-agent: *\nDissallow: /a\n"),
		"-a",
		"x",
		"-d",
		"google",
		"/a",
	]);
	expect(String(result.stdout)).toContain(
		"The rfc9309 dialect answers allowed",
	);
});

const catalog = file(
	"catalog.txt",
	"User-agent: *\nDisallow: /catalog/\nAllow: /catalog/index.html\n",
);

test("--all-dialects, side by side", async () => {
	const args = ["explain", "-r", catalog, "-a", "x", "--all-dialects"];
	const result = await robotrie([...args, "/catalog/", "/b"]);
	const disallowed =
		"disallowed  Disallow: /catalog/ (line 2) is the longest rule that matches.";
	const none =
		"allowed     No rule of the group at line 1 matches, so the URL is allowed.";
	expect(String(result.stdout)).toBe(`differ  /catalog/
  rfc9309  ${disallowed}
  google   allowed     Allow: /catalog/index.html (line 3) is the longest rule that matches.
  yandex   ${disallowed}

allowed  /b
  rfc9309  ${none}
  google   ${none}
  yandex   ${none}
`);
	expect(result).toMatchObject({ code: 0, stderr: "" });
});

test("--all-dialects --json", async () => {
	const result = await robotrie([
		"explain",
		"-r",
		catalog,
		"-a",
		"x",
		"--all-dialects",
		"--json",
		"/catalog/",
		"nonsense",
	]);
	const disallowed = {
		allowed: false,
		rule: { type: "disallow", pattern: "/catalog/", line: 2 },
		group: { agents: ["*"], line: 1 },
		reason: "Disallow: /catalog/ (line 2) is the longest rule that matches.",
	};
	expect(JSON.parse(String(result.stdout))).toEqual([
		{
			url: "/catalog/",
			agree: false,
			dialects: {
				rfc9309: disallowed,
				google: expect.objectContaining({ allowed: true }),
				yandex: disallowed,
			},
		},
	]);
	expect(result.code).toBe(2);
	expect(result.stderr).toMatch(/^robotrie: "nonsense" is neither .*\n$/);
});

test("--robots-url: URLs that the file does not govern are unknown", async () => {
	const args = explain("--robots-url", "https://e.com/robots.txt");
	const urls = ["https://E.com:443/private", "/b", "https://www.e.com/private"];
	const result = await robotrie([...args, "--json", ...urls]);
	const reason =
		"https://e.com/robots.txt does not govern this URL, but https://www.e.com/robots.txt does.";
	expect(JSON.parse(String(result.stdout))).toMatchObject([
		{ url: urls[0], allowed: false },
		{ url: urls[1], allowed: true },
		{ url: urls[2], allowed: null, rule: null, group: null, reason },
	]);
	expect(result).toMatchObject({ code: 0, stderr: "" });
	const text = await robotrie([...args, "https://www.e.com/private"]);
	expect(String(text.stdout)).toBe(
		`unknown  https://www.e.com/private\n  reason  ${reason}\n`,
	);
});

test("colours only if asked for, and control characters never", async () => {
	const hostile = file(
		"hostile.txt",
		"User-agent: *\nDisallow: /\x1b[31m\x9b\n",
	);
	const args = ["explain", "-r", hostile, "-a", "x", "/\x1b[31m\x9b.html"];
	const plain = await robotrie(args);
	expect(String(plain.stdout)).not.toContain("\x1b");
	expect(String(plain.stdout)).not.toContain("\x9b");
	expect(String(plain.stdout)).toContain("line 2: Disallow: /\\x1b[31m\\x9b\n");
	const coloured = await robotrie(args, { env: { FORCE_COLOR: "1" } });
	expect(String(coloured.stdout)).toContain("\x1b[1m");
	expect(String(coloured.stdout)).not.toContain("/\x1b");
	const refused = await robotrie(args, { env: { NO_COLOR: "1" } });
	expect(String(refused.stdout)).toBe(String(plain.stdout));
});

describe("Without --robots the robots.txt of each URL's site is fetched", () => {
	const fetching = (...more: string[]) => [
		"explain",
		"--agent",
		"x",
		"--allow-private-network",
		...more,
	];

	test("once, and its line is named", async () => {
		await using site = await serve((_, response) => {
			response.end(FILE);
		});
		const origin = site.origin("127.0.0.1");
		const result = await robotrie(
			fetching(`${origin}/private`, `${origin}/open`),
		);
		const fetched = `  file    ${origin}/robots.txt (HTTP 200)`;
		expect(String(result.stdout)).toBe(`disallowed  ${origin}/private
  rule    line 2: Disallow: /private
  group   line 1: User-agent: *
  reason  Disallow: /private (line 2) is the longest rule that matches.
  read    as rfc9309
${fetched}

allowed  ${origin}/open
  group   line 1: User-agent: *
  reason  No rule of the group at line 1 matches, so the URL is allowed.
  read    as rfc9309
${fetched}
`);
		expect(result).toMatchObject({ code: 0, stderr: "" });
		expect(site.requests).toHaveLength(1);
	});

	test("--json, and --all-dialects", async () => {
		await using site = await serve((_, response) => {
			response.end(FILE);
		});
		const url = `${site.origin("127.0.0.1")}/private`;
		const robotsUrl = `${site.origin("127.0.0.1")}/robots.txt`;
		const plain = await robotrie(fetching("--json", url));
		expect(JSON.parse(String(plain.stdout))).toMatchObject([
			{ url, robotsUrl, allowed: false, rule: { line: 2 } },
		]);
		const all = await robotrie(fetching("--json", "--all-dialects", url));
		expect(JSON.parse(String(all.stdout))).toMatchObject([
			{ url, robotsUrl, agree: true, dialects: { google: { allowed: false } } },
		]);
	});

	test.each([
		[404, "allowed", "the site has no robots.txt, everything is allowed"],
		[503, "later", "HTTP 503"],
	])("HTTP %i: %s", async (status, verdict, reason) => {
		await using site = await serve((_, response) => {
			response.writeHead(status).end();
		});
		const { stdout, code } = await robotrie(
			fetching(`${site.origin("127.0.0.1")}/private`),
		);
		expect(String(stdout)).toContain(`${verdict}  http`);
		expect(String(stdout)).toContain(reason);
		expect(String(stdout)).toContain(`/robots.txt (HTTP ${status})`);
		expect(code).toBe(0);
		const json = await robotrie(
			fetching("--json", `${site.origin("127.0.0.1")}/private`),
		);
		const [{ later }] = JSON.parse(String(json.stdout));
		const isTime = typeof later === "string" && Date.parse(later) > 0;
		expect(isTime).toBe(verdict === "later");
	});

	test("--user-agent and --max-bytes count", async () => {
		await using site = await serve((_, response) => {
			response.end(FILE);
		});
		const { stdout } = await robotrie(
			fetching(
				"--user-agent",
				"ExampleBot/1.0",
				"--max-bytes",
				"13",
				`${site.origin("127.0.0.1")}/private`,
			),
		);
		expect(String(stdout)).toMatch(/^allowed/);
		expect(site.headers[0]).toMatchObject({ "user-agent": "ExampleBot/1.0" });
	});

	test("--server-error-as-not-found reads 5xx as 404, for the hosts named", async () => {
		await using down = await serve((_, response) =>
			response.writeHead(503).end(),
		);
		const url = `${down.origin("127.0.0.1")}/a`;
		const answerWith = async (...more: string[]) => {
			const args = ["explain", "-a", "x", "--json", "--allow-private-network"];
			const { stdout, code } = await robotrie([...args, ...more, url]);
			return [JSON.parse(String(stdout))[0].allowed, code];
		};
		const option = "--server-error-as-not-found";
		expect(await answerWith()).toEqual([false, 0]);
		expect(await answerWith(option, "other.example")).toEqual([false, 0]);
		for (const host of ["127.0.0.1", "*"])
			expect(await answerWith(option, "other.example", option, host)).toEqual([
				true,
				0,
			]);
	});

	test.each([
		["refuses the connection", "http://127.0.0.1:1/a", "later"],
		["cannot be resolved", "http://nowhere.invalid/a", "later"],
	])("a host that %s: exit code 2", async (_, url, verdict) => {
		const args = ["explain", "-a", "x", "--allow-private-network", url];
		const { stdout, code } = await robotrie(args);
		expect(String(stdout)).toMatch(new RegExp(`^${verdict}  http`));
		expect(code).toBe(2);
	});

	test("an address that is not public is not asked, and the option is named", async () => {
		await using site = await serve((_, response) => {
			response.end(FILE);
		});
		const url = `${site.origin("127.0.0.1")}/private`;
		const result = await robotrie(["explain", "-a", "x", url]);
		expect(String(result.stdout)).toMatch(
			/^unknown {2}.*\n {2}reason {2}.*--allow-private-network asks such addresses\.\n$/,
		);
		expect(result).toMatchObject({ code: 2, stderr: "" });
		expect(site.requests).toEqual([]);
	});

	test("paths and other schemes are errors; the others are answered", async () => {
		await using site = await serve((_, response) => {
			response.end(FILE);
		});
		const url = `${site.origin("127.0.0.1")}/private`;
		const result = await robotrie(
			fetching("--json", "/a", "gopher://a.test/", url),
		);
		expect(JSON.parse(String(result.stdout))).toMatchObject([{ url }]);
		expect(result.stderr).toMatch(
			/^robotrie: "\/a" .*\nrobotrie: .*gopher.*\n$/,
		);
		expect(result.code).toBe(2);
	});
});
