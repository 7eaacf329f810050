/**
 * The module of the log scanner, a WebAssembly module of its own so that the library does not carry it. It exports what an instance needs
 * to run programs (as assembly/index.ts does) and the scan. packages/audit/src/common/scanner-module.ts declares these exports for TypeScript.
 */

import { reserveVisited as reserveVisitedBits } from "../../../assembly/bytes/memory";
import { H_VISITED } from "../../../assembly/format/program";
import { hashKeys as hashKeysPointer } from "../../../assembly/url/url";

export { allocate, input, release } from "../../../assembly/bytes/memory";
export { settleLine, useFormat, usePeriod } from "./cut-lines";
export { entries, entryCount, usePaths } from "./entries";
export { fields } from "./fields";
export { readings, useSigns } from "./headers";
export { probes } from "./interner";
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
	useBytes,
	useEntries,
	usePeople,
	useSites,
} from "./log";
export { forgetPrograms } from "./program-table";

/** As in index.ts. */
export function reserveVisited(program: usize): bool {
	return reserveVisitedBits(load<u32>(program, H_VISITED));
}

/** Address of 32 bytes that the host fills with random ones before the first scan: the secret keys of hashes. */
export function hashKeys(): usize {
	return hashKeysPointer;
}
