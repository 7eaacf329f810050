import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
	BYTE_SET_SIZE,
	H_BYTE_LENGTH,
	HEADER_SIZE,
	JUMP_BITS,
	JUMP_SHORT,
	JUMP_SLOTS,
	KEY_BYTES,
	KEY_HASH,
} from "../../assembly/format/program.ts";
import { casesOf } from "../cases.ts";
import { builds, load } from "./module.ts";

const SLASH = 47;
const LF = 10;

/** The jump table and the code of texts behind a "/"; a text's rank is 2 more than its place. */
function tableOf(build: (typeof builds)[number], texts: readonly Buffer[]) {
	const units = load(build);
	const place = (bytes: Uint8Array) => {
		const at = units.allocate(bytes.length);
		new Uint8Array(units.memory.buffer).set(bytes, at);
		return at;
	};
	const entries = texts.map((text, rank) =>
		units.makeEntry(
			place(Buffer.concat([Buffer.of(SLASH), text])),
			text.length + 1,
			0,
			rank + 2,
		),
	);
	const list = place(new Uint8Array(Uint32Array.from(entries).buffer));
	const spare = units.allocate(entries.length * 28);
	const program = units.makeProgram(list, entries.length, spare);
	const table = program + HEADER_SIZE;
	const view = new DataView(units.memory.buffer);
	const slots = 2 ** view.getUint32(table + JUMP_BITS, true);
	const short = view.getUint32(table + JUMP_SHORT, true);
	const setAt = table + JUMP_SLOTS + slots * 4;
	const targets = Array.from(
		{ length: slots },
		(_, slot) => view.getUint32(table + JUMP_SLOTS + slot * 4, true) >>> 8,
	);
	return {
		slots,
		codeAt: setAt + (short ? BYTE_SET_SIZE : 0) - program,
		codeEnd: view.getUint32(program + H_BYTE_LENGTH, true),
		targets: short ? [...targets, short] : targets,
		shortBytes: Array.from({ length: 256 }, (_, byte) => byte).filter(
			(byte) => short && (view.getUint8(setAt + (byte >> 3)) >> (byte & 7)) & 1,
		),
		bestOf: (path: Uint8Array) => {
			const at = place(Buffer.concat([Buffer.of(SLASH), path, Buffer.of(LF)]));
			const best = units.bestOf(program, table, at, at + 1 + path.length);
			units.release(at);
			return best;
		},
	};
}

const byte = fc.oneof(
	fc.constantFrom(97, 98, 0, 255, SLASH),
	fc.nat(255).filter((byte) => byte !== LF),
);
/** Bytes that a path may have, and so a text. Without a byte, a text would be a rule for all paths, which needs no code. */
const someBytes = (maxLength: number, minLength = 1) =>
	fc.array(byte, { minLength, maxLength }).map((bytes) => Buffer.from(bytes));

/** Keys of one slot of 256. */
const crowd = Array.from({ length: 2 ** 18 }, (_, i) =>
	Buffer.of(97 + (i & 15), 1 + ((i >> 4) & 127) * 2, 33 + (i >> 11)),
).filter((key) => {
	const hash = Math.imul(key.readUIntLE(0, KEY_BYTES), KEY_HASH) >>> 0;
	return hash >>> 24 === 7;
});

describe.each(builds)("%s", (build) => {
	test.each([
		["any", someBytes(6), 120],
		["short", someBytes(2), 30],
		["few", someBytes(5), 3],
		["of one slot", fc.constantFrom(...crowd.slice(0, 120)), 120],
	])(
		"the best of the texts that a path begins with is found: %s",
		(_, text, most) => {
			fc.assert(
				fc.property(
					fc.array(text, { maxLength: most, size: "max" }),
					fc.array(someBytes(8, 0), { minLength: 1, maxLength: 20 }),
					(texts, others) => {
						const table = tableOf(build, texts);
						const paths = [
							...others,
							...texts,
							...texts.map((text) => Buffer.concat([text, Buffer.from("a")])),
							...texts.map((text) => text.subarray(0, -1)),
						];
						for (const path of paths) {
							const best = texts.findLastIndex((text) =>
								text.equals(path.subarray(0, text.length)),
							);
							expect({ path, best: table.bestOf(path) }).toEqual({
								path,
								best: best < 0 ? 0 : best + 2,
							});
						}
					},
				),
				{ numRuns: casesOf(15), seed: 6 },
			);
		},
	);

	test("slots are at least twice as many as keys, and all lead to code", () => {
		fc.assert(
			fc.property(
				fc.array(someBytes(5), { maxLength: 200, size: "max" }),
				(texts) => {
					const table = tableOf(build, texts);
					const keys = texts
						.filter(({ length }) => length >= KEY_BYTES)
						.map((text) => text.readUIntLE(0, KEY_BYTES));
					expect(table.slots).toBeGreaterThanOrEqual(2 * new Set(keys).size);
					expect(table.slots).toBeLessThan(4 * (keys.length + 1));
					for (const target of table.targets) {
						expect(target).toBeGreaterThanOrEqual(table.codeAt);
						expect(target).toBeLessThan(table.codeEnd);
					}
					const shorts = texts.filter(({ length }) => length < KEY_BYTES);
					const first = shorts.flatMap(([byte = 0]) => byte);
					expect(table.shortBytes).toEqual(
						[...new Set(first)].sort((a, b) => a - b),
					);
				},
			),
			{ numRuns: casesOf(25), seed: 7 },
		);
	});
});
