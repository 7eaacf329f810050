/**
 * The entries of a scan, which the host counts after it (packages/audit/src/count/entry-counter.ts). Making an entry is cheap; what is
 * expensive for the host is text, so the paths of disallowed targets are numbered, and the host decodes each path only once.
 */
import {
	ENTRY_CAPACITY,
	ENTRY_SIZE,
	FIELD_AGENT,
	FIELD_FORWARDED,
	FIELD_HOST,
	FIELD_IP,
	FIELD_METHOD,
	FIELD_REFERRER,
	FIELD_TYPE,
	LONGEST_PATH,
} from "./format";
import { find } from "../../../assembly/bytes/scan";
import { CutLine } from "./cut-lines";
import { endOf, readBytes, startOf } from "./fields";
import {
	candidate,
	enter,
	forget,
	hashOf,
	Interner,
	lookUp,
	open,
} from "./interner";
import { LogEntry } from "./layout";
import { target } from "./target";

/** Paths of targets in the segment, by number from 1. */
const paths = changetype<Interner>(memory.data(offsetof<Interner>()));
const entryList: usize = memory.data(ENTRY_CAPACITY * ENTRY_SIZE);
let entriesUsed: u32 = 0;
/** Whether paths of allowed targets are numbered, too. */
let numbersAll: bool = false;

const PATH_BITS: u32 = 14;
const PATH_ROOM: usize = 1 << 20;
const QUESTION_MARK: u32 = 0x3f;

/** Allocates the table of paths; false if there is no memory. */
export function preparePaths(): bool {
	return open(paths, PATH_BITS, PATH_ROOM);
}

/** Whether all paths are numbered, or only disallowed ones. */
export function usePaths(all: bool): void {
	numbersAll = all;
}

/** Begins the numbers of paths again, for a new segment. */
export function forgetPaths(): void {
	forget(paths);
}

/** Drops the entries of the scan before, which the host has counted. */
export function forgetEntries(): void {
	entriesUsed = 0;
}

/** Whether another line may be judged in this scan. */
export function hasRoomForEntry(): bool {
	return entriesUsed < <u32>ENTRY_CAPACITY;
}

/** Address of the entries of the last scan. */
export function entries(): usize {
	return entryList;
}

/** The number of entries of the last scan. */
export function entryCount(): u32 {
	return entriesUsed;
}

/** Numbers the path of an entry's target; 0 if there is no room for more paths in this segment. */
function addPath(entry: LogEntry): void {
	const from: usize = entry.target;
	const longest = min(from + LONGEST_PATH, <usize>entry.targetEnd);
	const end = find(QUESTION_MARK, from, longest);
	const length = <u32>(end - from);
	const hash = hashOf(from, length);
	entry.pathEnd = <u32>end;
	entry.path = lookUp(paths, candidate(paths, hash), hash, from, length);
	if (entry.path) return;
	const next = paths.count + 1;
	if (enter(paths, from, length, next)) entry.path = next;
}

/** Adds an entry of a line whose target is in `target`; `index` is the line's number in the segment, from 0. There must be room. */
export function addEntry(
	outcome: i32,
	pair: u32,
	line: CutLine,
	index: u32,
): void {
	const entry = changetype<LogEntry>(
		entryList + <usize>entriesUsed * <usize>ENTRY_SIZE,
	);
	entry.pair = pair;
	entry.time = line.time;
	entry.outcome = outcome;
	entry.status = line.status;
	entry.line = <u32>line.start;
	entry.lineEnd = <u32>line.end;
	entry.target = <u32>target.start;
	entry.targetEnd = <u32>target.end;
	entry.ip = <u32>startOf(FIELD_IP);
	entry.ipEnd = <u32>endOf(FIELD_IP);
	entry.index = index;
	entry.bytes = readBytes();
	entry.forwarded = <u32>startOf(FIELD_FORWARDED);
	entry.forwardedEnd = <u32>endOf(FIELD_FORWARDED);
	// An even rank is that of a Disallow rule: usually only paths that were disallowed are counted by the host.
	if ((outcome > 0 && !(outcome & 1)) || (numbersAll && outcome >= 0))
		addPath(entry);
	entry.host = <u32>startOf(FIELD_HOST);
	entry.hostEnd = <u32>endOf(FIELD_HOST);
	entry.agent = <u32>startOf(FIELD_AGENT);
	entry.agentEnd = <u32>endOf(FIELD_AGENT);
	entry.method = <u32>startOf(FIELD_METHOD);
	entry.methodEnd = <u32>endOf(FIELD_METHOD);
	entry.referrer = <u32>startOf(FIELD_REFERRER);
	entry.referrerEnd = <u32>endOf(FIELD_REFERRER);
	entry.type = <u32>startOf(FIELD_TYPE);
	entry.typeEnd = <u32>endOf(FIELD_TYPE);
	entriesUsed++;
}
