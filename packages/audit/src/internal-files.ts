/**
 * The entry of the command line for logs in files (@robotrie/audit/internal-files). It changes without notice.
 */

export { eachSettings, OpenOutputs } from "./files/line-outputs.ts";
export { withoutForwarded } from "./files/open-logs.ts";
export { rowWriter } from "./files/tasks.ts";
