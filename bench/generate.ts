import type { Asked, Data, Site } from "./site.ts";

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

/** A file with more is one of a kind, see ruleSeries. */
const MOST_RULES = 1256;

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
	[1, MOST_RULES],
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

/** A rule: "*" stands for anything, and the pattern may go on behind its end. */
interface Rule {
	readonly pattern: string;
	readonly allow: boolean;
	/** Where its line ends in the text of the rules. */
	readonly end: number;
}

/** Whether a path has the pieces between a pattern's "*" in their order. */
function matches([prefix = "", ...pieces]: readonly string[], path: string) {
	if (!path.startsWith(prefix)) return false;
	let from = prefix.length;
	for (const piece of pieces) {
		const at = path.indexOf(piece, from);
		if (at < 0) return false;
		from = at + piece.length;
	}
	return true;
}

/** Whether rules allow a path: the longest pattern counts, of two equally long ones the one that allows. */
function judgeOf(rules: readonly Rule[]): (path: string) => boolean {
	const sorted = rules
		.toSorted(
			(a, b) => b.pattern.length - a.pattern.length || +b.allow - +a.allow,
		)
		.map(({ pattern, allow }) => ({ pieces: pattern.split("*"), allow }));
	return (path) =>
		sorted.find(({ pieces }) => matches(pieces, path))?.allow ?? true;
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
	const rules: Rule[] = [];
	const known = new Set<string>();
	let text = "";
	while (known.size < count) {
		const length = scale * draw(random, LENGTHS);
		// Rules that begin alike mostly follow each other.
		const like = random(12) ? previous.slice(0, length - 3) : "/";
		let pattern = like.slice(0, 1 + like.search(/[-_/][^-_/]*$/)) || "/";
		const allow = random(16) === 0;
		if (wild && random(10) < 3) {
			// Half of them may begin anywhere.
			pattern = random(2) ? "/*" : `${pattern}${word()}*`;
			while (pattern.length + 10 < length) pattern += `${word()}-`;
			pattern += `${word()}=`;
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
		rules.push({ pattern, allow, end: text.length });
	}
	return { text, rules };
}

/** Rules as the corpus' largest file has them: one for each of very many folders that are called alike. */
function ruleSeries(random: (below: number) => number, count: number) {
	const rules: Rule[] = [];
	let text = "";
	for (let i = 0; i < count; i++) {
		const letter = "ABEG"[Math.floor((4 * i) / count)];
		const pattern = `/html/${letter}${10_000 + i}_0${1 + random(9)}/`;
		text += `Disallow: ${pattern}\n`;
		rules.push({ pattern, allow: false, end: text.length });
	}
	return { text, rules };
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

const HEAD = "User-agent: *\n";

/** A site that never changes, whose robots.txt holds for every crawler. */
export interface GeneratedSite {
	readonly origin: string;
	readonly robots: string;
	/** A URL that the site may have; one in sixteen begins as one of the rules says. */
	readonly url: () => string;
	/** One that does, if the site has rules. */
	readonly matchedUrl: () => string;
	/** Whether the site's rules allow such a URL; with `read`, those whose lines lie within so many bytes of `robots`. */
	readonly allows: (url: string, read?: number) => boolean;
}

/** A site of `count` rules, of rules that it shares with others, or of as many as real sites have. */
export function generatedSite(seed: number, count?: number): GeneratedSite {
	const random = randomizer(seed);
	const word = () => words[random(words.length)] as string;
	const origin = `https://${word()}-${seed}.test`;
	const { text, rules } =
		(count === undefined ? sharedRules(random) : undefined) ??
		(count && count > MOST_RULES ? ruleSeries : generatedRules)(
			random,
			count ?? Math.round(draw(random, RULES)),
		);
	const urlOf = (rule: Rule | undefined) => {
		const start = rule ? `${rule.pattern.replaceAll("*", word())}/` : "/";
		const names = Array.from({ length: 1 + random(6) }, word);
		return `${origin}${start}${names.join("/")}.html`;
	};
	const anyRule = () => rules[random(rules.length)];
	const judges = new Map<number, (path: string) => boolean>();
	return {
		origin,
		robots: `${HEAD}${text}`,
		url: () => urlOf(random(16) ? undefined : anyRule()),
		matchedUrl: () => urlOf(anyRule()),
		allows: (url, read = Number.POSITIVE_INFINITY) => {
			const judge =
				judges.get(read) ??
				judgeOf(rules.filter(({ end }) => HEAD.length + end <= read));
			judges.set(read, judge);
			return judge(url.slice(origin.length));
		},
	};
}

/** How many sites, URLs of each, and rules of the largest. */
export interface Extent {
	readonly sites: number;
	readonly urls: number;
	readonly largest: number;
}

/** Bytes of a file that the dialects read, but for google. */
const READ = 512_000;
const LIKE_CORPUS: Extent = { sites: 1000, urls: 91, largest: 31_847 };
/** Has a group of its own in some files. */
const OTHER_AGENT = "GPTBot";

/** Lines of the corpus' files that say nothing about Googlebot, by kind, one more than there are. */
const OTHERS: Readonly<
	Record<"groups" | "comments" | "blanks" | "fields", Quantiles>
> = {
	groups: [
		[0, 1],
		[0.5, 1],
		[0.75, 3],
		[0.9, 6],
		[0.95, 13],
		[0.99, 60],
		[1, 100],
	],
	comments: [
		[0, 1],
		[0.5, 1],
		[0.75, 3],
		[0.9, 17],
		[0.95, 21],
		[0.99, 32],
		[1, 130],
	],
	blanks: [
		[0, 1],
		[0.1, 1],
		[0.25, 2],
		[0.5, 3],
		[0.75, 6],
		[0.9, 11],
		[0.95, 18],
		[0.99, 50],
		[1, 523],
	],
	fields: [
		[0, 1],
		[0.25, 1],
		[0.5, 2],
		[0.75, 3],
		[0.9, 8],
		[0.95, 13],
		[0.99, 50],
		[1, 200],
	],
};
/** Rules of a group that is for another crawler. */
const OTHERS_RULES: Quantiles = [
	[0, 1],
	[0.6, 1],
	[0.9, 8],
	[1, 40],
];

/** What stands in front of the group for all crawlers: groups for others, comments, empty lines and sitemaps. */
function otherLines(random: (below: number) => number, origin: string): string {
	const word = () => words[random(words.length)] as string;
	const count = (points: Quantiles) => Math.round(draw(random, points)) - 1;
	const blocks = [
		...Array.from({ length: count(OTHERS.groups) }, (_, i) => {
			const { text } = generatedRules(
				random,
				Math.round(draw(random, OTHERS_RULES)),
			);
			return `User-agent: ${word()}-${String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26))}\n${text}`;
		}),
		...Array.from(
			{ length: count(OTHERS.comments) },
			() => `# ${Array.from({ length: 6 }, word).join(" ")}\n`,
		),
		...Array.from({ length: count(OTHERS.blanks) }, () => "\n"),
		...Array.from(
			{ length: count(OTHERS.fields) },
			(_, i) => `Sitemap: ${origin}/${word()}/sitemap-${i}.xml\n`,
		),
	];
	return blocks.join("");
}

/** Sites for where there is no corpus, with as many URLs each. */
export function generatedSites(extent: Extent = LIKE_CORPUS): Data {
	const made = new Map<Site, GeneratedSite>();
	const oddLines = new Map<Site, string[]>();
	/** Where the site's own group begins in its file, by host. */
	const ownAt = new Map<string, number>();
	const add = (site: Site, generated: GeneratedSite) => {
		made.set(site, generated);
		return site;
	};
	const encoder = new TextEncoder();
	const all = Array.from({ length: extent.sites }, (_, seed) => {
		const generated = generatedSite(
			seed,
			seed === extent.sites - 1 ? extent.largest : undefined,
		);
		// Some files have another group, and lines that no reader can use.
		const head = seed % 4 ? "" : `User-agent: ${OTHER_AGENT}\nDisallow: /\n\n`;
		const odd = seed % 3 ? [] : ["no-field: old", "Disallow /old/ and more"];
		const others = otherLines(randomizer(seed ^ 0x5eed), generated.origin);
		const text = `${head}${others}${generated.robots}${odd.map((line) => `${line}\n`).join("")}`;
		const lines = text.split("\n").length - 1;
		const host = new URL(generated.origin).host;
		ownAt.set(host, head.length + others.length);
		const site = add(
			{
				host,
				robots: encoder.encode(text),
				// Those of the corpus' largest file are few as well.
				urls: Array.from(
					{
						length: seed === extent.sites - 1 ? extent.urls >> 2 : extent.urls,
					},
					generated.url,
				),
			},
			generated,
		);
		oddLines.set(
			site,
			odd.length > 0
				? [`${lines - 1} unknown-field`, `${lines} missing-colon`].sort()
				: [],
		);
		return { site, generated };
	});
	return {
		source: "generated sites and URLs",
		sites: all.map(({ site }) => site),
		derived: all.map(({ site, generated }) =>
			add(
				{
					...site,
					urls: Array.from({ length: 33 }, (_, i) =>
						i % 2 ? generated.matchedUrl() : generated.url(),
					),
				},
				generated,
			),
		),
		verdicts: (site, { agent, dialect }: Asked) => {
			const generated = made.get(site);
			// Of a large file the google dialect reads all.
			const read =
				dialect === "google"
					? undefined
					: READ - (ownAt.get(site.host) as number);
			const isClosed =
				agent === OTHER_AGENT &&
				new TextDecoder()
					.decode(site.robots.subarray(0, 30))
					.includes(OTHER_AGENT);
			return Uint8Array.from(site.urls, (url) =>
				Number(!isClosed && generated?.allows(url, read)),
			);
		},
		diagnostics: (site) => ({
			right: oddLines.get(site) ?? [],
			comparable: () => true,
		}),
	};
}
