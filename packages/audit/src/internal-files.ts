/**
 * The entry of the command line for logs in files (@robotrie/audit/internal-files): the parts of auditFiles, between which it writes what was
 * counted elsewhere, too. It changes without notice.
 */

import type { NetworkNames } from "./common/addresses.ts";
import type { LogSource } from "./files/open-logs.ts";

export {
	type LogSource,
	type OpenLog,
	openLogs,
	sameContent,
	sameLogs,
	withoutForwarded,
} from "./files/open-logs.ts";
export { scanLogs, sizeOfLogs } from "./files/scan-logs.ts";
export { rowWriter } from "./files/tasks.ts";

/** What names networks, by some files: code that few audits need, loaded on demand. */
export const networksOf = async (
	files: readonly LogSource[],
): Promise<NetworkNames> => (await import("./files/asn.ts")).networksOf(files);
