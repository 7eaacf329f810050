/**
 * Options of `accessFor` and their defaults; the client has the same. The bundle's first layer is made of this file and what it imports
 * (tools/bundle.mjs), so neither WebAssembly nor the caching library may be reached from it.
 */
import { checkOptions, type OptionTable } from "../common/arguments.ts";
import { RobotrieError } from "../common/errors.ts";
import { flagKind, maxBytesKind, number } from "../common/kinds.ts";
import {
	DEFAULT_DIALECT,
	DEFAULT_MAX_BYTES,
	type Dialect,
	dialectKind,
} from "../robots-txt/dialect.ts";

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

/**
 * Options of `accessFor`. All times are in milliseconds. Every time is a number of milliseconds, so
 * that results can be compared and stored without dates.
 */
export interface AccessOptions {
	/** The time of the outcome, since 1970. Default: the clock's. */
	readonly now?: number;
	/**
	 * Milliseconds since the previous outcome, by a clock that cannot be set. Default: `now` less the previous outcome's time, which
	 * does not count where it jumps (`unreachableFor`).
	 */
	readonly elapsed?: number | undefined;
	/** Default "rfc9309"; "yandex" differs. */
	readonly dialect?: Dialect;
	/** Redirects that may be followed; RFC 9309 §2.3.1.2 asks for at least five. Default 5. */
	readonly maxRedirects?: number;
	/** How long an answer holds whose header fields do not say it (RFC 9309 §2.4). Default 24 hours. */
	readonly defaultLifetime?: number;
	/** The shortest lifetime of an answer, whatever its header fields say. Default 1 minute. */
	readonly minLifetime?: number;
	/** The longest time that header fields such as max-age can make it hold. Default 7 days; 24 hours follow RFC 9309 §2.4 to the letter. */
	readonly maxLifetime?: number;
	/** How long an expired copy holds while asking fails (RFC 5861 §4). Default 0: RFC 9309 §2.3.1.4 asks for complete disallow. */
	readonly staleIfError?: number;
	/**
	 * After so long a time of observed failures (`unreachableFor`) the last good copy holds again, or everything is allowed (RFC 9309
	 * §2.3.1.4). Default 30 days.
	 */
	readonly unreachableLimit?: number;
	/**
	 * After so long a time of observed failures the last good copy holds again, if there is one. Google's page of 2026 says 12 hours. Default:
	 * `unreachableLimit`.
	 */
	readonly copyAfter?: number;
	/** How long to wait after a first failure; the time doubles with every further one. Default 1 minute. */
	readonly minRetryDelay?: number;
	/** How long to wait at most. Default 1 hour. */
	readonly maxRetryDelay?: number;
	/** How long to wait at most when the server asks for it by Retry-After. Default 24 hours. */
	readonly maxRetryAfter?: number;
	/**
	 * Bytes of a file that count. Default 512,000. Only the yandex dialect asks: a larger file, or one that is `truncated`, allows everything
	 * (the Yandex document on files of more than 32 KB).
	 */
	readonly maxBytes?: number;
	/** The site answers 5xx for pages that it does not have: 5xx counts as 404. Default false. */
	readonly serverErrorAsNotFound?: boolean;
	/** 401 and 403 disallow everything, in place of allowing it (RFC 9309 §2.3.1.3), in all dialects. Default false. */
	readonly forbiddenAsDisallow?: boolean;
}

export type Settings = Required<Omit<AccessOptions, "elapsed">> &
	Pick<AccessOptions, "elapsed">;

/** Written out in one place, as documentation and tests take them from here. */
const defaults: Omit<Settings, "now" | "elapsed"> = {
	dialect: DEFAULT_DIALECT,
	maxRedirects: 5,
	defaultLifetime: DAY,
	minLifetime: 60 * SECOND,
	maxLifetime: 7 * DAY,
	staleIfError: 0,
	unreachableLimit: 30 * DAY,
	copyAfter: Number.POSITIVE_INFINITY,
	minRetryDelay: 60 * SECOND,
	maxRetryDelay: HOUR,
	maxRetryAfter: DAY,
	maxBytes: DEFAULT_MAX_BYTES,
	serverErrorAsNotFound: false,
	forbiddenAsDisallow: false,
};

/** Most options are times or counts, for which any number from 0 on has a meaning. */
const fromZero = number(0);

export const accessOptions: OptionTable<AccessOptions> = {
	now: fromZero,
	elapsed: fromZero,
	dialect: dialectKind,
	maxRedirects: fromZero,
	defaultLifetime: fromZero,
	minLifetime: fromZero,
	maxLifetime: fromZero,
	staleIfError: fromZero,
	unreachableLimit: fromZero,
	copyAfter: fromZero,
	minRetryDelay: fromZero,
	maxRetryDelay: fromZero,
	maxRetryAfter: fromZero,
	maxBytes: maxBytesKind,
	serverErrorAsNotFound: flagKind,
	forbiddenAsDisallow: flagKind,
};

/** @throws {RobotrieError} invalid-argument. */
export function settingsOf(options: AccessOptions): Settings {
	checkOptions("accessFor", options, accessOptions);
	// An option that is given as undefined counts as not given, as everywhere.
	const given = Object.entries(options).filter(
		([, value]) => value !== undefined,
	);
	const settings: Settings = {
		now: Date.now(),
		...defaults,
		...Object.fromEntries(given),
	};
	// Otherwise minLifetime would exceed maxLifetime.
	if (settings.minLifetime > settings.maxLifetime)
		throw new RobotrieError(
			"invalid-argument",
			`minLifetime (${settings.minLifetime}) is more than maxLifetime (${settings.maxLifetime})`,
		);
	return settings;
}
