import { describe, expect, test } from "vitest";
import { traceOf } from "../packages/playground/worker/trace.ts";
import { tokenise } from "../src/engine/workspace.ts";
import { RobotsIndex, RobotsTxt } from "../src/index.ts";
import { dialectRules } from "../src/robots-txt/dialect.ts";
import { extentOf } from "../src/robots-txt/parse.ts";

/** Work and memory are counted, not timed: `npm run growth` measures times. */

const many = (count: number, line: (i: number) => string) =>
	Array.from({ length: count }, (_, i) => `${line(i)}\n`).join("");

const files: readonly (readonly [what: string, make: (n: number) => string])[] =
	[
		["groups", (n) => many(n, (i) => `User-agent: a${i}\nDisallow: /${i}`)],
		[
			"agents in one group",
			(n) => `${many(n, (i) => `User-agent: a${i}`)}Disallow: /`,
		],
		[
			"rules in one group",
			(n) => `User-agent: *\n${many(n, (i) => `Disallow: /*q${i}$`)}`,
		],
		[
			"wildcards in one rule",
			(n) => `User-agent: *\nDisallow: /${"*a".repeat(n)}b`,
		],
		["bytes in one line", (n) => `User-agent: *\nDisallow: /${"a".repeat(n)}`],
		["lines of nothing known", (n) => many(n, (i) => `x${i}: y`)],
		["lines without a colon", (n) => many(n, (i) => `x${i}`)],
	];

function recordsOf(text: string): number {
	const bytes = new TextEncoder().encode(text);
	const rules = dialectRules("rfc9309");
	const lists = tokenise(extentOf(bytes, rules, bytes.length));
	return lists.ruleCount + lists.agentCount + lists.otherCount;
}

const programOf = (text: string) =>
	RobotsTxt.parse(text, { maxBytes: text.length }).for("a7").byteLength;

function indexOf(text: string): number {
	using index = new RobotsIndex({ agent: "a7" });
	index.set("https://h.example", text);
	return index.byteLength;
}

/** Four times the input may be so many times the count: numbers in it get longer. */
const MOST = 4.8;

describe.each(files)("Four times as many %s", (_, make) => {
	test.each([
		["records of the tokeniser", recordsOf],
		["bytes of byte-code", programOf],
		["bytes of an index", indexOf],
	] as const)("%s", (_, count) => {
		const [small, large] = [make(2000), make(8000)];
		expect(count(large)).toBeLessThanOrEqual(MOST * count(small));
	});
});

/** Instructions that run until the verdict. */
function instructionsOf(robots: string, url: string): number {
	const trace = traceOf(RobotsTxt.parse(robots).for("x").program, url);
	expect(trace.more).toBe(false);
	return trace.steps.length;
}

const rulesOf = (rules: string) => `User-agent: *\n${rules}`;

const runs: readonly (readonly [
	what: string,
	robots: (n: number) => string,
	url: (n: number) => string,
	most: number,
])[] = [
	[
		"rules without a wildcard: none is tried in vain",
		(n) => rulesOf(many(n, (i) => `Disallow: /${i}/x`)),
		() => "/7/y",
		1,
	],
	[
		"rules whose literal the URL has not",
		(n) => rulesOf(many(n, (i) => `Disallow: /*q${i}z$`)),
		() => `/${"q".repeat(50)}`,
		1,
	],
	[
		"rules whose literal the URL has",
		(n) => rulesOf(many(n, (i) => `Disallow: /*ab*b${i}c`)),
		() => `/${"ab".repeat(20)}`,
		MOST,
	],
	[
		"wildcards in one rule",
		(n) => rulesOf(`Disallow: /${"*a".repeat(n)}b`),
		() => `/${"a".repeat(800)}`,
		MOST,
	],
	[
		"bytes of the URL, one rule",
		() => rulesOf("Disallow: /*ab*ac$"),
		(n) => `/${"ab".repeat(n)}`,
		MOST,
	],
];

test.each(runs)(
	"Instructions for four times as many %s",
	(_, robots, url, most) => {
		const small = instructionsOf(robots(200), url(200));
		expect(instructionsOf(robots(800), url(800))).toBeLessThanOrEqual(
			Math.max(most * small, small + 4),
		);
	},
);
