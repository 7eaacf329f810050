import { setTimeout as sleep } from "node:timers/promises";
import { RobotsIndex } from "../src/index.ts";
import type { RobotsPool } from "../src/sites/pool.ts";
import { demandSame } from "./check.ts";
import { randomizer } from "./generate.ts";

const SITES = 50_000;
const LINES = 400_000;
/** Calls of a round, one after another. */
const CALLS = 5;
/** Changes that are made again and again. */
const CHANGES = 20_000;
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

/** Milliseconds of a call, the median: while nothing changes; while rules are set; while as many are set in an index of their own. */
export interface LiveTimes {
	readonly lines: number;
	readonly workers: number;
	/** As it came to be. */
	readonly setsPerSecond: number;
	readonly quiet: number;
	readonly setting: number;
	/** What setting costs without any memory in common: the cores, the caches and the bus are shared all the same. */
	readonly apart: number;
}

type Kind = "quiet" | "setting" | "apart";

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
 * Has a pool judge the same lines again and again, in rounds of each kind in turn.
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
	// Made before, as a scheduler has them from elsewhere.
	const changes = Array.from({ length: CHANGES }, (_, i) => {
		const site = (i * 7919) % SITES;
		return [originOf(site), Buffer.from(rulesOf(site, 1 + i))] as const;
	});
	const pool = await options.load(index.toBytes(), options.workers);
	const set: Record<Kind, (origin: string, rules: Uint8Array) => unknown> = {
		quiet: () => {},
		setting: (origin, rules) => pool.set(origin, rules),
		apart: (origin, rules) => index.set(origin, rules),
	};
	let sets = 0;
	/** Sets rules at the rate that was asked for until something has ended; returns how many. */
	const setUntil = async (kind: Kind, judged: Promise<unknown>) => {
		let ended = false;
		judged.finally(() => {
			ended = true;
		});
		const start = performance.now();
		let done = 0;
		for (; !ended; await sleep(TICK)) {
			const passed = performance.now() - start + TICK;
			const due = (passed * options.setsPerSecond) / 1000;
			const batch: unknown[] = [];
			for (; done < due; done++, sets++) {
				const [origin, rules] = changes[sets % CHANGES] as (typeof changes)[0];
				batch.push(set[kind](origin, rules));
			}
			await Promise.all(batch);
		}
		return done;
	};
	const judge = async (kind: Kind): Promise<void> => {
		for (let i = 0; i < CALLS; i++)
			demandSame(`a pool, ${kind}`, await pool.matchLines(lines), right);
	};
	const kinds: readonly Kind[] = ["quiet", "setting", "apart"];
	const times: Record<Kind, number[]> = { quiet: [], setting: [], apart: [] };
	const done: Record<Kind, number> = { quiet: 0, setting: 0, apart: 0 };
	/** The first round is where workers start and code is compiled. */
	for (let round = 0; round <= options.rounds; round++) {
		for (const kind of kinds) {
			const start = performance.now();
			// Until the last verdicts are there, and not until the loop that sets has seen it.
			let passed = 0;
			const judged = judge(kind).then(() => {
				passed = performance.now() - start;
			});
			const count = kind === "quiet" ? 0 : await setUntil(kind, judged);
			await judged;
			if (round === 0) continue;
			times[kind].push(passed / CALLS);
			done[kind] += count;
		}
	}
	await pool.close();
	const spent = times.setting.reduce((sum, ms) => sum + ms * CALLS, 0);
	return {
		lines: LINES,
		workers: options.workers,
		setsPerSecond: (done.setting / spent) * 1000,
		quiet: median(times.quiet),
		setting: median(times.setting),
		apart: median(times.apart),
	};
}

function median(values: readonly number[]): number {
	return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
