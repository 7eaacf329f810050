/**
 * Records that are not a line of the format: elements of a JSON list, rows of CSV, JSON objects around a line or a record, text in front of an object.
 * Two steps bring them into the form that the scanner cuts. A `RecordFeed` works on bytes and makes exactly one line of each record, before
 * lines are looked for; a `Transcoder` then rewrites a single line. The scanner uses both, detect.ts uses them on the first bytes of a log.
 */

import {
	JsonLines,
	keyPaths,
	NO_REQUEST,
	objectOf,
	type Transcoder,
} from "./json-lines.ts";
import type { LogFormat, Records } from "./log-format.ts";

/**
 * Makes a line of each record, given the bytes of a log in chunks of any size. Feeds keep what is
 * open between chunks in two or three fields: a log may be cut anywhere.
 */
export interface RecordFeed {
	/** The next bytes of the lines; the last line may be continued in the next call. */
	feed(chunk: Uint8Array): Uint8Array;
}

/** A new feed, at the beginning of a log. */
export function recordFeed(records: Records): RecordFeed {
	return records.kind === "csv"
		? new CsvRecords(records.separator)
		: new ListRecords(records.key);
}

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * A longer row lacks a closing quote; what follows is read as new rows, so that one stray quote
 * does not swallow the log. An error would lose the rest of a log for one byte.
 */
const LONGEST_ROW = 1024 * 1024;

/**
 * Replaces line feeds in quoted fields by spaces, so that a row is a line. A quote opens a field only at its beginning (RFC 4180): one in
 * the middle of a field is text.
 */
class CsvRecords implements RecordFeed {
	readonly #separator: number;
	#isQuoted = false;
	#isFieldStart = true;
	/** After a quote that may be the first of two, which stand for one. */
	#isAfterQuote = false;
	#size = 0;

	constructor(separator: string) {
		this.#separator = separator.charCodeAt(0);
	}

	feed(chunk: Uint8Array): Uint8Array {
		// A copy, as the chunk belongs to the caller; `slice` of a Buffer is none.
		const lines = new Uint8Array(chunk);
		for (let at = 0; at < lines.length; at++) {
			const byte = lines[at] as number;
			this.#size++;
			if (this.#isQuoted) {
				if (byte === QUOTE) {
					this.#isQuoted = false;
					this.#isAfterQuote = true;
				} else if (byte === LF || byte === CR) {
					if (this.#size <= LONGEST_ROW) lines[at] = SPACE;
					else if (byte === LF) this.#endRow();
				}
				continue;
			}
			if (byte === QUOTE && (this.#isFieldStart || this.#isAfterQuote))
				this.#isQuoted = true;
			this.#isAfterQuote = false;
			this.#isFieldStart = byte === this.#separator;
			if (byte === LF) this.#endRow();
		}
		return lines;
	}

	/** A row has ended: the next byte begins a field. */
	#endRow(): void {
		this.#isQuoted = false;
		this.#isAfterQuote = false;
		this.#isFieldStart = true;
		this.#size = 0;
	}
}

/**
 * What the next byte belongs to. A state machine over bytes, because a chunk may end in the middle
 * of a key or an escape.
 */
type Place = "around" | "key" | "record" | "text" | "scalar";

/**
 * The elements of a list in JSON, each with its line feeds replaced by spaces. Outside the elements
 * only brackets, braces and keys count, to find the list. JSON allows no line feed within a text,
 * so one there means that a record was cut off: the next byte starts afresh. The list may be the
 * outermost value or the value of a key, in whatever object ("{"Records": […]}"); nothing is parsed for that. Objects outside of
 * an outermost list are records, too: one behind the other, indented or not.
 */
class ListRecords implements RecordFeed {
	readonly #key: string | undefined;
	#place: Place = "around";
	/** The open brackets and braces outside the records, outermost first; "=" for that of the list. */
	#around = "";
	/** The last key or text outside the records. */
	#lastKey = "";
	#isEscaped = false;
	/** Brackets and braces that are open in the record. */
	#depth = 0;

	constructor(key: string | undefined) {
		this.#key = key;
	}

	/** Whether the next value is an element of the list. */
	get #isInList(): boolean {
		return this.#around.endsWith("=");
	}

	/** Whether a bracket that opens is that of the list. */
	get #isListNext(): boolean {
		return this.#key === undefined
			? this.#around === ""
			: this.#around.endsWith("{") && this.#lastKey === this.#key;
	}

