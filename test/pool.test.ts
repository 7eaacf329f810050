import { execFileSync } from "node:child_process";
import Tinypool from "tinypool";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { MAX_LINE } from "../assembly/format/program.ts";
import type * as libraryTypes from "../src/index.ts";
import type * as pools from "../src/pool.ts";
import { PoolWorkers } from "../src/sites/pool-workers.ts";
import { type ColumnRow, columnOf, layouts } from "./columns.ts";
import { changeWhileJudging } from "./live-pool.ts";

// The workers are a file of their own, which only the build makes: all of this runs on what it made.
const dist = (file: string) => new URL(`../dist/${file}`, import.meta.url).href;
let library: typeof libraryTypes;
let RobotsIndex: typeof libraryTypes.RobotsIndex;
let RobotsPool: typeof pools.RobotsPool;
beforeAll(async () => {
	library = (await import(dist("index.js"))) as typeof libraryTypes;
	({ RobotsIndex } = library);
	({ RobotsPool } = (await import(dist("pool.js"))) as typeof pools);
	index = new RobotsIndex({ agent: ["A", "B"], dialect: "google" });
	for (let i = 0; i < 200; i++)
		index.set(
			`https://h${i}.example`,
			`User-agent: *\nDisallow: /${i % 9}\nAllow: /*${i}$\n`,
		);
	pool = new RobotsPool(index.toBytes(), { workers: 2 });
	lines = Buffer.from(
		`${Array.from({ length: 60_000 }, (_, i) => urlOf(i)).join("\n")}\n`,
	);
	expected = index.matchLines(lines);
});
afterAll(() => pool.close());

let index: libraryTypes.RobotsIndex;
let pool: pools.RobotsPool;
let lines: Buffer;
let expected: Uint8Array;

/** Known, unknown, unusual and invalid ones. */
function urlOf(i: number): string {
	const host = `h${(i * 7) % 230}.example`;
	if (i % 50 === 0) return `https://H${i % 200}.example/${i % 9}`;
	if (i % 77 === 0) return `/${host}`;
	if (i % 91 === 0) return `https://münchen.example/${host}`;
	return `https://${host}/${i % 9}${"x".repeat(i % 40)}${i % 200}`;
}

