/**
 * Compact programs: what an index keeps of a program (program.ts). They tell allowed from disallowed, not which rule decides, in
 * half the bytes. Distances point forward and count from the end of what they stand in; numbers are varints (LEB128)
 * where no width is given.
 *
 * Priorities stand for ranks. Neighbouring ranks of the same type share a priority, as it makes no difference which of them wins.
 * They are odd for allow and even for disallow; 0 stands for "no rule". C_LOWEST is the priority of most rules. An even one with C_LATER
 * is no rule: the origin's robots.txt cannot be had for now. Programs of versions before it read that as disallow.
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
 *
 * Code: the opcodes are in opcodes.ts. Below C_PLAIN they stand in the upper three bits of a byte, a number from 0 to 31 in the lower
 * five. A text is bytes of symbols (sites/string-table.ts).
 */

export const C_LENGTH: usize = 0;
export const C_HEADER_SIZE: usize = 3;
export const C_UNANCHORED: usize = 4;
/** At the offset of H_TABLE, so that URLs are read alike for both kinds of programs. */
export const C_TABLE: usize = 5;
export const C_ALWAYS: usize = 6;

/** The priority of most rules: opcodes without one mean it. */
export const C_LOWEST: u32 = 2;
/** In all priorities of a program or in none: above what 24 bits of rules need, and within the 28 bits of a varint. */
export const C_LATER: u32 = 1 << 27;

/** First byte of a jump table: flags and a number. */
export const CJ_SHORT: u32 = 64;
export const CJ_WIDE: u32 = 128;
export const CJ_BITS: u32 = 31;
/** Bytes of the distance and the set for short entries. */
export const CJ_SHORT_SIZE: usize = 35;
/** Up to this logarithm of the slots the bitmap is one block without a count. */
export const CJ_ONE_BLOCK: u32 = 6;
export const CJ_BLOCK: usize = 12;
