/**
 * WARC files: cut into blocks where records seem to begin, and the records of a block. tasks.ts calls both. A cut is a guess, as any file may
 * hold bytes like a record's beginning: a block that does not end with a record is read again together with the next (build.ts).
 */
import { constants, gunzipSync } from "node:zlib";
import type { Dialect } from "robotrie";
import type { WARCParser, WARCRecord } from "warcio";
import { parseUrl } from "#robotrie/common/arguments";
import { concatenate } from "#robotrie/common/chunks";
import { optionalPackage } from "#robotrie/common/optional-package";
import { SitesError } from "../files/errors.ts";
import { answerAt, siteOfResponse } from "./http-response.ts";
import type { Dated, Fault, Moved, Site, SiteRecord } from "./records.ts";

/**
 * Bytes of a block, at least: they take about a tenth of a second. Short enough to divide among
 * threads, long enough that a cut costs nothing.
 */
const BLOCK = 1024 * 1024;
/**
 * A block grows until a record begins. Beyond it, no record is ever found, and the file is
 * something else.
 */
const LONGEST_BLOCK = 1024 * 1024 * 1024;
/** Compressed bytes that surely hold the first letters of a record. */
const START = 1024;
const LEAST_START = 16;

const GZIP = Buffer.from([0x1f, 0x8b, 8]);
const BETWEEN = Buffer.from("\r\n\r\nWARC/1.");
const LETTERS = Buffer.from("WARC/");

/** A block of a WARC file, which seems to begin and to end where records do. */
export interface WarcBlock {
	readonly bytes: Uint8Array;
	/** Where it begins in the file, or in what the file is decompressed to. */
	readonly offset: number;
	readonly isLast: boolean;
}

export function isWarc(head: Uint8Array): boolean {
	return LETTERS.equals(head.subarray(0, LETTERS.length));
}

/**
 * What gzip data begins with, decompressed, as far as it is sound; `bytes` need not be whole. Half
 * as many bytes each time, until what is left of the member is sound.
 */
export function gunzipStart(bytes: Uint8Array): Uint8Array {
	for (let size = bytes.length; size > LEAST_START; size >>= 1) {
		try {
			const start = bytes.subarray(0, size);
			return gunzipSync(start, { finishFlush: constants.Z_SYNC_FLUSH });
		} catch {
			// The damage may be further on.
		}
	}
	return new Uint8Array();
}

/**
 * Where the first record seems to begin from a byte on: a gzip member that begins like one, or such
 * letters after an empty line; -1 if none does. Any file could hold such bytes within a record: the
 * reader of the block before them has to end there exactly. Wrong guesses are noticed: the reader
 * of the block ends within a record, and the two blocks are read as one.
 */
function nextStart(bytes: Uint8Array, from: number, isGzip: boolean): number {
	const { buffer, byteOffset, length } = bytes;
	const text = Buffer.from(buffer, byteOffset, length);
	if (!isGzip) {
		const at = text.indexOf(BETWEEN, Math.max(0, from - 4));
		return at < 0 ? -1 : at + 4;
	}
	for (let at = from; ; at++) {
		at = text.indexOf(GZIP, at);
		if (at < 0) return -1;
		if (isWarc(gunzipStart(bytes.subarray(at, at + START)))) return at;
	}
}

/**
 * Cuts a WARC file where records seem to begin; where it is cut depends on its bytes alone. Cuts do
 * not depend on the number of threads, so that an index has the same bytes with any of them.
 * @throws {SitesError}
 */
