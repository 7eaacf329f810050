/** How long a store waits for another process that writes, a little less. */
const MOST_WAIT = 4900;

/**
 * Stores a text. The machine may stop another process while it writes, for longer than a store waits for it: then again. What fails
 * sooner is an error.
 */
export async function kept(store, key, text) {
	const entry = new TextEncoder().encode(text);
	for (;;) {
		const start = performance.now();
		try {
			return await store.set(key, entry);
		} catch (error) {
			if (performance.now() - start < MOST_WAIT) throw error;
		}
	}
}
