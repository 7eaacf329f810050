import { JsonLines, NO_REQUEST, type Transcoder } from "./json-lines.ts";
import type { LogFormat, Records } from "./log-format.ts";

/** Makes a line of each record. Bytes come in parts of any size. */
export interface RecordFeed {
	/** Whole lines, and perhaps the beginning of the next one. */
	feed(part: Uint8Array): Uint8Array;
}

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

/** Longer records are no rows: a quote is missing. */
const LONGEST_ROW = 1024 * 1024;

/** Blanks stand for line feeds in quotes. A quote opens a field only at its beginning, so that a stray one does not swallow rows. */
class CsvRecords implements RecordFeed {
	readonly #separator: number;
	#isQuoted = false;
	#isFieldStart = true;
	/** Behind a quote that may be the first of two. */
	#isBehindQuote = false;
	#size = 0;

	constructor(separator: string) {
		this.#separator = separator.charCodeAt(0);
	}

	feed(part: Uint8Array): Uint8Array {
		const lines = part.slice();
		for (let at = 0; at < lines.length; at++) {
			const byte = lines[at] as number;
			this.#size++;
			if (this.#isQuoted) {
				if (byte === QUOTE) {
					this.#isQuoted = false;
					this.#isBehindQuote = true;
				} else if (byte === LF || byte === CR) {
					if (this.#size <= LONGEST_ROW) lines[at] = SPACE;
					else if (byte === LF) this.#endRow();
				}
				continue;
			}
			if (byte === QUOTE && (this.#isFieldStart || this.#isBehindQuote))
				this.#isQuoted = true;
			this.#isBehindQuote = false;
			this.#isFieldStart = byte === this.#separator;
			if (byte === LF) this.#endRow();
		}
		return lines;
	}

	#endRow(): void {
		this.#isQuoted = false;
		this.#isBehindQuote = false;
		this.#isFieldStart = true;
		this.#size = 0;
	}
}

/** Where a list's bytes belong. */
type Place = "around" | "key" | "record" | "text" | "scalar";

/**
 * Elements of a list in JSON. Around it only brackets, braces and keys count. A line feed within a text ends a record that was cut off:
 * what follows is read anew.
 */
class ListRecords implements RecordFeed {
	readonly #key: string | undefined;
	#place: Place = "around";
	/** Brackets and braces around, from the outermost on. */
	#around = "";
	/** The last key or text around. */
	#lastKey = "";
	#isEscaped = false;
	/** Brackets and braces that are open in the record. */
	#depth = 0;

	constructor(key: string | undefined) {
		this.#key = key;
	}

	/** Whether elements of the list stand here. */
	get #isInList(): boolean {
		if (this.#key === undefined) return this.#around === "[";
		return this.#around === "{[" && this.#lastKey === this.#key;
	}

	feed(part: Uint8Array): Uint8Array {
		// Each byte makes at most two.
		const lines = new Uint8Array(2 * part.length);
		let size = 0;
		for (const byte of part) {
			switch (this.#place) {
				case "record":
					if (byte === QUOTE) this.#place = "text";
					else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#depth++;
					else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET)
						this.#depth--;
					lines[size++] = byte === LF || byte === CR ? SPACE : byte;
					if (this.#depth === 0) {
						lines[size++] = LF;
						this.#place = "around";
					}
					break;
				case "text":
					lines[size++] = byte;
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

	/** Reads a byte around the records; true if it begins one. */
	#enter(byte: number): boolean {
		const isOpening = byte === OPEN_BRACE || byte === OPEN_BRACKET;
		// An object by itself, where a list was before, is a record, too.
		const isAlone =
			this.#key === undefined && this.#around === "" && byte === OPEN_BRACE;
		if (isOpening && (this.#isInList || isAlone)) {
			this.#place = "record";
			this.#depth = 1;
			return true;
		}
		if (isOpening) {
			// Deeper ones cannot hold the list.
			if (this.#around.length < 64)
				this.#around += byte === OPEN_BRACE ? "{" : "[";
		} else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.#leave();
		else if (byte > SPACE && byte !== COMMA && byte !== COLON) {
			if (this.#isInList || this.#around === "") {
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

	#leave(): void {
		this.#around = this.#around.slice(0, -1);
	}
}

/** The fields of a row (RFC 4180): quoted ones may hold separators, and quotes twice. */
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
		// What stands behind the quote belongs to the field, too.
		const next = row.indexOf(separator, at);
		const end = next < 0 ? row.length : next;
		fields.push(field + row.slice(at, end));
		if (next < 0) return fields;
		at = next + 1;
	}
}

/** Separators, the likeliest first. */
const separators = [",", ";", "\t"] as const;

/** The columns that a header line names, and what separates them; undefined if it is no header. */
export function headerOf(
	line: string,
):
	| { readonly columns: readonly string[]; readonly separator: string }
	| undefined {
	for (const separator of separators) {
		const columns = fieldsOf(line, separator).map((name) => name.trim());
		if (columns.length < 3) continue;
		if (columns.every((name) => /^[a-z_@(][\w.()@ /:-]*$/i.test(name)))
			return { columns, separator };
	}
	return undefined;
}

/** Rows of CSV below a line that names their columns. */
export class CsvRows implements Transcoder {
	readonly #json: JsonLines;
	readonly #separator: string;
	#header: string | undefined;
	#columns: readonly string[] = [];

	constructor(json: JsonLines, separator: string) {
		this.#json = json;
		this.#separator = separator;
	}

	transcode(line: string): string {
		const row = line.replace(/\r$/, "");
		// The header comes again where files were put together.
		if (row.trim() === "" || row === this.#header) return "";
		const fields = fieldsOf(row, this.#separator);
		if (this.#header === undefined) {
			this.#header = row;
			this.#columns = fields.map((name) => name.trim());
			return "";
		}
		return this.#json.lineOf(
			Object.fromEntries(
				this.#columns.map((name, index) => [name, fields[index] || null]),
			),
		);
	}
}

/** Undefined where lines need none. */
export function transcoderOf(format: LogFormat): Transcoder | undefined {
	const json = format.json && new JsonLines(format.json);
	if (format.envelope === "docker")
		return { transcode: (line) => ofContainer(line, json) };
	if (json && format.envelope === "text")
		return { transcode: (line) => behindText(line, json) };
	if (json && format.records?.kind === "csv")
		return new CsvRows(json, format.records.separator);
	return json;
}

/** Whether lines that are usual need none. */
export function isPlainJson(format: LogFormat): boolean {
	return (
		format.json !== undefined &&
		format.envelope === undefined &&
		format.records?.kind !== "csv"
	);
}

/** The line that a container wrote, which Docker keeps as {"log": "…\n", "stream": "stdout", "time": …}. */
export function lineInside(line: string): string | undefined {
	try {
		const value: unknown = JSON.parse(line);
		if (typeof value !== "object" || value === null) return undefined;
		if (!("log" in value) || !("stream" in value)) return undefined;
		return typeof value.log === "string"
			? value.log.replace(/\r?\n$/, "")
			: undefined;
	} catch {
		return undefined;
	}
}

function ofContainer(line: string, json: Transcoder | undefined): string {
	if (line.trim() === "") return "";
	const inside = lineInside(line);
	if (inside === undefined || /[\r\n]/.test(inside)) return NO_REQUEST;
	return json ? json.transcode(inside) : inside;
}

/** An object with text in front, which may begin with the time: "2025/10/14 12:30:45.500<tab>INFO<tab>…". */
function behindText(line: string, json: JsonLines): string {
	if (line.trim() === "") return "";
	const at = line.indexOf("{");
	if (at < 0) return NO_REQUEST;
	const [time = ""] = /^[\d/]+ [\d:.]+(?=\t)/.exec(line) ?? [];
	return json.transcode(line.slice(at), time);
}
