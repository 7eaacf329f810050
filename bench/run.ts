import { command } from "../tools/command.mjs";
import { besideReadme, headlineCases } from "../tools/figures/headline.mjs";
import { storeResult, thisMachine } from "../tools/store-result.mjs";
import { allCases } from "./all-cases.ts";
import type { Case } from "./case.ts";
import { freshIndexCase, smallFileCase } from "./compile.ts";
import { runCurve } from "./curve-run.ts";
import { isSmall, loadData, partOf, REAL } from "./data.ts";
import { measureLargest, measureScale } from "./index-scale.ts";
import { library } from "./library.ts";
import { measureProcesses, measureStartUp } from "./processes.ts";
import { missedTargets, report } from "./report.ts";
import { runCase } from "./run-case.ts";
import { hostileCurves, hugeCurves } from "./scaling.ts";

const asked = command("run", "Runs the cases whose names contain a word.")
	.argument("[word]")
	.parse();
const [only = ""] = asked.args;
const data = loadData();
const part = partOf(data, only);

/** "numbers" stands for those of README. */
const isNumbers = only === "numbers";
const isAsked = (name: string) =>
	isNumbers ? headlineCases.includes(name) : name.includes(only);

/** Those that were asked for, and the cases that these are held against. */
function chosen(all: readonly Case[]): Case[] {
	const held = isNumbers
		? []
		: all
				.filter(({ name }) => isAsked(name))
				.map(({ against }) => against?.case);
	return all.filter(({ name }) => isAsked(name) || held.includes(name));
}

const cases = [
	...allCases(library, data, isSmall ? 2000 : undefined),
	freshIndexCase(library, data),
	smallFileCase(library),
];
const curves = [
	...hugeCurves(library, data),
	...hostileCurves(library, isSmall ? 1 / 64 : 1),
];
const asksFor = (names: string) => names.includes(only);
const results = {
	date: new Date().toISOString().slice(0, 16),
	...thisMachine(),
	node: process.version,
	v8: process.versions.v8,
	data: {
		source: data.source,
		sites: data.sites.length,
		urls: data.sites.reduce((sum, { urls }) => sum + urls.length, 0),
	},
	...(asksFor("start-up; processes") ? { startUp: measureStartUp() } : {}),
	...(asksFor("first verdict, cold job; processes")
		? { processes: measureProcesses() }
		: {}),
	cases: chosen(cases).map((one) => {
		process.stderr.write(`${one.name} …\n`);
		return runCase(one, isSmall ? { rounds: 2, warmUp: 1 } : undefined);
	}),
	curves: curves
		.filter(({ name }) => isAsked(name))
		.map((curve) => {
			process.stderr.write(`${curve.name} …\n`);
			return runCurve(curve);
		}),
	...(asksFor("index") ? measureScale() : {}),
	...(isNumbers ? { scale: measureLargest() } : {}),
};
process.stdout.write(report(results));
process.stdout.write(besideReadme(results));
// Parts of the benchmark are for whoever ran them: figures are taken from whole runs.
const file = storeResult("node", results, part);
process.stdout.write(`\nsaved as ${file}\n`);
const missed = missedTargets(results);
for (const target of missed) process.stderr.write(`${target}\n`);
// Targets are for real sites and a machine that does nothing else.
if (missed.length > 0 && data.source === REAL) process.exitCode = 1;
