/**
 * Finds rules that can never win. lint.ts calls it. The matcher decides, for paths that stand for all matches of a pattern (witness.ts).
 */
import {
	NO_SOURCE,
	RULE_ANCHORED,
	RULE_INPUT_SIZE,
} from "../../assembly/format/program.ts";
import { RULE_FIELDS } from "../../assembly/format/records.ts";
import { shorten } from "../common/wording.ts";
import type { Matcher } from "../matching/matcher.ts";
import type { Rule } from "../matching/rules.ts";
import type { ParsedGroup } from "../robots-txt/parse.ts";
import type { Found } from "./finding.ts";
import { fieldAndPattern, type Reading } from "./reading.ts";
import { readByGoogle } from "./repeated.ts";
import {
	type Budget,
	freshCharacter,
	hasTwoForms,
	type Span,
	witnesses,
} from "./witness.ts";

const INPUT_FIELDS = RULE_INPUT_SIZE / 4;

/** What is known of a rule after the choices that it is part of. */
interface Standing {
	/** It decides about some URL for some crawler. */
	wins: boolean;
	/** What decides in its place, by line; null, at 0, is that /robots.txt is always allowed. */
	readonly winners: Map<number, Rule | null>;
}

/**
 * Rules that can never win: whatever they match, for any crawler, one that takes precedence matches too. The matcher
 * itself decides it, asked for each pattern about the paths that stand for all its matches (see `witnesses`): exact, as
 * a rule that answers for its own witness wins at least there, and as fast as matching.
 */
export function findShadows(reading: Reading, work: Budget): Found[] {
	const fresh = freshCharacter(reading.file);
	if (fresh === undefined) return [];
	const standings = new Map<number, Standing>();
	for (const groups of reading.choices()) {
		if (!work.affords(reading.ruleCount(groups))) break;
		const ranges = reading.ranges(groups);
		using matcher = reading.matcher(ranges);
		judge(reading, reading.inputs(ranges), matcher, fresh, standings);
	}
	const findings: Found[] = [];
	const { groups } = reading.file;
	const apart = groupsApart(groups);
	for (const [index, { wins, winners }] of standings) {
		if (wins || winners.size === 0) continue;
		const rule = reading.rule(index);
		const own = groupAt(groups, rule.line);
		const isOneGroup = (line: number) =>
			line === 0 || groupAt(groups, line) === own;
		if (apart.has(own) && ![...winners.keys()].every(isOneGroup)) continue;
		findings.push(describe(rule, [...winners.values()]));
	}
	return findings;
}

/**
 * Groups that are read as one with another by name, but not by Google's library: of "*Applebot" and "Applebot" it knows the second alone. Who
 * deleted a rule of one, as the other has it, could take it from Google's crawlers.
 */
function groupsApart(groups: readonly ParsedGroup[]): ReadonlySet<number> {
	const names = new Map<string, string | undefined>();
	const parted = new Set<string>();
	const agents = groups.flatMap(({ agents }) => agents);
	for (const agent of agents)
		for (const token of agent.tokens) {
			const name = readByGoogle(agent);
			if (!names.has(token)) names.set(token, name);
			else if (names.get(token) !== name) parted.add(token);
		}
	const apart = new Set<number>();
	if (parted.size === 0) return apart;
	groups.forEach(({ agents }, group) => {
		if (agents.some(({ tokens }) => tokens.some((token) => parted.has(token))))
			apart.add(group);
	});
	return apart;
}

/** The group in which a line stands that is a rule's. */
function groupAt(groups: readonly ParsedGroup[], line: number): number {
	let from = 0;
	let to = groups.length;
	while (to - from > 1) {
		const middle = (from + to) >> 1;
		if ((groups[middle]?.agents[0]?.line ?? 0) < line) from = middle;
		else to = middle;
	}
	return from;
}

function judge(
	{ file, dialect }: Reading,
	inputs: Int32Array,
	matcher: Matcher,
	fresh: string,
	standings: Map<number, Standing>,
): void {
	for (let at = 0; at < inputs.length; at += INPUT_FIELDS) {
		const [from = 0, length = 0, flags = 0, source = NO_SOURCE] =
			inputs.subarray(at, at + INPUT_FIELDS);
		// What is no rule of the file; and patterns that are empty or match nothing, which have findings of their own.
		if (source === NO_SOURCE || length === 0) continue;
		const first = file.bytes[from];
		if (dialect.googleMatching && first !== 47 && first !== 42) continue;
		let standing = standings.get(source);
		if (standing?.wins) continue;
		if (!standing) {
			standing = { wins: false, winners: new Map() };
			standings.set(source, standing);
		}
		const pattern: Span = { bytes: file.bytes, from, to: from + length };
		if (!dialect.googleMatching && hasTwoForms(pattern)) {
			standing.wins = true;
			continue;
		}
		const own = lineOf(file.rules, source);
		for (const path of witnesses(
			pattern,
			(flags & RULE_ANCHORED) !== 0,
			fresh,
		)) {
			// A host in front, as Google's library reads "//" at the start of a path in a way of its own; a fragment after it, as the URL
			// standard takes control characters off the end.
			const { rule, rank } = matcher.decide(`http://a${path}#`);
			if (rank === 0 || rule?.line === own) {
				standing.wins = true;
				break;
			}
			standing.winners.set(rule?.line ?? 0, rule);
		}
	}
}

function lineOf(rules: Int32Array, index: number): number {
	return rules[index * RULE_FIELDS + 3] ?? 0;
}

function describe(rule: Rule, winners: readonly (Rule | null)[]): Found {
	const { line } = rule;
	const own = shorten(fieldAndPattern(rule));
	const [winner] = winners;
	if (!winner)
		return {
			line,
			code: "shadowed-rule",
			severity: "info",
			message: `${own} can never win: /robots.txt itself is always allowed.`,
		};
	const relatedLine = winner.line;
	if (winner.type === rule.type && winner.pattern === rule.pattern)
		return {
			line,
			code: "duplicate-rule",
			severity: "info",
			message: `${own} says the same as line ${relatedLine}.`,
			relatedLine,
		};
	const opposed = winners.some((other) => other?.type !== rule.type);
	const named = winners
		.slice(0, 2)
		.map((other) =>
			other
				? `${shorten(fieldAndPattern(other))} (line ${other.line})`
				: "/robots.txt, which is always allowed,",
		);
	const verbs = named.length > 1 ? ["match", "take"] : ["matches", "takes"];
	return {
		line,
		code: "shadowed-rule",
		severity: opposed ? "warning" : "info",
		message: `${own} can never win: ${named.join(" and ")} ${verbs[0]} every URL that it matches, and ${verbs[1]} precedence.`,
		relatedLine,
	};
}
