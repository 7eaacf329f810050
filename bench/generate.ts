import type { Data, Site } from "./site.ts";

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
const syllables =
	"ba be bi bo ca ce co da de di du fa fi ga go ha ho in ka ki la le li lo ma me mi mo na ne no pa pe po ra re ri ro sa se si so ta te ti to un va ve vi wa".split(
		" ",
	);

const endings = ["/", ".php", "?", "-", "s", "/index.php"];

/** Points of a distribution: a share of all values from 0 to 1, and the value that this share lies below. */
type Quantiles = readonly (readonly [share: number, value: number])[];

/** Rules of the corpus' sites that share their rules with no other. */
const RULES: Quantiles = [
	[0, 1],
	[0.1, 2],
	[0.25, 6],
	[0.5, 15],
	[0.75, 41],
	[0.9, 79],
	[0.95, 115],
	[0.99, 400],
	[1, 1256],
];

/** Bytes of their patterns. */
const LENGTHS: Quantiles = [
	[0, 2],
	[0.05, 4],
	[0.1, 6],
	[0.25, 10],
	[0.5, 16],
	[0.75, 28],
	[0.9, 45],
	[0.95, 60],
	[0.99, 95],
	[1, 274],
];

/** Of the corpus' 1,225 sites, how many have rules that are the same, and how many rules those are. */
const CORPUS_SITES = 1225;
const SHARED: readonly (readonly [sites: number, rules: number])[] = [
	[86, 0],
	[70, 1],
	[31, 2],
	[22, 68],
	[12, 9],
	[11, 7],
	[9, 40],
	[8, 62],
	[7, 273],
	[4, 8],
	[3, 14],
	...[2, 3, 4, 5, 7, 9, 14, 28].map((rules) => [2, rules] as const),
];

/** Draws from a distribution, log-uniformly between its points. */
function draw(random: (below: number) => number, points: Quantiles): number {
	const place = random(1e6) / 1e6;
	const above = points.findIndex(([share]) => share > place);
	const [low = 0, from = 1] = points[above - 1] ?? [];
	const [high = 1, to = 1] = points[above] ?? [];
	return from * (to / from) ** ((place - low) / (high - low));
}

/** A rule of a path without wildcards. */
interface PrefixRule {
	readonly prefix: string;
	readonly allow: boolean;
}

/**
 * Rules as the corpus' sites have them: patterns get longer with the number of rules, many begin alike, and on nearly
 * every second site three rules in ten have an inner wildcard.
 */
function generatedRules(random: (below: number) => number, count: number) {
	const word = () => {
		if (random(2)) return words[random(words.length)] as string;
		let made = "";
		for (let i = 2 + random(3); i > 0; i--)
			made += syllables[random(syllables.length)];
		return made;
	};
	const wild = random(100) < 46;
	const scale = 0.42 * count ** 0.18;
	let previous = "/";
	const prefixes: PrefixRule[] = [];
	const known = new Set<string>();
	let text = "";
	while (known.size < count) {
		const length = scale * draw(random, LENGTHS);
		// Rules that begin alike mostly follow each other.
		const like = random(12) ? previous.slice(0, length - 3) : "/";
		let pattern = like.slice(0, 1 + like.search(/[-_/][^-_/]*$/)) || "/";
		const allow = random(16) === 0;
		let plain = true;
		if (wild && random(10) < 3) {
			// Half of them may begin anywhere. No URL made here has a "=": they match none.
			pattern = random(2) ? "/*" : `${pattern}${word()}*`;
			while (pattern.length + 10 < length) pattern += `${word()}-`;
			pattern += `${word()}=`;
			plain = false;
		} else if (previous !== "/" && random(6) === 0) {
			pattern = `${previous}${endings[random(endings.length)]}`;
		} else {
			pattern += word();
			while (pattern.length + 6 < length)
				pattern += `${"/-_/"[random(4)]}${word()}`;
			previous = pattern;
			if (random(3) === 0) pattern += "/";
		}
		if (known.has(pattern)) continue;
		known.add(pattern);
		text += `${allow ? "Allow" : "Disallow"}: ${pattern}\n`;
		if (plain) prefixes.push({ prefix: pattern, allow });
	}
	return { text, prefixes };
}

const shared = SHARED.map(([, rules], which) =>
	generatedRules(randomizer(-1 - which), rules),
);

/** Rules that several sites share, as many sites as in the corpus do; undefined for a site with rules of its own. */
function sharedRules(random: (below: number) => number) {
	let place = random(CORPUS_SITES);
	const which = SHARED.findIndex(([sites]) => {
		place -= sites;
		return place < 0;
	});
	return shared[which];
}

/** A site that never changes, whose robots.txt holds for every crawler. */
export interface GeneratedSite {
	readonly origin: string;
	readonly robots: string;
	/** A URL that the site may have; one in sixteen begins as one of the rules. */
	readonly url: () => string;
	/** Whether the site's rules allow such a URL. */
	readonly allows: (url: string) => boolean;
}

export function generatedSite(seed: number): GeneratedSite {
	const random = randomizer(seed);
	const word = () => words[random(words.length)] as string;
	const origin = `https://${word()}-${seed}.test`;
	const { text, prefixes } =
		sharedRules(random) ??
		generatedRules(random, Math.round(draw(random, RULES)));
	return {
		origin,
		robots: `User-agent: *\n${text}`,
		url: () => {
			const rule = random(16) ? undefined : prefixes[random(prefixes.length)];
			const start = rule ? `${rule.prefix}/` : "/";
			const names = Array.from({ length: 1 + random(6) }, word);
			return `${origin}${start}${names.join("/")}.html`;
		},
		allows: (url) => {
			const path = url.slice(origin.length);
			let best: PrefixRule = { prefix: "", allow: true };
			for (const rule of prefixes) {
				if (
					rule.prefix.length > best.prefix.length &&
					path.startsWith(rule.prefix)
				)
					best = rule;
			}
			return best.allow;
		},
	};
}

/** 1,000 sites for where there is no corpus, with as many URLs each. */
export function generatedSites(): Data {
	const sites = Array.from({ length: 1000 }, (_, seed): Site => {
		const { origin, robots, url, allows } = generatedSite(seed);
		const urls = Array.from({ length: 91 }, url);
		return {
			host: new URL(origin).host,
			robots: new TextEncoder().encode(robots),
			urls,
			verdicts: urls.map((one) => (allows(one) ? "1" : "0")).join(""),
		};
	});
	return { source: "generated sites and URLs", sites, derived: [] };
}
