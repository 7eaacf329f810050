/**
 * The result of `accessFor`, which it also takes back, and the checks of both arguments. A stored result may come from another version, so
 * unknown properties are accepted there and nowhere else.
 */
import {
	areAll,
	check,
	checkOptions,
	isRecord,
	type Kind,
	type OptionTable,
	parseUrl,
} from "../common/arguments.ts";
import { bytesKind } from "../common/bytes.ts";
import { RobotrieError } from "../common/errors.ts";
import { field } from "../common/header-fields.ts";
import {
	flagKind,
	list,
	number,
	objectKind,
	oneOf,
	textKind,
	wholeNumber,
} from "../common/kinds.ts";
import { invalidArgument, quote, typeOf } from "../common/quote.ts";
import {
	type Classification,
	type Failure,
	failureTexts,
	type HttpOutcome,
	type Redirect,
} from "./outcome.ts";

/** What decided, for programs to tell apart. */
export type AccessCode =
	| Classification["code"]
	/** Asking fails, but the copy has not expired, or only for as long as `staleIfError` grants. */
	| "cached-copy"
	/** Asking has failed for longer than `unreachableLimit` or, where there is a copy, `copyAfter`. */
	| "long-unreachable";

/**
 * A robots.txt as it was fetched. Kept as it was fetched: other limits, dialects and crawlers read
 * the same copy.
 */
export interface RobotsCopy {
	/** The content, bytes as served without content coding, cut at the size limit. */
	readonly body: Uint8Array;
	/** The file goes on beyond `body`. */
	readonly truncated: boolean;
	/** Where it was found after redirects; empty if the outcome did not say. */
	readonly url: string;
	/** Milliseconds since 1970. */
	readonly fetchedAt: number;
	/** Until when it may be used without asking again, in milliseconds since 1970. */
	readonly expires: number;
	/** The fields that caching needs, names in lower case. */
	readonly headers: Readonly<Record<string, string>>;
}

/**
 * What a crawler may do at an origin, and until when that holds. Plain data, so that it can be
 * stored as JSON (with the body beside it) and given to another process.
 */
export interface RobotsAccess {
	/** "rules": the file in `copy` decides. */
	readonly access: "rules" | "allow-all" | "disallow-all";
	/** What decided. */
	readonly code: AccessCode;
	/** One sentence that says why. */
	readonly reason: string;
	/** When robots.txt was asked for, in milliseconds since 1970. */
	readonly askedAt: number;
	/** From then on robots.txt is to be asked for again, in milliseconds since 1970. */
	readonly expires: number;
	/** After a failure, the earliest time for the next request, in milliseconds since 1970; else null. */
	readonly retryAfter: number | null;
	/** The last good copy, kept while requests fail; null if there is none, or the site no longer has a robots.txt. */
	readonly copy: RobotsCopy | null;
	/** Since when asking has failed without a break, in milliseconds since 1970; null after a success. */
	readonly unreachableSince: number | null;
	/** How often asking has failed since then. */
	readonly failures: number;
	/**
	 * Milliseconds of failing that were observed: the time between two failures counts if the second request came at most a day after
	 * `retryAfter` of the first. What lies between requests that are further apart, or goes back, is not known, and does not count.
	 */
	readonly unreachableFor: number;
}

const headersKind: Kind = {
	text: "a Headers object or an object of strings or lists of them",
	accepts: (value) =>
		(typeof value === "object" &&
			value !== null &&
			"get" in value &&
			typeof value.get === "function") ||
		(isRecord(value) &&
			Object.values(value).every(
				(field) =>
					field === undefined ||
					typeof field === "string" ||
					(Array.isArray(field) && areAll(field, textKind.accepts)),
			)),
	hint: (value) =>
		Array.isArray(value) ? "pass Object.fromEntries(headers)" : undefined,
};

const outcomeFields: OptionTable<HttpOutcome> = {
	url: textKind,
	redirects: list(objectKind, "{ status, url } objects"),
	status: wholeNumber(0),
	ftpReply: wholeNumber(0),
	headers: headersKind,
	body: bytesKind,
	truncated: flagKind,
	failure: objectKind,
};

const redirectFields: OptionTable<Redirect> = {
	status: wholeNumber(0),
	url: textKind,
};

const failureFields: OptionTable<Failure> = {
	code: oneOf(Object.keys(failureTexts)),
	message: textKind,
};

