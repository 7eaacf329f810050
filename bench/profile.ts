import { Session } from "node:inspector/promises";
import { AGENT } from "./case.ts";
import { coldJob } from "./first-verdict.ts";
import type { Library } from "./library.ts";
import type { Data, Site } from "./site.ts";

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
}

export interface ProfileOptions {
	/** Passes of which each file's best counts. */
	readonly passes: number;
	/** Milliseconds for which the profiler samples. */
	readonly sampled: number;
}

const JAVASCRIPT =
	"JavaScript, with garbage collection and calls of the module";

/** Stages by the names of functions in the module. */
const STAGES: readonly (readonly [name: string, functions: RegExp])[] = [
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

/** The stage of a function in a profile of V8's; undefined for what is no work. */
export function stageOf({
	functionName,
	url,
}: {
	readonly functionName: string;
	readonly url: string;
}): string | undefined {
	if (url.startsWith("wasm:"))
		return STAGES.find(([, functions]) => functions.test(functionName))?.[0];
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
		await partsOf(() => others.forEach(make), sampled),
		await partsOf(() => make(largest), sampled),
	];
	const largestTime = times.get(largest) ?? 0;
	return {
		files: sites.length,
		rules: sum(sites.map((site) => rulesOf(library, site))),
		bytes: sum(sites.map(({ robots }) => robots.length)),
		ms: sum([...times.values()]),
		largestMs: largestTime,
		stages: [...STAGES.map(([name]) => name), JAVASCRIPT].map((name) => ({
			name,
			others: of.get(name) ?? 0,
			largest: ofLargest.get(name) ?? 0,
		})),
	};
}

/** Each site's best time in milliseconds. */
function bestTimes(
	sites: readonly Site[],
	make: (site: Site) => unknown,
	passes: number,
): Map<Site, number> {
	const best = new Map<Site, number>();
	for (let pass = 0; pass < passes; pass++)
		for (const site of sites) {
			const start = performance.now();
			make(site);
			const time = performance.now() - start;
			best.set(site, Math.min(best.get(site) ?? time, time));
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
): Promise<Map<string, number>> {
	const session = new Session();
	session.connect();
	await session.post("Profiler.enable");
	await session.post("Profiler.setSamplingInterval", { interval: 100 });
	await session.post("Profiler.start");
	for (const end = performance.now() + milliseconds; performance.now() < end; )
		work();
	const { profile } = await session.post("Profiler.stop");
	session.disconnect();
	const hits = new Map<string, number>();
	for (const { callFrame, hitCount = 0 } of profile.nodes) {
		const stage = stageOf(callFrame);
		if (stage) hits.set(stage, (hits.get(stage) ?? 0) + hitCount);
	}
	const all = sum([...hits.values()]);
	return new Map([...hits].map(([stage, count]) => [stage, count / all]));
}

function sum(all: readonly number[]): number {
	return all.reduce((total, one) => total + one, 0);
}
