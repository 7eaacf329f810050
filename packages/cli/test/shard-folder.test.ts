import { spawn, spawnSync } from "node:child_process";
import {
	copyFileSync,
	cpSync,
	existsSync,
	openSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RobotsIndex } from "../../../src/index.ts";
import { casesOf } from "../../../test/cases.ts";
import { columnFrame, frame } from "../../../test/frames.ts";
import {
	openShards,
	readManifest,
	type ShardFile,
} from "../../sites/src/shards/index-folder.ts";
import {
	LineShards,
	SortedColumn,
	SortedLines,
	shardOf,
} from "../../sites/src/shards/shard.ts";
import {
	fits,
	openManifest,
	ShardSet,
} from "../../sites/src/shards/shard-set.ts";
import { OtherFailed } from "../../sites/src/threads/threads.ts";
import {
	SharedShardSet,
	shareShards,
	stopWaiting,
} from "../src/match/shared-shards.ts";
import { file, folder, robotrie, root } from "./run.ts";

const text = (parts: readonly string[]) =>
	new TextEncoder().encode(parts.join("\n"));

/** Texts that hosts are written as, and lines around them. */
const hosts = fc.constantFrom(
	"a.example",
	"A.Example",
	"b-c.example",
	"x--y.example",
	"xn--mnchen-3ya.example",
	"münchen.example",
	"192.0.2.1",
	"0xC0000201",
	"0xc0000201",
	"192.0.513",
	"1.2.3.4.",
	"a.1",
	"a.0x",
	"example.com.",
	"[2001:DB8::1]",
	"a_b.example",
	"a%2eb.example",
	"a..b",
	"-",
	"",
	"ａ.example",
);
const line = fc
	.tuple(
		fc.constantFrom(
			"https://",
			"http://",
			"HTTPS://",
			"https:/",
			"ftp://",
			" https://",
			"x://",
			"",
			"https:\\\\",
		),
		fc.constantFrom("", "user@", "user:pw@", "1:2@"),
		hosts,
		fc.constantFrom(
			"",
			":",
			":443",
			":80",
			":8080",
			":99999",
			":8a",
			":80@b.example",
		),
		fc.constantFrom(
			"",
			"/",
			"/a",
			"?a",
			"#a",
			"\\a",
			" ",
			"\r",
			"\t/",
			"@b.example/",
			"%/",
			"\0",
		),
	)
	.map((parts) => parts.join(""));

function urlOf(text: string): URL | null {
	try {
		return new URL(text.replace(/\r$/, ""));
	} catch {
		return null;
	}
}

describe("lines by shard", () => {
	test("each has the shard of its host", () => {
		fc.assert(
			fc.property(
				fc.array(line, { maxLength: 20 }),
				fc.constantFrom(1, 7, 4096),
				(lines, count) => {
					const found = new LineShards(count);
					found.find(text(lines));
					const shards = found.shards.subarray(0, found.number);
					const expected = text(lines).length === 0 ? [] : lines;
					// Without a last line end, an empty last line is none.
					if (expected.at(-1) === "") expected.pop();
					expect(shards).toHaveLength(expected.length);
					expected.forEach((one, i) => {
						const url = urlOf(one);
						// Any shard says of what is no URL that it is invalid.
						if (url)
							expect([one, shards[i]]).toEqual([
								one,
								shardOf(url.hostname.toLowerCase(), count),
							]);
					});
				},
			),
			{ numRuns: casesOf(1000) },
		);
	});

	test("verdicts come back in the order of all lines", () => {
		const index = new RobotsIndex({ agent: "x" });
		for (const host of ["a.example", "b-c.example", "1.2.3.4"])
			for (const scheme of ["https", "http"])
				index.set(`${scheme}://${host}`, "User-agent: *\nDisallow: /a$");
		fc.assert(
			fc.property(
				fc.array(line, { maxLength: 40 }),
				fc.boolean(),
				fc.constantFrom(1, 3, 16),
				(lines, ends, count) => {
					const bytes = text(ends ? [...lines, ""] : lines);
					const sorted = new SortedLines(count);
					sorted.sort(bytes);
					for (const shard of sorted.needed())
						sorted.setVerdicts(shard, index.matchLines(sorted.linesOf(shard)));
					expect(sorted.verdicts).toEqual(index.matchLines(bytes));
				},
			),
			{
				examples: [
					[["https://b-c.example/a", "https://a.example/a"], false, 16],
					[["https://a.example/a", "nope", "https://b-c.example"], true, 3],
				],
			},
		);
	});
});

