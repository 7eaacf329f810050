import { AGENT } from "./case.ts";
import { type Checked, Comparison } from "./check.ts";
import type { Library } from "./library.ts";
import { robotsParser } from "./peer.ts";
import { type Data, linesOf, ownUrls, pathOf, type Site } from "./site.ts";

/** What one process finds out that does a job once, with nothing warm. */
export interface FirstPass {
	/** From bytes of robots.txt to something that can judge, for all sites, in milliseconds. */
	readonly ms: number;
	/** Resident memory that it took, in bytes; the data that was read before is not in it. */
	readonly growth: number;
	/** Of the process from its start to its end, user and system, in milliseconds. */
	readonly msCpu: number;
	/** When it judged: how many verdicts are wrong. */
	readonly wrong?: number;
}

/** Makes judges of all sites, and verdicts of theirs on all URLs of a site. */
type Job = (
	sites: readonly Site[],
	library: Library,
) => { made: unknown; judge: (site: Site, which: number) => Uint8Array };

const dialect = "google";

const matchers: Job = (sites, { RobotsTxt }) => {
	const made = sites.map(({ robots }) =>
		RobotsTxt.parse(robots, { dialect }).for(AGENT),
	);
	return {
		made,
		judge: ({ urls }, i) =>
			made[i]?.matchLines(linesOf(urls.map(pathOf))) ?? new Uint8Array(),
	};
};

const index: Job = (sites, { RobotsIndex }) => {
	const made = new RobotsIndex({ agent: AGENT, dialect });
	for (const { host, robots } of sites) made.set(`https://${host}`, robots);
	return { made, judge: (site) => made.matchLines(linesOf(ownUrls(site))) };
};

const peers: Job = (sites) => {
	const decoder = new TextDecoder();
	const made = sites.map(({ host, robots }) =>
		robotsParser(`https://${host}/robots.txt`, decoder.decode(robots)),
	);
	return {
		made,
		judge: (site, i) =>
			Uint8Array.from(ownUrls(site), (url) =>
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
	"robotrie index": index,
	"robots-parser": peers,
};

/**
 * Does a job once in this process, and with `judging` judges every URL.
 * @throws {Error} When one of robotrie's verdicts is wrong.
 */
export async function firstPass(
	library: Library,
	data: Data,
	name: string,
	judging: boolean,
): Promise<FirstPass> {
	const { sites } = data;
	const job = firstJobs[name] as Job;
	const before = await residentMemory();
	const start = performance.now();
	const { made, judge } = job(sites, library);
	const ms = performance.now() - start;
	const growth = (await residentMemory()) - before;
	if (made === null) throw new Error("nothing was made");
	const verdicts = judging ? sites.map(judge) : [];
	const { user, system } = process.cpuUsage();
	const msCpu = (user + system) / 1000;
	if (verdicts.length === 0 || name === "read only")
		return { ms, growth, msCpu };
	const { wrong } = compare(data, verdicts, name);
	return { ms, growth, msCpu, wrong };
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
