/**
 * Texts of compact programs: each byte stands for a symbol of one to eight bytes, or says that the next one stands for
 * itself (the idea is FSST, Boncz et al. 2020). Symbols stand in the order of their first byte, longer ones in front.
 */

export const ESCAPE: u32 = 255;
/** Codes from here on up to ESCAPE stand for eight NULs. */
export const SYMBOL_COUNT: usize = 190;

/**
 * Symbols, filled up with zeros: the strings of up to eight bytes that save most in the rules of 1,225 real sites, none of which counts
 * more than a hundred times. Texts take 61% of their bytes; 65 more strings would save 4%.
 */
// biome-ignore format: with the strings after them
export const symbols = memory.data<u64>([
	0x732d, 0x2d, 0x787073612e, 0x6c6d74682e, 0x70736a2e, 0x6664702e, 0x7068702e, // -s - .aspx .html .jsp .pdf .php
	0x7478742e, 0x2e, 0x2f, 0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3d, // .txt . / 0 1 2 3 4 5 6 7 8 9 =
	0x3f, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x49, 0x4c, 0x4d, 0x4e, 0x4f, 0x50, 0x52, 0x53, // ? A B C D E F G I L M N O P R S
	0x54, 0x55, 0x5f, 0x2f6e696d6461, 0x656761, 0x657461, 0x6361, 0x6461, 0x6c61, 0x6e61, // T U _ admin/ age ate ac ad al an
	0x7061, 0x7261, 0x7361, 0x7461, 0x61, 0x6562, 0x6f62, 0x62, 0x746e756f63, 0x6d6d6f63, // ap ar as at a be bo b count comm
	0x746e6f63, 0x746163, 0x736563, 0x696763, 0x6163, 0x6563, 0x6863, 0x6c63, 0x6f63, // cont cat ces cgi ca ce ch cl co
	0x7263, 0x63, 0x726564, 0x2f64, 0x6564, 0x6964, 0x6f64, 0x64, 0x6863726165, 0x746e65, // cr c der d/ de di do d earch ent
	0x747365, 0x2f65, 0x6165, 0x6365, 0x6465, 0x6d65, 0x6e65, 0x7265, 0x7365, 0x7465, // est e/ ea ec ed em en er es et
	0x65, 0x6c6966, 0x726f66, 0x6566, 0x6966, 0x66, 0x2f736567, 0x6567, 0x6967, 0x67, // e fil for fe fi f ges/ ge gi g
	0x6568, 0x6f68, 0x68, 0x676e69, 0x6369, 0x6469, 0x6569, 0x6c69, 0x6e69, 0x7369, 0x7469, // he ho h ing ic id ie il in is it
	0x69, 0x6a, 0x6b, 0x676f6c, 0x616c, 0x656c, 0x696c, 0x6c6c, 0x6f6c, 0x6c, 0x746e656d, // i j k log la le li ll lo l ment
	0x616d, 0x656d, 0x6f6d, 0x6d, 0x616e, 0x646e, 0x656e, 0x746e, 0x6e, 0x74756f, 0x6c6f, // ma me mo m na nd ne nt n out ol
	0x6d6f, 0x6e6f, 0x726f, 0x756f, 0x6f, 0x74726f70, 0x616c70, 0x697270, 0x6f7270, // om on or ou o port pla pri pro
	0x2f70, 0x6170, 0x6570, 0x6c70, 0x6f70, 0x70, 0x71, 0x742e73746f626f72, 0x736572, // p/ pa pe pl po p q robots.t res
	0x2f72, 0x6172, 0x6572, 0x6972, 0x6f72, 0x72, 0x2f686372616573, 0x6c6d74682e73, // r/ ra re ri ro r search/ s.html
	0x686372616573, 0x2f726573, 0x617473, 0x2d73, 0x2f73, 0x6573, 0x6973, 0x7373, // search ser/ sta s- s/ se si ss
	0x7473, 0x73, 0x6e6f6974, 0x726574, 0x656874, 0x2f74, 0x6174, 0x6574, 0x6974, 0x6f74, // st s tion ter the t/ ta te ti to
	0x7374, 0x74, 0x746c75, 0x6d75, 0x7075, 0x7275, 0x7375, 0x7475, 0x75, 0x6576, 0x6976, // ts t ult um up ur us ut u ve vi
	0x76, 0x77, 0x78, 0x2f79, 0x79, 0x7a, // v w x y/ y z
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
]);
/** The bits of a u64 that a symbol does not fill; the last one is for ESCAPE, which stands for the byte after it. */
// biome-ignore format: 32 bytes a line
const spares = memory.data<u8>([
	48, 56, 24, 24, 32, 32, 32, 32, 56, 56, 56, 56, 56, 56, 56, 56, 56, 56, 56, 56, 56, 56, 56, 56, 56, 56, 56, 56, 56, 56, 56, 56,
	56, 56, 56, 56, 56, 56, 56, 56, 16, 40, 40, 48, 48, 48, 48, 48, 48, 48, 48, 56, 48, 48, 56, 24, 32, 32, 40, 40, 40, 48, 48, 48,
	48, 48, 48, 56, 40, 48, 48, 48, 48, 56, 24, 40, 40, 48, 48, 48, 48, 48, 48, 48, 48, 48, 56, 40, 40, 48, 48, 56, 32, 48, 48, 56,
	48, 48, 56, 40, 48, 48, 48, 48, 48, 48, 48, 56, 56, 56, 40, 48, 48, 48, 48, 48, 56, 32, 48, 48, 48, 56, 48, 48, 48, 48, 56, 40,
	48, 48, 48, 48, 48, 56, 32, 40, 40, 40, 48, 48, 48, 48, 48, 56, 56, 0, 40, 48, 48, 48, 48, 48, 56, 8, 16, 16, 32, 40, 48, 48,
	48, 48, 48, 48, 56, 32, 40, 40, 48, 48, 48, 48, 48, 48, 56, 40, 48, 48, 48, 48, 48, 56, 48, 48, 56, 56, 56, 48, 56, 56, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 56,
]);

export function spareBits(code: u32): u64 {
	return <u64>load<u8>(spares + code);
}

/** Bytes of a symbol. */
export function symbolSize(code: u32): usize {
	return 8 - (<usize>load<u8>(spares + code) >> 3);
}

/** The end of the text that these symbols stand for if it is at `at`, else 0. */
export function afterText(from: usize, end: usize, at: usize): usize {
	while (from < end) {
		const code: u32 = load<u8>(from++);
		if (code == ESCAPE) {
			if (load<u8>(from++) != load<u8>(at++)) return 0;
			continue;
		}
		const symbol = load<u64>(symbols + ((<usize>code) << 3));
		if ((load<u64>(at) ^ symbol) << spareBits(code)) return 0;
		at += symbolSize(code);
	}
	return at;
}

/** Bytes of the text that these symbols stand for. */
export function textLength(from: usize, end: usize): usize {
	let length: usize = 0;
	for (; from < end; from++) {
		const code: u32 = load<u8>(from);
		if (code == ESCAPE) from++;
		length += symbolSize(code);
	}
	return length;
}
