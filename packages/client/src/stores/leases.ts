/**
 * Leases: which one of the clients that share a store asks an origin. RobotsSource takes one before a request if `shareFetches` is set, in the
 * store itself, by `replace`. No two machines' clocks are compared: a holder changes its entry every second, and an entry that one has seen
 * unchanged for LAPSE belongs to a process that was killed. A lease that is lost only costs a second request.
 */

import { randomBytes } from "node:crypto";
import { RobotrieError } from "robotrie";
import { type Stop, whenAborted } from "../common/aborts.ts";
import type { GuardedStore } from "./guarded-store.ts";
import { isSameEntry } from "./store.ts";

/** Milliseconds between two signs of life of a holder, and after how many without one its lease is taken over. */
const RENEW_EVERY = 1000;
const LAPSE = 3500;
/** Milliseconds between two looks at a lease that another one has: doubled each time. */
const FIRST_PAUSE = 10;
const LONGEST_PAUSE = 200;

/** Bytes of a token; the number of the renewal follows. */
const TOKEN = 16;

interface Held {
	readonly key: string;
	/** The lease's entry as it is in the store. */
	entry: Uint8Array;
	/** What is being written. */
	renewal: Promise<unknown> | undefined;
}

/** The leases of a client. */
export class Leases {
	readonly #store: GuardedStore;
	readonly #held = new Set<Held>();
	readonly #releases = new Set<Promise<void>>();
	#timer: NodeJS.Timeout | undefined;

	constructor(store: GuardedStore) {
		this.#store = store;
	}

	/**
	 * Waits for the lease of an origin and gives what releases it; undefined if `isAnswered` finds that there is no more to ask for, which
	 * is looked at each time that the lease may have changed hands. Rejects if the store fails, or with the reason of `stop`.
	 */
	async take(
		origin: string,
		stop: Stop,
		isAnswered: () => Promise<boolean>,
	): Promise<(() => void) | undefined> {
		const key = `lease ${origin}`;
		let seen: Uint8Array | undefined;
		let since = performance.now();
		for (let pause = FIRST_PAUSE; ; ) {
			const isLapsed = seen && performance.now() - since >= LAPSE;
			const entry = randomBytes(TOKEN + 1);
			if (
				(!seen || isLapsed) &&
				(await this.#store.replace(key, seen, entry))
			) {
				const release = this.#hold({ key, entry, renewal: undefined });
				try {
					// Between its last look and its lease another one may have answered.
					stop.throwIfAborted();
					if (!(await isAnswered())) return release;
				} catch (error) {
					release();
					throw error;
				}
				release();
				return undefined;
			}
			// With a store that refuses for so long, and shows no change that would say why, waiting has no end.
			if (performance.now() - since >= 2 * LAPSE)
				throw new RobotrieError(
					"store-unavailable",
					"the store replaces no entry that is as it was",
				);
			await paused(pause, stop);
			pause = Math.min(2 * pause, LONGEST_PAUSE);
			if (await isAnswered()) return undefined;
			const now = await this.#store.get(key);
			if (isSameEntry(now, seen)) continue;
			seen = now;
			since = performance.now();
		}
	}

	/** The lease if nobody has it, without waiting. */
	async tryTake(origin: string): Promise<(() => void) | undefined> {
		const key = `lease ${origin}`;
		const entry = randomBytes(TOKEN + 1);
		return (await this.#store.replace(key, undefined, entry))
			? this.#hold({ key, entry, renewal: undefined })
			: undefined;
	}

	/** Waits until what was released is. */
	async settled(): Promise<void> {
		await Promise.all(this.#releases);
	}

	#hold(held: Held): () => void {
		this.#held.add(held);
		this.#timer ??= setInterval(this.#renew, RENEW_EVERY).unref();
		return () => {
			if (!this.#held.delete(held)) return;
			if (this.#held.size === 0) {
				clearInterval(this.#timer);
				this.#timer = undefined;
			}
			// What the store does not delete lapses.
			const release = this.#release(held).catch(() => {});
			this.#releases.add(release);
			release.then(() => this.#releases.delete(release));
		};
	}

	readonly #renew = (): void => {
		for (const held of this.#held) {
			if (held.renewal) continue;
			// A copy, which `slice` of a Buffer is not: `replace` compares with the entry as it is in the store.
			const entry = Uint8Array.from(held.entry);
			entry[TOKEN] = ((entry[TOKEN] ?? 0) + 1) & 0xff;
			held.renewal = this.#store
				.replace(held.key, held.entry, entry)
				.then((isKept) => {
					if (isKept) held.entry = entry;
				})
				.catch(() => {})
				.finally(() => {
					held.renewal = undefined;
				});
		}
	};

	async #release(held: Held): Promise<void> {
		await held.renewal;
		const now = await this.#store.get(held.key);
		// Another one may have taken it over meanwhile.
		if (isSameEntry(now, held.entry)) await this.#store.delete(held.key);
	}
}

/** Rejects with the signal's reason. */
function paused(milliseconds: number, stop: Stop): Promise<void> {
	return new Promise((resolve, reject) => {
		stop.throwIfAborted();
		const end = whenAborted(stop, () => {
			clearTimeout(timer);
			reject(stop.reason);
		});
		const timer = setTimeout(() => {
			end();
			resolve();
		}, milliseconds);
	});
}
