// The figures of docs/comparison.md.

import { engineOf, Figure, figure, runsOf } from "./results.mjs";
import { dateOf } from "./runs.mjs";
import { digits, plain, row, say, shown, Text, table, whole } from "./text.mjs";

const [run] = runsOf("others");

const cell = (values, place, form) =>
	values === undefined
		? new Text("")
		: new Text(
				values.map((value) => (value === null ? "–" : form(value))).join(" / "),
				values.map(() => `${run.file}: ${place}`),
			);

/** What the owners measured, and when. */
function about() {
	return say`${run.data}. Measured by ${run.by}, in ${dateOf(run.date)}: ${run.machine}. Worst cases of
these engines were not measured, except for Google's library (above).`;
}

function engines() {
	return table(
		[
			"engine",
			"language",
			"ns per URL",
			"wrong verdicts",
			"parse and compile all sites, ms: first / best",
			"whole process, s",
		],
		[
			...run.engines.map(({ name, language, ns, wrong, compile, process }) =>
				row(
					name,
					language,
					cell(ns, `${name}, ns`, whole),
					cell([wrong], `${name}, wrong`, whole),
					cell(compile, `${name}, compile`, whole),
					cell(process && [process], `${name}, process`, digits(2)),
				),
			),
		],
	);
}

function shuffled() {
	return table(
		["engine", "ns per URL"],
		[
			...run.shuffled.map(({ name, ns }) =>
				row(name, cell([ns], `${name}, ns`, whole)),
			),
		],
	);
}

/** The packages that the benchmark of this repository has. */
function peers() {
	const of = (engine, field, form) =>
		shown(engineOf("node", "strings", engine, field), form);
	const answers = of("robots-txt-guard", "answers", whole);
	const rows = [
		["robotrie `isAllowed`", "robotrie isAllowed"],
		["robots-txt-guard 1.0.2", "robots-txt-guard"],
		["robots-parser 3.0.1", "robots-parser"],
	].map(([label, engine]) =>
		row(label, of(engine, "nsFastest", plain), of(engine, "wrong", whole)),
	);
	return say`\`npm run bench -- strings\`, one call per URL, dialect \`google\`, on the machine that [Performance](performance.md) names first. Wrong
verdicts are those unlike Google's library's, of ${answers}.

${table(["package", "ns per URL", "wrong verdicts"], rows)}
All of them are warmed up and timed alike. robots-txt-guard has no parser of its own and gets the groups as robotrie reads them.`;
}

function google() {
	const seconds = shown(
		figure(
			"others",
			"google.hostileSeconds",
			({ google }) => google?.hostileSeconds,
		),
		digits(1),
	);
	const own = figure(
		"node",
		"hostile, stars, long URLs, point 1, msFastest",
		({ curves = [] }) =>
			curves.find(({ name }) => name === "hostile, stars, long URLs")?.points[0]
				?.msFastest,
	);
	const parser = figure(
		"node",
		"hostile, stars, long URLs, point 1, msPeer",
		({ curves = [] }) =>
			curves.find(({ name }) => name === "hostile, stars, long URLs")?.points[0]
				?.msPeer,
	);
	return say`- Since April 2026, Google's library can be built as WebAssembly with Bazel and Emscripten ([pull request
  83](https://github.com/google/robotstxt/pull/83)). It is called with an agent, one URL and the whole robots.txt, which it reads anew for
  each call. It is not a package, so the benchmark here does not have it.
- For 500 KiB of wildcards and one URL of 4 KiB Google's library takes ${seconds} seconds (measured by ${run.by},
  ${dateOf(run.date)}), robots-parser ${shown(parser && new Figure(parser.value / 1000, parser.sources), digits(1))}, and robotrie ${shown(own && new Figure(own.value * 1000, own.sources), whole)} µs once the rules are compiled. The worst case we know for
  robotrie is in [Performance](performance.md#hostile-input).`;
}

export const comparison = {
	google,
	peers,
	about,
	engines,
	shuffled,
};
