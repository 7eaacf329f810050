/**
 * A recorded HTTP response as a record: status line, header fields, transfer and content codings, and what each damage means. warc.ts calls
 * it. Crawlers record responses in many ways (codings taken off, fields left), so a body is decoded only if it is what its fields say.
 */
import type { IncomingMessage } from "node:http";
import { Duplex } from "node:stream";
import type { Dialect } from "robotrie";
import { concatenate } from "#robotrie/common/chunks";
import { compressionOf, decompressZstd } from "#robotrie/common/compression";
import {
	CodingRefused,
	codingsOf,
	decode,
} from "#robotrie/common/content-coding";
import { type Fault, type Moved, type Site, siteOfOutcome } from "./records.ts";

/** The type of a robots.txt (RFC 9309 §2.3). */
const TEXT = "text/plain";
/**
 * Bytes of a body, with and without its codings, that are read. A robots.txt of more is cut by
 * every crawler; this is about memory.
 */
const LARGEST = 64 * 1024 * 1024;

/** What an HTTP response for the robots.txt at `url` means, status line and header fields included, as it came over the wire. */
export async function siteOfResponse(
	url: string,
	response: Uint8Array,
	truncated: boolean,
	dialect: Dialect,
): Promise<Site | Moved | Fault> {
	const { end, status, headers } = headOf(response);
	// Fields are used even of a broken answer: a status alone decides most cases.
	if (status === undefined) return { fault: "no HTTP response" };
	// What else an answer says is in its status: its body may break off. What a redirect or an error
	// says is in its status; its body is never read.
	if (status < 200 || status > 299)
		return siteOfOutcome(
			url,
			{ status, headers },
			headers.location,
			dialect,
			url,
		);
	const body = await bodyOf(response.subarray(end), headers, truncated);
	if ("damage" in body) {
		// A damaged body counts as no answer: the rules after the damage may be missing.
		const failure = { code: "incomplete-body", message: body.damage } as const;
		const site = siteOfOutcome(url, { headers, failure }, undefined, dialect);
		return { ...site, damage: body.damage };
	}
	return siteOfOutcome(
		url,
		{ headers, status, body: body.bytes, truncated },
		undefined,
		dialect,
		url,
	);
}

/**
 * What a response at another path than /robots.txt means to a redirect that leads there; undefined
 * for pages, which are not robots.txt files. A page's text is not a robots.txt, whatever it
 * contains; only plain text may be one.
 */
export async function answerAt(
	url: string,
	response: Uint8Array,
	truncated: boolean,
	dialect: Dialect,
): Promise<Site | Moved | undefined> {
	const { status = 0, headers } = headOf(response);
	const type = headers["content-type"] ?? TEXT;
	const isText = type.trim().toLowerCase().startsWith(TEXT);
	if (status < 300 && !isText) return undefined;
	const site = await siteOfResponse(url, response, truncated, dialect);
	return "fault" in site ? undefined : site;
}

function headOf(response: Uint8Array) {
	const end = endOfHead(response);
	// Fields are ASCII; bytes above 127 in them mean nothing here.
	const head = Buffer.from(response.subarray(0, end)).toString("latin1");
	const [statusLine = "", ...lines] = head.split(/\r?\n/);
	const digits = /^HTTP\/\d(?:\.\d)? +(\d{3})(?: |$)/.exec(statusLine)?.[1];
	const status = digits === undefined ? undefined : Number(digits);
	return { end, status, headers: fieldsOf(lines) };
}

/** Where the body begins. Lines may end with a bare line feed (RFC 9112 §2.2). */
function endOfHead(response: Uint8Array): number {
	for (let at = 0; ; at++) {
		at = response.indexOf(10, at);
		if (at < 0) return response.length;
		if (response[at + 1] === 10) return at + 2;
		if (response[at + 1] === 13 && response[at + 2] === 10) return at + 3;
	}
}

/** The first field of each name, names in lower case. */
function fieldsOf(lines: readonly string[]): Record<string, string> {
	// Without a prototype, so that a field cannot be called "constructor".
	const fields: Record<string, string> = Object.create(null);
	for (const line of lines) {
		const colon = line.indexOf(":");
		if (colon <= 0) continue;
		fields[line.slice(0, colon).trim().toLowerCase()] ??= line
			.slice(colon + 1)
			.trim();
	}
	return fields;
}

/** A body without its codings, or what is wrong with it: a word for its kind, to be counted. */
type Body = { readonly bytes: Uint8Array } | { readonly damage: string };

/**
 * The body without transfer and content codings. Many crawlers take these off and leave the fields
 * as they are. Whether codings are still there is decided by the bytes, not by the fields alone.
 */
