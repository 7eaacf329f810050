/**
 * What GET /metrics says, and the spans of OpenTelemetry. The service tells of requests, verdicts and its clients' events; everything else is
 * read when somebody asks. Without a tracer that was set up by the environment (serve.ts), spans cost nothing, as none are begun.
 */

import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { RobotsClient, StoreUsage } from "@robotrie/client";
import type { FastifyInstance } from "fastify";
import {
	Counter,
	collectDefaultMetrics,
	Gauge,
	Histogram,
	type OpenMetricsContentType,
	Registry,
} from "prom-client";
import type { Admission } from "./bounds.ts";
import { words } from "./formats.ts";

/** From a verdict at hand to a site that takes as long as it may. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30];

/** The metrics of a service. */
export class Metrics {
	readonly #registry = new Registry<OpenMetricsContentType>();
	readonly #fetches: Counter;
	readonly #fetchTime: Histogram;
	readonly #stored: Counter;
	readonly #storeErrors: Counter;
	readonly #verdicts: Counter;
	readonly #requests: Histogram;
	readonly #refused: Counter;
	readonly #visits: Counter;

	constructor() {
		const registry = this.#registry;
		registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
		const register = registry as unknown as Registry;
		const registers = [register];
		collectDefaultMetrics({ register });
		const counter = (name: string, help: string, labelNames: string[] = []) =>
			new Counter({ name: `robotrie_${name}`, help, labelNames, registers });
		const histogram = (name: string, help: string, labelNames: string[]) =>
			new Histogram({
				name: `robotrie_${name}`,
				help,
				labelNames,
				buckets: BUCKETS,
				registers,
			});
		this.#fetches = counter(
			"fetches",
			"Requests for robots.txt that have ended, by what the answer means and why",
			["access", "code"],
		);
		this.#fetchTime = histogram("fetch_seconds", "Time of such a request", []);
		this.#stored = counter(
			"store_hits",
			"Valid answers that were found in the store",
		);
		this.#storeErrors = counter(
			"store_errors",
			"Calls of the store that failed",
			["operation"],
		);
		this.#verdicts = counter("verdicts", "Verdicts given", ["verdict"]);
		this.#visits = counter(
			"visits",
			"Visits of pages that were given out, have ended or were given back",
			["what"],
		);
		this.#requests = histogram(
			"request_seconds",
			"Time of a request to this service",
			["route", "status"],
		);
		this.#refused = counter("refused", "Requests that were refused", ["code"]);
	}

	/** What is counted elsewhere. */
	watch(
		admission: Admission,
		clients: () => Iterable<RobotsClient>,
		usage: () => StoreUsage | undefined,
	): void {
		const sum = (value: (client: RobotsClient) => number) => {
			let all = 0;
			for (const client of clients()) all += value(client);
			return all;
		};
		const gauges: readonly (readonly [string, string, () => number])[] = [
			[
				"origins",
				"Origins whose rules are in memory, counted once for each crawler",
				() => sum((client) => client.stats().origins),
			],
			["crawlers", "Crawlers whose rules are in memory", () => sum(() => 1)],
			[
				"fetches_active",
				"Requests for robots.txt in progress",
				// All clients share one limit of requests, so that any of them knows of all.
				() => {
					const [client] = clients();
					return client?.stats().active ?? 0;
				},
			],
			[
				"requests_waiting",
				"Requests that wait for robots.txt files, or are bulk requests",
				() => admission.waiting,
			],
			["held_bytes", "Bytes of bodies in progress", () => admission.held],
			[
				"store_used_bytes",
				"Bytes of memory that the store takes; 0 if it does not tell",
				() => usage()?.used ?? 0,
			],
			[
				"store_limit_bytes",
				"Bytes that it may take; +Inf without a limit, 0 if it does not tell",
				() => usage()?.limit ?? 0,
			],
			[
				"store_evicted",
				"Entries that the store has dropped for want of room since it started, whatever they were",
				() => usage()?.evicted ?? 0,
			],
		];
		for (const [name, help, value] of gauges)
			new Gauge({
				name: `robotrie_${name}`,
				help,
				registers: [this.#registry as unknown as Registry],
				collect() {
					this.set(value());
				},
			});
	}

	/** Counts a client's fetches. */
	watchClient(client: RobotsClient): void {
		client.on("answer", ({ access: { access, code }, milliseconds }) => {
			this.#fetches.inc({ access, code });
			this.#fetchTime.observe(milliseconds / 1000);
		});
		client.on("stored", () => this.#stored.inc());
		client.on("storeError", ({ operation }) =>
			this.#storeErrors.inc({ operation }),
		);
	}

	verdict(verdict: number): void {
		this.#verdicts.inc({ verdict: words[verdict] as string });
	}

	verdicts(verdicts: Uint8Array): void {
		// Counted first, so that the counter is called once a word and not once a verdict.
		const counts = [0, 0, 0, 0];
		for (const verdict of verdicts)
			counts[verdict] = (counts[verdict] ?? 0) + 1;
		for (const [verdict, count] of counts.entries())
			if (count > 0)
				this.#verdicts.inc({ verdict: words[verdict] ?? "" }, count);
	}

	visit(what: "given" | "ended" | "given-back"): void {
		this.#visits.inc({ what });
	}

	request(route: string, status: number, milliseconds: number): void {
		this.#requests.observe(
			{ route, status: String(status) },
			milliseconds / 1000,
		);
	}

	refused(code: string): void {
		this.#refused.inc({ code });
	}

	get contentType(): string {
		return this.#registry.contentType;
	}

	text(): Promise<string> {
		return this.#registry.metrics();
	}
}

const tracer = () => trace.getTracer("@robotrie/server");

/** A span for each request, and one for each robots.txt that is fetched, by the conventions of OpenTelemetry for HTTP. */
export function traceRequests(app: FastifyInstance): void {
	app.addHook("onResponse", async (request, reply) => {
		// Made when the answer is gone, with the time of its begin: route and status are known then, and nothing has to be kept meanwhile.
		const span = tracer().startSpan(
			`${request.method} ${request.routeOptions.url ?? ""}`,
			{
				kind: SpanKind.SERVER,
				startTime: Date.now() - reply.elapsedTime,
				attributes: {
					"http.request.method": request.method,
					"http.route": request.routeOptions.url ?? "",
					"http.response.status_code": reply.statusCode,
				},
			},
		);
		if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
		span.end();
	});
}

export function traceFetches(client: RobotsClient): void {
	client.on("answer", ({ origin, outcome, access, milliseconds }) => {
		const span = tracer().startSpan("fetch robots.txt", {
			kind: SpanKind.CLIENT,
			startTime: Date.now() - milliseconds,
			attributes: {
				"url.full": `${origin}/robots.txt`,
				"robotrie.code": access.code,
				...(outcome.status === undefined
					? {}
					: { "http.response.status_code": outcome.status }),
			},
		});
		if (access.failures > 0)
			span.setStatus({ code: SpanStatusCode.ERROR, message: access.reason });
		span.end();
	});
}
