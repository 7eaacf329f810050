/**
 * robotrie/lint: findings about a robots.txt, and the edits that mend some of them.
 * @module
 */
export {
	type DialectExample,
	type Edit,
	type Finding,
	type LintCode,
	lintCodes,
} from "./lint/finding.ts";
export { type Fixed, type FixOptions, fix } from "./lint/fix.ts";
export { type LintOptions, lint } from "./lint/lint.ts";
