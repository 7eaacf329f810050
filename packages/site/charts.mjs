// Charts of stored benchmark results: the front page's, and a page with all cases of the newest run of `npm run bench` and all engines of
// `npm run bench:peers`. A chart is a table whose bars begin at zero, so it can be read aloud, printed and read on a phone. Numbers come
// from bench/results alone.
import { runsOf } from "../../tools/figures/results.mjs";
import { dateOf, machineOf } from "../../tools/figures/runs.mjs";

const count = (number) => number.toLocaleString("en");

/** How many in a second, of nanoseconds each. */
function rate(nanoseconds) {
	const value = 1e9 / nanoseconds;
	return value >= 1e6
		? `${Number((value / 1e6).toPrecision(3))} million`
		: count(Number(value.toPrecision(3)));
}

const escaped = (text) =>
	text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/**
 * A table with a bar a row. `fast` and `median` are nanoseconds: the bar is the fastest run, the mark on it the median.
 * One line without blank lines, so that Markdown leaves it as it is.
 */
function barTable({ caption, unit, rows, extra }) {
	const best = Math.min(...rows.map(({ fast }) => fast));
	const share = (nanoseconds) => ((best / nanoseconds) * 100).toFixed(2);
	const body = rows.map(
		({ name, detail, fast, median, more, own }) =>
			`<tr${own ? ' class="own"' : ""}><th scope="row">${escaped(name)}${detail ? ` <small>${escaped(detail)}</small>` : ""}</th>` +
			`<td class="bar"><span style="width: ${share(fast)}%"></span><i style="left: ${share(median)}%"></i></td>` +
			`<td>${rate(fast)} <small>(${rate(median)})</small></td>${extra ? `<td>${more}</td>` : ""}</tr>`,
	);
	return (
		`<div class="chart" tabindex="0" role="region" aria-label="${escaped(caption)}"><table><caption>${escaped(caption)}</caption>` +
		`<thead><tr><th scope="col">engine</th><th scope="col" class="bar">from zero</th><th scope="col">${unit}s a second <small>(median)</small></th>${extra ? `<th scope="col">${extra}</th>` : ""}</tr></thead>` +
		`<tbody>${body.join("")}</tbody></table></div>`
	);
}

const [peers] = runsOf("peers");
const [node] = runsOf("node");

const labelOf = ({ name }) =>
	name === "rival" ? "native engine, AVX-512" : name;
const TAKES = {
	bytes: "bytes in",
	strings: "strings in bulk",
	call: "one call a URL",
};

function enginesChart(kind, caption) {
	return barTable({
		caption,
		unit: "URL",
		extra: "wrong verdicts",
		rows: peers.engines
			.filter(({ times }) => times[kind])
			.sort((a, b) => a.times[kind].hot - b.times[kind].hot)
			.map((engine) => ({
				name: labelOf(engine),
				detail: `${engine.language}, ${TAKES[engine.takes] ?? engine.takes}`,
				fast: engine.times[kind].hot,
				median: engine.times[kind].cold,
				more: count(kind === "derived" ? engine.derivedWrong : engine.wrong),
				own: engine.name.startsWith("robotrie"),
			})),
	});
}

const machine = (run) =>
	`${machineOf(run)}, Node ${run.node.slice(1)}, ${dateOf(run.date)}`;

const HOW =
	"Bars begin at zero. A bar is the sum of each chunk's fastest run, the mark on it the median of whole passes with other engines' passes between them.";

const NATIVE = `The native engine is C++ of a few hundred lines, written to have something to measure against: it matches with vectors four times as
wide as WebAssembly's, and [has no limits for hostile files](./bench/peers/index.md).`;

export function frontChart() {
	const { data } = peers;
	return `## How fast

One core judges ${count(data.urls)} URLs of ${count(data.sites)} sites, site by site (${data.source}; ${machine(peers)}). ${HOW}
Engines that take bytes in bulk are spared a call for each URL. ${NATIVE} URLs in random order, hostile files, parsing and start-up are in
[Charts](./charts.md) and [Performance](./docs/performance.md).

${enginesChart("urls", "URLs judged in a second, one core")}`;
}

export function chartsPage() {
	const kinds = [
		["urls", "URLs, site by site"],
		["shuffled", "URLs of all sites in random order"],
		["derived", "URLs made from the rules, half of them disallowed"],
		["largest", "The largest robots.txt"],
	];
	const cases = node.cases.filter(({ engines }) => engines.length > 1);
	return `---
title: Charts
description: "How many URLs robotrie and other robots.txt engines judge in a second: all cases of the benchmark, as charts."
outline: 2
---

# Charts

All charts are drawn from the stored results in \`bench/results\`. ${HOW} [Performance](./docs/performance.md) says how it was
measured and what can be reproduced in a clone.

## Engines of other languages

\`npm run bench:peers\`, ${machine(peers)}, ${peers.data.source}. ${NATIVE}

${kinds.map(([kind, caption]) => enginesChart(kind, caption)).join("\n\n")}

## Cases of the benchmark

\`npm run bench\`, ${machine(node)}, ${node.data.source}. Sums, counts and lists of line ends are lower bounds: what reading the
same bytes costs without judging.

${cases
	.map(
		({ name, why, unit, engines }) =>
			`### ${name}\n\n${why}\n\n${barTable({
				caption: `${name}: ${unit}s a second`,
				unit,
				rows: engines.map((engine) => ({
					name: engine.name,
					fast: engine.nsFastest,
					median: engine.nsMedian,
					own: /^(robotrie|Robots)/.test(engine.name),
				})),
			})}`,
	)
	.join("\n\n")}
`;
}
