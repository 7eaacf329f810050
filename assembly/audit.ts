/**
 * The module of the log scanner: what a second instance needs to run programs, and the scan. Apart from index.ts, so
 * that the library does not carry it.
 */
import { H_VISITED } from "./format/program";
import * as log from "./log/log";
import { fields as fieldBounds } from "./log/fields";
import { probes as headerProbes } from "./log/header-table";
import { hashKeys as hashKeysPointer } from "./url/authority";
import {
	allocate as allocateBlock,
	input as inputRegion,
	release as releaseBlock,
	reserveVisited as reserveVisitedBits,
	tables as tablesPointer,
} from "./bytes/memory";

export {
	beginSegment,
	forgetAgents,
	forgetHosts,
	prepare,
	scanLog,
	setAgent,
	setHost,
	skipDirective,
	useFormat,
	usePeriod,
	usePrograms,
	useSites,
} from "./log/log";

/** As in index.ts. */
export function tables(): usize {
	return tablesPointer;
}

/** As in index.ts. */
export function input(size: usize): usize {
	return inputRegion(size);
}

/** As in index.ts. */
export function allocate(size: usize): usize {
	return allocateBlock(size);
}

/** As in index.ts. */
export function release(pointer: usize): void {
	releaseBlock(pointer);
}

/** As in index.ts. */
export function reserveVisited(program: usize): bool {
	return reserveVisitedBits(load<u32>(program, H_VISITED));
}

/** 32 bytes, which the host fills with random ones before the first scan. */
export function hashKeys(): usize {
	return hashKeysPointer;
}

/** See header-table.ts. */
export function probes(): u32 {
	return headerProbes;
}

/** Field bounds of the last line, two u32 for each FIELD_. */
export function fields(): usize {
	return fieldBounds;
}

/** COUNTERS u32. */
export function counters(): usize {
	return log.counters;
}

/** Log entries of the last scan, `entryCount` of them. */
export function entries(): usize {
	return log.entries;
}

export function entryCount(): u32 {
	return log.entryCount;
}

/** Where the next line begins. */
export function position(): usize {
	return log.position;
}

/** After SCAN_NO_PROGRAM: the class and the version of robots.txt. */
export function pendingClass(): u32 {
	return log.pendingClass;
}

export function pendingVersion(): u32 {
	return log.pendingVersion;
}
