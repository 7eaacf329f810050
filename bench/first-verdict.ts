import { RobotsIndex, RobotsTxt } from "../src/index.ts";
import { AGENT, expectCount } from "./cases.ts";
import { loadData } from "./data.ts";
import { robotsParser } from "./peer.ts";
import { linesOf, pathOf, type Site } from "./site.ts";

/** What one process finds out that does a job once, with nothing warm. */
export interface FirstPass {
	/** From bytes of robots.txt to something that can judge, for all sites, in milliseconds. */
	readonly ms: number;
	/** Resident memory that it took, in bytes; the data that was read before is not in it. */
	readonly growth: number;
	/** Of the process from its start to its end, user and system, in milliseconds. */
	readonly msCpu: number;
}

/** Makes judges of all sites, and says how many URLs they disallow. */
type Job = (sites: readonly Site[]) => { made: unknown; judge: () => number };

const matchers: Job = (sites) => {
	const made = sites.map(({ robots }) =>
		RobotsTxt.parse(robots, { dialect: "google" }).for(AGENT),
	);
	return {
		made,
		judge: () =>
			sites.reduce((sum, { urls }, i) => {
				const verdicts = made[i]?.matchLines(linesOf(urls.map(pathOf)));
				return sum + (verdicts?.filter((verdict) => verdict === 0).length ?? 0);
			}, 0),
	};
};

const index: Job = (sites) => {
	const made = new RobotsIndex({ agent: AGENT, dialect: "google" });
	for (const { host, robots } of sites) made.set(`https://${host}`, robots);
	return {
		made,
		judge: () =>
			sites.reduce((sum, { host, urls }) => {
				const lines = linesOf(
					urls.map((url) => `https://${host}${pathOf(url)}`),
				);
				const verdicts = made.matchLines(lines);
				return sum + verdicts.filter((verdict) => verdict === 0).length;
			}, 0),
	};
};

const peers: Job = (sites) => {
	const decoder = new TextDecoder();
	const made = sites.map(({ host, robots }) =>
		robotsParser(`https://${host}/robots.txt`, decoder.decode(robots)),
	);
	return {
		made,
		judge: () =>
			sites.reduce(
				(sum, { host, urls }, i) =>
					sum +
					urls.filter(
						(url) =>
							made[i]?.isAllowed(`https://${host}${pathOf(url)}`, AGENT) ===
							false,
					).length,
				0,
			),
	};
};

/** In bytes, without what the collector has not got round to. */
function residentMemory(): number {
	for (let i = 0; i < 3; i++) (globalThis as { gc?: () => void }).gc?.();
	return process.memoryUsage().rss;
}

/** Reads the data and does nothing with it: what every process pays. */
const nothing: Job = () => ({ made: undefined, judge: () => 0 });

export const firstJobs: Readonly<Record<string, Job>> = {
	"read only": nothing,
	robotrie: matchers,
	"robotrie index": index,
	"robots-parser": peers,
};

/**
 * Does a job once in this process. `judging` also judges every URL, and compares the count with the reference's; a peer that answers
 * otherwise than the reference is not held to that.
 */
export function firstPass(name: string, judging: boolean): FirstPass {
	const { sites } = loadData();
	const job = firstJobs[name] as Job;
	const before = residentMemory();
	const start = performance.now();
	const { made, judge } = job(sites);
	const ms = performance.now() - start;
	const growth = residentMemory() - before;
	if (made === null) throw new Error("nothing was made");
	if (judging) {
		const disallowed = judge();
		const expected = sites.reduce(
			(sum, { verdicts }) => sum + verdicts.split("0").length - 1,
			0,
		);
		if (name.startsWith("robotrie"))
			expectCount("disallowed", disallowed, expected);
	}
	const { user, system } = process.cpuUsage();
	return { ms, growth, msCpu: (user + system) / 1000 };
}
