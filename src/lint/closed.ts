/**
 * Findings about crawlers that a file shuts out or lets in without its author's notice: a site that is closed as a whole, and a crawler's own
 * group that lacks what the group for `*` forbids. Matchers decide. The checks of sitemaps and pages ask here who is meant to stay away.
 */
import { RULE_FIELDS } from "../../assembly/format/records.ts";
import { count, shorten } from "../common/wording.ts";
import { knownCrawler } from "../crawlers/crawlers.ts";
import { isKnownToken } from "../crawlers/suggest.ts";
import type { Matcher } from "../matching/matcher.ts";
import type { Rule } from "../matching/rules.ts";
import { ANYBODY, type Found } from "./finding.ts";
import { fieldAndPattern, type Reading } from "./reading.ts";
import { Budget } from "./witness.ts";

/** Crawlers that search results depend on. Of others a site may well keep some away. */
const engine =
	/^(?:googlebot|bingbot|yandex(?:bot)?|baiduspider|duckduckbot|applebot|slurp|yeti|seznambot)$/;

/** Those whose loss nobody wants. */
const largest: ReadonlySet<string> = new Set([ANYBODY, "googlebot", "bingbot"]);

/** The home page, and pages that no rule is about. */
const anyPages = ["http://a/", "http://a/qxzj", "http://a/7/qxzj.qx"];

/** Whether a crawler may fetch nothing but what rules for single paths allow it. */
function isClosed(matcher: Matcher): boolean {
	return anyPages.every((url) => !matcher.decide(url).allowed);
}

/** Rules that are compiled to see who may fetch nothing, counted anew for each choice of groups. */
const MOST_RULES = 200_000;

/** Who may fetch nothing, by crawler; each choice of groups is looked at once. */
export class Closed {
	readonly #reading: Reading;
	readonly #known = new Map<number, Rule | undefined>();
	readonly #work = new Budget(MOST_RULES);

	constructor(reading: Reading) {
		this.#reading = reading;
	}

	/** The rule that closes the site for a crawler. */
	ruleFor(agent: string): Rule | undefined {
		const groups = this.#reading.select(agent);
		const id = this.#reading.choiceId(groups);
		if (!this.#known.has(id)) this.#known.set(id, this.#closing(groups));
		return this.#known.get(id);
	}

	#closing(groups: readonly number[]): Rule | undefined {
		if (!this.#work.affords(this.#reading.ruleCount(groups))) return undefined;
		using matcher = this.#reading.matcher(this.#reading.ranges(groups));
		if (!isClosed(matcher)) return undefined;
		const { rule } = matcher.decide(anyPages[1] ?? "");
		return rule?.type === "disallow" ? rule : undefined;
	}

	/** Whether search engines have groups of their own that let them in, so that the group for `*` is for others. */
	get isForOthers(): boolean {
		return this.#reading.file.groups.some(({ agents }) =>
			agents.some(({ tokens }) =>
				tokens.some(
					(token) => engine.test(token) && this.ruleFor(token) === undefined,
				),
			),
		);
	}

	/** Whether a crawler that may fetch nothing is meant to: no search engine, or `*` where search engines are let in. */
	isMeant(agent: string): boolean {
		if (this.ruleFor(agent) === undefined) return false;
		return agent === ANYBODY ? this.isForOthers : !engine.test(agent);
	}
}

/** Sites that are closed as a whole, for `*` or a search engine. Who allows single paths has meant it. */
export function findClosed(
	reading: Reading,
	closed: Closed,
	agents: Iterable<string>,
): Found[] {
	const byRule = new Map<number, { rule: Rule; agents: string[] }>();
	const everybody = reading.choiceId(reading.select(ANYBODY));
	for (const agent of agents) {
		if (agent !== ANYBODY && !engine.test(agent)) continue;
		const groups = reading.select(agent);
		// Without a group of its own it is one of those for `*`.
		if (agent !== ANYBODY && reading.choiceId(groups) === everybody) continue;
		const rule = closed.ruleFor(agent);
		if (!rule || hasAllow(reading, groups)) continue;
		const known = byRule.get(rule.line);
		if (known) known.agents.push(agent);
		else byRule.set(rule.line, { rule, agents: [agent] });
	}
	return [...byRule.values()].map(({ rule, agents }): Found => {
		const forOthers = agents[0] === ANYBODY && closed.isForOthers;
		const who = agents.map((agent) =>
			agent === ANYBODY
				? `crawlers without a group of their own, ${forOthers ? "but not for all search engines" : "search engines included"}`
				: agent,
		);
		return {
			line: rule.line,
			code: "site-closed",
			severity:
				!forOthers && agents.some((agent) => largest.has(agent))
					? "warning"
					: "info",
			message: `${shorten(fieldAndPattern(rule))} closes the whole site for ${who.join(" and ")}. Is that meant?`,
		};
	});
}

function hasAllow({ file }: Reading, groups: readonly number[]): boolean {
	return groups.some((index) => {
		const { firstRule = 0, lastRule = 0 } = file.groups[index] ?? {};
		for (let rule = firstRule; rule < lastRule; rule++) {
			const [from, to, isAllow] = file.rules.subarray(rule * RULE_FIELDS);
			if (isAllow === 1 && from !== to) return true;
		}
		return false;
	});
}

/** Rules that are compiled and paths that are judged to see what groups lack. */
const MOST_WORK = 200_000;

