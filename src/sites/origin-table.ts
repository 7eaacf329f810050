import {
	LINES_PADDING,
	VERDICT_INVALID,
	VERDICT_UNKNOWN,
	VERDICT_UNUSUAL,
	VERIFY_NO_ROOM,
	VERIFY_OK,
} from "../../assembly/format/program.ts";
import type { Url } from "../common/arguments.ts";
import { deliver, judgeInChunks, judgeTexts } from "../common/chunks.ts";
import { RobotrieError } from "../common/errors.ts";
import { parseUrl } from "../common/parse-url.ts";
import {
	type CommonExports,
	LinearMemory,
	outOfMemory,
} from "../engine/linear-memory.ts";
import { indexModule } from "../engine/module.ts";
import { originOf } from "./scope.ts";
import { SYMBOLS } from "./string-table.ts";

/** What assembly/robots-index.ts exports; its contracts stand there. */
export interface IndexExports extends CommonExports {
	hashKeys(): number;
	openOrigins(limit: number): number;
	setSymbols(at: number): void;
	keepProgram(bytes: number): number;
	expect(origins: number, programs: number): void;
	loadEntries(from: number, length: number): number;
	loadFailure(): number;
	programsRead(): number;
	originsRead(): number;
	dropProgram(program: number): void;
	setOrigin(origin: number, length: number, program: number): number;
	deleteOrigin(origin: number, length: number): number;
	findOrigin(origin: number, length: number): number;
	nextSlot(slot: number): number;
	originCount(): number;
	programCount(): number;
	programSize(): number;
	unsharedSize(): number;
	usedSize(): number;
	missingSize(): number;
	matchOne(program: number, from: number, length: number): number;
	matchOrigins(
		from: number,
		length: number,
		to: number,
		unusual: number,
		special: number,
	): number;
	endOfUnusual(): number;
}

/** All of WebAssembly's memory. */
export const MOST_BYTES = 2 ** 32;
const HASH_KEYS_SIZE = 32;
/** What is left out of origins in memory. */
const HTTPS = new TextEncoder().encode("https://");

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Bytes of a snapshot that are copied and read at once: they stay in the second-level cache. */
const PIECE = 256 * 1024;
/** Bytes that an origin takes in it, and a program, at least. */
const LEAST_RECORD = 8;
/** More than any of them takes, with what stands in front of it: lengths are of 24 bits. */
const MOST_RECORD = 2 ** 25;
/** Room for more is made as they come. */
const MOST_EXPECTED = 2 ** 26;

/**
 * How far a table came in reading records: bytes of whole ones; programs and origins in them, the last program perhaps one that was
 * refused; why that was, a VERIFY_ code.
 */
type LoadResult = readonly [
	read: number,
	programs: number,
	origins: number,
	failure: number,
];

/** Origins with their programs, in a linear memory of their own. */
export class OriginTable {
	readonly #linear: LinearMemory<IndexExports>;
	readonly #module: IndexExports;
	/** The byte beside "#" that makes a URL need a closer look. */
	readonly #special: number;
	#limit = 0;

	/** A table over an instance's origins; `open` has to come first where there are none yet. */
	constructor(linear: LinearMemory<IndexExports>, google: boolean) {
		this.#linear = linear;
		this.#module = linear.module;
		this.#special = google ? 0 : 0x25;
	}

	/** An empty table in a memory of its own, which may take `limit` bytes. */
	static inOwnMemory(limit: number, google: boolean): OriginTable {
		const table = new OriginTable(new LinearMemory(indexModule()), google);
		table.open(limit);
		return table;
	}

