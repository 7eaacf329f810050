import { TABLE_SIZE } from "../../assembly/format.ts";
import scalar from "../../build/robotrie-audit.scalar.wasm";
import simd from "../../build/robotrie-audit.simd.wasm";
import { octetClassTables } from "../dialect.ts";
import { RobotrieError } from "../errors.ts";
import { compileModule } from "../module.ts";

/** What assembly/audit.ts exports; its contracts stand there and in assembly/log.ts. */
interface ScannerExports {
	readonly memory: WebAssembly.Memory;
	tables(): number;
	allocate(size: number): number;
	release(pointer: number): void;
	reserveMarks(program: number): number;
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
	usePrograms(table: number, classCapacity: number): void;
	beginSegment(unparsed: number): void;
	setAgent(value: number): number;
	setHost(value: number): number;
	skipDirective(): void;
	forgetAgents(): void;
	forgetHosts(): void;
	scanLog(from: number, end: number): number;
	fields(): number;
	counters(): number;
	records(): number;
	recordCount(): number;
	position(): number;
	pendingClass(): number;
	pendingRow(): number;
}

/** An instance of the scanner's module, with the one view of its memory. */
export class ScannerModule {
	readonly calls: ScannerExports;
	#octets: Uint8Array<ArrayBuffer>;
	#view: DataView<ArrayBuffer>;

	constructor() {
		this.calls = new WebAssembly.Instance(compileModule(simd, scalar))
			.exports as unknown as ScannerExports;
		if (this.calls.prepare() === 0) throw noMemory("the tables of the scanner");
		this.#octets = this.#refreshed();
		this.#view = new DataView(this.#octets.buffer);
		for (const [index, table] of octetClassTables())
			this.octets.set(table, this.calls.tables() + index * TABLE_SIZE);
	}

	#refreshed(): Uint8Array<ArrayBuffer> {
		this.#octets = new Uint8Array(
			this.calls.memory.buffer as unknown as ArrayBuffer,
		);
		this.#view = new DataView(this.#octets.buffer);
		return this.#octets;
	}

	/** All of linear memory; growing makes it stale, so it is asked for anew. */
	get octets(): Uint8Array<ArrayBuffer> {
		return this.#octets.length === 0 ? this.#refreshed() : this.#octets;
	}

	get view(): DataView<ArrayBuffer> {
		if (this.#octets.length === 0) this.#refreshed();
		return this.#view;
	}

	/** @throws {RobotrieError} limit-exceeded. */
	allocate(size: number, what: string): number {
		const pointer = this.calls.allocate(size) >>> 0;
		if (pointer === 0) throw noMemory(what);
		return pointer;
	}

	/** A block with these octets in it. */
	place(octets: Uint8Array, what: string): number {
		const pointer = this.allocate(octets.length, what);
		this.octets.set(octets, pointer);
		return pointer;
	}

	/** A program, ready to run. */
	placeProgram(program: Uint8Array): number {
		const pointer = this.place(
			program,
			`a program of ${program.length} octets`,
		);
		if (this.calls.reserveMarks(pointer) === 0)
			throw noMemory(`a program of ${program.length} octets`);
		return pointer;
	}
}

export function noMemory(what: string): RobotrieError {
	return new RobotrieError(
		"limit-exceeded",
		`there is no WebAssembly memory for ${what}`,
	);
}
