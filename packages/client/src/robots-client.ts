/**
 * The class RobotsClient. It checks arguments and puts the parts together: KnownOrigins (what is at
 * hand), RobotsSource (store and network), Judge (many URLs), Visitor (visits of pages). Each has
 * a file of its own, and none knows of the class.
 */

import { EventEmitter } from "node:events";
import type { Explanation, Url } from "robotrie";
import { RobotrieError, type RobotsIndex, Verdict } from "robotrie";
import type { HttpOutcome, RobotsAccess } from "robotrie/access";
import { keptAgent } from "#robotrie/common/agents";
import {
	check,
	checkOptions,
	type OptionTable,
	urlText,
	urlTexts,
} from "#robotrie/common/arguments";
import { bytesArgument, checkThere, keptBytes } from "#robotrie/common/bytes";
import { functionKind, number, objectKind } from "#robotrie/common/kinds";
import { fetchableOrigin, notFetchable, originOf } from "./common/origin.ts";
import { turns } from "./common/turns.ts";
import { StoredPace } from "./pacing/stored-pace.ts";
import {
	type Visit,
	type VisitAnswer,
	Visitor,
	type VisitResult,
} from "./pacing/visitor.ts";
import { Visits } from "./pacing/visits.ts";
import { Judge } from "./rules/judge.ts";
import type { Known } from "./rules/known.ts";
import { KnownOrigins } from "./rules/known-origins.ts";
import type {
	RobotsClientEvents,
	RobotsClientStats,
} from "./source/options.ts";
import {
	clientSettings,
	type LaterUrl,
	type NextVisitOptions,
	nextVisitOptions,
	type RobotsAnswer,
	type RobotsClientOptions,
	type SitemapOptions,
	type SortedUrls,
	sitemapOptions,
	type VisitOptions,
	visitOptions,
	type WaitOptions,
	waitOptions,
} from "./source/options.ts";
import { RobotsSource } from "./source/robots-source.ts";

/** Origins that are asked whether their sitemaps may be followed: a file may name any number. */
const MOST_SITEMAP_ORIGINS = 100;

/** Of calls without options, which need no check. */
const noOptions = {};

/** Sitemaps that are judged at a time. */
const JUDGED = 1000;
const SECOND = 1000;

/** Milliseconds that `visit` waits for a turn. */
const DEFAULT_WAIT = 30_000;

const statusKind = number(0, 999);
const timeKind = number(-8.64e15, 8.64e15, "of milliseconds since 1970");

/** Origins that a call looks up at a time, beside the requests that it may have to wait for. */
const LEAST_LOOK_UPS = 100;

/**
 * Answers for URLs of any origins, and fetches the robots.txt files it needs. Callers that wait for the same file share one
 * request. A file is fetched again when it expires (RFC 9309 §2.4), or shortly before in the background if it is in use.
 *
 * URLs are absolute http, https or ftp URLs. Answers come from an index in memory, else from the store, else from the network.
 * Calls that return a promise reject on wrong arguments.
 * @example
 * await using client = new RobotsClient({ agent: "ExampleBot" });
 * if (await client.isAllowed("https://example.com/a.html")) await fetch("https://example.com/a.html");
 */
export class RobotsClient extends EventEmitter<RobotsClientEvents> {
	readonly #known: KnownOrigins;
	readonly #source: RobotsSource;
	readonly #judge: Judge;
	readonly #visits: Visits;
	readonly #visitor: Visitor;
	#closed = false;

