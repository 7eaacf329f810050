import { Session } from "node:inspector/promises";
import { AGENT } from "./case.ts";
import { demandSame } from "./check.ts";
import { coldJob } from "./first-verdict.ts";
import { PlacedLines } from "./floors.ts";
import type { Library } from "./library.ts";
import { type Data, linesOf, pathOf, type Site } from "./site.ts";

/** Where the time of judging lines of one site goes when all is warm. */
export interface Judging {
	readonly lines: number;
	/** Nanoseconds a line, each site's lines at their best. */
	readonly ns: number;
	/** The same for less, with the lines in linear memory: their bytes' sum, and what no engine can do without. */
	readonly floors: {
		readonly [name in "sum" | "count" | "list" | "hash"]: number;
	};
	readonly stages: readonly { readonly name: string; readonly part: number }[];
}

/** Where the time of parse + compile goes when all is warm. */
export interface Profile {
	readonly files: number;
	/** Rules that were compiled, and bytes that were read. */
	readonly rules: number;
	readonly bytes: number;
	/** Milliseconds of all files, each at its best, and of the largest. */
	readonly ms: number;
	readonly largestMs: number;
	/** Shares of the time of all files but the largest, and of the largest. */
	readonly stages: readonly {
		readonly name: string;
		readonly others: number;
		readonly largest: number;
	}[];
	readonly judging: { readonly paths: Judging; readonly urls: Judging };
}

export interface ProfileOptions {
	/** Passes of which each file's best counts. */
	readonly passes: number;
	/** Milliseconds for which the profiler samples. */
	readonly sampled: number;
}

const JAVASCRIPT =
	"JavaScript, with garbage collection and calls of the module";

/** Stages by the names of functions in the module, the first that fits; without a name: that of the caller. */
type Stages = readonly (readonly [
	name: string | undefined,
	functions: RegExp,
])[];