describe("a pool answers as its index does", () => {
	test("lines, in several pieces", async () => {
		expect(lines.length).toBeGreaterThan(2 * 1024 * 1024);
		expect(await pool.matchLines(lines)).toEqual(expected);
		expect([pool.size, pool.agent, pool.dialect, pool.workers]).toEqual([
			200,
			["A", "B"],
			"google",
			2,
		]);
	});

	test("many calls at once, each with its own answer", async () => {
		const calls = Array.from({ length: 300 }, (_, i) => {
			const text = Array.from({ length: i }, (_, n) => urlOf(i * n)).join("\n");
			return new TextEncoder().encode(text);
		});
		const answers = await Promise.all(calls.map((c) => pool.matchLines(c)));
		expect(answers).toEqual(calls.map((call) => index.matchLines(call)));
	});

	test("strings, also with line ends inside", async () => {
		const urls = Array.from({ length: 5000 }, (_, i) => urlOf(i));
		expect(await pool.matchMany(urls)).toEqual(index.matchMany(urls));
		const odd = ["https://h1.example/\n1", "x\ny", "https://h1.example/1\r"];
		expect(await pool.matchMany(odd)).toEqual(index.matchMany(odd));
		expect(await pool.matchMany([])).toEqual(new Uint8Array());
	});

	test("strings, into an array", async () => {
		for (const count of [0, 3, 5000, 40_000]) {
			const urls = Array.from({ length: count }, (_, i) => urlOf(i));
			const into = new Uint8Array(count + 2).fill(9);
			const verdicts = await pool.matchMany(urls, into);
			expect(verdicts).toEqual(index.matchMany(urls));
			expect(verdicts.buffer).toBe(into.buffer);
			expect([...into.subarray(count)]).toEqual([9, 9]);
		}
	});

	const long = `https://h1.example/1${"%61".repeat(100_000)}`;
	const columns: readonly (readonly [string, readonly ColumnRow[]])[] = [
		["no rows", []],
		["few rows", ["https://h1.example/1\n1", null, urlOf(50), "", urlOf(7)]],
		[
			"rows in several pieces",
			Array.from({ length: 60_000 }, (_, i) =>
				i % 997 ? urlOf(i) : `${urlOf(i)}\n${i}`,
			),
		],
		[
			"nulls in several pieces",
			Array.from({ length: 60_000 }, (_, i) => (i % 3 ? urlOf(i) : null)),
		],
		["empty rows", Array.from({ length: 200_000 }, () => "")],
		[
			"rows longer than a worker has room for",
			[
				urlOf(1),
				long,
				new Uint8Array(300_000),
				null,
				`${long}1`,
				urlOf(2),
				long.repeat(4),
				urlOf(3),
			],
		],
	];
	test.each(columns)("a column: %s", async (_, rows) => {
		for (const layout of layouts) {
			if (layout.bitOffset === undefined && rows.includes(null)) continue;
			const column = columnOf(rows, layout);
			const wanted = index.matchColumn(...column);
			expect(await pool.matchColumn(...column)).toEqual(wanted);
			const into = new Uint8Array(rows.length + 1).fill(9);
			const [offsets, bytes, options] = column;
			const verdicts = await pool.matchColumn(offsets, bytes, {
				...options,
				into,
			});
			expect(verdicts).toEqual(wanted);
			expect([verdicts.buffer === into.buffer, into.at(-1)]).toEqual([true, 9]);
		}
	});

	test("a null longer than a URL may be, and a URL that is", async () => {
		const bytes = new Uint8Array(MAX_LINE + 100);
		bytes.set(Buffer.from(urlOf(1)), MAX_LINE + 1);
		const offsets = Int32Array.of(
			0,
			MAX_LINE + 1,
			MAX_LINE + 1 + urlOf(1).length,
		);
		const validity = Uint8Array.of(0b10);
		const verdicts = await pool.matchColumn(offsets, bytes, { validity });
		expect([...verdicts]).toEqual([3, ...index.matchMany([urlOf(1)])]);
		await expect(pool.matchColumn(offsets, bytes)).rejects.toThrow(
			`a URL of ${MAX_LINE + 1} bytes is longer than the limit of ${MAX_LINE}`,
		);
		expect(await pool.matchLines(lines)).toEqual(expected);
	});

	test("lines longer than a worker has room for", async () => {
		const long = `https://h1.example/1${"%61".repeat(200_000)}1`;
		const text = new TextEncoder().encode(
			[urlOf(1), long, `${long}#`, urlOf(2)].join("\n"),
		);
		expect(await pool.matchLines(text)).toEqual(index.matchLines(text));
	});

	test("the caller's bytes stay", async () => {
		const own = Buffer.from("https://h1.example/1\n");
		await pool.matchLines(own);
		expect(own.toString()).toBe("https://h1.example/1\n");
	});
});

describe("rules that change", () => {
	const both: readonly (readonly [
		string,
		(bytes: Uint8Array) => Promise<pools.RobotsPool>,
	])[] = [
		["here", async (bytes) => new RobotsPool(bytes, { workers: 4 })],
		["in a thread", (bytes) => RobotsPool.load(bytes, { workers: 4 })],
	];

	test.each(both)(
		"while workers judge, the index loaded %s",
		async (_, load) => {
			const live = await load(new RobotsIndex({ agent: "x" }).toBytes());
			const { changes, verdicts } = await changeWhileJudging(live, 1500, 200);
			expect(changes).toBeGreaterThanOrEqual(200);
			expect(verdicts).toBeGreaterThanOrEqual(8 * 8000);
			await live.close();
		},
	);

	test.each(both)(
		"%s: what an index takes, and says of it",
		async (_, load) => {
			const live = await load(index.toBytes());
			const robots = "User-agent: *\nDisallow: /x\n";
			const dialect = "google";
			const parsed = library.RobotsTxt.parse(robots, { dialect });
			const given = [robots, Buffer.from(robots), parsed, parsed.for("A")];
			const urls = given.map((_, i) => `https://new${i}.example/x`);
			await Promise.all(
				given.map((rules, i) => live.set(urls[i] ?? "", rules)),
			);
			await live.set("https://none.example", "allow-all");
			await live.set("https://h1.example", "disallow-all");
			await live.set("https://h2.example", "later");
			const asked = [...urls, "https://none.example/x", "https://h1.example/1"];
			expect([...(await live.matchMany(asked))]).toEqual([0, 0, 0, 0, 1, 0]);
			// In workers, too.
			const many = Buffer.from("https://h2.example/a\n".repeat(10_000));
			expect(new Set(await live.matchLines(many))).toEqual(new Set([4]));
			expect(live.size).toBe(205);
			expect(live.byteLength).toBeGreaterThan(1000);
			expect(await live.delete("https://NONE.example:443/")).toBe(true);
			expect(await live.delete("https://none.example")).toBe(false);
			expect([...(await live.matchMany(asked))]).toEqual([0, 0, 0, 0, 2, 0]);
			expect(live.size).toBe(204);
			const other = library.RobotsTxt.parse(robots);
			await expect(live.set("https://a.example", other)).rejects.toMatchObject({
				code: "invalid-argument",
			});
			await expect(live.set("a.example", robots)).rejects.toMatchObject({
				code: "invalid-url",
			});
			// Another index does not have the changes; those asked for meanwhile are made in it.
			const replaced = live.replace(index);
			const set = live.set("https://none.example", "allow-all");
			await Promise.all([replaced, set]);
			expect([...(await live.matchMany(asked))]).toEqual([2, 2, 2, 2, 1, 1]);
			await live.close();
			await expect(live.delete("https://none.example")).rejects.toMatchObject({
				code: "disposed",
			});
		},
	);
});

