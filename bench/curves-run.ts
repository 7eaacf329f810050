import { command, count } from "../tools/command.mjs";
import { storeResult } from "../tools/store-result.mjs";
import { AGENT } from "./case.ts";
import { demandSame } from "./check.ts";
import { isSmall, loadData } from "./data.ts";
import { generatedSite } from "./generate.ts";
import { library } from "./library.ts";
import { measurePools, poolOpener } from "./pool.ts";
import { linesOf } from "./site.ts";

/**
 * How the time of a URL changes with one size at a time: npm run bench -- curves. Of the points of a curve, and of what each is held
 * against, a little is done in turn, so that all meet the same machine; the fastest of each counts.
 */
const { rounds } = command(
	"npm run bench -- curves",
	"Times a URL by rules of a file, bytes of a URL, lines a call, origins of an index and threads of a pool.",
)
	.option("--rounds <number>", "rounds of each curve", count, isSmall ? 2 : 60)
	.parse()
	.opts<{ rounds: number }>();

/** A point: what is timed for so many URLs, and what it is held against. */
interface Point {
	readonly size: number;
	readonly urls: number;
	readonly run: () => unknown;
	readonly beside?: () => unknown;
}

/** A curve as it is stored. */
interface Timed {
	readonly name: string;
	readonly points: readonly {
		readonly size: number;
		readonly ns: number;
		readonly nsNeighbour?: number;
	}[];
}

const { RobotsTxt, RobotsIndex } = library;
const small = <Size>(sizes: readonly Size[]) =>
	isSmall ? sizes.slice(0, 2) : sizes;
const into = new Uint8Array(100_000);

const rulesOf = (rules: number) =>
	`User-agent: *\n${Array.from({ length: rules }, (_, i) => `Disallow: /shop-${i}/item\n`).join("")}`;
const matcherOf = (rules: number) =>
	RobotsTxt.parse(rulesOf(rules), { maxBytes: 2 ** 24 }).for(AGENT);
/** Every other one is disallowed. */
const pathsFor = (rules: number, paths: number, bytes = 40) =>
	Array.from({ length: paths }, (_, i) =>
		`/shop-${(i * 7919) % rules}/${i % 2 ? "item" : "list"}/${i}`.padEnd(
			bytes,
			"x",
		),
	);
const verdictsFor = (paths: number) =>
	Array.from({ length: paths }, (_, i) => 1 - (i % 2));

function ofRules(): Point[] {
	return small([10, 100, 1000, 10_000, 100_000]).map((rules) => {
		const matcher = matcherOf(rules);
		const paths = pathsFor(rules, 1000);
		const lines = linesOf(paths);
		const right = verdictsFor(1000);
		demandSame(`${rules} rules`, matcher.matchLines(lines), right);
		const run = () => matcher.matchLines(lines, into);
		return { size: rules, urls: 1000, run };
	});
}

function ofBytes(): Point[] {
	const matcher = matcherOf(100);
	return small([40, 100, 300, 1000, 8000, 64_000]).map((bytes) => {
		const urls = Math.max(2, Math.min(1000, Math.floor(100_000 / bytes)));
		const lines = linesOf(pathsFor(100, urls, bytes));
		const right = verdictsFor(urls);
		demandSame(`${bytes} bytes`, matcher.matchLines(lines), right);
		return { size: bytes, urls, run: () => matcher.matchLines(lines, into) };
	});
}

function ofLines(): Point[] {
	const matcher = matcherOf(100);
	return small([1, 10, 100, 1000]).map((count) => {
		const lines = linesOf(pathsFor(100, count));
		const calls = 1000 / count;
		const run = () => {
			for (let i = 0; i < calls; i++) matcher.matchLines(lines, into);
		};
		demandSame(`${count} lines`, matcher.matchLines(lines), verdictsFor(count));
		return { size: count, urls: 1000, run };
	});
}

/** Sizes just after the table of origins has doubled, each beside an index of one origin fewer, whose table is settled. */
function ofOrigins(): Point[] {
	return small([1537, 12_289, 49_153, 98_305]).map((origins) => {
		const index = new RobotsIndex({ agent: AGENT });
		const neighbour = new RobotsIndex({ agent: AGENT });
		const urls: string[] = [];
		for (let i = 0; i < origins; i++) {
			const site = generatedSite(i);
			index.set(site.origin, site.robots);
			if (i < origins - 1) neighbour.set(site.origin, site.robots);
			if (urls.length < Math.min(origins - 1, 10_000)) urls.push(site.url());
		}
		const lines = linesOf(urls);
		const right = [...neighbour.matchLines(lines)];
		demandSame(`${origins} origins`, index.matchLines(lines), right);
		const run = () => index.matchLines(lines, into);
		const beside = () => neighbour.matchLines(lines, into);
		return { size: origins, urls: urls.length, run, beside };
	});
}

/** Pools of one worker and of two, whose rounds take turns. Where other programs run, two say nothing. */
async function ofThreads(): Promise<Timed> {
	const { lines, pools } = await measurePools(
		library,
		loadData(),
		await poolOpener(),
		isSmall ? { mib: 1, rounds: 1 } : { mib: 16, rounds: 15 },
	);
	return {
		name: "threads",
		points: pools.map(({ workers, msFastest }) => ({
			size: workers,
			ns: (msFastest * 1e6) / lines,
		})),
	};
}

const time = (run: () => unknown) => {
	const start = performance.now();
	run();
	return (performance.now() - start) * 1e6;
};

const curves = (
	[
		["rules", ofRules],
		["bytes", ofBytes],
		["lines", ofLines],
		["origins", ofOrigins],
	] as const
).map(([name, pointsOf]): Timed => {
	process.stderr.write(`${name} …\n`);
	const points = pointsOf().map((point) => ({
		...point,
		ns: Number.POSITIVE_INFINITY,
		nsBeside: Number.POSITIVE_INFINITY,
	}));
	for (let round = 0; round < rounds; round++)
		for (const point of points) {
			point.ns = Math.min(point.ns, time(point.run) / point.urls);
			if (point.beside)
				point.nsBeside = Math.min(
					point.nsBeside,
					time(point.beside) / point.urls,
				);
		}
	return {
		name,
		points: points.map(({ size, ns, beside, nsBeside }) => ({
			...{ size, ns },
			...(beside && { nsNeighbour: nsBeside }),
		})),
	};
});

process.stderr.write("threads …\n");
const threads = await ofThreads();

for (const { name, points } of [...curves, threads])
	for (const { size, ns, nsNeighbour } of points)
		process.stdout.write(
			`${name.padEnd(8)}${String(size).padStart(8)}${ns.toFixed(1).padStart(10)} ns a URL${nsNeighbour === undefined ? "" : `, neighbour ${nsNeighbour.toFixed(1)}, ${(ns / nsNeighbour).toFixed(2)} times`}\n`,
		);
const file = storeResult(
	"curves",
	{ rounds, curves: [...curves, threads] },
	isSmall ? "small" : rounds === 60 ? "" : `rounds-${rounds}`,
);
process.stdout.write(`saved as ${file}\n`);
