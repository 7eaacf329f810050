import { command, count } from "../tools/command.mjs";
import { isSmall, loadData } from "./data.ts";
import { library } from "./library.ts";
import { measure } from "./measure.ts";
import { linesOf, ownUrls, pathOf, type Site } from "./site.ts";

/**
 * What the two encodings of byte-code cost: bytes of both for each site, and the time that running them takes. `npm run bench --
 * encodings` calls it; docs/design.md has its figures. An index looks origins up and a matcher does not, so the time of running is
 * what the same call takes less over files without rules.
 */

const { rounds } = command(
	"npm run bench -- encodings",
	"Compares the byte-code of matchers with that of an index, in bytes and in time.",
)
	.option("--rounds <number>", "of which each site's fastest counts", count, 15)
	.parse()
	.opts<{ rounds: number }>();
const { RobotsTxt, RobotsIndex } = library;
const AGENT = "Googlebot";
const { sites, derived } = loadData();

/** What an engine does with all sites, a chunk each. */
const engine = (name: string, chunks: readonly (() => unknown)[]) => ({
	name,
	chunks: [...chunks],
});

const matchersOf = (files: readonly (Uint8Array | string)[]) =>
	files.map((file) => RobotsTxt.parse(file).for(AGENT));

const indexOf = (some: readonly Site[], file?: string) => {
	const index = new RobotsIndex({ agent: AGENT });
	for (const { host, robots } of some)
		index.set(`https://${host}`, file ?? robots);
	return index;
};

function timesOf(some: readonly Site[]): string {
	const urls = some.map((site) => linesOf(ownUrls(site)));
	const paths = some.map((site) => linesOf(site.urls.map(pathOf)));
	const into = new Uint8Array(
		Math.max(...some.map(({ urls }) => urls.length)) + 1,
	);
	const rules = matchersOf(some.map(({ robots }) => robots));
	const none = matchersOf(some.map(() => ""));
	const index = indexOf(some);
	const emptyIndex = indexOf(some, "");
	const lines = { urls, paths };
	const byMatcher = (
		name: string,
		matchers: typeof rules,
		inputs: readonly Uint8Array[],
	) =>
		engine(
			name,
			matchers.map(
				(matcher, i) => () => matcher.matchLines(inputs[i] as Uint8Array, into),
			),
		);
	const byIndex = (name: string, of: typeof index) =>
		engine(
			name,
			urls.map((bytes) => () => of.matchLines(bytes, into)),
		);
	const timings = measure(
		[
			byMatcher("matcher, URLs", rules, lines.urls),
			byMatcher("matcher, URLs, no rules", none, lines.urls),
			byMatcher("matcher, paths", rules, lines.paths),
			byMatcher("matcher, paths, no rules", none, lines.paths),
			byIndex("index, URLs", index),
			byIndex("index, URLs, no rules", emptyIndex),
		],
		isSmall ? 1 : rounds,
	);
	const time = (name: string) => timings.get(name)?.fastest ?? Number.NaN;
	const running = (name: string) => time(name) - time(`${name}, no rules`);
	const all = ["matcher, paths", "matcher, URLs", "index, URLs"].map(
		(name) =>
			`${name}: ${time(name).toFixed(2)} ms, ${running(name).toFixed(2)} of them for rules`,
	);
	// What paths and URLs would take if their matcher ran compact programs.
	const more = running("index, URLs") - running("matcher, URLs");
	const would = ["matcher, paths", "matcher, URLs"].map(
		(name) =>
			`${name}, with the index's byte-code: ${((more / time(name)) * 100).toFixed(0)}% more`,
	);
	return [...all, ...would].map((line) => `  ${line}\n`).join("");
}

const programs = sites.map(({ robots }) => {
	const matcher = RobotsTxt.parse(robots).for(AGENT);
	const compact = RobotsTxt.parse(robots).compactFor(AGENT).length;
	return { full: matcher.program.length, compact };
});
const sum = (size: (one: (typeof programs)[number]) => number) =>
	programs.reduce((total, one) => total + size(one), 0);
const full = sum((one) => one.full);
const compact = sum((one) => one.compact);
process.stdout.write(
	`${sites.length} sites: ${full} bytes for matchers, ${compact} for an index (${(full / compact).toFixed(2)} times as many)
visitors' URLs
${timesOf(sites)}URLs made from the rules
${timesOf(derived)}`,
);
