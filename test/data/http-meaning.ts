import type {
	AccessOptions,
	HttpOutcome,
	RobotsAccess,
} from "../../src/access.ts";

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** An outcome at a time, in milliseconds from the story's beginning, and what it means. */
export interface Step {
	readonly at?: number;
	readonly outcome: HttpOutcome;
	readonly access: RobotsAccess["access"];
	readonly code: RobotsAccess["code"];
	/** How long it holds from then on, in milliseconds. */
	readonly holds?: number;
	/** From when on to ask again, in milliseconds from then on; null: nothing failed. */
	readonly retryAfter?: number | null;
	/** Milliseconds of failing that were observed. */
	readonly unreachableFor?: number;
	/** The body of the copy that is kept. */
	readonly copy?: string | null;
	/** Whether the file goes on beyond the copy. */
	readonly truncated?: boolean;
	/** The sentence that says why. */
	readonly reason?: string;
}

export interface Story {
	readonly what: string;
	/** The sentence it comes from. */
	readonly source: string;
	readonly options?: AccessOptions;
	readonly steps: readonly Step[];
}

const FILE = "User-agent: *\nDisallow: /private\n";
const bytes = (text: string) => new TextEncoder().encode(text);
const URL_ASKED = "https://example.com/robots.txt";

const response = (
	status: number,
	headers: Record<string, string> = {},
	body = FILE,
): HttpOutcome => ({
	url: URL_ASKED,
	status,
	headers,
	body: bytes(body),
});
const failure = (
	code: NonNullable<HttpOutcome["failure"]>["code"],
): HttpOutcome => ({ failure: { code, message: "it failed" } });
const hops = (count: number, status = 301): HttpOutcome => ({
	...response(status),
	redirects: Array.from({ length: count }, (_, i) => ({
		status: 301,
		url: `https://example.com/hop-${i + 1}`,
	})),
});

const rules = { access: "rules", copy: FILE, retryAfter: null } as const;
const found = { ...rules, code: "success" } as const;
const absent = {
	access: "allow-all",
	copy: null,
	retryAfter: null,
	holds: DAY,
} as const;
const disallowed = { access: "disallow-all" } as const;

/** The same outcome once a day, from one day to another. */
const everyDay = (
	from: number,
	to: number,
	outcome: HttpOutcome,
	expected: Omit<Step, "outcome" | "at">,
): (Step & { readonly at: number })[] =>
	Array.from({ length: to - from + 1 }, (_, i) => ({
		at: (from + i) * DAY,
		outcome,
		...expected,
	}));

const once = (
	what: string,
	source: string,
	outcome: HttpOutcome,
	expected: Omit<Step, "outcome">,
	options: AccessOptions = {},
): Story => ({ what, source, options, steps: [{ outcome, ...expected }] });

const google = {
	"2xx": "Google 2021, 2xx (successful)",
	"3xx": "Google 2021, 3xx (redirection)",
	"4xx": "Google 2021, 4xx (client errors)",
	"5xx": "Google 2021, 5xx (server error)",
	incomplete: "Google 2021, Unsuccessful requests or incomplete data",
	caching: "Google 2021, Caching",
};

const success: readonly Story[] = [
	...[200, 201, 203, 204, 206, 226, 299].map((status) =>
		once(`HTTP ${status}`, google["2xx"], response(status), {
			...found,
			holds: DAY,
		}),
	),
	once(
		"no body",
		"RFC 9309 §2.3.1.1",
		{ status: 200, redirects: [] },
		{ ...found, copy: "", truncated: false },
	),
	once(
		"a file longer than was read",
		"RFC 9309 §2.5",
		{ ...response(200), truncated: true },
		{ ...found, truncated: true },
	),
	once(
		"HTML with a redirect in it, which is not followed: its lines count",
		google["3xx"],
		response(
			200,
			{ "content-type": "text/html" },
			"<meta http-equiv=refresh content='0; /other'>\nUser-agent: *\nDisallow: /a\n",
		),
		{
			...found,
			copy: "<meta http-equiv=refresh content='0; /other'>\nUser-agent: *\nDisallow: /a\n",
		},
	),
];

