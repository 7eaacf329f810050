import fc from "fast-check";
import {
	decodeEntry,
	encodeEntry,
} from "../../packages/client/src/stores/entry.ts";
import {
	type AccessOptions,
	accessFor,
	conditionalHeaders,
	type HttpOutcome,
	type RobotsAccess,
} from "../../src/access.ts";
import { bytes } from "../latin1.ts";
import { expectSame, target } from "./target.ts";
import { joined, robotsTxt } from "./texts.ts";

const url = "https://h.example/robots.txt";
const value = joined(
	[
		"max-age=",
		"60",
		"s-maxage=",
		"no-store",
		"no-cache",
		",",
		" ",
		"=",
		'"',
		"-1",
		"1e9",
		"99999999999999",
		"private",
		"must-revalidate",
		"0",
		";",
		"Thu, 01 Jan 2026 00:00:00 GMT",
		"Fri, 02 Jan 2026 10:00:00 GMT",
		"x",
	],
	5,
);
const fields = fc.dictionary(
	fc.constantFrom(
		"cache-control",
		"age",
		"expires",
		"date",
		"retry-after",
		"etag",
		"last-modified",
		"pragma",
		"vary",
		"content-type",
		"Cache-Control",
	),
	value,
);
const step = fc.record({
	status: fc.oneof(
		fc.constantFrom(200, 204, 301, 304, 401, 403, 404, 429, 500, 503),
		fc.integer({ min: 0, max: 1000 }),
	),
	failed: fc.option(
		fc.constantFrom("dns", "timeout", "incomplete-body", "connection"),
		{ nil: undefined, freq: 3 },
	),
	headers: fields,
	body: robotsTxt,
	hops: fc.nat(7),
	/** Hours until the next one. */
	pause: fc.constantFrom(0, 1, 23, 25, 24 * 29, 24 * 31),
});

/** RFC 9309 §2.3.1, in few words; undefined where it depends on what was known before. */
function wanted(
	{ status, failure, redirects = [] }: HttpOutcome,
	hasCopy: boolean,
): RobotsAccess["access"] | undefined {
	if (failure || status === undefined) return undefined;
	if (redirects.length > 5) return "allow-all";
	if (status >= 200 && status < 300) return "rules";
	if (status === 304) return hasCopy ? "rules" : undefined;
	if (status >= 300 && status < 500 && status !== 429) return "allow-all";
	return undefined;
}

/** Stories of HTTP answers: none is more than it may be, and stored and read again it is the same. */
export const answers = target({
	name: "answers",
	inputs: fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 6 }) }),
	check: ({ steps }) => {
		let now = Date.UTC(2026, 0, 1);
		let previous: RobotsAccess | null = null;
		for (const { status, failed, headers, body, hops, pause } of steps) {
			const outcome: HttpOutcome = {
				url,
				headers,
				body: new Uint8Array(bytes(body)),
				redirects: Array.from({ length: hops }, (_, i) => ({
					status: 301,
					url: `https://h${i}.example/robots.txt`,
				})),
				...(failed ? { failure: { code: failed, message: "x" } } : { status }),
			};
			const options: AccessOptions = { now };
			const access = accessFor(outcome, previous, options);
			expectSame("again", accessFor(outcome, previous, options), access);
			const clear = wanted(outcome, previous?.copy != null);
			if (clear) expectSame("meaning", access.access, clear);
			else if (access.access === "allow-all")
				// Only after 30 days without an answer.
				expectSame("code", access.code, "long-unreachable");
			else if (access.access === "rules" && !clear)
				expectSame("copy", access.copy !== null, true);
			for (const time of [access.expires, access.askedAt])
				expectSame("time", Number.isFinite(time) && time >= now, true);
			const stored = decodeEntry("key", encodeEntry("key", access));
			expectSame("stored", stored, access);
			conditionalHeaders(access, url);
			previous = access;
			now += pause * 3_600_000;
		}
	},
});
