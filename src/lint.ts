export {
	type DialectExample,
	type Finding,
	type LintCode,
	lintCodes,
} from "./lint/finding.ts";
export { type LintOptions, lint } from "./lint/lint.ts";
