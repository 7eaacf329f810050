import {
	setImmediate as nextTurn,
	setTimeout as sleep,
} from "node:timers/promises";
import { RobotsIndex } from "robotrie";
import { type Fetch, RobotsClient, type RobotsStore } from "../src/index.ts";
import { Collections, Latencies, Turns } from "./pauses.ts";
import { Answers } from "./scheduler-answers.ts";
import { Control } from "./scheduler-control.ts";
import {
	AllPages,
	originOf,
	type Pages,
	RobotsFiles,
	randomNumbers,
} from "./scheduler-sites.ts";
import type { StopRecorder } from "./stops.ts";

export interface DayOptions {
	readonly minutes: number;
	readonly sites: number;
	readonly openStore: () => Promise<RobotsStore>;
	/** The same without robotrie: what is measured then is the benchmark's own and the machine's. */
	readonly isControl?: boolean;
	/** Milliseconds until an answer of a site arrives. Default 0. */
	readonly answerDelay?: number;
	/** Frees garbage, to measure what is left. */
	readonly collect: () => void;
	readonly tell?: (text: string) => void;
	/** Tells when the machine stopped the main thread. */
	readonly recorder?: StopRecorder | undefined;
}

export interface DayResult {
	readonly latencies: Latencies;
	readonly verdicts: number;
	readonly changes: number;
	readonly requests: number;
	/** Bytes in use after each twelfth of the day: JavaScript's, and the process's. */
	readonly memory: readonly { readonly heap: number; readonly rss: number }[];
}

const AGENT = "ExampleBot";
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Milliseconds between two batches. */
const TICK = 10;
const CHANGES_PER_TICK = 2;
const MOST_URLS = 500;
const SLICES = 12;
/** When the clock jumps, in hours of the day, and by how much. */
const jumps: readonly (readonly [at: number, by: number])[] = [
	[5, 30 * HOUR],
	[9, -3 * DAY],
	[13, 3 * DAY],
	[19, 2 * DAY],
];
/** When the process starts again, with the store that it had. */
const RESTART = 16;

/**
 * A day of a scheduler, played fast: an index whose rules change, a client whose answers expire, a clock that is set, a restart.
 * @throws {Error} When a verdict is wrong.
 */