const redirection: readonly Story[] = [
	...[1, 4, 5].map((count) =>
		once(
			`${count} redirects to a file`,
			"RFC 9309 §2.3.1.2",
			hops(count, 200),
			found,
		),
	),
	once("five redirects to 404", google["3xx"], hops(5, 404), {
		...absent,
		code: "client-error",
	}),
	once("five redirects to 503", google["5xx"], hops(5, 503), {
		...disallowed,
		code: "server-error",
	}),
	...[200, 302, 404, 503].map((status) =>
		once(`six redirects, then ${status}`, google["3xx"], hops(6, status), {
			...absent,
			code: "too-many-redirects",
		}),
	),
	once(
		"six redirects where ten may be followed",
		google["3xx"],
		hops(6, 200),
		found,
		{ maxRedirects: 10 },
	),
	once(
		"no redirect where none may be followed",
		google["3xx"],
		response(200),
		found,
		{ maxRedirects: 0 },
	),
	once(
		"one redirect where none may be followed",
		google["3xx"],
		hops(1, 200),
		{ ...absent, code: "too-many-redirects" },
		{ maxRedirects: 0 },
	),
	once(
		"a redirect to itself",
		google["3xx"],
		{ ...response(302), redirects: [{ status: 302, url: URL_ASKED }] },
		{ ...absent, code: "redirect-loop" },
	),
	once(
		"a circle of two",
		google["3xx"],
		{
			status: 301,
			redirects: ["https://a.example/", "https://b.example/"]
				.concat("https://a.example/")
				.map((url) => ({ status: 301, url })),
		},
		{ ...absent, code: "redirect-loop" },
	),
	...[300, 301, 302, 303, 305, 307, 308, 399].map((status) =>
		once(`HTTP ${status} that leads nowhere`, google["3xx"], response(status), {
			...absent,
			code: "redirect-nowhere",
		}),
	),
];

const clientErrors: readonly Story[] = [
	...[400, 401, 402, 403, 404, 410, 418, 451, 499].map((status) =>
		once(`HTTP ${status}`, google["4xx"], response(status), {
			...absent,
			code: "client-error",
		}),
	),
	{
		what: "404 after a file: the site has none any more, even if it fails later",
		source: google["4xx"],
		steps: [
			{ outcome: response(200), ...found },
			{ at: DAY, outcome: response(404), ...absent, code: "client-error" },
			{
				at: 2 * DAY,
				outcome: response(503),
				...disallowed,
				code: "server-error",
				copy: null,
			},
			...everyDay(3, 32, response(503), {
				...disallowed,
				code: "server-error",
			}),
			{
				at: 33 * DAY,
				outcome: response(503),
				access: "allow-all",
				code: "long-unreachable",
			},
		],
	},
	once(
		"404 with max-age",
		google.caching,
		response(404, { "cache-control": "max-age=7200" }),
		{ ...absent, code: "client-error", holds: 2 * HOUR },
	),
	once(
		"404 with Retry-After, which is for failures",
		"RFC 9110 §10.2.3",
		response(404, { "retry-after": "60" }),
		{ ...absent, code: "client-error" },
	),
];

