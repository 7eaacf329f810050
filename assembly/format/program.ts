/**
 * The byte-code's layout, shared by the module and the host: constants only.
 *
 * A program is one contiguous, position-independent run of bytes; every offset counts from its first byte and
 * points forward, so that execution ends. Integers are little-endian, unaligned, 24 bits wide in the code
 * (8 Mi rules, 16 MiB of code: more than a robots.txt within any sane limit needs, a third smaller than 32).
 *
 *     header (HEADER_SIZE bytes)
 *     jump table of the prefixes, prefix code: entered once per path, after its first byte
 *     with unanchored patterns: prefilter (FILTER_SIZE bytes), their jump table, their code: entered at each position of the path
 *     that passes the prefilter
 *
 * A "rank" orders rules by precedence: the larger wins (RFC 9309 §2.2.2: most bytes, allow before disallow).
 * In the code it stands as rank * 2 + (1 for allow), from rank 1; 0 stands for "no rule".
 */

export const FORMAT_VERSION = 1;

export const HEADER_SIZE = 28;
/** u32: bytes of the whole program. */
export const H_BYTE_LENGTH = 0;
/** u8: FORMAT_VERSION. */
export const H_VERSION = 4;
/** u8: index of the byte-class table URLs are normalised with, or TABLE_NONE. */
export const H_TABLE = 5;
/** u8: 1 if each unanchored pattern is after a ONCE, so that a path is settled when all of those were passed. A byte after it is free. */
export const H_ONCE_ONLY = 6;
/** u32: rules that can win, the largest rank. */
export const H_RANKS = 8;
/** u32: offset of the prefilter, 0 without unanchored patterns. */
export const H_UNANCHORED = 12;
/** u32: bits of the visited set: each ONCE instruction has one while a path is matched. */
export const H_VISITED = 16;
/** u32: the largest encoded rank of an unanchored pattern: above it there is no need to look. */
export const H_MAX_UNANCHORED = 20;

/** u32: encoded rank of the best rule that matches every path, 0 without. */
export const H_ALWAYS = 24;
/**
 * A jump table says which code can match at a position, by its next KEY_BYTES bytes, the key:
 *
 *      0  u32    offset of the code for entries shorter than a key, 0 if there are none
 *      4  u32    binary logarithm of the number of slots
 *      8  u32 …  slots: a hash table over keys
 *         32     if there are short entries: a set of the bytes that they begin with
 *
 * A slot has the offset of the code for all entries that hash there in its upper 24 bits. If they share one key, bit 0 is set and
 * bits 1 to 7 are those of its hash; else the low byte is 0. A slot without entries leads to a STOP. Four of five paths end here,
 * before any code runs.
 */
export const JUMP_SHORT = 0;
export const JUMP_BITS = 4;
export const JUMP_SLOTS = 8;
export const JUMP_SLOT_SIZE = 4;
export const KEY_BYTES = 3;
export const KEY_HASH = -1640531535;
export const MIN_JUMP_BITS = 1;
export const MAX_JUMP_BITS = 20;
/** The set has a bit for each byte. */
export const BYTE_SET_SIZE = 32;

/**
 * Prefilter: four tables of 16 bytes, indexed by the low and the high nibble of a byte and by the low nibbles of the next two. A
 * literal may begin at a position whose four entries have a bit in common.
 */
export const FILTER_SIZE = 64;
export const FILTER_HIGH = 16;
export const FILTER_SECOND = 32;
export const FILTER_THIRD = 48;
/** Bytes that the prefilter tests. */
export const FILTER_DEPTH = 3;

/** The shape of a TEXT or TEXT_WILD: the text's length less one in the lowest bits, then flags. */
export const TEXT_LENGTH = 31;
/** The pattern ends in "$". */
export const TEXT_END = 32;
/** No further text follows: the code ends. */
export const TEXT_LAST = 64;
/** Longest text of a TEXT or TEXT_WILD. */
export const MAX_TEXT = 32;

/** A HASH takes so many bytes, and has at most two to this power slots. */
export const MIN_HASHED = 3;
export const MAX_HASHED = 8;
export const MAX_HASH_BITS = 16;

/** Flags of the wildcard instructions. */
/** The last literal must end where the path ends. */
export const WILD_ANCHORED = 1;
/** The pattern begins with "/", so its first "*" stands after the path's first byte; otherwise in front of it. */
export const WILD_AFTER_SLASH = 2;

/** Bytes after a block of memory that may be read, though not used: wide loads need no bounds check. */
export const PADDING = 32;
/** Likewise after lines and paths, which are read 64 bytes at a time, and after literals a few more. */
export const LINES_PADDING = 96;

