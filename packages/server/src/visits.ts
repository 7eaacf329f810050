/**
 * When crawlers may come: the routes of /visits give times out, look at them, hear of their end and take them back. What changes something is
 * POST, PUT or DELETE: a page in a browser can have GET sent without asking.
 */
import type { FastifyReply } from "fastify";
import { Verdict } from "robotrie";
import { Refusal, type Work } from "./bounds.ts";
import type { Crawler } from "./crawlers.ts";
import { dateOf, timeOf, words } from "./formats.ts";
import * as api from "./openapi.ts";
import { enter, originOf, type Parts } from "./requests.ts";

const page = api.asked("url", "The page, or its site.");
const givenTime = {
	...api.parameter("at", "The time that was given out.", api.dateTime()),
	required: true,
};
const duration = { type: "number", minimum: 0 };
const planned = [
	page,
	...api.crawler,
	api.parameter(
		"maxWait",
		"Milliseconds: a visit that would come later is not given out; the answer is later, with the time to ask again. Default: no limit.",
		duration,
	),
];
const visit = (description: string) =>
	api.json(description, "Visit", {
		verdict: api.verdict,
		at: api.nullable(
			api.dateTime(),
			"With allowed the time of the visit, with later that from which on to ask again.",
		),
		wait: api.nullable(duration, "Milliseconds until then."),
		crawlDelay: api.nullable(
			{ type: "number" },
			"Seconds that the site asks for by Crawl-delay.",
		),
		"reason?": api.text("Why it is not allowed."),
	});
const { allowed, down, isDown, isNoUrl, noUrl } = api.samples;
const now = "2026-01-01T00:00:00.000Z";
const next = { at: "2026-01-01T00:00:02.000Z", wait: 2000, crawlDelay: 2 };

const give: api.Route = {
	on: "POST /visits",
	operationId: "giveVisit",
	summary: "Whether a crawler may visit a page, and from when on",
	description:
		"Gives the time out if the verdict is allowed: whoever asks next for the server, at any replica of the store, gets a later one. Tell the end by PUT, from which the pause counts, or give the time back by DELETE.",
	parameters: planned,
	answers: { ...api.refusals, 200: visit("The verdict, and the time.") },
	examples: {
		given: [
			{ url: allowed },
			{ verdict: "allowed", at: now, wait: 0, crawlDelay: 2 },
		],
		forbidden: [
			{ url: api.samples.disallowed },
			{
				...api.samples.isDisallowed,
				at: null,
				wait: null,
				crawlDelay: 2,
			},
		],
		unavailable: [{ url: down }, { ...isDown, wait: 60_000, crawlDelay: null }],
		tooLate: [
			{ url: `${allowed}later`, maxWait: 500 },
			{
				verdict: "later",
				...next,
				reason: "The next visit of the server is later than 500 ms from now.",
			},
		],
	},
	handle: planning(true),
};

const look: api.Route = {
	on: "GET /visits",
	operationId: "lookAtVisit",
	summary: "As POST, but gives nothing out",
	parameters: planned,
	answers: {
		...api.refusals,
		200: visit("The verdict, and the earliest time."),
	},
	examples: {
		look: [{ url: allowed }, { verdict: "allowed", ...next }],
		notUrl: [{ url: noUrl }, isNoUrl, 400],
	},
	handle: planning(false),
};

const end: api.Route = {
	on: "PUT /visits",
	operationId: "endVisit",
	summary: "Tells that a visit has ended, whether it succeeded or not",
	description:
		"The pause counts from now. After a page's status 429 or 503 its origin gets no visits until Retry-After.",
	parameters: [
		page,
		givenTime,
		...api.crawler,
		api.parameter("status", "The page's HTTP status.", {
			type: "integer",
			minimum: 100,
			maximum: 999,
		}),
		api.parameter("retryAfter", "Its header field Retry-After.", {
			type: "string",
			maxLength: 100,
		}),
	],
	answers: { ...api.refusals, 204: { description: "It is known." } },
	examples: {
		ended: [{ url: allowed, at: now, status: 200 }],
		refused: [
			{
				url: `${api.samples.noFile}/`,
				at: now,
				status: 503,
				retryAfter: "120",
			},
		],
	},
	async handle(parts, request, reply) {
		const { client, time } = await given(parts, request, reply);
		const { url, status, retryAfter } = request.query;
		const headers =
			retryAfter === undefined ? {} : { "retry-after": retryAfter };
		const answer = status === undefined ? undefined : { status, headers };
		client.visited(url, time, answer);
		parts.metrics.visit("ended");
		return reply.code(204).send();
	},
};

const giveBack: api.Route = {
	on: "DELETE /visits",
	operationId: "giveVisitBack",
	summary: "Gives back a time that was given out: the page is not visited",
	parameters: [page, givenTime, ...api.crawler],
	answers: {
		...api.refusals,
		204: { description: "Others may have it." },
		404: api.problem("It was not given out, or has ended."),
	},
	examples: {
		neverGiven: [
			{ url: allowed, at: now },
			{
				code: "not-found",
				message: `no visit of https://example.com was given out for ${now}`,
			},
			404,
		],
	},
	async handle(parts, request, reply) {
		const { client, origin, time } = await given(parts, request, reply);
		const { url, at } = request.query;
		if (!client.release(url, time))
			throw new Refusal(
				404,
				"not-found",
				`no visit of ${origin} was given out for ${at}`,
			);
		parts.metrics.visit("given-back");
		return reply.code(204).send();
	},
};

export const visitRoutes = [give, look, end, giveBack];

/** Answers whether and when a page may be visited; with `reserve` the time is given out. */
function planning(reserve: boolean): api.Route["handle"] {
	return async (parts, request, reply) => {
		const { metrics } = parts;
		const { url, maxWait = Infinity } = request.query;
		originOf(url);
		const { crawler, client, work, signal } = enter(parts, request, reply);
		const { verdict, at, reason } = await work.within(
			planVisit(crawler, url, reserve, maxWait, work),
		);
		metrics.verdict(verdict);
		if (reserve && verdict === Verdict.Allowed) metrics.visit("given");
		const crawlDelay = await work.within(client.crawlDelay(url, { signal }));
		return {
			verdict: words[verdict],
			at: at === undefined ? null : dateOf(at),
			wait: at === undefined ? null : Math.max(0, at - Date.now()),
			crawlDelay: crawlDelay ?? null,
			reason,
		};
	};
}

/** A visit that was given out. Perhaps another replica has done that: its client knows of it afterwards. */
async function given(
	parts: Parts,
	request: api.RouteRequest,
	reply: FastifyReply,
) {
	const { url, at } = request.query;
	const origin = originOf(url);
	const time = timeOf(at);
	const { client, work, signal } = enter(parts, request, reply);
	await work.within(client.nextVisit(url, { signal, reserve: false }));
	return { client, origin, time };
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
