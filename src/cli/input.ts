import { createReadStream, fstatSync } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import {
	type Compression,
	compressionOf,
	MAGIC,
	withHead,
} from "../common/compression.ts";
import { decompressZstd } from "../common/zstd.ts";
import { Failure, systemReason } from "./failure.ts";

/** The name that stands for stdin. */
export const STDIN = "-";

const CHUNK = 256 * 1024;

/** The files that arguments name: stdin when there are none, and not twice. */
export function inputsOf(files: readonly string[]): readonly string[] {
	if (files.filter((file) => file === STDIN).length > 1)
		throw new Failure("stdin can be read only once");
	return files.length > 0 ? files : [STDIN];
}

/** A file's name as messages show it. */
export function nameOf(file: string): string {
	return file === STDIN ? "<stdin>" : file;
}

/**
 * The bytes of a file or of stdin, as they come; gzip and zstd, told by their first bytes, are decompressed.
 * @throws {Failure} When it cannot be read, or is compressed and damaged.
 */
export async function* readBytes(
	file: string,
	onCompression?: (kind: Compression) => void,
): AsyncGenerator<Uint8Array> {
	const name = nameOf(file);
	try {
		const { head, bytes } = await withHead(open(file), MAGIC);
		const kind = compressionOf(head);
		onCompression?.(kind);
		if (kind === "plain") yield* bytes;
		else yield* decompress(bytes, kind, name);
	} catch (error) {
		const reason = systemReason(error);
		if (reason === undefined) throw error;
		if (/^https?:\/\//i.test(file))
			throw new Failure(
				`${name} is no file: fetch it first and give it to stdin, "-", as in curl -s ${name} | robotrie …`,
			);
		throw new Failure(`cannot read ${name}: ${reason}`);
	}
}

function open(file: string): Readable {
	if (file !== STDIN) return createReadStream(file, { highWaterMark: CHUNK });
	// process.stdin would be an empty stream.
	if (fstatSync(0).isDirectory())
		throw new Failure("cannot read <stdin>: it is a directory");
	return process.stdin;
}

/** Much larger than any robots.txt that counts. */
const LARGEST_FILE = 256 * 1024 * 1024;

/** All bytes of a file or of stdin, decompressed. */
export async function readWhole(file: string): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of readBytes(file)) {
		size += chunk.length;
		if (size > LARGEST_FILE)
			throw new Failure(
				`${nameOf(file)} is no robots.txt: it is larger than ${LARGEST_FILE} bytes`,
			);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks, size);
}

/** The first bytes of a file, decompressed, at most about `size`, and whether it is compressed. */
export async function readStart(
	file: string,
	size: number,
): Promise<{ head: Uint8Array; compressed: boolean }> {
	const chunks: Uint8Array[] = [];
	let read = 0;
	let compressed = false;
	const bytes = readBytes(file, (kind) => {
		compressed = kind !== "plain";
	});
	for await (const chunk of bytes) {
		chunks.push(chunk);
		read += chunk.length;
		if (read >= size) break;
	}
	return { head: Buffer.concat(chunks), compressed };
}

async function* decompress(
	bytes: AsyncIterable<Uint8Array>,
	kind: "gzip" | "zstd",
	name: string,
): AsyncGenerator<Uint8Array> {
	try {
		yield* kind === "gzip" ? decompressGzip(bytes) : decompressZstd(bytes);
	} catch (error) {
		if (systemReason(error) !== undefined) throw error;
		const reason = error instanceof Error ? error.message : String(error);
		throw new Failure(`${name} holds damaged ${kind} data: ${reason}`);
	}
}

/** Also members end to end, as rotated logs have them. */
async function* decompressGzip(
	bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
	const source = Readable.from(bytes, { objectMode: false });
	// Errors reach the loop as well; the callback is there only because one is asked for.
	const gunzip = pipeline(source, createGunzip({ chunkSize: CHUNK }), () => {});
	for await (const chunk of gunzip) yield chunk;
}
