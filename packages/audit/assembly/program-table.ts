/**
 * The pairs of a class of crawlers and a version of a robots.txt that have met, each with the class's program. log.ts looks one up for each
 * request that is judged; the host enters them as they meet. A table of all pairs would take gigabytes for many sites and crawlers.
 *
 * A pair is the text of eight bytes of its two numbers, so that it takes 16 bytes and two slots. A table of its own, with the numbers in
 * its slots, took the same time within 1%.
 */
import {
	candidate,
	enter,
	entryOf,
	grow,
	hashOf,
	Interner,
	open,
	valueOf,
} from "./interner";

const pairs = changetype<Interner>(memory.data(offsetof<Interner>()));
/** The pair at hand: u32 class, u32 version. More bytes, as hashing reads a block. */
const key: usize = memory.data(32, 16);
const KEY_LENGTH: u32 = 8;
/** Bytes of a pair's entry. */
const PAIR_SIZE: usize = 16;

const FIRST_BITS: u32 = 8;
const FIRST_ROOM: usize = 4096;

/** Forgets all pairs; false if there is no memory. */
export function forgetPrograms(): bool {
	return open(pairs, FIRST_BITS, FIRST_ROOM);
}

/** The entry of a pair, 0 if it has not met; valid until another one is entered. */
export function pairOf(agentClass: u32, version: u32): usize {
	setKey(agentClass, version);
	const hash = hashOf(key, KEY_LENGTH);
	return entryOf(pairs, candidate(pairs, hash), hash, key, KEY_LENGTH);
}

/** The address of a pair's program. */
export function programOf(pair: usize): usize {
	return valueOf(pair);
}

/** Pairs are numbered from 0, in the order in which they were entered. */
export function numberOf(pair: usize): u32 {
	return <u32>((pair - pairs.entries) / PAIR_SIZE);
}

/** Enters a pair that has not met yet; false if there is no memory. */
export function enterProgram(
	agentClass: u32,
	version: u32,
	program: usize,
): bool {
	setKey(agentClass, version);
	return (
		enter(pairs, key, KEY_LENGTH, <u32>program) ||
		// Growing keeps the order of entries, on which `numberOf` relies.
		(grow(pairs) && enter(pairs, key, KEY_LENGTH, <u32>program))
	);
}

/** Makes a pair the one at hand. */
function setKey(agentClass: u32, version: u32): void {
	store<u64>(key, ((<u64>version) << 32) | agentClass);
}
