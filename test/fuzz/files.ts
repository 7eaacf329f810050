import fc from "fast-check";
import { RobotsTxt } from "../../src/index.ts";
import { GroupIndex, identify } from "../../src/matching/agents.ts";
import { chooseRanges } from "../../src/matching/dialect-file.ts";
import { rangesOf } from "../../src/matching/rules.ts";
import { dialectRules } from "../../src/robots-txt/dialect.ts";
import { extentOf, parse } from "../../src/robots-txt/parse.ts";
import { bytes } from "../latin1.ts";
import { readFile } from "./line-reader.ts";
import { expectSame, target } from "./target.ts";
import { agents, dialect, robotsTxt } from "./texts.ts";

/** Remarks on values of other lines, which the line reader does not look into. */
const ofValues = /^(invalid-value|invalid-host|repeated-host)$/;
const settings = /^(content-usage|crawl-delay|request-rate|visit-time)$/;

/** The tokeniser, and what is made of its records, as a naive reader of lines has it. */
export const files = target({
	name: "files",
	inputs: fc.record({ robots: robotsTxt, dialect }),
	check: ({ robots, dialect }) => {
		const wanted = readFile(robots, dialect);
		const file = RobotsTxt.parse(bytes(robots), { dialect });
		const groups = wanted.groups.map((group) => ({
			...group,
			rules: group.rules.map(({ allow, pattern, line }) => ({
				type: allow ? "allow" : "disallow",
				pattern: Buffer.from(pattern, "latin1").toString(),
				line,
			})),
		}));
		expectSame("groups", file.groups, groups);
		expectSame("other lines", file.otherLines, wanted.others);
		const isSetting = new Set(
			wanted.others
				.filter(({ field }) => settings.test(field))
				.map(({ line }) => `${line} rule-outside-group`),
		);
		const remarks = file.diagnostics
			.filter(({ code }) => !ofValues.test(code))
			.map(({ line, code }) => `${line} ${code}`)
			.filter((remark) => !isSetting.has(remark));
		expectSame("diagnostics", remarks.sort(), wanted.remarks.sort());
	},
});

const tokens = fc.oneof(
	fc.constantFrom(...agents),
	fc.constantFrom(
		"",
		"*",
		"Googlebot",
		"K",
		"f\u00f8\u00f8",
		"foo bar",
		"foo/1.0",
		"foo-1.0",
		"foo_2",
		": foo",
		"Mozilla/5.0 (compatible; foo/1.0)",
		"-",
	),
);

/** The choice of groups by the module as that by strings. */
export const groups = target({
	name: "groups",
	inputs: fc.record({
		robots: robotsTxt,
		agent: fc.array(tokens, { minLength: 1, maxLength: 3 }),
		dialect: fc.constantFrom("rfc9309", "google", "yandex"),
	}),
	check: ({ robots, agent, dialect }) => {
		const rules = dialectRules(dialect);
		const extent = extentOf(bytes(robots), rules, robots.length);
		const found = chooseRanges(extent, agent, rules);
		const index = GroupIndex.of(parse(extent, rules).groups, rules);
		const wanted = rangesOf(index.groups(index.select(identify(agent, rules))));
		expectSame("rules", rulesIn(found), rulesIn(wanted));
	},
});

function rulesIn(ranges: readonly number[]): number[] {
	const rules: number[] = [];
	for (let at = 0; at < ranges.length; at += 2)
		for (let rule = ranges[at] ?? 0; rule < (ranges[at + 1] ?? 0); rule++)
			rules.push(rule);
	return rules;
}
