/**
 * What is known of sites: their sitemaps, robots.txt files that are fetched before they are needed, forgotten, or replaced by an operator's.
 */
import { Refusal } from "./bounds.ts";
import { dateOf, jsonWithTexts, LINES, withoutMark } from "./formats.ts";
import * as api from "./openapi.ts";
import {
	bodyType,
	enter,
	JSON_TYPE,
	MOST_ORIGIN,
	originOf,
	type Parts,
} from "./requests.ts";

const askedOrigin = api.asked(
	"origin",
	"Scheme, host and port; a URL counts as its origin.",
);
const { hasNoFile, isNoUrl, noFile, noUrl } = api.samples;
const SITEMAPS = "https://sitemaps.example";
const OVERRIDDEN = "https://overridden.example";
const CLOSED = "User-agent: *\nDisallow: /\n";
/** Bytes of an override. */
const MOST_OVERRIDE = 512_000;

const sitemaps: api.Route = {
	on: "GET /sitemaps",
	operationId: "sitemaps",
	summary: "The sitemaps that a site's robots.txt names",
	parameters: [askedOrigin, ...api.crawler],
	answers: {
		...api.refusals,
		200: api.json("Absolute URLs, each once.", "Sitemaps", {
			origin: api.text(),
			sitemaps: { type: "array", items: api.text() },
			reason: api.text("What became of the request for robots.txt."),
			expires: api.dateTime(),
		}),
	},
	examples: {
		sitemaps: [
			{ origin: SITEMAPS },
			{
				origin: SITEMAPS,
				sitemaps: [`${SITEMAPS}/map.xml`, "https://other.example/map.xml"],
				reason: "HTTP 200: the rules of the file hold.",
				expires: "2026-01-02T00:00:00.000Z",
			},
		],
		noFile: [
			{ origin: noFile },
			{ origin: noFile, sitemaps: [], ...hasNoFile },
		],
		notUrl: [{ origin: noUrl }, isNoUrl, 400],
	},
	async handle(parts, request, reply) {
		const origin = originOf(request.query.origin);
		const { client, work, signal } = enter(parts, request, reply);
		const sitemaps = await work.within(client.sitemaps(origin, { signal }));
		const found = await work.within(client.access(origin, { signal }));
		const { reason } = found;
		const rest = { origin, reason, expires: dateOf(found.expires) };
		reply.type(JSON_TYPE);
		return work.within(jsonWithTexts(rest, "sitemaps", sitemaps));
	},
};

const prefetch: api.Route = {
	on: "POST /origins",
	operationId: "prefetch",
	summary: "Fetches robots.txt files before they are needed",
	parameters: api.crawler,
	bodies: { [LINES]: api.text("An origin or URL a line.") },
	answers: {
		...api.bulkRefusals,
		200: api.json("All of them are known now.", "Prefetched", {
			origins: { type: "integer", minimum: 0 },
		}),
	},
	examples: {
		two: [{ [LINES]: `https://example.com\n${noFile}/a\n` }, { origins: 2 }],
		notUrl: [{ [LINES]: `${noUrl}\n` }, isNoUrl, 400],
	},
	async handle(parts, request, reply) {
		bodyType(request, [LINES]);
		const { client, work, signal } = enter(parts, request, reply);
		const urls = withoutMark(await work.body())
			.toString("utf8")
			.split(/\r?\n/)
			.filter((line) => line !== "");
		work.checkRows(urls.length);
		await work.within(client.prefetch(urls, { signal }));
		return { origins: new Set(urls.map(originOf)).size };
	},
};

const forget: api.Route = {
	on: "POST /forget",
	operationId: "forget",
	summary: "Forgets what is known of a site: its robots.txt is fetched anew",
	description:
		"By all replicas of the store within a second or two. An override stays.",
	parameters: [askedOrigin],
	answers: { ...api.refusals, 204: { description: "It is forgotten." } },
	examples: {
		forgotten: [{ origin: SITEMAPS }],
		notUrl: [{ origin: noUrl }, isNoUrl, 400],
	},
	async handle(parts, request, reply) {
		const origin = originOf(request.query.origin);
		const work = parts.admission.enter(request, reply);
		await withStore(parts, work.within(parts.store.forget(origin)));
		return reply.code(204).send();
	},
};

const overridden = {
	name: "origin",
	in: "path",
	required: true,
	description:
		"Scheme, host and port, percent-encoded: https%3A%2F%2Fexample.com.",
	schema: api.upTo(MOST_ORIGIN),
} as const;

const override: api.Route = {
	on: "PUT /origins/{origin}",
	operationId: "override",
	summary: "Sets a robots.txt in place of the site's own, until it is removed",
	description:
		"For all crawlers and all replicas of the store, which know of it within a second or two. All overrides together have at most 1 MiB.",
	parameters: [overridden],
	bodies: { [LINES]: api.text() },
	answers: { ...api.bulkRefusals, 204: { description: "It is set." } },
	examples: {
		set: [{ origin: OVERRIDDEN, [LINES]: CLOSED }],
		notUrl: [{ origin: noUrl, [LINES]: CLOSED }, isNoUrl, 400],
	},
	async handle(parts, request, reply) {
		bodyType(request, [LINES]);
		const origin = originOf(request.params.origin);
		const work = parts.admission.enter(request, reply);
		const body = await work.body();
		if (body.length > MOST_OVERRIDE)
			throw new Refusal(
				413,
				"too-large",
				`a robots.txt has at most ${MOST_OVERRIDE} bytes here`,
			);
		const change = parts.store.change(origin, body.toString("utf8"));
		await withStore(parts, work.within(change));
		return reply.code(204).send();
	},
};

const removeOverride: api.Route = {
	on: "DELETE /origins/{origin}",
	operationId: "removeOverride",
	summary: "Removes an override",
	parameters: [overridden],
	answers: {
		...api.refusals,
		204: { description: "It is removed." },
		404: api.problem("There is none."),
	},
	examples: {
		removed: [{ origin: OVERRIDDEN }],
		notUrl: [{ origin: noUrl }, isNoUrl, 400],
		none: [
			{ origin: "https://example.com" },
			{ code: "not-found", message: "https://example.com has no override" },
			404,
		],
	},
	async handle(parts, request, reply) {
		const origin = originOf(request.params.origin);
		const work = parts.admission.enter(request, reply);
		const change = parts.store.change(origin, undefined);
		if (!(await withStore(parts, work.within(change))))
			throw new Refusal(404, "not-found", `${origin} has no override`);
		return reply.code(204).send();
	},
};

export const siteRoutes = [
	sitemaps,
	prefetch,
	forget,
	override,
	removeOverride,
];

async function withStore<T>({ app }: Parts, work: Promise<T>): Promise<T> {
	try {
		return await work;
	} catch (error) {
		if (error instanceof Refusal) throw error;
		app.log.warn({ err: error }, "the store failed");
		throw new Refusal(503, "store-unavailable", "the store failed", 1);
	}
}
