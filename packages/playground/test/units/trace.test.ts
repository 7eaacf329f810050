import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { OP_FLOAT, OP_ONCE } from "../../../../assembly/format/opcodes.ts";
import { RobotsTxt } from "../../../../src/index.ts";
import { dialectNames } from "../../../../src/robots-txt/dialect.ts";
import { listingOf } from "../../worker/listing.ts";
import { traceOf } from "../../worker/trace.ts";

const sample = (name: string) =>
	readFileSync(new URL(`../../../../sample/${name}`, import.meta.url), "utf8");
const urls = [
	...sample("urls.txt").trimEnd().split("\n"),
	"/?a=1&sort=b&sessionid=3",
	"/tee/gr%C3%BC%6E/lager/1",
	"no url",
	"",
];

test.each(dialectNames)(
	"steps in %s come to the matcher's verdict, over instructions that are listed",
	(dialect) => {
		const robots = RobotsTxt.parse(sample("robots.txt"), { dialect });
		for (const agent of ["Googlebot", "GPTBot", "AhrefsBot", "Nobody"]) {
			const matcher = robots.for(agent);
			const { instructions } = listingOf(matcher);
			const offsets = new Set(instructions.map(({ offset }) => offset));
			let count = 0;
			for (const url of urls) {
				const [verdict = 0] = matcher.matchMany([url]);
				const trace = traceOf(matcher.program, url);
				expect(trace.verdict).toBe(
					["disallowed", "allowed", "unknown", "invalid"][verdict],
				);
				if (verdict < 2) expect(trace.rank).toBe(matcher.decide(url).rank);
				count += trace.steps.length;
				for (const { offset, at, best } of trace.steps) {
					expect(offsets).toContain(offset);
					expect(at).toBeLessThanOrEqual(Buffer.byteLength(trace.path) + 1);
					expect(best).toBeLessThanOrEqual(trace.rank);
				}
			}
			expect(count).toBeGreaterThan(50);
		}
	},
);

test("a pattern is tried once on a path, however long that is and often its literal", () => {
	const { program } = RobotsTxt.parse(
		"User-agent: *\nDisallow: /*zqz*a$\nDisallow: /*never*met\n",
	).for("a");
	// What follows the literal differs: code that has met the same eight bytes on the path is not run again.
	const parts = [..."cdef"].map((byte) => `zqz${byte}${"a".repeat(9000)}`);
	for (const path of [`/${parts.join("")}b`, `/${parts.join("")}%E4b`]) {
		const opcodes = traceOf(program, path).steps.map(
			({ offset }) => program[offset],
		);
		expect(opcodes.filter((opcode) => opcode === OP_FLOAT)).toHaveLength(1);
		expect(opcodes.filter((opcode) => opcode === OP_ONCE)).toHaveLength(4);
	}
});

test("the same eight bytes are not looked at twice on a long path", () => {
	const { program } = RobotsTxt.parse(
		"User-agent: *\nDisallow: /*zqz*b$\nDisallow: /*never*met\n",
	).for("a");
	// Where a path has few of them at a time, they cost less than a look at each.
	const path = `/${`zqz${"a".repeat(90)}`.repeat(400)}c`;
	const { steps } = traceOf(program, path);
	expect(
		steps.filter(({ offset }) => program[offset] === OP_ONCE),
	).toHaveLength(1);
});

const KIB = 1024;
const list = (count: number, item: (i: number) => string) =>
	Array.from({ length: count }, (_, i) => item(i));
const numbers = list(24_371, (i) => `x${i}`).join("");
const gaps = `/q${"b".repeat(100)}`;

/** "a" and "b" as in a coin's tosses: Marsaglia's xorshift. */
function tosses(state: number) {
	return () => {
		state ^= state << 13;
		state ^= state >>> 17;
		state ^= state << 5;
		return state & 1 ? "a" : "b";
	};
}
const mixed = list(600, tosses(1)).join("");
const at = (i: number, length: number) => {
	const from = i % (mixed.length - length);
	return mixed.slice(from, from + length);
};
/** A text that no repetition of `mixed` has. */
function absent(seed: number, length: number): string {
	const toss = tosses(seed + 2);
	for (;;) {
		const text = list(length, toss).join("");
		if (!`${mixed}${mixed}`.includes(text)) return text;
	}
}

