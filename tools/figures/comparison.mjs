// The figures of docs/comparison.md.

import { engineOf, Figure, figure, runsOf } from "./results.mjs";
import { dateOf, machineOf } from "./runs.mjs";
import {
	digits,
	fine,
	pair,
	plain,
	row,
	say,
	shown,
	Text,
	table,
	whole,
} from "./text.mjs";

/** What was measured outside: engines that no package registry has. */
const [run] = runsOf("others");
/** The native engine with wide vectors of bench/peers. */
const rivalOf = ({ engines }) => engines.find(({ name }) => name === "rival");
/** The newest run of `npm run bench:peers` in which that engine has its widest vectors, where there is one. */
const peersRun =
	runsOf("peers").find((one) => rivalOf(one)?.version === "AVX-512") ??
	runsOf("peers")[0];
const NONE = "No run of `npm run bench:peers` is stored yet.";

/** "hot (cold)", or two of them; empty where an engine does not take such lines. */
function timesCell(engine, kind) {
	const times = engine.times[kind];
	return times
		? new Text(`${plain(times.hot)} (${plain(times.cold)})`, [
				`${peersRun.file}: ${engine.name}, times.${kind}`,
			])
		: new Text("");
}

const numberCell = (engine, place, value, form) =>
	new Text(form(value), [`${peersRun.file}: ${engine.name}, ${place}`]);

/** What stands in no other table: packages of this run that are asked in another way than in `npm run bench`. */
const labelOf = ({ name, version }) =>
	({
		rival: `native engine, ${version}`,
		"robots-txt-guard": `robots-txt-guard ${version} with robots-txt-parse`,
	})[name] ?? `${name} ${version}`.trim();

/** How an engine is asked with URLs. */
const asks = {
	bytes: "bytes",
	paths: "bytes",
	strings: "strings in bulk",
	call: "one call a URL",
};

function about() {
	if (!peersRun) return say`${NONE}`;
	const { data, date } = peersRun;
	const of = (value, place) =>
		shown(new Figure(value, [`${peersRun.file}: data.${place}`]), whole);
	const left = peersRun.skipped.map(
		({ name, why }) => say`\n- ${name} is left out: ${why}.`,
	);
	const others = runsOf("peers").filter(
		(one, at, all) =>
			all.findIndex(({ model }) => model === one.model) === at &&
			one.model !== peersRun.model &&
			rivalOf(one),
	);
	return say`\`npm run bench:peers\` on ${dateOf(date)}, ${machineOf(peersRun)}, ${data.source}: ${of(data.sites, "sites")} sites, ${of(data.urls, "urls")} URLs,
${of(data.derived, "derived")} URLs made from the rules, rules for Googlebot. Nanoseconds a URL: the sum of each chunk's fastest run, and in parentheses the median of
whole passes with all other engines' passes between. These are times of another run than README's, with engines in processes of their own: compare its rows with each
other only.
${others.map(elsewhere)}${left}`;
}

/** The native engine's times beside robotrie's on another machine. */
function elsewhere(one) {
	const own = one.engines.find(({ name }) => name === "robotrie matchLines");
	const rival = rivalOf(one);
	const ratio = (kind) =>
		new Text((rival.times[kind].hot / own.times[kind].hot).toFixed(2), [
			`${one.file}: rival and robotrie matchLines, times.${kind}.hot`,
		]);
	return say`
On ${machineOf(one)}, ${dateOf(one.date)}, where the native engine has ${rival.version}, it took ${ratio("paths")} of robotrie's time for paths, ${ratio("urls")} for URLs, ${ratio("shuffled")} shuffled,
${ratio("derived")} for those made from rules, and ${ratio("largest")} for the largest file.
`;
}

function engines() {
	if (!peersRun) return say`${NONE}`;
	return table(
		[
			"engine",
			"language",
			"asked with",
			"wrong: URLs / made from rules",
			"paths",
			"URLs",
			"shuffled",
			"made from rules",
			"the largest file",
		],
		peersRun.engines.map((engine) =>
			row(
				labelOf(engine),
				engine.language,
				asks[engine.takes],
				say`${numberCell(engine, "wrong", engine.wrong, whole)} / ${numberCell(engine, "derivedWrong", engine.derivedWrong, whole)}`,
				...["paths", "urls", "shuffled", "derived", "largest"].map((kind) =>
					timesCell(engine, kind),
				),
			),
		),
	);
}

