import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { file, folder, robotrie, robots, root } from "./run.ts";

const missing = join(root, "no-such-file");
const urls = file("usage-urls.txt", "/a\n");
const log = file(
	"usage-access.log",
	'192.0.2.1 - - [14/Oct/2025:00:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "GPTBot/1.0"\n',
);
const audit = ["audit", "-r", robots];
const match = ["match", "-r", robots, "-a", "x"];

const faults: readonly (readonly [readonly string[], RegExp])[] = [
	[["--nonsense"], /unknown option '--nonsense'/],
	[["nonsense"], /unknown command 'nonsense'/],
	[["mach"], /unknown command 'mach' \(Did you mean match\?\)/],
	[
		["match"],
		/match needs --robots <file> and --agent <name>, or --index <file>/,
	],
	[["match", "-a", "x"], /required option '-r, --robots <file>' not specified/],
	...["-r", "-a", "-d", "--max-bytes"].map((option): [string[], RegExp] => [
		["match", "-i", missing, option, option === "-d" ? "google" : "7"],
		/--[a-z-]+ cannot be used with --index: an index contains its rules/,
	]),
	[
		["match", "-r", robots],
		/required option '-a, --agent <name>' not specified/,
	],
	[["match", "-r"], /option '-r, --robots <file>' argument missing/],
	[
		["match", "-r", robots, "-a"],
		/option '-a, --agent <name>' argument missing/,
	],
	[
		["match", "-r", robots, "-a", " "],
		/argument ' ' is invalid\. Expected a name/,
	],
	[
		["match", "-r", robots, "--agnet", "x"],
		/unknown option '--agnet' \(Did you mean --agent\?\)/,
	],
	[
		[...match, "--dialect", "bing"],
		/'bing' is invalid\. Allowed choices are auto, rfc9309, google, yandex/,
	],
	[
		[...match, "--only", "maybe"],
		/'maybe' is invalid\. Allowed choices are allowed, disallowed, unknown, invalid/,
	],
	[
		[...match, "--max-bytes", "-1"],
		/'-1' is invalid\. Expected a number of bytes/,
	],
	[
		[...match, "--max-bytes", "1k"],
		/'1k' is invalid\. Expected a number of bytes/,
	],
	[
		[...match, missing],
		/cannot read .*no-such-file: no such file or directory/,
	],
	[[...match, tmpdir()], /cannot read .*: it is a directory/],
	[
		["match", "-i", join(robots, "x")],
		/cannot read the index .*: not a directory/,
	],
	[["match", "-i", "x".repeat(300)], /cannot read the index x+: name too long/],
	[
		["match", "-r", missing, "-a", "x"],
		/cannot read .*no-such-file: no such file or directory/,
	],
	[
		["match", "-r", "-", "-a", "x"],
		/stdin cannot be both the robots\.txt and the URLs/,
	],
	[
		["match", "-r", "-", "-a", "x", urls, "-"],
		/stdin cannot be both the robots\.txt and the URLs/,
	],
	[[...match, "-", "-"], /stdin can be read only once/],
	[
		["explain", "-r", robots, "/a"],
		/required option '-a, --agent <name>' not specified/,
	],
	[
		["explain", "-r", "-", "-a", "x"],
		/stdin cannot be both the robots\.txt and the URLs/,
	],
	[["explain", "-r", missing, "-a", "x", "/a"], /cannot read .*no-such-file/],
	[["canonical"], /required option '-r, --robots <file>' not specified/],
	[
		["canonical", "-r", "-"],
		/stdin cannot be both the robots\.txt and the URLs/,
	],
	[["canonical", "-r", robots, "-a", "x"], /unknown option '-a'/],
	[["show"], /required option '-r, --robots <file>' not specified/],
	[
		["show", robots, "package.json"],
		/package\.json is a file, not a URL; pages are URLs/,
	],
	[
		[...match, "https://e.com/a"],
		/https:\/\/e\.com\/a is not a file; to judge one URL: robotrie explain --robots \S+ --agent x https:\/\/e\.com\/a/,
	],
	[
		["canonical", "-r", robots, "https://e.com/a?b"],
		/is not a file; pass URLs on stdin: echo 'https:\/\/e\.com\/a\?b' \| robotrie canonical --robots /,
	],
	[
		["crawl-check", "-a", "x", "https://e.com/a"],
		/is not a file; to judge one URL: robotrie explain --agent x https:\/\/e\.com\/a/,
	],
	[
		["index", "-a", "x", "-o", missing, "https://e.com/"],
		/is not a file; name files of recorded answers; robotrie crawl-check fetches/,
	],
	[
		["diff", robots, robots, "package.json"],
		/package\.json is a file, not a URL; name a file of URLs by --urls package\.json/,
	],
	[
		["explain", "-r", robots, "-a", "x", "package.json"],
		/package\.json is a file, not a URL; pass a list of URLs on stdin/,
	],
	[
		["scope", "package.json"],
		/package\.json is a file, not a URL; pass a list of URLs on/,
	],
	[
		["explain", "-a", "x", "example.com/a"],
		/did you mean https:\/\/example\.com\/a\?$/m,
	],
	[["lint", "example.com"], /did you mean https:\/\/example\.com\/\?$/m],
	[["lint", "e.com/no.txt"], /did you mean https:\/\/e\.com\/no\.txt\?$/m],
	[["lint", "no.txt"], /cannot read no\.txt: no such file or directory$/m],
	[
		["audit", "-r", robots, "--log-format", "@nginx.conf", "no.log"],
		/cannot read nginx\.conf: no such file or directory$/m,
	],
	[
		["lint", "no.log.gz"],
		/cannot read no\.log\.gz: no such file or directory$/m,
	],
	...[
		[...match, "-r", robots, urls],
		["show", "-r", robots, "--robots", robots],
		["explain", "-r", robots, "-r", robots, "-a", "x", "/"],
		["canonical", "-r", robots, "-r", robots],
		["crawlers", "-r", robots, "-r", robots, "--url", "/"],
	].map((args): [string[], RegExp] => [
		args,
		/option '-r, --robots <file>' is given twice/,
	]),
	[
		["index", "-a", "x", "-o", missing, "--out", missing, urls],
		/option '-o, --out <file>' is given twice/,
	],
	...[
		match,
		["lint"],
		["canonical", "-r", robots],
		["crawl-check", "-a", "x"],
		["index", "-a", "x", "-o", missing],
	].map((args): [string[], RegExp] => [
		[...args, join(folder, "none-*.txt")],
		/no file matches \S+none-\*\.txt/,
	]),
	[["show", "-r", missing], /cannot read .*no-such-file/],
	[["show", "-r", robots, "/a"], /name it by '-a, --agent <name>'/],
	[["crawlers", "--nonsense"], /unknown option '--nonsense'/],
	[
		["explain", "-r", robots, "-a", "x", "-d", "google", "--all-dialects"],
		/option '--all-dialects' cannot be used with option '-d, --dialect <name>'/,
	],
	[
		["explain", "-r", robots, "-a", "x", "--robots-url", "e.com", "/"],
		/"e\.com" is not an absolute URL with a host/,
	],
	[
		["scope", "--robots-url", "http://e.com/a/robots.txt", "http://e.com/"],
		/governs no URL: the robots\.txt of that host is http:\/\/e\.com\/robots\.txt/,
	],
	[
		["explain", "-a", "x", "/a"],
		/"\/a" has no host to fetch a robots\.txt from: give an absolute URL, or the file by '-r, --robots <file>'/,
	],
	[
		["explain", "https://e.com/a"],
		/required option '-a, --agent <name>' not specified/,
	],
	[
		["explain", "-a", "x", "--robots-url", "https://e.com/robots.txt", "/a"],
		/--robots-url needs --robots/,
	],
	[["diff", robots], /missing required argument 'new'/],
	[["diff", robots, missing], /cannot read .*no-such-file/],
	[["diff", "-", "-"], /stdin can be read only once/],
	[["diff", "-", robots, "--urls", "-"], /stdin can be read only once/],
	[["diff", robots, robots, "nonsense"], /"nonsense" is neither an absolute/],
	[
		["diff", "http://127.0.0.1:1/", robots],
		/cannot read the robots\.txt of http:\/\/127\.0\.0\.1:1\/: The address is not public .* --allow-private-network asks such addresses/,
	],
	[
		["completion", "tcsh"],
		/'tcsh' is invalid for argument 'shell'\. Allowed choices are bash, zsh, fish/,
	],
	[["audit", "-r", join(robots, "x"), log], /cannot read .*: not a directory/],
	[
		[...audit, "--since", "2026-02-30", urls],
		/'2026-02-30' is invalid\. Expected a time such as 2026-03-01/,
	],
	[
		["audit", "-r", `2026-02-30=${robots}`, urls],
		/"2026-02-30" is not a time such as 2026-03-01 or 2026-03-01T12:00:00Z/,
	],
	[
		[...audit, "--since", "2026-03-01", "--until", "2026-03-01", urls],
		/--until has to be later than --since/,
	],
	[
		[...audit, "--where", "size=5", urls],
		/the condition "size=5" is not one of host, path, status, method, crawler, purpose, then = or !=, and a value/,
	],
	[["audit", "merge", "--where", "host=a", urls], /unknown option '--where'/],
	[["audit", "merge", "--anonymize", urls], /unknown option '--anonymize'/],
	[
		[...audit, "--anonymize", "-g", "address", urls],
		/addresses that are cut are networks: count by network, or hash/,
	],
	[
		[...audit, "--metrics", "m.prom", "-g", "header", urls],
		/--metrics counts by name or category, not header/,
	],
	[
		[...audit, "--metrics", "m.prom", "--list-headers", urls],
		/--list-headers cannot be used with --metrics/,
	],
	[
		[...audit, "--metrics", urls, urls],
		/--metrics would replace .* which is read/,
	],
	[
		["audit", "compare", "--metrics", "m.prom", urls, urls],
		/unknown option '--metrics'/,
	],
	[
		[...audit, "--anonymize-key", "env:NO_SUCH_KEY", urls],
		/the environment variable NO_SUCH_KEY is not set/,
	],
	[
		[...audit, "--anonymize-key", urls, urls],
		/the key for addresses needs at least 16 characters/,
	],
	[
		[...audit, "--json", "-o", "csv", urls],
		/'--json' cannot be used with option '-o, --output <kind>'/,
	],
	[
		[...audit, "--default-agent", " ", urls],
		/argument ' ' is invalid\. Expected a name/,
	],
	...["--out", "--violations", "--each", "--state"].flatMap(
		(option): [string[], RegExp][] => [
			[
				[...audit, option, log, join(folder, "usage-*.log")],
				new RegExp(
					`${option} would replace .*usage-access\\.log, which is read`,
				),
			],
			[
				[...audit, option, robots, log],
				new RegExp(`${option} would replace .*, which is read`),
			],
		],
	),
	...["--out", "--state"].map((option): [string[], RegExp] => [
		["audit", "merge", option, log, join(folder, "usage-*.log")],
		new RegExp(`${option} would replace .*usage-access\\.log, which is read`),
	]),
	[
		[...audit, "--people", log, "--out", log, urls],
		/--out would replace .*usage-access\.log, which is read/,
	],
	[
		[...audit, "--out", missing, "--each", missing, log],
		/--out and --each cannot both write .*no-such-file/,
	],
	...["-a", "-o", "-d", "--shards", "--facts"].map(
		(option): [string[], RegExp] => [
			[
				"index",
				"--update",
				missing,
				option,
				...(option === "--facts" ? [] : [option === "-d" ? "google" : "7"]),
			],
			/--[a-z-]+ cannot be used with --update: the index has its agent/,
		],
	),
	[
		["index", "-a", "x", "-o", missing, "--facts", urls],
		/--facts needs --shards <number>, and one --agent/,
	],
	[
		["index", "-a", "x", "-o", urls, urls],
		/--out would replace .*usage-urls\.txt, which is read/,
	],
	[
		["audit", "--list-headers", "--check", log],
		/--list-headers cannot be used with --check/,
	],
	...[
		["--merge", "robotrie audit merge, and"],
		["--compare", "robotrie audit compare, and"],
		["--follow", "robotrie audit follow, and"],
		["--interval", "robotrie audit follow --interval …, and"],
		["--metrics-port", "robotrie audit follow --metrics-port …, and"],
	].map(([option = "", now = ""]): [string[], RegExp] => [
		[...audit, option, log],
		new RegExp(`${option} is not an option of audit any more: write ${now}`),
	]),
	[
		[...audit, "follow", log],
		/--robots stands before the subcommand: write robotrie audit follow --robots …; a log of this name is \.\/follow/,
	],
	[
		["audit", "follow", "-o", "json", "-o", "csv", log],
		/option '-o, --output <kind>' is given twice/,
	],
	...["--state", "--each", "--violations"].map((option): [string[], RegExp] => [
		["audit", "--list-headers", option, missing, log],
		new RegExp(`--list-headers cannot be used with ${option}`),
	]),
	...["csv", "html"].map((kind): [string[], RegExp] => [
		["audit", "--list-headers", "-o", kind, log],
		new RegExp(`--list-headers writes a table, json or ndjson, not ${kind}`),
	]),
	[["completion"], /missing required argument 'shell'/],
	[["show", "-r", robots, "--sorted"], /--sorted is for a crawler/],
	[["crawlers", "-r", robots], /required option '--url <url>' not specified/],
	[
		["crawlers", "--url", "/"],
		/required option '-r, --robots <file>' not specified/,
	],
	[["stream", "--arrow"], /required option '-i, --index <file>' not specified/],
	[
		["stream", "-a", "x", "--column", "x"],
		/--column and --verdict need --arrow/,
	],
	[["check"], /missing required argument 'expectations'/],
	[
		["check", "http://e.com/"],
		/http:\/\/e\.com\/ is not a file; the site is named by --robots http/,
	],
	[
		["check", "-", "-r", "-"],
		/stdin cannot be both the robots\.txt and the URLs/,
	],
	[["scope", "--check", "http://e.com/"], /--check needs a --robots-url/],
	[["lint", missing], /cannot read .*no-such-file: no such file or directory/],
	[
		["lint", "http://127.0.0.1:1/robots.txt"],
		/cannot read the robots\.txt of http:\/\/127\.0\.0\.1:1\/robots\.txt: The address is not public/,
	],
	[
		["match", "-r", "http://127.0.0.1:1/", "-a", "x", urls],
		/cannot read the robots\.txt of http:\/\/127\.0\.0\.1:1\/: The address is not public/,
	],
	[["lint", "--robots", robots], /unknown option '--robots'/],
	[["fetch"], /missing required argument 'url'/],
	[
		["fetch", "example.com"],
		/example\.com is not an absolute http, https or ftp URL; did you mean https:\/\/example\.com\/\?/,
	],
	[
		["fetch", "gopher://example.com/"],
		/gopher:\/\/example\.com\/ is not an absolute http, https or ftp URL/,
	],
	[
		["fetch", "--body", "--json", "http://example.com"],
		/--body takes one URL and cannot be used with --json/,
	],
	[
		["fetch", "--body", "http://example.com", "http://example.org"],
		/--body takes one URL/,
	],
	[
		["fetch", "--server-error-as-not-found", "a/b", "http://example.com"],
		/'a\/b' is invalid\. Expected a host name, or \*/,
	],
	[
		["fetch", "--proxy", "proxy.example:3128", "http://example.com"],
		/proxy is the URL of an HTTP proxy, such as .*, not "proxy\.example:3128"/,
	],
	[
		["fetch", "--header", "From bot", "http://example.com"],
		/'From bot' is invalid\. Expected "Name: value"/,
	],
	[
		["fetch", "--header", "User-Agent: x", "http://example.com"],
		/headers is an object of header fields .*pass it as userAgent/,
	],
	[
		["fetch", "--timeout", "0", "http://example.com"],
		/'0' is invalid\. Expected a number of seconds from 0\.001 to 86400/,
	],
	[
		["fetch", "--timeout", "1h", "http://example.com"],
		/'1h' is invalid\. Expected a number of seconds/,
	],
	[
		["fetch", "--concurrency", "0", "http://example.com"],
		/'0' is invalid\. Expected a whole number from 1 to 999999/,
	],
	[
		["fetch", "--user-agent", "a\nb", "http://example.com"],
		/userAgent is a header field's value, not "a\\nb"/,
	],
	[
		["stream", "-a", "x", "-d", "bing"],
		/'bing' is invalid\. Allowed choices are rfc9309, google, yandex/,
	],
	[["serve", "--port", "65536"], /Expected a whole number from 0 to 65535/],
	[["serve", "--max-body", "1k"], /Expected a whole number from 1 to/],
	[["serve", "--max-waiting", "0"], /Expected a whole number from 1 to/],
	[["serve", "--max-connections", "0"], /Expected a whole number from 1 to/],
	[["serve", "--max-time", "1s"], /Expected a whole number from 1 to/],
	[["serve", "--log-level", "loud"], /Allowed choices are trace, debug/],
	[["serve", "--socket", "a", "--host", "::1"], /cannot be used with option/],
	[["serve", "--token-file", missing], /cannot read .*: no such file/],
	[["serve", "--tls-cert", urls], /--tls-cert and --tls-key go together/],
	[["serve", "--tls-client-ca", urls], /--tls-client-ca needs --tls-cert/],
	[
		["serve", "--store", "none", "--host", "0.0.0.0"],
		/to listen on 0\.0\.0\.0, give a token/,
	],
	[["crawl-check"], /required option '-a, --agent <name>' not specified/],
	[
		["crawl-check", "-a", "x", "--store", urls],
		/cannot open the store ".*usage-urls\.txt": EEXIST/,
	],
	[
		["crawl-check", "-a", "x", "--store", "redis://127.0.0.1:1"],
		/cannot open the store at 127\.0\.0\.1:1: .*ECONNREFUSED/,
	],
	[
		["crawl-check", "-a", "x", missing],
		/cannot read .*no-such-file: no such file or directory/,
	],
	[["crawl-check", "-a", "x", "-", "-"], /stdin can be read only once/],
	[["help", "nonsense"], /unknown command 'nonsense'/],
	[["help", "audit", "nonsense"], /unknown command 'audit nonsense'/],
	[
		["lint", "--explain", "nonsense"],
		/'nonsense' is invalid\. The codes are absolute-url, .*, utf-16/,
	],
];

