import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openApi, type Service } from "../src/index.ts";
import { serviceOf } from "./services.ts";

/**
 * The OpenAPI document is true: a validator accepts it, and every example of every operation is asked of a service, which answers with the
 * status and in the form that the document says. Examples of one name belong together.
 */

interface Media {
	readonly schema: object;
	readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Operation {
	readonly operationId: string;
	readonly parameters?: readonly {
		readonly name: string;
		readonly in: string;
		readonly required?: boolean;
		readonly examples?: Media["examples"];
	}[];
	readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
	readonly responses: Readonly<
		Record<string, { readonly content?: Readonly<Record<string, Media>> }>
	>;
}

interface Row {
	readonly title: string;
	readonly method: string;
	readonly path: string;
	readonly query: URLSearchParams;
	readonly body: { readonly type: string; readonly text: string } | undefined;
	readonly operation: Operation;
	/** The status and the answer that the document gives for it; a status alone for answers that have no body. */
	readonly status: string;
	readonly answer: unknown;
}

const paths = openApi.paths as unknown as Readonly<
	Record<string, Readonly<Record<string, Operation>>>
>;

/** Answers without a body have no examples. */
const bare: Readonly<Record<string, string>> = {
	set: "204",
	removed: "204",
	ended: "204",
	refused: "204",
	forgotten: "204",
};

function rowsOf(path: string, method: string, operation: Operation): Row[] {
	const { parameters = [], requestBody, responses } = operation;
	const bodies = Object.entries(requestBody?.content ?? {});
	const names = new Set(
		[
			...parameters,
			...bodies.map(([, media]) => media),
			...Object.values(responses).flatMap(({ content = {} }) =>
				Object.values(content),
			),
		].flatMap(({ examples = {} }) => Object.keys(examples)),
	);
	// Operations that take nothing have one way to be asked.
	if (names.size === 0 && parameters.every(({ required }) => !required))
		names.add("");
	return [...names].map((name) => {
		const exampleOf = (examples: Media["examples"]) => examples?.[name]?.value;
		const query = new URLSearchParams();
		let filled = path;
		for (const parameter of parameters) {
			const value = exampleOf(parameter.examples);
			expect(value !== undefined || !parameter.required, name).toBe(true);
			if (value === undefined) continue;
			if (parameter.in === "path")
				filled = filled.replace(
					`{${parameter.name}}`,
					encodeURIComponent(String(value)),
				);
			else
				for (const one of [value].flat())
					query.append(parameter.name, String(one));
		}
		const body = bodies
			.map(([type, { examples }]) => ({ type, text: exampleOf(examples) }))
			.find(({ text }) => text !== undefined);
		const answers = Object.entries(responses).flatMap(
			([status, { content = {} }]) =>
				Object.values(content).map(({ examples }) => ({
					status,
					answer: exampleOf(examples),
				})),
		);
		const found = answers.find(({ answer }) => answer !== undefined);
		return {
			title: `${method} ${path} ${name}`,
			method,
			path: filled,
			query,
			body: body && { type: body.type, text: String(body.text) },
			operation,
			status: found?.status ?? bare[name] ?? "200",
			answer: found?.answer,
		};
	});
}

const rows = Object.entries(paths).flatMap(([path, operations]) =>
	Object.entries(operations).flatMap(([method, operation]) =>
		rowsOf(path, method.toUpperCase(), operation),
	),
);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: "openapi", components: openApi.components }, "openapi");
/** References lead into the document. */
const validatorOf = (schema: object) =>
	ajv.compile(
		JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')),
	);

let service: Service;
beforeAll(async () => {
	({ service } = await serviceOf());
});
afterAll(() => service.close());

test("a validator accepts the document", async () => {
	const result = await new Validator().validate(structuredClone(openApi));
	expect(result.errors ?? []).toEqual([]);
	expect(result.valid).toBe(true);
});

test("every operation is asked", () => {
	const operations = Object.values(paths).flatMap((path) =>
		Object.values(path),
	);
	expect(new Set(rows.map(({ operation }) => operation.operationId))).toEqual(
		new Set(operations.map(({ operationId }) => operationId)),
	);
	expect(rows.length).toBeGreaterThan(20);
});

test("every route is described", () => {
	const routes = service.printRoutes({ commonPrefix: false });
	for (const [path, operations] of Object.entries(paths))
		for (const method of Object.keys(operations))
			expect(
				service.hasRoute({
					url: path.replace(/\{(\w+)\}/, ":$1"),
					method: method.toUpperCase() as "GET",
				}),
				routes,
			).toBe(true);
});

describe("What the document gives as an example", () => {
	test.each(rows)("$title", async (row) => {
		const response = await service.inject({
			method: row.method as "GET",
			url: `${row.path}?${row.query}`,
			...(row.body && {
				payload: row.body.text,
				headers: { "content-type": row.body.type },
			}),
		});
		expect(`${response.statusCode} ${response.body.slice(0, 200)}`).toMatch(
			new RegExp(`^${row.status} `),
		);
		const { content } = row.operation.responses[row.status] ?? {};
		if (!content) {
			expect(response.body).toBe("");
			return;
		}
		const [type = ""] = String(response.headers["content-type"]).split(";");
		expect(Object.keys(content)).toContain(type);
		const isJson = type === "application/json";
		const answer: unknown = isJson ? response.json() : response.body;
		const validate = validatorOf(content[type]?.schema ?? {});
		expect(validate(answer) ? [] : validate.errors).toEqual([]);
		if (row.answer === undefined) return;
		expect(withoutTimes(answer)).toEqual(withoutTimes(row.answer));
	});
});

/** Times are those of the run. */
function withoutTimes(answer: unknown): unknown {
	if (typeof answer !== "object" || answer === null) return answer;
	const { at, expires, next, wait, ...rest } = answer as Record<
		string,
		unknown
	>;
	return rest;
}
