import { RULE_LINE } from "../../assembly/format/records.ts";
import { shorten } from "../common/shorten.ts";
import type { Dialect } from "../robots-txt/dialect.ts";
import {
	type ParsedFile,
	type ParsedGroup,
	RULE_FIELDS,
} from "../robots-txt/parsed-file.ts";
import type { Decision } from "./matcher.ts";
import type { Rule } from "./rules.ts";

/** Why a URL may be fetched or not. */
export interface Explanation {
	/** Whether the URL may be fetched. */
	readonly allowed: boolean;
	/** The deciding rule; null when none matches, and for /robots.txt itself. */
	readonly rule: Rule | null;
	/** The group of the rule, or, without a rule, the first one that applies to the crawler; null when none does. */
	readonly group: {
		/** Values of its user-agent lines, as written. */
		readonly agents: readonly string[];
		/** Line number of its first user-agent line, from 1. */
		readonly line: number;
	} | null;
	/** One or more sentences. Says so where another dialect answers otherwise. */
	readonly reason: string;
}

/** An explanation for each dialect; null where the text is not a URL. */
export type DialectExplanations = Readonly<Record<Dialect, Explanation | null>>;

/** What a decision was made from. */
interface Grounds {
	readonly file: ParsedFile;
	/** The groups that the crawler obeys. */
	readonly groups: readonly ParsedGroup[];
	/** The tokens by which they were looked for. */
	readonly tokens: readonly string[];
	/** The file has a group for `*`. */
	readonly hasGlobal: boolean;
}

export function explanationOf(
	{ allowed, rank, rule }: Decision,
	{ file, groups, tokens, hasGlobal }: Grounds,
): Explanation {
	const group =
		(rule && groups.find((candidate) => holds(candidate, rule, file))) ??
		groups[0] ??
		null;
	const named =
		shorten(tokens.filter((token) => token !== "").join(", ")) ||
		"a crawler without a name";
	let reason: string;
	if (rule) reason = ruleReason(rule, allowed);
	else if (file.allowsAll)
		reason = "The file is over the size limit, and so allows everything.";
	else if (rank > 0) reason = "/robots.txt itself is always allowed.";
	else if (group)
		reason = `No rule of the group at line ${headingOf(group).line} matches, so the URL is allowed.`;
	else if (hasGlobal)
		reason = `There is no group for ${named}, which does not obey groups for *, so everything is allowed.`;
	else
		reason = `There is no group for ${named} and none for *, so everything is allowed.`;
	return { allowed, rule, group: group && headingOf(group), reason };
}

/** A sentence, behind a space, about a dialect that answers otherwise; empty where it does not. */
export function differenceOf(
	dialect: Dialect,
	other: Explanation | null,
	own: Explanation,
): string {
	if (!other) return ` In the ${dialect} dialect this is not a URL.`;
	if (other.allowed === own.allowed) return "";
	const verdict = other.allowed ? "allowed" : "disallowed";
	return ` The ${dialect} dialect answers ${verdict}: ${other.reason}`;
}

export function headingOf(group: ParsedGroup): {
	agents: string[];
	line: number;
} {
	return {
		agents: group.agents.map(({ text }) => text),
		line: group.agents[0]?.line ?? 0,
	};
}

function holds(group: ParsedGroup, rule: Rule, file: ParsedFile): boolean {
	for (let index = group.firstRule; index < group.lastRule; index++) {
		if (file.rules[index * RULE_FIELDS + RULE_LINE] === rule.line) return true;
	}
	return false;
}

function ruleReason(rule: Rule, allowed: boolean): string {
	if (rule.pattern !== "")
		return `${ruleText(rule)} is the longest rule that matches.`;
	const meaning =
		rule.type === "disallow"
			? "so it disallows nothing"
			: allowed
				? "so it says nothing"
				: "which disallows everything for Yandex";
	return `${ruleText(rule)} has no path, ${meaning}; no longer rule matches.`;
}

function ruleText({ type, pattern, line }: Rule): string {
	const field = type === "allow" ? "Allow:" : "Disallow:";
	return `${pattern ? `${field} ${shorten(pattern)}` : field} (line ${line})`;
}
