/**
 * The threads of a pool. Inputs are cut into pieces of about a millisecond; a piece is copied and sent only when a worker is free, and
 * verdicts are put together in order.
 */
import type { Worker } from "node:worker_threads";
import Tinypool from "tinypool";
import { MAX_LINE } from "../../assembly/format/program.ts";
import { checkLength, chunksOf, concatenate } from "../common/chunks.ts";
import type { Column } from "../common/column.ts";
import {
	NO_INDEX,
	type OwnTable,
	type PieceAnswer,
	type PieceMessage,
	type Text,
	TOO_LONG,
} from "./shared-index.ts";

/** Bytes that a worker gets at once: a millisecond of work, against a message's 20 µs. */
const PIECE = 1024 * 1024;
/** Rows of a column that a worker gets at once. */
const ROWS = PIECE / 16;

/**
 * A piece of what a call judges, in the order of the input. Copied when a worker takes it and not before: an input of a
 * gigabyte is not copied as a whole.
 */
interface Piece {
	/** Copies of it, for a worker. */
	readonly copy: () => Text;
	/** Judges it here. */
	readonly judge: (table: OwnTable) => Uint8Array;
}

/**
 * Lines in pieces. A piece is whole lines, so its verdicts follow those of the piece before.
 */
export function* piecesOfLines(bytes: Uint8Array): Generator<Piece> {
	for (const lines of chunksOf(bytes, PIECE)) yield pieceOfLines(lines);
}

export function pieceOfLines(lines: Uint8Array): Piece {
	const room = Math.min(lines.length, MAX_LINE);
	return {
		// The slice of a Buffer of Node would be a view.
		copy: () => ({ bytes: new Uint8Array(lines) }),
		judge: (table) =>
			table.withRoom(room).read((index) => index.matchLines(lines)),
	};
}

/** Rows of a column in pieces; those that are null may get any verdict. @throws {RobotrieError} limit-exceeded, for a row that is too long. */
export function* piecesOfColumn(column: Column): Generator<Piece> {
	for (let first = 0; first < column.length; ) {
		// By rows and by bytes, as rows may be empty and as rows may be long.
		const start = column.offset(first);
		let last = first + 1;
		while (
			last < column.length &&
			last - first < ROWS &&
			column.offset(last + 1) - start <= PIECE
		)
			last++;
		yield pieceOfColumn(column, first, last);
		first = last;
	}
}

export function pieceOfColumn(
	column: Column,
	first: number,
	last: number,
): Piece {
	const rows = last - first;
	const start = column.offset(first);
	// A row that is null may be longer than any other. Arrow lets a null row have bytes; its verdict
	// is `invalid` in any case.
	const isNull = rows === 1 && column.isNull(first);
	const size = isNull ? 0 : column.offset(last) - start;
	if (rows === 1) checkLength("a URL", size);
	return {
		copy() {
			const offsets = new Int32Array(rows + 1);
			for (let row = 1; row <= rows && !isNull; row++)
				offsets[row] = column.offset(first + row) - start;
			const bytes = column.between(start, start + size);
			return { bytes: new Uint8Array(bytes), offsets };
		},
		judge: (table) =>
			table
				.withRoom(size)
				.read((index) => index.matchColumn(column.slice(first, last))),
	};
}

/** An index that workers judge by. One that takes another's place has a larger number. */
export interface NumberedIndex {
	readonly number: number;
	readonly table: OwnTable;
}

/** Pieces that a worker has at a time: one to judge, one to go on with. */
const PIECES_PER_WORKER = 2;

/**
 * The threads of a pool. A worker that fails is replaced, and what it had is judged in the thread
 * that has the pool. Workers judge and nothing else: they load nothing, and what they answer is
 * verdicts.
 */
export class PoolWorkers {
	/** Pieces that all workers have at a time. */
	readonly atOnce: number;
	readonly #threads: Tinypool;
	readonly #watched = new WeakSet<object>();
	/** Number of the first index that is still needed. */
	#oldest = 0;

