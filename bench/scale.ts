import {
	createReadStream,
	existsSync,
	readFileSync,
	writeFileSync,
} from "node:fs";
import { AGENT } from "./case.ts";
import { demandSame } from "./check.ts";
import { type GeneratedSite, generatedSite, randomizer } from "./generate.ts";
import type { Library } from "./library.ts";
import { shuffled } from "./mixed.ts";

interface Load {
	/** To judge: of so many sites that their rules are in no cache when it is their turn. */
	readonly urls: number;
	readonly passes: number;
}

const USUAL: Load = { urls: 250_000, passes: 15 };

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
	/** Of the whole process, the snapshot included where it was read as a whole. */
	readonly peakMemory: number;
}

/** Linux counts what the parent had as the child's maxRSS; the high-water mark of memory that begins with the program is the child's own. */
function peakMemory(): number {
	const status = "/proc/self/status";
	const known = existsSync(status)
		? /^VmHWM:\s*(\d+)/m.exec(readFileSync(status, "utf8"))?.[1]
		: undefined;
	return 1024 * Number(known ?? process.resourceUsage().maxRSS);
}

/** URLs appended as they are made, so that no strings stay. */
class UrlList {
	readonly ends: number[] = [0];
	readonly #bytes: Uint8Array;
	readonly #verdicts: number[] = [];
	readonly #encoder = new TextEncoder();

	constructor(size: number) {
		this.#bytes = new Uint8Array(size);
	}

	add(site: GeneratedSite): void {
		const url = site.url();
		const from = this.ends.at(-1) ?? 0;
		const { written } = this.#encoder.encodeInto(
			`${url}\n`,
			this.#bytes.subarray(from),
		);
		this.ends.push(from + written);
		this.#verdicts.push(Number(site.allows(url)));
	}

	/** All lines in random order, with what is right for them. */
	shuffled(): { lines: Uint8Array; right: Uint8Array } {
		const count = this.#verdicts.length;
		const lines = new Uint8Array(this.ends[count] ?? 0);
		const right = new Uint8Array(count);
		let to = 0;
		for (const [n, i] of shuffled([...Array(count).keys()], 9309).entries()) {
			const line = this.#bytes.subarray(this.ends[i], this.ends[i + 1]);
			lines.set(line, to);
			to += line.length;
			right[n] = this.#verdicts[i] ?? 0;
		}
		return { lines, right };
	}
}

const linesFile = (file: string) => `${file}.lines`;
const verdictsFile = (file: string) => `${file}.verdicts`;

/**
 * An index of `origins` generated sites. It is left in a file as a snapshot, with the URLs and their verdicts beside it.
 * @throws {Error} When a verdict is unlike the generator's.
 */
export function buildIndex(
	library: Library,
	origins: number,
	file: string,
	{ urls: wanted, passes: rounds }: Load = USUAL,
): Built {
	const index = new library.RobotsIndex({ agent: AGENT });
	const random = randomizer(origins);
	const urls = new UrlList(wanted * 200);
	let msBuild = 0;
	for (let seed = 0; seed < origins; seed++) {
		const site = generatedSite(seed);
		for (let i = random(origins); i < wanted; i += origins) urls.add(site);
		const start = performance.now();
		index.set(site.origin, site.robots);
		msBuild += performance.now() - start;
		if (seed % 10_000 === 0) progress(seed, origins);
	}
	const peak = peakMemory();
	const { lines, right } = urls.shuffled();
	const passes = Array.from({ length: rounds + 1 }, () => {
		const start = performance.now();
		const verdicts = index.matchLines(lines);
		const ms = performance.now() - start;
		demandSame(`index of ${origins} origins`, verdicts, right);
		return (ms * 1e6) / right.length;
	});
	const snapshot = index.toBytes();
	writeFileSync(file, snapshot);
	writeFileSync(linesFile(file), lines);
	writeFileSync(verdictsFile(file), right);
	const [nsFirst = 0, ...warm] = passes;
	warm.sort((a, b) => a - b);
	return {
		...index.stats(),
		peakMemory: peak,
		msBuild,
		urls: right.length,
		nsFirst,
		nsFastest: warm[0] ?? 0,
		nsMedian: warm[warm.length >> 1] ?? 0,
		snapshotBytes: snapshot.length,
	};
}

/**
 * The snapshot that `buildIndex` left, loaded from its bytes or from a stream of the file.
 * @throws {Error} When a verdict is wrong.
 */
export async function loadSnapshot(
	{ RobotsIndex }: Library,
	origins: number,
	file: string,
	from: "bytes" | "stream",
): Promise<Loaded> {
	const snapshot = from === "bytes" ? readFileSync(file) : undefined;
	const start = performance.now();
	const index = snapshot
		? RobotsIndex.fromBytes(snapshot)
		: await RobotsIndex.load(createReadStream(file));
	const msLoad = performance.now() - start;
	const peak = peakMemory();
	const what = `index from ${from}`;
	demandSame(`${what}, origins`, [index.size], [origins]);
	const verdicts = index.matchLines(readFileSync(linesFile(file)));
	demandSame(what, verdicts, readFileSync(verdictsFile(file)));
	return { msLoad, peakMemory: peak };
}

function progress(done: number, all: number): void {
	if (!process.stderr.isTTY) return;
	const share = Math.round((100 * done) / all);
	process.stderr.write(`\r${share}% of the sites `);
	if (done + 10_000 >= all) process.stderr.write("\r                    \r");
}
