// The figures of README.md.

import { headline, headlineRange } from "./headline.mjs";
import { ratioEverywhere } from "./ratios.mjs";
import { combined, engineOf, figure, newestWhole, runsOf } from "./results.mjs";
import { dateOf, machineOf } from "./runs.mjs";
import { range, row, say, shown, table, whole } from "./text.mjs";

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
all sites in a fresh process takes ${once("robotrie")} ms; robots-parser takes ${once("robots-parser")}. In Chromium a generated file takes ${us("robotrie parse + compile")} µs; robots-parser takes ${us("robots-parser")}.`;
}

export const readme = {
	about,
	numbers,
	parsing,
};
