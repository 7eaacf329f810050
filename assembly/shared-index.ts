/**
 * The module of RobotsIndex for several instances that share one memory. One of them, the writer, fills the index, hands out workspaces and
 * may go on changing it; it alone allocates. Each of the others enters a workspace and matches there, between `beginReading` and
 * `endReading`.
 */
import {
	addReader,
	beginReading as noteReading,
	endReading as noteEnd,
	freeUnread,
} from "./bytes/budget";
import {
	allocate,
	ARENA_SIZE,
	moveRegions,
	scratchSize,
	visitedSize,
} from "./bytes/memory";
import { LINES_PADDING } from "./format/program";
import { TABLE_HEAD } from "./sites/hash-table";
import { lookUpIn, publishOrigins, refreshOrigins } from "./sites/origins";
import { moveWork, WORK_SIZE } from "./sites/stretch";
import { LISTS_SIZE, moveLists } from "./url/lines";

export { growPages } from "./bytes/memory";

export * from "./robots-index";

/** Memory of one instance; the index itself is shared by all. Lists and regions follow this header. */
@unmanaged
class Workspace {
	/** Bytes of each region. */
	input: usize;
	scratch: usize;
	visited: usize;
	/** Address of the note about what its instance reads (bytes/budget.ts). */
	note: usize;
}

/** In front of the lists: the header, a note, and the table of origins as the instance sees it. */
const NOTE: usize = offsetof<Workspace>();
const TABLE: usize = NOTE + 8;
const LISTS: usize = TABLE + TABLE_HEAD;
/** Bytes of a visited set for programs that come later: they have less than 2 ** 24 bytes, and a ONCE takes at least two. */
const LEAST_VISITED: usize = 1 << 20;

/** Bytes of a workspace in which lines of at most `length` bytes are judged, with an input region of `inputSize` bytes. */
function sizeOf(length: usize, inputSize: usize, visited: usize): usize {
	const lists = LISTS + LISTS_SIZE + WORK_SIZE;
	const input = inputSize + LINES_PADDING;
	// The arena begins at a multiple of 16.
	return lists + input + scratchSize(length) + visited + 16 + ARENA_SIZE;
}

function describe(
	address: usize,
	length: usize,
	inputSize: usize,
	visited: usize,
	note: usize,
): void {
	const workspace = changetype<Workspace>(address);
	workspace.note = note;
	workspace.input = inputSize + LINES_PADDING;
	workspace.scratch = scratchSize(length);
	workspace.visited = visited;
}

/** A workspace in which one more instance judges lines of at most `length` bytes. 0 when there is no memory left. */
export function createWorkspace(length: usize, inputSize: usize): usize {
	const visited = max(visitedSize(), LEAST_VISITED);
	const address = allocate(sizeOf(length, inputSize, visited));
	if (!address || !addReader(address + NOTE)) return 0;
	describe(address, length, inputSize, visited, address + NOTE);
	publishOrigins();
	return address;
}

/** The writer calls it after a change: other instances see it, and what they no longer see is freed once they have ended reading. */
export function endChange(): void {
	publishOrigins();
	freeUnread();
}

/** From here to `endReading` what the instance finds in the index stays. */
export function beginReading(): void {
	noteReading(own.note);
	refreshOrigins();
}

export function endReading(): void {
	noteEnd(own.note);
}

/** The workspace that this instance has entered. */
let own = changetype<Workspace>(0);

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
	const known = changetype<Workspace>(other);
	describe(address, length, inputSize, known.visited, known.note);
}

/** Makes a workspace this instance's own. It must never be asked for more than the workspace has. */
export function enterWorkspace(address: usize): void {
	const workspace = changetype<Workspace>(address);
	own = workspace;
	// An instance that had it before may have ended while it read.
	noteEnd(workspace.note);
	lookUpIn(address + TABLE);
	const lists = address + LISTS;
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