test.each(faults)(
	"%j: one line on stderr, exit code 2",
	async (args, message) => {
		const result = await robotrie(args);
		expect(result.code).toBe(2);
		expect(result.stdoutSize).toBe(0);
		expect(result.stderr).toMatch(message);
		expect(result.stderr).toMatch(/^robotrie: (?!error)[^\n]+\n$/);
	},
);

test("patterns are expanded, where no file is called that", async () => {
	file("glob-a.txt", "User-agent: *\nDisallow: /a\n");
	file("glob-b.txt", "User-agent: *\nDisallow: /b\n");
	file("glob-[1].txt", "User-agent: *\nDisallow: /1\n");
	const pattern = join(folder, "glob-?.txt");
	const found = await robotrie(["match", "-r", robots, "-a", "x", pattern]);
	expect(String(found.stdout).match(/Disallow: ../g)).toEqual([
		"Disallow: /a",
		"Disallow: /b",
	]);
	const named = join(folder, "glob-[1].txt");
	const one = await robotrie(["match", "-r", robots, "-a", "x", named]);
	expect(String(one.stdout)).toContain("Disallow: /1");
});

test("files before an unreadable one are answered", async () => {
	const result = await robotrie([...match, urls, missing]);
	expect(result.code).toBe(2);
	expect(String(result.stdout)).toBe("allowed\t/a\n");
});

