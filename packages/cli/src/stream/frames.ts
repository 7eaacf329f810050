/**
 * The protocol of `robotrie stream`: reads frames, has rules.ts judge, and writes replies. A faulty frame ends the process with a message that
 * names it; it never gets an answer, as the two sides would be out of step. Columns are judged where they were read, without a copy.
 */
import { type ColumnOffsets, RobotrieError, RobotsIndex } from "robotrie";
import { Column, concatenate, parseUrl } from "robotrie/internal";
import { shardOfUrl } from "../index-files/shard.ts";
import { Failure } from "../output/output.ts";
import type { ByteReader } from "./input.ts";
import type { RobotsRecord, StreamRules } from "./rules.ts";

/**
 * Texts in one buffer, as Apache Arrow's variable-size binary layout has them. The layout is
 * Arrow's, so that a query engine can send its columns without writing them again.
 */
interface TextColumn {
	/** Text i is bytes [offsets[i], offsets[i + 1]). */
	readonly offsets: Int32Array | BigInt64Array;
	readonly bytes: Uint8Array;
}

/** Bytes before the offsets: their width and the number of texts. */
const COLUMN_HEADER = 5;

/**
 * Bytes to leave free before a payload whose column begins at `at`, for its offsets to be aligned.
 * Typed arrays need offsets at a multiple of eight, which a payload of five bytes more would not
 * have.
 */
function roomBefore(at: number): number {
	return -(at + COLUMN_HEADER) & 7;
}

/**
 * The column in bytes that stand in their buffer as `roomBefore` says.
 * @throws {Failure} When its width is not 4 or 8, or it has fewer bytes than its offsets need.
 */
function columnOf(payload: Uint8Array): TextColumn {
	if (payload.length < COLUMN_HEADER)
		throw new Failure(
			`${payload.length} bytes are fewer than the ${COLUMN_HEADER} of its offset width and number of rows`,
		);
	const view = new DataView(payload.buffer, payload.byteOffset, COLUMN_HEADER);
	const width = view.getUint8(0);
	if (width !== 4 && width !== 8)
		throw new Failure(`the offset width is 4 or 8, not ${width}`);
	const count = view.getUint32(1, true) + 1;
	const end = COLUMN_HEADER + count * width;
	if (end > payload.length)
		throw new Failure(
			`${count} offsets of ${width} bytes need ${end} bytes, and there are ${payload.length}`,
		);
	const at = payload.byteOffset + COLUMN_HEADER;
	return {
		offsets:
			width === 4
				? new Int32Array(payload.buffer, at, count)
				: new BigInt64Array(payload.buffer, at, count),
		bytes: payload.subarray(end),
	};
}

/** Version of the protocol. */
export const PROTOCOL_VERSION = 1;

/** Bytes of a frame's type and length. */
const HEADER = 5;

/** Bytes of the longest frame that is held as a whole: all but snapshots. */
export const LONGEST_FRAME = 2 ** 30;

/** Bytes of a text that may be a URL; the URL parser takes as many characters (parse-url.ts). */
export const LONGEST_URL = 2 ** 25;
const LF = 10;
const CR = 13;

/** The most shards that docs/sharding.md has. */
const MOST_SHARDS = 4096;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Bytes of a record without its origin and its body. */
const RECORD_HEADER = 6;

/** What answers are made of, and where they go. */
interface Stream {
	readonly rules: StreamRules;
	/** Resolves once the reply may be overwritten. */
	write(reply: Uint8Array): Promise<void>;
	/** Called with the text of an invalid origin, whose record is left out. */
	onBadOrigin(origin: string): void;
}

/** The payload of a frame. */
interface Payload {
	readonly length: number;
	/** All of it, with a column at a place of it, or without. */
	read(columnAt?: number): Promise<Uint8Array>;
	chunks(): AsyncGenerator<Uint8Array>;
}

type Answer = (stream: Stream, payload: Payload) => Promise<void>;

/** One letter per frame, so that a dump of a stream can be read. */
const answers: ReadonlyMap<string, Answer> = new Map<string, Answer>([
	["I", setIndex],
	["R", setRecord],
	["C", clear],
	["A", answerColumn],
	["L", answerLines],
	["S", answerSnapshot],
	["H", answerShards],
]);

