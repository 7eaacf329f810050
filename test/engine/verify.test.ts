import { describe, expect, test } from "vitest";
import {
	OP_FLOAT,
	OP_FLOAT1,
	OP_PREFIXED,
	OP_RULE,
	OP_RULE_END,
	OP_RULE_STOP,
	OP_TEXT_WILD,
	OP_WILD,
} from "../../assembly/format/opcodes.ts";
import {
	BYTE_SET_SIZE,
	FILTER_SIZE,
	H_BYTE_LENGTH,
	H_UNANCHORED,
	HEADER_SIZE,
	JUMP_BITS,
	JUMP_SLOTS,
	MAX_U24,
	TABLE_BARE,
	TABLE_COUNT,
	TABLE_ESCAPED,
	TABLE_GOOGLE,
	TABLE_NONE,
	TEXT_LAST,
	VERIFY_BYTE,
	VERIFY_ENTRY,
	VERIFY_HEADER,
	VERIFY_LENGTH,
	VERIFY_OK,
	VERIFY_OPCODE,
	VERIFY_RANK,
	VERIFY_TARGET,
	VERIFY_TRUNCATED,
	VERIFY_VERSION,
} from "../../assembly/format/program.ts";
import { verify } from "../../src/engine/engine.ts";
import { opcodes } from "../../src/matching/opcodes.ts";
import {
	ascii,
	type Bytes,
	body,
	branch,
	float1,
	hash,
	literal,
	need,
	once,
	type Part,
	type Program,
	prefixed,
	programOf,
	rule,
	stop,
	text,
	textWild,
	wild,
	wrongBodies,
} from "../programs.ts";

/**
 * The reason for which bytes are refused as a program. What lies behind them in memory must make no difference: it is zeros, which are
 * STOPs and rank 0; LFs; and what no opcode is.
 */
function reasonFor(spec: Program): number {
	const program = programOf(spec);
	const [reason, ...others] = [0, 0x0a, 0xff].map((filling) => {
		verify(new Uint8Array(program.length + 256).fill(filling));
		return verify(program);
	});
	for (const other of others) expect(other).toBe(reason);
	return reason as number;
}

const prefix = (code: Part["code"]): Program => ({ prefix: { code } });
const unanchored = (code: Part["code"]): Program => ({ unanchored: { code } });
/** A FLOAT or PREFIXED under a ONCE. */
const onceOver = (code: Bytes): Program =>
	unanchored([...once(7 + code.length, 0), ...code, ...stop]);
/** 15 bytes. */
const float = wild(OP_FLOAT, 2, body("aaa", "b"));
/** From the code of prefixes to that of unanchored patterns, where the former is a STOP. */
const TO_UNANCHORED = 1 + FILTER_SIZE + JUMP_SLOTS + 8;

type Refused = readonly (readonly [
	what: string,
	reason: number,
	spec: Program,
])[];

