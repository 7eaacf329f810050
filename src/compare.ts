export { type CrawlerAnswer, compareCrawlers } from "./compare/crawlers.ts";
export {
	type CompareOptions,
	compareFiles,
	type DecidingLines,
	type FileComparison,
	type VerdictChange,
} from "./compare/files.ts";