/** Once for all sites, and against files that are made to be slow. */
function once() {
	if (!peersRun) return say`${NONE}`;
	const files = [
		...new Set(
			peersRun.engines.flatMap(({ hostile }) =>
				hostile.map(({ name }) => name),
			),
		),
	];
	const cellOf = (engine, file) => {
		const values = [4, 64].map(
			(size) =>
				engine.hostile.find(({ name, kib }) => name === file && kib === size)
					?.ms,
		);
		return new Text(
			values
				.map((ms) => (ms === null || ms === undefined ? "–" : fine(ms)))
				.join(" / "),
			[`${peersRun.file}: ${engine.name}, hostile, ${file}`],
		);
	};
	const ms = (engine) =>
		new Text(`${plain(engine.compile.first)} / ${plain(engine.compile.best)}`, [
			`${peersRun.file}: ${engine.name}, compile`,
		]);
	const of = table(
		[
			"engine",
			"parse + compile, ms: first / best",
			"whole process, ms",
			"MB",
			...files,
		],
		peersRun.engines.map((engine) =>
			row(
				labelOf(engine),
				ms(engine),
				numberCell(engine, "process", engine.process, whole),
				numberCell(engine, "memory", engine.memory / 1e6, plain),
				...files.map((file) => cellOf(engine, file)),
			),
		),
	);
	return say`${of}
A dash is a failure, or more than ${String(peersRun.patience)} seconds.`;
}

/** Engines that this repository cannot build. */
function outside() {
	const cell = (values, place, form) =>
		values === undefined
			? new Text("")
			: new Text(
					values
						.map((value) => (value === null ? "–" : form(value)))
						.join(" / "),
					values.map(() => `${run.file}: ${place}`),
				);
	return say`${table(
		[
			"engine",
			"language",
			"ns per URL",
			"wrong verdicts",
			"parse and compile all sites, ms: first / best",
			"whole process, s",
		],
		run.engines.map(({ name, language, ns, wrong, compile, process }) =>
			row(
				name,
				language,
				cell(ns, `${name}, ns`, whole),
				cell([wrong], `${name}, wrong`, whole),
				cell(compile, `${name}, compile`, whole),
				cell(process && [process], `${name}, process`, digits(2)),
			),
		),
	)}
${run.data}. Measured by ${run.by}, ${dateOf(run.date)}: ${run.machine}.`;
}

/** The packages of npm, one call for each URL. */
function peers() {
	const names = ["robotrie isAllowed", "robots-txt-guard", "robots-parser"];
	// Of the run that README and docs/performance.md have: engines() shows another one.
	const urls = (name) => [
		pair(
			engineOf("node", "strings", name, "nsFastest"),
			engineOf("node", "strings", name, "nsMedian"),
			plain,
		),
		shown(engineOf("node", "strings", name, "wrong"), whole),
	];
	const answers = shown(
		engineOf("node", "strings", "robots-parser", "answers"),
		whole,
	);
	const packed = peersRun?.engines.find(
		({ name }) => name === "robots-txt-guard",
	);
	const guard =
		packed &&
		new Figure(packed.wrong, [`${peersRun.file}: robots-txt-guard, wrong`]);
	return say`One call per URL, dialect \`google\`. Wrong verdicts are those unlike Google's library's, of ${answers}.

${table(
	["package", "ns per URL", "wrong verdicts"],
	names.map((name) => row(name, ...urls(name))),
)}
All of them are warmed up and timed alike, in [the run](performance.md#one-site-at-a-time) that README has. robots-txt-guard has no parser of its own: here
it gets the groups as robotrie reads them, and of several groups for one crawler it takes only the first. With robots-txt-parse, which people
use it with, ${guard ? shown(guard, whole) : new Text("–")} are wrong: that row is in the table below.`;
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

/** A native engine outside the repository, whose lines come in batches as robotrie's. */
function batched() {
	const of = (kind) =>
		shown(
			figure(
				"others",
				`batched.ratios.${kind}`,
				({ batched }) => batched?.ratios[kind],
			),
			digits(2),
		);
	return say`It judges a vector a call, and branches per line: it is not the fastest that native code can do. One that is batched as robotrie is
(662 lines of C++ for AVX-512, outside this repository; ${run.batched.machine}, ${dateOf(run.date)}) took ${of("paths")} of robotrie's time for
paths, ${of("urls")} for URLs, ${of("derived")} for URLs made from the rules and ${of("shuffled")} shuffled. It has no guard against hostile files, which stop it.
It compresses and gathers with instructions that WebAssembly does not have.`;
}

export const comparison = {
	batched,
	google,
	peers,
	about,
	engines,
	once,
	outside,
};
