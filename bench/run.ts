import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { canonicalCases } from "./canonical.ts";
import { type Case, compileCase, linesCase, stringsCase } from "./cases.ts";
import { loadData } from "./data.ts";
import { escapedCase } from "./escaped.ts";
import { measureScale } from "./index-scale.ts";
import { measure } from "./measure.ts";
import { indexCases, mixedCases } from "./mixed.ts";
import { measureProcesses, measureStartUp } from "./processes.ts";
import { type CurveResult, report } from "./report.ts";
import { runCase } from "./run-case.ts";
import { type Curve, hostileCurves, hugeCurves } from "./scaling.ts";
import { pathOf, type Site } from "./site.ts";

const {
	values: { scalar: scalarOnly },
	positionals: [only = ""],
} = parseArgs({
	options: { scalar: { type: "boolean", default: false } },
	allowPositionals: true,
});

const data = loadData();
const own = (url: string) => url;

function innerWildcards({ robots }: Site): number {
	const text = new TextDecoder().decode(robots);
	return text.match(/allow\s*:\s*\S*\*[^*\s$]/gi)?.length ?? 0;
}

function cases(): Case[] {
	const paths = { case: "corpus paths", engine: "robotrie" };
	const list = [
		linesCase(
			"corpus paths",
			"Every site's paths through its rules, bytes in and verdicts out.",
			data.sites,
			"google",
			pathOf,
			{
				against: { case: "corpus paths", engine: "newline scan", atMost: 2.5 },
			},
		),
		...(data.derived.length > 0
			? [
					linesCase(
						"derived paths",
						"Paths made from the rules: half of them are disallowed.",
						data.derived,
						"google",
						pathOf,
						{ against: { ...paths, perByte: true, atMost: 2 } },
					),
				]
			: []),
		linesCase(
			"corpus URLs, google",
			"The same as full URLs: the origin is passed over, fragments are dropped.",
			data.sites,
			"google",
			own,
			{ against: { ...paths, atMost: 1.6 } },
		),
		linesCase(
			"corpus URLs, rfc9309",
			"And with the standard's normalisation of percent-encoding.",
			data.sites,
			"rfc9309",
			own,
			{ against: { ...paths, atMost: 2 } },
		),
		linesCase(
			"many wildcards",
			"Sites with 50 or more rules that have a wildcard inside.",
			data.sites.filter((site) => innerWildcards(site) >= 50),
			"google",
			pathOf,
			{ against: { ...paths, atMost: 2 } },
		),
		...mixedCases(data),
	];
	if (scalarOnly) return list;
	return [
		...list,
		escapedCase(),
		stringsCase(data),
		compileCase(data),
		...canonicalCases(data),
		...indexCases(data),
	];
}

function runCurve({ name, why, points }: Curve): CurveResult {
	process.stderr.write(`${name} …\n`);
	const once = (run: () => unknown) => {
		const start = performance.now();
		run();
		return performance.now() - start;
	};
	return {
		name,
		why,
		points: points.map(({ label, bytes, check, run, peer }, i) => {
			check?.();
			const timing = measure([{ name: label, chunks: [run] }], 15).get(label);
			// The peer takes minutes for the larger ones.
			const slow = peer && i === 0 ? { msPeer: once(peer) } : {};
			return {
				label,
				bytes,
				msFastest: timing?.fastest ?? 0,
				msMedian: timing?.median ?? 0,
				...slow,
			};
		}),
	};
}

/** Those that were asked for, and the cases that these are held against. */
function chosen(all: readonly Case[]): Case[] {
	const held = all
		.filter(({ name }) => name.includes(only))
		.map(({ against }) => against?.case);
	return all.filter(({ name }) => name.includes(only) || held.includes(name));
}

const results = {
	date: new Date().toISOString().slice(0, 10),
	build: scalarOnly ? "scalar" : "simd",
	cpu: cpus()[0]?.model ?? "unknown",
	node: process.version,
	v8: process.versions.v8,
	data: data.source,
	cases: chosen(cases()).map((one) => {
		process.stderr.write(`${one.name} …\n`);
		return runCase(one);
	}),
	curves:
		scalarOnly || only
			? []
			: [...hugeCurves(data.sites), ...hostileCurves()].map(runCurve),
	...(scalarOnly || !"index".includes(only) ? {} : measureScale()),
	...(scalarOnly || !"first verdict, cold job; processes".includes(only)
		? {}
		: { processes: measureProcesses() }),
	...(scalarOnly || !"start-up; processes".includes(only)
		? {}
		: { startUp: measureStartUp() }),
};
process.stdout.write(report(results));
mkdirSync("bench/results", { recursive: true });
const which = [results.build === "simd" ? [] : "scalar", only || []].flat();
const name = [results.date, "node", ...which].join("-").replaceAll(" ", "-");
const file = `bench/results/${name}.json`;
writeFileSync(file, `${JSON.stringify(results, null, "\t")}\n`);
process.stdout.write(`\nsaved as ${file}\n`);
