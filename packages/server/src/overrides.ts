/**
 * What operators set in place of a site's robots.txt. `OverriddenStore` stands before the service's store: to clients an override is a stored
 * answer that does not expire, and what they fetch or forget meanwhile does not replace it. All overrides are one entry of the store, which
 * every replica reads each second.
 */

import { isDeepStrictEqual } from "node:util";
import type { RobotsStore } from "@robotrie/client";
import { encodeEntry, type PinnedEntries } from "@robotrie/client/internal";
import { RobotrieError } from "robotrie";
import { accessFor } from "robotrie/access";
import { isRecord } from "robotrie/internal";
import { Refusal } from "./bounds.ts";

/** A robots.txt. */
export type Override = { readonly robots: string };

type Overrides = Readonly<Record<string, Override>>;

const KEY = "overrides";
/** Bytes of all overrides together. */
const MOST_BYTES = 1 << 20;
const YEAR = 365 * 24 * 3600 * 1000;
/** Milliseconds between two looks at what other replicas have set. */
const LOOK_EVERY = 1000;
/** Milliseconds between two times that they are set again. */
const RENEW_EVERY = 24 * 3600 * 1000;

/** A store whose entries are overridden. */
export class OverriddenStore implements RobotsStore, PinnedEntries {
	readonly #store: RobotsStore;
	readonly replace?: NonNullable<RobotsStore["replace"]>;
	#overrides: Overrides = {};
	/** The entry that they were read from. */
	#entry: Uint8Array | undefined;
	#loading: Promise<void> = Promise.resolve();
	#renewedAt = 0;
	#timer: NodeJS.Timeout | undefined;
	#isLooking = false;
	/** Called with an origin whose override was set, changed or removed: what is in memory no longer holds. */
	onChange: (origin: string) => Promise<void> = async () => {};

	constructor(store: RobotsStore) {
		this.#store = store;
		if (store.replace)
			this.replace = async (key, expected, entry) =>
				// What a client has fetched meanwhile is taken as written, and is not.
				this.#of(key)
					? true
					: ((await store.replace?.(key, expected, entry)) ?? false);
	}

	/** Reads what there is, and looks for changes from then on. Rejects if the store fails. */
	async open(): Promise<void> {
		await this.#load();
		this.#timer = setInterval(() => {
			// A store that stands still would gather looks, and a change would wait for all of them.
			if (this.#isLooking) return;
			this.#isLooking = true;
			this.#load()
				// The next look will find what this one does not.
				.catch(() => {})
				.finally(() => {
					this.#isLooking = false;
				});
		}, LOOK_EVERY).unref();
	}

	async get(key: string): Promise<Uint8Array | undefined> {
		return this.pinned(key) ?? this.#store.get(key);
	}

	/** The entry of an override. */
	pinned(key: string): Uint8Array | undefined {
		const override = this.#of(key);
		return override && entryOf(key, override);
	}

	async set(key: string, entry: Uint8Array): Promise<void> {
		if (!this.#of(key)) await this.#store.set(key, entry);
	}

	/** Only leases are deleted: what a client forgets because an override came or went still holds for its site. */
	async delete(key: string): Promise<void> {
		if (key.startsWith("lease ")) await this.#store.delete(key);
	}

	async close(): Promise<void> {
		clearInterval(this.#timer);
		await this.#store.close();
	}

	/** Sets an origin's override, or removes it; whether there was one. @throws {Refusal} If all are too large. */
	async change(
		origin: string,
		override: Override | undefined,
	): Promise<boolean> {
		for (;;) {
			await this.#load();
			const { [origin]: before, ...others } = this.#overrides;
			const after = override ? { ...others, [origin]: override } : others;
			if (!before && !override) return false;
			const entry = Buffer.from(JSON.stringify(after));
			if (entry.length > MOST_BYTES)
				throw new Refusal(
					413,
					"too-large",
					`all overrides together have more than ${MOST_BYTES} bytes`,
				);
			let isSet = true;
			// With `replace`, no change that another replica makes meanwhile is lost.
			if (this.#store.replace)
				isSet = await this.#store.replace(KEY, this.#entry, entry);
			else await this.#store.set(KEY, entry);
			// Another replica was faster: its change is read first.
			if (!isSet) continue;
			await this.#load();
			return before !== undefined;
		}
	}

	/** One after another, so that what was read last is what holds. */
	#load(): Promise<void> {
		const load = this.#loading.then(() => this.#read());
		this.#loading = load.catch(() => {});
		return load;
	}

	async #read(): Promise<void> {
		const entry = await this.#store.get(KEY);
		if (isDeepStrictEqual(entry, this.#entry)) return this.#renew();
		const before = this.#overrides;
		// Before clients are told: they forget what they have, and ask for the origin again at once.
		this.#overrides = entry ? parse(entry) : {};
		this.#entry = entry;
		const origins = new Set([
			...Object.keys(before),
			...Object.keys(this.#overrides),
		]);
		for (const origin of origins)
			if (!isDeepStrictEqual(before[origin], this.#overrides[origin]))
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
	#of(key: string): Override | undefined {
		const origin = key.startsWith("yandex ") ? key.slice(7) : key;
		return Object.hasOwn(this.#overrides, origin)
			? this.#overrides[origin]
			: undefined;
	}
}

/** @throws {RobotrieError} store-unavailable: to go on without what operators have set would be worse. */
function parse(entry: Uint8Array): Overrides {
	try {
		const read: unknown = JSON.parse(Buffer.from(entry).toString("utf8"));
		if (isRecord(read) && Object.values(read).every(isOverride))
			return read as Overrides;
	} catch {}
	throw new RobotrieError(
		"store-unavailable",
		'the entry "overrides" of the store is damaged; delete it, and set them again',
	);
}

const isOverride = (value: unknown): value is Override =>
	isRecord(value) && typeof value.robots === "string";

/** What an override would be if the site had sent it, just now. */
function entryOf(key: string, { robots }: Override): Uint8Array {
	const now = Date.now();
	const access = accessFor(
		{
			status: 200,
			headers: {
				"content-type": "text/plain",
				"cache-control": `max-age=${YEAR / 1000}`,
			},
			body: Buffer.from(robots),
			url: `${key.replace(/^yandex /, "")}/robots.txt`,
		},
		null,
		{ now, maxLifetime: YEAR, maxBytes: MOST_BYTES },
	);
	return encodeEntry(key, {
		...access,
		reason: "An operator's override holds.",
	});
}