describe("another index", () => {
	/** One of every kind of source. */
	const sources: readonly (readonly [
		string,
		(index: libraryTypes.RobotsIndex) => pools.PoolSource,
	])[] = [
		["an index", (index) => index],
		["bytes", (index) => index.toBytes()],
		["chunks", (index) => [index.toBytes()]],
		["a stream", (index) => index.snapshot()],
	];
	const sites = 3000;
	const allLines = Buffer.from(
		Array.from(
			{ length: 60_000 },
			(_, i) => `https://h${i % sites}.example/a\n`,
		).join(""),
	);
	/** All sites say the same, so that each verdict tells which index it is from. */
	const uniform = (access: libraryTypes.Access, extra = 0) => {
		const index = new RobotsIndex({ agent: "x" });
		for (let i = 0; i < sites + extra; i++)
			index.set(`https://h${i}.example`, access);
		return index;
	};

	test.each(sources)("%s is loaded in a thread", async (_, from) => {
		const own = await RobotsPool.load(from(index), { workers: 2 });
		expect([own.size, own.agent, own.dialect, own.workers]).toEqual([
			200,
			["A", "B"],
			"google",
			2,
		]);
		expect(await own.matchLines(lines)).toEqual(expected);
		await own.close();
	});

	test.each(sources)(
		"%s takes the place of the first; each batch is judged by one of them",
		async (_, from) => {
			const own = new RobotsPool(uniform("disallow-all").toBytes(), {
				workers: 2,
			});
			let given = 0;
			let replaced = false;
			const judgedBy: number[] = [];
			const batch = async (bytes: Uint8Array) => {
				const mayBeOld = !replaced;
				given++;
				const verdicts = await own.matchLines(bytes);
				const kinds = [...new Set(verdicts)];
				expect(kinds).toHaveLength(1);
				if (!mayBeOld) expect(kinds).toEqual([1]);
				judgedBy.push(kinds[0] ?? -1);
			};
			const running: Promise<void>[] = [];
			const replacing = own
				.replace(from(uniform("allow-all", 5)))
				.then(() => (replaced = true));
			// Large batches, in several pieces, and small ones, as long as the other index is loaded, and some more.
			for (let more = 10; more > 0; more -= Number(replaced)) {
				running.push(
					batch(allLines),
					batch(allLines.subarray(0, 1 + allLines.indexOf(10, 2000))),
				);
				await running.at(-2);
			}
			await replacing;
			await Promise.all(running);
			expect(judgedBy).toHaveLength(given);
			expect(new Set(judgedBy)).toEqual(new Set([0, 1]));
			expect(own.size).toBe(sites + 5);
			await own.close();
		},
	);

	test("of another crawler or dialect, and what is no index: the first stays", async () => {
		const own = new RobotsPool(uniform("disallow-all").toBytes());
		const other = new RobotsIndex({ agent: "y" });
		const google = new RobotsIndex({ agent: "x", dialect: "google" });
		await expect(own.replace(other)).rejects.toThrow(
			'the pool is for x in the rfc9309 dialect, not "y in the rfc9309 dialect"',
		);
		await expect(own.replace(google)).rejects.toThrow("google dialect");
		await expect(own.replace(new Uint8Array(30))).rejects.toMatchObject({
			code: "invalid-byte-code",
		});
		const broken = (async function* () {
			yield new Uint8Array(5);
			throw new Error("the source failed");
		})();
		await expect(own.replace(broken)).rejects.toThrow("the source failed");
		expect(new Set(await own.matchLines(allLines))).toEqual(new Set([0]));
		await own.close();
		await expect(own.replace(other)).rejects.toThrow("closed");
	});

	test.each<[source: string, next: () => Promise<unknown>]>([
		["whose next chunk never comes", () => new Promise(() => {})],
		["that goes on", () => new Promise(setImmediate)],
	])("a pool is closed that reads a source %s", async (_, next) => {
		const own = await RobotsPool.load(uniform("disallow-all"));
		let begin = () => {};
		const begun = new Promise<void>((resolve) => {
			begin = resolve;
		});
		const source = (async function* () {
			for (;;) {
				yield new Uint8Array();
				begin();
				await next();
			}
		})();
		const refused = expect(own.replace(source)).rejects.toThrow("closed");
		const waiting = expect(own.delete("https://h0.example")).rejects.toThrow(
			"closed",
		);
		await begun;
		await own.close();
		await refused;
		await waiting;
	});

	test("of several at once the last one stays", async () => {
		const own = await RobotsPool.load(uniform("disallow-all"));
		await Promise.all([
			own.replace(uniform("allow-all")),
			own.replace(uniform("disallow-all", 7)),
		]);
		expect(own.size).toBe(sites + 7);
		expect(new Set(await own.matchLines(allLines))).toEqual(new Set([0]));
		await own.close();
	});
});

