/**
 * A column of an Apache Arrow table as `matchColumn` takes it: bytes, offsets and a validity bitmap, without a string per row. Other
 * threads may write to the memory meanwhile: each offset is checked where it is read.
 */
import { VERDICT_INVALID } from "../../assembly/format/program.ts";
import {
	check,
	checkOptions,
	type Kind,
	type OptionTable,
} from "./arguments.ts";
import {
	bytesArgument,
	bytesKind,
	checkThere,
	intoArgument,
	isTyped,
	offsetsArgument,
} from "./bytes.ts";
import { frontOf } from "./chunks.ts";
import { RobotrieError } from "./errors.ts";
import { wholeNumber } from "./kinds.ts";
import { invalidArgument } from "./quote.ts";

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
		isTyped(value, "Int32Array") || isTyped(value, "BigInt64Array"),
	hint: (value) =>
		Array.isArray(value) || value instanceof Uint32Array
			? "pass Int32Array.from(offsets)"
			: undefined,
};

/**
 * Rows of bytes in Apache Arrow's variable-size binary layout. The first and the last offset are
 * checked at once, the others by `checkOffsets` or as they are read. A column may come from another
 * runtime's memory, and may change while it is read; nothing is trusted between two reads.
 */
export class Column {
	/** Number of rows. */
	readonly length: number;
	readonly bytes: Uint8Array;
	readonly validity: Uint8Array | undefined;
	readonly bitOffset: number;
	/** Offsets have 64 bits. */
	readonly isWide: boolean;
	readonly #into: Uint8Array | undefined;
	readonly #offsets: ColumnOffsets;
	/** The first offset and the last one. */
	readonly #start: number;
	readonly #end: number;

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
		const { validity, bitOffset = 0, into } = options ?? {};
		// After the options, whose getters may do anything to the memory.
		const places = offsetsArgument("offsets", offsets, offsetsKind);
		const content = bytesArgument("bytes", bytes);
		const place = intoArgument(into);
		// Zero rows have one offset, the end of none.
		if (places.length === 0)
			throw invalidArgument(
				"offsets has a number for each row, and one more",
				"an empty array",
			);
		this.length = places.length - 1;
		this.bytes = content;
		this.validity = validity && bytesArgument("validity", validity);
		this.bitOffset = bitOffset;
		this.#offsets = places;
		this.isWide = places instanceof BigInt64Array;
		this.#into = place && frontOf(place, this.length);
		this.#start = Number(places[0]);
		this.#end = Number(places[this.length]);
		// The two ends bound everything: a row between them that lies outside is found when it is read.
		if (this.#start < 0 || this.#end > content.length) throw this.wrongOffset();
		const bits = (this.validity?.length ?? 0) * 8;
		if (this.validity && bits < bitOffset + this.length)
			throw invalidArgument(
				`validity has ${bitOffset + this.length} bits for ${this.length} rows from bit ${bitOffset} on`,
				bits,
			);
	}

	/**
	 * Rows from one on up to another, with no place for verdicts. With one offset more than rows, as
	 * in any column.
	 */
	slice(first: number, last: number): Column {
		const { validity, bitOffset } = this;
		const offsets = this.#offsets.subarray(first, last + 1);
		return new Column("matchColumn", offsets, this.bytes, {
			...(validity && { validity }),
			bitOffset: bitOffset + first,
		});
	}

	/**
	 * The caller's array for verdicts, unless it shares memory with the column, which is read while
	 * verdicts are written. Otherwise a verdict could overwrite an offset that is still to be read.
	 */
	get place(): Uint8Array | undefined {
		const into = this.#into;
		if (!into) return undefined;
		const own = [this.bytes, this.#offsets, this.validity];
		return own.some((array) => array?.buffer === into.buffer)
			? undefined
			: into;
	}

	/**
	 * Completes the verdicts, and puts them where the caller wants them. Nulls are judged like any
	 * row and overwritten here, as most columns have none.
	 */
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
		// Division, not a shift: bit offsets of large tables pass 2 ** 31.
		const byte = validity[Math.floor(bit / 8)] ?? 0;
		return ((byte >> (bit % 8)) & 1) === 0;
	}

	/** Where a row begins in the bytes; that of the row after the last is where the last one ends. */
	offset(row: number): number {
		// Reading a number of 64 bits takes longer.
		if (row === 0) return this.#start;
		return row === this.length ? this.#end : Number(this.#offsets[row]);
	}

	/** The bytes of a row: a copy, as they may be in shared memory. */
	row(row: number): Uint8Array {
		return new Uint8Array(
			this.bytes.subarray(this.offset(row), this.offset(row + 1)),
		);
	}

	/**
	 * How many rows from `first` on have at most `mostBytes` bytes with one more for each, at most
	 * `mostRows`: where offsets fall, some number for which that holds. Bisection, as offsets rise:
	 * which rows fit is found in a few steps.
	 */
	rowsFrom(first: number, mostRows: number, mostBytes: number): number {
		const start = this.offset(first);
		const fits = (rows: number) => {
			const size = this.offset(first + rows) - start;
			return size >= 0 && size + rows <= mostBytes;
		};
		let least = 0;
		let most = Math.min(mostRows, this.length - first);
		if (fits(most)) return most;
		while (most - least > 1) {
			const middle = (least + most) >> 1;
			if (fits(middle)) least = middle;
			else most = middle;
		}
		return least;
	}

	/** The offsets of rows, and of the end of the last one. */
	offsets(first: number, rows: number): ColumnOffsets {
		return rows === this.length
			? this.#offsets
			: this.#offsets.subarray(first, first + rows + 1);
	}

	/**
	 * Bytes from one offset up to another. The whole array where possible, as a view takes time to
	 * make.
	 */
	between(from: number, to: number): Uint8Array {
		return from === 0 && to === this.bytes.length
			? this.bytes
			: this.bytes.subarray(from, to);
	}

	/**
	 * One pass over all offsets, for callers that cannot stop in the middle.
	 * @throws {RobotrieError} invalid-argument, unless all offsets are right.
	 */
	checkOffsets(): void {
		let previous = 0;
		for (let row = 0; row <= this.length; row++) {
			// Not what was read before: see wrongOffset.
			const offset = Number(this.#offsets[row]);
			if (offset < previous || offset > this.bytes.length)
				throw this.#wrongOffsetAt(row);
			previous = offset;
		}
	}

	/** @throws {RobotrieError} invalid-argument, unless all arrays are still there: the call may have waited meanwhile. */
	checkThere(): void {
		const { length, validity } = this;
		checkThere("offsets", this.#offsets, length + 1);
		checkThere("bytes", this.bytes, this.#end);
		if (validity)
			checkThere("validity", validity, (this.bitOffset + length) / 8);
		if (this.#into) checkThere("into", this.#into, length);
	}

	/** The error about the first wrong offset, once there is known to be one. */
	wrongOffset(): RobotrieError {
		// Found again from the start, so that the message names the first wrong one.
		this.checkOffsets();
		// They lie in memory that another thread writes to.
		return invalidArgument("offsets stay the same during a call", "others");
	}

	#wrongOffsetAt(row: number): RobotrieError {
		const least =
			row === 0 ? "0" : `${this.#offsets[row - 1]}, that of the row before,`;
		return new RobotrieError(
			"invalid-argument",
			`offsets[${row}] is from ${least} to ${this.bytes.length}, the number of bytes, not ${this.#offsets[row]}`,
		);
	}
}
