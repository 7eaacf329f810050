import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lint } from "../../src/lint.ts";
import { casesOf, isWhole } from "../cases.ts";
import {
	dialects,
	oracleRules,
	type RuleText,
	robotsOf,
	runs,
} from "../differential.ts";
import { latin1 } from "../latin1.ts";
import { oracle } from "../oracle.ts";

/** Lines of rules that are said to win never. */
function shadowed(
	rules: readonly RuleText[],
	dialect: (typeof dialects)[number],
): number[] {
	return lint(robotsOf(rules), { dialect })
		.filter(({ code }) => code === "shadowed-rule" || code === "duplicate-rule")
		.map(({ line }) => line);
}

/** All texts of up to `length` units, "/" in front. */
function paths(units: readonly string[], length: number): string[] {
	let last = ["/"];
	const all = [...last];
	for (let i = 0; i < length; i++) {
		last = last.flatMap((path) => units.map((unit) => path + unit));
		all.push(...last);
	}
	return all;
}

/** Lines that decide about one of the paths, by trying them all. */
function winners(
	rules: readonly RuleText[],
	dialect: (typeof dialects)[number],
	all: readonly string[],
): Set<number> {
	const judge = oracle(oracleRules(rules), dialect);
	return new Set(all.map((path) => judge(path).line));
}

const ruleSets = (units: readonly string[], longest: number) =>
	fc.array(
		fc.tuple(
			fc.boolean(),
			fc
				.array(fc.constantFrom(...units), { maxLength: longest })
				.map((text) => `/${text.join("")}`)
				.chain((text) => fc.constantFrom(text, text, text.slice(1) || text)),
		),
		{ minLength: 2, maxLength: 5 },
	);

/** A pattern that begins otherwise than rules do: those have findings of their own, and match nothing for google. */
const isUsual = (rules: readonly RuleText[]) =>
	rules.every(([, pattern]) => /^[/*]/.test(pattern));

describe.each(dialects)("Rules that never win, %s", (dialect) => {
	// "x" is in no pattern, so that paths of it show whatever a pattern leaves open.
	const all = paths(["/", "a", "b", "$", "x"], 5);

	test("are exactly those that decide about no path of a small alphabet", () => {
		fc.assert(
			fc.property(
				ruleSets(["/", "a", "b", "*", "*", "$"], 3).filter(isUsual),
				(rules) => {
					const decide = winners(rules, dialect, all);
					const expected = rules
						.map((_, i) => i + 2)
						.filter((line) => !decide.has(line));
					expect(shadowed(rules, dialect)).toEqual(expected);
				},
			),
			runs(casesOf(150)),
		);
	});

	const spelled = paths(
		["/", "a", "?", "%2F", "%61", "%3F", "%C3%A9", "%", "x"],
		4,
	);

	test("never decide about a path, in whatever spelling", () => {
		const units = [
			"/",
			"a",
			"*",
			"*",
			"?",
			"$",
			"%",
			"C",
			"3",
			"%2F",
			"%2f",
			"%61",
			"%3f",
			"%C3%A9",
			"%c3%a9",
			"\u00e9",
		];
		let found = 0;
		fc.assert(
			fc.property(ruleSets(units, 4).filter(isUsual), (rules) => {
				const decide = winners(rules, dialect, spelled.map(latin1));
				for (const line of shadowed(rules, dialect)) {
					found++;
					expect(decide).not.toContain(line);
				}
			}),
			runs(casesOf(150)),
		);
		expect(found).toBeGreaterThan(isWhole ? 20 : 2);
	});
});

const cases: readonly (readonly [
	what: string,
	rules: readonly RuleText[],
	lines: Readonly<Record<(typeof dialects)[number], readonly number[]>>,
])[] = [
	[
		"the same twice",
		[
			[false, "/a"],
			[false, "/a"],
		],
		{ rfc9309: [3], google: [3], yandex: [3] },
	],
	[
		"allow beats disallow",
		[
			[false, "/a"],
			[true, "/a"],
		],
		{ rfc9309: [2], google: [2], yandex: [2] },
	],
	[
		"a star in front",
		[
			[false, "/a/"],
			[true, "*/a/"],
		],
		{ rfc9309: [2], google: [2], yandex: [2] },
	],
	[
		"a star behind counts for google alone",
		[
			[false, "/ab"],
			[true, "/a*"],
			[true, "/ab*"],
		],
		{ rfc9309: [2], google: [2], yandex: [2] },
	],
	[
		"a star and the end, for yandex nothing",
		[
			[false, "/a*$"],
			[true, "/a"],
		],
		{ rfc9309: [3], google: [3], yandex: [2] },
	],
	[
		"an escaped @ behind a star is no longer than a bare one behind a ?",
		[
			[true, "/*u=a%40"],
			[false, "/s?u=a%40b"],
		],
		{ rfc9309: [], google: [], yandex: [] },
	],
	[
		"a longer rule for the end alone leaves the rest",
		[
			[false, "/a"],
			[true, "/a$"],
		],
		{ rfc9309: [], google: [], yandex: [] },
	],
	[
		"several that match all together, none alone",
		[
			[false, "/a"],
			[true, "/aa"],
			[true, "/ab"],
			[true, "/a$"],
		],
		{ rfc9309: [], google: [], yandex: [] },
	],
	[
		"the same path in another spelling",
		[
			[false, "/a%7Eb"],
			[true, "/a~b"],
		],
		{ rfc9309: [2], google: [], yandex: [2] },
	],
	[
		"a slash that may be in the query, where it has no escape",
		[
			[false, "/*%2Fa"],
			[true, "/*%2F*a"],
		],
		{ rfc9309: [], google: [2], yandex: [] },
	],
	[
		"/robots.txt itself",
		[[false, "/robots.txt$"]],
		{ rfc9309: [2], google: [], yandex: [2] },
	],
	[
		"the folder that an index page allows as well",
		[
			[true, "/a/index.html"],
			[true, "/a/*index*html"],
		],
		{ rfc9309: [2], google: [], yandex: [2] },
	],
	[
		"wildcards within each other",
		[
			[false, "/*a*b*c$"],
			[true, "*b*c*******"],
			[true, "/*a*b*****c$"],
		],
		{ rfc9309: [2], google: [2], yandex: [2] },
	],
];

test.each(cases)("%s", (_, rules, lines) => {
	for (const dialect of dialects)
		expect(shadowed(rules, dialect), dialect).toEqual(lines[dialect]);
});

test("a rule that wins for one of the crawlers that it is for is no finding", () => {
	const file = `User-agent: a
User-agent: b
Disallow: /x
Disallow: /x

User-agent: b
Allow: /x
`;
	const found = lint(file).filter(({ code }) => code !== "repeated-agent");
	expect(found.map(({ line, code }) => `${line} ${code}`)).toEqual([
		"4 duplicate-rule",
	]);
});

test("where every character that could show it occurs, nothing is said", () => {
	const unused = "!'();,&+";
	const file = (all: string) =>
		`User-agent: *\nDisallow: /a\nAllow: /a\nDisallow: /${all}=\n`;
	const codes = (all: string) => lint(file(all)).map(({ code }) => code);
	expect(codes("")).toContain("shadowed-rule");
	expect(codes(unused)).not.toContain("shadowed-rule");
});
