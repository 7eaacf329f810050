/**
 * Two robots.txt files compared by the verdicts they give, and all known crawlers compared on one URL. Given no URLs, `compareFiles` takes
 * paths near the edges of the rules that differ (`pathsBetween`). Crawlers that obey the same groups in both files are judged once. Nothing
 * here is of Node: the playground runs it too.
 */
import {
	areAll,
	check,
	checkOptions,
	type Kind,
	type OptionTable,
	type Url,
	urlTexts,
} from "../common/arguments.ts";
import { isBytes } from "../common/bytes.ts";
import type { Crawler } from "../crawlers/crawler-data.ts";
import { crawlerIn, crawlers, knownCrawler } from "../crawlers/crawlers.ts";
import { Verdict } from "../engine/engine.ts";
import {
	Budget,
	isOnTheWire,
	type Span,
	samples,
	sharedSamples,
} from "../lint/witness.ts";
import type { Explanation } from "../matching/answers.ts";
import { invalidUrl, type Matcher } from "../matching/matcher.ts";
import { RobotsTxt } from "../matching/robots-txt.ts";
import type { Rule } from "../matching/rules.ts";

const robotsKind: Kind = {
	text: "a RobotsTxt",
	accepts: (value) => value instanceof RobotsTxt,
	hint: (value) =>
		typeof value === "string" || isBytes(value)
			? "pass RobotsTxt.parse(…)"
			: undefined,
};

/** A file, or a function that returns it as a crawler reads it, such as in its operator's own dialect (`dialectFor`). */
type Robots = RobotsTxt | ((agent: string) => RobotsTxt);

/** @throws {RobotrieError} invalid-argument. */
function robotsFor(robots: Robots, agent: string, name = "robots"): RobotsTxt {
	const file = typeof robots === "function" ? robots(agent) : robots;
	check(name, file, robotsKind);
	return file;
}

/** Whether a known crawler may fetch a URL, and why. */
export interface CrawlerAnswer extends Explanation {
	/** The dialect in which the file was read for it. */
	readonly dialect: RobotsTxt["dialect"];
	/** The crawler, as in `crawlers`; `tokens` and `obeysGlobal` are those of the file's dialect. */
	readonly crawler: Crawler;
}

/**
 * Which of the known crawlers may fetch a URL: one answer for each row of `crawlers`, in its order.
 * Each answer is by the crawler's own choice of group, so it may differ between crawlers of one
 * operator.
 * @param robots The file, or a function that returns it as a crawler reads it, for answers in each operator's own dialect (`dialectFor`).
 * @example
 * const answers = compareCrawlers(RobotsTxt.parse(text), "/blog/");
 * const refused = answers.filter(({ allowed }) => !allowed).map(({ crawler }) => crawler.name);
 * @throws {RobotrieError} invalid-url, invalid-argument.
 */
export function compareCrawlers(
	robots: RobotsTxt | ((agent: string) => RobotsTxt),
	url: Url,
): readonly CrawlerAnswer[] {
	return crawlers.map((crawler) => {
		const file = robotsFor(robots, crawler.name);
		return {
			crawler: crawlerIn(file.rules, crawler),
			dialect: file.dialect,
			...file.explain(url, crawler.name),
		};
	});
}

/** What to compare. */
export interface CompareOptions {
	/** URLs or paths. Default: paths derived from the rules that differ; they do not show every difference. */
	readonly urls?: readonly Url[];
	/** Product tokens or User-Agent headers. Default: `*`, the crawlers that either file names, and all known ones. */
	readonly agents?: readonly string[];
}

const agentsKind: Kind = {
	text: "an array of product tokens or User-Agent headers",
	accepts: (value) =>
		Array.isArray(value) && areAll(value, (name) => typeof name === "string"),
	hint: (value) =>
		typeof value === "string" ? "put it in an array" : undefined,
};

const compareOptions: OptionTable<CompareOptions> = {
	// Checked where they are read.
	urls: { text: "an array", accepts: () => true },
	agents: agentsKind,
};

