import { describe, expect, test } from "vitest";
import { OP_FLOAT, OP_ONCE } from "../../assembly/format/opcodes.ts";
import { H_MAX_UNANCHORED } from "../../assembly/format/program.ts";
import { Matcher, RobotrieError, RobotsTxt } from "../../src/index.ts";
import { sealMatcher } from "../../src/matching/byte-code.ts";
import { disassemble } from "../../src/matching/disassemble.ts";
import { dialects, indexErrors, isRepeated } from "../differential.ts";

const encode = (text: string) => new TextEncoder().encode(text);

const files: readonly string[] = [
	"",
	"Disallow: /",
	"Disallow: /a\nAllow: /ab$\nDisallow: /b\nDisallow: /ab*c*d$",
	"Disallow: /*a\nDisallow: /*b$\nAllow: *c\nDisallow: /*d*e\nDisallow: /*a%3A*f",
	`Disallow: /${"x".repeat(300)}\nAllow: /*${"y".repeat(300)}\nAllow: /q*${"z".repeat(200)}`,
	Array.from(
		{ length: 40 },
		(_, i) => `Disallow: /${i}*${i}\nAllow: /*QZ${i}`,
	).join("\n"),
	"Disallow: /*ab*c\nAllow: /*ab*d\nDisallow: /*xab\nAllow: /*yab$\nDisallow: /*ab",
	"Allow: /*%\nDisallow: /*9$\nAllow: /\u00e9\nDisallow: /%D",
];

const programs = files.flatMap((rules) =>
	dialects.map((dialect) =>
		RobotsTxt.parse(`User-agent: *\n${rules}\n`, { dialect }).for("x"),
	),
);

const paths = [
	"/",
	"/robots.txt",
	"/ab/c/d",
	"https://example.com/a:b?c:e%3Af#g",
	`/${"x".repeat(301)}`,
	`/q${"y".repeat(310)}${"z".repeat(310)}`,
	"/xabyabQZ7ab",
	"/%C3%A9\u00e9%",
	`/${"ab".repeat(40)}`,
	"/\0\ra",
	"",
	"no url",
];
const lines = encode(paths.join("\n"));

describe("toBytes and fromBytes", () => {
	test.each(programs.map((matcher, i) => [i, matcher] as const))(
		"program %i comes back the same",
		(_, matcher) => {
			const bytes = matcher.toBytes();
			const loaded = Matcher.fromBytes(bytes);
			expect(loaded.toBytes()).toEqual(bytes);
			expect(loaded.dialect).toBe(matcher.dialect);
			expect(loaded.byteLength).toBe(matcher.byteLength);
			expect(disassemble(loaded)).toBe(disassemble(matcher));
			expect(loaded.matchLines(lines)).toEqual(matcher.matchLines(lines));
			expect(loaded.matchMany(paths)).toEqual(matcher.matchLines(lines));
			for (const path of paths.slice(0, -2))
				expect(loaded.match(path)).toEqual(matcher.match(path));
		},
	);

	test("bytes may come in a Buffer, as from a file, and change afterwards", () => {
		for (const matcher of programs) {
			const bytes = Buffer.from(matcher.toBytes());
			const loaded = Matcher.fromBytes(bytes);
			bytes.fill(0);
			expect(disassemble(loaded)).toBe(disassemble(matcher));
			expect(loaded.matchLines(Buffer.from(lines))).toEqual(
				matcher.matchLines(lines),
			);
		}
	});

	test("bytes may lie anywhere in a larger buffer, and change afterwards", () => {
		const bytes = RobotsTxt.parse("User-agent: *\nDisallow: /a")
			.for("x")
			.toBytes();
		for (let offset = 0; offset < 9; offset++) {
			const buffer = new Uint8Array(bytes.length + 16).fill(0xaa);
			buffer.set(bytes, offset);
			const part = buffer.subarray(offset, offset + bytes.length);
			const matcher = Matcher.fromBytes(part);
			buffer.fill(0);
			expect(matcher.match("/a")).toEqual({
				type: "disallow",
				pattern: "/a",
				line: 2,
			});
		}
	});

	test("every truncation and extension is refused", () => {
		for (const matcher of programs) {
			const bytes = matcher.toBytes();
			for (
				let length = 0;
				length < bytes.length;
				length += length < 200 ? 1 : 97
			) {
				const cut = bytes.slice(0, length);
				expect(() => Matcher.fromBytes(cut)).toThrow(RobotrieError);
				if (length >= 20) sealMatcher(cut);
				expect(() => Matcher.fromBytes(cut)).toThrow(RobotrieError);
			}
			const longer = new Uint8Array(bytes.length + 1);
			longer.set(bytes);
			sealMatcher(longer);
			expect(() => Matcher.fromBytes(longer)).toThrow(RobotrieError);
		}
	});
});

/** Mulberry32: the same cases in every run. */
function random(seed: number): (below: number) => number {
	let state = seed;
	return (below) => {
		state = (state + 0x6d2b79f5) | 0;
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) % below;
	};
}

