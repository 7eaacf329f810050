/**
 * Files and stdin as bytes or text: patterns expanded, gzip and zstd decompressed, UTF-16 and byte order marks turned into UTF-8. All commands
 * read by it. Input may be larger than memory and is passed on in chunks; what cannot be read is a Failure that names the file.
 */
import { createReadStream, fstatSync, statSync } from "node:fs";
import { pipeline, Readable } from "node:stream";
import {
	compressionOf,
	decompressZstd,
	MAGIC,
	parseUrl,
	withHead,
} from "robotrie/internal";
import { Failure, systemReason, tell } from "../output/output.ts";

/** The name that stands for stdin. */
export const STDIN = "-";

/**
 * Bytes of a file that are read at once. A multiple of what disks and pipes give at once, and
 * little enough to stay in the cache.
 */
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
	return statSync(file, { throwIfNoEntry: false }) !== undefined;
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
	/^[^/]*\.(?:txt|log|gz|zst|csv|tsv|json|jsonl|ndjson|xml|html|parquet|arrow|index|state|robotrie)$/i;

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
export async function* readText(
	file: string,
	onPlain?: (isPlain: boolean) => void,
	chunk?: number,
	onRead?: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
	let isCompressed = false;
	const onCompressed = () => {
		// Known after the first bytes, before any text is yielded: `match` decides by it whether
		// threads may read the file themselves.
		isCompressed = true;
	};
	const raw = readRaw(file, onRead, chunk);
	const bytes = unpacked(raw, nameOf(file), onCompressed);
	yield* asUtf8(bytes, nameOf(file), (isPlain) =>
		onPlain?.(isPlain && !isCompressed),
	);
}

/** As `readText`, of bytes as they are stored. */
export function textOf(
	raw: AsyncIterable<Uint8Array>,
	name: string,
): AsyncGenerator<Uint8Array> {
	return asUtf8(unpacked(raw, name), name);
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

async function* unpacked(
	raw: AsyncIterable<Uint8Array>,
	name: string,
	onCompressed?: () => void,
): AsyncGenerator<Uint8Array> {
	// The head is put back in front, so that the reader of the bytes sees all of them.
	const { head, bytes } = await withHead(raw, MAGIC);
	if (compressionOf(head) !== "plain") onCompressed?.();
	yield* decompressed(bytes, head, name);
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
	// process.stdin would be an empty stream. A directory as stdin is a shell mistake (`robotrie
	// match < robots/`).
	if (fstatSync(0).isDirectory())
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

/**
 * Much larger than any robots.txt or list of addresses. A limit on what is held in memory, so that
 * a wrong file is an error and not a crash.
 */
const LARGEST_FILE = 256 * 1024 * 1024;

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

async function collect(
	source: AsyncIterable<Uint8Array>,
	name: string,
): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of source) {
		size += chunk.length;
		// Checked while it grows: the size of a stream is not known before.
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
		// Stopping early closes the file, as leaving a generator ends it.
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
		// Errors of reading are not damage; both come out of the same pipe.
		if (error instanceof Failure || systemReason(error) !== undefined)
			throw error;
		const reason = error instanceof Error ? error.message : String(error);
		throw new Failure(`${name} holds damaged ${kind} data: ${reason}`);
	}
}

/**
 * Also members end to end, as rotated logs have them. Node's gunzip goes on after the end of a
 * member, which a stream of one member would not.
 */
async function* decompressGzip(
	bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
	const { createGunzip } = await import("node:zlib");
	const source = Readable.from(bytes, { objectMode: false });
	// Errors reach the loop as well; the callback is there only because one is asked for.
	const gunzip = pipeline(source, createGunzip({ chunkSize: CHUNK }), () => {});
	for await (const chunk of gunzip) yield chunk;
}

/**
 * Bytes that every decision needs, where there are so many. Four bytes tell UTF-8, UTF-16 and
 * UTF-32 apart by their marks.
 */
const MARK = 4;
/** Bytes that are looked at for UTF-16 without a byte order mark. */
const LOOKED_AT = 16;

/** Bytes by which other formats are recognised. A reader does not wait for them: with fewer, BZh may be text. */
const FORMAT = 10;
/**
 * Formats whose text is not read: how their first bytes begin and end, and what to do. Formats that
 * look like text to a parser of lines are worse than an error: every line would be invalid, without
 * a word.
 */
