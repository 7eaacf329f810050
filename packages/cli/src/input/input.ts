/**
 * Files and stdin as commands name them: patterns expanded, "-" for stdin, and what to type where a URL was named. What the bytes are turned
 * into (gzip and zstd decompressed, UTF-16 decoded) is @robotrie/sites'. What cannot be read is an error that names the file.
 */

import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { parseUrl } from "#robotrie/common/arguments";
import { systemReason } from "#sites/files/errors";
import { sizeOf as fileSize, statIfThere, statOf } from "#sites/files/stat";
import { collect, READ_AT_ONCE, textOf, unpacked } from "#sites/files/text";
import { Failure, tell } from "../output/output.ts";

/** The name that stands for stdin. */
export const STDIN = "-";

/** The files that arguments name; stdin if there are none. Stdin may be named once. */
export function inputsOf(files: readonly string[]): readonly string[] {
	if (files.filter((file) => file === STDIN).length > 1)
		throw new Failure("stdin can be read only once");
	return files.length > 0 ? files : [STDIN];
}

/**
 * The files that arguments name, patterns expanded: not every shell does that. A pattern that is the name of a file is that.
 * @param orFolders Whether a pattern may find folders, too.
 * @throws {Failure} For a pattern that no file matches.
 */
export async function expandFiles(
	files: readonly string[],
	orFolders = false,
): Promise<readonly string[]> {
	const expanded: string[] = [];
	// A file named like a pattern is that file; a URL has signs of patterns in its query.
	for (const file of files) {
		// Only patterns need the package.
		if (!/[*?[\]{}()!]/.test(file) || exists(file) || isUrl(file)) {
			expanded.push(file);
			continue;
		}
		const { glob, isDynamicPattern } = await import("tinyglobby");
		if (!isDynamicPattern(file)) {
			expanded.push(file);
			continue;
		}
		const found = await glob(file, {
			onlyFiles: !orFolders,
			expandDirectories: false,
			dot: true,
		});
		if (found.length === 0) throw new Failure(`no file matches ${file}`);
		expanded.push(...found.sort());
		// Sorted, as the order of a directory is the file system's.
	}
	return expanded;
}

function exists(file: string): boolean {
	return statIfThere(file) !== undefined;
}

function isUrl(text: string): boolean {
	return /^(?:https?|ftp):\/\//i.test(text);
}

/**
 * Commands that read lists of URLs are often given one URL instead; each says what to type.
 * @throws {Failure} For a URL instead of a file; `hint` says what to do with it.
 */
export function refuseUrls(
	files: readonly string[],
	hint: (url: string) => string,
): void {
	for (const file of files)
		if (isUrl(file) && !exists(file))
			throw new Failure(`${file} is not a file; ${hint(file)}`);
}

/** @throws {Failure} For a file instead of a URL; `hint` says what to do with it. */
export function refuseFiles(
	urls: readonly string[],
	hint: (file: string) => string,
): void {
	for (const url of urls)
		if (!url.startsWith("/") && !isUrl(url) && url !== "" && exists(url))
			throw new Failure(`${url} is a file, not a URL; ${hint(url)}`);
}

/** Names of files, none of which ends like a host. */
const FILE_NAME =
	/^[^/]*\.(?:txt|log|gz|zst|csv|tsv|json|jsonl|ndjson|conf|xml|html|parquet|arrow|index|state|robotrie)$/i;

/**
 * "; did you mean https://example.com/?" for a text that lacks its scheme, else nothing. Only a text that looks like a host gets the hint; a
 * path, a word or the name of a file does not: "https://robots.txt/" helps nobody.
 */
