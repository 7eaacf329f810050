// bench/README.md and docs/performance.md: how far generated sites are from real ones (`npm run bench -- generated`).

import { ratios } from "./ratios.mjs";
import { Figure, runsOf } from "./results.mjs";
import { dateOf, machineOf } from "./runs.mjs";
import { digits, row, say, shown, Text, table } from "./text.mjs";

const [run] = runsOf("generated");

/** Controls, which do no matching. */
const CONTROLS = /^(sum bytes|count line ends|list line ends|list and hash)$/;

const cell = (subject, engine, field, form) =>
	shown(
		new Figure(engine[field], [
			`${run.file}: ${subject}, ${engine.name}, ${field}`,
		]),
		form,
	);

/** Each case's engines: nanoseconds an item over real sites, divided by those over generated ones. Times of this run would be others than README's. */
export function cases() {
	if (!run) return say`${undefined}real sites to generated ones`;
	return say`On ${dateOf(run.date)}, ${machineOf(run)}; the time of an item on real sites, in times on generated ones, fastest:

${table(
	["case", "engine", "real / generated"],
	run.cases.flatMap(({ name, engines }) =>
		engines
			.filter((engine) => !CONTROLS.test(engine.name))
			.map((engine) =>
				row(
					name,
					new Text(engine.name),
					cell(name, engine, "ratio", digits(2)),
				),
			),
	),
)}`;
}

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
