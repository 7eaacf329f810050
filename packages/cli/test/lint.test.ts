import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { serve } from "../../client/test/site.ts";
import { file, robotrie, root } from "./run.ts";

const clean = "User-agent: *\nDisallow: /a\n";
const warned = "User-agent: *\nDisallow: a\n";
const faulty = "Disallow: /a\nUser-agent: *\nDissallow: /b\nAllow:\n";

test.each([
	["nothing", clean, 0, /^nothing found in <stdin>\n$/],
	["an empty file", "", 0, /^nothing found in <stdin>\n$/],
	[
		"a warning",
		warned,
		0,
		/^<stdin>:2: warning pattern-without-slash .+\n {2}example {2}\/a is allowed in google, disallowed in rfc9309 and yandex\n1 warning in <stdin>\n"robotrie lint --explain <code>" explains .+\n$/,
	],
	[
		"errors",
		faulty,
		1,
		/^<stdin>:1: error rule-outside-group .+\n<stdin>:3: error misspelled-field .+\n {2}example .+\n<stdin>:4: info empty-allow .+\n {2}example .+\n2 errors, 1 remark in <stdin>\n"robotrie .+\n$/,
	],
])("%s", async (_, stdin, code, output) => {
	for (const args of [["lint"], ["lint", "-"]]) {
		const result = await robotrie(args, { stdin });
		expect(String(result.stdout)).toMatch(output);
		expect(result).toMatchObject({ code, stderr: "" });
	}
});

test("control characters do not reach the terminal", async () => {
	const stdin = "User-agent: *\nDisallow \x1b[31m\n";
	const result = await robotrie(["lint"], { stdin });
	expect(String(result.stdout)).toContain("Disallow \\x1b[31m has no colon");
});

test("the dialect decides what an error is", async () => {
	const stdin = "User-agent: *\nDissallow: /b\n";
	const strict = await robotrie(["lint"], { stdin });
	expect(strict.code).toBe(1);
	const lenient = await robotrie(["lint", "--dialect", "google"], { stdin });
	expect(lenient.code).toBe(0);
});

test("several files", async () => {
	const first = file("lint-first.txt", warned);
	const second = file("lint-second.txt", faulty);
	const result = await robotrie(["lint", first, second]);
	const lines = String(result.stdout).trim().split("\n").slice(0, -1);
	const findings = lines.filter((line) => !line.startsWith("  "));
	expect(findings.map((line) => line.replace(/: .*/, ""))).toEqual([
		`${first}:2`,
		`${second}:1`,
		`${second}:3`,
		`${second}:4`,
		"2 errors, 1 warning, 1 remark in 2 files",
	]);
	expect(result.code).toBe(1);
});

test("an unreadable file is an error; the others are checked", async () => {
	const path = file("lint-third.txt", faulty);
	for (const args of [[], ["--json"]]) {
		const result = await robotrie(["lint", ...args, "no-such-file", path]);
		expect(String(result.stdout)).toContain("rule-outside-group");
		expect(result.code).toBe(2);
		expect(result.stderr).toMatch(/^robotrie: cannot read no-such-file: .+\n$/);
	}
});

test("--json", async () => {
	const result = await robotrie(["lint", "--json"], { stdin: faulty });
	const message = expect.any(String);
	const example = (url: string, ...[rfc9309, google, yandex]: boolean[]) => ({
		agent: "*",
		url,
		allowed: { rfc9309, google, yandex },
	});
	expect(JSON.parse(String(result.stdout))).toEqual([
		{
			file: "<stdin>",
			line: 1,
			severity: "error",
			code: "rule-outside-group",
			message,
			page: "docs/lint/rule-outside-group.md",
		},
		{
			file: "<stdin>",
			line: 3,
			severity: "error",
			code: "misspelled-field",
			message,
			example: example("/b", true, false, false),
			edit: { start: 27, end: 37, text: "Disallow:" },
			page: "docs/lint/misspelled-field.md",
		},
		{
			file: "<stdin>",
			line: 4,
			severity: "info",
			code: "empty-allow",
			message,
			example: example("/", true, true, false),
			page: "docs/lint/empty-allow.md",
		},
	]);
	expect(result.code).toBe(1);
});

test("--json without findings", async () => {
	const result = await robotrie(["lint", "--json"], { stdin: clean });
	expect(String(result.stdout)).toBe("[]\n");
	expect(result.code).toBe(0);
});