const serverErrors: readonly Story[] = [
	...[500, 501, 502, 503, 504, 508, 521, 599].map((status) =>
		once(`HTTP ${status}`, google["5xx"], response(status), {
			...disallowed,
			code: "server-error",
			holds: MINUTE,
			retryAfter: MINUTE,
			copy: null,
		}),
	),
	once(
		"HTTP 429",
		"SPEC: 429 as a server error",
		response(429, { "retry-after": "120" }),
		{ ...disallowed, code: "too-many-requests", retryAfter: 2 * MINUTE },
	),
	...[0, 42, 100, 199, 304, 600, 999].map((status) =>
		once(
			`HTTP ${status}, which is no answer`,
			"RFC 9110 §15",
			response(status),
			{
				...disallowed,
				code: "server-error",
			},
		),
	),
	...(
		[
			"dns",
			"connection",
			"tls",
			"timeout",
			"invalid-response",
			"incomplete-body",
			"address-refused",
		] as const
	).map((code) =>
		once(code, google.incomplete, failure(code), {
			...disallowed,
			code,
			holds: MINUTE,
			copy: null,
		}),
	),
	once(
		"a file that breaks off",
		google.incomplete,
		{ ...response(200), ...failure("incomplete-body") },
		{ ...disallowed, code: "incomplete-body", copy: null },
	),
	{
		what: "it is asked for again until it answers, first soon, then less often",
		source: google["5xx"],
		steps: [
			...[1, 2, 4, 8, 16, 32, 60, 60].map(
				(minutes, i): Step => ({
					at: i * HOUR,
					outcome: response(503),
					...disallowed,
					code: "server-error",
					holds: minutes * MINUTE,
					retryAfter: minutes * MINUTE,
				}),
			),
			{ at: 9 * HOUR, outcome: response(200), ...found },
			{
				at: 40 * HOUR,
				outcome: response(503),
				...disallowed,
				code: "server-error",
				retryAfter: MINUTE,
			},
		],
	},
	once(
		"a file that breaks off, with Retry-After: the failure outweighs the response",
		google.incomplete,
		{
			...response(503, { "retry-after": "120" }),
			...failure("incomplete-body"),
		},
		{ ...disallowed, code: "incomplete-body", retryAfter: MINUTE },
	),
	...[500, 599].map((status) =>
		once(
			`${status} of a site that has no 404`,
			google["5xx"],
			response(status),
			{ ...absent, code: "client-error" },
			{ serverErrorAsNotFound: true },
		),
	),
	once(
		"600 of a site that has no 404",
		google["5xx"],
		response(600),
		{ ...disallowed, code: "server-error" },
		{ serverErrorAsNotFound: true },
	),
	once(
		"429 of a site that has no 404",
		google["5xx"],
		response(429),
		{
			...disallowed,
			code: "too-many-requests",
		},
		{ serverErrorAsNotFound: true },
	),
	once(
		"a time-out of a site that has no 404",
		google["5xx"],
		failure("timeout"),
		{
			...disallowed,
			code: "timeout",
		},
		{ serverErrorAsNotFound: true },
	),
];

const retryAfter: readonly Story[] = (
	[
		["120", 2 * MINUTE],
		["5", 5 * SECOND],
		["86400", DAY],
		["999999999999999999999", DAY],
		["Thu, 01 Jan 2026 00:10:00 GMT", 10 * MINUTE],
		["Thursday, 01-Jan-26 00:10:00 GMT", 10 * MINUTE],
		["Thu Jan  1 00:10:00 2026", 10 * MINUTE],
		["Fri, 01 Jan 2027 00:00:00 GMT", DAY],
		["0", MINUTE],
		["-1", MINUTE],
		["1.5", MINUTE],
		["soon", MINUTE],
		["Sunday", MINUTE],
		["Wed, 31 Dec 2025 00:00:00 GMT", MINUTE],
		["", MINUTE],
		[" 120 ", 2 * MINUTE],
		["2026-01-01 00:10:00", MINUTE],
	] as const
).map(([value, wait]) =>
	once(
		`Retry-After: ${value}`,
		"RFC 9110 §10.2.3",
		response(503, { "Retry-After": value }),
		{ ...disallowed, code: "server-error", retryAfter: wait, holds: wait },
	),
);

const goodThen = (...steps: readonly Step[]): readonly Step[] => [
	{ outcome: response(200), ...found, holds: DAY },
	...steps,
];