export function schemeHint(text: string): string {
	if (
		FILE_NAME.test(text) ||
		!/^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?::\d{1,5})?(?:[/?#]|$)/i.test(text)
	)
		return "";
	const url = parseUrl(`https://${text}`);
	return url ? `; did you mean ${url.href}?` : "";
}

/** What is wrong with a URL that the library refuses, with a hint unless it gives one itself. */
export function urlMessage({ message }: Error, url: string): string {
	return message.includes("did you mean") ? message : message + schemeHint(url);
}

/** A file's name as messages show it. */
export function nameOf(file: string): string {
	return file === STDIN ? "<stdin>" : file;
}

/**
 * The text of a file or of stdin as it comes: decompressed, and as UTF-8 without a byte order mark.
 * @param onPlain Called with whether these are the file's bytes as they are.
 * @param chunk Bytes of a file that are read at once.
 * @param onRead Called with the number of bytes that were read, as they are stored.
 * @throws {Failure} When it cannot be read, or its compression or encoding is damaged or unknown.
 */
export function readText(
	file: string,
	onPlain?: (isPlain: boolean) => void,
	chunk?: number,
	onRead?: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
	return textOf(readRaw(file, onRead, chunk), nameOf(file), onPlain);
}

/**
 * The bytes of a file or of stdin as they come; gzip and zstd, recognised by their first bytes, are decompressed.
 * @throws {Failure} When it cannot be read, or is compressed and damaged.
 */
export function readBytes(
	file: string,
	onCompressed?: () => void,
): AsyncGenerator<Uint8Array> {
	return unpacked(readRaw(file), nameOf(file), onCompressed);
}

/**
 * The bytes of a file or of stdin as they are stored.
 * @param onRead Called with the number of bytes that were read.
 * @throws {Failure} When it cannot be read.
 */
export async function* readRaw(
	file: string,
	onRead?: (bytes: number) => void,
	chunk?: number,
): AsyncGenerator<Uint8Array> {
	try {
		// Counted as stored, since progress is about the file's size.
		for await (const bytes of open(file, chunk)) {
			onRead?.(bytes.length);
			yield bytes;
		}
	} catch (error) {
		const reason = systemReason(error);
		if (reason === undefined) throw error;
		const name = nameOf(file);
		// A URL is a file that does not exist: it needs another message than a typo.
		if (isUrl(file))
			throw new Failure(
				`${name} is not a file: fetch it first and pass it on stdin, "-", as in curl -s ${name} | robotrie …`,
			);
		throw new Failure(`cannot read ${name}: ${reason}${schemeHint(file)}`);
	}
}

/** The bytes of a file or of stdin as they are. @throws {Failure} For a directory as stdin. */
export function open(file: string, chunk = READ_AT_ONCE): Readable {
	if (file !== STDIN) return createReadStream(file, { highWaterMark: chunk });
	// process.stdin would be an empty stream. A directory as stdin is a shell mistake (`robotrie
	// match < robots/`).
	if (statOf(0).isDirectory())
		throw new Failure("cannot read <stdin>: it is a directory");
	// Without this, a command that waits for the keyboard looks as if it hung.
	if (process.stdin.isTTY) tellOfTerminal();
	return process.stdin;
}

let isTold = false;

/** Says once why nothing happens: the command waits for what is typed. */
function tellOfTerminal(): void {
	if (!isTold)
		tell(
			`reading from the terminal; ${process.platform === "win32" ? "Ctrl-Z and Enter end" : "Ctrl-D ends"} the input`,
		);
	isTold = true;
}

/** All bytes of a file or of stdin, decompressed, in the encoding that they have. */
export function readWhole(
	file: string,
	onCompressed?: () => void,
): Promise<Uint8Array> {
	return collect(readBytes(file, onCompressed), nameOf(file));
}

/** The whole text of a file or of stdin. */
export async function readWholeText(file: string): Promise<string> {
	return new TextDecoder().decode(await collect(readText(file), nameOf(file)));
}

/**
 * The bytes of the files that are named, as they are stored; 0 for stdin and for files that cannot
 * be read. A file that cannot be read counts as empty here; reading it later says why.
 */
export function sizeOfInputs(files: readonly string[]): number {
	return files.reduce((sum, file) => sum + sizeOf(file), 0);
}

function sizeOf(file: string): number {
	try {
		return file === STDIN ? 0 : fileSize(file);
	} catch {
		return 0;
	}
}
