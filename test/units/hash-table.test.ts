import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { casesOf } from "../cases.ts";
import { builds, load } from "./module.ts";

const LIMIT = 2 ** 20;
const ITEMS = 64;

describe.each(builds)("%s", (build) => {
	const units = load(build);
	// Items lie at multiples of 16.
	const first = (units.allocate(ITEMS * 16 + 16) + 15) & ~15;
	const items = Array.from({ length: ITEMS }, (_, i) => first + i * 16);

	test.each([2 ** 28, 2 ** 29, 2 ** 30, 2 ** 31, 2 ** 32 - 1])(
		"there is no room for %i more",
		(more) => {
			expect(units.tableMake(LIMIT)).toBe(1);
			expect(units.tableReserve(more)).toBe(0);
			expect(units.tableSlots()).toBeLessThan(ITEMS);
		},
	);

	test.each([
		["any", fc.integer({ min: 0, max: 2 ** 32 - 1 })],
		["all alike", fc.constant(0x7000_0000)],
		["of the last slots, so that probing goes round", fc.constantFrom(12, 15)],
		["that differ in their tags only", fc.nat(15).map((tag) => tag << 28)],
	])("a table holds what a set holds; hashes: %s", (_, hash) => {
		fc.assert(
			fc.property(
				fc.array(hash, { minLength: ITEMS, maxLength: ITEMS }),
				fc.array(fc.nat(ITEMS - 1), { maxLength: 200, size: "max" }),
				(hashes, toggled) => {
					const words = new Uint32Array(units.memory.buffer);
					for (const [i, item] of items.entries())
						words[item / 4] = hashes[i] ?? 0;
					expect(units.tableMake(LIMIT)).toBe(1);
					const model = new Set<number>();
					for (const i of toggled) {
						const item = items[i] ?? 0;
						const other = items.find(
							(one, j) => hashes[j] === hashes[i] && !model.has(one),
						);
						if (model.has(item) && i % 2 === 1 && other !== undefined) {
							model.delete(item);
							model.add(other);
							units.tableReplace(item, other);
						} else if (model.delete(item)) {
							units.tableRemove(item);
						} else {
							model.add(item);
							expect(units.tableAdd(item)).toBe(1);
						}
					}
					expect(items.filter((item) => units.tableHas(item))).toEqual(
						items.filter((item) => model.has(item)),
					);
					expect(units.tableCount()).toBe(model.size);
					// A free slot is always there: probing ends.
					expect(model.size).toBeLessThan(units.tableSlots());
					expect(Number(units.tableWalk())).toBe(
						[...model].reduce((a, b) => a + b, 0),
					);
				},
			),
			{ numRuns: casesOf(100), seed: 4 },
		);
	});

	test("adding an item moves a few others, however many there are", () => {
		const large = load(build);
		const count = 100_000;
		const start = (large.allocate(count * 16 + 16) + 15) & ~15;
		const all = Array.from({ length: count }, (_, i) => start + i * 16);
		const words = new Uint32Array(large.memory.buffer);
		for (const [i, item] of all.entries())
			words[item / 4] = Math.imul(i, 0x9e37_79b1);
		expect(large.tableMake(LIMIT * 4)).toBe(1);
		let most = 0;
		let sizes = 0;
		for (const [i, item] of all.entries()) {
			const before = large.tableHashes();
			const slots = large.tableSlots();
			large.tableAdd(item);
			most = Math.max(most, large.tableHashes() - before);
			if (large.tableSlots() !== slots) sizes++;
			// Every now and then, also while items move.
			if (i % 997 === 0) {
				expect(large.tableHas(item)).toBe(1);
				expect(large.tableHas(all[i >> 1] ?? 0)).toBe(1);
				expect(large.tableHas(all[i + 1] ?? 0)).toBe(0);
			}
		}
		expect(sizes).toBeGreaterThan(10);
		expect(all.filter((item) => !large.tableHas(item))).toEqual([]);
		// 64 slots, and the item itself.
		expect(most).toBeLessThanOrEqual(65);
	});

	test("with room made in advance, nothing moves", () => {
		const large = load(build);
		const start = (large.allocate(1000 * 16 + 16) + 15) & ~15;
		const words = new Uint32Array(large.memory.buffer);
		expect(large.tableMake(LIMIT)).toBe(1);
		expect(large.tableReserve(1000)).toBe(1);
		const slots = large.tableSlots();
		expect(slots).toBe(2048);
		const before = large.tableHashes();
		for (let i = 0; i < 1000; i++) {
			words[start / 4 + i * 4] = Math.imul(i, 0x9e37_79b1);
			expect(large.tableAdd(start + i * 16)).toBe(1);
		}
		expect(large.tableHashes() - before).toBe(1000);
		expect(large.tableSlots()).toBe(slots);
		expect(large.tableReserve(2 ** 26)).toBe(0);
		expect(large.tableCount()).toBe(1000);
	});

	test("an item for which there is no room is refused, and the others stay", () => {
		const full = load(build);
		const start = (full.allocate(ITEMS * 16 + 16) + 15) & ~15;
		const words = new Uint32Array(full.memory.buffer);
		const some = items.map((_, i) => start + i * 16);
		for (const [i, item] of some.entries()) words[item / 4] = i * 0x9e37_79b1;
		// Room for the first slots alone.
		expect(full.tableMake(100)).toBe(1);
		const added = some.filter((item) => full.tableAdd(item));
		expect(added).toHaveLength(12);
		expect(some.filter((item) => full.tableHas(item))).toEqual(added);
		expect(full.tableSlots()).toBe(16);
	});
});
