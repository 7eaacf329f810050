/**
 * The robots service: a Fastify application over RobotsClient. `createService` makes one for programs that listen themselves and for tests;
 * serve.ts opens its store and listens. Its routes are those of verdicts.ts, match.ts, visits.ts and sites.ts, and here what operators ask. What is
 * at hand is answered in the turn in which it is asked; everything else is admitted work (bounds.ts).
 */

import {
	constants,
	type ServerHttp2Session,
	type ServerHttp2Stream,
} from "node:http2";
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
import { type Agent, type Dialect, dialectNames } from "robotrie";

import {
	areAll,
	checkOptions,
	type OptionTable,
} from "#robotrie/common/arguments";
import {
	flagKind,
	number,
	objectKind,
	oneOf,
	wholeNumber,
	withMethods,
} from "#robotrie/common/kinds";
import { Admission, type Limits, Refusal } from "./bounds.ts";
import { Crawlers, type CrawlersOptions, isAgent } from "./crawlers.ts";
import { match } from "./match.ts";
import { Metrics, traceFetches, traceRequests } from "./metrics.ts";
import * as api from "./openapi.ts";
import { OverriddenStore } from "./overrides.ts";
import { MOST_ORIGIN, misframed, type Parts, refuse } from "./requests.ts";
import { siteRoutes } from "./sites.ts";
import { verdictRoutes } from "./verdicts.ts";
import { visitRoutes } from "./visits.ts";

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

const bound = number(0, Number.MAX_SAFE_INTEGER);

