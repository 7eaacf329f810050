/** The one class of errors. Packages that contain sources of this folder take it from `robotrie`: `instanceof` holds for all. */
/** The kinds of errors. */
export type RobotrieErrorCode =
	/** The text is neither an absolute URL nor a path that starts with "/". */
	| "invalid-url"
	/** The origin of a URL is not in the index. */
	| "unknown-origin"
	/** An option or argument has a value outside its range. */
	| "invalid-argument"
	/** The bytes given to `fromBytes` are not byte-code of this version, or were changed. */
	| "invalid-byte-code"
	/** Rules or input exceed what a program or linear memory can hold. */
	| "limit-exceeded"
	/** The object was disposed of, or closed. */
	| "disposed"
	/** The platform's WebAssembly lacks what a pool needs. */
	| "unsupported"
	/** An optional package is not installed; the message names it. */
	| "missing-package"
	/** A store cannot be opened. */
	| "store-unavailable"
	/** A file is missing, or cannot be read. */
	| "unreadable"
	/** What was read of a file is damaged, or is not what it has to be. */
	| "malformed";

/**
 * Every error that this package throws on purpose; `message` names the value and the limit. The
 * code is for programs, the message for people; a message may change, a code does not.
 * @example
 * try {
 *   matcher.isAllowed("no URL");
 * } catch (error) {
 *   if (error instanceof RobotrieError) console.log(error.code); // "invalid-url"
 * }
 */
export class RobotrieError extends Error {
	/** Always "RobotrieError". */
	override readonly name = "RobotrieError";

	constructor(
		/** What went wrong. */
		readonly code: RobotrieErrorCode,
		message: string,
	) {
		super(message);
	}
}
