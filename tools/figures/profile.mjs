// docs/performance.md: where parsing and compiling takes its time.

import { figure, runsOf } from "./results.mjs";
import { digits, row, say, shown, table } from "./text.mjs";

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
