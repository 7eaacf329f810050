import { Verdict } from "../src/index.ts";

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

/** Origins whose robots.txt has versions: each disallows another section, and what is right can be computed. */
export const originOf = (site: number) => `https://site-${site}.example`;

export function robotsOf(site: number, version: number): string {
	const lines = ["User-agent: *", `Disallow: ${sectionOf(site, version)}`];
	// A third of the sites have rules of their own; others share theirs, as sites do.
	const more = site % 3 === 0 ? 5 + (site % 40) : 4;
	for (let i = 0; i < more; i++)
		lines.push(`Disallow: /never-${site % 3 === 0 ? site : 0}-${i}/*.cgi`);
	return `${lines.join("\n")}\n`;
}

const sectionOf = (site: number, version: number) =>
	`/section-${(site + version) % SECTIONS}/`;

/** Pages of sites: not an object each, which would be garbage that is not robotrie's. */
export interface Pages {
	readonly urls: readonly string[];
	/** Of each page its site, and its section of that site. */
	readonly sites: readonly number[];
	readonly sections: readonly number[];
}

/** Pages of sites by Zipf's law: the n-th site has 1/n of the first one's. */
export function pageMaker(
	sites: number,
	random: () => number,
): (count: number) => Pages {
	const sums = new Float64Array(sites);
	for (let i = 0, sum = 0; i < sites; i++) {
		sum += 1 / (i + 1);
		sums[i] = sum;
	}
	const randomSite = () => {
		const wanted = random() * (sums.at(-1) ?? 0);
		let from = 0;
		for (let to = sites - 1; from < to; ) {
			const middle = (from + to) >> 1;
			if ((sums[middle] ?? 0) < wanted) from = middle + 1;
			else to = middle;
		}
		// Neighbours in rank are no neighbours by name.
		return (from * 7919) % sites;
	};
	return (count) => {
		const pages = { urls: [""], sites: [0], sections: [0] };
		for (let i = 0; i < count; i++) {
			const site = randomSite();
			const section = Math.floor(random() * SECTIONS);
			pages.sites[i] = site;
			pages.sections[i] = section;
			pages.urls[i] = pageOf(site, section, Math.floor(random() * 1e6));
		}
		return pages;
	};
}

/** A page of every site. */
export function pageOfEach(sites: number): Pages {
	const all = Array.from({ length: sites }, (_, site) => site);
	const sections = all.map((site) => site % SECTIONS);
	const urls = all.map((site) => pageOf(site, site % SECTIONS, 0));
	return { urls, sites: all, sections };
}

function pageOf(site: number, section: number, page: number): string {
	return `${originOf(site)}/section-${section}/page-${page}.html`;
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
