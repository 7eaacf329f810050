import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Judge } from "../packages/playground/worker/judge.ts";
import { type Dialect, RobotsTxt } from "../src/index.ts";
import { casesOf } from "./cases.ts";

/** Files, and the patterns of their rules in the order of decision, with the bytes that count. */
const files: readonly (readonly [
	what: string,
	rules: readonly string[],
	sorted: Readonly<Partial<Record<Dialect, readonly string[]>>>,
])[] = [
	[
		"the Yandex document's first example",
		["Allow: /catalog", "Disallow: /"],
		{ yandex: ["allow /catalog 8", "disallow / 1"] },
	],
	[
		"the Yandex document's second example",
		["Allow: /", "Allow: /catalog/auto", "Disallow: /catalog"],
		{ yandex: ["allow /catalog/auto 13", "disallow /catalog 8", "allow / 1"] },
	],
	[
		"Allow in front of Disallow of the same length",
		["Disallow: /b", "Allow: /a"],
		{
			rfc9309: ["allow /a 2", "disallow /b 2"],
			google: ["allow /a 2", "disallow /b 2"],
			yandex: ["allow /a 2", "disallow /b 2"],
		},
	],
	[
		"wildcards at the end",
		["Disallow: /abc*", "Allow: /ab*d"],
		{
			rfc9309: ["allow /ab*d 5", "disallow /abc* 4"],
			google: ["allow /ab*d 5", "disallow /abc* 5"],
		},
	],
	[
		"rules without a path",
		["Allow:", "Disallow: /a"],
		{
			rfc9309: ["disallow /a 2"],
			google: ["disallow /a 2", "allow  0"],
			yandex: ["disallow /a 2", "allow  1"],
		},
	],
	[
		"what Google's library adds",
		["Disallow: /a", "Allow: /a/index.html"],
		{
			rfc9309: ["allow /a/index.html 13", "disallow /a 2"],
			google: [
				"allow /a/index.html 13",
				"allow /a/$ 4 implied",
				"disallow /a 2",
			],
		},
	],
	["no rules", [], { rfc9309: [], google: [], yandex: [] }],
];

describe.each(files)("%s", (_, rules, byDialect) => {
	test.each(Object.entries(byDialect))("%s", (dialect, wanted) => {
		const robots = RobotsTxt.parse(
			`User-agent: other\nDisallow: /no\nUser-agent: *\n${rules.join("\n")}\n`,
			{ dialect: dialect as Dialect },
		);
		expect(
			robots
				.sortedRules("examplebot")
				.map(
					({ type, pattern, bytes, implied }) =>
						`${type} ${pattern} ${bytes}${implied ? " implied" : ""}`,
				),
		).toEqual(wanted);
	});
});

const path = fc
	.array(fc.constantFrom("a", "b", "/", "*", "$", "%41", "index.html"), {
		maxLength: 6,
	})
	.map((parts) => `/${parts.join("")}`);
const rule = fc.tuple(fc.constantFrom("Allow", "Disallow"), path);
const url = path.map((text) => text.replace(/[*$]/g, "x"));

describe.each(["rfc9309", "google", "yandex"] as const)("%s:", (dialect) => {
	test("the first of the sorted rules that matches is the one that explain names", () => {
		fc.assert(
			fc.property(
				fc.array(rule, { maxLength: 12 }),
				fc.array(url, { minLength: 1, maxLength: 5 }),
				(rules, urls) => {
					const text = rules.map(([type, pattern]) => `${type}: ${pattern}`);
					const robots = RobotsTxt.parse(
						`User-agent: *\n${text.join("\n")}\n`,
						{ dialect },
					);
					const sorted = robots.sortedRules("examplebot");
					for (const one of urls) {
						const first = sorted.find(({ type, pattern }) => {
							// By itself, and as Disallow, which implies nothing; a rule without a path matches all.
							const alone = RobotsTxt.parse(
								`User-agent: *\nDisallow: ${pattern}\n`,
								{ dialect },
							);
							expect(["allow", "disallow"]).toContain(type);
							return !alone.isAllowed(one, "examplebot");
						});
						const { rule: deciding } = robots.explain(one, "examplebot");
						expect(first?.line ?? null).toBe(deciding?.line ?? null);
						expect(first?.type ?? null).toBe(deciding?.type ?? null);
					}
				},
			),
			{ numRuns: casesOf(150) },
		);
	});
	test("the playground shows the same", () => {
		const text =
			"User-agent: *\nAllow: /catalog\nDisallow: /\nDisallow: /c*d\n";
		const judge = new Judge();
		judge.setRobots(text);
		const { sorted } = judge.judge({ agent: "examplebot", dialect });
		const rules = RobotsTxt.parse(text, { dialect }).sortedRules("examplebot");
		expect(sorted).toEqual({ rules, total: 3 });
	});
});