/** 500 KiB of rules, and paths that none of them matches although many of their literals occur. */
const hostile: readonly (readonly [
	what: string,
	rules: readonly string[],
	path: (length: number) => string,
	/** Bytes that are searched for each byte of the path. Searching to the end for each rule takes thousands. */
	most: number,
])[] = [
	[
		"the last literal is in front of the others",
		list(9_212, (i) => {
			const some = list(16, (bit) => (((i * 7) >> bit) & 1 ? "*aa" : "*a"));
			return `/${some.join("")}*b`;
		}),
		(length) => `/b${"a".repeat(length)}`,
		40,
	],
	[
		"most first literals occur, the last one does not",
		list(24_371, (i) => `/*x${i}*b`),
		(length) => `/b${numbers.slice(0, length)}`,
		40,
	],
	[
		"all literals are different and far away",
		list(20_000, (i) => `/*x${i}*y${i}`),
		(length) =>
			`/${numbers.slice(0, length / 2).replaceAll("x", "y")}${numbers.slice(0, length / 2)}`,
		200,
	],
	[
		"the literal that is far away occurs often",
		list(20_000, (i) => `/*x${i}*b*q*z`),
		(length) => `${gaps}${numbers.slice(0, length)}${gaps}z`,
		500,
	],
	[
		"wildcards behind many prefixes",
		list(6_000, (i) => `/${"a".repeat(2 + (i % 100))}*b${i}`),
		(length) => `/${"a".repeat(length)}b`,
		80,
	],
	[
		"bytes that rules need are looked for behind many prefixes",
		list(
			7_200,
			(i) =>
				`/${"a".repeat(2 + (i % 120))}*${String.fromCharCode(65 + Math.floor(i / 240))}${i % 2}`,
		),
		(length) => `/${"a".repeat(length)}`,
		300,
	],
	// All or most windows of eight bytes occur, so that the first and the last one of a text do not tell that it is nowhere.
	...[10, 12, 14, 16, 20].map(
		(length) =>
			[
				`the last literal, of ${length} bytes, is nowhere and made of what occurs`,
				list(9000, (i) => `*${at(i * 7, 12)}*${absent(i, length)}`),
				(size: number) => `/${mixed.repeat(size / mixed.length)}`,
				100,
			] as const,
	),
	[
		"the last literal occurs in front of the others",
		list(9000, (i) => `*${at(i * 7, 12)}*${at(i, 14).replaceAll("a", "c")}`),
		(length) => {
			const half = mixed.repeat(length / 2 / mixed.length);
			return `/${half.replaceAll("a", "c")}${half}`;
		},
		100,
	],
];

test.each(hostile)("searches are bounded where %s", (_, rules, path, most) => {
	const lines = rules.map((rule) => `Disallow: ${rule}\n`).join("");
	const { program } = RobotsTxt.parse(`User-agent: *\n${lines}`).for("a");
	for (const kib of [4, 16, 64]) {
		const trace = traceOf(program, path(kib * KIB));
		expect(trace.verdict).toBe("allowed");
		expect(trace.searched).toBeLessThan(most * trace.path.length);
		expect(trace.count).toBeLessThan(10 * trace.path.length);
	}
});

test("what a rule's pattern says is not taken for a remark", () => {
	const robots = RobotsTxt.parse(
		'User-agent: *\nDisallow: /a"; line 9: disallow /x\nDisallow: /b#7 disallow ; line 8: y\n',
	);
	const { instructions, rules } = listingOf(robots.for("a"));
	expect(rules.map(({ line }) => line)).toEqual([2, 3]);
	expect(
		instructions.flatMap(({ line }) => (line === 0 ? [] : [line])).sort(),
	).toEqual([2, 3]);
});
