/**
 * What all routes do with a request: what it says, what is wrong with it, how it is admitted, and what a refused one is answered.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { RobotrieError } from "robotrie";
import { parseUrl } from "#robotrie/common/arguments";
import { quote } from "#robotrie/common/quote";
import { type Admission, Refusal, type Work } from "./bounds.ts";
import type { Crawler, Crawlers } from "./crawlers.ts";
import { LINES } from "./formats.ts";
import type { Metrics } from "./metrics.ts";
import type { OverriddenStore } from "./overrides.ts";

/** What a service consists of. */
export interface Parts {
	readonly app: FastifyInstance;
	readonly admission: Admission;
	readonly crawlers: Crawlers;
	readonly metrics: Metrics;
	readonly store: OverriddenStore;
	/** Whether the service is being stopped. */
	isDraining: boolean;
}

/** The query of a request; which of it a route has, its parameters say. */
export interface Query {
	readonly url: string;
	readonly origin: string;
	readonly agent?: readonly string[];
	readonly dialect?: string;
	readonly fetch?: "yes" | "no";
	readonly at: string;
	readonly maxWait?: number;
	readonly status?: number;
	readonly retryAfter?: string;
}

/** Of an origin in a path, in characters; Fastify's own limit of such a parameter is 100. */
export const MOST_ORIGIN = 4096;

/** Admits a request that is about a crawler. @throws {Refusal} */
export function enter(
	{ admission, crawlers }: Parts,
	request: FastifyRequest,
	reply: FastifyReply,
) {
	const { agent, dialect } = request.query as Query;
	const crawler = crawlers.of(agent, dialect);
	const work = admission.enter(request, reply);
	use(work, crawler);
	return { crawler, client: crawler.client, work, signal: work.signal };
}

/** Keeps a crawler's client while a request needs it. */
export function use(work: Work, crawler: Crawler): void {
	crawler.uses++;
	work.whenEnded(() => crawler.uses--);
}

export const JSON_TYPE = "application/json; charset=utf-8";

/** What is wrong with a request that a proxy before this service may have read otherwise: RFC 9112, §3.2 and §6.1. */
export function misframed({ raw }: FastifyRequest): Refusal | undefined {
	const { headers, rawHeaders } = raw;
	// Node refuses what does not end with chunked, and reads "gzip, chunked" as chunked.
	if (headers["transfer-encoding"]?.includes(","))
		return new Refusal(
			400,
			"invalid-request",
			"the only Transfer-Encoding is chunked",
		);
	let hosts = 0;
	for (let i = 0; i < rawHeaders.length; i += 2) {
		const name = rawHeaders[i] as string;
		if (name.length === 4 && name.toLowerCase() === "host") hosts++;
	}
	if (hosts > 1)
		return new Refusal(400, "invalid-request", "there is more than one Host");
	return undefined;
}

/** The media type of a body. @throws {Refusal} If it is none of those that are read. */
export function bodyType(
	request: FastifyRequest,
	types: readonly string[],
): string {
	const given = request.headers["content-type"] ?? LINES;
	const type = (given.split(";")[0] ?? "").trim().toLowerCase();
	if (!types.includes(type))
		throw new Refusal(
			415,
			"unsupported-type",
			`the body came as ${quote(type)}; send it with "Content-Type: ${types.join('" or "Content-Type: ')}" (curl: -H "Content-Type: ${types[0]}")`,
		);
	// In another encoding a URL's bytes would be those of another URL.
	const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(given)?.[1] ?? "utf-8";
	if (!/^(utf-?8|us-ascii)$/i.test(charset))
		throw new Refusal(415, "unsupported-type", "a body is UTF-8");
	return type;
}

export function originOf(text: string): string {
	const { protocol = "", origin = "" } = parseUrl(text) ?? {};
	if (!["http:", "https:", "ftp:"].includes(protocol)) throw notUrl(text);
	return origin;
}

export function notUrl(text: string): Refusal {
	const shown = JSON.stringify(text.slice(0, 100));
	return new Refusal(
		400,
		"invalid-url",
		`${shown} is not an absolute http, https or ftp URL`,
	);
}

/** Answers a request that failed; its code says why. */
export function refuse(
	error: unknown,
	request: FastifyRequest,
	reply: FastifyReply,
	admission: Admission,
) {
	let refusal: Refusal;
	if (error instanceof Refusal) refusal = error;
	else if (error instanceof RobotrieError && error.code === "invalid-url")
		refusal = new Refusal(400, error.code, error.message);
	else {
		const { statusCode = 500, message } = error as Partial<Refusal>;
		if (statusCode === 415)
			refusal = new Refusal(415, "unsupported-type", String(message));
		else if (statusCode < 500)
			refusal = new Refusal(
				statusCode,
				"invalid-request",
				`${message}${/^querystring\/status /.test(String(message)) ? ": 200, without what stands behind the number" : ""}`,
			);
		else {
			request.log.error({ err: error }, "a request failed");
			refusal = new Refusal(
				500,
				"internal",
				"the service failed; its log says why",
			);
		}
	}
	admission.onRefused(refusal.code);
	if (refusal.retryAfter !== undefined)
		reply.header("retry-after", String(refusal.retryAfter));
	// What was not read of the body is not the next request.
	if (!request.raw.complete && request.raw.httpVersionMajor === 1)
		reply.header("connection", "close");
	reply.header("content-type", JSON_TYPE);
	return reply
		.code(refusal.statusCode)
		.send(JSON.stringify({ code: refusal.code, message: refusal.message }));
}
