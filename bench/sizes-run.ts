import { command, count } from "../tools/command.mjs";
import { storeResult } from "../tools/store-result.mjs";
import { AGENT } from "./case.ts";
import { demandSame } from "./check.ts";
import { isSmall, loadData, partOf } from "./data.ts";
import { library } from "./library.ts";
import { ownUrls } from "./site.ts";

const values = command(
	"npm run bench -- sizes",
	"Says how many bytes an origin takes in an index, by what its rules are like. Nothing is timed.",
)
	.option(
		"--origins <number>",
		"of sites that are made up",
		count,
		isSmall ? 1000 : 100_000,
	)
	.parse()
	.opts<{ origins: number }>();

type Dialect = "google" | "rfc9309";
/** A site's robots.txt, and URLs that say whether the index has it. */
interface Asked {
	readonly origin: string;
	readonly robots: Uint8Array | string;
	readonly urls: readonly string[];
	readonly verdicts: Uint8Array;
}

/** Bytes are those of a snapshot and of linear memory, names of origins included. */
function sizeOf(dialect: Dialect, sites: Iterable<Asked>) {
	const index = new library.RobotsIndex({ agent: AGENT, dialect });
	let origins = 0;
	for (const { origin, robots, urls, verdicts } of sites) {
		index.set(origin, robots);
		origins++;
		// One in a hundred of those that are made up.
		if (origins % 100 === 1 || urls.length > 1)
			demandSame(origin, index.matchMany(urls), verdicts);
	}
	const { programs, byteLength } = index.stats();
	const snapshotBytes = index.toBytes().length;
	index[Symbol.dispose]();
	return { origins, programs, snapshotBytes, byteLength };
}

function* madeUp(robotsOf: (i: number) => string): Generator<Asked> {
	for (let i = 0; i < values.origins; i++) {
		const origin = `https://www.site-${i}.example`;
		const verdicts = Uint8Array.of(1);
		yield {
			...{ origin, robots: robotsOf(i), urls: [`${origin}/`], verdicts },
		};
	}
}

const data = loadData();
function* real(dialect: Dialect): Generator<Asked> {
	for (const site of data.sites)
		yield {
			origin: `https://${site.host}`,
			robots: site.robots,
			urls: ownUrls(site),
			verdicts: data.verdicts(site, { dialect, paths: true }),
		};
}

const measured = (dialect: Dialect) => ({
	"no rules": sizeOf(
		dialect,
		madeUp(() => "allow-all"),
	),
	"two rules": sizeOf(
		dialect,
		madeUp((i) => `User-agent: *\nDisallow: /${i}/\nAllow: /${i}/a\n`),
	),
	real: sizeOf(dialect, real(dialect)),
});
const result = { google: measured("google"), rfc9309: measured("rfc9309") };
console.log(
	"| dialect | sites | origins | different rules | bytes an origin, in a snapshot | in memory |\n|---|---|---:|---:|---:|---:|",
);
for (const [dialect, kinds] of Object.entries(result))
	for (const [kind, one] of Object.entries(kinds)) {
		const each = (bytes: number) => (bytes / one.origins).toFixed(0);
		console.log(
			`| ${dialect} | ${kind} | ${one.origins} | ${one.programs} | ${each(one.snapshotBytes)} | ${each(one.byteLength)} |`,
		);
	}
console.log(`\nsaved as ${storeResult("sizes", result, partOf(data))}`);
