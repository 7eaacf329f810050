/**
 * What a RobotsTxt says besides verdicts: explanations, also by dialect, preferences and pace, each for a crawler. robots-txt.ts makes one
 * when the first of them is asked for, as most files are only matched.
 */
import { RULE_FIELDS, RULE_LINE } from "../../assembly/format/records.ts";
import type { Agent } from "../common/agents.ts";
import type { Url } from "../common/arguments.ts";
import { RobotrieError } from "../common/errors.ts";
import { inOneGo, type Steps } from "../common/steps.ts";
import { shorten } from "../common/wording.ts";
import {
	type Dialect,
	type DialectRules,
	dialectNames,
	dialectRules,
} from "../robots-txt/dialect.ts";
import type { ParsedFile, ParsedGroup } from "../robots-txt/parse.ts";
import { identify } from "./agents.ts";
import type { DialectFile } from "./dialect-file.ts";
import type { Decision, Matcher } from "./matcher.ts";
import { PreferenceIndex, type Preferences } from "./preferences.ts";
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
	/**
	 * One or more sentences. Says so where another dialect answers otherwise. Reasons are sentences
	 * for people and may change; programs ask for `rule`, `group` and `allowed`.
	 */
	readonly reason: string;
}

/** An explanation for each dialect; null where the text is not a URL. */
export type DialectExplanations = Readonly<Record<Dialect, Explanation | null>>;

/**
 * What a decision was made from. A decision alone does not say why no rule matched: that depends on
 * which groups there are.
 */
interface Grounds {
	readonly file: ParsedFile;
	/** The groups that the crawler obeys. */
	readonly groups: readonly ParsedGroup[];
	/** The tokens by which they were looked for. */
	readonly tokens: readonly string[];
	/** The file has a group for `*`. */
	readonly hasGlobal: boolean;
	readonly dialect: DialectRules;
}

function explanationOf(
	{ allowed, rank, rule }: Decision,
	{ file, groups, tokens, hasGlobal, dialect }: Grounds,
): Explanation {
	const group =
		(rule && groups.find((candidate) => holds(candidate, rule, file))) ??
		groups[0] ??
		null;
	const named =
		shorten(tokens.filter((token) => token !== "").join(", ")) ||
		"a crawler without a name";
	let reason: string;
	if (rule) reason = ruleReason(rule, dialect);
	// In the order of strength: a rule, a file that is too large, the rule for /robots.txt itself,
	// and then the reasons for no rule at all.
	else if (file.allowsAll)
		reason = "The file is over the size limit, and so allows everything.";
	else if (rank > 0) reason = "/robots.txt itself is always allowed.";
	else if (group)
		reason = `No rule of the group at line ${headingOf(group).line} matches, so the URL is allowed.`;
	else if (hasGlobal)
		reason = `No group names ${named}, which does not obey groups for *, so everything is allowed.`;
	else reason = `No group applies to ${named}, so everything is allowed.`;
	return { allowed, rule, group: group && headingOf(group), reason };
}

/** A sentence, after a space, about a dialect that disagrees; empty where it agrees. */
function differenceOf(
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
	// By line, as a rule of the program has no other name.
	for (let index = group.firstRule; index < group.lastRule; index++) {
		if (file.rules[index * RULE_FIELDS + RULE_LINE] === rule.line) return true;
	}
	return false;
}

/** An empty pattern means different things by dialect, so the sentence says which. */
function ruleReason(rule: Rule, { emptyPatternInverts }: DialectRules): string {
	if (rule.pattern !== "")
		return `${ruleText(rule)} is the longest rule that matches.`;
	const isDisallow = rule.type === "disallow";
	// As long as a rule for "/", with which it may tie: then Allow wins, whichever of the two is written so.
	const meaning = emptyPatternInverts
		? `and counts as ${isDisallow ? "Allow" : "Disallow"}: / for Yandex`
		: isDisallow
			? "so it disallows nothing"
			: "so it says nothing";
	return `${ruleText(rule)} has no path, ${meaning}; no longer rule matches.`;
}

function ruleText({ type, pattern, line }: Rule): string {
	const field = type === "allow" ? "Allow:" : "Disallow:";
	return `${pattern ? `${field} ${shorten(pattern)}` : field} (line ${line})`;
}

/**
 * Agents whose matcher is found without choosing a group. Headers of a crawl are mostly a few; a
 * thousand bounds what anybody can send.
 */
const MAX_REMEMBERED_AGENTS = 1000;

/**
 * Answers questions about one URL and one crawler, and keeps what that takes for the next question.
 * A RobotsTxt that is only compiled never makes one.
 */
export class Answers {
	readonly #file: DialectFile;
	/** By the ranges of their rules. */
	readonly #matchers = new Map<string, Matcher>();
	readonly #byAgent = new Map<string, Matcher>();
	/** By sections. */
	readonly #preferences = new Map<string, PreferenceIndex>();
	/** Of the same file in other dialects. */
	readonly #others = new Map<Dialect, Answers>();

	constructor(file: DialectFile) {
		this.#file = file;
	}

