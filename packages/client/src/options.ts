import { lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import type { Agent } from "robotrie";
import type { AccessOptions } from "robotrie/access";
import {
	accessOptions,
	agentKind,
	checkOptions,
	DEFAULT_DIALECT,
	dialectRules,
	either,
	flagKind,
	functionKind,
	type Kind,
	MOST_FETCHED_BYTES,
	number,
	type OptionTable,
	type Settings,
	settingsOf,
	withMethods,
} from "robotrie/internal";
import { publicLookup } from "./addresses.ts";
import type { ExchangeOptions, Fetch } from "./exchange.ts";
import { GuardedStore } from "./guarded-store.ts";
import { MemoryStore } from "./memory-store.ts";
import type { RobotsStore } from "./store.ts";
import { guardedFetch } from "./transport.ts";

/** How a client works. Times are in milliseconds. */
export interface RobotsClientOptions
	extends Omit<AccessOptions, "now" | "elapsed" | "serverErrorAsNotFound"> {
	/** The crawler whose rules count: its product token, or several, the most specific first. */
	readonly agent: Agent;
	/**
	 * The User-Agent field of requests. It should contain the product token (RFC 9309 §2.2.1) and say where to complain:
	 * "ExampleBot/1.0 (+https://example.com/bot)". Default: the first agent, "robotrie" for `*`.
	 */
	readonly userAgent?: string;
	/** Where answers are kept. Default: in memory, 256 MiB at most. The client does not close it. */
	readonly store?: RobotsStore;
	/**
	 * For one call of the store; after that the client goes on without it, and leaves it alone for 10 seconds. Default 5 seconds,
	 * at most `timeout`.
	 */
	readonly storeTimeout?: number;
	/** Requests under way at a time. Default 50. */
	readonly concurrency?: number;
	/** For one origin's exchange, redirects and body included. Default 30 seconds. */
	readonly timeout?: number;
	/**
	 * Bytes of a robots.txt that count. Default 512,000 (RFC 9309 §2.5); in the google dialect, whose library has no limit, as many as are
	 * ever fetched without being told, 16 MiB.
	 */
	readonly maxBytes?: number;
	/**
	 * Origins whose rules are kept at hand. Beyond that those that were used least recently leave, and are read from the store when they
	 * are needed. Uses count from when half of the room is taken. Default 1,000,000.
	 */
	readonly maxOrigins?: number;
	/** The part of an answer's lifetime, from 0 to 1, at whose end it is asked for anew in the background if it is used. Default 0.1. */
	readonly refreshAhead?: number;
	/** Between two visits of an origin whose robots.txt names neither a Crawl-delay nor a Request-rate, for `nextVisit`. Default 1 second. */
	readonly defaultDelay?: number;
	/**
	 * How long a visit that `nextVisit` gave out counts as going on if `visited` does not tell its end. Default 30 seconds.
	 */
	readonly maxVisitTime?: number;
	/** Whether loopback, private and other addresses that are not public may be asked. Default false. */
	readonly allowPrivateNetwork?: boolean;
	/**
	 * Takes the place of the client's own fetch. Then addresses are not checked at connection; only URLs whose host is a literal
	 * address or localhost are refused.
	 */
	readonly fetch?: Fetch;
	/** Resolves host names, as `dns.lookup` does, for connections of the client's own. */
	readonly lookup?: LookupFunction;
	/** Origins known to answer 5xx for pages that they do not have: 5xx counts as 404. */
	readonly serverErrorAsNotFound?: boolean | ((origin: string) => boolean);
	/**
	 * The clock: milliseconds since 1970. Default `Date.now`; then time between two failures of an origin is measured by a clock that
	 * cannot be set.
	 */
	readonly now?: () => number;
}

export interface ClientSettings {
	/** All but the time and what depends on the origin. */
	readonly access: Settings;
	readonly exchange: ExchangeOptions;
	readonly store: GuardedStore;
	readonly concurrency: number;
	readonly maxOrigins: number;
	readonly refreshAhead: number;
	readonly defaultDelay: number;
	readonly maxVisitTime: number;
	readonly serverErrorAsNotFound: (origin: string) => boolean;
	readonly now: () => number;
	/** Whether `now` is the machine's clock, beside which goes the one that cannot be set. */
	readonly isMachineClock: boolean;
}

/** For some 200,000 origins. */
const DEFAULT_STORE_BYTES = 2 ** 28;

const storeKind = withMethods(
	"a store",
	["get", "set", "delete", "close"],
	(value) =>
		typeof value === "string"
			? "open it first: store: await openStore(location)"
			: undefined,
);

const userAgentKind: Kind = {
	text: "a header field's value",
	accepts: (value) =>
		typeof value === "string" && /^[\t\x20-\x7e\x80-\xff]+$/.test(value),
};

const { now: _, elapsed: __, ...sharedOptions } = accessOptions;
const fromOne = number(1);

const clientOptions: OptionTable<RobotsClientOptions> = {
	...sharedOptions,
	agent: agentKind,
	userAgent: userAgentKind,
	store: storeKind,
	concurrency: fromOne,
	// The longest time that a timer takes.
	timeout: number(1, 2 ** 31 - 1),
	storeTimeout: number(1, 2 ** 31 - 1),
	maxBytes: number(0, 2 ** 31 - 1),
	maxOrigins: fromOne,
	refreshAhead: number(0, 1),
	defaultDelay: number(0, Number.MAX_SAFE_INTEGER),
	maxVisitTime: number(0, Number.MAX_SAFE_INTEGER),
	allowPrivateNetwork: flagKind,
	fetch: functionKind,
	lookup: functionKind,
	serverErrorAsNotFound: either([flagKind, functionKind], {
		text: "true, false or a function",
	}),
	now: functionKind,
};

/** @throws {RobotrieError} invalid-argument. */
export function clientSettings(options: RobotsClientOptions): ClientSettings {
	checkOptions("RobotsClient", options, clientOptions, ["agent"]);
	const {
		agent,
		userAgent = defaultUserAgent(agent),
		store = new MemoryStore({ maxBytes: DEFAULT_STORE_BYTES }),
		concurrency = 50,
		timeout = 30_000,
		storeTimeout = Math.min(5000, timeout),
		maxBytes = Math.min(
			dialectRules(options.dialect ?? DEFAULT_DIALECT).maxBytes,
			MOST_FETCHED_BYTES,
		),
		maxOrigins = 1_000_000,
		refreshAhead = 0.1,
		defaultDelay = 1000,
		maxVisitTime = 30_000,
		allowPrivateNetwork = false,
		fetch,
		lookup = systemLookup as LookupFunction,
		serverErrorAsNotFound = false,
		now,
		...access
	} = options;
	const settings = settingsOf({
		...access,
		now: 0,
		maxBytes: Math.floor(maxBytes),
	});
	const checkedLookup = allowPrivateNetwork ? lookup : publicLookup(lookup);
	return {
		access: settings,
		exchange: {
			fetch:
				fetch ?? guardedFetch({ lookup: checkedLookup, allowPrivateNetwork }),
			isDecoded: fetch !== undefined,
			lookup: checkedLookup,
			userAgent,
			maxBytes: Math.floor(maxBytes),
			maxRedirects: settings.maxRedirects,
			timeout,
			allowPrivateNetwork,
		},
		store: new GuardedStore(store, Math.min(storeTimeout, timeout)),
		concurrency: Math.floor(concurrency),
		maxOrigins,
		refreshAhead,
		defaultDelay,
		maxVisitTime,
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
