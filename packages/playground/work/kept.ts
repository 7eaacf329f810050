/**
 * Work that the browser keeps: the present one of each tab, written over at every change, and earlier versions of it. address.ts loads this
 * after the first verdicts. The connection stays open, as a page that is being closed has no time to open one. What must hold: a transaction
 * is committed as soon as its requests are made, or in `waiting`. One that waits for its page to hear of a request is dropped with the page,
 * and Chromium drops what stands behind it, too: while 10 MB were written, 6 of 8 reloads lost what had been typed meanwhile. Committed at
 * once, 20 of 20 keep it while 30 MB are written, in Chromium and in Firefox. Two things are beyond a page's reach: Chromium drops what
 * stands behind a write of another tab, which takes some 0.1 s for 10 MB (work that fits into the tab's storage is there as well), and
 * Firefox, when a tab is closed and not reloaded, what it has not been given in full.
 */
import type { PageState } from "../page/permalink.ts";

/** Pieces of work and versions that are kept; the oldest are removed first, so that a browser's quota is not filled by tabs of last year. */
const MOST_KEPT = 40;
const STORE = "work";
/** What is kept, without its texts: a list need not read those. */
const LIST = "list";

/** A piece of work as a list shows it. */
export interface Earlier {
	readonly id: string;
	/** Milliseconds since 1970. */
	readonly time: number;
	readonly agent: string;
	/** Characters, or bytes, of robots.txt, and its first line that says something. */
	readonly size: number;
	readonly start: string;
	/** Lines of URLs. */
	readonly urls: number;
}

/**
 * Keeps work, in the place of what had the same id. Where there is no room, what is oldest goes.
 * @throws {DOMException} when the browser has no room for it alone, or no database, as in some private windows.
 */
export async function keep(id: string, state: PageState): Promise<void> {
	const database = await connection();
	for (;;) {
		try {
			await written(database, id, state);
			return;
		} catch (error) {
			const isFull =
				error instanceof DOMException && error.name === "QuotaExceededError";
			if (!isFull || !(await dropOldest(database, id))) throw error;
		}
	}
}

/**
 * The same without waiting, for a page that is being closed: nothing is done where there is no connection yet, as opening one takes longer
 * than such a page lives.
 */
export function keepAtOnce(id: string, state: PageState): void {
	if (!open) return;
	try {
		for (const transaction of waiting) transaction.abort();
		const transaction = open.transaction([STORE, LIST], "readwrite");
		putInto(transaction, id, state);
		transaction.commit();
	} catch {
		// The connection is closing.
	}
}

/** Keeps work as a version of that with an id, beside it. */
export function keepVersion(id: string, state: PageState): Promise<void> {
	return keep(`${id}@${Date.now()}`, state);
}

async function written(
	database: IDBDatabase,
	id: string,
	state: PageState,
): Promise<void> {
	const transaction = database.transaction([STORE, LIST], "readwrite");
	putInto(transaction, id, state);
	transaction.commit();
	await done(transaction);
	if ((await read(database, LIST, (list) => list.count())) <= MOST_KEPT) return;
	// The work is kept, whatever comes of this.
	await remove(database, (ids) => ids.slice(0, -MOST_KEPT)).catch(() => {});
}

/** Both stores in one transaction: the list never names work that is not there. All writes go through here. */
function putInto(
	transaction: IDBTransaction,
	id: string,
	state: PageState,
): void {
	const time = Date.now();
	transaction.objectStore(STORE).put({ id, time, state });
	transaction.objectStore(LIST).put(summaryOf(id, time, state));
}

/** Transactions that wait for the page: it ends them when it is left. */
const waiting = new Set<IDBTransaction>();

/**
 * Removes some of all ids, which come the oldest first, and says how many. They are read in the transaction that removes them: another tab
 * may write to its own work meanwhile, which is not the oldest then.
 */
async function remove(
	database: IDBDatabase,
	choose: (ids: readonly IDBValidKey[]) => readonly IDBValidKey[],
): Promise<number> {
	const transaction = database.transaction([STORE, LIST], "readwrite");
	waiting.add(transaction);
	let removed = 0;
	const ids = transaction.objectStore(LIST).index("time").getAllKeys();
	ids.onsuccess = () => {
		for (const id of choose(ids.result)) {
			removed++;
			for (const name of [STORE, LIST])
				transaction.objectStore(name).delete(id);
		}
	};
	try {
		await done(transaction);
		return removed;
	} finally {
		waiting.delete(transaction);
	}
}

