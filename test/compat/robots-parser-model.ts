import { findCrawler } from "../../src/index.ts";
import { latin1 } from "../latin1.ts";
import { oracle } from "../oracle.ts";

/** What a file says about a URL to a crawler: the verdict, and the line that decides or -1. */
export interface Answer {
	readonly allowed: boolean;
	readonly line: number;
}

export interface Question {
	readonly text: string;
	/** On http://example.com, the path in front. */
	readonly path: string;
	readonly agent: string;
}

/** What robotrie does otherwise than robots-parser, and why. */
export const kinds = {
	otherLines:
		"Lines of other fields do not end a group: they must not change how groups are read (RFC 9309 §2.2.4)",
	emptyGroup:
		"A group without rules is the crawler's group all the same, and allows everything (RFC 9309 §2.2.1)",
	token:
		"A user-agent line names a product token of letters, digits, - and _; what follows is ignored (RFC 9309 §2.2.1)",
	identity:
		"A crawler goes by the product token in its User-Agent header (RFC 9309 §2.2.1); known crawlers fall back as their operators document",
	slash:
		"A pattern that begins with neither / nor * is read as if / stood in front (SPEC); RFC 9309 §2.2 has no such pattern",
	written:
		"The path counts as it is written: an empty query belongs to it, and what the URL standard keeps bare is escaped before comparing (RFC 9309 §2.2.2)",
	star: "A * at the end adds nothing to a pattern's length, as it matches nothing more (RFC 9309 §2.2.2, §2.2.3)",
	robotsTxt: "/robots.txt itself is always allowed (RFC 9309 §2.2.2)",
	escapes:
		"An escape equals its character if that is unreserved, or reserved and in the query; * and $ in a URL equal %2A and %24 in a rule (RFC 9309 §2.2.2)",
} as const;
export type Kind = keyof typeof kinds;

interface Rule {
	readonly allow: boolean;
	readonly pattern: string;
	readonly line: number;
}

const upper = (text: string) =>
	text.replace(/%[0-9a-f]{2}/gi, (triplet) => triplet.toUpperCase());
