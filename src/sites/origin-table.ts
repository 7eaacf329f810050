/**
 * Origins and their programs in one WebAssembly memory: the part of an index that threads have too. RobotsIndex, shared-index.ts and the
 * command line call it, with arguments that are checked already. URLs in unusual forms come back from the module, and the platform's URL
 * parser judges them.
 */
import {
	LINES_PADDING,
	MAX_U24,
	VERDICT_INVALID,
	VERDICT_UNKNOWN,
	VERDICT_UNUSUAL,
	VERIFY_NO_ROOM,
} from "../../assembly/format/program.ts";
import {
	ENTRY_KEY,
	ENTRY_PROGRAM,
	LEAST_ENTRY,
} from "../../assembly/format/snapshot.ts";
import { parseUrl, type Url } from "../common/arguments.ts";
import {
	checkTextLength,
	deliver,
	fill,
	judgeInChunks,
	judgeTexts,
} from "../common/chunks.ts";
import type { Column } from "../common/column.ts";
import { RobotrieError } from "../common/errors.ts";
import type { Steps } from "../common/steps.ts";
import { originOf } from "../common/urls.ts";
import { judgeColumn } from "../engine/columns.ts";
import type { Verdict } from "../engine/engine.ts";
import {
	indexModule,
	LinearMemory,
	outOfMemory,
} from "../engine/linear-memory.ts";
import { viewOf } from "../matching/container.ts";
import { type Dialect, dialectRules } from "../robots-txt/dialect.ts";
import { Capture, type IndexExports } from "./capture.ts";
import { originIn } from "./scope.ts";

/** All of WebAssembly's memory. */
export const MOST_BYTES = 2 ** 32;
const HASH_KEYS_SIZE = 32;
/** Bytes that the system gives at once, and of which so many are written to in a step. */
const PAGE = 4096;
const TOUCHED = 512 * 1024;
/** Bytes, about: of a longer one some pages are not ready. */
const LONGEST_ORIGIN = 8192;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * More origins than fit into memory. A snapshot may claim any number.
 */
export const MOST_EXPECTED = 2 ** 26;

/** How far a table came in reading entries: bytes and origins of whole ones, and why the last was refused, a VERIFY_ or LOAD_ code. */
interface LoadResult {
	readonly read: number;
	readonly origins: number;
	readonly failure: number;
}

/**
 * Origins with their programs, in a linear memory of their own. It knows nothing of agents,
 * dialects or robots.txt files; it is also what threads and shards are made of.
 */
export class OriginTable {
	readonly #linear: LinearMemory<IndexExports>;
	readonly #module: IndexExports;
	/** Rules are of the google dialect. */
	readonly #google: boolean;
	#limit = 0;

	/** A table over an instance's origins; `open` has to come first where there are none yet. */
	constructor(linear: LinearMemory<IndexExports>, google: boolean) {
		this.#linear = linear;
		this.#module = linear.module;
		this.#google = google;
	}

	/** An empty table in a memory of its own, for programs of a dialect; it may take `limit` bytes. */
	static inOwnMemory(dialect: Dialect, limit = MOST_BYTES): OriginTable {
		const google = dialectRules(dialect).googleMatching;
		const table = new OriginTable(
			new LinearMemory(indexModule, undefined, "the index"),
			google,
		);
		table.open(limit);
		return table;
	}

