/**
 * Numbers in programs: 24 bits, or variable-length integers (little-endian base 128, LEB128, at most 28 bits; most have one byte). The
 * writers and run loops use the first half, which trusts what it reads, since programs are verified before they run. Both verifiers read
 * with the second half, whose bytes may be anything.
 */
import { VERIFY_OK, VERIFY_TRUNCATED } from "../format/program";
import { find } from "./scan";

export function load24(pointer: usize): u32 {
	return load<u32>(pointer) & 0xffffff;
}

/** Two stores, as one of four bytes would overwrite what follows. */
export function store24(pointer: usize, value: u32): void {
	store<u16>(pointer, <u16>value);
	store<u8>(pointer + 2, <u8>(value >> 16));
}

/** Writes an integer at `to` and returns its end. */
export function storeVarint(to: usize, value: u32): usize {
	while (value > 127) {
		store<u8>(to++, (value & 127) | 128);
		value >>= 7;
	}
	store<u8>(to, value);
	return to + 1;
}

/** End of the integer that was read last. A variable, as a second result in memory would cost a load in the loops that read tails. */
export let varintEnd: usize = 0;

/** Most have one byte, so the rest is a call away and this much is inlined. */
export function readVarint(pointer: usize): u32 {
	const byte: u32 = load<u8>(pointer);
	varintEnd = pointer + 1;
	return byte < 0x80 ? byte : longVarint(pointer, 0);
}

/** Recursive, so that the compiler does not inline it. */
function longVarint(pointer: usize, shift: u32): u32 {
	const byte: u32 = load<u8>(pointer);
	const value = (byte & 0x7f) << shift;
	varintEnd = pointer + 1;
	// After four bytes in any case: a verified number has no more, and the shift would leave the 28 bits.
	if (byte < 0x80 || shift == 21) return value;
	return value | longVarint(varintEnd, shift + 7);
}

/** As `readVarint` without a call: in matchTail one costs lines of real sites 3% more instructions. */
export function readVarintInline(pointer: usize): u32 {
	let value: u32 = load<u8>(pointer++);
	if (value & 0x80) {
		value &= 0x7f;
		for (let shift = 7; shift < 28; shift += 7) {
			const byte: u32 = load<u8>(pointer++);
			value |= (byte & 0x7f) << shift;
			if (!(byte & 0x80)) break;
		}
	}
	varintEnd = pointer;
	return value;
}

/** Reads bytes that may be anything: what both verifiers have in common. */

@unmanaged
class Reader {
	/** Address of the next byte. */
	at: usize;
	/** Address after the last byte that may be read. */
	end: usize;
	/** The VERIFY_ code of the first fault. */
	fault: u32;
}

export const reader = changetype<Reader>(memory.data(offsetof<Reader>(), 4));

/** Goes on at `at`, with no fault. */
export function readFrom(at: usize, end: usize): void {
	reader.at = at;
	reader.end = end;
	reader.fault = VERIFY_OK;
}

export function fail(reason: u32): void {
	if (reader.fault == VERIFY_OK) reader.fault = reason;
}

/** Passes over bytes and returns their address. Only without a fault may they be read. */
export function pass(length: usize): usize {
	const from = reader.at;
	if (length > reader.end - from) fail(VERIFY_TRUNCATED);
	else reader.at = from + length;
	return from;
}

/** A byte; 0 with a fault. */
export function readByte(): u32 {
	const at = pass(1);
	return reader.fault ? 0 : load<u8>(at);
}

/** A u24; 0 with a fault. */
export function read24(): u32 {
	const at = pass(3);
	return reader.fault ? 0 : <u32>load<u16>(at) | ((<u32>load<u8>(at, 2)) << 16);
}

/** A varint of at most 28 bits; 0 with a fault. */
export function readNumber(): u32 {
	let value: u32 = 0;
	for (let shift = 0; shift < 28; shift += 7) {
		const byte = readByte();
		value |= (byte & 127) << shift;
		if (byte < 128) return value;
	}
	fail(VERIFY_TRUNCATED);
	return 0;
}

/** Passes over bytes, of which there has to be one, and returns their address. */
export function passSome(length: usize): usize {
	if (length == 0) fail(VERIFY_TRUNCATED);
	return pass(length);
}

/** Passes over a wildcard tail (`matchTail` in match/run.ts). */
export function passTail(): void {
	pass(1);
	for (let count = readNumber(); count && !reader.fault; count--) {
		const literal = readNumber();
		passSome(literal >> 1);
		if (literal & 1) passSome(readNumber());
	}
}

export function holdsLineFeed(text: usize, length: usize): bool {
	return find(0x0a, text, text + length) != text + length;
}

/** Bytes that hold two bits for each byte of a program. */
export function bitsSize(length: usize): usize {
	return ((length + 63) >> 6) << 4;
}

export function setBit(bits: usize, at: usize): void {
	const byte = bits + (at >> 3);
	store<u8>(byte, <u32>load<u8>(byte) | ((<u32>1) << (<u32>at & 7)));
}

export function hasBit(bits: usize, at: usize): bool {
	return ((<u32>load<u8>(bits + (at >> 3)) >> (<u32>at & 7)) & 1) != 0;
}

/** Whether `size` bytes of bits have none that `others` lack. */
export function isSubset(bits: usize, others: usize, size: usize): bool {
	for (let at: usize = 0; at < size; at += 8)
		if (load<u64>(bits + at) & ~load<u64>(others + at)) return false;
	return true;
}
