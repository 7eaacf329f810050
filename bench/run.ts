import { command } from "../scripts/command.mjs";
import { storeResult, thisMachine } from "../scripts/store-result.mjs";
import { allCases, bytesCases } from "./all-cases.ts";
import type { Case } from "./case.ts";
import { runCurve } from "./curve-run.ts";
import { loadData, partOf } from "./data.ts";
import { measureScale } from "./index-scale.ts";
import { library } from "./library.ts";
import { measureProcesses, measureStartUp } from "./processes.ts";
import { report } from "./report.ts";
import { runCase } from "./run-case.ts";
import { hostileCurves, hugeCurves } from "./scaling.ts";

const asked = command("run", "Runs the cases whose names contain a word.")
	.argument("[word]")
	.option("--scalar", "those of bytes, over the build without SIMD", false)
	.parse();
const [only = ""] = asked.args;
const { scalar } = asked.opts<{ scalar: boolean }>();
const data = loadData();
const part = partOf(data, only);

/** Those that were asked for, and the cases that these are held against. */
function chosen(all: readonly Case[]): Case[] {
	const held = all
		.filter(({ name }) => name.includes(only))
		.map(({ against }) => against?.case);
	return all.filter(({ name }) => name.includes(only) || held.includes(name));
}

const cases = (scalar ? bytesCases : allCases)(library, data);
const curves = scalar
	? []
	: [...hugeCurves(library, data), ...hostileCurves(library)];
const asksFor = (names: string) => !scalar && names.includes(only);
const results = {
	date: new Date().toISOString().slice(0, 16),
	build: scalar ? "scalar" : "simd",
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
		return runCase(one);
	}),
	curves: curves
		.filter(({ name }) => name.includes(only))
		.map((curve) => {
			process.stderr.write(`${curve.name} …\n`);
			return runCurve(curve);
		}),
	...(asksFor("index") ? measureScale() : {}),
};
process.stdout.write(report(results));
// Parts of the benchmark are for whoever ran them: figures are taken from whole runs.
const file = storeResult(scalar ? "scalar" : "node", results, part);
process.stdout.write(`\nsaved as ${file}\n`);
