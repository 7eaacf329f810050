import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { casesOf } from "../../../test/cases.ts";
import { CountTable } from "../src/common/count-table.ts";

const COUNT = 4000;
const FIXED = 0x9e3779b1;

/** The factor that takes back a multiplication by an odd one, of 32-bit numbers. */
function inverseOf(factor: number): number {
	let inverse = 1;
	for (let bits = 0; bits < 5; bits++)
		inverse = Math.imul(inverse, 2 - Math.imul(factor, inverse));
	return inverse;
}

const inverse = inverseOf(FIXED);
const numbersBy = (numberOf: (index: number) => number) =>
	Array.from({ length: COUNT }, (_, index) => numberOf(index));

function probesOf(numbers: readonly number[]): number {
	const table = new CountTable(1);
	for (let round = 0; round < 2; round++)
		for (const number of numbers) table.add(number, 0, 1);
	return table.probes;
}

describe("Numbers chosen by a client cost no more than others:", () => {
	test.each<[string, readonly number[]]>([
		["one after the other", numbersBy((index) => index)],
		["multiples of 1000", numbersBy((index) => index * 1000)],
		["multiples of 65536", numbersBy((index) => index * 65536)],
		[
			"equal but for bits above the 32nd",
			numbersBy((index) => index * 2 ** 32),
		],
		["negative", numbersBy((index) => -index * 7)],
		[
			"one hash under a known factor",
			numbersBy((index) => Math.imul(index, inverse) >>> 0),
		],
	])("%s", (_, numbers) => expect(probesOf(numbers)).toBeLessThan(20 * COUNT));
});

test("a table counts as a Map does, also when it is cleared and merged", () => {
	const number = fc.oneof(
		fc.integer({ min: -20, max: 20 }),
		fc.integer({ min: 0, max: 2 ** 20 }).map((value) => value * 2 ** 20),
	);
	const additions = fc.array(fc.tuple(number, fc.nat(1), fc.nat(5)), {
		maxLength: 100,
	});
	const countsOf = (table: CountTable) => {
		const { size, cells } = table.toData();
		return Array.from({ length: size }, (_, at) =>
			Array.from(cells).slice(3 * at, 3 * at + 3),
		);
	};
	fc.assert(
		fc.property(additions, additions, additions, (cleared, first, second) => {
			const table = new CountTable(2);
			for (const addition of cleared) table.add(...addition);
			table.clear();
			for (const addition of first) table.add(...addition);
			const other = new CountTable(2);
			for (const addition of second) other.add(...addition);
			table.merge(other.toData());
			const expected = new Map<number, [number, number]>();
			for (const [key, column, count] of [...first, ...second]) {
				const counts = expected.get(key) ?? [0, 0];
				counts[column] = (counts[column] ?? 0) + count;
				expected.set(key, counts);
			}
			expect(countsOf(table)).toEqual(
				Array.from(expected, ([key, counts]) => [key, ...counts]),
			);
		}),
		{ numRuns: casesOf(500) },
	);
});
