import { describe, expect, test } from "vitest";
import {
	CLASS_COUNTS_AS_ESCAPE,
	CLASS_DECODE,
	CLASS_DECODE_IN_QUERY,
	CLASS_DROP,
	CLASS_ESCAPE,
	TABLE_BARE,
	TABLE_ESCAPED,
	TABLE_GOOGLE,
} from "../../assembly/format/program.ts";
import { SYMBOLS } from "../symbols.ts";
import { builds, load } from "./module.ts";

/** The tables that are data of the modules, against what the standards and the list of strings say. */

const bytes = Array.from({ length: 256 }, (_, byte) => byte);

/** RFC 3986 §2.3, unreserved characters: escaped and bare are the same. */
const isUnreserved = (byte: number) =>
	/[A-Za-z0-9._~-]/.test(String.fromCharCode(byte));
/** RFC 9309 §2.2.2, the example "?baz=https://foo.bar": RFC 3986's gen-delims. */
const isDelimiter = (byte: number) =>
	":/?#[]@".includes(String.fromCharCode(byte));
/** RFC 9309 §2.2.2: what is not ASCII is escaped; §2.2.3: "%2A" and "%24" in a rule stand for "*" and "$". */
const isEscaped = (byte: number) =>
	byte > 127 || "*$".includes(String.fromCharCode(byte));
/** RFC 3986 §2: no URL has them as they are. */
const isForeign = (byte: number) =>
	byte <= 32 ||
	byte === 127 ||
	'"<>\\^`{|}'.includes(String.fromCharCode(byte));
/** URL standard §4.4. */
const isDropped = (byte: number) =>
	"\t\n\r".includes(String.fromCharCode(byte));

const classes: Readonly<Record<number, (byte: number) => number>> = {
	[TABLE_BARE]: (byte) =>
		isDropped(byte)
			? CLASS_DROP | CLASS_ESCAPE
			: isUnreserved(byte)
				? CLASS_DECODE
				: isDelimiter(byte)
					? CLASS_DECODE_IN_QUERY
					: isEscaped(byte) || isForeign(byte)
						? CLASS_DECODE | CLASS_COUNTS_AS_ESCAPE
						: 0,
	[TABLE_ESCAPED]: (byte) =>
		isDropped(byte)
			? CLASS_DROP | CLASS_ESCAPE
			: isUnreserved(byte)
				? CLASS_DECODE
				: isDelimiter(byte)
					? CLASS_DECODE_IN_QUERY
					: isEscaped(byte) || isForeign(byte)
						? CLASS_ESCAPE
						: 0,
	[TABLE_GOOGLE]: (byte) => (byte > 127 ? CLASS_ESCAPE : 0),
};

describe.each(builds)("%s", (build) => {
	const units = load(build);

	test.each(Object.entries(classes))("byte classes, table %s", (table, of) => {
		expect(bytes.map((byte) => units.classOf(Number(table), byte))).toEqual(
			bytes.map(of),
		);
	});

	test("hex digits", () => {
		const value = (byte: number) => {
			const digit = Number.parseInt(String.fromCharCode(byte), 16);
			return Number.isNaN(digit) ? 255 : digit;
		};
		expect(bytes.map((byte) => units.hexValueOf(byte))).toEqual(
			bytes.map(value),
		);
	});

	test("sets of eight bytes", () => {
		const choice = (set: number) =>
			[0, 1, 2, 3, 4, 5, 6, 7]
				.filter((bit) => (set >> bit) & 1)
				.reduceRight((packed, bit) => (packed << 8n) | BigInt(bit), 0n);
		expect(bytes.map((set) => BigInt.asUintN(64, units.choiceOf(set)))).toEqual(
			bytes.map(choice),
		);
	});

	test("the strings of an index", () => {
		const symbols = SYMBOLS.trimEnd().split(" ");
		const packed = (text: string) =>
			Array.from(text).reduceRight(
				(bits, letter) => (bits << 8n) | BigInt(letter.charCodeAt(0)),
				0n,
			);
		const codes = bytes.slice(0, -1);
		expect(
			codes.map((code) => BigInt.asUintN(64, units.symbolOf(code))),
		).toEqual(codes.map((code) => packed(symbols[code] ?? "")));
		expect(bytes.map((code) => units.spareBitsOf(code))).toEqual([
			...codes.map((code) => 64 - (symbols[code]?.length ?? 8) * 8),
			56,
		]);
	});
});
