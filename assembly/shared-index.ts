/**
 * The module of RobotsIndex for several instances that share one memory. The first of them fills the index and hands out workspaces;
 * each of the others enters a workspace and matches there. From then on nothing may be set or deleted.
 */
import { LINES_PADDING } from "./format/program";
import { LISTS_SIZE, moveLists } from "./url/lines";
import {
	allocate,
	ARENA_SIZE,
	visitedCapacity,
	moveRegions,
	scratchSize,
} from "./bytes/memory";
import { moveWork, WORK_SIZE } from "./sites/url-spans";

export * from "./robots-index";

/** A workspace: u32 bytes of input, u32 bytes of scratch, u32 bytes of marks; lists; regions. Tables are everyone's. */
const LANE_HEAD: usize = 12;
const L_INPUT: usize = 0;
const L_SCRATCH: usize = 4;
const L_VISITED: usize = 8;

/**
 * Memory for one more instance, which judges lines of at most `length` bytes: an input region of `inputSize` bytes and what
 * else matching takes. 0 when there is none left.
 */
export function createWorkspace(length: usize, inputSize: usize): usize {
	const scratch = scratchSize(length);
	const visitedSize = visitedCapacity;
	const workspace = allocate(
		LANE_HEAD +
			LISTS_SIZE +
			WORK_SIZE +
			inputSize +
			LINES_PADDING +
			scratch +
			visitedSize +
			16 +
			ARENA_SIZE,
	);
	if (!workspace) return 0;
	store<u32>(workspace, <u32>(inputSize + LINES_PADDING), L_INPUT);
	store<u32>(workspace, <u32>scratch, L_SCRATCH);
	store<u32>(workspace, <u32>visitedSize, L_VISITED);
	return workspace;
}

/** Makes a workspace of the first instance this one's own. It must never be asked for more than the workspace has. */
export function enterWorkspace(workspace: usize): void {
	const lists = workspace + LANE_HEAD;
	const work = lists + LISTS_SIZE;
	moveLists(lists);
	moveWork(work);
	moveRegions(
		work + WORK_SIZE,
		load<u32>(workspace, L_INPUT),
		load<u32>(workspace, L_SCRATCH),
		load<u32>(workspace, L_VISITED),
	);
}
