import { RobotrieError } from "robotrie";
import { bytesArgument, check, type Kind, textKind } from "robotrie/internal";

/** Where a store is: the text must not be empty, which would stand for the current folder. */
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

/** What `replace` is given, as plain views. @throws {RobotrieError} invalid-argument. */
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

/** Whether a key's entry is what it is expected to be; undefined for none. */
export function isSameEntry(
	entry: Uint8Array | undefined,
	expected: Uint8Array | undefined,
): boolean {
	if (!entry || !expected) return entry === expected;
	return Buffer.compare(entry, expected) === 0;
}

/**
 * What `open` hands to a store's constructor, which is not for callers.
 * @throws {RobotrieError} invalid-argument.
 */
export function checkOpened(name: string, connection: unknown): void {
	if (typeof connection !== "object" || connection === null)
		throw new RobotrieError(
			"invalid-argument",
			`stores of this kind are opened by await ${name}.open(…)`,
		);
}
