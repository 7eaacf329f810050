// docs/performance.md: one site at a time, parsing and compiling.

import { engineOf, figure, newestWhole, runsOf } from "./results.mjs";
import { dateOf, machineOf } from "./runs.mjs";
import { known, pair, row, say, shown, table, whole } from "./text.mjs";
import { rowsOf, times } from "./times.mjs";

/** The run that most of the page is about. */
const run = () => newestWhole("node");

const countOf = (run) => ({
	source: run.data?.source ?? run.data,
	sites: run.data?.sites ?? 1225,
	urls: run.cases.find(({ name }) => name === "corpus paths")?.items,
});

export function about() {
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

export const oneSite = () =>
	table(
		["case", "ns per URL"],
		[
			...rowsOf([
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
				["`matchColumn`, paths", "corpus paths", "robotrie column"],
				[
					"`matchColumn`, URLs, `google`",
					"corpus URLs, google",
					"robotrie column",
				],
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

/** In fresh processes that do nothing else: in one that ran other cases before, most of the code is warm. */
export const firstPass = () => {
	const first = (name) =>
		pair(
			...["best", "median"].map((field) =>
				figure(
					"node",
					`processes, ${name}, nsFirst.${field}`,
					({ processes }) =>
						processes?.find((one) => one.name === name)?.nsFirst?.[field],
				),
			),
		);
	const sentence = say` In a first pass,
in a fresh process that has only made its judges, robots-parser takes ${first("robots-parser")} ns, and \`isAllowed\` takes ${first("robotrie isAllowed")}.`;
	return say`The two packages take strings only, so compare them with \`isAllowed\`, which is called in the same way.${sentence}`;
};

export const peersWrong = () => {
	const wrong = (engine) =>
		shown(engineOf("node", "strings", engine, "wrong"), whole);
	const answers = shown(
		engineOf("node", "strings", "robots-parser", "answers"),
		whole,
	);
	return say` Of ${answers} verdicts,
robots-parser gives ${wrong("robots-parser")} unlike Google's library, robots-txt-guard ${wrong("robots-txt-guard")}, and robotrie ${wrong("robotrie isAllowed")}.`;
};

export const harder = () =>
	table(
		["case", "ns per path"],
		[
			...rowsOf([
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
			]),
		],
	);

/** All sites, and all but the one with the largest file. */
const compiling = [
	"parse and compile",
	"parse and compile, without the largest file",
];

export const parsing = () =>
	table(
		["case", "µs per site", "without the largest file"],
		[
			["`RobotsTxt.parse` and `for(agent)`", "robotrie parse + compile"],
			["the same for four agents", "the same for four agents"],
			["`RobotsIndex.set` with bytes", "RobotsIndex.set"],
			["`RobotsTxt.parse` and all diagnostics", "robotrie, all diagnostics"],
			["robots-parser's constructor, which does not compile", "robots-parser"],
		].map(([label, engine]) =>
			row(
				label,
				...compiling.map((subject) => times(subject, engine, "node", 1e-3)),
			),
		),
	);
