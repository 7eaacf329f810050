/**
 * Decodes the bodies of responses. The client does it itself because fetch does not notice when a compressed body breaks off, and because a
 * small body may decode to an endless one: both input and output are bounded. exchange.ts and the command line's readers of WARC use it.
 */

import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import zlib from "node:zlib";

/** Content codings that the client asks for (RFC 9110 §8.4.1). Deno 2.9 does not notice where a br stream breaks off. */
export const codings: readonly string[] =
	process.versions.deno === undefined
		? ["gzip", "br", "deflate"]
		: ["gzip", "deflate"];

/** As many as fetch accepts; more layers can only be meant to waste the client's time. */
const MOST_CODINGS = 5;

export interface DecodeOptions {
	/** Most bytes that a decoder reads: a body may decode to nothing forever. */
	readonly maxInput: number;
	/** Whether an empty input is an empty body. */
	readonly mayBeEmpty: boolean;
}

/** The error of a body that cannot be decoded, whatever follows. */
export class CodingRefused extends Error {}

/** Codings that change the bytes, and that nobody asked for (IANA, "HTTP Content Coding Registry"). */
const unasked =
	/^(x-)?(aes128gcm|br|compress|dcb|dcz|deflate|exi|gzip|pack200-gzip|zstd)$/;

/**
 * The codings that a Content-Encoding field names, in the order in which they were applied. Names of no coding ("none", "utf-8", "binary",
 * "aws-chunked") are what servers say of plain text, so they are left out, as other clients do.
 * @throws {CodingRefused} for a coding that was not asked for, and for more than 5.
 */
export function codingsOf(field: string | null): string[] {
	const names = (field ?? "")
		.toLowerCase()
		.split(",")
		.map((name) => name.trim().replace(/^x-gzip$/, "gzip"))
		.filter((name) => codings.includes(name) || unasked.test(name));
	const unknown = names.find((name) => !codings.includes(name));
	if (unknown !== undefined)
		throw new CodingRefused(
			`the body has the content coding ${unknown}, which was not asked for`,
		);
	if (names.length > MOST_CODINGS)
		throw new CodingRefused(
			`${names.length} content codings, more than ${MOST_CODINGS}`,
		);
	return names;
}

/**
 * Takes codings off a body. Every compressed stream has to be complete: one that breaks off is an error at its end, even
 * where the HTTP message around it is complete. Bytes after the end of a deflate or br stream are ignored; after a gzip
 * member there may be further members (RFC 1952 §2.2) and zero bytes.
 */
export function decode(
	body: AsyncIterable<Uint8Array>,
	names: readonly string[],
	options: DecodeOptions,
): AsyncIterable<Uint8Array> {
	return names.reduceRight<AsyncIterable<Uint8Array>>(
		(source, name) => decodeLayer(source, name, options),
		body,
	);
}

/**
 * Each layer is bounded by itself, as a small body may decode to a large one, and that to a larger
 * one.
 */
async function* decodeLayer(
	source: AsyncIterable<Uint8Array>,
	name: string,
	{ maxInput, mayBeEmpty }: DecodeOptions,
): AsyncGenerator<Uint8Array> {
	const input = bounded(source, maxInput);
	const head = await firstBytes(input);
	if (head.length === 0 && mayBeEmpty) return;
	const decoder = decoderFor(name, head);
	const whole = Readable.from(chain(head, input), { objectMode: false });
	const done = pipeline(whole, decoder);
	// An error of the source or the decoder also ends the iteration below.
	done.catch(() => {});
	yield* decoder as AsyncIterable<Uint8Array>;
	await done;
}

function decoderFor(name: string, head: Uint8Array) {
	if (name === "gzip") return zlib.createGunzip();
	if (name === "br") return zlib.createBrotliDecompress();
	// "deflate" is the zlib format, but some servers send the bare data (RFC 9110 §8.4.1.2). RFC 1950 §2.2 tells them apart.
	const [cmf = 0, flags = 0] = head;
	const isZlib = (cmf & 15) === 8 && (cmf * 256 + flags) % 31 === 0;
	return isZlib ? zlib.createInflate() : zlib.createInflateRaw();
}

/**
 * Two bytes or more; fewer only where the source has no more. Two bytes tell zlib from bare
 * deflate.
 */
async function firstBytes(
	source: AsyncGenerator<Uint8Array>,
): Promise<Uint8Array> {
	let head: Uint8Array = new Uint8Array();
	while (head.length < 2) {
		const { done, value } = await source.next();
		if (done) break;
		head = Buffer.concat([head, value]);
	}
	return head;
}

async function* chain(
	head: Uint8Array,
	rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
	yield head;
	yield* rest;
}

async function* bounded(
	source: AsyncIterable<Uint8Array>,
	most: number,
): AsyncGenerator<Uint8Array> {
	let size = 0;
	for await (const chunk of source) {
		size += chunk.length;
		if (size > most)
			throw new CodingRefused(
				`more than ${most} compressed bytes with too little content`,
			);
		yield chunk;
	}
}
