import {
	isOnTheWire,
	type Span,
	samples,
	sharedSamples,
} from "../lint/witness.ts";
import type { Work } from "../lint/work.ts";
import type { RobotsTxt } from "../matching/robots-txt.ts";
import type { Rule } from "../matching/rules.ts";

/** Bytes besides its patterns that a pair of rules costs. */
const PAIR_COST = 32;

/** Rules by what they say. */
type Rules = ReadonlyMap<string, Rule>;

/** The rules that a crawler obeys, each once. */
export function rulesOf(robots: RobotsTxt, agent: string): Rules {
	const rules = new Map<string, Rule>();
	for (const index of robots.groupsOf(agent))
		for (const rule of robots.groups[index]?.rules ?? []) {
			const text = `${rule.type} ${rule.pattern}`;
			if (!rules.has(text)) rules.set(text, rule);
		}
	return rules;
}

interface Paths {
	readonly paths: readonly string[];
	/** All that come from the rules are there: `work` was enough. */
	readonly complete: boolean;
}

/**
 * Paths whose verdict may differ between two sets of rules: near the edges of every rule that only one of them has, and where such a
 * rule meets one that says the opposite. `work` limits the bytes of the patterns that are looked at.
 */
export function pathsBetween(before: Rules, after: Rules, work: Work): Paths {
	const paths = new Set<string>();
	const add = (some: Iterable<string>) => {
		for (const path of some) if (isOnTheWire(path)) paths.add(path);
	};
	const changed = [...changedOf(before, after), ...changedOf(after, before)];
	for (const { pattern } of changed) {
		if (!work.affords(pattern.length + PAIR_COST))
			return { paths: [...paths], complete: false };
		add(samples(spanOf(pattern)));
	}
	const all = [...new Map([...before, ...after]).values()].map((rule) => ({
		...rule,
		span: spanOf(rule.pattern),
	}));
	for (const { type, pattern } of changed) {
		const span = spanOf(pattern);
		for (const other of all) {
			if (other.type === type) continue;
			if (!work.affords(pattern.length + other.pattern.length + PAIR_COST))
				return { paths: [...paths], complete: false };
			add(sharedSamples(span, other.span));
		}
	}
	return { paths: [...paths], complete: true };
}

function changedOf(rules: Rules, others: Rules): Rule[] {
	return [...rules].flatMap(([text, rule]) => (others.has(text) ? [] : [rule]));
}

function spanOf(pattern: string): Span {
	const bytes = new TextEncoder().encode(pattern);
	return { bytes, from: 0, to: bytes.length };
}
