/** Whose robots.txt it is: the samples by themselves, and the hosts of URLs. */

import { RobotsTxt } from "robotrie";
import { expect, test } from "vitest";
import { hostOf, robotsAddress, withoutOthers } from "../../page/url-text.ts";
import { checksumOf, sampleHost } from "../../page/whose.ts";
import { samples } from "../../work/samples.ts";
import { ofSite } from "../../worker/ai-crawlers.ts";

test("each sample is known, as long as nobody has changed it", () => {
	for (const { name, robots, urls } of samples) {
		const host = hostOf(urls.split("\n")[0] ?? "") ?? "";
		const row = [robots.length, [checksumOf(robots), host]];
		expect(sampleHost(robots), `${name}: ${JSON.stringify(row)}`).toBe(host);
		expect(sampleHost(robots.replace("D", "d"))).toBe(undefined);
		expect(sampleHost(`${robots}#`)).toBe(undefined);
	}
	expect(sampleHost("")).toBe(undefined);
	expect(sampleHost(new Uint8Array(samples[0]?.robots.length ?? 0))).toBe(
		undefined,
	);
});

test.each([
	["https://example.com/a", "example.com", "https://example.com/robots.txt"],
	[
		"  HTTP://U:p@WWW.Example.com:8080/a?b#c",
		"www.example.com",
		"http://www.example.com:8080/robots.txt",
	],
	["ftp://example.com/a", "example.com", undefined],
	[
		"https://b\u00fccher.example/a",
		"b\u00fccher.example",
		"https://xn--bcher-kva.example/robots.txt",
	],
	["/a?b=https://other.example/", undefined, undefined],
	["example.com/a", "example.com", "https://example.com/robots.txt"],
	["WWW.example.com", "www.example.com", "https://www.example.com/robots.txt"],
	["//Other.example/x", "other.example", "https://other.example/robots.txt"],
	["///other.example/x", "other.example", "https://other.example/robots.txt"],
	[
		"https:other.example/x",
		"other.example",
		"https://other.example/robots.txt",
	],
	[
		"https:/other.example/x",
		"other.example",
		"https://other.example/robots.txt",
	],
	[
		"http:///other.example/x",
		"other.example",
		"http://other.example/robots.txt",
	],
	[
		"https:\\\\other.example\\x",
		"other.example",
		"https://other.example/robots.txt",
	],
	["\\\\other.example\\x", "other.example", "https://other.example/robots.txt"],
	["/\t/other.example/x", "other.example", "https://other.example/robots.txt"],
	[
		"ht\ttps://other.example/x",
		"other.example",
		"https://other.example/robots.txt",
	],
	[
		"https://example.com@other.example",
		"other.example",
		"https://other.example/robots.txt",
	],
	[
		"https://a@b c@other.example/x",
		"other.example",
		"https://other.example/robots.txt",
	],
	[
		"https://example.com\\@other.example",
		"example.com",
		"https://example.com/robots.txt",
	],
	[
		"https://[2001:DB8::1]:8080/x",
		"[2001:db8::1]",
		"https://[2001:db8::1]:8080/robots.txt",
	],
	["/example.com/a", undefined, undefined],
	["mailto:a@other.example", undefined, undefined],
	["https://", undefined, undefined],
	["no url", undefined, undefined],
	["", undefined, undefined],
])("%s is of the host %s", (url, host, address) => {
	expect(hostOf(url)).toBe(host);
	expect(robotsAddress(url)).toBe(address);
});

test("lines of other hosts are empty, and all others as they were", () => {
	expect(
		withoutOthers(
			"https://a.example/1\n/b?u=https://other.example/\nhttps://b.example/2\n\nhttps://A.example:443/3\nno url\nb.example/4\na.example/5\n//b.example/6\n/\\b.example/7\nhttps:b.example/8\n//a.example/9",
			"a.example",
		),
	).toBe(
		"https://a.example/1\n/b?u=https://other.example/\n\n\nhttps://A.example:443/3\nno url\n\na.example/5\n\n\n\n//a.example/9",
	);
});

test.each<[rules: string, access: string, line: number | null]>([
	["", "all", null],
	["Disallow:", "all", null],
	["Disallow: /", "nothing", 2],
	["Disallow: /*", "nothing", 2],
	["Disallow: *", "nothing", 2],
	["Disallow: /a\nDisallow: /", "nothing", 3],
	["Disallow: /a", "parts", 2],
	["Disallow: /$", "parts", 2],
	["Disallow: /b\nDisallow: /longer", "parts", 2],
	["Disallow: /\nAllow: /a", "parts", 2],
	["Allow: /a\nDisallow: /a/b\nDisallow: /", "parts", 4],
	["Disallow: /\nAllow: /", "all", null],
	["Disallow: /\nAllow: /*", "all", null],
	["Disallow: /*\nAllow: /", "all", null],
	["Disallow: /a*\nAllow: /a", "all", null],
	["Disallow: /a\nAllow: /a", "all", null],
	["Disallow: /a\nAllow: /", "parts", 2],
])("of a site with %j a crawler may fetch %s", (rules, access, line) => {
	const robots = RobotsTxt.parse(`User-agent: *\n${rules}\n`);
	expect(ofSite(robots.sortedRules("Nobody"))).toEqual({ access, line });
	const allowed = ["/", "/a", "/qxzj"].map((path) =>
		robots.isAllowed(path, "Nobody"),
	);
	if (access === "all") expect(allowed).not.toContain(false);
	if (access === "nothing") expect(allowed).not.toContain(true);
});