const longFailures: readonly Story[] = [
	{
		what: "a copy that has not expired holds while refreshing fails, and no longer",
		source: google.caching,
		steps: goodThen(
			{
				at: 23 * HOUR,
				outcome: response(503),
				access: "rules",
				code: "cached-copy",
				holds: MINUTE,
				retryAfter: MINUTE,
				copy: FILE,
			},
			{
				at: DAY - 1,
				outcome: failure("timeout"),
				access: "rules",
				code: "cached-copy",
				holds: 1,
				retryAfter: 2 * MINUTE,
			},
			{
				at: DAY,
				outcome: failure("dns"),
				...disallowed,
				code: "dns",
				copy: FILE,
			},
		),
	},
	{
		what: "an expired copy holds as long as staleIfError says",
		source: google.caching,
		options: { staleIfError: 3 * DAY },
		steps: goodThen(
			{
				at: 2 * DAY,
				outcome: response(503),
				access: "rules",
				code: "cached-copy",
			},
			{
				at: 4 * DAY,
				outcome: response(503),
				...disallowed,
				code: "server-error",
			},
		),
	},
	{
		what: "30 days of failures with a copy",
		source: google["5xx"],
		steps: goodThen(
			...everyDay(1, 30, response(503), {
				...disallowed,
				code: "server-error",
			}),
			{
				at: 31 * DAY,
				outcome: failure("connection"),
				...disallowed,
				code: "connection",
				copy: FILE,
			},
			{
				at: 31 * DAY + 1,
				outcome: response(500),
				access: "rules",
				code: "long-unreachable",
				holds: HOUR,
				copy: FILE,
			},
			{ at: 90 * DAY, outcome: response(200), ...found },
			{
				at: 92 * DAY,
				outcome: response(500),
				...disallowed,
				code: "server-error",
			},
		),
	},
	{
		what: "30 days of failures without a copy",
		source: google["5xx"],
		steps: [
			...everyDay(0, 30, failure("dns"), { ...disallowed, code: "dns" }),
			{
				at: 30 * DAY + 1,
				outcome: failure("dns"),
				access: "allow-all",
				code: "long-unreachable",
				copy: null,
			},
		],
	},
	{
		what: "two failures and 40 days of silence between them are not 30 days of failures",
		source: google["5xx"],
		steps: [
			{ outcome: response(503), ...disallowed, code: "server-error" },
			{
				at: 40 * DAY,
				outcome: response(503),
				...disallowed,
				code: "server-error",
				unreachableFor: 0,
			},
		],
	},
	{
		what: "a request that comes a day after it was due is the last one that counts",
		source: google["5xx"],
		steps: [
			{ outcome: response(503), ...disallowed, code: "server-error" },
			{
				at: DAY + MINUTE,
				outcome: response(503),
				...disallowed,
				code: "server-error",
				unreachableFor: DAY + MINUTE,
			},
			{
				at: 2 * DAY + 3 * MINUTE + 1,
				outcome: response(503),
				...disallowed,
				code: "server-error",
				unreachableFor: DAY + MINUTE,
			},
		],
	},
	{
		what: "a server that asks for a day of patience each time is observed all the same",
		source: google["5xx"],
		steps: [
			...Array.from({ length: 15 }, (_, i) => ({
				at: i * 2 * DAY,
				outcome: response(503, { "retry-after": "86400" }),
				...disallowed,
				code: "server-error" as const,
				unreachableFor: i * 2 * DAY,
			})),
		],
	},
	{
		what: "what could not be connected to because we refused it does not count",
		source: "the crawler's own choice",
		steps: [
			{ outcome: response(503), ...disallowed, code: "server-error" },
			...[HOUR, 2 * HOUR].map((at) => ({
				at,
				outcome: failure("address-refused"),
				...disallowed,
				code: "address-refused" as const,
				unreachableFor: 0,
			})),
			{
				at: 3 * HOUR,
				outcome: response(503),
				...disallowed,
				code: "server-error",
				unreachableFor: 0,
			},
		],
	},
	{
		what: "the limit is an option",
		source: "RFC 9309 §2.3.1.4",
		options: { unreachableLimit: HOUR },
		steps: [
			{ outcome: response(503), ...disallowed, code: "server-error" },
			{
				at: 2 * HOUR,
				outcome: response(503),
				access: "allow-all",
				code: "long-unreachable",
			},
		],
	},
	{
		what: "12 hours of server errors, then the last good copy",
		source: "Google's documentation of 2026",
		options: { copyAfter: 12 * HOUR },
		steps: [
			{ outcome: response(200), ...found },
			...[25, 37].map((hour) => ({
				at: hour * HOUR,
				outcome: response(503),
				...disallowed,
				code: "server-error" as const,
			})),
			{
				at: 38 * HOUR,
				outcome: failure("timeout"),
				access: "rules",
				code: "long-unreachable",
				copy: FILE,
			},
			{ at: 39 * HOUR, outcome: response(200), ...found },
		],
	},
	{
		what: "12 hours of server errors, but no copy",
		source: "RFC 9309 §2.3.1.4",
		options: { copyAfter: 12 * HOUR },
		steps: [0, 13, 37].map((hour) => ({
			at: hour * HOUR,
			outcome: response(503),
			...disallowed,
			code: "server-error" as const,
		})),
	},
	...[401, 403].map((status) =>
		once(
			`HTTP ${status}, as disallow`,
			"http.robots.403.allow of Apache Nutch",
			response(status),
			{
				...disallowed,
				code: "forbidden",
				copy: null,
				retryAfter: null,
				holds: DAY,
				reason: `HTTP ${status} counts as disallow here: nothing is allowed.`,
			},
			{ forbiddenAsDisallow: true },
		),
	),
	...[404, 410].map((status) =>
		once(
			`HTTP ${status}, where 403 is disallow`,
			"RFC 9309 §2.3.1.3",
			response(status),
			{ ...absent, code: "client-error" },
			{ forbiddenAsDisallow: true },
		),
	),
	{
		what: "a refused address stays refused",
		source: "the crawler's own choice",
		steps: [
			{
				outcome: failure("address-refused"),
				...disallowed,
				code: "address-refused",
			},
			{
				at: 60 * DAY,
				outcome: failure("address-refused"),
				...disallowed,
				code: "address-refused",
			},
		],
	},
];

