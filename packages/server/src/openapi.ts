/**
 * How a route is written: its description stands above its handler, and is all that is said of it. `addRoutes` gives Fastify the schema of
 * its query; `documentOf` makes the OpenAPI document of all routes, which GET /openapi.json answers. Tests ask every example of a service and
 * check its answer against the schemas. What routes have in common is written here once: schemas, parameters, refusals, samples.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { dialectNames } from "robotrie";
import { LONGEST_AGENT } from "./crawlers.ts";
import type { Parts, Query } from "./requests.ts";

type ByName<T> = Readonly<Record<string, T>>;
type Schema = ByName<unknown>;

/** A parameter of a query or a path; its examples are those of the route. */
interface Parameter {
	readonly name: string;
	readonly in: "query" | "path";
	readonly required?: boolean;
	readonly description: string;
	readonly schema: Schema;
}

interface Answer {
	readonly description: string;
	/** Its schema for each type. */
	readonly content?: ByName<Schema>;
	/** Schemas that these refer to by name. */
	readonly components?: ByName<Schema>;
}

/**
 * What is asked, parameters by name and the body by its type; what is answered, unless the answer has no body, in the type of the body if it comes
 * in several; and its status, 200 by default.
 */
type Example = readonly [ask: Schema, answer?: unknown, status?: number];

interface Given {
	readonly Querystring: Query;
	readonly Params: { readonly origin: string };
}
export type RouteRequest = FastifyRequest<Given>;

/** A route of the service. */
export interface Route {
	/** Method and path, with parameters in braces. */
	readonly on: `${"GET" | "POST" | "PUT" | "DELETE"} /${string}`;
	readonly operationId: string;
	readonly summary: string;
	readonly description?: string;
	/** Where it differs from that of the service. */
	readonly security?: readonly Schema[];
	readonly parameters?: readonly Parameter[];
	/** For programs that watch services, and may ask with parameters of their own. */
	readonly ignoresQuery?: boolean;
	/** The schema of the body for each type that is read. */
	readonly bodies?: ByName<Schema>;
	/** By status. */
	readonly answers: ByName<Answer>;
	readonly examples?: ByName<Example>;
	handle(parts: Parts, request: RouteRequest, reply: FastifyReply): unknown;
}

export const text = (description?: string): Schema =>
	described({ type: "string" }, description);
export const dateTime = (description?: string): Schema =>
	described({ type: "string", format: "date-time" }, description);
export const oneOf = (...names: readonly string[]): Schema => ({
	type: "string",
	enum: names,
});
export const nullable = (schema: Schema, description?: string): Schema =>
	described({ ...schema, type: [schema.type, "null"] }, description);
const described = (schema: Schema, description: string | undefined) =>
	description === undefined ? schema : { ...schema, description };
/** A text that is not empty, with at most so many characters. */
export const upTo = (maxLength: number): Schema => ({
	...text(),
	minLength: 1,
	maxLength,
});
/** An object with these properties and no others; the names of those that it may lack end in "?". */
export const object = (properties: ByName<Schema>): Schema => ({
	type: "object",
	required: Object.keys(properties).filter((name) => !name.endsWith("?")),
	additionalProperties: false,
	properties: Object.fromEntries(
		Object.entries(properties).map(([name, each]) => [
			name.replace("?", ""),
			each,
		]),
	),
});
export const verdict = oneOf("allowed", "disallowed", "unknown", "later");

/** An answer that is a JSON object, whose schema has a name in the document. */
export const json = (
	description: string,
	name: string,
	properties: ByName<Schema>,
): Answer => ({
	description,
	content: { "application/json": { $ref: `#/components/schemas/${name}` } },
	components: { [name]: object(properties) },
});
export const problem = (description: string) =>
	json(description, "Problem", { code: text(), message: text() });

export const parameter = (
	name: string,
	description: string,
	schema: Schema,
): Parameter => ({ name, in: "query", description, schema });
/** A text that a request has to give. */
export const asked = (name: string, description: string): Parameter => ({
	...parameter(name, description, upTo(65_536)),
	required: true,
});
/** Which crawler a request is about. */
export const crawler: readonly Parameter[] = [
	parameter(
		"agent",
		"The crawler: its product token; several, the most specific first. Default: that of the service.",
		{ type: "array", items: upTo(LONGEST_AGENT), minItems: 1, maxItems: 8 },
	),
	parameter("dialect", "How robots.txt is read.", oneOf(...dialectNames)),
];
export const fetch = parameter(
	"fetch",
	"Whether robots.txt files that are not in memory are looked up and fetched; with no the verdict then is unknown, at once.",
	{ ...oneOf("yes", "no"), default: "yes" },
);

