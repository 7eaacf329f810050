// docs/performance.md: where parsing and compiling takes its time. docs/design.md: where judging does.

import { figure, runsOf } from "./results.mjs";
import { dateOf, machineOf } from "./runs.mjs";
import { digits, row, say, shown, table, whole } from "./text.mjs";

const of = (place, get) => figure("profile", place, get);
const percent = (value) => `${(value * 100).toFixed(0)}%`;

export function profile() {
	const [run] = runsOf("profile");
	const part = (name, field) =>
		shown(
			of(`stages, ${name}, ${field}`, ({ stages }) => {
				return stages.find((stage) => stage.name === name)?.[field];
			}),
			percent,
		);
	const number = (field, count) =>
		shown(
			of(field, (one) => one[field]),
			digits(count),
		);
	return say`${table(
		["stage", "all files but the largest", "the largest"],
		(run?.stages ?? []).map(({ name }) =>
			row(name, part(name, "others"), part(name, "largest")),
		),
	)}
All files take ${number("ms", 1)} ms, ${number("largestMs", 1)} of them the largest.`;
}

/** What each stage of judging a line takes, and what less than judging takes. */
export function judging() {
	const run = runsOf("profile").find((one) => one.judging);
	if (!run) return say`${undefined}what a line costs`;
	const kinds = ["paths", "urls"];
	const cell = (place, get) =>
		kinds.map((kind) =>
			shown(
				of(`judging, ${kind}, ${place}`, (one) => {
					return one.judging && get(one.judging[kind]);
				}),
				digits(1),
			),
		);
	const floors = {
		sum: "the sum of all bytes",
		count: "counting line ends",
		list: "listing them",
		hash: "listing them, and a byte from a hash of each first segment",
	};
	const partOf = (name) => (kind) =>
		kind.ns * kind.stages.find((stage) => stage.name === name).part;
	return say`${table(
		["stage", "ns a path", "ns a URL"],
		[
			...run.judging.paths.stages.map(({ name }) =>
				row(name, ...cell(`stages, ${name}`, partOf(name))),
			),
			row("together", ...cell("ns", ({ ns }) => ns)),
			...Object.entries(floors).map(([name, title]) =>
				row(
					`for comparison: ${title}`,
					...cell(`floors, ${name}`, (kind) => kind.floors[name]),
				),
			),
		],
	)}
${machineOf(run)}, Node ${run.node.slice(1)}, ${dateOf(run.date)}: ${whole(run.judging.paths.lines)} lines of ${whole(run.files)} sites, each site's at their best, in the cache.`;
}
