import { spawnSync } from "node:child_process";
import {
	closeSync,
	mkdtempSync,
	openSync,
	readFileSync,
	rmSync,
	writeFileSync,
	writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { WARCRecord, WARCSerializer } from "warcio";
import { command, count } from "../tools/command.mjs";
import { storeResult } from "../tools/store-result.mjs";
import { generatedSite } from "./generate.ts";

/**
 * `robotrie index` and `match --index` as users run them, each run a process of its own: how fast a WARC file is read beside only
 * decompressing and splitting it, what a second worker gains, and the memory of an index in shards.
 */
const {
	sites,
	origins,
	urls: urlsEach,
	rounds,
} = command(
	"npm run bench:index --",
	"Times robotrie index and match --index. Other sizes are stored as local results.",
)
	.option("--sites <number>", "sites in the WARC file", count, 200_000)
	.option(
		"--origins <number>",
		"origins in the index in shards",
		count,
		1_000_000,
	)
	.option("--urls <number>", "URLs of each origin", count, 5)
	.option("--rounds <number>", "rounds, of which the best counts", count, 3)
	.parse()
	.opts<{ sites: number; origins: number; urls: number; rounds: number }>();

const folder = mkdtempSync(join(tmpdir(), "robotrie-bench-"));
const place = (name: string) => join(folder, name);

/** What a process took: seconds, and MB of memory at most. */
interface Cost {
	readonly wall: number;
	readonly cpu: number;
	readonly memory: number;
}

/** Has a process write its cost. On Linux maxRSS would count what this process had when it started the other one. */
const report = `data:text/javascript,${encodeURIComponent(`
import { existsSync, readFileSync } from "node:fs";
process.on("exit", () => {
	const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
	const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
	const kib = Number(/VmHWM:\\s*(\\d+)/.exec(status)?.[1] ?? maxRSS);
	const cost = { cpu: (userCPUTime + systemCPUTime) / 1e6, memory: (kib * 1024) / 1e6 };
	console.error("COST " + JSON.stringify(cost));
});
`)}`;

function run(...args: readonly string[]): Cost {
	const start = performance.now();
	const { status, stderr } = spawnSync(
		process.execPath,
		["--import", report, ...args],
		{ encoding: "utf8", stdio: ["ignore", "ignore", "pipe"] },
	);
	const wall = (performance.now() - start) / 1000;
	const cost = /COST (.*)/.exec(stderr)?.[1];
	if (status !== 0 || cost === undefined)
		throw new Error(`${args.join(" ")}: ${stderr}`);
	return { wall, ...(JSON.parse(cost) as Omit<Cost, "wall">) };
}

const robotrie = (...args: readonly string[]) =>
	run("packages/cli/main.js", ...args);

/** The best of several runs, taken in turn. */
function best(cases: Readonly<Record<string, () => Cost>>): Map<string, Cost> {
	const found = new Map<string, Cost>();
	for (let round = 0; round < rounds; round++)
		for (const [name, measure] of Object.entries(cases)) {
			const cost = measure();
			const before = found.get(name) ?? cost;
			found.set(name, {
				wall: Math.min(cost.wall, before.wall),
				cpu: Math.min(cost.cpu, before.cpu),
				memory: Math.max(cost.memory, before.memory),
			});
		}
	return found;
}

function print(costs: ReadonlyMap<string, Cost>): void {
	for (const [name, { wall, cpu, memory }] of costs)
		console.log(
			`${name.padEnd(56)} ${wall.toFixed(2).padStart(8)} s ${cpu.toFixed(2).padStart(8)} s CPU ${memory.toFixed(0).padStart(7)} MB`,
		);
}

async function writeWarc(path: string): Promise<void> {
	const file = openSync(path, "w");
	for (let i = 0; i < sites; i++) {
		const { origin, robots } = generatedSite(i);
		const record = WARCRecord.create(
			{
				url: `${origin}/robots.txt`,
				type: "response",
				date: "2026-11-22T00:00:00Z",
				httpHeaders: { "Content-Type": "text/plain", Server: "nginx" },
			},
			[Buffer.from(robots)],
		);
		writeSync(file, gzipSync(await WARCSerializer.serialize(record)));
	}
	closeSync(file);
}

/** NDJSON of the origins, and URLs of them in no order, as many of each. */
function writeLists(robots: string, urls: string): void {
	const files = [openSync(robots, "w"), openSync(urls, "w")] as const;
	for (let i = 0; i < origins; i += 1000) {
		const some = Array.from({ length: Math.min(1000, origins - i) }, (_, k) =>
			generatedSite(i + k),
		);
		const lines = some.map(
			({ origin, robots }) => `${JSON.stringify({ origin, robots })}\n`,
		);
		writeSync(files[0], lines.join(""));
		writeSync(files[1], some.map((site) => `${site.url()}\n`).join(""));
	}
	const once = readFileSync(urls);
	for (let i = 1; i < urlsEach; i++) writeSync(files[1], once);
	for (const file of files) closeSync(file);
}

try {
	const warc = place("sites.warc.gz");
	await writeWarc(warc);
	const splitter = place("split.mjs");
	writeFileSync(
		splitter,
		`import { createReadStream } from "node:fs";
import { WARCParser } from ${JSON.stringify(import.meta.resolve("warcio"))};
let bytes = 0;
for await (const record of new WARCParser(createReadStream(process.argv[2])))
	bytes += (await record.readFully()).length;
if (bytes === 0) process.exit(1);`,
	);
	const out = place("sites.index");
	const index = (workers: number) => () =>
		robotrie("index", "-a", "x", "-o", out, "--workers", `${workers}`, warc);
	console.log(`A WARC.gz file of ${sites} sites:`);
	const read = best({
		"only decompressed and split by warcio": () => run(splitter, warc),
		"robotrie index": index(1),
		"robotrie index --workers 2": index(2),
	});
	print(read);
	const cpu = (name: string) => read.get(name)?.cpu ?? 0;
	const wall = (name: string) => read.get(name)?.wall ?? 0;
	console.log(
		`index at ${(cpu("only decompressed and split by warcio") / cpu("robotrie index")).toFixed(2)} of the speed of only splitting; two workers ${(wall("robotrie index") / wall("robotrie index --workers 2")).toFixed(2)} times one\n`,
	);

	const robots = place("sites.ndjson");
	const urls = place("urls.txt");
	writeLists(robots, urls);
	const shards = place("shards");
	const single = place("single.index");
	console.log(`${origins} origins:`);
	const built = new Map<string, Cost>();
	const add = (name: string, cost: Cost) => built.set(name, cost);
	const make = ["index", "-a", "x", "--workers"];
	add("index to a file", robotrie(...make, "1", "-o", single, robots));
	const inShards = ["--shards", "16", "-o", shards, robots];
	add("index to 16 shards", robotrie(...make, "1", ...inShards));
	add("index to 16 shards, --workers 2", robotrie(...make, "2", ...inShards));
	add(
		"index to 16 shards, --memory 64M",
		robotrie(...make, "1", "--memory", "64M", ...inShards),
	);
	print(built);
	// The start of threads and loading count less there.
	const longer = [urls, urls, urls];
	const match =
		(from: string, ...more: string[]) =>
		() =>
			robotrie("match", "-i", from, ...more, urls);
	const matched = best({
		"match, a file": match(single, "--workers", "1"),
		"match, a file, --workers 2": match(single, "--workers", "2"),
		"match, 16 shards": match(shards, "--workers", "1"),
		"match, 16 shards, --workers 2": match(shards, "--workers", "2"),
		"match, 16 shards, --memory 128M": match(
			shards,
			"--workers",
			"1",
			"--memory",
			"128M",
		),
		"match, 16 shards, --memory 128M, --workers 2": match(
			shards,
			"--workers",
			"2",
			"--memory",
			"128M",
		),
		"match, a file, a list four times as long": match(
			single,
			"--workers",
			"1",
			...longer,
		),
		"match, a file, a list four times as long, --workers 2": match(
			single,
			"--workers",
			"2",
			...longer,
		),
		"match, 16 shards, a list four times as long": match(
			shards,
			"--workers",
			"1",
			...longer,
		),
		"match, 16 shards, a list four times as long, --workers 2": match(
			shards,
			"--workers",
			"2",
			...longer,
		),
	});
	print(matched);
	// Other sizes than the usual ones are for whoever asked.
	const part = process.argv.slice(2).join("");
	const costs = Object.fromEntries([...read, ...built, ...matched]);
	const result = { sites, origins, urls: origins * urlsEach, rounds, costs };
	console.log(`saved as ${storeResult("bulk", result, part)}`);
} finally {
	rmSync(folder, { recursive: true, force: true });
}
