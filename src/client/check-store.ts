import { check, type Kind } from "../common/arguments.ts";
import { RobotrieError } from "../common/errors.ts";
import { bytesKind, textKind } from "../common/kinds.ts";

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

/** @throws {RobotrieError} invalid-argument. */
export function checkEntry(entry: Uint8Array): void {
	check("entry", entry, bytesKind);
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