const sound: readonly (readonly [string, Program])[] = [
	["a STOP", {}],
	...[TABLE_BARE, TABLE_GOOGLE, TABLE_ESCAPED, TABLE_NONE].map(
		(table) => [`byte classes ${table}`, { table }] as const,
	),
	["the most ranks", { ranks: MAX_U24 >> 1 }],
	["as many bits of the visited set as bytes", { visited: 45 }],
	["a rule for every path", { always: 7 }],
	["a jump table of 2^5 slots", { prefix: { code: stop, bits: 5 } }],
	["short entries", { prefix: { code: [...stop, ...stop], short: 1 } }],
	["slots for two instructions", { prefix: { code: [0, 0], slots: [0, 1] } }],
	[
		"all instructions of prefixes",
		prefix((at) => [
			...rule(OP_RULE, 2),
			...rule(OP_RULE_END, 3),
			...literal("abc"),
			...need(5 + 16),
			...wild(OP_WILD, 4, body("a", ["b", "cd"])),
			...stop,
			...text(0, 5, "a"),
			...textWild(0, 6, "ab", body("a".repeat(70))),
			...branch("xy", at + 133, at + 134),
			...stop,
			...hash(3, 1, 0, at + 143),
			...rule(OP_RULE_STOP, 7),
		]),
	],
	["a TEXT that ends the code", prefix(text(TEXT_LAST, 2, "a".repeat(32)))],
	["a TEXT_WILD that does", prefix(textWild(TEXT_LAST, 2, "a", body()))],
	["a RULE_STOP that does", prefix(rule(OP_RULE_STOP, 2))],
	[
		"all instructions of unanchored patterns",
		unanchored((at) => [
			...once(7 + 15 + 11, 1),
			...float,
			...prefixed(3, "a", body()),
			...float1(2, "ab", 1),
			...float1(3, "", 300),
			...literal("a"),
			...rule(OP_RULE, 2),
			...rule(OP_RULE_END, 2),
			...branch("a", at + 73),
			...rule(OP_RULE_STOP, 2),
		]),
	],
];

/** Writes a u32 of the finished bytes. */
const put =
	(at: number, value: number): NonNullable<Program["change"]> =>
	(_, view) =>
		view.setUint32(at, value, true);

/** Zeros behind, so that the length is one of which a bit for each byte fills whole words. */
const FULL_WORD = 64;

const header: Refused = [
	["a header alone", VERIFY_LENGTH, { cut: 17 }],
	["16 MiB", VERIFY_LENGTH, { length: MAX_U24 + 1 }],
	["a length too small", VERIFY_LENGTH, { change: put(H_BYTE_LENGTH, 44) }],
	["a length too large", VERIFY_LENGTH, { change: put(H_BYTE_LENGTH, 46) }],
	["another version", VERIFY_VERSION, { version: 2 }],
	["byte classes behind the last", VERIFY_HEADER, { table: TABLE_COUNT }],
	["byte classes 254", VERIFY_HEADER, { table: TABLE_NONE - 1 }],
	[
		"unanchored patterns at the end",
		VERIFY_HEADER,
		{ change: put(H_UNANCHORED, 45) },
	],
	[
		"unanchored patterns behind the end",
		VERIFY_HEADER,
		{ change: put(H_UNANCHORED, 46) },
	],
	[
		"unanchored patterns whose end wraps",
		VERIFY_HEADER,
		{ change: put(H_UNANCHORED, 2 ** 32 - 36) },
	],
	["a rank of unanchored patterns without any", VERIFY_HEADER, { most: 2 }],
	["ranks that take 24 bits", VERIFY_HEADER, { ranks: (MAX_U24 >> 1) + 1 }],
	["more visited bits than bytes", VERIFY_HEADER, { visited: 46 }],
	["rank 1 for every path", VERIFY_HEADER, { always: 1 }],
	["too large a rank for every path", VERIFY_HEADER, { always: 8 }],
];

