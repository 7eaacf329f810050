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

const command = (text) => `\`npm run ${text}\``;

function numbers() {
	const audit = figure(
		"audit",
		"real lines, again and again, robotrie audit --workers 1, cpuSeconds",
		({ results }) =>
			results["real lines, again and again"].find(
				({ name }) => name === "robotrie audit --workers 1",
			)?.cpuSeconds,
	);
	return table(
		["what", "figure", "reproduce"],
		[
			row(
				"`isAllowed`, one call per URL, compared with robots-parser's",
				timesAsFast("robots-parser / `isAllowed`"),
				command("bench -- strings"),
			),
			row(
				"`matchMany`, an array of strings, compared with the same",
				timesAsFast("robots-parser / `matchMany`"),
				command("bench -- strings"),
			),
			row(
				"`isAllowed`, one call per URL",
				rate(["strings", "robotrie isAllowed"]),
				command("bench -- strings"),
			),
			row(
				"`matchLines`, whole URLs as bytes, site by site",
				rate(
					["corpus URLs, google", "robotrie into"],
					["corpus URLs, rfc9309", "robotrie into"],
				),
				command("bench -- URLs"),
			),
			row(
				"`RobotsIndex.matchLines`, the same URLs in random order",
				rate(
					["index, mixed URLs, google", "robotrie"],
					["index, mixed URLs, rfc9309", "robotrie"],
				),
				command("bench -- mixed"),
			),
			row(
				"`matchLines`, paths in other scripts, half of them percent-encoded",
				rate(["escaped paths", "robotrie"]),
				command("bench -- escaped"),
			),
			row(
				"a 1 GB access log, `audit` with one worker",
				say`${shown(audit, digits(1))} seconds of CPU time`,
				command("bench:audit"),
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