test("a column's verdicts come from the shard of each row's host, whatever bytes it holds", () => {
	const count = 7;
	const whole = new RobotsIndex({ agent: "x" });
	const parts = Array.from(
		{ length: count },
		() => new RobotsIndex({ agent: "x" }),
	);
	for (const host of ["a.example", "a.exampleb", "b-c.example", "1.2.3.4"])
		for (const scheme of ["https", "http"])
			for (const one of [whole, parts[shardOf(host, count)] ?? whole])
				one.set(`${scheme}://${host}`, "User-agent: *\nDisallow: /a$");
	const cut = fc.tuple(
		line,
		fc.nat(30),
		fc.constantFrom("", "\n", "\r\n", "\0"),
	);
	const rows = fc.array(
		cut.map(([url, at, part]) => url.slice(0, at) + part + url.slice(at)),
		{ maxLength: 40 },
	);
	fc.assert(
		fc.property(rows, fc.boolean(), (urls, isWide) => {
			let end = 3;
			const ends = urls.map((url) => (end += Buffer.byteLength(url)));
			const offsets = isWide
				? BigInt64Array.from([3, ...ends], BigInt)
				: Int32Array.of(3, ...ends);
			const bytes = new TextEncoder().encode(["xxx", ...urls].join(""));
			const sorted = new SortedColumn(offsets, bytes, count);
			for (const shard of sorted.needed())
				sorted.setVerdicts(
					shard,
					parts[shard]?.matchColumn(sorted.offsetsOf(shard), sorted.bytes) ??
						new Uint8Array(),
				);
			expect(sorted.verdicts).toEqual(whole.matchColumn(offsets, bytes));
		}),
		{
			numRuns: casesOf(500),
			examples: [
				[["https://a.example\nb/a", "https://b-c.example/a\n"], false],
				[["", "https://a.example/a", "nope", "http://1.2.3.4\r\n"], true],
			],
		},
	);
});

const sites = Array.from({ length: 300 }, (_, i) => ({
	origin: `https://s${i}.example${i % 3 ? "" : ":8080"}`,
	robots: `User-agent: x\nDisallow: /${i % 7}\n\nUser-agent: y\nDisallow: /${i % 5}\n`,
}));
const input = file(
	"shards.ndjson",
	sites.map((site) => `${JSON.stringify(site)}\n`).join(""),
);
const urls = file(
	"shards.txt",
	Array.from(
		{ length: 5000 },
		(_, i) =>
			`https://S${(i * 7) % 310}.example${i % 2 ? "" : ":8080"}/${i % 9}`,
	).join("\n"),
);
const endedUrls = file("shards-ended.txt", `${readFileSync(urls, "utf8")}\n`);

