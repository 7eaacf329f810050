/**
 * `robotrie stream --arrow`: Apache Arrow's IPC streaming format in, the same record batches with a column of verdicts out, for programs that
 * speak Arrow anyway (pyarrow, Polars, DuckDB, DataFusion, R). Messages are read one by one, so memory holds a batch and the dictionaries.
 * flechette decodes and encodes them. It takes whole messages only, so the few fields that say where one ends are read here.
 */
import zlib from "node:zlib";
import {
	Batch,
	Column,
	CompressionType,
	type DataType,
	type Field,
	field,
	setCompressionCodec,
	Table,
	Type,
	tableFromIPC,
	tableToIPC,
	uint8,
} from "@uwdata/flechette";
import { Verdict } from "robotrie";
import { agentList } from "#robotrie/common/agents";
import { systemReason } from "#sites/files/errors";
import { Failure, isTold } from "../output/output.ts";
import { LONGEST_FRAME, LONGEST_URL, shortRows } from "./frames.ts";
import type { ByteReader } from "./input.ts";
import type { StreamRules } from "./rules.ts";

/** Version of what is said here about columns and metadata. */
export const ARROW_VERSION = 1;

/** Bytes in front of a message's metadata: a mark, and the length of the metadata. */
const PREFIX = 8;
const MARK = -1;
/** The end of a stream: the mark, and a length of 0. */
const END: Uint8Array = Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0);

/** What the metadata of a message says it is (Message.fbs, MessageHeader). */
const SCHEMA = 1;
const DICTIONARY = 2;
const RECORDS = 3;

/** A message of a stream, whole. */
interface Message {
	readonly kind: number;
	readonly bytes: Uint8Array;
	/** Of a dictionary: which one, and whether it is appended to what came before. */
	readonly id: bigint;
	readonly isDelta: boolean;
}

/** Where verdicts are asked for, and where they go. */
export interface ArrowStream {
	readonly rules: StreamRules;
	/** The column of URLs; undefined for the one called "url", or the only one of texts. */
	readonly column: string | undefined;
	/** The column of verdicts; with several crawlers, each has the crawler's name appended. */
	readonly verdict: string;
	/** Resolves once the bytes may be overwritten. */
	write(bytes: Uint8Array): Promise<void>;
	/** Puts the rules of an index, a file or a folder of this machine, in place of its crawler's. @throws {Failure} */
	reload(path: string): Promise<void>;
}

/** The key of a schema's metadata that names an index to judge by from then on. */
const RELOAD = "robotrie.index";

/**
 * Answers streams, one after the other, until the input ends.
 * @throws {Failure} For what is no Arrow stream, has no column to judge, or is cut off. Batches before it have been answered.
 */
export async function answerArrow(
	input: ByteReader,
	stream: ArrowStream,
): Promise<void> {
	setCompressionCodec(CompressionType.ZSTD, zstd);
	setCompressionCodec(CompressionType.LZ4_FRAME, lz4);
	while (!(await input.atEnd())) {
		let table: ArrowTable | undefined;
		for (let number = 1; !(await input.atEnd()); number++) {
			const message = await inMessage(number, readMessage(input));
			if (message === undefined) break;
			if (message.kind === SCHEMA && table === undefined) {
				table = await inMessage(number, ArrowTable.begin(message, stream));
				await stream.write(table.schema);
			} else if (table === undefined)
				throw new Failure(`message ${number}: a stream begins with a schema`);
			else if (message.kind === DICTIONARY) table.setDictionary(message);
			else if (message.kind === RECORDS) {
				const answer = table.answer(message, stream.rules);
				for (const bytes of await inMessage(number, answer))
					await stream.write(bytes);
			} else
				throw new Failure(
					`message ${number}: it is no schema, dictionary or record batch (${message.kind})`,
				);
		}
		if (table) await stream.write(END);
	}
}

/** Names the message in what went wrong with it. What flechette throws for damaged bytes may be any error. */
async function inMessage<T>(number: number, doing: Promise<T>): Promise<T> {
	try {
		return await doing;
	} catch (error) {
		if (!(error instanceof Error) || systemReason(error) !== undefined)
			throw error;
		throw new Failure(
			`message ${number}: ${isTold(error) ? "" : "it cannot be read: "}${error.message}`,
		);
	}
}

