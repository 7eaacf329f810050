import type { Access, Dialect } from "robotrie";
import { robotsUrlFor } from "robotrie";
import { accessFor, type HttpOutcome } from "robotrie/access";
import { field, parseUrl } from "robotrie/internal";

/** What a record of the input says about a site, and where it stands. */
export type SiteRecord = { readonly where: string } & (Site | Moved | Fault);

export interface Site {
	/** A host name stands for one in each scheme. */
	readonly origins: readonly string[];
	readonly robots: Uint8Array | Access;
	/** What is wrong with the body that was recorded, if anything; `robots` then says what that means. */
	readonly damage?: string;
}

/** The answer is a redirect, whose target may have a record of its own. */
export interface Moved {
	readonly origins: readonly string[];
	readonly status: number;
	readonly target: string;
}

/** The record cannot be used. */
export interface Fault {
	readonly fault: string;
}

/** Statuses that send the client to the URL in Location (RFC 9110 §15.4). */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * What an answer to a request for the robots.txt of an origin means; `location` is that field's value.
 * @param base The URL that was asked for; by default the origin's robots.txt.
 */
export function siteOfOutcome(
	origin: string,
	outcome: HttpOutcome,
	location: string | undefined,
	dialect: Dialect,
	base = parseUrl(origin)?.host ? robotsUrlFor(origin) : undefined,
): Site | Moved {
	const { status = 0 } = outcome;
	if (location !== undefined && REDIRECTS.has(status)) {
		const target = parseUrl(location, base);
		if (target) return { origins: [origin], status, target: target.href };
	}
	const type = field(outcome.headers, "content-type");
	// How long the answer would hold does not matter.
	const headers = type === undefined ? {} : { "content-type": type };
	const { access, copy } = accessFor({ ...outcome, headers }, null, {
		dialect,
	});
	return {
		origins: [origin],
		robots: access === "rules" ? (copy?.body ?? new Uint8Array()) : access,
	};
}

/** What an absent HTTP answer is recorded as. */
const NO_ANSWER = 0;

/** A row of a table: a line of JSON, or one of Parquet. */
export function siteOfRow(
	row: Readonly<Record<string, unknown>>,
	dialect: Dialect,
): Site | Moved | Fault {
	const { origin, access, location } = row;
	if (typeof origin !== "string") return { fault: 'no "origin"' };
	const body = bodyOf(row);
	const status =
		typeof row.status === "bigint" ? Number(row.status) : row.status;
	if (body && (status === undefined || status === null))
		return { origins: [origin], robots: body };
	if (!body && (access === "allow-all" || access === "disallow-all"))
		return { origins: [origin], robots: access };
	if (status === undefined || status === null)
		return {
			fault:
				'neither "robots", "robots_b64", "status", nor "access" (allow-all, disallow-all)',
		};
	if (typeof status !== "number" || !Number.isInteger(status))
		return { fault: '"status" is no whole number' };
	if (status === NO_ANSWER) {
		const failure = { code: "connection", message: "no answer" } as const;
		return siteOfOutcome(origin, { failure }, undefined, dialect);
	}
	if (!body && status >= 200 && status <= 299)
		return { fault: `status ${status} without "robots" or "robots_b64"` };
	return siteOfOutcome(
		origin,
		{ status, ...(body ? { body } : {}), headers: headersOf(row) },
		typeof location === "string" ? location : undefined,
		dialect,
	);
}

function bodyOf({
	robots,
	robots_b64,
}: Readonly<Record<string, unknown>>): Uint8Array | undefined {
	if (typeof robots === "string") return Buffer.from(robots);
	if (robots instanceof Uint8Array) return robots;
	return typeof robots_b64 === "string"
		? Buffer.from(robots_b64, "base64")
		: undefined;
}

function headersOf({ content_type }: Readonly<Record<string, unknown>>) {
	return typeof content_type === "string"
		? { "content-type": content_type }
		: {};
}
