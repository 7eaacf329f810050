/**
 * robotrie's command line reads lists and logs, and writes reports, as this package reads recorded answers and writes indexes. What it needs
 * for that is here, changes without notice, and is not for others.
 */

// Dates of options: --since is an audit's, --as-of an index's.
export { endOfTime, timeOf } from "./files/dates.ts";
// Files that are named by host, and hardly a robots.txt, mean the same in audit and lint.
export { asciiHost, doubtText, hostOfEntry } from "./files/hosts.ts";
// Reports are written as indexes are: whole, or not at all.
export { OutputFile, writeFile } from "./files/output-file.ts";
// Logs may be Parquet, too.
export { isParquet, readParquetLines } from "./files/parquet.ts";
// Lists, logs and stdin are decoded as records are.
export {
	asUtf8,
	checkLine,
	collect,
	encodingOf,
	READ_AT_ONCE,
	unpacked,
	wholeLines,
} from "./files/text.ts";
// Commands refuse a number of shards that an index may not have.
export { MOST_SHARDS } from "./shards/index-folder.ts";