/** What a request without the service's token is answered. */
export const unauthorized = { 401: problem("The token is missing or wrong.") };
/** What any request may be answered that is about a site. */
export const refusals = {
	...unauthorized,
	400: problem("The request is wrong."),
	429: problem(
		"Too many requests of this address are waiting; see Retry-After.",
	),
	503: problem(
		"Too much is in progress, the time was over, or the store failed; see Retry-After.",
	),
};
/** One with a body, too. */
export const bulkRefusals = {
	...refusals,
	413: problem("The body has too many bytes or URLs."),
	415: problem(
		"The body has another Content-Type, another charset than UTF-8, or a Content-Encoding.",
	),
};

/** What examples have in common: URLs, times, and what is answered. */
export const samples = {
	allowed: "https://example.com/",
	disallowed: "https://example.com/private/report",
	isDisallowed: {
		verdict: "disallowed",
		reason: "Disallow: /private/ (line 2) is the longest rule that matches.",
	},
	noFile: "https://no-file.example",
	hasNoFile: {
		reason: "HTTP 404: the site has no robots.txt, everything is allowed.",
		expires: "2026-01-02T00:00:00.000Z",
	},
	down: "https://down.example/",
	isDown: {
		verdict: "later",
		at: "2026-01-01T00:01:00.000Z",
		reason: "HTTP 503: the server fails.",
	},
	neverAsked: "https://never-asked.example/",
	noUrl: "/no/host",
	isNoUrl: {
		code: "invalid-url",
		message: '"/no/host" is not an absolute http, https or ftp URL',
	},
};

const placeOf = ({ on }: Route) => on.split(" ") as [string, string];

/** Adds routes to a service, each with the schema of its query. */
export function addRoutes(parts: Parts, routes: readonly Route[]): void {
	for (const route of routes) {
		const [method, path] = placeOf(route);
		parts.app.route<Given>({
			method,
			url: path.replace(/\{(\w+)\}/, ":$1"),
			schema: querySchema(route),
			handler: (request, reply) => route.handle(parts, request, reply),
		});
	}
}

/** The schema by which Fastify checks a query: a parameter that a route does not have is refused. */
function querySchema({ parameters = [], ignoresQuery }: Route) {
	if (ignoresQuery) return {};
	const properties = parameters
		.filter((each) => each.in === "query")
		.map(({ name, required, schema }) => [
			required ? name : `${name}?`,
			schema,
		]);
	return { querystring: object(Object.fromEntries(properties)) };
}

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

/** The document that describes routes. */
export function documentOf(routes: readonly Route[]): OpenApiDocument {
	const paths: Record<string, Schema> = {};
	const schemas: Record<string, Schema> = {};
	for (const route of routes) {
		const [method, path] = placeOf(route);
		const operation = { [method.toLowerCase()]: operationOf(route) };
		paths[path] = { ...paths[path], ...operation };
		for (const { components } of Object.values(route.answers))
			Object.assign(schemas, components);
	}
	return {
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
		paths,
		components: {
			securitySchemes: { token: { type: "http", scheme: "bearer" } },
			schemas,
		},
	};
}

/** What the document says of a route. Its examples go to parameters, bodies and answers, under one name. */
function operationOf(route: Route) {
	const { on, handle, ignoresQuery, parameters, bodies, ...rest } = route;
	const { answers, examples, ...said } = rest;
	const examplesOf = (part: (example: Example) => unknown) => {
		const named = Object.entries(examples ?? {})
			.map(([name, example]) => [name, { value: part(example) }] as const)
			.filter(([, { value }]) => value !== undefined);
		return named.length > 0 && { examples: Object.fromEntries(named) };
	};
	const media = (
		schemas: ByName<Schema>,
		part: (example: Example, type: string) => unknown,
	) => ({
		content: mapped(schemas, (schema, type) => ({
			schema,
			...examplesOf((example) => part(example, type)),
		})),
	});
	return {
		...said,
		...(parameters && {
			parameters: parameters.map((each) => ({
				...each,
				...examplesOf(([ask]) => ask[each.name]),
			})),
		}),
		...(bodies && {
			requestBody: {
				required: true,
				...media(bodies, ([ask], type) => ask[type]),
			},
		}),
		responses: mapped(answers, ({ description, content }, status) => ({
			description,
			...(content &&
				media(content, ([ask, answer, of = 200], type) =>
					String(of) === status && isOfType(type, content, ask)
						? answer
						: undefined,
				)),
		})),
	};
}

const isOfType = (type: string, content: ByName<Schema>, ask: Schema) =>
	type in ask || Object.keys(content).length === 1;

const mapped = <T, U>(values: ByName<T>, map: (value: T, name: string) => U) =>
	Object.fromEntries(
		Object.entries(values).map(([name, value]) => [name, map(value, name)]),
	);