describe("an index in shards", () => {
	test("gives the verdicts of one in a file, whatever the shards, memory and workers", async () => {
		const one = join(folder, "one.index");
		const indexed = await robotrie(["index", "-a", "x", "-o", one, input]);
		const expected = await robotrie(["match", "-i", one, urls]);
		expect(String(expected.stdout)).toContain("unknown");
		const only = await robotrie([
			"match",
			"-i",
			one,
			"--only",
			"allowed",
			urls,
		]);
		for (const result of [indexed, expected, only])
			expect(result).toMatchObject({ code: 0, stderr: "" });
		const runs: readonly (readonly string[])[] = [
			["-i", one, "--workers", "2"],
			["-i", one, "--workers", "3", "--memory", "1K"],
			["-i", "SHARDS", "--memory", "1K"],
			// Each thread has some of the shards, one at a time.
			["-i", "SHARDS", "--workers", "2", "--memory", "1K"],
			["-i", "SHARDS", "--workers", "3", "--only", "allowed"],
			["-i", "SHARDS", "--workers", "2"],
			["-i", "SHARDS"],
		];
		// A block that ends with its file is sent to a thread with its buffer.
		const files = [urls, endedUrls];
		for (const [i, shards] of ["1", "7", "256"].entries()) {
			const place = join(folder, `shards-${shards}`);
			const workers = i === 1 ? "2" : "1";
			const made = await robotrie([
				"index",
				"-a",
				"x",
				"--shards",
				shards,
				"--workers",
				workers,
				"-o",
				place,
				input,
			]);
			expect([made.code, made.stderr]).toEqual([0, ""]);
			expect(readdirSync(place)).toHaveLength(Number(shards) + 1);
			for (const [k, run] of (i === 1 ? runs : runs.slice(-2)).entries()) {
				const args = run.map((part) => (part === "SHARDS" ? place : part));
				const { code, stderr, stdoutHash } = await robotrie([
					"match",
					...args,
					files[(k + i) % 2] as string,
				]);
				const { stdoutHash: wanted } = run.includes("--only") ? only : expected;
				expect([run, code, stderr, stdoutHash]).toEqual([run, 0, "", wanted]);
			}
		}
	});

	test("ends the last line of each file, however its lines are put together", async () => {
		const place = join(folder, "shards-7");
		const [one, two] = ["https://s1.example/1", "https://s2.example/2"];
		// One has its end, one has none, one is empty.
		const files = [`${one}\n${two}`, `${two}\n`, "", one];
		const paths = files.map((text, at) => file(`ends-${at}.txt`, text));
		const lines = files.flatMap((text) => text.split("\n")).filter(Boolean);
		const labelled = lines.map((url) => `disallowed\t${url}\n`);
		for (const workers of ["1", "2"])
			for (const memory of ["1K", "1G"]) {
				const { stdout, code } = await robotrie([
					"match",
					"-i",
					place,
					"--workers",
					workers,
					"--memory",
					memory,
					...paths,
				]);
				expect([memory, code, String(stdout)]).toEqual([
					memory,
					0,
					labelled.join(""),
				]);
			}
	});

	test("judges for robotrie stream, which has all shards in memory or some of them at a time", async () => {
		const frames = columnFrame([
			...readFileSync(urls, "utf8").split("\n"),
			"https://s1\n.example/1",
		]);
		const lines = frame("L", readFileSync(urls));
		const one = await robotrie(["stream", "-i", join(folder, "one.index")], {
			stdin: Buffer.concat([frames, lines]),
		});
		expect(one).toMatchObject({ code: 0, stderr: "" });
		const place = join(folder, "shards-7");
		for (const memory of ["1K", "1G"]) {
			const { code, stderr, stdoutHash } = await robotrie(
				["stream", "-i", place, "--memory", memory],
				{ stdin: Buffer.concat([frames, lines]) },
			);
			expect([code, stderr, stdoutHash]).toEqual([0, "", one.stdoutHash]);
		}
	});

	test.each<[string, (shards: ShardFile[]) => ShardFile[], RegExp]>([
		["lacks the last", (shards) => shards.slice(0, -1), /origins, not 9/],
		["lacks the first", (shards) => shards.slice(1), /shard 0 is .*-0001/],
		[
			"has two in each other's place",
			([a, b, ...rest]) => [b, a, ...rest] as ShardFile[],
			/shard 0 is .*-0001/,
		],
	])("is refused where its list of shards %s", async (_, change, message) => {
		const place = join(folder, "changed");
		const records = Array.from({ length: 9 }, (_, i) =>
			JSON.stringify({ origin: `https://c${i}.example`, robots: "" }),
		);
		const sites = file("changed.jsonl", `${records.join("\n")}\n`);
		await robotrie(["index", "-a", "x", "--shards", "4", "-o", place, sites]);
		const path = join(place, "index.json");
		const manifest = JSON.parse(readFileSync(path, "utf8"));
		const shards = change(manifest.shards);
		writeFileSync(path, JSON.stringify({ ...manifest, shards }));
		const { code, stderr } = await robotrie(["match", "-i", place], {
			stdin: "https://c1.example/\n",
		});
		expect(code).toBe(2);
		expect(stderr).toMatch(message);
	});

	test("is the new one if another took its place between its manifest and its files", async () => {
		const place = join(folder, "replaced");
		const write = (shards: string) =>
			robotrie(["index", "-a", "x", "--shards", shards, "-o", place, input]);
		await write("2");
		const manifest = await readManifest(place);
		await write("3");
		const open = await openManifest(place, 2 ** 30, manifest);
		expect(open.shards).toEqual((await readManifest(place)).shards);
		const lines = text(["https://s1.example/1", "https://s1.example/2"]);
		using set = new ShardSet(open);
		expect(await set.matchLines(lines)).toEqual(Uint8Array.of(0, 1));
		rmSync(join(place, open.shards[1]?.file ?? ""));
		await expect(openManifest(place, 2 ** 30, manifest)).rejects.toThrow(
			/^cannot read the index .*no such file/,
		);
	});

	test("loads a shard once where all fit, and evicts where they do not", async () => {
		const place = join(folder, "shards-7");
		const manifest = await readManifest(place);
		const open = (memory: number) => ({
			folder: place,
			shards: manifest.shards,
			files: openShards(place, manifest),
			memory,
		});
		const lines = new Uint8Array(readFileSync(urls));
		const [much, little] = [open(2 ** 30), open(1)];
		const [large, small] = [new ShardSet(much), new ShardSet(little)];
		for (const one of [large, small])
			for (let i = 0; i < 3; i++) await one.matchLines(lines);
		expect([fits(much, 1), fits(little, 1)]).toEqual([true, false]);
		expect([fits(much, 50), fits(much, 100)]).toEqual([true, false]);
		expect(large.loads).toBe(7);
		// The one that was used last is still there.
		expect(small.loads).toBe(19);
	});
});