/**
 * Answers frames until the input ends. A frame is read whole before it is answered, and an answer
 * is written before the next frame is read: both sides know where they are.
 * @throws {Failure} For a frame that is cut off, of an unknown type, too long or with a faulty payload; it gets no answer.
 */
export async function answerFrames(
	input: ByteReader,
	stream: Stream,
): Promise<void> {
	for (let number = 1; !(await input.atEnd()); number++) {
		const header = await inFrame(`frame ${number}`, input.read(HEADER));
		const type = String.fromCharCode(header[0] as number);
		const answer = answers.get(type);
		if (!answer)
			throw new Failure(
				`frame ${number}: its type is 0x${(header[0] as number).toString(16).padStart(2, "0")}, not one of ${[...answers.keys()].join(", ")}`,
			);
		const what = `frame ${number} (${type})`;
		const length = view(header).getUint32(1, true);
		// Only snapshots may be larger, and they are read in chunks.
		if (type !== "I" && length > LONGEST_FRAME)
			throw new Failure(
				`${what}: its length of ${length} bytes is above the limit of ${LONGEST_FRAME}`,
			);
		const payload = {
			length,
			read: (columnAt?: number) => readPayload(input, length, columnAt),
			chunks: () => input.chunks(length),
		};
		await inFrame(what, answer(stream, payload));
	}
}

async function readPayload(
	input: ByteReader,
	length: number,
	columnAt?: number,
): Promise<Uint8Array> {
	const room = columnAt === undefined ? 0 : roomBefore(columnAt);
	return (await input.read(length, room)).subarray(room);
}

/**
 * Names the frame in what went wrong with it. The number of a frame is what the other program can
 * look for.
 */
async function inFrame<T>(what: string, answering: Promise<T>): Promise<T> {
	try {
		return await answering;
	} catch (error) {
		const isOurs = error instanceof RobotrieError || error instanceof Failure;
		throw isOurs ? new Failure(`${what}: ${error.message}`) : error;
	}
}

async function setIndex({ rules }: Stream, { chunks }: Payload): Promise<void> {
	// The index goes straight into the table, chunk by chunk.
	rules.take(await RobotsIndex.load(chunks()));
}

async function setRecord(
	{ rules, onBadOrigin }: Stream,
	{ read }: Payload,
): Promise<void> {
	// An origin that is no URL is a fault of that record, not of the stream.
	const record = recordOf(await read());
	if (record.origin.length > LONGEST_URL || !rules.set(record))
		onBadOrigin(record.origin);
}

function recordOf(bytes: Uint8Array): RobotsRecord {
	const room = bytes.length - RECORD_HEADER;
	if (room < 0)
		throw new Failure(
			`${bytes.length} bytes are fewer than the ${RECORD_HEADER} of a record without origin and body`,
		);
	const length = view(bytes).getUint32(0, true);
	if (length > room)
		throw new Failure(
			`its origin of ${length} bytes does not fit in the ${room} that are left`,
		);
	const end = 4 + length;
	const status = view(bytes).getInt16(end, true);
	// A negative status would be the sign of a length that went wrong.
	if (status < 0) throw new Failure(`its status is ${status}, less than 0`);
	return {
		origin: new TextDecoder().decode(bytes.subarray(4, end)),
		status,
		body: bytes.subarray(end + 2),
	};
}

async function clear({ rules }: Stream, { length }: Payload): Promise<void> {
	checkEmpty(length);
	rules.clear();
}

async function answerColumn(
	{ rules, write }: Stream,
	{ read }: Payload,
): Promise<void> {
	const { offsets, bytes } = columnOf(await read(0));
	const rows = offsets.length - 1;
	const { judges } = rules;
	const reply = replyOf(rows, rows * judges.length);
	const validity = shortRows(offsets, bytes);
	// Verdicts are written where the reply will be, one row of it per judge.
	for (const [i, judge] of judges.entries()) {
		const into = reply.subarray(4 + i * rows, 4 + (i + 1) * rows);
		await judge.matchColumn(offsets, bytes, {
			into,
			...(validity && { validity }),
		});
	}
	await write(reply);
}

