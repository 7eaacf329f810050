// README's figures: three, and three worst cases. `npm run bench -- numbers` runs them and prints its own beside README's.
import { ratioIn, ratios } from "./ratios.mjs";
import { engineIn, Figure, runsOf } from "./results.mjs";
import { pair, range, say, Text } from "./text.mjs";

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

/** The newest whole run of each machine: what its figures are taken from. */
export const machineRuns = () =>
	runsOf("node").filter(
		(run, at, all) =>
			all.findIndex((one) => one.cpu === run.cpu && one.model === run.model) ===
			at,
	);

/**
 * A figure: of one machine its fastest and, in parentheses, its median, "8.6 (8.2) million a second"; of several the fastest of the slowest
 * machine and of the fastest one, "6.2 to 9.4 million a second".
 */
export function headlineFigure(name) {
	const { of, unit } = headline.find((one) => one.name === name);
	const found = machineRuns()
		.map(of)
		.filter(([fastest]) => fastest !== undefined);
	if (found.length === 0) return undefined;
	const [[fastest, median]] = found;
	const shown =
		found.length === 1
			? pair(fastest, median, form)
			: range(
					found.map(([first]) => first),
					form,
				);
	return say`${shown} ${unit}`;
}

/** Work that every machine does alike: it matches nothing. */
const CONTROLS = ["sum bytes", "count line ends", "list line ends"];
const CONTROLLED = "corpus URLs, google";

/** How fast the machine is now beside the stored run's, by the controls. */
function controlsBeside(run) {
	const [stored] = machineRuns();
	const lines = CONTROLS.flatMap((name) => {
		const ours = engineIn(stored, CONTROLLED, name, "nsFastest");
		const here = engineIn(run, CONTROLLED, name, "nsFastest");
		return ours && here
			? [
					`  ${name}: README's run ${form(ours)}; this run ${form(here)} ns a line; your machine: ${(ours / here).toFixed(1)} of ours\n`,
				]
			: [];
	});
	return lines.length > 0
		? `Controls, which match nothing: they say how fast this machine is now\n${lines.join("")}`
		: "";
}

/** A run's figures beside README's, a line each: those that it has; then the controls. */
export function besideReadme(run) {
	const lines = headline.flatMap(({ name, what, of, unit }) => {
		const here = of({ file: "this run", ...run });
		if (here.some((one) => one === undefined)) return [];
		const [fastest, median] = here.map(({ value }) => form(value));
		const readme = headlineFigure(name) ?? new Text("no figure");
		return [
			`  ${what}: README ${readme.text}; this run ${fastest} (${median}) ${unit}\n`,
		];
	});
	return lines.length > 0
		? `README's figures, and this run's: fastest, median in parentheses (${run.data.source}: ${run.data.sites} sites)\n${lines.join("")}${controlsBeside(run)}`
		: "";
}