test("an index for each agent from one run", async () => {
	const out = join(folder, "each-{agent}.index");
	const { code, stderr } = await robotrie([
		"index",
		"-a",
		"x",
		"-a",
		"y",
		"--each-agent",
		"-o",
		out,
		input,
	]);
	expect([code, stderr]).toEqual([0, ""]);
	for (const [agent, path] of [
		["x", "/6"],
		["y", "/1"],
	] as const) {
		const judged = await robotrie(
			["match", "-i", out.replace("{agent}", agent)],
			{ stdin: `https://s6.example:8080${path}\n` },
		);
		expect(judged).toMatchObject({ code: 0, stderr: "" });
		expect(String(judged.stdout)).toMatch(/^disallowed/);
	}
});

const place = join(folder, "faults");
const agents = ["-a", "x", "-a", "y", "--each-agent"];
const faults: readonly (readonly [string, readonly string[], RegExp])[] = [
	[
		"no shards",
		["index", "-a", "x", "-o", place, "--shards", "0", input],
		/a whole number from 1 to 4096/,
	],
	[
		"too many",
		["index", "-a", "x", "-o", place, "--shards", "4097", input],
		/a whole number from 1 to 4096/,
	],
	[
		"workers",
		["index", "-a", "x", "-o", place, "--workers", "0", input],
		/a whole number from 1 to 64/,
	],
	[
		"each agent to one file",
		["index", ...agents, "-o", place, input],
		/--each-agent, --out needs \{agent\}/,
	],
	[
		"agents of one name",
		[
			"index",
			"-a",
			"x",
			"-a",
			"X",
			"--each-agent",
			"-o",
			`${place}{agent}`,
			input,
		],
		/written to the same file/,
	],
	[
		"a folder of other files",
		["index", "-a", "x", "--shards", "2", "-o", folder, input],
		/it holds no index, but /,
	],
	[
		"memory",
		["match", "-i", place, "--memory", "1T"],
		/a number of bytes, or one with K, M or G/,
	],
	[
		"a folder that is no index",
		["match", "-i", root],
		/cannot read the index .*: the folder has no index\.json, which robotrie index writes/,
	],
];
test.each(faults)("%s", async (_, args, message) => {
	const { code, stderr } = await robotrie(args);
	expect(code).toBe(2);
	expect(stderr).toMatch(message);
});

const damages: readonly (readonly [string, (path: string) => void, RegExp])[] =
	[
		[
			"damaged",
			(path) => {
				const bytes = readFileSync(path);
				bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
				writeFileSync(path, bytes);
			},
			/^robotrie: cannot read the index .*shard-.*: (?!.*no such)/,
		],
		[
			"cut off",
			(path) => writeFileSync(path, readFileSync(path).subarray(0, -9)),
			/^robotrie: cannot read the index .*shard-.*: (?!.*no such)/,
		],
		[
			"missing",
			(path) => rmSync(path),
			/^robotrie: cannot read the index .*no such file/,
		],
		[
			"another one's",
			(path) => {
				const other = readdirSync(dirname(path)).find(
					(name) =>
						name.startsWith("shard-") && join(dirname(path), name) !== path,
				);
				copyFileSync(join(dirname(path), other ?? ""), path);
			},
			/^robotrie: cannot read the index .*: it has \d+ origins, not \d+/,
		],
	];

