// The figures of README.md.

import { headlineFigure, machineRuns } from "./headline.mjs";
import { figure, newestWhole } from "./results.mjs";
import { dateOf, machineOf } from "./runs.mjs";
import { row, say, shown, table, whole } from "./text.mjs";

function numbers() {
	const of = headlineFigure;
	const calls = of("isAllowed");
	const peer = of("peer");
	return table(
		["", "real URLs", "worst case"],
		[
			row(
				"`isAllowed`, one URL a call",
				calls && peer && say`${calls}, ${peer} as robots-parser`,
				of("hostile") &&
					say`one URL of 64 KiB, the worst rules we know: ${of("hostile")}`,
			),
			row(
				"`matchLines`, bytes into an array, site by site",
				of("matchLines"),
				of("escaped") &&
					say`paths in other scripts, half of them percent-encoded: ${of("escaped")}`,
			),
			row(
				"`RobotsIndex.matchLines`, URLs of all sites shuffled",
				of("index"),
				of("largest") && say`an index of a million sites: ${of("largest")}`,
			),
		],
	);
}

function about() {
	const run = newestWhole("node");
	const { items } = run.cases.find(({ name }) => name === "corpus paths");
	const urls = shown(
		figure("node", "corpus paths, items", (one) =>
			one === run ? items : undefined,
		),
		whole,
	);
	const runs = machineRuns();
	const machines = runs.map(
		(one) =>
			`${machineOf(one)}, Node ${one.node.slice(1)}, ${dateOf(one.date)}`,
	);
	const how =
		runs.length === 1
			? "One run is stored: its fastest passes, medians in parentheses."
			: `The slowest and the fastest of ${runs.length} machines, one run each.`;
	return say`One core, ${urls} real URLs of 1,225 sites. ${how} ${machines.join("; ")}.`;
}

export const readme = {
	about,
	numbers,
};
