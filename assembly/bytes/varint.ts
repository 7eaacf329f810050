/** Variable-length integers: little-endian base 128 (LEB128), at most 28 bits. Most have one byte. */

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
export let behind: usize = 0;

export function readVarint(pointer: usize): u32 {
	const byte: u32 = load<u8>(pointer);
	behind = pointer + 1;
	return byte < 0x80 ? byte : longVarint(pointer, 0);
}

/** Recursive, so that the compiler does not inline it. */
function longVarint(pointer: usize, shift: u32): u32 {
	const byte: u32 = load<u8>(pointer);
	const value = (byte & 0x7f) << shift;
	behind = pointer + 1;
	if (byte < 0x80 || shift == 21) return value;
	return value | longVarint(behind, shift + 7);
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
	behind = pointer;
	return value;
}
