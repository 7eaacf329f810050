// The figures of docs/performance.md, block by block.

import { comparable, ratioIn, ratios } from "./ratios.mjs";
import { combined, engineOf, figure, newestWhole, runsOf } from "./results.mjs";
import {
	digits,
	fine,
	known,
	pair,
	plain,
	range,
	row,
	say,
	scaled,
	shown,
	Text,
	table,
	whole,
} from "./text.mjs";

export const dateOf = (date) =>
	date.length < 8
		? new Date(`${date}-01`).toLocaleDateString("en-GB", {
				month: "long",
				year: "numeric",
			})
		: new Date(date.slice(0, 10)).toLocaleDateString("en-GB", {
				day: "numeric",
				month: "long",
				year: "numeric",
			});
export const machineOf = ({ cpu, model }) =>
	`${cpu
		.replaceAll(/\(\w+\)/g, "")
		.replace(/ Processor$/, "")
		.trim()}${model ? ` (model ${model})` : ""}`;

const times = (subject, engine, kind = "node", by = 1) =>
	pair(
		...["nsFastest", "nsMedian"].map((field) =>
			scaledOrNot(engineOf(kind, subject, engine, field), by),
		),
	);
const scaledOrNot = (one, by) => (by === 1 ? one : one && scaled(one, by));
const sameIn = (list) =>
	list.map(([label, subject, engine, kind, by]) =>
		row(label, times(subject, engine, kind, by)),
	);

/** The run that most of the page is about. */
const run = () => newestWhole("node");
const countOf = (run) => ({
	source: run.data?.source ?? run.data,
	sites: run.data?.sites ?? 1225,
	urls: run.cases.find(({ name }) => name === "corpus paths")?.items,
});

function about() {
	const one = run();
	const { source, urls, sites } = countOf(one);
	const paths = one.cases.find(({ name }) => name === "corpus paths");
	const mean = paths.bytes / paths.items - 1;
	const hasParts = runsOf("node").some(({ note }) => note) && !one.calls;
	const besides = hasParts
		? "\nThe bytes of a site and the last three rows of hostile input are of another run, taken while other programs ran."
		: "";
	const of = (value, place) =>
		shown(known(value, `${one.file}: ${place}`), whole);
	return say`Unless a section says otherwise, figures are one run of \`npm run bench\` on ${dateOf(one.date)}: one core of an ${machineOf(one)}, Node
${one.node.slice(1)}, ${source}: ${of(sites, "data.sites")} sites, ${of(urls, "corpus paths, items")} URLs with a mean path of ${of(mean, "corpus paths, bytes / items")} bytes.${besides}`;
}

const oneSite = () =>
	table(
		["case", "ns per URL"],
		[
			...sameIn([
				[
					"lower bound: count the line ends of bytes that lie in WebAssembly memory",
					"corpus paths",
					"count line ends",
				],
				["lower bound: list them", "corpus paths", "list line ends"],
				["`matchLines`, paths", "corpus paths", "robotrie"],
				[
					"`matchLines`, paths, into an existing array",
					"corpus paths",
					"robotrie into",
				],
				["`matchLines`, URLs, `google`", "corpus URLs, google", "robotrie"],
				["`matchLines`, URLs, `rfc9309`", "corpus URLs, rfc9309", "robotrie"],
				["`matchMany`, strings", "strings", "robotrie matchMany"],
				["`isAllowed`, one call per URL", "strings", "robotrie isAllowed"],
				[
					"robots-txt-guard 1.0.2, one call per URL",
					"strings",
					"robots-txt-guard",
				],
				["robots-parser 3.0.1, one call per URL", "strings", "robots-parser"],
			]),
		],
	);

const firstPass = () => {
	const first = (engine) =>
		shown(engineOf("node", "strings", engine, "nsFirst"), plain);
	return say`The packages take strings only, so compare them with \`isAllowed\`, which is called in the same way. In a single first pass, before
anything is warm, robots-parser takes ${first("robots-parser")} ns, and \`isAllowed\` takes ${first("robotrie isAllowed")}.`;
};
const peersWrong = () => {
	const wrong = (engine) =>
		shown(engineOf("node", "strings", engine, "wrong"), whole);
	const answers = shown(
		engineOf("node", "strings", "robots-parser", "answers"),
		whole,
	);
	return say` Before that, all verdicts are compared
with those of Google's library: of ${answers}, robots-parser has ${wrong("robots-parser")} wrong, robots-txt-guard ${wrong("robots-txt-guard")}, and robotrie ${wrong("robotrie isAllowed")}.`;
};

