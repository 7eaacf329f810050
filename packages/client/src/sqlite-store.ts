/**
 * SqliteStore, a store in one file, by the SQLite that comes with Node. SQLite is synchronous:
 * writes are gathered and made in one transaction for all, and waiting for another process's lock
 * is done here and not in SQLite, which would hold up this process.
 */

import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import {
	setImmediate as nextTurn,
	setTimeout as sleep,
} from "node:timers/promises";
import { RobotrieError } from "robotrie";
import {
	check,
	checkOptions,
	type OptionTable,
	quote,
	wholeNumber,
} from "robotrie/internal";
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

/** Milliseconds that a call waits for other processes before it fails, in the queue included. */
const MOST_WAIT = 5000;
/** How long of that SQLite waits itself, which holds up the whole process. */
const BUSY_TIMEOUT = 20;
/**
 * Entries that are written in one transaction at most. A transaction costs a write to the disk, so
 * many entries share one.
 */
const BATCH = 200;
/**
 * Milliseconds between two searches for entries that are too old. Old entries are searched for
 * seldom and removed a thousand at a time: a store of millions must not stop the client for that.
 */
const PRUNE_EVERY = 3_600_000;
/** Entries that one search removes at most. */
const PRUNED_AT_ONCE = 1000;

/** "RTRS": distinguishes the file from other programs' databases. */
const APPLICATION = 0x52545253;
const VERSION = 1;

/** What is used of node:sqlite, which the types of Node 20 do not have. */
interface Database {
	exec(sql: string): void;
	prepare(sql: string): Statement;
	close(): void;
}
interface Statement {
	run(...values: (string | number | Uint8Array)[]): unknown;
	get(...values: (string | number)[]): Record<string, unknown> | undefined;
}
type DatabaseClass = new (
	file: string,
	options: { timeout: number },
) => Database;

