/**
 * SqliteStore, a store in one file, by the SQLite that comes with Node. SQLite is synchronous:
 * writes are gathered and made in one transaction for all, and waiting for another process's lock
 * is done here and not in SQLite, which would hold up this process. Large entries are stored in parts (sqlite-parts.ts).
 */

import { access, constants, mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { RobotrieError } from "robotrie";
import {
	check,
	checkOptions,
	type OptionTable,
} from "#robotrie/common/arguments";
import { wholeNumber } from "#robotrie/common/kinds";
import { quote } from "#robotrie/common/quote";
import { COPIED, turns } from "../common/turns.ts";
import { partsOf, STAND_IN_BYTES } from "./entry.ts";
import {
	BUSY_TIMEOUT,
	type Database,
	databaseClass,
	identify,
	isBusy,
	MOST_WAIT,
	prepareFile,
	rollBack,
	type Statement,
	whenFree,
} from "./sqlite-database.ts";
import { isInParts, SqliteParts } from "./sqlite-parts.ts";
import type { RobotsStore } from "./store.ts";
import {
	checkKey,
	checkOpened,
	entryArgument,
	isSameEntry,
	locationKind,
	replaceArguments,
} from "./store.ts";

/** Options of `SqliteStore.open`. */
export interface SqliteStoreOptions {
	/** Seconds after which an entry that is not set again expires; 0 for never. Default 90 days. */
	readonly keepFor?: number;
}

const sqliteOptions: OptionTable<SqliteStoreOptions> = {
	keepFor: wholeNumber(0, Number.POSITIVE_INFINITY, "of seconds"),
};

const NINETY_DAYS = 90 * 24 * 3600;

/**
 * Entries that are written in one transaction at most, and bytes after which no further one is. A transaction costs a write to the disk,
 * so many entries share one; but 200 of 500 KB would take some tenths of a second.
 */
const BATCH = 200;
const BATCH_BYTES = COPIED;
/**
 * Milliseconds between two searches for entries that are too old. Old entries are searched for seldom, and a thousand of them at most: a
 * store of millions must not keep the client busy.
 */
const PRUNE_EVERY = 3_600_000;
const PRUNED = 1000;
/** Entries that are removed in one step: SQLite walks through all pages of an entry, and those of 500 KB have 125. */
const PRUNED_AT_ONCE = 8;
/** Milliseconds after which no process still writes the row for its parts. */
const ABANDONED = 3_600_000;
/** How often an entry in parts is read again because its row has changed meanwhile. */
const MOST_READS = 100;

/** A queue of these is what one transaction takes. */
interface Write {
	/** What the key's row gets: an entry, or the name of its parts. Null deletes. */
	readonly entry: Uint8Array | null;
	readonly key: string;
	/** What the key's row has to have for the write to happen; null for anything. */
	readonly expected: Uint8Array | undefined | null;
	/** When other processes have to let go of the file, by the clock that cannot be set. */
	readonly end: number;
	/** Whether the key had what was expected. */
	resolve(isWritten: boolean): void;
	reject(error: unknown): void;
}

/**
 * Keeps entries in an SQLite file on this machine, by the SQLite that comes with Node 22.13 and later. Several processes may
 * use it at a time. What is set outlives the process when the promise resolves; when the machine loses power, the last
 * seconds' entries may be lost, but the file stays intact.
 * @example
 * const store = await SqliteStore.open("robots.sqlite");
 * await using client = new RobotsClient({ agent: "ExampleBot", store });
 */
export class SqliteStore implements RobotsStore {
	readonly #file: string;
	/** Which file it is, to notice when it is deleted: SQLite writes on to what no name leads to. */
	readonly #identity: string;
	readonly #database: Database;
	readonly #keepFor: number;
	readonly #select: Statement;
	readonly #upsert: Statement;
	readonly #remove: Statement;
	readonly #replaced: Statement;
	readonly #prune: Statement;
	readonly #parts: SqliteParts;
	/** What is to be written, oldest first. */
	#queue: Write[] = [];
	#writing: Promise<void> | undefined;
	#prunedAt = Number.NEGATIVE_INFINITY;
	#closed = false;
	/** Calls that have not ended, and parts that are being removed. */
	readonly #running = new Set<Promise<unknown>>();
	/** The last write of each key that has had a large one, until it has ended: writes of a key happen in their order. */
	readonly #last = new Map<string, Promise<unknown>>();

	private constructor(
		file: string,
		identity: string,
		database: Database,
		keepFor: number,
	) {
		checkOpened("SqliteStore", database);
		this.#file = file;
		this.#identity = identity;
		this.#database = database;
		this.#keepFor = keepFor * 1000;
		this.#select = database.prepare(
			"SELECT entry FROM entries WHERE key = ? AND written >= ?",
		);
		this.#upsert = database.prepare(
			"INSERT INTO entries (key, entry, written) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET entry = excluded.entry, written = excluded.written",
		);
		this.#remove = database.prepare("DELETE FROM entries WHERE key = ?");
		// Without reading an entry.
		this.#replaced = database.prepare(
			`SELECT entry FROM entries WHERE key = ? AND length(entry) = ${STAND_IN_BYTES}`,
		);
		this.#parts = new SqliteParts(database);
		this.#prune = database.prepare(
			`DELETE FROM entries WHERE rowid IN (SELECT rowid FROM entries WHERE written < ? LIMIT ${PRUNED_AT_ONCE})`,
		);
	}

	/**
	 * Opens the store in a file, which is made if it is not there, with its folder.
	 * @throws {RobotrieError} unsupported, where the runtime has no node:sqlite; store-unavailable, with the reason, also for
	 * a damaged file and for one of another program or version; invalid-argument.
	 */
	static async open(
		file: string,
		options: SqliteStoreOptions = {},
	): Promise<SqliteStore> {
		check("file", file, locationKind);
		checkOptions("SqliteStore.open", options, sqliteOptions);
		const { keepFor = NINETY_DAYS } = options;
		const DatabaseSync = databaseClass();
		let database: Database | undefined;
		try {
			// An absolute path is never one of the names that mean something else to SQLite, such as ":memory:".
			const path = resolve(file);
			await mkdir(dirname(path), { recursive: true });
			database = await whenFree(
				() => new DatabaseSync(path, { timeout: BUSY_TIMEOUT }),
			);
			const opened = database;
			await whenFree(() => prepareFile(opened));
			return new SqliteStore(file, await identify(path), database, keepFor);
		} catch (error) {
			database?.close();
			throw new RobotrieError(
				"store-unavailable",
				`cannot open the store ${quote(file)}: ${messageOf(error)}${await notWritable(resolve(file))}`,
			);
		}
	}

	/** The entry of a key, or undefined. Rejects if other processes hold the file for too long. */
	async get(key: string): Promise<Uint8Array | undefined> {
		checkKey(key);
		return this.#run(async () => (await this.#find(key)).entry);
	}

	/**
	 * Stores an entry; it is on disk when the promise resolves. One of more than 512 KiB must not change before. Rejects if other processes
	 * hold the file for more than 5 seconds, all calls that wait at once, and when the file was deleted.
	 */
	async set(key: string, entry: Uint8Array): Promise<void> {
		checkKey(key);
		const bytes = entryArgument(entry);
		await this.#run(() => this.#put(key, bytes, null));
	}

	/** Stores an entry if the key's entry still is `expected`, and tells whether it was. Rejects as `set` does. */
	async replace(
		key: string,
		expected: Uint8Array | undefined,
		entry: Uint8Array,
	): Promise<boolean> {
		const { before, after } = replaceArguments(key, expected, entry);
		return this.#run(() => this.#put(key, after, before));
	}

	/** Deletes an entry, if there is one. Rejects if other processes hold the file for too long. */
	async delete(key: string): Promise<void> {
		checkKey(key);
		await this.#run(() =>
			this.#inOrder(key, false, () => this.#write(key, null, null)),
		);
	}

	/** Waits for pending writes and closes the file. */
	async close(): Promise<void> {
		if (this.#closed) return;
		this.#closed = true;
		while (this.#running.size > 0) await Promise.allSettled([...this.#running]);
		await this.#writing;
		this.#database.close();
	}

	/** The row of a key, and the entry that it has or names. */
	async #find(
		key: string,
	): Promise<Record<"row" | "entry", Uint8Array | undefined>> {
		let before: Uint8Array | undefined;
		for (let read = 0; read < MOST_READS; read++) {
			const found = await whenFree(() => this.#select.get(key, this.#oldest()));
			const row = found?.entry instanceof Uint8Array ? found.entry : undefined;
			if (!row || partsOf(row) === undefined) return { row, entry: row };
			const { entry, isWhole } = await this.#parts.read(row);
			// The same row without all of its parts is damage, which the entry's check sum tells.
			if (isWhole || isSameEntry(row, before)) return { row, entry };
			before = row;
		}
		throw new Error(
			`the entry of ${quote(key)} changes faster than it is read`,
		);
	}

	/** Writes an entry, if what the key has is expected. */
	#put(
		key: string,
		entry: Uint8Array,
		expected: Write["expected"],
	): Promise<boolean> {
		const isLarge = isInParts(entry);
		const isLong = expected ? isInParts(expected) : false;
		const own = isLarge ? entry : new Uint8Array(entry);
		const before = expected && !isLong ? new Uint8Array(expected) : expected;
		return this.#inOrder(key, isLarge || isLong, async () => {
			const row = isLarge ? await this.#parts.write(key, own) : own;
			let isWritten = false;
			try {
				for (;;) {
					if (!isLong) {
						isWritten = await this.#write(key, row, before);
						return isWritten;
					}
					const found = await this.#find(key);
					if (!isSameEntry(found.entry, before ?? undefined)) return false;
					// If not, another process has written the row: it may have the same entry all the same.
					isWritten = await this.#write(key, row, found.row);
					if (isWritten) return true;
				}
			} finally {
				if (isLarge && !isWritten) this.#discard(row);
			}
		});
	}

	/** Waits for large writes of the same key that began earlier. */
	#inOrder<T>(
		key: string,
		isLarge: boolean,
		write: () => Promise<T>,
	): Promise<T> {
		const before = this.#last.get(key);
		if (!before && !isLarge) return write();
		const written = before ? before.then(write) : write();
		const last = written.then(ignore, ignore);
		this.#last.set(key, last);
		last.then(() => {
			if (this.#last.get(key) === last) this.#last.delete(key);
		});
		return written;
	}

	/** Concurrent writes share a transaction. */
	#write(
		key: string,
		entry: Uint8Array | null,
		expected: Write["expected"],
	): Promise<boolean> {
		return new Promise((resolve, reject) => {
			const end = performance.now() + MOST_WAIT;
			this.#queue.push({ key, entry, expected, end, resolve, reject });
			this.#writing ??= this.#writeAll();
		});
	}

	async #writeAll(): Promise<void> {
		await nextTurn();
		while (this.#queue.length > 0) {
			const wait = turns.wait();
			if (wait) await wait;
			const batch = this.#nextBatch();
			const error = await this.#commit(batch);
			if (error === undefined) continue;
			// One that is too large for the disk must not keep the others out. A file that others hold keeps all out.
			let busy = isBusy(error) ? error : undefined;
			for (const write of batch) {
				if (batch.length === 1 || busy) {
					write.reject(busy ?? error);
					continue;
				}
				const own = await this.#commit([write]);
				if (own === undefined) continue;
				write.reject(own);
				if (isBusy(own)) busy = own;
			}
		}
		this.#writing = undefined;
	}

	#nextBatch(): Write[] {
		let size = 0;
		let number = 0;
		for (const { entry, expected } of this.#queue) {
			if (number === BATCH || size >= BATCH_BYTES) break;
			size += (entry?.length ?? 0) + (expected?.length ?? 0);
			number++;
		}
		return this.#queue.splice(0, number);
	}

	/** Writes all of them and says so to those who wait, or writes none and gives the reason. */
	async #commit(batch: readonly Write[]): Promise<unknown> {
		const database = this.#database;
		const end = Math.min(...batch.map((write) => write.end));
		try {
			const identity = await identify(resolve(this.#file)).catch(() => "");
			if (identity !== this.#identity)
				throw new Error("its file was deleted or replaced");
			const { written, names } = await whenFree(() => {
				database.exec("BEGIN IMMEDIATE");
				try {
					const now = Date.now();
					const names: Uint8Array[] = [];
					const written = batch.map((write) => this.#apply(write, now, names));
					database.exec("COMMIT");
					return { written, names };
				} catch (error) {
					rollBack(database);
					throw error;
				}
			}, end);
			for (const name of names) this.#discard(name);
			this.#pruneIfDue();
			batch.forEach((write, i) => {
				write.resolve(written[i] === true);
			});
			return undefined;
		} catch (error) {
			return error ?? new Error("unknown");
		}
	}

	/** `names` gets those of parts that the row had. */
	#apply(
		{ key, entry, expected }: Write,
		now: number,
		names: Uint8Array[],
	): boolean {
		if (expected !== null) {
			const row = this.#select.get(key, this.#oldest());
			const found = row?.entry instanceof Uint8Array ? row.entry : undefined;
			if (!isSameEntry(found, expected)) return false;
		}
		if (entry && partsOf(entry) !== undefined && !this.#parts.areThere(entry))
			throw new Error("the clock was set: another process removed its parts");
		const row = this.#replaced.get(key)?.entry;
		if (row instanceof Uint8Array && partsOf(row) !== undefined)
			names.push(row);
		if (entry) this.#upsert.run(key, entry, now);
		else this.#remove.run(key);
		return true;
	}

	#pruneIfDue(): void {
		const now = Date.now();
		if (now < this.#prunedAt + PRUNE_EVERY) return;
		this.#prunedAt = now;
		// What fails now is tried again in an hour.
		this.#track(this.#pruneAll().catch(ignore));
	}

	/** Removes entries that are too old, and then parts that no row names. */
	async #pruneAll(): Promise<void> {
		for (let removed = 0; this.#keepFor > 0 && removed < PRUNED; ) {
			const wait = turns.wait();
			if (wait) await wait;
			const { changes } = await whenFree(() => this.#prune.run(this.#oldest()));
			if (Number(changes) === 0) break;
			removed += Number(changes);
		}
		await this.#parts.sweep(Date.now() - ABANDONED);
	}

	/** Removes parts while others are served; what is not removed is swept up later. */
	#discard(name: Uint8Array): void {
		this.#track(this.#parts.remove(name).catch(ignore));
	}

	#track(work: Promise<unknown>): void {
		this.#running.add(work);
		work.then(() => this.#running.delete(work));
	}

	/** The time before which an entry is too old. */
	#oldest(): number {
		return this.#keepFor === 0 ? 0 : Date.now() - this.#keepFor;
	}

	async #run<T>(work: () => Promise<T>): Promise<T> {
		try {
			if (this.#closed) throw new Error("it was closed");
			const running = work();
			this.#track(running.catch(ignore));
			return await running;
		} catch (error) {
			throw new RobotrieError(
				"store-unavailable",
				`the store ${quote(this.#file)} failed: ${messageOf(error)}`,
			);
		}
	}
}

/** Why the system writes neither to a file nor beside it; SQLite only says that it cannot open it. */
async function notWritable(path: string): Promise<string> {
	for (const place of [dirname(path), path])
		try {
			await access(place, constants.W_OK);
		} catch (error) {
			const { code } = error as NodeJS.ErrnoException;
			if (code === "EROFS") return ` (${place} is on a read-only file system)`;
			if (code === "EACCES") return ` (${place} must be writable)`;
		}
	return "";
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

function ignore(): void {}
