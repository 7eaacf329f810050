import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { failuresAfter } from "../src/access/access.ts";
import { settingsOf } from "../src/access/options.ts";
import {
	type AccessOptions,
	accessFor,
	conditionalHeaders,
	type HttpOutcome,
	type RobotsAccess,
	rulesOf,
} from "../src/access.ts";
import { RobotrieError } from "../src/index.ts";
import { casesOf } from "./cases.ts";
import { DAY, stories } from "./data/http-meaning.ts";

/** Thu, 01 Jan 2026 00:00:00 GMT, which the table's dates count from. */
const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;

describe("What an HTTP answer means", () => {
	test.each(stories.map((story) => [story.what, story.source, story] as const))(
		"%s (%s)",
		(_what, _source, { steps, options }) => {
			let previous: RobotsAccess | null = null;
			for (const { at = 0, outcome, holds, ...expected } of steps) {
				const now = START + at;
				const access: RobotsAccess = accessFor(outcome, previous, {
					...options,
					now,
				});
				const { copy, retryAfter } = access;
				expect(access.reason).toMatch(/^[A-Z].*\.$/);
				expect({
					...access,
					copy: copy && new TextDecoder().decode(copy.body),
					truncated: copy?.truncated,
					retryAfter: retryAfter && retryAfter - now,
				}).toMatchObject(expected);
				if (holds !== undefined) expect(access.expires - now).toBe(holds);
				previous = access;
			}
		},
	);
});

describe("What an index takes for an answer", () => {
	const body = new TextEncoder().encode("User-agent: *\nDisallow: /a\n");
	const failed = (code: "timeout" | "address-refused"): HttpOutcome => ({
		failure: { code, message: "it failed" },
	});
	const now = START;
	const copy = accessFor({ status: 200, body }, null, { now });
	const none = accessFor({ status: 404 }, null, { now });
	const rows: readonly [string, RobotsAccess, unknown][] = [
		["200", copy, body],
		["404", none, "allow-all"],
		...[429, 500, 503, 999].map((status): [string, RobotsAccess, unknown] => [
			String(status),
			accessFor({ status }, null, { now }),
			"later",
		]),
		["a time-out", accessFor(failed("timeout"), null, { now }), "later"],
		[
			"a site that is not asked",
			accessFor(failed("address-refused"), null, { now }),
			"disallow-all",
		],
		[
			"503 where a copy holds",
			accessFor({ status: 503 }, copy, { now: now + 1 }),
			body,
		],
		[
			"503 for a month",
			accessFor(
				{ status: 503 },
				{
					...accessFor({ status: 503 }, null, { now }),
					unreachableFor: 31 * DAY,
				},
				{ now: now + DAY },
			),
			"allow-all",
		],
		[
			"503 in the yandex dialect",
			accessFor({ status: 503 }, null, { now, dialect: "yandex" }),
			"allow-all",
		],
		[
			"403 as disallow",
			accessFor({ status: 403 }, null, { now, forbiddenAsDisallow: true }),
			"disallow-all",
		],
		["rules without a file", { ...copy, copy: null }, "disallow-all"],
	];
	test.each(rows)("%s", (_, access, expected) => {
		expect(rulesOf(access)).toEqual(expected);
	});
	test.each([
		[null, /^access is what accessFor gave/],
		[{}, /^access\.access is/],
		[{ ...none, access: "nothing" }, /^access\.access is .*"nothing"/],
		[{ ...copy, copy: { body: "text" } }, /^access\.copy\.body is/],
	])("%j is no answer", (access, message) => {
		expect(() => rulesOf(access as RobotsAccess)).toThrow(message);
	});
});

