/**
 * Threads of `match` share an index that is open, and divide shards among them; `stream` joins shards in one memory: `openIndex` is for one
 * thread, and has a table for each shard. It changes without notice.
 */

// A file that is opened once, and read by the thread that comes first, into memory that all share.
export { openIndexFile, readIndex, readInto } from "./shards/index-file.ts";
// What commands and frames say of a number of shards that an index may not have.
export { MOST_SHARDS } from "./shards/index-folder.ts";
// Lines by the shard that judges them, wherever that is.
export { SortedLines } from "./shards/shard.ts";
// A folder as plain data that threads are sent, and whether its shards fit into their memory.
export {
	filesOf,
	fits,
	openFolder,
	ShardSet,
} from "./shards/shard-set.ts";
