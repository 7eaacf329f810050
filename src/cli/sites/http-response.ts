import {
	CodingRefused,
	codingsOf,
	decode,
} from "../../client/content-coding.ts";
import { concatenate } from "../../common/chunks.ts";
import type { Dialect } from "../../robots-txt/dialect.ts";
import { type Fault, type Moved, type Site, siteOfOutcome } from "./record.ts";

/** The type of a robots.txt (RFC 9309 §2.3). */
const TEXT = "text/plain";
/** Bytes of a body, with and without its codings, that are read. */
const LARGEST = 64 * 1024 * 1024;

/** What an HTTP response for the robots.txt at `url` means, status line and header fields included, as it came over the wire. */
export async function siteOfResponse(
	url: string,
	response: Uint8Array,
	truncated: boolean,
	dialect: Dialect,
): Promise<Site | Moved | Fault> {
	const { end, status, headers } = headOf(response);
	if (status === undefined) return { fault: "no HTTP response" };
	const body = await bodyOf(response.subarray(end), headers);
	return siteOfOutcome(
		url,
		{
			headers,
			...(body
				? { status, body, truncated }
				: { failure: { code: "incomplete-body", message: "damaged" } }),
		},
		headers.location,
		dialect,
		url,
	);
}

/** What a response at another path than /robots.txt means to a redirect that leads there; undefined for pages, which are no robots.txt. */
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

/**
 * The body without transfer and content codings; undefined if they are damaged. Many crawlers take them off and leave the fields as they
 * are.
 */
async function bodyOf(
	body: Uint8Array,
	headers: Readonly<Record<string, string>>,
): Promise<Uint8Array | undefined> {
	let bytes = body;
	if (/\bchunked\b/i.test(headers["transfer-encoding"] ?? "")) {
		const { AsyncIterReader } = await import("warcio");
		const reader = new AsyncIterReader([body], null, true);
		bytes = await reader.readFully();
		if (reader.errored) return undefined;
	}
	const field = headers["content-encoding"];
	if (field === undefined || bytes.length === 0) return bytes;
	try {
		const names = codingsOf(field);
		if (names.at(-1) === "gzip" && bytes[0] !== 0x1f) return bytes;
		const parts: Uint8Array[] = [];
		const options = { maxInput: LARGEST, mayBeEmpty: true };
		let size = 0;
		for await (const part of decode(once(bytes), names, options)) {
			parts.push(part);
			size += part.length;
			if (size > LARGEST) break;
		}
		return concatenate(parts);
	} catch (error) {
		if (error instanceof CodingRefused) return bytes;
		return undefined;
	}
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}
