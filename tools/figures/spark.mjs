// The figures of docs/spark.md.

import { combined, figure, runsOf } from "./results.mjs";
import { dateOf, machineOf } from "./runs.mjs";
import { digits, row, say, shown, table, whole } from "./text.mjs";

/** Rates of a run by what becomes of the verdicts. Earlier runs only counted them, and always shuffled shards. */
function ratesOf({ urlsPerCpuSecond }) {
	if (urlsPerCpuSecond.written) return urlsPerCpuSecond;
	const { plain, index, shards: shuffled, protego } = urlsPerCpuSecond;
	return { counted: { plain, index, shuffled, protego } };
}

/** What becomes of the verdicts in the newest run; the first is what users do. */
const ends = () => Object.keys(ratesOf(runsOf("spark")[0]));

const rate = (job, end = ends()[0]) =>
	figure("spark", `urlsPerCpuSecond, ${end}, ${job}`, (run) => {
		return ratesOf(run)[end]?.[job];
	});

/** So many digits that count, without an exponent. */
const significant = (count) => (value) =>
	Number(value.toPrecision(count)).toLocaleString("en-US");

function jobs() {
	const [run] = runsOf("spark");
	if (!run) return say`${undefined}jobs with and without verdicts`;
	const titles = {
		written: "written to Parquet: URLs per second of CPU time",
		counted: "counted by verdict: URLs per second of CPU time",
	};
	const rows = [
		["without verdicts: a constant column", "plain"],
		["with verdicts, `index`", "index"],
		["with verdicts, `shards` that fit in memory", "shards"],
		["with verdicts, `shards`, shuffle and sort included", "shuffled"],
		[
			"Protego in the same job, each file parsed once for each worker",
			"protego",
		],
	]
		.filter(([, job]) => rate(job))
		.map(([label, job]) =>
			row(
				label,
				...ends().flatMap((end) => [
					shown(rate(job, end), whole),
					shown(
						combined([rate(job, end), rate("plain", end)], (a, b) => a / b),
						significant(2),
					),
				]),
			),
		);
	const { plain = run.cpuSeconds[ends()[0]].plain } = run.cpuSeconds;
	const rounds = plain.length;
	const versions = Object.entries(run.versions).map((one) => one.join(" "));
	const more = (job) =>
		shown(
			combined([rate(job), rate("plain")], (a, b) => 1e6 / a - 1e6 / b),
			digits(1),
		);
	return say`${table(["Job", ...ends().flatMap((end) => [titles[end], "ratio"])], rows)}
${whole(run.urls)} URLs of ${whole(run.origins)} origins, ${run.shards} shards, on ${machineOf(run)}, ${versions.join(", ")}, Node ${run.node.slice(1)};
${dateOf(run.date)}. The jobs took turns in one run, and the best of ${rounds} rounds counts.${run.note ? ` ${run.note}` : ""}

The job without verdicts is the cheapest that passes a column through Python: one column of short URLs, read from a local file. In a job
that does more, verdicts are a smaller share: a URL costs ${more("index")} µs of CPU time more with \`index\`, and ${more("shuffled")} µs where shards are shuffled,
most of it for the shuffle and for finding hosts.`;
}

const HOUR = 3600;

/** What the measured job would take for more. */
function extrapolated() {
	const hours = (urls, job) =>
		shown(
			combined([rate(job)], (perSecond) => urls / perSecond / HOUR),
			significant(2),
		);
	const load = figure(
		"node",
		"calls, load, nsCpu",
		({ calls }) =>
			calls &&
			calls.calls.find(({ name }) => name === "load").nsCpu / calls.origins,
	);
	const origins = 1e8;
	const loading = combined(
		[load],
		(ns) => (10_000 * (origins / 256) * ns) / 1e9 / HOUR,
	);
	const build = figure(
		"spark",
		"buildCpuSeconds",
		(run) => ((run.buildCpuSeconds / run.origins) * origins) / HOUR,
	);
	return say`${table(
		["", "URLs", "core hours"],
		[
			row("`index`, up to 10⁶ origins", "10⁹", hours(1e9, "index")),
			...(rate("shards")
				? [row("`shards` that fit in memory", "10⁹", hours(1e9, "shards"))]
				: []),
			row("`shards`, shuffled", "10⁹", hours(1e9, "shuffled")),
			row(
				"`shards`, shuffled, 10⁸ origins in 256 shards",
				"10¹¹",
				hours(1e11, "shuffled"),
			),
			row(
				"of these, loading a shard for each of 10,000 partitions",
				"",
				shown(loading, significant(1)),
			),
			row("`build_shards`, 10⁸ origins", "", shown(build, significant(2))),
		],
	)}`;
}

export const spark = { jobs, extrapolated };
