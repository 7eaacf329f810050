import type { Matcher } from "../src/index.ts";
import { AGENT } from "./case.ts";
import { type Checked, Comparison } from "./check.ts";
import type { Library } from "./library.ts";
import { robotsParser } from "./peer.ts";
import { type Data, ownUrls, type Site } from "./site.ts";

/** What one process finds out that makes judges of all sites once, with nothing warm. */
export interface FirstPass {
	/** From bytes of robots.txt to something that can judge, for all sites, in milliseconds. */
	readonly ms: number;
	/** Resident memory that it took, in bytes; the data that was read before is not in it. */
	readonly growth: number;
}

/** The same of one that also judges every URL once. */
export interface ColdJob {
	/** Of the process from its start to its end, user and system, in milliseconds. */
	readonly msCpu: number;
	/** Of judging every URL once, in milliseconds: a first pass, with nothing warm and nothing else run before. */
	readonly msPass: number;
	/** URLs that were judged. */
	readonly urls: number;
	/** How many verdicts are wrong. */
	readonly wrong: number;
}

/** Makes judges of all sites, and verdicts of theirs on URLs of a site. */
type Job = (
	sites: readonly Site[],
	library: Library,
) => {
	made: unknown;
	judge: (urls: readonly string[], which: number) => Uint8Array;
};

const dialect = "google";

const matchers: Job = (sites, { RobotsTxt }) => {
	const made = sites.map(({ robots }) =>
		RobotsTxt.parse(robots, { dialect }).for(AGENT),
	);
	return {
		made,
		judge: (urls, i) => made[i]?.matchMany(urls) ?? new Uint8Array(),
	};
};

/** One call a URL, as packages have it that are compared with it. */
const calls: Job = (sites, library) => {
	const { made } = matchers(sites, library) as {
		made: readonly Pick<Matcher, "isAllowed">[];
	};
	return {
		made,
		judge: (urls, i) =>
			Uint8Array.from(urls, (url) => Number(made[i]?.isAllowed(url))),
	};
};

const index: Job = (sites, { RobotsIndex }) => {
	const made = new RobotsIndex({ agent: AGENT, dialect });
	for (const { host, robots } of sites) made.set(`https://${host}`, robots);
	return { made, judge: (urls) => made.matchMany(urls) };
};

const peers: Job = (sites) => {
	const decoder = new TextDecoder();
	const made = sites.map(({ host, robots }) =>
		robotsParser(`https://${host}/robots.txt`, decoder.decode(robots)),
	);
	return {
		made,
		judge: (urls, i) =>
			Uint8Array.from(urls, (url) =>
				Number(made[i]?.isAllowed(url, AGENT) !== false),
			),
	};
};

/** In bytes, without what the collector has not got round to. In another turn, as what a WeakRef was asked for stays until then. */
async function residentMemory(): Promise<number> {
	await new Promise((resolve) => setTimeout(resolve));
	for (let i = 0; i < 3; i++) (globalThis as { gc?: () => void }).gc?.();
	return process.memoryUsage().rss;
}

/** Reads the data and does nothing with it: what every process pays. */
const nothing: Job = () => ({ made: undefined, judge: () => new Uint8Array() });

export const firstJobs: Readonly<Record<string, Job>> = {
	"read only": nothing,
	robotrie: matchers,
	"robotrie isAllowed": calls,
	"robotrie index": index,
	"robots-parser": peers,
};

/** Makes judges once in this process. */
export async function firstPass(
	library: Library,
	{ sites }: Data,
	name: string,
): Promise<FirstPass> {
	const job = firstJobs[name] as Job;
	const before = await residentMemory();
	const start = performance.now();
	const { made } = job(sites, library);
	const ms = performance.now() - start;
	const growth = (await residentMemory()) - before;
	if (made === null) throw new Error("nothing was made");
	return { ms, growth };
}

/**
 * Makes judges and judges every URL once in this process. What only reads makes the URLs out of the data, too, and collects the same
 * garbage; from there on nothing is done but the job.
 * @throws {Error} When one of robotrie's verdicts is wrong.
 */
export async function coldJob(
	library: Library,
	data: Data,
	name: string,
): Promise<ColdJob> {
	const { sites } = data;
	// As a parser gives them: V8 puts a text made of pieces together when it is first read.
	const urls = sites.map(
		(site) => JSON.parse(JSON.stringify(ownUrls(site))) as string[],
	);
	const job = firstJobs[name] as Job;
	await residentMemory();
	const { judge } = job(sites, library);
	const start = performance.now();
	const verdicts = urls.map(judge);
	const msPass = performance.now() - start;
	const { user, system } = process.cpuUsage();
	const msCpu = (user + system) / 1000;
	const wrong = name === "read only" ? 0 : compare(data, verdicts, name).wrong;
	const count = urls.reduce((sum, { length }) => sum + length, 0);
	return { msCpu, msPass, urls: count, wrong };
}

function compare(
	data: Data,
	verdicts: readonly Uint8Array[],
	name: string,
): Checked {
	const comparison = new Comparison();
	for (const [i, site] of data.sites.entries())
		comparison.add(
			verdicts[i] ?? [],
			data.verdicts(site, { dialect, paths: true }),
		);
	return name.startsWith("robotrie")
		? comparison.demand(`fresh process, ${name}`)
		: comparison.result();
}
