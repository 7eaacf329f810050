/**
 * The module of the log scanner: what a second instance needs to run programs, and the scan. Apart from index.ts, so
 * that the library does not carry it.
 */
import { H_VISITED } from "../../../assembly/format/program";
import { hashKeys as hashKeysPointer } from "../../../assembly/url/authority";
import { reserveVisited as reserveVisitedBits } from "../../../assembly/bytes/memory";

export { allocate, input, release } from "../../../assembly/bytes/memory";
export { entries, entryCount } from "./entries";
export { fields } from "./fields";
export { probes } from "./header-table";
export { useFormat, usePeriod } from "./cut-lines";
export { useKeys } from "./json";
export {
	beginSegment,
	counters,
	forgetAgents,
	forgetHosts,
	pendingClass,
	pendingVersion,
	position,
	prepare,
	scanLog,
	setAgent,
	setHost,
	setLine,
	setProgram,
	skipDirective,
	span,
	useEntries,
	useSites,
} from "./log";
export { forgetPrograms } from "./program-table";

/** As in index.ts. */
export function reserveVisited(program: usize): bool {
	return reserveVisitedBits(load<u32>(program, H_VISITED));
}

/** 32 bytes, which the host fills with random ones before the first scan. */
export function hashKeys(): usize {
	return hashKeysPointer;
}