/** The next message; undefined at the end of a stream. @throws {Failure} When it is cut off, too long, or no message. */
async function readMessage(input: ByteReader): Promise<Message | undefined> {
	const prefix = view(await input.read(PREFIX));
	if (prefix.getInt32(0, true) !== MARK) throw new Failure(notAStream(prefix));
	const length = prefix.getInt32(4, true);
	if (length === 0) return undefined;
	checkLength("metadata", length);
	const start = PREFIX + length;
	// A copy: what is read next takes its place. A Buffer's own `slice` would be none.
	const metadata = new Uint8Array(await input.read(length));
	const { kind, bodyLength, id, isDelta } = messageHead(metadata);
	checkLength("body", bodyLength);
	const bytes = await input.read(bodyLength, start);
	view(bytes).setInt32(0, MARK, true);
	view(bytes).setInt32(4, length, true);
	bytes.set(metadata, PREFIX);
	return { kind, bytes, id, isDelta };
}

function checkLength(what: string, length: number): void {
	if (!(length >= 0 && length <= LONGEST_FRAME))
		throw new Failure(
			`its ${what} of ${length} bytes is above the limit of ${LONGEST_FRAME}; send smaller batches`,
		);
}

function notAStream(prefix: DataView): string {
	const text = Buffer.from(prefix.buffer, prefix.byteOffset, 6).toString(
		"latin1",
	);
	if (text === "ARROW1")
		return "this is the Arrow file format; send the streaming format (in pyarrow: pyarrow.ipc.new_stream)";
	return "this is not Arrow's IPC streaming format";
}

/** What the FlatBuffers table of a message says about its kind and length (Message.fbs). @throws {Failure} For damaged bytes. */
function messageHead(bytes: Uint8Array): {
	kind: number;
	bodyLength: number;
	id: bigint;
	isDelta: boolean;
} {
	const data = view(bytes);
	/** Where a field of a table is; 0 if it has its default. */
	const fieldAt = (table: number, index: number): number => {
		const fields = table - data.getInt32(table, true);
		const at = 4 + 2 * index;
		if (at >= data.getUint16(fields, true)) return 0;
		const offset = data.getUint16(fields + at, true);
		return offset === 0 ? 0 : table + offset;
	};
	try {
		const message = data.getUint32(0, true);
		const kindAt = fieldAt(message, 1);
		const headerAt = fieldAt(message, 2);
		const lengthAt = fieldAt(message, 3);
		const kind = kindAt === 0 ? 0 : data.getUint8(kindAt);
		const bodyLength = lengthAt === 0 ? 0 : data.getBigInt64(lengthAt, true);
		let id = 0n;
		let isDelta = false;
		if (kind === DICTIONARY && headerAt !== 0) {
			const header = headerAt + data.getUint32(headerAt, true);
			const [idAt, deltaAt] = [fieldAt(header, 0), fieldAt(header, 2)];
			if (idAt !== 0) id = data.getBigInt64(idAt, true);
			isDelta = deltaAt !== 0 && data.getUint8(deltaAt) !== 0;
		}
		return { kind, bodyLength: Number(bodyLength), id, isDelta };
	} catch (error) {
		if (error instanceof RangeError)
			throw new Failure("its metadata is damaged");
		throw error;
	}
}

