import { describe, expect, test } from "vitest";
import { C_PLAIN } from "../../assembly/format/opcodes.ts";
import {
	FILTER_SIZE,
	MAX_U24,
	TABLE_COUNT,
	TABLE_ESCAPED,
	TABLE_GOOGLE,
	TABLE_NONE,
	VERIFY_BYTE,
	VERIFY_ENTRY,
	VERIFY_HEADER,
	VERIFY_LENGTH,
	VERIFY_OK,
	VERIFY_OPCODE,
	VERIFY_RANK,
	VERIFY_TARGET,
	VERIFY_TRUNCATED,
} from "../../assembly/format/program.ts";
import { opcodes } from "../../src/matching/opcodes.ts";
import { OriginTable } from "../../src/sites/origin-table.ts";
import {
	branch,
	C_END_TEXT,
	C_FAR_BRANCH,
	C_FLOAT,
	C_FLOAT1,
	C_HASH,
	C_LITERAL,
	C_LONG_TEXT,
	C_PREFIXED,
	C_PRIORITY_RULE_STOP,
	C_PRIORITY_TEXT,
	C_RULE,
	C_RULE_END,
	C_RULE_STOP,
	C_STOP,
	C_TEXT,
	C_TEXT_WILD,
	C_WILD,
	type Compact,
	compactOf,
	escaped,
	farBranch,
	float1,
	hash,
	longText,
	once,
	prefixed,
	short,
	sized,
	stop,
	tableSize,
	tryLong,
} from "../compact-programs.ts";
import { type Bytes, body, varint, wrongBodies } from "../programs.ts";

/** The reason for which an index refuses a program of its snapshot. What lies behind the program must make no difference. */
function reasonFor(spec: Compact): number {
	const program = compactOf(spec);
	const [reason, ...others] = [0, 0x0a, 0xff].map((filling) => {
		const table = OriginTable.inOwnMemory("rfc9309", 2 ** 28);
		table.matchLines(new Uint8Array(program.length + 256).fill(filling));
		// Behind its number, 0. Its first origin does not follow.
		const entry = new Uint8Array(4 + program.length + 8).fill(filling);
		entry.fill(0, 0, 4);
		entry.set(program, 4);
		entry.set([0xfe, 0xff, 0xff], 4 + program.length);
		return table.load(entry, 1).failure;
	});
	for (const other of others) expect(other).toBe(reason);
	return reason as number;
}

const prefix = (code: Bytes): Compact => ({ prefix: { code } });
const unanchored = (code: Bytes): Compact => ({ unanchored: { code } });
const float = sized(C_FLOAT, 2, body("a", "b"));
/** What is under a ONCE. */
const onceOver = (code: Bytes): Compact =>
	unanchored([...once(code.length, 0), ...code, ...stop]);
/** From the code of prefixes, a STOP, to that of unanchored patterns. */
const TO_UNANCHORED = 1 + FILTER_SIZE + tableSize({});

const sound: readonly (readonly [string, Compact])[] = [
	["a STOP", {}],
	["no code", { prefix: { code: [], entries: {} } }],
	...[TABLE_GOOGLE, TABLE_ESCAPED, TABLE_NONE].map(
		(table) => [`byte classes ${table}`, { table }] as const,
	),
	["a large priority for every path", { always: 2 ** 23 }],
	["most visited bits", { ...unanchored(stop), visited: MAX_U24 }],
	...[1, 2, 3, 4, 5, 6, 7, 9].map(
		(bits) =>
			[
				`entries for the first and the last of 2^${bits} slots`,
				{
					prefix: {
						bits,
						entries: { 0: 1, [2 ** bits - 1]: 0 },
						code: [...stop, ...stop],
					},
				},
			] as const,
	),
	["wide entries", { prefix: { code: stop, wide: true } }],
	["short entries", { prefix: { code: [...stop, ...stop], short: 1 } }],
	[
		"all instructions of prefixes",
		prefix([
			...short(C_LITERAL, [1, 2, ...escaped("a")]),
			...short(C_LITERAL, []),
			...longText(new Array<number>(200).fill(3)),
			...short(C_TEXT, [1]),
			...short(C_PRIORITY_TEXT, [1], 300),
			C_RULE,
			3,
			C_RULE_END,
			...varint(200),
			...sized(C_WILD, 2, body("a", ["b", "cd"])),
			...tryLong(C_LONG_TEXT, 3, [1, 2]),
			...tryLong(C_TEXT_WILD, 3, escaped("a"), body("a".repeat(70))),
			...tryLong(C_END_TEXT, 3, []),
			...farBranch([0x61], 6),
			...branch("xyz", 8, 11),
			...stop,
			...hash(8, 1, 2, 7),
			...short(C_PRIORITY_RULE_STOP, [1], 5),
			...short(C_RULE_STOP, [1]),
		]),
	],
	["a number of four bytes", prefix([C_RULE, 0x83, 0x80, 0x80, 0x00, ...stop])],
	["a RULE_STOP at the end", prefix(short(C_RULE_STOP, []))],
	[
		"a PRIORITY_RULE_STOP at the end",
		prefix(short(C_PRIORITY_RULE_STOP, [1, 2], 700)),
	],
	[
		"a branch of 256 arms",
		prefix([
			...farBranch(new Array<number>(256).fill(7), ...new Uint8Array(256)),
			...stop,
		]),
	],
	[
		"all instructions of unanchored patterns",
		unanchored([
			...once(float.length + 7, 1),
			...float,
			...prefixed(3, "a", body()),
			...float1(2, escaped("b"), 1),
			...float1(200, [], 300),
			...tryLong(C_LONG_TEXT, 3, [1, 2]),
			...short(C_RULE_STOP, [1]),
		]),
	],
];

