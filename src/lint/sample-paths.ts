import { RULE_FIELDS } from "../robots-txt/parsed-file.ts";
import type { Reading } from "./reading.ts";
import {
	hasDialectLength,
	isOnTheWire,
	type Span,
	samples,
	sharedSamples,
} from "./witness.ts";
import type { Work } from "./work.ts";

/** Groups that a crawler obeys, as indices. */
export interface ChosenGroups {
	readonly reading: Reading;
	readonly groups: readonly number[];
}

interface SampledPaths {
	readonly paths: readonly string[];
	/** From this index on, paths on which two rules meet: fewer people ever ask for one. */
	readonly met: number;
}

/** Bytes besides its patterns that a pair of rules costs. */
const PAIR_COST = 32;

/**
 * Paths on which the dialects may part: near the edges of every rule, and where two rules meet that say the opposite, as far
 * as `pairs` affords their bytes. All of them are as a URL may have them.
 */
export function samplePaths(
	sides: readonly ChosenGroups[],
	pairs: Work,
): SampledPaths {
	const rules = rulesOf(sides);
	const paths = new Set<string>();
	const add = (all: Iterable<string>) => {
		for (const path of all) if (isOnTheWire(path)) paths.add(path);
	};
	for (const { span } of rules) add(samples(span));
	const met = paths.size;
	// Where rules meet that say the opposite, the longer one decides, and which that is may depend on the dialect.
	const [allows, disallows] = [true, false].map((allow) =>
		rules.filter((rule) => rule.allow === allow),
	);
	for (const { span, allow } of rules) {
		if (!hasDialectLength(span)) continue;
		for (const other of (allow ? disallows : allows) ?? []) {
			const bytes = length(span) + length(other.span) + PAIR_COST;
			if (!pairs.affords(bytes)) return { paths: [...paths], met };
			add(sharedSamples(span, other.span));
		}
	}
	return { paths: [...paths], met };
}

function length({ from, to }: Span): number {
	return to - from;
}

interface SampledRule {
	readonly span: Span;
	readonly allow: boolean;
}

/** The rules that the crawler obeys in one dialect or another, each once. */
function rulesOf(sides: readonly ChosenGroups[]): SampledRule[] {
	const rules = new Map<string, SampledRule>();
	for (const { reading, groups } of sides) {
		const { bytes, rules: fields } = reading.file;
		for (const index of groups) {
			const { firstRule = 0, lastRule = 0 } = reading.file.groups[index] ?? {};
			for (let rule = firstRule; rule < lastRule; rule++) {
				const from = fields[rule * RULE_FIELDS] ?? 0;
				const to = fields[rule * RULE_FIELDS + 1] ?? 0;
				const allow = fields[rule * RULE_FIELDS + 2] === 1;
				const place = `${from} ${to}`;
				if (!rules.has(place))
					rules.set(place, { span: { bytes, from, to }, allow });
			}
		}
	}
	return [...rules.values()];
}