export async function* splitWarc(
	chunks: AsyncIterable<Uint8Array>,
	isGzip: boolean,
	name: string,
): AsyncGenerator<WarcBlock> {
	let held: Uint8Array[] = [];
	let size = 0;
	let offset = 0;
	/** Up to where no record begins. */
	let searched = BLOCK;
	let wanted = BLOCK + START;
	for await (const chunk of chunks) {
		held.push(chunk);
		size += chunk.length;
		// More is read than a block needs, as the next record's beginning has to be within what is
		// there.
		while (size >= wanted) {
			const bytes = held.length === 1 ? chunk : concatenate(held);
			const end = bytes.length - START;
			const cut = nextStart(bytes.subarray(0, end + START), searched, isGzip);
			// Nothing found: the block grows by half, so that a long record is not searched again for
			// every chunk.
			if (cut < 0 || cut > end) {
				searched = end;
				wanted = size + Math.max(BLOCK, size >> 1);
				if (size > LONGEST_BLOCK)
					throw new SitesError(
						"malformed",
						`${name} has ${LONGEST_BLOCK} bytes in which no record begins`,
					);
				held = [bytes];
				break;
			}
			yield { bytes: bytes.slice(0, cut), offset, isLast: false };
			offset += cut;
			held = [bytes.subarray(cut)];
			size -= cut;
			searched = BLOCK;
			// A copy, as the block goes to a thread and the rest is still needed here.
			wanted = BLOCK + START;
		}
	}
	yield { bytes: concatenate(held), offset, isLast: true };
}

/**
 * A record about anything but the robots.txt of an origin. Only answers that a redirect may lead to
 * are kept; the rest is counted.
 */
export interface OtherRecord extends Dated {
	readonly other: true;
	/** What it means to a redirect that leads to its URL. */
	readonly answer?: { readonly url: string } & (Site | Moved);
}

/**
 * How the reading of a block ended. The reader of the next block needs to know where this one
 * ended.
 */
export interface BlockEnd {
	/** Where the record begins, within the block, that continues in the next one; -1 if none does. */
	readonly rest: number;
	/** A record is broken, and nothing tells where the next one begins. */
	readonly isLost: boolean;
}

/** Bytes that are handed to the parser at once, which copies what a gzip member leaves of them. */
const CHUNK = 16 * 1024;
/** A robots.txt with more bytes is refused. */
const LARGEST = 64 * 1024 * 1024;
const LF = 10;
const CR = 13;
const INNER_RECORD = Buffer.from("WARC/1.");

/**
 * Reads the records of one block. The parser is warcio's, its errors are not: a broken record is a
 * fault, and the rest of the file is read on.
 */
export class WarcReader {
	readonly #bytes: Uint8Array;
	readonly #block: WarcBlock;
	readonly #name: string;
	readonly #dialect: Dialect;
	readonly #isGzip: boolean;
	/** Where the parser began. */
	#from = 0;
	end: BlockEnd = { rest: -1, isLost: false };

	constructor(block: WarcBlock, name: string, dialect: Dialect) {
		this.#block = block;
		this.#bytes = block.bytes;
		this.#name = name;
		this.#dialect = dialect;
		this.#isGzip = block.bytes[0] === 0x1f;
	}

