// docs/performance.md: ratios on each machine.

import { comparable, ratioIn, ratios } from "./ratios.mjs";
import { Figure } from "./results.mjs";
import { dateOf, machineOf } from "./runs.mjs";
import { digits, pair, row, shown, Text, table } from "./text.mjs";

/** A cell for each run; a run that has not measured it has an empty one. */
function ratioRow(name, cells) {
	const texts = cells.map(
		([fastest, median]) =>
			pair(fastest, median, digits(2)) ??
			shown(fastest, digits(2)) ??
			new Text(""),
	);
	return texts.every(({ text }) => text === "")
		? new Text("", [], [name])
		: row(name, ...texts);
}

/** How much faster two workers are than one, in a run. */
function gainIn(run, field) {
	const [one, both] = [1, 2].map(
		(workers) =>
			run.pools?.pools.find((pool) => pool.workers === workers)?.[field],
	);
	return one && both
		? new Figure(one / both, [`${run.file}: pools, ${field}`])
		: undefined;
}

/** Ratios, one column a run. */
export function machines() {
	const runs = comparable();
	const columns = runs.map(
		(one) =>
			`${machineOf(one)}, Node ${one.node.slice(1)}, ${dateOf(one.date)}`,
	);
	return table(
		["ratio", ...columns],
		[
			...ratios.map((ratio) =>
				ratioRow(
					ratio.name,
					runs.map((run) => [
						ratioIn(run, ratio, "nsFastest"),
						ratioIn(run, ratio, "nsMedian"),
					]),
				),
			),
			ratioRow(
				"a pool of one worker / of two",
				runs.map((run) => [gainIn(run, "msFastest"), gainIn(run, "msMedian")]),
			),
		],
	);
}
