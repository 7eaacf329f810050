/**
 * Rows as bytes: what `--each` and auditRows write for each line. `Notation` says how values are written, in JSON lines here or in CSV
 * (csv.ts); `RowBytes` copies the fields of a row from the log to the output. There is a row for each request of a crawler, so
 * this is written for speed: bytes are copied one by one, which takes a quarter of the time that strings would.
 */

/** How the values of a row are written. */
export interface Notation {
	/** The text before a column's value. */
	before(column: string): string;
	value(value: string | number | null): string;
	/** The end of a row. */
	readonly end: string;
	/** What surrounds a text of plain bytes. */
	readonly quote: string;
	/** Whether a byte can be copied as it is, and whether it may be the first of a text. Others go through `value`. */
	isPlain(byte: number): boolean;
	isPlainFirst(byte: number): boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** JSON lines, without the braces and the line number, which are added when rows are put in order. */
export const ndjson: Notation = {
	before: (column) => `,"${column}":`,
	value: (value) => JSON.stringify(value),
	end: "}\n",
	quote: '"',
	isPlain: (byte) =>
		byte >= 0x20 && byte < 0x7f && byte !== QUOTE && byte !== BACKSLASH,
	isPlainFirst: () => true,
};

/**
 * Rows without their line numbers, which are only known once all lines before were counted, perhaps
 * by another thread.
 */
export interface EachRows {
	/** Rows, concatenated, each starting after its line number. */
	readonly text: Uint8Array<ArrayBuffer>;
	/** The line of each row, from 0, in the segment. */
	readonly lines: Uint32Array<ArrayBuffer>;
	/** Where each row ends in `text`. */
	readonly ends: Uint32Array<ArrayBuffer>;
}

/** Latest time of a Date, in milliseconds since 1970. */
const LAST_TIME = 8.64e15;

const DAY = 86_400_000;

const DASH = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const ZULU = 0x5a;

/** Up to this many bytes, a loop is faster than a call of `set`. */
const SHORT = 24;

/** Most bytes that one byte of a field can become: \u0000. */
const ESCAPED = 6;
/** Room for column names, numbers and the time of a row. */
const REST = 512;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Writes rows. Fields of plain bytes are copied; those with any other byte go through `Notation.value`. */
export class RowBytes {
	readonly #notation: Notation;
	readonly #host: Uint8Array;
	readonly #path: Uint8Array;
	readonly #status: Uint8Array;
	readonly #bytesName: Uint8Array;
	readonly #address: Uint8Array;
	readonly #agent: Uint8Array;
	readonly #method: Uint8Array;
	readonly #referrer: Uint8Array;
	readonly #end: Uint8Array;
	readonly #none: Uint8Array;
	readonly #quote: Uint8Array;
	/** For each byte: 0 if not plain, 1 if plain, 2 if it may also begin a text. */
	readonly #plain: Uint8Array;
	#out = new Uint8Array(64 * 1024);
	#size = 0;
	#lines = new Uint32Array(256);
	#ends = new Uint32Array(256);
	#count = 0;
	readonly #timeName: Uint8Array;
	/**
	 * The day of the last time, and its text up to the "T": the same for most rows. Midnight to
	 * midnight: a log's rows are within a day or two, so the text of the day is made rarely.
	 */
	#day = Number.NaN;
	#dayText: Uint8Array = new Uint8Array(0);

	constructor(notation: Notation) {
		this.#notation = notation;
		const before = (column: string) => encoder.encode(notation.before(column));
		this.#timeName = before("time");
		this.#host = before("host");
		this.#path = before("path");
		this.#status = before("status");
		this.#bytesName = before("bytes");
		this.#address = before("address");
		this.#agent = before("user_agent");
		this.#method = before("method");
		this.#referrer = before("referrer");
		this.#end = encoder.encode(notation.end);
		this.#none = encoder.encode(notation.value(null));
		this.#quote = encoder.encode(notation.quote);
		this.#plain = Uint8Array.from({ length: 256 }, (_, byte) =>
			notation.isPlain(byte) ? (notation.isPlainFirst(byte) ? 2 : 1) : 0,
		);
	}

	/** Bytes since the last `take`. */
	get size(): number {
		return this.#size;
	}

