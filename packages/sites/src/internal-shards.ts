/** Threads of `match` share an index that is open, and divide shards among them; `stream` joins shards. It changes without notice. */
// What commands and frames say of a number of shards that an index may not have.

export { openIndexFile, readIndex, readInto } from "./shards/index-file.ts";
export { MOST_SHARDS } from "./shards/index-folder.ts";
export { SortedLines } from "./shards/shard.ts";
export {
	filesOf,
	fits,
	isFolder,
	type OpenFolder,
	openFolder,
	ShardSet,
	type SharedFile,
} from "./shards/shard-set.ts";
