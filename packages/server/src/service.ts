/**
 * The robots service: a Fastify application over RobotsClient, with the routes that openapi.ts describes. `createService` makes one for
 * programs that listen themselves and for tests; serve.ts opens its store and listens. What is at hand is answered in the turn in which it is
 * asked; everything else is admitted work (bounds.ts).
 */

import { Readable } from "node:stream";
import {
	MemoryStore,
	type RobotsStore,
	type StoreUsage,
} from "@robotrie/client";
import fastify, {
	type FastifyInstance,
	type FastifyReply,
	type FastifyRequest,
	LogController,
} from "fastify";
import { type Agent, type Dialect, Verdict } from "robotrie";
import {
	areAll,
	checkOptions,
	DEFAULT_DIALECT,
	dialectKind,
	flagKind,
	number,
	type OptionTable,
	objectKind,
	wholeNumber,
	withMethods,
} from "robotrie/internal";
import { Admission, type Limits, Refusal, type Work } from "./bounds.ts";
import {
	type Crawler,
	Crawlers,
	type CrawlersOptions,
	isAgent,
} from "./crawlers.ts";
import {
	ARROW,
	allowedAnswers,
	answerOf,
	countLines,
	dateOf,
	type JudgedRows,
	jsonWithTexts,
	LINES,
	NDJSON,
	type Rows,
	rowsOf,
	timeOf,
	withoutMark,
	words,
} from "./formats.ts";
import { Metrics, traceFetches, traceRequests } from "./metrics.ts";
import { openApi, querySchema } from "./openapi.ts";
import { OverriddenStore } from "./overrides.ts";
import {
	bodyType,
	JSON_TYPE,
	misframed,
	notUrl,
	originOf,
	refuse,
} from "./requests.ts";
import {
	judged,
	peekLines,
	peekMany,
	planVisit,
	startingWith,
} from "./verdicts.ts";

/** Options of `createService`. */
export interface ServiceOptions extends Partial<Limits> {
	/** The crawler of requests that name none: a product token, or several, the most specific first. Default: none, so that requests have to name one. */
	readonly agent?: Agent;
	/** The dialect of requests that name none. Default "rfc9309". */
	readonly dialect?: Dialect;
	/** Where answers are kept; the service closes it. Default: in memory. */
	readonly store?: RobotsStore;
	/** Options of its RobotsClients. */
	readonly client?: CrawlersOptions["client"];
	/** Most crawlers whose rules are kept in memory. Default 32. */
	readonly maxAgents?: number;
	/** Whether spans are told to OpenTelemetry's global tracer. Default false. */
	readonly tracing?: boolean;
	/** Fastify's options: `logger`, `https`, `http2` and others. What it makes is Fastify's application. */
	readonly fastify?: Readonly<Record<string, unknown>>;
}

/** A robots service. */
export type Service = FastifyInstance & {
	/** From now on /readyz says no, so that no new requests are sent here. */
	drain(): void;
};

interface VisitQuery extends Omit<Query, "origin" | "fetch"> {
	readonly at: string;
	readonly maxWait?: number;
	readonly status?: number;
	readonly retryAfter?: string;
}

interface Query {
	readonly url: string;
	readonly origin: string;
	readonly agent?: readonly string[];
	readonly dialect?: string;
	readonly fetch?: "yes" | "no";
}

const bound = number(0, Number.MAX_SAFE_INTEGER);

/** What the options of a service are; `serve` has more. */
export const serviceOptions: OptionTable<ServiceOptions> = {
	agent: {
		text: "a product token or a list of them",
		accepts: (value) =>
			isAgent(value) ||
			(Array.isArray(value) && value.length > 0 && areAll(value, isAgent)),
	},
	dialect: dialectKind,
	store: withMethods("a store", ["get", "set", "delete", "close"]),
	client: objectKind,
	maxAgents: number(1, Number.MAX_SAFE_INTEGER),
	maxBody: bound,
	maxRows: bound,
	maxTime: number(1, 2 ** 31 - 1),
	maxWaiting: bound,
	maxWaitingOfPeer: bound,
	maxHeld: bound,
	maxConnections: wholeNumber(1, Number.MAX_SAFE_INTEGER),
	tracing: flagKind,
	fastify: objectKind,
};

const MEBIBYTE = 1 << 20;
/** Origins that a line of the log names. */
const MOST_NAMED = 20;
/** Bytes of an override. */
const MOST_OVERRIDE = 512_000;

