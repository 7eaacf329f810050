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

/** Bytes of a workspace in which lines of at most `length` bytes are judged, with an input region of `inputSize` bytes. */
function sizeOf(length: usize, inputSize: usize, visited: usize): usize {
	const lists = offsetof<Workspace>() + LISTS_SIZE + WORK_SIZE;
	const input = inputSize + LINES_PADDING;
	// The arena begins at a multiple of 16.
	return lists + input + scratchSize(length) + visited + 16 + ARENA_SIZE;
}

function describe(
	address: usize,
	length: usize,
	inputSize: usize,
	visited: usize,
): void {
	const workspace = changetype<Workspace>(address);
	workspace.input = inputSize + LINES_PADDING;
	workspace.scratch = scratchSize(length);
	workspace.visited = visited;
}

/** A workspace in which one more instance judges lines of at most `length` bytes. 0 when there is no memory left. */
export function createWorkspace(length: usize, inputSize: usize): usize {
	const visited = visitedSize();
	const address = allocate(sizeOf(length, inputSize, visited));
	if (address) describe(address, length, inputSize, visited);
	return address;
}

/** Bytes of a workspace for an index that has another one, at `other`. */
export function workspaceSize(
	other: usize,
	length: usize,
	inputSize: usize,
): usize {
	return sizeOf(length, inputSize, changetype<Workspace>(other).visited);
}

/** Makes a workspace of that size in memory that the host has grown. */
export function placeWorkspace(
	address: usize,
	other: usize,
	length: usize,
	inputSize: usize,
): void {
	describe(address, length, inputSize, changetype<Workspace>(other).visited);
}

/** Makes a workspace this instance's own. It must never be asked for more than the workspace has. */
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
