import fc from "fast-check";
import { expect, test } from "vitest";
import "../../../../test/cases.ts";
import { type Dialect, RobotsTxt } from "../../../../src/index.ts";
import { jumpTables, slotOf } from "../../../../src/matching/jump-tables.ts";
import { dialectNames } from "../../../../src/robots-txt/dialect.ts";
import {
	entriesOf,
	shownKey,
	wayOf,
} from "../../views/byte-code/jump-table.ts";
import { listingOf } from "../../worker/listing.ts";
import { traceOf } from "../../worker/trace.ts";

function tablesOf(rules: readonly string[], dialect: Dialect = "rfc9309") {
	const robots = RobotsTxt.parse(`User-agent: *\n${rules.join("\n")}`, {
		dialect,
	});
	const { program } = robots.for("a");
	const listing = listingOf(robots.for("a"));
	const tables = listing.tables.map((table) => ({
		table,
		entries: entriesOf(table, listing),
	}));
	return { program, listing, tables };
}

const shown = (rules: readonly string[]) =>
	tablesOf(rules).tables.map(({ entries }) =>
		entries.map(({ slot, keys, rules: own, isForRobotsTxt }) => [
			slot === null ? "short" : "slot",
			keys.map(shownKey).join(" "),
			[
				...own.map(({ line }) => line),
				...(isForRobotsTxt ? ["robots.txt"] : []),
			].join(" "),
		]),
	);
const OWN = ["slot", "“rob”", "robots.txt"];

test.each([
	["no rule but that for /robots.txt", [], [[OWN]]],
	["a prefix", ["Disallow: /abdc"], [[["slot", "“abd”", "2"], OWN]]],
	[
		"prefixes with the same key",
		["Disallow: /abdc", "Allow: /abd*e", "Allow: /abd$"],
		[[["slot", "“abd”", "2 3 4"], OWN]],
	],
	[
		"keys that share a slot",
		["Disallow: /abcd"],
		[[["slot", "“abc” “rob”", "2 robots.txt"]]],
	],
	[
		"keys that share a slot, told apart by a hash",
		Array.from({ length: 20 }, (_, i) => `Disallow: /abc${i + 10}`),
		[
			[
				[
					"slot",
					"“abc” “rob”",
					`${Array.from({ length: 20 }, (_, i) => i + 2).join(" ")} robots.txt`,
				],
			],
		],
	],
	[
		"short prefixes, and the end of the path",
		["Disallow: /a", "Allow: /b*c", "Allow: /$"],
		[[["short", "“\\x0a” “\\x0d” “a” “b”", "2 3 4"], OWN]],
	],
	[
		"bytes above 127, and blanks",
		["Disallow: /é/"],
		[[["slot", "“\\xc3\\xa9/”", "2"], OWN]],
	],
	[
		"needles",
		["Disallow: /*sessionid=", "Allow: /*.pdf$"],
		[
			[OWN],
			[
				["slot", "“id=”", "2"],
				["slot", "“.pd”", "3"],
			],
		],
	],
	[
		"needles that share a slot, told apart by a branch",
		["Disallow: /*sessionid=", "Disallow: /*?*sort="],
		[[OWN], [["slot", "“id=” “rt=”", "2 3"]]],
	],
] as const)("entries of %s", (_, rules, expected) => {
	const sorted = (tables: readonly (readonly (readonly string[])[])[]) =>
		tables.map((entries) => entries.map(String).sort());
	expect(sorted(shown(rules))).toEqual(sorted(expected));
});

const pattern = fc
	.array(fc.constantFrom("a", "b", "c", "/", "?", "*", "é", "ab", "xyz"), {
		maxLength: 8,
	})
	.map((parts) => `/${parts.join("")}`);
const rules = fc.array(
	fc
		.tuple(
			fc.constantFrom("Allow", "Disallow"),
			pattern,
			fc.constantFrom("", "$"),
		)
		.map(([type, path, end]) => `${type}: ${path}${end}`),
	{ maxLength: 40 },
);

test("keys hash to their slots, and all rules have an entry", () => {
	fc.assert(
		fc.property(rules, fc.constantFrom(...dialectNames), (lines, dialect) => {
			const { listing, tables } = tablesOf(lines, dialect);
			const found = new Set<number>();
			for (const { table, entries } of tables)
				for (const { slot, keys, rules: own } of entries) {
					for (const { line } of own) found.add(line);
					expect(keys.length).toBeGreaterThan(0);
					if (slot === null) continue;
					expect(keys.map((key) => slotOf(key, 0, table.size))).toEqual(
						keys.map(() => slot),
					);
					const { isTagged } =
						table.slots.find((one) => one.slot === slot) ?? {};
					expect(keys.length === 1).toBe(isTagged);
				}
			for (const { offset, line } of listing.instructions)
				if (offset >= 0 && line > 0) expect(found).toContain(line);
		}),
		{ numRuns: 300 },
	);
});

test("a path is led to the code that its trace begins with", () => {
	let led = 0;
	fc.assert(
		fc.property(rules, fc.nat(), (lines, chosen) => {
			const { program, tables } = tablesOf(lines);
			const [, rule = "/"] = lines[chosen % lines.length]?.split(": ") ?? [];
			const trace = traceOf(program, rule.replaceAll(/[*$]/g, "q"));
			for (const { table, entries } of tables) {
				const { offsets } = wayOf(table, entries, trace);
				const steps = new Set(trace.steps.map(({ offset }) => offset));
				for (const offset of offsets) expect(steps).toContain(offset);
				led += offsets.size;
				// Code that ran for another key, as the slot has several, found nothing.
				for (const { from, rules: own } of entries)
					if (steps.has(from) && !offsets.has(from))
						expect(own.map(({ rank }) => rank)).not.toContain(trace.rank);
			}
		}),
		{ numRuns: 300 },
	);
	expect(led).toBeGreaterThan(100);
});

test("no unanchored patterns, no second table", () => {
	expect(jumpTables(tablesOf(["Disallow: /a"]).program)).toHaveLength(1);
});