const harder = () =>
	table(
		["case", "ns per path"],
		[
			...sameIn([
				[
					"sites with 50 or more rules with an inner `*`",
					"many wildcards",
					"robotrie",
				],
				[
					"paths made from the rules, so that half are disallowed",
					"derived paths",
					"robotrie",
				],
				[
					"paths in other scripts, half of them percent-encoded",
					"escaped paths",
					"robotrie",
				],
				[
					"ASCII paths of the same length, for comparison",
					"escaped paths",
					"plain ASCII",
				],
				["paths, without SIMD", "corpus paths", "robotrie", "scalar"],
			]),
			row(
				"URLs, `google` / `rfc9309`, without SIMD",
				two(
					times("corpus URLs, google", "robotrie", "scalar"),
					times("corpus URLs, rfc9309", "robotrie", "scalar"),
				),
			),
		],
	);
const two = (a, b) => (a && b ? say`${a} / ${b}` : undefined);

/** Ratios, one column a run. */
function machines() {
	const runs = comparable();
	const columns = runs.map((one) =>
		one.ns
			? `measured by ${one.by.split(",")[0]}, ${dateOf(one.date)}; ${one.machine.split(";").at(-1).trim()}`
			: `${machineOf(one)}, Node ${one.node.slice(1)}, ${dateOf(one.date)}`,
	);
	return table(
		["ratio", ...columns],
		[
			...ratios.map((ratio) => {
				const cells = runs.map((one) => {
					const fastest = ratioIn(one, ratio, "nsFastest");
					const median = ratioIn(one, ratio, "nsMedian");
					return (
						pair(fastest, median, digits(2)) ??
						shown(fastest, digits(2)) ??
						new Text("")
					);
				});
				return cells.every(({ text }) => text === "")
					? new Text("", [], [ratio.name])
					: row(ratio.name, ...cells);
			}),
		],
	);
}
const otherProcessor = () => {
	const at = (place, get) => figure("others", place, get);
	const urls = at("otherProcessor", (one) => one.otherProcessor?.urlsToPaths);
	const scan = [0, 1].map((i) =>
		at("otherProcessor", (one) => one.otherProcessor?.pathsToScan[i]),
	);
	return say`On another processor, which was not noted either, the owners measured URLs at ${shown(urls, plain)} times paths, and paths at ${range(scan, String)} times a search
for each line end.`;
};

const parsing = () =>
	table(
		["case", "µs per site"],
		[
			...sameIn(
				[
					["`RobotsTxt.parse` and `for(agent)`", "robotrie parse + compile"],
					["the same for four agents", "the same for four agents"],
					["`RobotsIndex.set` with bytes", "RobotsIndex.set"],
					[
						"`RobotsTxt.parse` and all diagnostics",
						"robotrie, all diagnostics",
					],
					[
						"robots-parser's constructor, which does not compile",
						"robots-parser",
					],
				].map(([label, engine]) => [
					label,
					"parse and compile",
					engine,
					"node",
					1e-3,
				]),
			),
		],
	);

const processOf = (name, place, get) =>
	figure("node", `processes, ${name}, ${place}`, (one) => {
		const found = one.processes?.find((job) => job.name === name);
		return found && get(found);
	});
const processPair = (name, field) =>
	pair(
		processOf(name, `${field}.best`, (job) => job[field].best),
		processOf(name, `${field}.median`, (job) => job[field].median),
		whole,
	);
function freshProcesses() {
	const floor = processOf("read only", "msCpu.best", (job) => job.msCpu.best);
	const jobs = [
		["`RobotsTxt.parse` and `for(agent)`", "robotrie"],
		["`RobotsIndex.set`", "robotrie index"],
		["robots-parser", "robots-parser"],
	];
	return table(
		[
			"fresh process",
			"ms to parse and compile all sites",
			"CPU ms, judging every URL once as well",
			"above reading the data",
		],
		[
			say`| reads the data, does nothing with it | | ${processPair("read only", "msCpu")} | |\n`,
			...jobs.map(([label, name]) => {
				const cpu = processOf(name, "msCpu.best", (job) => job.msCpu.best);
				const above = combined([cpu, floor], (a, b) => a - b);
				return row(
					label,
					processPair(name, "ms"),
					processPair(name, "msCpu"),
					shown(above, whole),
				);
			}),
		],
	);
}
const growth = () => {
	const mega = processOf("robotrie", "growth", (job) => job.growth / 1e6);
	return say`The matchers of all sites take ${shown(mega, whole)} MB more memory than before.`;
};

