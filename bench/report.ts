import type { Machine } from "../tools/store-result.mjs";
import { type Case, FLOORS } from "./case.ts";
import type { CallTimes } from "./index-calls.ts";
import type { ScaleResult } from "./index-scale.ts";
import type { SiteBytes } from "./index-sites.ts";
import type { PoolTimes } from "./pool.ts";
import type { ProcessResult, StartUp } from "./processes.ts";

/** A case's times per item, in nanoseconds. */
export interface CaseResult
	extends Pick<Case, "name" | "why" | "items" | "unit" | "bytes" | "against"> {
	/** Rounds of each engine. */
	readonly rounds: number;
	readonly engines: readonly EngineResult[];
}

export interface EngineResult {
	readonly name: string;
	readonly nsFastest: number;
	readonly nsMedian: number;
	readonly nsFirst: number;
	/** Answers that were compared before anything was timed, and how many were wrong: only peers may have any. */
	readonly answers: number;
	readonly wrong: number;
	/** Of the answers, each times its position. */
	readonly sum: number;
}

export interface CurveResult {
	readonly name: string;
	readonly why: string;
	readonly points: readonly {
		readonly label: string;
		readonly bytes: number;
		readonly msFastest: number;
		readonly msMedian: number;
		readonly msPeer?: number;
	}[];
}

export interface Results extends Machine {
	readonly date: string;
	readonly node: string;
	readonly data: {
		readonly source: string;
		readonly sites: number;
		readonly urls: number;
	};
	readonly cases: readonly CaseResult[];
	readonly curves: readonly CurveResult[];
	readonly scale?: readonly ScaleResult[];
	readonly sites?: SiteBytes;
	readonly calls?: CallTimes;
	readonly pools?: PoolTimes;
	readonly processes?: readonly ProcessResult[];
	readonly startUp?: readonly StartUp[];
}

function row(cells: readonly string[]): string {
	const [first = "", ...rest] = cells;
	return `${first.padEnd(40)}${rest.map((cell) => cell.padStart(13)).join("")}\n`;
}

function caseTable(result: CaseResult, all: readonly CaseResult[]): string {
	const { engines } = result;
	// Ratios are to both lower bounds where a case has them, else to the first engine.
	const floors = engines.filter(({ name }) =>
		FLOORS.some((floor) => floor === name),
	);
	const bases = floors.length > 0 ? floors : engines.slice(0, 1);
	const head = row([
		`${result.name} (${result.items.toLocaleString("en")} ${result.unit}s)`,
		"fastest ns",
		"median ns",
		"first ns",
		"M/s",
		"wrong",
		...bases.map(({ name }) => `x ${name.split(" ")[0]}`),
	]);
	const rows = engines.map((engine) =>
		row([
			`  ${engine.name}`,
			engine.nsFastest.toFixed(1),
			engine.nsMedian.toFixed(1),
			engine.nsFirst.toFixed(1),
			(1000 / engine.nsFastest).toFixed(2),
			String(engine.wrong),
			...bases.map(({ nsFastest }) =>
				(engine.nsFastest / nsFastest).toFixed(2),
			),
		]),
	);
	return `${head}${rows.join("")}${targetLine(result, all)}\n`;
}

/** A ratio and the target that it has to keep to. */
interface Target {
	readonly what: string;
	readonly value: number;
	readonly median?: number;
	readonly atMost?: number;
	readonly atLeast?: number;
}

/** By so much whole runs of one build on one machine differ: a target is missed when it is missed by more. */
const TOLERANCE = 0.05;

function isMissed({ value, atMost, atLeast }: Target, tolerance = TOLERANCE) {
	return (
		(atMost !== undefined && value > atMost * (1 + tolerance)) ||
		(atLeast !== undefined && value < atLeast / (1 + tolerance))
	);
}

function stateOf(target: Target): string {
	if (isMissed(target)) return "MISSED";
	return isMissed(target, 0) ? "within the tolerance" : "reached";
}

function targetText(target: Target): string {
	const { what, value, median, atMost, atLeast } = target;
	const limit =
		atMost !== undefined
			? `; target: at most ${atMost.toFixed(2)}`
			: atLeast !== undefined
				? `; target: at least ${atLeast.toFixed(2)}`
				: "";
	const state = limit ? `: ${stateOf(target)}` : "";
	const middle = median === undefined ? "" : ` (medians ${median.toFixed(2)})`;
	return `${what} ${value.toFixed(2)}${middle}${limit}${state}`;
}

/** How many times the time of lines a column may take. */
const COLUMN = 1.3;

