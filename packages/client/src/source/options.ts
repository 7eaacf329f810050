/**
 * What users give to the client and get from it: its options with their checks and defaults (`clientSettings`), the options of single calls,
 * and the types of events, counters and answers. RobotsClient checks everything here before it does anything.
 */

import { lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import pLimit, { type LimitFunction } from "p-limit";
import {
	type Agent,
	dialectNames,
	RobotrieError,
	type RobotsTxt,
	type Url,
} from "robotrie";
import type { AccessOptions, HttpOutcome, RobotsAccess } from "robotrie/access";
import { accessOptions, dialectRules, settingsOf } from "robotrie/internal";
import { agentKind } from "#robotrie/common/agents";
import {
	check,
	checkOptions,
	isRecord,
	type Kind,
	type OptionTable,
} from "#robotrie/common/arguments";
import {
	either,
	flagKind,
	functionKind,
	number,
	oneOf,
	withMethods,
} from "#robotrie/common/kinds";
import { checkedLookup } from "../common/addresses.ts";
import type { ExchangeOptions, Fetch } from "../fetch/exchange.ts";
import { proxyKind } from "../fetch/proxy.ts";
import { guardedFetch } from "../fetch/transport.ts";
import type { PaceSettings } from "../pacing/pace-group.ts";
import type { PaceBy } from "../pacing/pace-key.ts";
import { GuardedStore } from "../stores/guarded-store.ts";
import { MemoryStore } from "../stores/memory-store.ts";
import type { RobotsStore } from "../stores/store.ts";

/** Options of calls that may wait for robots.txt files. */
export interface WaitOptions {
	/** Aborting it detaches the caller, with the signal's reason; a request is cancelled when no caller is left. */
	readonly signal?: AbortSignal | undefined;
}

/** Options of `visit`. */
export interface VisitOptions extends WaitOptions {
	/** The longest time to wait for a turn, in milliseconds; 0: only if it is now. Default 30 seconds. */
	readonly maxWait?: number;
}

/** Options of `nextVisit`. */
export interface NextVisitOptions extends WaitOptions {
	/** Whether to reserve the time, so that the next call gets a later one. Default true. */
	readonly reserve?: boolean;
	/**
	 * When others last visited the origin, or will, in milliseconds since 1970: the next visit keeps the pace to that one, too. For several
	 * clients that tell each other of their visits.
	 */
	readonly after?: number;
}

/** Options of `sitemaps`. */
export interface SitemapOptions extends WaitOptions {
	/** The crawler that will follow them: its product token, or several, the most specific first. */
	readonly agent?: Agent;
}

/** A URL whose site's robots.txt cannot be had for now. */
export interface LaterUrl<One extends Url = string> {
	/** As it was given. */
	readonly url: One;
	/** From when on to ask again, in milliseconds since 1970: the site's Retry-After, or the client's own pause after a failure. */
	readonly at: number;
}

/** What `sort` gives: every URL is in one of the lists. */
export interface SortedUrls<One extends Url = string> {
	/** The crawler may fetch them. */
	readonly allowed: One[];
	/** Their sites' rules forbid them, or are too many to be judged. */
	readonly disallowed: One[];
	/** Neither fetch nor drop them. */
	readonly later: LaterUrl<One>[];
	/** Of other schemes, or of addresses that are refused because they are not public. */
	readonly unknown: One[];
	/** Not URLs. */
	readonly invalid: One[];
}

/** What is known of an origin's robots.txt. */
export interface RobotsAnswer extends RobotsAccess {
	/** The file whose rules apply; null if no file decides. */
	readonly robots: RobotsTxt | null;
}

const fromOne = number(1);

export const waitOptions: OptionTable<WaitOptions> = {
	signal: {
		text: "an AbortSignal",
		accepts: (value) => value instanceof AbortSignal,
		hint: (value) =>
			value instanceof AbortController ? "pass controller.signal" : undefined,
	},
};

export const sitemapOptions: OptionTable<SitemapOptions> = {
	...waitOptions,
	agent: agentKind,
};

export const visitOptions: OptionTable<VisitOptions> = {
	...waitOptions,
	maxWait: number(0),
};

export const nextVisitOptions: OptionTable<NextVisitOptions> = {
	...waitOptions,
	reserve: flagKind,
	after: number(Number.NEGATIVE_INFINITY, 8.64e15),
};

/**
 * Most requests at a time for several clients together, as the value of their option `concurrency`. Their `stats()` then count the requests of
 * all of them as active and queued.
 * @example
 * const concurrency = new RequestLimit(50);
 * const clients = ["ABot", "BBot"].map((agent) => new RobotsClient({ agent, concurrency, store }));
 */
export class RequestLimit {
	/** @internal */
	readonly limit: LimitFunction;

	/** @throws {RobotrieError} invalid-argument, for anything but a number from 1. */
	constructor(concurrency: number) {
		check("concurrency", concurrency, fromOne);
		this.limit = pLimit(Math.floor(concurrency));
	}
}

/** The events of a client and their arguments. */
export interface RobotsClientEvents {
	/** A robots.txt is requested. */
	request: [
		{
			readonly origin: string;
			readonly url: string;
			/** No caller waits: the known answer is valid, but expires soon. */
			readonly background: boolean;
		},
	];
	/** A request has ended. */
	answer: [
		{
			readonly origin: string;
			readonly outcome: HttpOutcome;
			readonly access: RobotsAccess;
			/** Time from request to answer. */
			readonly milliseconds: number;
		},
	];
	/** The store had a valid answer. */
	stored: [{ readonly origin: string; readonly access: RobotsAccess }];
	/** The store's entry for an origin was damaged; the file is requested again. */
	corrupt: [{ readonly origin: string; readonly reason: string }];
	/** The store failed; the client continues without it. */
	storeError: [
		{
			readonly origin: string;
			readonly operation: "get" | "set" | "delete";
			readonly error: unknown;
		},
	];
}

/** Counters since the client was created. */
export interface RobotsClientStats {
	/** Origins whose rules are in memory now. */
	readonly origins: number;
	/** Requests in progress now. */
	readonly active: number;
	/** Requests waiting for their turn. */
	readonly queued: number;
	/** Requests started, not counting redirects. */
	readonly requests: number;
	/** Requests that refreshed an answer before it expired. */
	readonly refreshes: number;
	/** Redirects followed. */
	readonly redirects: number;
	/** Responses with status 304. */
	readonly notModified: number;
	/** Requests without a complete response. */
	readonly failures: number;
	/** Bytes of decoded bodies. */
	readonly bytes: number;
	/** Valid entries in the store. */
	readonly storeHits: number;
	/** Entries that the store did not have, or that had expired. */
	readonly storeMisses: number;
	/** Damaged entries in the store. */
	readonly corruptEntries: number;
	/** Calls of the store that failed. */
	readonly storeErrors: number;
}

/** How a client works. Times are in milliseconds. */
export interface RobotsClientOptions
	extends Omit<AccessOptions, "now" | "elapsed" | "serverErrorAsNotFound"> {
	/** The crawler whose rules apply: its product token, or several, the most specific first. */
	readonly agent: Agent;
	/**
	 * The User-Agent field of requests. It should contain the product token (RFC 9309 §2.2.1) and say where to complain:
	 * "ExampleBot/1.0 (+https://example.com/bot)". Default: the first agent, "robotrie" for `*`.
	 */
	readonly userAgent?: string;
	/** Where answers are kept. Default: in memory, 256 MiB at most. The client does not close it. */
	readonly store?: RobotsStore;
	/**
	 * Limit for one call of the store. After a call that took longer, the client goes on without the store for 10 seconds. Default 5
	 * seconds, at most `timeout`.
	 */
	readonly storeTimeout?: number;
	/** Most requests at a time; a `RequestLimit` is for all clients that are given it together. Default 50. */
	readonly concurrency?: number | RequestLimit;
	/**
	 * Whether the clients of the store, on this machine and others, share fetches: of those that need an origin's robots.txt at the same
	 * time one asks for it, the others wait for what it stores. If its process is killed, another one asks after some 3 seconds. The
	 * store needs `replace`. Default false.
	 */
	readonly shareFetches?: boolean;
	/** Limit for one origin's exchange, including redirects and body. Default 30 seconds. */
	readonly timeout?: number;
	/**
	 * Bytes of a robots.txt that are read. Default 512,000 (RFC 9309 §2.5); in the google dialect, whose library has no limit, 16 MiB.
	 */
	readonly maxBytes?: number;
	/**
	 * Most origins whose rules are kept in memory. Beyond that, the least recently used are dropped and read from the store when they are
	 * needed again. Uses are tracked once half of the room is taken. Default 1,000,000.
	 */
	readonly maxOrigins?: number;
	/** The last share of an answer's lifetime, from 0 to 1, in which using it starts a refresh in the background. Default 0.1. */
	readonly refreshAhead?: number;
	/** The time between two visits of an origin without Crawl-delay and Request-rate. Default 1 second. */
	readonly defaultDelay?: number;
	/** The least time between two visits, whatever robots.txt asks for: `Crawl-delay: 0` asks for none. Default 0. */
	readonly minDelay?: number;
	/**
	 * Origins that ask for more time between two visits are not visited by `visit`: their outcome is "slow". Default: none is too slow.
	 */
	readonly maxDelay?: number;
	/**
	 * Which origins are one server, whose visits keep the pace together: those of one "host" (host name and port, so http and https are one),
	 * "origin", "domain" (registered, by the Public Suffix List) or "address", or what a function gives the same key. The time between two
	 * visits is the longest that an origin of the server asks for. Default "host".
	 */
	readonly paceBy?: PaceBy;
	/**
	 * How long a visit of `nextVisit` counts as going on if `visited` is not called at its end, and one of `visit` if its download does not end
	 * when it is aborted. Default 30 seconds.
	 */
	readonly maxVisitTime?: number;
	/** Whether to connect to loopback, private and other addresses that are not public. Default false. */
	readonly allowPrivateNetwork?: boolean;
	/**
	 * Replaces the client's own fetch. Then addresses are not checked when connecting; only URLs whose host is a literal address or
	 * localhost are refused.
	 */
	readonly fetch?: Fetch;
	/** Resolves host names, like `dns.lookup`, for the client's own connections. */
	readonly lookup?: LookupFunction;
	/**
	 * The URL of an HTTP proxy, `http://user:password@host:port`, to which all requests go: by CONNECT for https. Which addresses may be
	 * connected to is then the proxy's decision; only URLs whose host is a literal address or localhost are refused. ftp is not asked.
	 */
	readonly proxy?: string | URL;
	/**
	 * Further header fields of requests, for every site alike. The client's own, `User-Agent` (option `userAgent`) and those of the connection cannot be
	 * given.
	 */
	readonly headers?: Readonly<Record<string, string>>;
	/** Whether 5xx counts as 404: for origins known to answer 5xx for missing pages. */
	readonly serverErrorAsNotFound?: boolean | ((origin: string) => boolean);
	/**
	 * The clock, in milliseconds since 1970. Default `Date.now`; the time between two failures of an origin is then measured by a clock
	 * that cannot be set.
	 */
	readonly now?: () => number;
}

/** The options of a client with all defaults, as its parts need them. */
export interface ClientSettings {
	/** All but the time and what depends on the origin. */
	readonly access: ReturnType<typeof settingsOf>;
	readonly exchange: ExchangeOptions;
	readonly store: GuardedStore;
	readonly limit: LimitFunction;
	readonly shareFetches: boolean;
	readonly maxOrigins: number;
	readonly refreshAhead: number;
	readonly pace: PaceSettings;
	readonly paceBy: PaceBy;
	/** Whether visits are kept: not in a store that nobody else has. */
	readonly storesVisits: boolean;
	/** Whether the store can replace entries. */
	readonly canReplace: boolean;
	readonly serverErrorAsNotFound: (origin: string) => boolean;
	readonly now: () => number;
	/** Whether `now` is the machine's clock, so that performance.now() can be used for spans of time. */
	readonly isMachineClock: boolean;
}

/** Enough for some 200,000 origins. */
const DEFAULT_STORE_BYTES = 2 ** 28;

const storeKind = withMethods(
	"a store",
	["get", "set", "delete", "close"],
	(value) =>
		typeof value === "string"
			? "open it first: store: await openStore(location)"
			: undefined,
);

/** A crawler without a name would be sent as an empty User-Agent, and obey no group of its own. */
const namedAgentKind: Kind = {
	...agentKind,
	accepts: (value) =>
		agentKind.accepts(value) &&
		[value].flat().every((name) => String(name).trim() !== ""),
};

const userAgentKind: Kind = {
	text: "a header field's value",
	accepts: (value) =>
		typeof value === "string" && /^[\t\x20-\x7e\x80-\xff]+$/.test(value),
};

/** Fields that are the client's own, or say where the message ends and where it goes to. */
const OWN_FIELDS =
	/^(accept|accept-encoding|connection|content-length|expect|host|if-.*|keep-alive|proxy-.*|range|te|trailer|transfer-encoding|upgrade|user-agent)$/i;

const headersKind: Kind = {
	text: "an object of header fields that the client does not set itself, names and values as HTTP has them",
	accepts: (value) =>
		isRecord(value) &&
		Object.entries(value).every(
			([name, field]) =>
				/^[\w!#$%&'*+.^`|~-]+$/.test(name) &&
				!OWN_FIELDS.test(name) &&
				userAgentKind.accepts(field),
		),
	hint: (value) =>
		value instanceof Headers
			? "pass Object.fromEntries(headers)"
			: isRecord(value) &&
					Object.keys(value).some((name) => /^user-agent$/i.test(name))
				? "pass it as userAgent"
				: undefined,
};

const { now: _, elapsed: __, ...sharedOptions } = accessOptions;
/** Every option, as the type asks for it: docs/client.md has a row of each. */
export const clientOptions: OptionTable<RobotsClientOptions> = {
	...sharedOptions,
	agent: namedAgentKind,
	userAgent: userAgentKind,
	store: storeKind,
	concurrency: {
		...fromOne,
		accepts: (value) => value instanceof RequestLimit || fromOne.accepts(value),
	},
	shareFetches: flagKind,
	// The longest time that a timer takes.
	timeout: number(1, 2 ** 31 - 1),
	storeTimeout: number(1, 2 ** 31 - 1),
	maxBytes: number(0, 2 ** 31 - 1),
	maxOrigins: fromOne,
	refreshAhead: number(0, 1),
	defaultDelay: number(0, Number.MAX_SAFE_INTEGER),
	minDelay: number(0, Number.MAX_SAFE_INTEGER),
	maxDelay: number(0),
	paceBy: either(
		[oneOf(["host", "origin", "domain", "address"]), functionKind],
		{
			text: '"host", "origin", "domain", "address" or a function',
		},
	),
	maxVisitTime: number(0, Number.MAX_SAFE_INTEGER),
	allowPrivateNetwork: flagKind,
	proxy: proxyKind,
	headers: headersKind,
	fetch: functionKind,
	lookup: functionKind,
	serverErrorAsNotFound: either([flagKind, functionKind], {
		text: "true, false or a function",
	}),
	now: functionKind,
};

/**
 * Bytes of a robots.txt that are read from the network where the dialect has no limit of its own: what a server sends has to end
 * somewhere. As long as the longest line that is read.
 */
const MOST_FETCHED_BYTES = 16 * 1024 * 1024;

/** @throws {RobotrieError} invalid-argument. */
export function clientSettings(options: RobotsClientOptions): ClientSettings {
	checkOptions("RobotsClient", options, clientOptions, ["agent"]);
	const {
		agent,
		userAgent = defaultUserAgent(agent),
		store = new MemoryStore({ maxBytes: DEFAULT_STORE_BYTES }),
		concurrency = 50,
		shareFetches = false,
		timeout = 30_000,
		storeTimeout = Math.min(5000, timeout),
		maxBytes = Math.min(
			dialectRules(options.dialect ?? dialectNames[0]).maxBytes,
			MOST_FETCHED_BYTES,
		),
		maxOrigins = 1_000_000,
		refreshAhead = 0.1,
		defaultDelay = 1000,
		minDelay = 0,
		maxDelay = Number.POSITIVE_INFINITY,
		paceBy = "host",
		maxVisitTime = 30_000,
		allowPrivateNetwork = false,
		proxy,
		headers = {},
		fetch,
		lookup = systemLookup as LookupFunction,
		serverErrorAsNotFound = false,
		now,
		...access
	} = options;
	if (shareFetches && typeof store.replace !== "function")
		throw new RobotrieError(
			"invalid-argument",
			"shareFetches needs a store with the method replace, as SqliteStore, RedisStore and MemoryStore have it",
		);
	if (proxy !== undefined && fetch !== undefined)
		throw new RobotrieError(
			"invalid-argument",
			"proxy is for the client's own requests: a fetch of your own goes to it by itself",
		);
	const settings = settingsOf({
		...access,
		now: 0,
		maxBytes: Math.floor(maxBytes),
	});
	const checked = checkedLookup(lookup, allowPrivateNetwork);
	return {
		access: settings,
		exchange: {
			fetch: fetch ?? guardedFetch({ lookup: checked, proxy }),
			isDecoded: fetch !== undefined,
			lookup: checked,
			userAgent,
			headers: Object.fromEntries(
				Object.entries(headers).map(([name, value]) => [
					name.toLowerCase(),
					value,
				]),
			),
			hasProxy: proxy !== undefined,
			maxBytes: Math.floor(maxBytes),
			maxRedirects: settings.maxRedirects,
			timeout,
			allowPrivateNetwork,
		},
		store: new GuardedStore(store, Math.min(storeTimeout, timeout)),
		limit: (concurrency instanceof RequestLimit
			? concurrency
			: new RequestLimit(concurrency)
		).limit,
		shareFetches,
		maxOrigins,
		refreshAhead,
		pace: { defaultDelay, minDelay, maxDelay, maxVisitTime },
		paceBy,
		storesVisits: options.store !== undefined,
		canReplace: typeof store.replace === "function",
		serverErrorAsNotFound:
			typeof serverErrorAsNotFound === "function"
				? (origin) => Boolean(serverErrorAsNotFound(origin))
				: () => serverErrorAsNotFound,
		// Not the function of now: tests and others replace it.
		now: now ?? (() => Date.now()),
		isMachineClock: now === undefined,
	};
}

function defaultUserAgent(agent: Agent): string {
	const first = typeof agent === "string" ? agent : agent[0];
	return first === undefined || first === "*" ? "robotrie" : first;
}
