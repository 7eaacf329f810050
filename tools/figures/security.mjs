// The figures of docs/security.md.

import { Figure, figure, runsOf } from "./results.mjs";
import { dateOf, machineOf } from "./runs.mjs";
import { row, say, shown, Text, table } from "./text.mjs";

/** As many digits as a time or a size means here. */
const short = (value) => value.toFixed(value < 10 ? 1 : 0);

function growth() {
	const [run] = runsOf("growth");
	if (!run) return say`${undefined}how time and memory grow`;
	const cell = ({ call, shape }, field, values) =>
		new Text(values.map(short).join(", "), [
			`${run.file}: ${call}, ${shape}, ${field}`,
		]);
	return say`One run on ${dateOf(run.date)}, on ${String(run.cores)} cores of ${machineOf(run)}, Node ${run.node.slice(1)}.${run.note ? ` ${run.note}` : ""}

${table(
	["call", "input", "ms at 1×, 2×, 4×", "MiB at 1×, 2×, 4×"],
	run.rows.map((one) =>
		row(
			one.call,
			`${one.size.toLocaleString("en-US")} ${one.shape}`,
			cell(one, "ms", one.ms),
			cell(one, "mib", one.mib),
		),
	),
)}`;
}

/** The one call that holds a file several times over. */
function explain() {
	const mib = figure(
		"growth",
		"robotrie explain --json, MiB in gzip, mib",
		({ rows }) =>
			rows.find(
				({ call, shape }) =>
					call === "robotrie explain --json" && shape === "MiB in gzip",
			)?.mib[2],
	);
	const gib = mib && new Figure(mib.value / 1024, mib.sources);
	return say`\`explain\` answers in all dialects, and \`google\` reads the whole file: on 128 MiB of lines it takes ${shown(gib, short)} GiB. Give it only files that a
crawler would read.`;
}

/** What the client does in one go, in the dialect that takes longer. */
function turns() {
	const [run] = runsOf("turns");
	if (!run) return say`${undefined}how long the client works in one go`;
	const cell = ({ call, dialect, lines }, { sum, longest }, kib) =>
		new Text(`${short(sum)}, ${short(longest)}`, [
			`${run.file}: ${call}, ${dialect}, ${lines}, ${kib} KiB`,
		]);
	const rows = run.rows.filter((one) =>
		run.rows.every(
			(other) =>
				other.call !== one.call ||
				other.lines !== one.lines ||
				longestOf(other) <= longestOf(one),
		),
	);
	return say`Milliseconds of all steps together and of the longest one, each the fastest of 15 runs; one run on ${dateOf(run.date)}, on ${String(run.cores)} cores of
${machineOf(run)}, Node ${run.node.slice(1)}. Other work ran beside it.

${table(
	["call", "dialect", "lines of the file", "125 KiB", "250 KiB", "500 KiB"],
	rows.map((one) =>
		row(
			one.call,
			one.dialect,
			`\`${one.lines.replace("\n", "`, `")}\``,
			...one.found.map((found, i) => cell(one, found, one.sizes[i])),
		),
	),
)}`;
}

/** What it does in one go with files that a thread works on. */
function threadTurns() {
	const [run] = runsOf("turns");
	if (!run?.inThread) return say`${undefined}turns with a thread`;
	const cell = ({ call, lines }, { sum, longest }, mib) =>
		new Text(`${short(sum)}, ${short(longest)}`, [
			`${run.file}: ${call}, ${lines}, ${mib} MiB`,
		]);
	return say`Milliseconds of the call and, of CPU time, of the longest turn until half a second after it, each the least of three processes; one run on
${dateOf(run.date)}, on ${String(run.cores)} cores of ${machineOf(run)}, Node ${run.node.slice(1)}.

${table(
	["call", "lines of the file", "1 MiB", "4 MiB", "16 MiB"],
	run.inThread.map((one) =>
		row(
			one.call,
			`\`${one.lines}\``,
			...one.found.map((found, i) => cell(one, found, one.sizes[i])),
		),
	),
)}`;
}

/** The same with stores. */
function storeTurns() {
	const [run] = runsOf("turns");
	if (!run?.inStores) return say`${undefined}turns with stores`;
	const cell = ({ call, store }, { sum, longest }, mib) =>
		new Text(`${short(sum)}, ${short(longest)}`, [
			`${run.file}: ${call}, ${store}, ${mib} MiB`,
		]);
	return say`${table(
		["call", "store", "1 MiB", "4 MiB", "16 MiB"],
		run.inStores.map((one) =>
			row(
				one.call,
				one.store,
				...one.found.map((found, i) => cell(one, found, one.sizes[i])),
			),
		),
	)}`;
}

/** Milliseconds of the longest step on the largest file. */
const longestOf = ({ found }) => found.at(-1).longest;

export const security = { explain, growth, storeTurns, threadTurns, turns };