describe("Any outcome", () => {
	const headers = fc.dictionary(
		fc.constantFrom("cache-control", "age", "expires", "date", "retry-after"),
		fc.oneof(
			fc.string(),
			fc.constantFrom("max-age=5", "no-store", "max-age=99999999", "7", "x="),
			fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
		),
	);
	const outcomes: fc.Arbitrary<HttpOutcome> = fc.oneof(
		fc.record({ status: fc.integer({ min: 0, max: 1000 }), headers }),
		fc.record({
			failure: fc.record({
				code: fc.constantFrom("dns", "timeout", "address-refused"),
				message: fc.string(),
			}),
		}),
	);

	test("has a meaning and a lifetime, and its arguments stay unchanged", () => {
		fc.assert(
			fc.property(
				fc.array(fc.tuple(outcomes, fc.nat(60 * DAY)), { maxLength: 6 }),
				fc.constantFrom<AccessOptions>({}, { dialect: "yandex" }),
				(steps, options) => {
					let previous: RobotsAccess | null = null;
					let now = START;
					for (const [outcome, later] of steps) {
						now += later;
						const before = structuredClone([outcome, previous]);
						const access = accessFor(outcome, previous, { ...options, now });
						expect([outcome, previous]).toEqual(before);
						expect(accessFor(outcome, previous, { ...options, now })).toEqual(
							access,
						);
						expect(access.expires).toBeGreaterThan(now);
						expect(access.expires).toBeLessThanOrEqual(now + 7 * DAY);
						expect(access.access === "rules" && access.copy === null).toBe(
							false,
						);
						expect(access.unreachableSince === null).toBe(
							access.failures === 0,
						);
						previous = access;
					}
				},
			),
		);
	});
});

/** Failures that were judged without what came before them, put after that, come to the same as all of them judged in turn. */
describe("Two histories of failures become one", () => {
	/** Each answer says when to ask again: without that, the pause depends on how many failures came before. */
	const step = fc.record({
		outcome: fc.record({
			status: fc.constantFrom(429, 500, 503),
			headers: fc.record({
				"retry-after": fc.integer({ min: 1, max: 86_400 }).map(String),
			}),
		}),
		later: fc.oneof(fc.nat(2 * HOUR), fc.nat(DAY), fc.nat(5 * DAY)),
	});
	const copies: readonly (HttpOutcome | null)[] = [
		null,
		{ status: 404 },
		{
			status: 200,
			url: "https://example.com/robots.txt",
			headers: { etag: '"1"' },
			body: new TextEncoder().encode("User-agent: *\nDisallow: /\n"),
		},
	];

	test("as by judging all of them in turn", () => {
		const seen = new Set<string>();
		fc.assert(
			fc.property(
				fc.array(step, { minLength: 2, maxLength: 12 }),
				fc.nat(),
				fc.constantFrom(...copies),
				fc.constantFrom<AccessOptions>(
					{},
					{ unreachableLimit: 2 * DAY },
					{ staleIfError: 10 * DAY },
					{ dialect: "yandex" },
				),
				(steps, drawn, first, options) => {
					const cut = 1 + (drawn % (steps.length - 1));
					let now = START;
					const judge = (
						outcome: HttpOutcome,
						before: RobotsAccess | null,
					): RobotsAccess => accessFor(outcome, before, { ...options, now });
					const begin = first && judge(first, null);
					let all = begin;
					let known = begin;
					let later: RobotsAccess | null = null;
					for (const [at, step] of steps.entries()) {
						now += step.later;
						all = judge(step.outcome, all);
						if (at < cut) known = judge(step.outcome, known);
						else later = judge(step.outcome, later);
					}
					if (!known || !later) throw new Error("both have failures");
					const settings = settingsOf({ ...options, now });
					const merged = failuresAfter(known, later, settings);
					// Yandex's meaning does not depend on what came before, nor does its reason.
					expect(merged).toEqual(all);
					seen.add(merged.code);
				},
			),
			{ seed: 9309, numRuns: casesOf(500) },
		);
		expect([...seen].sort()).toEqual([
			"cached-copy",
			"long-unreachable",
			"server-error",
			"too-many-requests",
		]);
	});
});

describe("Header fields", () => {
	const fields = {
		ETag: '"1"',
		"Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT",
	};
	const outcome: HttpOutcome = {
		url: "https://example.com/robots.txt",
		status: 200,
		headers: fields,
	};
	const conditions = {
		"if-none-match": '"1"',
		"if-modified-since": "Thu, 01 Jan 2026 00:00:00 GMT",
	};

	test.each([
		["an object", fields],
		["fetch's", new Headers(fields)],
	])("as %s", (_, headers) => {
		const access = accessFor({ ...outcome, headers });
		expect(
			conditionalHeaders(access, "https://example.com/robots.txt"),
		).toStrictEqual(conditions);
	});

	test.each<readonly [string, RobotsAccess | null]>([
		["nothing before", null],
		["no copy", accessFor({ status: 404, headers: fields })],
		["a copy without validators", accessFor({ ...outcome, headers: {} })],
		[
			"a copy from elsewhere",
			accessFor({
				...outcome,
				redirects: [{ status: 301, url: "https://example.org/robots.txt" }],
			}),
		],
	])("a request is not conditional with %s", (_, access) => {
		expect(
			conditionalHeaders(access, "https://example.com/robots.txt"),
		).toStrictEqual({});
	});

	test("a request has no conditions of empty fields", () => {
		const headers = { etag: "", "last-modified": " " };
		const access = accessFor({ ...outcome, headers });
		expect(
			conditionalHeaders(access, "https://example.com/robots.txt"),
		).toStrictEqual({});
	});

	test("after a redirect the request to the final URL is conditional", () => {
		const access = accessFor({
			...outcome,
			redirects: [{ status: 301, url: "https://example.org/robots.txt" }],
		});
		expect(
			conditionalHeaders(access, "https://example.org/robots.txt"),
		).toStrictEqual(conditions);
	});
});