function startUp() {
	const of = (name, field) =>
		figure(
			"node",
			`startUp, ${name}, msCpu.${field}`,
			(one) => one.startUp?.find((job) => job.name === name)?.msCpu[field],
		);
	const floor = of("node -e 0", "best");
	const jobs = [
		["`node -e 0`", "node -e 0"],
		["an empty module", "an empty module"],
		['`import "robotrie"`', "import robotrie"],
		["`robotrie --version`", "robotrie --version"],
		["`robotrie match` on 100 lines", "robotrie match, 100 lines"],
	];
	return table(
		["process", "CPU ms", "above `node -e 0`"],
		[
			...jobs.map(([label, name], i) => {
				const best = of(name, "best");
				const above = combined([best, floor], (a, b) => a - b);
				return row(
					label,
					pair(best, of(name, "median"), digits(1)),
					i === 0 ? new Text("") : shown(above, digits(1)),
				);
			}),
		],
	);
}

const cleanParam = () =>
	table(
		["case", "ns per URL"],
		[
			...sameIn([
				["`canonicalLines`, all URLs", "Clean-param, all URLs", "robotrie"],
				[
					"`canonicalLines`, URLs with a query",
					"Clean-param, queries",
					"robotrie",
				],
				[
					"`canonicalUrl`, all URLs",
					"Clean-param, all URLs",
					"robotrie canonicalUrl",
				],
				[
					"`canonicalUrl`, URLs with a query",
					"Clean-param, queries",
					"robotrie canonicalUrl",
				],
			]),
		],
	);

const manySites = () =>
	table(
		["case", "ns per URL"],
		[
			...sameIn([
				[
					"`RobotsIndex.matchLines`, `google`",
					"index, mixed URLs, google",
					"robotrie",
				],
				[
					"`RobotsIndex.matchLines`, `rfc9309`",
					"index, mixed URLs, rfc9309",
					"robotrie",
				],
			]),
			row(
				"the same without SIMD, `google` / `rfc9309`",
				two(
					times("index, mixed URLs, google", "robotrie", "scalar"),
					times("index, mixed URLs, rfc9309", "robotrie", "scalar"),
				),
			),
			...sameIn([
				[
					"`RobotsIndex.matchMany`, strings",
					"index, mixed strings",
					"robotrie matchMany",
				],
				[
					"a `Map` from origin to `Matcher`",
					"index, mixed strings",
					"Map of matchers",
				],
				[
					"a `Map` from origin to robots-parser",
					"index, mixed strings",
					"Map of robots-parser",
				],
			]),
		],
	);

/** Of an index of so many generated sites. */
export const scaleOf = (origins, place, get) =>
	figure("node", `scale, ${origins} origins, ${place}`, (one) => {
		const found = one.scale?.find((size) => size.origins === origins);
		return found && get(found);
	});
function scale() {
	const sizes = [100_000, 1_000_000];
	const each = (label, place, get, form) =>
		row(label, ...sizes.map((size) => shown(scaleOf(size, place, get), form)));
	return table(
		["generated sites", "100,000", "1,000,000"],
		[
			row(
				"ns per URL",
				...sizes.map((size) =>
					pair(
						scaleOf(size, "nsFastest", (one) => one.nsFastest),
						scaleOf(size, "nsMedian", (one) => one.nsMedian),
						whole,
					),
				),
			),
			each("index, MB", "byteLength", (one) => one.byteLength / 1e6, whole),
			each(
				"peak memory of the process that builds it, MB",
				"peakMemory",
				(one) => one.peakMemory / 1e6,
				whole,
			),
			each(
				"peak memory of the process that loads its snapshot from bytes, MB",
				"loaded.peakMemory",
				({ loaded }) => loaded.peakMemory / 1e6,
				whole,
			),
			each(
				"the same from a stream, MB",
				"streamed.peakMemory",
				({ streamed }) => streamed && streamed.peakMemory / 1e6,
				whole,
			),
			each(
				"seconds in `set`",
				"msBuild",
				(one) => one.msBuild / 1e3,
				digits(1),
			),
			each(
				"seconds to load the snapshot",
				"loaded.msLoad",
				({ loaded }) => loaded.msLoad / 1e3,
				digits(2),
			),
		],
	);
}
const siteBytes = () => {
	const of = (place, get) =>
		shown(
			figure("node", `sites.${place}`, ({ sites }) => sites && get(sites)),
			whole,
		);
	return say`The rules of a median site take ${of("index.google", ({ index }) => index.google)} bytes in an index (dialect \`google\`; \`rfc9309\`: ${of("index.rfc9309", ({ index }) => index.rfc9309)}), ${of("matcher.google", ({ matcher }) => matcher.google)} as a \`Matcher\`'s byte-code
(\`rfc9309\`: ${of("matcher.rfc9309", ({ matcher }) => matcher.rfc9309)}), and ${of("toBytes", ({ toBytes }) => toBytes)} as its \`toBytes()\`.\n\n`;
};
const pool = () => {
	const of = (workers, field) =>
		figure(
			"node",
			`pools, ${workers} workers, ${field}`,
			({ pools }) =>
				pools?.pools.find((one) => one.workers === workers)?.[field],
		);
	const gain = (field) =>
		shown(
			combined([of(1, field), of(2, field)], (one, both) => one / both),
			digits(2),
		);
	return say`A \`RobotsPool\` of two workers does ${gain("msFastest")} times the work of one on two cores (${gain("msMedian")} times by medians).`;
};

