/**
 * Large entries of an SQLite store, in parts: 16 MiB in one statement would hold up the event loop for some 100 ms. SqliteStore writes an
 * entry's parts first, a turn for each, and then, in one transaction, the row of the entry with a stand-in (entry.ts) that is the parts'
 * name. What must hold: a name is never used twice, its parts never change, and while the row of a key has a name, all of its parts are
 * there. So a reader gets an entry as a whole or finds a part gone, and then looks at the row again. Parts that no row names, because a
 * process was killed or an older program replaced the row, are removed by `sweep`.
 */

import { COPIED, turns } from "../common/turns.ts";
import { partsOf, standIn } from "./entry.ts";
import { type Database, type Statement, whenFree } from "./sqlite-database.ts";

/** Parts that one sweep removes at most, so that closing a store does not take long. */
const SWEPT_AT_ONCE = 1000;

/** Whether an entry is stored in parts: those that look like a stand-in are, too, so that each stand-in in a row is one of ours. */
export function isInParts(entry: Uint8Array): boolean {
	return entry.length > COPIED || partsOf(entry) !== undefined;
}

export class SqliteParts {
	readonly #add: Statement;
	readonly #sum: Statement;
	readonly #select: Statement;
	readonly #remove: Statement;
	readonly #next: Statement;

	constructor(database: Database) {
		this.#add = database.prepare(
			"INSERT INTO parts (name, number, key, written, bytes) VALUES (?, ?, ?, ?, ?)",
		);
		this.#sum = database.prepare(
			"SELECT count(*) AS count, sum(length(bytes)) AS size FROM parts WHERE name = ?",
		);
		this.#select = database.prepare(
			"SELECT bytes FROM parts WHERE name = ? AND number = ?",
		);
		// In one statement with the look at the row: between two, another process could write the row.
		this.#remove = database.prepare(
			"DELETE FROM parts WHERE rowid = (SELECT rowid FROM parts WHERE name = ? ORDER BY number LIMIT 1) AND NOT EXISTS (SELECT 1 FROM entries WHERE entries.key = parts.key AND entries.entry = parts.name)",
		);
		this.#next = database.prepare(
			"SELECT name, written FROM parts WHERE name > ? ORDER BY name, number LIMIT 1",
		);
	}

	/** Writes the parts of a key's entry, whose bytes must not change meanwhile; their name. */
	async write(key: string, entry: Uint8Array): Promise<Uint8Array> {
		const name = standIn(Math.ceil(entry.length / COPIED));
		try {
			for (let from = 0; from < entry.length; from += COPIED) {
				const wait = turns.wait();
				if (wait) await wait;
				// Of memory that threads share, SQLite takes none.
				const part = new Uint8Array(entry.subarray(from, from + COPIED));
				await whenFree(() =>
					this.#add.run(name, from / COPIED, key, Date.now(), part),
				);
			}
		} catch (error) {
			await this.remove(name).catch(() => {});
			throw error;
		}
		return name;
	}

	/** Whether all parts of a name are there. */
	areThere(name: Uint8Array): boolean {
		return this.#sum.get(name)?.count === partsOf(name);
	}

	/** The bytes of the parts of a name, and whether they are all; if not, the row has changed, or the file is damaged. */
	async read(
		name: Uint8Array,
	): Promise<{ readonly entry: Uint8Array; readonly isWhole: boolean }> {
		const sum = await whenFree(() => this.#sum.get(name));
		const entry = new Uint8Array(Number(sum?.size ?? 0));
		const count = Number(sum?.count);
		let at = 0;
		for (let number = 0; number < count; number++) {
			const wait = turns.wait();
			if (wait) await wait;
			const row = await whenFree(() => this.#select.get(name, number));
			if (!(row?.bytes instanceof Uint8Array))
				return { entry: entry.subarray(0, at), isWhole: false };
			entry.set(row.bytes, at);
			at += row.bytes.length;
		}
		return { entry, isWhole: count === partsOf(name) };
	}

	/** Removes the parts of a name that no row has; how many they were. */
	async remove(name: Uint8Array): Promise<number> {
		for (let removed = 0; ; removed++) {
			const wait = turns.wait();
			if (wait) await wait;
			const { changes } = await whenFree(() => this.#remove.run(name));
			if (Number(changes) === 0) return removed;
		}
	}

	/** Removes parts that no row names and that were written before a time, after which no process still writes their row. */
	async sweep(before: number): Promise<void> {
		let name = new Uint8Array();
		for (let removed = 0; removed < SWEPT_AT_ONCE; ) {
			const wait = turns.wait();
			if (wait) await wait;
			const row = await whenFree(() => this.#next.get(name));
			if (!(row?.name instanceof Uint8Array)) return;
			name = new Uint8Array(row.name);
			if (Number(row.written) < before) removed += await this.remove(name);
		}
	}
}
