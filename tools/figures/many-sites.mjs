// The figures of docs/many-sites.md.

import { combined, figure, runsOf } from "./results.mjs";
import { dateOf, machineOf } from "./runs.mjs";
import { digits, row, say, shown, table, whole } from "./text.mjs";

function calls() {
	const run = runsOf("node").find((one) => one.calls);
	if (!run) return say`${undefined}calls of a large index`;
	const of = (name, by) =>
		combined(
			[
				figure(
					"node",
					`calls, ${name}, nsCpu`,
					({ calls }) => calls?.calls.find((one) => one.name === name)?.nsCpu,
				),
			],
			(ns) => ns / by,
		);
	const fact = (name, form) =>
		shown(
			figure("node", `calls.${name}`, ({ calls }) => calls?.[name]),
			form,
		);
	const ms = (name) => say`${shown(of(name, 1e6), whole)} ms`;
	const us = (name) => say`${shown(of(name, 1e3), digits(2))} µs`;
	return say`CPU time at ${fact("origins", whole)} origins with two rules each (${fact("programs", whole)} programs, a snapshot of ${fact("snapshotBytes", (bytes) => (bytes / 1e6).toFixed(0))} MB), the best of five runs in one
process: ${machineOf(run)}, Node ${run.node.slice(1)}, ${dateOf(run.date)}.

${table(
	["call", "CPU time"],
	[
		row("`fromBytes(bytes)`", ms("fromBytes")),
		row("`load(stream)`, chunks of 64 KiB", ms("load")),
		row("`toBytes()`", ms("toBytes")),
		row("all chunks of `snapshot()`", ms("snapshot")),
		row("all of `origins()`", ms("origins")),
		row("`set(origin, text)` of a known origin", us("set")),
		row("`isAllowed(url)`", us("isAllowed")),
		row(
			"`matchMany(urls, into)`, 100,000 URLs of as many origins",
			say`${us("matchMany")} a URL`,
		),
		row("`matchLines(bytes, into)`, the same", say`${us("matchLines")} a URL`),
	],
)}`;
}

/** What a pool loses that judges while its rules change. */
function live() {
	const [run] = runsOf("live");
	if (!run) return say`${undefined}a pool whose rules change`;
	const of = (name, by, form) =>
		shown(
			combined(
				[figure("live", name, (one) => one[name])],
				(value) => value / by,
			),
			form,
		);
	const rate = (name) =>
		shown(
			combined(
				[
					figure("live", "lines", ({ lines }) => lines),
					figure("live", name, (one) => one[name]),
				],
				(lines, ms) => lines / ms / 1000,
			),
			digits(1),
		);
	const workers = run.workers === 1 ? "one worker" : `${run.workers} workers`;
	const apart =
		run.apart === undefined
			? ""
			: say` As many in an index of its own, which nobody judges by, leave ${rate("apart")} million.`;
	return say`On ${of("cores", 1, whole)} cores (${machineOf(run)}, ${dateOf(run.date)}), a pool of ${workers} judges ${rate("quiet")} million URLs a second of 50,000 sites while nothing changes, and
${rate("setting")} million while ${of("setsPerSecond", 1, whole)} rules a second are set (\`npm run bench -- live\`). Three threads then share the cores.${apart}`;
}

/** What an origin takes in a large index. */
function bytes() {
	const origins = 1_000_000;
	const scale = (place, get) =>
		figure("node", `scale, ${origins} origins, ${place}`, (one) => {
			const found = one.scale?.find((size) => size.origins === origins);
			return found && get(found);
		});
	const names = scale(
		"byteLength - programBytes",
		(one) => (one.byteLength - one.programBytes) / origins,
	);
	const site = (place, get) =>
		figure("node", `sites.${place}`, ({ sites }) => sites && get(sites));
	const index = site("index.google", (one) => one.index.google);
	const matcher = site("matcher.google", (one) => one.matcher.google);
	return say`Beside its rules, an origin takes ${shown(names, whole)} bytes in an index of a million generated sites, its name included. The rules of a median real
site take ${shown(index, whole)} bytes there, and ${shown(matcher, whole)} as a \`Matcher\`'s byte-code.`;
}

/** Bytes an origin takes with its name, by what its rules are like: in a snapshot and in memory. */
const KINDS = [
	["no rules (404, an empty file)", "no rules"],
	["two rules of its own", "two rules"],
	["popular sites", "real"],
];

/** @returns A figure: bytes an origin; `field` is `snapshotBytes` or `byteLength`. */
export const bytesOf = (kind, field, dialect = "google") =>
	figure("sizes", `${dialect}.${kind}: ${field} / origins`, (run) => {
		const one = run[dialect][kind];
		return one[field] / one.origins;
	});

/**
 * An assumption, as no survey counts rules: three of four origins have no rules of their own, and the fourth is like a popular site.
 * Surveys of robots.txt found no file at about half of all hosts.
 */
export const bytesAtLarge = (field) =>
	combined(
		[bytesOf("no rules", field), bytesOf("real", field)],
		(none, popular) => 0.75 * none + 0.25 * popular,
	);

/** What an origin takes by its rules, over two dialects. */
function sizes() {
	const [run] = runsOf("sizes");
	if (!run) return say`${undefined}bytes of origins`;
	const cells = (kind) =>
		["google", "rfc9309"].flatMap((dialect) =>
			["snapshotBytes", "byteLength"].map((field) =>
				shown(bytesOf(kind, field, dialect), whole),
			),
		);
	const real = (field) =>
		shown(
			figure(
				"sizes",
				`google.real.${field}`,
				({ google }) => google.real[field],
			),
			whole,
		);
	return say`${table(
		[
			"bytes an origin",
			"snapshot, google",
			"memory",
			"snapshot, rfc9309",
			"memory",
		],
		KINDS.map(([label, kind]) => row(label, ...cells(kind))),
	)}
Popular sites are the ${real("origins")} of the corpus, which have ${real("programs")} different sets of rules for one crawler (\`npm run bench -- sizes\`; the name of the origin is included).`;
}

/** `robotrie index` and `robotrie match --index`, as processes. */
function bulk() {
	const [run] = runsOf("bulk");
	if (!run) return say`${undefined}indexes on the command line`;
	const of = (name, field, form) =>
		shown(
			figure("bulk", `${name}, ${field}`, ({ costs }) => costs[name]?.[field]),
			form,
		);
	const rows = Object.keys(run.costs).map((name) =>
		row(
			name,
			of(name, "wall", digits(1)),
			of(name, "cpu", digits(1)),
			of(name, "memory", whole),
		),
	);
	return say`\`npm run bench:index\` on ${machineOf(run)}, ${String(run.cores)} cores, ${dateOf(run.date)}: a WARC.gz file of ${whole(run.sites)} sites (the first three rows), then ${whole(run.origins)} origins and
${whole(run.urls ?? run.origins)} URLs of them, in no order.

${table(["process", "seconds", "CPU seconds", "MB of memory"], rows)}`;
}

export const manySites = { bulk, bytes, calls, live, sizes };
