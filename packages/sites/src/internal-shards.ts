/** Threads of `match` share an index that is open, and divide shards among them; `stream` joins shards. It changes without notice. */
export { openIndexFile, readIndex, readInto } from "./shards/index-file.ts";
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
