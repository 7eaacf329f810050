import { countLines } from "../src/engine/engine.ts";
import { type Matcher, RobotsIndex, RobotsTxt } from "../src/index.ts";
import type { Dialect } from "../src/robots-txt/dialect.ts";
import { AGENT, type Case, expectCount, PEER_ROUNDS } from "./cases.ts";
import { randomizer } from "./generate.ts";
import { chunked } from "./measure.ts";
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

export function indexOf(data: Data, dialect: Dialect): RobotsIndex {
	const index = new RobotsIndex({ agent: AGENT, dialect });
	for (const [origin, { robots }] of originsOf(data.sites))
		index.set(origin, robots);
	return index;
}

/** All URLs of all sites in random order, with the verdicts of the reference or, elsewhere, of one call for each URL. */
export function mixedUrls({ sites }: Data, dialect: Dialect): MixedUrl[] {
	const urls = sites.flatMap((site) => {
		const matcher = RobotsTxt.parse(site.robots, { dialect }).for(AGENT);
		return site.urls.map((url, i) => ({
			url,
			verdict:
				dialect === "google"
					? Number(site.verdicts[i])
					: Number(matcher.isAllowed(url)),
		}));
	});
	return shuffled(urls, 2309);
}

export function batchesOf<Item>(items: readonly Item[], size = BATCH) {
	return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
		items.slice(i * size, (i + 1) * size),
	);
}

function expectVerdicts(
	name: string,
	found: Uint8Array,
	expected: readonly MixedUrl[],
): void {
	expectCount(`${name}, verdicts`, found.length, expected.length);
	const wrong = expected.filter(({ verdict }, i) => verdict !== found[i]);
	expectCount(`${name}, verdicts unlike the reference's`, wrong.length, 0);
}

/** Lines of URLs of all sites in random order through the index. */
function mixedLines(data: Data, dialect: Dialect): Case {
	const name = `index, mixed URLs, ${dialect}`;
	const index = indexOf(data, dialect);
	const jobs = batchesOf(mixedUrls(data, dialect)).map((urls) => ({
		urls,
		lines: linesOf(urls.map(({ url }) => url)),
	}));
	type Job = (typeof jobs)[number];
	const size = ({ urls }: Job) => urls.length;
	return {
		name,
		why: "URLs of all sites in random order, as a scheduler's frontier has them: each needs its site's rules first.",
		items: jobs.reduce((sum, job) => sum + size(job), 0),
		unit: "URL",
		bytes: jobs.reduce((sum, { lines }) => sum + lines.length, 0),
		check: () => {
			for (const { urls, lines } of jobs)
				expectVerdicts(name, index.matchLines(lines), urls);
		},
		engines: [
			{
				name: "newline scan",
				chunks: chunked(jobs, size, BATCH, ({ lines }) => countLines(lines)),
			},
			{
				name: "robotrie",
				chunks: chunked(jobs, size, BATCH, ({ lines }) =>
					index.matchLines(lines),
				),
			},
		],
		against: { case: "corpus paths", engine: "robotrie", atMost: 3.5 },
	};
}

/** The same URLs as strings: the index, and what is written without one. */
function mixedStrings(data: Data): Case {
	const name = "index, mixed strings";
	const dialect = "google";
	const index = indexOf(data, dialect);
	const matchers = new Map<string, Matcher>();
	const peers = new Map<string, ReturnType<typeof robotsParser>>();
	const decoder = new TextDecoder();
	for (const [origin, { robots }] of originsOf(data.sites)) {
		matchers.set(origin, RobotsTxt.parse(robots, { dialect }).for(AGENT));
		peers.set(
			origin,
			robotsParser(`${origin}/robots.txt`, decoder.decode(robots)),
		);
	}
	const jobs = batchesOf(mixedUrls(data, dialect)).map((expected) => ({
		expected,
		urls: expected.map(({ url }) => url),
	}));
	type Job = (typeof jobs)[number];
	const size = ({ urls }: Job) => urls.length;
	const byMatcher = ({ urls }: Job) =>
		Uint8Array.from(urls, (url) => {
			const matcher = matchers.get(new URL(url).origin);
			return matcher ? Number(matcher.isAllowed(url)) : 2;
		});
	const byPeer = ({ urls }: Job) =>
		Uint8Array.from(urls, (url) => {
			const peer = peers.get(new URL(url).origin);
			return peer ? Number(peer.isAllowed(url, AGENT) !== false) : 2;
		});
	return {
		name,
		why: "The same URLs as strings, against a Map from origin to matcher, and one to robots-parser's.",
		items: jobs.reduce((sum, job) => sum + size(job), 0),
		unit: "URL",
		bytes: jobs.reduce((sum, { urls }) => sum + linesOf(urls).length, 0),
		check: () => {
			let differing = 0;
			let disallowed = 0;
			for (const job of jobs) {
				expectVerdicts(name, index.matchMany(job.urls), job.expected);
				expectVerdicts(name, byMatcher(job), job.expected);
				for (const [i, verdict] of byPeer(job).entries()) {
					if (verdict !== job.expected[i]?.verdict) differing++;
					if (verdict === 0) disallowed++;
				}
			}
			// Its dialect is another one.
			if (disallowed === 0 || differing > disallowed)
				throw new Error(`robots-parser judges ${differing} URLs differently`);
		},
		engines: [
			{
				name: "robotrie matchMany",
				chunks: chunked(jobs, size, BATCH, ({ urls }) => index.matchMany(urls)),
			},
			{
				name: "Map of matchers",
				chunks: chunked(jobs, size, BATCH, byMatcher),
			},
			{
				name: "Map of robots-parser",
				chunks: chunked(jobs, size, BATCH, byPeer),
				rounds: PEER_ROUNDS,
			},
		],
	};
}

/** An index from all sites' robots.txt, and from a snapshot of it. */
function snapshotCase(data: Data): Case {
	const name = "index, load";
	const snapshot = indexOf(data, "rfc9309").toBytes();
	const { size } = RobotsIndex.fromBytes(snapshot);
	const origins = [...originsOf(data.sites)];
	const build = () => {
		const index = new RobotsIndex({ agent: AGENT });
		for (const [origin, { robots }] of origins) index.set(origin, robots);
		return index;
	};
	return {
		name,
		why: "A process starts: all robots.txt files parsed again, or a snapshot loaded.",
		items: size,
		unit: "origin",
		bytes: snapshot.length,
		check: () => {
			expectCount(`${name}, origins`, size, origins.length);
			const urls = data.sites.flatMap((site) => site.urls);
			const built = build().matchMany(urls);
			const loaded = RobotsIndex.fromBytes(snapshot).matchMany(urls);
			const wrong = loaded.filter((verdict, i) => verdict !== built[i]);
			expectCount(`${name}, verdicts that differ`, wrong.length, 0);
		},
		engines: [
			{ name: "parse and set", chunks: [build], rounds: PEER_ROUNDS },
			{
				name: "robotrie",
				chunks: [() => RobotsIndex.fromBytes(snapshot)],
				rounds: PEER_ROUNDS,
			},
		],
		against: { case: name, engine: "parse and set", atMost: 1 / 20 },
	};
}

/** Cases of bytes: those that the scalar build runs, too. */
export function mixedCases(data: Data): Case[] {
	return [mixedLines(data, "google"), mixedLines(data, "rfc9309")];
}

export function indexCases(data: Data): Case[] {
	return [mixedStrings(data), snapshotCase(data)];
}
