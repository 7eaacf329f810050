/**
 * The one error class of this package, and what the system says about a failed call. Whoever catches errors tells them apart by `code`, also
 * those that came out of a thread, and those of a program that contains these sources.
 */

/**
 * Why something could not be done:
 *
 * - `unreadable`: a file is missing or cannot be read
 * - `malformed`: what was read is damaged, or is not what it has to be
 * - `unusable`: no record, or fewer than half of them, could be used; with `strict`, any could not. Nothing was written
 * - `unwritable`: a file or folder cannot be written
 */
export type SitesErrorCode =
	| "unreadable"
	| "malformed"
	| "unusable"
	| "unwritable";

/**
 * What can be mended by who calls: its message names the file or option, and says what is wrong with it.
 * @example
 * try {
 *   await openIndex("missing.index");
 * } catch (error) {
 *   if (error instanceof SitesError) console.log(error.code); // "unreadable"
 * }
 */
export class SitesError extends Error {
	/** Always "SitesError". */
	override readonly name = "SitesError";
	/** What went wrong. */
	readonly code: SitesErrorCode;

	/** @internal */
	constructor(code: SitesErrorCode, message: string) {
		super(message);
		this.code = code;
	}
}

/** A program may contain these sources beside the package, and then has two of the class. */
export function isSitesError(error: unknown): error is SitesError {
	return error instanceof Error && error.name === "SitesError";
}

/** What the system says about a failed call ("no such file or directory"), or undefined for any other error. */
export function systemReason(error: unknown): string | undefined {
	// zlib's errors have numbers as well, but of their own.
	if (!(error instanceof Error && "errno" in error && "syscall" in error))
		return undefined;
	// "illegal operation on a directory" says what went wrong, not what is there.
	if ("code" in error && error.code === "EISDIR") return "it is a directory";
	// Loaded when it is needed: it makes Node load all that it consists of, which takes a millisecond.
	const { getSystemErrorMap } = process.getBuiltinModule("node:util");
	return getSystemErrorMap().get(Number(error.errno))?.[1] ?? error.message;
}

/** What to throw where a call has failed: what could not be done ("read FILE", "write FILE") and why, or the error itself if the system says nothing about it. */
export function failureOf(what: string, error: unknown): unknown {
	const reason = systemReason(error);
	if (reason === undefined) return error;
	const code = what.startsWith("write") ? "unwritable" : "unreadable";
	return new SitesError(code, `cannot ${what}: ${reason}`);
}
