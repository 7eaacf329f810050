/**
 * The protocol of `robotrie stream`: reads frames, has rules.ts judge, and writes replies, which are frames too. A fault in a frame is an error
 * reply in place of its own, and the two sides stay in step; only where the next frame cannot be found does the process end. Columns are judged
 * where they were read, without a copy.
 */
import { shardOf } from "@robotrie/sites";
import type { ShardMaker } from "@robotrie/sites/internal-answers";
import { MOST_SHARDS } from "@robotrie/sites/internal-shards";
import { type ColumnOffsets, RobotsIndex } from "robotrie";
import { parseUrl } from "#robotrie/common/arguments";
import { concatenate } from "#robotrie/common/chunks";
import { Column } from "#robotrie/common/column";
import { Failure, isTold } from "../output/output.ts";
import { type ByteReader, InputEnds } from "./input.ts";
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
export const PROTOCOL_VERSION = 2;

/** Bytes of a frame's type and length. */
const HEADER = 5;

/** Bytes of the longest frame that is held as a whole: all but snapshots. */
export const LONGEST_FRAME = 2 ** 30;

/** Bytes of a text that may be a URL; the URL parser takes as many characters (`parseUrl` of src/common/arguments.ts). */
export const LONGEST_URL = 2 ** 25;
const LF = 10;
const CR = 13;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const strictDecoder = new TextDecoder("utf-8", {
	fatal: true,
	ignoreBOM: true,
});

/** Bytes of a record without its origin and its body. */
const RECORD_HEADER = 6;

/** What answers are made of, and where they go. */
interface Stream {
	readonly rules: StreamRules;
	/** Resolves once the reply may be overwritten. */
	write(reply: Uint8Array): Promise<void>;
	/** Called with the text of an invalid origin, whose record is left out. */
	onBadOrigin(origin: string): void;
	/** Puts the rules of an index, a file or a folder of this machine, in place of its crawler's. @throws {Failure} */
	reload(path: string): Promise<void>;
	/** The shard that frames `T` make; undefined without one since the last `C`. */
	shard?: ShardMaker | undefined;
}

/** What is done with frames of a type. */
interface Kind {
	/** Where in the payload a column begins, if one does. */
	readonly columnAt?: number;
	/** The replies: each a frame, or the parts of one. */
	answer(
		stream: Stream,
		payload: Uint8Array,
	): Promise<readonly Uint8Array[]> | readonly Uint8Array[];
}

/** A snapshot may be larger than memory for one array, so it is read in chunks. */
const SNAPSHOT = "I";

/** One letter per frame, so that a dump of a stream can be read. */
const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
	["R", { answer: setRecord }],
	["C", { answer: clear }],
	["A", { columnAt: 0, answer: answerColumn }],
	["L", { answer: answerLines }],
	["S", { answer: answerSnapshot }],
	["H", { columnAt: 4, answer: answerShards }],
	["P", { answer: answerPath }],
	["B", { answer: answerBuild }],
	["T", { answer: takeRows }],
]);

/** Frames that are many or long, and have no reply. What is wrong with one is told in place of the next reply. */
const silent: ReadonlySet<string> = new Set([SNAPSHOT, "R", "C", "T"]);

/**
 * Writes the first frame, then answers frames until the input ends. A frame is read whole before it is answered, and an answer is written
 * before the next frame is read: both sides know where they are.
 * @throws {Failure} For a frame that is cut off or too long, and at the end for a fault that no reply has told.
 */
export async function answerFrames(
	input: ByteReader,
	stream: Stream,
): Promise<void> {
	await stream.write(headReply("V", stream.rules));
	/** What is wrong with a frame without reply. Rules that could not be set give wrong verdicts: nothing is answered until it is told. */
	let untold: string | undefined;
	for (let number = 1; !(await input.atEnd()); number++) {
		const header = await inFrame(`frame ${number}`, input.read(HEADER));
		const byte = header[0] as number;
		const length = view(header).getUint32(1, true);
		const frame = { number, byte, length, isRefused: untold !== undefined };
		const outcome = await outcomeOf(frame, input, stream);
		const fault = typeof outcome === "string" ? outcome : undefined;
		if (silent.has(String.fromCharCode(byte))) {
			untold ??= fault;
			continue;
		}
		const told = untold ?? fault;
		untold = undefined;
		const replies = told === undefined ? outcome : [textReply("E", told)];
		for (const reply of replies) await stream.write(reply as Uint8Array);
	}
	if (untold !== undefined) throw new Failure(untold);
}

