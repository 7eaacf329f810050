/**
 * Findings about user-agent lines and groups: names that are nearly a crawler's, groups without rules, crawlers named twice. lint.ts calls
 * it for each dialect.
 */

import { tokensText } from "../common/verdict-texts.ts";
import { shorten } from "../common/wording.ts";
import { knownCrawler } from "../crawlers/crawlers.ts";
import {
	isKnownToken,
	type Suggestion,
	suggestAgent,
} from "../crawlers/suggest.ts";
import { displayName, sectionFields } from "../robots-txt/other-fields.ts";
import {
	type AgentLine,
	type OtherLine,
	type ParsedGroup,
	tokenAsWritten,
} from "../robots-txt/parse.ts";
import { type Closed, forbids } from "./closed.ts";
import { closestField } from "./field-names.ts";
import {
	ANYBODY,
	type Change,
	type Found,
	fieldName,
	valueEdit,
} from "./finding.ts";
import { withoutQuotes } from "./meant.ts";
import type { Reading } from "./reading.ts";
import { findRepeated } from "./repeated.ts";

/** Findings about user-agent lines and groups. */
export function findGroupOddities(reading: Reading, closed: Closed): Found[] {
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
			...joined(group, others.get(index) ?? [], closed),
			...group.agents.flatMap((agent) => misspelled(reading, agent)),
		]),
		...findRepeated(reading),
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
			message: `No crawler obeys this group: ${first.text === "" ? "the user-agent line without a value" : quoted(first)} names none${advice(first)}.`,
		},
	];
}

/** Words and signs by which people except a crawler, which robots.txt cannot. */
const negation =
	/^[!~^-]|\b(?:not|non|no|except|excluding|but|fake|all|other|others|every)\b/i;

/** What to write where no crawler is named, as the rest of a sentence. */
function advice({ text }: AgentLine): string {
	if (text === "") return "; write User-agent: * for all";
	if (negation.test(text) && /[\w-]/.test(text))
		return ", and no line can except one: a crawler with a group of its own obeys that alone";
	if (/[\w-]/.test(text))
		return text.includes("*")
			? ", as names have no wildcards"
			: /^\d/.test(text)
				? ", as Google's library reads no digits in names"
				: ", as a name begins with a letter";
	return text.includes("*") ? "; write User-agent: * for all" : "";
}

/** Crawlers that are named without rules: they may fetch everything, unless another group has rules for them too. */
function withoutRules(
	reading: Reading,
	{ agents, firstRule, lastRule }: ParsedGroup,
	others: readonly OtherLine[],
): Found[] {
	if (firstRule !== lastRule) return [];
	const settings = others.filter(({ field }) => field !== "sitemap");
	if (settings.length > 0) return freed(reading, agents, settings);
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

/**
 * Crawlers with a setting alone, such as a Crawl-delay: people mean to add it to what is for all, and free the crawler from that (the group that
 * two shop systems end their files with).
 */
function freed(
	reading: Reading,
	agents: readonly AgentLine[],
	[setting]: readonly OtherLine[],
): Found[] {
	const free = agents.findLast(
		(agent) =>
			!agent.global &&
			!isNobody(agent) &&
			elsewhere(reading, agent) === undefined,
	);
	if (!free || !setting || !isSetting(setting)) return [];
	if (!forbids(reading, ANYBODY)) return [];
	return [
		{
			line: free.line,
			code: "group-without-rules",
			severity: "warning",
			message: `${quoted(free)} is followed by ${displayName(setting.field)} and no rule, so it may fetch everything, also what User-agent: * disallows: repeat those rules below it. Write Disallow: if that is meant.`,
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
	closed: Closed,
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
			message: `${quoted(agent)} and ${quoted(before)} (line ${before.line}) share the rules that follow: ${reason}.${shutOut(before, closed)}`,
			relatedLine: before.line,
		});
	});
	return findings;
}

/** What becomes of a crawler whose group got the rules of another one. */
function shutOut({ global, tokens }: AgentLine, closed: Closed): string {
	const [token = ""] = global ? [ANYBODY] : tokens;
	if (token === "" || !closed.ruleFor(token)) return "";
	return ` So ${global ? "crawlers without a group of their own" : shorten(token)} may fetch nothing.`;
}

