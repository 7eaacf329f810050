import fc from "fast-check";
import { expect, test } from "vitest";
import { casesOf } from "../../../test/cases.ts";
import { ALLOWED, DISALLOWED, TimeSeries } from "../src/common/time-series.ts";

const seriesOf = (times: readonly number[]) => {
	const series = new TimeSeries();
	times.forEach((time, index) => {
		series.add(time, index % 3 === 0 ? DISALLOWED : ALLOWED);
	});
	return series;
};

test("series of parts add up to the whole, in any order", () => {
	const time = fc
		.tuple(fc.constantFrom(60_000, 3.6e6, 8.64e7, 3e9), fc.nat(1000))
		.map(([unit, count]) => 1.7e12 + unit * count);
	fc.assert(
		fc.property(fc.array(fc.array(time, { maxLength: 9 })), (parts) => {
			const forth = new TimeSeries();
			const back = new TimeSeries();
			for (const part of parts) forth.merge(seriesOf(part).toData());
			for (const part of parts.toReversed())
				back.merge(seriesOf(part).toData());
			expect(forth.entries()).toEqual(back.entries());
			const times = parts.flat();
			const whole = seriesOf(times);
			const shapeOf = (series: TimeSeries) => {
				const { first, end, width } = series.toData();
				const starts = series.entries().map(([start]) => start);
				return { first, end, width, starts };
			};
			expect(shapeOf(forth)).toEqual(shapeOf(whole));
			expect(
				forth
					.entries()
					.reduce((sum, [, counts]) => sum + counts[0] + counts[1], 0),
			).toBe(times.length);
		}),
		{ numRuns: casesOf(500) },
	);
});

test("a series that begins with wider steps adds up to the same, once both are as wide", () => {
	const width = 600_000;
	const times = [1.7e12, 1.7e12 + 59_999, 1.7e12 + 3.6e6, 1.7e12 + 7.1e6];
	const wide = new TimeSeries();
	wide.clear(width);
	for (const time of times) wide.add(time, ALLOWED);
	const narrow = new TimeSeries();
	for (const time of times) narrow.add(time, ALLOWED);
	const merged = new TimeSeries();
	merged.merge(narrow.toData());
	merged.merge(wide.toData());
	narrow.merge(narrow.toData());
	narrow.widen(width);
	expect(merged.entries()).toEqual(narrow.entries());
});
