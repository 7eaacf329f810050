/**
 * LogScanner reads access logs: it feeds lines to the WebAssembly module, answers what the module cannot know (who a header is, which site a
 * host is, which program judges a crawler) and has the entries counted. LogAudit, auditRows, threads and each file of a log that is followed own one.
 * A log is begun with its format, fed in chunks, and ended; whenever isFull says so, `take` gives what was counted so far as a Segment.
 */

import { LINES_PADDING } from "#robotrie/format/program";
import {
	FIELD_AGENT,
	FIELD_HOST,
	HOST_FIRST_SITE,
	HOST_WITHOUT_ROBOTS,
	SCAN_DIRECTIVE,
	SCAN_DONE,
	SCAN_FULL,
	SCAN_NEW_AGENT,
	SCAN_NEW_HOST,
	SCAN_NO_PROGRAM,
	SCAN_ODD,
	SCAN_TRANSCODE,
} from "../../assembly/format.ts";
import {
	AddressBook,
	type AddressVerifier,
	type NetworkNames,
} from "../common/addresses.ts";
import { noMemory, ScannerModule } from "../common/scanner-module.ts";
import { EntryCounter } from "../count/entry-counter.ts";
import { Pairs, SiteTables } from "../count/pairs.ts";
import type { RowWriter } from "../count/row-writer.ts";
import type { Segment } from "../count/totals.ts";
import { Where } from "../count/where.ts";
import { placeFormat } from "../formats/format-block.ts";
import { withoutDetails } from "../formats/formats.ts";
import type { Transcoder } from "../formats/json-lines.ts";
import { isHostColumn } from "../formats/line-shapes.ts";
import {
	type FormatLines,
	isChanging,
	type LogFormat,
	withDirective,
} from "../formats/log-format.ts";
import {
	type RecordFeed,
	recordFeed,
	transcoderOf,
} from "../formats/records.ts";
import type { ScanSettings } from "../options/options.ts";
import { RuleBook } from "../options/rule-book.ts";
import { AgentClasses } from "../who/agent-classes.ts";
import { Header, readingsOf } from "../who/classify.ts";
import { formatOfOdd } from "./detect.ts";

/**
 * Bytes read at once: few enough to stay in the second-level cache from reading to matching. A
 * longer read would be scanned from the third level; a shorter one calls the module more often.
 */
const CHUNK = 256 * 1024;
/** Longer lines are skipped and counted as unparsed; no server accepts a request that makes one. */
export const LONGEST_LINE = 1024 * 1024;
const BUFFER = CHUNK + LONGEST_LINE;

/** With more classes than this, all are forgotten when a segment begins: headers with ever new names make ever more of them. */
const MAX_CLASSES = 2000;
/** The same for pairs of a class and a version of robots.txt: many crawlers may visit many sites. */
const MAX_PAIRS = 100_000;

/** Longer odd lines are not looked at: expressions that look for a format would take their time. */
const LONGEST_ODD = 16 * 1024;
/**
 * Odd lines in a row that were of no format, after which only each EACH_ODD'th is looked at, and those with a time as Apache writes it: a look
 * takes some microseconds, and a log may be full of other lines.
 */