test("--max-bytes", async () => {
	const result = await robotrie(["lint", "--max-bytes", "20"], {
		stdin: clean,
	});
	expect(String(result.stdout)).toContain("<stdin>:2: error file-truncated");
	expect(result.code).toBe(1);
});

test.each([
	["sample/robots.txt", 0],
	["sample/mistakes.txt", 1],
])("%s", async (path, code) => {
	const result = await robotrie(["lint", `${root}${path}`]);
	expect(result.code).toBe(code);
});

test("--explain prints a page", async () => {
	const result = await robotrie(["lint", "--explain", "shadowed-rule"]);
	const page = readFileSync(`${root}docs/lint/shadowed-rule.md`, "utf8");
	expect(String(result.stdout)).toBe(page);
	expect(result).toMatchObject({ code: 0, stderr: "" });
});

test("of many findings with one code the first are listed, and --all lists all", async () => {
	const stdin = `User-agent: *\n${"Disallow: /a\n".repeat(1206)}Noindex: /\n`;
	const some = await robotrie(["lint"], { stdin });
	expect(
		String(some.stdout)
			.split("\n")
			.map((line) => line.replace(/(<stdin>:\d+: \w+ [\w-]+) .*/, "$1")),
	).toEqual([
		...[3, 4, 5, 6, 7].map((line) => `<stdin>:${line}: info duplicate-rule`),
		"<stdin>:1208: warning noindex",
		"<stdin>: info duplicate-rule: 1,200 more, which --all lists",
		"1 warning, 1,205 remarks in <stdin>",
		expect.stringMatching(/--explain/),
		"",
	]);
	const all = await robotrie(["lint", "--all"], { stdin });
	expect(String(all.stdout).split("\n").length).toBe(1206 + 3);
	const json = await robotrie(["lint", "--json"], { stdin });
	expect(JSON.parse(String(json.stdout))).toHaveLength(1206);
});

test("a file whose name crawlers do not ask for", async () => {
	const path = file("Robots.txt", clean);
	const result = await robotrie(["lint", path]);
	expect(String(result.stdout)).toMatch(
		/:1: warning misnamed-file The file is named Robots\.txt, /,
	);
	expect(result.code).toBe(0);
});

test.each([
	[
		"Googlebot News",
		"is not a well-known crawler; did you mean Googlebot-News?",
	],
	[
		"Googlebot Images",
		"is not a well-known crawler; did you mean Googlebot-Image?",
	],
	["Googelbot", "is not a well-known crawler; did you mean Googlebot?"],
	["Google", "is not a well-known crawler; did you mean Googlebot?"],
	["Googlebot-News", ""],
	["Screaming Frog SEO Spider", ""],
	["Mozilla/5.0 (compatible; Googlebot/2.1)", ""],
	["ExampleBot", ""],
])("-a %s", async (agent, advice) => {
	const robots = file(
		"lint-agents.txt",
		"User-agent: Googlebot\nDisallow: /\n",
	);
	for (const command of [
		["match", "-r", robots, "-a", agent, "-"],
		["explain", "-r", robots, "-a", agent, "/x"],
		["show", "-r", robots, "-a", agent],
	]) {
		const result = await robotrie(command, { stdin: "/x\n" });
		expect(result.stderr).toBe(
			advice && `robotrie: warning: agent "${agent}" ${advice}\n`,
		);
		expect(result.code).toBe(0);
	}
});

test("crawlers suggests, too", async () => {
	const near = await robotrie(["crawlers", "Googlebot News"]);
	expect(near.stderr).toContain("did you mean Googlebot-News?");
	expect(near.code).toBe(0);
	const unknown = await robotrie(["crawlers", "Googelbot"]);
	expect(unknown.stderr).toContain(
		"Googelbot is not a known crawler; did you mean Googlebot?",
	);
	expect(unknown.code).toBe(1);
});

test("show -a tells which sitemaps a crawler may not fetch", async () => {
	const robots = file(
		"lint-sitemaps.txt",
		"User-agent: *\nDisallow: /s/\nSitemap: https://e.com/s/x\nSitemap: https://e.com/t\n",
	);
	const args = ["show", "-r", robots, "-a", "ExampleBot"];
	const text = await robotrie(args);
	expect(String(text.stdout)).toMatch(
		/ExampleBot\n {2}sitemap +https:\/\/e\.com\/s\/x disallowed \(line 2\), if it is on the site of this file\n$/,
	);
	const json = await robotrie([...args, "--json"]);
	expect(JSON.parse(String(json.stdout)).crawler.sitemaps).toEqual([
		{
			url: "https://e.com/s/x",
			allowed: false,
			rule: { type: "disallow", pattern: "/s/", line: 2 },
		},
		{ url: "https://e.com/t", allowed: true, rule: null },
	]);
});

