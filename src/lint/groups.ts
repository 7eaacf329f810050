import { shorten } from "../common/shorten.ts";
import { crawlers, findCrawler } from "../crawlers/crawlers.ts";
import { sectionFields } from "../robots-txt/other-fields.ts";
import type {
	AgentLine,
	OtherLine,
	ParsedGroup,
} from "../robots-txt/parsed-file.ts";
import { ANYBODY, type Found } from "./finding.ts";
import type { Reading } from "./reading.ts";

/** Findings about user-agent lines and groups. */
export function findGroupOddities(reading: Reading): Found[] {
	const { file } = reading;
	const others = new Map<number, OtherLine[]>();
	for (const other of file.others) {
		const known = others.get(other.group);
		if (known) known.push(other);
		else others.set(other.group, [other]);
	}
	return [
		...file.groups.flatMap((group, index) => [
			...unreachable(group),
			...withoutRules(reading, group, others.get(index) ?? []),
			...joined(group, others.get(index) ?? []),
			...group.agents.flatMap(misspelled),
		]),
		...repeated(file.groups),
	];
}

const quoted = ({ text }: AgentLine) => `User-agent: ${shorten(text)}`;

function isNobody({ tokens, global }: AgentLine): boolean {
	return !global && tokens.every((token) => token === "");
}

function unreachable({ agents, firstRule, lastRule }: ParsedGroup): Found[] {
	const [first] = agents;
	if (!first || firstRule === lastRule || !agents.every(isNobody)) return [];
	return [
		{
			line: first.line,
			code: "unreachable-group",
			severity: "error",
			message: `No crawler obeys this group: ${quoted(first)} names none${advice(first)}.`,
		},
	];
}

/** What to write where no crawler is named, as the rest of a sentence. */
function advice({ text }: AgentLine): string {
	const token = /[\w-]+/.exec(text)?.[0];
	if (token === undefined)
		return text.includes("*") ? "; write User-agent: * for all" : "";
	return text.includes("*")
		? ", as names have no wildcards"
		: `; write User-agent: ${shorten(token)}`;
}

/** Crawlers that are named without rules: they may fetch everything, unless another group has rules for them too. */
function withoutRules(
	reading: Reading,
	{ agents, firstRule, lastRule }: ParsedGroup,
	others: readonly OtherLine[],
): Found[] {
	const settings = others.filter(({ field }) => field !== "sitemap");
	if (firstRule !== lastRule || settings.length > 0) return [];
	const named = agents.filter((agent) => !isNobody(agent));
	const free = named.findLast(
		(agent) => elsewhere(reading, agent) === undefined,
	);
	if (free) {
		const who = free.global ? "crawlers without a group of their own" : "it";
		return [
			{
				line: free.line,
				code: "group-without-rules",
				severity: "warning",
				message: `${quoted(free)} is followed by no rule, so ${who} may fetch everything. Write Disallow: below it if that is meant.`,
			},
		];
	}
	const last = named.at(-1);
	const ruled = last && elsewhere(reading, last);
	if (!ruled) return [];
	return [
		{
			line: last.line,
			code: "group-without-rules",
			severity: "info",
			message: `${quoted(last)} is followed by no rule here; the rules of the group at line ${ruled} hold for it.`,
			relatedLine: ruled,
		},
	];
}

/** The line of a group whose rules a crawler obeys that a line names; undefined if there are none for any that it names. */
function elsewhere(reading: Reading, agent: AgentLine): number | undefined {
	const { groups } = reading.file;
	for (const token of agent.global ? [ANYBODY] : agent.tokens)
		for (const index of reading.select(token)) {
			const group = groups[index];
			if (group && group.firstRule !== group.lastRule)
				return group.agents[0]?.line;
		}
	return undefined;
}

const isSetting = (line: OtherLine | undefined) =>
	line !== undefined && sectionFields.has(line.field);

const isBefore = (line: OtherLine | undefined, agent: AgentLine) =>
	line !== undefined && line.line < agent.line;

