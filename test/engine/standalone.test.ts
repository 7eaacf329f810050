import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
	H_TABLE,
	H_VERSION,
	LINES_PADDING,
	MATCH_INVALID,
	MATCH_NO_MEMORY,
	MAX_LINE,
	MODULE_VERSION,
	NO_MEMORY,
	TABLE_COUNT,
	VERIFY_HEADER,
	WRONG_USE,
} from "../../assembly/format/program.ts";
import type { MainExports } from "../../src/engine/workspace.ts";
import { RobotsTxt } from "../../src/index.ts";
import type { IndexExports } from "../../src/sites/capture.ts";

/**
 * The modules without their host, as another language runs them: they are given memory, bytes and nothing else, answer rightly, and a wrong
 * use is an error code.
 */

const build = process.env.ROBOTRIE_BUILD ?? "simd";
const fresh = <Exports>(name: string) =>
	new WebAssembly.Instance(
		new WebAssembly.Module(
			readFileSync(
				new URL(`../../build/${name}.${build}.wasm`, import.meta.url),
			),
		),
	).exports as unknown as Exports & { readonly memory: WebAssembly.Memory };

const encoder = new TextEncoder();
const RULES = `User-agent: *
Disallow: /a%62c
Disallow: /ä
Disallow: /*x*y*z
Allow: /ä/b%2Fc
`;
const URLS = [
	..."/abc /ab%63 /%C3%A4 /%c3%a4/b%2fc /ä/b%2Fc /1x2y3z /q https://h/abc".split(
		" ",
	),
	"no url",
];

type Main = ReturnType<typeof fresh<MainExports>>;

/** A module with a program in its memory; `change` is done to that. */
function loaded(change: (program: Uint8Array) => void = () => {}) {
	const main = fresh<MainExports>("robotrie");
	const matcher = RobotsTxt.parse(RULES).for("x");
	const program = matcher.program.slice();
	change(program);
	const at = main.allocate(program.length) >>> 0;
	new Uint8Array(main.memory.buffer).set(program, at);
	return { main, at, matcher, length: program.length };
}

function place(main: Main, text: string) {
	const bytes = encoder.encode(text);
	const from = main.input(bytes.length * 2 + LINES_PADDING + 1) >>> 0;
	new Uint8Array(main.memory.buffer).set(bytes, from);
	return { from, length: bytes.length };
}

test("a module that was given nothing but a program judges as its host does", () => {
	const { main, at, matcher } = loaded();
	expect(main.reserveVisited(at)).toBe(1);
	const verdicts = URLS.map((url) => {
		const { from, length } = place(main, url);
		const best = main.matchOne(at, from, length);
		return best === MATCH_INVALID ? 3 : best === 0 ? 1 : best & 1;
	});
	expect(verdicts).toEqual([...matcher.matchMany(URLS)]);
	const { from, length } = place(main, URLS.join("\n"));
	const to = from + length + LINES_PADDING;
	const lines = main.matchLines(at, from, length, to);
	expect(Array.from(new Uint8Array(main.memory.buffer, to, lines))).toEqual(
		verdicts,
	);
});

test.each(["robotrie", "robotrie-index"])("%s says its version", (name) => {
	expect(fresh<MainExports>(name).moduleVersion()).toBe(MODULE_VERSION);
});

const set = (offset: number, value: number) => (program: Uint8Array) => {
	program[offset] = value;
};

interface Call {
	readonly at: number;
	readonly from: number;
	readonly length: number;
}

interface Misuse {
	readonly what: string;
	/** What is wrong with the program. */
	readonly change?: (program: Uint8Array) => void;
	/** What is wrong with the arguments of a call that was right. */
	readonly args?: (right: Call) => Call;
	/** Room for the visited set was made. */
	readonly reserved?: boolean;
}

const misuses: readonly Misuse[] = [
	{
		what: "a table that there is none of",
		change: set(H_TABLE, TABLE_COUNT),
	},
	{ what: "the last table but one number", change: set(H_TABLE, 254) },
	{ what: "another version", change: set(H_VERSION, 200) },
	{ what: "no program", args: (right) => ({ ...right, at: 0 }) },
	{
		what: "static data as a program",
		args: (right) => ({ ...right, at: 1024 }),
	},
	{
		what: "text in front of the input region",
		args: (right) => ({ ...right, from: right.from - 1 }),
	},
	{ what: "text at 0", args: (right) => ({ ...right, from: 0 }) },
	{
		what: "text past the input region",
		args: (right) => ({ ...right, from: right.from + 2 ** 20 }),
	},
	{
		what: "text that ends past the input region",
		args: (right) => ({ ...right, length: 2 ** 20 }),
	},
	{ what: "a visited set that was not reserved", reserved: false },
];

test.each(misuses)(
	"$what is an error code",
	({ change, args = (right) => right, reserved = true }) => {
		const { main, at } = loaded(change);
		if (reserved) main.reserveVisited(at);
		const right = { at, ...place(main, "/abc") };
		const { at: program, from, length } = args(right);
		const to = right.from + right.length + LINES_PADDING;
		expect(main.matchOne(program, from, length)).toBe(WRONG_USE);
		expect(main.matchLines(program, from, length, to)).toBe(WRONG_USE);
	},
);

test("a text before there is an input region, or of any size, is an error code", () => {
	const { main, at } = loaded();
	main.reserveVisited(at);
	expect(main.matchOne(at, 0, 0)).toBe(WRONG_USE);
	const { from } = place(main, "/a");
	expect(main.matchOne(at, from, MAX_LINE + 1)).toBe(MATCH_NO_MEMORY);
	expect(main.matchLines(at, from, MAX_LINE + 1, from)).toBe(NO_MEMORY);
	const index = fresh<IndexExports>("robotrie-index");
	expect(index.matchOrigins(0, 8, 0, 0, false)).toBe(WRONG_USE);
	expect(index.matchOne(1 << 20, 0, 8)).toBe(WRONG_USE);
	const at0 = index.input(100) >>> 0;
	expect(index.matchOne(0, at0, 8)).toBe(WRONG_USE);
	expect(index.matchOrigins(at0, 2 ** 20, 0, 0, false)).toBe(WRONG_USE);
});

test.each([
	["the rules of a group", [0, 2], 1, 1],
	["two groups, out of order", [1, 2, 0, 1], 2, 1],
	["none", [], 0, 1],
	["a pair the wrong way round", [2, 1], 1, 0],
	["one beyond the last rule", [0, 3], 1, 0],
	["the largest numbers", [0xffffffff, 0xffffffff], 1, 0],
	["more pairs than were placed", [0, 1], 2, 0],
] as const)("gather takes pairs of rules: %s", (_, pairs, count, expected) => {
	const main = fresh<MainExports>("robotrie");
	const file = encoder.encode("User-agent: *\nDisallow: /a\nDisallow: /b\n");
	const at = main.placeText(file.length + 1) >>> 0;
	new Uint8Array(main.memory.buffer).set(file, at);
	main.tokenise(0, file.length, 0, 1000);
	const to = main.placeRanges(pairs.length / 2) >>> 0;
	new Uint32Array(main.memory.buffer, to, pairs.length).set(pairs);
	expect(main.gather(count, 0)).toBe(expected);
});

test("an index is opened once", () => {
	const index = fresh<IndexExports>("robotrie-index");
	expect([index.openOrigins(1e6), index.openOrigins(1e6)]).toEqual([1, 0]);
});

test("the verifier refuses a table that there is none of", () => {
	const { main, at, length } = loaded(set(H_TABLE, TABLE_COUNT));
	expect(main.verify(at, length)).toBe(VERIFY_HEADER);
});