/** What a case is compared with. */
function targetsOf(result: CaseResult, all: readonly CaseResult[]): Target[] {
	const { against, engines, name } = result;
	const mine = engines.find((engine) => engine.name === "robotrie");
	const column = engines.find((engine) => engine.name === "robotrie column");
	const targets: Target[] = [];
	const other = all.find((one) => one.name === against?.case);
	const theirs = other?.engines.find((one) => one.name === against?.engine);
	if (against && other && mine && theirs) {
		targets.push({
			what: `${name}, per ${result.unit}, times ${against.case}, ${against.engine}:`,
			value: mine.nsFastest / theirs.nsFastest,
			median: mine.nsMedian / theirs.nsMedian,
			...(against.atMost === undefined ? {} : { atMost: against.atMost }),
		});
	}
	if (mine && column)
		targets.push({
			what: `${name}, as a column, times lines:`,
			value: column.nsFastest / mine.nsFastest,
			median: column.nsMedian / mine.nsMedian,
			atMost: COLUMN,
		});
	return targets;
}

function targetLine(result: CaseResult, all: readonly CaseResult[]): string {
	return targetsOf(result, all)
		.map((target) => `  ${targetText(target)}\n`)
		.join("");
}

const LOADING = 5;
const WORKERS = 1.5;
/** Bytes of the process that builds or streams an index of a million sites. */
const PEAK = 700e6;

/** Targets that a run misses, a sentence each. With these, a run over real sites fails. */
export function missedTargets(results: Results): string[] {
	const { cases, scale = [], pools } = results;
	const [one, two] = pools?.pools ?? [];
	return [
		...cases.flatMap((result) => targetsOf(result, cases)),
		...scale.map(({ origins, msBuild, loaded }) => ({
			what: `index of ${origins} sites, building it, times loading it:`,
			value: msBuild / loaded.msLoad,
			atLeast: LOADING,
		})),
		...scale
			.filter(({ origins }) => origins === 1e6)
			.map(({ peakMemory }) => ({
				what: "MB to build an index of a million sites:",
				value: peakMemory / MEGA,
				atMost: PEAK / MEGA,
			})),
		...(one && two && results.cores > 1
			? [
					{
						what: "one worker, times two:",
						value: one.msFastest / two.msFastest,
						atLeast: WORKERS,
					},
				]
			: []),
	]
		.filter((target) => isMissed(target))
		.map(targetText);
}

function curveTable({ name, why, points }: CurveResult): string {
	const head = row([
		name,
		"bytes",
		"fastest ms",
		"median ms",
		"MB/s",
		"peer, 1 call",
	]);
	const rows = points.map((point) =>
		row([
			`  ${point.label}`,
			point.bytes.toLocaleString("en"),
			point.msFastest.toFixed(3),
			point.msMedian.toFixed(3),
			(point.bytes / point.msFastest / 1000).toFixed(0),
			point.msPeer === undefined ? "" : `${point.msPeer.toFixed(0)} ms`,
		]),
	);
	return `${head}${rows.join("")}  ${why}\n\n`;
}

/** The results as text. Only ratios within one run mean anything; the machine is named for what it is worth. */
export function report(results: Results): string {
	const { date, cpu, model, node, data, cases, curves } = results;
	const { scale = [], sites, calls, pools } = results;
	const { processes = [], startUp = [] } = results;
	return [
		`robotrie, ${date}, ${cpu} ${model ?? ""}, Node ${node}, ${data.source}\n`,
		`fastest: each chunk's fastest round, added up; median likewise; first: one pass, after the cases before\n\n`,
		...cases.map((result) => caseTable(result, cases)),
		...curves.map(curveTable),
		...scale.map(scaleTable),
		...(sites ? [sitesTable(sites)] : []),
		...(calls ? [callsTable(calls)] : []),
		...(pools ? [poolTable(pools)] : []),
		...(processes.length > 0 ? [processTable(processes)] : []),
		...(startUp.length > 0 ? [startUpTable(startUp)] : []),
	].join("");
}

const MEGA = 1e6;

