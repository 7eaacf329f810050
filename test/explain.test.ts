import { expect, test } from "vitest";
import {
	type Agent,
	type Dialect,
	RobotrieError,
	RobotsTxt,
} from "../src/index.ts";
import { dialects } from "./differential.ts";

interface Row {
	readonly file: string;
	readonly url: string;
	readonly agent?: Agent;
	/** In the order of the dialects; null for no URL. */
	readonly allowed: readonly (boolean | null)[];
	readonly lines: readonly number[];
}

const head = "User-agent: *\n";

const rows: readonly Row[] = [
	{
		file: `${head}Disallow: /a/\nAllow: /a/index.html\n`,
		url: "/a/",
		allowed: [false, true, false],
		lines: [2, 3, 2],
	},
	{
		file: `${head}Dissallow: /a\nDisallow: b\nAllow:\n`,
		url: "/a",
		allowed: [true, false, false],
		lines: [0, 2, 4],
	},
	{
		file: `${head}Disallow: /\n\nUser-agent: Yandex\nDisallow: /a\n`,
		url: "https://e.com/b",
		agent: ["YandexBot", "ExampleBot"],
		allowed: [false, false, true],
		lines: [2, 2, 0],
	},
	{ file: "", url: "/", allowed: [true, true, true], lines: [0, 0, 0] },
];

test.each(rows)(
	"$url by $file",
	({ file, url, agent = "x", allowed, lines }) => {
		for (const own of dialects) {
			using robots = RobotsTxt.parse(file, { dialect: own });
			const found = robots.explainByDialect(url, agent);
			expect(Object.keys(found)).toEqual(dialects);
			for (const [i, dialect] of dialects.entries()) {
				expect(found[dialect]?.allowed ?? null).toBe(allowed[i]);
				expect(found[dialect]?.rule?.line ?? 0).toBe(lines[i]);
				// A dialect's column is what the file says when it is read in that dialect.
				using reading = RobotsTxt.parse(file, { dialect });
				const { rule, group, reason } = reading.explain(url, agent);
				expect(found[dialect]).toMatchObject({ rule, group });
				expect(reason.startsWith(found[dialect]?.reason ?? "-")).toBe(true);
			}
		}
	},
);

test("a text that is not a URL: null in other dialects, an error in its own", () => {
	const parse = (dialect: Dialect) => RobotsTxt.parse(head, { dialect });
	const found = parse("google").explainByDialect("no URL", "x");
	expect(found.google?.allowed).toBe(true);
	expect(found).toMatchObject({ rfc9309: null, yandex: null });
	for (const dialect of ["rfc9309", "yandex"] as const)
		expect(() => parse(dialect).explainByDialect("no URL", "x")).toThrow(
			RobotrieError,
		);
	expect(() => parse("google").explainByDialect("/", [])).toThrow(
		RobotrieError,
	);
});

test("a reason cuts long patterns and agents", () => {
	const long = "a".repeat(1e6);
	const robots = RobotsTxt.parse(`User-agent: x\nDisallow: /${long}\n`, {
		maxBytes: 1e7,
	});
	for (const agent of ["x", long])
		expect(robots.explain(`/${long}`, agent).reason.length).toBeLessThan(500);
});

const reasons: readonly (readonly [
	rule: string,
	reasons: Readonly<Record<Dialect, string>>,
])[] = [
	[
		"Disallow:",
		{
			rfc9309: "No rule of the group at line 1 matches",
			google: "has no path, so it disallows nothing; no longer rule matches.",
			yandex:
				"has no path, and counts as Allow: / for Yandex; no longer rule matches.",
		},
	],
	[
		"Allow:",
		{
			rfc9309: "No rule of the group at line 1 matches",
			google: "has no path, so it says nothing; no longer rule matches.",
			yandex:
				"has no path, and counts as Disallow: / for Yandex; no longer rule matches.",
		},
	],
];

test.each(reasons)(
	"an empty rule is not called the longest: %s",
	(rule, by) => {
		for (const dialect of dialects) {
			using robots = RobotsTxt.parse(`${head}${rule}\nDisallow: /b\n`, {
				dialect,
			});
			expect(robots.explainByDialect("/a", "x")[dialect]?.reason).toContain(
				by[dialect],
			);
			expect(robots.explain("/b", "x").reason).toMatch(
				/^Disallow: \/b \(line 3\) is the longest rule/,
			);
		}
	},
);

test.each([
	["Disallow: /\nDisallow:", "yandex", 3, "Disallow::1 Disallow:/:1"],
	["Disallow:\nDisallow: /", "yandex", 2, "Disallow::1 Disallow:/:1"],
	["Allow: /\nAllow:", "yandex", 2, "Allow:/:1 Allow::1"],
	["Disallow: *\nDisallow:", "yandex", 3, "Disallow::1 Disallow:*:0"],
	["Disallow: /a\nDisallow:", "yandex", 2, "Disallow:/a:2 Disallow::1"],
	["Disallow: /\nDisallow:", "google", 2, "Disallow:/:1 Disallow::0"],
	["Disallow: /\nDisallow:", "rfc9309", 2, "Disallow:/:1"],
] as const)(
	"an empty rule beside others, %j in %s: no longer one is said to lose",
	(rules, dialect, line, sorted) => {
		const robots = RobotsTxt.parse(`${head}${rules}\n`, { dialect });
		expect(robots.explain("/a", "x").rule?.line).toBe(line);
		const inOrder = robots.sortedRules("x");
		expect(
			inOrder
				.map(({ type, pattern, bytes }) => {
					const field = type === "allow" ? "Allow" : "Disallow";
					return `${field}:${pattern}:${bytes}`;
				})
				.join(" "),
		).toBe(sorted);
		// Never a shorter one in front of a longer.
		const lengths = inOrder.map(({ bytes }) => bytes);
		expect(lengths).toEqual(lengths.toSorted((a, b) => b - a));
	},
);

test("a crawler without a name is called that", () => {
	const robots = RobotsTxt.parse("User-agent: a\nDisallow: /\n");
	for (const one of Object.values(robots.explainByDialect("/a", "")))
		expect(one?.reason).toBe(
			"No group applies to a crawler without a name, so everything is allowed.",
		);
});

test("a list of agents may be another one for the next question", () => {
	const robots = RobotsTxt.parse(
		"User-agent: a\nDisallow: /\n\nUser-agent: b\nAllow: /",
	);
	const agents = ["a"];
	expect(robots.explain("/x", agents).allowed).toBe(false);
	agents[0] = "b";
	expect(robots.explain("/x", agents).allowed).toBe(true);
	expect(robots.isAllowed("/x", agents)).toBe(true);
});
