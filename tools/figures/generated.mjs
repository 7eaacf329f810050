// docs/performance.md: how far generated sites are from real ones (`npm run bench -- generated`).

import { ratios } from "./ratios.mjs";
import { Figure, runsOf } from "./results.mjs";
import { digits, row, say, shown, table } from "./text.mjs";

const [run] = runsOf("generated");

/** What the ratios of docs/performance.md are on generated sites, in what they are on real ones, as far as both have been measured. */
export const bothRatios = () =>
	ratios.flatMap(({ name, over, under }) => {
		const [a, b] = [over, under].map(([subject, engine]) =>
			run?.cases
				.find((one) => one.name === subject)
				?.engines.find((one) => one.name === engine),
		);
		if (!a || !b) return [];
		const kept = new Figure(b.ratio / a.ratio, [
			`${run.file}: ${over.join(", ")} / ${under.join(", ")}, ratio`,
		]);
		return [{ name, kept }];
	});

export function ratiosOfBoth() {
	const all = bothRatios();
	if (all.length === 0) return say`${undefined}ratios on generated sites`;
	return table(
		["ratio", "on generated sites, of what it is on real ones"],
		all.map(({ name, kept }) => row(name, shown(kept, digits(2)))),
	);
}