/** Reads a frame and does what it asks for: its replies, or what is wrong with it. @throws {Failure} When the next frame cannot be found. */
async function outcomeOf(
	frame: {
		readonly number: number;
		readonly byte: number;
		readonly length: number;
		/** Whether it is only read. */
		readonly isRefused: boolean;
	},
	input: ByteReader,
	stream: Stream,
): Promise<readonly Uint8Array[] | string> {
	const { number, byte, length } = frame;
	const type = String.fromCharCode(byte);
	const kind = kinds.get(type);
	const isSnapshot = type === SNAPSHOT;
	const isKnown = kind !== undefined || isSnapshot;
	const what = `frame ${number}${isKnown ? ` (${type})` : ""}`;
	const unknown = `${what}: its type is 0x${byte.toString(16).padStart(2, "0")}, not one of ${[SNAPSHOT, ...kinds.keys()].join(", ")}`;
	try {
		if (!isSnapshot && length > LONGEST_FRAME)
			throw new InputEnds(
				`its length of ${length} bytes is above the limit of ${LONGEST_FRAME}`,
			);
		if (isSnapshot) {
			await takeSnapshot(stream.rules, input, length);
			return [];
		}
		if (!kind) {
			await skip(input, length);
			return unknown;
		}
		const payload = await readPayload(input, length, kind.columnAt);
		const isRefused = frame.isRefused && !silent.has(type);
		return isRefused ? [] : await kind.answer(stream, payload);
	} catch (error) {
		if (!isTold(error)) throw error;
		const sentence = `${what}: ${error.message}`;
		// Text that is no frame at all has a length, too: that it is of no type says more.
		if (error instanceof InputEnds)
			throw new Failure(isKnown ? sentence : unknown);
		return sentence;
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
		throw isTold(error) ? new Failure(`${what}: ${error.message}`) : error;
	}
}

/** Takes a snapshot, which goes straight into the table, chunk by chunk. @throws {Failure | RobotrieError} */
async function takeSnapshot(
	rules: StreamRules,
	input: ByteReader,
	length: number,
): Promise<void> {
	let left = length;
	async function* chunks() {
		for await (const chunk of input.chunks(length)) {
			left -= chunk.length;
			yield chunk;
		}
	}
	try {
		rules.take(await RobotsIndex.load(chunks()));
	} catch (error) {
		// The next frame is found even where this one is faulty at its beginning.
		if (!(error instanceof InputEnds)) await skip(input, left);
		throw error;
	}
	await skip(input, left);
}

async function skip(input: ByteReader, size: number): Promise<void> {
	for await (const _ of input.chunks(size));
}

