// docs/performance.md: ratios on each machine.

import { comparable, ratioIn, ratios } from "./ratios.mjs";
import { Figure, figure } from "./results.mjs";
import { dateOf, machineOf } from "./runs.mjs";
import {
	digits,
	pair,
	plain,
	range,
	row,
	say,
	shown,
	Text,
	table,
} from "./text.mjs";

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
	const columns = runs.map((one) =>
		one.ns
			? `measured by ${one.by.split(",")[0]}, ${dateOf(one.date)}; ${one.machine.split(";").at(-1).trim()}`
			: `${machineOf(one)}, Node ${one.node.slice(1)}, ${dateOf(one.date)}`,
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

export const otherProcessor = () => {
	const at = (place, get) => figure("others", place, get);
	const urls = at("otherProcessor", (one) => one.otherProcessor?.urlsToPaths);
	const scan = [0, 1].map((i) =>
		at("otherProcessor", (one) => one.otherProcessor?.pathsToScan[i]),
	);
	return say`On a second machine, whose processor was not noted either, the owners measured ${shown(urls, plain)} for URLs to paths, and ${range(scan, String)} for paths to a search
for each line end.`;
};