/** Loads bytes, and runs what loads. Nothing but a RobotrieError may be thrown; in the module a trap is another error. */
function loads(bytes: Uint8Array): boolean {
	let matcher: Matcher;
	try {
		matcher = Matcher.fromBytes(bytes);
	} catch (error) {
		if (error instanceof RobotrieError && error.code === "invalid-byte-code")
			return false;
		throw error;
	}
	const verdicts = matcher.matchLines(lines);
	if (verdicts.length !== paths.length || verdicts.some((v) => v > 3))
		throw new Error(`verdicts ${verdicts}`);
	if (matcher.matchMany(paths).length !== paths.length)
		throw new Error("matchMany lost a path");
	matcher.match("/ab/c/d?%3A");
	disassemble(matcher);
	// What was made of it by hand may say something else there, but must not trap.
	indexErrors(matcher, paths);
	matcher[Symbol.dispose]();
	return true;
}

/** Where the program and the rule table begin. */
const PREAMBLE = 20;
const interesting = [0, 1, 2, 7, 9, 10, 24, 64, 127, 128, 254, 255];

function mutate(
	bytes: Uint8Array,
	pick: (below: number) => number,
): Uint8Array {
	const result = bytes.slice();
	const sizes = new DataView(bytes.buffer);
	const programSize = sizes.getUint32(8, true);
	for (let n = 1 + pick(3); n > 0; n--) {
		// Mostly within the program: what the verifier stands for.
		const at = pick(8) ? PREAMBLE + pick(programSize) : pick(result.length);
		switch (pick(5)) {
			case 0:
				result[at] = pick(256);
				break;
			case 1:
				result[at] = interesting[pick(interesting.length)] ?? 0;
				break;
			case 2:
				result[at] = (result[at] ?? 0) ^ (1 << pick(8));
				break;
			case 3:
				result[at] = (result[at] ?? 0) + (pick(2) ? 1 : -1);
				break;
			default: {
				// Another part of the same program: whole instructions in wrong places.
				const from = PREAMBLE + pick(programSize);
				result.copyWithin(at, from, from + 1 + pick(24));
			}
		}
	}
	return result;
}

describe("Corrupt byte-code", () => {
	const originals = programs.map((matcher) => matcher.toBytes());

	const mutations = isRepeated ? 10_000 : 30_000;

	test(`${mutations} mutations with a right check sum load, or are refused`, () => {
		const pick = random(1);
		let loaded = 0;
		for (let i = 0; i < mutations; i++) {
			const original = originals[i % originals.length] as Uint8Array;
			const bytes = mutate(original, pick);
			sealMatcher(bytes);
			if (loads(bytes)) loaded++;
		}
		// Both ways must be met often, or the mutations test nothing.
		expect(loaded).toBeGreaterThan(mutations / 12);
		expect(loaded).toBeLessThan((mutations * 11) / 12);
	});

	test("an unanchored pattern outside of its ONCE is refused", () => {
		const bytes = RobotsTxt.parse(
			"User-agent: *\nDisallow: /*ab*c\nDisallow: /*ab*d",
		)
			.for("x")
			.toBytes();
		let found = 0;
		for (let at = PREAMBLE; at + 9 < bytes.length; at++) {
			// ONCE over two FLOATs, made to end behind the first one.
			if (bytes[at] !== OP_ONCE || bytes[at + 7] !== OP_FLOAT) continue;
			found++;
			bytes[at + 1] = 7 + (bytes[at + 8] ?? 0);
		}
		sealMatcher(bytes);
		expect(found).toBe(1);
		expect(loads(bytes)).toBe(false);
	});

	test("a rank of unanchored patterns is refused without any", () => {
		const bytes = RobotsTxt.parse("").for("x").toBytes();
		new DataView(bytes.buffer).setUint32(PREAMBLE + H_MAX_UNANCHORED, 2, true);
		sealMatcher(bytes);
		expect(loads(bytes)).toBe(false);
	});

	test("5,000 mutations with a wrong check sum are refused", () => {
		const pick = random(2);
		for (let i = 0; i < 5_000; i++) {
			const original = originals[i % originals.length] as Uint8Array;
			const bytes = mutate(original, pick);
			const same = bytes.every((byte, at) => byte === original[at]);
			const inPreamble = bytes.every(
				(byte, at) => at === 6 || at === 7 || byte === original[at],
			);
			if (!same && !inPreamble) expect(loads(bytes)).toBe(false);
		}
	});

	test("5,000 random strings are refused, with a right preamble too", () => {
		const pick = random(3);
		const original = originals[0] as Uint8Array;
		for (let i = 0; i < 5_000; i++) {
			const bytes = Uint8Array.from({ length: pick(400) }, () => pick(256));
			if (i % 2 && bytes.length > PREAMBLE + 44) {
				bytes.set(original.subarray(0, PREAMBLE + 24));
				const view = new DataView(bytes.buffer);
				view.setUint32(8, bytes.length - PREAMBLE, true);
				view.setUint32(12, 0, true);
				view.setUint32(PREAMBLE, bytes.length - PREAMBLE, true);
				sealMatcher(bytes);
			}
			expect(loads(bytes)).toBe(false);
		}
	});
});
