import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { RobotsIndex } from "../../../src/index.ts";
import {
	readChunks,
	SnapshotReader,
} from "../../../src/sites/index-snapshot.ts";
import { OriginTable } from "../../../src/sites/origin-table.ts";
import { columnOf } from "../../../test/columns.ts";
import { openFolder } from "../../sites/src/shards/shard-set.ts";
import { canBeJoined, JoinedShards } from "../src/stream/rules.ts";
import { file, folder, robotrie } from "./run.ts";

const SHARDS = 5;
const MEMORY = 2 ** 30;

/** Some robots.txt for many origins, one of them with rules of its own. */
const bodies = ["/a", "/b", "/*.pdf$"].map(
	(path) => `User-agent: *\nDisallow: ${path}\n`,
);
const records = Array.from({ length: 90 }, (_, i) => ({
	origin: `https://h${i}.example`,
	robots: i === 7 ? "User-agent: *\nDisallow: /own\n" : bodies[i % 3],
}));
const urls = [
	...records.flatMap(({ origin }) =>
		["/a", "/b", "/x.pdf", "/own"].map((path) => origin + path),
	),
	"https://new.example/",
	"https://h1\n.example/b",
	"HTTPS://H1.example:443/b",
	"nonsense",
	"",
];
const input = file(
	"joined.ndjson",
	records.map((record) => JSON.stringify(record)).join("\n"),
);
const place = join(folder, "joined");

async function made(name: string, ...more: string[]): Promise<string> {
	const path = join(folder, name);
	const args = ["index", "-a", "x", ...more, "-o", path, input];
	expect(await robotrie(args)).toMatchObject({ code: 0, stderr: "" });
	return path;
}

beforeAll(async () => {
	await made("joined", "--shards", String(SHARDS));
});

const shardNames = (path: string): string[] =>
	JSON.parse(readFileSync(join(path, "index.json"), "utf8")).shards.map(
		(shard: { file: string }) => join(path, shard.file),
	);

describe("shards in one memory", () => {
	test("judge as an index of all origins does", async () => {
		const whole = RobotsIndex.fromBytes(
			readFileSync(await made("joined-whole.index")),
		);
		const open = await openFolder(place, MEMORY);
		expect(canBeJoined(open)).toBe(true);
		using joined = await JoinedShards.load(open);
		const [offsets, bytes] = columnOf(urls);
		const wanted = whole.matchColumn(offsets, bytes);
		expect(joined.matchColumn(offsets, bytes)).toEqual(wanted);
		expect(new Set(wanted)).toEqual(new Set([0, 1, 2, 3]));
		const lines = new TextEncoder().encode(urls.join("\n"));
		expect(joined.matchLines(lines)).toEqual(whole.matchLines(lines));
	});

	test("have equal rules once", async () => {
		const snapshots = shardNames(place).map((name) => readFileSync(name));
		const single = snapshots.map((bytes) => RobotsIndex.fromBytes(bytes));
		const table = OriginTable.inOwnMemory("rfc9309", MEMORY);
		for (const bytes of snapshots)
			await readChunks(new SnapshotReader(() => table), [bytes]);
		expect(table.size).toBe(records.length);
		expect(table.stats.programs).toBe(bodies.length + 1);
		const sum = (key: "programs" | "unsharedProgramBytes") =>
			single.reduce((all, index) => all + index.stats()[key], 0);
		expect(sum("programs")).toBeGreaterThan(table.stats.programs);
		expect(table.stats.unsharedProgramBytes).toBe(sum("unsharedProgramBytes"));
	});

	test.each([
		["no memory for them", 1, false],
		["memory for all of them", MEMORY, true],
	])("%s", async (_, memory, can) => {
		expect(canBeJoined(await openFolder(place, memory))).toBe(can);
	});
});

const faults: readonly [
	name: string,
	spoil: (path: string, shards: readonly string[]) => Promise<void> | void,
	message: RegExp,
][] = [
	[
		"a shard with another number of origins",
		(path) => {
			const manifest = join(path, "index.json");
			const text = readFileSync(manifest, "utf8");
			const { shards } = JSON.parse(text);
			const { origins } = shards[1];
			writeFileSync(
				manifest,
				JSON.stringify({
					...JSON.parse(text),
					origins: records.length + 1,
					shards: shards.with(1, { ...shards[1], origins: origins + 1 }),
				}),
			);
		},
		/cannot read the index .*-0001\.index: it has \d+ origins, not \d+/,
	],
	[
		"a shard in another dialect",
		async (_, shards) => {
			const other = await made("google.index", "--dialect", "google");
			cpSync(other, shards[2] as string);
		},
		/cannot read the index .*-0002\.index: it is in the google dialect, not in rfc9309/,
	],
	[
		"a shard with origins of another one",
		(_, shards) => cpSync(shards[0] as string, shards[3] as string),
		/cannot read the index .*-0003\.index: .* is there twice/,
	],
	[
		"a shard that is no index",
		(_, shards) => writeFileSync(shards[4] as string, "nonsense"),
		/cannot read the index .*-0004\.index: /,
	],
];

test.each(faults)("%s is an error", async (name, spoil, message) => {
	const path = join(folder, name.replaceAll(" ", "-"));
	cpSync(place, path, { recursive: true });
	await spoil(path, shardNames(path));
	const { code, stderr } = await robotrie(["stream", "-i", path], {
		stdin: "",
	});
	expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});
