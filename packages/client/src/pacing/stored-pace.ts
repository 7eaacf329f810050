/**
 * What the store remembers of visits, so that they count after a restart and for other processes: of each group an entry with the end of the
 * last visit, the visits that are under way or given out, and the origins that are held; and, where the store can replace, a lease of the one
 * who visits. Visitor reads it before a visit and has it changed with each. A store that fails leaves each process with its own visits. Times are by
 * the wall clock, as other processes have no other.
 */

import { isRecord } from "#robotrie/common/arguments";
import type { Stop } from "../common/aborts.ts";
import type { GuardedStore } from "../stores/guarded-store.ts";
import { Leases } from "../stores/leases.ts";
import type { PaceGroup } from "./pace-group.ts";

interface Entry {
	/** When it was written: a clock that is behind that has been set back since, or is another one. */
	readonly written: number;
	/** The end of the last visit; null if none is known. */
	readonly last: number | null;
	/** Visits that are under way or given out: the time by which each is known, and its begin. */
	readonly visits: readonly (readonly [at: number, begin: number])[];
	/** Until when origins must not be asked for pages, and how many answers in a row have said so. */
	readonly holds: Readonly<Record<string, readonly [number, number]>>;
}

export interface StoredPaceOptions {
	readonly store: GuardedStore;
	/** Whether it can replace entries, so that processes can share the pace. */
	readonly canLease: boolean;
	readonly now: () => number;
	/** The longest time, in milliseconds, for which an origin can be held. */
	readonly maxHold: number;
	readonly failed: (
		key: string,
		operation: "get" | "set",
		error: unknown,
	) => void;
}

const NAME = "visit";

/** Times that a change is tried which others are faster than. */
const MOST_TRIES = 100;
/** Milliseconds by which two readings of two clocks may differ: added up over many changes they would move a time. */
const CLOCKS_DIFFER = 2;

export class StoredPace {
	readonly #options: StoredPaceOptions;
	readonly #leases: Leases | undefined;
	/** Changes that are being written, by group. */
	readonly #changing = new Map<string, Promise<unknown>>();

	constructor(options: StoredPaceOptions) {
		this.#options = options;
		this.#leases = options.canLease ? new Leases(options.store) : undefined;
	}

	/** Whether other processes may visit the groups of this one. */
	get isShared(): boolean {
		return this.#leases !== undefined;
	}

	/**
	 * Waits until nobody else visits a group, and gives what lets others visit it; undefined where the store cannot tell, or fails. Null if
	 * `isOver` came first.
	 */
	async take(
		{ key }: PaceGroup,
		stop: Stop,
		isOver: () => boolean,
	): Promise<(() => void) | undefined | null> {
		await this.#changing.get(key);
		if (!this.#leases) return undefined;
		try {
			const take = this.#leases.take(`${NAME} ${key}`, stop, async () =>
				isOver(),
			);
			return (await take) ?? null;
		} catch (error) {
			stop.throwIfAborted();
			this.#options.failed(key, "set", error);
			return undefined;
		}
	}

	/** Has a group know what the store knows of it. */
	async read(group: PaceGroup): Promise<void> {
		await this.#changing.get(group.key);
		try {
			await this.#load(group);
		} catch (error) {
			this.#options.failed(group.key, "get", error);
		}
	}

	/**
	 * Changes the visits of a group here and in the store. Where processes share it, `change` is called with what the store knows by then, and
	 * again if another one was faster. Resolves with what it gives, when the store knows. Changes of a group come one after another.
	 */
	change<T>(group: PaceGroup, change: () => T): Promise<T> {
		const { key } = group;
		const before = this.#changing.get(key);
		const changed = (async () => {
			await before;
			return this.#change(group, change);
		})();
		this.#changing.set(key, changed);
		const over = () => {
			if (this.#changing.get(key) === changed) this.#changing.delete(key);
		};
		changed.then(over, over);
		return changed;
	}

	/** Waits for what is being written. */
	async settled(): Promise<void> {
		await Promise.all(this.#changing.values());
		await this.#leases?.settled();
	}

	async #change<T>(group: PaceGroup, change: () => T): Promise<T> {
		const { store, failed } = this.#options;
		const key = `${NAME} ${group.key}`;
		for (let tries = 0; ; tries++) {
			let before: Uint8Array | undefined;
			let operation: "get" | "set" = "get";
			let isChanged = false;
			let result: T | undefined;
			try {
				if (this.isShared) before = await this.#load(group);
				operation = "set";
				result = change();
				isChanged = true;
				const after = Buffer.from(JSON.stringify(this.#entryOf(group)));
				if (!this.isShared) await store.set(key, after);
				else if (!(await store.replace(key, before, after))) {
					if (tries < MOST_TRIES) continue;
					throw new Error("the entry changes again and again");
				}
			} catch (error) {
				failed(group.key, operation, error);
			}
			return isChanged ? (result as T) : change();
		}
	}

	async #load(group: PaceGroup): Promise<Uint8Array | undefined> {
		const { store, now, maxHold } = this.#options;
		const bytes = await store.get(`${NAME} ${group.key}`);
		group.isLoaded = true;
		const entry = decode(bytes);
		if (!entry) return bytes;
		const clock = performance.now();
		const time = now();
		const shift = Math.max(0, entry.written - time);
		const clockOf = (wall: number) => clock + (wall - shift - time);
		group.restore(
			entry.last === null ? Number.NEGATIVE_INFINITY : clockOf(entry.last),
			entry.visits.map(([at, begin]) => ({ at, begin: clockOf(begin) })),
		);
		for (const [origin, [until, refusals]] of Object.entries(entry.holds))
			group.holds.set(origin, {
				until: Math.min(clockOf(until), clock + maxHold),
				refusals,
			});
		return bytes;
	}

	#entryOf(group: PaceGroup): Entry {
		const clock = performance.now();
		const written = this.#options.now();
		const wallOf = (time: number) => Math.ceil(written + (time - clock));
		const holds: Record<string, readonly [number, number]> = {};
		// One that is over still says how often the origin has refused.
		for (const [origin, { until, refusals }] of group.holds)
			if (until > clock - this.#options.maxHold)
				holds[origin] = [wallOf(until), refusals];
			else group.holds.delete(origin);
		const { last, visits } = group.saved(clock);
		return {
			written,
			last: Number.isFinite(last) ? wallOf(last) : null,
			visits: visits.map(({ at, begin }) => {
				const wall = wallOf(begin);
				return [at, Math.abs(wall - at) <= CLOCKS_DIFFER ? at : wall];
			}),
			holds,
		};
	}
}

/** Undefined for what is no entry: then nothing is known. */
function decode(bytes: Uint8Array | undefined): Entry | undefined {
	if (!bytes) return undefined;
	let entry: unknown;
	try {
		entry = JSON.parse(Buffer.from(bytes).toString("utf8"));
	} catch {
		return undefined;
	}
	return isEntry(entry) ? entry : undefined;
}

/** The last time of a Date. */
const LAST_TIME = 8.64e15;

const isTime = (value: unknown): value is number =>
	typeof value === "number" && Math.abs(value) <= LAST_TIME;

const isPair = (value: unknown) =>
	Array.isArray(value) && value.length === 2 && value.every(isTime);

function isEntry(value: unknown): value is Entry {
	if (!isRecord(value)) return false;
	const { written, last, visits, holds } = value;
	return (
		isTime(written) &&
		(last === null || isTime(last)) &&
		Array.isArray(visits) &&
		visits.every(isPair) &&
		isRecord(holds) &&
		Object.values(holds).every(isPair)
	);
}