const escapeBytes = (text: string) =>
	upper(text.replace(/[^!#-;=?-[\]_a-z~]+/g, encodeURIComponent));

/** robots-parser 3.0.1, written anew in a few lines, with some of the kinds put right. */
export function model(
	{ text, path, agent }: Question,
	right: ReadonlySet<Kind>,
): Answer {
	const rules = rulesFor(agent, groupsOf(text, right), right).filter(
		({ pattern }) => /^[/*]/.test(pattern) || right.has("slash"),
	);
	const { pathname, search } = new URL(`http://example.com${path}`);
	const standard = pathname + search;
	const isResolved = /\/(\.|%2e){1,2}([/?#]|$)/i.test(path);
	const written = isResolved ? standard : path.replace(/#.*/s, "");
	if (right.has("escapes")) {
		const bytes = rules.map((rule) => ({
			...rule,
			pattern: latin1(rule.pattern),
		}));
		const { allowed, line } = oracle(bytes, "rfc9309")(latin1(written));
		return { allowed, line: line || -1 };
	}
	const compared = right.has("written")
		? escapeBytes(written)
		: upper(standard);
	if (right.has("robotsTxt") && compared === "/robots.txt")
		return { allowed: true, line: -1 };
	let best: (Rule & { length: number }) | undefined;
	for (const rule of rules) {
		const slash = /^[/*]/.test(rule.pattern) ? "" : "/";
		const spelled = right.has("written")
			? escapeBytes(slash + rule.pattern)
			: upper(encodeURI(slash + rule.pattern).replaceAll("%25", "%"));
		if (!matches(spelled, compared)) continue;
		const { length } = right.has("star")
			? spelled.replace(/\*+$/, "")
			: spelled;
		if (
			!best ||
			length > best.length ||
			(length === best.length && rule.allow && !best.allow)
		)
			best = { ...rule, length };
	}
	return { allowed: best?.allow ?? true, line: best?.line ?? -1 };
}

function matches(pattern: string, path: string): boolean {
	const anchored = pattern.endsWith("$");
	const pieces = (anchored ? pattern.slice(0, -1) : pattern).split("*");
	let ends = [0];
	for (const [i, piece] of pieces.entries()) {
		const from = i === 0 ? [0] : positions(Math.min(...ends), path.length);
		ends = from
			.filter((at) => path.startsWith(piece, at))
			.map((at) => at + piece.length);
	}
	return anchored ? ends.includes(path.length) : ends.length > 0;
}

const positions = (from: number, to: number) =>
	Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);

/** Rules by agent, in file order. */
function groupsOf(
	text: string,
	right: ReadonlySet<Kind>,
): ReadonlyMap<string, Rule[]> {
	const groups = new Map<string, Rule[]>();
	const add = (agent: string) => {
		const rules = groups.get(agent) ?? [];
		groups.set(agent, rules);
		return rules;
	};
	let agents: string[] = [];
	let ended = true;
	const lines = text.split(/\r\n|\r|\n/);
	for (const [i, line] of lines.entries()) {
		const [, name = "", value = ""] =
			/^([^:]*):(.*)$/s.exec(line.replace(/#.*/s, "")) ?? [];
		const field = name.trim().toLowerCase();
		const content = value.trim();
		if (field === "") continue;
		if (field === "user-agent") {
			if (ended) agents = [];
			ended = false;
			const agent = agentOf(content, right);
			if (content !== "") agents.push(agent);
			if (right.has("emptyGroup") && content !== "") add(agent);
			continue;
		}
		const isRule = field === "allow" || field === "disallow";
		ended ||= isRule || !right.has("otherLines");
		if (!isRule && field !== "crawl-delay") continue;
		for (const agent of agents) {
			const rules = add(agent);
			if (isRule && content !== "")
				rules.push({
					allow: field === "allow",
					pattern: content,
					line: i + 1,
				});
		}
	}
	return groups;
}

function agentOf(content: string, right: ReadonlySet<Kind>): string {
	if (!right.has("token"))
		return (content.toLowerCase().split("/")[0] ?? "").trim();
	return /^\*(\s|$)/.test(content)
		? "*"
		: (/^[\w-]*/.exec(content)?.[0].toLowerCase() ?? "");
}

function rulesFor(
	agent: string,
	groups: ReadonlyMap<string, Rule[]>,
	right: ReadonlySet<Kind>,
): readonly Rule[] {
	const given = (agent.toLowerCase().split("/")[0] ?? "").trim();
	const everybody = groups.get("*") ?? [];
	if (!right.has("identity")) return groups.get(given) ?? everybody;
	const own = /compatible; ([\w-]+)/.exec(agent)?.[1]?.toLowerCase() ?? given;
	const { tokens, obeysGlobal } = findCrawler(agent) ?? {
		tokens: [own],
		obeysGlobal: true,
	};
	const token = tokens.find((name) => groups.has(name.toLowerCase()));
	return token === undefined
		? obeysGlobal
			? everybody
			: []
		: (groups.get(token.toLowerCase()) ?? []);
}

const everything = new Set(Object.keys(kinds) as Kind[]);

const same = (a: Answer, b: Answer) =>
	a.allowed === b.allowed && a.line === b.line;

/**
 * The fewest kinds that explain a difference: robots-parser would give robotrie's answer with them put right.
 * @throws if the model does not give robots-parser's answer, or no kinds explain robotrie's.
 */
export function explain(
	question: Question,
	theirs: Answer,
	ours: Answer,
): readonly Kind[] {
	const told = JSON.stringify({ question, theirs, ours });
	if (!same(model(question, new Set()), theirs))
		throw new Error(`the model is not robots-parser: ${told}`);
	for (const kind of everything)
		if (same(model(question, new Set([kind])), ours)) return [kind];
	if (!same(model(question, everything), ours))
		throw new Error(`nothing explains ${told}`);
	const needed = new Set(everything);
	for (const kind of everything) {
		needed.delete(kind);
		if (!same(model(question, needed), ours)) needed.add(kind);
	}
	return [...needed];
}
