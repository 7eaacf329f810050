/**
 * The entry `@robotrie/audit/files`: audits of many files in threads, for Node. `robotrie audit` is this with options, texts and exit codes.
 * @module
 */

export {
	type AuditFilesOptions,
	auditFiles,
	type FilesProgress,
	type OpenedLog,
	readNetworks,
} from "./audit-files.ts";
export type { EachOptions, WriteBytes } from "./files/line-outputs.ts";
export type { LogSource, LogStream } from "./files/open-logs.ts";
export type { FilesRemark } from "./files/remarks.ts";
export {
	type FollowedLines,
	type FollowLogOptions,
	followLog,
	type LogFollower,
} from "./follow-log.ts";
export { type MergeStatesOptions, mergeStates } from "./merge-states.ts";
