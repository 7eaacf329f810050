import { RobotrieError } from "robotrie";
import {
	byteClassTables,
	compileModule,
	instantiate,
	MAX_BLOCK,
	TABLE_SIZE,
} from "robotrie/internal";
import code from "../../../build/robotrie-audit.simd.wasm";
import { ENTRY_LINE_END } from "../assembly/format.ts";

const HASH_KEYS_SIZE = 32;

/** What assembly/index.ts exports; its contracts stand there and in assembly/log.ts. */
interface ScannerExports {
	readonly memory: WebAssembly.Memory;
	tables(): number;
	allocate(size: number): number;
	release(pointer: number): void;
	reserveVisited(program: number): number;
	hashKeys(): number;
	probes(): number;
	prepare(): number;
	useFormat(
		steps: number,
		count: number,
		timeKind: number,
		options: number,
		day: number,
		dayEnd: number,
	): void;
	usePeriod(since: number, until: number): void;
	useSites(sites: number, starts: number, onlySite: number): void;
	useEntries(all: boolean): void;
	beginSegment(unparsed: number): void;
	setAgent(value: number): number;
	setHost(value: number): number;
	setProgram(pointer: number): number;
	skipDirective(): void;
	setLine(from: number, end: number): void;
	useKeys(tree: number): void;
	forgetAgents(): void;
	forgetHosts(): void;
	forgetPrograms(): number;
	scanLog(from: number, end: number): number;
	fields(): number;
	counters(): number;
	span(): number;
	entries(): number;
	entryCount(): number;
	position(): number;
	pendingClass(): number;
	pendingVersion(): number;
}

/** An instance of the scanner's module, with the one view of its memory. */
export class ScannerModule {
	readonly calls: ScannerExports;
	#bytes: Uint8Array<ArrayBuffer>;
	#view: DataView<ArrayBuffer>;

	constructor() {
		this.calls = instantiate(compileModule(code));
		if (this.calls.prepare() === 0) throw noMemory("the tables of the scanner");
		this.#bytes = this.#refreshed();
		this.#view = new DataView(this.#bytes.buffer);
		const keys = crypto.getRandomValues(new Uint8Array(HASH_KEYS_SIZE));
		this.bytes.set(keys, this.calls.hashKeys());
		for (const [index, table] of byteClassTables())
			this.bytes.set(table, this.calls.tables() + index * TABLE_SIZE);
	}

	#refreshed(): Uint8Array<ArrayBuffer> {
		this.#bytes = new Uint8Array(
			this.calls.memory.buffer as unknown as ArrayBuffer,
		);
		this.#view = new DataView(this.#bytes.buffer);
		return this.#bytes;
	}

	/** All of linear memory; growing makes it stale, so it is asked for anew. */
	get bytes(): Uint8Array<ArrayBuffer> {
		return this.#bytes.length === 0 ? this.#refreshed() : this.#bytes;
	}

	get view(): DataView<ArrayBuffer> {
		if (this.#bytes.length === 0) this.#refreshed();
		return this.#view;
	}

	/** @throws {RobotrieError} limit-exceeded. */
	allocate(size: number, what: string): number {
		// The module would take more modulo 2 ** 32.
		const pointer = size > MAX_BLOCK ? 0 : this.calls.allocate(size) >>> 0;
		if (pointer === 0) throw noMemory(what);
		return pointer;
	}

	/** A block with these bytes in it. */
	place(bytes: Uint8Array, what: string): number {
		const pointer = this.allocate(bytes.length, what);
		this.bytes.set(bytes, pointer);
		return pointer;
	}

	/** A program, ready to run. */
	placeProgram(program: Uint8Array): number {
		const pointer = this.place(program, `a program of ${program.length} bytes`);
		if (this.calls.reserveVisited(pointer) === 0)
			throw noMemory(`a program of ${program.length} bytes`);
		return pointer;
	}
}

export function noMemory(what: string): RobotrieError {
	return new RobotrieError(
		"limit-exceeded",
		`there is no WebAssembly memory for ${what}`,
	);
}

const COMMA = 0x2c;
const SPACE = 0x20;

/**
 * The bytes of a field that holds addresses, of the entry at `at`; `field` and `fieldEnd` are ENTRY_. Where a blank ends the field and
 * the log has a list there ("a, b"), the format cuts it behind the first comma; the rest of the list belongs to it.
 */
export function addressBytes(
	{ bytes, view }: ScannerModule,
	at: number,
	field: number,
	fieldEnd: number,
): Uint8Array {
	const from = view.getUint32(at + field, true);
	const lineEnd = view.getUint32(at + ENTRY_LINE_END, true);
	let to = view.getUint32(at + fieldEnd, true);
	while (to > from && bytes[to - 1] === COMMA && bytes[to] === SPACE)
		do to++;
		while (to < lineEnd && bytes[to] !== SPACE);
	return bytes.subarray(from, to);
}
