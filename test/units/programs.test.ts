import { describe, expect, test } from "vitest";
import { builds, load } from "./module.ts";

const COUNT = 2000;
const SIZE = 40;
/** Bytes of a program that nothing but its hash and its comparison read. */
const REST = 16;

describe.each(builds)("%s", (build) => {
	test("the table of programs grows without reading programs again", () => {
		const units = load(build);
		expect(units.programsMake(2 ** 22)).toBe(1);
		const given = units.allocate(SIZE + 64);
		const keep = (i: number) => {
			const view = new DataView(units.memory.buffer, given, SIZE);
			for (let at = 0; at < SIZE; at++) view.setUint8(at, 0);
			view.setUint32(0, SIZE, true);
			view.setUint32(REST, i, true);
			return units.keepProgram(given) >>> 0;
		};
		const change = (program: number, i: number) =>
			new DataView(units.memory.buffer).setUint32(program + REST, i, true);
		const kept = Array.from({ length: COUNT }, (_, i) => {
			const program = keep(i);
			// Whoever hashes it now puts it where it is not found later.
			change(program, -1 - i);
			return program;
		});
		kept.forEach(change);
		expect(Array.from(kept, (_, i) => keep(i))).toEqual(kept);
		expect(units.programsCount()).toBe(COUNT);
	});
});
