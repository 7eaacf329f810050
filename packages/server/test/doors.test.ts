import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
	answering,
	done,
	type Row,
	rows,
	SECOND,
	START,
	sleep,
	urlsOf,
} from "../../client/test/behaviours.ts";
import { createService } from "../src/index.ts";

/**
 * The client's table of behaviours, by the other door: a crawler in another language, which asks for one visit of a server at a time, waits for
 * what is later, and tells the end of each. Time is fake, but for the interval in which the service looks at its overrides.
 */

beforeEach(() => {
	vi.useFakeTimers({
		now: START,
		toFake: ["setTimeout", "clearTimeout", "Date", "performance"],
	});
});
afterEach(() => {
	vi.useRealTimers();
});

/** Visits of pages, from their begin to their end. */
interface Page {
	readonly url: string;
	readonly begin: number;
	readonly end: number;
}

/** Crawls the URLs; gives the visits, and the URLs that were lost. */
async function crawl(row: Row) {
	const { urls = urlsOf("a.test"), statuses = [] } = row;
	await using service = await createService({
		agent: "ExampleBot",
		client: {
			fetch: answering(row.answers),
			allowPrivateNetwork: true,
			lookup: (_name, options, callback) =>
				options.all
					? callback(null, [{ address: "127.0.0.1", family: 4 }])
					: callback(null, "127.0.0.1", 4),
			...row.options,
		},
	});
	const ask = async (
		method: "POST" | "PUT",
		query: Record<string, string>,
	): Promise<{ verdict: string; at: string; wait: number }> => {
		const answer = await service.inject({ method, url: "/visits", query });
		expect(answer.statusCode).toBe(method === "PUT" ? 204 : 200);
		return JSON.parse(answer.body || "{}");
	};
	const left = [...statuses];
	const pages: Page[] = [];
	const lost: string[] = [];
	const queue = [...urls];
	for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
		const { verdict, at, wait } = await ask("POST", { url, maxWait: "30000" });
		if (verdict === "later") {
			queue.unshift(url);
			await sleep(wait);
			continue;
		}
		if (verdict !== "allowed") {
			lost.push(url);
			continue;
		}
		await sleep(wait);
		const begin = performance.now();
		await sleep(400);
		pages.push({ url, begin, end: performance.now() });
		const status = left.shift() ?? 200;
		await ask("PUT", { url, at, status: String(status), retryAfter: "7" });
		if (status !== 200) queue.unshift(url);
	}
	return { urls, pages, lost };
}

describe("A crawl by the service loses no page and keeps the pace", () => {
	test.each(rows.map((row) => [row.behaviour, row] as const))(
		"%s",
		async (_, row) => {
			const base = performance.now();
			const { urls, pages, lost } = await done(crawl(row));
			expect(lost).toEqual([]);
			expect(new Set(pages.map(({ url }) => url))).toEqual(new Set(urls));
			expect(pages).toHaveLength(row.visits ?? urls.length);
			const pauses = pages
				.slice(1)
				.map(({ begin }, i) => begin - (pages[i]?.end ?? 0));
			expect(Math.min(...pauses)).toBeGreaterThanOrEqual(row.asked * SECOND);
			expect((pages[0]?.begin ?? 0) - base).toBeGreaterThanOrEqual(
				(row.first ?? 0) * SECOND,
			);
			expect((pages.at(-1)?.end ?? 0) - base).toBeLessThanOrEqual(
				row.within * SECOND,
			);
		},
	);
});
