import type { Data, Site } from "./data.ts";

/** A small pseudo-random generator (mulberry32), so that data and counts are the same everywhere. */
export function randomizer(seed: number): (below: number) => number {
	let state = seed;
	return (below) => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
	};
}

const words =
	"about account admin api archive article basket blog brand calendar cart catalog category checkout contact css data docs download en event feed file forum gallery help home image index info item js list login mail map media member news order page photo print private product profile register review search service shop sitemap static store style support tag team temp terms test topic user video view web".split(
		" ",
	);

/** Numbers of rules with the corpus' distribution: median 9, one in ten from 68 on, one in a hundred from 360 on. */
function ruleCount(random: (below: number) => number): number {
	const place = random(1000);
	if (place < 500) return 1 + random(9);
	if (place < 900) return 9 + random(59);
	return place < 990 ? 68 + random(292) : 360 + random(840);
}

function generatedSite(seed: number): Omit<Site, "verdicts"> & {
	prefixes: string[];
} {
	const random = randomizer(seed);
	const word = () => words[random(words.length)] as string;
	const path = (depth: number) =>
		`/${Array.from({ length: depth }, word).join("/")}`;
	const prefixes: string[] = [];
	const rules: string[] = [];
	for (let i = ruleCount(random); i > 0; i--) {
		const prefix = `${path(1 + random(3))}${random(2) ? "/" : "-"}${word()}`;
		// One rule in ten has an inner wildcard, on every second site.
		if (seed % 2 && random(10) === 0) rules.push(`${prefix}*${word()}=`);
		else {
			rules.push(prefix);
			prefixes.push(prefix);
		}
	}
	const host = `site-${seed}.example`;
	const urls = Array.from({ length: 91 }, (_, i) => {
		const rule = prefixes[random(Math.max(1, prefixes.length))];
		const tail = rule && i % 16 === 0 ? `${rule}/x` : path(1 + random(5));
		return `https://${host}${tail}.html`;
	});
	const text = rules.map((rule) => `Disallow: ${rule}\n`).join("");
	const robots = new TextEncoder().encode(`User-agent: *\n${text}`);
	return { host, robots, urls, prefixes };
}

/** 1,000 sites for where there is no corpus. Their URLs have no query, so prefixes alone say what is disallowed. */
export function generatedSites(): Data {
	const sites = Array.from({ length: 1000 }, (_, seed) => {
		const { prefixes, ...site } = generatedSite(seed);
		const paths = site.urls.map((url) =>
			url.slice(`https://${site.host}`.length),
		);
		const verdicts = paths
			.map((path) =>
				prefixes.some((prefix) => path.startsWith(prefix)) ? 0 : 1,
			)
			.join("");
		return { ...site, verdicts };
	});
	return { source: "generated sites and URLs", sites, derived: [] };
}
