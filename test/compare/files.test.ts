import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CompareOptions, compareFiles } from "../../src/compare.ts";
import { crawlers, RobotsTxt } from "../../src/index.ts";
import { runs } from "../differential.ts";

const star = (...rules: readonly string[]) =>
	`User-agent: *\n${rules.join("\n")}\n`;

/** A change as rows tell it: the URL, the verdict that it has now, the deciding lines, and whose it is. */
type Told = readonly [
	url: string,
	allowed: boolean,
	lines: readonly [before: number | null, after: number | null],
	agents: readonly string[],
];

interface Row {
	readonly what: string;
	readonly before: string;
	readonly after: string;
	readonly options?: CompareOptions;
	readonly changes: readonly Told[];
}

const x = { agents: ["x"] };
const rows: readonly Row[] = [
	{
		what: "the same file",
		before: star("Disallow: /a"),
		after: star("Disallow: /a"),
		options: x,
		changes: [],
	},
	{
		what: "other words for the same",
		before: star("Disallow: /a", "Disallow: /b"),
		after: `# why\n${star("Disallow: /b", "Disallow: /a", "Disallow: /a/c")}`,
		options: x,
		changes: [],
	},
	{
		what: "a new rule",
		before: star("Disallow: /a"),
		after: star("Disallow: /a", "Disallow: /b/c"),
		options: x,
		changes: [["/b/c", false, [null, 3], ["x"]]],
	},
	{
		what: "a rule less",
		before: star("Allow: /a/b", "Disallow: /a"),
		after: star("Disallow: /a"),
		options: x,
		changes: [["/a/b", false, [2, 2], ["x"]]],
	},
	{
		what: "a path that only two wildcards share",
		before: star("Disallow: /*?sort=", "Allow: /shop/"),
		after: star("Disallow: /*?sort="),
		options: x,
		changes: [],
	},
	{
		what: "a rule less where another one matches",
		before: star("Disallow: /*?a=", "Allow: /shops/"),
		after: star("Disallow: /*?a="),
		options: x,
		changes: [["/shops/?a=", false, [3, 2], ["x"]]],
	},
	{
		what: "an own group",
		before: star("Disallow: /a"),
		after: `${star("Disallow: /a")}User-agent: x\nDisallow: /b\n`,
		options: { agents: ["y", "x"] },
		changes: [
			["/a", true, [2, null], ["x"]],
			["/b", false, [null, 4], ["x"]],
		],
	},
	{
		what: "crawlers that are judged alike",
		before: star("Disallow:"),
		after: star("Disallow: /"),
		options: { agents: ["x", "*", "y", "x"] },
		changes: [["/", false, [null, 2], ["x", "*", "y"]]],
	},
	{
		what: "URLs that are given",
		before: star("Disallow: /a"),
		after: star("Disallow: /b"),
		options: {
			...x,
			urls: ["/a/1", "/a/1", new URL("https://a.test/a/2"), "/b", "/c"],
		},
		changes: [
			["/a/1", true, [2, null], ["x"]],
			["https://a.test/a/2", true, [2, null], ["x"]],
			["/b", false, [null, 2], ["x"]],
		],
	},
	{
		what: "a path that begins with two slashes",
		before: star("Disallow: //a"),
		after: "",
		options: x,
		changes: [["https://example.com//a", true, [2, null], ["x"]]],
	},
	{
		what: "empty files",
		before: "",
		after: "",
		changes: [],
	},
];

describe("Verdicts that change", () => {
	test.each(rows)("$what", ({ before, after, options, changes }) => {
		const found = compareFiles(
			RobotsTxt.parse(before),
			RobotsTxt.parse(after),
			options,
		);
		expect(
			found.changes.map(({ url, agents, before, after }) => {
				expect(before.allowed).toBe(!after.allowed);
				const lines = [before.rule?.line ?? null, after.rule?.line ?? null];
				return [url, after.allowed, lines, agents];
			}),
		).toEqual(changes);
		expect(found.complete).toBe(true);
	});

	test("without agents: *, those that the files name, and all known ones", () => {
		const { agents, changes } = compareFiles(
			RobotsTxt.parse("User-agent: MyBot/2\nUser-agent: googlebot\nAllow: /"),
			RobotsTxt.parse(`${star("Disallow: /")}User-agent: other bot\nAllow: /`),
		);
		expect(agents.slice(0, 4)).toEqual(["*", "MyBot", "Googlebot", "other"]);
		expect(new Set(agents)).toEqual(
			new Set(["*", "MyBot", "other", ...crawlers.map(({ name }) => name)]),
		);
		const changed = changes.flatMap((change) => change.agents);
		expect(changed).toContain("MyBot");
		expect(changed).not.toContain("other");
		expect(changed).not.toContain("AdsBot-Google");
	});

	test.each([
		["User-agent: : Garlik\nUser-agent: *Foo*", ["Garlik", "Foo"], "rfc9309"],
		["User-agent: larbin_2.6.2 (x)\nUser-agent: bot0.5", ["larbin", "bot"]],
		["User-agent: *\nUser-agent: * x\nUser-agent: /x", []],
		["User-agent: İ Foo (x)", ["Foo"], "yandex"],
		["User-agent: MJ-x12\nUser-agent: : a", ["MJ-x"], "google"],
		// V8 makes no expression of so many.
		[`User-agent: İ ${"Z".repeat(40_000)}`, ["Z".repeat(40_000)], "yandex"],
	] as const)("the names in %j", (before, names, dialect = "rfc9309") => {
		const read = (text: string) => RobotsTxt.parse(text, { dialect });
		const { agents } = compareFiles(read(before), read(""));
		expect(agents.slice(1, -crawlers.length)).toEqual(names);
	});

	test("a URL that is none", () =>
		expect(() =>
			compareFiles(RobotsTxt.parse(""), RobotsTxt.parse(""), {
				urls: ["/", "nonsense"],
			}),
		).toThrow(/^"nonsense" is neither/));

	test("too many pairs of rules are left out, and it says so", () => {
		const rules = (prefix: string, type: string) =>
			Array.from({ length: 1500 }, (_, i) => `${type}: /${prefix}${i}/`);
		const before = star(...rules("a", "Allow"), ...rules("b", "Disallow"));
		const found = compareFiles(RobotsTxt.parse(before), RobotsTxt.parse(""), x);
		expect(found.complete).toBe(false);
		expect(found.changes).toHaveLength(1500);
	});
});

