/**
 * Bytes of files as text: gzip and zstd decompressed, UTF-16 and byte order marks turned into UTF-8. Records are read by it, and all commands.
 * Input may be larger than memory and is passed on in chunks; what cannot be read is an error that names the file.
 */
import { createReadStream } from "node:fs";
import { pipeline, Readable } from "node:stream";
import {
	compressionOf,
	decompressZstd,
	MAGIC,
	withHead,
} from "#robotrie/common/compression";
import { failureOf, isSitesError, SitesError, systemReason } from "./errors.ts";

/**
 * Bytes of a file that are read at once. A multiple of what disks and pipes give at once, and
 * little enough to stay in the cache.
 */
export const READ_AT_ONCE = 256 * 1024;

/**
 * The bytes of a file as they are stored.
 * @param onRead Called with the number of bytes that were read.
 * @throws {SitesError} unreadable.
 */
export async function* readFile(
	path: string,
	onRead?: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
	try {
		const chunks = createReadStream(path, { highWaterMark: READ_AT_ONCE });
		for await (const bytes of chunks as AsyncIterable<Uint8Array>) {
			onRead?.(bytes.length);
			yield bytes;
		}
	} catch (error) {
		throw failureOf(`read ${path}`, error);
	}
}

/** Whether these are the first bytes of a Parquet file. */
export function isParquet(head: Uint8Array): boolean {
	return Buffer.from(head.subarray(0, 4)).toString("latin1") === "PAR1";
}

/** All bytes of a file, decompressed. @throws {SitesError} unreadable; malformed. */
export const readWhole = (path: string): Promise<Uint8Array> =>
	collect(unpacked(readFile(path), path), path);

/** Bytes as they are stored, gzip and zstd decompressed: they are recognised by their first bytes. @throws {SitesError} malformed. */
export async function* unpacked(
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
 * Much larger than any robots.txt or list of addresses. A limit on what is held in memory, so that
 * a wrong file is an error and not a crash.
 */
const LARGEST_FILE = 256 * 1024 * 1024;

/** All chunks in one. @throws {SitesError} For more than 256 MiB. */
export async function collect(
	source: AsyncIterable<Uint8Array>,
	name: string,
): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of source) {
		size += chunk.length;
		// Checked while it grows: the size of a stream is not known before.
		if (size > LARGEST_FILE)
			throw new SitesError(
				"malformed",
				`${name} is larger than ${LARGEST_FILE} bytes`,
			);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks, size);
}