/** User-agent lines meant for two groups: lines that are no rules stand between them, and do not end a group. */
function joined(
	{ agents, firstRule, lastRule }: ParsedGroup,
	others: readonly OtherLine[],
): Found[] {
	if (firstRule === lastRule) return [];
	const findings: Found[] = [];
	let next = 0;
	agents.forEach((agent, i) => {
		const before = agents[i - 1];
		while (others[next] && (others[next]?.line ?? 0) < (before?.line ?? 0))
			next++;
		const first = others[next];
		if (!before || !first || first.line > agent.line) return;
		let at = next;
		while (isBefore(others[at], agent) && !isSetting(others[at])) at++;
		const setting = isBefore(others[at], agent) ? others[at] : undefined;
		if (before.text.toLowerCase() === agent.text.toLowerCase()) return;
		const reason = setting
			? `${setting.field} (line ${setting.line}) applies only to the crawlers above it, but does not end their group`
			: `${shorten(first.field)} (line ${first.line}) does not end a group`;
		findings.push({
			line: agent.line,
			code: "joined-groups",
			severity: "warning",
			message: `${quoted(agent)} and ${quoted(before)} (line ${before.line}) share the rules that follow: ${reason}.`,
			relatedLine: before.line,
		});
	});
	return findings;
}

const knownTokens = new Map(
	crawlers.flatMap(({ tokens }) =>
		tokens.map((token) => [token.toLowerCase(), token] as const),
	),
);

/** Shorter names are close to many others. */
const SHORTEST_MISSPELLED = 7;

/** No token has more letters, one too many included. */
const LONGEST_MISSPELLED =
	1 + Math.max(...Array.from(knownTokens.keys(), ({ length }) => length));

/** Spellings that come of leaving out one letter, or of two that have changed places, and the known token they are of. */
const misspellings = new Map<string, string>();
for (const [name, token] of knownTokens)
	for (const spelling of slips(name))
		if (!knownTokens.has(spelling)) misspellings.set(spelling, token);

function slips(name: string): string[] {
	return Array.from({ length: name.length }, (_, at) => {
		const [before, here, next, behind] = [
			name.slice(0, at),
			name.charAt(at),
			name.charAt(at + 1),
			name.slice(at + 2),
		];
		return [before + next + behind, before + next + here + behind];
	}).flat();
}

/**
 * A well-known token that the name is a slip of the pen from. Letters that differ do not count: "Roverbot" is no
 * misspelled "rogerbot" but another crawler.
 */
function intendedToken(name: string): string | undefined {
	if (name.length < SHORTEST_MISSPELLED || name.length > LONGEST_MISSPELLED)
		return undefined;
	const withLetterTooMany = () =>
		Array.from(name, (_, at) =>
			knownTokens.get(name.slice(0, at) + name.slice(at + 1)),
		).find((token) => token !== undefined);
	return misspellings.get(name) ?? withLetterTooMany();
}

/** Names of no well-known crawler that are nearly one's, and headers of one whose token the line does not begin with. */
function misspelled({ text, tokens, global, line }: AgentLine): Found[] {
	const [read = ""] = tokens;
	if (global || knownTokens.has(read)) return [];
	const isToken = read === text.toLowerCase();
	const meant = isToken ? intendedToken(read) : findCrawler(text)?.tokens[0];
	if (meant === undefined) return [];
	const wanted = meant.toLowerCase();
	if (wanted === text.toLowerCase() || tokens.includes(wanted)) return [];
	// Some names hold what no token may, and their crawlers obey the part in front.
	if (/^[\w-]*/.exec(wanted)?.[0] === read) return [];
	return [
		{
			line,
			code: "misspelled-agent",
			severity: isToken ? "warning" : "error",
			message: isToken
				? `${shorten(text)} is not a well-known crawler; ${meant} was meant?`
				: `${shorten(text)} ${read ? `is read as ${text.slice(0, read.length)}` : "names no crawler"}: write only ${meant}.`,
		},
	];
}

/** Crawlers that are named again: their rules count as one group's (RFC 9309 §2.2.1). */
function repeated(groups: readonly ParsedGroup[]): Found[] {
	const findings: Found[] = [];
	const seen = new Map<string, { line: number; group: number }>();
	groups.forEach(({ agents }, group) => {
		for (const agent of agents) {
			const [token] = agent.global ? ["*"] : agent.tokens;
			if (!token) continue;
			const before = seen.get(token);
			if (!before) {
				seen.set(token, { line: agent.line, group });
				continue;
			}
			const same = before.group === group;
			findings.push({
				line: agent.line,
				code: "repeated-agent",
				severity: "info",
				message: same
					? `${shorten(token)} is already named in line ${before.line} of the same group.`
					: `${shorten(token)} has a group at line ${before.line} already; crawlers merge the rules of both.`,
				relatedLine: before.line,
			});
		}
	});
	return findings;
}