describe("batches", () => {
	test("come in order, and are taken only as workers get free", async () => {
		let taken = 0;
		let given = 0;
		let most = 0;
		function* batches() {
			for (let i = 0; i < 100; i++) {
				taken++;
				most = Math.max(most, taken - given);
				yield Buffer.from(`${urlOf(i)}\n`.repeat(i));
			}
		}
		const lengths: number[] = [];
		for await (const verdicts of pool.matchBatches(batches())) {
			given++;
			lengths.push(verdicts.length);
		}
		expect(lengths).toEqual(Array.from({ length: 100 }, (_, i) => i));
		expect(most).toBeLessThanOrEqual(2 * pool.workers + 1);
	});

	test.each([
		["small", () => Buffer.from(`${urlOf(1)}\n`)],
		["large", () => lines],
	])(
		"whose source waits for the verdicts of the one before, %s",
		async (_, batch) => {
			let seen = () => {};
			let given = 0;
			async function* batches() {
				for (let i = 0; i < 3; i++) {
					const isSeen = new Promise<void>((resolve) => {
						seen = resolve;
					});
					yield batch();
					await isSeen;
				}
			}
			for await (const verdicts of pool.matchBatches(batches())) {
				expect(verdicts).toEqual(index.matchLines(batch()));
				given++;
				seen();
			}
			expect(given).toBe(3);
		},
	);

	test("verdicts before an error of the source are given first", async () => {
		function* batches() {
			yield lines;
			yield lines;
			throw new Error("source");
		}
		const given: Uint8Array[] = [];
		const all = async () => {
			for await (const verdicts of pool.matchBatches(batches()))
				given.push(verdicts);
		};
		await expect(all()).rejects.toThrow("source");
		expect(given).toEqual([expected, expected]);
	});

	test("a source is closed by who stops early, also where it waits", async () => {
		const closed: string[] = [];
		async function* endless() {
			try {
				for (;;) yield lines;
			} finally {
				closed.push("endless");
			}
		}
		let reads = 0;
		const waiting = {
			[Symbol.asyncIterator]: () => ({
				next: () =>
					reads++ === 0
						? Promise.resolve({ value: lines, done: false as const })
						: new Promise<never>(() => {}),
				async return() {
					closed.push("waiting");
					return { value: undefined, done: true as const };
				},
			}),
		};
		for (const source of [endless(), waiting])
			for await (const verdicts of pool.matchBatches(source)) {
				expect(verdicts).toEqual(expected);
				break;
			}
		expect(closed).toEqual(["endless", "waiting"]);
	});

	test("who stops early loses nothing else", async () => {
		for await (const verdicts of pool.matchBatches([lines, lines, lines])) {
			expect(verdicts).toEqual(expected);
			break;
		}
		expect(await pool.matchLines(lines)).toEqual(expected);
	});
});

