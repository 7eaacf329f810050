import { accessFor } from "../../../src/access/access.ts";
import type { HttpOutcome } from "../../../src/access/outcome.ts";
import type { RobotsStore } from "../src/index.ts";
import { encodeEntry } from "../src/stores/entry.ts";
import { FILE } from "./site.ts";

export const found = (text = FILE): HttpOutcome => ({
	status: 200,
	headers: {},
	body: new TextEncoder().encode(text),
});

/** A store that answers at once, with a robots.txt of every origin, asked for at a time. It counts the calls under way. */
export function knownStore(
	now: number,
	outcome: HttpOutcome = found(),
): RobotsStore & { readonly most: number; answer: () => Promise<void> } {
	const access = accessFor(outcome, null, { now });
	const kept = new Map<string, Uint8Array>();
	let underWay = 0;
	const store = {
		most: 0,
		/** What a read waits for. */
		answer: () => Promise.resolve(),
		async get(key: string) {
			store.most = Math.max(store.most, ++underWay);
			await store.answer();
			underWay--;
			return kept.get(key) ?? encodeEntry(key, access);
		},
		async set(key: string, entry: Uint8Array) {
			kept.set(key, entry);
		},
		async delete() {},
		async close() {},
	};
	return store;
}
