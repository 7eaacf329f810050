import type { Classification } from "./classify.ts";

/** What decided, for programs to tell apart. */
export type AccessCode =
	| Classification["code"]
	/** Asking fails, but the copy has not expired, or only for as long as `staleIfError` grants. */
	| "cached-copy"
	/** Asking has failed for longer than `unreachableLimit`. */
	| "long-unreachable";

/** A robots.txt as it was fetched. */
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

/** What a crawler may do at an origin, and until when that holds. */
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
