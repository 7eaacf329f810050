export {
	type CompareOptions,
	type CrawlerAnswer,
	compareCrawlers,
	compareFiles,
	type DecidingLines,
	type FileComparison,
	type VerdictChange,
} from "./compare/compare.ts";
