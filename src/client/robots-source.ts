import pLimit, { type LimitFunction } from "p-limit";
import { accessFor, type RobotsAccess } from "../access/access.ts";
import type { HttpOutcome } from "../access/outcome.ts";
import { RobotrieError } from "../common/errors.ts";
import type { Agent } from "../matching/agents.ts";
import type { Matcher } from "../matching/matcher.ts";
import { type ParseOptions, RobotsTxt } from "../matching/robots-txt.ts";
import { decodeEntry, encodeEntry } from "./entry.ts";
import type { RobotsClientEvents } from "./events.ts";
import { exchange } from "./exchange.ts";
import type { ClientSettings } from "./options.ts";
import { SharedTask } from "./shared-task.ts";

/** What an origin's robots.txt means, ready to judge. */
export interface Known {
	readonly access: RobotsAccess;
	readonly matcher: Matcher;
}

export interface Asked extends Known {
	readonly outcome: HttpOutcome;
}

/** Who is to hear of it. */
export interface Observer {
	/** Something holds for an origin; at `due` it is to be looked up again. */
	known(origin: string, known: Known, due: number): void;
	emit<E extends keyof RobotsClientEvents>(
		event: E,
		...values: RobotsClientEvents[E]
	): void;
}

/** Where robots.txt comes from: the store, and the network when the store has none that holds. */
export class RobotsSource {
	readonly counts = {
		requests: 0,
		refreshes: 0,
		redirects: 0,
		notModified: 0,
		failures: 0,
		bytes: 0,
		storeHits: 0,
		storeMisses: 0,
		corruptEntries: 0,
		storeErrors: 0,
	};
	readonly #agent: Agent;
	readonly #settings: ClientSettings;
	readonly #observer: Observer;
	readonly #limit: LimitFunction;
	readonly #lookups = new Map<string, SharedTask<Known>>();
	readonly #requests = new Map<string, SharedTask<Asked>>();
	readonly #writes = new Set<Promise<void>>();
	readonly #reading: ParseOptions;
	readonly #allAllowed: Matcher;
	readonly #nothingAllowed: Matcher;