type Refused = readonly (readonly [
	what: string,
	reason: number,
	spec: Compact,
])[];

const put =
	(at: number, value: number): NonNullable<Compact["change"]> =>
	(bytes) => {
		bytes[at] = value;
	};
const AT_HEADER_SIZE = 3;
const AT_UNANCHORED = 4;
/** Where the distance of the filter stands, if `always` takes a byte. */
const AT_FILTER = 7;

/** Bytes between the distance of the filter and the code of unanchored patterns. */
const filterAt = (distance: number): Compact => ({
	...unanchored(stop),
	change: (_, view) => {
		view.setUint16(AT_FILTER, distance, true);
		view.setUint8(AT_FILTER + 2, distance >> 16);
	},
});

const header: Refused = [
	...[0, 3, 6].map((length): Refused[number] => [
		`${length} bytes`,
		VERIFY_LENGTH,
		{ change: put(0, length) },
	]),
	[
		"2 for unanchored patterns",
		VERIFY_HEADER,
		{ change: put(AT_UNANCHORED, 2) },
	],
	["byte classes behind the last", VERIFY_HEADER, { table: TABLE_COUNT }],
	["byte classes 254", VERIFY_HEADER, { table: TABLE_NONE - 1 }],
	[
		"a header that ends early",
		VERIFY_HEADER,
		{ change: put(AT_HEADER_SIZE, 6) },
	],
	[
		"a header that ends late",
		VERIFY_HEADER,
		{ change: put(AT_HEADER_SIZE, 8) },
	],
	[
		"visited bits that take more than 24",
		VERIFY_HEADER,
		{ ...unanchored(stop), visited: MAX_U24 + 1 },
	],
	["a filter that is cut off", VERIFY_HEADER, { ...unanchored(stop), cut: 7 }],
	["no code behind the filter", VERIFY_HEADER, { ...unanchored(stop), cut: 6 }],
	...[13, 70, MAX_U24].map((distance): Refused[number] => [
		`a filter ${distance} bytes behind the jump table`,
		VERIFY_HEADER,
		filterAt(distance),
	]),
];

