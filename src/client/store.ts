/**
 * Keeps fetched files: bytes by key, across restarts and for several processes. Entries carry their own checksum, so a store need
 * not detect damage.
 */
export interface RobotsStore {
	/** The entry of a key, or undefined. */
	get(key: string): Promise<Uint8Array | undefined>;
	/** Stores an entry. Resolves when it is as durable as the store can make it. */
	set(key: string, entry: Uint8Array): Promise<void>;
	/** Deletes an entry, if there is one. */
	delete(key: string): Promise<void>;
	/** Waits for pending writes and closes files and connections. */
	close(): Promise<void>;
}
