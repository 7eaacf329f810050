import { countLines } from "../src/engine/engine.ts";
import { RobotsIndex, RobotsTxt } from "../src/index.ts";
import type { Dialect } from "../src/robots-txt/dialect.ts";
import { chunked, type Engine } from "./measure.ts";
import { robotsParser } from "./peer.ts";
import { type Data, linesOf, pathOf, type Site } from "./site.ts";

/** A named piece of work that several engines do. */
export interface Case {
	readonly name: string;
	/** Why it is measured. */
	readonly why: string;
	/** Lines, URLs, rules: what the times are divided by. */
	readonly items: number;
	readonly unit: string;
	/** Bytes of input. */
	readonly bytes: number;
	/** Does the work once with every engine and throws when a count is not as expected. */
	readonly check: () => void;
	readonly engines: readonly Engine[];
	/** What the case's time per item is held against, besides the engines in it: another case, and the target. */
	readonly against?: {
		readonly case: string;
		readonly engine: string;
		readonly perByte?: boolean;
		readonly atMost: number;
	};
}

export const AGENT = "googlebot";
/** Four crawlers of one file: two that many files name, two that few do. */
const AGENTS = ["Googlebot", "bingbot", "GPTBot", "ExampleBot"];
/** Items to a chunk: about half a millisecond of the fastest engine. */
const CHUNK_ITEMS = 12_000;
/** Chunks of the case about parsing. */
const PARSE_CHUNKS = 40;
/** Rounds for peers that need a second or more for a case. */
export const PEER_ROUNDS = 12;

export function expectCount(
	what: string,
	found: number,
	expected: number,
): void {
	if (found !== expected) throw new Error(`${what}: ${found}, not ${expected}`);
}

function zeros(verdicts: Uint8Array): number {
	let count = 0;
	for (const verdict of verdicts) if (verdict === 0) count++;
	return count;
}

interface Job {
	readonly verdicts: string;
	readonly lines: Uint8Array;
	readonly texts: readonly string[];
	readonly matcher: ReturnType<RobotsTxt["for"]>;
}

function jobsOf(
	sites: readonly Site[],
	dialect: Dialect,
	textOf: (url: string) => string,
): Job[] {
	return sites.map(({ robots, urls, verdicts }) => {
		const texts = urls.map(textOf);
		const matcher = RobotsTxt.parse(robots, { dialect }).for(AGENT);
		return { lines: linesOf(texts), texts, matcher, verdicts };
	});
}

const total = <Item>(items: readonly Item[], of: (item: Item) => number) =>
	items.reduce((sum, item) => sum + of(item), 0);

/**
 * Verdicts that differ from the reference's, which are about whole URLs in the google dialect. Elsewhere, and for paths
 * that begin with "//" (a host to Google's library), one call per URL is the reference.
 */
function differing({ lines, texts, matcher, verdicts }: Job, dialect: Dialect) {
	const found = matcher.matchLines(lines);
	return texts.filter((text, i) => {
		const known = dialect === "google" && !text.startsWith("//");
		const expected = known
			? Number(verdicts[i])
			: Number(matcher.isAllowed(text));
		return found[i] !== expected;
	}).length;
}

interface LinesOptions extends Pick<Case, "against"> {
	/** For clocks that are too coarse for the usual chunks. */
	readonly chunkItems?: number;
}

/** Every site's lines through its matcher, bytes in and verdict bytes out; the floor finds the same line ends. */
export function linesCase(
	name: string,
	why: string,
	sites: readonly Site[],
	dialect: Dialect,
	textOf: (url: string) => string,
	{ chunkItems = CHUNK_ITEMS, ...extra }: LinesOptions = {},
): Case {
	const jobs = jobsOf(sites, dialect, textOf);
	const size = (job: Job) => job.texts.length;
	const verdicts = new Uint8Array(Math.max(...jobs.map(size)));
	return {
		name,
		why,
		items: total(jobs, size),
		unit: "line",
		bytes: total(jobs, (job) => job.lines.length),
		check: () => {
			const lines = total(jobs, (job) => countLines(job.lines));
			expectCount(`${name}, lines`, lines, total(jobs, size));
			const wrong = total(jobs, (job) => differing(job, dialect));
			expectCount(`${name}, verdicts unlike the reference's`, wrong, 0);
		},
		engines: [
			{
				name: "newline scan",
				chunks: chunked(jobs, size, chunkItems, (job) => countLines(job.lines)),
			},
			{
				name: "robotrie",
				chunks: chunked(jobs, size, chunkItems, (job) =>
					job.matcher.matchLines(job.lines),
				),
			},
			{
				name: "robotrie into",
				chunks: chunked(jobs, size, chunkItems, (job) =>
					job.matcher.matchLines(job.lines, verdicts),
				),
			},
		],
		...extra,
	};
}

