import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
	FILTER_DEPTH,
	FILTER_SECOND,
	FILTER_SIZE,
	FILTER_THIRD,
} from "../../assembly/format/program.ts";
import { casesOf } from "../cases.ts";
import { builds, load } from "./module.ts";

/** Tables for the low nibbles of a key's bytes; those for the high ones follow. */
const TABLES = [0, FILTER_SECOND, FILTER_THIRD];

/** The bits of a key's groups that let three bytes through. */
function passes(filter: Uint8Array, bytes: readonly number[]): number {
	let bits = 255;
	for (const [depth, table] of TABLES.entries()) {
		const byte = bytes[depth] ?? 0;
		bits &= filter[table + (byte & 15)] ?? 0;
		// Only the first byte's high nibble is looked at.
		if (depth === 0) bits &= filter[table + 16 + (byte >> 4)] ?? 0;
	}
	return bits;
}

describe.each(builds)("%s", (build) => {
	const byte = fc.oneof(fc.constantFrom(47, 97, 98, 0, 255), fc.nat(255));
	const key = fc.array(byte, { minLength: 1, maxLength: 5 });
	test("a filter lets every key through, whatever follows a short one", () => {
		fc.assert(
			fc.property(
				fc.array(key, { minLength: 1, maxLength: 200, size: "max" }),
				fc.array(byte, { minLength: 3, maxLength: 3 }),
				(keys, rest) => {
					const units = load(build);
					const texts = keys
						.map((each) => Buffer.from(each))
						.sort(Buffer.compare);
					const entries = texts.map((text) => {
						const at = units.allocate(text.length + 16);
						new Uint8Array(units.memory.buffer).set(text, at);
						return units.makeEntry(at, text.length, 0, 0);
					});
					const list = units.allocate(entries.length * 4);
					const filter = units.allocate(FILTER_SIZE);
					new Uint32Array(units.memory.buffer, list, entries.length).set(
						entries,
					);
					units.buildFilter(filter, list, entries.length);
					const tables = new Uint8Array(
						units.memory.buffer,
						filter,
						FILTER_SIZE,
					);
					for (const each of keys)
						expect(
							passes(tables, [...each, ...rest].slice(0, FILTER_DEPTH)),
						).not.toBe(0);
				},
			),
			{ numRuns: casesOf(150), seed: 5 },
		);
	});

	test("with up to eight keys that share no nibble, nothing else passes", () => {
		const units = load(build);
		const keys = Array.from({ length: 8 }, (_, i) => [i * 17, i * 17, i * 17]);
		const entries = keys.map((bytes) => {
			const at = units.allocate(19);
			new Uint8Array(units.memory.buffer).set(bytes, at);
			return units.makeEntry(at, 3, 0, 0);
		});
		const list = units.allocate(entries.length * 4);
		const filter = units.allocate(FILTER_SIZE);
		new Uint32Array(units.memory.buffer, list, entries.length).set(entries);
		units.buildFilter(filter, list, entries.length);
		const tables = new Uint8Array(units.memory.buffer, filter, FILTER_SIZE);
		for (let a = 0; a < 16; a++)
			for (let b = 0; b < 16; b++)
				for (let c = 0; c < 16; c++)
					expect(passes(tables, [a * 17, b * 17, c * 17]) !== 0).toBe(
						a === b && b === c && a < 8,
					);
	});
});
