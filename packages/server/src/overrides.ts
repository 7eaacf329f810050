/**
 * What operators set in place of a site's robots.txt. `OverriddenStore` stands before the service's store: to clients an override is a stored
 * answer that does not expire, and what they fetch or forget meanwhile does not replace it. All overrides are one entry of the store, which
 * every replica reads each second. What the store loses, every replica that is left writes again: revisions say what is later, so one that
 * lags brings nothing old back.
 *
 * A store that is nearly full gets no more answers, which sites can give again: the rest of its room is for visits that were given out, and for
 * overrides. This process keeps them aside, or a site that fails would be asked each minute, as if for the first time. What the store drops all
 * the same is told.
 */

import { isDeepStrictEqual } from "node:util";
import {
	MemoryStore,
	type RobotsStore,
	type StoreUsage,
} from "@robotrie/client";
import { encodeEntry } from "@robotrie/client/internal";
import { RobotrieError } from "robotrie";
import { accessFor } from "robotrie/access";
import { isRecord } from "#robotrie/common/arguments";
import { Refusal } from "./bounds.ts";

/** A robots.txt in place of a site's own; without one, an override that was removed. */
interface Override {
	readonly robots?: string;
	/** Of two that are known of an origin the one with the higher number is the later one. */
	readonly revision: number;
}

/** By origin, also those that were removed. */
type Overrides = ReadonlyMap<string, Override>;

const KEY = "overrides";
/** What keys of the yandex dialect begin with. */
const YANDEX = "yandex ";
/** Bytes of all overrides together. */
const MOST_BYTES = 1 << 20;
/** Removed overrides that are remembered, so that no replica takes their absence for a loss. */
const MOST_REMOVED = 1000;
const YEAR = 365 * 24 * 3600 * 1000;
/** Milliseconds between two looks at what other replicas have set. */
const LOOK_EVERY = 1000;
/** Looks between two questions how full the store is. */
const LOOKS_A_USAGE = 10;
/** The share of its room that a store may have taken and still gets answers. */
const NEARLY_FULL = 0.9;
/** Bytes of the answers that it does not get. */
const MOST_ASIDE = 64 * 1024 * 1024;
/** Milliseconds between two times that they are set again. */
const RENEW_EVERY = 24 * 3600 * 1000;

/** A store whose entries are overridden. The client asks it for those that hold even while the store gives no answer (`pinned`). */
export class OverriddenStore implements RobotsStore {
	readonly #store: RobotsStore;
	readonly #aside = new MemoryStore({ maxBytes: MOST_ASIDE });
	readonly replace?: NonNullable<RobotsStore["replace"]>;
	#overrides: Overrides = new Map();
	/** The entry of the store as it was last read or written, and whether it holds all of them. */
	#entry: Uint8Array | undefined;
	#isWhole = true;
	#loading: Promise<void> = Promise.resolve();
	#renewedAt = 0;
	#timer: NodeJS.Timeout | undefined;
	#isLooking = false;
	#looks = 0;
	#usage: StoreUsage | undefined;
	/** Called with an origin whose override was set, changed or removed, or which is to be forgotten: what is in memory no longer holds. */
	onChange: (origin: string) => Promise<void> = async () => {};
	/** Called with origins whose overrides the store had lost, once they are written again. */
	onLoss: (origins: readonly string[]) => void = () => {};
	/** Called when the store begins or ends to be nearly full, or has dropped entries: so many since it was last asked. */
	onUsage: (usage: StoreUsage, dropped: number) => void = () => {};

	constructor(store: RobotsStore) {
		this.#store = store;
		if (store.replace)
			this.replace = async (key, expected, entry) => {
				// What a client has fetched meanwhile is taken as written, and is not.
				if (this.#robotsOf(key) !== undefined) return true;
				const aside = await this.#aside.get(key);
				const isAside =
					expected && aside && Buffer.compare(expected, aside) === 0;
				if (this.isNearlyFull && isAnswer(key) && (isAside || !expected))
					return this.#aside.replace(key, expected, entry);
				if (isAside) await this.#aside.delete(key);
				return (
					(await store.replace?.(key, isAside ? undefined : expected, entry)) ??
					false
				);
			};
	}

	/** Reads what there is, and looks for changes from then on. Rejects if the store fails. */
	async open(): Promise<void> {
		await this.#inTurn(() => this.#read());
		await this.#askUsage();
		this.#timer = setInterval(() => {
			// A store that stands still would gather looks, and a change would wait for all of them.
			if (this.#isLooking) return;
			this.#isLooking = true;
			this.#inTurn(() => this.#read())
				// The next look will find what this one does not.
				.catch(() => {})
				.then(() =>
					++this.#looks % LOOKS_A_USAGE === 0 ? this.#askUsage() : undefined,
				)
				.finally(() => {
					this.#isLooking = false;
				});
		}, LOOK_EVERY).unref();
	}