/** A verdict, and the rule and the group that decide, see `Explanation`. */
export type DecidingLines = Omit<Explanation, "reason">;

/** A URL whose verdict is not the same in two files. */
export interface VerdictChange {
	/** As it was given, or derived: a path, or an absolute URL where the path begins with "//". */
	readonly url: string;
	/** Whose verdict changes so, in the order of `FileComparison.agents`. */
	readonly agents: readonly string[];
	/** The dialects in which the files were read for them. */
	readonly dialects: readonly RobotsTxt["dialect"][];
	/** What the first file says. */
	readonly before: DecidingLines;
	/** What the second file says. */
	readonly after: DecidingLines;
}

/** What `compareFiles` finds. */
export interface FileComparison {
	/** With derived paths, one for each pair of deciding rules. */
	readonly changes: readonly VerdictChange[];
	/** The crawlers that were compared. */
	readonly agents: readonly string[];
	/** How many URLs were compared, of all crawlers together. */
	readonly urls: number;
	/** False if the files have too many rules for all paths that come from them. */
	readonly complete: boolean;
}

/**
 * Bytes of the patterns that paths come from, alone and in pairs: about a second. Rules by rules
 * would be a million pairs for two large files, so the bytes looked at are limited.
 */
const MAX_PATTERN_BYTES = 8 * 1024 * 1024;

/**
 * Paths times wildcard rules that are judged for derived paths: about a second. A path may have to be compared with each of them, so files of
 * nothing else would take time with the square of their size. A rule without wildcards costs next to nothing.
 */
const MAX_JUDGED = 8 * 1024 * 1024;

/**
 * Which URLs change their verdict between two robots.txt files, for which crawlers, and which lines decide. Each file may be a function that
 * returns it as a crawler reads it, as for `compareCrawlers`.
 * @example
 * const { changes } = compareFiles(RobotsTxt.parse(old), RobotsTxt.parse(text));
 * for (const { url, agents, after } of changes) console.log(url, agents.length, after.allowed);
 * @throws {RobotrieError} invalid-url, invalid-argument, limit-exceeded.
 */
export function compareFiles(
	before: RobotsTxt | ((agent: string) => RobotsTxt),
	after: RobotsTxt | ((agent: string) => RobotsTxt),
	options: CompareOptions = {},
): FileComparison {
	const oldFor = (agent: string) => robotsFor(before, agent, "before");
	const newFor = (agent: string) => robotsFor(after, agent, "after");
	// What is asked about no crawler in particular, such as what is a URL.
	const files = [oldFor("*"), newFor("*")];
	checkOptions("compareFiles", options, compareOptions);
	// Each agent once, in the order given, so that results name them in that order.
	const agents = [...new Set(options.agents ?? agentsOf(files))];
	const given = options.urls && urlsOf(files, options.urls);
	const choices = new Choices([oldFor, newFor]);
	const alike = new Map<string, string[]>();
	// Crawlers that both files treat alike are judged together: of hundreds of known ones a handful
	// of groups remains.
	for (const agent of agents) {
		const key = choices.key(agent);
		const same = alike.get(key);
		if (same) same.push(agent);
		else alike.set(key, [agent]);
	}
	const work = new Budget(MAX_PATTERN_BYTES);
	const judging = new Budget(MAX_JUDGED);
	const compared = new Set<string>();
	const changes: VerdictChange[] = [];
	let complete = true;
	for (const same of alike.values()) {
		const [agent = "*"] = same;
		const [old, now] = [oldFor(agent), newFor(agent)];
		let urls = given;
		if (!urls) {
			const derived = pathsBetween(
				rulesOf(old, agent),
				rulesOf(now, agent),
				work,
			);
			const { cost } = derived;
			const affordable = derived.paths.filter(() => judging.affords(cost));
			complete &&= derived.complete && !judging.exhausted;
			urls = affordable.map(asUrl);
		}
		// Counted over all crawlers, as the same path may be derived for several.
		for (const url of urls) compared.add(url);
		const seen = new Set<string>();
		const [was, is] = [new Deciding(old, agent), new Deciding(now, agent)];
		for (const url of differing(was, is, urls)) {
			const change = {
				url,
				agents: same,
				dialects: [now.dialect],
				before: was.decide(url),
				after: is.decide(url),
			};
			// With derived paths, one example per pair of deciding rules; a hundred paths of one rule
			// would say no more.
			const key = `${change.before.rule?.line} ${change.after.rule?.line} ${change.after.allowed}`;
			if (!given && seen.has(key)) continue;
			seen.add(key);
			changes.push(change);
		}
		for (const { matcher } of [was, is]) matcher[Symbol.dispose]();
	}
	return {
		changes: together(changes, agents),
		agents,
		urls: compared.size,
		complete,
	};
}