async function bodyOf(
	body: Uint8Array,
	headers: Readonly<Record<string, string>>,
	truncated: boolean,
): Promise<Body> {
	let bytes = body;
	// A chunked body that does not begin with a size was unpacked by the crawler.
	if (/\bchunked\b/i.test(headers["transfer-encoding"] ?? "")) {
		if (CHUNK_HEADER.test(Buffer.from(body.subarray(0, 64)).toString("latin1")))
			try {
				bytes = await dechunked(body);
			} catch (error) {
				return { damage: chunkDamage(error) };
			}
	} else if (!truncated && isShorter(body, headers))
		return { damage: "shorter than its Content-Length" };
	const field = headers["content-encoding"];
	return field === undefined || bytes.length === 0
		? { bytes }
		: decoded(bytes, field);
}

/** The size of the first chunk, which no line of a robots.txt looks like (RFC 9112 §7.1). */
const CHUNK_HEADER = /^[\da-f]{1,16}[ \t]*(?:;|\r?\n|$)/i;

/**
 * Takes chunks off by Node's own HTTP parser, which wants a socket: 55 µs for a small file.
 * warcio's takes 4 µs, but a trailer field (RFC 9112 §7.1.2) or a long chunk extension for damage.
 */
async function dechunked(body: Uint8Array): Promise<Uint8Array> {
	const { request } = await import("node:http");
	return new Promise((resolve, reject) => {
		const socket = new Duplex({ read() {}, write: (_, __, done) => done() });
		const asked = request({
			createConnection: () => socket,
			// Some servers write blanks after a chunk's size.
			insecureHTTPParser: true,
		});
		let response: IncomingMessage | undefined;
		// Bytes after the last chunk belong to no message.
		asked.on("error", (error) => response?.complete || reject(error));
		asked.on("response", (found) => {
			response = found;
			const chunks: Uint8Array[] = [];
			found.on("data", (chunk: Uint8Array) => chunks.push(chunk));
			found.on("error", reject);
			found.on("end", () => {
				socket.destroy();
				resolve(concatenate(chunks));
			});
		});
		asked.end();
		socket.push("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
		socket.push(body);
		socket.push(null);
	});
}

/**
 * Node's errors of its HTTP parser have codes that begin so; where the body ends too early, the
 * connection is "reset". Only where the error is the parser's is the body called wrong; a body that
 * ends is only short.
 */
function chunkDamage(error: unknown): string {
	const isWrong =
		error instanceof Error &&
		"code" in error &&
		String(error.code).startsWith("HPE_");
	return isWrong ? "wrong chunks" : "without its last chunk";
}

/** With a content coding the field may be about the coded body, which the crawler has decoded. */
function isShorter(
	body: Uint8Array,
	headers: Readonly<Record<string, string>>,
): boolean {
	const length = headers["content-length"] ?? "";
	return (
		headers["content-encoding"] === undefined &&
		/^\d{1,15}$/.test(length) &&
		body.length < Number(length)
	);
}

async function decoded(bytes: Uint8Array, field: string): Promise<Body> {
	let names: string[];
	try {
		// A client does not ask for zstd, but crawlers may have.
		names = codingsOf(field.replace(/\bzstd\b/gi, "identity"));
	} catch (error) {
		if (error instanceof CodingRefused) return { bytes };
		throw error;
	}
	const isZstd = compressionOf(bytes) === "zstd";
	if (!isZstd && names.length === 0) return { bytes };
	// The field may be about a body that was unpacked already.
	if (names.at(-1) === "gzip" && compressionOf(bytes) !== "gzip")
		return { bytes };
	try {
		const parts: Uint8Array[] = [];
		// Limits are the body's, as a small file can unpack to gigabytes.
		const options = { maxInput: LARGEST, mayBeEmpty: true };
		let size = 0;
		const source = isZstd ? decompressZstd(once(bytes)) : once(bytes);
		for await (const part of decode(source, names, options)) {
			parts.push(part);
			size += part.length;
			if (size > LARGEST) break;
		}
		return { bytes: concatenate(parts) };
	} catch (error) {
		// What decodes badly and reads as text was never encoded.
		if (isText(bytes)) return { bytes };
		const name = isZstd ? "zstd" : names.join(", ");
		const isCut = error instanceof Error && UNEXPECTED_END.test(error.message);
		return { damage: isCut ? `${name} that breaks off` : `damaged ${name}` };
	}
}

/** As zlib and fzstd say it. */
const UNEXPECTED_END = /unexpected (?:end of file|EOF)/i;

/**
 * Whether bytes are a text rather than a compressed one. A text is likely decoded already; a
 * compressed body has bytes that no text has.
 */
function isText(bytes: Uint8Array): boolean {
	if (bytes.some((byte) => byte < 9 || (byte > 13 && byte < 32))) return false;
	try {
		new TextDecoder("utf-8", { fatal: true }).decode(bytes);
		return true;
	} catch {
		return false;
	}
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}
