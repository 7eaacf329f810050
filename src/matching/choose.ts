import {
	AGENT_FIELDS,
	AGENT_FIRST_RULE,
	AGENT_FROM,
	AGENT_TO,
	AGENT_TOKEN_END,
} from "../../assembly/format/records.ts";
import type { Identity } from "../crawlers/crawlers.ts";
import type { RuleRanges } from "../engine/compiler.ts";
import { type RecordLists, tokenise } from "../engine/tokeniser.ts";
import { workspace } from "../engine/workspace.ts";
import type { DialectRules } from "../robots-txt/dialect.ts";
import type { Extent } from "../robots-txt/extent.ts";
import { productToken } from "../robots-txt/product-token.ts";
import { lowerCase } from "./agents.ts";

const STAR = 42;
const SPACE = 32;

/**
 * The rules of the groups that a crawler obeys, as `GroupIndex.select` chooses them, but found by comparing bytes, so that a file's
 * first verdict waits for no strings and no index. Undefined where that would not do: in files with more than `mostAgents`
 * user-agent lines, and in a dialect in which a line can name several tokens.
 *
 * Loops over lines are small functions without closures: V8 optimises what is hot together with all that it calls, which takes longer
 * than choosing for a thousand files.
 */
export function chooseRanges(
	file: Extent,
	{ tokens, obeysGlobal }: Identity,
	dialect: DialectRules,
	mostAgents = Number.POSITIVE_INFINITY,
): RuleRanges | undefined {
	if (dialect.namesAnywhere) return undefined;
	const { bytes } = file;
	const lists = tokenise(file);
	if (lists.agentCount > mostAgents) return undefined;
	if (dialect.googleMatching) {
		const named = tokens.flatMap((name) =>
			linesFor(lowerCase(name), bytes, lists),
		);
		if (tokens.length > 1) named.sort((a, b) => a - b);
		if (named.length > 0) return rangesOf(lists, named);
		return rangesOf(lists, linesFor(null, bytes, lists));
	}
	for (const text of tokens) {
		const token = productToken(text.trim(), dialect);
		const named = token === "" ? [] : linesFor(token, bytes, lists);
		if (named.length > 0) return rangesOf(lists, named);
	}
	return obeysGlobal ? rangesOf(lists, linesFor(null, bytes, lists)) : [];
}

/**
 * Where the records of user-agent lines lie, in file order, that have a product token, which is given in lower case, or, without
 * one, that are for all crawlers.
 */
function linesFor(
	token: string | null,
	bytes: Uint8Array,
	{ agents, agentCount }: RecordLists,
): number[] {
	const words = workspace().words();
	const end = agents + agentCount * AGENT_FIELDS;
	const found: number[] = [];
	for (let at = agents; at < end; at += AGENT_FIELDS) {
		const from = words[at + AGENT_FROM] as number;
		const to = words[at + AGENT_TO] as number;
		if (token === null) {
			if (isGlobal(bytes, from, to)) found.push(at);
			continue;
		}
		const length = (words[at + AGENT_TOKEN_END] as number) - from;
		if (length !== token.length || !isNamed(bytes, from, token)) continue;
		// An empty token names nobody, but for an agent that is empty too; "*" is no token.
		if (length > 0 || !isGlobal(bytes, from, to)) found.push(at);
	}
	return found;
}

/** The rules of the groups that user-agent lines belong to. */
function rangesOf(
	{ agents, agentCount, ruleCount }: RecordLists,
	lines: readonly number[],
): number[] {
	const words = workspace().words();
	const end = agents + agentCount * AGENT_FIELDS;
	const ranges: number[] = [];
	let next = agents;
	for (const line of lines) {
		// A group's lines have the same rules behind them; the first line stands for all.
		if (line < next) continue;
		const firstRule = words[line + AGENT_FIRST_RULE] as number;
		next = line + AGENT_FIELDS;
		while (next < end && words[next + AGENT_FIRST_RULE] === firstRule)
			next += AGENT_FIELDS;
		ranges.push(
			firstRule,
			next < end ? (words[next + AGENT_FIRST_RULE] as number) : ruleCount,
		);
	}
	return ranges;
}

/** RFC 9309 §2.2.1; as in Google's library, "*" may be followed by white space and more. */
function isGlobal(bytes: Uint8Array, from: number, to: number): boolean {
	if (from === to || bytes[from] !== STAR) return false;
	if (to - from === 1) return true;
	const next = bytes[from + 1] as number;
	return next === SPACE || (next >= 9 && next <= 13);
}

/** Whether bytes from an address on are a product token in any case; `name` has it in lower case. */
function isNamed(bytes: Uint8Array, from: number, name: string): boolean {
	for (let i = 0; i < name.length; i++) {
		const byte = bytes[from + i] as number;
		const wanted = name.charCodeAt(i);
		// In a token, bit 5 makes a capital letter a small one.
		if (byte !== wanted && !(wanted >= 97 && (byte | 32) === wanted))
			return false;
	}
	return true;
}
