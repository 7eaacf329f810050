import type { Ranking } from "./report.ts";
import type { TextCounts } from "./text-counts.ts";

/** Texts of a ranking. */
const MOST = 20;

/** The texts of all, each replaced by what it is here, those that came most often first. */
export function ranking(
	all: readonly TextCounts[],
	replace: (text: string) => string = (text) => text,
): Ranking {
	const sums = new Map<string, number>();
	let uncounted = 0;
	for (const texts of all) {
		const { counts, others } = texts.toData();
		uncounted += others;
		for (const [text, count] of counts) {
			const name = replace(text);
			sums.set(name, (sums.get(name) ?? 0) + count);
		}
	}
	const top = [...sums]
		.sort(([a, many], [b, few]) => few - many || (a < b ? -1 : 1))
		.slice(0, MOST)
		.map(([text, count]) => ({ text, count }));
	return { top, different: sums.size, uncounted };
}
