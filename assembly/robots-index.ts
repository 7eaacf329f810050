/**
 * What the module of RobotsIndex offers to its host: programs of many origins and matching against them. Compiling and
 * verifying are done in the other module (index.ts). Numbers go in and out; pointers are offsets in linear memory.
 * Calls that take memory may grow it, after which the host's views of it are stale.
 */
import { hashKeys as hashKeysPointer } from "./url/authority";
import {
	missingSize as missingSizeOf,
	usedSize as usedSizeOf,
} from "./bytes/budget";
import { MATCH_NO_MEMORY, NO_MEMORY } from "./format/program";
import { nextSlot as nextSlotOf } from "./sites/hash-table";
import {
	loadFailure as loadFailureOf,
	loadEntries as loadEntriesOf,
	originsRead as originsReadOf,
	programsRead as programsReadOf,
} from "./sites/load";
import {
	input as inputRegion,
	release,
	reserveScratch,
	tables as tablesPointer,
} from "./bytes/memory";
import {
	matchOne as matchOneOf,
	matchOrigins as matchOriginsOf,
	unusualEnd,
} from "./sites/multi-site-batch";
import {
	deleteOrigin as deleteOriginOf,
	findOrigin as findOriginOf,
	openOrigins as openOriginsOf,
	origins,
	reserveOrigins,
	setOrigin as setOriginOf,
} from "./sites/origins";
import { pack, packed } from "./sites/pack";
import {
	dropProgram as dropProgramOf,
	keepProgram as keepProgramOf,
	programSize as programSizeOf,
	programs,
	reservePrograms,
	unsharedSize as unsharedSizeOf,
} from "./sites/programs";
import { setSymbols as setSymbolsOf } from "./sites/string-table";

/** As in index.ts. */
export function tables(): usize {
	return tablesPointer;
}

/** As in index.ts. */
export function input(size: usize): usize {
	return inputRegion(size);
}

/** The VERDICT_ for one text in the input region, or MATCH_NO_MEMORY. */
export function matchOne(program: usize, from: usize, length: usize): i32 {
	if (!reserveScratch(length)) return MATCH_NO_MEMORY;
	return <i32>matchOneOf(program, from, length);
}

/** Where 32 random bytes go before `openOrigins`: the keys of its hash. */
export function hashKeys(): usize {
	return hashKeysPointer;
}

/** Makes an empty index of origins that may take `limit` bytes; false when there is no room. Once per instance. */
export function openOrigins(limit: usize): bool {
	return openOriginsOf(limit);
}

/** Makes the symbols known that texts are written in, each followed by a space, in the input region. Once per instance. */
export function setSymbols(at: usize): void {
	setSymbolsOf(at);
}

/**
 * Keeps the compact form of a verified program that lies in the input region: a copy, or the equal one that is kept already.
 * It is the caller's until `dropProgram`. 0 when there is no room.
 */
export function keepProgram(bytes: usize): usize {
	const compact = pack(bytes);
	const kept = compact ? keepProgramOf(compact) : 0;
	release(packed);
	return kept;
}

/** Makes room for so many more in the tables, if there is any, so that they need not grow again and again. */
export function expect(origins: u32, programs: u32): void {
	reserveOrigins(origins);
	reservePrograms(programs);
}

/**
 * Reads as many whole entries of a snapshot as there are in the input region; returns how many bytes they take. Further calls
 * go on behind them. Each program is verified; when one is refused, `loadFailure` says why.
 */
export function loadEntries(from: usize, length: usize): usize {
	return loadEntriesOf(from, from + length);
}

/** VERIFY_ code of the program that `loadEntries` met last. */
export function loadFailure(): u32 {
	return loadFailureOf;
}

/** Programs that `loadEntries` has met. */
export function programsRead(): u32 {
	return programsReadOf;
}

/** Origins that `loadEntries` has read. */
export function originsRead(): u32 {
	return originsReadOf;
}

/** Gives back what `keepProgram` gave; the program stays while an origin obeys it. */
export function dropProgram(program: usize): void {
	dropProgramOf(program);
}

/**
 * Gives an origin, `length` bytes in the input region as the URL standard writes it, a kept program. False when there is
 * no room; nothing has changed then.
 */
export function setOrigin(origin: usize, length: usize, program: usize): bool {
	return setOriginOf(origin, length, program);
}

/** Forgets an origin; false when it is unknown. */
export function deleteOrigin(origin: usize, length: usize): bool {
	return deleteOriginOf(origin, length);
}

/** The program of an origin, 0 when it is unknown. */
export function findOrigin(origin: usize, length: usize): usize {
	return findOriginOf(origin, length);
}

/**
 * The taken slot behind another (0: the first), 0 behind the last. A slot: u32, the address of an origin but for its four lowest
 * bits; an origin: u32 program, u24 twice its bytes, plus 1 where "https://" in front of them is left out, those. Setting and
 * deleting move slots.
 */
export function nextSlot(slot: usize): usize {
	return nextSlotOf(origins, slot);
}

export function originCount(): u32 {
	return origins.count;
}

/** Programs, origins with equal rules sharing one. */
export function programCount(): u32 {
	return programs.count;
}

/** Bytes of programs. */
export function programSize(): f64 {
	return <f64>programSizeOf;
}

/** Bytes of programs if each origin had its own. */
export function unsharedSize(): f64 {
	return <f64>unsharedSizeOf;
}

/** Bytes that the index takes, with what the allocator adds. */
export function usedSize(): usize {
	return usedSizeOf;
}

/** Bytes that the last failed `setOrigin` needed. */
export function missingSize(): usize {
	return missingSizeOf;
}

/**
 * Judges lines of URLs of any origins, as `matchLines` does. `special` is what URLs are looked at more closely for beside
 * "#": "%", or NUL in the google dialect. Lines whose origin only the host can tell get VERDICT_UNUSUAL; their addresses,
 * u32, stand at `unusual`, which has room for one for every three bytes. Their end is `unusualEnd`.
 */
export function matchOrigins(
	from: usize,
	length: usize,
	to: usize,
	unusual: usize,
	special: u32,
): i32 {
	if (!reserveScratch(length)) return NO_MEMORY;
	return <i32>matchOriginsOf(from, length, to, unusual, special);
}

/** End of the list of unusual lines that the last `matchOrigins` wrote. */
export function endOfUnusual(): usize {
	return unusualEnd;
}