const otherFormats = [
	["\xfd7zX", "", "is compressed with xz: decompress it first, with xz -dc"],
	[
		"BZh",
		"1AY&SY",
		"is compressed with bzip2: decompress it first, with bzip2 -dc",
	],
	[
		"\x04\x22M\x18",
		"",
		"is compressed with lz4: decompress it first, with lz4 -dc",
	],
	["PK\x03\x04", "", "is a zip archive: unpack it first, with unzip -p"],
] as const;

/**
 * Other encodings are not recognised: bytes above 127 are then matched as they are, as RFC 9309
 * compares bytes.
 */
type Encoding = "utf-8" | "utf-8-bom" | "utf-16le" | "utf-16be";

/**
 * A text as UTF-8 without a byte order mark. The mark says the encoding; without one it is UTF-8, whose bytes are passed
 * on as they are, valid or not.
 * @param onPlain Called with whether the bytes are passed on as they are.
 * @throws {Failure} For UTF-32, UTF-16 without a byte order mark, invalid UTF-16, and what is compressed in a way that is not read.
 */
export async function* asUtf8(
	source: AsyncIterable<Uint8Array>,
	name: string,
	onPlain?: (isPlain: boolean) => void,
): AsyncGenerator<Uint8Array> {
	const { head, bytes } = await withHead(source, MARK);
	const encoding = encodingOf(head, name);
	onPlain?.(encoding === "utf-8");
	if (encoding === "utf-8") yield* bytes;
	else if (encoding === "utf-8-bom") yield* without(3, bytes);
	else yield* transcoded(bytes, encoding, name);
}

function checkFormat(head: Uint8Array, name: string): void {
	const bytes = Buffer.from(head.subarray(0, FORMAT)).toString("latin1");
	for (const [start, end, message] of otherFormats)
		if (bytes.startsWith(start) && bytes.endsWith(end))
			throw new Failure(`${name} ${message}`);
}

/** The encoding of a text, by its first bytes. @throws {Failure} As `asUtf8` does. */
export function encodingOf(head: Uint8Array, name: string): Encoding {
	checkFormat(head, name);
	const [a, b, c, d] = head;
	if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8-bom";
	if (
		(a === 0xff && b === 0xfe && c === 0 && d === 0) ||
		(a === 0 && b === 0 && c === 0xfe && d === 0xff)
	)
		// Checked before UTF-16, whose mark a UTF-32 mark begins with.
		throw new Failure(`${name} is UTF-32: convert it to UTF-8`);
	if (a === 0xff && b === 0xfe) return "utf-16le";
	if (a === 0xfe && b === 0xff) return "utf-16be";
	// Its lines would be read as paths with NUL bytes, which few rules disallow.
	if (looksLikeUtf16(head))
		throw new Failure(
			`${name} looks like UTF-16 without a byte order mark: convert it to UTF-8`,
		);
	return "utf-8";
}

/** Whether every other byte is NUL, and none of the others. */
function looksLikeUtf16(head: Uint8Array): boolean {
	const length = Math.min(head.length, LOOKED_AT) & ~1;
	if (length < MARK) return false;
	for (const first of [0, 1]) {
		let pairs = 0;
		for (let at = 0; at < length; at += 2)
			if (head[at + first] === 0 && head[at + 1 - first] !== 0) pairs++;
		if (pairs * 2 === length) return true;
	}
	return false;
}

/**
 * The first chunk holds what is left out. Only the first bytes are left out; they may be all of a
 * chunk.
 */
async function* without(
	count: number,
	chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
	let left = count;
	for await (const chunk of chunks) {
		if (chunk.length > left) yield chunk.subarray(left);
		left = 0;
	}
}

async function* transcoded(
	chunks: AsyncIterable<Uint8Array>,
	encoding: "utf-16le" | "utf-16be",
	name: string,
): AsyncGenerator<Uint8Array> {
	// Fatal: a lossy conversion would judge URLs that nobody wrote.
	const decoder = new TextDecoder(encoding, { fatal: true });
	const decode = (chunk?: Uint8Array) => {
		try {
			return Buffer.from(
				decoder.decode(chunk, { stream: chunk !== undefined }),
			);
		} catch {
			throw new Failure(`${name} is UTF-16 and damaged`);
		}
	};
	for await (const chunk of chunks) yield decode(chunk);
	// Flushes what half a character left, or fails for it.
	yield decode();
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
		return file === STDIN ? 0 : statSync(file).size;
	} catch {
		return 0;
	}
}
