import type { Part } from "./stale.mjs";

/** All parts of the build; without `types`, no declarations. */
export function allParts(options?: {
	readonly forTests?: boolean;
	readonly types?: boolean;
}): readonly Part[];
/** Builds those that are stale, and returns their names. */
export function bringUpToDate(
	parts: readonly Part[],
): Promise<readonly string[]>;