/**
 * Makes the service as a Fastify application, which listens when its caller says so.
 * @example
 * const service = await createService({ agent: "ExampleBot" });
 * const { body } = await service.inject("/allowed?url=https://example.com/&fetch=no");
 * JSON.parse(body); // { allowed: false, verdict: "unknown" }
 * @throws {RobotrieError} invalid-argument, for wrong options; what the store throws when overrides cannot be read.
 */
export async function createService(
	options: ServiceOptions = {},
): Promise<Service> {
	checkOptions("createService", options, serviceOptions);
	const { maxWaiting = 256 } = options;
	const metrics = new Metrics();
	const admission = new Admission(
		{
			maxBody: options.maxBody ?? 16 * MEBIBYTE,
			maxRows: options.maxRows ?? 500_000,
			maxTime: options.maxTime ?? 60_000,
			maxWaiting,
			maxWaitingOfPeer: options.maxWaitingOfPeer ?? Math.ceil(maxWaiting / 2),
			maxHeld: options.maxHeld ?? 256 * MEBIBYTE,
			maxConnections: options.maxConnections ?? 16_384,
		},
		(code) => metrics.refused(code),
	);
	const store = new OverriddenStore(
		options.store ?? new MemoryStore({ maxBytes: 256 * MEBIBYTE }),
	);
	const { agent } = options;
	// `app` is made below: a client's first event comes after a request.
	const crawlers = new Crawlers({
		client: options.client ?? {},
		store,
		agent: typeof agent === "string" ? [agent] : agent,
		dialect: options.dialect ?? DEFAULT_DIALECT,
		maxAgents: options.maxAgents ?? 32,
		onClient(client) {
			metrics.watchClient(client);
			if (options.tracing) traceFetches(client);
			client.on("storeError", ({ operation, error }) =>
				app.log.warn({ operation, err: error }, "the store failed"),
			);
			client.on("corrupt", ({ origin, reason }) =>
				app.log.warn({ origin, reason }, "a damaged entry of the store"),
			);
		},
	});
	metrics.watch(
		admission,
		() => crawlers.clients(),
		() => store.lastUsage,
	);
	// A wrong option of the clients is found now, not by the first request.
	if (agent !== undefined) crawlers.of();
	store.onChange = (origin) => crawlers.forget(origin);
	store.onLoss = (origins) =>
		app.log.warn(
			{ origins: origins.slice(0, MOST_NAMED), count: origins.length },
			"the store had lost overrides; they are written again",
		);
	store.onUsage = (usage, dropped) =>
		app.log.warn({ ...usage, dropped }, usageText(store, usage, dropped));

	// Node's own limits of slow requests.
	const timeouts = {
		headersTimeout: 10_000,
		connectionsCheckingInterval: 1000,
	};
	const { https } = options.fastify ?? {};
	const app: FastifyInstance = fastify({
		...options.fastify,
		logController: new LogController({ disableRequestLogging: true }),
		requestTimeout: 30_000,
		// What its router cannot read, such as "%zz" in a path, is refused as everything else is.
		frameworkErrors: (
			error: Error,
			request: FastifyRequest,
			reply: FastifyReply,
		) => void refuse(error, request, reply, admission),
		// An origin is a parameter of a path, and may be longer than Fastify's 100 characters.
		routerOptions: { maxParamLength: 4096, ignoreTrailingSlash: true },
		// Fastify would drop what it does not know: a misspelled parameter shall be refused, not ignored.
		ajv: { customOptions: { removeAdditional: false } },
		...(https ? { https: { ...timeouts, ...https } } : { http: timeouts }),
	});
	// It may have something to log.
	await store.open();
	// Without descriptors of files left, neither sites nor the store could be asked.
	app.server.maxConnections = admission.limits.maxConnections;
	app.server.on("drop", () => metrics.refused("too-many-connections"));
	app.addHook("onRequest", (request, _reply, done) => done(misframed(request)));
	// Bodies are read by the routes that want one, within their limits.
	app.removeAllContentTypeParsers();
	app.addContentTypeParser("*", (_request, _payload, done) => done(null));
	app.addHook("onResponse", async (request, reply) =>
		metrics.request(
			request.routeOptions.url ?? "",
			reply.statusCode,
			reply.elapsedTime,
		),
	);
	if (options.tracing) traceRequests(app);
	app.setErrorHandler((error, request, reply) =>
		refuse(error, request, reply, admission),
	);
	app.setNotFoundHandler(() => {
		throw new Refusal(
			404,
			"not-found",
			"there is no such route; see /openapi.json",
		);
	});
	let isDraining = false;

	/** Work with a crawler, which stays as long as the work. */
	const begin = (
		request: FastifyRequest,
		reply: FastifyReply,
		crawler?: Crawler,
	): Work => {
		const work = admission.enter(request, reply);
		if (crawler) use(work, crawler);
		return work;
	};

	app.get<{ Querystring: Query }>(
		"/allowed",
		{ schema: { querystring: querySchema("/allowed", "get") } },
		(request, reply) => {
			const { url, agent, dialect, fetch } = request.query;
			const crawler = crawlers.of(agent, dialect);
			const answer = (verdict: number) => {
				if (verdict === Verdict.Invalid) throw notUrl(url);
				metrics.verdict(verdict);
				reply.header("content-type", JSON_TYPE);
				return reply.send(allowedAnswers[verdict]);
			};
			const answerLater = async (work: Work) => {
				const { signal } = work;
				const access = work.within(crawler.client.access(url, { signal }));
				const { expires, reason } = await access;
				metrics.verdict(Verdict.Later);
				reply.header("content-type", JSON_TYPE);
				return reply.send(
					JSON.stringify({
						allowed: false,
						verdict: "later",
						at: dateOf(expires),
						reason,
					}),
				);
			};
			const urls = [url];
			// What is in memory is answered without a promise and without a place among those that wait: most requests end here.
			const verdict = crawler.client.peek(urls)[0] as number;
			const isAnswered = verdict !== Verdict.Unknown || fetch === "no";
			if (isAnswered && verdict !== Verdict.Later) return answer(verdict);
			const work = begin(request, reply, crawler);
			if (isAnswered) return answerLater(work);
			return work
				.within(crawler.client.matchMany(urls, { signal: work.signal }))
				.then(([verdict]) =>
					verdict === Verdict.Later
						? answerLater(work)
						: answer(verdict as number),
				);
		},
	);

	app.get<{ Querystring: Query }>(
		"/explain",
		{ schema: { querystring: querySchema("/explain", "get") } },
		async (request, reply) => {
			const { url, agent, dialect } = request.query;
			const crawler = crawlers.of(agent, dialect);
			const work = begin(request, reply, crawler);
			const { signal } = work;
			const { client } = crawler;
			const found = await work.within(client.explain(url, { signal }));
			const access = await work.within(client.access(url, { signal }));
			const [verdict] = await work.within(client.matchMany([url], { signal }));
			reply.header("content-type", JSON_TYPE);
			return JSON.stringify({
				...found,
				verdict: words[verdict as number],
				access: access.access,
				code: access.code,
				expires: dateOf(access.expires),
			});
		},
	);

	/** What changes something is POST, PUT or DELETE: a page in a browser can have GET sent without asking. */
	for (const method of ["get", "post"] as const)
		app[method]<{ Querystring: VisitQuery }>(
			"/visits",
			{ schema: { querystring: querySchema("/visits", method) } },
			async (request, reply) => {
				const { url, agent, dialect, maxWait = Infinity } = request.query;
				originOf(url);
				const crawler = crawlers.of(agent, dialect);
				const work = begin(request, reply, crawler);
				const isReserved = method === "post";
				const { verdict, at, reason } = await work.within(
					planVisit(crawler, url, isReserved, maxWait, work),
				);
				metrics.verdict(verdict);
				if (isReserved && verdict === Verdict.Allowed) metrics.visit("given");
				const { client } = crawler;
				const { signal } = work;
				const crawlDelay = await work.within(
					client.crawlDelay(url, { signal }),
				);
				reply.header("content-type", JSON_TYPE);
				return JSON.stringify({
					verdict: words[verdict],
					at: at === undefined ? null : dateOf(at),
					wait: at === undefined ? null : Math.max(0, at - Date.now()),
					crawlDelay: crawlDelay ?? null,
					...(reason === undefined ? {} : { reason }),
				});
			},
		);

	app.put<{ Querystring: VisitQuery }>(
		"/visits",
		{ schema: { querystring: querySchema("/visits", "put") } },
		async (request, reply) => {
			const { url, at, agent, dialect, status, retryAfter } = request.query;
			originOf(url);
			const time = timeOf(at);
			const crawler = crawlers.of(agent, dialect);
			const work = begin(request, reply, crawler);
			const { client } = crawler;
			const { signal } = work;
			// What another replica has given out is known then.
			await work.within(client.nextVisit(url, { signal, reserve: false }));
			const headers =
				retryAfter === undefined ? {} : { "retry-after": retryAfter };
			const answer = status === undefined ? undefined : { status, headers };
			client.visited(url, time, answer);
			metrics.visit("ended");
			return reply.code(204).send();
		},
	);

	app.delete<{ Querystring: VisitQuery }>(
		"/visits",
		{ schema: { querystring: querySchema("/visits", "delete") } },
		async (request, reply) => {
			const { url, at, agent, dialect } = request.query;
			const origin = originOf(url);
			const time = timeOf(at);
			const crawler = crawlers.of(agent, dialect);
			const work = begin(request, reply, crawler);
			const { client } = crawler;
			const { signal } = work;
			// Another replica may have given it out.
			await work.within(client.nextVisit(url, { signal, reserve: false }));
			if (!client.release(url, time))
				throw new Refusal(
					404,
					"not-found",
					`no visit of ${origin} was given out for ${at}`,
				);
			metrics.visit("given-back");
			return reply.code(204).send();
		},
	);

	app.get<{ Querystring: Query }>(
		"/sitemaps",
		{ schema: { querystring: querySchema("/sitemaps", "get") } },
		async (request, reply) => {
			const { agent, dialect } = request.query;
			const origin = originOf(request.query.origin);
			const crawler = crawlers.of(agent, dialect);
			const work = begin(request, reply, crawler);
			const { client } = crawler;
			const { signal } = work;
			const sitemaps = await work.within(client.sitemaps(origin, { signal }));
			const found = await work.within(client.access(origin, { signal }));
			reply.header("content-type", JSON_TYPE);
			const { reason } = found;
			const rest = { origin, reason, expires: dateOf(found.expires) };
			return work.within(jsonWithTexts(rest, "sitemaps", sitemaps));
		},
	);

	app.post<{ Querystring: Query }>(
		"/match",
		{ schema: { querystring: querySchema("/match", "post") } },
		async (request, reply) => {
			const type = bodyType(request, [LINES, NDJSON, ARROW]);
			const { agent, dialect, fetch } = request.query;
			const work = begin(request, reply);
			const body = await work.body();
			reply.header(
				"content-type",
				type === LINES ? `${LINES}; charset=utf-8` : type,
			);
			if (type !== LINES) {
				const rows = await rowsOf(type, body, work);
				const judged = await matchRows(rows, request.query, work);
				metrics.verdicts(judged.verdicts);
				return answerOf(type, rows, judged);
			}
			const crawler = crawlers.of(agent, dialect);
			use(work, crawler);
			const lines = withoutMark(body);
			work.checkRows(countLines(lines));
			// fetch=no looks in memory only; else later blocks are judged while the sites of earlier ones are fetched.
			const judge = (block: Uint8Array) =>
				fetch === "no"
					? peekLines(crawler, block, work)
					: crawler.client.matchLines(block, { signal: work.signal });
			const answer = judged(lines, judge, work, metrics);
			// The first block decides about the status.
			const first = await answer.next();
			if (first.done) return Buffer.alloc(0);
			return reply.send(Readable.from(startingWith(first.value, answer)));
		},
	);

	/** Rows by crawler, each crawler's URLs in one call. */
	const matchRows = async (
		rows: Rows,
		query: Query,
		work: Work,
	): Promise<JudgedRows> => {
		const groups = new Map<string, { crawler: Crawler; places: number[] }>();
		for (let i = 0; i < rows.urls.length; i++) {
			const agents = rows.agents?.[i] ?? query.agent;
			const crawler = crawlers.of(agents, rows.dialects?.[i] ?? query.dialect);
			let group = groups.get(crawler.key);
			if (!group) {
				use(work, crawler);
				group = { crawler, places: [] };
				groups.set(crawler.key, group);
			}
			group.places.push(i);
		}
		const verdicts = new Uint8Array(rows.urls.length);
		const times = new Float64Array(rows.urls.length);
		await work.within(
			Promise.all(
				[...groups.values()].map(async ({ crawler, places }) => {
					const urls = places.map((place) => rows.urls[place] as string);
					const found =
						query.fetch === "no"
							? await peekMany(crawler, urls, work)
							: await crawler.client.matchMany(urls, { signal: work.signal });
					for (const [i, place] of places.entries()) {
						verdicts[place] = found[i] as number;
						if (found[i] !== Verdict.Later) continue;
						// At hand: it has just been looked up.
						const url = urls[i] as string;
						const { signal } = work;
						const { expires } = await crawler.client.access(url, { signal });
						times[place] = expires;
					}
				}),
			),
		);
		return { verdicts, times };
	};

	app.post<{ Querystring: Query }>(
		"/origins",
		{ schema: { querystring: querySchema("/origins", "post") } },
		async (request, reply) => {
			bodyType(request, [LINES]);
			const { agent, dialect } = request.query;
			const crawler = crawlers.of(agent, dialect);
			const work = begin(request, reply, crawler);
			const urls = (await work.body())
				.toString("utf8")
				.split(/\r?\n/)
				.filter((line) => line !== "");
			work.checkRows(urls.length);
			const { signal } = work;
			await work.within(crawler.client.prefetch(urls, { signal }));
			reply.header("content-type", JSON_TYPE);
			return JSON.stringify({ origins: new Set(urls.map(originOf)).size });
		},
	);

	app.put<{ Params: { origin: string } }>(
		"/origins/:origin",
		async (request, reply) => {
			bodyType(request, [LINES]);
			const origin = originOf(request.params.origin);
			const work = begin(request, reply);
			const body = await work.body();
			if (body.length > MOST_OVERRIDE)
				throw new Refusal(
					413,
					"too-large",
					`a robots.txt has at most ${MOST_OVERRIDE} bytes here`,
				);
			await changeOverride(work, origin, body.toString("utf8"));
			return reply.code(204).send();
		},
	);

	app.delete<{ Params: { origin: string } }>(
		"/origins/:origin",
		async (request, reply) => {
			const origin = originOf(request.params.origin);
			const work = begin(request, reply);
			if (!(await changeOverride(work, origin, undefined)))
				throw new Refusal(404, "not-found", `${origin} has no override`);
			return reply.code(204).send();
		},
	);

	app.post<{ Querystring: Query }>(
		"/forget",
		{ schema: { querystring: querySchema("/forget", "post") } },
		async (request, reply) => {
			const origin = originOf(request.query.origin);
			const work = begin(request, reply);
			await withStore(work.within(store.forget(origin)));
			return reply.code(204).send();
		},
	);

	const changeOverride = (
		work: Work,
		origin: string,
		robots: string | undefined,
	) => withStore(work.within(store.change(origin, robots)));

	const withStore = async <T>(work: Promise<T>): Promise<T> => {
		try {
			return await work;
		} catch (error) {
			if (error instanceof Refusal) throw error;
			app.log.warn({ err: error }, "the store failed");
			throw new Refusal(503, "store-unavailable", "the store failed", 1);
		}
	};

	app.get("/metrics", async (_request, reply) => {
		reply.header("content-type", metrics.contentType);
		return metrics.text();
	});
	app.get("/healthz", (_request, reply) => reply.send("ok\n"));
	app.get("/readyz", (_request, reply) =>
		isDraining ? reply.code(503).send("draining\n") : reply.send("ready\n"),
	);
	app.get("/openapi.json", (_request, reply) => {
		reply.header("content-type", JSON_TYPE);
		return reply.send(JSON.stringify(openApi));
	});

	app.addHook("onClose", async () => {
		// The clients before their store, to which they may still write.
		await crawlers.close();
		await store.close();
	});
	// A connection that is kept alive would hold a stop up for as long as its client keeps it.
	app.addHook("onSend", async (request, reply) => {
		if (isDraining && request.raw.httpVersionMajor === 1)
			reply.header("connection", "close");
	});
	// That of an answer that had begun before is idle in the next turn.
	app.addHook("onResponse", async () => {
		if (isDraining && "closeIdleConnections" in app.server)
			setImmediate(() => app.server.closeIdleConnections());
	});
	return Object.assign(app, {
		drain() {
			isDraining = true;
		},
	});
}

/** What a store that is full, was full, or drops entries means to the operator. */
function usageText(
	{ isNearlyFull }: OverriddenStore,
	{ evicts }: StoreUsage,
	dropped: number,
): string {
	if (dropped > 0)
		return "the store has dropped entries, perhaps visits that were given out: pauses may be too short. Give it more memory and the policy noeviction";
	if (isNearlyFull)
		return `the store is nearly full: it gets no further robots.txt files, only visits and overrides. Give it more memory${evicts ? " and the policy noeviction" : ""}`;
	return evicts
		? "the store drops entries when it is full, perhaps visits that were given out: give it the policy noeviction"
		: "the store has room again";
}

/** Keeps a crawler's client while a request needs it. */
function use(work: Work, crawler: Crawler): void {
	crawler.uses++;
	work.whenEnded(() => crawler.uses--);
}
