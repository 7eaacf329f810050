/**
 * Times that answers name: how long a response may be used, when Retry-After asks for the next request, and whether a stored time can be
 * true. access.ts calls it. The library http-cache-semantics decides about caching; robotrie only adds the case in which the header says
 * nothing.
 */
import CachePolicy from "http-cache-semantics";
import { field, type HeaderFields } from "../common/header-fields.ts";

/** What decides for how long a response may be used, and what a 304 may replace (RFC 9111 §4.2, §3.2). */
export const CACHING_FIELDS = [
	"age",
	"cache-control",
	"date",
	"expires",
	"pragma",
] as const;

/**
 * For how many milliseconds from `now` on the response says that it may be used (RFC 9111 §4.2), 0
 * where it wants to be asked for every time. Undefined where it says nothing: Last-Modified is
 * ignored, there is no heuristic lifetime. `no-store`, `must-revalidate` and their like are the
 * library's to weigh; here its answer becomes a number of milliseconds.
 */
export function freshnessLifetime(
	headers: HeaderFields | undefined,
	now: number,
): number | undefined {
	const fields: Record<string, string> = {};
	for (const name of CACHING_FIELDS) {
		const value = field(headers, name);
		// Directives are compared in any case (RFC 9111 §5.2), which the library leaves to its caller.
		if (value !== undefined)
			fields[name] = name === "cache-control" ? value.toLowerCase() : value;
	}
	// Most answers of a crawl come without any; the library would take longer than all else.
	if (Object.keys(fields).length === 0) return undefined;
	const policy = policyOf(fields, now);
	// The library does not tell two zeros apart, so the question is asked a second time with an
	// Expires that only counts if nothing else does.
	if (policy.maxAge() === 0 && fields.expires === undefined) {
		// The library says 0 for "do not use" and for "nothing is said": only in the latter case a lifetime can be added.
		const expires = new Date(policy.date() + 3_600_000).toUTCString();
		if (policyOf({ ...fields, expires }, now).maxAge() > 0) return undefined;
	}
	return Math.max(0, policy.maxAge() - policy.age()) * 1000;
}

/** The library asks for the time in its constructor. */
let time = 0;
/**
 * A class of its own only to give the time, and a variable for it, as the constructor asks before
 * fields of ours exist.
 */
class Policy extends CachePolicy {
	now(): number {
		return time;
	}
}

function policyOf(headers: Record<string, string>, now: number): Policy {
	time = now;
	// What a robots.txt's status means is decided elsewhere; here only the fields count.
	return new Policy(
		{ method: "GET", headers: {} },
		{ status: 200, headers },
		{ shared: false, immutableMinTimeToLive: 0 },
	);
}

/**
 * The time that a Retry-After field names, in milliseconds since 1970: a number of seconds from `now`, or an HTTP-date
 * (RFC 9110 §10.2.3). Undefined for anything else.
 */
export function retryAfterTime(
	value: string | undefined,
	now: number,
): number | undefined {
	const text = value?.trim() ?? "";
	// Retry-After in seconds is by far the most common form.
	if (/^\d+$/.test(text)) return now + Number(text) * 1000;
	// The three forms of RFC 9110 §5.6.7 begin with a day's name; Date.parse alone also takes "-1" for a date.
	if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined;
	// The asctime form names no zone and means UTC.
	const time = Date.parse(text.endsWith("GMT") ? text : `${text} GMT`);
	return Number.isNaN(time) ? undefined : time;
}
