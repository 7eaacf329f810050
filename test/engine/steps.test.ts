/**
 * What is read and compiled in steps is what is read and compiled in one go, byte for byte: whatever the file, however long the steps are, and
 * with another file between them. The steps are those of the module; packages/client/test/steps.test.ts has those of the client.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { H_BYTE_LENGTH, H_RANKS } from "../../assembly/format/program.ts";
import {
	AGENT_FIELDS,
	LISTS_AGENT_COUNT,
	LISTS_AGENTS,
	LISTS_LINES,
	LISTS_OTHER_COUNT,
	LISTS_OTHERS,
	LISTS_RULE_COUNT,
	LISTS_RULES,
	OTHER_FIELDS,
	RULE_FIELDS,
} from "../../assembly/format/records.ts";
import { inOneGo, type Steps } from "../../src/common/steps.ts";
import { mainModule } from "../../src/engine/linear-memory.ts";
import { Workspace } from "../../src/engine/workspace.ts";
import { RobotsTxt } from "../../src/index.ts";
import { compileFlags } from "../../src/matching/rules.ts";
import {
	type Dialect,
	dialectNames,
	dialectRules,
} from "../../src/robots-txt/dialect.ts";
import { extentOf } from "../../src/robots-txt/parse.ts";

const KIB = 1024;
const MIB = KIB * KIB;

/** What comes of a file: its records and lines, its program and its compact program, and the rules of their ranks. */
type Made = readonly Uint8Array[];

const ALL = 0x7fff_ffff;

/** Reads and compiles a file; `most` rules or entries in a step, and as many bytes of the text. */
function* made(bytes: Uint8Array, dialect: Dialect, most: number): Steps<Made> {
	const memory = new Workspace(mainModule);
	const { module } = memory;
	const rules = dialectRules(dialect);
	const extent = extentOf(bytes, rules, bytes.length);
	const at = module.placeText(bytes.length + 1) >>> 0;
	memory.bytes().set(bytes, at);
	const maxLine = Math.min(rules.maxLineBytes, 0xffffffff);
	const { from, end, flags: readFlags } = extent;
	const found: Uint8Array[] = [];
	const keep = (address: number, size: number) =>
		found.push(memory.bytes().slice(address, address + size));
	let lists: number;
	if (most === ALL) lists = module.tokenise(from, end, readFlags, maxLine);
	else {
		module.startTokenise(from, end, readFlags, maxLine);
		while (module.continueTokenise(most)) yield;
		lists = module.finishTokenise();
	}
	expect(lists).not.toBe(0);
	const field = (number: number) =>
		memory.words()[(lists >>> 2) + number] as number;
	for (const [list, count, fields] of [
		[LISTS_RULES, LISTS_RULE_COUNT, RULE_FIELDS],
		[LISTS_AGENTS, LISTS_AGENT_COUNT, AGENT_FIELDS],
		[LISTS_OTHERS, LISTS_OTHER_COUNT, OTHER_FIELDS],
	] as const)
		keep(field(list) >>> 0, field(count) * fields * 4);
	found.push(Uint8Array.of(field(LISTS_LINES) & 255));
	const ranges = [0, field(LISTS_RULE_COUNT)];
	const flags = compileFlags(rules);
	memory.words().set(ranges, module.placeRanges(1) >>> 2);
	if (most === ALL) expect(module.gather(1, flags)).toBe(1);
	else {
		module.startGather(1, flags);
		while (module.continueGather(most)) yield;
		expect(module.finishGather()).toBe(1);
	}
	for (const isCompact of [false, true]) {
		let address: number;
		if (most === ALL)
			address = isCompact
				? module.compileCompact(flags)
				: module.compile(flags);
		else {
			module.startCompile(flags);
			while (module.continueCompile(most)) yield;
			module.startWrite(isCompact);
			while (module.continueWrite(isCompact, most)) yield;
			address = module.finishWrite(isCompact);
		}
		address >>>= 0;
		if (address <= 1) {
			found.push(Uint8Array.of(address));
			continue;
		}
		const words = memory.words();
		keep(
			address,
			isCompact
				? (memory.bytes()[address] as number) |
						((memory.bytes()[address + 1] as number) << 8) |
						((memory.bytes()[address + 2] as number) << 16)
				: (words[(address + H_BYTE_LENGTH) >>> 2] as number),
		);
		if (isCompact) continue;
		const ranks = memory.words()[(address + H_RANKS) >>> 2] as number;
		keep(module.rankedSources() >>> 0, ranks * 4);
	}
	return found;
}

/** Each list of bytes by itself: a difference of megabytes is not to be printed. */
function expectEqual(found: Made, wanted: Made): void {
	expect(found.length).toBe(wanted.length);
	for (const [index, bytes] of wanted.entries())
		expect(Buffer.compare(found[index] as Uint8Array, bytes), `${index}`).toBe(
			0,
		);
}

/** Lines up to a size; "#" is another text in each, `order` of how many. */
function fill(
	line: string,
	size: number,
	{ end = "\n", first = 0, by = 1 } = {},
): Buffer {
	const bytes = Buffer.alloc(size);
	let at = bytes.write(`User-agent: *${end}`);
	for (let number = first; ; number += by) {
		const next = line.replaceAll("#", number.toString(36)) + end;
		if (at + next.length > size) return bytes.subarray(0, at);
		at += bytes.write(next, at, "latin1");
	}
}

