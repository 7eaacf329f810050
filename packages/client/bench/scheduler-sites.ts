import { Verdict } from "robotrie";

/** A generator of numbers that are the same in every run (mulberry32). */
export function randomNumbers(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	};
}

const SECTIONS = 64;

/** Pages of a site, whose URLs are made once: a scheduler has URLs, but they are no garbage of robotrie's. */
const PAGES = 2;

/** Origins whose robots.txt has versions: each disallows another section, and what is right can be computed. */
export const originOf = (site: number) => `https://site-${site}.example`;

/** Two digits, so that files can be changed in place. */
const nameOf = (section: number) => `${section}`.padStart(2, "0");

/** The robots.txt files of all sites, in one buffer. */
export class RobotsFiles {
	readonly #bytes: Uint8Array;
	/** Where each site's file begins, and the last one ends. */
	readonly #starts: Uint32Array;
	/** Bytes of the longest file. */
	readonly longest: number;

	constructor(sites: number) {
		let longest = 0;
		const parts: Buffer[] = [];
		this.#starts = new Uint32Array(sites + 1);
		for (let site = 0, at = 0; site < sites; site++) {
			const part = Buffer.from(robotsOf(site));
			parts.push(part);
			at += part.length;
			longest = Math.max(longest, part.length);
			this.#starts[site + 1] = at;
		}
		this.#bytes = Buffer.concat(parts);
		this.longest = longest;
	}

	/** A site's file in a version, valid until the next call. */
	of(site: number, version: number): Uint8Array {
		const from = this.#starts[site] as number;
		const file = this.#bytes.subarray(from, this.#starts[site + 1]);
		const section = (site + version) % SECTIONS;
		file[SECTION_AT] = ZERO + Math.floor(section / 10);
		file[SECTION_AT + 1] = ZERO + (section % 10);
		return file;
	}
}

const ZERO = 0x30;
const BEGINNING = "User-agent: *\nDisallow: /section-";
const SECTION_AT = BEGINNING.length;

function robotsOf(site: number): string {
	const lines = [`${BEGINNING}00/`];
	// A third of the sites have rules of their own; others share theirs, as sites do.
	const more = site % 3 === 0 ? 5 + (site % 40) : 4;
	for (let i = 0; i < more; i++)
		lines.push(`Disallow: /never-${site % 3 === 0 ? site : 0}-${i}/*.cgi`);
	return `${lines.join("\n")}\n`;
}

/** Some pages, of which each site has `PAGES`. */
export interface Pages {
	readonly urls: readonly string[];
	/** What `AllPages` knows them by. */
	readonly numbers: readonly number[];
}

/** All pages, by number. */
export class AllPages {
	readonly #urls: string[] = [];
	readonly #sections: Uint8Array;
	/** By Zipf's law: the n-th site has 1/n of the first one's visits. Sums of these. */
	readonly #sums: Float64Array;
	readonly #random: () => number;

	constructor(sites: number, random: () => number) {
		this.#random = random;
		this.#sums = new Float64Array(sites);
		this.#sections = new Uint8Array(sites * PAGES);
		for (let site = 0, sum = 0; site < sites; site++) {
			sum += 1 / (site + 1);
			this.#sums[site] = sum;
			for (let page = 0; page < PAGES; page++) {
				const section = Math.floor(random() * SECTIONS);
				const number = Math.floor(random() * 1e6);
				this.#sections[this.#urls.length] = section;
				const url = `${originOf(site)}/section-${nameOf(section)}/page-${number}.html`;
				// In one piece, not as the parts that it was made of.
				this.#urls.push(Buffer.from(url).toString("latin1"));
			}
		}
	}

	/** Pages of sites by Zipf's law. */
	some(count: number): Pages {
		const numbers: number[] = [];
		for (let i = 0; i < count; i++) {
			const page = Math.floor(this.#random() * PAGES);
			numbers.push(this.#randomSite() * PAGES + page);
		}
		return this.#pagesOf(numbers);
	}

	/** A page of every site. */
	ofEachSite(): Pages {
		return this.#pagesOf(Array.from(this.#sums, (_, site) => site * PAGES));
	}

	siteOf(number: number): number {
		return Math.floor(number / PAGES);
	}

	/** The right verdict for a page when its site's robots.txt is of this version. */
	rightVerdict(number: number, version: number): number {
		const section = this.#sections[number] as number;
		return rightVerdict(this.siteOf(number), section, version);
	}

	#pagesOf(numbers: readonly number[]): Pages {
		return { numbers, urls: numbers.map((one) => this.#urls[one] as string) };
	}

	#randomSite(): number {
		const sums = this.#sums;
		const wanted = this.#random() * (sums.at(-1) ?? 0);
		let from = 0;
		for (let to = sums.length - 1; from < to; ) {
			const middle = (from + to) >> 1;
			if ((sums[middle] ?? 0) < wanted) from = middle + 1;
			else to = middle;
		}
		// Neighbours in rank are no neighbours by name.
		return (from * 7919) % sums.length;
	}
}

/** The right verdict for a page in a section of a site whose robots.txt is of this version. */
export function rightVerdict(
	site: number,
	section: number,
	version: number,
): number {
	return (site + version) % SECTIONS === section
		? Verdict.Disallowed
		: Verdict.Allowed;
}