const jumpTables: Refused = [
	["one slot", VERIFY_HEADER, { prefix: { code: stop, bits: 0 } }],
	["2^21 slots", VERIFY_HEADER, { prefix: { code: stop, bits: 21 } }],
	[
		"2^33 slots, which a shift takes for two",
		VERIFY_HEADER,
		{ change: put(HEADER_SIZE + JUMP_BITS, 33) },
	],
	["a jump table that is cut off", VERIFY_HEADER, { cut: 12 }],
	["slots that are cut off", VERIFY_HEADER, { cut: 4 }],
	["no code", VERIFY_HEADER, prefix([])],
	[
		"no code behind the set of short entries",
		VERIFY_HEADER,
		{ prefix: { code: [], short: 0 } },
	],
	...[-1, 1, 3, 0xff0000].map((at): Refused[number] => [
		`a slot for code at ${at}`,
		VERIFY_ENTRY,
		{ prefix: { code: rule(OP_RULE_STOP, 2), slots: [at] } },
	]),
	[
		"a last slot behind the end",
		VERIFY_ENTRY,
		{ prefix: { code: stop, slots: [0, 1] } },
	],
	...[-1, 1, 4].map((short): Refused[number] => [
		`short entries at ${short}`,
		VERIFY_ENTRY,
		{ prefix: { code: rule(OP_RULE_STOP, 2), short } },
	]),
	[
		"a slot of the prefixes for unanchored patterns",
		VERIFY_ENTRY,
		{
			prefix: { code: stop, slots: [TO_UNANCHORED] },
			unanchored: { code: stop },
		},
	],
	[
		"a slot of the unanchored patterns for prefixes",
		VERIFY_ENTRY,
		{ unanchored: { code: stop, slots: [-TO_UNANCHORED] } },
	],
	[
		"short unanchored entries in the code of prefixes",
		VERIFY_ENTRY,
		{ unanchored: { code: stop, short: -TO_UNANCHORED - BYTE_SET_SIZE } },
	],
	[
		"a slot for what is under a ONCE",
		VERIFY_ENTRY,
		{ unanchored: { code: [...once(22, 0), ...float, ...stop], slots: [7] } },
	],
];