	/** The matcher for a crawler, made once for each choice of groups. */
	matcher(agent: Agent): Matcher {
		if (typeof agent === "string") {
			const known = this.#byAgent.get(agent);
			if (known) return known;
		}
		// By groups and not by names: a thousand crawlers without a group share one matcher.
		const ranges = this.#file.rangesOf(agent);
		const key = ranges.join();
		let matcher = this.#matchers.get(key);
		if (!matcher) {
			matcher = this.#file.compile(ranges);
			this.#matchers.set(key, matcher);
		}
		if (typeof agent === "string") {
			// Callers may pass whatever header comes along.
			if (this.#byAgent.size >= MAX_REMEMBERED_AGENTS) this.#byAgent.clear();
			this.#byAgent.set(agent, matcher);
		}
		return matcher;
	}

	/** See `RobotsTxt.preferences`. */
	preferences(url: string, agent: Agent): Preferences {
		// No preferences apply to a page that may not be fetched, so nothing is looked up.
		if (!this.matcher(agent).isAllowed(url))
			return {
				allowed: false,
				contentSignal: {},
				contentUse: null,
				contentUsage: {},
			};
		const sections = this.#file.sectionsOf(agent);
		const key = sections.join();
		let index = this.#preferences.get(key);
		if (!index) {
			index = new PreferenceIndex(this.#file.parsed, new Set(sections));
			this.#preferences.set(key, index);
		}
		return {
			allowed: true,
			contentSignal: index.contentSignal(url),
			contentUse: index.contentUse(url),
			contentUsage: index.contentUsage(url),
		};
	}

	/** See `RobotsTxt.explain`. */
	explain(url: Url, agent: Agent): Explanation {
		return inOneGo(this.explainSteps(url, agent));
	}

	/** The same in steps. What is made in a step is kept, so that the next one has less to do. */
	*explainSteps(url: Url, agent: Agent): Steps<Explanation> {
		// Compiling and parsing are what takes time; what is left after them is a look-up.
		yield* this.#prepare(url, agent);
		const own = this.#explainAlone(url, agent);
		const others: string[] = [];
		for (const dialect of dialectNames) {
			// Other dialects are compared as well, as the reason says where they disagree.
			if (dialect === this.#file.rules.name) continue;
			yield;
			yield* this.#in(dialect).#prepare(url, agent);
			const there = this.#explainIn(dialect, url, agent);
			others.push(differenceOf(dialect, there, own));
		}
		return { ...own, reason: [own.reason, ...others].join("") };
	}

	/** `matcher` in steps. */
	*matcherSteps(agent: Agent): Steps<Matcher> {
		yield* this.#file.compileSteps(yield* this.#file.rangesSteps(agent));
		yield;
		return this.matcher(agent);
	}

	/** Compiles, judges and parses. */
	*#prepare(url: Url, agent: Agent): Steps<void> {
		// Judged here, so that the error of an invalid URL comes with the steps and not after them.
		const matcher = yield* this.matcherSteps(agent);
		try {
			matcher.decide(url);
		} catch (error) {
			// Explaining it throws it again, or gives null for another dialect.
			if (!isInvalidUrl(error)) throw error;
		}
		yield;
		yield* this.#file.indexSteps();
		yield;
	}

	/** See `RobotsTxt.explainByDialect`. */
	explainByDialect(url: Url, agent: Agent): DialectExplanations {
		// First, so that it throws.
		const own = this.#explainAlone(url, agent);
		return Object.fromEntries(
			dialectNames.map((dialect) => [
				dialect,
				dialect === this.#file.rules.name
					? own
					: this.#explainIn(dialect, url, agent),
			]),
		) as Record<Dialect, Explanation | null>;
	}

	/** Frees the memory that answering took. */
	release(): void {
		for (const matcher of this.#matchers.values()) matcher[Symbol.dispose]();
		for (const index of this.#preferences.values()) index.release();
		for (const other of this.#others.values()) other.release();
	}

	/**
	 * The explanation without a word about other dialects. Groups are named by the index, as the
	 * compiled rules no longer know them.
	 */
	#explainAlone(url: Url, agent: Agent): Explanation {
		const { parsed, rules, groupIndex } = this.#file;
		const decision = this.matcher(agent).decide(url);
		const identity = identify(agent, rules);
		return explanationOf(decision, {
			file: parsed,
			groups: groupIndex.groups(groupIndex.select(identity)),
			tokens: identity.tokens,
			hasGlobal: groupIndex.hasGlobal,
			dialect: rules,
		});
	}

	/** The explanation in another dialect, or null if the text is not a URL there. */
	#explainIn(dialect: Dialect, url: Url, agent: Agent): Explanation | null {
		try {
			return this.#in(dialect).#explainAlone(url, agent);
		} catch (error) {
			if (isInvalidUrl(error)) return null;
			throw error;
		}
	}

	/** Answers about the same file in another dialect. */
	#in(dialect: Dialect): Answers {
		let other = this.#others.get(dialect);
		if (!other) {
			// Parsed again in the other dialect: fields, groups and tokens may all differ.
			other = new Answers(this.#file.in(dialectRules(dialect)));
			this.#others.set(dialect, other);
		}
		return other;
	}
}

function isInvalidUrl(error: unknown): boolean {
	return error instanceof RobotrieError && error.code === "invalid-url";
}