function setRecord(
	{ rules, onBadOrigin }: Stream,
	payload: Uint8Array,
): readonly Uint8Array[] {
	// An origin that is no URL is a fault of that record, not of the stream.
	const record = recordOf(payload);
	if (record.origin.length > LONGEST_URL || !rules.set(record))
		onBadOrigin(record.origin);
	return [];
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

function clear(stream: Stream, { length }: Uint8Array): readonly Uint8Array[] {
	checkEmpty(length);
	stream.rules.clear();
	stream.shard = undefined;
	return [];
}

async function answerBuild(
	{ rules }: Stream,
	payload: Uint8Array,
): Promise<readonly Uint8Array[]> {
	const { compiled } = await import("./recorded.ts");
	const answers = await compiled(rules, payload);
	return [headerOf("B", answers.length), answers];
}

async function takeRows(
	stream: Stream,
	payload: Uint8Array,
): Promise<readonly Uint8Array[]> {
	const { put } = await import("./recorded.ts");
	stream.shard = put(stream.shard, stream.rules, payload);
	return [];
}

async function answerColumn(
	{ rules }: Stream,
	payload: Uint8Array,
): Promise<readonly Uint8Array[]> {
	const { offsets, bytes } = columnOf(payload);
	const rows = offsets.length - 1;
	const { judges } = rules;
	const reply = replyOf("A", rows * judges.length);
	const validity = shortRows(offsets, bytes);
	// Verdicts are written where the reply will be, one row of it per judge.
	for (const [i, judge] of judges.entries()) {
		const into = reply.subarray(HEADER + i * rows, HEADER + (i + 1) * rows);
		await judge.matchColumn(offsets, bytes, {
			into,
			...(validity && { validity }),
		});
	}
	return [reply];
}

async function answerLines(
	{ rules }: Stream,
	payload: Uint8Array,
): Promise<readonly Uint8Array[]> {
	const lines = withoutLong(payload);
	const runs: Uint8Array[] = [];
	for (const judge of rules.judges) runs.push(await judge.matchLines(lines));
	const rows = runs[0]?.length ?? 0;
	const reply = replyOf("L", rows * runs.length);
	runs.forEach((run, i) => {
		reply.set(run, HEADER + i * rows);
	});
	return [reply];
}

function answerShards(
	_stream: Stream,
	payload: Uint8Array,
): readonly Uint8Array[] {
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
	const reply = replyOf("H", 2 * column.length);
	const numbers = view(reply);
	for (let row = 0; row < column.length; row++) {
		const text = column.row(row);
		const url =
			text.length <= LONGEST_URL ? parseUrl(decoder.decode(text)) : null;
		// What is not a URL is invalid in any shard.
		const shard = url ? shardOf(url.hostname.toLowerCase(), shards) : 0;
		numbers.setUint16(HEADER + 2 * row, shard, true);
	}
	return [reply];
}

async function answerSnapshot(
	{ rules, shard }: Stream,
	{ length }: Uint8Array,
): Promise<readonly Uint8Array[]> {
	checkEmpty(length);
	// All of them before the first is written: a snapshot that is too large must not end in half a
	// reply.
	const snapshots = shard
		? await shard.snapshots()
		: rules.indexes.map((index) => index.toBytes());
	for (const bytes of snapshots)
		if (bytes.length > 0xffffffff)
			throw new Failure(
				`a snapshot of ${bytes.length} bytes is longer than the limit of ${0xffffffff}`,
			);
	return snapshots.flatMap((bytes) => [headerOf("S", bytes.length), bytes]);
}

async function answerPath(
	{ rules, reload }: Stream,
	payload: Uint8Array,
): Promise<readonly Uint8Array[]> {
	await reload(pathOf(payload));
	return [headReply("P", rules)];
}

function pathOf(bytes: Uint8Array): string {
	try {
		const path = strictDecoder.decode(bytes);
		if (path !== "" && !path.includes("\0")) return path;
	} catch {
		// Not UTF-8.
	}
	throw new Failure("its path is not a path in UTF-8");
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

/** Lines in which those that are too long for a URL are empty, and so as invalid as they are. */
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

function headerOf(type: string, length: number): Uint8Array {
	const header = new Uint8Array(HEADER);
	header[0] = type.charCodeAt(0);
	view(header).setUint32(1, length, true);
	return header;
}

/** A reply, with room for a payload of so many bytes. @throws {Failure} When they are more than a frame may have. */
function replyOf(type: string, length: number): Uint8Array {
	if (length > 0xffffffff)
		throw new Failure(
			`its reply of ${length} bytes is longer than the limit of ${0xffffffff}; send fewer rows`,
		);
	const reply = new Uint8Array(HEADER + length);
	reply.set(headerOf(type, length));
	return reply;
}

function textReply(type: string, text: string): Uint8Array {
	return concatenate([
		headerOf(type, Buffer.byteLength(text)),
		Buffer.from(text),
	]);
}

/** Says what verdicts are given: the version of this protocol, the dialect, and the names of each crawler. */
function headReply(type: string, rules: StreamRules): Uint8Array {
	const head = { version: PROTOCOL_VERSION, ...rules.head };
	return textReply(type, JSON.stringify(head));
}

/** A view of the frame's own bytes, wherever they are in their buffer. */
function view({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
	return new DataView(buffer, byteOffset, byteLength);
}

function checkEmpty(length: number): void {
	if (length > 0) throw new Failure(`its length is ${length}, not 0`);
}
