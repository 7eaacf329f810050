import type { Matcher, RobotsIndex } from "../src/index.ts";
import type { Dialect } from "../src/robots-txt/dialect.ts";
import { AGENT, type Case, columnOf, floorsOf, total } from "./case.ts";
import { engineOf } from "./engine.ts";
import { randomizer } from "./generate.ts";
import type { Library } from "./library.ts";
import { robotsParser } from "./peer.ts";
import { type Data, linesOf, type Site } from "./site.ts";

/** URLs to a batch: a scheduler's, and about a millisecond of the index. */
const BATCH = 12_000;

/** A URL among those of other sites, and what a reference says about it. */
interface MixedUrl {
	readonly url: string;
	readonly verdict: number;
}

/** Random order that is the same everywhere (Fisher and Yates). */
export function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
	const random = randomizer(seed);
	const list = [...items];
	for (let i = list.length - 1; i > 0; i--) {
		const other = random(i + 1);
		[list[i], list[other]] = [list[other] as Item, list[i] as Item];
	}
	return list;
}

/** Every origin that a site's URLs have, with the site: some have http URLs beside https. */
export function originsOf(sites: readonly Site[]): Map<string, Site> {
	const origins = new Map<string, Site>();
	for (const site of sites)
		for (const url of site.urls) origins.set(new URL(url).origin, site);
	return origins;
}

export function indexOf(
	library: Library,
	data: Data,
	dialect: Dialect,
): RobotsIndex {
	const index = new library.RobotsIndex({ agent: AGENT, dialect });
	for (const [origin, { robots }] of originsOf(data.sites))
		index.set(origin, robots);
	return index;
}

/** All URLs of all sites in random order. */
export function mixedUrls(data: Data, dialect: Dialect): MixedUrl[] {
	const urls = data.sites.flatMap((site) => {
		const verdicts = data.verdicts(site, { dialect });
		return site.urls.map((url, i) => ({ url, verdict: verdicts[i] ?? 0 }));
	});
	return shuffled(urls, 2309);
}

function workOf(name: string, data: Data, dialect: Dialect) {
	const all = mixedUrls(data, dialect);
	const jobs = Array.from({ length: Math.ceil(all.length / BATCH) }, (_, i) => {
		const batch = all.slice(i * BATCH, (i + 1) * BATCH);
		const urls = batch.map(({ url }) => url);
		const right = batch.map(({ verdict }) => verdict);
		return { urls, lines: linesOf(urls), column: columnOf(urls), right };
	});
	type Job = (typeof jobs)[number];
	const size = ({ urls }: Job) => urls.length;
	return { name, jobs, size, chunkItems: BATCH };
}

type Work = ReturnType<typeof workOf>;
type Job = Work["jobs"][number];

const amounts = ({ jobs, size }: Work) => ({
	items: total(jobs, size),
	unit: "URL",
	bytes: total(jobs, ({ lines }) => lines.length),
});

const found = (verdicts: Uint8Array) => verdicts;
const right = (job: Job) => job.right;

/** Lines of URLs of all sites in random order through the index. */
function mixedLines(library: Library, data: Data, dialect: Dialect): Case {
	const name = `index, mixed URLs, ${dialect}`;
	const index = indexOf(library, data, dialect);
	const work = workOf(name, data, dialect);
	return {
		name,
		why: "URLs of all sites in random order, as a scheduler's frontier has them: each needs its site's rules first.",
		...amounts(work),
		engines: [
			...floorsOf(library, work),
			engineOf(work, {
				name: "robotrie",
				run: ({ lines }) => index.matchLines(lines),
				found,
				right,
			}),
			engineOf(work, {
				name: "robotrie column",
				run: ({ column }) => index.matchColumn(...column),
				found,
				right,
			}),
		],
		against: { case: "corpus paths", engine: "robotrie", atMost: 4.5 },
	};
}

/** The same URLs as strings: the index, and what is written without one. */
function mixedStrings(library: Library, data: Data): Case {
	const dialect = "google";
	const index = indexOf(library, data, dialect);
	const matchers = new Map<string, Matcher>();
	const peers = new Map<string, ReturnType<typeof robotsParser>>();
	const decoder = new TextDecoder();
	for (const [origin, { robots }] of originsOf(data.sites)) {
		const own = library.RobotsTxt.parse(robots, { dialect });
		matchers.set(origin, own.for(AGENT));
		peers.set(
			origin,
			robotsParser(`${origin}/robots.txt`, decoder.decode(robots)),
		);
	}
	const work = workOf("index, mixed strings", data, dialect);
	return {
		name: work.name,
		why: "The same URLs as strings, against a Map from origin to matcher, and one to robots-parser's.",
		...amounts(work),
		engines: [
			engineOf(work, {
				name: "robotrie matchMany",
				run: ({ urls }) => index.matchMany(urls),
				found,
				right,
			}),
			engineOf(work, {
				name: "Map of matchers",
				run: ({ urls }) =>
					Uint8Array.from(urls, (url) => {
						const matcher = matchers.get(new URL(url).origin);
						return matcher ? Number(matcher.isAllowed(url)) : 2;
					}),
				found,
				right,
			}),
			engineOf(work, {
				name: "Map of robots-parser",
				run: ({ urls }) =>
					Uint8Array.from(urls, (url) => {
						const peer = peers.get(new URL(url).origin);
						return peer ? Number(peer.isAllowed(url, AGENT) !== false) : 2;
					}),
				found,
				right,
				isPeer: true,
			}),
		],
	};
}

/** An index from all sites' robots.txt, and from a snapshot of it. */
function snapshotCase(library: Library, data: Data): Case {
	const name = "index, load";
	const dialect = "rfc9309";
	const snapshot = indexOf(library, data, dialect).toBytes();
	const origins = [...originsOf(data.sites)];
	const urls = data.sites.flatMap((site) => site.urls);
	const work = { name, jobs: [origins], size: () => 1, chunkItems: 1 };
	const judged = (index: RobotsIndex) => [index.size, ...index.matchMany(urls)];
	const expected = () => [
		origins.length,
		...data.sites.flatMap((site) => [...data.verdicts(site, { dialect })]),
	];
	return {
		name,
		why: "A process starts: all robots.txt files parsed again, or a snapshot loaded.",
		items: origins.length,
		unit: "origin",
		bytes: snapshot.length,
		engines: [
			engineOf(work, {
				name: "parse and set",
				run: (all) => {
					const index = new library.RobotsIndex({ agent: AGENT });
					for (const [origin, { robots }] of all) index.set(origin, robots);
					return index;
				},
				found: judged,
				right: expected,
			}),
			engineOf(work, {
				name: "robotrie",
				run: () => library.RobotsIndex.fromBytes(snapshot),
				found: judged,
				right: expected,
			}),
		],
		against: { case: name, engine: "parse and set", atMost: 1 / 5 },
	};
}

/** Cases of bytes. */
export function mixedCases(library: Library, data: Data): Case[] {
	return [
		mixedLines(library, data, "google"),
		mixedLines(library, data, "rfc9309"),
	];
}

export function indexCases(library: Library, data: Data): Case[] {
	return [mixedStrings(library, data), snapshotCase(library, data)];
}
