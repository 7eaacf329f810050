import { AGENT, type Case, joined, total } from "./case.ts";
import { engineOf } from "./engine.ts";
import type { Library } from "./library.ts";
import { robotsParser } from "./peer.ts";
import { type Data, linesOf, ownUrls, pathOf, type Site } from "./site.ts";

/** Four crawlers of one file: two that many files name, two that few do. */
export const AGENTS = ["Googlebot", "bingbot", "GPTBot", "ExampleBot"];

/** The case over all sites, and over all but the one with the largest robots.txt, which is a good part of it. */
export function compileCases(library: Library, data: Data): Case[] {
	const { sites } = data;
	const largest = sites.reduce((most, site) =>
		site.robots.length > most.robots.length ? site : most,
	);
	const others = { ...data, sites: sites.filter((site) => site !== largest) };
	return [
		compileCase(library, data),
		compileCase(library, others, {
			name: "parse and compile, without the largest file",
		}),
	];
}

/**
 * Has the compiler forget the programs that it made lately (assembly/compile/recent.ts): a chunk that is timed again and again would find its
 * own there, as no crawl does. Each of these takes the place of another; of 64 places hardly one is left.
 */
function forgetter(library: Library): () => void {
	const index = new library.RobotsIndex({ agent: AGENT });
	const files = Array.from(
		{ length: 500 },
		(_, i) => `User-agent: *\nDisallow: /${i}/`,
	);
	return () => {
		for (const file of files) index.set("https://example.com", file);
	};
}

/**
 * Files of three lines, as blogs have them: with a folder of their own each, and all alike, of which an index has the program already.
 * One chunk of all, so that none of its own is found again.
 */
export function smallFileCase(library: Library): Case {
	const fileOf = (folder: string) =>
		`User-agent: *\nDisallow: ${folder}/\nAllow: ${folder}/admin-ajax.php\n`;
	const pathsOf = (folder: string) =>
		["", "/", "/admin-ajax.php"].map((end) => folder + end);
	const right = () => Uint8Array.of(1, 0, 1);
	const encoder = new TextEncoder();
	const same = "/wp-admin";
	const alike = encoder.encode(fileOf(same));
	const jobs = Array.from({ length: 1000 }, (_, i) => {
		const folder = `${same}-${i}`;
		const text = fileOf(folder);
		const origin = `https://site${i}.example`;
		return { origin, folder, text, own: encoder.encode(text) };
	});
	type Job = (typeof jobs)[number];
	const size = ({ own }: Job) => own.length;
	const bytes = total(jobs, size);
	const work = { name: "files of three lines", jobs, size, chunkItems: bytes };
	const index = new library.RobotsIndex({ agent: AGENT });
	const set = (name: string, bytesOf: (job: Job) => Uint8Array, same = "") =>
		engineOf(work, {
			name,
			run: (job) => index.set(job.origin, bytesOf(job)),
			found: (_, { origin, folder }) =>
				index.matchMany(pathsOf(same || folder).map((path) => origin + path)),
			right,
		});
	return {
		name: work.name,
		why: "What most sites of a crawl have.",
		items: jobs.length,
		unit: "site",
		bytes,
		engines: [
			engineOf(work, {
				name: "robotrie parse + compile",
				run: ({ own }) => library.RobotsTxt.parse(own).for(AGENT),
				found: (matcher, { folder }) => matcher.matchMany(pathsOf(folder)),
				right,
			}),
			set("RobotsIndex.set", ({ own }) => own),
			set("RobotsIndex.set, all alike", () => alike, same),
			engineOf(work, {
				name: "robots-parser",
				run: ({ origin, text }) => robotsParser(`${origin}/robots.txt`, text),
				found: (robots, { origin, folder }) =>
					Uint8Array.from(pathsOf(folder), (path) =>
						Number(robots.isAllowed(origin + path, AGENT) !== false),
					),
				right,
				isPeer: true,
			}),
		],
	};
}

/**
 * All sites put into an index that has none yet, in one pass: what is there already, as in `RobotsIndex.set` above, is not allocated again.
 * The fastest whole pass is slower than the sum of fastest parts, so parsing and compiling is timed the same way beside it. Not one of
 * `allCases`: those are also run in turn with generated sites, part by part.
 */
