/**
 * Asks sites again whose robots.txt cannot be had, for `crawl-check --retry`. Each site is asked at the time that its last answer names
 * (Retry-After, or the client's own pause), and for all its lines together. crawl-lines.ts holds the lines of a site until it is `settled`.
 */
import { setTimeout } from "node:timers/promises";
import type { RobotsClient } from "@robotrie/client";
import { type RobotsAccess, rulesOf } from "robotrie/access";

export interface RetryOptions {
	/** How often a site is asked again. */
	readonly retries: number;
	/** Milliseconds after its first failure in which a site may be asked again. */
	readonly within: number;
	/** Ends all waiting. */
	readonly signal: AbortSignal;
}

/** Which sites are asked again, and which have been asked often enough. */
export class Retries {
	readonly #client: RobotsClient;
	readonly #options: RetryOptions;
	/** By site that has failed: until it is over. A site is retried once in a run, however many blocks name it. */
	readonly #runs = new Map<string, Promise<void>>();
	/** Sites whose run is over. */
	readonly #over = new Set<string>();

	constructor(client: RobotsClient, options: RetryOptions) {
		this.#client = client;
		this.#options = options;
	}

	/** Whether lines of a site that are later for now are to wait for `settled`. */
	isOpen(origin: string): boolean {
		return this.#options.retries > 0 && !this.#over.has(origin);
	}

	/** Resolves when the client has an answer for a site that is not to be asked again in this run. */
	async settled(origin: string): Promise<void> {
		const access = await this.#client.access(origin);
		if (!this.isOpen(origin) || rulesOf(access) !== "later") return;
		let run = this.#runs.get(origin);
		if (!run) {
			run = this.#askAgain(origin, access);
			this.#runs.set(origin, run);
		}
		await run;
	}

	async #askAgain(origin: string, first: RobotsAccess): Promise<void> {
		const { retries, within, signal } = this.#options;
		const last = Date.now() + within;
		let access = first;
		for (let asked = 0; asked < retries && access.expires <= last; ) {
			// A timer may be a millisecond early.
			const wait = Math.max(0, access.expires - Date.now()) + 1;
			await setTimeout(wait, undefined, { signal });
			const next = await this.#client.access(origin);
			if (rulesOf(next) !== "later") break;
			if (next.askedAt !== access.askedAt) asked++;
			access = next;
		}
		this.#over.add(origin);
	}
}