async function answerLines(
	{ rules, write }: Stream,
	{ read }: Payload,
): Promise<void> {
	const lines = withoutLong(await read());
	const runs: Uint8Array[] = [];
	for (const judge of rules.judges) runs.push(await judge.matchLines(lines));
	const rows = runs[0]?.length ?? 0;
	const reply = replyOf(rows, rows * runs.length);
	runs.forEach((run, i) => {
		reply.set(run, 4 + i * rows);
	});
	// A reply per request, in the order of requests.
	await write(reply);
}

async function answerShards(
	{ write }: Stream,
	{ read }: Payload,
): Promise<void> {
	const payload = await read(4);
	if (payload.length < 4)
		throw new Failure(
			`${payload.length} bytes are fewer than the 4 of its number of shards`,
		);
	const shards = view(payload).getUint32(0, true);
	// As docs/sharding.md has it, so that a reader can compute the same.
	if (shards < 1 || shards > MOST_SHARDS)
		throw new Failure(
			`the number of shards is from 1 to ${MOST_SHARDS}, not ${shards}`,
		);
	const { offsets, bytes } = columnOf(payload.subarray(4));
	const column = new Column("H", offsets, bytes, undefined);
	const reply = replyOf(column.length, 2 * column.length);
	const numbers = view(reply);
	for (let row = 0; row < column.length; row++) {
		const text = column.row(row);
		const url =
			text.length <= LONGEST_URL ? parseUrl(decoder.decode(text)) : null;
		// What is not a URL is invalid in any shard.
		const shard = url ? shardOfUrl(url, shards) : 0;
		numbers.setUint16(4 + 2 * row, shard, true);
	}
	await write(reply);
}

async function answerSnapshot(
	{ rules, write }: Stream,
	{ length }: Payload,
): Promise<void> {
	checkEmpty(length);
	// All of them before the first is written: a snapshot that is too large must not end in half a
	// reply.
	const snapshots = rules.indexes.map((index) => index.toBytes());
	for (const bytes of snapshots)
		if (bytes.length > 0xffffffff)
			throw new Failure(
				`a snapshot of ${bytes.length} bytes is longer than the limit of ${0xffffffff}`,
			);
	for (const bytes of snapshots) {
		await write(replyOf(bytes.length, 0));
		await write(bytes);
	}
}

/**
 * A bit for each row of a column: 0 for those that are too long for a URL, which then are invalid, as a null is. Undefined where there are
 * none: then the offsets are not looked at.
 */
export function shortRows(
	offsets: ColumnOffsets,
	bytes: Uint8Array,
	nulls?: Uint8Array,
): Uint8Array | undefined {
	if (bytes.length <= LONGEST_URL) return undefined;
	const rows = offsets.length - 1;
	const validity = nulls
		? new Uint8Array(nulls)
		: new Uint8Array((rows + 7) >> 3).fill(0xff);
	for (let row = 0; row < rows; row++)
		if (Number(offsets[row + 1]) - Number(offsets[row]) > LONGEST_URL)
			validity[row >> 3] = (validity[row >> 3] as number) & ~(1 << (row & 7));
	return validity;
}

/**
 * Lines in which those that are too long for a URL are empty, and so as invalid as they are. An
 * empty line is invalid, which is what a line that is too long would be.
 */
function withoutLong(lines: Uint8Array): Uint8Array {
	const kept: Uint8Array[] = [];
	let from = 0;
	for (let at = 0; lines.length - at > LONGEST_URL; ) {
		const feed = lines.indexOf(LF, at);
		const end = feed < 0 ? lines.length : feed;
		const next = feed < 0 ? end : end + 1;
		const length = end - at - (lines[end - 1] === CR ? 1 : 0);
		if (length > LONGEST_URL) {
			// An end of its own: without one, the last line would be none.
			kept.push(lines.subarray(from, at), Uint8Array.of(LF));
			from = next;
		}
		at = next;
	}
	return from === 0 ? lines : concatenate([...kept, lines.subarray(from)]);
}

/** A number, and room for so many bytes after it. */
function replyOf(number: number, room: number): Uint8Array {
	const reply = new Uint8Array(4 + room);
	view(reply).setUint32(0, number, true);
	return reply;
}

/** A view of the frame's own bytes, wherever they are in their buffer. */
function view({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
	return new DataView(buffer, byteOffset, byteLength);
}

function checkEmpty(length: number): void {
	if (length > 0) throw new Failure(`its length is ${length}, not 0`);
}
