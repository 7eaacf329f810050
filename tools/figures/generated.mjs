// bench/README.md and docs/performance.md: how far generated sites are from real ones (`npm run bench -- generated`).

import { ratios } from "./ratios.mjs";
import { Figure, runsOf } from "./results.mjs";
import { dateOf, machineOf } from "./runs.mjs";
import { digits, plain, row, say, shown, Text, table } from "./text.mjs";

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

/** Each case's engines: nanoseconds an item over real sites and over generated ones. */
export function cases() {
	if (!run) return say`${undefined}real sites to generated ones`;
	return say`On ${dateOf(run.date)}, ${machineOf(run)}; nanoseconds an item, fastest:

${table(
	["case", "engine", "real", "generated", "real / generated"],
	run.cases.flatMap(({ name, engines }) =>
		engines
			.filter((engine) => !CONTROLS.test(engine.name))
			.map((engine) =>
				row(
					name,
					new Text(engine.name),
					cell(name, engine, "real", plain),
					cell(name, engine, "generated", plain),
					cell(name, engine, "ratio", digits(2)),
				),
			),
	),
)}`;
}

/** The ratios of docs/performance.md over both, as far as both have been measured. */
export const bothRatios = () =>
	ratios.flatMap(({ name, over, under }) => {
		const [a, b] = [over, under].map(([subject, engine]) =>
			run?.cases
				.find((one) => one.name === subject)
				?.engines.find((one) => one.name === engine),
		);
		if (!a || !b) return [];
		const of = (field) =>
			new Figure(a[field] / b[field], [
				`${run.file}: ${over.join(", ")} / ${under.join(", ")}, ${field}`,
			]);
		return [{ name, real: of("real"), generated: of("generated") }];
	});

export function ratiosOfBoth() {
	const all = bothRatios();
	if (all.length === 0) return say`${undefined}ratios on generated sites`;
	return table(
		["ratio", "real sites", "generated sites"],
		all.map(({ name, real, generated }) =>
			row(name, shown(real, digits(2)), shown(generated, digits(2))),
		),
	);
}
