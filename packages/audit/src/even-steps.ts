import type { Segment } from "./segment.ts";
import { TimeSeries, type TimeSeriesData, widthFor } from "./time-series.ts";

/**
 * Brings the series of segments, in their order, to steps that depend on the logs alone: a scanner begins with those of the segments that
 * it counted before, which with several threads are not all.
 */
export class EvenSteps {
	#first = Number.POSITIVE_INFINITY;
	#last = Number.NEGATIVE_INFINITY;

	of(segment: Segment): Segment {
		const crawlers = [...segment.crawlers];
		for (const { series } of crawlers) {
			this.#first = Math.min(this.#first, series.first);
			this.#last = Math.max(this.#last, series.end);
		}
		const width = widthFor(this.#first, this.#last);
		return {
			...segment,
			crawlers: crawlers.map((counts) => ({
				...counts,
				series: widened(counts.series, width),
			})),
		};
	}
}

function widened(data: TimeSeriesData, width: number): TimeSeriesData {
	if (data.width >= width) return data;
	const series = new TimeSeries();
	series.merge(data);
	series.widen(width);
	return series.toData();
}
