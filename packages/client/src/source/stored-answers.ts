/**
 * The answers that are kept: reads and writes a client's entries in its store, and remembers in memory what the store cannot take or must not
 * lose. RobotsSource asks it before a request and hands it each answer. A store that fails or is shared with other versions and processes
 * must never make a verdict wrong: what could not be read is not overwritten.
 */

import pLimit, { type LimitFunction } from "p-limit";
import { type Dialect, RobotrieError } from "robotrie";
import type { RobotsAccess } from "robotrie/access";
import type { settingsOf } from "robotrie/internal";
import { dialectRules, failuresAfter } from "robotrie/internal";
import { bytesOrNull } from "#robotrie/common/bytes";
import { quote } from "#robotrie/common/quote";
import type { Stop } from "../common/aborts.ts";
import { RecentMap } from "../common/recent-map.ts";
import { bySize, turns } from "../common/turns.ts";
import { isRefused } from "../rules/known.ts";
import { decodeSteps, encodeSteps, NewerEntry } from "../stores/entry.ts";
import type { GuardedStore } from "../stores/guarded-store.ts";
import type { RobotsClientEvents } from "./options.ts";

/** Most reads of the store at a time. */
const MOST_READS = 100;

/** Most origins whose answers are remembered because the store does not have them. */
const MOST_UNSAVED = 10_000;

/** How often a failure is interpreted again because another process has changed the entry meanwhile. */
const MOST_ATTEMPTS = 3;

export interface StoredAnswersOptions {
	readonly store: GuardedStore;
	/** One that reads answers otherwise has entries of its own where a store is shared. */
	readonly dialect: Dialect;
	/** Bytes of a robots.txt that are wanted. */
	readonly maxBytes: number;
	readonly access: ReturnType<typeof settingsOf>;
	readonly emit: <E extends "corrupt" | "storeError">(
		event: E,
		...values: RobotsClientEvents[E]
	) => void;
}

/** What is known of an origin before it is asked. */
export interface Before {
	/** The last answer; null if none is known. */
	readonly access: RobotsAccess | null;
	/**
	 * Whether no more is known elsewhere: false where the store failed or has an entry that is damaged or of a newer version. Then `access`
	 * may lack what came earlier, and no failure may be read as "everything is allowed".
	 */
	readonly isWhole: boolean;
	/** Whether the store's entry was read, so that it may be replaced. */
	readonly isRead: boolean;
	/** The copy is cut at fewer bytes than are wanted: it is only used if there is nothing better. */
	readonly isShort?: boolean;
}

/** The result of reading a key. */
interface Found extends Before {
	readonly entry?: Uint8Array | undefined;
}

const NOTHING: Found = { access: null, isWhole: true, isRead: true };
const UNREAD: Found = { access: null, isWhole: false, isRead: false };

/** What is remembered of an origin whose answer is not in the store. */
type Unsaved = Pick<Before, "isWhole" | "isShort"> & {
	readonly access: RobotsAccess;
};

/**
 * The answers of origins, in the store. A store that fails causes no error: the client goes on without it. What could not be read (a failed
 * `get`, an entry of a newer version) is not overwritten; the answer then stays in memory.
 */
export class StoredAnswers {
	readonly counts = { corruptEntries: 0, storeErrors: 0 };
	readonly #options: StoredAnswersOptions;
	readonly #reads: LimitFunction = pLimit(MOST_READS);
	readonly #writes = new Set<Promise<void>>();
	/** Origins whose entries are being deleted. */
	readonly #deletions = new Map<string, Promise<void>>();
	/**
	 * Answers that the store failed to take, and refusals to connect, which are not the sites' answers: another client of the store may be
	 * allowed to connect.
	 */
	readonly #unsaved = new RecentMap<Unsaved>();

	constructor(options: StoredAnswersOptions) {
		this.#options = options;
	}

	/** What is known of an origin. Lets the event loop turn. @throws The signal's reason. */
	async read(origin: string, signal: Stop | undefined): Promise<Before> {
		await this.#deletions.get(origin);
		const unsaved = this.#unsaved.use(origin);
		if (unsaved && isRefused(unsaved.access))
			return { ...unsaved, isRead: false };
		const found = await this.#find(origin, signal);
		signal?.throwIfAborted();
		return unsaved ? this.#together(origin, found, unsaved) : found;
	}