/** @throws {RobotrieError} invalid-argument. */
export function checkOutcome(outcome: HttpOutcome): void {
	// A fetch Response has a status, but its body is not read and its headers are not what we store.
	if (typeof outcome === "object" && outcome && typeOf(outcome) === "Response")
		throw invalidArgument(
			"outcome is an object with status or failure",
			outcome,
			"pass { status: response.status, headers: response.headers, body: new Uint8Array(await response.arrayBuffer()) }",
		);
	checkOptions("outcome", outcome, outcomeFields);
	const { status, redirects = [], failure } = outcome;
	redirects.forEach((redirect, i) => {
		checkOptions(`outcome.redirects[${i}]`, redirect, redirectFields, [
			"status",
			"url",
		]);
	});
	if (failure !== undefined)
		checkOptions("outcome.failure", failure, failureFields, [
			"code",
			"message",
		]);
	else if (status === undefined)
		throw invalidArgument("an outcome has a status or a failure", outcome);
}

/** Statuses whose Location leads on (RFC 9110 §15.4). */
const redirectStatuses = [300, 301, 302, 303, 307, 308];

/**
 * A redirect that nobody has followed says nothing about rules; to read it as "there is no robots.txt" would allow what the target may
 * forbid. One that leads to no http URL, in a circle or over too many hops is in `redirects`, or has no place to go to.
 * @throws {RobotrieError} invalid-argument.
 */
export function checkFollowed(
	{ url, status = 0, headers, redirects = [], failure }: HttpOutcome,
	maxRedirects: number,
): void {
	if (failure || !redirectStatuses.includes(status)) return;
	const noted = [url, ...redirects.map(({ url }) => url)];
	const isCircle = new Set(noted).size < noted.length;
	if (isCircle || redirects.length > maxRedirects) return;
	if (headers === undefined)
		throw new RobotrieError(
			"invalid-argument",
			`HTTP ${status} without headers: where it leads is in the field Location, and it says nothing until it is followed`,
		);
	const location = field(headers, "location");
	if (location === undefined) return;
	const from = redirects.at(-1)?.url ?? url;
	const target = parseUrl(location, from);
	if (target && !/^https?:$/.test(target.protocol)) return;
	if (target && noted.includes(target.href)) return;
	throw new RobotrieError(
		"invalid-argument",
		`HTTP ${status} leads to ${quote(target?.href ?? location)}, which was not followed: give the answer from there, with the redirects that led to it`,
	);
}

/** null and absent are different: null is a value that was stored. */
const nullOr = (kind: Kind): Kind => ({
	...kind,
	text: `${kind.text} or null`,
	accepts: (value) => value === null || kind.accepts(value),
});

/**
 * What is used of them: results that another version stored may have more. A store may hold what an
 * older version wrote, so only what is used is checked.
 */
const previousFields: readonly (readonly [keyof RobotsAccess, Kind])[] = [
	["copy", nullOr(objectKind)],
	["unreachableSince", nullOr(wholeNumber(0))],
	["failures", wholeNumber(0)],
	["askedAt", number(0)],
	["retryAfter", nullOr(number(0))],
	["unreachableFor", number(0)],
];
const copyFields: readonly (readonly [keyof RobotsCopy, Kind])[] = [
	["body", bytesKind],
	["url", textKind],
	["headers", objectKind],
];

/** @throws {RobotrieError} invalid-argument. */
export function checkAccess(access: RobotsAccess): void {
	check("access", access, { ...objectKind, text: "what accessFor gave" });
	check(
		"access.access",
		access.access,
		oneOf(["rules", "allow-all", "disallow-all"]),
	);
	check("access.copy", access.copy, nullOr(objectKind));
	if (access.copy) check("access.copy.body", access.copy.body, bytesKind);
}

/** @throws {RobotrieError} invalid-argument. */
export function checkPrevious(previous: RobotsAccess | null | undefined): void {
	if (previous === undefined || previous === null) return;
	check("previous", previous, {
		...objectKind,
		text: "what accessFor gave before, or null",
	});
	for (const [name, kind] of previousFields)
		check(`previous.${name}`, previous[name], kind);
	const { copy } = previous;
	if (copy === null) return;
	for (const [name, kind] of copyFields)
		check(`previous.copy.${name}`, copy[name], kind);
}
