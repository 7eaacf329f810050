/**
 * When crawlers may come: the routes of /visits give times out, look at them, hear of their end and take them back. What changes something is
 * POST, PUT or DELETE: a page in a browser can have GET sent without asking.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { Verdict } from "robotrie";
import { Refusal, type Work } from "./bounds.ts";
import type { Crawler } from "./crawlers.ts";
import { dateOf, timeOf, words } from "./formats.ts";
import { enter, originOf, type Parts, type Query } from "./requests.ts";

interface VisitQuery extends Omit<Query, "origin" | "fetch"> {
	readonly at: string;
	readonly maxWait?: number;
	readonly status?: number;
	readonly retryAfter?: string;
}
interface VisitRoute {
	readonly Querystring: VisitQuery;
}

/** Adds the routes of visits. */
export function addVisits(parts: Parts): void {
	const { app, metrics } = parts;
	for (const method of ["get", "post"] as const)
		app[method]<VisitRoute>("/visits", async (request, reply) => {
			const { url, maxWait = Infinity } = request.query;
			originOf(url);
			const { crawler, client, work, signal } = enter(parts, request, reply);
			const isReserved = method === "post";
			const { verdict, at, reason } = await work.within(
				planVisit(crawler, url, isReserved, maxWait, work),
			);
			metrics.verdict(verdict);
			if (isReserved && verdict === Verdict.Allowed) metrics.visit("given");
			const crawlDelay = await work.within(client.crawlDelay(url, { signal }));
			return {
				verdict: words[verdict],
				at: at === undefined ? null : dateOf(at),
				wait: at === undefined ? null : Math.max(0, at - Date.now()),
				crawlDelay: crawlDelay ?? null,
				reason,
			};
		});

	/** A visit that was given out. Perhaps another replica has done that: its client knows of it afterwards. */
	const given = async (
		request: FastifyRequest<VisitRoute>,
		reply: FastifyReply,
	) => {
		const { url, at } = request.query;
		const origin = originOf(url);
		const time = timeOf(at);
		const { client, work, signal } = enter(parts, request, reply);
		await work.within(client.nextVisit(url, { signal, reserve: false }));
		return { client, origin, time };
	};

	app.put<VisitRoute>("/visits", async (request, reply) => {
		const { client, time } = await given(request, reply);
		const { url, status, retryAfter } = request.query;
		const headers =
			retryAfter === undefined ? {} : { "retry-after": retryAfter };
		const answer = status === undefined ? undefined : { status, headers };
		client.visited(url, time, answer);
		metrics.visit("ended");
		return reply.code(204).send();
	});

	app.delete<VisitRoute>("/visits", async (request, reply) => {
		const { client, origin, time } = await given(request, reply);
		const { url, at } = request.query;
		if (!client.release(url, time))
			throw new Refusal(
				404,
				"not-found",
				`no visit of ${origin} was given out for ${at}`,
			);
		metrics.visit("given-back");
		return reply.code(204).send();
	});
}

/** Milliseconds for which what a file asks for counts, even if it expires earlier. */
const LEAST_KNOWN = 60_000;

/** A page's verdict, and when it may be visited. */
interface PlannedVisit {
	readonly verdict: Verdict;
	/** With Allowed the time of the visit, with Later that from which on to ask again; milliseconds since 1970. */
	readonly at?: number;
	/** Why it is not allowed. */
	readonly reason?: string;
}

/** When a page may be visited. The time is given out with `reserve`, unless it would come after so many milliseconds. */
async function planVisit(
	{ client }: Crawler,
	url: string,
	reserve: boolean,
	maxWait: number,
	{ signal }: Work,
): Promise<PlannedVisit> {
	const [verdict] = await client.matchMany([url], { signal });
	if (verdict === Verdict.Later) {
		const { reason, expires } = await client.access(url, { signal });
		return { verdict, at: expires, reason };
	}
	if (verdict !== Verdict.Allowed) {
		const { reason } = await client.explain(url, { signal });
		return { verdict: verdict as Verdict, reason };
	}
	const at = await client.nextVisit(url, { signal, reserve });
	const isTooLate = at - Date.now() > maxWait;
	// Whoever asked for it has gone.
	if (reserve && (isTooLate || signal.aborted)) client.release(url, at);
	if (!isTooLate) return { verdict, at };
	// By the time that its file has expired the site may ask for less.
	const { askedAt, expires } = await client.access(url, { signal });
	const known = Math.max(expires, askedAt + LEAST_KNOWN);
	const reason = `The next visit of the server is later than ${maxWait} ms from now.`;
	return { verdict: Verdict.Later, at: Math.min(at, known), reason };
}