/** Names of no well-known crawler that are nearly one's, and headers of one whose token the line does not begin with. */
function misspelled(reading: Reading, agent: AgentLine): Found[] {
	const { text, tokens, global, line } = agent;
	const [read = ""] = tokens;
	if (global || text === "" || isKnownToken(text)) return [];
	const bare = withoutQuotes(text);
	if (bare !== text && bare !== "") {
		const meant = suggestAgent(bare)?.tokens[0] ?? bare;
		return [
			{
				line,
				code: "quotation-marks",
				severity: "error",
				message: `${quoted(agent)} has quotation marks, which no name has: write ${shorten(bare)}.`,
				...(/^(?:\*|[\w-]+)$/.test(meant)
					? nameEdits(reading, line, meant)
					: {}),
			},
		];
	}
	const several = severalNames(reading, agent);
	if (several) return [several];
	const suggestion = suggestAgent(text);
	if (suggestion) return suggested(reading, agent, suggestion);
	const isToken = read === text.toLowerCase();
	const meant = isToken ? undefined : knownCrawler(text)?.tokens[0];
	if (meant === undefined || isKnownToken(read)) return [];
	const wanted = meant.toLowerCase();
	if (wanted === text.toLowerCase() || tokens.includes(wanted)) return [];
	// Some names hold what no token may, and their crawlers obey the part in front.
	if (/^[\w-]*/.exec(wanted)?.[0] === read) return [];
	const reads = read
		? `is read as ${tokenAsWritten(agent)}`
		: "names no crawler";
	const isHeader = header.test(text);
	return [
		{
			line,
			code: "misspelled-agent",
			severity: "error",
			message: isHeader
				? `${shorten(text)} ${reads}: write only ${meant}.`
				: `${shorten(text)} ${reads}: a line names one crawler, such as ${meant}, and can except none.`,
			...(isHeader ? nameEdits(reading, line, meant) : {}),
		},
	];
}

/** Longer values are no list that somebody wrote by hand. */
const LONGEST_LIST = 2000;

/** Several crawlers in one line, of which crawlers read the first. */
function severalNames(
	reading: Reading,
	{ text, line }: AgentLine,
): Found | undefined {
	if (text.length > LONGEST_LIST) return undefined;
	const names = text
		.split(/\s*[,;|]\s*|\s+/)
		.filter((name) => name !== "")
		.map((name) => name.replace(/\/[\d.]+$/, ""));
	const known = names.filter(isKnownToken).length;
	// With white space alone it may be one name of several words.
	const isList = /[,;|]/.test(text) ? known > 0 : known === names.length;
	if (names.length < 2 || !isList || suggestAgent(text)) return undefined;
	if (!names.every((name) => /^[\w-]+$/.test(name))) return undefined;
	if (names.some((name) => negation.test(name))) return undefined;
	const [first = "", ...others] = names;
	const [from, to] = reading.valueAt(line) ?? [];
	const { bytes } = reading.file;
	return {
		line,
		code: "missing-line-end",
		severity: "error",
		message: `User-agent: ${shorten(text)} holds ${names.length} names, and crawlers read one, ${shorten(first)}: ${shorten(others.join(", "))} ${others.length > 1 ? "are" : "is"} left out. Write each in a User-agent line of its own.`,
		...(from === undefined || to === undefined || !isAgentField(bytes, from)
			? {}
			: {
					edit: valueEdit(
						bytes,
						from,
						to,
						names,
						"Write each crawler in a line of its own, as a line names one.",
					),
				}),
	};
}

/** A User-Agent header as crawlers send it. */
const header = /^Mozilla\/\d[^()]*\((?:compatible|[^()]*;)/i;

/** Another name as the value of a user-agent line. */
function nameEdits(
	reading: Reading,
	line: number,
	value: string,
): { edit?: Change } {
	const [from, to] = reading.valueAt(line) ?? [];
	return from === undefined ||
		to === undefined ||
		!isAgentField(reading.file.bytes, from)
		? {}
		: {
				edit: valueEdit(
					reading.file.bytes,
					from,
					to,
					[value],
					value === "*"
						? "Write *, which stands for all crawlers without a group of their own."
						: `Write ${shorten(value)}, the name that the crawler looks for.`,
				),
			};
}

/** Whether the name of a line is that of user-agent lines, which Google's library takes whatever begins so for: "User-agent GPTBot: all". */
function isAgentField(bytes: Uint8Array, value: number): boolean {
	return closestField(fieldName(bytes, value)) === "user-agent";
}

function suggested(
	reading: Reading,
	agent: AgentLine,
	suggestion: Suggestion,
): Found[] {
	const { text, tokens, line } = agent;
	const [token = ""] = suggestion.tokens;
	if (tokens.includes(token.toLowerCase())) return [];
	const read = tokenAsWritten(agent);
	const shown = shorten(text);
	const messages = {
		slip: `${shown} is not a well-known crawler; ${token} was meant?`,
		spaces: `${shown} is read as ${read}, which is another crawler: write ${token}${token === "Googlebot-News" ? ", the token since 2 December 2009" : ""}.`,
		product:
			token === "*"
				? `${shown} is read as the name of a crawler, which nobody has: write User-agent: * for all crawlers without a group of their own.`
				: `${shown} is not the name of a well-known crawler: write ${tokensText(suggestion)}.`,
	};
	return [
		{
			line,
			code: "misspelled-agent",
			severity: suggestion.kind === "slip" ? "warning" : "error",
			message: messages[suggestion.kind],
			...(suggestion.tokens.length === 1
				? nameEdits(reading, line, token)
				: {}),
		},
	];
}
