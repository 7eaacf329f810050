import fc from "fast-check";
import { expect, test } from "vitest";
import { RobotsTxt } from "../../../../src/index.ts";
import { countedBytes } from "../../../../src/matching/rules.ts";
import { dialectNames } from "../../../../src/robots-txt/dialect.ts";
import { casesOf } from "../../../../test/cases.ts";
import { Judge } from "../../worker/judge.ts";

test.each([
	["/a", "rfc9309", 2],
	["a", "rfc9309", 2],
	["/a*", "rfc9309", 2],
	["/a*", "google", 3],
	["/a*$", "rfc9309", 4],
	["/%7Ea", "rfc9309", 3],
	["/%7Ea", "google", 5],
	["/%2Fa", "rfc9309", 3],
	["/?%2Fa", "rfc9309", 4],
	["/grün", "rfc9309", 10],
	["/gr%c3%bcn", "rfc9309", 10],
	["/grün", "google", 10],
	["/a$b", "rfc9309", 6],
	["/a$b", "google", 4],
	["/a$*", "rfc9309", 5],
	["**", "rfc9309", 0],
] as const)("%s in %s counts %d bytes", (pattern, dialect, bytes) => {
	expect(countedBytes(pattern, dialect)).toBe(bytes);
});

const pattern = fc
	.array(
		fc.constantFrom("a", "b", "/", "*", "$", "?", "ü", "%61", "%2F", "%C3%BC"),
		{ maxLength: 6 },
	)
	.map((parts) => `/${parts.join("")}`);
/** Also those that begin with a wildcard, or a letter. */
const anyPattern = fc
	.tuple(fc.constantFrom("", "*", "**", "a*"), pattern)
	.map(([begin, rest]) => begin + rest);

test("which of two rules decides is what the counts say", () => {
	fc.assert(
		fc.property(
			fc.constantFrom(...dialectNames),
			anyPattern,
			anyPattern,
			pattern,
			(dialect, one, other, url) => {
				const parse = (text: string) => RobotsTxt.parse(text, { dialect });
				const allows = (rule: string) =>
					parse(`User-agent: *\n${rule}`).explain(url, "a").rule !== null;
				fc.pre(allows(`Allow: ${one}`) && allows(`Disallow: ${other}`));
				const decides = parse(
					`User-agent: *\nAllow: ${one}\nDisallow: ${other}`,
				).explain(url, "a").allowed;
				expect(decides).toBe(
					countedBytes(one, dialect) >= countedBytes(other, dialect),
				);
			},
		),
		{ numRuns: casesOf(1000) },
	);
});

test("all rules that match are told, the deciding one first", () => {
	fc.assert(
		fc.property(
			fc.constantFrom(...dialectNames),
			fc.uniqueArray(pattern, { minLength: 1, maxLength: 8 }),
			pattern,
			(dialect, patterns, url) => {
				const judge = new Judge();
				const rules = patterns.map((text) => `Disallow: ${text}`);
				judge.setRobots(`User-agent: *\n${rules.join("\n")}\n`);
				const { matching } = judge.explain(url, { agent: "a", dialect });
				const expected = rules.flatMap((rule, i) =>
					RobotsTxt.parse(`User-agent: *\n${rule}`, { dialect }).explain(
						url,
						"a",
					).rule
						? [i + 2]
						: [],
				);
				expect(matching.map(({ line }) => line).sort((a, b) => a - b)).toEqual(
					expected,
				);
				const bytes = matching.map((rule) => rule.bytes);
				expect(bytes).toEqual(bytes.toSorted((a, b) => b - a));
			},
		),
		{ numRuns: casesOf(300) },
	);
});
