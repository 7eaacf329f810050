/** What went wrong, for programs to tell apart. */
export type RobotrieErrorCode =
	/** The text is neither an absolute URL nor a path that starts with "/". */
	| "invalid-url"
	/** An option or argument has a value outside its range. */
	| "invalid-argument"
	/** The bytes given to `fromBytes` are no byte-code of this version, or were changed. */
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
	| "store-unavailable";

/** Every error this package throws on purpose; `code` says which, `message` names the value and the limit. */
export class RobotrieError extends Error {
	override readonly name = "RobotrieError";

	constructor(
		readonly code: RobotrieErrorCode,
		message: string,
	) {
		super(message);
	}
}

/** Says what an argument has to be, and what came instead. */
export function invalidArgument(wanted: string, value: unknown): RobotrieError {
	return new RobotrieError(
		"invalid-argument",
		`${wanted}, not ${quote(value)}`,
	);
}

/** A value as an error message shows it: quoted, and cut when it is long. */
export function quote(value: unknown): string {
	const text =
		typeof value === "string" ? JSON.stringify(value) : String(value);
	return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
