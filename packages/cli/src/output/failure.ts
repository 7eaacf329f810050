import { util } from "./util.ts";

/** Exit codes: the work is done; `--check` or `lint` found something; it could not be done. */
export const EXIT_OK = 0;
export const EXIT_FOUND = 1;
export const EXIT_FAILED = 2;

/** Something the user can mend: one line on stderr, exit code 2. */
export class Failure extends Error {
	override readonly name = "Failure";
}

/** What the system says about a failed call ("no such file or directory"), or undefined when the error is no such one. */
export function systemReason(error: unknown): string | undefined {
	// zlib's errors have numbers as well, but of their own.
	if (!(error instanceof Error && "errno" in error && "syscall" in error))
		return undefined;
	// "illegal operation on a directory" says what went wrong, not what is there.
	if ("code" in error && error.code === "EISDIR") return "it is a directory";
	return (
		util().getSystemErrorMap().get(Number(error.errno))?.[1] ?? error.message
	);
}

/** The reader of our output has gone, as `head` does. */
export function isClosedPipe(error: unknown): boolean {
	return error instanceof Error && "code" in error && error.code === "EPIPE";
}
