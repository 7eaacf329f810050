// The figures of README.md.

import { headline, headlineRange } from "./headline.mjs";
import { figure, newestWhole, runsOf } from "./results.mjs";
import { dateOf, machineOf } from "./runs.mjs";
import { row, say, shown, table, whole } from "./text.mjs";

const what = (name) => headline.find((one) => one.name === name).what;

function numbers() {
	const plain = (name) => row(what(name), headlineRange(name));
	const peer = headlineRange("peer");
	const calls = headlineRange("isAllowed");
	return say`${table(
		["three figures", ""],
		[
			row(
				what("isAllowed"),
				calls && peer && say`${calls}; ${peer} as robots-parser`,
			),
			plain("matchLines"),
			plain("index"),
		],
	)}
${table(["three worst cases", ""], ["escaped", "largest", "hostile"].map(plain))}`;
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
	const machines = runsOf("node").map(
		(one) =>
			`${machineOf(one)}, Node ${one.node.slice(1)} (${dateOf(one.date)})`,
	);
	return say`One core, ${urls} real URLs of 1,225 sites. Ranges are those of all stored runs, fastest and median: ${machines.join("; ")}.`;
}

export const readme = {
	about,
	numbers,
};
