import { VERDICT_INVALID } from "../../assembly/format/program.ts";
import {
	check,
	checkOptions,
	type Kind,
	type OptionTable,
} from "./arguments.ts";
import { frontOf } from "./chunks.ts";
import { invalidArgument, RobotrieError } from "./errors.ts";
import { bytesKind } from "./kinds.ts";
import { wholeNumber } from "./option-kinds.ts";

/** Offsets of a column's rows in its bytes, one more than there are rows: a row begins at its offset and ends at the next one. */
export type ColumnOffsets = Int32Array | BigInt64Array;

/** Options of `matchColumn`. */
export interface ColumnOptions {
	/** A bit for every row, the least significant of a byte first: 0 for null. Without it, no row is null. */
	readonly validity?: Uint8Array;
	/** The bit of `validity` that is the first row's. Default 0. */
	readonly bitOffset?: number;
	/** Where verdicts go, at least as many bytes as there are rows. */
	readonly into?: Uint8Array;
}

const columnOptions: OptionTable<ColumnOptions> = {
	validity: bytesKind,
	bitOffset: wholeNumber(0, Number.MAX_SAFE_INTEGER),
	into: bytesKind,
};

const offsetsKind: Kind = {
	text: "an Int32Array or BigInt64Array",
	accepts: (value) =>
		value instanceof Int32Array || value instanceof BigInt64Array,
	hint: (value) =>
		Array.isArray(value) || value instanceof Uint32Array
			? "pass Int32Array.from(offsets)"
			: undefined,
};

/** Rows of bytes in Apache Arrow's variable-size binary layout, checked. */
export class Column {
	/** Number of rows. */
	readonly length: number;
	readonly bytes: Uint8Array;
	readonly validity: Uint8Array | undefined;
	readonly bitOffset: number;
	readonly #into: Uint8Array | undefined;
	readonly #offsets: ColumnOffsets;
	/** The offsets as numbers of 32 bits, two for one of 64 bits, the lower one first. */
	readonly #words: Int32Array;
	readonly #isWide: boolean;

	/**
	 * @param owner What takes the options, for messages.
	 * @throws {RobotrieError} invalid-argument.
	 */
	constructor(
		owner: string,
		offsets: ColumnOffsets,
		bytes: Uint8Array,
		options?: ColumnOptions,
	) {
		check("offsets", offsets, offsetsKind);
		check("bytes", bytes, bytesKind);
		if (options !== undefined) checkOptions(owner, options, columnOptions);
		if (offsets.length === 0)
			throw invalidArgument(
				"offsets has a number for each row, and one more",
				"an empty array",
			);
		const { validity, bitOffset = 0, into } = options ?? {};
		this.length = offsets.length - 1;
		this.bytes = bytes;
		this.validity = validity;
		this.bitOffset = bitOffset;
		this.#offsets = offsets;
		this.#isWide = offsets instanceof BigInt64Array;
		this.#words =
			offsets instanceof Int32Array
				? offsets
				: new Int32Array(
						offsets.buffer,
						offsets.byteOffset,
						this.length * 2 + 2,
					);
		this.#into = into && frontOf(into, this.length);
		if (this.offset(0) < 0) throw this.#wrongOffset(0);
		if (this.offset(this.length) > bytes.length)
			throw this.#wrongOffset(this.length);
		if (validity && validity.length * 8 < bitOffset + this.length)
			throw invalidArgument(
				`validity has ${bitOffset + this.length} bits for ${this.length} rows from bit ${bitOffset} on`,
				validity.length * 8,
			);
	}

	/** Rows from one on up to another, with no place for verdicts. */
	slice(first: number, last: number): Column {
		const { validity, bitOffset } = this;
		const offsets = this.#offsets.subarray(first, last + 1);
		return new Column("matchColumn", offsets, this.bytes, {
			...(validity && { validity }),
			bitOffset: bitOffset + first,
		});
	}

	/** Where verdicts are written, a byte for each row: no part of the column, which is read meanwhile. */
	verdicts(): Uint8Array {
		const into = this.#into;
		const own = [this.bytes, this.#offsets, this.validity];
		return into && !own.some((array) => array?.buffer === into.buffer)
			? into
			: new Uint8Array(this.length);
	}

	/** Completes the verdicts, and puts them where the caller wants them. */
	finish(verdicts: Uint8Array): Uint8Array {
		if (this.validity)
			for (let row = 0; row < verdicts.length; row++)
				if (this.isNull(row)) verdicts[row] = VERDICT_INVALID;
		const into = this.#into;
		if (into && into !== verdicts) into.set(verdicts);
		return into ?? verdicts;
	}

	/** Whether a row has no value. */
	isNull(row: number): boolean {
		const { validity, bitOffset } = this;
		if (!validity) return false;
		const bit = bitOffset + row;
		const byte = validity[Math.floor(bit / 8)] ?? 0;
		return ((byte >> (bit % 8)) & 1) === 0;
	}

	/** Where a row begins in the bytes; that of the row behind the last is where that ends. */
	offset(row: number): number {
		const words = this.#words;
		return this.#isWide
			? (words[row * 2 + 1] as number) * 2 ** 32 +
					((words[row * 2] as number) >>> 0)
			: (words[row] as number);
	}

	/** The bytes of a row: a copy, as they may be in shared memory. */
	row(row: number): Uint8Array {
		return new Uint8Array(
			this.bytes.subarray(this.offset(row), this.offset(row + 1)),
		);
	}

	/**
	 * Writes where rows end, counted from the start of row `first`, to `ends` from index `at` on. Returns how many rows there are:
	 * at most `mostRows`, of at most `mostBytes` bytes with one more for each.
	 * @throws {RobotrieError} invalid-argument, where an offset falls.
	 */
	endsFrom(
		first: number,
		mostRows: number,
		mostBytes: number,
		ends: Int32Array,
		at: number,
	): number {
		const words = this.#words;
		const isWide = this.#isWide;
		const start = this.offset(first);
		const limit = this.bytes.length - start;
		const most = Math.min(mostRows, this.length - first);
		let previous = 0;
		for (let row = 0; row < most; row++) {
			const next = first + row + 1;
			// As `offset`, which would be called.
			const end =
				(isWide
					? (words[next * 2 + 1] as number) * 2 ** 32 +
						((words[next * 2] as number) >>> 0)
					: (words[next] as number)) - start;
			if (end < previous || end > limit) throw this.#wrongOffset(next);
			if (end + row >= mostBytes) return row;
			ends[at + row] = end;
			previous = end;
		}
		return most;
	}

	/** @throws {RobotrieError} invalid-argument, unless all offsets are right: `endsFrom` looks only at those that it reads. */
	checkOffsets(): void {
		let previous = this.offset(0);
		for (let row = 1; row <= this.length; row++) {
			const offset = this.offset(row);
			if (offset < previous || offset > this.bytes.length)
				throw this.#wrongOffset(row);
			previous = offset;
		}
	}

	#wrongOffset(row: number): RobotrieError {
		const least =
			row === 0 ? "0" : `${this.#offsets[row - 1]}, that of the row before,`;
		return new RobotrieError(
			"invalid-argument",
			`offsets[${row}] is from ${least} to ${this.bytes.length}, the number of bytes, not ${this.#offsets[row]}`,
		);
	}
}
