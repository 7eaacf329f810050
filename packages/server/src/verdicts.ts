/**
 * Whether a crawler may fetch a URL: the routes /allowed and /explain. match.ts judges many URLs.
 */
import { Verdict } from "robotrie";
import { allowedAnswers, dateOf, words } from "./formats.ts";
import * as api from "./openapi.ts";
import { enter, JSON_TYPE, notUrl } from "./requests.ts";

const { allowed, disallowed, down, isDown, isNoUrl, noUrl } = api.samples;
const askedUrl = api.asked("url", "An absolute http, https or ftp URL.");

const isAllowed: api.Route = {
	on: "GET /allowed",
	operationId: "isAllowed",
	summary: "Whether a crawler may fetch a URL",
	parameters: [askedUrl, ...api.crawler, api.fetch],
	answers: {
		...api.refusals,
		200: api.json("The verdict.", "Allowed", {
			allowed: { type: "boolean" },
			verdict: api.verdict,
			"at?": api.dateTime("With later: from when on to ask again."),
			"reason?": api.text("With later: why."),
		}),
	},
	examples: {
		allowed: [{ url: allowed }, { allowed: true, verdict: "allowed" }],
		disallowed: [
			{ url: disallowed },
			{ allowed: false, verdict: "disallowed" },
		],
		otherCrawler: [
			{ url: disallowed, agent: ["OtherBot"] },
			{ allowed: true, verdict: "allowed" },
		],
		notAtHand: [
			{ url: api.samples.neverAsked, fetch: "no" },
			{ allowed: false, verdict: "unknown" },
		],
		later: [{ url: down }, { allowed: false, ...isDown }],
		notUrl: [{ url: noUrl }, isNoUrl, 400],
	},
	handle(parts, request, reply) {
		const { crawlers, metrics } = parts;
		const { url, agent, dialect, fetch } = request.query;
		const { client } = crawlers.of(agent, dialect);
		const answer = (verdict: number) => {
			if (verdict === Verdict.Invalid) throw notUrl(url);
			metrics.verdict(verdict);
			return reply.type(JSON_TYPE).send(allowedAnswers[verdict]);
		};
		const answerLater = async ({ work, signal }: ReturnType<typeof enter>) => {
			const access = work.within(client.access(url, { signal }));
			const { expires, reason } = await access;
			metrics.verdict(Verdict.Later);
			return reply.send({
				allowed: false,
				verdict: "later",
				at: dateOf(expires),
				reason,
			});
		};
		const urls = [url];
		// What is in memory is answered without a promise and without a place among those that wait: most requests end here.
		const verdict = client.peek(urls)[0] as number;
		const isAnswered = verdict !== Verdict.Unknown || fetch === "no";
		if (isAnswered && verdict !== Verdict.Later) return answer(verdict);
		const entered = enter(parts, request, reply);
		if (isAnswered) return answerLater(entered);
		const { work, signal } = entered;
		return work
			.within(client.matchMany(urls, { signal }))
			.then(([verdict]) =>
				verdict === Verdict.Later
					? answerLater(entered)
					: answer(verdict as number),
			);
	},
};

const explain: api.Route = {
	on: "GET /explain",
	operationId: "explain",
	summary: "Whether a crawler may fetch a URL, and why",
	parameters: [askedUrl, ...api.crawler],
	answers: {
		...api.refusals,
		200: api.json(
			"The line that decides, or what became of the request for robots.txt.",
			"Explanation",
			{
				allowed: { type: "boolean" },
				verdict: api.verdict,
				rule: api.nullable(
					api.object({
						type: api.oneOf("allow", "disallow"),
						pattern: api.text(),
						line: { type: "integer", minimum: 1 },
					}),
				),
				group: api.nullable(
					api.object({
						agents: { type: "array", items: api.text() },
						line: api.nullable({ type: "integer", minimum: 1 }),
					}),
				),
				reason: api.text(),
				access: api.oneOf("rules", "allow-all", "disallow-all"),
				code: api.text(),
				expires: api.dateTime(),
			},
		),
	},
	examples: {
		rule: [
			{ url: disallowed },
			{
				allowed: false,
				...api.samples.isDisallowed,
				rule: { type: "disallow", pattern: "/private/", line: 2 },
				group: { agents: ["ExampleBot"], line: 1 },
				access: "rules",
				code: "success",
				expires: "2026-01-02T00:00:00.000Z",
			},
		],
		noFile: [
			{ url: `${api.samples.noFile}/a` },
			{
				allowed: true,
				verdict: "allowed",
				rule: null,
				group: null,
				...api.samples.hasNoFile,
				access: "allow-all",
				code: "client-error",
			},
		],
		notUrl: [{ url: noUrl }, isNoUrl, 400],
	},
	async handle(parts, request, reply) {
		const { url } = request.query;
		const { client, work, signal } = enter(parts, request, reply);
		const found = await work.within(client.explain(url, { signal }));
		const { access, code, expires } = await work.within(
			client.access(url, { signal }),
		);
		const [verdict] = await work.within(client.matchMany([url], { signal }));
		return {
			...found,
			verdict: words[verdict as number],
			access,
			code,
			expires: dateOf(expires),
		};
	},
};

export const verdictRoutes = [isAllowed, explain];
