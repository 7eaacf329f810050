/**
 * The OpenAPI document of the service, which GET /openapi.json answers. It is the one description of the interface: routes take their schemas
 * of queries from it, tests run its examples (those of one name belong together: parameters, body and answer) against a service and
 * check every answer against its schemas.
 */
import { dialectNames } from "robotrie";

type Schema = Readonly<Record<string, unknown>>;
interface Parameter {
	readonly name: string;
	readonly in: "query" | "path";
	readonly required?: boolean;
	readonly description: string;
	readonly schema: Schema;
	readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

const examples = (values: Readonly<Record<string, unknown>>) =>
	Object.fromEntries(
		Object.entries(values).map(([name, value]) => [name, { value }]),
	);
const text: Schema = { type: "string" };
const verdict: Schema = {
	type: "string",
	enum: ["allowed", "disallowed", "unknown", "later"],
};
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const agent: Parameter = {
	name: "agent",
	in: "query",
	description:
		"The crawler: its product token; several, the most specific first. Default: that of the service.",
	schema: {
		type: "array",
		items: { type: "string", minLength: 1, maxLength: 200 },
		minItems: 1,
		maxItems: 8,
	},
};
const dialect: Parameter = {
	name: "dialect",
	in: "query",
	description: "How robots.txt is read.",
	schema: { type: "string", enum: dialectNames },
};
const fetch: Parameter = {
	name: "fetch",
	in: "query",
	description:
		"Whether robots.txt files that are not in memory are looked up and fetched; with no the verdict then is unknown, at once.",
	schema: { type: "string", enum: ["yes", "no"], default: "yes" },
};
const asked = (
	name: string,
	description: string,
	values: Readonly<Record<string, unknown>>,
): Parameter => ({
	name,
	in: "query",
	required: true,
	description,
	schema: { type: "string", minLength: 1, maxLength: 65_536 },
	examples: examples(values),
});
const askedOrigin = (values: Readonly<Record<string, unknown>>) =>
	asked("origin", "Scheme, host and port; a URL counts as its origin.", values);
const visited = (values: Readonly<Record<string, unknown>>) =>
	asked("url", "The page, or its site.", values);
const givenTime = (...names: readonly string[]): Parameter => ({
	name: "at",
	in: "query",
	required: true,
	description: "The time that was given out.",
	schema: { type: "string", format: "date-time" },
	examples: examples(
		Object.fromEntries(names.map((name) => [name, "2026-01-01T00:00:00.000Z"])),
	),
});
const maxWait: Parameter = {
	name: "maxWait",
	in: "query",
	description:
		"Milliseconds: a visit that would come later is not given out; the answer is later, with the time to ask again. Default: no limit.",
	schema: { type: "number", minimum: 0 },
};
const withExamples = (
	parameter: Parameter,
	values: Readonly<Record<string, unknown>>,
): Parameter => ({
	...parameter,
	examples: examples(values),
});

const problem = (
	description: string,
	values: Readonly<Record<string, unknown>> = {},
) => ({
	description,
	content: {
		"application/json": { schema: ref("Problem"), examples: examples(values) },
	},
});
const json = (
	description: string,
	schema: string,
	values: Readonly<Record<string, unknown>>,
) => ({
	description,
	content: {
		"application/json": { schema: ref(schema), examples: examples(values) },
	},
});
const plain = (
	description: string,
	values: Readonly<Record<string, unknown>>,
) => ({
	description,
	content: { "text/plain": { schema: text, examples: examples(values) } },
});
const wrongUrl = (name: string) =>
	problem("The request is wrong.", {
		[name]: {
			code: "invalid-url",
			message: '"/no/host" is not an absolute http, https or ftp URL',
		},
	});
/** What any request may be answered with. */
const refusals = {
	"401": problem("The token is missing or wrong."),
	"429": problem(
		"Too many requests of this address are waiting; see Retry-After.",
	),
	"503": problem(
		"Too much is in progress, the time was over, or the store failed; see Retry-After.",
	),
};
const bulkRefusals = {
	...refusals,
	"413": problem("The body has too many bytes or URLs."),
	"415": problem(
		"The body has another Content-Type, another charset than UTF-8, or a Content-Encoding.",
	),
};
const ALLOWED = "https://example.com/";
const DISALLOWED = "https://example.com/private/report";
const DOWN = "HTTP 503: the server fails.";

const origin: Parameter = {
	name: "origin",
	in: "path",
	required: true,
	description:
		"Scheme, host and port, percent-encoded: https%3A%2F%2Fexample.com.",
	schema: { type: "string", minLength: 1, maxLength: 4096 },
};

/** An OpenAPI 3.1 document, as plain data. */
export interface OpenApiDocument extends Readonly<Record<string, unknown>> {
	/** Version of the OpenAPI specification that the document follows. */
	readonly openapi: string;
	/** Title, version and description of the interface. */
	readonly info: Readonly<Record<string, unknown>>;
	/** Where the service listens by default. */
	readonly servers: readonly { readonly url: string }[];
	/** Ways to be let in: without anything, or with a token. */
	readonly security: readonly Readonly<Record<string, readonly string[]>>[];
	/** By path, then by method. */
	readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
	/** Schemas, and how a token is sent. */
	readonly components: Readonly<
		Record<string, Readonly<Record<string, unknown>>>
	>;
}

/** The OpenAPI document, which GET /openapi.json returns. */
export const openApi: OpenApiDocument = {
	openapi: "3.1.0",
	info: {
		title: "robotrie",
		version: "0.1.0",
		description:
			"A robots.txt service: each file is fetched once, kept by the rules of HTTP, and asked by every crawler.",
		license: { name: "MIT", identifier: "MIT" },
	},
	servers: [{ url: "http://127.0.0.1:8080" }],
	security: [{}, { token: [] }],
	paths: {
		"/allowed": {
			get: {
				operationId: "isAllowed",
				summary: "Whether a crawler may fetch a URL",
				parameters: [
					asked("url", "An absolute http, https or ftp URL.", {
						allowed: ALLOWED,
						disallowed: DISALLOWED,
						otherCrawler: DISALLOWED,
						notAtHand: "https://never-asked.example/",
						later: "https://down.example/",
						notUrl: "/no/host",
					}),
					withExamples(agent, { otherCrawler: ["OtherBot"] }),
					dialect,
					withExamples(fetch, { notAtHand: "no" }),
				],
				responses: {
					"200": json("The verdict.", "Allowed", {
						allowed: { allowed: true, verdict: "allowed" },
						disallowed: { allowed: false, verdict: "disallowed" },
						otherCrawler: { allowed: true, verdict: "allowed" },
						notAtHand: { allowed: false, verdict: "unknown" },
						later: {
							allowed: false,
							verdict: "later",
							at: "2026-01-01T00:01:00.000Z",
							reason: DOWN,
						},
					}),
					"400": wrongUrl("notUrl"),
					...refusals,
				},
			},
		},
		"/explain": {
			get: {
				operationId: "explain",
				summary: "Whether a crawler may fetch a URL, and why",
				parameters: [
					asked("url", "An absolute http, https or ftp URL.", {
						rule: DISALLOWED,
						noFile: "https://no-file.example/a",
						notUrl: "/no/host",
					}),
					agent,
					dialect,
				],
				responses: {
					"200": json(
						"The line that decides, or what became of the request for robots.txt.",
						"Explanation",
						{
							rule: {
								allowed: false,
								verdict: "disallowed",
								rule: { type: "disallow", pattern: "/private/", line: 2 },
								group: { agents: ["ExampleBot"], line: 1 },
								reason:
									"Disallow: /private/ (line 2) is the longest rule that matches.",
								access: "rules",
								code: "success",
								expires: "2026-01-02T00:00:00.000Z",
							},
							noFile: {
								allowed: true,
								verdict: "allowed",
								rule: null,
								group: null,
								reason:
									"HTTP 404: the site has no robots.txt, everything is allowed.",
								access: "allow-all",
								code: "client-error",
								expires: "2026-01-02T00:00:00.000Z",
							},
						},
					),
					"400": wrongUrl("notUrl"),
					...refusals,
				},
			},
		},
		"/visits": {
			post: {
				operationId: "giveVisit",
				summary: "Whether a crawler may visit a page, and from when on",
				description:
					"Gives the time out if the verdict is allowed: whoever asks next for the server, at any replica of the store, gets a later one. Tell the end by PUT, from which the pause counts, or give the time back by DELETE.",
				parameters: [
					visited({
						given: ALLOWED,
						forbidden: DISALLOWED,
						unavailable: "https://down.example/",
						tooLate: `${ALLOWED}later`,
					}),
					agent,
					dialect,
					withExamples(maxWait, { tooLate: 500 }),
				],
				responses: {
					"200": json("The verdict, and the time.", "Visit", {
						given: {
							verdict: "allowed",
							at: "2026-01-01T00:00:00.000Z",
							wait: 0,
							crawlDelay: 2,
						},
						forbidden: {
							verdict: "disallowed",
							at: null,
							wait: null,
							crawlDelay: 2,
							reason:
								"Disallow: /private/ (line 2) is the longest rule that matches.",
						},
						unavailable: {
							verdict: "later",
							at: "2026-01-01T00:01:00.000Z",
							wait: 60_000,
							crawlDelay: null,
							reason: DOWN,
						},
						tooLate: {
							verdict: "later",
							at: "2026-01-01T00:00:02.000Z",
							wait: 2000,
							crawlDelay: 2,
							reason:
								"The next visit of the server is later than 500 ms from now.",
						},
					}),
					"400": problem("The request is wrong."),
					...refusals,
				},
			},
			get: {
				operationId: "lookAtVisit",
				summary: "As POST, but gives nothing out",
				parameters: [
					visited({ look: ALLOWED, notUrl: "/no/host" }),
					agent,
					dialect,
					maxWait,
				],
				responses: {
					"200": json("The verdict, and the earliest time.", "Visit", {
						look: {
							verdict: "allowed",
							at: "2026-01-01T00:00:02.000Z",
							wait: 2000,
							crawlDelay: 2,
						},
					}),
					"400": wrongUrl("notUrl"),
					...refusals,
				},
			},
			put: {
				operationId: "endVisit",
				summary: "Tells that a visit has ended, whether it succeeded or not",
				description:
					"The pause counts from now. After a page's status 429 or 503 its origin gets no visits until Retry-After.",
				parameters: [
					visited({ ended: ALLOWED, refused: "https://no-file.example/" }),
					givenTime("ended", "refused"),
					agent,
					dialect,
					{
						name: "status",
						in: "query",
						description: "The page's HTTP status.",
						schema: { type: "integer", minimum: 100, maximum: 999 },
						examples: examples({ ended: 200, refused: 503 }),
					},
					{
						name: "retryAfter",
						in: "query",
						description: "Its header field Retry-After.",
						schema: { type: "string", maxLength: 100 },
						examples: examples({ refused: "120" }),
					},
				],
				responses: {
					"204": { description: "It is known." },
					"400": problem("The request is wrong."),
					...refusals,
				},
			},
			delete: {
				operationId: "giveVisitBack",
				summary:
					"Gives back a time that was given out: the page is not visited",
				parameters: [
					visited({ neverGiven: ALLOWED }),
					givenTime("neverGiven"),
					agent,
					dialect,
				],
				responses: {
					"204": { description: "Others may have it." },
					"400": problem("The request is wrong."),
					"404": problem("It was not given out, or has ended.", {
						neverGiven: {
							code: "not-found",
							message:
								"no visit of https://example.com was given out for 2026-01-01T00:00:00.000Z",
						},
					}),
					...refusals,
				},
			},
		},
		"/sitemaps": {
			get: {
				operationId: "sitemaps",
				summary: "The sitemaps that a site's robots.txt names",
				parameters: [
					askedOrigin({
						sitemaps: "https://sitemaps.example",
						noFile: "https://no-file.example",
						notUrl: "/no/host",
					}),
					agent,
					dialect,
				],
				responses: {
					"200": json("Absolute URLs, each once.", "Sitemaps", {
						sitemaps: {
							origin: "https://sitemaps.example",
							sitemaps: [
								"https://sitemaps.example/map.xml",
								"https://other.example/map.xml",
							],
							reason: "HTTP 200: the rules of the file hold.",
							expires: "2026-01-02T00:00:00.000Z",
						},
						noFile: {
							origin: "https://no-file.example",
							sitemaps: [],
							reason:
								"HTTP 404: the site has no robots.txt, everything is allowed.",
							expires: "2026-01-02T00:00:00.000Z",
						},
					}),
					"400": wrongUrl("notUrl"),
					...refusals,
				},
			},
		},
		"/forget": {
			post: {
				operationId: "forget",
				summary:
					"Forgets what is known of a site: its robots.txt is fetched anew",
				description:
					"By all replicas of the store within a second or two. An override stays.",
				parameters: [
					askedOrigin({
						forgotten: "https://sitemaps.example",
						notUrl: "/no/host",
					}),
				],
				responses: {
					"204": { description: "It is forgotten." },
					"400": wrongUrl("notUrl"),
					...refusals,
				},
			},
		},
		"/match": {
			post: {
				operationId: "match",
				summary: "Verdicts for many URLs of any sites, in order",
				description:
					"What must be fetched is fetched. The answer has the format of the body: a word a line; a JSON object a line; an Arrow IPC stream with a column verdict. An answer that ends early, without its last chunk, is to be thrown away.",
				parameters: [agent, dialect, withExamples(fetch, { unknown: "no" })],
				requestBody: {
					required: true,
					content: {
						"text/plain": {
							schema: {
								type: "string",
								description: "A URL a line, ended by LF or CRLF.",
							},
							examples: examples({
								lines: `${ALLOWED}\n${DISALLOWED}\nnot a URL\nhttps://down.example/\n`,
								unknown: "https://never-asked.example/\n",
								nothing: "",
							}),
						},
						"application/x-ndjson": {
							schema: {
								type: "string",
								description:
									'An object a line: {"url": …}, with "agent", a text or a list of them, and "dialect" in place of those of the query.',
							},
							examples: examples({
								rows: `${JSON.stringify({ url: DISALLOWED })}\n${JSON.stringify({ url: DISALLOWED, agent: "OtherBot" })}\n`,
								wrongRow: '{"link":"https://example.com/"}\n',
							}),
						},
						"application/vnd.apache.arrow.stream": {
							schema: {
								type: "string",
								contentMediaType: "application/vnd.apache.arrow.stream",
								description:
									"A table with a column url, and where they differ from the query columns agent and dialect, all of them texts.",
							},
						},
					},
				},
				responses: {
					"200": {
						description:
							"A verdict for each URL: allowed, disallowed, unknown, invalid or later. URLs are later while the robots.txt of their site cannot be had: neither fetch nor drop them; lines of JSON say from when on to ask again, as at.",
						content: {
							"text/plain": {
								schema: {
									type: "string",
									pattern: "^((allowed|disallowed|unknown|invalid|later)\n)*$",
								},
								examples: examples({
									lines: "allowed\ndisallowed\ninvalid\nlater\n",
									unknown: "unknown\n",
									nothing: "",
								}),
							},
							"application/x-ndjson": {
								schema: { type: "string" },
								examples: examples({
									rows: `${JSON.stringify({ url: DISALLOWED, verdict: "disallowed" })}\n${JSON.stringify({ url: DISALLOWED, verdict: "allowed" })}\n`,
								}),
							},
							"application/vnd.apache.arrow.stream": {
								schema: {
									type: "string",
									contentMediaType: "application/vnd.apache.arrow.stream",
								},
							},
						},
					},
					"400": problem("The request, or a row, is wrong.", {
						wrongRow: {
							code: "invalid-row",
							message: "row 1 has no url that is a string",
						},
					}),
					...bulkRefusals,
				},
			},
		},
		"/origins": {
			post: {
				operationId: "prefetch",
				summary: "Fetches robots.txt files before they are needed",
				parameters: [agent, dialect],
				requestBody: {
					required: true,
					content: {
						"text/plain": {
							schema: {
								type: "string",
								description: "An origin or URL a line.",
							},
							examples: examples({
								two: "https://example.com\nhttps://no-file.example/a\n",
								notUrl: "/no/host\n",
							}),
						},
					},
				},
				responses: {
					"200": json("All of them are known now.", "Prefetched", {
						two: { origins: 2 },
					}),
					"400": wrongUrl("notUrl"),
					...bulkRefusals,
				},
			},
		},
		"/origins/{origin}": {
			put: {
				operationId: "override",
				summary:
					"Sets a robots.txt in place of the site's own, until it is removed",
				description:
					"For all crawlers and all replicas of the store, which know of it within a second or two. All overrides together have at most 1 MiB.",
				parameters: [
					withExamples(origin, {
						set: "https://overridden.example",
						notUrl: "/no/host",
					}),
				],
				requestBody: {
					required: true,
					content: {
						"text/plain": {
							schema: text,
							examples: examples({
								set: "User-agent: *\nDisallow: /\n",
								notUrl: "User-agent: *\nDisallow: /\n",
							}),
						},
					},
				},
				responses: {
					"204": { description: "It is set." },
					"400": wrongUrl("notUrl"),
					...bulkRefusals,
				},
			},
			delete: {
				operationId: "removeOverride",
				summary: "Removes an override",
				parameters: [
					withExamples(origin, {
						removed: "https://overridden.example",
						none: "https://example.com",
					}),
				],
				responses: {
					"204": { description: "It is removed." },
					"404": problem("There is none.", {
						none: {
							code: "not-found",
							message: "https://example.com has no override",
						},
					}),
					...refusals,
				},
			},
		},
		"/metrics": {
			get: {
				operationId: "metrics",
				summary: "Metrics, in the format of OpenMetrics",
				responses: {
					"200": {
						description: "All metrics.",
						content: {
							"application/openmetrics-text": {
								schema: { type: "string", pattern: "# EOF\n$" },
							},
						},
					},
					"401": refusals["401"],
				},
			},
		},
		"/healthz": {
			get: {
				operationId: "isAlive",
				summary: "Whether the process answers; needs no token",
				security: [{}],
				responses: {
					"200": plain("It does.", { alive: "ok\n" }),
					"4XX": problem("It is refused."),
				},
			},
		},
		"/readyz": {
			get: {
				operationId: "isReady",
				summary: "Whether requests should be sent here; needs no token",
				security: [{}],
				responses: {
					"200": plain("They should.", { ready: "ready\n" }),
					"503": plain("The service is being stopped.", {}),
					"4XX": problem("It is refused."),
				},
			},
		},
		"/openapi.json": {
			get: {
				operationId: "openapi",
				summary: "This document",
				responses: {
					"200": {
						description: "OpenAPI 3.1.",
						content: { "application/json": { schema: { type: "object" } } },
					},
					"401": refusals["401"],
				},
			},
		},
	},
	components: {
		securitySchemes: { token: { type: "http", scheme: "bearer" } },
		schemas: {
			Allowed: {
				type: "object",
				required: ["allowed", "verdict"],
				additionalProperties: false,
				properties: {
					allowed: { type: "boolean" },
					verdict,
					at: {
						type: "string",
						format: "date-time",
						description: "With later: from when on to ask again.",
					},
					reason: { type: "string", description: "With later: why." },
				},
			},
			Explanation: {
				type: "object",
				required: [
					"allowed",
					"verdict",
					"rule",
					"group",
					"reason",
					"access",
					"code",
					"expires",
				],
				additionalProperties: false,
				properties: {
					allowed: { type: "boolean" },
					verdict,
					rule: {
						type: ["object", "null"],
						required: ["type", "pattern", "line"],
						properties: {
							type: { type: "string", enum: ["allow", "disallow"] },
							pattern: text,
							line: { type: "integer", minimum: 1 },
						},
					},
					group: {
						type: ["object", "null"],
						required: ["agents", "line"],
						properties: {
							agents: { type: "array", items: text },
							line: { type: ["integer", "null"] },
						},
					},
					reason: text,
					access: {
						type: "string",
						enum: ["rules", "allow-all", "disallow-all"],
					},
					code: text,
					expires: { type: "string", format: "date-time" },
				},
			},
			Visit: {
				type: "object",
				required: ["verdict", "at", "wait", "crawlDelay"],
				additionalProperties: false,
				properties: {
					verdict,
					at: {
						type: ["string", "null"],
						format: "date-time",
						description:
							"With allowed the time of the visit, with later that from which on to ask again.",
					},
					wait: {
						type: ["number", "null"],
						minimum: 0,
						description: "Milliseconds until then.",
					},
					crawlDelay: {
						type: ["number", "null"],
						description: "Seconds that the site asks for by Crawl-delay.",
					},
					reason: { type: "string", description: "Why it is not allowed." },
				},
			},
			Sitemaps: {
				type: "object",
				required: ["origin", "sitemaps", "reason", "expires"],
				additionalProperties: false,
				properties: {
					origin: text,
					sitemaps: { type: "array", items: text },
					reason: {
						type: "string",
						description: "What became of the request for robots.txt.",
					},
					expires: { type: "string", format: "date-time" },
				},
			},
			Prefetched: {
				type: "object",
				required: ["origins"],
				additionalProperties: false,
				properties: { origins: { type: "integer", minimum: 0 } },
			},
			Problem: {
				type: "object",
				required: ["code", "message"],
				additionalProperties: false,
				properties: { code: text, message: text },
			},
		},
	},
};

/** The JSON schema of the query of a route, if it has parameters; HEAD is as GET. */
export function querySchema(path: string, method: string): Schema | undefined {
	const operations: Readonly<Record<string, unknown>> =
		openApi.paths[path] ?? {};
	const name = method === "HEAD" ? "get" : method.toLowerCase();
	const { parameters = [] } = (operations[name] ?? {}) as {
		readonly parameters?: readonly Parameter[];
	};
	if (parameters.length === 0) return undefined;
	return {
		type: "object",
		additionalProperties: false,
		required: parameters
			.filter(({ required }) => required)
			.map(({ name }) => name),
		properties: Object.fromEntries(
			parameters.map(({ name, schema }) => [name, schema]),
		),
	};
}
