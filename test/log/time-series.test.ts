import fc from "fast-check";
import { expect, test } from "vitest";
import { ALLOWED, DISALLOWED, TimeSeries } from "../../src/log/time-series.ts";

const seriesOf = (times: readonly number[]) => {
	const series = new TimeSeries();
	times.forEach((time, index) => {
		series.add(time, index % 3 === 0 ? DISALLOWED : ALLOWED);
	});
	return series;
};

test("series add up to the series of all, whatever the parts and their order", () => {
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
			expect(forth.toData()).toEqual(back.toData());
			const times = parts.flat();
			const whole = seriesOf(times).toData();
			expect({ ...forth.toData(), cells: [] }).toEqual({ ...whole, cells: [] });
			const starts = ({ cells }: typeof whole) => cells.map(([start]) => start);
			expect(starts(forth.toData())).toEqual(starts(whole));
			expect(
				forth
					.entries()
					.reduce((sum, [, counts]) => sum + counts[0] + counts[1], 0),
			).toBe(times.length);
		}),
		{ numRuns: 500 },
	);
});