/** What the options of a service are; `serve` has more. */
export const serviceOptions: OptionTable<ServiceOptions> = {
	agent: {
		text: "a product token or a list of them",
		accepts: (value) =>
			isAgent(value) ||
			(Array.isArray(value) && value.length > 0 && areAll(value, isAgent)),
	},
	dialect: oneOf(dialectNames),
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
	const { agent, maxWaiting = 256 } = options;
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
	const app = application(options, admission, metrics);
	const { log } = app;
	const store = new OverriddenStore(
		options.store ?? new MemoryStore({ maxBytes: 256 * MEBIBYTE }),
	);
	const crawlers = new Crawlers({
		client: options.client ?? {},
		store,
		agent: typeof agent === "string" ? [agent] : agent,
		dialect: options.dialect ?? dialectNames[0],
		maxAgents: options.maxAgents ?? 32,
		onClient(client) {
			metrics.watchClient(client);
			if (options.tracing) traceFetches(client);
			client.on("storeError", ({ operation, error }) =>
				log.warn({ operation, err: error }, "the store failed"),
			);
			client.on("corrupt", ({ origin, reason }) =>
				log.warn({ origin, reason }, "a damaged entry of the store"),
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
		log.warn(
			{ origins: origins.slice(0, MOST_NAMED), count: origins.length },
			"the store had lost overrides; they are written again",
		);
	store.onUsage = (usage, dropped) =>
		log.warn({ ...usage, dropped }, usageText(store, usage, dropped));
	await store.open();

	const parts = { app, admission, crawlers, metrics, store, isDraining: false };
	api.addRoutes(parts, routes);
	app.addHook("onClose", async () => {
		// The clients before their store, to which they may still write.
		await crawlers.close();
		await store.close();
	});
	endConnections(parts);
	return Object.assign(app, {
		drain() {
			parts.isDraining = true;
		},
	});
}

/** The application without its routes: what holds for every request. */
function application(
	{ fastify: given = {}, tracing }: ServiceOptions,
	admission: Admission,
	metrics: Metrics,
): FastifyInstance {
	// Node's own limits of slow requests.
	const timeouts = {
		headersTimeout: 10_000,
		connectionsCheckingInterval: 1000,
	};
	const { https } = given;
	const refused = (
		error: unknown,
		request: FastifyRequest,
		reply: FastifyReply,
	) => void refuse(error, request, reply, admission);
	const app: FastifyInstance = fastify({
		...given,
		logController: new LogController({ disableRequestLogging: true }),
		requestTimeout: 30_000,
		// What its router cannot read, such as "%zz" in a path, is refused as everything else is.
		frameworkErrors: refused,
		routerOptions: { maxParamLength: MOST_ORIGIN, ignoreTrailingSlash: true },
		// Fastify would drop what it does not know: a misspelled parameter shall be refused, not ignored.
		ajv: { customOptions: { removeAdditional: false } },
		...(https ? { https: { ...timeouts, ...https } } : { http: timeouts }),
	});
	// Without descriptors of files left, neither sites nor the store could be asked.
	app.server.maxConnections = admission.limits.maxConnections;
	app.server.on("drop", () => metrics.refused("too-many-connections"));
	endSessions(app, admission.limits);
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
	if (tracing) traceRequests(app);
	app.setErrorHandler(refused);
	app.setNotFoundHandler(() => {
		throw new Refusal(
			404,
			"not-found",
			"there is no such route; see /openapi.json",
		);
	});
	return app;
}

/**
 * Ends what clients of HTTP/2 leave open.
 *
 * A session that asks nothing ends after the time that Fastify's options say, or that a request may take if that is more: what is open then is
 * a stream whose answer nobody takes. Fastify's own way is `session.setTimeout`, which Node does not clear when a session is destroyed, so that
 * each one stays in memory for as long. And it only closes: Node waits for ever for an answer whose socket has gone while it was written.
 *
 * A stream whose body has not ended when it is answered is told to send no more: RFC 9113, §8.1. A client could otherwise keep any number.
 */
function endSessions(
	{ server, initialConfig }: FastifyInstance,
	{ maxTime }: Limits,
): void {
	const { http2SessionTimeout: time = 0 } = initialConfig;
	server.on("session", (session: ServerHttp2Session) => {
		session.setTimeout(0);
		if (time === 0) return;
		const timer = setTimeout(
			() => session.destroy(),
			Math.max(time, maxTime),
		).unref();
		session.on("stream", () => timer.refresh());
		session.once("close", () => clearTimeout(timer));
	});
	server.on("stream", (stream: ServerHttp2Stream) =>
		stream.once("finish", () => {
			if (stream.state.remoteClose === 0)
				stream.close(constants.NGHTTP2_NO_ERROR);
		}),
	);
}

/** While the service is being stopped, connections end with their answers. */
function endConnections(parts: Parts): void {
	const { app } = parts;
	// A connection that is kept alive would hold a stop up for as long as its client keeps it.
	app.addHook("onSend", async (request, reply) => {
		if (parts.isDraining && request.raw.httpVersionMajor === 1)
			reply.header("connection", "close");
	});
	// That of an answer that had begun before is idle in the next turn.
	app.addHook("onResponse", async () => {
		if (parts.isDraining && "closeIdleConnections" in app.server)
			setImmediate(() => app.server.closeIdleConnections());
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

/** What any request may be answered that needs no token. */
const refused = { "4XX": api.problem("It is refused.") };
const plain = (description: string) => ({
	description,
	content: { "text/plain": api.text() },
});

/** What those ask who run the service. */
const operatorRoutes: readonly api.Route[] = [
	{
		on: "GET /metrics",
		operationId: "metrics",
		summary: "Metrics, in the format of OpenMetrics",
		ignoresQuery: true,
		answers: {
			...api.unauthorized,
			200: {
				description: "All metrics.",
				content: {
					"application/openmetrics-text": {
						...api.text(),
						pattern: "# EOF\n$",
					},
				},
			},
		},
		async handle({ metrics }, _request, reply) {
			reply.type(metrics.contentType);
			return metrics.text();
		},
	},
	{
		on: "GET /healthz",
		operationId: "isAlive",
		summary: "Whether the process answers; needs no token",
		ignoresQuery: true,
		security: [{}],
		answers: { ...refused, 200: plain("It does.") },
		examples: { alive: [{}, "ok\n"] },
		handle: (_parts, _request, reply) => reply.send("ok\n"),
	},
	{
		on: "GET /readyz",
		operationId: "isReady",
		summary: "Whether requests should be sent here; needs no token",
		ignoresQuery: true,
		security: [{}],
		answers: {
			...refused,
			200: plain("They should."),
			503: plain("The service is being stopped."),
		},
		examples: { ready: [{}, "ready\n"] },
		handle: ({ isDraining }, _request, reply) =>
			isDraining ? reply.code(503).send("draining\n") : reply.send("ready\n"),
	},
	{
		on: "GET /openapi.json",
		operationId: "openapi",
		summary: "This document",
		answers: {
			...api.unauthorized,
			400: api.refusals[400],
			200: {
				description: "OpenAPI 3.1.",
				content: { "application/json": { type: "object" } },
			},
		},
		handle: (_parts, _request, reply) => reply.send(openApi),
	},
];
const routes = [
	...verdictRoutes,
	match,
	...visitRoutes,
	...siteRoutes,
	...operatorRoutes,
];

/** The OpenAPI document of the service's routes, which GET /openapi.json returns. */
export const openApi = api.documentOf(routes);
