import { FILTER_DEPTH } from "./format";

/** What a pair of nibble tables has for 16 octets. */
function lookUp(tables: usize, octets: v128): v128 {
	const nibble = i8x16.splat(15);
	return v128.and(
		i8x16.swizzle(v128.load(tables), v128.and(octets, nibble)),
		i8x16.swizzle(
			v128.load(tables, 16),
			v128.and(i16x8.shr_u(octets, 4), nibble),
		),
	);
}

/** Bit i is set where a literal may begin at octet i of the 16 at `at`; looks at FILTER_DEPTH - 1 octets more. */
export function candidates(filter: usize, at: usize): u32 {
	if (ASC_FEATURE_SIMD) {
		const bits = v128.and(
			v128.and(
				lookUp(filter, v128.load(at)),
				lookUp(filter + 32, v128.load(at, 1)),
			),
			lookUp(filter + 64, v128.load(at, 2)),
		);
		return i8x16.bitmask(i8x16.ne(bits, i8x16.splat(0)));
	}
	let mask: u32 = 0;
	for (let i: usize = 0; i < 16; i++) {
		let bits: u32 = 255;
		for (let depth: usize = 0; depth < <usize>FILTER_DEPTH; depth++) {
			const octet: u32 = load<u8>(at + i + depth);
			const tables = filter + depth * 32;
			bits &=
				load<u8>(tables + (octet & 15)) & load<u8>(tables + (octet >> 4), 16);
		}
		if (bits) mask |= (<u32>1) << (<u32>i);
	}
	return mask;
}
