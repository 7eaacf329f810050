// docs/performance.md: processes that do a job once.

import { combined, figure } from "./results.mjs";
import { digits, pair, row, say, shown, Text, table, whole } from "./text.mjs";

const processOf = (name, place, get) =>
	figure("node", `processes, ${name}, ${place}`, (one) => {
		const found = one.processes?.find((job) => job.name === name);
		return found && get(found);
	});

const processPair = (name, field) =>
	pair(
		processOf(name, `${field}.best`, (job) => job[field].best),
		processOf(name, `${field}.median`, (job) => job[field].median),
		whole,
	);

export function freshProcesses() {
	const floor = processOf("read only", "msCpu.best", (job) => job.msCpu.best);
	const jobs = [
		["`RobotsTxt.parse` and `for(agent)`", "robotrie"],
		["`RobotsIndex.set`", "robotrie index"],
		["robots-parser", "robots-parser"],
	];
	return table(
		[
			"fresh process",
			"ms to parse and compile all sites",
			"CPU ms, judging every URL once as well",
			"above reading the data",
		],
		[
			say`| reads the data, does nothing with it | | ${processPair("read only", "msCpu")} | |\n`,
			...jobs.map(([label, name]) => {
				const cpu = processOf(name, "msCpu.best", (job) => job.msCpu.best);
				const above = combined([cpu, floor], (a, b) => a - b);
				return row(
					label,
					processPair(name, "ms"),
					processPair(name, "msCpu"),
					shown(above, whole),
				);
			}),
		],
	);
}

export const growth = () => {
	const mega = processOf("robotrie", "growth", (job) => job.growth / 1e6);
	return say`The matchers of all sites take ${shown(mega, whole)} MB more memory than before.`;
};

export function startUp() {
	const of = (name, field) =>
		figure(
			"node",
			`startUp, ${name}, msCpu.${field}`,
			(one) => one.startUp?.find((job) => job.name === name)?.msCpu[field],
		);
	const floor = of("node -e 0", "best");
	const jobs = [
		["`node -e 0`", "node -e 0"],
		["an empty module", "an empty module"],
		['`import "robotrie"`', "import robotrie"],
		["`robotrie --version`", "robotrie --version"],
		["`robotrie match` on 100 lines", "robotrie match, 100 lines"],
	];
	return table(
		["process", "CPU ms", "above `node -e 0`"],
		[
			...jobs.map(([label, name], i) => {
				const best = of(name, "best");
				const above = combined([best, floor], (a, b) => a - b);
				return row(
					label,
					pair(best, of(name, "median"), digits(1)),
					i === 0 ? new Text("") : shown(above, digits(1)),
				);
			}),
		],
	);
}