const files: readonly (readonly [string, (size: number) => Uint8Array])[] = [
	["short rules, all equal", (size) => fill("Allow:/", size)],
	["rules that differ", (size) => fill("Allow:/#", size)],
	[
		"sorted in reverse",
		(size) => fill("Allow:/#", size, { first: 9e6, by: -1 }),
	],
	["one beginning", (size) => fill("Disallow:/abcdef#", size)],
	["one beginning, all equal", (size) => fill("Disallow:/abcdef", size)],
	[
		"one beginning, some with $",
		(size) => fill("Allow:/abcdef\nDisallow:/abcdef$\nAllow:/abcdef#", size),
	],
	["wildcards that are tried one by one", (size) => fill("Allow:*i$", size)],
	["wildcards that differ", (size) => fill("Allow:*#", size)],
	["wildcards of one prefix", (size) => fill("Allow:/a*#", size)],
	["wildcards of one needle", (size) => fill("Allow:*aaaaaaaa*#", size)],
	[
		"one needle and one required byte",
		(size) => fill("Allow:*aaaaaaaa*x*b#\nDisallow:*aaaaaaaa*q", size),
	],
	["escapes in two forms", (size) => fill("Allow:*a%3f#", size)],
	["cut escapes", (size) => fill("Allow:/%C3%A#\nDisallow:/é#", size)],
	["groups", (size) => fill("User-agent:*\nAllow:/#", size)],
	["user-agent lines", (size) => fill("User-agent:#", size)],
	["lines ended by CR", (size) => fill("Allow:/#", size, { end: "\r" })],
	[
		"lines ended by CR and LF",
		(size) => fill("Allow:/#", size, { end: "\r\n" }),
	],
	["no colon", (size) => fill("a", size)],
	["NUL and no colon", (size) => fill("\0", size)],
	["not in the usual form", (size) => fill(" Allow : /# # c\nX: y", size)],
	["empty lines and empty rules", (size) => fill("\nAllow:\nDisallow:", size)],
	["directories", (size) => fill("Allow:/#/index.html", size)],
	[
		"one long line",
		(size) =>
			Buffer.from(
				`User-agent: *\nDisallow: /${"a*b".repeat(size / 3)}\nAllow: /a`,
			),
	],
	[
		"long rules that begin alike",
		(size) => fill(`Allow:/${"a".repeat(500)}#`, size),
	],
];

describe.each(files)("%s", (_, make) => {
	test.each(dialectNames)("steps of many sizes, %s", (dialect) => {
		const bytes = make(96 * KIB);
		const wanted = inOneGo(made(bytes, dialect, ALL));
		for (const most of [13, 300, 4000, 40_000])
			expectEqual(inOneGo(made(bytes, dialect, most)), wanted);
	});

	test("two at a time", () => {
		const [one, other] = [make(64 * KIB), make(48 * KIB)];
		const all = [made(one, "google", 200), made(other, "rfc9309", 33)];
		const found: Made[] = [];
		for (let left = all.length; left > 0; )
			for (const [index, steps] of all.entries()) {
				const step = steps.next();
				if (!step.done || found[index]) continue;
				found[index] = step.value;
				left--;
			}
		expectEqual(found[0] ?? [], inOneGo(made(one, "google", ALL)));
		expectEqual(found[1] ?? [], inOneGo(made(other, "rfc9309", ALL)));
	});
});

/** Lines as sites have them, and odd ones. */
const line = fc.oneof(
	fc
		.tuple(
			fc.constantFrom("Allow: ", "Disallow:", " disallow :", "User-agent: "),
			fc.array(
				fc.constantFrom(
					"/",
					"a",
					"b",
					"*",
					"$",
					"%41",
					"?",
					"é",
					"ab",
					"#",
					"index.html",
				),
				{ maxLength: 9 },
			),
		)
		.map(([field, parts]) => `${field}${parts.join("")}`),
	fc.constantFrom(
		"",
		"Crawl-delay: 1",
		"Sitemap: https://a.example/",
		"x",
		"\0",
		"User-agent: *",
	),
);

test("any file, steps of any size", () => {
	fc.assert(
		fc.property(
			fc.array(line, { maxLength: 120 }),
			fc.constantFrom(...dialectNames),
			fc.integer({ min: 1, max: 60 }),
			(lines, dialect, most) => {
				const bytes = Buffer.from(lines.join("\n"));
				const wanted = inOneGo(made(bytes, dialect, ALL));
				expectEqual(inOneGo(made(bytes, dialect, most)), wanted);
			},
		),
		{ numRuns: 150 },
	);
});

/** As large as a client of the google dialect reads by default. */
test.each(
	files.filter(([what]) =>
		[
			"rules that differ",
			"one beginning, some with $",
			"wildcards of one needle",
			"no colon",
			"groups",
		].includes(what),
	),
)("16 MiB in the google dialect: %s", (_, make) => {
	const bytes = make(16 * MIB);
	const parse = () =>
		RobotsTxt.parse(bytes, { dialect: "google", maxBytes: 16 * MIB });
	const outcome = <Result>(make: () => Result): Result | string => {
		try {
			return make();
		} catch (error) {
			return String(error);
		}
	};
	const stepwise = parse();
	const compact = (robots: RobotsTxt) =>
		outcome(() => Buffer.from(robots.compactFor("x")));
	outcome(() => inOneGo(stepwise.compactSteps("x")));
	const [found, wanted] = [compact(stepwise), compact(parse())];
	expect(typeof found).toBe(typeof wanted);
	expect(
		typeof found === "string" || typeof wanted === "string"
			? found === wanted
			: found.equals(wanted),
	).toBe(true);
});