const clocks: readonly Story[] = [
	{
		what: "a copy of tomorrow, by a clock that was set back, does not hold",
		source: "the crawler's own choice",
		steps: [
			{ at: DAY, outcome: response(200), ...found },
			{ outcome: response(503), ...disallowed, code: "server-error" },
		],
	},
	{
		what: "a clock may be set back by a minute",
		source: "the crawler's own choice",
		steps: [
			{ at: MINUTE, outcome: response(200), ...found },
			{ outcome: response(503), access: "rules", code: "cached-copy" },
			{ at: -1, outcome: response(503), ...disallowed, code: "server-error" },
		],
	},
	{
		what: "a clock that is five years back for one request adds nothing",
		source: google["5xx"],
		steps: [0, HOUR, -5 * 365 * DAY, 2 * HOUR, 3 * HOUR].map((at, i) => ({
			at,
			outcome: response(503),
			...disallowed,
			code: "server-error" as const,
			unreachableFor: [0, HOUR, HOUR, HOUR, 2 * HOUR][i] as number,
		})),
	},
	{
		what: "30 days of failures, counted without the time that a clock was set back by",
		source: google["5xx"],
		steps: [
			{
				at: 10 * DAY,
				outcome: response(503),
				...disallowed,
				code: "server-error",
			},
			...everyDay(0, 30, response(503), {
				...disallowed,
				code: "server-error",
			}),
			{
				at: 30 * DAY + 1,
				outcome: response(503),
				access: "allow-all",
				code: "long-unreachable",
			},
		],
	},
	{
		what: "times that are no dates",
		source: "the crawler's own choice",
		steps: [
			{ at: 1e17, outcome: response(200), ...found },
			{
				at: 1e17,
				outcome: response(503),
				access: "rules",
				code: "cached-copy",
				reason:
					"HTTP 503: the server fails. The copy of 100001767225600000 still holds.",
			},
		],
	},
];

