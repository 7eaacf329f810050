// README's figures: three, and three worst cases. `npm run bench -- numbers` runs them and prints its own beside README's.
import { ratioIn, ratios } from "./ratios.mjs";
import { engineIn, Figure, runsOf } from "./results.mjs";
import { range, say, Text } from "./text.mjs";

const million = (ns) => 1000 / ns;

/** Millions a second of an engine in a case, fastest and median. */
const rateOf = (subject, engine) => (run) =>
	["nsFastest", "nsMedian"].map((field) => {
		const ns = engineIn(run, subject, engine, field);
		return (
			ns &&
			new Figure(million(ns), [`${run.file}: ${subject}, ${engine}, ${field}`])
		);
	});

const timesAsFast = (name) => (run) =>
	["nsFastest", "nsMedian"].map((field) =>
		ratioIn(
			run,
			ratios.find((one) => one.name === name),
			field,
		),
	);

const largestIndex = (run) => {
	const largest = run.scale?.find(({ origins }) => origins === 1e6);
	return [largest?.nsFastest, largest?.nsMedian].map(
		(ns) =>
			ns && new Figure(million(ns), [`${run.file}: scale, 1000000 origins`]),
	);
};

const CURVE = "hostile, the worst found";
const hostile = (run) => {
	const point = run.curves?.find(({ name }) => name === CURVE)?.points.at(-1);
	return [point?.msFastest, point?.msMedian].map(
		(ms) => ms && new Figure(ms, [`${run.file}: ${CURVE}, last point`]),
	);
};

const rate = "million a second";

/** What is measured, in which runs it stands, and in which unit. */
export const headline = [
	{
		name: "isAllowed",
		what: "`isAllowed`, one URL a call",
		of: rateOf("strings", "robotrie isAllowed"),
		unit: rate,
	},
	{
		name: "peer",
		what: "the same, beside robots-parser",
		of: timesAsFast("robots-parser / `isAllowed`"),
		unit: "times as fast",
	},
	{
		name: "matchLines",
		what: "`matchLines` into an array, URLs as bytes, site by site",
		of: rateOf("corpus URLs, google", "robotrie into"),
		unit: rate,
	},
	{
		name: "index",
		what: "`RobotsIndex.matchLines`, URLs of all sites shuffled",
		of: rateOf("index, mixed URLs, google", "robotrie"),
		unit: rate,
	},
	{
		name: "largest",
		what: "`RobotsIndex.matchLines`, in an index of a million sites",
		of: largestIndex,
		unit: rate,
	},
	{
		name: "escaped",
		what: "`matchLines`, paths in other scripts, half of them percent-encoded",
		of: rateOf("escaped paths", "robotrie"),
		unit: rate,
	},
	{
		name: "hostile",
		what: "one URL of 64 KiB against the worst rules we know",
		of: hostile,
		unit: "ms",
	},
];

/** The cases and curves that these are taken from. */
export const headlineCases = [
	"strings",
	"corpus URLs, google",
	"index, mixed URLs, google",
	"escaped paths",
	CURVE,
];

const form = (value) =>
	value < 10 ? value.toFixed(1) : String(Math.floor(value));

/** A figure as a range over all stored runs, fastest and median: "6.2 to 9.4 million a second". */
export function headlineRange(name) {
	const { of, unit } = headline.find((one) => one.name === name);
	const found = range(runsOf("node").flatMap(of), form);
	return found && say`${found} ${unit}`;
}

/** A run's figures beside README's ranges, a line each: those that it has. */
export function besideReadme(run) {
	const lines = headline.flatMap(({ name, what, of, unit }) => {
		const here = of({ file: "this run", ...run });
		if (here.some((one) => one === undefined)) return [];
		const [fastest, median] = here.map(({ value }) => form(value));
		const readme = headlineRange(name) ?? new Text("no figure");
		return [
			`  ${what}: README ${readme.text}; this run ${fastest} (median ${median}) ${unit}\n`,
		];
	});
	return lines.length > 0
		? `README's figures, and this run's (${run.data.source}: ${run.data.sites} sites)\n${lines.join("")}`
		: "";
}
