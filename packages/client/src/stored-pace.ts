/**
 * What the store remembers of visits, so that they count after a restart and for other processes: of each group an entry with the begin and
 * end of the last visit and the origins that are held, and, where the store can replace, a lease of the one who visits. Visitor reads it
 * before a visit. A store that fails leaves each process with its own visits. Times are by the wall clock, as other processes have no other.
 */

import { isRecord } from "robotrie/internal";
import type { Stop } from "./aborts.ts";
import type { GuardedStore } from "./guarded-store.ts";
import { Leases } from "./leases.ts";
import type { PaceGroup } from "./pace-group.ts";

/** The last visit of a group. */
interface Entry {
	readonly begin: number;
	/** Undefined while it is under way, or if its process was killed. */
	readonly end?: number | undefined;
	/** Until when origins must not be asked for pages, and how many answers in a row have said so. */
	readonly holds: Readonly<Record<string, readonly [number, number]>>;
}

export interface StoredPaceOptions {
	readonly store: GuardedStore;
	/** Whether it can replace entries, so that processes can share the pace. */
	readonly canLease: boolean;
	readonly now: () => number;
	/** Milliseconds after which a visit counts as over whose end is not known. */
	readonly maxVisitTime: number;
	/** The longest time, in milliseconds, for which an origin can be held. */
	readonly maxHold: number;
	readonly failed: (
		key: string,
		operation: "get" | "set",
		error: unknown,
	) => void;
}

const NAME = "visit";

export class StoredPace {
	readonly #options: StoredPaceOptions;
	readonly #leases: Leases | undefined;
	/** Ends that are being written, by group. */
	readonly #writing = new Map<string, Promise<void>>();

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
		await this.#writing.get(key);
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
		const { store, now, maxVisitTime, maxHold, failed } = this.#options;
		await this.#writing.get(group.key);
		let entry: Entry | undefined;
		try {
			entry = decode(await store.get(`${NAME} ${group.key}`));
		} catch (error) {
			failed(group.key, "get", error);
			return;
		}
		group.isLoaded = true;
		if (!entry) return;
		const clock = performance.now();
		const time = now();
		const { begin, end = Math.min(time, begin + maxVisitTime) } = entry;
		// A time in the future is by another clock: it counts as now.
		group.ended(clock - Math.max(0, time - end));
		for (const [origin, [until, refusals]] of Object.entries(entry.holds))
			group.holds.set(origin, {
				until: clock + Math.min(until - time, maxHold),
				refusals,
			});
	}

	/** A visit begins; resolved when the store knows. */
	begin(group: PaceGroup): Promise<void> {
		const begin = this.#options.now();
		return this.#write(group, { begin, holds: this.#holdsOf(group) });
	}

	/** A visit that began at a time has ended, now. `release` is called when the store knows. */
	end(group: PaceGroup, begin: number, release?: () => void): void {
		const end = this.#options.now();
		const before = this.#writing.get(group.key);
		const write = (async () => {
			await before;
			await this.#write(group, { begin, end, holds: this.#holdsOf(group) });
			release?.();
		})();
		this.#writing.set(group.key, write);
		write.then(() => {
			if (this.#writing.get(group.key) === write)
				this.#writing.delete(group.key);
		});
	}

	/** Waits for what is being written. */
	async settled(): Promise<void> {
		await Promise.all(this.#writing.values());
		await this.#leases?.settled();
	}

	async #write({ key }: PaceGroup, entry: Entry): Promise<void> {
		const bytes = Buffer.from(JSON.stringify(entry));
		try {
			await this.#options.store.set(`${NAME} ${key}`, bytes);
		} catch (error) {
			this.#options.failed(key, "set", error);
		}
	}

	#holdsOf({ holds }: PaceGroup): Entry["holds"] {
		const clock = performance.now();
		const now = this.#options.now();
		const lasting: Record<string, readonly [number, number]> = {};
		// One that is over still says how often the origin has refused.
		for (const [origin, { until, refusals }] of holds)
			if (until > clock - this.#options.maxHold)
				lasting[origin] = [Math.ceil(now + (until - clock)), refusals];
			else holds.delete(origin);
		return lasting;
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

const isTime = (value: unknown): value is number =>
	typeof value === "number" && Number.isFinite(value);

function isEntry(value: unknown): value is Entry {
	if (!isRecord(value)) return false;
	const { begin, end, holds } = value;
	return (
		isTime(begin) &&
		(end === undefined || isTime(end)) &&
		isRecord(holds) &&
		Object.values(holds).every(
			(hold) => Array.isArray(hold) && hold.length === 2 && hold.every(isTime),
		)
	);
}