const PATIENCE = 1000;
const EACH_ODD = 16;
const APACHE_TIME = /\[\d\d\/[A-Z][a-z]{2}\/\d{4}:/;

const LF = 10;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * Reads like readSync: puts at most `room` bytes into `into` at `at` and returns their number, 0 at
 * the end. A file needs no copy then. Synchronous, as a read from a file is.
 */
type ByteReader = (into: Uint8Array, at: number, room: number) => number;

/** What answers questions about addresses. Not plain data: each thread makes its own. */
export interface KnownAddresses {
	/** Verifies addresses of crawlers without ranges; see reverse-dns.ts. */
	readonly resolved?: AddressVerifier | undefined;
	/** See `AuditOptions.systemOf`. */
	readonly systemOf?: NetworkNames | undefined;
}

/**
 * Judges the lines of access logs and counts the verdicts.
 * @example
 * scanner.begin(format);
 * for (const chunk of chunks) scanner.feed(chunk);
 * totals.append("access.log", scanner.end(), summaryOf(format));
 */
export class LogScanner {
	// One instance for all logs of an audit: its tables of headers and hosts stay warm from one log
	// to the next.
	readonly #module = new ScannerModule();
	readonly #book: RuleBook;
	readonly #classes: AgentClasses;
	readonly #pairs: Pairs;
	readonly #counter: EntryCounter;
	readonly #sites: SiteTables;
	readonly #rows: RowWriter | undefined;
	/** Address of the buffer of lines. Invariant: bytes before `#filled` are the beginning of a line, unless `#skipping`. */
	readonly #buffer: number;
	#filled = 0;
	/** Within a line of more than LONGEST_LINE bytes, until its line feed. */
	#skipping = false;
	#format: LogFormat | undefined;
	/** The same with its details, by which formats are compared; and as a text. */
	#whole: LogFormat | undefined;
	#key = "";
	/** Odd lines since the last one that was of a format. */
	#fruitless = 0;
	/** Parsed lines of the segment by format, and how many of them are in it. */
	readonly #formatLines = new Map<string, FormatLines>();
	#counted = 0;
	/** Blocks in the module that hold the format. */
	#formatBlocks: readonly number[] = [];
	/** Rewrites lines that the module does not cut itself, if the format needs it. */
	#transcoder: Transcoder | undefined;
	/** Makes lines of records, if the format needs it; `#chunk` is what they are read to. */
	#records: RecordFeed | undefined;
	#chunk: Uint8Array | undefined;
	/** Whether somebody asks for methods, referrers and content types. */
	readonly #hasDetails: boolean;
	/** Room in the module for a rewritten line; 0 until a format needs it. */
	#transcoded = 0;

	/**
	 * @param rows Also gets a row for each line.
	 * @param known What is known of addresses besides the settings.
	 */
	constructor(
		settings: ScanSettings,
		rows?: RowWriter,
		{ resolved, systemOf }: KnownAddresses = {},
	) {
		const { robots, reading, ranges, since, until, where, paths, suspects } =
			settings;
		this.#hasDetails =
			rows !== undefined ||
			paths ||
			suspects === true ||
			new Where(where).has("method");
		const module = this.#module;
		this.#book = new RuleBook(robots, reading);
		const addresses = new AddressBook(ranges, resolved);
		this.#classes = new AgentClasses(module, settings, addresses);
		this.#pairs = new Pairs(module, this.#book);
		this.#counter = new EntryCounter(
			module,
			this.#pairs,
			addresses,
			settings,
			rows,
			systemOf,
		);
		this.#rows = rows;
		rows?.use(
			module,
			this.#book,
			(index) => this.#classes.at(index),
			settings.anonymize,
		);
		this.#sites = new SiteTables(module, this.#book);
		this.#buffer = module.allocate(BUFFER + LINES_PADDING, "a buffer of lines");
		module.calls.usePeriod(since, until);
		module.calls.usePaths(paths);
		module.calls.useBytes(paths);
		module.calls.usePeople(this.#classes.judgesPeople);
	}

	/** Begins a log, at the start of a line. */
	begin(given: LogFormat): void {
		// A new log begins at a line, whatever the one before ended with.
		this.#filled = 0;
		this.#skipping = false;
		this.#fruitless = 0;
		this.#records = given.records && recordFeed(given.records);
		this.#useFormat(given);
		this.#startCounting();
	}

	/**
	 * Begins a segment, with smaller tables if they have grown too large. Only here may numbers of
	 * classes and pairs change. Forgetting between segments is safe, as no entry refers to a class or
	 * a pair then.
	 */
	#startCounting(): void {
		const isFull = this.#classes.size > MAX_CLASSES;
		if (isFull) this.#classes.forget();
		if (isFull || this.#pairs.size > MAX_PAIRS) this.#pairs.forget();
		this.#counter.start();
		this.#formatLines.clear();
		this.#counted = 0;
	}

	/**
	 * Scans at most `size` bytes, which `read` puts into linear memory directly. The last chunk of
	 * `size` may end in the middle of a line; its beginning stays in the buffer for the next call.
	 */
	readFrom(read: ByteReader, size: number): void {
		for (let left = size; left > 0; ) {
			const room = Math.min(CHUNK, left);
			const done = this.#records
				? this.#readRecords(this.#records, read, room)
				: read(this.#module.bytes, this.#buffer + this.#filled, room);
			if (done === 0) return;
			left -= done;
			if (!this.#records) this.#scanFilled(done);
		}
	}

	/** Reads records, which cannot go to linear memory directly as they become lines first. */
	#readRecords(records: RecordFeed, read: ByteReader, room: number): number {
		// Read to memory of our own first, then made into lines.
		this.#chunk ??= new Uint8Array(CHUNK);
		const done = read(this.#chunk, 0, room);
		this.#feedLines(records.feed(this.#chunk.subarray(0, done)));
		return done;
	}

	/** Scans the next bytes of the log. */
	feed(bytes: Uint8Array): void {
		this.#feedLines(this.#records ? this.#records.feed(bytes) : bytes);
	}

	/** Scans bytes of lines, a chunk at a time. */
	#feedLines(bytes: Uint8Array): void {
		for (let at = 0; at < bytes.length; at += CHUNK) {
			const chunk = bytes.subarray(at, at + CHUNK);
			this.#module.bytes.set(chunk, this.#buffer + this.#filled);
			this.#scanFilled(chunk.length);
		}
	}

	/** Ends the log, whose last line may lack its line feed. */
	end(): Segment {
		// A line feed of ours ends the last line; the buffer has room for it (LINES_PADDING).
		if (this.#filled > 0) {
			this.#module.bytes[this.#buffer + this.#filled] = LF;
			this.#scanFilled(1);
		}
		return this.take();
	}

	/** Lines counted since the last `take`. */
	get lines(): number {
		return this.#counter.lines;
	}

	/** So much was counted that it should be taken, so that memory stays bounded. */
	get isFull(): boolean {
		return this.#counter.isFull;
	}

	/** What was counted since the last call, or since `begin`. Valid until the scanner goes on, as its counters are reused. */
	take(): Segment {
		// Counters are handed over before they are started anew, so that nothing is counted twice.
		this.#countFormat();
		const formats = [...this.#formatLines.values()];
		const data = { ...this.#counter.take(), formats };
		this.#startCounting();
		return data;
	}

	/** Scans the whole lines in the buffer after bytes were added, and moves the unfinished line to its beginning. */
	#scanFilled(added: number): void {
		this.#filled += added;
		const start = this.#buffer;
		const end = start + this.#filled;
		// Bytes are searched from the end: usually one line is unfinished, and it is short.
		const { bytes } = this.#module;
		let from = start;
		if (this.#skipping) {
			const feed = bytes.subarray(start, end).indexOf(LF);
			this.#skipping = feed < 0;
			from = this.#skipping ? end : start + feed + 1;
		}
		// The limit holds as well if the line's end has come with it. Only the first line can be too long: a chunk is shorter.
		if (end - from > LONGEST_LINE) {
			const first = bytes.subarray(from, end).indexOf(LF);
			if (first > LONGEST_LINE) {
				this.#counter.countOverlong(bytes.subarray(from, from + first));
				from += first + 1;
			}
		}
		const to = bytes.subarray(from, end).lastIndexOf(LF) + 1 + from;
		if (to > from) this.#scan(from, to);
		this.#filled = end - to;
		// No server writes such a line; it is counted as unparsed and its rest skipped, so that memory
		// stays bounded.
		if (this.#filled > LONGEST_LINE) {
			this.#counter.countOverlong(this.#module.bytes.subarray(to, end));
			this.#skipping = true;
			this.#filled = 0;
		}
		// The unfinished line moves to the front of the buffer; it is at most LONGEST_LINE.
		this.#module.bytes.copyWithin(start, to, to + this.#filled);
	}

	/**
	 * Scans whole lines. The module returns whenever it needs an answer; then the line is tried
	 * again. A line that needs an answer is not counted yet, so trying it again counts it once (the
	 * invariant of assembly/log.ts).
	 */
	#scan(from: number, to: number): void {
		const { calls } = this.#module;
		for (let at = from; ; at = calls.position()) {
			const reason = calls.scanLog(at, to);
			// Entries refer to the lines in the buffer, so they are counted before anything else happens.
			// In the order of lines, which `count` relies on.
			this.#counter.count();
			switch (reason) {
				case SCAN_DONE:
					return;
				case SCAN_FULL:
					// SCAN_FULL: the entries were counted just now, and the next call has room again.
					break;
				case SCAN_NEW_AGENT:
					this.#meetAgent();
					break;
				case SCAN_NEW_HOST:
					this.#meetHost();
					break;
				case SCAN_NO_PROGRAM:
					this.#pairs.place(
						calls.pendingVersion(),
						this.#classes.at(calls.pendingClass()),
					);
					break;
				case SCAN_TRANSCODE:
					this.#transcode(calls.position());
					break;
				case SCAN_DIRECTIVE:
					this.#obeyDirective(calls.position());
					break;
				case SCAN_ODD:
					this.#meetOdd(calls.position());
					break;
				default:
					// SCAN_NO_MEMORY is the only other answer: linear memory cannot grow for the escapes of a
					// very long line.
					throw noMemory("a line");
			}
		}
	}

	/** The bytes of a field (FIELD_) of the line at which the scan stopped. */
	#field(field: number): Uint8Array {
		const at = this.#module.calls.fields() + field * 8;
		return this.#module.bytesBetween(at, at + 4);
	}

	/** Tells the module who the header is that the scan stopped at. */
	#meetAgent(): void {
		const { escaping } = this.#format as LogFormat;
		this.#classes.meet(new Header(this.#field(FIELD_AGENT), escaping));
	}

	/** Tells the module which site the host is that the scan stopped at. */
	#meetHost(): void {
		const host = decoder.decode(this.#field(FIELD_HOST));
		const format = this.#whole as LogFormat;
		if (format.columns && !format.isChosen && !isHostColumn(host)) {
			this.#meetOdd(this.#module.calls.position(), false);
			return;
		}
		const site = this.#book.siteOf(host);
		const value =
			site === undefined ? HOST_WITHOUT_ROBOTS : HOST_FIRST_SITE + site;
		const { calls } = this.#module;
		if (calls.setHost(value) !== 0) return;
		calls.forgetHosts();
		if (calls.setHost(value) === 0) throw noMemory("a host name");
	}

	/**
	 * Rewrites the line at an address for the module. JSON.parse and the look-up of keys take most of
	 * the time of such a log; json-lines.ts says for which lines this is needed.
	 */
	#transcode(at: number): void {
		const { bytes, calls } = this.#module;
		const line = decoder.decode(bytes.subarray(at, bytes.indexOf(LF, at)));
		const text = this.#transcoder?.transcode(line) ?? "";
		const room = bytes.subarray(
			this.#transcoded,
			this.#transcoded + LONGEST_LINE,
		);
		const { read, written } = encoder.encodeInto(text, room);
		// A line that does not fit becomes one byte, which is not a request. Escapes only make lines this long that servers would refuse.
		const size = read < text.length ? 1 : written;
		calls.setLine(this.#transcoded, this.#transcoded + size);
	}

	/** Reads a directive of W3C's format, which may change the fields of the lines that follow. */
	#obeyDirective(at: number): void {
		const { bytes, calls } = this.#module;
		const text = decoder.decode(bytes.subarray(at, bytes.indexOf(LF, at)));
		const format = withDirective(this.#whole as LogFormat, text);
		if (format) this.#useFormat(format);
		calls.skipDirective();
	}

	/**
	 * A line that is not as the format says: it is of another one, which the lines after it are then read as, too; or its fields are right all the
	 * same; or it is unparsed.
	 * @param isFine Whether a line of the same format is right as it was cut.
	 */
	#meetOdd(at: number, isFine = true): void {
		const { bytes, calls } = this.#module;
		const whole = this.#whole as LogFormat;
		const end = bytes.indexOf(LF, at);
		const line =
			isChanging(whole) && end - at <= LONGEST_ODD
				? decoder.decode(bytes.subarray(at, end)).replace(/\r$/, "")
				: "";
		const isLookedAt =
			this.#fruitless < PATIENCE ||
			this.#fruitless % EACH_ODD === 0 ||
			APACHE_TIME.test(line);
		const found = isLookedAt ? formatOfOdd(line, whole) : undefined;
		if (!found) {
			this.#fruitless++;
			calls.settleLine(false);
			return;
		}
		this.#fruitless = 0;
		if (JSON.stringify(found) === this.#key) calls.settleLine(isFine);
		else this.#useFormat(found);
	}

	/** Counts the lines since the last call for the format that they had. */
	#countFormat(): void {
		if (!this.#whole) return;
		const { name, prefix = null } = this.#whole;
		const key = `${name}\n${prefix}`;
		const lines = this.#counter.parsed - this.#counted;
		this.#counted += lines;
		if (lines === 0) return;
		const known = this.#formatLines.get(key)?.lines ?? 0;
		this.#formatLines.set(key, { name, prefix, lines: known + lines });
	}

	/** Makes the module use a format, and forget what depended on the one before. */
	#useFormat(whole: LogFormat): void {
		this.#countFormat();
		this.#whole = whole;
		this.#key = JSON.stringify(whole);
		const format = this.#hasDetails ? whole : withoutDetails(whole);
		const { calls } = this.#module;
		this.#transcoder = transcoderOf(format);
		if (this.#transcoder && this.#transcoded === 0)
			this.#transcoded = this.#module.allocate(
				LONGEST_LINE + LINES_PADDING,
				"a line",
			);
		// Released after the new format is in use: the module never points at a freed block.
		const blocks = placeFormat(this.#module, format);
		for (const block of this.#formatBlocks) calls.release(block);
		this.#formatBlocks = blocks;
		// The same bytes may be another header now. Headers are remembered by their bytes; under
		// another escaping the same bytes are another text.
		if (this.#format?.escaping !== format.escaping) {
			calls.forgetAgents();
			this.#module.bytes.set(readingsOf(format.escaping), calls.readings());
		}
		this.#format = format;
		if (this.#rows) this.#rows.escaping = format.escaping;
		this.#sites.use(format);
	}
}
