import { withHead } from "robotrie/internal";
import { Failure } from "../output/failure.ts";

/** Bytes that every decision needs, where there are so many. */
const MARK = 4;
/** Bytes that are looked at for UTF-16 without a byte order mark. */
const LOOKED_AT = 16;

/** Bytes that tell other formats. A reader does not wait for them: with fewer, BZh may be text. */
const FORMAT = 10;
/** Formats whose text is not read: how their first bytes begin and end, and what to do. */
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

type Encoding = "utf-8" | "utf-8-bom" | "utf-16le" | "utf-16be";

/**
 * A text as UTF-8 without a byte order mark. The mark tells the encoding; without one it is UTF-8, whose bytes are passed
 * on as they are, valid or not.
 * @param onPlain Told whether the bytes are passed on as they are.
 * @throws {Failure} For UTF-32, UTF-16 without a byte order mark, invalid UTF-16, and what is compressed in a way that is not read.
 */
export async function* asUtf8(
	source: AsyncIterable<Uint8Array>,
	name: string,
	onPlain?: (isPlain: boolean) => void,
): AsyncGenerator<Uint8Array> {
	const { head, bytes } = await withHead(source, MARK);
	checkFormat(head, name);
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

function encodingOf(head: Uint8Array, name: string): Encoding {
	const [a, b, c, d] = head;
	if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8-bom";
	if (
		(a === 0xff && b === 0xfe && c === 0 && d === 0) ||
		(a === 0 && b === 0 && c === 0xfe && d === 0xff)
	)
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

/** The first chunk holds what is left out. */
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
	yield decode();
}