function view({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
	return new DataView(buffer, byteOffset, byteLength);
}

/** 64-bit numbers stay as they are; nothing of other columns is looked at. */
const OPTIONS = { useBigInt: true };

const zstd = {
	decode(bytes: Uint8Array): Uint8Array {
		// Node has it since 22.15.
		const { zstdDecompressSync: decompress } = zlib as {
			readonly zstdDecompressSync?: (bytes: Uint8Array) => Uint8Array;
		};
		if (!decompress)
			throw new Failure(
				"it is compressed by zstd, which this version of Node cannot read; send it uncompressed",
			);
		return decompress(bytes);
	},
	encode: (bytes: Uint8Array): Uint8Array => bytes,
};

/** Node has no LZ4, and what writes Arrow can do without: a sentence that says how. */
const lz4 = {
	decode(): Uint8Array {
		throw new Failure(
			'it is compressed by LZ4_FRAME, which is not read: write it with zstd or uncompressed (in pyarrow IpcWriteOptions(compression="zstd"), or compression=None)',
		);
	},
	encode: (bytes: Uint8Array): Uint8Array => bytes,
};

/** The state of one stream: its schema, the dictionaries in force, and what is to be judged. */
class ArrowTable {
	/** The message of the schema with columns of verdicts, which goes out first. */
	readonly schema: Uint8Array;
	readonly #message: Uint8Array;
	/** Which of the columns holds URLs. */
	readonly #column: number;
	readonly #verdicts: readonly Field[];
	/** The messages of each dictionary: one, and what was appended to it. */
	readonly #dictionaries = new Map<bigint, Uint8Array[]>();
	/** Whether dictionaries came that have not been passed on. */
	#isChanged = false;
	/** Verdicts of the texts of the URLs' dictionary, for each crawler, as long as it does not change. */
	#known: readonly Verdicts[] | undefined;

	private constructor(
		message: Uint8Array,
		schema: Uint8Array,
		column: number,
		verdicts: readonly Field[],
	) {
		this.#message = message;
		this.schema = schema;
		this.#column = column;
		this.#verdicts = verdicts;
	}

	/** @throws {Failure} When no column can be judged, or one has the name of that of verdicts. */
	static async begin(
		{ bytes }: Message,
		{ rules, column, verdict, reload }: ArrowStream,
	): Promise<ArrowTable> {
		const message = new Uint8Array(bytes);
		const { schema } = tableFromIPC([message], OPTIONS);
		const path = schema.metadata?.get(RELOAD);
		if (path !== undefined) await reload(path);
		const at = columnOf(schema.fields, column);
		const { agents, dialect } = rules;
		const names = agents.map((agent) => agentList(agent).join(","));
		const verdicts = names.map((name) =>
			field(names.length > 1 ? `${verdict}_${name}` : verdict, uint8(), true),
		);
		for (const { name } of verdicts)
			if (schema.fields.some((other) => other.name === name))
				throw new Failure(
					`there is a column "${name}" already; name the one of verdicts by --verdict`,
				);
		const metadata = new Map([
			...(schema.metadata ?? []),
			["robotrie.version", String(ARROW_VERSION)],
			["robotrie.dialect", dialect],
			["robotrie.agents", JSON.stringify(names)],
		]);
		const fields = numbered([...schema.fields, ...verdicts]);
		const out = { ...schema, fields, metadata };
		const empty = fields.map(({ type }) => new Column([], type));
		const encoded = tableToIPC(new Table(out, empty), {});
		return new ArrowTable(message, partsOf(encoded).head, at, verdicts);
	}

	/** Takes a dictionary, or what is appended to one. */
	setDictionary({ bytes, id, isDelta }: Message): void {
		const before = isDelta ? (this.#dictionaries.get(id) ?? []) : [];
		this.#dictionaries.set(id, [...before, new Uint8Array(bytes)]);
		this.#isChanged = true;
		this.#known = undefined;
	}

	/** The messages that go out for a record batch. @throws {Failure} For a damaged one. */
	async answer(
		{ bytes }: Message,
		rules: StreamRules,
	): Promise<readonly Uint8Array[]> {
		const { schema, children } = tableFromIPC(
			[this.#message, ...[...this.#dictionaries.values()].flat(), bytes],
			OPTIONS,
		);
		const [urls] = (children[this.#column] as Column<unknown>).data;
		if (!urls) throw new Failure("it has no rows to judge");
		const verdicts = await this.#judge(urls, rules);
		const columns = verdicts.map(({ values, validity, nullCount }) => {
			const type = uint8();
			const { length } = values;
			return new Column(
				[new Batch({ length, nullCount, type, validity, values })],
				type,
			);
		});
		const out = { ...schema, fields: [...schema.fields, ...this.#verdicts] };
		const { dictionaries, records } = partsOf(
			tableToIPC(new Table(out, [...children, ...columns]), {}),
		);
		const sent = this.#isChanged ? [...dictionaries, records] : [records];
		this.#isChanged = false;
		return sent;
	}

	/** Verdicts of a column for each crawler. Of a dictionary each text is judged once. */
	async #judge(
		urls: Batch<unknown>,
		rules: StreamRules,
	): Promise<readonly Verdicts[]> {
		if (urls.type.typeId !== Type.Dictionary) return judgeTexts(urls, rules);
		const { dictionary } = urls as Batch<unknown> & {
			readonly dictionary: Column<unknown>;
		};
		if (this.#known === undefined) {
			const runs: (readonly Verdicts[])[] = [];
			for (const texts of dictionary.data)
				runs.push(await judgeTexts(texts, rules));
			this.#known = rules.judges.map((_, i) =>
				joined(runs.map((run) => run[i] as Verdicts)),
			);
		}
		return this.#known.map((known) => looked(urls, known));
	}
}

const NO_BYTES: Uint8Array = new Uint8Array();

/** Verdicts as a column has them. */
interface Verdicts {
	readonly values: Uint8Array;
	/** A bit for each row, 0 for null; empty if none is. */
	readonly validity: Uint8Array;
	readonly nullCount: number;
}

const TEXT_TYPES: ReadonlySet<number> = new Set([
	Type.Utf8,
	Type.LargeUtf8,
	Type.Binary,
	Type.LargeBinary,
	Type.Utf8View,
	Type.BinaryView,
]);

function isText(type: DataType): boolean {
	return type.typeId === Type.Dictionary
		? isText(type.dictionary) && type.dictionary.typeId !== Type.Dictionary
		: TEXT_TYPES.has(type.typeId);
}

const USUAL = "url";

/** Which column holds the URLs. @throws {Failure} When none or several may be meant. */
function columnOf(
	fields: readonly Field[],
	wanted: string | undefined,
): number {
	const texts = fields.filter(({ type }) => isText(type));
	const name =
		wanted ??
		(texts.some(({ name }) => name === USUAL) || texts.length !== 1
			? USUAL
			: texts[0]?.name);
	const at = fields.findIndex((one) => one.name === name);
	const found = fields[at];
	const names = fields.map((one) => JSON.stringify(one.name)).join(", ");
	if (!found)
		throw new Failure(
			`there is no column "${name}"; name the one of URLs by --column: ${names}`,
		);
	if (!isText(found.type))
		throw new Failure(
			`the column "${name}" does not hold texts (string, binary, a view or a dictionary of them)`,
		);
	return at;
}

/** The fields with their dictionaries numbered in the order in which flechette numbers those that it writes. */
function numbered(fields: readonly Field[]): Field[] {
	const numbers = new Map<number, number>();
	const typeOf = (type: DataType): DataType => {
		if (type.typeId === Type.Dictionary) {
			const id = numbers.get(type.id) ?? numbers.size;
			numbers.set(type.id, id);
			return { ...type, id, dictionary: typeOf(type.dictionary) };
		}
		return "children" in type
			? ({ ...type, children: type.children.map(fieldOf) } as DataType)
			: type;
	};
	const fieldOf = (one: Field): Field => ({ ...one, type: typeOf(one.type) });
	return fields.map(fieldOf);
}

/** The messages of a whole stream that flechette wrote. */
function partsOf(stream: Uint8Array | null): {
	head: Uint8Array;
	dictionaries: readonly Uint8Array[];
	records: Uint8Array;
} {
	const bytes = stream ?? END;
	const dictionaries: Uint8Array[] = [];
	let head: Uint8Array = new Uint8Array();
	let records = head;
	for (let at = 0; ; ) {
		const length = view(bytes).getInt32(at + 4, true);
		if (length === 0) return { head, dictionaries, records };
		const start = at + PREFIX;
		const { kind, bodyLength } = messageHead(
			bytes.subarray(start, start + length),
		);
		const end = start + length + bodyLength;
		const message = bytes.subarray(at, end);
		if (kind === SCHEMA) head = message;
		else if (kind === DICTIONARY) dictionaries.push(message);
		else records = message;
		at = end;
	}
}

/** Verdicts of a column of texts, for each crawler. */
async function judgeTexts(
	urls: Batch<unknown>,
	rules: StreamRules,
): Promise<readonly Verdicts[]> {
	const { length, nullCount } = urls;
	const size = (length + 7) >> 3;
	const validity = nullCount > 0 ? urls.validity.subarray(0, size) : NO_BYTES;
	if (nullCount > 0 && validity.length < size)
		throw new Failure(
			`${length} rows need ${size} bytes of validity, and there are ${validity.length}`,
		);
	const all: Verdicts[] = [];
	for (const judge of rules.judges) {
		const values = new Uint8Array(length);
		for (const { from, offsets, bytes } of textsOf(urls)) {
			const rows = offsets.length - 1;
			const bits = from === 0 ? validity : shifted(validity, from, rows);
			const valid = nullCount > 0 ? bits : undefined;
			const judged = shortRows(offsets, bytes, valid) ?? valid;
			await judge.matchColumn(offsets, bytes, {
				into: values.subarray(from, from + rows),
				...(judged && { validity: judged }),
			});
		}
		all.push({ values, validity, nullCount });
	}
	return all;
}

/** Some bits, from one on, which is at the start of a byte. */
function shifted(bits: Uint8Array, from: number, rows: number): Uint8Array {
	return bits.subarray(from >> 3, (from + rows + 7) >> 3);
}

/** Texts, end to end. */
interface Texts {
	/** The row of the first one. */
	readonly from: number;
	readonly offsets: Int32Array | BigInt64Array;
	readonly bytes: Uint8Array;
}

/** Bytes of views that are put end to end at a time: as many views as there are rows may show the same bytes. */
const MOST_JOINED = 8 * 1024 * 1024;

/** The texts of a column as Arrow's variable-size layout has them; those of views are put end to end. */
function* textsOf(urls: Batch<unknown>): Generator<Texts> {
	const { length } = urls;
	if (length === 0) return;
	const { typeId } = urls.type;
	if (typeId !== Type.Utf8View && typeId !== Type.BinaryView) {
		const { values, offsets } = urls;
		const bytes = new Uint8Array(
			values.buffer,
			values.byteOffset,
			values.byteLength,
		);
		yield { from: 0, offsets: offsets.subarray(0, length + 1), bytes };
		return;
	}
	const { data } = urls as Batch<unknown> & {
		readonly data: readonly Uint8Array[];
	};
	const views = new DataView(
		urls.values.buffer,
		urls.values.byteOffset,
		urls.values.byteLength,
	);
	for (let from = 0; from < length; ) {
		const found: Uint8Array[] = [];
		let sum = 0;
		// A piece ends after eight rows, for the bits of the next one to begin with a byte.
		while (
			from + found.length < length &&
			(sum < MOST_JOINED || found.length % 8 > 0)
		) {
			const row = from + found.length;
			const text = isNull(urls, row) ? NO_BYTES : viewAt(views, data, row);
			// A longer one is no URL, and an empty text is none either.
			const part = text.length > LONGEST_URL ? NO_BYTES : text;
			found.push(part);
			sum += part.length;
		}
		const offsets = new Int32Array(found.length + 1);
		const bytes = new Uint8Array(sum);
		let at = 0;
		for (const [i, text] of found.entries()) {
			bytes.set(text, at);
			at += text.length;
			offsets[i + 1] = at;
		}
		yield { from, offsets, bytes };
		from += found.length;
	}
}

/** Bytes of a view, and of a text that is in the view itself. */
const VIEW = 16;
const SHORT = 12;

/** @throws {Failure} For one that lies outside its buffer. */
function viewAt(
	views: DataView,
	data: readonly Uint8Array[],
	row: number,
): Uint8Array {
	const at = row * VIEW;
	if (at + VIEW > views.byteLength)
		throw new Failure(`row ${row} lies after the end of the column`);
	const length = views.getInt32(at, true);
	const isShort = length <= SHORT;
	const buffer = isShort
		? new Uint8Array(views.buffer, views.byteOffset + at + 4, SHORT)
		: data[views.getInt32(at + 8, true)];
	const start = isShort ? 0 : views.getInt32(at + 12, true);
	if (!buffer || length < 0 || start < 0 || start + length > buffer.length)
		throw new Failure(`the view of row ${row} lies outside its buffer`);
	return buffer.subarray(start, start + length);
}

/** Verdicts of one column after the other. */
function joined(runs: readonly Verdicts[]): Verdicts {
	const [first] = runs;
	if (first && runs.length === 1) return first;
	const length = runs.reduce((sum, { values }) => sum + values.length, 0);
	const values = new Uint8Array(length);
	const validity = new Uint8Array((length + 7) >> 3).fill(0xff);
	let at = 0;
	for (const run of runs) {
		values.set(run.values, at);
		for (let i = 0; i < run.values.length; i++)
			if (isNull(run, i)) clearBit(validity, at + i);
		at += run.values.length;
	}
	const nullCount = runs.reduce((sum, run) => sum + run.nullCount, 0);
	return { values, validity: nullCount > 0 ? validity : NO_BYTES, nullCount };
}

/** The verdicts of rows that point into a dictionary. @throws {Failure} For a row that points beyond it. */
function looked(rows: Batch<unknown>, known: Verdicts): Verdicts {
	const { length, values: keys } = rows;
	const values = new Uint8Array(length);
	const validity = new Uint8Array((length + 7) >> 3).fill(0xff);
	let nullCount = 0;
	for (let row = 0; row < length; row++) {
		const key = Number(keys[row]);
		const isKeyNull = isNull(rows, row);
		if (!isKeyNull && !(key >= 0 && key < known.values.length))
			throw new Failure(
				`row ${row} has the key ${key}, and the dictionary ${known.values.length} texts`,
			);
		if (isKeyNull || isNull(known, key)) {
			values[row] = Verdict.Invalid;
			clearBit(validity, row);
			nullCount++;
		} else values[row] = known.values[key] as number;
	}
	return { values, validity: nullCount > 0 ? validity : NO_BYTES, nullCount };
}

/** Not flechette's `isValid`, which says that every row is null where none is and so no bits are there. */
function isNull(
	{ nullCount, validity }: Pick<Verdicts, "nullCount" | "validity">,
	row: number,
): boolean {
	return (
		nullCount > 0 && (((validity[row >> 3] as number) >> (row & 7)) & 1) === 0
	);
}

function clearBit(bits: Uint8Array, row: number): void {
	bits[row >> 3] = (bits[row >> 3] as number) & ~(1 << (row & 7));
}
