import {
	AGENT_FIELDS,
	AGENT_FIRST_RULE,
	AGENT_FROM,
	AGENT_LINE,
	AGENT_TO,
	AGENT_TOKEN_END,
	OTHER_AGENTS,
	OTHER_FIELD,
	OTHER_FIELDS,
	OTHER_FROM,
	OTHER_KIND,
	OTHER_LINE,
	OTHER_NAME_FROM,
	OTHER_NAME_TO,
	OTHER_SITEMAP,
	OTHER_TO,
} from "../../assembly/format/records.ts";
import { inOneGo, type Steps } from "../common/steps.ts";
import { tokenise } from "../engine/tokeniser.ts";
import { workspace } from "../engine/workspace.ts";
import type { DialectRules } from "./dialect.ts";
import type { Extent } from "./extent.ts";
import { sectionFields } from "./other-fields.ts";
import {
	type AgentLine,
	type OtherLine,
	type ParsedFile,
	type ParsedGroup,
	type ParsedSection,
	RULE_FIELDS,
} from "./parsed-file.ts";
import { productTokens } from "./product-token.ts";
import { decodeText } from "./text.ts";

/**
 * Groups, rules and other lines of a robots.txt (RFC 9309 §2.2). Never fails on what a file holds: what cannot be read has a diagnostic.
 * @throws {RobotrieError} limit-exceeded, when memory cannot grow.
 */
export function parse(extent: Extent, dialect: DialectRules): ParsedFile {
	return inOneGo(parseSteps(extent, dialect));
}

/** Records that are read in a step: well below a millisecond. */
const STEP = 1000;

/** The same in steps, for who must not hold up a thread: 500 KiB of short lines take tens of milliseconds. */
export function* parseSteps(
	extent: Extent,
	dialect: DialectRules,
): Steps<ParsedFile> {
	const { bytes, allowsAll } = extent;
	const lists = tokenise(extent);
	const words = workspace().words();
	const agentsAt = lists.ruleCount * RULE_FIELDS;
	const othersAt = agentsAt + lists.agentCount * AGENT_FIELDS;
	const end = othersAt + lists.otherCount * OTHER_FIELDS;
	// One array takes V8 a third of the time of three.
	const all = new Int32Array(end);
	const take = (from: number, to: number, list: number) => {
		const part = all.subarray(from, to);
		part.set(words.subarray(list, list + to - from));
		return part;
	};
	const rules = take(0, agentsAt, lists.rules);
	const agents = take(agentsAt, othersAt, lists.agents);
	const others = take(othersAt, end, lists.others);
	yield;
	const { ruleCount, lines } = lists;
	return {
		extent,
		bytes,
		rules,
		agentRecords: agents,
		otherRecords: others,
		lines,
		allowsAll,
		...(yield* headings(bytes, agents, others, ruleCount, dialect)),
	};
}

/** Groups and their sections, and the other lines with the place of each. */
function* headings(
	bytes: Uint8Array,
	records: Int32Array,
	otherRecords: Int32Array,
	ruleCount: number,
	dialect: DialectRules,
): Steps<Pick<ParsedFile, "groups" | "sections" | "others">> {
	const { others, agentsBefore } = yield* otherLines(bytes, otherRecords);
	/** User-agent lines with a setting directly in front of them. */
	const behindSetting = new Set<number>();
	for (const [index, { field }] of others.entries())
		if (sectionFields.has(field))
			behindSetting.add(agentsBefore[index] as number);
	const groups: ParsedGroup[] = [];
	const sections: ParsedSection[] = [];
	const groupOf: number[] = [];
	const sectionOf: number[] = [];
	let group: ParsedGroup | undefined;
	let section: ParsedSection | undefined;
	for (let index = 0; index * AGENT_FIELDS < records.length; index++) {
		if (index % STEP === STEP - 1) yield;
		const at = index * AGENT_FIELDS;
		const firstRule = records[at + AGENT_FIRST_RULE] ?? 0;
		// Rules between two user-agent lines part them.
		const isNew = group?.firstRule !== firstRule;
		if (isNew) {
			if (group) group.lastRule = firstRule;
			group = { agents: [], firstRule, lastRule: ruleCount };
			groups.push(group);
		}
		if (isNew || behindSetting.has(index)) {
			section = { agents: [] };
			sections.push(section);
		}
		const agent = agentLine(bytes, records, at, dialect);
		group?.agents.push(agent);
		section?.agents.push(agent);
		groupOf.push(groups.length - 1);
		sectionOf.push(sections.length - 1);
	}
	yield;
	for (const [index, other] of others.entries()) {
		if (index % (10 * STEP) === 10 * STEP - 1) yield;
		const last = (agentsBefore[index] as number) - 1;
		other.group = groupOf[last] ?? -1;
		other.section = sectionOf[last] ?? -1;
	}
	return { groups, sections, others };
}

function agentLine(
	bytes: Uint8Array,
	records: Int32Array,
	at: number,
	dialect: DialectRules,
): AgentLine {
	const from = records[at + AGENT_FROM] ?? 0;
	const text = decodeText(bytes, from, records[at + AGENT_TO] ?? 0);
	// RFC 9309 §2.2.1; as in Google's library, "*" may be followed by white space and more.
	const global = text.startsWith("*") && /^\*(?:$|[ \t-\r])/.test(text);
	// Letters of a token are bytes.
	const length = (records[at + AGENT_TOKEN_END] ?? 0) - from;
	return {
		text,
		tokens: global
			? []
			: dialect.namesAnywhere
				? productTokens(text)
				: [text.slice(0, length).toLowerCase()],
		global,
		line: records[at + AGENT_LINE] ?? 0,
	};
}

/** A line before it is known which group it stands in. */
type OpenLine = { -readonly [Name in keyof OtherLine]: OtherLine[Name] };

/**
 * Lines that are neither user-agent lines nor rules, and how many user-agent lines stand in front of each. There may be 170,000 of them:
 * an object more for each would be as much garbage again.
 */
function* otherLines(
	bytes: Uint8Array,
	records: Int32Array,
): Steps<{ others: OpenLine[]; agentsBefore: number[] }> {
	const others: OpenLine[] = [];
	const agentsBefore: number[] = [];
	for (let at = 0; at < records.length; at += OTHER_FIELDS) {
		if (at % (STEP * OTHER_FIELDS) === (STEP - 1) * OTHER_FIELDS) yield;
		const number = (field: number) => records[at + field] ?? 0;
		const kind = number(OTHER_KIND);
		if (kind !== OTHER_FIELD && kind !== OTHER_SITEMAP) continue;
		agentsBefore.push(number(OTHER_AGENTS));
		others.push({
			field:
				kind === OTHER_SITEMAP
					? "sitemap"
					: decodeText(
							bytes,
							number(OTHER_NAME_FROM),
							number(OTHER_NAME_TO),
						).toLowerCase(),
			value: decodeText(bytes, number(OTHER_FROM), number(OTHER_TO)),
			line: number(OTHER_LINE),
			group: -1,
			section: -1,
		});
	}
	return { others, agentsBefore };
}
