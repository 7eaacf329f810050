import {
	LINES_PADDING,
	MATCH_INVALID,
	VERDICT_ALLOWED,
	VERDICT_INVALID,
	VERDICT_UNKNOWN,
	VERDICT_UNUSUAL,
} from "../assembly/format.ts";
import { deliver, judgeInChunks, judgeTexts } from "./chunks.ts";
import { RobotrieError } from "./errors.ts";
import {
	type CommonExports,
	LinearMemory,
	outOfMemory,
} from "./linear-memory.ts";
import { moduleOfIndex } from "./module.ts";
import { originOf, parseUrl } from "./scope.ts";

/** What assembly/robots-index.ts exports; its contracts stand there. */
export interface IndexExports extends CommonExports {
	hashKeys(): number;
	openOrigins(limit: number): number;
	keepProgram(octets: number): number;
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
	lacked(): number;
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
export const MOST_OCTETS = 2 ** 32;
const HASH_KEYS_SIZE = 32;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * URLs whose path begins where the module sees it: behind "scheme://" and an authority. The URL standard also reads
 * "https:\\host\path" and the like.
 */
const PLAIN_URL = /^[a-z][a-z\d+.-]*:\/\/[^/?#\\]+(?:[/?#]|$)/i;

/** Origins with their programs, in a linear memory of their own. */
export class OriginTable {
	readonly #linear: LinearMemory<IndexExports>;
	readonly #module: IndexExports;
	/** The octet beside "#" that makes a URL need a closer look. */
	readonly #special: number;
	#limit = 0;

	/** A table over an instance's origins; `open` has to come first where there are none yet. */
	constructor(linear: LinearMemory<IndexExports>, google: boolean) {
		this.#linear = linear;
		this.#module = linear.module;
		this.#special = google ? 0 : 0x25;
	}

	/** An empty table in a memory of its own, which may take `limit` octets. */
	static inOwnMemory(limit: number, google: boolean): OriginTable {
		const table = new OriginTable(new LinearMemory(moduleOfIndex()), google);
		table.open(limit);
		return table;
	}

	/** Makes it an empty table, once per memory. */
	open(limit: number): void {
		this.#limit = limit;
		const keys = crypto.getRandomValues(new Uint8Array(HASH_KEYS_SIZE));
		this.#linear.octets().set(keys, this.#module.hashKeys());
		if (!this.#module.openOrigins(Math.min(limit, MOST_OCTETS - 1)))
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
		const kept = this.keep(program, origin);
		try {
			this.bind(encoder.encode(origin), kept);
		} finally {
			this.drop(kept);
		}
	}

	/** Gives an origin the program at an address that `keep` gave. */
	bind(origin: Uint8Array, program: number): void {
		const at = this.#linear.input(origin.length);
		this.#linear.octets().set(origin, at);
		if (!this.#module.setOrigin(at, origin.length, program))
			throw this.#lacks(decoder.decode(origin));
	}

	/** Gives back what `keep` gave; the program stays while an origin obeys it. */
	drop(program: number): void {
		this.#module.dropProgram(program);
	}

	/** Address of a copy of a program, or of the equal one that is there; the caller's until `drop`. */
	keep(program: Uint8Array, what: string): number {
		const at = this.#linear.input(program.length);
		this.#linear.octets().set(program, at);
		const kept = this.#module.keepProgram(at) >>> 0;
		if (kept === 0) throw this.#lacks(what);
		return kept;
	}

	delete(origin: string): boolean {
		const length = this.#write(origin);
		return this.#module.deleteOrigin(this.#linear.input(0), length) !== 0;
	}

	has(origin: string): boolean {
		return this.#find(origin) !== 0;
	}

	/** Origins and the addresses of their programs, in no order; to be used up before anything is changed. */
	*entries(): Generator<{ origin: Uint8Array; program: number }> {
		for (
			let slot = this.#module.nextSlot(0) >>> 0;
			slot !== 0;
			slot = this.#module.nextSlot(slot) >>> 0
		) {
			const octets = this.#linear.octets();
			const view = new DataView(octets.buffer);
			const origin = view.getUint32(slot + 4, true);
			const length = view.getUint32(origin, true);
			yield {
				origin: octets.subarray(origin + 4, origin + 4 + length),
				program: view.getUint32(slot + 8, true),
			};
		}
	}

	/** A view of the program at an address. */
	program(address: number): Uint8Array {
		const octets = this.#linear.octets();
		const length = new DataView(octets.buffer).getUint32(address, true);
		return octets.subarray(address, address + length);
	}

	/** Verdict octets, one per line of `bytes`, in `into` if given. */
	matchLines(bytes: Uint8Array, into?: Uint8Array): Uint8Array {
		return judgeInChunks(bytes, into, (chunk, part) => {
			const from = this.#linear.input(roomOf(chunk.length));
			this.#linear.octets().set(chunk, from);
			return this.#matchInput(
				from,
				chunk.length,
				(_line, at) => lineAt(chunk, at - from),
				part,
			);
		});
	}

	/** Verdict octets, one per text. */
	matchMany(texts: readonly string[]): Uint8Array {
		return judgeTexts(
			texts,
			(joined, some) => {
				const from = this.#linear.input(roomOf(joined.length * 3));
				const length = this.#linear.encodeInput(joined);
				return this.#matchInput(from, length, (line) => some[line] ?? "");
			},
			(text) => this.#judge(text),
		);
	}

	/** Judges lines in the input region. `textOf` is asked for the text of a line by its number and address. */
	#matchInput(
		from: number,
		length: number,
		textOf: (line: number, address: number) => string,
		into?: Uint8Array,
	): Uint8Array {
		const to = from + length + LINES_PADDING;
		const unusual = (to + length + 1 + 3) & ~3;
		const lines = this.#module.matchOrigins(
			from,
			length,
			to,
			unusual,
			this.#special,
		);
		if (lines < 0) throw outOfMemory(`an input of ${length} octets`);
		const octets = this.#linear.octets();
		const verdicts = deliver(octets, to, to + lines, into);
		const end = this.#module.endOfUnusual() >>> 0;
		if (end === unusual) return verdicts;
		// Copied, since judging them one by one uses the same region.
		const addresses = new Uint32Array(octets.slice(unusual, end).buffer);
		let line = -1;
		for (const address of addresses) {
			line = verdicts.indexOf(VERDICT_UNUSUAL, line + 1);
			verdicts[line] = this.#judge(textOf(line, address));
		}
		return verdicts;
	}

	/** The verdict for one text, its origin read by the platform's URL parser. */
	#judge(text: string): number {
		const url = parseUrl(text);
		if (!url) return VERDICT_INVALID;
		const program = this.#find(originOf(url));
		if (program === 0) return VERDICT_UNKNOWN;
		const length = this.#write(
			PLAIN_URL.test(text) ? text : url.pathname + url.search,
		);
		const best = this.#module.matchOne(program, this.#linear.input(0), length);
		if (best === MATCH_INVALID) return VERDICT_INVALID;
		if (best < 0) throw outOfMemory(`a URL of ${length} octets`);
		return best === 0 ? VERDICT_ALLOWED : best & 1;
	}

	#find(origin: string): number {
		const length = this.#write(origin);
		return this.#module.findOrigin(this.#linear.input(0), length) >>> 0;
	}

	/** Writes a text to the input region; returns its octets. */
	#write(text: string): number {
		this.#linear.input(text.length * 3);
		return this.#linear.encodeInput(text);
	}

	#lacks(what: string): RobotrieError {
		const used = this.#module.usedSize() >>> 0;
		const lacked = this.#module.lacked() >>> 0;
		return new RobotrieError(
			"limit-exceeded",
			`${what} needs ${lacked} octets where ${used} are in use; the limit is ${this.#limit}`,
		);
	}
}

/** Octets of the input region for lines: those, padding, a verdict for each octet, an address for every three. */
export function roomOf(length: number): number {
	return length + LINES_PADDING + length + 8 + length * 2;
}

/** The line of `bytes` that begins at an offset, without its end. */
function lineAt(bytes: Uint8Array, from: number): string {
	const feed = bytes.indexOf(10, from);
	let to = feed < 0 ? bytes.length : feed;
	if (to > from && bytes[to - 1] === 13) to--;
	return decoder.decode(bytes.subarray(from, to));
}