describe("As asking for each URL and crawler says", () => {
	const concat = (pieces: readonly string[], maxLength: number) =>
		fc
			.array(fc.constantFrom(...pieces), { maxLength })
			.map((chosen) => `/${chosen.join("")}`);
	const line = fc.oneof(
		fc
			.constantFrom("*", "x", "y", "Googlebot", "Googlebot-News")
			.map((agent) => `User-agent: ${agent}`),
		concat([..."ab/*$", "%61"], 4).map((pattern) => `Disallow: ${pattern}`),
		concat([..."ab/*$", "%61"], 4).map((pattern) => `Allow: ${pattern}`),
	);
	const file = fc
		.array(line, { maxLength: 8 })
		.map((lines) => RobotsTxt.parse(lines.join("\n")));
	const agents = [
		"*",
		"x",
		"y",
		"Googlebot",
		"Googlebot-News",
		"AdsBot-Google",
	];
	const urls = ["", ..."ab/"].flatMap((a) =>
		["", ..."ab/"].map((b) => `/a${a}${b}`),
	);

	test("URLs that are given", () =>
		fc.assert(
			fc.property(file, file, (before, after) => {
				const { changes } = compareFiles(before, after, { agents, urls });
				const found = changes.flatMap(({ url, agents }) =>
					agents.map((agent) => `${agent} ${url}`),
				);
				const expected = agents.flatMap((agent) =>
					[...new Set(urls)]
						.filter(
							(url) =>
								before.isAllowed(url, agent) !== after.isAllowed(url, agent),
						)
						.map((url) => `${agent} ${url}`),
				);
				expect(found.sort()).toEqual(expected.sort());
			}),
			runs(300),
		));

	test("derived paths: what is told is true, for every crawler that is named", () =>
		fc.assert(
			fc.property(file, file, (before, after) => {
				for (const change of compareFiles(before, after, { agents }).changes)
					for (const agent of change.agents) {
						const { url } = change;
						expect(before.isAllowed(url, agent)).toBe(change.before.allowed);
						expect(after.isAllowed(url, agent)).toBe(change.after.allowed);
						expect(change.before.allowed).not.toBe(change.after.allowed);
					}
			}),
			runs(300),
		));

	test("derived paths: of files without wildcards, a change of any path shows for the crawler", () => {
		const plain = fc
			.array(
				fc.oneof(
					concat([..."ab/"], 3).map((pattern) => `Disallow: ${pattern}`),
					concat([..."ab/"], 3).map((pattern) => `Allow: ${pattern}`),
				),
				{ maxLength: 6 },
			)
			.map((rules) => RobotsTxt.parse(star(...rules)));
		fc.assert(
			fc.property(plain, plain, (before, after) => {
				const differs = urls.some(
					(url) => before.isAllowed(url, "x") !== after.isAllowed(url, "x"),
				);
				const { changes } = compareFiles(before, after, x);
				if (differs) expect(changes).not.toEqual([]);
			}),
			runs(500),
		);
	});
});

test("files of thousands of rules of one type are compared to the end", () => {
	// Rules are looked at in pairs of opposite types: here there are none. Passing over all pairs took minutes.
	const file = (letter: string) =>
		RobotsTxt.parse(
			`User-agent: *\n${Array.from({ length: 20_000 }, (_, i) => `Disallow: /a${letter}${i}/*/x\n`).join("")}`,
			{ maxBytes: 1e6 },
		);
	const { changes, complete } = compareFiles(file("p"), file("q"), {
		agents: ["*"],
	});
	expect(changes.length).toBeGreaterThan(0);
	// Paths times wildcard rules are bounded.
	expect(complete).toBe(false);
});