test("an installation without package.json is called damaged", () => {
	const installed = mkdtempSync(join(folder, "installed-"));
	const modules = join(installed, "node_modules");
	const home = join(modules, "@robotrie/cli");
	mkdirSync(home, { recursive: true });
	symlinkSync(root, join(modules, "robotrie"));
	for (const name of ["client", "audit"])
		symlinkSync(join(root, "packages", name), join(modules, "@robotrie", name));
	for (const name of ["dist", "main.js"])
		symlinkSync(join(root, "packages/cli", name), join(home, name));
	const stay = ["--preserve-symlinks", "--preserve-symlinks-main"];
	const args = [...stay, join(home, "main.js"), "lint", robots];
	const { status, stdout, stderr } = spawnSync(process.execPath, args, {
		encoding: "utf8",
	});
	expect([status, stdout]).toEqual([2, ""]);
	expect(stderr).toMatch(
		/^robotrie: the installation is damaged: cannot read \S+package\.json: no such file or directory; install @robotrie\/cli again\n$/,
	);
});

test("no arguments: three examples on stderr, exit code 2", async () => {
	const result = await robotrie([]);
	expect(result).toMatchObject({ code: 2, stdoutSize: 0 });
	const { stderr } = result;
	expect(stderr).toMatch(/^May this crawler .+\n\n/);
	expect(stderr.match(/^ {2}robotrie \S+/gm)).toEqual([
		"  robotrie explain",
		"  robotrie lint",
		"  robotrie match",
	]);
	expect(stderr).toContain('"robotrie --help" lists all commands');
	for (const line of stderr.split("\n"))
		expect(line.length).toBeLessThanOrEqual(80);
});

