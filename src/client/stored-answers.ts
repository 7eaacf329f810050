import pLimit, { type LimitFunction } from "p-limit";
import type { RobotsAccess } from "../access/access.ts";
import type { Stop } from "./aborts.ts";
import { decodeEntry, encodeEntry } from "./entry.ts";
import type { RobotsClientEvents } from "./events.ts";
import type { GuardedStore } from "./guarded-store.ts";
import { isRefused } from "./known.ts";
import { RecentMap } from "./recent-map.ts";
import { turns } from "./turns.ts";

/** Reads of the store under way at a time. */
const MOST_READS = 100;

/** Origins that are remembered as refused. */
const MOST_REFUSED = 10_000;

export interface StoredAnswersOptions {
	readonly store: GuardedStore;
	/** Yandex reads answers otherwise: it has entries of its own where a store is shared. */
	readonly isYandex: boolean;
	/** Bytes of a robots.txt that are wanted. */
	readonly maxBytes: number;
	readonly emit: <E extends "corrupt" | "storeError">(
		event: E,
		...values: RobotsClientEvents[E]
	) => void;
}

/** Answers of origins, in the store. A store that fails counts as empty; nothing is thrown. */
export class StoredAnswers {
	readonly counts = { corruptEntries: 0, storeErrors: 0 };
	readonly #options: StoredAnswersOptions;
	readonly #reads: LimitFunction = pLimit(MOST_READS);
	readonly #writes = new Set<Promise<void>>();
	/** Origins whose entries are being deleted. */
	readonly #deletions = new Map<string, Promise<void>>();
	/** Not the sites' answers: another client of the store may be allowed to connect. */
	readonly #refused = new RecentMap<RobotsAccess>();

	constructor(options: StoredAnswersOptions) {
		this.#options = options;
	}

	/** The last answer of an origin, null if none is there. Lets the event loop turn. @throws The signal's reason. */
	async read(
		origin: string,
		signal: Stop | undefined,
	): Promise<RobotsAccess | null> {
		await this.#deletions.get(origin);
		const refused = this.#refused.use(origin);
		if (refused) return refused;
		const key = this.#key(origin);
		let entry: Uint8Array | undefined;
		try {
			entry = await this.#reads(async () => {
				const wait = turns.wait();
				if (wait) await wait;
				return signal?.aborted ? undefined : this.#options.store.get(key);
			});
		} catch (error) {
			this.#failed(origin, "get", error);
			return null;
		}
		signal?.throwIfAborted();
		if (!entry) return null;
		const access = decodeEntry(key, entry);
		if (typeof access === "string") {
			this.counts.corruptEntries++;
			this.#options.emit("corrupt", { origin, reason: access });
			return null;
		}
		// Another client, with a smaller limit, has stored less than is wanted here.
		const { copy } = access;
		if (copy?.truncated && copy.body.length <= this.#options.maxBytes)
			return null;
		return access;
	}

	/** Keeps an answer; resolves when the store has it. */
	write(origin: string, access: RobotsAccess): Promise<void> {
		if (isRefused(access)) {
			this.#refused.set(origin, access);
			if (this.#refused.size > MOST_REFUSED)
				this.#refused.delete(this.#refused.oldest() as string);
			return Promise.resolve();
		}
		this.#refused.delete(origin);
		const key = this.#key(origin);
		return this.#change(origin, "set", () =>
			this.#options.store.set(key, encodeEntry(key, access)),
		);
	}

	/** Deletes an answer, after what is being written. */
	async delete(origin: string): Promise<void> {
		this.#refused.delete(origin);
		const key = this.#key(origin);
		const deletion = Promise.all(this.#writes).then(() =>
			this.#change(origin, "delete", () => this.#options.store.delete(key)),
		);
		this.#deletions.set(origin, deletion);
		await deletion;
		if (this.#deletions.get(origin) === deletion)
			this.#deletions.delete(origin);
	}

	/** Waits for what is being written and deleted. */
	async settled(): Promise<void> {
		await Promise.all(this.#deletions.values());
		await Promise.all(this.#writes);
	}

	#change(
		origin: string,
		operation: "set" | "delete",
		call: () => Promise<void>,
	): Promise<void> {
		const change = this.#try(origin, operation, call);
		this.#writes.add(change);
		return change.then(() => {
			this.#writes.delete(change);
		});
	}

	async #try(
		origin: string,
		operation: "set" | "delete",
		call: () => Promise<void>,
	): Promise<void> {
		try {
			await call();
		} catch (error) {
			this.#failed(origin, operation, error);
		}
	}

	#failed(
		origin: string,
		operation: "get" | "set" | "delete",
		error: unknown,
	): void {
		this.counts.storeErrors++;
		this.#options.emit("storeError", { origin, operation, error });
	}

	#key(origin: string): string {
		return this.#options.isYandex ? `yandex ${origin}` : origin;
	}
}
