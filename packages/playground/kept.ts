import type { PageState } from "./permalink.ts";

/** Pieces of work that the browser keeps; the oldest goes first. */
const MOST_KEPT = 8;
const STORE = "work";

interface Kept {
	readonly id: string;
	/** Milliseconds since 1970. */
	readonly time: number;
	readonly state: PageState;
}

/**
 * Keeps work that no link can carry in the browser's database, in the place of what had the same id.
 * @throws {DOMException} when the browser has no room, or no database, as in some private windows.
 */
export async function keep(id: string, state: PageState): Promise<void> {
	const database = await opened();
	try {
		const transaction = database.transaction(STORE, "readwrite");
		const store = transaction.objectStore(STORE);
		store.put({ id, time: Date.now(), state } satisfies Kept);
		const ids = await result(store.index("time").getAllKeys());
		for (const old of ids.slice(0, -MOST_KEPT)) store.delete(old);
		await new Promise<void>((resolve, reject) => {
			transaction.oncomplete = () => resolve();
			transaction.onabort = () => reject(transaction.error);
		});
	} finally {
		database.close();
	}
}

/** What was kept; undefined if this browser has nothing of that id. */
export async function keptWork(id: string): Promise<PageState | undefined> {
	const database = await opened();
	try {
		const store = database.transaction(STORE).objectStore(STORE);
		const found = await result<Kept | undefined>(store.get(id));
		return found?.state;
	} finally {
		database.close();
	}
}

/** An id for further changes: the given one, unless another tab that is open has it. */
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
				resolve(lock ? id : newId());
				// Held until the tab is closed.
				return lock ? new Promise<void>(() => {}) : undefined;
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

function opened(): Promise<IDBDatabase> {
	const request = indexedDB.open("robotrie", 1);
	request.onupgradeneeded = () =>
		request.result
			.createObjectStore(STORE, { keyPath: "id" })
			.createIndex("time", "time");
	return result(request);
}

function result<Value>(request: IDBRequest<Value>): Promise<Value> {
	return new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error);
	});
}
