/**
 * What every command says: exit codes, failures, remarks on stderr, text and JSON on stdout. program.ts loads it for --version as well, so it
 * imports neither the library nor anything of Node that takes long.
 */
import type { styleText } from "node:util";
import { escaped, printable } from "#robotrie/common/printable";
import { isSitesError, systemReason } from "#sites/files/errors";

export { printable };

/** node:util, loaded when it is used: importing it makes Node load all that it consists of, which takes a millisecond. */
function util(): typeof import("node:util") {
	return process.getBuiltinModule("node:util");
}

/**
 * Exit codes: all is done; `--check` or `lint` found something; it could not be done. Scripts rely
 * on them; they are the same for all commands.
 */
export const EXIT_OK = 0;
export const EXIT_FOUND = 1;
export const EXIT_FAILED = 2;
/** `crawl-check`: all is done, but for sites whose robots.txt cannot be had for now. */
export const EXIT_LATER = 3;

/**
 * Something the user can mend: one line on stderr, exit code 2. Its message is all that the user
 * gets, so it names the file or option and what to do.
 */
export class Failure extends Error {
	override readonly name = "Failure";
}

/** Whether an error's message is all that the user is told. By name: importing the classes would load what --version does without. */
export function isTold(error: unknown): error is Error {
	return (
		error instanceof Failure ||
		isSitesError(error) ||
		(error instanceof Error && error.name === "RobotrieError")
	);
}

/**
 * What to throw where a call has failed: a Failure that says what could not be done ("read FILE") and
 * why, or the error itself if the system says nothing about it. Such an error is ours, and is shown
 * with its stack.
 */
export function failureOf(what: string, error: unknown): unknown {
	const reason = systemReason(error);
	return reason === undefined
		? error
		: new Failure(`cannot ${what}: ${reason}`);
}

/** The reader of our output has ended, as `head` does. */
export function isClosedPipe(error: unknown): boolean {
	return error instanceof Error && "code" in error && error.code === "EPIPE";
}

/**
 * Writes to stdout; resolves once the system has taken the bytes, so that they may be overwritten.
 * Callers reuse their buffers, so the promise matters even where nobody minds the pace.
 */
export function write(data: Uint8Array | string): Promise<void> {
	return new Promise((resolve, reject) => {
		process.stdout.write(data, (error) => (error ? reject(error) : resolve()));
	});
}

/**
 * Writes to stdout what others have written, such as the lines of a list: as it is, but on a terminal with control characters shown as
 * \x1b, as they could drive it. `write` is for text of ours, in which `printable` was applied to theirs.
 */
export function writeForeign(data: Uint8Array | string): Promise<void> {
	return write(process.stdout.isTTY ? shownInTerminal(data) : data);
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * A text in which line ends and tabs are the only control characters. A line end of Windows is one
 * line end, so its CR is not shown.
 */
export function shownInTerminal(data: Uint8Array | string): string {
	const text = typeof data === "string" ? data : decoder.decode(data);
	return text.replace(/(?![\n\t]|\r\n)[\p{Cc}\p{Bidi_Control}]/gu, escaped);
}

/**
 * A remark of ours on stderr, in one line. stdout belongs to results: `robotrie match … > verdicts`
 * must hold nothing else.
 */
export function tell(message: string): void {
	process.stderr.write(`robotrie: ${printable(message)}\n`);
}

/** Colours the text if stdout is a terminal that wants it (NO_COLOR and FORCE_COLOR count). */
export function paint(style: Parameters<typeof styleText>[0], text: string) {
	return util().styleText(style, text, { stream: process.stdout });
}

/** A value as JSON. Control characters that JSON would leave as they are (DEL, C1, writing direction) are escaped, too: they could drive a terminal. */
export function jsonText(value: unknown, indent?: number): string {
	return JSON.stringify(value, null, indent).replace(
		/[\x7f-\x9f\p{Bidi_Control}]/gu,
		(character) =>
			`\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);
}

/** A JSON array, an element a line, written as it grows. */
export class JsonList {
	#open = false;

	/** The text that adds an element. */
	item(value: unknown): string {
		const lead = this.#open ? ",\n" : "[\n";
		this.#open = true;
		return `${lead}  ${jsonText(value)}`;
	}

	/** The text that ends the array. */
	end(): string {
		return this.#open ? "\n]\n" : "[]\n";
	}
}
