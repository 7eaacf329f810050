import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { casesOf } from "../cases.ts";
import { builds, load, type Units } from "./module.ts";

/** More bytes than an entry needs of working memory. */
const SPARE = 32;

/** Addresses of so many items in the order that `sort` gives their list. */
function sorted(
	units: Units,
	items: readonly number[],
	sort: (list: number, spare: number) => void,
): number[] {
	const list = units.allocate(items.length * 4);
	const spare = units.allocate(items.length * SPARE);
	new Uint32Array(units.memory.buffer, list, items.length).set(items);
	sort(list, spare);
	const found = [...new Uint32Array(units.memory.buffer, list, items.length)];
	units.release(list);
	units.release(spare);
	return found;
}

/** Around the counts where another way to sort is taken, and far beyond. */
const count = fc.constantFrom(0, 1, 2, 19, 20, 21, 24, 25, 26, 60, 300);

describe.each(builds)("%s", (build) => {
	const spread = fc.integer({ min: 0, max: 2 ** 32 - 1 });
	test.each([
		["any", spread, "sortKeyed"],
		[
			"that differ in one byte",
			fc.nat(255).map((byte) => byte << 16),
			"sortKeyed",
		],
		["few, often equal", fc.nat(3), "sortKeyed"],
		[
			"with the highest bit",
			fc.constantFrom(0, 1, 2 ** 31, 2 ** 32 - 1, 2 ** 31 + 256),
			"sortKeyed",
		],
		[
			"of digits",
			fc
				.stringMatching(/^[0-9]{4}$/)
				.map((text) => Buffer.from(text).readUInt32BE()),
			"sortKeyed",
		],
		["spread", spread, "sortSpread"],
		[
			"spread, often equal",
			fc.constantFrom(0, 1, 2 ** 31, 2 ** 32 - 1),
			"sortSpread",
		],
		["not spread", fc.nat(60), "sortSpread"],
	] as const)("keys are sorted, stable: %s", (_, key, sort) => {
		const units = load(build);
		fc.assert(
			fc.property(
				count.chain((n) => fc.array(key, { minLength: n, maxLength: n })),
				(keys) => {
					const list = units.allocate(keys.length * 8);
					const spare = units.allocate(keys.length * 8);
					const view = () =>
						new Uint32Array(units.memory.buffer, list, keys.length * 2);
					keys.forEach((each, i) => {
						view().set([i, each >>> 0], i * 2);
					});
					units[sort](list, keys.length, spare);
					const found = keys.map((_, i) => view()[i * 2]);
					units.release(list);
					units.release(spare);
					expect(found).toEqual(
						keys
							.map((each, i) => [each >>> 0, i] as const)
							.sort(([a, i], [b, j]) => a - b || i - j)
							.map(([, i]) => i),
					);
				},
			),
			{ numRuns: casesOf(200), seed: 1 },
		);
	});

	const piece = fc.constantFrom("a", "ab", "b", "\0", "\xff", "abcdefgh", "/");
	const entry = fc.record({
		text: fc.array(piece, { maxLength: 5 }).map((all) => all.join("")),
		requiredByte: fc.nat(2),
		rank: fc.nat(3),
	});
	test("entries are sorted by text, then required byte, then rank, best first", () => {
		fc.assert(
			fc.property(
				count.chain((n) => fc.array(entry, { minLength: n, maxLength: n })),
				fc.constantFrom("", "/", "abcdefghi"),
				(entries, prefix) => {
					const units = load(build);
					const items = entries.map(({ text, requiredByte, rank }) => {
						const bytes = Buffer.from(prefix + text, "latin1");
						const at = units.allocate(bytes.length + 16);
						new Uint8Array(units.memory.buffer).set(bytes, at);
						return units.makeEntry(at, bytes.length, requiredByte, rank);
					});
					const found = sorted(units, items, (list, spare) =>
						units.sortEntries(list, items.length, spare, prefix.length),
					).map((item) => entries[items.indexOf(item)]);
					const wanted = entries.toSorted(
						(a, b) =>
							Buffer.compare(
								Buffer.from(a.text, "latin1"),
								Buffer.from(b.text, "latin1"),
							) ||
							a.requiredByte - b.requiredByte ||
							b.rank - a.rank,
					);
					expect(found).toEqual(wanted);
				},
			),
			{ numRuns: casesOf(150), seed: 2 },
		);
	});
});