function scaleTable(result: ScaleResult): string {
	const { origins, programs, byteLength, loaded, streamed } = result;
	const { peakMemory } = result;
	const rate = (ns: number) => `${(1000 / ns).toFixed(2)} M/s`;
	const each = (bytes: number) => `${(bytes / origins).toFixed(0)} bytes`;
	const saved = result.unsharedProgramBytes - result.programBytes;
	const faster = result.msBuild / loaded.msLoad;
	const facts = [
		[
			`mixed URLs (${result.urls.toLocaleString("en")} of random origins)`,
			`${result.nsFastest.toFixed(0)} ns, median ${result.nsMedian.toFixed(0)}, first pass ${result.nsFirst.toFixed(0)}; ${rate(result.nsFastest)}`,
		],
		[
			"memory per origin",
			`${each(byteLength)}, of which ${each(result.programBytes)} are programs`,
		],
		[
			"sharing",
			`${programs.toLocaleString("en")} programs; saves ${each(saved)} per origin, ${((100 * saved) / result.unsharedProgramBytes).toFixed(1)}% of programs`,
		],
		[
			"peak memory of the process",
			`${(peakMemory / MEGA).toFixed(0)} MB, of which the index ${(byteLength / MEGA).toFixed(0)}${origins === 1e6 ? `; target: under 700: ${stateOf({ what: "", value: peakMemory, atMost: PEAK })}` : ""}`,
		],
		[
			"parse and set",
			`${(result.msBuild / 1000).toFixed(2)} s, ${((1000 * result.msBuild) / origins).toFixed(0)} µs an origin`,
		],
		[
			"load the snapshot",
			`${(loaded.msLoad / 1000).toFixed(2)} s of ${(result.snapshotBytes / MEGA).toFixed(0)} MB, peak ${(loaded.peakMemory / MEGA).toFixed(0)} MB; ${faster.toFixed(1)} times faster; target: at least ${LOADING}: ${stateOf({ what: "", value: faster, atLeast: LOADING })}`,
		],
		[
			"load it from a stream",
			`${(streamed.msLoad / 1000).toFixed(2)} s, peak ${(streamed.peakMemory / MEGA).toFixed(0)} MB`,
		],
	];
	const rows = facts.map(
		([what = "", value]) => `  ${what.padEnd(44)}${value}\n`,
	);
	return `index of ${origins.toLocaleString("en")} generated origins\n${rows.join("")}\n`;
}

function sitesTable(result: SiteBytes): string {
	const { sites, index, matcher, toBytes } = result;
	return `bytes of a site, median of ${sites}, google / rfc9309: ${index.google} / ${index.rfc9309} in an index, ${matcher.google} / ${matcher.rfc9309} as a matcher, ${toBytes} as toBytes\n\n`;
}

function callsTable({ origins, calls }: CallTimes): string {
	const head = row([
		`index of ${origins.toLocaleString("en")} origins, calls`,
		"CPU µs",
	]);
	const rows = calls.map(({ name, nsCpu }) =>
		row([`  ${name}`, (nsCpu / 1000).toFixed(2)]),
	);
	return `${head}${rows.join("")}\n`;
}

function poolTable({ bytes, lines, pools }: PoolTimes): string {
	const [one] = pools;
	const rows = pools.map(({ workers, msFastest, msMedian }) =>
		row([
			`  ${workers} worker${workers > 1 ? "s" : ""}`,
			((msFastest * MEGA) / lines).toFixed(1),
			((msMedian * MEGA) / lines).toFixed(1),
			(bytes / msFastest / 1000).toFixed(0),
			((one?.msFastest ?? 0) / msFastest).toFixed(2),
			((one?.msMedian ?? 0) / msMedian).toFixed(2),
		]),
	);
	const head = row([
		`index, pool (${lines.toLocaleString("en")} lines)`,
		"fastest ns",
		"median ns",
		"MB/s",
		"times one",
		"medians",
	]);
	return `${head}${rows.join("")}  target: two workers at least ${WORKERS} times one, on two cores\n\n`;
}

function processTable(processes: readonly ProcessResult[]): string {
	const floor = processes.find(({ name }) => name === "read only");
	const rows = processes.map(({ name, ms, msCpu, growth, nsFirst }) =>
		row([
			`  ${name}`,
			ms.best.toFixed(1),
			ms.median.toFixed(1),
			msCpu.best.toFixed(0),
			msCpu.median.toFixed(0),
			(msCpu.best - (floor?.msCpu.best ?? 0)).toFixed(0),
			nsFirst?.best.toFixed(0) ?? "",
			nsFirst?.median.toFixed(0) ?? "",
			(growth / MEGA).toFixed(1),
		]),
	);
	const head = row([
		"first verdict, fresh processes, 7 runs",
		"first ms, best",
		"median",
		"cold job, best",
		"median",
		"above reading",
		"first ns a URL",
		"median",
		"MB",
	]);
	return `${head}${rows.join("")}  first: parse and compile all sites; cold job: CPU ms of a process that reads the data, does that and judges every URL once\n\n`;
}

function startUpTable(startUp: readonly StartUp[]): string {
	const [floor] = startUp;
	const rows = startUp.map(({ name, ms, msCpu }) =>
		row([
			`  ${name}`,
			ms.best.toFixed(1),
			ms.median.toFixed(1),
			(ms.best - (floor?.ms.best ?? 0)).toFixed(1),
			msCpu.best.toFixed(1),
			msCpu.median.toFixed(1),
			(msCpu.best - (floor?.msCpu.best ?? 0)).toFixed(1),
		]),
	);
	const head = row([
		"start-up, 21 runs in turn",
		"ms, best",
		"median",
		"above node",
		"CPU, best",
		"median",
		"above node",
	]);
	return `${head}${rows.join("")}\n`;
}
