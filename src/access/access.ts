/**
 * From the outcome of a request for robots.txt, the result before it and the time to what a crawler may do until when. Pure functions: the
 * client calls `accessBy` with settings it has checked, users call `accessFor`. A result can be stored and given back later, by another
 * process too, so nothing is kept between calls.
 */
import { type Url, urlText } from "../common/arguments.ts";
import { bytesArgument, keptBytes } from "../common/bytes.ts";
import { isFromFuture } from "../common/clock.ts";
import { field, type HeaderFields } from "../common/header-fields.ts";
import { dialectRules } from "../robots-txt/dialect.ts";
import {
	CACHING_FIELDS,
	freshnessLifetime,
	retryAfterTime,
} from "./lifetime.ts";
import { type AccessOptions, type Settings, settingsOf } from "./options.ts";
import { type Classification, classify, type HttpOutcome } from "./outcome.ts";
import {
	checkAccess,
	checkFollowed,
	checkOutcome,
	checkPrevious,
	type RobotsAccess,
	type RobotsCopy,
} from "./robots-access.ts";

/**
 * What the outcome of requesting a robots.txt means for a crawler (RFC 9309 §2.3.1), until when (§2.4), and when to ask again. A
 * pure function: it takes the outcome, its own previous result for the same origin and the current time (`options.now`).
 *
 * - 2xx: the rules of the file (§2.3.1.1); 304: those of the copy (RFC 9111 §4.3.4).
 * - 3xx that leads nowhere, in a circle or over more than `maxRedirects` hops (§2.3.1.2), 4xx (§2.3.1.3): no restrictions.
 * - 429, 5xx, anything that is not an HTTP status, and failures (§2.3.1.4): nothing is allowed, unless the copy has not
 *   expired; after `unreachableLimit` of observed failing the copy's rules (with `copyAfter` earlier), or no restrictions.
 * - In the yandex dialect, anything but a text with status 200, and a file of more than `maxBytes`: no restrictions.
 * @example
 * const { access, expires } = accessFor({ status: 404 });
 * // "allow-all", and the time at which to ask again
 * @throws {RobotrieError} invalid-argument, for options outside their range or of another name, and for outcomes with neither
 * status nor failure or with values of another type; for a redirect whose Location was not followed, or is
 * not known for want of headers.
 */
export function accessFor(
	outcome: HttpOutcome,
	previous?: RobotsAccess | null,
	options: AccessOptions = {},
): RobotsAccess {
	checkOutcome(outcome);
	checkPrevious(previous);
	const settings = settingsOf(options);
	checkFollowed(outcome, settings.maxRedirects);
	return accessBy(outcome, previous ?? null, settings);
}

/**
 * The same for arguments that are known to be right. The client calls it for every answer; checking
 * its own settings and results again would be time spent on nothing.
 */
export function accessBy(
	outcome: HttpOutcome,
	before: RobotsAccess | null,
	settings: Settings,
): RobotsAccess {
	const { now } = settings;
	const found = classify(outcome, before?.copy != null, settings);
	switch (found.kind) {
		case "found": {
			const copy = copyOf(outcome, settings);
			return settledBy(copy, found, settings);
		}
		case "not-modified": {
			const copy = revalidated(before?.copy as RobotsCopy, outcome, settings);
			return settledBy(copy, found, settings);
		}
		case "absent":
		case "forbidden": {
			const expires = now + lifetime(outcome.headers, settings);
			const access = found.kind === "absent" ? "allow-all" : "disallow-all";
			return settled(access, found, expires, null, now);
		}
		case "failed":
			return failed(outcome, found, before, settings);
	}
}

/**
 * What a copy means: its rules, unless it is larger than Yandex reads. The copy stays, for who
 * reads more of it. Kept even where Yandex's limit allows everything: another dialect may ask the
 * same store.
 */
