/**
 * The scanner's WebAssembly module (packages/audit/assembly) with its one view of linear memory. LogScanner makes one instance; everything
 * else that reads or writes its memory goes through this class, because a view is stale once memory has grown.
 */

import { RobotrieError } from "robotrie";
import { newInstance } from "robotrie/internal";
import { MAX_BLOCK } from "#robotrie/format/program";
import code from "../../../../build/robotrie-audit.simd.wasm";

/** Bytes of the secret keys with which headers, hosts and paths are hashed. */
const HASH_KEYS_SIZE = 32;

/** What assembly/index.ts exports; the functions are documented there and in assembly/log.ts. test/modules.test.ts compares both. */
interface ScannerExports {
	readonly memory: WebAssembly.Memory;
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
	usePaths(all: boolean): void;
	useBytes(all: boolean): void;
	usePeople(judged: boolean): void;
	beginSegment(unparsed: number): void;
	useSigns(index: number, people: number): void;
	readings(): number;
	setAgent(value: number, byShape: boolean): void;
	setHost(value: number): number;
	setProgram(pointer: number): number;
	skipDirective(): void;
	setLine(from: number, end: number): void;
	settleLine(isRequest: boolean): void;
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

/**
 * An instance of the scanner's module. Each scanner has an instance of its own, so threads share
 * nothing and need no locks.
 */
export class ScannerModule {
	readonly calls: ScannerExports;
	#bytes: Uint8Array<ArrayBuffer>;
	#view: DataView<ArrayBuffer>;

	constructor() {
		this.calls = newInstance(code);
		if (this.calls.prepare() === 0) throw noMemory("the tables of the scanner");
		this.#bytes = this.#refreshed();
		this.#view = new DataView(this.#bytes.buffer);
		// Secret and random: headers and hosts come from anybody, who could otherwise make all of them
		// collide in the module's tables.
		const keys = crypto.getRandomValues(new Uint8Array(HASH_KEYS_SIZE));
		this.bytes.set(keys, this.calls.hashKeys());
	}

	/** Makes new views after memory has grown. */
	#refreshed(): Uint8Array<ArrayBuffer> {
		this.#bytes = new Uint8Array(
			this.calls.memory.buffer as unknown as ArrayBuffer,
		);
		this.#view = new DataView(this.#bytes.buffer);
		return this.#bytes;
	}

	/**
	 * All of linear memory. Do not keep it across a call that may allocate: growing detaches it,
	 * which shows as length 0.
	 */
	get bytes(): Uint8Array<ArrayBuffer> {
		return this.#bytes.length === 0 ? this.#refreshed() : this.#bytes;
	}

	get view(): DataView<ArrayBuffer> {
		if (this.#bytes.length === 0) this.#refreshed();
		return this.#view;
	}

	/** The bytes between two addresses, a u32 at `from` and one at `to`, as fields and entries have them. */
	bytesBetween(from: number, to: number): Uint8Array {
		const { bytes, view } = this;
		return bytes.subarray(view.getUint32(from, true), view.getUint32(to, true));
	}

	/** A counter of lines of the segment, by COUNT_. */
	counter(index: number): number {
		return this.view.getUint32(this.calls.counters() + index * 4, true);
	}

	/** @throws {RobotrieError} limit-exceeded. */
	allocate(size: number, what: string): number {
		// A larger size would be taken modulo 2 ** 32.
		const pointer = size > MAX_BLOCK ? 0 : this.calls.allocate(size) >>> 0;
		if (pointer === 0) throw noMemory(what);
		return pointer;
	}

	/**
	 * Allocates a block and fills it with these bytes; `what` names them in errors. Whatever is
	 * placed stays until `release`; sites, formats and programs are.
	 */
	place(bytes: Uint8Array, what: string): number {
		const pointer = this.allocate(bytes.length, what);
		this.bytes.set(bytes, pointer);
		return pointer;
	}

	/** Puts a matcher's program into the module, ready to run. */
	placeProgram(program: Uint8Array): number {
		const pointer = this.place(program, `a program of ${program.length} bytes`);
		// The matcher marks patterns that it has tried already in bits of its own, of which a program
		// needs a number that is in its header.
		if (this.calls.reserveVisited(pointer) === 0)
			throw noMemory(`a program of ${program.length} bytes`);
		return pointer;
	}
}

/** The error for an allocation that failed. */
export function noMemory(what: string): RobotrieError {
	return new RobotrieError(
		"limit-exceeded",
		`there is no WebAssembly memory for ${what}`,
	);
}

/** The bytes of a field that holds addresses, of the entry at `at`; `field` and `fieldEnd` are ENTRY_. */
export function addressBytes(
	module: ScannerModule,
	at: number,
	field: number,
	fieldEnd: number,
): Uint8Array {
	return module.bytesBetween(at + field, at + fieldEnd);
}
