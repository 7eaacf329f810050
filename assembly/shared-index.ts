/**
 * The module of RobotsIndex for several instances that share one memory. The first of them fills the index and hands out workspaces;
 * each of the others enters a workspace and matches there. From then on nothing may be set or deleted.
 */
import { LINES_PADDING } from "./format/program";
import { LISTS_SIZE, moveLists } from "./url/lines";
import {
	allocate,
	ARENA_SIZE,
	moveRegions,
	scratchSize,
	visitedSize,
} from "./bytes/memory";
import { moveWork, WORK_SIZE } from "./sites/url-spans";

export * from "./robots-index";

/** Memory of one instance; the index itself is shared by all. Lists and regions follow this header. */
@unmanaged
class Workspace {
	/** Bytes of each region. */
	input: usize;
	scratch: usize;
	visited: usize;
}

/**
 * Memory for one more instance, which judges lines of at most `length` bytes: an input region of `inputSize` bytes and what
 * else matching takes. 0 when there is none left.
 */
export function createWorkspace(length: usize, inputSize: usize): usize {
	const input = inputSize + LINES_PADDING;
	const scratch = scratchSize(length);
	const visited = visitedSize();
	const lists = offsetof<Workspace>() + LISTS_SIZE + WORK_SIZE;
	// The arena begins at a multiple of 16.
	const address = allocate(lists + input + scratch + visited + 16 + ARENA_SIZE);
	if (!address) return 0;
	const workspace = changetype<Workspace>(address);
	workspace.input = input;
	workspace.scratch = scratch;
	workspace.visited = visited;
	return address;
}

/** Makes a workspace of the first instance this one's own. It must never be asked for more than the workspace has. */
export function enterWorkspace(address: usize): void {
	const workspace = changetype<Workspace>(address);
	const lists = address + offsetof<Workspace>();
	const work = lists + LISTS_SIZE;
	moveLists(lists);
	moveWork(work);
	moveRegions(
		work + WORK_SIZE,
		workspace.input,
		workspace.scratch,
		workspace.visited,
	);
}