	/** Makes it an empty table, once per memory. */
	open(limit: number): void {
		this.#limit = limit;
		const keys = crypto.getRandomValues(new Uint8Array(HASH_KEYS_SIZE));
		this.#linear.bytes().set(keys, this.#module.hashKeys());
		this.#write(SYMBOLS);
		this.#module.setSymbols(this.#linear.input(0));
		if (!this.#module.openOrigins(Math.min(limit, MOST_BYTES - 1)))
			throw this.#lacks("an empty index");
	}

	get size(): number {
		return this.#module.originCount() >>> 0;
	}

	get stats() {
		const { programCount, programSize, unsharedSize, usedSize } = this.#module;
		return {
			programs: programCount() >>> 0,
			programBytes: programSize(),
			unsharedProgramBytes: unsharedSize(),
			byteLength: usedSize() >>> 0,
		};
	}

	/** Gives an origin a program that is known to be sound. */
	set(origin: string, program: Uint8Array): void {
		const module = this.#module;
		const programAt = this.#linear.input(program.length);
		this.#linear.bytes().set(program, programAt);
		const kept = module.keepProgram(programAt) >>> 0;
		if (kept === 0) throw this.#lacks(origin);
		const length = this.#write(origin);
		const set = module.setOrigin(this.#linear.input(0), length, kept);
		const reached = module.usedSize() >>> 0;
		module.dropProgram(kept);
		if (!set) throw this.#lacks(origin, reached);
	}

	/**
	 * Reads the records of a snapshot into an empty table, one after another, and says how far it came and what was wrong with
	 * the last program, a VERIFY_ code. Room is made in advance for so many origins and programs, unless there cannot be as many.
	 * @throws {RobotrieError} limit-exceeded.
	 */
	load(records: Uint8Array, origins: number, programs: number): LoadResult {
		const module = this.#module;
		const most = Math.min(records.length / LEAST_RECORD, MOST_EXPECTED);
		module.expect(Math.min(origins, most), Math.min(programs, most));
		let read = 0;
		let failure: number = VERIFY_OK;
		for (let size = PIECE; read < records.length; ) {
			const piece = records.subarray(read, read + size);
			const from = this.#linear.input(piece.length);
			this.#linear.bytes().set(piece, from);
			const taken = module.loadEntries(from, piece.length);
			read += taken;
			failure = module.loadFailure();
			if (failure !== VERIFY_OK) break;
			if (taken === 0 && (piece.length < size || size >= MOST_RECORD)) break;
			size = taken === 0 ? size * 2 : PIECE;
		}
		if (failure === VERIFY_NO_ROOM) throw this.#lacks("the index");
		return [read, module.programsRead(), module.originsRead(), failure];
	}

	delete(origin: string): boolean {
		const length = this.#write(origin);
		return this.#module.deleteOrigin(this.#linear.input(0), length) !== 0;
	}

	has(origin: string): boolean {
		return this.#find(origin) !== 0;
	}

	/** Addresses of origins and of their programs, in no order; to be used up before anything is changed. */
	*entries(): Generator<{ address: number; program: number }> {
		for (
			let slot = this.#module.nextSlot(0) >>> 0;
			slot !== 0;
			slot = this.#module.nextSlot(slot) >>> 0
		) {
			const words = this.#linear.words();
			const address = ((words[slot >>> 2] as number) & ~15) >>> 0;
			yield { address, program: (words[address >>> 2] as number) >>> 0 };
		}
	}

	/** The origin at an address, as the URL standard writes it. */
	origin(address: number): Uint8Array {
		const bytes = this.#linear.bytes();
		const head = u24At(bytes, address + 4);
		const kept = bytes.subarray(address + 7, address + 7 + (head >>> 1));
		if ((head & 1) === 0) return kept;
		const whole = new Uint8Array(HTTPS.length + kept.length);
		whole.set(HTTPS);
		whole.set(kept, HTTPS.length);
		return whole;
	}

	/** A view of the program at an address. */
	program(address: number): Uint8Array {
		const bytes = this.#linear.bytes();
		return bytes.subarray(address, address + u24At(bytes, address));
	}

	/** Verdict bytes, one per line of `bytes`, in `into` if given. */
	matchLines(bytes: Uint8Array, into?: Uint8Array): Uint8Array {
		return judgeInChunks(bytes, into, (chunk, part) => {
			const from = this.#linear.input(roomOf(chunk.length));
			this.#linear.bytes().set(chunk, from);
			return this.#matchInput(
				from,
				chunk.length,
				(_line, at) => {
					const line = lineAt(chunk, at - from);
					return this.#judge(decoder.decode(line), line);
				},
				part,
			);
		});
	}

	/** Verdict bytes, one per text. */
	matchMany(texts: readonly Url[]): Uint8Array {
		return judgeTexts(
			texts,
			(joined, some) => {
				const from = this.#linear.input(roomOf(joined.length * 3));
				const length = this.#linear.encodeInput(joined);
				return this.#matchInput(from, length, (line) =>
					this.#judge(some[line] ?? ""),
				);
			},
			(text) => this.#judge(text),
		);
	}

	/**
	 * Judges lines in the input region. `judgeUnusual` judges a line by its number and address; the region may be overwritten by
	 * then.
	 */
	#matchInput(
		from: number,
		length: number,
		judgeUnusual: (line: number, address: number) => number,
		into?: Uint8Array,
	): Uint8Array {
		const to = from + length + LINES_PADDING;
		const unusual = ((to + length + 1 + 3) & ~3) >>> 0;
		const lines = this.#module.matchOrigins(
			from,
			length,
			to,
			unusual,
			this.#special,
		);
		if (lines < 0) throw outOfMemory(`an input of ${length} bytes`);
		const bytes = this.#linear.bytes();
		const verdicts = deliver(bytes, to, to + lines, into);
		const end = this.#module.endOfUnusual() >>> 0;
		if (end === unusual) return verdicts;
		// Copied, since judging them one by one uses the same region.
		const addresses = new Uint32Array(bytes.slice(unusual, end).buffer);
		let line = -1;
		for (const address of addresses) {
			line = verdicts.indexOf(VERDICT_UNUSUAL, line + 1);
			verdicts[line] = judgeUnusual(line, address);
		}
		return verdicts;
	}

	/** The verdict for one text, its origin read by the platform's URL parser. `bytes` are what it was decoded from, if anything. */
	#judge(text: string, bytes?: Uint8Array): number {
		const url = parseUrl(text);
		if (!url) return VERDICT_INVALID;
		const program = this.#find(originOf(url));
		if (program === 0) return VERDICT_UNKNOWN;
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

	/** `reached` bytes were in use when there was no room for more; some may have been given back since. */
	#lacks(what: string, reached = this.#module.usedSize() >>> 0): RobotrieError {
		const used = this.#module.usedSize() >>> 0;
		const missingSize = reached - used + (this.#module.missingSize() >>> 0);
		return new RobotrieError(
			"limit-exceeded",
			`${what} needs ${missingSize} bytes where ${used} are in use; the limit is ${this.#limit}`,
		);
	}
}

/** Bytes of the input region for lines: those, padding, a verdict for each byte, an address for every three. */
export function roomOf(length: number): number {
	return length + LINES_PADDING + length + 8 + length * 2;
}

/** The line of `bytes` that begins at an offset, without its end. */
function lineAt(bytes: Uint8Array, from: number): Uint8Array {
	const feed = bytes.indexOf(10, from);
	let to = feed < 0 ? bytes.length : feed;
	if (to > from && bytes[to - 1] === 13) to--;
	return bytes.subarray(from, to);
}

function u24At(bytes: Uint8Array, at: number): number {
	return (
		(bytes[at] as number) |
		((bytes[at + 1] as number) << 8) |
		((bytes[at + 2] as number) << 16)
	);
}
