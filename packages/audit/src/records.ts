/** Where records are not lines: how they become lines. Plain data, so that it can go to other threads. */
export type Records =
	| {
			/** JSON objects in a list, which may be the value of a key in the outermost object. */
			readonly kind: "list";
			readonly key?: string;
	  }
	| {
			/** Rows whose quoted fields may hold line feeds; the first one names the columns. */
			readonly kind: "csv";
			readonly separator: string;
	  };

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
