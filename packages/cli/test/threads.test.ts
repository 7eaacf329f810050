import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { inOrder, Threads } from "../../sites/src/threads/threads.ts";
import { file } from "./run.ts";

/**
 * The runner by itself, with threads whose program replies as `serve` does. What commands make of it is tested by "any number of workers
 * gives the same bytes" and its like.
 */
const program = pathToFileURL(
	file(
		"threads-program.mjs",
		`let rest;
		const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
		const functions = {
			async one({ number, ms = 0 }) {
				await wait(ms);
				return { answer: number * 2 };
			},
			async hold({ number, flag }) {
				await Atomics.waitAsync(flag, 0, 0).value;
				return { answer: number * 2 };
			},
			async fail({ number, ms = 0 }) {
				await wait(ms);
				return { failure: { code: "malformed", message: \`\${number} failed\` } };
			},
			async follow() {
				return { failure: null };
			},
			async throw() {
				throw new TypeError("a bug");
			},
			async exit() {
				process.exit(3);
			},
			async several({ number }) {
				rest = Array.from({ length: number }, (_, i) => ({ answer: [number, i] }));
				return rest.shift() ?? { isOver: true };
			},
		};
		export default async (request) =>
			request === "next" ? (rest.shift() ?? { isOver: true }) : functions[request.name](request.task);`,
	),
);

interface Task {
	readonly number: number;
	readonly ms?: number;
	readonly flag?: Int32Array<SharedArrayBuffer>;
}
type Start = (settings: null) => {
	readonly [Name in "one" | "hold" | "fail" | "follow" | "throw" | "exit"]: (
		task: Task,
	) => Promise<number>;
} & { several(task: Task): AsyncGenerator<readonly [number, number]> };

let threads: Threads<Start> | undefined;
const start = (count: number, onFailure = () => {}) => {
	threads = new Threads<Start>(program, count, null, { onFailure });
	return threads;
};
afterEach(() => threads?.end());

type Name = "one" | "fail" | "follow" | "throw" | "exit";
type Job = readonly [Name, Task];

/** What comes of tasks in order, and the error at the end if there is one. */
async function resultsOf(count: number, jobs: readonly Job[]) {
	const results: unknown[] = [];
	let failures = 0;
	const pool = start(count, () => failures++);
	const run = ([name, task]: Job) => pool.run(name, task);
	try {
		for await (const { result } of inOrder(jobs, 3 * count, run))
			results.push(result);
	} catch (error) {
		results.push((error as Error).message);
	}
	return { results, failures };
}

describe("Threads", () => {
	const slow: Job = ["one", { number: 1, ms: 100 }];
	const quick: Job = ["one", { number: 2 }];
	const slowFailure: Job = ["fail", { number: 7, ms: 100 }];
	const failure: Job = ["fail", { number: 8 }];
	const rows: readonly (readonly [string, readonly Job[], unknown[]])[] = [
		["no task", [], []],
		["tasks of any length", [slow, quick, slow, quick], [2, 4, 2, 4]],
		["a failure after results", [slow, quick, failure], [2, 4, "8 failed"]],
		["two failures", [slowFailure, failure, quick], ["7 failed"]],
		["what waited", [["follow", { number: 0 }], slowFailure], ["7 failed"]],
		["a bug", [quick, ["throw", { number: 0 }]], [4, "a bug"]],
		[
			"a thread that exits",
			[quick, ["exit", { number: 0 }]],
			[4, "a thread ended with code 3"],
		],
	];
	test.each(rows)("give results in order: %s", async (_, jobs, results) => {
		const isFailed = results.some((result) => typeof result === "string");
		for (const count of [2, 3])
			expect(await resultsOf(count, jobs)).toEqual({
				results,
				failures: isFailed ? 1 : 0,
			});
	});

	test("a program that cannot be loaded is an error", async () => {
		const missing = new URL("threads-missing.mjs", program);
		threads = new Threads<Start>(missing, 1, null);
		const run = threads.run("one", { number: 1 });
		await expect(run).rejects.toThrow(/threads-missing\.mjs/);
	});

	test("a thread is sent what is its own", async () => {
		const pool = start(2);
		const flag = new Int32Array(new SharedArrayBuffer(4));
		const blocked = pool.run("hold", { number: 1, flag }, [], 0);
		let isBlocked = true;
		void blocked.then(() => {
			isBlocked = false;
		});
		expect(await pool.run("one", { number: 2 }, [], 1)).toBe(4);
		const next = pool.run("one", { number: 3 }, [], 0);
		expect(isBlocked).toBe(true);
		Atomics.store(flag, 0, 1);
		Atomics.notify(flag, 0);
		expect(await next).toBe(6);
		expect(isBlocked).toBe(false);
	});

	test.each([
		["small answers", 1],
		["answers of which one is more than may wait", 2 ** 30],
	])("several answers to each task, in order: %s", async (_, size) => {
		const pool = start(2);
		const tasks = [3, 0, 5, 1, 4].map((number) => ({ number }));
		const found: (readonly number[])[] = [];
		const scan = (task: Task) => pool.stream("several", task, () => size);
		for await (const { result } of inOrder(tasks, 6, scan))
			for await (const answer of result) found.push(answer);
		expect(found).toEqual(
			tasks.flatMap(({ number }) =>
				Array.from({ length: number }, (_, i) => [number, i]),
			),
		);
	});
});

describe("inOrder", () => {
	test("no more items are under way than it is told, and an error of theirs comes last", async () => {
		let running = 0;
		let most = 0;
		async function* items() {
			for (let i = 0; i < 9; i++) yield i;
			throw new Error("no more");
		}
		const run = async (item: number) => {
			most = Math.max(most, ++running);
			await new Promise((resolve) => setTimeout(resolve, (item % 3) * 5));
			running--;
			return item;
		};
		const found: number[] = [];
		const all = async () => {
			for await (const { result } of inOrder(items(), 3, run))
				found.push(result);
		};
		await expect(all()).rejects.toThrow("no more");
		expect(found).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
		expect(most).toBe(3);
	});

	test("a result does not wait for the next item", async () => {
		async function* items() {
			yield 1;
			await new Promise(() => {});
		}
		const results = inOrder(items(), 3, async (item) => item);
		expect((await results.next()).value).toEqual({ item: 1, result: 1 });
	});
});
