import { expect, test } from "vitest";
import { partsOfLine } from "../../editor/line-parts.ts";

test.each([
	["", []],
	["User-agent: *", [["User-agent", "robots-agent"]]],
	["  DISALLOW : /a", [["DISALLOW", "robots-disallow"]]],
	[
		"Allow: /*/b**c$ # why: not",
		[
			["Allow", "robots-allow"],
			["*", "robots-wildcard"],
			["**", "robots-wildcard"],
			["$", "robots-wildcard"],
			["# why: not", "robots-comment"],
		],
	],
	["Disallow: /a$b", [["Disallow", "robots-disallow"]]],
	["Sitemap: https://a.example/*", [["Sitemap", "robots-other"]]],
	["Disalow: /a*", []],
	["no field", []],
	["# Disallow: /", [["# Disallow: /", "robots-comment"]]],
	[`Disallow: /${"a".repeat(5000)}*#b`, [["Disallow", "robots-disallow"]]],
] as const)("the parts of %j", (line, parts) => {
	expect(
		partsOfLine(line).map(({ from, to, className }) => [
			line.slice(from, to),
			className,
		]),
	).toEqual(parts);
});
