/**
 * Keeps fetched files: bytes by key, across restarts and for several processes. Entries carry their own checksum, so a store need
 * not detect damage.
 */
export interface RobotsStore {
	/** The entry of a key, or undefined. */
	get(key: string): Promise<Uint8Array | undefined>;
	/** Stores an entry. Resolves when it is as durable as the store can make it. */
	set(key: string, entry: Uint8Array): Promise<void>;
	/**
	 * Stores an entry if the key's entry still is `expected`, byte for byte (undefined: there is none); false if it is not. A store that
	 * has no such method may lose what another process learns in the moment between a `get` and a `set`.
	 */
	replace?(
		key: string,
		expected: Uint8Array | undefined,
		entry: Uint8Array,
	): Promise<boolean>;
	/** Deletes an entry, if there is one. */
	delete(key: string): Promise<void>;
	/** Waits for pending writes and closes files and connections. */
	close(): Promise<void>;
}
