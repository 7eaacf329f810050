/**
 * RobotsStore, the interface between the client and what keeps its answers, and the checks of arguments that all stores of this package
 * share. The public type is all that a store of one's own needs.
 */

import { RobotrieError } from "robotrie";
import { check, type Kind } from "#robotrie/common/arguments";
import { bytesArgument } from "#robotrie/common/bytes";
import { textKind } from "#robotrie/common/kinds";

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
	 * Stores an entry if the key's entry still is `expected`, byte for byte (undefined: there is none); false if it is not. A store without this
	 * method may lose what another process stores between a `get` and a `set`.
	 */
	replace?(
		key: string,
		expected: Uint8Array | undefined,
		entry: Uint8Array,
	): Promise<boolean>;
	/** Deletes an entry, if there is one. */
	delete(key: string): Promise<void>;
	/** How full it is, where it has a limit that others share. */
	usage?(): Promise<StoreUsage>;
	/** Waits for pending writes and closes files and connections. */
	close(): Promise<void>;
}

/** How full a store is. */
export interface StoreUsage {
	/** Bytes of memory that it takes. */
	readonly used: number;
	/** Bytes that it may take; Infinity without a limit. */
	readonly limit: number;
	/** When full, it drops entries that it has, whatever they are. */
	readonly evicts: boolean;
	/** Entries that it has dropped so since it started. */
	readonly evicted: number;
}

/** The location of a store. It must not be empty, as that would be the current folder. */
export const locationKind: Kind = {
	...textKind,
	text: "a folder, a file or a redis: URL, as a string",
	accepts: (value) => typeof value === "string" && value !== "",
};

/** @throws {RobotrieError} invalid-argument. */
export function checkKey(key: string): void {
	check("key", key, textKind);
}

/** An entry to be stored. @throws {RobotrieError} invalid-argument. */
export function entryArgument(entry: Uint8Array): Uint8Array {
	return bytesArgument("entry", entry);
}

/** The arguments of `replace`, as plain views. @throws {RobotrieError} invalid-argument. */
export function replaceArguments(
	key: string,
	expected: Uint8Array | undefined,
	entry: Uint8Array,
): { readonly before: Uint8Array | undefined; readonly after: Uint8Array } {
	checkKey(key);
	const before =
		expected === undefined ? undefined : bytesArgument("expected", expected);
	return { before, after: entryArgument(entry) };
}

/** Whether an entry is the expected one; undefined means that there is none. */
export function isSameEntry(
	entry: Uint8Array | undefined,
	expected: Uint8Array | undefined,
): boolean {
	if (!entry || !expected) return entry === expected;
	return Buffer.compare(entry, expected) === 0;
}

/**
 * Checks that a store's constructor was called by `open` and not by a user.
 * @throws {RobotrieError} invalid-argument.
 */
export function checkOpened(name: string, connection: unknown): void {
	if (typeof connection !== "object" || connection === null)
		throw new RobotrieError(
			"invalid-argument",
			`stores of this kind are opened by await ${name}.open(…)`,
		);
}