const order: Refused = [
	[
		"the first number that is no opcode",
		VERIFY_OPCODE,
		prefix([opcodes.length, ...stop]),
	],
	["opcode 255", VERIFY_OPCODE, prefix([255, ...stop])],
	["opcode 255 unanchored", VERIFY_OPCODE, unanchored([255, ...stop])],
	...(
		[
			["WILD", wild(OP_WILD, 2, body("a"))],
			["NEED", need(5)],
			["TEXT", text(0, 2, "a")],
			["TEXT_WILD", textWild(0, 2, "a", body("a"))],
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
			["ONCE", [...once(22, 0), ...float]],
			["FLOAT1", float1(2, "a", 0)],
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
		"a ONCE under a ONCE",
		VERIFY_OPCODE,
		onceOver([...once(7 + float.length, 1), ...float]),
	],
	[
		"a FLOAT1 under a ONCE",
		VERIFY_OPCODE,
		onceOver([...float, ...float1(2, "a", 0)]),
	],
	// The ONCE leads into it: that no instruction begins there would be found later, too.
	[
		"a FLOAT that goes on behind its ONCE",
		VERIFY_TARGET,
		unanchored([...once(14, 0), ...float, ...stop]),
	],
];

const ends: Refused = [
	["RULE", rule(OP_RULE, 2)],
	["RULE_END", rule(OP_RULE_END, 2)],
	["LITERAL", literal("a")],
	["WILD", wild(OP_WILD, 2, body("a"))],
	["TEXT", text(0, 2, "a")],
	["TEXT_WILD", textWild(0, 2, "a", body("a"))],
].map(([name, code]) => [
	`a ${name} at the end`,
	VERIFY_TRUNCATED,
	prefix(code as Bytes),
]);

/** A program whose last instruction lacks its last bytes. The first one is where slots lead. */
const cut = (code: Bytes, bytes: number): Program => ({
	...prefix([...stop, ...code]),
	cut: bytes,
});

const cuts: Refused = (
	[
		["RULE_STOP", rule(OP_RULE_STOP, 2), [1, 3]],
		["RULE", rule(OP_RULE, 2), [1]],
		["RULE_END", rule(OP_RULE_END, 2), [1]],
		["LITERAL", literal("ab"), [1, 3]],
		["BRANCH", branch("a", 46), [1, 3, 5]],
		["HASH", hash(3, 1, 0, 0), [1, 6, 7, 8]],
		["NEED", need(5), [1]],
		["TEXT", text(TEXT_LAST, 2, "ab"), [1, 2, 6]],
		["TEXT_WILD", textWild(TEXT_LAST, 2, "a", body("a")), [1, 4, 9]],
		["WILD", wild(OP_WILD, 2, body("a")), [1, 5, 10]],
	] as const
).flatMap(([name, code, sizes]) =>
	sizes.map((size): Refused[number] => [
		`a ${name} without its last ${size} bytes`,
		VERIFY_TRUNCATED,
		cut(code, size),
	]),
);

const ranks: Refused = [0, 1, 8, 0x100002].flatMap(
	(rank): Refused =>
		(
			[
				["RULE", prefix([...rule(OP_RULE, rank), ...stop])],
				["RULE_END", prefix([...rule(OP_RULE_END, rank), ...stop])],
				["RULE_STOP", prefix(rule(OP_RULE_STOP, rank))],
				["TEXT", prefix(text(TEXT_LAST, rank, "a"))],
				["TEXT_WILD", prefix(textWild(TEXT_LAST, rank, "a", body()))],
				["WILD", prefix([...wild(OP_WILD, rank, body()), ...stop])],
				["FLOAT1", unanchored([...float1(rank, "a", 0), ...stop])],
				["FLOAT", onceOver(wild(OP_FLOAT, rank, body()))],
				["PREFIXED", onceOver(prefixed(rank, "a", body()))],
			] as const
		).map(([name, spec]) => [`a ${name} of rank ${rank}`, VERIFY_RANK, spec]),
);

const lineFeeds: Refused = (
	[
		["LITERAL", [...literal("\n"), ...stop]],
		["LITERAL of 40", [...literal(`${"a".repeat(39)}\n`), ...stop]],
		["TEXT", text(TEXT_LAST, 2, "\nb")],
		["TEXT of 32", text(TEXT_LAST, 2, `${"a".repeat(31)}\n`)],
		["TEXT_WILD", textWild(TEXT_LAST, 2, "a\n", body())],
	] as const
).map(([name, code]) => [`an LF in a ${name}`, VERIFY_BYTE, prefix(code)]);

const targets: Refused = [
	[
		"an LF in a BRANCH",
		VERIFY_BYTE,
		prefix((at) => [...branch("a\n", at + 10, at + 10), ...stop]),
	],
	[
		"a BRANCH to itself",
		VERIFY_TARGET,
		prefix((at) => [...branch("a", at), ...stop]),
	],
	[
		"a HASH to itself",
		VERIFY_TARGET,
		prefix((at) => [...hash(3, 1, 0, at), ...stop]),
	],
	[
		"a HASH to the end",
		VERIFY_TARGET,
		prefix((at) => [...hash(3, 1, 0, at + 10), ...stop]),
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
		prefix([...hash(length, bits, 0, 0), ...stop]),
	]),
	[
		"a BRANCH backwards",
		VERIFY_TARGET,
		prefix((at) => [...stop, ...branch("a", at), ...stop]),
	],
	[
		"a BRANCH within itself",
		VERIFY_TARGET,
		prefix((at) => [...branch("a", at + 2), ...stop]),
	],
	[
		"a last arm behind the end",
		VERIFY_TARGET,
		prefix((at) => [...branch("ab", at + 10, at + 11), ...stop]),
	],
	[
		"a BRANCH to the end of whole words",
		VERIFY_TARGET,
		{
			...prefix((at) => [...branch("a", at - 44 + FULL_WORD), ...stop]),
			length: FULL_WORD,
		},
	],
	[
		"a BRANCH of prefixes to unanchored patterns",
		VERIFY_TARGET,
		{
			prefix: {
				code: (at) => [...branch("a", at + 6 + TO_UNANCHORED), ...stop],
			},
			unanchored: { code: stop },
		},
	],
	["a NEED for itself", VERIFY_TARGET, prefix([...need(0), ...stop])],
	["a NEED within itself", VERIFY_TARGET, prefix([...need(4), ...stop])],
	["a NEED behind the end", VERIFY_TARGET, prefix([...need(6), ...stop])],
	["a NEED at the end", VERIFY_TARGET, prefix([...stop, ...need(5)])],
	[
		"a NEED of prefixes to unanchored patterns",
		VERIFY_TARGET,
		{
			prefix: { code: [...need(5 + TO_UNANCHORED), ...stop] },
			unanchored: { code: stop },
		},
	],
	[
		"a NEED into an instruction far behind",
		VERIFY_TARGET,
		prefix([...new Uint8Array(200), ...need(6), ...rule(OP_RULE_STOP, 2)]),
	],
	[
		"a NEED into an instruction",
		VERIFY_TARGET,
		prefix([...need(6), ...rule(OP_RULE_STOP, 2)]),
	],
	["a NEED past its ONCE", VERIFY_TARGET, onceOver([...need(21), ...float])],
	[
		"a NEED into an instruction under its ONCE",
		VERIFY_TARGET,
		onceOver([...need(6), ...float]),
	],
	["a NEED over itself", VERIFY_TARGET, onceOver([...need(0), ...float])],
	[
		"a NEED under a NEED",
		VERIFY_TARGET,
		onceOver([...need(25), ...need(20), ...float]),
	],
	["a ONCE over itself", VERIFY_TARGET, unanchored([...once(0, 0), ...stop])],
	[
		"a ONCE behind the end",
		VERIFY_TARGET,
		unanchored([...once(22, 0), ...float]),
	],
	[
		"a ONCE far behind the end",
		VERIFY_TARGET,
		unanchored([...once(23, 0), ...float]),
	],
	[
		"a bit behind the visited set",
		VERIFY_RANK,
		unanchored([...once(22, 2), ...float, ...stop]),
	],
];

