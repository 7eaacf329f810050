import type { Explanation, Rule } from "../src/index.ts";
import { RobotrieError, type RobotsTxt } from "../src/index.ts";
import { dialects } from "./differential.ts";
import { parse, type Subject, withLines } from "./lint/sentences.ts";

/** A question and the answer whose sentences are checked. */
interface Answer extends Explanation {
	readonly robots: RobotsTxt;
	readonly subject: Subject;
	readonly url: string;
	readonly agent: string;
	/** The rules of all groups that the crawler obeys. */
	readonly rules: readonly Rule[];
}

type Check = (answer: Answer, groups: readonly string[]) => boolean;

/** A rule that matches no URL asked about: where other rules stood. */
const INERT = "Disallow: /never-asked";

/** What the file says when no rules but those lines are left. */
function decisionOf(answer: Answer, lines: readonly number[]): Explanation {
	const others = answer.rules
		.map(({ line }) => line)
		.filter((line) => !lines.includes(line));
	using robots = parse(withLines(answer.subject, others, INERT));
	return robots.explain(answer.url, answer.agent);
}

function decidesBesideOthers(answer: Answer): boolean {
	const own = answer.rule;
	return answer.rules.every((other) => {
		const lines = [own?.line ?? 0, other.line];
		const { rule } = decisionOf(answer, lines);
		return (
			rule?.line === own?.line ||
			// Written twice, either may be named.
			(rule?.pattern === other.pattern && rule.type === own?.type)
		);
	});
}

const longest: Check = (answer, [, field, , line]) =>
	answer.rule?.line === Number(line) &&
	answer.rule.type === field?.toLowerCase() &&
	answer.allowed === (field === "Allow") &&
	decidesBesideOthers(answer);

/** The rule without a path decides beside any other. */
const onlyEmpty: Check = (answer) =>
	answer.rule?.pattern === "" && decidesBesideOthers(answer);

const noneMatches: Check = (answer, [, line]) =>
	answer.allowed &&
	answer.rule === null &&
	answer.group?.line === Number(line) &&
	answer.rules.every(({ line }) => decisionOf(answer, [line]).rule === null);

/** Whether a group for some crawlers, added at the end of the file, would hold for the one asked about. */
function wouldObey({ subject, agent }: Answer, named: string): boolean {
	// Google's parser ends a token in front of a digit: no line can name such a crawler.
	if (subject.dialect === "google" && /\d/.test(named)) return true;
	const more = `\n\nUser-agent: ${named}\nDisallow: /\n`;
	using robots = parse({ ...subject, lines: [...subject.lines, more] });
	return robots.groupsOf(agent).length > 0;
}

const sentences: readonly (readonly [RegExp, Check])[] = [
	[
		/^(Allow|Disallow): (.+) \(line (\d+)\) is the longest rule that matches\.$/s,
		longest,
	],
	[
		/^Disallow: \(line \d+\) has no path, so it disallows nothing; no longer rule matches\.$/,
		(answer, groups) => answer.allowed && onlyEmpty(answer, groups),
	],
	[
		/^Allow: \(line \d+\) has no path, so it says nothing; no longer rule matches\.$/,
		(answer, groups) => answer.allowed && onlyEmpty(answer, groups),
	],
	[
		/^(Allow|Disallow): \(line \d+\) has no path, and counts as (Allow|Disallow): \/ for Yandex; no longer rule matches\.$/,
		(answer, groups) =>
			answer.allowed === (groups[2] === "Allow") &&
			groups[1] !== groups[2] &&
			onlyEmpty(answer, groups),
	],
	[
		/^No rule of the group at line (\d+) matches, so the URL is allowed\.$/,
		noneMatches,
	],
	[
		/^No group applies to .*, so everything is allowed\.$/s,
		(answer) =>
			answer.allowed &&
			answer.robots.groupsOf("nobody-at-all").length === 0 &&
			wouldObey(answer, answer.agent),
	],
	[
		/^No group names .*, which does not obey groups for \*, so everything is allowed\.$/s,
		(answer) =>
			answer.allowed &&
			!wouldObey(answer, "*") &&
			wouldObey(answer, answer.agent),
	],
	[
		/^\/robots\.txt itself is always allowed\.$/,
		(answer) =>
			answer.allowed &&
			new URL(answer.url).pathname === "/robots.txt" &&
			decisionOf(answer, []).reason.startsWith("/robots.txt itself"),
	],
];

/** What a reason appends where another dialect answers otherwise. */
const difference =
	/ (?:In the (\w+) dialect this is not a URL\.|The (\w+) dialect answers (allowed|disallowed): (.*?))(?= (?:In the|The) \w+ dialect |$)/gs;

/** Sentences of an explanation that do not hold; none known of its kind is one, too. */
export function falsehoodsOf(
	subject: Subject,
	url: string,
	agent: string,
): string[] {
	using robots = parse(subject);
	const explanation = robots.explain(url, agent);
	const { reason } = explanation;
	const start = reason.search(difference);
	const own = start < 0 ? reason : reason.slice(0, start);
	const wrong: string[] = [];
	if (explanation.allowed !== robots.isAllowed(url, agent))
		wrong.push("the verdict");
	const rules = robots
		.groupsOf(agent)
		.flatMap((index) => robots.groups[index]?.rules ?? []);
	const answer = { ...explanation, robots, subject, url, agent, rules };
	const known = sentences.flatMap(([pattern, check]) => {
		const groups = pattern.exec(own);
		return groups ? [check(answer, groups)] : [];
	});
	if (known.length !== 1 || !known[0]) wrong.push(own);
	const told = new Set<string>();
	for (const [text, none, other, verdict, because = ""] of reason
		.slice(own.length)
		.matchAll(difference)) {
		const dialect = dialects.find((name) => name === (none ?? other));
		if (dialect === undefined) throw new Error(`no dialect: ${text}`);
		told.add(dialect);
		const there = explainIn(subject, dialect, url, agent);
		const right = none
			? there === null
			: there !== null &&
				there.allowed === (verdict === "allowed") &&
				there.allowed !== explanation.allowed &&
				there.reason.startsWith(because);
		if (!right) wrong.push(text);
	}
	for (const dialect of dialects) {
		const there = explainIn(subject, dialect, url, agent);
		if (!told.has(dialect) && there?.allowed !== explanation.allowed)
			wrong.push(`nothing about ${dialect}`);
	}
	return wrong.map((text) => `${agent} ${url}: ${text}`);
}

function explainIn(
	subject: Subject,
	dialect: (typeof dialects)[number],
	url: string,
	agent: string,
): Explanation | null {
	using robots = parse(subject, dialect);
	try {
		return robots.explain(url, agent);
	} catch (error) {
		if (error instanceof RobotrieError && error.code === "invalid-url")
			return null;
		throw error;
	}
}