describe.each(damages)(
	"a shard that is %s is an error",
	(what, damage, message) => {
		test.each([
			["one thread", []],
			["threads that share it", ["--workers", "3"]],
			[
				"threads that have it to themselves",
				["--workers", "2", "--memory", "1K"],
			],
		])("of %s", async (_, more) => {
			const broken = join(folder, `broken-${what}`);
			rmSync(broken, { recursive: true, force: true });
			cpSync(join(folder, "shards-7"), broken, { recursive: true });
			const [name = ""] = readdirSync(broken).filter((one) =>
				one.startsWith("shard-"),
			);
			damage(join(broken, name));
			const { code, stderr } = await robotrie([
				"match",
				"-i",
				broken,
				...more,
				urls,
			]);
			expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
			expect(stderr.trimEnd().split("\n")).toHaveLength(1);
		});
	},
);

test.each([["1"], ["2"]])(
	"an index in a file that is damaged is an error for %s workers, even if there are no lines",
	async (workers) => {
		const broken = file(
			"broken.index",
			readFileSync(join(folder, "one.index")).subarray(0, -9),
		);
		const { code, stderr } = await robotrie(
			["match", "-i", broken, "--workers", workers],
			{ stdin: "" },
		);
		expect([code, stderr]).toEqual([
			2,
			expect.stringMatching(/cannot read the index .*broken\.index/),
		]);
	},
);

test("without SIMD a command says so", () => {
	const { status, stdout, stderr } = spawnSync(
		process.execPath,
		[
			"--no-enable-sse4-1",
			join(root, "packages/cli/main.js"),
			"match",
			"-i",
			join(folder, "one.index"),
			urls,
		],
		{ encoding: "utf8" },
	);
	expect([status, stdout]).toEqual([2, ""]);
	expect(stderr).toMatch(
		/^robotrie: .*WebAssembly has no 128-bit SIMD here, .*\n$/,
	);
});

test("threads do not wait for one that has ended while it loaded a file", async () => {
	const path = join(folder, "one.index");
	const shards = shareShards([{ path, opened: openSync(path, "r") }], 2);
	// As a thread notes it that begins to load.
	shards.notes[1] = 1;
	stopWaiting(shards);
	await expect(
		new SharedShardSet(shards, 0).matchLines(new Uint8Array()),
	).rejects.toThrow(OtherFailed);
});

describe("sites that wait in a temporary file", () => {
	const line = (i: number) =>
		`${JSON.stringify({ origin: `https://t${i}.example`, robots: `# ${"x".repeat(1000)}` })}\n`;
	const many = Buffer.from(
		Array.from({ length: 3000 }, (_, i) => line(i)).join(""),
	);

	test.each(["SIGKILL", "SIGTERM"] as const)(
		"leave nothing when %s ends the process",
		async (signal) => {
			const place = join(folder, `waiting-${signal}`);
			await robotrie(["index", "-a", "x", "--shards", "2", "-o", place, input]);
			const before = readdirSync(place);
			const child = spawn(process.execPath, [
				join(root, "packages/cli/main.js"),
				"index",
				"-a",
				"x",
				"--shards",
				"2",
				"--memory",
				"1K",
				"--progress",
				"-o",
				place,
			]);
			const over = new Promise((resolve) => child.on("close", resolve));
			// Told once sites were written to the file; stdin stays open.
			child.stderr.once("data", () => child.kill(signal));
			child.stdin.on("error", () => {});
			child.stdin.write(many);
			await over;
			expect(child.signalCode).toBe(signal);
			expect(readdirSync(place)).toEqual(before);
		},
	);

	test("leave no folder when nothing is written", async () => {
		const place = join(folder, "not-written");
		const { code, stderr } = await robotrie(
			[
				"index",
				"-a",
				"x",
				"--shards",
				"2",
				"--memory",
				"1K",
				"--strict",
				"-o",
				place,
			],
			{ stdin: Buffer.concat([many, Buffer.from("nonsense\n")]) },
		);
		expect([code, stderr]).toEqual([
			2,
			expect.stringContaining("nothing was written"),
		]);
		expect(existsSync(place)).toBe(false);
	});
});