/** Rules of the group for `*` that are looked at. */
const MOST_PATHS = 500;

/**
 * Crawlers whose own group forbids something, but not all that the group for `*` does: it is no addition to that. Who allows everything, or
 * names no path, has meant it.
 */
export function findLooserGroups(
	reading: Reading,
	closed: Closed,
	agents: Iterable<string>,
): Found[] {
	const others = reading.select(ANYBODY);
	const paths = forbiddenPaths(reading, others);
	if (paths.length === 0 || closed.ruleFor(ANYBODY)) return [];
	const looser = new Map<string, Looser>();
	const work = new Budget(MOST_WORK);
	const seen = new Set([reading.choiceId(others)]);
	for (const agent of agents) {
		const groups = reading.select(agent);
		const id = reading.choiceId(groups);
		if (seen.has(id)) continue;
		seen.add(id);
		if (!work.affords(reading.ruleCount(groups) + paths.length)) break;
		const [first] = groups;
		const line =
			first === undefined ? undefined : reading.firstLine(first, agent);
		if (!line || line.global || !forbidsSome(reading, groups)) continue;
		if (closed.ruleFor(agent) || !isForAll(agent)) continue;
		using matcher = reading.matcher(reading.ranges(groups));
		const free = paths.filter(
			(path) => matcher.decide(`http://a${path}`).allowed,
		);
		if (free.length === 0) continue;
		const known = looser.get(free.join("\n"));
		if (known) known.agents.push(agent);
		else
			looser.set(free.join("\n"), { line: line.line, free, agents: [agent] });
	}
	const global = reading.file.groups[others[0] ?? 0]?.agents.find(
		(one) => one.global,
	);
	return [...looser.values()].map(({ line, free, agents: own }): Found => {
		const [one, they] = own.length > 1 ? ["obey", "them"] : ["obeys", "it"];
		const all = free.length === paths.length;
		return {
			line,
			code: "looser-group",
			severity: "info",
			message: `${namesOf(own)} ${one} ${own.length > 1 ? "their own groups" : "its own group"} alone, and so may fetch ${all ? (free.length > 1 ? `all ${free.length} paths` : "the path") : `${free.length} of the ${count(paths.length, "path")}`} that User-agent: * disallows, such as ${shorten(free[0] ?? "")}: repeat the rules if they are meant for ${they}.`,
			...(global ? { relatedLine: global.line } : {}),
		};
	});
}

/** Crawlers whose groups lack the same paths. */
interface Looser {
	readonly line: number;
	readonly free: readonly string[];
	readonly agents: string[];
}

/** Whether groups for `*` are for a crawler without its own. */
function isForAll(agent: string): boolean {
	return !isKnownToken(agent) || knownCrawler(agent)?.obeysGlobal !== false;
}

/** Whether a crawler may not fetch everything. */
export function forbids(reading: Reading, agent: string): boolean {
	return forbiddenPaths(reading, reading.select(agent)).length > 0;
}

/** Paths that a choice of groups disallows, one of each rule. */
function forbiddenPaths(
	reading: Reading,
	groups: readonly number[],
): readonly string[] {
	const paths = new Set<string>();
	for (const index of groups) {
		const { firstRule = 0, lastRule = 0 } = reading.file.groups[index] ?? {};
		for (let rule = firstRule; rule < lastRule; rule++) {
			if (paths.size >= MOST_PATHS) break;
			const { type, pattern } = reading.rule(rule);
			if (type === "disallow" && /^[/*][\x21-\x7e]*$/.test(pattern))
				paths.add(pathOf(pattern));
		}
	}
	if (paths.size === 0) return [];
	using matcher = reading.matcher(reading.ranges(groups));
	return [...paths].filter(
		(path) => !matcher.decide(`http://a${path}`).allowed,
	);
}

function pathOf(pattern: string): string {
	const path = pattern.replace(/\$$/, "").replaceAll("*", "x");
	return path.startsWith("/") ? path : `/${path}`;
}

/** Whether groups have a path to forbid and none that opens everything. */
function forbidsSome(reading: Reading, groups: readonly number[]): boolean {
	let some = false;
	for (const index of groups) {
		const { firstRule = 0, lastRule = 0 } = reading.file.groups[index] ?? {};
		for (let at = firstRule; at < lastRule; at++) {
			const { type, pattern } = reading.rule(at);
			if (/^(?:\/?\*?)$/.test(pattern) && (type === "allow" || pattern === ""))
				return false;
			if (type === "disallow") some = true;
		}
	}
	return some;
}

/** Crawlers that a finding names. */
const MOST_NAMED = 3;

/** Of each choice of groups one crawler is asked about; all others without a group are `*`. */
export function agentsOf(reading: Reading): Set<string> {
	const tokens = reading.file.groups.flatMap(({ agents }) =>
		agents.flatMap((agent) => agent.tokens),
	);
	return new Set([ANYBODY, ...tokens.filter((token) => token !== "")]);
}

/** Some crawlers, as a sentence names them. */
export function namesOf(agents: readonly string[]): string {
	const named = agents
		.slice(0, MOST_NAMED)
		.map((agent) =>
			agent === ANYBODY
				? "crawlers without a group of their own"
				: shorten(agent),
		);
	const more = agents.length - named.length;
	if (more > 0) return `${named.join(", ")} and ${more} more`;
	return named.length < 2
		? (named[0] ?? "")
		: `${named.slice(0, -1).join(", ")} and ${named.at(-1)}`;
}
