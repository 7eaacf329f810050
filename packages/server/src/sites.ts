/**
 * What is known of sites: their sitemaps, robots.txt files that are fetched before they are needed, forgotten, or replaced by an operator's.
 */
import { Refusal } from "./bounds.ts";
import { dateOf, jsonWithTexts, LINES } from "./formats.ts";
import {
	bodyType,
	enter,
	JSON_TYPE,
	originOf,
	type Parts,
	type Query,
} from "./requests.ts";

/** Bytes of an override. */
const MOST_OVERRIDE = 512_000;

/** Adds the routes of sites. */
export function addSites(parts: Parts): void {
	const { app, admission, store } = parts;

	app.get<{ Querystring: Query }>("/sitemaps", async (request, reply) => {
		const origin = originOf(request.query.origin);
		const { client, work, signal } = enter(parts, request, reply);
		const sitemaps = await work.within(client.sitemaps(origin, { signal }));
		const found = await work.within(client.access(origin, { signal }));
		const { reason } = found;
		const rest = { origin, reason, expires: dateOf(found.expires) };
		reply.type(JSON_TYPE);
		return work.within(jsonWithTexts(rest, "sitemaps", sitemaps));
	});

	app.post("/origins", async (request, reply) => {
		bodyType(request, [LINES]);
		const { client, work, signal } = enter(parts, request, reply);
		const urls = (await work.body())
			.toString("utf8")
			.split(/\r?\n/)
			.filter((line) => line !== "");
		work.checkRows(urls.length);
		await work.within(client.prefetch(urls, { signal }));
		return { origins: new Set(urls.map(originOf)).size };
	});

	app.put<{ Params: { origin: string } }>(
		"/origins/:origin",
		async (request, reply) => {
			bodyType(request, [LINES]);
			const origin = originOf(request.params.origin);
			const work = admission.enter(request, reply);
			const body = await work.body();
			if (body.length > MOST_OVERRIDE)
				throw new Refusal(
					413,
					"too-large",
					`a robots.txt has at most ${MOST_OVERRIDE} bytes here`,
				);
			await withStore(work.within(store.change(origin, body.toString("utf8"))));
			return reply.code(204).send();
		},
	);

	app.delete<{ Params: { origin: string } }>(
		"/origins/:origin",
		async (request, reply) => {
			const origin = originOf(request.params.origin);
			const work = admission.enter(request, reply);
			if (!(await withStore(work.within(store.change(origin, undefined)))))
				throw new Refusal(404, "not-found", `${origin} has no override`);
			return reply.code(204).send();
		},
	);

	app.post<{ Querystring: Query }>("/forget", async (request, reply) => {
		const origin = originOf(request.query.origin);
		const work = admission.enter(request, reply);
		await withStore(work.within(store.forget(origin)));
		return reply.code(204).send();
	});

	const withStore = async <T>(work: Promise<T>): Promise<T> => {
		try {
			return await work;
		} catch (error) {
			if (error instanceof Refusal) throw error;
			app.log.warn({ err: error }, "the store failed");
			throw new Refusal(503, "store-unavailable", "the store failed", 1);
		}
	};
}
