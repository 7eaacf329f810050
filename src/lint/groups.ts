import type { AgentLine, OtherLine, ParsedGroup } from "../parse.ts";
import { type Found, shorten } from "./finding.ts";
import type { Reading } from "./reading.ts";

/** What is odd about user-agent lines and groups. */
export function findGroupOddities({ file }: Reading): Found[] {
	const others = new Map<number, OtherLine[]>();
	for (const other of file.others) {
		const known = others.get(other.group);
		if (known) known.push(other);
		else others.set(other.group, [other]);
	}
	return [
		...file.groups.flatMap((group, index) => [
			...unreachable(group),
			...withoutRules(group, others.get(index) ?? []),
			...joined(group, others.get(index) ?? []),
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
			message: `No crawler ever chooses this group: ${quoted(first)} names none.`,
		},
	];
}

function withoutRules(
	{ agents, firstRule, lastRule }: ParsedGroup,
	others: readonly OtherLine[],
): Found[] {
	const last = agents.at(-1);
	const settings = others.filter(({ field }) => field !== "sitemap");
	if (!last || firstRule !== lastRule || settings.length > 0) return [];
	return [
		{
			line: last.line,
			code: "group-without-rules",
			severity: "warning",
			message: `${quoted(last)} is followed by no rule, so it may fetch everything.`,
		},
	];
}

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
		const between = others[next];
		if (!before || !between || between.line > agent.line) return;
		if (before.text.toLowerCase() === agent.text.toLowerCase()) return;
		findings.push({
			line: agent.line,
			code: "joined-groups",
			severity: "warning",
			message: `${quoted(agent)} and ${quoted(before)} (line ${before.line}) share the rules that follow, as ${shorten(between.field)} (line ${between.line}) does not end a group.`,
			relatedLine: before.line,
		});
	});
	return findings;
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
					: `${shorten(token)} has a group at line ${before.line} already; crawlers put the rules of both together.`,
				relatedLine: before.line,
			});
		}
	});
	return findings;
}