test.each([
	[
		["--help"],
		[
			"match",
			"explain",
			"lint",
			"scope",
			"show",
			"canonical",
			"crawlers",
			"fetch",
			"indexing",
			"crawl-check",
			"diff",
			"check",
			"completion",
		],
	],
	[
		["indexing", "--help"],
		["--agent", "--robots", "--check", "--json", "--allow-private-network"],
	],
	[
		["show", "--help"],
		["--robots", "--agent", "--json"],
	],
	[
		["canonical", "--help"],
		["--robots", "--dialect"],
	],
	[
		["crawlers", "--help"],
		["--robots", "--url", "--json"],
	],
	[
		["check", "--help"],
		["<expectations>", "--robots", "--dialect", "--json"],
	],
	[
		["diff", "--help"],
		["--agent", "--urls", "--dialect", "--check", "--json"],
	],
	[
		["help", "completion"],
		["bash", "zsh", "fish"],
	],
	[["help"], ["match", "explain", "lint", "scope"]],
	[
		["match", "--help"],
		["--robots", "--agent", "--dialect", "--only", "--check"],
	],
	[
		["explain", "--help"],
		["--robots", "--agent", "--dialect", "--json"],
	],
	[
		["help", "lint"],
		["--dialect", "--json", "--all", "--explain"],
	],
	[
		["help", "scope"],
		["--robots-url", "--check", "--json"],
	],
	[
		["fetch", "--help"],
		[
			"--store",
			"--user-agent",
			"--body",
			"--json",
			"--allow-private-network",
			"--proxy",
			"--header",
			"--forbidden-as-disallow",
		],
	],
	[
		["help", "stream"],
		["--agent", "--each-agent", "--index", "--dialect", "--version"],
	],
	[
		["help", "crawl-check"],
		["--agent", "--store", "--only", "--check", "--progress", "--concurrency"],
	],
])("%j: help on stdout", async (args, words) => {
	const result = await robotrie(args);
	expect(result).toMatchObject({ code: 0, stderr: "" });
	for (const word of ["Examples:", ...words])
		expect(String(result.stdout)).toContain(word);
});