/** One outcome, and the sentence that says what it means. */
const sentence = (
	outcome: HttpOutcome,
	expected: Omit<Step, "outcome"> & { readonly reason: string },
	options?: AccessOptions,
): Story => once(expected.reason, "the reason", outcome, expected, options);

const sentences: readonly Story[] = [
	...[500, 599].map((status) =>
		sentence(response(status), {
			...disallowed,
			code: "server-error",
			reason: `HTTP ${status}: the server fails.`,
		}),
	),
	...[304, 600].map((status) =>
		sentence(response(status), {
			...disallowed,
			code: "server-error",
			reason: `HTTP ${status}, which cannot be an answer, counts as a server error.`,
		}),
	),
	sentence(
		{ status: 404, ftpReply: 550 },
		{
			...absent,
			code: "client-error",
			reason:
				"FTP reply 550: the site has no robots.txt, everything is allowed.",
		},
	),
	sentence(response(404), {
		...absent,
		code: "client-error",
		reason: "HTTP 404: the site has no robots.txt, everything is allowed.",
	}),
	sentence(
		{ failure: { code: "dns", message: "no address for a.example." } },
		{
			...disallowed,
			code: "dns",
			reason: "The host name cannot be resolved: no address for a.example.",
		},
	),
	sentence(
		response(200, { "content-type": "image/png" }),
		{
			...absent,
			code: "unusable",
			reason:
				'The file is not text but "image/png": for Yandex everything is allowed.',
		},
		{ dialect: "yandex" },
	),
	sentence(
		response(204),
		{
			...absent,
			code: "unusable",
			reason: "HTTP 204 is not 200: for Yandex everything is allowed.",
		},
		{ dialect: "yandex" },
	),
	{
		what: "the sentences of long failures name their days",
		source: "the reason",
		steps: goodThen(
			{
				at: HOUR,
				outcome: response(503),
				access: "rules",
				code: "cached-copy",
				reason:
					"HTTP 503: the server fails. The copy of 2026-01-01T00:00:00.000Z still holds.",
			},
			...everyDay(1, 30, response(503), {
				...disallowed,
				code: "server-error",
			}).map((step) => ({ ...step, at: step.at + 10 * MINUTE })),
			{
				at: 31 * DAY + HOUR,
				outcome: response(503),
				access: "rules",
				code: "long-unreachable",
				reason:
					"HTTP 503: the server fails. It has failed since 2026-01-01T01:00:00.000Z: the last good copy, of 2026-01-01T00:00:00.000Z, holds.",
			},
		),
	},
];

