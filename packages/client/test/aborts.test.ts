import { expect, test } from "vitest";
import { Cancellation, whenAborted } from "../src/common/aborts.ts";
import { TimeLimit, TimeLimitError } from "../src/stores/guarded-store.ts";

const makers: readonly (readonly [
	string,
	() => { stop: AbortSignal | Cancellation; abort: (reason: unknown) => void },
])[] = [
	[
		"an AbortController",
		() => {
			const controller = new AbortController();
			const abort = (reason: unknown) => controller.abort(reason);
			return { stop: controller.signal, abort };
		},
	],
	[
		"a Cancellation",
		() => {
			const stop = new Cancellation();
			return { stop, abort: (reason: unknown) => stop.abort(reason) };
		},
	],
];

test.each(makers)("%s calls back once, but not those who left", (_, make) => {
	const { stop, abort } = make();
	const heard: string[] = [];
	const leave = whenAborted(stop, () => heard.push("one who left"));
	whenAborted(stop, () => heard.push("first"));
	whenAborted(stop, () => heard.push("second"));
	leave();
	expect(stop.aborted).toBe(false);
	stop.throwIfAborted();
	const reason = new Error("enough");
	abort(reason);
	abort(new Error("too late"));
	expect(heard).toEqual(["first", "second"]);
	expect(stop.aborted).toBe(true);
	expect(stop.reason).toBe(reason);
	expect(() => stop.throwIfAborted()).toThrow(reason);
});

const timers = () =>
	process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

test("A time limit has one timer, which holds the process only while something is pending", async () => {
	const before = timers();
	const limit = new TimeLimit(60_000, "nobody");
	let end = () => {};
	const work = new Promise<void>((resolve) => {
		end = resolve;
	});
	const all = Array.from({ length: 100 }, () => limit.run(work));
	expect(timers() - before).toBe(1);
	end();
	await Promise.all(all);
	expect(timers() - before).toBe(0);
	const last = limit.run(new Promise((resolve) => setImmediate(resolve)));
	expect(timers() - before).toBe(1);
	await last;
	expect(timers() - before).toBe(0);
});

test("A time limit ends what takes longer, each at its time, and passes errors on", async () => {
	const limit = new TimeLimit(20, "the server");
	const never = () => limit.run(new Promise(() => {}));
	const late = { message: "the server gave no answer within 20 ms" };
	await expect(never()).rejects.toMatchObject(late);
	const first = never();
	await new Promise((resolve) => setTimeout(resolve, 10));
	const second = never();
	const order: string[] = [];
	await Promise.all([
		first.catch(() => order.push("first")),
		second.catch(() => order.push("second")),
	]);
	expect(order).toEqual(["first", "second"]);
	await expect(never()).rejects.toThrow(TimeLimitError);
	const failed = limit.run(Promise.reject(new Error("refused")));
	await expect(failed).rejects.toThrow("refused");
	expect(await limit.run(Promise.resolve(7))).toBe(7);
});
