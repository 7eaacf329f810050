/**
 * Finds paths on which the dialects disagree, with an example for each finding. lint.ts calls it. Matchers decide, over paths made from the
 * file's own patterns; `Budget` limits how many pairs are tried.
 */
import { RULE_FIELDS } from "../../assembly/format/records.ts";
import { answersText } from "../common/verdict-texts.ts";
import { shorten } from "../common/wording.ts";
import { Verdict } from "../engine/engine.ts";
import type { Decision, Matcher } from "../matching/matcher.ts";
import type { Rule } from "../matching/rules.ts";
import {
	type Dialect,
	dialectNames,
	dialectRules,
} from "../robots-txt/dialect.ts";
import { ANYBODY, type DialectExample, type Found } from "./finding.ts";
import { fieldAndPattern, Reading } from "./reading.ts";
import {
	Budget,
	hasDialectLength,
	isOnTheWire,
	type Span,
	samples,
	sharedSamples,
} from "./witness.ts";

/** Groups that a crawler obeys, as indices. */
interface ChosenGroups {
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
function samplePaths(
	sides: readonly ChosenGroups[],
	pairs: Budget,
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

/** Paths that are looked into one by one, of those on which the dialects part for a crawler. */
const MAX_EXAMINED = 20_000;

/** In front of sample paths. No rule can depend on it. */
const HOST = "https://example.com";

/** Bytes of pairs of rules whose common paths are tried: a second of matching, with the most wildcards. */
const MAX_PAIR_BYTES = 4 * 1024 * 1024;

/** Where the dialects part, by the line that it comes from. */
interface Differences {
	/** Examples for lines that not every dialect reads as a rule, or as the same rule. */
	readonly examples: ReadonlyMap<number, DialectExample>;
	/** Lines that every dialect reads alike, and that decide otherwise all the same. */
	readonly findings: readonly Found[];
}

/** One crawler's rules in one of the dialects. */
interface Side extends ChosenGroups {
	readonly matcher: Matcher;
}

/**
 * Runs all dialects over paths near the edges of every rule, for every crawler that the file knows. Whatever is told is what the matchers answered.
 */
export function findDifferences(
	bytes: Uint8Array,
	maxBytes: number,
	work: Budget,
): Differences {
	if (work.exhausted) return { examples: new Map(), findings: [] };
	const readings = dialectNames.map(
		(name) => new Reading(bytes, dialectRules(name), maxBytes),
	);
	const examples = new Map<number, DialectExample>();
	const findings = new Map<number, Found>();
	const seen = new Set<string>();
	const pairs = new Budget(MAX_PAIR_BYTES);
	const unlike = linesReadUnlike(readings);
	const strayAgents = agentLinesReadUnlike(readings);
	for (const agent of agentsOf(readings)) {
		const chosen = readings.map((reading) => reading.select(agent));
		const key = readings
			.map((reading, i) => reading.choiceId(chosen[i] ?? []))
			.join();
		if (seen.has(key)) continue;
		seen.add(key);
		const rules = readings.map((reading, i) =>
			reading.ruleCount(chosen[i] ?? []),
		);
		if (!work.affords(rules.reduce((sum, count) => sum + count))) break;
		const sides = readings.map((reading, i): Side => {
			const groups = chosen[i] ?? [];
			return {
				reading,
				groups,
				matcher: reading.matcher(reading.ranges(groups)),
			};
		});
		compare(agent, sides, pairs, { unlike, strayAgents }, examples, findings);
		for (const { matcher } of sides) matcher[Symbol.dispose]();
	}
	return { examples, findings: [...findings.values()] };
}

/** Lines that some dialects read, and others not or otherwise. */
interface Unlike {
	readonly unlike: ReadonlySet<number>;
	/** User-agent lines, from the first to the last. */
	readonly strayAgents: readonly number[];
}

function compare(
	agent: string,
	sides: readonly Side[],
	pairs: Budget,
	{ unlike, strayAgents }: Unlike,
	examples: Map<number, DialectExample>,
	findings: Map<number, Found>,
): void {
	const { paths, met } = samplePaths(sides, pairs);
	// A host in front, as "//" at the start of a path would begin a host.
	const urls = paths.map((path) => HOST + path);
	const answers = sides.map(({ matcher }) => matcher.matchMany(urls));
	const otherGroup = groupChosenBySome(agent, sides);
	let examined = 0;
	for (let i = 0; i < urls.length && examined < MAX_EXAMINED; i++) {
		const [first, ...others] = answers.map((verdicts) => verdicts[i]);
		if (others.every((verdict) => verdict === first)) continue;
		examined++;
		const path = paths[i] ?? "";
		const example: DialectExample = {
			agent,
			url: path.startsWith("//") ? HOST + path : path,
			allowed: Object.fromEntries(
				sides.map(({ matcher }, side) => [
					matcher.dialect,
					answers[side]?.[i] === Verdict.Allowed,
				]),
			) as Record<Dialect, boolean>,
		};
		if (otherGroup !== undefined) {
			if (!examples.has(otherGroup)) examples.set(otherGroup, example);
			return;
		}
		const decisions = sides.map(({ matcher }) => matcher.decide(urls[i] ?? ""));
		const rule = ruleThatParts(decisions, unlike);
		if (!rule) continue;
		const culprit = unlike.has(rule.line)
			? rule.line
			: inAllGroups(sides, rule.line)
				? undefined
				: lastBefore(strayAgents, rule.line, (line) => line);
		if (culprit !== undefined) {
			if (!examples.has(culprit)) examples.set(culprit, example);
		} else if (!findings.has(rule.line))
			findings.set(rule.line, {
				line: rule.line,
				code: "dialects-differ",
				severity: i < met ? "warning" : "info",
				message: `The dialects disagree about ${shorten(fieldAndPattern(rule))}: ${answersText(example)}.${isGoogleAlone(sides, example) ? reasonOf(rule, path) : LENGTHS}`,
				example,
			});
	}
}

const LENGTHS =
	" How long a rule is depends on the dialect: write one that is longer than those it meets.";

/** Whether all dialects but that of Google's library agree. */
function isGoogleAlone(
	sides: readonly Side[],
	{ allowed }: DialectExample,
): boolean {
	const others = sides.filter(({ reading }) => !reading.dialect.googleMatching);
	return (
		new Set(others.map(({ matcher }) => allowed[matcher.dialect])).size === 1
	);
}

/** Why Google's library differs from all others, and what to do, as a sentence that follows. */
function reasonOf({ type, pattern }: Rule, path: string): string {
	if (path === "/robots.txt")
		return " All crawlers may fetch it but in Google's library, which asks the rules: leave it out.";
	const [, folder] = /^(.*\/)index\.htm/.exec(pattern) ?? [];
	if (type === "allow" && folder !== undefined && !/index\.htm/.test(path))
		return ` Google's library takes it for the folder, too: add Allow: ${shorten(folder)}$ if that is meant.`;
	if (/\*\$?$/.test(pattern))
		return ' The longest rule decides, and Google\'s library counts the "*" at the end: leave it out.';
	if (pattern.includes("%"))
		return " Google's library compares escapes as they are written: write them as the site's links do.";
	if (/[^\x21-\x7e]|["<>\\^`{|}]/.test(pattern))
		return " Google's library does not escape these characters in URLs: write them as the site's links do.";
	return LENGTHS;
}

/**
 * Crawlers whose groups are compared. Left out are names with digits, which Google's library reads to the digit: none of
 * its crawlers has one; and what only yandex finds, any word of a user-agent line.
 */
function agentsOf(readings: readonly Reading[]): Set<string> {
	const agents = new Set([ANYBODY]);
	for (const { dialect, file } of readings) {
		if (dialect.namesAnywhere) continue;
		for (const { text, tokens } of file.groups.flatMap(({ agents }) => agents))
			for (const token of tokens)
				if (/^[a-z_-]+$/.test(token) && !/^\d/.test(text.slice(token.length)))
					agents.add(token);
	}
	return agents;
}

/**
 * Of the rules that decide: one that not all dialects read alike, or one whose length they do not count alike, or the one
 * that says most about the path.
 */
function ruleThatParts(
	decisions: readonly Decision[],
	unlike: ReadonlySet<number>,
): Decision["rule"] {
	const rules = decisions
		.flatMap(({ rule }) => rule ?? [])
		.sort((a, b) => b.pattern.length - a.pattern.length);
	return (
		rules.find(({ line }) => unlike.has(line)) ??
		rules.find(({ pattern }) => /\*\$?$|%/.test(pattern)) ??
		rules[0] ??
		null
	);
}

/** Lines that some dialect reads as a rule and another one not, or not as the same one. */
function linesReadUnlike(readings: readonly Reading[]): Set<number> {
	const unlike = new Set<number>();
	const signatures = readings.map(({ file }) => {
		const byLine = new Map<number, string>();
		for (let at = 0; at < file.rules.length; at += RULE_FIELDS) {
			const [from = 0, to = 0, type = 0, line = 0] = file.rules.subarray(
				at,
				at + RULE_FIELDS,
			);
			byLine.set(line, `${from} ${to} ${type}`);
			const first = file.bytes[from];
			if (from === to || (first !== 47 && first !== 42)) unlike.add(line);
		}
		return byLine;
	});
	for (const own of signatures)
		for (const [line, signature] of own)
			if (signatures.some((other) => other.get(line) !== signature))
				unlike.add(line);
	return unlike;
}

function agentLinesReadUnlike(readings: readonly Reading[]): number[] {
	const lines = readings.map(
		({ file }) =>
			new Set(
				file.groups.flatMap(({ agents }) => agents.map(({ line }) => line)),
			),
	);
	const all = new Set(lines.flatMap((own) => [...own]));
	return [...all]
		.filter((line) => !lines.every((own) => own.has(line)))
		.sort((a, b) => a - b);
}

/** Whether the rule of a line is one that the crawler obeys, in every dialect. */
function inAllGroups(sides: readonly Side[], line: number): boolean {
	return sides.every(({ reading: { file }, groups }) => {
		const ruleLine = (rule: number) =>
			file.rules[rule * RULE_FIELDS + 3] ?? Number.POSITIVE_INFINITY;
		const index = lastBefore(groups, line + 1, (group) =>
			ruleLine(file.groups[group]?.firstRule ?? 0),
		);
		const group = file.groups[index ?? -1];
		return group !== undefined && line <= ruleLine(group.lastRule - 1);
	});
}

/** The last of some items, in the order of their lines, that stands in front of a line. By halves, as there may be very many. */
function lastBefore<Item>(
	items: readonly Item[],
	line: number,
	lineOf: (item: Item) => number,
): Item | undefined {
	let from = 0;
	let to = items.length;
	while (from < to) {
		const middle = (from + to) >> 1;
		if (lineOf(items[middle] as Item) < line) from = middle + 1;
		else to = middle;
	}
	return items[from - 1];
}

/** The user-agent line by which some dialects choose a group for the crawler that others do not, if there is one. */
function groupChosenBySome(
	agent: string,
	sides: readonly Side[],
): number | undefined {
	const chosen = sides.flatMap(({ reading, groups }) =>
		groups.flatMap((group) =>
			[...new Set([agent, ANYBODY])].flatMap(
				(name) => reading.firstLine(group, name) ?? [],
			),
		),
	);
	const counts = new Map<number, number>();
	for (const { line } of chosen) counts.set(line, (counts.get(line) ?? 0) + 1);
	const bySome = chosen.filter(
		({ line }) => (counts.get(line) ?? 0) < sides.length,
	);
	// The line that names the crawler, sooner than the one that is for all.
	return (bySome.find(({ global }) => !global) ?? bySome[0])?.line;
}
