/**
 * How sites behave to a crawler, as a table for every door to robotrie that works on fake time: visit.test.ts crawls them by RobotsClient,
 * packages/server/test/doors.test.ts by the service. No page may be lost, and no pause be shorter than the site asks for.
 */
import { vi } from "vitest";
import type { Fetch, RobotsClientOptions } from "../src/index.ts";

export const SECOND = 1000;
export const START = Date.UTC(2026, 0, 1);

export const sleep = (milliseconds: number) =>
	new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Lets everything happen that needs no time. */
export async function quiet(): Promise<void> {
	for (let turn = 0; turn < 20; turn++)
		await new Promise((resolve) => setImmediate(resolve));
}

/** Lets time pass until some work is done. */
export async function done<Value>(work: Promise<Value>): Promise<Value> {
	let isOver = false;
	const over = () => {
		isOver = true;
	};
	work.then(over, over);
	for (let steps = 0; steps < 5000; steps++) {
		await quiet();
		if (isOver) return work;
		await vi.advanceTimersToNextTimerAsync();
	}
	throw new Error("it takes for ever");
}

export const rules = (...lines: readonly string[]) =>
	["User-agent: *", ...lines].join("\n");

/** What a site answers for robots.txt, in turn; the last one for ever. */
export type Answers = readonly (() => Response | Promise<Response>)[];

export const file = (...lines: readonly string[]) =>
	new Response(rules(...lines));

export function answering(answers: Answers): Fetch {
	let asked = 0;
	return async (url) => {
		const answer = answers[Math.min(asked++, answers.length - 1)];
		if (!answer) throw new Error(`nothing for ${url}`);
		return answer();
	};
}

export const urlsOf = (host: string, count = 4) =>
	Array.from({ length: count }, (_, i) => `https://${host}/page-${i}`);

/** How a site behaves, and what is to be seen of a crawl of it. */
export interface Row {
	readonly behaviour: string;
	readonly answers: Answers;
	readonly options?: Partial<RobotsClientOptions>;
	readonly urls?: readonly string[];
	/** Seconds between two visits at least. */
	readonly asked: number;
	/** Seconds from the start to the first visit at least. */
	readonly first?: number;
	/** Statuses of pages, in turn; then 200. */
	readonly statuses?: readonly number[];
	/** Visits in all; as many as URLs by default. */
	readonly visits?: number;
	/** Seconds that nothing takes longer than: the end of the last visit. */
	readonly within: number;
}
export const rows: readonly Row[] = [
	{ behaviour: "200", answers: [() => file()], asked: 1, within: 5 },
	{
		behaviour: "503 once",
		answers: [() => new Response("", { status: 503 }), () => file()],
		asked: 1,
		first: 60,
		within: 66,
	},
	{
		behaviour: "503 with Retry-After",
		answers: [
			() => new Response("", { status: 503, headers: { "retry-after": "5" } }),
			() => file("Crawl-delay: 2"),
		],
		asked: 2,
		first: 5,
		within: 13,
	},
	{
		behaviour: "reset",
		answers: [
			() => {
				throw Object.assign(new Error("reset"), { code: "ECONNRESET" });
			},
			() => file(),
		],
		asked: 1,
		first: 60,
		within: 66,
	},
	{
		behaviour: "slow",
		answers: [
			async () => {
				await sleep(8000);
				return file();
			},
		],
		asked: 1,
		first: 8,
		within: 14,
	},
	{
		behaviour: "redirect",
		answers: [
			() =>
				new Response("", {
					status: 301,
					headers: { location: "https://www.a.test/robots.txt" },
				}),
			() => file("Crawl-delay: 3"),
		],
		asked: 3,
		within: 12,
	},
	{
		behaviour: "changed rules: less to wait",
		answers: [
			() =>
				new Response(rules("Crawl-delay: 86400"), {
					headers: { "cache-control": "max-age=60" },
				}),
			() => file("Crawl-delay: 1"),
		],
		asked: 1,
		within: 66,
	},
	{
		behaviour: "changed rules: more to wait",
		answers: [
			() =>
				new Response(rules("Crawl-delay: 20"), {
					headers: { "cache-control": "max-age=60" },
				}),
			() => file("Crawl-delay: 100"),
		],
		asked: 20,
		within: 400,
	},
	...[0, 1, 30, 86_400].map((delay) => ({
		behaviour: `delay ${delay}`,
		answers: [() => file(`Crawl-delay: ${delay}`)],
		asked: delay,
		within: 4 * delay + 2,
	})),
	{
		behaviour: "delay 0 and minDelay",
		answers: [() => file("Crawl-delay: 0.001", "Request-rate: 1000/1")],
		options: { minDelay: 500 },
		asked: 0.5,
		within: 4,
	},
	{
		behaviour: "two hosts on one address",
		answers: [() => file("Crawl-delay: 2")],
		options: { paceBy: "address" },
		urls: [...urlsOf("a.test", 2), ...urlsOf("b.test", 2)],
		asked: 2,
		within: 9,
	},
	{
		behaviour: "two hosts of one domain, one of them slower",
		answers: [() => file("Crawl-delay: 1"), () => file("Crawl-delay: 4")],
		options: { paceBy: "domain" },
		urls: [...urlsOf("a.example.co.uk", 2), ...urlsOf("b.example.co.uk", 2)],
		asked: 1,
		within: 14,
	},
	{
		behaviour: "http and https of one host",
		answers: [() => file("Crawl-delay: 2")],
		urls: ["http://a.test/a", "https://a.test/a", "http://a.test/b"],
		asked: 2,
		within: 7,
	},
	{
		behaviour: "groups by a function",
		answers: [() => file("Crawl-delay: 2")],
		options: { paceBy: () => "all" },
		urls: ["http://a.test/a", "https://b.test/a", "http://c.test/b"],
		asked: 2,
		within: 7,
	},
	{
		behaviour: "a page's 503 and 429",
		answers: [() => file("Crawl-delay: 1")],
		statuses: [200, 503, 429],
		asked: 1,
		visits: 6,
		within: 24,
	},
];