const jumpTables: Refused = [
	["no jump table", VERIFY_HEADER, { cut: 6 }],
	["a jump table without a bitmap", VERIFY_HEADER, { cut: 5 }],
	["one slot", VERIFY_HEADER, { prefix: { code: stop, bits: 0 } }],
	["2^21 slots", VERIFY_HEADER, { prefix: { code: stop, bits: 21 } }],
	["entries that are cut off", VERIFY_HEADER, { cut: 2 }],
	[
		"wide entries that are cut off",
		VERIFY_HEADER,
		{ prefix: { code: stop, wide: true }, cut: 2 },
	],
	[
		"a short entry without a bitmap",
		VERIFY_HEADER,
		{ prefix: { code: stop, short: 0 }, cut: 5 },
	],
	...[0, 1].map((block): Refused[number] => [
		`a wrong count in block ${block}`,
		VERIFY_HEADER,
		{
			prefix: { code: stop, bits: 7, entries: { 0: 0, 127: 0 } },
			change: (bytes) => {
				const at = 8 + block * 12 + 8;
				bytes[at] = (bytes[at] ?? 0) + 1;
			},
		},
	]),
	...[false, true].flatMap((wide) =>
		[-1, 1, 2, 0x7fff].map((at): Refused[number] => [
			`${wide ? "a wide" : "an"} entry for code at ${at}`,
			VERIFY_ENTRY,
			{ prefix: { code: short(C_RULE_STOP, [1]), entries: { 1: at }, wide } },
		]),
	),
	[
		"a last entry behind the end",
		VERIFY_ENTRY,
		{ prefix: { code: stop, entries: { 0: 0, 1: 1 } } },
	],
	...[-1, 1, 2].map((at): Refused[number] => [
		`short entries at ${at}`,
		VERIFY_ENTRY,
		{ prefix: { code: short(C_RULE_STOP, [1]), short: at } },
	]),
	[
		"an entry of the prefixes for unanchored patterns",
		VERIFY_ENTRY,
		{
			prefix: { code: stop, entries: { 0: TO_UNANCHORED } },
			unanchored: { code: stop },
		},
	],
	[
		"an entry for what is under a ONCE",
		VERIFY_ENTRY,
		{
			unanchored: {
				code: [...once(float.length, 0), ...float, ...stop],
				entries: { 0: 3 },
			},
		},
	],
];

/** Bytes that are no opcode: between those that are, and after the last one. */
const unknown = Array.from(
	{ length: C_FAR_BRANCH - C_PLAIN },
	(_, i) => C_PLAIN + i,
)
	.filter((byte) =>
		opcodes.every(({ compact }) => compact.every(({ code }) => code !== byte)),
	)
	.concat(C_FAR_BRANCH + 1, 255);

const order: Refused = [
	...unknown.map((opcode): Refused[number] => [
		`opcode ${opcode}`,
		VERIFY_OPCODE,
		prefix([opcode, ...stop]),
	]),
	...(
		[
			["WILD", sized(C_WILD, 2, body("a"))],
			["TEXT_WILD", tryLong(C_TEXT_WILD, 2, [1], body("a"))],
			["FLOAT", float],
			["PREFIXED", prefixed(2, "a", body("a"))],
		] as const
	).map(([name, code]): Refused[number] => [
		`an unanchored ${name}`,
		VERIFY_OPCODE,
		unanchored([...code, ...stop]),
	]),
	...(
		[
			["ONCE", [...once(float.length, 0), ...float]],
			["FLOAT1", float1(2, [1], 0)],
			["FLOAT", float],
			["PREFIXED", prefixed(2, "a", body("a"))],
		] as const
	).map(([name, code]): Refused[number] => [
		`a ${name} in the code of prefixes`,
		VERIFY_OPCODE,
		prefix([...code, ...stop]),
	]),
	["a STOP under a ONCE", VERIFY_OPCODE, onceOver([...float, ...stop])],
	[
		"a FLOAT1 under a ONCE",
		VERIFY_OPCODE,
		onceOver([...float, ...float1(2, [1], 0)]),
	],
	[
		"a FLOAT that goes on behind its ONCE",
		VERIFY_TARGET,
		unanchored([...once(float.length - 1, 0), ...float, ...stop]),
	],
];

const ends: Refused = (
	[
		["LITERAL", short(C_LITERAL, [1])],
		["TEXT", short(C_TEXT, [1])],
		["PRIORITY_TEXT", short(C_PRIORITY_TEXT, [1], 3)],
		["LONG_LITERAL", longText([1])],
		["RULE", [C_RULE, 3]],
		["RULE_END", [C_RULE_END, 3]],
		["WILD", sized(C_WILD, 2, body("a"))],
		["LONG_TEXT", tryLong(C_LONG_TEXT, 2, [1])],
		["TEXT_WILD", tryLong(C_TEXT_WILD, 2, [1], body("a"))],
		["END_TEXT", tryLong(C_END_TEXT, 2, [1])],
	] as const
).map(([name, code]) => [
	`a ${name} at the end`,
	VERIFY_TRUNCATED,
	prefix(code),
]);

