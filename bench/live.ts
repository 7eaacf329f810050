import { setTimeout as sleep } from "node:timers/promises";
import { RobotsIndex } from "../src/index.ts";
import type { RobotsPool } from "../src/sites/pool.ts";
import { demandSame } from "./check.ts";
import { randomizer } from "./generate.ts";

const SITES = 50_000;
const LINES = 400_000;
/** Milliseconds from one batch of changes to the next. */
const TICK = 10;

type Pool = Pick<
	RobotsPool,
	"matchLines" | "set" | "close" | "workers" | "size"
>;

export interface LiveOptions {
	readonly load: (snapshot: Uint8Array, workers: number) => Promise<Pool>;
	readonly workers: number;
	readonly setsPerSecond: number;
	readonly rounds: number;
}

export interface LiveTimes {
	readonly lines: number;
	readonly workers: number;
	/** As it came to be. */
	readonly setsPerSecond: number;
	/** Milliseconds of a round, the median. */
	readonly quiet: number;
	readonly setting: number;
}

const originOf = (site: number) => `https://www.site${site}.example`;

/** Rules of a site, in versions whose verdicts for the lines are the same. */
function rulesOf(site: number, version: number): string {
	const rules = Array.from(
		{ length: site % 17 },
		(_, i) => `Disallow: /never/${version}/${site}/${i}\n`,
	);
	return `User-agent: *\nDisallow: /private/\n${rules.join("")}`;
}

/**
 * Has a pool judge the same lines again and again, rounds in which nothing changes and rounds with changes in turn.
 * @throws {Error} When a verdict is wrong.
 */
export async function judgeWhileSetting(
	options: LiveOptions,
): Promise<LiveTimes> {
	const random = randomizer(77);
	const index = new RobotsIndex({ agent: "bench" });
	for (let i = 0; i < SITES; i++) index.set(originOf(i), rulesOf(i, 0));
	const right = new Uint8Array(LINES);
	const lines = new TextEncoder().encode(
		Array.from(right, (_, i) => {
			right[i] = Number(random(3) > 0);
			const folder = right[i] ? "articles" : "private";
			return `${originOf(random(SITES))}/${folder}/${i}\n`;
		}).join(""),
	);
	const pool = await options.load(index.toBytes(), options.workers);
	let sets = 0;
	const setUntil = async (judged: Promise<unknown>): Promise<void> => {
		let ended = false;
		judged.finally(() => {
			ended = true;
		});
		const start = performance.now();
		for (let done = 0; !ended; await sleep(TICK)) {
			const due = ((performance.now() - start) * options.setsPerSecond) / 1000;
			const batch: Promise<void>[] = [];
			for (; done < due; done++, sets++)
				batch.push(
					pool.set(originOf(sets % SITES), rulesOf(sets % SITES, sets)),
				);
			await Promise.all(batch);
		}
	};
	const times: Record<"quiet" | "setting", number[]> = {
		quiet: [],
		setting: [],
	};
	/** The first round is where workers start and code is compiled. */
	for (let round = 0; round <= options.rounds; round++) {
		for (const [kind, list] of Object.entries(times)) {
			const before = sets;
			const start = performance.now();
			const judging = pool.matchLines(lines);
			if (kind === "setting") await setUntil(judging);
			const found = await judging;
			if (round > 0) list.push(performance.now() - start);
			else sets = before;
			demandSame(`a pool, ${kind}`, found, right);
		}
	}
	await pool.close();
	const spent = times.setting.reduce((sum, ms) => sum + ms, 0);
	return {
		lines: LINES,
		workers: options.workers,
		setsPerSecond: (sets / spent) * 1000,
		quiet: median(times.quiet),
		setting: median(times.setting),
	};
}

function median(values: readonly number[]): number {
	return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
