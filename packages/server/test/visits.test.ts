import { MemoryStore } from "@robotrie/client";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Service } from "../src/index.ts";
import { serviceOf } from "./services.ts";

/** Visits of pages by means of two replicas that share a store, or after a restart. Time is fake. */

const START = Date.UTC(2026, 0, 1);
const A = "https://example.com/a";
const services: Service[] = [];
beforeEach(() => {
	vi.useFakeTimers({ toFake: ["Date", "performance"], now: START });
});
afterEach(async () => {
	vi.useRealTimers();
	await Promise.all(services.splice(0).map((service) => service.close()));
});

async function replicaOf(store: MemoryStore) {
	const { service, requests } = await serviceOf({ store });
	services.push(service);
	const ask = async (
		method: "GET" | "POST" | "PUT" | "DELETE",
		query: Record<string, string> = {},
		path = "/visits",
	) => {
		const answer = await service.inject({
			method,
			url: path,
			query: path === "/visits" ? { url: A, ...query } : query,
		});
		return { status: answer.statusCode, ...(answer.body && answer.json()) };
	};
	return { ask, requests, service };
}
type Replica = Awaited<ReturnType<typeof replicaOf>>;

/** A time, so many milliseconds after the start. */
const at = (milliseconds: number) => ({
	at: new Date(START + milliseconds).toISOString(),
});
const pass = (milliseconds: number) => vi.advanceTimersByTime(milliseconds);

/** Who, after how many milliseconds, what, and what is answered. Crawl-delay: 2. */
type Step = readonly [
	who: 0 | 1,
	after: number,
	method: "GET" | "POST" | "PUT" | "DELETE",
	query: Record<string, string>,
	answer: object,
];
const given = (wait: number) => ({ status: 200, verdict: "allowed", wait });
const rows: readonly (readonly [string, readonly Step[]])[] = [
	[
		"times that are given out are apart",
		[
			[0, 0, "POST", {}, given(0)],
			[1, 0, "POST", {}, given(2000)],
			[0, 0, "POST", {}, given(4000)],
			[1, 0, "GET", {}, given(6000)],
		],
	],
	[
		"a pause counts from the end of a visit",
		[
			[0, 0, "POST", {}, given(0)],
			[0, 700, "PUT", { ...at(0), status: "200" }, { status: 204 }],
			[1, 0, "POST", {}, given(2000)],
		],
	],
	[
		"an end that another replica is told",
		[
			[0, 0, "POST", {}, given(0)],
			[1, 700, "PUT", at(0), { status: 204 }],
			[0, 1000, "GET", {}, given(1000)],
		],
	],
	[
		"a visit whose end is not told goes on",
		[
			[0, 0, "POST", {}, given(0)],
			[1, 3000, "GET", {}, given(2000)],
			[0, 40_000, "GET", {}, given(0)],
		],
	],
	[
		"a time that is given back is given out again",
		[
			[0, 0, "POST", {}, given(0)],
			[0, 0, "POST", {}, given(2000)],
			[1, 0, "DELETE", at(2000), { status: 204 }],
			[1, 0, "DELETE", at(2000), { status: 404, code: "not-found" }],
			[0, 0, "POST", {}, given(2000)],
		],
	],
	[
		"one that is too late is not given out",
		[
			[0, 0, "POST", {}, given(0)],
			[1, 0, "POST", { maxWait: "1000" }, { verdict: "later", ...at(2000) }],
			[0, 0, "POST", {}, given(2000)],
		],
	],
	[
		"a page that refuses holds its origin",
		[
			[0, 0, "POST", {}, given(0)],
			[
				0,
				0,
				"PUT",
				{ ...at(0), status: "503", retryAfter: "120" },
				{ status: 204 },
			],
			[1, 0, "POST", { maxWait: "1000" }, { verdict: "later", ...at(120_000) }],
			[1, 0, "POST", {}, given(120_000)],
		],
	],
	[
		"crawlers have visits of their own",
		[
			[0, 0, "POST", {}, given(0)],
			[1, 0, "POST", { agent: "OtherBot" }, given(0)],
		],
	],
	[
		"what is wrong",
		[
			[0, 0, "PUT", { at: "now" }, { status: 400, code: "invalid-request" }],
			[0, 0, "DELETE", {}, { status: 400, code: "invalid-request" }],
			[
				0,
				0,
				"PUT",
				{ ...at(0), status: "200 OK" },
				{
					status: 400,
					code: "invalid-request",
					message:
						"querystring/status must be integer: 200, without what stands behind the number",
				},
			],
			[
				0,
				0,
				"PUT",
				{ ...at(0), status: "7" },
				{ status: 400, code: "invalid-request" },
			],
		],
	],
];

describe("Two replicas", () => {
	test.each(rows)("%s", async (_, steps) => {
		const store = new MemoryStore();
		const replicas: Replica[] = [
			await replicaOf(store),
			await replicaOf(store),
		];
		for (const [who, after, method, query, answer] of steps) {
			pass(after);
			expect(await replicas[who]?.ask(method, query)).toMatchObject(answer);
		}
	});

	test("forget a site within seconds, and it is asked again", async () => {
		vi.useFakeTimers({ toFake: ["Date", "performance", "setInterval"] });
		const store = new MemoryStore();
		const [one, two] = [await replicaOf(store), await replicaOf(store)];
		const ask = () => Promise.all([one, two].map(({ ask }) => ask("GET")));
		await ask();
		const asked = () => one.requests.length + two.requests.length;
		expect(asked()).toBe(1);
		const query = { origin: "https://example.com" };
		expect(await one.ask("POST", query, "/forget")).toEqual({ status: 204 });
		await vi.advanceTimersByTimeAsync(2000);
		await ask();
		expect(asked()).toBe(2);
	});

	test("an override outlives that its site is forgotten", async () => {
		const { ask, service } = await replicaOf(new MemoryStore());
		await service.inject({
			method: "PUT",
			url: "/origins/https%3A%2F%2Fexample.com",
			payload: "User-agent: *\nDisallow: /\n",
			headers: { "content-type": "text/plain" },
		});
		await ask("POST", { origin: "https://example.com" }, "/forget");
		expect(await ask("POST")).toMatchObject({ verdict: "disallowed" });
	});

	test("a restart: a visit under way, and times that were given out", async () => {
		const store = Object.assign(new MemoryStore(), { close: async () => {} });
		const before = await replicaOf(store);
		await before.ask("POST");
		await before.ask("POST");
		const after = await replicaOf(store);
		expect(await after.ask("POST")).toMatchObject(given(4000));
	});
});