const COMPILING: Stages = [
	[
		"cutting the file into records",
		/\/(robots-txt\/|index\/(tokenise|placeText)$)/,
	],
	[
		"reading rules",
		/\/(url\/|compile\/(read-rule|compile\/readRules)|index\/gather$)/,
	],
	[
		"sorting and ranking them",
		/\/sort\/|\/entries\/(sort|insert|follows|chunkOf|push)|\/compile\/rank$/,
	],
	[
		"writing the program",
		/\/(compile\/write|index\/written|storeVarint$|store24$)/,
	],
	["jump tables, tree and prefilter", /\/compile\//],
	["memory, and the rest of the module", /^/],
];

/** The stages of assembly/match/batch.ts, whose functions stand apart in the module that is profiled (tools/bench-alone.mjs). */
export const JUDGING: Stages = [
	["line ends, unusual bytes and positions of needles", /\/lines\/indexLines/],
	["paths and the keys of their first bytes", /\/path-spans\/readPaths/],
	["code of prefixes", /\/batch\/runPrefixes/],
	["positions of needles in paths, and their code", /\/batch\/matchUnanchored/],
	["the slow path", /\/batch\/matchSlowLines/],
	["verdicts, and the loop over stretches", /\/batch\/|\/index\/match/],
	[undefined, /^/],
];

/** The stage of a function in a profile of V8's; undefined for what is no work, or belongs to the caller's stage. */
export function stageOf(
	{
		functionName,
		url,
	}: { readonly functionName: string; readonly url: string },
	stages: Stages = COMPILING,
): string | undefined {
	if (url.startsWith("wasm:"))
		return stages.find(([, functions]) => functions.test(functionName))?.[0];
	return functionName === "(root)" || functionName === "(idle)"
		? undefined
		: JAVASCRIPT;
}

const dialect = "google";

/** @throws {Error} When a verdict is wrong. */
export async function measureProfile(
	library: Library,
	data: Data,
	{ passes, sampled }: ProfileOptions,
): Promise<Profile> {
	await coldJob(library, data, "robotrie");
	const { RobotsTxt } = library;
	const { sites } = data;
	const make = ({ robots }: Site) =>
		RobotsTxt.parse(robots, { dialect }).for(AGENT);
	const largest = sites.reduce((most, site) =>
		site.robots.length > most.robots.length ? site : most,
	);
	const others = sites.filter((site) => site !== largest);
	const times = bestTimes(sites, make, passes);
	const [of, ofLargest] = [
		await partsOf(() => others.forEach(make), sampled, COMPILING),
		await partsOf(() => make(largest), sampled, COMPILING),
	];
	const judging = (paths: boolean) =>
		measureJudging(library, data, { paths, passes, sampled });
	const largestTime = times.get(largest) ?? 0;
	return {
		files: sites.length,
		rules: sum(sites.map((site) => rulesOf(library, site))),
		bytes: sum(sites.map(({ robots }) => robots.length)),
		ms: sum([...times.values()]),
		largestMs: largestTime,
		stages: namesOf(COMPILING).map((name) => ({
			name,
			others: of.get(name) ?? 0,
			largest: ofLargest.get(name) ?? 0,
		})),
		judging: { paths: await judging(true), urls: await judging(false) },
	};
}

const namesOf = (stages: Stages) => [
	...stages.flatMap(([name]) => name ?? []),
	JAVASCRIPT,
];

/** @throws {Error} When a verdict is wrong. */
async function measureJudging(
	{ RobotsTxt }: Library,
	data: Data,
	{ paths, passes, sampled }: ProfileOptions & { readonly paths: boolean },
): Promise<Judging> {
	const jobs = data.sites.map((site) => {
		const lines = linesOf(paths ? site.urls.map(pathOf) : site.urls);
		const matcher = RobotsTxt.parse(site.robots, { dialect }).for(AGENT);
		const right = data.verdicts(site, { dialect, paths });
		demandSame(site.host, matcher.matchLines(lines), right);
		return { lines, matcher, placed: new PlacedLines(lines) };
	});
	type Job = (typeof jobs)[number];
	const lines = sum(data.sites.map(({ urls }) => urls.length));
	const into = new Uint8Array(
		Math.max(...data.sites.map(({ urls }) => urls.length)),
	);
	const judge = ({ matcher, lines }: Job) => matcher.matchLines(lines, into);
	const nsOf = (work: (job: Job) => unknown) =>
		(sum([...bestTimes(jobs, work, passes).values()]) * 1e6) / lines;
	// Several times in a row, since the best time is one for which all lies in the cache.
	const again = (job: Job) => {
		for (let i = 0; i < 8; i++) judge(job);
	};
	const ns = nsOf(judge);
	const of = await partsOf(() => jobs.forEach(again), sampled, JUDGING);
	return {
		lines,
		ns,
		floors: {
			sum: nsOf(({ placed }) => placed.sum()),
			count: nsOf(({ placed }) => placed.count()),
			list: nsOf(({ placed }) => placed.list()),
			hash: nsOf(({ placed }) => placed.hash()),
		},
		stages: namesOf(JUDGING).map((name) => ({ name, part: of.get(name) ?? 0 })),
	};
}

/** The best time of each of all jobs in milliseconds; each runs once before, so that what it reads lies in the cache. */
function bestTimes<Job>(
	jobs: readonly Job[],
	work: (job: Job) => unknown,
	passes: number,
): Map<Job, number> {
	const best = new Map<Job, number>();
	for (let pass = 0; pass < passes; pass++)
		for (const job of jobs) {
			work(job);
			const start = performance.now();
			work(job);
			const time = performance.now() - start;
			best.set(job, Math.min(best.get(job) ?? time, time));
		}
	return best;
}

function rulesOf({ RobotsTxt }: Library, { robots }: Site): number {
	const read = RobotsTxt.parse(robots, { dialect });
	return sum(
		read.groupsOf(AGENT).map((i) => read.groups[i]?.rules.length ?? 0),
	);
}

/** The part of each stage in the time of `work`, which is repeated. */
async function partsOf(
	work: () => unknown,
	milliseconds: number,
	stages: Stages,
): Promise<Map<string, number>> {
	const session = new Session();
	session.connect();
	await session.post("Profiler.enable");
	await session.post("Profiler.setSamplingInterval", { interval: 100 });
	await session.post("Profiler.start");
	const end = performance.now() + milliseconds;
	do work();
	while (performance.now() < end);
	const { profile } = await session.post("Profiler.stop");
	session.disconnect();
	const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
	const hits = new Map<string, number>();
	const visit = (id: number, callers: string | undefined) => {
		const node = nodes.get(id);
		if (!node) return;
		const { callFrame, hitCount = 0, children = [] } = node;
		const stage = stageOf(callFrame, stages) ?? callers;
		if (stage) hits.set(stage, (hits.get(stage) ?? 0) + hitCount);
		for (const child of children) visit(child, stage);
	};
	// The root comes first.
	visit(profile.nodes[0]?.id ?? 0, undefined);
	const all = sum([...hits.values()]);
	return new Map([...hits].map(([stage, count]) => [stage, count / all]));
}

function sum(all: readonly number[]): number {
	return all.reduce((total, one) => total + one, 0);
}