const cuts: Refused = (
	[
		["RULE_STOP", short(C_RULE_STOP, [1, 2]), [1, 2]],
		["PRIORITY_RULE_STOP", short(C_PRIORITY_RULE_STOP, [1], 3), [1, 2]],
		[
			"PRIORITY_RULE_STOP of two bytes",
			short(C_PRIORITY_RULE_STOP, [1], 300),
			[1, 2],
		],
		["LONG_LITERAL", longText([1, 2]), [1, 3]],
		["TEXT", short(C_TEXT, [1, 2]), [1]],
		["PRIORITY_TEXT", short(C_PRIORITY_TEXT, [1], 3), [1]],
		["RULE", [C_RULE, 3], [1]],
		["RULE_END", [C_RULE_END, 3], [1]],
		["BRANCH", branch("ab", 0), [1, 2]],
		["FAR_BRANCH", farBranch([1, 2], 0, 0), [1, 3, 6, 7]],
		["HASH", hash(3, 1, 2, 4), [1, 4, 5, 6]],
		["WILD", sized(C_WILD, 2, body("a")), [1, 4]],
		["LONG_TEXT", tryLong(C_LONG_TEXT, 2, [1, 2]), [1, 3]],
	] as const
).flatMap(([name, code, sizes]) =>
	sizes.map((size): Refused[number] => [
		`a ${name} without its last ${size} bytes`,
		VERIFY_TRUNCATED,
		{ ...prefix(code), cut: size },
	]),
);

const bytes: Refused = [
	...(
		[
			["RULE_STOP", short(C_RULE_STOP, escaped("a\n"))],
			["LITERAL", [...short(C_LITERAL, escaped("\n")), ...stop]],
			["TEXT", [...short(C_TEXT, escaped("\nb")), ...stop]],
			["LONG_LITERAL", [...longText(escaped(`${"a".repeat(60)}\n`)), ...stop]],
			["LONG_TEXT", [...tryLong(C_LONG_TEXT, 2, escaped("\n")), ...stop]],
			[
				"TEXT_WILD",
				[...tryLong(C_TEXT_WILD, 2, escaped("\n"), body()), ...stop],
			],
			["END_TEXT", [...tryLong(C_END_TEXT, 2, escaped("\n")), ...stop]],
			["BRANCH", [...branch("a\n", 0), ...stop]],
			["FAR_BRANCH", [...farBranch([0x0a], 0), ...stop]],
		] as const
	).map(([name, code]): Refused[number] => [
		`an LF in a ${name}`,
		VERIFY_BYTE,
		prefix(code),
	]),
	[
		"an LF in a FLOAT1",
		VERIFY_BYTE,
		unanchored([...float1(2, escaped("\n"), 0), ...stop]),
	],
	...(
		[
			["RULE_STOP", short(C_RULE_STOP, [1, 255])],
			["LITERAL", [...short(C_LITERAL, [255]), ...stop]],
			["LONG_LITERAL", [...longText([255, 255, 255]), ...stop]],
			["LONG_TEXT", [...tryLong(C_LONG_TEXT, 2, [255]), ...stop]],
		] as const
	).map(([name, code]): Refused[number] => [
		`half of an escape in a ${name}`,
		VERIFY_BYTE,
		prefix(code),
	]),
	[
		"half of an escape in a FLOAT1",
		VERIFY_BYTE,
		unanchored([...float1(2, [255], 0), ...stop]),
	],
];

