/**
 * The file of an SQLite store: opens it by node:sqlite, creates its tables and checks whose it is; waits while other processes have locked
 * it. SqliteStore and SqliteParts, which share its connection, read and write it.
 */

import { stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { RobotrieError } from "robotrie";

/** Milliseconds that a call waits for other processes before it fails, in the queue included. */
export const MOST_WAIT = 5000;
/** How long of that SQLite waits itself, which holds up the whole process. */
export const BUSY_TIMEOUT = 20;
/** "RTRS": distinguishes the file from other programs' databases. */
const APPLICATION = 0x52545253;
const VERSION = 1;

/** What is used of node:sqlite, which the types of Node 20 do not have. */
export interface Database {
	exec(sql: string): void;
	prepare(sql: string): Statement;
	close(): void;
}
type Value = string | number | Uint8Array;
export interface Statement {
	run(...values: Value[]): { readonly changes: number | bigint };
	get(...values: Value[]): Record<string, unknown> | undefined;
}
type DatabaseClass = new (
	file: string,
	options: { timeout: number },
) => Database;

export function databaseClass(): DatabaseClass {
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

/**
 * Creates the tables in a new file, and checks that an existing file is a store. The file's version is that of the table of entries, in
 * which programs from before the table of parts read and write as ever: what stands there for an entry in parts is to them an entry of a
 * newer version (`standIn` in entry.ts), so the two may share a file.
 */
export function prepareFile(database: Database): void {
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
	// Every 500 pages (2 MiB) SQLite copies what was written ahead into the file, in the statement that fills them. With 1,000, as it does
	// by itself, that made turns of 10 to 17 ms, with 500 of 7; small entries take as long to write.
	database.exec(
		"PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 67108864; PRAGMA wal_autocheckpoint = 500",
	);
	if (isNew) createEntries(database);
	// A reader finds the parts of a name by its index, and nothing is ever changed in place.
	database.exec(
		"CREATE TABLE IF NOT EXISTS parts (name BLOB NOT NULL, number INTEGER NOT NULL, key TEXT NOT NULL, written INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (name, number)) STRICT",
	);
}

function createEntries(database: Database): void {
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
export function rollBack(database: Database): void {
	try {
		database.exec("ROLLBACK");
	} catch {}
}

/** Repeats an action that fails because another process has locked the file. */
export async function whenFree<T>(
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
export async function identify(path: string): Promise<string> {
	const { dev, ino } = await stat(path, { bigint: true });
	return `${dev}:${ino}`;
}

/** SQLITE_BUSY and SQLITE_LOCKED with their extended codes. */
export function isBusy(error: unknown): boolean {
	if (!(error instanceof Error) || !("errcode" in error)) return false;
	const code = Number(error.errcode) & 255;
	return code === 5 || code === 6;
}
