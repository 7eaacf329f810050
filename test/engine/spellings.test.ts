import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Dialect, RobotsTxt } from "../../src/index.ts";
import { indexErrors, type RuleText, robotsOf, runs } from "../differential.ts";

/**
 * The same question in another spelling: replacing any spelling by one that the dialect calls equal, in one rule or in the URL alone,
 * changes neither the verdict nor the rule that decides.
 */

/** Spellings of the same text. */
type Unit = readonly string[];

const letters: readonly Unit[] = [
	["a", "%61"],
	["B", "%42"],
	["3", "%33"],
	["~", "%7E", "%7e"],
	["\u00e9", "%C3%A9", "%c3%a9", "%c3%A9"],
	[" a", "%20a"],
	["{", "%7B", "%7b"],
	["|", "%7C", "%7c"],
	["\u0001a", "%01a"],
	["%09"],
	["%26", "%26"],
	["&"],
	["%25"],
	["%C3", "%c3"],
	// A "%" that begins no escape, and what would make it one.
	["%4%41", "%%34%41", "%%34A"],
	["%A%42", "%%41%42", "%%41B"],
	["%%32%66", "%2%66", "%%32f"],
	["%%41G", "%AG", "%A%47"],
	["%\u00e9", "%%C3%A9"],
	["%C%33%A9", "%%433%A9", "\u00e9"],
	["%2%30b", "%%320b", " b"],
];
const reservedInPath: readonly Unit[] = [["/"], ["%2F", "%2f"]];
/** Not "/" and "?", which mean more than themselves in front of the query. */
const reserved: readonly Unit[] = [
	[":", "%3A", "%3a"],
	["@", "%40"],
	["[", "%5B", "%5b"],
	["]", "%5D"],
];
const reservedInQuery: readonly Unit[] = [
	...reserved,
	["/", "%2F", "%2f"],
	["?", "%3F"],
	["%23"],
];
const wildcardsInUrl: readonly Unit[] = [
	["*", "%2A", "%2a"],
	["$", "%24"],
];
const wildcardsInRule: readonly Unit[] = [
	["%2A", "%2a"],
	["$a", "%24a", "%24%61"],
];
const star: readonly Unit[] = [["*"]];
const ends: Readonly<Record<"rfc9309" | "yandex", readonly Unit[]>> = {
	rfc9309: [["", "*", "**"], ["$"]],
	yandex: [["", "*", "**", "*$", "**$"], ["$"]],
};

const units = (from: readonly Unit[], maxLength: number) =>
	fc.array(fc.constantFrom(...from), { maxLength, size: "max" });
const maybe = <T>(some: fc.Arbitrary<readonly T[]>) =>
	fc.option(some, { nil: [] as readonly T[] });
const query = (some: fc.Arbitrary<readonly Unit[]>) =>
	maybe(some.map((rest): readonly Unit[] => [["?"], ...rest]));
const joined = (...parts: readonly fc.Arbitrary<readonly Unit[]>[]) =>
	fc.tuple(...parts).map((all): readonly Unit[] => [["/"], ...all.flat()]);

const url = joined(
	units([...letters, ...reservedInPath, ...wildcardsInUrl], 4),
	query(units([...letters, ...reservedInQuery, ...wildcardsInUrl], 5)),
);

const pattern = (dialect: "rfc9309" | "yandex") =>
	joined(
		units([...letters, ...reservedInPath, ...wildcardsInRule], 2),
		// A reserved character here equals its escape in the query, and paths above have none.
		maybe(
			units(
				[...letters, ...reserved, ...reserved, ...wildcardsInRule, ...star],
				4,
			).map((some): readonly Unit[] => [["*"], ...some]),
		),
		query(
			units([...letters, ...reservedInQuery, ...wildcardsInRule, ...star], 4),
		),
		fc.constantFrom(...ends[dialect]).map((end) => [end]),
	);

/** A text in the spelling that numbers choose; without them in the first one. */
const spell = (text: readonly Unit[], choices: readonly number[] = []) =>
	text
		.map((unit, i) => unit[(choices[i % choices.length] ?? 0) % unit.length])
		.join("");

describe.each(["rfc9309", "yandex"] as const)("%s", (dialect) => {
	test("another spelling of one rule or of the URL changes nothing", () => {
		const choices = fc.array(fc.nat(11), { minLength: 1, maxLength: 9 });
		fc.assert(
			fc.property(
				fc.array(fc.tuple(fc.boolean(), pattern(dialect)), {
					minLength: 1,
					maxLength: 5,
				}),
				fc.array(url, { minLength: 1, maxLength: 12, size: "max" }),
				fc.nat(),
				choices,
				choices,
				(rules, urls, number, ofRule, ofUrl) => {
					const plain = rules.map(
						([allow, text]): RuleText => [allow, spell(text)],
					);
					const changed = rules.map(
						([allow, text], i): RuleText => [
							allow,
							spell(text, i === number % rules.length ? ofRule : []),
						],
					);
					const paths = urls.map((text) => spell(text));
					const others = urls.map((text) => spell(text, ofUrl));
					const wanted = decisions(plain, paths, dialect);
					expect(decisions(plain, others, dialect)).toEqual(wanted);
					expect(decisions(changed, paths, dialect)).toEqual(wanted);
				},
			),
			runs(4000),
		);
	});
});

function decisions(
	rules: readonly RuleText[],
	paths: readonly string[],
	dialect: Dialect,
) {
	using matcher = RobotsTxt.parse(robotsOf(rules), { dialect }).for("x");
	expect(indexErrors(matcher, paths)).toEqual([]);
	return paths.map((path) => {
		const rule = matcher.match(path);
		return rule && `${rule.type} ${rule.line}`;
	});
}
