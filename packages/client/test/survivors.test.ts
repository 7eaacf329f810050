import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test, vi } from "vitest";
import { accessFor } from "../../../src/access/access.ts";
import { RobotsIndex, RobotsTxt } from "../../../src/index.ts";
import { SharedTask } from "../src/common/aborts.ts";
import { MemoryStore } from "../src/index.ts";
import { encodeEntry } from "../src/stores/entry.ts";
import { TimeLimit } from "../src/stores/guarded-store.ts";
import { found } from "./known-store.ts";
import { clientOf } from "./site.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Whether something is let go, once all that runs has ended. */
async function isGone(object: WeakRef<object>): Promise<boolean> {
	for (let i = 0; i < 5; i++) {
		await new Promise((resolve) => setImmediate(resolve));
		collect();
	}
	return object.deref() === undefined;
}

/** What was asked for, and weak references to what it took and gave. */
function work() {
	const needed = { what: "needed" };
	const outcome = { what: "outcome" };
	const refs = [new WeakRef<object>(needed), new WeakRef<object>(outcome)];
	const run = async () => (needed.what ? outcome : needed);
	return { run, refs };
}

// The garbage collector takes tables that a Map has outgrown for something in use, when they are old: what was in them then lives on.
describe("What has ended holds on to nothing", () => {
	test("a shared task", async () => {
		const { task, refs } = await (async () => {
			const { run, refs } = work();
			const task = new SharedTask(run, () => void run);
			await task.join();
			return { task, refs };
		})();
		for (const ref of refs) expect(await isGone(ref)).toBe(true);
		task.abort(new Error("too late"));
	});

	test("a time limit", async () => {
		const { kept, refs } = await (async () => {
			const limit = new TimeLimit(1e6, "work");
			const { run, refs } = work();
			const add = vi.spyOn(Set.prototype, "add");
			const result = limit.run(run());
			const kept = add.mock.calls.map(([pending]) => pending);
			add.mockRestore();
			await result;
			return { kept, refs };
		})();
		expect(kept).toHaveLength(1);
		for (const ref of refs) expect(await isGone(ref)).toBe(true);
		expect(kept).toHaveLength(1);
	});
});

test("an answer is parsed when the store has it: nothing but its bytes waits for that", async () => {
	const store = new MemoryStore();
	let letGo = () => {};
	const set = vi.spyOn(store, "set").mockImplementation(
		() =>
			new Promise((resolve) => {
				letGo = resolve;
			}),
	);
	const fetch = async () => new Response("User-agent: *\nDisallow: /private");
	await using client = clientOf({ fetch, store });
	const parse = vi.spyOn(RobotsTxt, "parse");
	try {
		const allowed = client.isAllowed("https://h0.test/private");
		await vi.waitFor(() => expect(set).toHaveBeenCalledTimes(1), {
			timeout: 15_000,
		});
		expect(parse).not.toHaveBeenCalled();
		letGo();
		expect(await allowed).toBe(false);
		expect(parse).toHaveBeenCalledTimes(1);
	} finally {
		parse.mockRestore();
	}
});

describe("Bytes of buffers that a call allocates", () => {
	const access = accessFor(found(), null, { now: 0 });
	const entry = encodeEntry("https://h0.test", access);
	const index = new RobotsIndex({ agent: "a" });
	index.set("https://h0.test", "");
	const urls = Array.from({ length: 64 }, (_, i) => `https://h0.test/${i}`);
	test.each([
		[
			"an entry of a store: its own",
			entry.length,
			() => encodeEntry("https://h0.test", access),
		],
		["verdicts for 64 URLs: none", 0, () => index.matchMany(urls)],
	])("%s", (_, expected, call) => {
		const arrayBuffers = () => process.memoryUsage().arrayBuffers;
		call();
		const rounds = Array.from({ length: 20 }, () => {
			const before = arrayBuffers();
			for (let i = 0; i < 10; i++) call();
			return arrayBuffers() - before;
		});
		// Buffers that are collected meanwhile make a round less.
		expect(Math.max(...rounds)).toBe(10 * expected);
	});
});
