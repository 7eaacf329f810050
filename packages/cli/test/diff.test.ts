import { expect, test } from "vitest";
import { FILE, serve } from "../../client/test/site.ts";
import { file, robotrie } from "./run.ts";

const before = file(
	"before.txt",
	"User-agent: *\nDisallow: /a\n\nUser-agent: x\nDisallow: /b\n",
);
const after = file(
	"after.txt",
	"User-agent: *\nDisallow: /a\nDisallow: /c\n\nUser-agent: x\nAllow: /b\n",
);

const text = `allowed -> disallowed  /c
  old  no rule of the group at line 1 matches
  new  line 3: Disallow: /c
  for  y; read as rfc9309

disallowed -> allowed  /b
  old  line 5: Disallow: /b
  new  line 6: Allow: /b
  for  x; read as rfc9309
`;

test("text", async () => {
	const result = await robotrie(["diff", before, after, "-a", "y", "-a", "x"]);
	expect(String(result.stdout)).toBe(text);
	expect(result).toMatchObject({
		code: 0,
		stderr: "robotrie: 2 of 4 URLs change their verdict; 2 crawlers compared\n",
	});
});

test("one URL", async () => {
	const { stderr } = await robotrie(["diff", before, after, "-a", "y", "/c"]);
	expect(stderr).toBe(
		"robotrie: 1 of 1 URL changes its verdict; 1 crawler compared\n",
	);
});

test("all crawlers", async () => {
	const { stdout } = await robotrie(["diff", before, after]);
	expect(String(stdout)).toMatch(
		/^ {2}for {2}\*, Googlebot, .+ and \d+ more; read as rfc9309, google, yandex$/m,
	);
});

test("--json, with URLs of arguments and of a file", async () => {
	const urls = file("diff-urls.txt", "/c/1\r\n\n/a\n");
	const result = await robotrie([
		"diff",
		before,
		after,
		"/c",
		"--urls",
		urls,
		"-a",
		"y",
		"--json",
	]);
	const group = { agents: ["*"], line: 1 };
	const rule = { type: "disallow", pattern: "/c", line: 3 };
	expect(JSON.parse(String(result.stdout))).toEqual(
		["/c", "/c/1"].map((url) => ({
			url,
			agents: ["y"],
			dialects: ["rfc9309"],
			before: { allowed: true, rule: null, group },
			after: { allowed: false, rule, group },
		})),
	);
	expect(result).toMatchObject({ code: 0, stderr: "" });
});

test.each([
	["a change", after, 1],
	["none", before, 0],
])("--check: %s", async (_, other, code) => {
	const args = ["diff", "--check", "--json", before, other, "-a", "y"];
	expect(await robotrie(args)).toMatchObject({ code });
});

test("a file on stdin", async () => {
	const args = ["diff", "-", before, "--check", "--json"];
	const result = await robotrie(args, {
		stdin: "User-agent: *\nDisallow: /a\n\nUser-agent: x\nDisallow: /b\n",
	});
	expect(result).toMatchObject({ code: 0, stderr: "" });
	expect(String(result.stdout)).toBe("[]\n");
});

test.each([
	["its robots.txt", 200, ["/private"]],
	["no robots.txt", 404, []],
])("a site with %s", async (_, status, urls) => {
	await using site = await serve((_, response) => {
		response.writeHead(status).end(FILE);
	});
	const empty = file("diff-empty.txt", "# nothing\n");
	const result = await robotrie([
		"diff",
		site.origin("127.0.0.1"),
		empty,
		"--allow-private-network",
		"--json",
		"-a",
		"x",
	]);
	const changes = JSON.parse(String(result.stdout)) as { url: string }[];
	expect(changes.map(({ url }) => url)).toEqual(urls);
	expect(site.requests).toEqual([expect.stringMatching(/\/robots\.txt$/)]);
});

test("a site that is down is no empty file", async () => {
	await using site = await serve((_, response) => {
		response.writeHead(503).end();
	});
	const origin = site.origin("127.0.0.1");
	const result = await robotrie([
		"diff",
		origin,
		before,
		"--allow-private-network",
	]);
	expect(result).toMatchObject({ code: 2, stdoutSize: 0 });
	expect(result.stderr).toMatch(/cannot read the robots\.txt of .*: HTTP 503/);
});