	/**
	 * Makes it an empty table, once per memory. Hash keys are random for each table, as names of
	 * hosts are anybody's to choose.
	 */
	open(limit: number): void {
		this.#limit = limit;
		const keys = crypto.getRandomValues(new Uint8Array(HASH_KEYS_SIZE));
		this.#linear.bytes().set(keys, this.#module.hashKeys());
		if (!this.#module.openOrigins(Math.min(limit, MOST_BYTES - 1)))
			throw this.#lacks("an empty index");
	}

	get size(): number {
		return this.#module.originCount() >>> 0;
	}

	// u32 results of the module come as negative numbers from 2 ** 31 on.
	get stats() {
		const { programCount, programSize, unsharedSize, usedSize } = this.#module;
		return {
			programs: programCount() >>> 0,
			programBytes: programSize(),
			unsharedProgramBytes: unsharedSize(),
			byteLength: usedSize() >>> 0,
		};
	}

	/**
	 * Gives an origin a compact program that is known to be sound. Sound, because it was compiled
	 * here or verified when it was loaded: programs are run without further checks.
	 */
	set(origin: string, program: Uint8Array): void {
		const linear = this.#linear;
		const from = linear.input(origin.length * 3 + program.length);
		const length = linear.encodeInput(origin);
		linear.bytes().set(program, from + length);
		if (!this.#module.setOrigin(from, length, from + length))
			throw this.#lacks(origin);
	}

	/**
	 * Has memory ready, in steps, for a program of so many bytes that `set` is to be given: for the input region, and a block such as the
	 * program will get. The system gives each page when it is first written to, and that was most of `set`: 15 ms for a program of 9 MB,
	 * and 3 where the pages were there. Where there is no memory, it does nothing: `set` says so.
	 */
	*roomSteps(size: number): Steps<void> {
		const linear = this.#linear;
		const { allocate, release } = this.#module;
		const whole = size + LONGEST_ORIGIN;
		for (let at = 0; at < whole; at += TOUCHED) {
			yield;
			try {
				// Another call may have had the region moved since.
				const from = linear.input(whole);
				this.#touch(from + at, Math.min(TOUCHED, whole - at));
			} catch {
				return;
			}
		}
		const block = allocate(size) >>> 0;
		if (block === 0) return;
		for (let at = 0; at < size; at += TOUCHED) {
			yield;
			this.#touch(block + at, Math.min(TOUCHED, size - at));
		}
		release(block);
	}

	/** Writes to all pages of memory that holds nothing. */
	#touch(from: number, size: number): void {
		const bytes = this.#linear.bytes();
		for (let at = 0; at < size; at += PAGE) bytes[from + at] = 0;
	}

	/** Makes room for so many origins in the tables. @throws {RobotrieError} limit-exceeded. */
	expect(origins: number): void {
		if (!this.#module.expect(origins, origins))
			throw this.#lacks(`a table of ${origins} origins`);
	}

	/**
	 * The same for numbers from a snapshot, which may say anything: `size` bytes cannot hold more. At
	 * most as many as the bytes could hold, so that a false number costs no memory.
	 */
	expectIn(size: number, origins: number, programs: number): void {
		const most = Math.min(size / LEAST_ENTRY, MOST_EXPECTED);
		this.#module.expect(Math.min(origins, most), Math.min(programs, most));
	}

	/**
	 * Reads as many whole entries of a snapshot as the bytes hold, at most `most`. They go on where
	 * those of the last call ended. In linear memory first: entries are verified and read where they
	 * lie.
	 * @throws {RobotrieError} limit-exceeded.
	 */
	load(entries: Uint8Array, most: number): LoadResult {
		const module = this.#module;
		const from = this.#linear.place(entries);
		const before = module.originsRead() >>> 0;
		const read = module.loadEntries(from, entries.length, most) >>> 0;
		const failure = module.loadFailure();
		if (failure === VERIFY_NO_ROOM) throw this.#lacks("the index");
		return { read, origins: (module.originsRead() >>> 0) - before, failure };
	}

	/** Programs that `load` has read since the last `endLoading`. */
	get programsRead(): number {
		return this.#module.programsRead() >>> 0;
	}

	/** After the last `load` of a snapshot. Another one may follow. */
	endLoading(): void {
		this.#module.endLoading();
	}

	/** All origins as they are now; `inOrder` as for a Capture. */
	capture(inOrder = false): Capture {
		return new Capture(this.#linear, inOrder);
	}

	/** Bytes of all entries of a snapshot, about. */
	get entriesSize(): number {
		const { programSize, keySize } = this.#module;
		return this.size * (ENTRY_PROGRAM + ENTRY_KEY) + programSize() + keySize();
	}

	delete(origin: string): boolean {
		const length = this.#write(origin);
		return this.#module.deleteOrigin(this.#linear.input(0), length) !== 0;
	}

	has(origin: string): boolean {
		return this.#find(origin) !== 0;
	}

	/**
	 * A copy of the compact program of an origin; undefined if the origin is not there. The program
	 * itself may be freed by the next change.
	 */
	programOf(origin: string): Uint8Array | undefined {
		const program = this.#find(origin);
		if (program === 0) return undefined;
		const bytes = this.#linear.bytes();
		// Its first field (assembly/format/compact.ts).
		const length = viewOf(bytes).getUint32(program, true) & MAX_U24;
		return bytes.slice(program, program + length);
	}

	/**
	 * The verdict for one URL. It is judged as the only line of a batch first, whose reader knows most URLs as they are written: `new URL`
	 * takes longer than all else.
	 */
	match(text: string): Verdict {
		checkTextLength(text);
		const last = text.charCodeAt(text.length - 1);
		// A line end at the end is part of a text, not of a line.
		if (text.length > MOST_IN_LINE || last === LF || last === CR)
			return this.#judge(text) as Verdict;
		const from = this.#linear.input(roomOf(text.length * 3));
		const length = this.#linear.encodeInput(text);
		// A line end within the text makes two lines of it, and an empty text makes none.
		const lines = this.#matchInput(from, length);
		const verdict =
			lines === 1
				? (this.#linear.bytes()[verdictsAt(from, length)] as number)
				: VERDICT_UNUSUAL;
		return (
			verdict === VERDICT_UNUSUAL ? this.#judge(text) : verdict
		) as Verdict;
	}

	/**
	 * Verdict bytes, one per line of `bytes`, in `into` if given. Input, verdicts and unusual lines
	 * lie one after the other in the input region (`roomOf`), so one reservation is enough.
	 */
	matchLines(bytes: Uint8Array, into?: Uint8Array): Uint8Array {
		return judgeInChunks(bytes, into, (chunk, size, part) => {
			const from = this.#linear.place(chunk, roomOf(size));
			return this.#deliver(
				from,
				size,
				this.#matchInput(from, size),
				(_line, at) => {
					const line = lineAt(chunk, at - from);
					return this.#judge(decoder.decode(line), line);
				},
				part,
			);
		});
	}

	/**
	 * Where the program of an origin lies until the next change, 0 if it is not there.
	 * @throws {RobotrieError} invalid-url, for anything but an absolute URL with a host; invalid-argument.
	 */
	find(origin: Url): number {
		// Stored origins are written in the common form: a text that is one need not be read as a URL first.
		const isShort = typeof origin === "string" && origin.length <= MOST_IN_LINE;
		return (
			(isShort && this.#find(origin)) || this.#find(originIn(origin, "origin"))
		);
	}

	/** Verdict bytes, one per line of an origin's URLs or paths by its program (`find`), in `into` if given. */
	matchLinesBy(
		program: number,
		bytes: Uint8Array,
		into?: Uint8Array,
	): Uint8Array {
		return judgeInChunks(bytes, into, (chunk, size, part) => {
			const from = this.#linear.place(chunk, roomOf(size));
			const to = verdictsAt(from, size);
			const { matchLinesBy } = this.#module;
			const lines = matchLinesBy(program, from, size, to, this.#google);
			if (lines < 0) throw outOfMemory(`an input of ${size} bytes`);
			return deliver(this.#linear.bytes(), to, to + lines, part);
		});
	}

	/** Verdict bytes, one per text, in `into` if given. */
	matchMany(texts: readonly string[], into?: Uint8Array): Uint8Array {
		return judgeTexts(
			texts,
			into,
			(joined, some, part) => {
				// Three bytes for each UTF-16 unit are the longest encoding.
				const from = this.#linear.input(roomOf(joined.length * 3));
				const length = this.#linear.encodeInput(joined);
				const lines = this.#matchInput(from, length);
				// A text with a line end in it made more lines than texts: the caller judges one by one.
				if (lines !== some.length) return false;
				const judgeUnusual = (line: number) => this.#judge(some[line] ?? "");
				fill(part, this.#linear.bytes(), verdictsAt(from, length));
				this.#settle(from, length, judgeUnusual, part);
				return true;
			},
			(text) => this.match(text),
		);
	}

	/** Verdict bytes, one per row of a column. */
	matchColumn(column: Column): Uint8Array {
		const judgeOne = (row: Uint8Array) => this.#judge(decoder.decode(row), row);
		return judgeColumn(column, {
			linear: this.#linear,
			roomOf,
			judgeLines: (from, length, into, rowOf) => {
				const lines = this.#matchInput(from, length);
				const judgeUnusual = (line: number) => judgeOne(rowOf(line));
				return this.#deliver(from, length, lines, judgeUnusual, into);
			},
			judgeOne,
		});
	}

	/**
	 * Judges the lines in the input region; returns their number. A negative number of lines means
	 * that memory could not grow.
	 */
	#matchInput(from: number, length: number): number {
		const lines = this.#module.matchOrigins(
			from,
			length,
			verdictsAt(from, length),
			unusualAt(from, length),
			this.#google,
		);
		if (lines < 0) throw outOfMemory(`an input of ${length} bytes`);
		return lines;
	}

	/**
	 * The verdicts of the lines that were judged. `judgeUnusual` judges a line by its number and address; the region may be overwritten
	 * by then.
	 */
	#deliver(
		from: number,
		length: number,
		lines: number,
		judgeUnusual: (line: number, address: number) => number,
		into: Uint8Array | undefined,
	): Uint8Array {
		const to = verdictsAt(from, length);
		const verdicts = deliver(this.#linear.bytes(), to, to + lines, into);
		return this.#settle(from, length, judgeUnusual, verdicts);
	}

	/**
	 * Puts the verdicts of unusual lines in their places. The module leaves alone what the URL
	 * standard reads differently from plain bytes: upper case, punycode, user names, other schemes.
	 * These are few.
	 */
	#settle(
		from: number,
		length: number,
		judgeUnusual: (line: number, address: number) => number,
		verdicts: Uint8Array,
	): Uint8Array {
		const unusual = unusualAt(from, length);
		const end = this.#module.endOfUnusual() >>> 0;
		if (end === unusual) return verdicts;
		// Copied, since judging them one by one uses the same region.
		const addresses = new Uint32Array(
			this.#linear.bytes().slice(unusual, end).buffer,
		);
		let line = -1;
		for (const address of addresses) {
			// Unusual lines come in order, so each is the next marked one.
			line = verdicts.indexOf(VERDICT_UNUSUAL, line + 1);
			verdicts[line] = judgeUnusual(line, address);
		}
		return verdicts;
	}

	/**
	 * The verdict for one text, its origin read by the platform's URL parser. `bytes` are what it was
	 * decoded from, if anything. Slower by a parse, and right for every text that the platform calls
	 * a URL. One without a host ("mailto:a@b") is of no site.
	 */
	#judge(text: string, bytes?: Uint8Array): number {
		const url = parseUrl(text);
		if (!url?.host) return VERDICT_INVALID;
		const program = this.#find(originOf(url));
		if (program === 0) return VERDICT_UNKNOWN;
		// The bytes themselves are matched where there are any: decoding would replace what is not
		// UTF-8.
		const length = bytes ? this.#place(bytes) : this.#write(text);
		const from = this.#linear.input(0);
		const verdict = this.#module.matchOne(program, from, length);
		if (verdict < 0) throw outOfMemory(`a URL of ${length} bytes`);
		return verdict;
	}

	#find(origin: string): number {
		const length = this.#write(origin);
		return this.#module.findOrigin(this.#linear.input(0), length) >>> 0;
	}

	/** Writes a text to the input region; returns its bytes. */
	#write(text: string): number {
		this.#linear.input(text.length * 3);
		return this.#linear.encodeInput(text);
	}

	/** The same for bytes. */
	#place(bytes: Uint8Array): number {
		const at = this.#linear.input(bytes.length);
		this.#linear.bytes().set(bytes, at);
		return bytes.length;
	}