	constructor(count: number) {
		this.atOnce = count * PIECES_PER_WORKER;
		// A pool of Tinypool's own, unlike the command line's threads (threads.ts there): any worker
		// may take any piece.
		this.#threads = new Tinypool({
			filename: new URL("./pool-worker.js", import.meta.url),
			minThreads: count,
			maxThreads: count,
			concurrentTasksPerWorker: PIECES_PER_WORKER,
			isolateWorkers: false,
			// Flags of the process that say how its own script is read would keep workers from starting.
			execArgv: [],
			// In Deno a worker that waits on an atomic misses the piece that came meanwhile, and waits for ever.
			useAtomics: process.versions.deno === undefined,
		});
		// Errors of workers that have no piece to judge come here.
		this.#threads.on("error", () => {});
		this.#watch();
	}

	/**
	 * Verdicts for pieces, each of which goes to a worker; those have few at a time. As many takers as
	 * workers can have at a time, each of which asks for the next piece when it is done.
	 */
	async judge(
		index: NumberedIndex,
		pieces: Iterator<Piece>,
	): Promise<Uint8Array> {
		const verdicts: Uint8Array[] = [];
		let count = 0;
		const judgeSome = async () => {
			for (let next = pieces.next(); !next.done; next = pieces.next()) {
				// Places are given before waiting, so verdicts come together in order.
				const place = count++;
				verdicts[place] = await this.#judge(index, next.value);
			}
		};
		await Promise.all(Array.from({ length: this.atOnce }, judgeSome));
		const [only] = verdicts;
		return only && verdicts.length === 1 ? only : concatenate(verdicts);
	}

	/** Indexes with smaller numbers are no longer needed. */
	forgetBefore(number: number): void {
		this.#oldest = number;
	}

	/**
	 * Has all workers know an index, and forget those that no call needs. Else idle ones would keep
	 * them. An empty input is sent as often as workers have places, so that each gets one.
	 */
	introduce(index: NumberedIndex): void {
		const nothing = { bytes: new Uint8Array() };
		for (let i = 0; i < this.atOnce; i++)
			this.#send(index, nothing, true).catch(() => {});
	}

	/** Ends the threads, without waiting for anything. */
	async end(): Promise<void> {
		const { threads } = this.#threads;
		const ended = this.#threads.destroy();
		// Tinypool waits for each by `once` of Node, which on an error calls a method that Tinypool's threads lack. The exception that
		// comes of it nobody could catch: a worker that fails just now would end the process.
		for (const { thread } of threads as unknown as { thread: Worker }[])
			thread.removeAllListeners("error").on("error", () => {});
		await ended;
	}

	async #judge(index: NumberedIndex, piece: Piece): Promise<Uint8Array> {
		// A worker that died has no answer. Judged here then: slower, but the call does not fail
		// because a worker did.
		const send = (withIndex: boolean) =>
			this.#send(index, piece.copy(), withIndex).catch(() => TOO_LONG);
		// The index is sent only to a worker that lacks it, as most have it.
		let answer = await send(false);
		if (answer === NO_INDEX) answer = await send(true);
		return answer instanceof Uint8Array ? answer : piece.judge(index.table);
	}

	async #send(
		{ number, table }: NumberedIndex,
		text: Text,
		withIndex: boolean,
	): Promise<PieceAnswer> {
		const { bytes, offsets } = text;
		const message: PieceMessage = {
			...text,
			number,
			oldest: this.#oldest,
			shared: withIndex ? table.shared : undefined,
		};
		const answer = this.#threads.run(message, {
			transferList: offsets ? [bytes.buffer, offsets.buffer] : [bytes.buffer],
		});
		// That may have started a worker.
		this.#watch();
		return answer;
	}

	/**
	 * Watches workers that are not watched yet. A worker that fails is replaced, and its pieces are judged here. Tinypool learns
	 * of that by an error event alone, which a worker that is terminated or exits does not send; it gets one from here.
	 */
	#watch(): void {
		for (const thread of this.#threads.threads) {
			if (this.#watched.has(thread)) continue;
			this.#watched.add(thread);
			thread.on("error", () => this.#replaced());
			thread.on("exit", (code) => {
				// What Tinypool ended itself is none of its threads any more.
				if (this.#threads.threads.includes(thread))
					thread.emit("error", new Error(`a worker exited with code ${code}`));
			});
		}
	}

	/** A worker failed, and has been replaced unless workers fail before they have started. */
	#replaced(): void {
		this.#watch();
		// Nobody would take the pieces that wait.
		if (this.#threads.threads.length === 0) this.#threads.cancelPendingTasks();
	}
}
