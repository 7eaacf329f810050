import {
	READ_LENIENT,
	READ_LETTERS_ONLY,
	READ_NUL_ENDS_LINE,
} from "../../assembly/format/records.ts";
import type { TokeniserInput } from "../engine/tokeniser.ts";
import type { DialectRules } from "./dialect.ts";

const LF = 10;
const CR = 13;
const BOM = [0xef, 0xbb, 0xbf];

/** Which bytes of a robots.txt a dialect reads, and how. */
export interface Extent extends TokeniserInput {
	readonly maxBytes: number;
	/** The file is larger than `maxBytes`. */
	readonly tooLarge: boolean;
	/** It is, where that means that everything is allowed. */
	readonly allowsAll: boolean;
}

export function extentOf(
	bytes: Uint8Array,
	dialect: DialectRules,
	maxBytes: number,
): Extent {
	const tooLarge = bytes.length > maxBytes;
	const allowsAll = tooLarge && dialect.tooLargeAllowsAll;
	const end = tooLarge ? wholeLines(bytes, maxBytes) : bytes.length;
	return {
		bytes,
		from: bomLength(bytes, dialect),
		end: allowsAll ? 0 : end,
		flags:
			(dialect.lenientFields ? READ_LENIENT : 0) |
			(dialect.nulEndsLine ? READ_NUL_ENDS_LINE : 0) |
			(dialect.googleMatching ? READ_LETTERS_ONLY : 0),
		maxLineBytes: dialect.maxLineBytes,
		maxBytes,
		tooLarge,
		allowsAll,
	};
}

/** Where the last line that ends within the size limit does: half a rule could say the opposite of the whole one. */
function wholeLines(bytes: Uint8Array, maxBytes: number): number {
	let end = maxBytes;
	if (bytes[end] === LF || bytes[end] === CR) return end;
	while (end > 0 && bytes[end - 1] !== LF && bytes[end - 1] !== CR) end--;
	return end;
}

function bomLength(bytes: Uint8Array, dialect: DialectRules): number {
	let length = 0;
	while (length < BOM.length && bytes[length] === BOM[length]) length++;
	return length < BOM.length && !dialect.skipsPartialBom ? 0 : length;
}