describe("errors", () => {
	const wrong = <T>(value: unknown) => value as T;
	test("one call's error leaves the others alone", async () => {
		const results = await Promise.allSettled([
			pool.matchLines(lines),
			pool.matchLines(wrong<Uint8Array>("x")),
			pool.matchMany(wrong<string[]>("x")),
			pool.matchColumn(Int32Array.of(1, 0), lines),
			pool.matchLines(lines),
		]);
		expect(
			results.map((result) =>
				result.status === "fulfilled" ? result.value : result.reason.code,
			),
		).toEqual([
			expected,
			"invalid-argument",
			"invalid-argument",
			"invalid-argument",
			expected,
		]);
	});

	const row = "https://h1.example/1\n";
	const rows = 30_000;
	const columns = () => ({
		bytes: new TextEncoder().encode(row.repeat(rows)),
		offsets: Int32Array.from({ length: rows + 1 }, (_, i) => i * row.length),
		validity: new Uint8Array(rows / 8).fill(255),
		into: new Uint8Array(rows),
	});
	type Columns = ReturnType<typeof columns>;
	const ofColumn = ({ offsets, bytes, ...options }: Columns) =>
		pool.matchColumn(offsets, bytes, options);
	test.each<[string, keyof Columns, (all: Columns) => Promise<unknown>]>([
		["lines", "bytes", ({ bytes }) => pool.matchLines(bytes)],
		["a column", "bytes", ofColumn],
		["a column", "offsets", ofColumn],
		["a column", "validity", ofColumn],
		["a column", "into", ofColumn],
		[
			"texts",
			"into",
			({ into }) => pool.matchMany(Array(rows).fill(row), into),
		],
	])(
		"%s whose %s are transferred while they are judged",
		async (_, name, call) => {
			const all = columns();
			const judging = call(all);
			const { buffer } = all[name];
			structuredClone(buffer, { transfer: [buffer] });
			await expect(judging).rejects.toMatchObject({
				code: "invalid-argument",
				message: expect.stringContaining(`${name} lost their memory`),
			});
		},
	);

	test.each([0, -1, 1.5, 257, "2", null])("workers: %j", (workers) => {
		const options = { workers: wrong<number>(workers) };
		expect(() => new RobotsPool(index.toBytes(), options)).toThrow(
			`workers is a whole number from 1 to 256, not ${JSON.stringify(workers)}`,
		);
	});

	test("no snapshot", () => {
		expect(() => new RobotsPool(new Uint8Array(30))).toThrow(
			"not a valid index",
		);
	});

	test("a closed pool finishes what it was asked for, and takes nothing else", async () => {
		const own = new RobotsPool(index.toBytes(), { workers: 1 });
		const running = own.matchLines(lines);
		await own.close();
		expect(await running).toEqual(expected);
		await expect(own.matchLines(lines)).rejects.toThrow("closed");
		await own.close();
	});

	test("a pool that is closed twice with changes under way makes them, and both calls end", async () => {
		const own = await RobotsPool.load(index, { workers: 1 });
		const changes = Promise.all(
			Array.from({ length: 20 }, (_, i) => own.delete(`https://h${i}.example`)),
		);
		// The changes are sent, and no answer has come.
		for (let i = 0; i < 20; i++) await undefined;
		await Promise.all([own.close(), own.close()]);
		expect(await changes).toEqual(Array(20).fill(true));
		expect(own.size).toBe(180);
	});

	// What runs in a worker before its own script: some time within its first piece, or at once.
	const within = (action: string) => `
		let calls = 0;
		const { subarray } = Uint8Array.prototype;
		Uint8Array.prototype.subarray = function (...bounds) {
			if (++calls === 20) { ${action} }
			return subarray.apply(this, bounds);
		};`;
	const fillHeap =
		"for (const all = []; ; ) all.push(new Array(1e5).fill(0.5));";
	const ways: readonly {
		readonly how: string;
		/** In the workers with these numbers; in all of them without. */
		readonly only?: number;
		readonly inWorker?: string;
		/** In the main thread, while a batch is judged. */
		readonly during?: string;
	}[] = [
		{ how: "error", during: 'workers.at(-1).emit("error", new Error("test"))' },
		{ how: "terminate()", during: "workers.at(-1).terminate()" },
		{
			how: "terminate() of all",
			during: "for (const worker of workers) worker.terminate()",
		},
		{ how: "exit", only: 0, inWorker: within("process.exit(0)") },
		{ how: "exit of all", inWorker: within("process.exit(0)") },
		{
			how: "an error in it",
			only: 1,
			inWorker: within("setImmediate(() => { throw 1 })"),
		},
		{ how: "out of memory", only: 0, inWorker: within(fillHeap) },
		{ how: "exit at its start", inWorker: "process.exit(0)" },
		{ how: "exit of one at its start", only: 0, inWorker: "process.exit(1)" },
		{ how: "error at its start", inWorker: "throw new Error('test')" },
	];
	test.each(ways)("no answer is lost when a worker ends: $how", (way) => {
		const { only = -1, inWorker = "", during = "" } = way;
		const preload = `data:text/javascript,${encodeURIComponent(inWorker)}`;
		const script = `
			import { createRequire, syncBuiltinESMExports } from "node:module";
			const threads = createRequire(import.meta.url)("node:worker_threads");
			const workers = [];
			threads.Worker = class extends threads.Worker {
				constructor(file, options) {
					const isWanted = ${only} < 0 || workers.length === ${only};
					const execArgv = isWanted ? ["--import", ${JSON.stringify(preload)}] : [];
					const resourceLimits = { maxOldGenerationSizeMb: 32 };
					super(file, { ...options, execArgv, resourceLimits });
					workers.push(this);
				}
			};
			syncBuiltinESMExports();
			const { RobotsIndex } = await import("${dist("index.js")}");
			const { RobotsPool } = await import("${dist("pool.js")}");
			const index = new RobotsIndex({ agent: "x" });
			index.set("https://a.example", "disallow-all");
			const pool = new RobotsPool(index.toBytes(), { workers: 2 });
			const lines = new TextEncoder().encode("https://a.example/\\n".repeat(500_000));
			const zeros = async () => (await pool.matchLines(lines)).every((v) => v === 0);
			const first = zeros();
			await Promise.race([first, new Promise((resolve) => setTimeout(resolve, 5))]);
			${during}
			console.log(await first, await zeros(), ...(await Promise.all([zeros(), zeros()])));
			const last = zeros();
			const closed = pool.close();
			${during}
			console.log(await last, await closed);
			await pool.matchLines(lines).catch(({ message }) => console.log(message));
		`;
		const output = execFileSync(
			process.execPath,
			["--input-type=module", "--eval", script],
			{ encoding: "utf8", timeout: 60_000, stdio: "pipe" },
		);
		expect(output).toBe(
			"true true true true\ntrue undefined\nthe pool was closed\n",
		);
	});

	test("another worker takes the place of one that ends", () => {
		const script = `
			import { createRequire, syncBuiltinESMExports } from "node:module";
			const threads = createRequire(import.meta.url)("node:worker_threads");
			const workers = [];
			threads.Worker = class extends threads.Worker {
				constructor(...args) { super(...args); workers.push(this); }
			};
			syncBuiltinESMExports();
			const { RobotsIndex } = await import("${dist("index.js")}");
			const { RobotsPool } = await import("${dist("pool.js")}");
			const snapshot = new RobotsIndex({ agent: "x" }).toBytes();
			const pool = new RobotsPool(snapshot, { workers: 2 });
			const lines = new TextEncoder().encode("https://a.example/\\n".repeat(100_000));
			await pool.matchLines(lines);
			await workers[0].terminate();
			await pool.matchLines(lines);
			workers[1].emit("error", new Error("test"));
			await pool.matchLines(lines);
			console.log(workers.length);
			await pool.close();
		`;
		const output = execFileSync(
			process.execPath,
			["--input-type=module", "--eval", script],
			{ encoding: "utf8", timeout: 60_000 },
		);
		expect(output).toBe("4\n");
	});

	test("an idle pool lets the process end", () => {
		const script = `
			const { RobotsIndex } = await import("${dist("index.js")}");
			const { RobotsPool } = await import("${dist("pool.js")}");
			const pool = new RobotsPool(new RobotsIndex({ agent: "x" }).toBytes());
			console.log(...await pool.matchMany(["https://a.example/"]));
		`;
		const output = execFileSync(
			process.execPath,
			["--input-type=module", "--eval", script],
			{ encoding: "utf8", timeout: 60_000 },
		);
		expect(output).toBe("2\n");
	});
});

test("workers that fail while they are ended end nothing else", async () => {
	const { destroy } = Tinypool.prototype;
	let threads: Tinypool["threads"] = [];
	using _ = vi
		.spyOn(Tinypool.prototype, "destroy")
		.mockImplementation(function (this: Tinypool) {
			({ threads } = this);
			return destroy.call(this);
		});
	const ended = new PoolWorkers(2).end();
	expect(threads).toHaveLength(2);
	for (const thread of threads) thread.emit("error", new Error("too late"));
	await ended;
});