export async function schedulersDay(options: DayOptions): Promise<DayResult> {
	const { minutes, sites, openStore, collect } = options;
	const { answerDelay = 0, tell = () => {} } = options;
	const latencies = new Latencies();
	const collections = new Collections(latencies);
	const turns = new Turns(latencies, collections);
	const random = randomNumbers(1);
	const allPages = new AllPages(sites, random);
	const files = new RobotsFiles(sites);
	const answers = new Answers(files.longest);
	const realDay = minutes * 60_000;
	/** The day begins when all sites have been fetched. */
	let begin = Number.POSITIVE_INFINITY;
	// An answer's time begins when it has arrived, in a process that does much else.
	const slack = (200 * DAY) / realDay;
	let jumped = 0;
	const hour = () => Math.max(0, ((performance.now() - begin) / realDay) * 24);
	const now = () => Date.UTC(2026, 0, 1) + hour() * HOUR + jumped;

	// What the sites say now, and what they said to the client at last and before.
	const current = new Uint32Array(sites);
	const served = new Int32Array(sites).fill(-1);
	const servedBefore = new Int32Array(sites).fill(-1);
	const servedAt = new Float64Array(sites);
	/**
	 * Sites that were asked and whose answers the client does not have. It dates an answer when it has arrived. A refresh in the
	 * background may be under way while the clock jumps: no call waits for it.
	 */
	const asked = new Set<number>();
	let requests = 0;
	const fetch: Fetch = async (url) => {
		const answer = turns.own(() => {
			requests++;
			const site = siteOf(url);
			if (!options.isControl) asked.add(site);
			servedBefore[site] = served[site] ?? -1;
			served[site] = current[site] ?? 0;
			servedAt[site] = now();
			const file = files.of(site, served[site] ?? 0);
			return answers.of(file, lifetimeOf(site) / 1000);
		});
		if (answerDelay > 0) await sleep(answerDelay);
		return answer;
	};

	const index = options.isControl
		? new Control(fetch, now, (site) => current[site] ?? 0)
		: new RobotsIndex({ agent: AGENT });
	const changeOne = (site: number) => {
		current[site] = (current[site] ?? 0) + 1;
		const file = turns.own(() => files.of(site, current[site] ?? 0));
		latencies.time("index.set", () => index.set(originOf(site), file));
	};
	for (let site = 0; site < sites; site++) changeOne(site);

	let store = await openStore();
	const openClient = () => {
		asked.clear();
		if (options.isControl)
			return new Control(fetch, now, (site) => served[site] ?? -1);
		const client = new RobotsClient({ agent: AGENT, store, fetch, now });
		return client.on("answer", ({ origin }) => {
			const site = siteOf(origin);
			asked.delete(site);
			// An answer holds from when it came: a machine that stalls meanwhile makes hours of a second here.
			servedAt[site] = now();
		});
	};
	let client = openClient();
	let verdicts = 0;

	const checkIndex = ({ urls, numbers }: Pages, found: Uint8Array) => {
		for (let i = 0; i < urls.length; i++) {
			const page = numbers[i] as number;
			const version = current[allPages.siteOf(page)] ?? 0;
			if (found[i] !== allPages.rightVerdict(page, version))
				throw new Error(`index: ${urls[i]} has verdict ${found[i]}`);
		}
		verdicts += urls.length;
	};
	const checkClient = (
		{ urls, numbers }: Pages,
		found: Uint8Array,
		since: number,
	) => {
		for (let i = 0; i < urls.length; i++) {
			const page = numbers[i] as number;
			const site = allPages.siteOf(page);
			const isRight =
				found[i] === allPages.rightVerdict(page, served[site] ?? 0) ||
				found[i] === allPages.rightVerdict(page, servedBefore[site] ?? 0);
			// Asked anew in time, a minute apart for clocks that differ.
			const age = since - (servedAt[site] ?? 0);
			const isFresh = age <= lifetimeOf(site) + slack;
			const isPast = (servedAt[site] ?? 0) <= now() + 60_000;
			if (!isRight || !isFresh || !isPast)
				throw new Error(
					`client: ${urls[i]} has verdict ${found[i]}; asked ${age / HOUR} hours ago`,
				);
		}
		verdicts += urls.length;
	};
	const judge = async (pages: Pages, name: string) => {
		const since = now();
		const before = requests;
		const start = performance.now();
		const found = await client.matchMany(pages.urls);
		const passed = performance.now() - start;
		const isWarm = requests === before;
		latencies.record(isWarm ? `${name}, at hand` : `${name}, fetching`, passed);
		await nextTurn();
		turns.own(() => checkClient(pages, found, since));
	};

	tell("fetching all sites");
	// What was made until now is not garbage of the day.
	collect();
	turns.start();
	await client.prefetch(turns.own(() => allPages.ofEachSite().urls));

	begin = performance.now();
	const memory: { heap: number; rss: number }[] = [];
	const left = [...jumps];
	let hasRestarted = false;
	let failure: unknown;
	const underWay = new Set<Promise<void>>();
	// However slow the machine, each jump and the restart come, and a turn after them.
	for (let isOver = false; !isOver && failure === undefined; ) {
		isOver = hour() >= 24 && left.length === 0 && hasRestarted;
		for (let i = 0; i < CHANGES_PER_TICK; i++)
			changeOne(Math.floor(random() * sites));
		const size = 1 + Math.floor(random() * MOST_URLS);
		const pages = turns.own(() => allPages.some(size));
		const { urls } = pages;
		const found = latencies.time(`index.matchMany, ${classOf(size)}`, () =>
			index instanceof Control ? index.peek(urls) : index.matchMany(urls),
		);
		turns.own(() =>
			latencies.time(`own check, ${classOf(size)}`, () =>
				checkIndex(pages, found),
			),
		);
		latencies.time(`client.peek, ${classOf(size)}`, () => client.peek(urls));
		if (underWay.size < 20) {
			const call = judge(pages, `client.matchMany, ${classOf(size)}`)
				.catch((error) => {
					failure = error;
				})
				.finally(() => underWay.delete(call));
			underWay.add(call);
		}
		const [jump] = left;
		if (jump && hour() >= jump[0]) {
			left.shift();
			await Promise.all(underWay);
			tell(`the clock jumps by ${jump[1] / HOUR} hours`);
			jumped += jump[1];
			for (const site of asked)
				servedAt[site] = (servedAt[site] ?? 0) + jump[1];
		}
		if (!hasRestarted && hour() >= RESTART) {
			hasRestarted = true;
			await Promise.all(underWay);
			tell("restart");
			await client.close();
			await store.close();
			store = await openStore();
			client = openClient();
			const pages = turns.own(() => allPages.ofEachSite());
			await judge(pages, "client.matchMany, all sites, from the store");
		}
		if (hour() >= (memory.length + 1) * (24 / SLICES)) {
			await Promise.all(underWay);
			turns.own(collect);
			const { heapUsed, external, rss } = process.memoryUsage();
			memory.push({ heap: heapUsed + external, rss });
			tell(`hour ${Math.round(hour())}: ${Math.round(heapUsed / 2 ** 20)} MiB`);
		}
		await sleep(TICK);
	}
	await Promise.all(underWay);
	await client.close();
	await store.close();
	// The last collections are told of in the next turns.
	await sleep(100);
	collections.end();
	turns.stop();
	const stops = await options.recorder?.end();
	if (stops) turns.recordWithout(stops);
	if (failure !== undefined) throw failure;
	const changes = latencies.get("index.set").count;
	return { latencies, verdicts, changes, requests, memory };
}

function siteOf(url: string): number {
	return Number(/site-(\d+)/.exec(url)?.[1]);
}

/** How long a site's answer holds: 1 to 24 hours. */
function lifetimeOf(site: number): number {
	return (1 + (site % 24)) * HOUR;
}

function classOf(size: number): string {
	if (size <= 10) return "1 to 10 URLs";
	return size <= 100 ? "11 to 100 URLs" : "101 to 500 URLs";
}