function settledBy(
	copy: RobotsCopy,
	found: Classification,
	{ now, dialect, maxBytes }: Settings,
): RobotsAccess {
	const isTooLarge = copy.truncated || copy.body.length > maxBytes;
	// Only one dialect has an opinion about size; for the others a file is read up to its limit, and
	// what is beyond it is not there.
	if (!dialectRules(dialect).tooLargeAllowsAll || !isTooLarge)
		return settled("rules", found, copy.expires, copy, now);
	const tooLarge = {
		...found,
		code: "too-large",
		reason: `The file is over the limit of ${maxBytes} bytes: for Yandex everything is allowed.`,
	} as const;
	return settled("allow-all", tooLarge, copy.expires, copy, now);
}

function settled(
	access: RobotsAccess["access"],
	{ code, reason }: Classification,
	expires: number,
	copy: RobotsCopy | null,
	askedAt: number,
): RobotsAccess {
	return {
		access,
		code,
		reason,
		askedAt,
		expires,
		retryAfter: null,
		copy,
		unreachableSince: null,
		failures: 0,
		unreachableFor: 0,
	};
}

/**
 * By how much later than it was due a request may come for the time before it to count as observed.
 * A scheduler that asks once a day is late by up to a day, and that is still observing.
 */
const MOST_LATE = 24 * 3_600_000;

/**
 * How much of the time between two failures counts as observed. One request a day, or one whenever the server's Retry-After allows it,
 * is enough; two points in time with silence between them, or a clock that jumped, are not.
 */
function observed(before: RobotsAccess, at: number, elapsed?: number): number {
	// After a success no failing was observed yet.
	const { askedAt, retryAfter, failures, code } = before;
	// What our own refusal to connect lies beside says nothing about the site.
	if (failures === 0 || code === "address-refused") return 0;
	const gap = elapsed ?? at - askedAt;
	// The pause that the server asked for counts in full: waiting for it is obedience, not silence.
	const pause = Math.max(0, (retryAfter ?? askedAt) - askedAt);
	return gap >= 0 && gap <= pause + MOST_LATE ? gap : 0;
}

/** Begins the sentence about how long a site has failed. */
const FAILED_SINCE = " It has failed since ";

/**
 * Failures that were judged while nothing could be known of what came before them (`later`),
 * appended to `known`, which came before. A client that starts anew judges without its store until
 * the store has answered; then both histories become one.
 * @internal
 */
export function failuresAfter(
	known: RobotsAccess,
	later: RobotsAccess,
	settings: Settings,
): RobotsAccess {
	const first = later.unreachableSince ?? later.askedAt;
	const state = {
		askedAt: later.askedAt,
		retryAfter: later.retryAfter,
		copy: known.copy,
		unreachableSince: Math.min(known.unreachableSince ?? first, first),
		failures: known.failures + later.failures,
		unreachableFor:
			known.unreachableFor + observed(known, first) + later.unreachableFor,
	};
	// Yandex's rules do not ask how long it has failed.
	if (dialectRules(settings.dialect).yandexAnswers)
		return { ...later, ...state };
	const { code, reason } = later;
	const [found = ""] = reason.split(FAILED_SINCE);
	// What it says of its own time without answers would be said twice, or against a copy that still holds.
	return judged(
		state,
		{ code, reason: found },
		{ ...settings, now: later.askedAt },
	);
}

function failed(
	outcome: HttpOutcome,
	found: Classification,
	before: RobotsAccess | null,
	settings: Settings,
): RobotsAccess {
	const { now, elapsed } = settings;
	const isAsked = found.code !== "address-refused";
	// Times in the future come from before the clock was set back, which must make nothing last
	// longer. A clock that was set back would otherwise make a site unreachable for years.
	const unreachableSince = Math.min(before?.unreachableSince ?? now, now);
	const failures = (before?.failures ?? 0) + 1;
	const state = {
		askedAt: now,
		retryAfter: retryTime(outcome, failures, settings),
		copy: before?.copy ?? null,
		unreachableSince,
		failures,
		unreachableFor:
			(before?.unreachableFor ?? 0) +
			(before && isAsked ? observed(before, now, elapsed) : 0),
	};
	return judged(state, found, settings);
}