	// The three numbers tell whether the limit is too low or the memory is full.
	#lacks(what: string): RobotrieError {
		const used = this.#module.usedSize() >>> 0;
		const missingSize = this.#module.missingSize() >>> 0;
		return new RobotrieError(
			"limit-exceeded",
			`${what} needs ${missingSize} bytes where ${used} are in use; the limit is ${this.#limit}`,
		);
	}
}

/** Characters of a text that `match` judges as a line: the room for a batch is twelve times as large. */
const MOST_IN_LINE = 16384;
const LF = 10;
const CR = 13;

/**
 * Bytes of the input region for lines: those, padding, a verdict for each byte, an address for
 * every three.
 */
export function roomOf(length: number): number {
	return length + LINES_PADDING + length + 8 + length * 2;
}

/** Where the verdicts of lines in the input region are. */
function verdictsAt(from: number, length: number): number {
	return from + length + LINES_PADDING;
}

/** Where the addresses of lines are that only the host can judge. */
function unusualAt(from: number, length: number): number {
	return ((verdictsAt(from, length) + length + 1 + 3) & ~3) >>> 0;
}

/** The line of `bytes` that begins at an offset, without its end. */
function lineAt(bytes: Uint8Array, from: number): Uint8Array {
	const feed = bytes.indexOf(10, from);
	let to = feed < 0 ? bytes.length : feed;
	if (to > from && bytes[to - 1] === 13) to--;
	// A copy, as it may be in shared memory, which decoders of browsers refuse.
	return bytes.slice(from, to);
}