test.each<readonly [HttpOutcome, AccessOptions, RegExp]>([
	[{}, {}, /an outcome has a status or a failure, not \{\}/],
	[{ status: 200 }, { now: Number.NaN }, /now is a number from 0 on, not NaN/],
	[{ status: 200 }, { maxLifetime: -1 }, /maxLifetime is a number .* not -1/],
	[
		{ status: 200 },
		{ minLifetime: 10, maxLifetime: 5 },
		/minLifetime \(10\) is more than maxLifetime \(5\)/,
	],
	[
		{ status: 200 },
		{ dialect: "bing" as "google" },
		/dialect is one of .*, not "bing"/,
	],
])("%j with %j is refused", (outcome, options, message) => {
	expect(() => accessFor(outcome, null, options)).toThrow(RobotrieError);
	expect(() => accessFor(outcome, null, options)).toThrow(message);
});

test("the clock is the default time", () => {
	const now = Date.UTC(2026, 0, 1);
	vi.useFakeTimers({ toFake: ["Date"], now });
	onTestFinished(() => void vi.useRealTimers());
	const { copy } = accessFor({ status: 200 });
	expect(copy?.fetchedAt).toBe(now);
});

describe("A redirect that was not followed", () => {
	const url = "https://a.test/robots.txt";
	const next = "https://b.test/robots.txt";
	const hop = (url: string) => ({ status: 301, url });
	test.each<[what: string, outcome: HttpOutcome, target: string]>([
		["absolute", { url, status: 301, headers: { location: next } }, next],
		[
			"relative",
			{ url, status: 308, headers: new Headers({ location: "/r" }) },
			"https://a.test/r",
		],
		["without a URL", { status: 302, headers: { Location: "/r" } }, "/r"],
		[
			"after one that was",
			{
				url,
				status: 301,
				redirects: [hop(next)],
				headers: { location: "/c" },
			},
			"https://b.test/c",
		],
	])("is an error that names its target: %s", (_, outcome, target) => {
		expect(() => accessFor(outcome)).toThrow(
			expect.objectContaining({
				code: "invalid-argument",
				message: expect.stringContaining(`"${target}", which was not followed`),
			}),
		);
	});

	test.each<HttpOutcome>([
		{ status: 301 },
		{ url, status: 308, redirects: [hop(next)] },
	])("is an error where its fields are not given: %j", (outcome) => {
		expect(() => accessFor(outcome)).toThrow(
			expect.objectContaining({
				code: "invalid-argument",
				message: expect.stringContaining("without headers: where it leads"),
			}),
		);
	});

	const many = Array.from({ length: 6 }, (_, i) => hop(`${url}?${i}`));
	test.each<[what: string, outcome: HttpOutcome, code: string]>([
		[
			"in a circle",
			{ url, status: 301, redirects: [hop(url)], headers: { location: url } },
			"redirect-loop",
		],
		[
			"over too many hops",
			{ url, status: 301, redirects: many, headers: { location: "/x" } },
			"too-many-redirects",
		],
		[
			"to another scheme",
			{ url, status: 301, headers: { location: "ftp://a.test/" } },
			"redirect-nowhere",
		],
		["to nowhere", { url, status: 301, headers: {} }, "redirect-nowhere"],
	])("is none that could have been: %s", (_, outcome, code) => {
		expect(accessFor(outcome)).toMatchObject({ access: "allow-all", code });
	});
});

test("header fields of node:http: lists of values are one value", () => {
	const headers = {
		"set-cookie": ["a=1", "b=2"],
		"cache-control": ["max-age=60", "must-revalidate"],
	};
	const now = 1000;
	const { expires } = accessFor({ status: 404, headers }, null, {
		now,
		minLifetime: 0,
	});
	expect(expires).toBe(now + 60_000);
});