type Failing = Pick<
	RobotsAccess,
	| "askedAt"
	| "copy"
	| "unreachableSince"
	| "failures"
	| "unreachableFor"
	| "retryAfter"
>;

/**
 * What holds while asking fails. Four outcomes, in the order of the ifs: our own refusal, Yandex, a
 * copy that still counts, and an answer by how long it has failed.
 */
function judged(
	state: Failing,
	{ code, reason }: Pick<RobotsAccess, "code" | "reason">,
	settings: Settings,
): RobotsAccess {
	const { now, dialect, staleIfError } = settings;
	const { copy, unreachableFor } = state;
	const unreachableSince = state.unreachableSince ?? now;
	const retryAfter = state.retryAfter ?? now;
	const asFound = { ...state, code, expires: retryAfter };
	// Our own refusal to connect says nothing about the site, however long it lasts.
	if (code === "address-refused")
		return { ...asFound, access: "disallow-all", reason };
	if (dialectRules(dialect).yandexAnswers) {
		return {
			...asFound,
			access: "allow-all",
			reason: `${reason} For Yandex what cannot be fetched restricts nothing.`,
		};
	}
	// A copy from the future was fetched by a clock that was wrong, so its lifetime means nothing.
	const usableUntil =
		copy === null || isFromFuture(copy.fetchedAt, now)
			? now
			: copy.expires + staleIfError;
	if (copy !== null && now < usableUntil) {
		return {
			...state,
			code: "cached-copy",
			access: "rules",
			reason: `${reason} The copy of ${day(copy.fetchedAt)} still holds.`,
			expires: Math.min(retryAfter, usableUntil),
		};
	}
	const unreachableLimit =
		copy === null
			? settings.unreachableLimit
			: Math.min(settings.copyAfter, settings.unreachableLimit);
	// RFC 9309 lets a crawler go on after a long time. Only observed time counts, so that a process
	// that was off for a month does not.
	if (unreachableFor > unreachableLimit) {
		return {
			...state,
			code: "long-unreachable",
			access: copy === null ? "allow-all" : "rules",
			reason: `${reason}${FAILED_SINCE}${day(unreachableSince)}: ${copy === null ? "without a copy, everything is allowed" : `the last good copy, of ${day(copy.fetchedAt)}, holds`}.`,
			expires: retryAfter,
		};
	}
	return { ...asFound, access: "disallow-all", reason };
}

/**
 * When to ask again: when the server says so (RFC 9110 §10.2.3), else later after every failure.
 * Doubling from a minute to an hour: a site that is down is asked some thirty times a day.
 */
export function retryTime(
	outcome: Pick<HttpOutcome, "failure" | "headers">,
	failures: number,
	settings: Settings,
): number {
	const { now, minRetryDelay, maxRetryDelay, maxRetryAfter } = settings;
	const asked =
		outcome.failure === undefined
			? retryAfterTime(field(outcome.headers, "retry-after"), now)
			: undefined;
	// A time that has passed says nothing, and may come from a clock that is behind. Retry-After is a
	// wish about the future only.
	if (asked !== undefined && asked > now)
		return Math.min(asked, now + maxRetryAfter);
	// 2 ** 30 minutes is beyond any limit; more doublings would leave the numbers.
	const doublings = Math.min(failures - 1, 30);
	return now + Math.min(minRetryDelay * 2 ** doublings, maxRetryDelay);
}

/** Bytes are kept beyond the call, so they are copied where the caller's memory may change. */
function copyOf(outcome: HttpOutcome, settings: Settings): RobotsCopy {
	const { headers, body = new Uint8Array(), truncated = false } = outcome;
	return {
		body: keptBytes(bytesArgument("outcome.body", body)),
		truncated,
		url: outcome.redirects?.at(-1)?.url ?? outcome.url ?? "",
		fetchedAt: settings.now,
		expires: settings.now + lifetime(headers, settings),
		headers: kept(headers),
	};
}

