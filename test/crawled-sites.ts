/**
 * Sites on loopback that behave as sites do: they fail once, want to be left alone, forbid, move, ask for a pace. Tests of whatever crawls let
 * it loose on them, and ask what was fetched, what was lost, and how long the shortest pause was. Times are those of the server, and may only
 * be compared to one side: a busy machine makes pauses longer.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";

/** An answer; null resets the connection. */
export type Answer = {
	readonly status: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string;
	/** Milliseconds that it is held back. */
	readonly after?: number;
} | null;

export interface Behaviour {
	readonly name: string;
	/** What robots.txt is answered with: one after another, the last again and again. */
	readonly robots: readonly Answer[];
	/** What the page /tea is answered with before it is itself. */
	readonly tea?: readonly Answer[];
	/** Seconds that the rules ask for between two pages. Default: 0. */
	readonly delay?: number;
	/** How often robots.txt is asked for. Default: once. */
	readonly asked?: number;
}

export const LINKS = ["/", "/coffee", "/milk", "/private/prices", "/tea"];
export const ALLOWED = LINKS.filter((path) => !path.startsWith("/private/"));
const RULES = "User-agent: *\nDisallow: /private/\n";

/** Rules that ask for a pause of so many seconds. */
const rules = (delay: number, headers = {}): Answer => ({
	status: 200,
	headers,
	body: `${RULES}Crawl-delay: ${delay}\n`,
});
const OK = rules(0);
const retryAfter = { "retry-after": "1" };
const LATER: Answer = { status: 503, headers: retryAfter };

/** What every crawler must get through without losing a page. */
export const behaviours: readonly Behaviour[] = [
	{ name: "200", robots: [OK] },
	{ name: "503 once", robots: [{ status: 503 }, OK], asked: 2 },
	{ name: "503 with Retry-After", robots: [LATER, OK], asked: 2 },
	{ name: "429 twice", robots: [{ status: 429 }, LATER, OK], asked: 3 },
	{ name: "reset", robots: [null, OK], asked: 2 },
	{ name: "slow", robots: [{ ...rules(0), status: 200, after: 300 }] },
	{
		name: "redirect",
		robots: [{ status: 301, headers: { location: "/rules.txt" } }, OK],
		asked: 2,
	},
	{ name: "a page that is 503 once", robots: [OK], tea: [LATER] },
	{ name: "a page that is reset once", robots: [OK], tea: [null] },
	{ name: "Crawl-delay: 0.5", robots: [rules(0.5)], delay: 0.5 },
];

/** A site that is there. */
export interface CrawledSite {
	readonly behaviour: Behaviour;
	/** Without a slash at the end. */
	readonly url: string;
	/** How often its robots.txt was asked for. */
	asked: number;
	/** Requests for pages, by the server's clock; the end is before the answer, so that the crawler cannot know of it earlier. */
	readonly pages: { path: string; start: number; end: number }[];
	/** Paths of pages that were answered with 200, in order, each once. */
	readonly fetched: string[];
}

/** Milliseconds of the shortest pause between two pages of a site. */
export function shortestPause({ pages }: CrawledSite): number {
	const sorted = [...pages].sort((a, b) => a.start - b.start);
	let last = Number.NEGATIVE_INFINITY;
	let shortest = Number.POSITIVE_INFINITY;
	for (const { start, end } of sorted) {
		shortest = Math.min(shortest, start - last);
		last = Math.max(last, end);
	}
	return shortest;
}

/** Shows a row of a table with ROBOTRIE_TABLE=1: pages fetched, pages lost, the shortest pause. Expects that nothing was lost, forbidden pages were not asked for, and the pace was kept. */
export function expectCrawled(site: CrawledSite): void {
	const { name, delay = 0, asked = 1 } = site.behaviour;
	expect([name, ...site.fetched.sort()]).toEqual([name, ...ALLOWED]);
	expect([name, site.asked]).toEqual([name, asked]);
	const pause = shortestPause(site);
	if (process.env.ROBOTRIE_TABLE)
		console.log(
			`| ${name} | ${site.fetched.length} | ${ALLOWED.length - site.fetched.length} | ${pause.toFixed(1)} ms of ${delay * 1000} |`,
		);
	expect(pause, name).toBeGreaterThanOrEqual(delay * 1000 - 1);
}

/** Serves sites until it is disposed. */
export async function serveSites(
	given: readonly Behaviour[],
): Promise<AsyncDisposable & { readonly sites: readonly CrawledSite[] }> {
	const made = await Promise.all(given.map(serveSite));
	return {
		sites: made.map(({ site }) => site),
		async [Symbol.asyncDispose]() {
			for (const { server } of made) {
				server.closeAllConnections();
				server.close();
				await once(server, "close");
			}
		},
	};
}

async function serveSite(behaviour: Behaviour) {
	const robots = [...behaviour.robots];
	const tea = [...(behaviour.tea ?? [])];
	const page: Answer = {
		status: 200,
		headers: { "content-type": "text/html" },
		body: LINKS.map((path) => `<a href="${path}">${path}</a>`).join("\n"),
	};
	const server = createServer(({ url: path = "" }, response) => {
		const start = performance.now();
		const isRobots = ["/robots.txt", "/rules.txt"].includes(path);
		let answer: Answer | undefined;
		if (isRobots) {
			site.asked++;
			answer = robots.length > 1 ? robots.shift() : robots[0];
		} else {
			if (path === "/tea") answer = tea.shift();
			if (answer === undefined) {
				answer = page;
				if (!site.fetched.includes(path)) site.fetched.push(path);
			}
			site.pages.push({ path, start, end: performance.now() });
		}
		if (!answer) {
			response.destroy();
			return;
		}
		const { status, headers = {}, body = "", after = 0 } = answer;
		const send = () => response.writeHead(status, headers).end(body);
		if (after > 0) setTimeout(send, after);
		else send();
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	const url = `http://127.0.0.1:${port}`;
	const site: CrawledSite = {
		behaviour,
		url,
		asked: 0,
		pages: [],
		fetched: [],
	};
	return { server, site };
}
