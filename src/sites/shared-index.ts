/**
 * An index in memory that threads share: one thread loads and changes it (`SharedWriter`), others match by it (`SharedTable`), each in a
 * workspace of its own.
 */
import text from "../../build/robotrie-index.shared.wasm";
import type { Agent } from "../common/agents.ts";
import { CHUNK, chunksOf } from "../common/chunks.ts";
import { Column } from "../common/column.ts";
import { RobotrieError } from "../common/errors.ts";
import {
	bytesOf,
	LinearMemory,
	MOST_SHIFT,
	outOfMemory,
	withMemory,
} from "../engine/linear-memory.ts";
import { type Dialect, dialectRules } from "../robots-txt/dialect.ts";
import type { IndexExports } from "./capture.ts";
import type { SnapshotHead } from "./index-snapshot.ts";
import { MOST_BYTES, OriginTable, roomOf } from "./origin-table.ts";

/** What assembly/shared-index.ts exports besides. */
interface SharedExports extends IndexExports {
	createWorkspace(length: number, inputSize: number): number;
	workspaceSize(other: number, length: number, inputSize: number): number;
	growPages(count: number): number;
	placeWorkspace(
		at: number,
		other: number,
		length: number,
		inputSize: number,
	): void;
	enterWorkspace(workspace: number): void;
	endChange(): void;
	beginReading(): void;
	endReading(): void;
}

/** Where an index is loaded to, for threads to share. */
export interface SharedMemory {
	readonly module: WebAssembly.Module;
	readonly memory: WebAssembly.Memory;
}

/** An index in shared memory. It can be sent to threads. */
export interface SharedIndex extends SharedMemory {
	readonly agent: Agent;
	readonly dialect: Dialect;
	/** Addresses of workspaces: that of the thread that has the pool, and those of its workers. */
	readonly workspaces: readonly number[];
}

/**
 * Pages that the module's memory begins with, and at most has (asconfig.json). Both ends are
 * needed, as a shared memory must have a maximum.
 */
const PAGES = { initial: 16, maximum: 65536 };
const PAGE = 65536;
/** Bytes of lines that the pool's own thread judges at once, unless it makes room for longer lines. */
const OWN_LINES = 1024 * 1024;

/** Compiled once per process, sent to threads as a module. */
let compiled: WebAssembly.Module | undefined;

/**
 * Asked by validating: a platform without threads refuses the module.
 * @throws {RobotrieError} unsupported, without threads.
 */
export function newSharedMemory(): SharedMemory {
	if (!compiled) {
		const bytes = bytesOf(text);
		if (!WebAssembly.validate(bytes))
			throw new RobotrieError(
				"unsupported",
				"a pool needs WebAssembly with threads; RobotsIndex runs without them",
			);
		compiled = new WebAssembly.Module(bytes);
	}
	return {
		module: compiled,
		memory: withMemory(
			() => new WebAssembly.Memory({ ...PAGES, shared: true }),
		),
	};
}

/** Bytes of the input region of a workspace for lines of so many bytes. */
function workspaceRoom(length: number): number {
	return roomOf(length) + MOST_SHIFT;
}

/**
 * What an index has at a time. Sent with changes, as the thread that has the pool cannot ask the
 * module.
 */
export interface Extent {
	/** Number of origins. */
	readonly size: number;
	/** Bytes of memory in use. */
	readonly byteLength: number;
}

/** Another program for an origin, or null for none. */
export interface Change {
	readonly origin: string;
	readonly program: Uint8Array | null;
}

/**
 * Fills shared memory and changes what it holds. No other thread may use it before `finish`;
 * afterwards others match by it. Nobody else may write: the tables are changed without locks, and
 * readers see a change as a whole (endChange).
 */
export class SharedWriter {
	readonly #shared: SharedMemory;
	readonly #linear: LinearMemory<SharedExports>;
	#table: OriginTable | undefined;
	#head: SnapshotHead | undefined;

