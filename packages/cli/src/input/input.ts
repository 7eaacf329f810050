import { createReadStream, fstatSync, statSync } from "node:fs";
import { pipeline, Readable } from "node:stream";
import {
	compressionOf,
	decompressZstd,
	MAGIC,
	parseUrl,
	withHead,
} from "robotrie/internal";
import { Failure, systemReason } from "../output/failure.ts";
import { tell } from "../output/output.ts";
import { asUtf8 } from "./encoding.ts";

/** The name that stands for stdin. */
export const STDIN = "-";

/** Bytes of a file that are read at once. */
const CHUNK = 256 * 1024;

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
	}
	return expanded;
}

function exists(file: string): boolean {
	return statSync(file, { throwIfNoEntry: false }) !== undefined;
}

function isUrl(text: string): boolean {
	return /^(?:https?|ftp):\/\//i.test(text);
}

/** @throws {Failure} For a URL in the place of a file; `hint` says what to do with it. */
export function refuseUrls(
	files: readonly string[],
	hint: (url: string) => string,
): void {
	for (const file of files)
		if (isUrl(file) && !exists(file))
			throw new Failure(`${file} is not a file; ${hint(file)}`);
}

/** @throws {Failure} For a file in the place of a URL; `hint` says what to do with it. */
export function refuseFiles(
	urls: readonly string[],
	hint: (file: string) => string,
): void {
	for (const url of urls)
		if (!url.startsWith("/") && !isUrl(url) && url !== "" && exists(url))
			throw new Failure(`${url} is a file, not a URL; ${hint(url)}`);
}