/** Bytes that begin with `head`, decompressed if they are gzip or zstd. @throws {SitesError} When they are damaged. */
export async function* decompressed(
	bytes: AsyncIterable<Uint8Array>,
	head: Uint8Array,
	name: string,
): AsyncGenerator<Uint8Array> {
	const kind = compressionOf(head);
	if (kind === "plain") yield* bytes;
	else yield* decompress(bytes, kind, name);
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
		if (isSitesError(error) || systemReason(error) !== undefined) throw error;
		const reason = error instanceof Error ? error.message : String(error);
		throw new SitesError(
			"malformed",
			`${name} holds damaged ${kind} data: ${reason}`,
		);
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
	const gunzip = pipeline(
		source,
		createGunzip({ chunkSize: READ_AT_ONCE }),
		() => {},
	);
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

/** Where "ustar" is in a tar archive. */
const TAR_SIGN = 257;

/**
 * Other encodings are not recognised: bytes above 127 are then matched as they are, as RFC 9309
 * compares bytes.
 */
type Encoding = "utf-8" | "utf-8-bom" | "utf-16le" | "utf-16be";

/**
 * A text as UTF-8 without a byte order mark. The mark says the encoding; without one it is UTF-8, whose bytes are passed
 * on as they are, valid or not.
 * @param onPlain Called with whether the bytes are passed on as they are.
 * @throws {SitesError} For UTF-32, UTF-16 without a byte order mark, invalid UTF-16, and what is compressed in a way that is not read.
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

/**
 * The text of bytes as they are stored: decompressed, and UTF-8 without a byte order mark.
 * @param onPlain Called with whether these are the bytes as they are stored, before the first of them is yielded.
 * @throws {SitesError} malformed.
 */
export async function* textOf(
	raw: AsyncIterable<Uint8Array>,
	name: string,
	onPlain?: (isPlain: boolean) => void,
): AsyncGenerator<Uint8Array> {
	let isCompressed = false;
	const bytes = unpacked(raw, name, () => {
		isCompressed = true;
	});
	yield* asUtf8(bytes, name, (isPlain) => onPlain?.(isPlain && !isCompressed));
}

/** The first bytes of that text, about `size`, and whether they are the bytes as they are stored. */
export async function startOf(
	raw: AsyncIterable<Uint8Array>,
	name: string,
	size: number,
): Promise<{ head: Uint8Array; isPlain: boolean }> {
	const chunks: Uint8Array[] = [];
	let read = 0;
	let isPlain = true;
	const text = textOf(raw, name, (plain) => {
		isPlain = plain;
	});
	for await (const chunk of text) {
		chunks.push(chunk);
		read += chunk.length;
		// Stopping early closes a file, as leaving a generator ends it.
		if (read >= size) break;
	}
	return { head: Buffer.concat(chunks), isPlain };
}

function checkFormat(head: Uint8Array, name: string): void {
	const bytes = Buffer.from(head.subarray(0, FORMAT)).toString("latin1");
	for (const [start, end, message] of otherFormats)
		if (bytes.startsWith(start) && bytes.endsWith(end))
			throw new SitesError("malformed", `${name} ${message}`);
	// The header of its first file. Its names and padding would be lines among those of the files.
	const sign = Buffer.from(head.subarray(TAR_SIGN, TAR_SIGN + 5));
	if (sign.toString("latin1") === "ustar")
		throw new SitesError(
			"malformed",
			`${name} is a tar archive: unpack it first, with tar -xOf`,
		);
}

/** The encoding of a text, by its first bytes. @throws {SitesError} As `asUtf8` does. */
export function encodingOf(head: Uint8Array, name: string): Encoding {
	checkFormat(head, name);
	const [a, b, c, d] = head;
	if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8-bom";
	if (
		(a === 0xff && b === 0xfe && c === 0 && d === 0) ||
		(a === 0 && b === 0 && c === 0xfe && d === 0xff)
	)
		// Checked before UTF-16, whose mark a UTF-32 mark begins with.
		throw new SitesError("malformed", `${name} is UTF-32: convert it to UTF-8`);
	if (a === 0xff && b === 0xfe) return "utf-16le";
	if (a === 0xfe && b === 0xff) return "utf-16be";
	// Its lines would be read as paths with NUL bytes, which few rules disallow.
	if (looksLikeUtf16(head))
		throw new SitesError(
			"malformed",
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
			throw new SitesError("malformed", `${name} is UTF-16 and damaged`);
		}
	};
	for await (const chunk of chunks) yield decode(chunk);
	// Flushes what half a character left, or fails for it.
	yield decode();
}

const LF = 10;

/**
 * Cuts bytes after line ends only, so that every block but the last holds whole lines. No block is empty. A block may be all of a
 * buffer, to be sent to a thread: the buffer is not touched afterwards.
 * @throws {SitesError} For Parquet, and lines that are too long.
 */
export async function* wholeLines(
	chunks: AsyncIterable<Uint8Array>,
	name: string,
): AsyncGenerator<Uint8Array> {
	let held: Uint8Array[] = [];
	let heldSize = 0;
	let isFirst = true;
	for await (const chunk of chunks) {
		// Only the first chunk can tell: later bytes may look like anything.
		if (isFirst && isParquet(chunk))
			throw new SitesError(
				"malformed",
				`${name} is Parquet: write its texts to a file of lines first`,
			);
		isFirst = false;
		const end = chunk.lastIndexOf(LF) + 1;
		const rest = chunk.subarray(end);
		if (end > 0) {
			// The first line of a chunk may have begun in earlier ones, so their bytes count.
			checkLine(heldSize + chunk.indexOf(LF) + 1, name);
			yield join(held, chunk.subarray(0, end));
			held = [];
			heldSize = 0;
		}
		if (rest.length === 0) continue;
		held.push(rest);
		// A copy is not needed: what is held is a view of the chunk.
		heldSize += rest.length;
		checkLine(heldSize, name);
	}
	if (heldSize > 0) yield Buffer.concat(held);
}

function join(held: readonly Uint8Array[], last: Uint8Array): Uint8Array {
	return held.length === 0 ? last : Buffer.concat([...held, last]);
}

/**
 * A line has to be held in full, and a few times over in the module's memory. A line of more is no
 * URL; it is refused, because it could be all of memory.
 */
const LONGEST_LINE = 64 * 1024 * 1024;

/** @throws {SitesError} For a line that is too long; `size` includes its end. */
export function checkLine(size: number, name: string): void {
	if (size > LONGEST_LINE)
		throw new SitesError(
			"malformed",
			`a line of ${name} is longer than ${LONGEST_LINE} bytes`,
		);
}