	/**
	 * Judges an answer by what is known, and keeps it; resolves when the store has it. A failure adds to what is known, so the entry is
	 * read again first: another process may have learnt more, or the first read may have failed.
	 */
	async settle(
		origin: string,
		before: Before,
		judge: (before: Before) => RobotsAccess,
		isCurrent: () => boolean,
	): Promise<RobotsAccess> {
		const access = judge(before);
		if (!isCurrent()) return access;
		if (isRefused(access)) {
			this.#remember(origin, { access, isWhole: before.isWhole });
			return access;
		}
		if (access.failures === 0 && before.isRead) {
			await this.#change(origin, "set", async (key) => {
				await this.#keep(origin, { access, isWhole: true }, async () => {
					await this.#options.store.set(key, await encoded(key, access));
					return true;
				});
			});
			return access;
		}
		let settled = access;
		await this.#change(origin, "set", async (key) => {
			for (let attempt = 1; ; attempt++) {
				const found = await this.#find(origin, undefined);
				if (!isCurrent()) return;
				const unsaved = this.#unsaved.get(origin);
				const again = unsaved ? this.#together(origin, found, unsaved) : found;
				// The second read may fail, or find damage, where the first one did not.
				const isLess = !again.isWhole || !again.access;
				const now = isLess && before.access ? before : again;
				// A file or a 404 is all there is to know; of failures it matters what came before.
				const isWhole = now.isWhole || access.failures === 0;
				if (access.failures > 0) settled = judge(now);
				const kept = { access: settled, isWhole };
				if (!found.isRead) return this.#remember(origin, kept);
				const isKept = await this.#keep(origin, kept, async () => {
					const entry = await encoded(key, settled);
					const { store } = this.#options;
					return attempt < MOST_ATTEMPTS
						? store.replace(key, found.entry, entry)
						: store.set(key, entry).then(() => true);
				});
				if (isKept) return;
			}
		});
		return settled;
	}

	/** Deletes an answer, after what is being written. */
	async delete(origin: string): Promise<void> {
		this.#unsaved.delete(origin);
		const deletion = Promise.all(this.#writes).then(() =>
			this.#change(origin, "delete", (key) => this.#options.store.delete(key)),
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

	async #find(origin: string, signal: Stop | undefined): Promise<Found> {
		const key = this.#key(origin);
		let entry: Uint8Array | undefined;
		try {
			entry = await this.#reads(async () => {
				const wait = turns.wait();
				if (wait) await wait;
				return signal?.aborted ? undefined : this.#options.store.get(key);
			});
		} catch (error) {
			this.failed(origin, "get", error);
			return UNREAD;
		}
		if (!entry) return NOTHING;
		const access = await bySize(
			decodeSteps(key, entry),
			bytesOrNull(entry)?.length ?? 0,
		);
		if (access instanceof NewerEntry) {
			const text = `the entry of ${quote(origin)} is kept as it is: ${access.reason}`;
			this.failed(origin, "get", new RobotrieError("unsupported", text));
			return UNREAD;
		}
		if (typeof access === "string") {
			this.counts.corruptEntries++;
			this.#options.emit("corrupt", { origin, reason: access });
			// It may be replaced; but what it was is not known, and the next read may find it whole.
			return {
				access: null,
				isWhole: false,
				isRead: true,
				entry: bytesOrNull(entry) ?? undefined,
			};
		}
		// Another client, with a smaller limit, has stored less than is wanted here.
		const { copy } = access;
		const isShort =
			copy?.truncated === true && copy.body.length <= this.#options.maxBytes;
		return { access, isWhole: true, isRead: true, isShort, entry };
	}

	/** What the store has and what is remembered beside it. */
	#together(origin: string, found: Found, unsaved: Unsaved): Found {
		const { entry } = found;
		const { access } = unsaved;
		if (!found.isRead) return { ...unsaved, isRead: false };
		if (found.access && found.access.askedAt > access.askedAt) {
			this.#unsaved.delete(origin);
			return found;
		}
		// Nothing there is all there is to know; damage hides what was there.
		if (unsaved.isWhole || !found.access) {
			const isWhole = unsaved.isWhole || found.isWhole;
			return { access, isWhole, isRead: true, entry };
		}
		const settings = this.#options.access;
		return {
			access: failuresAfter(found.access, access, settings),
			isWhole: true,
			isRead: true,
			entry,
			isShort: found.isShort ?? false,
		};
	}

	/** Writes an answer; it is remembered until the store has it. */
	async #keep(
		origin: string,
		answer: Unsaved,
		write: () => Promise<boolean>,
	): Promise<boolean> {
		try {
			const isKept = await write();
			if (isKept) this.#unsaved.delete(origin);
			return isKept;
		} catch (error) {
			this.#remember(origin, answer);
			throw error;
		}
	}

	#remember(origin: string, answer: Unsaved): void {
		this.#unsaved.set(origin, answer);
		if (this.#unsaved.size > MOST_UNSAVED)
			this.#unsaved.delete(this.#unsaved.oldest() as string);
	}

	#change(
		origin: string,
		operation: "set" | "delete",
		call: (key: string) => Promise<void>,
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
		call: (key: string) => Promise<void>,
	): Promise<void> {
		try {
			await call(this.#key(origin));
		} catch (error) {
			this.failed(origin, operation, error);
		}
	}

	/** Counts and tells that the store failed. */
	failed(
		origin: string,
		operation: "get" | "set" | "delete",
		error: unknown,
	): void {
		this.counts.storeErrors++;
		this.#options.emit("storeError", { origin, operation, error });
	}

	#key(origin: string): string {
		const { dialect } = this.#options;
		return dialectRules(dialect).yandexAnswers
			? `${dialect} ${origin}`
			: origin;
	}
}

function encoded(
	key: string,
	access: RobotsAccess,
): Promise<Uint8Array> | Uint8Array {
	return bySize(encodeSteps(key, access), access.copy?.body.length ?? 0);
}
