// The curves of docs/performance.md: a URL's time by one size at a time, from the newest run of them.
import { runsOf } from "./results.mjs";
import { dateOf, machineOf } from "./runs.mjs";
import { row, say, Text, table } from "./text.mjs";

const short = (value) =>
	value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString("en-US");

const labels = {
	rules: "rules of a file, `matchLines`",
	bytes: "bytes of a path, 100 rules",
	lines: "lines a call, 100 rules",
	origins: "origins of an index that has just doubled its table",
	threads: "threads of a pool, URLs of all sites shuffled",
};

const plus = (ns) => `${ns < 0 ? "−" : "+"} ${short(Math.abs(ns))}`;

/** A line through the first and the last point. */
const formulas = {
	rules: ([first, ...more]) => {
		const last = more.at(-1);
		const each = (last.ns - first.ns) / Math.log10(last.size / first.size);
		return `${short(first.ns)} ${plus(each)} × log10(rules / ${first.size})`;
	},
	// A line that is longer than a stretch of 8 KiB is judged by itself.
	bytes: (points) => {
		const [first] = points;
		const within = points.filter(({ size }) => size <= 1000).at(-1);
		const last = points.at(-1);
		const each = (within.ns - first.ns) / (within.size - first.size);
		return `${short(first.ns - each * first.size)} + ${each.toFixed(2)} × bytes up to 1,000; ${(last.ns / last.size).toFixed(2)} × bytes beyond 8 KiB`;
	},
	lines: ([first, ...more]) => {
		const { ns } = more.at(-1);
		return `${short(ns)} + ${short(first.ns - ns)} / lines`;
	},
	origins: ([first, ...more]) => {
		const last = more.at(-1);
		const each = (last.ns - first.ns) / Math.log10(last.size / first.size);
		return `${short(first.ns)} ${plus(each)} × log10(origins / ${first.size.toLocaleString("en-US")})`;
	},
	// The share of the work that more threads divide.
	threads: ([first, ...more]) => {
		const { ns, size } = more.at(-1);
		const divided = (first.ns - ns) / (1 - 1 / size);
		return `${short(first.ns - divided)} + ${short(divided)} / threads`;
	},
};

const pointText = ({ size, ns, nsNeighbour }) => {
	const ratio =
		nsNeighbour === undefined ? "" : ` (${(ns / nsNeighbour).toFixed(2)})`;
	return `${size.toLocaleString("en-US")}: ${short(ns)}${ratio}`;
};

export function curves() {
	const [run] = runsOf("curves");
	if (!run) return say`${undefined}how a URL's time grows`;
	return say`On ${dateOf(run.date)}, ${machineOf(run)}; nanoseconds a URL, the fastest of ${String(run.rounds)} rounds.${run.note ? ` ${run.note}` : ""}

${table(
	["size", "formula", "measured"],
	run.curves.map(({ name, points }) =>
		row(
			labels[name],
			new Text(formulas[name](points), [`${run.file}: ${name}`]),
			new Text(points.map(pointText).join(", "), [`${run.file}: ${name}`]),
		),
	),
)}`;
}
