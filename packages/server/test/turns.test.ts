import { expect, test, vi } from "vitest";
import type { Work } from "../src/bounds.ts";
import type { Crawler } from "../src/crawlers.ts";
import { peekMany } from "../src/match.ts";

/**
 * Rules made to cost time make each URL take milliseconds. Others have their turn between two of them, and a request whose time is over ends
 * there. The clock is the test's: a URL takes five milliseconds.
 */

const urls = Array.from({ length: 100 }, (_, i) => `https://a.example/${i}`);

function judging(onPeek: (count: number) => void) {
	const stop = new AbortController();
	let now = 0;
	let count = 0;
	const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
	const peek = (some: readonly string[]) => {
		now += 5 * some.length;
		onPeek(++count);
		return Uint8Array.from(some, (url) => Number(url.endsWith("7")));
	};
	const verdicts = peekMany({ client: { peek } } as unknown as Crawler, urls, {
		signal: stop.signal,
	} as Work).finally(() => clock.mockRestore());
	return { stop, verdicts };
}

test("a turn is over after each URL that takes as long", async () => {
	let inTurn = 0;
	let most = 0;
	const { verdicts } = judging(() => {
		most = Math.max(most, ++inTurn);
		setImmediate(() => {
			inTurn = 0;
		});
	});
	expect([...(await verdicts)]).toEqual(
		urls.map((url) => Number(url.endsWith("7"))),
	);
	expect(most).toBe(1);
});

test("a request whose time is over judges no more", async () => {
	let judged = 0;
	const { stop, verdicts } = judging((count) => {
		judged = count;
		if (count === 3) setImmediate(() => stop.abort(new Error("over")));
	});
	await expect(verdicts).rejects.toThrow("over");
	expect(judged).toBeLessThan(6);
});