	feed(chunk: Uint8Array): Uint8Array {
		// A byte yields at most itself and a line feed.
		const lines = new Uint8Array(2 * chunk.length);
		let size = 0;
		for (const byte of chunk) {
			switch (this.#place) {
				case "record":
					if (byte === QUOTE) this.#place = "text";
					else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#depth++;
					else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET)
						this.#depth--;
					// JSON allows line feeds between tokens, so a record may span lines of the file.
					lines[size++] = byte === LF || byte === CR ? SPACE : byte;
					if (this.#depth === 0) {
						lines[size++] = LF;
						this.#place = "around";
					}
					break;
				case "text":
					lines[size++] = byte;
					// Within a text one would be invalid; better to lose that record than the rest of the
					// list.
					if (byte === LF) this.#place = "around";
					else if (this.#isEscaped) this.#isEscaped = false;
					else if (byte === BACKSLASH) this.#isEscaped = true;
					else if (byte === QUOTE) this.#place = "record";
					if (byte === LF) this.#isEscaped = false;
					break;
				case "scalar":
					if (byte === COMMA || byte === CLOSE_BRACKET || byte === LF) {
						lines[size++] = LF;
						this.#place = "around";
						if (byte === CLOSE_BRACKET) this.#leave();
					} else lines[size++] = byte;
					break;
				case "key":
					if (byte === QUOTE && !this.#isEscaped) this.#place = "around";
					else if (this.#lastKey.length < 256)
						this.#lastKey += String.fromCharCode(byte);
					this.#isEscaped = byte === BACKSLASH && !this.#isEscaped;
					break;
				default:
					if (this.#enter(byte)) lines[size++] = byte;
			}
		}
		return lines.subarray(0, size);
	}

	/** Reads a byte outside the records; true if it begins one. */
	#enter(byte: number): boolean {
		const isOpening = byte === OPEN_BRACE || byte === OPEN_BRACKET;
		// An object outside the list is a record as well: the last one may follow it.
		const isAlone =
			this.#key === undefined && this.#around === "" && byte === OPEN_BRACE;
		if (isOpening && (this.#isInList || isAlone)) {
			this.#place = "record";
			this.#depth = 1;
			return true;
		}
		if (isOpening) {
			// Deeper levels cannot contain the list, so that the depth need not be remembered. The limit
			// keeps a hostile log from growing it.
			if (this.#around.length < 64)
				this.#around +=
					byte === OPEN_BRACE ? "{" : this.#isListNext ? "=" : "[";
		} else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.#leave();
		else if (byte > SPACE && byte !== COMMA && byte !== COLON) {
			if (this.#isInList || this.#around === "") {
				// A value that is not an object cannot be a record; it becomes a line of its own, which
				// counts as unparsed.
				this.#place = "scalar";
				return true;
			}
			if (byte === QUOTE) {
				this.#place = "key";
				this.#lastKey = "";
				this.#isEscaped = false;
			}
		}
		return false;
	}

	/** A bracket or brace outside the records closes. */
	#leave(): void {
		this.#around = this.#around.slice(0, -1);
	}
}

/**
 * The fields of a row (RFC 4180): quoted fields may contain separators, and quotes written twice.
 * Not a CSV library, which would stream and convert values: by now a row is one line, and only its
 * fields are wanted.
 */
export function fieldsOf(row: string, separator: string): readonly string[] {
	const fields: string[] = [];
	for (let at = 0; ; ) {
		let field = "";
		if (row[at] === '"') {
			let from = at + 1;
			let quote = row.indexOf('"', from);
			while (quote >= 0 && row[quote + 1] === '"') {
				field += row.slice(from, quote + 1);
				from = quote + 2;
				quote = row.indexOf('"', from);
			}
			const end = quote < 0 ? row.length : quote;
			field += row.slice(from, end);
			at = end + 1;
		}
		// Text after the closing quote still belongs to the field, as most readers have it.
		const next = row.indexOf(separator, at);
		const end = next < 0 ? row.length : next;
		fields.push(field + row.slice(at, end));
		if (next < 0) return fields;
		at = next + 1;
	}
}

/** Separators, the most likely first. */
const separators = [",", ";", "\t"] as const;

/** Whether a first line probably names columns: a text of few words might be anything. */
function areNames(columns: readonly string[]): boolean {
	return (
		columns.length > 2 &&
		columns.every((name) => /^[a-z_@(][\w.()@ /:-]*$/i.test(name))
	);
}

/** The columns that a header line names, and their separator; undefined if the line is not a header. */
export function headerOf(
	line: string,
	isHeader: (columns: readonly string[]) => boolean = areNames,
):
	| { readonly columns: readonly string[]; readonly separator: string }
	| undefined {
	for (const separator of separators) {
		const columns = fieldsOf(line, separator).map((name) => name.trim());
		if (isHeader(columns)) return { columns, separator };
	}
	return undefined;
}

/**
 * Rows of CSV after a header row. Each becomes an object of its columns, so that `JsonLines`
 * decides about values as it does for JSON.
 */
class CsvRows implements Transcoder {
	readonly #json: JsonLines;
	readonly #separator: string;
	#header: string | undefined;
	#columns: readonly string[] = [];

	constructor(json: JsonLines, separator: string) {
		this.#json = json;
		this.#separator = separator;
	}

	/** See `Transcoder`. Rows without a target become NO_REQUEST, like records of JSON. */
	transcode(line: string): string {
		const row = line.replace(/\r$/, "");
		// The header is repeated where files were concatenated.
		if (row.trim() === "" || row === this.#header) return "";
		const fields = fieldsOf(row, this.#separator);
		if (this.#header === undefined) {
			this.#header = row;
			this.#columns = fields.map((name) => name.trim());
			return "";
		}
		return this.#json.lineOf(
			Object.fromEntries(
				// Empty and missing fields become null, which JsonLines takes as absent: the next key of
				// the field counts.
				this.#columns.map((name, index) => [name, fields[index] || null]),
			),
		);
	}
}

/** The transcoder of a format; undefined if its template cuts the lines as they are. */
export function transcoderOf(format: LogFormat): Transcoder | undefined {
	const json = format.json && new JsonLines(format.json);
	if (format.envelope) return new Envelopes(format.envelope, json);
	if (json && format.records?.kind === "csv")
		return new CsvRows(json, format.records.separator);
	return json;
}

/** Whether each line is a JSON object and nothing else, so that the module can cut usual ones (assembly/json.ts). */
export function isPlainJson(format: LogFormat): boolean {
	return (
		format.json !== undefined &&
		format.envelope === undefined &&
		format.records?.kind !== "csv"
	);
}

/**
 * What a JSON object has under a key: a text, such as {"log": "…\n", "stream": "stdout", "time": …} has, or an object; undefined for anything
 * else. The journal writes a list of bytes where a message is not printable UTF-8.
 */
export function inside(
	value: unknown,
	key: string,
): string | object | undefined {
	const found: unknown = keyPaths([key])[0]?.of(value);
	if (typeof found === "string") return found.replace(/\r?\n$/, "");
	if (typeof found === "object" && found !== null) return found;
	const list: unknown = Object(value)[key];
	return typeof found === "number" && Array.isArray(list)
		? new TextDecoder().decode(Uint8Array.from(list, Number))
		: undefined;
}

/** Takes off what surrounds a record: objects of which it is the value of a key, and text in front of an object. */
class Envelopes implements Transcoder {
	readonly #keys: readonly string[];
	readonly #json: JsonLines | undefined;

	constructor(keys: readonly string[], json: JsonLines | undefined) {
		this.#keys = keys;
		this.#json = json;
	}

	/** See `Transcoder`. */
	transcode(line: string): string {
		if (line.trim() === "") return "";
		let record: string | object | undefined = line;
		// Caddy's console format begins with the time: "2025/10/14 12:30:45.500<tab>INFO<tab>…{…}".
		const [time] = /^[\d/]+ [\d:.]+(?=\t)/.exec(line) ?? [];
		for (const key of this.#keys) {
			const text: string | undefined =
				typeof record === "string" ? record : undefined;
			if (key === "") {
				const at: number = text?.indexOf("{") ?? -1;
				record = at < 0 ? undefined : text?.slice(at);
			} else record = inside(text === undefined ? record : objectOf(text), key);
			if (record === undefined) return NO_REQUEST;
		}
		if (typeof record === "object")
			return this.#json?.lineOf(record, time) ?? NO_REQUEST;
		if (this.#json) return this.#json.transcode(record, time);
		// A line feed within the text would make two lines of one.
		return /[\r\n]/.test(record) ? NO_REQUEST : record;
	}
}
