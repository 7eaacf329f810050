// The figures of README.md.

import { comparable, ratioEverywhere, timesEverywhere } from "./ratios.mjs";
import { combined, engineOf, figure, newestWhole } from "./results.mjs";
import { dateOf, machineOf } from "./runs.mjs";
import { digits, range, row, say, shown, table, whole } from "./text.mjs";

/** Both ends rounded down, so that "at least" holds. */
const timesAsFast = (ratio) =>
	say`${range(ratioEverywhere(ratio))} times as fast`;

/** Millions a second in all runs. */
function rate(...engines) {
	const times = engines.flatMap(([subject, engine]) =>
		timesEverywhere(subject, engine),
	);
	return say`${range(
		times.map((ns) => ns && combined([ns], (value) => 1000 / value)),
	)} million a second`;
}

const command = (text) => `\`npm run bench${text}\``;
const million = (ns) => ns && combined([ns], (value) => 1000 / value);

/** Millions a second of an engine, medians, in the slowest of some kinds of runs. */
function slowest(subject, engine, ...kinds) {
	const ns = kinds.map((kind) => engineOf(kind, subject, engine, "nsMedian"));
	return shown(
		combined(ns, (...all) => 1000 / Math.max(...all)),
		digits(1),
	);
}

/** How many times as fast as robots-parser it is in Chromium, with SIMD or without: the smaller one. */
function inChromium(engine) {
	const ratios = ["chromium", "chromium-scalar"].map((kind) =>
		combined(
			["robots-parser", engine].map((one) =>
				engineOf(kind, "strings", one, "nsMedian"),
			),
			(theirs, ours) => theirs / ours,
		),
	);
	return say`${shown(combined(ratios, Math.min), Math.floor)} times, in Chromium`;
}

/** Seconds of CPU time over a log of 1 GB. */
const audit = (log) =>
	shown(
		figure(
			"audit",
			`${log}, robotrie audit --workers 1, cpuSeconds`,
			({ results }) =>
				results[log]?.find(({ name }) => name === "robotrie audit --workers 1")
					?.cpuSeconds,
		),
		digits(1),
	);

function numbers() {
	const scale = million(
		figure(
			"node",
			"scale, 1000000 origins, nsMedian",
			(one) => one.scale?.find(({ origins }) => origins === 1e6)?.nsMedian,
		),
	);
	const escaped = slowest("escaped paths", "robotrie", "node");
	const hostile = figure(
		"node",
		"hostile, runs, point 2, msMedian",
		({ curves = [] }) =>
			curves.find(({ name }) => name === "hostile, runs")?.points[1]?.msMedian,
	);
	return table(
		["what", "figure", "where it does worse", "reproduce"],
		[
			row(
				"`isAllowed`, one call per URL, compared with robots-parser's",
				timesAsFast("robots-parser / `isAllowed`"),
				inChromium("robotrie isAllowed"),
				command(" -- strings"),
			),
			row(
				"`matchMany`, an array of strings, compared with the same",
				timesAsFast("robots-parser / `matchMany`"),
				inChromium("robotrie matchMany"),
				command(" -- strings"),
			),
			row(
				"`isAllowed`, one call per URL",
				rate(["strings", "robotrie isAllowed"]),
				say`${slowest("strings", "robotrie isAllowed", "chromium-scalar")} million, in Chromium without SIMD`,
				command(" -- strings"),
			),
			row(
				"`matchLines`, whole URLs as bytes, site by site",
				rate(
					["corpus URLs, google", "robotrie into"],
					["corpus URLs, rfc9309", "robotrie into"],
				),
				say`${slowest("corpus URLs, rfc9309", "robotrie into", "scalar")} million, without SIMD; ${escaped} million, paths in other scripts, half of them percent-encoded`,
				command(" -- URLs"),
			),
			row(
				"`RobotsIndex.matchLines`, the same URLs in random order",
				rate(
					["index, mixed URLs, google", "robotrie"],
					["index, mixed URLs, rfc9309", "robotrie"],
				),
				say`${shown(scale, digits(1))} million, in an index of a million sites`,
				command(" -- index"),
			),
			row(
				"a URL of 64 KiB against 500 KiB of rules",
				say`${shown(
					figure(
						"node",
						"hostile, stars, long URLs, point 3, msMedian",
						({ curves = [] }) =>
							curves.find(({ name }) => name === "hostile, stars, long URLs")
								?.points[2]?.msMedian,
					),
					digits(1),
				)} ms, with rules \`/*a*a*a…\``,
				say`${shown(hostile, whole)} ms, with the worst rules we know`,
				command(" -- hostile"),
			),
			row(
				"a 1 GB access log, `audit` with one worker",
				say`${audit("real lines, again and again")} seconds of CPU time`,
				say`${audit("20,000 User-Agent headers")} seconds, with 20,000 User-Agent headers`,
				command(":audit"),
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
	const machines = comparable().map((one) =>
		one.ns
			? `the owners' machine (${dateOf(one.date)})`
			: `${machineOf(one)}, Node ${one.node.slice(1)} (${dateOf(one.date)})`,
	);
	return say`Each measured on one core with ${urls} real URLs of 1,225 sites. Ranges are those of all runs, fastest and median, on
${machines.join(" and on ")}.`;
}

function parsing() {
	const share = ratioEverywhere("robots-parser, parsed / parsed and compiled");
	const percent = range(
		share.map((one) => one && combined([one], (value) => 100 / value)),
		(value) => `${Math.ceil(value)}%`,
	);
	const us = (engine) =>
		shown(
			combined(
				[engineOf("chromium", "parse and compile", engine)],
				(ns) => ns / 1000,
			),
			whole,
		);
	const once = (name) =>
		shown(
			figure(
				"node",
				`processes, ${name}, ms.best`,
				({ processes }) => processes?.find((one) => one.name === name)?.ms.best,
			),
			whole,
		);
	return say`Parsing and compiling a file takes ${percent} of the time that robots-parser takes to parse it in Node, once both are warm. Doing that once for
all sites in a fresh process takes ${once("robotrie")} ms, and robots-parser ${once("robots-parser")}. In Chromium a generated file takes ${us("robotrie parse + compile")} µs, and robots-parser ${us("robots-parser")}.`;
}

export const readme = {
	about,
	numbers,
	parsing,
};
