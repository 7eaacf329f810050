import { EventEmitter } from "node:events";
import type { RobotsAccess } from "../access/access.ts";
import type { HttpOutcome } from "../access/outcome.ts";
import {
	checkOptions,
	checkUrls,
	type OptionTable,
	type Url,
	urlText,
	urlTexts,
} from "../common/arguments.ts";
import { quote, RobotrieError } from "../common/errors.ts";
import { Verdict } from "../engine/verdict.ts";
import { RobotsIndex } from "../sites/robots-index.ts";
import { DueQueue } from "./due-queue.ts";
import type { RobotsClientEvents, RobotsClientStats } from "./events.ts";
import { linesWhere } from "./lines.ts";
import { clientSettings, type RobotsClientOptions } from "./options.ts";
import { fetchableOrigin, OriginFinder } from "./origin.ts";
import { type Known, RobotsSource } from "./robots-source.ts";

/** Options of calls that may wait for robots.txt files. */
export interface WaitOptions {
	/** Aborting it detaches the caller, with the signal's reason; a request is cancelled when no caller is left. */
	readonly signal?: AbortSignal | undefined;
}

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
	readonly #index: RobotsIndex;
	/** The origins in the index, each until it is to be looked up again. */
	readonly #due = new DueQueue();
	readonly #source: RobotsSource;
	readonly #maxOrigins: number;
	readonly #now: () => number;
	#closed = false;

	/** @throws {RobotrieError} invalid-argument. */
	constructor(options: RobotsClientOptions) {
		super();
		const settings = clientSettings(options);
		const { agent, dialect } = options;
		this.#now = settings.now;
		this.#maxOrigins = settings.maxOrigins;
		this.#index = new RobotsIndex({
			agent,
			...(dialect === undefined ? {} : { dialect }),
		});
		this.#source = new RobotsSource(agent, settings, {
			known: (origin, known, due) => this.#insert(origin, known, due),
			emit: (event, ...values) => this.#tell(event, values),
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
		let [verdict] = this.#index.matchMany(urls);
		if (verdict === Verdict.Unknown) {
			const known = await this.#source.lookUp(originOf(text), options.signal);
			[verdict] = known.matcher.matchMany(urls);
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
		const verdicts = this.#index.matchMany(texts);
		const unknown = function* () {
			for (const [i, url] of texts.entries())
				if (verdicts[i] === Verdict.Unknown) yield [i, url] as const;
		};
		await this.#fill(verdicts, unknown(), options);
		return verdicts;
	}

	/**
	 * As `matchMany`, for every line of `bytes`: URLs in UTF-8, ended by LF or CRLF; the last line may lack it.
	 * @throws {RobotrieError} invalid-argument, for anything but a Uint8Array; disposed.
	 */
	async matchLines(
		bytes: Uint8Array,
		options: WaitOptions = {},
	): Promise<Uint8Array> {
		this.#begin("matchLines", options);
		const verdicts = this.#index.matchLines(bytes);
		const unknown = linesWhere(
			bytes,
			(line) => verdicts[line] === Verdict.Unknown,
		);
		await this.#fill(verdicts, unknown, options);
		return verdicts;
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
		const { outcome, access } = await this.#source.ask(
			originOf(text),
			options.signal,
		);
		return { outcome, access };
	}

	/** Counts since the client was made. */
	stats(): RobotsClientStats {
		const { active, queued, counts } = this.#source;
		return { origins: this.#due.size, active, queued, ...counts };
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
		// What is gone from the index is unknown when it is asked for the next time: so only what is in use is asked for anew.
		for (const origin of this.#due.due(this.#now())) this.#index.delete(origin);
	}

	async #fill(
		verdicts: Uint8Array,
		unknown: Iterable<readonly [at: number, url: string]>,
		{ signal }: WaitOptions,
	): Promise<void> {
		const byOrigin = new Map<string, { at: number[]; urls: string[] }>();
		const finder = new OriginFinder();
		for (const [at, url] of unknown) {
			const origin = finder.of(url);
			if (origin === undefined) continue;
			let group = byOrigin.get(origin);
			if (!group) {
				group = { at: [], urls: [] };
				byOrigin.set(origin, group);
			}
			group.at.push(at);
			group.urls.push(url);
		}
		await Promise.all(
			[...byOrigin].map(async ([origin, { at, urls }]) => {
				const { matcher } = await this.#source.lookUp(origin, signal);
				// Not from the index, which may have had to let the origin go again.
				const found = matcher.matchMany(urls);
				for (const [i, line] of at.entries())
					verdicts[line] = found[i] ?? Verdict.Unknown;
			}),
		);
	}

	#insert(origin: string, { matcher }: Known, due: number): void {
		while (this.#due.size >= this.#maxOrigins && !this.#index.has(origin))
			this.#dropOldest();
		for (;;) {
			try {
				this.#index.set(origin, matcher);
				break;
			} catch (error) {
				const isFull =
					error instanceof RobotrieError && error.code === "limit-exceeded";
				if (!isFull || !this.#dropOldest()) throw error;
			}
		}
		this.#due.set(origin, due);
	}

	#dropOldest(): boolean {
		const oldest = this.#due.oldest();
		return oldest !== undefined && this.#index.delete(oldest);
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
