/**
 * robotrie/compare: two robots.txt files, or all known crawlers, side by side.
 * @module
 */
export {
	type CompareOptions,
	type CrawlerAnswer,
	compareCrawlers,
	compareFiles,
	type DecidingLines,
	type FileComparison,
	type VerdictChange,
} from "./compare/compare.ts";
