/**
 * The module of RobotsIndex for several instances that share one memory. The first of them fills the index and hands out lanes;
 * each of the others enters a lane and matches there. From then on nothing may be set or deleted.
 */
import { LINES_PADDING } from "./format";
import { LISTS_SIZE, moveLists } from "./lines";
import { allocate, marksCapacity, moveRegions } from "./memory";
import { moveRecords, RECORDS_SIZE } from "./mixed";
import { borrowOrigins, slotMask, slots } from "./origins";

export * from "./robots-index";

/** A lane: u32 slots, u32 slot mask, u32 octets of input, u32 octets of scratch, u32 octets of marks; lists; regions. */
const LANE_HEAD: usize = 20;
const L_SLOTS: usize = 0;
const L_SLOT_MASK: usize = 4;
const L_INPUT: usize = 8;
const L_SCRATCH: usize = 12;
const L_MARKS: usize = 16;

/**
 * Memory for one more instance, which judges lines of at most `length` octets: an input region of `inputSize` octets and what
 * else matching takes. 0 when there is none left.
 */
export function makeLane(length: usize, inputSize: usize): usize {
	const scratchSize = length * 3 + 1 + LINES_PADDING;
	const marksSize = marksCapacity;
	const lane = allocate(
		LANE_HEAD +
			LISTS_SIZE +
			RECORDS_SIZE +
			inputSize +
			LINES_PADDING +
			scratchSize +
			marksSize,
	);
	if (!lane) return 0;
	store<u32>(lane, <u32>slots, L_SLOTS);
	store<u32>(lane, slotMask, L_SLOT_MASK);
	store<u32>(lane, <u32>(inputSize + LINES_PADDING), L_INPUT);
	store<u32>(lane, <u32>scratchSize, L_SCRATCH);
	store<u32>(lane, <u32>marksSize, L_MARKS);
	return lane;
}

/** Makes a lane of the first instance this one's own. It must never be asked for more than the lane has. */
export function enterLane(lane: usize): void {
	borrowOrigins(load<u32>(lane, L_SLOTS), load<u32>(lane, L_SLOT_MASK));
	const lists = lane + LANE_HEAD;
	const records = lists + LISTS_SIZE;
	moveLists(lists);
	moveRecords(records);
	moveRegions(
		records + RECORDS_SIZE,
		load<u32>(lane, L_INPUT),
		load<u32>(lane, L_SCRATCH),
		load<u32>(lane, L_MARKS),
	);
}
