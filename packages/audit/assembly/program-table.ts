import { allocate, release } from "../../../assembly/bytes/memory";
import { hashKeys } from "../../../assembly/url/authority";

/**
 * Pairs of a class of crawlers and a version of a robots.txt that have met, each with the class's program: a hash table with open
 * addressing, at most half full. A table of all pairs would take gigabytes for many sites and many crawlers.
 */
@unmanaged
export class ProgramSlot {
	agentClass: u32;
	version: u32;
	/** Address; 0 where the slot is free. */
	program: u32;
	/** Pairs are numbered from 0, in the order in which they were entered. */
	pair: u32;
}

const SLOT_SIZE: usize = offsetof<ProgramSlot>();
const FIRST_BITS: u32 = 8;

let slots: usize = 0;
let bits: u32 = 0;
let count: u32 = 0;

/** Forgets all pairs; false if there is no memory. */
export function forgetPrograms(): bool {
	count = 0;
	return open(FIRST_BITS);
}

/** A table of 2 ** bits free slots in place of the one before. */
function open(wanted: u32): bool {
	const size = SLOT_SIZE << (<usize>wanted);
	const table = allocate(size);
	if (!table) return false;
	release(slots);
	slots = table;
	bits = wanted;
	memory.fill(table, 0, size);
	return true;
}

/** The keys are secret, as clients choose which hosts they name and when: see `hashOf` in header-table.ts. */
function hashOf(agentClass: u32, version: u32): u64 {
	const product =
		(((<u64>version) << 32) | agentClass) * (load<u64>(hashKeys) | 1);
	return (product ^ (product >> 32)) * (load<u64>(hashKeys, 8) | 1);
}

/** The slot of a pair, or the free one that it would get. */
export function programSlot(agentClass: u32, version: u32): ProgramSlot {
	const mask = ((<u32>1) << bits) - 1;
	let index = <u32>(hashOf(agentClass, version) >> (64 - <u64>bits));
	let slot = slotAt(index);
	while (
		slot.program &&
		(slot.agentClass != agentClass || slot.version != version)
	)
		slot = slotAt(++index & mask);
	return slot;
}

function slotAt(index: u32): ProgramSlot {
	return changetype<ProgramSlot>(slots + <usize>index * SLOT_SIZE);
}

/** Enters a pair that is not there yet; false if there is no memory. */
export function enterProgram(
	agentClass: u32,
	version: u32,
	program: usize,
): bool {
	const room = (<u32>1) << (bits - 1);
	if (count == room && !grow()) return false;
	const slot = programSlot(agentClass, version);
	slot.agentClass = agentClass;
	slot.version = version;
	slot.program = <u32>program;
	slot.pair = count++;
	return true;
}

/** Doubles the table. */
function grow(): bool {
	const before = slots;
	const end = before + (SLOT_SIZE << (<usize>bits));
	slots = 0;
	if (!open(bits + 1)) {
		slots = before;
		return false;
	}
	for (let at = before; at < end; at += SLOT_SIZE) {
		const from = changetype<ProgramSlot>(at);
		if (!from.program) continue;
		const to = programSlot(from.agentClass, from.version);
		memory.copy(changetype<usize>(to), at, SLOT_SIZE);
	}
	release(before);
	return true;
}
