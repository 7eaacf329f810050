/**
 * The entry `@robotrie/audit/files`: audits of many files in threads, for Node. `robotrie audit` is this with options, texts and exit codes.
 * @module
 */

export {
	type AuditFilesOptions,
	auditFiles,
	type FilesProgress,
	readNetworks,
} from "./audit-files.ts";
export type { LogSource, LogStream } from "./files/open-logs.ts";