const point = (curve, which, field = "msFastest") =>
	figure(
		"node",
		`${curve}, point ${which + 1}, ${field}`,
		({ curves = [] }) =>
			curves.find(({ name }) => name === curve)?.points[which]?.[field],
	);
function hostile() {
	const rows = [
		[
			"500 KiB of rules of `/*a*a*a…` that cannot match, URL of 4 KiB",
			"hostile, stars, long URLs",
			0,
		],
		["the same, URL of 64 KiB", "hostile, stars, long URLs", 2],
		[
			"20,000 rules `/*x<number>`, URL of 64 KiB that nearly matches everywhere",
			"hostile, numbered literals",
			2,
		],
		[
			"24,371 rules `/*x<n>*b`, URL of 4 KiB with many of the `x<n>` and its only `b` in front",
			"hostile, literals that occur",
			0,
		],
		["the same, URL of 64 KiB", "hostile, literals that occur", 2],
		[
			"9,212 rules of sixteen `*a` or `*aa`, then `*b`; URL `/baaa…` of 4 KiB",
			"hostile, combinations",
			0,
		],
		["the same, URL of 64 KiB", "hostile, combinations", 2],
		[
			"20,371 rules `/*x<n>*b*q*z` that fail at the `q`, URL of 64 KiB",
			"hostile, literals that fail later",
			0,
		],
		[
			"1,000 rules `/*a*b`, `/*aa*b`, `/*aaa*b`, …; URL `/aaa…` of 4 KiB",
			"hostile, runs",
			0,
		],
		["the same, URL of 64 KiB", "hostile, runs", 1],
	];
	return table(
		["case", "ms per URL"],
		[
			...rows.map(([label, curve, which]) =>
				row(label, shown(point(curve, which), fine)),
			),
		],
	);
}
const hostilePeer = () => {
	const seconds = (curve) => {
		const ms = point(curve, 0, "msPeer");
		return shown(ms && scaled(ms, 1e-3), digits(1));
	};
	const worst =
		point("hostile, runs", 1) &&
		say`The last two rows are the worst case we know: at each byte of the URL, the code for 1,000 texts of up to 1,000 bytes runs.\n`;
	return say`${worst ?? ""}For the first row robots-parser takes ${seconds("hostile, stars, long URLs")} seconds, and for 1,250 of the numbered rules ${seconds("hostile, numbered literals")}.`;
};
const huge = () => {
	const bytes = (which) =>
		shown(point("huge file, read", which, "bytes"), (value) =>
			value < 1e6
				? `${(value / 1e3).toFixed(0)} KB`
				: `${(value / 1e6).toFixed(1)} MB`,
		);
	const both = (curve, which) =>
		pair(point(curve, which), point(curve, which, "msMedian"), fine);
	return say`Time to read and compile grows in proportion to the file: the largest robots.txt (${bytes(0)}) takes ${both("huge file, read", 0)} ms with all
diagnostics and ${both("huge file, compile", 0)} ms to a matcher; four copies of it (${bytes(2)}) take ${both("huge file, read", 2)} ms and ${both("huge file, compile", 2)} ms.`;
};

