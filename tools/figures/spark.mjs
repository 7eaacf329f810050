// The figures of docs/spark.md.

import { bytesAtLarge, bytesOf } from "./many-sites.mjs";
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
		["with verdicts, `index`, in the Python worker", "worker"],
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

/** Bytes of a shard's snapshot that are advised: some seconds of loading, and three times that in memory while it loads. */
const SHARD = 1e8;
const PARTITIONS = 10_000;

/** What rules take, and in how many shards, by what sites are like. */
function sizing() {
	const mega = (perOrigin) => shown(perOrigin, (bytes) => `${whole(bytes)} MB`);
	const giga = (perOrigin) =>
		shown(
			combined([perOrigin], (bytes) => bytes / 10),
			(gigabytes) => `${significant(2)(gigabytes)} GB`,
		);
	const shards = (perOrigin) =>
		shown(
			combined([perOrigin], (bytes) => Math.ceil((bytes * 1e8) / SHARD)),
			significant(2),
		);
	const kinds = [
		["two rules each, all different", (field) => bytesOf("two rules", field)],
		["the web at large, an assumption", bytesAtLarge],
		[
			"popular sites, as the 1,225 of the corpus",
			(field) => bytesOf("real", field),
		],
	];
	return say`${table(
		[
			"Sites",
			"10⁶ origins: snapshot",
			"in memory",
			"10⁸ origins: snapshots",
			"shards of 100 MB",
		],
		kinds.map(([label, of]) =>
			row(
				label,
				mega(of("snapshotBytes")),
				mega(of("byteLength")),
				giga(of("snapshotBytes")),
				shards(of("snapshotBytes")),
			),
		),
	)}`;
}

/** What the measured job would take for more. */
function extrapolated() {
	const hours = (urls, job) =>
		shown(
			combined([rate(job)], (perSecond) => urls / perSecond / HOUR),
			significant(2),
		);
	const load = figure(
		"node",
		"calls, load, nsCpu / snapshotBytes",
		({ calls }) =>
			calls &&
			calls.calls.find(({ name }) => name === "load").nsCpu /
				calls.snapshotBytes,
	);
	const origins = 1e8;
	const loading = combined(
		[load],
		(ns) => (PARTITIONS * SHARD * ns) / 1e9 / HOUR,
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
			row("`shards`, shuffled, 10⁸ origins", "10¹¹", hours(1e11, "shuffled")),
			row(
				"beside that, loading a shard of 100 MB in each of 10,000 partitions",
				"",
				shown(loading, significant(2)),
			),
			row("`build_shards`, 10⁸ origins", "", shown(build, significant(2))),
		],
	)}`;
}

/** A line that small jobs fit, and what it says of a large one, which then ran. */
function model() {
	const [run] = runsOf("spark-model");
	if (!run) return say`${undefined}the cost model of Spark jobs`;
	const of = (place, get) => figure("spark-model", place, get);
	const factor = (job, at, scale = 1) =>
		shown(
			of(`fitted, ${job}, ${at}`, ({ fitted }) => fitted[job][at] * scale),
			significant(2),
		);
	const side = (job, name, format) =>
		shown(
			of(`last, sides, ${job}, ${name}`, ({ last }) => last.sides[job][name]),
			format,
		);
	const titles = {
		build: "`build_shards`",
		index: "verdicts, `index`",
		shuffled: "verdicts, `shards`, shuffled",
	};
	const rows = Object.entries(titles).map(([job, title]) =>
		row(
			title,
			factor(job, 0),
			job === "build" ? "" : factor(job, 1),
			factor(job, job === "build" ? 1 : 2, 100),
			side(job, "model", whole),
			side(job, "measured", whole),
			side(job, "error", (error) => `${whole(error * 100)}%`),
		),
	);
	const { last, points } = run;
	const numbers = (field) =>
		[...new Set(points.map((point) => point[field]))].map(whole).join(" and ");
	const times = (job) =>
		shown(
			of(
				`last, sides, ${job}, measured and model`,
				({ last: { sides } }) => sides[job].measured / sides[job].model,
			),
			digits(1),
		);
	return say`${table(
		[
			"CPU seconds of",
			"beginning",
			"10⁶ URLs",
			"100 MB of rules",
			"the large job: model",
			"measured",
			"error",
		],
		rows,
	)}
The small jobs have ${numbers("origins")} origins, and ${numbers("urls")} URLs. The large one has ${whole(last.origins)} origins, each with
${run.rules === "real" ? "the rules of one of the corpus' sites and one of its own" : "rules that were made up"}, so ${whole(run.distinct)} different sets of rules and ${whole(last.megabytes)} MB of snapshot in ${last.shards} shards, and
${whole(last.urls)} URLs. It took ${times("index")} times (\`index\`) and ${times("shuffled")} times (shuffled) what the line says; probably because its rules fit into no
cache, and its partitions are sorted on the disk. Multiply the rows above by it. ${machineOf(run)}, ${dateOf(run.date)}.${run.note ? ` ${run.note}` : ""}`;
}

/** Verdicts in the Python worker against those of a child. */
function worker() {
	const of = (end) =>
		shown(
			figure(
				"spark-worker",
				`urlsPerCpuSecond, ${end}, worker and index`,
				(run) =>
					run.urlsPerCpuSecond[end].worker / run.urlsPerCpuSecond[end].index,
			),
			digits(2),
		);
	return say`Why a child, when Python could judge by itself with the [Python package](python.md)? In the same job it judges ${of("counted")} times as many URLs in a
second of CPU time where verdicts are counted, and ${of("written")} times as many where they are written: what the child costs in pipes, V8's code gives back.`;
}

export const spark = { jobs, extrapolated, model, sizing, worker };