	/**
	 * Adds a row. `who` and `verdict` are columns written before (`RowWriter` keeps them), the other bytes are fields of the log. `time` is
	 * in milliseconds since 1970 or NaN, `status` 0 without one.
	 */
	add(
		line: number,
		time: number,
		who: Uint8Array,
		// Everything below writes without a check of its own.
		host: Uint8Array,
		path: Uint8Array,
		status: number,
		bytes: number,
		address: Uint8Array,
		verdict: Uint8Array,
		agent: Uint8Array,
		method: Uint8Array,
		referrer: Uint8Array,
	): void {
		const fields =
			host.length +
			path.length +
			address.length +
			agent.length +
			method.length +
			referrer.length;
		this.#reserve(who.length + verdict.length + ESCAPED * fields + REST);
		this.#copy(this.#timeName);
		this.#writeTime(time);
		this.#copy(who);
		this.#copy(this.#host);
		this.#text(host);
		this.#copy(this.#path);
		this.#text(path);
		this.#copy(this.#status);
		if (status === 0) this.#copy(this.#none);
		else this.#digits(status);
		this.#copy(this.#bytesName);
		this.#digits(bytes);
		this.#copy(this.#address);
		this.#text(address);
		this.#copy(verdict);
		this.#copy(this.#agent);
		this.#text(agent);
		this.#copy(this.#method);
		this.#text(method);
		this.#copy(this.#referrer);
		this.#text(referrer);
		this.#copy(this.#end);
		if (this.#count === this.#lines.length) this.#growList();
		this.#lines[this.#count] = line;
		this.#ends[this.#count++] = this.#size;
	}

	/**
	 * As Date.toISOString, which takes longer. Digits are written from integers, and only a new day
	 * is formatted by Date.
	 */
	#writeTime(time: number): void {
		if (!(Math.abs(time) <= LAST_TIME)) {
			this.#copy(this.#none);
			return;
		}
		const day = Math.floor(time / DAY);
		if (day !== this.#day) {
			this.#day = day;
			const text = new Date(day * DAY).toISOString();
			this.#dayText = encoder.encode(text.slice(0, text.indexOf("T") + 1));
		}
		const out = this.#out;
		const rest = Math.floor(time - day * DAY);
		const seconds = (rest / 1000) | 0;
		const minutes = (seconds / 60) | 0;
		this.#copy(this.#quote);
		this.#copy(this.#dayText);
		this.#twoDigits((minutes / 60) | 0);
		out[this.#size++] = COLON;
		this.#twoDigits(minutes % 60);
		out[this.#size++] = COLON;
		this.#twoDigits(seconds % 60);
		out[this.#size++] = DOT;
		const milliseconds = rest % 1000;
		out[this.#size++] = ZERO + ((milliseconds / 100) | 0);
		this.#twoDigits(milliseconds % 100);
		out[this.#size++] = ZULU;
		this.#copy(this.#quote);
	}

	#twoDigits(number: number): void {
		this.#out[this.#size++] = ZERO + ((number / 10) | 0);
		this.#out[this.#size++] = ZERO + (number % 10);
	}

	/** Copies bytes to the output, for which there must be room. */
	#copy(text: Uint8Array): void {
		const { length } = text;
		if (length > SHORT) this.#out.set(text, this.#size);
		else
			for (let at = 0; at < length; at++)
				this.#out[this.#size + at] = text[at] as number;
		this.#size += length;
	}

	#digits(number: number): void {
		const text = String(number);
		for (let at = 0; at < text.length; at++)
			this.#out[this.#size++] = text.charCodeAt(at);
	}

	/**
	 * Writes a field of the log; "-" and an empty field are null. What is not plain (a quote, a
	 * control character) goes through the notation; that is rare, and need not be fast.
	 */
	#text(field: Uint8Array): void {
		const { length } = field;
		const first = field[0];
		if (first === undefined || (length === 1 && first === DASH)) {
			this.#copy(this.#none);
			return;
		}
		const out = this.#out;
		const plain = this.#plain;
		const start = this.#size;
		let to = start + this.#quote.length;
		let isPlain = plain[first] === 2;
		for (let at = 0; isPlain && at < length; at++) {
			const byte = field[at] as number;
			isPlain = plain[byte] !== 0;
			out[to++] = byte;
		}
		if (isPlain) {
			this.#copy(this.#quote);
			this.#size = to;
			this.#copy(this.#quote);
		} else {
			const text = this.#notation.value(decoder.decode(field));
			this.#size =
				start + encoder.encodeInto(text, out.subarray(start)).written;
		}
	}

	/** Makes room first, so that the writes of a row need no checks. */
	#reserve(room: number): void {
		if (this.#size + room <= this.#out.length) return;
		const more = new Uint8Array(2 * (this.#size + room));
		more.set(this.#out.subarray(0, this.#size));
		this.#out = more;
	}

	/** Doubles the room for line numbers and ends. */
	#growList(): void {
		const lines = new Uint32Array(2 * this.#count);
		const ends = new Uint32Array(2 * this.#count);
		lines.set(this.#lines);
		ends.set(this.#ends);
		this.#lines = lines;
		this.#ends = ends;
	}

	/** All rows since the last call; undefined if there are none. */
	take(): EachRows | undefined {
		if (this.#count === 0) return undefined;
		const rows = {
			text: this.#out.slice(0, this.#size),
			lines: this.#lines.slice(0, this.#count),
			ends: this.#ends.slice(0, this.#count),
		};
		this.#size = 0;
		this.#count = 0;
		return rows;
	}
}
