import { expect, test } from "vitest";
import { RobotsTxt } from "../../../../src/index.ts";
import { proposalFor } from "../../page/url-text.ts";

test.each([
	["example.com/x", "https://example.com/x"],
	["example.com", "https://example.com"],
	["example.com:8080?a", "https://example.com:8080?a"],
	["bücher.example/ü", "https://bücher.example/ü"],
	[" /cart", "/cart"],
	["/cart\t", "/cart"],
	['"https://example.com/x"', "https://example.com/x"],
	["'/x'", "/x"],
	["“/x”", "/x"],
	["<https://example.com/>", "https://example.com/"],
	['  "example.com/x",', "https://example.com/x"],
	['""', undefined],
	["", undefined],
	['"', undefined],
	["two words", undefined],
	["example.com/a b", undefined],
	["cart", undefined],
	["mailto:a@example.com", undefined],
	["ftp://example.com/", undefined],
	["/cart", undefined],
	["https://", undefined],
])("%j probably means %j, which is a URL", (line, meant) => {
	expect(proposalFor(line)).toBe(meant);
	if (meant === undefined) return;
	const robots = RobotsTxt.parse("User-agent: *\nDisallow: /");
	expect([...robots.for("x").matchMany([meant])]).toEqual([0]);
});