const commands = String((await robotrie(["help"])).stdout)
	.match(/(?<=^ {2})[a-z-]+(?= {2,}\S)/gm)
	?.filter((name) => name !== "help");

test("help lists the commands", () => expect(commands).toHaveLength(17));

const subcommands = ["audit follow", "audit merge", "audit compare"];

test.each([...(commands ?? []), ...subcommands])(
	"help %s: what it does, its usage, exit codes and examples, in 80 columns",
	async (name) => {
		const help = String((await robotrie(["help", ...name.split(" ")])).stdout);
		expect(help).toMatch(
			new RegExp(
				`^[A-Z][a-z]+s [^]+?[.:]\n\nUsage: robotrie ${name} [^]+\n\nOptions:\n[^]+\n\nExit codes: [^]+\n\nExamples:\n  robotrie ${name}\\b`,
			),
		);
		const [options = ""] = /^Options:\n(.+\n)+/m.exec(help) ?? [];
		for (const line of options.split("\n"))
			expect(line.length).toBeLessThanOrEqual(80);
	},
);

test("docs/command-line.md shows every command", () => {
	const page = readFileSync(join(root, "docs/command-line.md"), "utf8");
	for (const name of [...(commands ?? []), ...subcommands])
		expect(page).toContain(`robotrie ${name} `);
});

test.each(["--version", "-V"])("%s", async (option) => {
	const { version } = JSON.parse(
		readFileSync(join(root, "package.json"), "utf8"),
	) as { version: string };
	const result = await robotrie([option]);
	expect(String(result.stdout)).toBe(`${version}\n`);
	expect(result.code).toBe(0);
});

test
	.runIf(process.platform === "linux")
	.each([
		[match],
		[["fetch", "https://nowhere.invalid/"]],
		[["crawl-check", "-a", "x"]],
		[["index", "-a", "x", "-o", join(folder, "none.index"), folder]],
	])(
	"a process without address space for WebAssembly ends with a sentence: %j",
	(command) => {
		const cli = join(root, "packages/cli/main.js");
		const { status, stderr } = spawnSync(
			"sh",
			["-c", 'ulimit -v 1500000; exec "$@"', "-", process.execPath, cli].concat(
				command,
			),
			{ input: "/a\n", encoding: "utf8" },
		);
		expect([status, stderr]).toEqual([
			2,
			expect.stringMatching(
				/^robotrie: there is no room for a WebAssembly memory \(.+\): .+"ulimit -v unlimited"\n$/,
			),
		]);
	},
);
