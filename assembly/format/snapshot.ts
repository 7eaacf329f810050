/**
 * An entry of an index's snapshot is an origin:
 *
 *     0  u32  number of its program: programs count from 0, in the order of their first origins
 *        the program, after the number that is met first; it begins with its length, u24
 *        u24  twice the bytes of the key, plus 1 if "https://" was left out
 *        key
 */
export const ENTRY_PROGRAM = 4;
export const ENTRY_KEY = 3;
/** What the shortest entry with a known program takes. */
export const LEAST_ENTRY = 8;

/** Why an entry is refused, besides VERIFY_ codes, which are smaller. */
export const LOAD_TWICE = 64;
export const LOAD_NUMBER = 65;