const targets: Refused = [
	["a BRANCH at the end", VERIFY_TARGET, prefix(branch("a"))],
	[
		"an arm behind the end",
		VERIFY_TARGET,
		prefix([...branch("ab", 1), ...stop]),
	],
	["a HASH to the end", VERIFY_TARGET, prefix([...hash(3, 1, 2, 5), ...stop])],
	["a HASH to itself", VERIFY_TARGET, prefix([...hash(3, 1, 2, 3), ...stop])],
	[
		"a HASH whose bitmap has a wrong count",
		VERIFY_ENTRY,
		prefix([C_HASH, 3, 7, ...new Array<number>(24).fill(1), ...stop]),
	],
	...(
		[
			[0, 1],
			[9, 1],
			[3, 0],
			[3, 17],
			[3, 255],
		] as const
	).map(([length, bits]): Refused[number] => [
		`a HASH of ${length} bytes with 2^${bits} slots`,
		VERIFY_ENTRY,
		prefix([...hash(length, bits, 0), ...stop]),
	]),
	[
		"an arm within an instruction",
		VERIFY_TARGET,
		prefix([...branch("ab", 1), ...short(C_RULE_STOP, [1])]),
	],
	[
		"an arm within an instruction far behind",
		VERIFY_TARGET,
		prefix([
			...new Array<number>(200).fill(C_STOP),
			...branch("ab", 1),
			...short(C_RULE_STOP, [1]),
		]),
	],
	[
		"a BRANCH of prefixes to unanchored patterns",
		VERIFY_TARGET,
		{
			prefix: { code: [...branch("ab", TO_UNANCHORED), ...stop] },
			unanchored: { code: stop },
		},
	],
	[
		"a FAR_BRANCH without arms",
		VERIFY_TRUNCATED,
		prefix([...farBranch([]), ...stop]),
	],
	[
		"a FAR_BRANCH of 257 arms",
		VERIFY_TRUNCATED,
		prefix([
			...farBranch(new Array<number>(257).fill(7), ...new Uint8Array(257)),
			...stop,
		]),
	],
	["a FAR_BRANCH at the end", VERIFY_TARGET, prefix(farBranch([7], 0))],
	[
		"a far arm behind the end",
		VERIFY_TARGET,
		prefix([...farBranch([7, 8], 0, 1), ...stop]),
	],
	[
		"a far arm within an instruction",
		VERIFY_TARGET,
		prefix([...farBranch([7], 1), ...short(C_RULE_STOP, [1])]),
	],
	[
		"a far arm whose target wraps",
		VERIFY_TARGET,
		prefix([...farBranch([7], MAX_U24), ...stop]),
	],
	[
		"a ONCE to the end",
		VERIFY_TARGET,
		unanchored([...once(float.length, 0), ...float]),
	],
	[
		"a bit behind the visited set",
		VERIFY_RANK,
		unanchored([...once(float.length, 2), ...float, ...stop]),
	],
];

const bodies: Refused = wrongBodies.flatMap(([what, operands]): Refused => {
	const tryWild = tryLong(C_TEXT_WILD, 2, [1], operands);
	return [
		["WILD", prefix([...sized(C_WILD, 2, operands), ...stop])],
		["TEXT_WILD", prefix([...tryWild, ...stop])],
		["FLOAT", onceOver(sized(C_FLOAT, 2, operands))],
		["PREFIXED", onceOver(prefixed(2, "a", operands))],
	].map(([name, spec]) => [
		`a ${name} with ${what}`,
		VERIFY_TRUNCATED,
		spec as Compact,
	]);
});

const operands: Refused = [
	[
		"a PREFIXED without a prefix",
		VERIFY_TRUNCATED,
		onceOver(prefixed(2, "", body("a"))),
	],
	[
		"a PREFIXED whose prefix is cut off",
		VERIFY_TRUNCATED,
		onceOver(sized(C_PREFIXED, 2, [9, 0x61, ...body("a")])),
	],
	...[[], [0]].map((operands): Refused[number] => [
		`a FLOAT1 of ${operands.length} bytes`,
		VERIFY_TRUNCATED,
		unanchored([...sized(C_FLOAT1, 2, operands), ...stop]),
	]),
	...[C_LONG_TEXT, C_END_TEXT].flatMap(
		(opcode): Refused => [
			[
				`opcode ${opcode} with a byte behind its text`,
				VERIFY_TRUNCATED,
				prefix([...tryLong(opcode, 2, [1], [0]), ...stop]),
			],
			[
				`opcode ${opcode} whose text is cut off`,
				VERIFY_TRUNCATED,
				prefix([...sized(opcode, 2, [2, 1]), ...stop]),
			],
			[
				`opcode ${opcode} without operands`,
				VERIFY_TRUNCATED,
				prefix([...sized(opcode, 2, []), ...stop]),
			],
		],
	),
];

describe("A compact program that the verifier accepts", () => {
	test.each(sound)("%s", (_, spec) => {
		expect(reasonFor(spec)).toBe(VERIFY_OK);
	});
});

describe.each(
	Object.entries({
		header,
		jumpTables,
		order,
		ends,
		cuts,
		bytes,
		targets,
		bodies,
		operands,
	}),
)("A compact program that it refuses for its %s", (_, refused) => {
	test.each(refused)("%s", (_, reason, spec) => {
		expect(reasonFor(spec)).toBe(reason);
	});
});
