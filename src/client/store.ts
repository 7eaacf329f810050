/**
 * Keeps what was fetched, bytes by key, over restarts and for several processes. Entries carry a check sum of their own:
 * a store need not notice damage.
 */
export interface RobotsStore {
	/** The bytes that were set last under a key, or undefined. */
	get(key: string): Promise<Uint8Array | undefined>;
	/** Resolves when the entry is as safe as the store can make it: then it outlives the process. */
	set(key: string, entry: Uint8Array): Promise<void>;
	delete(key: string): Promise<void>;
	/** Waits for what is being written, and lets go of files and connections. */
	close(): Promise<void>;
}
