import {
	OP_FLOAT,
	OP_FLOAT1,
	OP_ONCE,
	OP_PREFIXED,
	OP_RULE,
	OP_RULE_END,
	OP_TEXT,
	OP_TEXT_WILD,
	OP_WILD,
} from "./program";

/**
 * Compact programs: what an index keeps of a program (format.ts). They tell allowed from disallowed, not which rule decides, in
 * half the bytes. Distances point forward and count from the end of what they stand in; numbers are varints (LEB128)
 * where no width is given.
 *
 * Levels stand for ranks. Neighbouring ranks of the same type share a level, as which of them wins makes no difference: levels
 * are odd for allow, even for disallow, and 0 stands for "no rule". C_LOWEST is that of most rules.
 *
 *     header: u24 length; u8 bytes of the header; u8 1 with literal code, else 0; u8 as H_TABLE; level of the best rule that
 *         matches every path; with literal code u24 bytes from the prefix heads to the filter, the largest level in it, the number of
 *         marks
 *     prefix heads, prefix code
 *     [filter, literal heads, literal code]
 *
 * Heads: u8, the binary logarithm of the number of slots, with flags; with short texts u24, the distance of their code from
 * the heads, and the set of bytes that those begin with; a bitmap of slots that lead to code; for each bit of it an
 * entry, u8 tag and u16 or u24 distance of its code from the heads. Slots and tags are those of format.ts. The bitmap is cut
 * into blocks of 64 bits, each followed by a u32: entries of those in front. With up to 64 slots it is as long as it has to be.
 */

export const C_LENGTH: usize = 0;
export const C_HEADER_SIZE: usize = 3;
export const C_FLOATS: usize = 4;
/** Where programs have H_TABLE, so that both kinds of URL can be read alike. */
export const C_TABLE: usize = 5;
export const C_ALWAYS: usize = 6;

export const C_LOWEST: u32 = 2;

/** Heads: flags, and the rest. */
export const CH_SHORT: u32 = 64;
export const CH_WIDE: u32 = 128;
export const CH_BITS: u32 = 31;
/** Bytes of the distance and the set that short texts have. */
export const CH_SHORT_SIZE: usize = 35;
/** Up to so many slots, as a logarithm, the bitmap has one block, without a count. */
export const CH_ONE_BLOCK: u32 = 6;
export const CH_BLOCK: usize = 12;

/**
 * Opcodes stand in the upper three bits of a byte, a number from 0 to 31 in the lower five. A text is that many bytes of
 * symbols (symbols.ts). Those up to C_LEVEL go on only where it follows.
 */
export const C_TEXT: u32 = 0x00;
/** Text; behind it a rule of level C_LOWEST ends, and no other goes on. */
export const C_LEAF: u32 = 0x20;
/** Likewise for another level, which stands behind the text. */
export const C_LEVEL: u32 = 0x40;
/** Text that a rule of level C_LOWEST ends with, or not; what follows stands at the same position. */
export const C_TRY: u32 = 0x60;
/** Likewise for another level, which stands behind the text. */
export const C_TRY_LEVEL: u32 = 0x80;
/** Arms less one; their bytes; u8 distances of all but the first, which follows directly. */
export const C_BRANCH: u32 = 0xa0;
/** Without a number in it, what OP_STOP and so on are in format.ts, a level in place of a rank. There is no NEED. */
export const C_STOP: u32 = 0xc0;
export const C_RULE: u32 = C_STOP + OP_RULE;
export const C_RULE_END: u32 = C_STOP + OP_RULE_END;
/** The distance, then the mark. */
export const C_ONCE: u32 = C_STOP + OP_ONCE;
/** The level, the size of the other operands, those. A FLOAT1 has flags, the length behind, and the text in front. */
export const C_WILD: u32 = C_STOP + OP_WILD;
export const C_FLOAT1: u32 = C_STOP + OP_FLOAT1;
export const C_FLOAT: u32 = C_STOP + OP_FLOAT;
export const C_PREFIXED: u32 = C_STOP + OP_PREFIXED;
/** Likewise, as C_TRY, the text's size in front: a long one; one that a body follows; one that has to end where the path does. */
export const C_LONG_TRY: u32 = C_STOP + OP_TEXT;
export const C_TRY_WILD: u32 = C_STOP + OP_TEXT_WILD;
export const C_TRY_END: u32 = C_TRY_WILD + 1;
/** Text of any length, which stands in front. */
export const C_LONG_TEXT: u32 = C_STOP + 30;
/** Number of arms, bytes, u24 distances of all. */
export const C_FAR_BRANCH: u32 = C_STOP + 31;

/** The number in an opcode. */
export const C_NUMBER: u32 = 31;