/** The copy with what a 304 says anew (RFC 9111 §3.2, §4.3.4). */
function revalidated(
	copy: RobotsCopy,
	outcome: HttpOutcome,
	settings: Settings,
): RobotsCopy {
	// They are about the old response; a 304 without them must not inherit them.
	const { age: _, date: __, ...lasting } = copy.headers;
	const headers = { ...lasting, ...kept(outcome.headers) };
	return {
		...copy,
		fetchedAt: settings.now,
		expires: settings.now + lifetime(headers, settings),
		headers,
	};
}

/** Of all header fields only these decide anything later; a stored copy stays small. */
function kept(headers: HeaderFields | undefined): Record<string, string> {
	const fields: Record<string, string> = {};
	for (const name of [...CACHING_FIELDS, "etag", "last-modified"]) {
		const value = field(headers, name);
		if (value !== undefined) fields[name] = value;
	}
	return fields;
}

/**
 * What `RobotsIndex.set` takes for an origin with this access: the bytes of the file that decides, "allow-all", "later" while its
 * robots.txt cannot be had (RFC 9309 §2.3.1.4; ask again from `expires` on), or "disallow-all" where nobody asked, its rules cannot be
 * judged, or its 401 or 403 counts as disallow.
 * @example
 * rulesOf(accessFor({ status: 503 })); // "later"
 * @throws {RobotrieError} invalid-argument.
 */
export function rulesOf(
	access: RobotsAccess,
): Uint8Array | "allow-all" | "disallow-all" | "later" {
	checkAccess(access);
	if (access.access === "rules" && access.copy) return access.copy.body;
	if (access.access === "allow-all") return "allow-all";
	const isFailing =
		access.access === "disallow-all" &&
		!["address-refused", "too-large", "forbidden"].includes(access.code);
	return isFailing ? "later" : "disallow-all";
}

/**
 * Header fields decide within bounds: a site may neither be asked every second nor forgotten for a
 * year.
 */
function lifetime(
	headers: HeaderFields | undefined,
	{ now, defaultLifetime, minLifetime, maxLifetime }: Settings,
): number {
	const said = freshnessLifetime(headers, now);
	return clamp(said ?? defaultLifetime, minLifetime, maxLifetime);
}

function clamp(value: number, least: number, most: number): number {
	return Math.min(Math.max(value, least), most);
}

/**
 * A time as sentences name it. Times may be anything in what was stored; a sentence must not throw
 * for one.
 */
function day(time: number): string {
	return Number.isFinite(time) && Math.abs(time) <= 8.64e15
		? new Date(time).toISOString()
		: String(time);
}

/**
 * The header fields that turn a request into a conditional one (RFC 9110 §13.1), for the URL that the last good copy came
 * from; none for any other, whose validators could be equal by chance.
 * @example
 * const previous = accessFor({ status: 200, headers: { etag: '"v1"' }, body, url: "https://example.com/robots.txt" });
 * conditionalHeaders(previous, "https://example.com/robots.txt"); // { "if-none-match": '"v1"' }
 * @throws {RobotrieError} invalid-argument.
 */
export function conditionalHeaders(
	previous: RobotsAccess | null | undefined,
	url: Url,
): Record<string, string> {
	checkPrevious(previous);
	const asked = urlText(url);
	const copy = previous?.copy;
	const headers: Record<string, string> = {};
	if (!copy || copy.url !== asked) return headers;
	const { etag, "last-modified": lastModified } = copy.headers;
	// Servers send empty ones, too, which are no validators (RFC 9110 §8.8.3).
	if (etag?.trim()) headers["if-none-match"] = etag;
	if (lastModified?.trim()) headers["if-modified-since"] = lastModified;
	return headers;
}
