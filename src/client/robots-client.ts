import { EventEmitter } from "node:events";
import type { RobotsAccess } from "../access/access.ts";
import type { HttpOutcome } from "../access/outcome.ts";
import {
	check,
	checkOptions,
	checkUrls,
	type OptionTable,
	type Url,
	urlText,
	urlTexts,
} from "../common/arguments.ts";
import { quote, RobotrieError } from "../common/errors.ts";
import { bytesKind } from "../common/kinds.ts";
import { Verdict } from "../engine/verdict.ts";
import type { RobotsClientEvents, RobotsClientStats } from "./events.ts";
import { Judge } from "./judge.ts";
import { KnownOrigins } from "./known-origins.ts";
import { clientSettings, type RobotsClientOptions } from "./options.ts";
import { fetchableOrigin } from "./origin.ts";
import { RobotsSource } from "./robots-source.ts";

/** Options of calls that may wait for robots.txt files. */
export interface WaitOptions {
	/** Aborting it detaches the caller, with the signal's reason; a request is cancelled when no caller is left. */
	readonly signal?: AbortSignal | undefined;
}

/** Origins that a call looks up at a time, beside the requests that it may have to wait for. */
const LEAST_LOOK_UPS = 256;

const waitOptions: OptionTable<WaitOptions> = {
	signal: {
		text: "an AbortSignal",
		accepts: (value) => value instanceof AbortSignal,
		hint: (value) =>
			value instanceof AbortController ? "pass controller.signal" : undefined,
	},
};

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
	#closed = false;

	/** @throws {RobotrieError} invalid-argument. */
	constructor(options: RobotsClientOptions) {
		super();
		const settings = clientSettings(options);
		const { agent, dialect } = options;
		const known = new KnownOrigins(
			{ agent, ...(dialect === undefined ? {} : { dialect }) },
			settings.maxOrigins,
		);
		const source = new RobotsSource(agent, settings, {
			known(origin, answer, due, isNew) {
				const { askedAt } = answer.access;
				if (isNew || !known.hasAnswerOf(origin, askedAt, due))
					known.set(origin, answer.matcher, askedAt, due);
			},
			emit: (event, ...values) => this.#tell(event, values),
		});
		this.#known = known;
		this.#source = source;
		this.#judge = new Judge({
			known,
			lookUp: (origin, signal) => source.lookUp(origin, signal),
			lookUps: Math.max(LEAST_LOOK_UPS, 2 * settings.concurrency),
			now: settings.now,
		});
	}

	/**
	 * Whether the crawler may fetch a URL.
	 * @throws {RobotrieError} invalid-url, for anything but an absolute http, https or ftp URL; invalid-argument; disposed.
	 */
	async isAllowed(url: Url, options: WaitOptions = {}): Promise<boolean> {
		const text = urlText(url);
		this.#begin("isAllowed", options);
		const urls = [text];
		let [verdict] = this.#judge.peek(urls);
		if (verdict === Verdict.Unknown) {
			const known = await this.#source.lookUp(originOf(text), options.signal);
			[verdict] = this.#judge.verdicts(known, urls);
		}
		if (verdict === Verdict.Invalid) throw notFetchable(text);
		return verdict === Verdict.Allowed;
	}

	/** The URLs that the crawler may fetch, in order; without those that are not http, https or ftp URLs. */
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
	 * A `Verdict` for every URL: Allowed, Disallowed, Invalid if it is not a URL, Unknown for other schemes.
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
	): Promise<Uint8Array> {
		checkUrls(urls);
		const texts = urlTexts(urls);
		this.#begin(call, options);
		return this.#judge.matchMany(texts, options.signal);
	}

	/**
	 * As `matchMany`, for every line of `bytes`: URLs in UTF-8, ended by LF or CRLF; the last line may lack it.
	 * @throws {RobotrieError} invalid-argument, for anything but a Uint8Array; disposed.
	 */
	async matchLines(
		bytes: Uint8Array,
		options: WaitOptions = {},
	): Promise<Uint8Array> {
		check("bytes", bytes, bytesKind);
		this.#begin("matchLines", options);
		return this.#judge.matchLines(bytes, options.signal);
	}

	/**
	 * A `Verdict` for every URL at once, from what is in memory: Unknown if the origin's robots.txt has to be looked up in the store or
	 * fetched first. Starts nothing.
	 * @example
	 * const unknown = urls.filter((_, i) => verdicts[i] === Verdict.Unknown); // after verdicts = client.peek(urls)
	 * @throws {RobotrieError} invalid-argument, for anything but an array of strings or `URL` objects; disposed.
	 */
	peek(urls: readonly Url[]): Uint8Array {
		checkUrls(urls);
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
		const origin = originOf(text);
		this.#known.delete(origin);
		await this.#source.forget(origin);
	}

	/**
	 * What the robots.txt of a URL's origin means, and until when. Fetches it unless a valid answer is known.
	 * @throws {RobotrieError} invalid-url, invalid-argument, disposed.
	 */
	async access(url: Url, options: WaitOptions = {}): Promise<RobotsAccess> {
		const text = urlText(url);
		this.#begin("access", options);
		const known = await this.#source.lookUp(originOf(text), options.signal);
		return known.access;
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

	/** Counts since the client was made. */
	stats(): RobotsClientStats {
		const { active, queued, counts } = this.#source;
		return { origins: this.#known.size, active, queued, ...counts };
	}

	/** Cancels all requests and waits for pending writes to the store. Waiting calls and later ones reject. */
	async close(): Promise<void> {
		this.#closed = true;
		await this.#source.close();
	}

	/** As `close`. */
	[Symbol.asyncDispose](): Promise<void> {
		return this.close();
	}

	/** `call` is the method's name, for errors. */
	#begin(call: string, options: WaitOptions): void {
		checkOptions(`RobotsClient.${call}`, options, waitOptions);
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

function originOf(url: string): string {
	const origin = fetchableOrigin(url);
	if (origin === undefined) throw notFetchable(url);
	return origin;
}

function notFetchable(url: string): RobotrieError {
	return new RobotrieError(
		"invalid-url",
		`${quote(url)} is no absolute http, https or ftp URL`,
	);
}