	/**
	 * All records; `end` is known after the last one. Loaded here, as it is a third of what the
	 * package would otherwise install.
	 */
	async *records(): AsyncGenerator<SiteRecord | OtherRecord> {
		// A third of all that npm would install, for one kind of input.
		const { WARCParser } = await optionalPackage(
			"warcio",
			"reading WARC files",
			(name): Promise<typeof import("warcio")> =>
				import(/* webpackIgnore: true */ /* @vite-ignore */ name),
		);
		while (this.#from >= 0 && this.#from < this.#bytes.length) {
			const chunks = chunksOf(this.#bytes.subarray(this.#from));
			yield* this.#parse(new WARCParser(chunks, { parseHttp: false }));
		}
	}

	/**
	 * Records up to the end or to one that is broken; then `#from` is where to go on, or -1. What
	 * follows a broken record is found by its beginning, as a length that is wrong says nothing.
	 */
	async *#parse(parser: WARCParser): AsyncGenerator<SiteRecord | OtherRecord> {
		const reader = parser._reader;
		for (;;) {
			const before = placeOf(parser);
			const record = await parser.parse();
			if (this.#isDamaged(parser)) {
				yield this.#broken(parser, "its gzip data is damaged");
				return;
			}
			if (!record) {
				if (this.#isCut(parser)) yield* this.#cutOff(parser);
				else this.#from = -1;
				return;
			}
			const { inflator } = reader;
			const place = placeOf(parser);
			const length = record.warcHeader("Content-Length") ?? "";
			// A length that is wrong makes the next record begin in the middle of this one.
			if (!/^WARC\/1\./.test(record.warcHeaders.statusline)) {
				yield* this.#brokenOrCut(parser, "it begins like no record", before);
				return;
			}
			if (!/^\d{1,15}$/.test(length)) {
				yield* this.#brokenOrCut(parser, "it has no Content-Length", place);
				return;
			}
			const site = await this.#site(record);
			if (this.#isDamaged(parser)) {
				// Damage may show only after a record was read, in what follows it.
				yield this.#broken(parser, "its gzip data is damaged");
				return;
			}
			if (site === "short") {
				yield* this.#brokenOrCut(parser, "it is shorter than it says", place);
				return;
			}
			// A record whose text has another record's beginning in it was read too far.
			if (
				record.payload &&
				inflator !== reader.inflator &&
				Buffer.from(record.payload).includes(INNER_RECORD)
			) {
				yield this.#broken(parser, "its Content-Length is too large", place);
				return;
			}
			const isLonger = await goesOn(reader);
			if (this.#isDamaged(parser)) {
				yield this.#broken(parser, "its gzip data is damaged");
				return;
			}
			if (isLonger) {
				yield this.#broken(parser, "its Content-Length is wrong", place);
				return;
			}
			yield { ...site, time: Date.parse(record.warcDate ?? "") };
		}
	}

	/**
	 * What a record says, or that it ends too early. Most records are pages; only robots.txt files
	 * and answers to redirects are read in full.
	 */
	async #site(record: WARCRecord): Promise<SiteRecord | OtherRecord | "short"> {
		const url = record.warcTargetURI ?? "";
		const length = record.warcContentLength;
		const isOther = !isRobotsTxt(url);
		if (isOther ? !mayBeTarget(record, url) : !isAnswer(record.warcType)) {
			const left = await this.#skip(record, length);
			return left > 0 ? "short" : { other: true };
		}
		const where = `${this.#name}: ${url}`;
		if (length > LARGEST) {
			const left = await this.#skip(record, length);
			if (isOther && left === 0) return { other: true };
			return left > 0
				? "short"
				: { where, fault: `larger than ${LARGEST} bytes` };
		}
		const payload = await record.readFully();
		if (payload.length < length) return "short";
		if (isOther) {
			const answer = await answerAt(
				url,
				payload,
				isTruncated(record),
				this.#dialect,
			);
			return answer
				? { other: true, answer: { ...answer, url } }
				: { other: true };
		}
		return { where, ...(await this.#answer(record, payload, url)) };
	}

	/** Goes past a record; returns how many of its bytes are missing. */
	async #skip(record: WARCRecord, length: number): Promise<number> {
		let left = length;
		for await (const chunk of record.reader) left -= chunk.length;
		return left;
	}

	// A revisit record has no body; a resource record has nothing but one.
	async #answer(
		record: WARCRecord,
		payload: Uint8Array,
		url: string,
	): Promise<Site | Moved | Fault> {
		if (record.warcType === "revisit")
			return { fault: "a revisit record, which has no body" };
		if (record.warcType === "resource")
			return { origins: [url], robots: payload };
		return siteOfResponse(url, payload, isTruncated(record), this.#dialect);
	}

	#isDamaged({ _reader }: WARCParser): boolean {
		return this.#isGzip && _reader.compressed === null;
	}

