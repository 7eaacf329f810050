/**
 * The records of a file (format/records.ts): their layouts as classes, which the end of the classes checks against the host's numbers, and
 * the lists that tokenise.ts fills line by line. index.ts returns their address; compile/read-rule.ts reads the rules where they lie. They
 * hold until the next file.
 */
import { append, Buffer, clear, clearFor } from "../bytes/memory";
import {
	AGENT_FIELDS,
	AGENT_FIRST_RULE,
	AGENT_LINE,
	AGENT_TOKEN_END,
	AGENT_TOKEN_FROM,
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
	tokenFrom: u32;
}

/** Any other line, or a diagnostic about a line. */
@unmanaged
class OtherRecord {
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
class RecordLists {
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
	offsetof<AgentRecord>("tokenFrom") != 4 * AGENT_TOKEN_FROM ||
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

/** The lists, which keep their memory from file to file. A compilation reads rules where they are. */
export const rules = changetype<Buffer>(memory.data(12, 4));
const agents = changetype<Buffer>(memory.data(12, 4));
const others = changetype<Buffer>(memory.data(12, 4));
const lists = changetype<RecordLists>(memory.data(4 * LISTS_FIELDS, 4));

/** First byte of the file: offsets count from here. */
let base: usize = 0;
/** Number of the current line, from 1 on. */
let line: u32 = 0;
/** Some buffer could not grow. Asked for once, at the end of the file; what cannot be added until then is left out. */
let failed: bool = false;

/** Empties the lists, for a file of `size` bytes at an address. */
export function beginLists(file: usize, size: usize): void {
	// Most rules have at least as many bytes as their record, 16, so the list seldom grows. Many shorter ones ("Allow:/") make it grow.
	clearFor(rules, size);
	clear(agents);
	clear(others);
	base = file;
	line = 0;
	failed = false;
	lists.longLine = 0;
	lists.longBytes = 0;
}

/** Address of LISTS, or 0 when memory could not grow. */
export function endLists(): usize {
	if (failed) return 0;
	lists.rules = rules.start;
	lists.ruleCount = countOf(rules, offsetof<RuleRecord>());
	lists.agents = agents.start;
	lists.agentCount = countOf(agents, offsetof<AgentRecord>());
	lists.others = others.start;
	lists.otherCount = countOf(others, offsetof<OtherRecord>());
	lists.lines = line;
	return changetype<usize>(lists);
}

function countOf(list: Buffer, size: usize): u32 {
	return <u32>((list.end - list.start) / size);
}

/** What is added from here on is of the next line. Lines are counted here only, so that fast and slow path cannot count differently. */
export function beginLine(): void {
	line++;
}

/** Notes the first line of more than MAX_LINE_BYTES. The host refuses the file with its number. */
export function noteLongLine(bytes: u32): void {
	if (lists.longLine) return;
	lists.longLine = line;
	lists.longBytes = bytes;
}

/** Whether there was a user-agent line: before it, rules apply to nobody. */
export function hasAgents(): bool {
	return agents.end != agents.start;
}

/** The user-agent lines of the file, and the address of its first byte, from which offsets count. */
export function agentLines(): u32 {
	return countOf(agents, offsetof<AgentRecord>());
}

export function agentLine(number: u32): AgentRecord {
	return changetype<AgentRecord>(
		agents.start + number * offsetof<AgentRecord>(),
	);
}

export function fileStart(): usize {
	return base;
}

/** Room for a record at the end of a list; 0 if memory cannot grow. */
function place(list: Buffer, size: usize): usize {
	const address = append(list, size);
	if (!address) failed = true;
	return address;
}

/** Adds a rule whose value is [from, to). */
export function addRule(allow: bool, from: usize, to: usize): void {
	const address = place(rules, offsetof<RuleRecord>());
	if (address) setRule(address, allow, from, to);
}

/** The same, without a call where there is room: for the fast path. */
export function addUsualRule(allow: bool, from: usize, to: usize): void {
	const address = rules.end;
	if (rules.blockEnd - address < offsetof<RuleRecord>()) {
		addRule(allow, from, to);
		return;
	}
	rules.end = address + offsetof<RuleRecord>();
	setRule(address, allow, from, to);
}

function setRule(address: usize, allow: bool, from: usize, to: usize): void {
	const rule = changetype<RuleRecord>(address);
	rule.from = <u32>(from - base);
	rule.to = <u32>(to - base);
	rule.allow = allow ? 1 : 0;
	rule.line = line;
}

/** Adds a user-agent line. It notes how many rules precede it: groups are cut by the host from these numbers. */
export function addAgent(
	from: usize,
	to: usize,
	tokenFrom: usize,
	tokenEnd: usize,
): void {
	const address = place(agents, offsetof<AgentRecord>());
	if (!address) return;
	const agent = changetype<AgentRecord>(address);
	agent.from = <u32>(from - base);
	agent.to = <u32>(to - base);
	agent.tokenFrom = <u32>(tokenFrom - base);
	agent.tokenEnd = <u32>(tokenEnd - base);
	agent.line = line;
	agent.firstRule = countOf(rules, offsetof<RuleRecord>());
}

/** Adds another line or a diagnostic. It notes how many user-agent lines precede it, and so in which group it stands. */
export function addOther(
	kind: u32,
	meant: u32,
	nameFrom: usize,
	nameTo: usize,
	from: usize,
	to: usize,
): void {
	const address = place(others, offsetof<OtherRecord>());
	if (!address) return;
	const other = changetype<OtherRecord>(address);
	other.kind = kind;
	other.nameFrom = <u32>(nameFrom - base);
	other.nameTo = <u32>(nameTo - base);
	other.from = <u32>(from - base);
	other.to = <u32>(to - base);
	other.line = line;
	other.agents = countOf(agents, offsetof<AgentRecord>());
	other.meant = meant;
}