/** Strings: in bulk, one call per URL, and one call per URL of robots-parser. */
export function stringsCase(data: Data, chunkItems = CHUNK_ITEMS): Case {
	const jobs = jobsOf(data.sites, "google", (url) => url).map((job, i) => {
		const site = data.sites[i] as Site;
		const text = new TextDecoder().decode(site.robots);
		const peer = robotsParser(`https://${site.host}/robots.txt`, text);
		// The corpus has a few http URLs; robots-parser wants the file's own origin.
		const own = job.texts.map((url) => `https://${site.host}${pathOf(url)}`);
		return { ...job, own, peer };
	});
	type StringJob = (typeof jobs)[number];
	const size = (job: StringJob) => job.texts.length;
	const each = (job: StringJob) => {
		let count = 0;
		for (const url of job.texts) if (!job.matcher.isAllowed(url)) count++;
		return count;
	};
	const peer = (job: StringJob) => {
		let count = 0;
		for (const url of job.own) {
			if (job.peer.isAllowed(url, AGENT) === false) count++;
		}
		return count;
	};
	const expected = total(
		data.sites,
		({ verdicts }) => verdicts.split("0").length - 1,
	);
	return {
		name: "strings",
		why: "Full URLs as strings, as a crawler written in JavaScript has them.",
		items: total(jobs, size),
		unit: "URL",
		bytes: total(jobs, (job) => job.lines.length),
		check: () => {
			const bulk = total(jobs, (job) =>
				zeros(job.matcher.matchMany(job.texts)),
			);
			expectCount("strings, matchMany", bulk, expected);
			expectCount("strings, isAllowed", total(jobs, each), expected);
			// robots-parser differs where dialects do; it must at least have judged most of them alike.
			const peers = total(jobs, peer);
			if (Math.abs(peers - expected) > expected / 2 + 10) {
				throw new Error(`robots-parser disallows ${peers}, not ${expected}`);
			}
		},
		engines: [
			{
				name: "robotrie matchMany",
				chunks: chunked(jobs, size, chunkItems, (job) =>
					job.matcher.matchMany(job.texts),
				),
			},
			{
				name: "robotrie isAllowed",
				chunks: chunked(jobs, size, chunkItems, each),
			},
			{
				name: "robots-parser",
				chunks: chunked(jobs, size, chunkItems, peer),
				rounds: PEER_ROUNDS,
			},
		],
	};
}

/** From the bytes of a robots.txt to verdicts: parsing, compiling. */
export function compileCase(data: Data, chunks = PARSE_CHUNKS): Case {
	const texts = data.sites.map(({ robots }) =>
		new TextDecoder().decode(robots),
	);
	const jobs = data.sites.map((site, i) => ({ ...site, text: texts[i] ?? "" }));
	const size = (job: Site) => job.robots.length;
	const chunk = total(jobs, size) / chunks;
	const read = ({ robots }: Site) =>
		RobotsTxt.parse(robots, { dialect: "google" });
	const compiled = (site: Site) => read(site).for(AGENT);
	const index = new RobotsIndex({ agent: AGENT, dialect: "google" });
	return {
		name: "parse and compile",
		why: "What a crawler pays once per site, before the first verdict.",
		items: jobs.length,
		unit: "site",
		bytes: total(jobs, size),
		check: () => {
			const disallowed = (judge: (job: Job) => Uint8Array) =>
				total(jobs, (job) => zeros(judge(job)));
			const expected = total(
				jobs,
				({ verdicts }) => verdicts.split("0").length - 1,
			);
			type Job = (typeof jobs)[number];
			const paths = ({ urls }: Job) => linesOf(urls.map(pathOf));
			const judged = disallowed((job) => compiled(job).matchLines(paths(job)));
			expectCount("disallowed", judged, expected);
			const found = total(jobs, (job) => read(job).diagnostics.length);
			if (found === 0) throw new Error("no diagnostics");
		},
		engines: [
			{
				name: "robotrie parse + compile",
				chunks: chunked(jobs, size, chunk, compiled),
			},
			{
				name: "the same for four agents",
				chunks: chunked(jobs, size, chunk, (job) => {
					const robots = read(job);
					for (const agent of AGENTS) robots.for(agent);
				}),
			},
			{
				name: "RobotsIndex.set",
				chunks: chunked(jobs, size, chunk, (job) =>
					index.set(`https://${job.host}`, job.robots),
				),
			},
			{
				name: "robotrie, all diagnostics",
				chunks: chunked(jobs, size, chunk, (job) => read(job).diagnostics),
			},
			{
				name: "robots-parser",
				chunks: chunked(jobs, size, chunk, (job) =>
					robotsParser(`https://${job.host}/robots.txt`, job.text),
				),
				rounds: PEER_ROUNDS,
			},
		],
	};
}