function browser() {
	const rows = [
		["lower bound: count line ends", "paths", "count line ends"],
		["lower bound: list line ends", "paths", "list line ends"],
		["`matchLines`, paths", "paths", "robotrie"],
		["`matchLines`, paths, into an existing array", "paths", "robotrie into"],
		["`matchLines`, URLs, `rfc9309`", "URLs", "robotrie"],
		["`matchMany`", "strings", "robotrie matchMany"],
		["`isAllowed`", "strings", "robotrie isAllowed"],
		["robots-parser", "strings", "robots-parser"],
	];
	const us = (engine, kind) => times("parse and compile", engine, kind, 1e-3);
	return table(
		["case", "with SIMD", "without SIMD"],
		[
			...rows.map(([label, subject, engine]) =>
				row(
					`${label}, ns per URL`,
					times(subject, engine, "chromium"),
					times(subject, engine, "chromiumScalar"),
				),
			),
			...[
				[
					"`RobotsTxt.parse` and `for(agent)`, µs per site",
					"robotrie parse + compile",
				],
				["robots-parser's constructor, µs per site", "robots-parser"],
			].map(([label, engine]) =>
				row(label, us(engine, "chromium"), us(engine, "chromiumScalar")),
			),
		],
	);
}
const browserMachine = () => {
	const one = runsOf("chromium")[0];
	const version = /Chrome\/(\d+)/.exec(one?.browser ?? "")?.[1];
	return say`\`npm run bench:browser\` on ${dateOf(one.date)}, headless Chromium ${version}, ${one.data}:`;
};

function audit() {
	const of = (log, name, field) =>
		figure(
			"audit",
			`${log}, ${name}, ${field}`,
			({ results }) => results[log]?.find((one) => one.name === name)?.[field],
		);
	const real = "real lines, again and again";
	const many = "20,000 User-Agent headers";
	const rows = [
		["`wc -l`", real, "wc -l"],
		["`LC_ALL=C grep -c bot`", real, "LC_ALL=C grep -c bot"],
		["`robotrie audit --workers 1`", real, "robotrie audit --workers 1"],
		["`robotrie audit`, two cores", real, "robotrie audit"],
		[
			"`robotrie audit --workers 1`, 20,000 different User-Agent headers",
			many,
			"robotrie audit --workers 1",
		],
		[
			"`readline` alone, nothing done with the lines",
			real,
			"readline, nothing done with the lines",
		],
		[
			"a script with `readline` and robots-parser that remembers headers",
			real,
			"readline + robots-parser, headers remembered, crawlers only",
		],
		[
			"the same with isbot and robots-parser on every line",
			real,
			"readline + robots-parser, isbot, every line",
		],
		["GoAccess, HTML report", real, "goaccess, HTML report"],
	];
	return table(
		["", "CPU seconds", "MB of memory"],
		[
			...rows.map(([label, log, name]) =>
				row(
					label,
					shown(of(log, name, "cpuSeconds"), (value) =>
						value < 1
							? value.toFixed(2)
							: value < 10
								? value.toFixed(1)
								: whole(value),
					),
					shown(of(log, name, "memory"), whole),
				),
			),
		],
	);
}
const auditMachine = () => {
	const one = runsOf("audit")[0];
	return say`\`npm run bench:audit\` on ${dateOf(one.date)}, a log of ${one.megabytes / 1000} GB made of real lines:`;
};
const auditWorkers = () => {
	const of = (name) =>
		shown(
			figure(
				"audit",
				`${name}, seconds`,
				({ results }) =>
					results["real lines, again and again"].find(
						(one) => one.name === name,
					)?.seconds,
			),
			digits(2),
		);
	return say`On this log two workers take ${of("robotrie audit")} seconds of wall time, one takes ${of("robotrie audit --workers 1")}.`;
};

export const performance = {
	about,
	"one site": oneSite,
	"first pass": () => say`${firstPass()}${peersWrong()}`,
	harder,
	machines: () => say`${machines()}\n${otherProcessor()}`,
	parsing,
	"fresh processes": () => say`${freshProcesses()}\n${growth()}`,
	"start-up": startUp,
	"clean-param": cleanParam,
	"many sites": manySites,
	scale: () => say`${scale()}\n${siteBytes()}${pool()}`,
	hostile: () => say`${hostile()}\n${hostilePeer()}\n\n${huge()}`,
	browser: () => say`${browserMachine()}\n\n${browser()}`,
	audit: () => say`${auditMachine()}\n\n${audit()}\n${auditWorkers()}`,
};