const lifetimes: readonly Story[] = (
	[
		[{}, DAY],
		[{ "cache-control": "max-age=3600" }, HOUR],
		[{ "Cache-Control": "Public, MAX-AGE=3600" }, HOUR],
		[{ "cache-control": 'max-age="3600"' }, HOUR],
		[{ "cache-control": "max-age=172800" }, 2 * DAY],
		[{ "cache-control": "max-age=31536000" }, 7 * DAY],
		[{ "cache-control": "max-age=99999999999999999999" }, 7 * DAY],
		[{ "cache-control": "max-age=60" }, MINUTE],
		[{ "cache-control": "max-age=0" }, MINUTE],
		[{ "cache-control": "max-age=-1" }, MINUTE],
		[{ "cache-control": "max-age=soon" }, MINUTE],
		[{ "cache-control": "no-cache" }, MINUTE],
		[{ "cache-control": "no-store" }, MINUTE],
		[{ "cache-control": "no-cache, max-age=3600" }, MINUTE],
		[{ pragma: "no-cache" }, MINUTE],
		[{ "cache-control": "public" }, DAY],
		[{ "cache-control": "private, max-age=3600" }, HOUR],
		[{ "cache-control": "immutable" }, DAY],
		[{ "cache-control": "s-maxage=3600" }, DAY],
		[{ "cache-control": "max-age=7200, s-maxage=3600" }, 2 * HOUR],
		[{ "cache-control": "max-age=3600, stale-if-error=86400" }, HOUR],
		[{ "cache-control": "max-age=7200", age: "3600" }, HOUR],
		[{ "cache-control": "max-age=3600", age: "7200" }, MINUTE],
		[{ age: "864000" }, DAY],
		[
			{
				expires: "Thu, 01 Jan 2026 02:00:00 GMT",
				date: "Thu, 01 Jan 2026 00:00:00 GMT",
			},
			2 * HOUR,
		],
		[
			{
				// A server whose clock is wrong: the difference counts (RFC 9111 §4.2.1).
				expires: "Sun, 01 Jan 2023 02:00:00 GMT",
				date: "Sun, 01 Jan 2023 00:00:00 GMT",
			},
			2 * HOUR,
		],
		[{ expires: "Thu, 01 Jan 2026 03:00:00 GMT" }, 3 * HOUR],
		[{ expires: "0" }, MINUTE],
		[{ expires: "-1" }, MINUTE],
		[
			{
				expires: "Thu, 01 Jan 2026 03:00:00 GMT",
				"cache-control": "max-age=3600",
			},
			HOUR,
		],
		// No guess from Last-Modified.
		[{ "last-modified": "Wed, 01 Jan 2025 00:00:00 GMT" }, DAY],
		[{ vary: "*" }, DAY],
		[{ "set-cookie": "a=b" }, DAY],
	] as const
).map(([headers, holds]) =>
	once(JSON.stringify(headers), google.caching, response(200, headers), {
		...found,
		holds,
	}),
);

const lifetimeOptions: readonly Story[] = (
	[
		["cap", { maxLifetime: DAY }, "max-age=172800", DAY],
		["floor", { minLifetime: HOUR }, "max-age=60", HOUR],
		["default", { defaultLifetime: HOUR }, "public", HOUR],
		["the cap is above the default", { maxLifetime: HOUR }, "public", HOUR],
		["cap and floor are one", { minLifetime: DAY, maxLifetime: DAY }, "", DAY],
		[
			"undefined is none",
			{ defaultLifetime: undefined as unknown as number },
			"public",
			DAY,
		],
	] as const
).map(([what, options, value, holds]) =>
	once(
		`an option: ${what}`,
		"RFC 9309 §2.4",
		response(200, { "cache-control": value }),
		{ ...found, holds },
		options,
	),
);

const conditional: readonly Story[] = [
	{
		what: "304 makes the copy new, with what it says itself",
		source: "RFC 9111 §4.3.4",
		steps: [
			{
				outcome: response(200, {
					etag: '"1"',
					"cache-control": "max-age=3600",
				}),
				...found,
				holds: HOUR,
			},
			{
				at: HOUR,
				outcome: response(304, {}, ""),
				...rules,
				code: "not-modified",
				holds: HOUR,
			},
			{
				at: 2 * HOUR,
				outcome: response(304, { "cache-control": "max-age=7200" }, ""),
				...rules,
				code: "not-modified",
				holds: 2 * HOUR,
			},
			{
				at: 4 * HOUR,
				outcome: response(304, {}, ""),
				...rules,
				code: "not-modified",
				holds: 2 * HOUR,
			},
		],
	},
	{
		what: "304 does not inherit the age of the copy",
		source: "RFC 9111 §4.2.3",
		steps: [
			{
				outcome: response(200, {
					age: "3000",
					"cache-control": "max-age=3600",
				}),
				...found,
				holds: 10 * MINUTE,
			},
			{
				at: HOUR,
				outcome: response(304, {}, ""),
				...rules,
				code: "not-modified",
				holds: HOUR,
			},
		],
	},
	{
		what: "304 ends a time of failures",
		source: "RFC 9110 §15.4.5",
		steps: goodThen(
			{
				at: 2 * DAY,
				outcome: response(503),
				...disallowed,
				code: "server-error",
			},
			{
				at: 3 * DAY,
				outcome: response(304, {}, ""),
				...rules,
				code: "not-modified",
				holds: DAY,
			},
		),
	},
];