test("a URL of a site in the place of a file, also for match, canonical and crawlers", async () => {
	const content = "User-agent: *\nDisalow: /private\nClean-param: a\n";
	await using site = await serve((request, response) => {
		if (request.url === "/robots.txt") response.end(content);
		else response.writeHead(404).end();
	});
	await using none = await serve((_, response) =>
		response.writeHead(404).end(),
	);
	const origin = site.origin("127.0.0.1");
	const place = file("of-site.txt", content);
	const local = "--allow-private-network";
	const ofFile = await robotrie(["lint", place]);
	const ofSite = await robotrie(["lint", local, `${origin}/page`]);
	expect([ofSite.code, ofSite.stderr]).toEqual([ofFile.code, ""]);
	expect(String(ofSite.stdout)).toBe(
		String(ofFile.stdout).replaceAll(place, `${origin}/robots.txt`),
	);
	const lines = { stdin: "/private?a=1\n" };
	for (const command of [
		["match", "-a", "x"],
		["canonical"],
		["crawlers", "--url", "/private"],
	]) {
		const [one, other] = await Promise.all(
			[place, origin].map((robots) =>
				robotrie([...command, local, "-r", robots], lines),
			),
		);
		expect(String(other?.stdout)).toBe(String(one?.stdout));
		expect(other?.code).toBe(0);
	}
	const absent = await robotrie(["lint", local, none.origin("127.0.0.1")]);
	expect(absent).toMatchObject({
		code: 2,
		stderr: expect.stringMatching(
			/cannot read the robots\.txt of \S+: HTTP 404/,
		),
	});
});

const slips = "\ufeffUser-agent: *\r\nDisalow: /a\r\nDisallow: /b, /c\r\n";
const repaired =
	"User-agent: *\r\nDisallow: /a\r\nDisallow: /b\r\nDisallow: /c\r\n";

test("--fix writes what has one right repair, and lists what is left", async () => {
	const path = file("fix.txt", `${slips}Noindex: /old/\r\n`);
	const result = await robotrie(["lint", "--fix", path]);
	expect(result.stderr).toBe(`robotrie: 3 findings repaired in ${path}\n`);
	expect(String(result.stdout)).toMatch(/:5: warning noindex .*1 warning/s);
	expect(result.code).toBe(0);
	const written = readFileSync(path, "utf8");
	expect(written).toBe(`${repaired}Noindex: /old/\r\n`);
	const again = await robotrie(["lint", "--fix", path]);
	expect(again.stderr).toBe("");
	expect(readFileSync(path, "utf8")).toBe(written);
});

test("--fix --dry-run shows a diff that patch applies, and writes nothing", async () => {
	const text = slips.replaceAll("\r", "").slice(1);
	const path = file("dry.txt", text);
	const { stdout, stderr, code } = await robotrie([
		...["lint", "--fix", "--dry-run", path],
	]);
	expect([String(stdout), stderr, code]).toEqual([
		`--- ${path}
+++ ${path}
@@ -1,3 +1,4 @@
 User-agent: *
-Disalow: /a
-Disallow: /b, /c
+Disallow: /a
+Disallow: /b
+Disallow: /c
nothing found in ${path}
`,
		"",
		0,
	]);
	expect(readFileSync(path, "utf8")).toBe(text);
	const piped = await robotrie(["lint", "--fix", "--dry-run"], { stdin: text });
	expect(String(piped.stdout)).toContain("--- <stdin>\n+++ <stdin>\n");
});

test.each<[string, string[], string, RegExp]>([
	["stdin", ["-"], slips, /stdin is none: name the file/],
	[
		"a compressed file",
		[file("fix.txt.gz", gzipSync(slips))],
		"",
		/which is compressed: decompress it first/,
	],
	[
		"a file that is no text",
		[file("fix.bin", `${slips}\0`)],
		"",
		/it holds NUL bytes, so it is no text/,
	],
	["--dry-run alone", ["--dry-run"], slips, /add --fix/],
])("--fix refuses %s", async (name, args, stdin, message) => {
	const options = name.startsWith("--") ? [] : ["--fix"];
	const result = await robotrie(["lint", ...options, ...args], { stdin });
	expect(result.stderr).toMatch(message);
	expect([result.code, String(result.stdout)]).toEqual([2, ""]);
});
