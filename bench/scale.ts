import { createReadStream, readFileSync, writeFileSync } from "node:fs";
import { RobotsIndex } from "../src/index.ts";
import { AGENT, expectCount } from "./cases.ts";
import { type GeneratedSite, generatedSite, randomizer } from "./generate.ts";
import { shuffled } from "./mixed.ts";

/** URLs to judge: of so many sites that their rules are in no cache when it is their turn. */
const URLS = 250_000;
const PASSES = 15;

/** What one process finds out about an index of generated sites, filled by `set`. Times in milliseconds. */
export interface Built {
	readonly origins: number;
	readonly programs: number;
	/** Bytes of linear memory that the index uses. */
	readonly byteLength: number;
	readonly programBytes: number;
	readonly unsharedProgramBytes: number;
	/** Of the whole process, its heap, the engine and the URLs to judge included, in bytes. */
	readonly peakMemory: number;
	readonly msBuild: number;
	readonly urls: number;
	readonly nsFirst: number;
	readonly nsFastest: number;
	readonly nsMedian: number;
	readonly snapshotBytes: number;
}

/** What another one finds out that loads the first one's snapshot. */
export interface Loaded {
	readonly msLoad: number;
	/** The same from a stream of the file. */
	readonly msStream: number;
	/** Of the whole process, the snapshot included. */
	readonly peakMemory: number;
}

const peakMemory = () => process.resourceUsage().maxRSS * 1024;

/** URLs appended as they are made, so that no strings stay. */
class UrlList {
	readonly bytes = new Uint8Array(URLS * 100);
	readonly ends: number[] = [0];
	disallowed = 0;
	readonly #encoder = new TextEncoder();

	add(site: GeneratedSite): void {
		const url = site.url();
		const from = this.ends.at(-1) ?? 0;
		const { written } = this.#encoder.encodeInto(
			`${url}\n`,
			this.bytes.subarray(from),
		);
		this.ends.push(from + written);
		if (!site.allows(url)) this.disallowed++;
	}

	/** All lines in random order. */
	shuffled(): Uint8Array {
		const count = this.ends.length - 1;
		const lines = new Uint8Array(this.ends[count] ?? 0);
		let to = 0;
		for (const i of shuffled([...Array(count).keys()], 9309)) {
			const line = this.bytes.subarray(this.ends[i], this.ends[i + 1]);
			lines.set(line, to);
			to += line.length;
		}
		return lines;
	}
}

/** An index of `origins` generated sites; it is left in a file as a snapshot. */
export function buildIndex(origins: number, file: string): Built {
	const index = new RobotsIndex({ agent: AGENT });
	const random = randomizer(origins);
	const urls = new UrlList();
	let msBuild = 0;
	for (let seed = 0; seed < origins; seed++) {
		const site = generatedSite(seed);
		for (let i = random(origins); i < URLS; i += origins) urls.add(site);
		const start = performance.now();
		index.set(site.origin, site.robots);
		msBuild += performance.now() - start;
		if (seed % 10_000 === 0) progress(seed, origins);
	}
	const peak = peakMemory();
	const lines = urls.shuffled();
	const count = urls.ends.length - 1;
	const passes = Array.from({ length: PASSES + 1 }, () => {
		const start = performance.now();
		const verdicts = index.matchLines(lines);
		const ms = performance.now() - start;
		expectCount("lines judged", verdicts.length, count);
		const disallowed = verdicts.filter((verdict) => verdict === 0).length;
		expectCount("disallowed", disallowed, urls.disallowed);
		const unknown = verdicts.filter((verdict) => verdict > 1).length;
		expectCount("unknown or invalid", unknown, 0);
		return (ms * 1e6) / count;
	});
	const snapshot = index.toBytes();
	writeFileSync(file, snapshot);
	const [nsFirst = 0, ...warm] = passes;
	warm.sort((a, b) => a - b);
	return {
		...index.stats(),
		peakMemory: peak,
		msBuild,
		urls: count,
		nsFirst,
		nsFastest: warm[0] ?? 0,
		nsMedian: warm[warm.length >> 1] ?? 0,
		snapshotBytes: snapshot.length,
	};
}

export async function loadSnapshot(
	origins: number,
	file: string,
): Promise<Loaded> {
	const snapshot = readFileSync(file);
	const start = performance.now();
	const index = RobotsIndex.fromBytes(snapshot);
	const msLoad = performance.now() - start;
	expectCount("origins loaded", index.size, origins);
	const peak = peakMemory();
	index[Symbol.dispose]();
	const startOfStream = performance.now();
	const streamed = await RobotsIndex.load(createReadStream(file));
	const msStream = performance.now() - startOfStream;
	expectCount("origins loaded from a stream", streamed.size, origins);
	return { msLoad, msStream, peakMemory: peak };
}

function progress(done: number, all: number): void {
	if (!process.stderr.isTTY) return;
	const share = Math.round((100 * done) / all);
	process.stderr.write(`\r${share}% of the sites `);
	if (done + 10_000 >= all) process.stderr.write("\r                    \r");
}
