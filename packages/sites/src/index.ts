/**
 * The entry `@robotrie/sites`: indexes of many sites, built from recorded answers and kept on disk. `robotrie index` and `match --index` are
 * these calls with options, texts and exit codes.
 */

export { SitesError, type SitesErrorCode } from "./files/errors.ts";
export type { SiteFacts } from "./indexing/facts.ts";
export {
	type BuildOptions,
	type BuildProgress,
	type BuildReport,
	buildIndex,
	type IndexTarget,
	type ReadingOptions,
	type WrittenIndex,
} from "./indexing/run.ts";
export {
	type UpdateOptions,
	type UpdateReport,
	updateIndex,
} from "./indexing/update.ts";
export {
	type OpenOptions,
	openIndex,
	type SiteIndex,
	type SitesOptions,
} from "./open.ts";
export type { Source, SourceStream } from "./records/tasks.ts";
export { shardOf } from "./shards/shard.ts";