/** Changes of crawlers that read in different dialects, and see the same, as one. */
function together(
	changes: readonly VerdictChange[],
	agents: readonly string[],
): readonly VerdictChange[] {
	const alike = new Map<string, VerdictChange>();
	for (const change of changes) {
		const { url, before, after } = change;
		const key = JSON.stringify([url, before, after]);
		const known = alike.get(key);
		if (!known) {
			alike.set(key, change);
			continue;
		}
		const all = new Set([...known.agents, ...change.agents]);
		alike.set(key, {
			...known,
			agents: agents.filter((agent) => all.has(agent)),
			dialects: [...new Set([...known.dialects, ...change.dialects])],
		});
	}
	return [...alike.values()];
}

/** What a file says to a crawler: `explain` without the reason, which also judges in the other dialects. */
class Deciding {
	readonly matcher: Matcher;
	readonly #file: RobotsTxt;
	readonly #agent: string;
	/** The groups that the crawler obeys by the lines of their rules; the first one where none decides. */
	#groups: Map<number, DecidingLines["group"]> | undefined;

	constructor(file: RobotsTxt, agent: string) {
		this.matcher = file.for(agent);
		this.#file = file;
		this.#agent = agent;
	}

	decide(url: string): DecidingLines {
		const { allowed, rule } = this.matcher.decide(url);
		return { allowed, rule, group: this.#groupOf(rule) };
	}

	#groupOf(rule: Rule | null): DecidingLines["group"] {
		if (!this.#groups) {
			this.#groups = new Map();
			for (const index of this.#file.groupsOf(this.#agent)) {
				const group = this.#file.groups[index];
				if (!group) continue;
				const heading = { agents: group.agents, line: group.line };
				if (!this.#groups.has(0)) this.#groups.set(0, heading);
				for (const { line } of group.rules) this.#groups.set(line, heading);
			}
		}
		return this.#groups.get(rule?.line ?? 0) ?? null;
	}
}

/** "//" at the start of a path would begin a host, on which no rule can depend. */
function asUrl(path: string): string {
	return path.startsWith("//") ? `https://example.com${path}` : path;
}

function urlsOf(
	files: readonly RobotsTxt[],
	urls: readonly Url[],
): readonly string[] {
	// All URLs are checked by both files first, so that an invalid one is an error before any result.
	const texts = [...new Set(urlTexts(urls))];
	for (const file of files) {
		const matcher = file.for("*");
		const invalid = matcher.matchMany(texts).indexOf(Verdict.Invalid);
		matcher[Symbol.dispose]();
		if (invalid >= 0) throw invalidUrl(texts[invalid] ?? "");
	}
	return texts;
}

function differing(
	before: Deciding,
	after: Deciding,
	urls: readonly string[],
): string[] {
	// Verdicts in bulk first: only URLs that differ are asked about one by one, which takes far longer.
	const was = before.matcher.matchMany(urls);
	const is = after.matcher.matchMany(urls);
	return urls.filter((_, i) => was[i] !== is[i]);
}

/** `*`, the crawlers that files name, and all known ones. */
function agentsOf(files: readonly RobotsTxt[]): string[] {
	const named = new Map<string, string>();
	for (const { namedCrawlers } of files)
		for (const token of namedCrawlers) {
			if (token === "") continue;
			const name = knownCrawler(token)?.name ?? token;
			// A token in any case, and the table's own spelling if it has one.
			if (!named.has(name.toLowerCase())) named.set(name.toLowerCase(), name);
		}
	return ["*", ...named.values(), ...crawlers.map(({ name }) => name)];
}

/** Tells which crawlers are judged alike by some files: those for which each file chooses the same groups in the same dialect. */
class Choices {
	readonly #files: readonly ((agent: string) => RobotsTxt)[];
	/** Numbers of the arrays that `groupsOf` returns. Each is read once: thousands of crawlers may be given the same one. */
	readonly #ids = new Map<readonly number[], number>();
	readonly #idsByContent = new Map<string, number>();