const bodies: Refused = wrongBodies.flatMap(([what, operands]): Refused => {
	const wildOf = (opcode: number) => wild(opcode, 2, operands);
	return [
		["WILD", prefix([...wildOf(OP_WILD), ...stop])],
		["TEXT_WILD", prefix(textWild(TEXT_LAST, 2, "a", operands))],
		["FLOAT", onceOver(wildOf(OP_FLOAT))],
		["PREFIXED", onceOver(prefixed(2, "a", operands))],
	].map(([name, spec]) => [
		`a ${name} with ${what}`,
		VERIFY_TRUNCATED,
		spec as Program,
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
		onceOver(wild(OP_PREFIXED, 2, [9, 0x61, ...body("a")])),
	],
	...(
		[
			["without operands", []],
			["with flags alone", [0]],
			["whose text is cut off", [0, 2, 0x61]],
			["without the length behind", [0, 1, 0x61]],
			["with a byte too many", [0, 1, 0x61, 0, 0]],
			["with a length of five bytes", [0, 1, 0x61, 128, 128, 128, 128, 0]],
		] as const
	).map(([what, operands]): Refused[number] => [
		`a FLOAT1 ${what}`,
		VERIFY_TRUNCATED,
		unanchored([...wild(OP_FLOAT1, 2, operands), ...stop]),
	]),
	["an empty LITERAL", VERIFY_TRUNCATED, prefix([...literal(""), ...stop])],
	...[7, 0].map((size): Refused[number] => [
		`a WILD of ${size} bytes`,
		VERIFY_TRUNCATED,
		prefix([...wild(OP_WILD, 2, body(), size), ...stop]),
	]),
	[
		"a TEXT_WILD too short for its text",
		VERIFY_TRUNCATED,
		prefix([OP_TEXT_WILD, 7, TEXT_LAST | 1, 2, 0, 0, ...ascii("ab"), 0, 0]),
	],
];

describe("A program that the verifier accepts", () => {
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
		ranks,
		lineFeeds,
		targets,
		bodies,
		operands,
	}),
)("A program that it refuses for its %s", (_, refused) => {
	test.each(refused)("%s", (_, reason, spec) => {
		expect(reasonFor(spec)).toBe(reason);
	});
});
