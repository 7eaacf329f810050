import { Readable } from "node:stream";
import { AGENT } from "./case.ts";
import { demandSame } from "./check.ts";
import type { Library } from "./library.ts";
import { linesOf } from "./site.ts";

/** CPU time of calls of a large index: the best of several. */
export interface CallTimes {
	readonly origins: number;
	readonly programs: number;
	readonly snapshotBytes: number;
	/** URLs of the bulk calls, each of another origin. */
	readonly urls: number;
	readonly calls: readonly {
		readonly name: string;
		/** For all that the call does, or for one of `items`. */
		readonly nsCpu: number;
	}[];
}

interface Extent {
	readonly origins: number;
	readonly urls: number;
	readonly rounds: number;
}

const USUAL: Extent = { origins: 500_000, urls: 100_000, rounds: 5 };
const CHUNK = 64 * 1024;

const originOf = (i: number) => `https://site-${i}.example`;
/** Two rules a site; every second site has its neighbour's. */
const robotsOf = (i: number) =>
	`User-agent: *\nDisallow: /private-${i >> 1}/\nAllow: /private-${i >> 1}/open/\n`;

/** @throws {Error} When a verdict is wrong. */
export async function measureCalls(
	library: Library,
	{ origins, urls, rounds }: Extent = USUAL,
): Promise<CallTimes> {
	const { RobotsIndex } = library;
	const index = new RobotsIndex({ agent: AGENT });
	for (let i = 0; i < origins; i++) index.set(originOf(i), robotsOf(i));
	const step = Math.max(1, Math.floor(origins / urls));
	const asked = Array.from({ length: Math.min(urls, origins) }, (_, i) => {
		const site = i * step;
		const path = [`/private-${site >> 1}/`, "/"][i % 2];
		return { url: `${originOf(site)}${path}page`, verdict: i % 2 };
	});
	const texts = asked.map(({ url }) => url);
	const lines = linesOf(texts);
	const right = asked.map(({ verdict }) => verdict);
	const into = new Uint8Array(texts.length);
	const snapshot = index.toBytes();
	const stream = () =>
		Readable.from(
			Array.from({ length: Math.ceil(snapshot.length / CHUNK) }, (_, i) =>
				snapshot.subarray(i * CHUNK, (i + 1) * CHUNK),
			),
		);
	const check = (what: string, loaded: typeof index) => {
		demandSame(what, loaded.matchMany(texts), right);
		loaded[Symbol.dispose]();
	};
	const times = new Map<string, number>();
	const time = async <Result>(
		name: string,
		items: number,
		call: () => Result | Promise<Result>,
	): Promise<Result> => {
		const before = process.cpuUsage();
		const result = await call();
		const { user, system } = process.cpuUsage(before);
		const ns = ((user + system) * 1000) / items;
		times.set(name, Math.min(ns, times.get(name) ?? ns));
		return result;
	};
	const sets = asked.length;
	for (let round = 0; round < rounds; round++) {
		check(
			"fromBytes",
			await time("fromBytes", 1, () => RobotsIndex.fromBytes(snapshot)),
		);
		check("load", await time("load", 1, () => RobotsIndex.load(stream())));
		const bytes = await time("toBytes", 1, () => index.toBytes());
		check("toBytes", RobotsIndex.fromBytes(bytes));
		const chunks = await time("snapshot", 1, async () => {
			const all: Uint8Array[] = [];
			for await (const chunk of index.snapshot()) all.push(chunk);
			return all;
		});
		check("snapshot", RobotsIndex.fromBytes(Buffer.concat(chunks)));
		const names = await time("origins", 1, () => [...index.origins()]);
		demandSame("origins", [names.length], [origins]);
		await time("set", sets, () => {
			for (let i = 0; i < sets; i++) index.set(originOf(i), robotsOf(i));
		});
		const one = await time("isAllowed", texts.length, () =>
			texts.map((url) => Number(index.isAllowed(url))),
		);
		demandSame("isAllowed", one, right);
		await time("matchMany", texts.length, () => index.matchMany(texts, into));
		demandSame("matchMany", into, right);
		into.fill(255);
		await time("matchLines", texts.length, () => index.matchLines(lines, into));
		demandSame("matchLines", into, right);
		into.fill(255);
	}
	const { programs } = index.stats();
	return {
		origins,
		programs,
		snapshotBytes: snapshot.length,
		urls: texts.length,
		calls: [...times].map(([name, nsCpu]) => ({ name, nsCpu })),
	};
}