	async get(key: string): Promise<Uint8Array | undefined> {
		return (
			this.pinned(key) ??
			(await this.#store.get(key)) ??
			(await this.#aside.get(key))
		);
	}

	/** The entry of an override. */
	pinned(key: string): Uint8Array | undefined {
		const robots = this.#robotsOf(key);
		return robots === undefined ? undefined : entryOf(key, robots);
	}

	async set(key: string, entry: Uint8Array): Promise<void> {
		if (this.#robotsOf(key) !== undefined) return;
		// Clients set an answer anew, too: one that is there takes no more room.
		if (this.isNearlyFull && isAnswer(key) && !(await this.#store.get(key)))
			return this.#aside.set(key, entry);
		await this.#store.set(key, entry);
		await this.#aside.delete(key);
	}

	/** How full the store is, as it said last; undefined for one that does not tell. */
	get lastUsage(): StoreUsage | undefined {
		return this.#usage;
	}

	/** Whether the store gets no new answers. */
	get isNearlyFull(): boolean {
		return (
			this.#usage !== undefined &&
			this.#usage.used >= NEARLY_FULL * this.#usage.limit
		);
	}

	/** Asks how full the store is. One that fails, or does not tell, is used as before. */
	async #askUsage(): Promise<void> {
		let usage: StoreUsage | undefined;
		try {
			usage = await this.#store.usage?.();
		} catch {}
		if (!usage) return;
		const before = this.#usage;
		const wasFull = this.isNearlyFull;
		this.#usage = usage;
		// A server that has started again counts from 0.
		const dropped = Math.max(0, usage.evicted - (before?.evicted ?? 0));
		const hasDropped = before !== undefined && dropped > 0;
		if (
			hasDropped ||
			wasFull !== this.isNearlyFull ||
			(!before && usage.evicts)
		)
			this.onUsage(usage, hasDropped ? dropped : 0);
	}

	/** Only leases are deleted: what a client forgets because an override came or went still holds for its site. */
	async delete(key: string): Promise<void> {
		if (key.startsWith("lease ")) await this.#store.delete(key);
	}

	async close(): Promise<void> {
		clearInterval(this.#timer);
		await this.#store.close();
	}

	/** Sets an origin's robots.txt, or removes it; whether there was one. @throws {Refusal} If all are too large. */
	change(origin: string, robots: string | undefined): Promise<boolean> {
		return this.#inTurn(async () => {
			for (;;) {
				await this.#read();
				const before = this.#overrides.get(origin)?.robots !== undefined;
				if (!before && robots === undefined) return false;
				if (await this.#revise(origin, robots)) return before;
			}
		});
	}

	/** Deletes what is stored of an origin, and has all replicas forget it. Its override stays: with a new revision, which they see. */
	forget(origin: string): Promise<void> {
		return this.#inTurn(async () => {
			for (;;) {
				await this.#read();
				for (const key of [origin, `${YANDEX}${origin}`]) {
					await this.#store.delete(key);
					await this.#aside.delete(key);
				}
				const robots = this.#overrides.get(origin)?.robots;
				if (await this.#revise(origin, robots)) return;
			}
		});
	}

	/** Writes an origin's override with a new revision; false if another replica was faster: its change has to be read first. */
	async #revise(origin: string, robots: string | undefined): Promise<boolean> {
		const revisions = [...this.#overrides.values()].map(
			({ revision }) => revision + 1,
		);
		// Times, so that what is set when all is lost is later than what another replica still knows; a clock that is behind does no harm.
		const revision = Math.max(Date.now(), ...revisions);
		const after = bounded(
			new Map(this.#overrides).set(
				origin,
				robots === undefined ? { revision } : { robots, revision },
			),
		);
		const entry = encode(after);
		if (robots !== undefined && entry.length > MOST_BYTES)
			throw new Refusal(
				413,
				"too-large",
				`all overrides together have more than ${MOST_BYTES} bytes`,
			);
		if (!(await this.#write(entry))) return false;
		await this.#use(after);
		return true;
	}

	/** One after another, so that what was read last is what holds. */
	#inTurn<T>(action: () => Promise<T>): Promise<T> {
		const done = this.#loading.then(action);
		this.#loading = done.then(
			() => {},
			() => {},
		);
		return done;
	}

	async #read(): Promise<void> {
		const entry = await this.#store.get(KEY);
		if (this.#isWhole && isDeepStrictEqual(entry, this.#entry))
			return this.#renew();
		const stored = entry ? parse(entry) : new Map<string, Override>();
		const known = merged(stored, this.#overrides);
		this.#entry = entry;
		await this.#use(known);
		// No entry, or an older one, is never what an operator meant: removing an override writes, too. The server was emptied, or has evicted it.
		const lost = [...known]
			.filter(([origin, { revision }]) => {
				const found = stored.get(origin);
				return !found || found.revision < revision;
			})
			.map(([origin]) => origin);
		this.#isWhole = lost.length === 0;
		if (!this.#isWhole && (await this.#write(encode(known)))) this.onLoss(lost);
	}

	/** Sets the entry, if no other replica has meanwhile. With `replace`, no change of another one is lost. */
	async #write(entry: Uint8Array): Promise<boolean> {
		const store = this.#store;
		if (!store.replace) await store.set(KEY, entry);
		else if (!(await store.replace(KEY, this.#entry, entry))) return false;
		this.#entry = entry;
		this.#isWhole = true;
		return true;
	}

	async #use(overrides: Overrides): Promise<void> {
		const before = this.#overrides;
		// Before clients are told: they forget what they have, and ask for the origin again at once.
		this.#overrides = overrides;
		for (const origin of new Set([...before.keys(), ...overrides.keys()]))
			if (before.get(origin)?.revision !== overrides.get(origin)?.revision)
				await this.onChange(origin);
	}

	/** Stores forget entries that are not set again for some time; overrides stay until they are removed. */
	async #renew(): Promise<void> {
		const now = Date.now();
		if (!this.#entry || Math.abs(now - this.#renewedAt) < RENEW_EVERY) return;
		this.#renewedAt = now;
		await this.#store.replace?.(KEY, this.#entry, this.#entry);
	}

	/** Keys are origins, those of the yandex dialect with its name before them. */
	#robotsOf(key: string): string | undefined {
		const origin = key.startsWith(YANDEX) ? key.slice(YANDEX.length) : key;
		return this.#overrides.get(origin)?.robots;
	}
}

/** What a site can be asked for again. */
function isAnswer(key: string): boolean {
	return key !== KEY && !/^(?:lease|visit) /.test(key);
}

/** Of each origin the later one. */
function merged(stored: Overrides, own: Overrides): Overrides {
	const all = new Map(stored);
	for (const [origin, override] of own) {
		const other = all.get(origin);
		if (!other || other.revision < override.revision) all.set(origin, override);
	}
	return bounded(all);
}

function bounded(all: Map<string, Override>): Overrides {
	const removed = [...all]
		.filter(([, { robots }]) => robots === undefined)
		.sort(([, a], [, b]) => b.revision - a.revision);
	for (const [origin] of removed.slice(MOST_REMOVED)) all.delete(origin);
	return all;
}

/** In the order of origins, so that equal ones are equal bytes. */
const encode = (overrides: Overrides) =>
	Buffer.from(
		JSON.stringify(
			Object.fromEntries([...overrides].sort(([a], [b]) => (a < b ? -1 : 1))),
		),
	);

/** @throws {RobotrieError} store-unavailable: to go on without what operators have set would be worse. */
function parse(entry: Uint8Array): Overrides {
	try {
		const read: unknown = JSON.parse(Buffer.from(entry).toString("utf8"));
		if (isRecord(read) && Object.values(read).every(isOverride))
			return new Map(
				Object.entries(read as Record<string, Partial<Override>>).map(
					([origin, override]) => [
						origin,
						{ ...override, revision: override.revision ?? 0 },
					],
				),
			);
	} catch {}
	throw new RobotrieError(
		"store-unavailable",
		'the entry "overrides" of the store is damaged; delete it, and set them again',
	);
}

/** One without a revision is of a service that wrote none. */
function isOverride(value: unknown): boolean {
	if (!isRecord(value)) return false;
	const { robots, revision } = value;
	return robots === undefined
		? Number.isSafeInteger(revision)
		: typeof robots === "string" &&
				(revision === undefined || Number.isSafeInteger(revision));
}

/** What an override would be if the site had sent it, just now. */
function entryOf(key: string, robots: string): Uint8Array {
	const now = Date.now();
	const access = accessFor(
		{
			status: 200,
			headers: {
				"content-type": "text/plain",
				"cache-control": `max-age=${YEAR / 1000}`,
			},
			body: Buffer.from(robots),
			url: `${key.replace(YANDEX, "")}/robots.txt`,
		},
		null,
		{ now, maxLifetime: YEAR, maxBytes: MOST_BYTES },
	);
	return encodeEntry(key, {
		...access,
		reason: "An operator's override holds.",
	});
}