	constructor(shared: SharedMemory) {
		this.#shared = shared;
		this.#linear = new LinearMemory(
			() => shared.module,
			shared.memory,
			"the index of the pool",
		);
	}

	/**
	 * The table to be filled with what a snapshot holds. A property and not a method, as it is handed
	 * to readers of snapshots.
	 */
	readonly open = (head: SnapshotHead): OriginTable => {
		const table = new OriginTable(this.#linear, isGoogle(head));
		table.open(MOST_BYTES);
		this.#table = table;
		this.#head = head;
		return table;
	};

	/**
	 * The index, once the table is filled, with room for so many workers. Workspaces are made once
	 * and passed on to the workers by number.
	 * @throws {RobotrieError} limit-exceeded.
	 */
	finish(workers: number): SharedIndex {
		const { agent, dialect } = this.head;
		const workspaces = [
			this.#workspace(OWN_LINES),
			...this.workspaces(workers),
		];
		return { ...this.#shared, agent, dialect, workspaces };
	}

	/**
	 * Room for so many workers, once the table is filled. CHUNK is what workers judge at once.
	 * @throws {RobotrieError} limit-exceeded.
	 */
	workspaces(workers: number): number[] {
		return Array.from({ length: workers }, () => this.#workspace(CHUNK));
	}

	#workspace(length: number): number {
		const { createWorkspace } = this.#linear.module;
		const workspace = createWorkspace(length, workspaceRoom(length)) >>> 0;
		if (workspace === 0) throw outOfMemory("room for a worker");
		return workspace;
	}

	/** What the snapshot says about its index. */
	get head(): SnapshotHead {
		return this.#head as SnapshotHead;
	}

	get extent(): Extent {
		const { size, stats } = this.#table as OriginTable;
		return { size, byteLength: stats.byteLength };
	}

	/**
	 * Makes a change, which a call of another thread that begins later sees. False when an origin to
	 * be deleted was not there.
	 * @throws {RobotrieError} limit-exceeded: nothing has changed.
	 */
	change({ origin, program }: Change): boolean {
		const table = this.#table as OriginTable;
		try {
			if (!program) return table.delete(origin);
			table.set(origin, program);
			return true;
		} finally {
			this.#linear.module.endChange();
		}
	}
}

function isGoogle({ dialect }: Pick<SnapshotHead, "dialect">): boolean {
	return dialectRules(dialect).googleMatching;
}

/** A shared index as far as matching needs to know it. */
type Unnamed = SharedMemory & Pick<SharedIndex, "dialect">;

/**
 * A shared index as a thread uses it. `workspace` is the thread's own. Each thread has an instance
 * of the module over the same memory, with a stack and an input region of its own (its workspace).
 */
export class SharedTable {
	readonly #linear: LinearMemory<SharedExports>;
	readonly #module: SharedExports;
	readonly #table: OriginTable;

	constructor(shared: Unnamed, workspace: number) {
		const { module, memory } = shared;
		const linear = new LinearMemory<SharedExports>(
			() => module,
			memory,
			"the workspace of a thread",
		);
		linear.module.enterWorkspace(workspace);
		this.#linear = linear;
		this.#module = linear.module;
		this.#table = new OriginTable(linear, isGoogle(shared));
	}

	/** It stopped within a call: another one has to be made. */
	get hasFailed(): boolean {
		return this.#linear.failure !== undefined;
	}

	/**
	 * Has something judged. What the index holds stays in memory meanwhile. Between begin and end the
	 * writer frees nothing that this thread may be reading.
	 */
	read<Result>(judge: (table: OriginTable) => Result): Result {
		this.#module.beginReading();
		try {
			return judge(this.#table);
		} finally {
			this.#module.endReading();
		}
	}
}

/**
 * A shared index as a thread uses it that judges lines of any length. Needed for lines longer than
 * a chunk, which are rare: a larger workspace is made then, and kept.
 */
export class GrowingTable {
	readonly #shared: Unnamed;
	readonly #workspace: number;
	#table: SharedTable;
	#room: number;

	/** @param room Bytes of lines for which the workspace has room. */
	constructor(shared: Unnamed, workspace: number, room = CHUNK) {
		this.#shared = shared;
		this.#workspace = workspace;
		this.#table = new SharedTable(shared, workspace);
		this.#room = room;
	}

	/** The table, with room for so many bytes of lines at once. @throws {RobotrieError} limit-exceeded. */
	withRoom(length: number): SharedTable {
		if (length > this.#room || this.#table.hasFailed) {
			const workspace = this.#newWorkspace(Math.max(length, this.#room));
			this.#table = new SharedTable(this.#shared, workspace);
			this.#room = Math.max(length, this.#room);
		}
		return this.#table;
	}

	/**
	 * Nothing is allocated in memory that is shared, as that takes more than one thread's knowledge;
	 * but it can grow. Growing memory is the one thing that is safe without the allocator, which
	 * belongs to the writer.
	 */
	#newWorkspace(length: number): number {
		const { module, memory } = this.#shared;
		const exports = new LinearMemory<SharedExports>(() => module, memory)
			.module;
		const room = workspaceRoom(length);
		const size = exports.workspaceSize(this.#workspace, length, room) >>> 0;
		const page = exports.growPages(Math.ceil(size / PAGE));
		if (page < 0) throw outOfMemory(`a line of up to ${length} bytes`);
		exports.placeWorkspace(page * PAGE, this.#workspace, length, room);
		return page * PAGE;
	}
}

/** A shared index as the thread uses it that has the pool. */
export class OwnTable extends GrowingTable {
	readonly shared: SharedIndex;

	constructor(shared: SharedIndex) {
		super(shared, shared.workspaces[0] ?? 0, OWN_LINES);
		this.shared = shared;
	}
}

/** Lines; with offsets, rows of a column. */
export interface Text {
	readonly bytes: Uint8Array<ArrayBuffer>;
	readonly offsets?: Int32Array<ArrayBuffer>;
}

/**
 * A piece of an input, for a worker to judge. Sent once per piece, so small: the index itself only if the worker lacks it.
 */
export interface PieceMessage extends Text {
	/** Number of the index that judges. */
	readonly number: number;
	/** Indexes with smaller numbers are no longer needed. */
	readonly oldest: number;
	/** That index, for a worker that does not have it. */
	readonly shared?: SharedIndex | undefined;
}

/** What a worker answers that does not have the index. */
export const NO_INDEX = 1;
/** What it answers when a line or row is longer than it has room for. */
export const TOO_LONG = 2;

/** Verdicts for the lines or rows of a piece, or why there are none. */
export type PieceAnswer = Uint8Array | typeof NO_INDEX | typeof TOO_LONG;

/**
 * Judges lines or rows in a worker's workspace, which has room for a CHUNK. Checked before judging,
 * as the workspace has room for a chunk and no more.
 */
export function judgeText(
	table: OriginTable,
	{ bytes, offsets }: Text,
): Uint8Array | typeof TOO_LONG {
	if (offsets) {
		for (let row = 1; row < offsets.length; row++)
			if ((offsets[row] ?? 0) - (offsets[row - 1] ?? 0) > CHUNK)
				return TOO_LONG;
		return table.matchColumn(new Column("matchColumn", offsets, bytes));
	}
	for (const chunk of chunksOf(bytes, CHUNK))
		if (chunk.length > CHUNK) return TOO_LONG;
	return table.matchLines(bytes);
}
