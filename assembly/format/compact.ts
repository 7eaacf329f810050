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
} from "./opcodes";

/**
 * Compact programs: what an index keeps of a program (program.ts). They tell allowed from disallowed, not which rule decides, in
 * half the bytes. Distances point forward and count from the end of what they stand in; numbers are varints (LEB128)
 * where no width is given.
 *
 * Priorities stand for ranks. Neighbouring ranks of the same type share a priority, as it makes no difference which of them wins.
 * They are odd for allow and even for disallow; 0 stands for "no rule". C_LOWEST is the priority of most rules.
 *
 *     header, jump table of the prefixes, prefix code
 *     with unanchored patterns: prefilter (FILTER_SIZE bytes), their jump table, their code
 *
 * Header:
 *
 *     u24     bytes of the program
 *     u8      bytes of the header
 *     u8      1 with unanchored patterns, else 0
 *     u8      as H_TABLE
 *     varint  priority of the best rule that matches every path
 *     with unanchored patterns:
 *     u24     distance of the prefilter from the jump table of the prefixes
 *     varint  the largest priority of an unanchored pattern
 *     varint  bits of the visited set
 *
 * Jump table: entries and tags are those of program.ts.
 *
 *     u8      binary logarithm of the number of slots (CJ_BITS), CJ_SHORT, CJ_WIDE
 *     with CJ_SHORT:
 *     u24     distance of the code for short entries from the jump table
 *     32      set of the bytes that short entries begin with
 *     always:
 *     bitmap  of the slots that lead to code. Up to 64 slots it is as long as necessary; else blocks of 64 bits, each followed by
 *             a u32: the number of bits in the blocks before
 *     for each bit of it:
 *     u8      tag
 *     u16     distance of the code from the jump table; u24 with CJ_WIDE
 */

export const C_LENGTH: usize = 0;
export const C_HEADER_SIZE: usize = 3;
export const C_UNANCHORED: usize = 4;
/** At the offset of H_TABLE, so that URLs are read alike for both kinds of programs. */
export const C_TABLE: usize = 5;
export const C_ALWAYS: usize = 6;

export const C_LOWEST: u32 = 2;

/** First byte of a jump table: flags and a number. */
export const CJ_SHORT: u32 = 64;
export const CJ_WIDE: u32 = 128;
export const CJ_BITS: u32 = 31;
/** Bytes of the distance and the set for short entries. */
export const CJ_SHORT_SIZE: usize = 35;
/** Up to this logarithm of the slots the bitmap is one block without a count. */
export const CJ_ONE_BLOCK: u32 = 6;
export const CJ_BLOCK: usize = 12;

/**
 * Opcodes stand in the upper three bits of a byte, a number from 0 to 31 in the lower five. A text is that many bytes of
 * symbols (sites/string-table.ts). After the opcodes up to C_PRIORITY the code goes on only if the path has the text.
 */
export const C_TEXT: u32 = 0x00;
/** Text; a rule of priority C_LOWEST ends behind it, and no other rule continues. */
export const C_LEAF: u32 = 0x20;
/** Likewise with another priority, which follows the text. */
export const C_PRIORITY: u32 = 0x40;
/** Text at whose end a rule of priority C_LOWEST ends, whether the path has it or not: the code goes on at the same position. */
export const C_TRY: u32 = 0x60;
/** Likewise with another priority, which follows the text. */
export const C_TRY_PRIORITY: u32 = 0x80;
/** Arms less one; their bytes; u8 distances of all but the first, which follows directly. */
export const C_BRANCH: u32 = 0xa0;
/** Without a number in it, what OP_STOP and so on are in program.ts, with a priority in place of a rank. There is no NEED. */
export const C_STOP: u32 = 0xc0;
export const C_RULE: u32 = C_STOP + OP_RULE;
export const C_RULE_END: u32 = C_STOP + OP_RULE_END;
/** The distance, then the bit of the visited set. */
export const C_ONCE: u32 = C_STOP + OP_ONCE;
/** The priority, the size of the other operands, those. A FLOAT1 has flags, the length behind, and the text in front. */
export const C_WILD: u32 = C_STOP + OP_WILD;
export const C_FLOAT1: u32 = C_STOP + OP_FLOAT1;
export const C_FLOAT: u32 = C_STOP + OP_FLOAT;
export const C_PREFIXED: u32 = C_STOP + OP_PREFIXED;
/** Likewise, as C_TRY, the text's size in front: a long one; one that a tail follows; one that has to end where the path does. */
export const C_LONG_TRY: u32 = C_STOP + OP_TEXT;
export const C_TRY_WILD: u32 = C_STOP + OP_TEXT_WILD;
export const C_TRY_END: u32 = C_TRY_WILD + 1;
/** Text of any length, which stands in front. */
export const C_LONG_TEXT: u32 = C_STOP + 30;
/** Number of arms, bytes, u24 distances of all. */
export const C_FAR_BRANCH: u32 = C_STOP + 31;

/** The number in an opcode. */
export const C_NUMBER: u32 = 31;