	constructor(agent: Agent, settings: ClientSettings, observer: Observer) {
		this.#agent = agent;
		this.#settings = settings;
		this.#observer = observer;
		this.#limit = pLimit(settings.concurrency);
		const { dialect } = settings.access;
		this.#reading = dialect === undefined ? {} : { dialect };
		this.#allAllowed = RobotsTxt.parse("", this.#reading).for(agent);
		// For "*", as some crawlers do not obey its groups.
		this.#nothingAllowed = RobotsTxt.parse(
			"User-agent: *\nDisallow: /",
			this.#reading,
		).for("*");
	}

	get active(): number {
		return this.#limit.activeCount;
	}

	get queued(): number {
		return this.#limit.pendingCount;
	}

	/** What holds for an origin now; asks for it only when the store has nothing that does. */
	lookUp(origin: string, signal: AbortSignal | undefined): Promise<Known> {
		let task = this.#lookups.get(origin);
		if (!task) {
			task = new SharedTask(
				(abandoned) => this.#lookUp(origin, abandoned),
				() => this.#lookups.delete(origin),
			);
			this.#lookups.set(origin, task);
		}
		return task.join(signal);
	}

	/** Asks for an origin's robots.txt, however fresh what is known may be. */
	async ask(origin: string, signal: AbortSignal | undefined): Promise<Asked> {
		signal?.throwIfAborted();
		const stored = await this.#read(origin);
		return this.#request(origin, stored, false).join(signal);
	}

	/** Gives up all requests, and waits for what is being stored. */
	async close(): Promise<void> {
		const reason = new RobotrieError("disposed", "the client was closed");
		for (const task of this.#lookups.values()) task.abort(reason);
		for (const task of this.#requests.values()) task.abort(reason);
		await Promise.all(this.#writes);
	}

	async #lookUp(origin: string, signal: AbortSignal): Promise<Known> {
		const { counts } = this;
		const stored = await this.#read(origin);
		const now = this.#settings.now();
		const holdsUntil = stored ? this.#holdsUntil(stored) : now;
		if (!stored || now >= holdsUntil) {
			counts.storeMisses++;
			return this.#request(origin, stored, false).join(signal);
		}
		counts.storeHits++;
		this.#observer.emit("stored", { origin, access: stored });
		const known = this.#prepare(stored);
		const refreshAt = this.#refreshAt(stored);
		const isDue = now >= refreshAt;
		this.#observer.known(origin, known, isDue ? holdsUntil : refreshAt);
		if (isDue) this.#request(origin, stored, true).keep();
		return known;
	}

	/** One request for an origin at a time: whoever else asks joins it. */
	#request(
		origin: string,
		previous: RobotsAccess | null,
		background: boolean,
	): SharedTask<Asked> {
		const running = this.#requests.get(origin);
		if (running) return running;
		const task = new SharedTask(
			(signal) => this.#exchange(origin, previous, background, signal),
			() => this.#requests.delete(origin),
		);
		this.#requests.set(origin, task);
		return task;
	}

	async #exchange(
		origin: string,
		previous: RobotsAccess | null,
		background: boolean,
		signal: AbortSignal,
	): Promise<Asked> {
		const { counts } = this;
		const settings = this.#settings;
		const url = `${origin}/robots.txt`;
		let started = 0;
		const outcome = await this.#limit(() => {
			signal.throwIfAborted();
			counts.requests++;
			if (background) counts.refreshes++;
			this.#observer.emit("request", { origin, url, background });
			started = performance.now();
			return exchange(url, previous, settings.exchange, signal);
		});
		const milliseconds = performance.now() - started;
		counts.redirects += outcome.redirects?.length ?? 0;
		counts.bytes += outcome.body?.length ?? 0;
		if (outcome.failure) counts.failures++;
		const access = accessFor(outcome, previous, {
			...settings.access,
			now: settings.now(),
			serverErrorAsNotFound: settings.serverErrorAsNotFound(origin),
		});
		if (access.code === "not-modified") counts.notModified++;
		const known = this.#prepare(access);
		// Answers are stored before they are returned, so a crash loses none.
		await this.#write(origin, access);
		this.#observer.known(origin, known, this.#refreshAt(access));
		this.#observer.emit("answer", { origin, outcome, access, milliseconds });
		return { ...known, outcome };
	}

	#prepare(access: RobotsAccess): Known {
		if (access.access === "disallow-all")
			return { access, matcher: this.#nothingAllowed };
		if (access.access === "allow-all" || !access.copy)
			return { access, matcher: this.#allAllowed };
		const robots = RobotsTxt.parse(access.copy.body, {
			...this.#reading,
			maxBytes: this.#settings.exchange.maxBytes,
		});
		return { access, matcher: robots.for(this.#agent) };
	}

	/** Until when an answer may be given: a copy that holds does so while asking anew fails. */
	#holdsUntil({ code, copy, expires }: RobotsAccess): number {
		if (code !== "cached-copy" || !copy) return expires;
		const { staleIfError = 0 } = this.#settings.access;
		return Math.max(expires, copy.expires + staleIfError);
	}

	/** From when on an answer that is used is asked for anew; after failures not before its time. */
	#refreshAt({ failures, askedAt, expires }: RobotsAccess): number {
		if (failures > 0) return expires;
		return expires - this.#settings.refreshAhead * (expires - askedAt);
	}

	/** Yandex reads answers otherwise: it has entries of its own where a store is shared. */
	#key(origin: string): string {
		return this.#settings.access.dialect === "yandex"
			? `yandex ${origin}`
			: origin;
	}

	async #read(origin: string): Promise<RobotsAccess | null> {
		const key = this.#key(origin);
		let entry: Uint8Array | undefined;
		try {
			entry = await this.#settings.store.get(key);
		} catch (error) {
			this.counts.storeErrors++;
			this.#observer.emit("storeError", { origin, operation: "get", error });
			return null;
		}
		if (!entry) return null;
		const access = decodeEntry(key, entry);
		if (typeof access === "string") {
			this.counts.corruptEntries++;
			this.#observer.emit("corrupt", { origin, reason: access });
			return null;
		}
		// Another client, with a smaller limit, has stored less than is wanted here.
		const { copy } = access;
		if (copy?.truncated && copy.body.length <= this.#settings.exchange.maxBytes)
			return null;
		return access;
	}

	async #write(origin: string, access: RobotsAccess): Promise<void> {
		// Not the site's answer: another client of the store may be allowed to connect.
		if (access.code === "address-refused") return;
		const key = this.#key(origin);
		const write = (async () => {
			try {
				await this.#settings.store.set(key, encodeEntry(key, access));
			} catch (error) {
				this.counts.storeErrors++;
				this.#observer.emit("storeError", { origin, operation: "set", error });
			}
		})();
		this.#writes.add(write);
		await write;
		this.#writes.delete(write);
	}
}