/** Makes room; false where nothing is left but the work of one id. */
async function dropOldest(
	database: IDBDatabase,
	own: string,
): Promise<boolean> {
	const removed = await remove(database, (ids) =>
		ids.filter((id) => id !== own).slice(0, 1),
	);
	return removed > 0;
}

function summaryOf(
	id: string,
	time: number,
	{ agent, robots, urls }: PageState,
): Earlier {
	const head =
		typeof robots === "string"
			? robots.slice(0, 2000)
			: new TextDecoder().decode(robots.subarray(0, 2000));
	let lines = urls === "" ? 0 : 1;
	for (let at = urls.indexOf("\n"); at >= 0; at = urls.indexOf("\n", at + 1))
		lines++;
	return {
		...{ id, time, agent, size: robots.length, urls: lines },
		start: (/^\s*(\S.*)$/m.exec(head)?.[1] ?? "").slice(0, 100),
	};
}

/** What was kept; undefined if this browser has nothing of that id. */
export async function keptWork(id: string): Promise<PageState | undefined> {
	const found = await read<{ state: PageState } | undefined>(
		await connection(),
		STORE,
		(store) => store.get(id),
	);
	return found?.state;
}

/** All that is kept, the newest first. */
export async function earlierWork(): Promise<readonly Earlier[]> {
	const list = await read<Earlier[]>(await connection(), LIST, (store) =>
		store.index("time").getAll(),
	);
	return list.reverse();
}

/**
 * An id for further changes: the given one, unless another tab that is open has it. Locks end with their tab, also when it crashes: a note
 * in the database would stay.
 */
export function ownId(id: string): Promise<string> {
	return new Promise((resolve) => {
		if (!navigator.locks) {
			resolve(id);
			return;
		}
		void navigator.locks.request(
			`robotrie ${id}`,
			{ ifAvailable: true },
			(lock) => {
				if (!lock) {
					resolve(ownId(newId()));
					return undefined;
				}
				resolve(id);
				// Held until the tab is closed.
				return new Promise<void>(() => {});
			},
		);
	});
}

export function newId(): string {
	const bytes = crypto.getRandomValues(new Uint8Array(8));
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(
		"",
	);
}

let open: IDBDatabase | undefined;

/** Opens the connection. @throws {DOMException} where the browser lets no page keep anything. */
export async function connect(): Promise<void> {
	await connection();
}

/** The database. Version 1 had no list. */
async function connection(): Promise<IDBDatabase> {
	if (open) return open;
	const request = indexedDB.open("robotrie", 2);
	request.onupgradeneeded = () => {
		const database = request.result;
		for (const name of [STORE, LIST])
			if (!database.objectStoreNames.contains(name))
				database
					.createObjectStore(name, { keyPath: "id" })
					.createIndex("time", "time");
		const old = request.transaction?.objectStore(STORE).openCursor();
		if (!old) return;
		old.onsuccess = () => {
			const cursor = old.result;
			if (!cursor) return;
			const { id, time, state } = cursor.value;
			request.transaction?.objectStore(LIST).put(summaryOf(id, time, state));
			cursor.continue();
		};
	};
	const database = await result(request);
	// A newer version of the page, in another tab, may want to change it.
	database.onversionchange = () => {
		database.close();
		open = undefined;
	};
	database.onclose = () => {
		open = undefined;
	};
	open = database;
	return database;
}

/** What one question to a store gives. */
function read<Value>(
	database: IDBDatabase,
	store: string,
	ask: (store: IDBObjectStore) => IDBRequest<Value>,
): Promise<Value> {
	const transaction = database.transaction(store);
	const answer = result(ask(transaction.objectStore(store)));
	transaction.commit();
	return answer;
}

function done(transaction: IDBTransaction): Promise<void> {
	return new Promise((resolve, reject) => {
		transaction.oncomplete = () => resolve();
		transaction.onabort = () => reject(transaction.error);
	});
}

function result<Value>(request: IDBRequest<Value>): Promise<Value> {
	return new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error);
	});
}
