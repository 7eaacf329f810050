import { describe, expect, test } from "vitest";
import { RobotsTxt } from "../../src/index.ts";
import { dialects } from "../differential.ts";

const KIB = 1024;
const a = (length: number) => "a".repeat(length);
const many = (count: number, rule: (i: number) => string) =>
	Array.from({ length: count }, (_, i) => `Disallow: ${rule(i)}`).join("\n");

/**
 * Files and paths made to cost time: the rules, then paths that none of them matches, then paths that one does.
 * A run that takes far too long hits the time limit of all tests.
 */
const attacks: readonly (readonly [
	what: string,
	rules: string,
	misses: readonly string[],
	hits: readonly string[],
])[] = [
	[
		"250,000 wildcards in one rule",
		`Disallow: /${"*a".repeat(250_000)}b`,
		[`/${a(64 * KIB)}`],
		[`/${a(250_000)}b`],
	],
	[
		"a few wildcards, all of which nearly match",
		many(500, (i) => `/${"*a".repeat(400)}*b${i}`),
		[`/${a(64 * KIB)}`],
		[`/${a(64 * KIB)}b7`],
	],
	[
		"long literals that differ late",
		many(30, (i) => `/*${a(8_000)}b${a(8_000)}*c${i}`),
		[`/${a(64 * KIB)}`],
		[`/${a(8_000)}b${a(8_000)}c3`],
	],
	[
		"long literals behind a prefix",
		many(30, (i) => `/a*${a(8_000)}b${a(8_000)}*c${i}`),
		[`/${a(64 * KIB)}`],
		[`/a${a(8_000)}b${a(8_000)}c3`],
	],
	[
		"1,000 literals, each the start of the next",
		many(1000, (i) => `/*${a(i + 1)}*b`),
		[`/${a(64 * KIB)}`],
		[`/${a(64 * KIB)}b`],
	],
	[
		"1,000 literals at the end, each the start of the next",
		many(1000, (i) => `/*${a(i + 1)}$`),
		[`/${a(64 * KIB)}b`],
		[`/b${a(7)}`],
	],
	[
		"1,000 literals that nearly occur, in a path of escapes",
		many(1000, (i) => `/*${a(i + 1)}%3A%*`),
		[`/${`${a(32)}b/${"%2A".repeat(80)}`.repeat(200)}`],
		[`/${"%2A".repeat(20_000)}${a(500)}%3A%`],
	],
	[
		"literals of two windows that occur apart",
		many(10_000, (i) => `/*x*${a(12)}${"b".repeat(12)}*${i}c`),
		[`/x${`${a(12)}bbbb${a(4)}${"b".repeat(12)}c`.repeat(2000)}`],
		[`/x${"ab".repeat(30_000)}${a(12)}${"b".repeat(12)}-77c`],
	],
	[
		"a path too long for large windows",
		many(300, (i) => `/*x*${a(1000)}b${i}`),
		[`/x${`${a(999)}b`.repeat(500)}`],
		[`/x${`${a(999)}b`.repeat(500)}a${a(999)}b7`],
	],
	[
		"30,000 rules that share their literals",
		many(30_000, (i) => `/*ab*b${i}c`),
		[`/${"ab".repeat(32 * KIB)}`],
		[`/${"ab".repeat(32 * KIB)}29999c`],
	],
	[
		"30,000 wildcards behind one prefix",
		many(30_000, (i) => `/a*ab${i}c`),
		[`/${a(64 * KIB)}b`],
		[`/${a(64 * KIB)}b29999c`],
	],
	[
		"100,000 rules",
		many(100_000, (i) => `/${i}/x`),
		["/1/", `/${a(64 * KIB)}`, "/100000/x"],
		["/0/x", "/99999/x/y"],
	],
	[
		"100,000 rules with wildcards",
		many(100_000, (i) => `/*q${i}$`),
		["/q", `/${"q9".repeat(32 * KIB)}z`],
		["/q0", `/${"q9".repeat(32 * KIB)}`],
	],
	[
		"a rule as deep as it is long",
		many(600, (i) => `/${"ab/".repeat(i)}`.slice(0, -1) || "/ab"),
		["/b"],
		[`/${"ab/".repeat(20_000)}`],
	],
	[
		"escapes only",
		many(50, (i) => `/*${"%3A".repeat(1000)}${i}x`),
		[`/${"%3A".repeat(20_000)}`],
		[`/${"%3A".repeat(20_000)}7x`, `/?${":".repeat(20_000)}7x`],
	],
];

describe.each(dialects)("Input made to cost time, %s", (dialect) => {
	// Google's library reads 16,663 bytes of a line.
	const read = attacks.filter(
		([, rules]) =>
			dialect !== "google" ||
			rules.split("\n").every((line) => line.length < 16_663),
	);
	test.each(read)("%s", (_, rules, misses, hits) => {
		using matcher = RobotsTxt.parse(`User-agent: *\n${rules}`, {
			dialect,
			maxBytes: Number.POSITIVE_INFINITY,
		}).for("x");
		// Google's library takes reserved characters as they come.
		const wanted = hits.filter(
			(p) => dialect !== "google" || !p.includes("?:"),
		);
		const lines = new TextEncoder().encode([...misses, ...wanted].join("\n"));
		expect([...matcher.matchLines(lines)]).toEqual([
			...misses.map(() => 1),
			...wanted.map(() => 0),
		]);
	});
});