export const MAX_U24 = 0xffffff;
/** Largest block of linear memory. Anything larger is refused before an address is computed from it. */
export const MAX_BLOCK = 0x20000000;
/** Bytes that a line or URL may have. The input region of an index has four for each, and some more. */
export const MAX_LINE = MAX_BLOCK / 4 - 1024;
/** Longest LITERAL; longer text takes several. */
export const MAX_LITERAL = 255;

/** Verdict codes, one byte per line. */
export const VERDICT_DISALLOWED = 0;
export const VERDICT_ALLOWED = 1;
export const VERDICT_UNKNOWN = 2;
export const VERDICT_INVALID = 3;
/** The origin's robots.txt cannot be had for now. Only an index says so. */
export const VERDICT_LATER = 4;
/** Between module and host: only the URL standard's parser knows the origin of this line. */
export const VERDICT_UNUSUAL = 255;

/** matchOne: the line is not a URL. Cannot be an encoded rank, which has 24 bits. */
export const MATCH_INVALID = -1;
/** matchOne: memory cannot grow. */
export const MATCH_NO_MEMORY = -2;
/**
 * In place of what is asked for: the text is not in the input region, the program is none of this version with a known table, or its visited
 * set was not reserved.
 */
export const WRONG_USE = -3;
/** What `moduleVersion` returns: raised when an export or the layout of what it takes or gives changes. */
export const MODULE_VERSION = 1;
/** Returned in place of a number of lines or a VERIFY_ code: memory cannot grow. */
export const NO_MEMORY = -1;

/** Byte classes of a normalisation table: one byte for each byte (url/normalise.ts has the tables). */
/** Its percent-escape is replaced by the byte itself. */
export const CLASS_DECODE = 1;
/** Its percent-escape is replaced by the byte itself after the first "?". */
export const CLASS_DECODE_IN_QUERY = 2;
/** The bare byte is replaced by its percent-escape. */
export const CLASS_ESCAPE = 4;
/** The standard's normal form is the escape: the byte counts three towards a rule's length. */
export const CLASS_COUNTS_AS_ESCAPE = 8;
/** The URL standard drops the byte from URLs: tab, line feed and carriage return (§4.4). Rules keep it. */
export const CLASS_DROP = 16;

export const TABLE_SIZE = 256;
export const TABLE_COUNT = 3;
/** Like RFC 9309's normal form, but bytes above 127, "*" and "$" stay raw instead of %XX: shorter, and most URLs have it already. */
export const TABLE_BARE = 0;
/** For rules in the google dialect. */
export const TABLE_GOOGLE = 1;
/** The standard's normal form to the letter, for programs with a text that could match part of an escape. */
export const TABLE_ESCAPED = 2;
/** Value of H_TABLE: URLs are cut up as Google's library does, and otherwise taken as they come. */
export const TABLE_NONE = 255;

/** A rule for the compiler: four u32, offset of its pattern in the text, length of the pattern, RULE_ flags, number of its source. */
export const RULE_INPUT_SIZE = 16;
/** Its source is not a rule of the file. */
export const NO_SOURCE = -1;
export const RULE_ALLOW = 1;
/** The pattern ends at the path's end although no "$" stands in the text. */
export const RULE_ANCHORED = 2;
/** Beats every other rule whatever its length. */
export const RULE_SUPREME = 4;

/** Flags of a compilation. */
/** Google's reading: text literal from its first byte, trailing "*" counts, lengths after escaping. */
export const COMPILE_GOOGLE = 1;
/** A rule without a pattern is one for every path, of the other type. */
export const COMPILE_EMPTY_INVERTS = 2;
/** "Allow: /dir/index.html" also allows "/dir/". */
export const COMPILE_INDEX_DIRECTORY = 4;
/** "/robots.txt" is always allowed. */
export const COMPILE_ROBOTS_TXT = 8;
/** A "$" after a "*" says nothing: "/a*$" is "/a", for precedence too. */
export const COMPILE_STAR_DOLLAR = 16;

/** Verifier results; 0 is "valid". */
export const VERIFY_OK = 0;
export const VERIFY_LENGTH = 1;
export const VERIFY_VERSION = 2;
export const VERIFY_HEADER = 3;
export const VERIFY_OPCODE = 4;
export const VERIFY_TRUNCATED = 5;
export const VERIFY_TARGET = 6;
export const VERIFY_RANK = 7;
export const VERIFY_BYTE = 8;
export const VERIFY_ENTRY = 9;
/** Of the index's module: the program is sound, but there is no room for it. */
export const VERIFY_NO_ROOM = 10;
export const VERIFY_ORIGIN = 11;