	constructor(files: readonly ((agent: string) => RobotsTxt)[]) {
		this.#files = files;
	}

	/** Equal for crawlers that are judged alike. */
	key(agent: string): string {
		return this.#files
			.map((fileFor) => {
				const file = fileFor(agent);
				return this.#idOf(file.groupsOf(agent), file.dialect);
			})
			.join(" ");
	}

	// By content, as two files have different arrays for the same groups.
	#idOf(groups: readonly number[], dialect: string): number {
		const known = this.#ids.get(groups);
		if (known !== undefined) return known;
		const content = `${dialect} ${groups.join()}`;
		const id = this.#idsByContent.get(content) ?? this.#idsByContent.size;
		this.#idsByContent.set(content, id);
		this.#ids.set(groups, id);
		return id;
	}
}

/** Bytes besides its patterns that a pair of rules costs. */
const PAIR_COST = 32;

/** Rules by what they say. */
type Rules = ReadonlyMap<string, Rule>;

/** The rules that a crawler obeys, each once. */
function rulesOf(robots: RobotsTxt, agent: string): Rules {
	// A rule twice in a file decides like one.
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
	/** Rules that a path may have to be compared with one by one. */
	readonly cost: number;
}

/**
 * Paths whose verdict may differ between two sets of rules: near the edges of every rule that only
 * one of them has, and where such a rule meets one that says the opposite. `work` limits the bytes
 * of the patterns that are looked at. A path near the edge of a rule is one byte before, at or
 * after where it begins to match.
 */
function pathsBetween(before: Rules, after: Rules, work: Budget): Paths {
	const paths = new Set<string>();
	const add = (some: Iterable<string>) => {
		for (const path of some) if (isOnTheWire(path)) paths.add(path);
	};
	// Rules of both files count, as removing one changes verdicts like adding one.
	const changed = [...changedOf(before, after), ...changedOf(after, before)];
	const cost = wildcardRules(before) + wildcardRules(after);
	for (const { pattern } of changed) {
		if (!work.affords(pattern.length + PAIR_COST))
			return { paths: [...paths], complete: false, cost };
		add(samples(spanOf(pattern)));
	}
	const all = [...new Map([...before, ...after]).values()].map((rule) => ({
		...rule,
		span: spanOf(rule.pattern),
	}));
	// Only opposite rules can change what a rule decides. Passing over the others each time took the square of a file of one type.
	const opposite = {
		allow: all.filter(({ type }) => type === "disallow"),
		disallow: all.filter(({ type }) => type === "allow"),
	};
	for (const { type, pattern } of changed) {
		const span = spanOf(pattern);
		for (const other of opposite[type]) {
			if (!work.affords(pattern.length + other.pattern.length + PAIR_COST))
				return { paths: [...paths], complete: false, cost };
			add(sharedSamples(span, other.span));
		}
	}
	return { paths: [...paths], complete: true, cost };
}

/** Rules with a `*` before their end. */
function wildcardRules(rules: Rules): number {
	let count = 0;
	for (const { pattern } of rules.values()) if (/\*./.test(pattern)) count++;
	return count;
}

function changedOf(rules: Rules, others: Rules): Rule[] {
	return [...rules].flatMap(([text, rule]) => (others.has(text) ? [] : [rule]));
}

function spanOf(pattern: string): Span {
	const bytes = new TextEncoder().encode(pattern);
	return { bytes, from: 0, to: bytes.length };
}