/** "; did you mean https://example.com/?" for a text that lacks its scheme, else nothing. */
export function schemeHint(text: string): string {
	if (!/^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?::\d{1,5})?(?:[/?#]|$)/i.test(text))
		return "";
	const url = parseUrl(`https://${text}`);
	return url ? `; did you mean ${url.href}?` : "";
}

/** A file's name as messages show it. */
export function nameOf(file: string): string {
	return file === STDIN ? "<stdin>" : file;
}

/**
 * The text of a file or of stdin as it comes: decompressed, and as UTF-8 without a byte order mark.
 * @param onPlain Told whether these are the file's bytes as they are.
 * @param chunk Bytes of a file that are read at once.
 * @param onRead Told how many bytes were read, as they are stored.
 * @throws {Failure} When it cannot be read, or its compression or encoding is damaged or unknown.
 */
export async function* readText(
	file: string,
	onPlain?: (isPlain: boolean) => void,
	chunk?: number,
	onRead?: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
	let isCompressed = false;
	const onCompressed = () => {
		isCompressed = true;
	};
	const bytes = readBytes(file, onCompressed, chunk, onRead);
	yield* asUtf8(bytes, nameOf(file), (isPlain) =>
		onPlain?.(isPlain && !isCompressed),
	);
}

/**
 * The bytes of a file or of stdin as they come; gzip and zstd, told by their first bytes, are decompressed.
 * @throws {Failure} When it cannot be read, or is compressed and damaged.
 */
export async function* readBytes(
	file: string,
	onCompressed?: () => void,
	chunk?: number,
	onRead?: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
	const raw = readRaw(file, onRead, chunk);
	const { head, bytes } = await withHead(raw, MAGIC);
	if (compressionOf(head) !== "plain") onCompressed?.();
	yield* decompressed(bytes, head, nameOf(file));
}

/**
 * The bytes of a file or of stdin as they are stored.
 * @param onRead Told how many bytes were read.
 * @throws {Failure} When it cannot be read.
 */
export async function* readRaw(
	file: string,
	onRead?: (bytes: number) => void,
	chunk?: number,
): AsyncGenerator<Uint8Array> {
	try {
		for await (const bytes of open(file, chunk)) {
			onRead?.(bytes.length);
			yield bytes;
		}
	} catch (error) {
		const reason = systemReason(error);
		if (reason === undefined) throw error;
		const name = nameOf(file);
		if (isUrl(file))
			throw new Failure(
				`${name} is not a file: fetch it first and pass it on stdin, "-", as in curl -s ${name} | robotrie …`,
			);
		throw new Failure(`cannot read ${name}: ${reason}${schemeHint(file)}`);
	}
}

/** Bytes that begin with `head`, decompressed if they are gzip or zstd. @throws {Failure} When they are damaged. */
export async function* decompressed(
	bytes: AsyncIterable<Uint8Array>,
	head: Uint8Array,
	name: string,
): AsyncGenerator<Uint8Array> {
	const kind = compressionOf(head);
	if (kind === "plain") yield* bytes;
	else yield* decompress(bytes, kind, name);
}

/** The bytes of a file or of stdin as they are. @throws {Failure} For a directory as stdin. */
export function open(file: string, chunk = CHUNK): Readable {
	if (file !== STDIN) return createReadStream(file, { highWaterMark: chunk });
	// process.stdin would be an empty stream.
	if (fstatSync(0).isDirectory())
		throw new Failure("cannot read <stdin>: it is a directory");
	if (process.stdin.isTTY) tellOfTerminal();
	return process.stdin;
}

let isTold = false;

/** Says why nothing happens, once: what is typed is waited for. */
export function tellOfTerminal(): void {
	if (!isTold)
		tell(
			`reading from the terminal; ${process.platform === "win32" ? "Ctrl-Z and Enter end" : "Ctrl-D ends"} the input`,
		);
	isTold = true;
}

/** Much larger than any robots.txt or list of addresses. */
const LARGEST_FILE = 256 * 1024 * 1024;

/** All bytes of a file or of stdin, decompressed, in the encoding that they have. */
export function readWhole(file: string): Promise<Uint8Array> {
	return collect(readBytes(file), nameOf(file));
}

/** The whole text of a file or of stdin. */
export async function readWholeText(file: string): Promise<string> {
	return new TextDecoder().decode(await collect(readText(file), nameOf(file)));
}

async function collect(
	source: AsyncIterable<Uint8Array>,
	name: string,
): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of source) {
		size += chunk.length;
		if (size > LARGEST_FILE)
			throw new Failure(`${name} is larger than ${LARGEST_FILE} bytes`);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks, size);
}

/** The first bytes of a file's text, at most about `size`, and whether they are the file's bytes as they are. */
export async function readStart(
	file: string,
	size: number,
): Promise<{ head: Uint8Array; isPlain: boolean }> {
	const chunks: Uint8Array[] = [];
	let read = 0;
	let isPlain = true;
	const text = readText(file, (plain) => {
		isPlain = plain;
	});
	for await (const chunk of text) {
		chunks.push(chunk);
		read += chunk.length;
		if (read >= size) break;
	}
	return { head: Buffer.concat(chunks), isPlain };
}

async function* decompress(
	bytes: AsyncIterable<Uint8Array>,
	kind: "gzip" | "zstd",
	name: string,
): AsyncGenerator<Uint8Array> {
	try {
		yield* kind === "gzip" ? decompressGzip(bytes) : decompressZstd(bytes);
	} catch (error) {
		if (error instanceof Failure || systemReason(error) !== undefined)
			throw error;
		const reason = error instanceof Error ? error.message : String(error);
		throw new Failure(`${name} holds damaged ${kind} data: ${reason}`);
	}
}

/** Also members end to end, as rotated logs have them. */
async function* decompressGzip(
	bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
	const { createGunzip } = await import("node:zlib");
	const source = Readable.from(bytes, { objectMode: false });
	// Errors reach the loop as well; the callback is there only because one is asked for.
	const gunzip = pipeline(source, createGunzip({ chunkSize: CHUNK }), () => {});
	for await (const chunk of gunzip) yield chunk;
}
