/**
 * What the module of RobotsIndex offers to its host: programs of many origins and matching against them. Compiling and verifying are done
 * in the other module (index.ts). Numbers go in and out; pointers are offsets in linear memory. Calls that take memory may grow it, after
 * which the host's views of it are stale. src/sites/capture.ts has the types of what it exports.
 */
import { isInput, reserveScratch } from "./bytes/memory";
import {
	MATCH_NO_MEMORY,
	MODULE_VERSION,
	NO_MEMORY,
	WRONG_USE,
} from "./format/program";
import { slotsEnd, slotsFrom } from "./sites/hash-table";
import {
	matchLinesBy as matchLinesByOf,
	matchOne as matchOneOf,
	matchOrigins as matchOriginsOf,
} from "./sites/multi-site-batch";
import { origins, reserveOrigins } from "./sites/origins";
import { programs, reservePrograms } from "./sites/programs";
import { hashKeys as hashKeysPointer } from "./url/url";

export { missingSize, usedSize } from "./bytes/budget";
export { allocate, input, release } from "./bytes/memory";
export { endOfUnusual } from "./sites/multi-site-batch";
export {
	beginCapture,
	deleteOrigin,
	endCapture,
	findOrigin,
	freeRetired,
	keySize,
	openOrigins,
	setOrigin,
} from "./sites/origins";
export { programSize, unsharedSize } from "./sites/programs";
export {
	createNumbers,
	endLoading,
	loadEntries,
	loadFailure,
	originsRead,
	programsRead,
	savedEnd,
	saveEntries,
	saveOrigins,
} from "./sites/snapshot";
export { oddRows, spreadRows } from "./url/lines";

/** As in index.ts. */
export function moduleVersion(): u32 {
	return MODULE_VERSION;
}

/** The VERDICT_ for one text in the input region, MATCH_NO_MEMORY or WRONG_USE. */
export function matchOne(program: usize, from: usize, length: usize): i32 {
	if (!reserveScratch(length)) return MATCH_NO_MEMORY;
	if (!isInput(from, length) || program < __heap_base) return WRONG_USE;
	return <i32>matchOneOf(program, from, length);
}

/** Where 32 random bytes go before `openOrigins`: the keys of its hash. */
export function hashKeys(): usize {
	return hashKeysPointer;
}

/** Makes room for so many more in the tables, so that they need not grow; false if there is none. */
export function expect(origins: u32, programs: u32): bool {
	return reserveOrigins(origins) && reservePrograms(programs);
}

/**
 * First of the slots that hold all origins, u32 each: the origin's address but for the four lowest bits, 0 for none. There are those of
 * the table and, while it grows, those of the previous one (`previous`).
 */
export function firstSlot(previous: bool): usize {
	return slotsFrom(origins, previous);
}

/** End of those slots. */
export function endOfSlots(previous: bool): usize {
	return slotsEnd(origins, previous);
}

export function originCount(): u32 {
	return origins.count;
}

/** Programs, origins with equal rules sharing one. */
export function programCount(): u32 {
	return programs.count;
}

/**
 * Judges lines of URLs of any origins, as `matchLines` does; `google` says whether the rules are of that dialect. Lines whose origin
 * only the host can tell get VERDICT_UNUSUAL; their addresses, u32, stand at `unusual`, which has room for one for every three bytes.
 * Their end is `endOfUnusual`. Returns the number of lines, NO_MEMORY or WRONG_USE.
 */
export function matchOrigins(
	from: usize,
	length: usize,
	to: usize,
	unusual: usize,
	google: bool,
): i32 {
	if (!reserveScratch(length)) return NO_MEMORY;
	if (!isInput(from, length)) return WRONG_USE;
	return <i32>matchOriginsOf(from, length, to, unusual, google);
}

/**
 * The same for lines of one site, URLs or paths, by the program of its origin (`findOrigin`); with 0 in its place, all are VERDICT_UNKNOWN.
 * Returns the number of lines, NO_MEMORY or WRONG_USE.
 */
export function matchLinesBy(
	program: usize,
	from: usize,
	length: usize,
	to: usize,
	google: bool,
): i32 {
	if (!reserveScratch(length)) return NO_MEMORY;
	if (!isInput(from, length)) return WRONG_USE;
	return <i32>matchLinesByOf(program, from, length, to, google);
}