interface Write {
	/**
	 * Null deletes. A queue of these is what one transaction takes.
	 */
	readonly entry: Uint8Array | null;
	readonly key: string;
	/** What the key has to have for the write to happen; null for anything. */
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
	readonly #prune: Statement;
	/** What is to be written, oldest first. */
	#queue: Write[] = [];
	#writing: Promise<void> | undefined;
	#prunedAt = Number.NEGATIVE_INFINITY;
	#closed = false;

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
				`cannot open the store ${quote(file)}: ${messageOf(error)}`,
			);
		}
	}

	/** The entry of a key, or undefined. Rejects if other processes hold the file for too long. */
	async get(key: string): Promise<Uint8Array | undefined> {
		checkKey(key);
		return this.#run(async () => {
			const row = await whenFree(() => this.#select.get(key, this.#oldest()));
			return row?.entry instanceof Uint8Array ? row.entry : undefined;
		});
	}

	/**
	 * Stores an entry; it is on disk when the promise resolves. Rejects if other processes hold the file for more than 5 seconds, all
	 * calls that wait at once, and when the file was deleted.
	 */
	async set(key: string, entry: Uint8Array): Promise<void> {
		checkKey(key);
		const bytes = entryArgument(entry);
		await this.#write(key, new Uint8Array(bytes), null);
	}

	/** Stores an entry if the key's entry still is `expected`, and tells whether it was. Rejects as `set` does. */
	async replace(
		key: string,
		expected: Uint8Array | undefined,
		entry: Uint8Array,
	): Promise<boolean> {
		const { before, after } = replaceArguments(key, expected, entry);
		return this.#write(
			key,
			new Uint8Array(after),
			before && new Uint8Array(before),
		);
	}

	/** Deletes an entry, if there is one. Rejects if other processes hold the file for too long. */
	async delete(key: string): Promise<void> {
		checkKey(key);
		await this.#write(key, null, null);
	}

	/** Waits for pending writes and closes the file. */
	async close(): Promise<void> {
		if (this.#closed) return;
		this.#closed = true;
		await this.#writing;
		this.#database.close();
	}

	/** Concurrent writes share a transaction. */
	#write(
		key: string,
		entry: Uint8Array | null,
		expected: Write["expected"],
	): Promise<boolean> {
		return this.#run(
			() =>
				new Promise((resolve, reject) => {
					const end = performance.now() + MOST_WAIT;
					this.#queue.push({ key, entry, expected, end, resolve, reject });
					this.#writing ??= this.#writeAll();
				}),
		);
	}

	async #writeAll(): Promise<void> {
		await nextTurn();
		while (this.#queue.length > 0) {
			const batch = this.#queue.splice(0, BATCH);
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

	/** Writes all of them and says so to those who wait, or writes none and gives the reason. */
	async #commit(batch: readonly Write[]): Promise<unknown> {
		const database = this.#database;
		const end = Math.min(...batch.map((write) => write.end));
		try {
			const identity = await identify(resolve(this.#file)).catch(() => "");
			if (identity !== this.#identity)
				throw new Error("its file was deleted or replaced");
			const written = await whenFree(() => {
				database.exec("BEGIN IMMEDIATE");
				try {
					const now = Date.now();
					const written = batch.map((write) => this.#apply(write, now));
					this.#pruneAt(now);
					database.exec("COMMIT");
					return written;
				} catch (error) {
					rollBack(database);
					throw error;
				}
			}, end);
			batch.forEach((write, i) => {
				write.resolve(written[i] === true);
			});
			return undefined;
		} catch (error) {
			return error ?? new Error("unknown");
		}
	}

	#apply({ key, entry, expected }: Write, now: number): boolean {
		if (expected !== null) {
			const row = this.#select.get(key, this.#oldest());
			const found = row?.entry instanceof Uint8Array ? row.entry : undefined;
			if (!isSameEntry(found, expected)) return false;
		}
		if (entry) this.#upsert.run(key, entry, now);
		else this.#remove.run(key);
		return true;
	}

	#pruneAt(now: number): void {
		if (this.#keepFor === 0 || now < this.#prunedAt + PRUNE_EVERY) return;
		this.#prune.run(this.#oldest());
		this.#prunedAt = now;
	}

	/** The time before which an entry is too old. */
	#oldest(): number {
		return this.#keepFor === 0 ? 0 : Date.now() - this.#keepFor;
	}

	async #run<T>(work: () => Promise<T>): Promise<T> {
		try {
			if (this.#closed) throw new Error("it was closed");
			return await work();
		} catch (error) {
			throw new RobotrieError(
				"store-unavailable",
				`the store ${quote(this.#file)} failed: ${messageOf(error)}`,
			);
		}
	}
}

function databaseClass(): DatabaseClass {
	const sqlite = process.getBuiltinModule("node:sqlite") as
		| { DatabaseSync: DatabaseClass }
		| undefined;
	if (sqlite === undefined)
		throw new RobotrieError(
			"unsupported",
			`the SQLite store needs Node 22.13 or later, not ${process.version}`,
		);
	return sqlite.DatabaseSync;
}

/** Creates the table in a new file, and checks that an existing file is a store. */
function prepareFile(database: Database): void {
	const pragma = (name: string) =>
		Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
	const isNew =
		database.prepare("SELECT count(*) AS n FROM sqlite_schema").get()?.n === 0;
	const application = pragma("application_id");
	const version = pragma("user_version");
	if (!isNew && application !== APPLICATION)
		throw new Error("it is another program's database");
	if (!isNew && version !== VERSION)
		throw new Error(`it has version ${version}, not ${VERSION}`);
	const mode = pragma("journal_mode = WAL");
	if (mode !== "wal")
		throw new Error(`SQLite cannot write ahead there, only ${mode}`);
	database.exec(
		"PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 67108864",
	);
	if (!isNew) return;
	database.exec("BEGIN IMMEDIATE");
	try {
		// Another process may have been faster.
		database.exec(
			"CREATE TABLE IF NOT EXISTS entries (key TEXT PRIMARY KEY, entry BLOB NOT NULL, written INTEGER NOT NULL) STRICT",
		);
		database.exec("CREATE INDEX IF NOT EXISTS by_age ON entries (written)");
		database.exec(`PRAGMA application_id = ${APPLICATION}`);
		database.exec(`PRAGMA user_version = ${VERSION}`);
		database.exec("COMMIT");
	} catch (error) {
		rollBack(database);
		throw error;
	}
}

/** After some errors, such as a full disk, SQLite has done so itself. */
function rollBack(database: Database): void {
	try {
		database.exec("ROLLBACK");
	} catch {}
}

/** Repeats an action that fails because another process has locked the file. */
async function whenFree<T>(
	work: () => T,
	end = performance.now() + MOST_WAIT,
): Promise<T> {
	for (;;) {
		try {
			return work();
		} catch (error) {
			if (!isBusy(error) || performance.now() >= end) throw error;
			await sleep(Math.random() * BUSY_TIMEOUT);
		}
	}
}

/** Tells a file from another one that later has its name. */
async function identify(path: string): Promise<string> {
	const { dev, ino } = await stat(path, { bigint: true });
	return `${dev}:${ino}`;
}

/** SQLITE_BUSY and SQLITE_LOCKED with their extended codes. */
function isBusy(error: unknown): boolean {
	if (!(error instanceof Error) || !("errcode" in error)) return false;
	const code = Number(error.errcode) & 255;
	return code === 5 || code === 6;
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
