// The figures of docs/columns.md.

import { ratioEverywhere } from "./ratios.mjs";
import { figure, runsOf } from "./results.mjs";
import { dateOf, machineOf } from "./runs.mjs";
import { digits, range, say, scaled, shown, whole } from "./text.mjs";

/** What a column costs that lines do not. */
function lines() {
	const of = (ratio) => range(ratioEverywhere(ratio), digits(2));
	return say`A column takes ${of("paths as a column / as lines")} times the time of \`matchLines\` for paths, ${of("URLs as a column / as lines")} times for URLs, and ${of("index, mixed URLs as a column / as lines")} times in
an index: the range of all runs in [Performance](performance.md#on-which-machine).`;
}

function duckdb() {
	const [run] = runsOf("duckdb");
	if (!run) return say`${undefined}verdicts in DuckDB`;
	const rows = run.data.urls;
	const perUrl = (which) =>
		figure("duckdb", `${which}.cpu`, (one) => one[which].cpu / one.data.urls);
	const us = (which) => shown(scaled(perUrl(which), 1e6), digits(2));
	const rate = figure(
		"duckdb",
		"judged.cpu",
		(one) => one.data.urls / one.judged.cpu / 1e6,
	);
	return say`From one Parquet file to another, this takes ${us("judged")} µs of CPU time per URL, ${shown(rate, digits(1))} million URLs a second on one core. Without verdicts,
DuckDB takes ${us("alone")} µs to read and write them (\`npm run bench -- duckdb\`, ${whole(rows)} URLs, ${machineOf(run)}, ${dateOf(run.date)}).`;
}

export const columns = { lines, duckdb };
