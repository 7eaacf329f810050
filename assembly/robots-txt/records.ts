import {
	AGENT_FIELDS,
	AGENT_FIRST_RULE,
	AGENT_LINE,
	AGENT_TOKEN_END,
	LISTS_AGENTS,
	LISTS_FIELDS,
	LISTS_LONG_BYTES,
	LISTS_OTHERS,
	OTHER_AGENTS,
	OTHER_FIELDS,
	OTHER_FROM,
	OTHER_LINE,
	OTHER_MEANT,
	OTHER_NAME_TO,
	RULE_FIELDS,
	RULE_IS_ALLOW,
	RULE_LINE,
} from "../format/records";

/** What format/records.ts describes, as classes; the end of this file checks that both agree. */

/** An Allow or Disallow line. */
@unmanaged
export class RuleRecord {
	from: u32;
	to: u32;
	allow: u32;
	line: u32;
}

/** A user-agent line. */
@unmanaged
export class AgentRecord {
	from: u32;
	to: u32;
	tokenEnd: u32;
	line: u32;
	firstRule: u32;
}

/** Any other line, or a diagnostic about a line. */
@unmanaged
export class OtherRecord {
	kind: u32;
	nameFrom: u32;
	nameTo: u32;
	from: u32;
	to: u32;
	line: u32;
	agents: u32;
	meant: u32;
}

/** The lists of a file. */
@unmanaged
export class RecordLists {
	rules: usize;
	ruleCount: u32;
	agents: usize;
	agentCount: u32;
	others: usize;
	otherCount: u32;
	lines: u32;
	longLine: u32;
	longBytes: u32;
}

if (
	offsetof<RuleRecord>() != 4 * RULE_FIELDS ||
	offsetof<RuleRecord>("allow") != 4 * RULE_IS_ALLOW ||
	offsetof<RuleRecord>("line") != 4 * RULE_LINE ||
	offsetof<AgentRecord>() != 4 * AGENT_FIELDS ||
	offsetof<AgentRecord>("tokenEnd") != 4 * AGENT_TOKEN_END ||
	offsetof<AgentRecord>("line") != 4 * AGENT_LINE ||
	offsetof<AgentRecord>("firstRule") != 4 * AGENT_FIRST_RULE ||
	offsetof<OtherRecord>() != 4 * OTHER_FIELDS ||
	offsetof<OtherRecord>("nameTo") != 4 * OTHER_NAME_TO ||
	offsetof<OtherRecord>("from") != 4 * OTHER_FROM ||
	offsetof<OtherRecord>("line") != 4 * OTHER_LINE ||
	offsetof<OtherRecord>("agents") != 4 * OTHER_AGENTS ||
	offsetof<OtherRecord>("meant") != 4 * OTHER_MEANT ||
	offsetof<RecordLists>() != 4 * LISTS_FIELDS ||
	offsetof<RecordLists>("agents") != 4 * LISTS_AGENTS ||
	offsetof<RecordLists>("others") != 4 * LISTS_OTHERS ||
	offsetof<RecordLists>("longBytes") != 4 * LISTS_LONG_BYTES
)
	ERROR("assembly/robots-txt/records.ts and assembly/format/records.ts differ");