	/** @throws {RobotrieError} invalid-argument. */
	constructor(options: RobotsClientOptions) {
		super();
		const settings = clientSettings(options);
		const { dialect } = options;
		const agent = keptAgent(options.agent);
		// Called for each new answer, whichever call asked for it.
		const known = new KnownOrigins(
			{ agent, ...(dialect === undefined ? {} : { dialect }) },
			settings.maxOrigins,
		);
		const { now, pace } = settings;
		const visits = new Visits(settings.maxOrigins, pace, now);
		const source = new RobotsSource(agent, settings, {
			index: known.index,
			known: (origin, answer, due, isNew) => {
				const { askedAt } = answer.access;
				if (isNew) this.#visitor.changed(origin, answer);
				// An answer from the store that is at hand already need not be compiled again.
				if (isNew || !known.hasAnswerOf(origin, askedAt, due))
					known.set(origin, answer, askedAt, due);
			},
			emit: (event, ...values) => this.#tell(event, values),
		});
		this.#visits = visits;
		this.#known = known;
		this.#source = source;
		this.#judge = new Judge({
			known,
			lookUp: (origin, signal) => source.lookUp(origin, signal),
			lookUps: Math.max(LEAST_LOOK_UPS, 2 * settings.limit.concurrency),
			now,
		});
		this.#visitor = new Visitor({
			visits,
			atHand: (url) => this.#judge.atHand(url),
			lookUp: (origin, signal) => source.lookUp(origin, signal),
			stored: settings.storesVisits
				? new StoredPace({
						store: settings.store,
						canLease: settings.canReplace,
						now,
						maxHold: settings.access.maxRetryAfter,
						failed: (key, operation, error) =>
							source.storeFailed(key, operation, error),
					})
				: undefined,
			now,
			access: settings.access,
			paceBy: settings.paceBy,
			lookup: settings.exchange.lookup,
			maxVisitTime: pace.maxVisitTime,
		});
	}

	/**
	 * Whether the crawler may fetch a URL. False also while the site's robots.txt cannot be had, which `sort` and `matchMany` tell apart
	 * (`Verdict.Later`): do not drop the URL for good.
	 * @throws {RobotrieError} invalid-url, for anything but an absolute http, https or ftp URL; invalid-argument; disposed.
	 */
	async isAllowed(
		url: Url,
		options: WaitOptions = noOptions,
	): Promise<boolean> {
		const text = urlText(url);
		this.#begin("isAllowed", options);
		// From memory first: most calls wait for nothing.
		const atHand = this.#judge.atHand(text);
		let verdict = typeof atHand === "number" ? atHand : await atHand;
		options.signal?.throwIfAborted();
		if (verdict === Verdict.Unknown)
			verdict = await this.#judge.lookedUp(text, options.signal);
		if (verdict === Verdict.Invalid) throw notFetchable(text);
		return verdict === Verdict.Allowed;
	}

	/**
	 * The URLs that the crawler may fetch, in order; without those that are not http, https or ftp URLs. Those of a site whose robots.txt
	 * cannot be had for now are missing too, and may be allowed later: `sort` gives all of them.
	 * @example
	 * await client.filter(["https://example.com/a.html", "https://example.com/private/"]); // ["https://example.com/a.html"]
	 */
	async filter(
		urls: readonly string[],
		options?: WaitOptions,
	): Promise<string[]>;
	/** As above, for `URL` objects and strings. */
	async filter<One extends Url>(
		urls: readonly One[],
		options?: WaitOptions,
	): Promise<One[]>;
	/** The implementation of both. */
	async filter(
		urls: readonly Url[],
		options: WaitOptions = {},
	): Promise<Url[]> {
		const verdicts = await this.#matchMany("filter", urls, options);
		return urls.filter((_, i) => verdicts[i] === Verdict.Allowed);
	}

	/**
	 * All URLs by what is to become of them, each list in order: fetch what is allowed, drop what is disallowed, and ask again for what is
	 * `later`, from the time `at` on.
	 * @example
	 * const { allowed, later } = await client.sort(urls);
	 * for (const { url, at } of later) queue.add(url, { after: at });
	 * @throws {RobotrieError} as `matchMany`.
	 */
	async sort(
		urls: readonly string[],
		options?: WaitOptions,
	): Promise<SortedUrls<string>>;
	/** As above, for `URL` objects and strings. */
	async sort<One extends Url>(
		urls: readonly One[],
		options?: WaitOptions,
	): Promise<SortedUrls<One>>;
	/** The implementation of both. */
	async sort(
		urls: readonly Url[],
		options: WaitOptions = {},
	): Promise<SortedUrls<Url>> {
		const times = new Float64Array(Array.isArray(urls) ? urls.length : 0);
		const verdicts = await this.#matchMany("sort", urls, options, times);
		const sorted = {
			allowed: [] as Url[],
			disallowed: [] as Url[],
			later: [] as LaterUrl<Url>[],
			unknown: [] as Url[],
			invalid: [] as Url[],
		};
		for (const [i, url] of urls.entries()) {
			if (i % JUDGED === 0) await turns.wait();
			switch (verdicts[i]) {
				case Verdict.Allowed:
					sorted.allowed.push(url);
					break;
				case Verdict.Disallowed:
					sorted.disallowed.push(url);
					break;
				case Verdict.Later:
					sorted.later.push({ url, at: times[i] as number });
					break;
				case Verdict.Unknown:
					sorted.unknown.push(url);
					break;
				default:
					sorted.invalid.push(url);
			}
		}
		return sorted;
	}

	/**
	 * A `Verdict` for every URL: Allowed, Disallowed, Later if the site's robots.txt cannot be had for now (ask again), Invalid if it is
	 * not a URL, Unknown for other schemes and for addresses that were refused because they are not public. Compare with `Verdict.Allowed`:
	 * Later is truthy, too.
	 * @throws {RobotrieError} invalid-argument, for anything but an array of strings or `URL` objects; disposed.
	 */
	async matchMany(
		urls: readonly Url[],
		options: WaitOptions = {},
	): Promise<Uint8Array> {
		return this.#matchMany("matchMany", urls, options);
	}

	async #matchMany(
		call: string,
		urls: readonly Url[],
		options: WaitOptions,
		times?: Float64Array,
	): Promise<Uint8Array> {
		const texts = urlTexts(urls);
		this.#begin(call, options);
		return this.#judge.matchMany(texts, options.signal, times);
	}

	/**
	 * As `matchMany`, for every line of `bytes`: URLs in UTF-8, ended by LF or CRLF; the last line may lack it.
	 * @throws {RobotrieError} invalid-argument, for anything but a Uint8Array; disposed.
	 */
	async matchLines(
		bytes: Uint8Array,
		options: WaitOptions = {},
	): Promise<Uint8Array> {
		const lines = keptBytes(bytesArgument("bytes", bytes));
		const { length } = lines;
		this.#begin("matchLines", options);
		const verdicts = await this.#judge.matchLines(lines, options.signal);
		checkThere("bytes", lines, length);
		return verdicts;
	}

	/**
	 * A `Verdict` for every URL at once, from what is in memory: Unknown if the origin's robots.txt has to be looked up in the store or
	 * fetched first, or has more than 500 KiB and so many wildcards that a thread judges by it; Later if it cannot be had for now. Starts
	 * nothing.
	 * @example
	 * const unknown = urls.filter((_, i) => verdicts[i] === Verdict.Unknown); // after verdicts = client.peek(urls)
	 * @throws {RobotrieError} invalid-argument, for anything but an array of strings or `URL` objects; disposed.
	 */
	peek(urls: readonly Url[]): Uint8Array {
		const texts = urlTexts(urls);
		this.#begin("peek", {});
		return this.#judge.peek(texts);
	}

	/**
	 * Forgets what is known of the origin of a URL, in memory and in the store: the next call asks for its robots.txt anew. Calls that
	 * wait for it still get the answer that is on its way; nobody else does.
	 * @throws {RobotrieError} invalid-url, invalid-argument, disposed.
	 */
	async forget(url: Url): Promise<void> {
		const text = urlText(url);
		this.#begin("forget", {});
		// Memory first: a call that begins now must not see what is being forgotten.
		const origin = originOf(text);
		this.#known.delete(origin);
		this.#visits.outdate(origin);
		await this.#source.forget(origin);
	}

	/**
	 * What the robots.txt of a URL's origin means, and until when. Fetches it unless a valid answer is known.
	 * @throws {RobotrieError} invalid-url, invalid-argument, disposed.
	 */
	async access(url: Url, options: WaitOptions = {}): Promise<RobotsAccess> {
		const { access } = await this.#lookUp("access", url, options);
		return access;
	}

	/**
	 * Fetches the robots.txt of a URL's origin even if a valid answer is known, and returns what it means.
	 * @throws {RobotrieError} invalid-url, invalid-argument, disposed.
	 */
	async fetch(
		url: Url,
		options: WaitOptions = {},
	): Promise<{ outcome: HttpOutcome; access: RobotsAccess }> {
		const text = urlText(url);
		this.#begin("fetch", options);
		const { outcome, known } = await this.#source.ask(
			originOf(text),
			options.signal,
		);
		return { outcome, access: known.access };
	}

	/**
	 * What `access` gives, and the file itself: `robots` is the robots.txt whose rules hold, to be asked for anything that a `RobotsTxt`
	 * knows. It is null if no file decides: the site has none, it cannot be reached, or its address was refused.
	 * @example
	 * const { robots, expires } = await client.robots("https://example.com/");
	 * const preferences = robots?.preferences("https://example.com/a.html", "ExampleBot");
	 * @throws {RobotrieError} invalid-url, invalid-argument, disposed.
	 */
	async robots(url: Url, options: WaitOptions = {}): Promise<RobotsAnswer> {
		const { access, robots } = await this.#lookUp("robots", url, options);
		return { ...access, robots };
	}

	/**
	 * Seconds between two requests that the origin's robots.txt asks of the crawler by Crawl-delay; undefined if it does not. `nextVisit`
	 * also heeds the other lines.
	 * @throws {RobotrieError} invalid-url, invalid-argument, disposed.
	 */
	async crawlDelay(
		url: Url,
		options: WaitOptions = {},
	): Promise<number | undefined> {
		const known = await this.#lookUp("crawlDelay", url, options);
		const { delay } = await known.limits();
		return delay === undefined ? undefined : delay / SECOND;
	}

	/**
	 * The URLs of the Sitemap lines of the origin's robots.txt, in file order, each once; a path is resolved by the URL of the file. None if
	 * no file decides. With `agent` only those that this
	 * crawler may follow: "provided that this isn't disallowed" (Google's specification, "Sitemap") by the robots.txt of the
	 * sitemap's own origin, which is fetched if need be. Of at most 100 origins; sitemaps of further ones are left out, and so are those of
	 * origins that cannot be reached.
	 * @example
	 * const sitemaps = await client.sitemaps("https://example.com/", { agent: "ExampleBot" });
	 * @throws {RobotrieError} invalid-url, invalid-argument, disposed.
	 */
	async sitemaps(
		url: Url,
		options: SitemapOptions = {},
	): Promise<readonly string[]> {
		const text = urlText(url);
		this.#begin("sitemaps", options, sitemapOptions);
		const { agent, signal } = options;
		const own = originOf(text);
		const known = await this.#source.lookUp(own, signal);
		const sitemaps = await known.sitemaps();
		if (agent === undefined) return sitemaps;
		// Each origin once, however many sitemaps it has.
		const byOrigin = new Map<string, string[]>();
		for (const sitemap of sitemaps) {
			await turns.wait();
			signal?.throwIfAborted();
			const origin = originOf(sitemap);
			const others = byOrigin.get(origin);
			if (others) others.push(sitemap);
			else byOrigin.set(origin, [sitemap]);
		}
		// A file may name any number of origins; following it must not become a crawl.
		const origins: string[] = [];
		for (const origin of byOrigin.keys())
			if (origins.push(origin) === MOST_SITEMAP_ORIGINS) break;
		const followed = new Set<string>();
		await Promise.all(
			origins.map(async (origin) => {
				const there =
					origin === own ? known : await this.#source.lookUp(origin, signal);
				const { access, robots } = there;
				// Where nothing is known or nothing allowed, its sitemaps are left out.
				if (!robots && access.access !== "allow-all") return;
				const all = byOrigin.get(origin) ?? [];
				for (let from = 0; from < all.length; from += JUDGED) {
					await turns.wait();
					signal?.throwIfAborted();
					const some = all.slice(from, from + JUDGED);
					const verdicts = robots && (await there.verdicts(some, agent));
					for (const [i, sitemap] of some.entries())
						if (!verdicts || verdicts[i] === Verdict.Allowed)
							followed.add(sitemap);
				}
			}),
		);
		const found: string[] = [];
		for (let from = 0; from < sitemaps.length; from += JUDGED) {
			await turns.wait();
			for (const sitemap of sitemaps.slice(from, from + JUDGED))
				if (followed.has(sitemap)) found.push(sitemap);
		}
		return found;
	}

	/**
	 * Whether the crawler may fetch a URL, and why: names the deciding line, or says what became of the request for robots.txt where no
	 * file decides. Of a file of more than 500 KiB, `group.agents` has at most 50,000 names, and no rule is named if the rules take more
	 * than 16 MiB compiled.
	 * @example
	 * const { allowed, rule, reason } = await client.explain("https://example.com/private/a.html");
	 * @throws {RobotrieError} invalid-url, invalid-argument, disposed.
	 */
	async explain(url: Url, options: WaitOptions = {}): Promise<Explanation> {
		const text = urlText(url);
		const known = await this.#lookUp("explain", text, options);
		return known.explain(text);
	}

	/**
	 * Looks up the origins of URLs, and fetches what is missing or has expired, so that later calls need not wait.
	 * @throws {RobotrieError} invalid-url, before anything is asked for; invalid-argument; disposed.
	 */
	async prefetch(
		urls: readonly Url[],
		options: WaitOptions = {},
	): Promise<void> {
		const texts = urlTexts(urls);
		this.#begin("prefetch", options);
		await this.#judge.lookUp(texts, options.signal);
	}

	/**
	 * Visits a page: waits for its turn, asks robots.txt then, and calls `download`, whose end begins the pause until the next visit of the
	 * same server (`paceBy`). There is one visit of a server at a time. Crawl-delay, Request-rate, Visit-time and Retry-After are kept, of pages
	 * as of robots.txt if `download` reports their answers.
	 *
	 * Nothing is downloaded if robots.txt forbids the page ("disallowed"), if the turn would come after `maxWait` or robots.txt cannot be had
	 * ("later", with the time to ask again), or if the site asks for more than `maxDelay` ("slow"). Keep a URL that is "later" in your queue.
	 *
	 * Rejects with the error of `download`, or with the signal's reason, after which the turn ends when the download does. With a store of
	 * one's own, visits count after a restart, and, where the store has `replace`, for all processes that share it.
	 * @example
	 * const visit = await client.visit("https://example.com/a.html", async ({ signal, report }) => {
	 *   const response = await fetch("https://example.com/a.html", { signal });
	 *   report(response.status, response.headers);
	 *   return response.text();
	 * });
	 * if (visit.outcome === "visited") visit.value; // the page
	 * @throws {RobotrieError} invalid-argument, disposed.
	 */
	async visit<Value>(
		url: Url,
		download: (visit: Visit) => Promise<Value> | Value,
		options: VisitOptions = {},
	): Promise<VisitResult<Value>> {
		const text = urlText(url);
		check("download", download, functionKind);
		this.#begin("visit", options, visitOptions);
		const origin = fetchableOrigin(text);
		if (origin === undefined) return { outcome: "invalid" };
		const { maxWait = DEFAULT_WAIT, signal } = options;
		return this.#visitor.visit(text, origin, download, maxWait, signal);
	}

	/**
	 * The earliest time at which a page of the URL's origin may be fetched, in milliseconds since 1970: after the time that Crawl-delay or
	 * Request-rate ask for between two visits (`defaultDelay` without them), within Visit-time, and not before Retry-After. The time is
	 * reserved: the next call for the same server (`paceBy`) gets a later one. It says nothing about whether the URL may be fetched. For
	 * callers who have a queue of their own; `visit` does all of it.
	 *
	 * The time between two visits is from the end of one to the start of the next: tell the end by `visited`, and ask for the next time after
	 * it. Until then a visit that has begun counts as going on, but for no longer than `maxVisitTime` (30 seconds); times that are given out
	 * in advance are only as far apart as the pace asks for. Pauses are by a clock that cannot be set; the time given is by the wall clock.
	 * @example
	 * const time = await client.nextVisit(url);
	 * await setTimeout(time - Date.now());
	 * try { await download(url); } finally { client.visited(url, time); }
	 * @throws {RobotrieError} invalid-url, invalid-argument, disposed.
	 */
	async nextVisit(
		url: Url,
		options: NextVisitOptions = noOptions,
	): Promise<number> {
		const text = urlText(url);
		this.#begin("nextVisit", options, nextVisitOptions);
		const { signal, reserve = true, after } = options;
		return this.#visitor.next(text, reserve, after, signal);
	}

	/**
	 * A visit that `nextVisit` gave out has ended, whether it succeeded or not: the time between two visits counts from now. It is the one
	 * whose time was `at`; without it, of several that are under way, the one that began first. A visit that was not given out counts as well.
	 * After an `answer` with the status 429 or 503, times of the origin are given out from its Retry-After on, as `visit` does.
	 * @throws {RobotrieError} invalid-url, invalid-argument, disposed.
	 */
	visited(url: Url, at?: number, answer?: VisitAnswer): void {
		const origin = originOf(urlText(url));
		if (at !== undefined) check("at", at, timeKind);
		if (answer !== undefined) {
			check("answer", answer, objectKind);
			check("answer.status", answer.status, statusKind);
		}
		this.#begin("visited", {});
		this.#visitor.end(origin, at, answer);
	}

	/**
	 * Gives back a time that `nextVisit` gave out: the visit will not take place, and others may have its time. False if there is no such
	 * reservation, or no longer.
	 * @example
	 * const time = await client.nextVisit(url);
	 * if (!(await client.isAllowed(url))) client.release(url, time);
	 * @throws {RobotrieError} invalid-url, invalid-argument, disposed.
	 */
	release(url: Url, at: number): boolean {
		const origin = originOf(urlText(url));
		check("at", at, timeKind);
		this.#begin("release", {});
		return this.#visitor.release(origin, at);
	}

	/**
	 * An index of its own with the rules of all origins that are at hand: to judge without waiting, to save (`toBytes`), or for a
	 * `RobotsPool`. It has what is at hand when the call begins, and does not change when the client learns more; the event loop goes on
	 * meanwhile.
	 * @throws {RobotrieError} limit-exceeded, disposed.
	 */
	async snapshot(): Promise<RobotsIndex> {
		this.#begin("snapshot", {});
		await this.#judge.clear();
		return this.#known.snapshot();
	}

	/** Counts since the client was made. */
	stats(): RobotsClientStats {
		const { active, queued, counts } = this.#source;
		return { origins: this.#known.size, active, queued, ...counts };
	}

	/** Cancels all requests and waits for pending writes to the store. Waiting calls and later ones reject. */
	async close(): Promise<void> {
		this.#closed = true;
		const reason = new RobotrieError("disposed", "the client was closed");
		const visits = this.#visitor.close(reason);
		await this.#source.close();
		await visits;
	}

	/** As `close`. */
	[Symbol.asyncDispose](): Promise<void> {
		return this.close();
	}

	async #lookUp(call: string, url: Url, options: WaitOptions): Promise<Known> {
		const text = urlText(url);
		this.#begin(call, options);
		return this.#source.lookUp(originOf(text), options.signal);
	}

	/** `call` is the method's name, for errors. */
	#begin<Options extends WaitOptions>(
		call: string,
		options: Options,
		table: OptionTable<Options> = waitOptions as OptionTable<Options>,
	): void {
		if (options !== noOptions)
			checkOptions(`RobotsClient.${call}`, options, table);
		const { signal } = options;
		signal?.throwIfAborted();
		if (this.#closed)
			throw new RobotrieError("disposed", "the client was closed");
	}

	#tell<E extends keyof RobotsClientEvents>(
		event: E,
		values: RobotsClientEvents[E],
	): void {
		try {
			(this as EventEmitter).emit(event, ...values);
		} catch (error) {
			// A listener's fault is not that of those who wait for an answer.
			queueMicrotask(() => {
				throw error;
			});
		}
	}
}
