/**
 * A crawler as callers name it, and an index from product tokens to the groups of a file. dialect-file.ts uses the index for files with
 * many user-agent lines; for the first verdict about a file it asks the module instead.
 */
import {
	AGENTS_ALONE,
	AGENTS_ANYWHERE,
	AGENTS_FAMILY,
	AGENTS_SPELLED,
} from "../../assembly/format/records.ts";
import { type Agent, agentList } from "../common/agents.ts";
import { inOneGo, type Steps } from "../common/steps.ts";
import { dialectOfCrawler, type Identity } from "../crawlers/crawlers.ts";
import { readAgents } from "../engine/agents.ts";
import {
	DEFAULT_DIALECT,
	type Dialect,
	type DialectRules,
} from "../robots-txt/dialect.ts";
import type { AgentLine } from "../robots-txt/parse.ts";

/**
 * The dialect in which a crawler reads robots.txt, as far as its operator has one of its own: "google" for Google's crawlers, "yandex" for
 * those of Yandex (whose names begin with "Yandex", in the table of crawlers or not), "rfc9309" for all others. Of a list the first name
 * decides. `RobotsTxt.parse` reads in the dialect that it is given; with `knowsCrawlers` also in the google dialect Googlebot-News falls back
 * to Googlebot, and `*` does not reach AdsBot.
 * @example
 * dialectFor("Googlebot-News"); // "google"
 * dialectFor("Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)"); // "rfc9309"
 * @throws {RobotrieError} invalid-argument, for anything but a string or a list of strings with at least one.
 */
export function dialectFor(agent: Agent): Dialect {
	const [first = ""] = agentList(agent);
	return dialectOfCrawler(first) ?? DEFAULT_DIALECT;
}

const NONE: readonly number[] = [];

/** User-agent lines that are looked at in a step. */
const STEP = 1000;

/** What user-agent lines head: a group, or a section of one. */
interface Headed {
	readonly agents: readonly AgentLine[];
}

/**
 * Chooses among a file's groups, or among their sections; which agents they name is looked up once.
 * Built once per file and question: groups by rules, sections by other lines.
 */
export class GroupIndex<Group extends Headed> {
	readonly #dialect: DialectRules;
	readonly #groups: readonly Group[];
	// By token in lower case; a list, as a token may head several groups, whose rules count as one
	// group's.
	readonly #byToken = new Map<string, number[]>();
	readonly #global: number[] = [];

	private constructor(groups: readonly Group[], dialect: DialectRules) {
		this.#dialect = dialect;
		this.#groups = groups;
	}

	static of<Group extends Headed>(
		groups: readonly Group[],
		dialect: DialectRules,
	): GroupIndex<Group> {
		return inOneGo(GroupIndex.steps(groups, dialect));
	}

	/** The same in steps. */
	static *steps<Group extends Headed>(
		groups: readonly Group[],
		dialect: DialectRules,
	): Steps<GroupIndex<Group>> {
		const made = new GroupIndex(groups, dialect);
		let lines = 0;
		for (const [index, { agents }] of groups.entries())
			for (const agent of agents) {
				made.#add(agent, index);
				if (++lines % STEP === 0) yield;
			}
		return made;
	}

	#add({ tokens, global }: AgentLine, index: number): void {
		// A group of several user-agent lines is named once.
		if (global && this.#global.at(-1) !== index) this.#global.push(index);
		for (const token of tokens) {
			const named = this.#byToken.get(token);
			if (!named) this.#byToken.set(token, [index]);
			else if (named.at(-1) !== index) named.push(index);
		}
	}

	/**
	 * The tokens by which a crawler chooses its group, and whether `*` counts.
	 * @throws {RobotrieError} invalid-argument.
	 */
	identify(agent: Agent): NamedIdentity {
		return identify(agent, this.#dialect);
	}

	/**
	 * The groups that a crawler obeys, as indices in file order; their rules count as one group's (RFC 9309 §2.2.1). The
	 * first of its tokens that has a group decides, and in the google dialect all of them together, as its library does.
	 * Without any, the groups for `*`. Crawlers of one token that choose alike get the same array.
	 */
	select({ names, obeysGlobal }: NamedIdentity): readonly number[] {
		if (mergesNames(this.#dialect)) return this.#selectAll(names);
		for (const name of names) {
			// Empty where there is no token; only Google's library compares that, too.
			const isNobody = name === "" && !this.#dialect.googleMatching;
			const named = isNobody ? undefined : this.#byToken.get(name);
			if (named) return named;
		}
		return obeysGlobal ? this.#global : NONE;
	}

	/** The file has groups for `*`. */
	get hasGlobal(): boolean {
		return this.#global.length > 0;
	}

	#selectAll(names: readonly string[]): readonly number[] {
		// Google's library takes all groups of all names together, so their order is that of the file.
		const lists = names.map((name) => this.#byToken.get(name) ?? NONE);
		const [first = NONE, ...others] = lists;
		const named =
			others.length === 0
				? first
				: [...new Set(lists.flat())].sort((a, b) => a - b);
		return named.length > 0 ? named : this.#global;
	}

	groups(indices: readonly number[]): Group[] {
		return indices.map((index) => this.#groups[index] as Group);
	}
}

/** Google's library takes the groups of all names that it is given together; crawlers take those of the first name that has one. */
function mergesNames(dialect: DialectRules): boolean {
	return dialect.googleMatching && !dialect.knowsCrawlers;
}

/**
 * As the library compares: other letters than ASCII's have no case. `toLowerCase` would make "K"
 * (Kelvin) a k, which the library does not.
 */
export function lowerCase(text: string): string {
	return /[^\0-\x7f]/.test(text)
		? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
		: text.toLowerCase();
}

/** How a crawler chooses its group, and what is compared with user-agent lines. */
export interface NamedIdentity extends Identity {
	/** Of each token the part that is compared, in lower case. */
	readonly names: readonly string[];
}

/** Crawlers that are kept, and characters of a name: a header may have megabytes. */
const MOST_KNOWN = 64;
const LONGEST_KNOWN = 512;
/** The last crawlers: a program asks about file after file for the same ones, and a name takes as long to cut as a small file to read. */
const known = new Map<string, NamedIdentity>();
let knownIn: DialectRules | undefined;

/**
 * The tokens by which a crawler chooses its group, and whether `*` counts.
 * @throws {RobotrieError} invalid-argument.
 */
export function identify(agent: Agent, dialect: DialectRules): NamedIdentity {
	// A list may be another one the next time.
	const isText = typeof agent === "string";
	if (isText && dialect === knownIn) {
		const found = known.get(agent);
		if (found) return found;
	}
	const { tokens, names, obeysGlobal } = readAgents(
		agentList(agent),
		agentFlags(dialect),
	);
	const found = {
		tokens,
		obeysGlobal,
		names: names.map(lowerCase),
	};
	if (isText && agent.length <= LONGEST_KNOWN) {
		if (dialect !== knownIn || known.size >= MOST_KNOWN) known.clear();
		knownIn = dialect;
		known.set(agent, found);
	}
	return found;
}

/** AGENTS_ flags: how a dialect has names read. */
export function agentFlags(dialect: DialectRules): number {
	return (
		(dialect.googleMatching ? AGENTS_SPELLED : 0) |
		(dialect.namesAnywhere ? AGENTS_ANYWHERE : 0) |
		(dialect.familyToken === null ? 0 : AGENTS_FAMILY) |
		(dialect.knowsCrawlers ? 0 : AGENTS_ALONE)
	);
}