	/** Whether the last gzip member continues in the next block. */
	#isCut({ _reader: { inflator } }: WARCParser): boolean {
		return this.#isGzip && inflator !== null && !inflator.ended;
	}

	*#brokenOrCut(
		parser: WARCParser,
		reason: string,
		place: Place,
	): Generator<SiteRecord> {
		// Where the member ends is known from the inflator, where a plain file ends from its bytes.
		const isAtEnd = this.#isGzip
			? this.#isCut(parser)
			: parser._reader.getReadOffset() >= this.#bytes.length - this.#from;
		if (isAtEnd) yield* this.#cutOff(parser);
		else yield this.#broken(parser, reason, place);
	}

	/** The block ends within a record. */
	*#cutOff(parser: WARCParser): Generator<SiteRecord> {
		const at = this.#from + this.#startOf(parser);
		this.#from = -1;
		if (!this.#block.isLast) this.end = { rest: at, isLost: false };
		else yield { where: this.#at(at), fault: "the record is cut off" };
	}

	/**
	 * Goes on with the next gzip member that begins like a record. In a plain file a site could have put such bytes there.
	 * @param place Where the parser was in the record; by default, where its data is damaged.
	 */
	#broken(
		parser: WARCParser,
		reason: string,
		place: Place = { at: parser._reader._rawOffset, isEnd: false },
	): SiteRecord {
		if (!this.#isGzip) {
			const where = this.#at(this.#from + parser.offset);
			this.#from = -1;
			this.end = { rest: -1, isLost: true };
			return {
				where,
				fault: `the record is broken: ${reason}; the file is not read any further`,
			};
		}
		const at = this.#from + place.at;
		this.#from = nextStart(this.#bytes, place.isEnd ? at : at + 1, true);
		return {
			where: this.#at(at),
			fault: `the record is broken: ${reason}`,
		};
	}

	/** Where the record begins that is being read, which is not whole. */
	#startOf(parser: WARCParser): number {
		return this.#isGzip ? parser._reader._rawOffset : parser.offset;
	}

	#at(position: number): string {
		return `${this.#name}, byte ${this.#block.offset + position}`;
	}
}

/** Where a gzip member that the parser is in begins or, once all of it is decompressed, ends. */
interface Place {
	readonly at: number;
	readonly isEnd: boolean;
}

function placeOf({ _reader }: WARCParser): Place {
	return { at: _reader._rawOffset, isEnd: _reader.inflator?.ended === true };
}

/**
 * Whether something else than an empty line or a record follows the one that was read; it stays
 * unread. Reads on until it knows: a record's bytes are followed by two line ends.
 */
async function goesOn(reader: WARCParser["_reader"]): Promise<boolean> {
	let next: Uint8Array = reader._savedChunk ?? new Uint8Array();
	reader._savedChunk = null;
	// A gzip member that has ended would give way to the next one.
	while (next.length < 2 && !hasEnded(reader)) {
		const chunk = await reader._next();
		if (!chunk) break;
		next = next.length > 0 ? concatenate([next, chunk]) : chunk;
	}
	if (next.length > 0) reader._savedChunk = next;
	const [first = LF, second = LF] = next;
	const isEmpty = first === LF || (first === CR && second === LF);
	return !isEmpty && !isWarc(next);
}

function hasEnded({ inflator }: WARCParser["_reader"]): boolean {
	return inflator?.ended === true && inflator.chunks.length === 0;
}

function isRobotsTxt(url: string): boolean {
	if (!url.endsWith("/robots.txt")) return false;
	const { host, pathname, search } = parseUrl(url) ?? { host: "" };
	return host !== "" && pathname === "/robots.txt" && search === "";
}

function isTruncated(record: WARCRecord): boolean {
	return record.warcHeader("WARC-Truncated") !== null;
}

/**
 * Whether a redirect of a robots.txt may lead to it. Only HTTP answers can be the target of a
 * redirect.
 */
function mayBeTarget(record: WARCRecord, url: string): boolean {
	return record.warcType === "response" && /^https?:/i.test(url);
}

function isAnswer(type: string): boolean {
	return type === "response" || type === "revisit" || type === "resource";
}

function* chunksOf(bytes: Uint8Array): Generator<Uint8Array> {
	for (let at = 0; at < bytes.length; at += CHUNK)
		yield bytes.subarray(at, at + CHUNK);
}