const yandexOptions = { dialect: "yandex" } as const;
const yandexSource = "Yandex, Директива User-agent";

const yandex: readonly Story[] = [
	once("Yandex, 200", yandexSource, response(200), found, yandexOptions),
	once(
		"Yandex, 200 and text/plain",
		yandexSource,
		response(200, { "content-type": "Text/Plain; charset=utf-8" }),
		found,
		yandexOptions,
	),
	once(
		"Yandex, 200 and no text",
		yandexSource,
		response(200, { "content-type": "image/png" }),
		{ ...absent, code: "unusable" },
		yandexOptions,
	),
	once(
		"Yandex, a type with spaces around it",
		yandexSource,
		response(200, { "content-type": " text/plain " }),
		found,
		yandexOptions,
	),
	once(
		"Yandex, a type whose parameter looks like text",
		yandexSource,
		response(200, { "content-type": "image/png; name=text/plain" }),
		{ ...absent, code: "unusable" },
		yandexOptions,
	),
	once(
		"Yandex, 199, which is no answer",
		yandexSource,
		response(199),
		{ access: "allow-all", code: "server-error", retryAfter: MINUTE },
		yandexOptions,
	),
	...[201, 204, 206, 299].map((status) =>
		once(
			`Yandex, ${status}`,
			yandexSource,
			response(status),
			{ ...absent, code: "unusable" },
			yandexOptions,
		),
	),
	once(
		"Yandex, 301",
		yandexSource,
		response(301),
		{ ...absent, code: "redirect-nowhere" },
		yandexOptions,
	),
	once(
		"Yandex, a redirect to a file",
		"reading: the last response counts",
		hops(1, 200),
		found,
		yandexOptions,
	),
	once(
		"Yandex, 404",
		yandexSource,
		response(404),
		{ ...absent, code: "client-error" },
		yandexOptions,
	),
	...[429, 500, 503].map((status) =>
		once(
			`Yandex, ${status}: allowed, and asked for again soon`,
			yandexSource,
			response(status),
			{
				access: "allow-all",
				code: status === 429 ? "too-many-requests" : "server-error",
				retryAfter: MINUTE,
				holds: MINUTE,
			},
			yandexOptions,
		),
	),
	once(
		"Yandex, what could not be fetched",
		"Yandex, the last section: «не удалось закачать»",
		failure("timeout"),
		{ access: "allow-all", code: "timeout" },
		yandexOptions,
	),
	{
		what: "Yandex, a failure after a file",
		source: yandexSource,
		options: yandexOptions,
		steps: goodThen({
			at: HOUR,
			outcome: response(503),
			access: "allow-all",
			code: "server-error",
		}),
	},
	{
		what: "Yandex, 304",
		source: "RFC 9110 §15.4.5",
		options: yandexOptions,
		steps: goodThen({
			at: DAY,
			outcome: response(304),
			...rules,
			code: "not-modified",
		}),
	},
];

export const stories: readonly Story[] = [
	...success,
	...redirection,
	...clientErrors,
	...serverErrors,
	...retryAfter,
	...longFailures,
	...clocks,
	...sentences,
	...lifetimes,
	...lifetimeOptions,
	...conditional,
	...yandex,
];
