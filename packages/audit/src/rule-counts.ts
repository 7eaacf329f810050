/** How often a rule was broken, and by which requests. */
export interface RuleCount {
	readonly version: number;
	readonly line: number;
	readonly pattern: string;
	count: number;
	/** The first different targets, as they stand in the log. */
	readonly examples: string[];
}

export const EXAMPLES = 3;

/** A robots.txt has fewer lines: a matcher has fewer bytes. */
export const LINES = 2 ** 30;

/** A key for a rule. */
export function ruleKey(version: number, line: number): number {
	return version * LINES + line;
}

export function addExample(rule: RuleCount, example: string): void {
	if (rule.examples.length < EXAMPLES && !rule.examples.includes(example))
		rule.examples.push(example);
}
