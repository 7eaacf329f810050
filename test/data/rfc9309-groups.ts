import type { Row } from "./rfc9309.ts";

const groups = `User-agent: a
User-agent: b/1.0
Disallow: /ab
User-agent: MJ12bot
Disallow: /mj
User-agent: *
Disallow: /all
User-agent: A
Sitemap: https://example.com/s.xml
Unknown: x
User-agent: c
Disallow: /ac
Allow: /ab/c
User-agent: d
`;

const grouped = (
	where: string,
	...cases: readonly (readonly [string | readonly string[], string, number])[]
): readonly Row[] =>
	cases.map(([agent, url, line]) => ({
		where,
		rules: groups,
		url,
		line,
		agent,
	}));

export const groupRows: readonly Row[] = [
	...grouped(
		"§2.2.1, groups of one agent are merged",
		["a", "/ab", 3],
		["a", "/ac", 12],
		["a", "/ab/c", 13],
		["b", "/ac", 0],
		["c", "/ab", 0],
	),
	...grouped("§2.2.1, case of the product token", ["B", "/ab", 3]),
	...grouped(
		"§2.2.1, what follows a product token",
		["b", "/ab", 3],
		["b/2.0 (x)", "/ab", 3],
	),
	...grouped(
		"§2.2.1, tokens are compared whole",
		["ab", "/ab", 0],
		["ab", "/all", 7],
		["mj", "/mj", 0],
	),
	...grouped("SPEC, digits in tokens", ["MJ12bot", "/mj", 5]),
	...grouped(
		"§2.2.1, * without a group of one's own",
		["x", "/all", 7],
		["a", "/all", 0],
		["d", "/all", 0],
		["", "/all", 7],
	),
	...grouped(
		"SPEC, a list of agents: the first that has a group",
		[["x", "a"], "/ab", 3],
		[["d", "a"], "/ab", 0],
		[["x", "y"], "/all", 7],
	),
	...grouped("§2.2.4, other lines do not end a group", ["c", "/ac", 12]),
];