export function freshIndexCase(
	library: Library,
	{ sites, verdicts }: Data,
): Case {
	const dialect = "google";
	const bytes = total(sites, ({ robots }) => robots.length);
	const work = {
		name: "a fresh index",
		jobs: [sites],
		size: () => bytes,
		chunkItems: bytes,
	};
	const right = () =>
		joined(sites.map((site) => verdicts(site, { dialect, paths: true })));
	return {
		name: work.name,
		why: "What a process pays before the first verdict when it fills its own index.",
		items: sites.length,
		unit: "site",
		bytes,
		engines: [
			engineOf(work, {
				name: "robotrie parse + compile",
				run: () =>
					sites.map(({ robots }) =>
						library.RobotsTxt.parse(robots, { dialect }).for(AGENT),
					),
				found: (matchers) =>
					joined(
						sites.map((site, at) =>
							(matchers[at] as (typeof matchers)[0]).matchLines(
								linesOf(site.urls.map(pathOf)),
							),
						),
					),
				right,
			}),
			engineOf(work, {
				name: "RobotsIndex.set",
				run: () => {
					const index = new library.RobotsIndex({ agent: AGENT, dialect });
					for (const { host, robots } of sites)
						index.set(`https://${host}`, robots);
					return index;
				},
				found: (index) => index.matchMany(sites.flatMap(ownUrls)),
				right,
			}),
		],
	};
}

/** From the bytes of a robots.txt to something that can judge. What comes of it judges all URLs before it is timed. */
export function compileCase(
	library: Library,
	data: Data,
	{ name = "parse and compile", chunks = 40 } = {},
): Case {
	const dialect = "google";
	const decoder = new TextDecoder();
	const jobs = data.sites.map((site) => ({
		...site,
		site,
		text: decoder.decode(site.robots),
		paths: linesOf(site.urls.map(pathOf)),
		own: ownUrls(site),
	}));
	type Job = (typeof jobs)[number];
	const size = ({ robots }: Site) => robots.length;
	const work = { name, jobs, size, chunkItems: total(jobs, size) / chunks };
	const read = ({ robots }: Site) =>
		library.RobotsTxt.parse(robots, { dialect });
	const verdicts = ({ site }: Job, agent?: string) =>
		data.verdicts(site, { dialect, paths: true, ...(agent && { agent }) });
	const index = new library.RobotsIndex({ agent: AGENT, dialect });
	return {
		name,
		why: "What a crawler pays once per site, before the first verdict.",
		items: jobs.length,
		unit: "site",
		bytes: total(jobs, size),
		engines: [
			engineOf(work, {
				name: "robotrie parse + compile",
				run: (job) => read(job).for(AGENT),
				found: (matcher, { paths }) => matcher.matchLines(paths),
				right: (job) => verdicts(job),
			}),
			engineOf(work, {
				name: "the same for four agents",
				run: (job) => {
					const robots = read(job);
					return AGENTS.map((agent) => robots.for(agent));
				},
				found: (matchers, { paths }) =>
					joined(matchers.map((matcher) => matcher.matchLines(paths))),
				right: (job) => joined(AGENTS.map((agent) => verdicts(job, agent))),
			}),
			engineOf(work, {
				name: "RobotsIndex.set",
				before: forgetter(library),
				run: ({ host, robots }) => index.set(`https://${host}`, robots),
				found: (_, { own }) => index.matchMany(own),
				right: (job) => verdicts(job),
			}),
			engineOf(work, {
				name: "robotrie, all diagnostics",
				run: (job) => read(job).diagnostics,
				found: (diagnostics, { site }) => {
					const { comparable } = data.diagnostics(site);
					return diagnostics
						.map(({ line, code }) => `${line} ${code}`)
						.filter(comparable)
						.sort();
				},
				right: ({ site }) => data.diagnostics(site).right,
			}),
			engineOf(work, {
				name: "robots-parser",
				run: ({ host, text }) =>
					robotsParser(`https://${host}/robots.txt`, text),
				found: (robots, { own }) =>
					Uint8Array.from(own, (url) =>
						Number(robots.isAllowed(url, AGENT) !== false),
					),
				right: (job) => verdicts(job),
				isPeer: true,
			}),
		],
	};
}
