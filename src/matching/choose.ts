import {
	AGENT_FIELDS,
	AGENT_FIRST_RULE,
	AGENT_FROM,
	AGENT_TO,
	AGENT_TOKEN_END,
} from "../../assembly/format/records.ts";
import type { Identity } from "../crawlers/crawlers.ts";
import type { RuleRanges } from "../engine/compiler.ts";
import { tokenise } from "../engine/tokeniser.ts";
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
 * user-agent lines, and in the yandex dialect, in which a line can name several tokens.
 */
export function chooseRanges(
	file: Extent,
	{ tokens, obeysGlobal }: Identity,
	dialect: DialectRules,
	mostAgents = Number.POSITIVE_INFINITY,
): RuleRanges | undefined {
	if (dialect.name === "yandex") return undefined;
	const { agentCount } = tokenise(file);
	if (agentCount > mostAgents) return undefined;
	if (dialect.googleMatching) {
		const names = tokens.map(lowerCase);
		const named = rangesWhere(file, (from, to, valueTo) =>
			names.some((name) => isNamed(file.bytes, from, to, valueTo, name)),
		);
		return named.length > 0 ? named : globalRanges(file);
	}
	for (const text of tokens) {
		const token = productToken(text.trim(), dialect);
		const named =
			token === ""
				? []
				: rangesWhere(file, (from, to, valueTo) =>
						isNamed(file.bytes, from, to, valueTo, token),
					);
		if (named.length > 0) return named;
	}
	return obeysGlobal ? globalRanges(file) : [];
}

function globalRanges(file: Extent): RuleRanges {
	return rangesWhere(file, (from, _to, valueTo) =>
		isGlobal(file.bytes, from, valueTo),
	);
}

/** Rules of the groups that have a user-agent line for which `test` holds: of its token's bytes [from, to), up to the value's end. */
function rangesWhere(
	file: Extent,
	test: (from: number, to: number, valueTo: number) => boolean,
): number[] {
	const { agents, agentCount, ruleCount } = tokenise(file);
	const words = workspace().words();
	const ranges: number[] = [];
	const end = agents + agentCount * AGENT_FIELDS;
	let open = false;
	for (let at = agents; at < end; at += AGENT_FIELDS) {
		const firstRule = words[at + AGENT_FIRST_RULE] as number;
		// The group that was chosen ends where the next one's rules begin.
		if (open && ranges[ranges.length - 1] !== firstRule) {
			ranges.push(firstRule);
			open = false;
		}
		if (open) continue;
		const from = words[at + AGENT_FROM] as number;
		open = test(
			from,
			words[at + AGENT_TOKEN_END] as number,
			words[at + AGENT_TO] as number,
		);
		if (open) ranges.push(firstRule);
	}
	if (open) ranges.push(ruleCount);
	return ranges;
}

/** RFC 9309 §2.2.1; as in Google's library, "*" may be followed by white space and more. */
function isGlobal(bytes: Uint8Array, from: number, to: number): boolean {
	if (from === to || bytes[from] !== STAR) return false;
	if (to - from === 1) return true;
	const next = bytes[from + 1] as number;
	return next === SPACE || (next >= 9 && next <= 13);
}

/** Whether the product token in bytes [from, to), with which a value begins, is `name`, which is in lower case, in any case. */
function isNamed(
	bytes: Uint8Array,
	from: number,
	to: number,
	valueTo: number,
	name: string,
): boolean {
	if (to - from !== name.length) return false;
	for (let i = 0; i < name.length; i++) {
		const byte = bytes[from + i] as number;
		const wanted = name.charCodeAt(i);
		// In a token, bit 5 makes a capital letter a small one.
		if (byte !== wanted && !(wanted >= 97 && (byte | 32) === wanted))
			return false;
	}
	// An empty token names nobody, but for an agent that is empty too; "*" is no token.
	return name !== "" || !isGlobal(bytes, from, valueTo);
}
