import { expect, test } from "vitest";
import { InParallel } from "../src/common/in-parallel.ts";

/** Work that goes on until it is let go. */
function waitingWork() {
	const begun: string[] = [];
	const waiting = new Map<string, () => void>();
	const work = (item: string) => {
		begun.push(item);
		return new Promise<void>((resolve) => waiting.set(item, resolve));
	};
	/** Lets so many items whose names begin so go, those that began first. */
	const letGo = async (list: string, count: number) => {
		const names = [...waiting.keys()].filter((item) => item.startsWith(list));
		for (const item of names.slice(0, count)) {
			waiting.get(item)?.();
			waiting.delete(item);
		}
		await new Promise((resolve) => setImmediate(resolve));
	};
	const underWay = (list: string) =>
		[...waiting.keys()].filter((item) => item.startsWith(list)).length;
	return { begun, work, letGo, underWay };
}

const items = (list: string, count: number) =>
	Array.from({ length: count }, (_, i) => `${list}${i}`);

test("a list alone has as many items under way as are allowed", async () => {
	const { begun, work, letGo, underWay } = waitingWork();
	const done = new InParallel(30).each(items("a", 100), work);
	expect(underWay("a")).toBe(30);
	await letGo("a", 5);
	expect(underWay("a")).toBe(30);
	while (underWay("a") > 0) await letGo("a", 50);
	await done;
	expect(begun).toEqual(items("a", 100));
});

test("lists share them, each with ten at least, and grow when others have ended", async () => {
	const { begun, work, letGo, underWay } = waitingWork();
	const all = new InParallel(30);
	const first = all.each(items("a", 200), work);
	const second = all.each(items("b", 20), work);
	expect([underWay("a"), underWay("b")]).toEqual([30, 15]);
	await letGo("a", 20);
	expect([underWay("a"), underWay("b")]).toEqual([15, 15]);
	const others = ["c", "d", "e"].map((list) => all.each(items(list, 10), work));
	await letGo("a", 10);
	await letGo("b", 10);
	expect(["a", "b", "c", "d", "e"].map(underWay)).toEqual([10, 10, 10, 10, 10]);
	for (const list of ["b", "c", "d", "e"])
		while (underWay(list) > 0) await letGo(list, 50);
	await Promise.all([second, ...others]);
	await letGo("a", 1);
	expect(underWay("a")).toBe(30);
	while (underWay("a") > 0) await letGo("a", 50);
	await first;
	expect(new Set(begun).size).toBe(250);
	expect(begun).toHaveLength(250);
});

test("no items, or fewer than are allowed", async () => {
	const all = new InParallel(5);
	await all.each([], async () => expect.unreachable());
	let sum = 0;
	await all.each([1, 2], async (item) => {
		sum += item;
	});
	expect(sum).toBe(3);
});

test("the first failure ends a list, and no other", async () => {
	const { work, letGo, underWay } = waitingWork();
	const all = new InParallel(20);
	const begun: number[] = [];
	const failing = all.each([...Array(100).keys()], async (item) => {
		begun.push(item);
		await Promise.resolve();
		if (item === 12) throw new Error("twelve");
	});
	const other = all.each(items("a", 30), work);
	await expect(failing).rejects.toThrow("twelve");
	await new Promise((resolve) => setImmediate(resolve));
	expect(begun.length).toBeLessThan(40);
	// Its share is the other's again.
	await letGo("a", 1);
	expect(underWay("a")).toBe(20);
	while (underWay("a") > 0) await letGo("a", 50);
	await other;
});
