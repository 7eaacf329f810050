/**
 * From a file's bytes to groups, sections and other lines. dialect-file.ts calls `extentOf`, which cuts off what a dialect does not read,
 * and `parse`, which makes strings of the tokeniser's records; rules stay numbers until one is asked for.
 */
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
	READ_LENIENT,
	READ_LETTERS_ONLY,
	READ_NUL_ENDS_LINE,
	RULE_FIELDS,
} from "../../assembly/format/records.ts";
import { inOneGo, type Steps } from "../common/steps.ts";
import {
	giveBack,
	type Held,
	holdRecords,
	type TokeniserInput,
	tokenise,
	workspace,
} from "../engine/workspace.ts";
import type { DialectRules } from "./dialect.ts";
import { sectionFields } from "./other-fields.ts";

/** A group's heading: one user-agent line. */
export interface AgentLine {
	/** The value as it stands in the file. */
	readonly text: string;
	/** Product tokens that it names, in lower case. */
	readonly tokens: readonly string[];
	/** It is `*`: the group is for all crawlers without one of their own. */
	readonly global: boolean;
	readonly line: number;
}

/** User-agent lines and what stands under them, up to the next user-agent line that follows a rule. */
export interface ParsedGroup {
	readonly agents: AgentLine[];
	/** Indices into `rules`, from and to. */
	firstRule: number;
	lastRule: number;
}

/**
 * User-agent lines of a group that nothing but rules, comments and lines of no crawler's separate, and which the settings
 * (Crawl-delay, Content-Usage, …) directly below hold for. A group's rules hold for all its sections.
 */
export interface ParsedSection {
	readonly agents: AgentLine[];
}

/** A line that is neither a user-agent line nor a rule: sitemap, crawl-delay, host, …, or an unknown one. */
export interface OtherLine {
	/** The field name in lower case. */
	readonly field: string;
	readonly value: string;
	readonly line: number;
	/** The group it stands in, -1 outside of all. */
	readonly group: number;
	/** The section it stands in, -1 outside of all. */
	readonly section: number;
}

export interface ParsedFile {
	readonly extent: Extent;
	readonly bytes: Uint8Array;
	readonly groups: readonly ParsedGroup[];
	/** In file order; each lies within one group. */
	readonly sections: readonly ParsedSection[];
	/** RULE_FIELDS numbers a rule: pattern start, pattern end (offsets in `bytes`), 1 for allow, line from 1. */
	readonly rules: Int32Array;
	readonly others: readonly OtherLine[];
	/** Those of a few fields: made in steps, as there may be millions of others. */
	linesOf(
		isWanted: (field: string) => boolean,
		sections?: readonly number[],
	): Steps<OtherLine[]>;
	/** User-agent lines, and lines and remarks of other kinds, as the tokeniser has them (assembly/format/records.ts). */
	readonly agentRecords: Int32Array;
	readonly otherRecords: Int32Array;
	/** Lines that were read. */
	readonly lines: number;
	/** Over the dialect's size limit, where that means that everything is allowed. */
	readonly allowsAll: boolean;
}

const LF = 10;
const CR = 13;
const BOM = [0xef, 0xbb, 0xbf];

/** Which bytes of a robots.txt a dialect reads, and how. */
export interface Extent extends TokeniserInput {
	readonly maxBytes: number;
	/** The file is larger than `maxBytes`. */
	readonly tooLarge: boolean;
	/** It is, where that means that everything is allowed. */
	readonly allowsAll: boolean;
}

export function extentOf(
	bytes: Uint8Array,
	dialect: DialectRules,
	maxBytes: number,
): Extent {
	const tooLarge = bytes.length > maxBytes;
	const allowsAll = tooLarge && dialect.tooLargeAllowsAll;
	const end = tooLarge ? wholeLines(bytes, maxBytes) : bytes.length;
	return {
		bytes,
		from: bomLength(bytes, dialect),
		end: allowsAll ? 0 : end,
		flags:
			(dialect.lenientFields ? READ_LENIENT : 0) |
			(dialect.nulEndsLine ? READ_NUL_ENDS_LINE : 0) |
			(dialect.googleMatching ? READ_LETTERS_ONLY : 0),
		maxLineBytes: dialect.maxLineBytes,
		maxBytes,
		tooLarge,
		allowsAll,
	};
}

/** Where the last line that ends within the size limit does: half a rule could say the opposite of the whole one. */
function wholeLines(bytes: Uint8Array, maxBytes: number): number {
	if (bytes[maxBytes] === LF || bytes[maxBytes] === CR) return maxBytes;
	// The platform's search takes a fifth of the time of a loop, of which a line of 16 MiB takes 20 ms.
	const read = bytes.subarray(0, maxBytes);
	const feed = read.lastIndexOf(LF);
	return Math.max(feed, read.subarray(feed + 1).lastIndexOf(CR) + feed + 1) + 1;
}

function bomLength(bytes: Uint8Array, dialect: DialectRules): number {
	let length = 0;
	while (length < BOM.length && bytes[length] === BOM[length]) length++;
	return length < BOM.length && !dialect.skipsPartialBom ? 0 : length;
}

/**
 * Groups, rules and other lines of a robots.txt (RFC 9309 §2.2). Never fails on what a file holds: what cannot be read has a diagnostic.
 * @throws {RobotrieError} limit-exceeded, when memory cannot grow.
 */
export function parse(extent: Extent, dialect: DialectRules): ParsedFile {
	const lists = tokenise(extent);
	const held = { lists, memory: workspace(), isOwn: false };
	return inOneGo(parsedFrom(held, extent, dialect));
}

/** Records that are read in a step: well below a millisecond. */
const STEP = 1000;
/** Numbers of records that are copied in a step. */
const COPIED = 1 << 17;

/** The same in steps, for who must not hold up a thread: 500 KiB of short lines take tens of milliseconds. */
export function* parseSteps(
	extent: Extent,
	dialect: DialectRules,
): Steps<ParsedFile> {
	return yield* parsedFrom(yield* holdRecords(extent), extent, dialect);
}

function* parsedFrom(
	held: Held,
	extent: Extent,
	dialect: DialectRules,
): Steps<ParsedFile> {
	const { bytes, allowsAll } = extent;
	const { lists, memory, isOwn } = held;
	const agentsAt = lists.ruleCount * RULE_FIELDS;
	const othersAt = agentsAt + lists.agentCount * AGENT_FIELDS;
	const end = othersAt + lists.otherCount * OTHER_FIELDS;
	// One array takes V8 a third of the time of three.
	const all = new Int32Array(end);
	for (const [from, to, list] of [
		[0, agentsAt, lists.rules],
		[agentsAt, othersAt, lists.agents],
		[othersAt, end, lists.others],
	] as const)
		for (let at = from; at < to; at += COPIED) {
			const some = Math.min(COPIED, to - at);
			const source = list + at - from;
			all.set(memory.words().subarray(source, source + some), at);
			if (isOwn) yield;
		}
	giveBack(held);
	yield;
	const { ruleCount, lines } = lists;
	const agentRecords = all.subarray(agentsAt, othersAt);
	const otherRecords = all.subarray(othersAt, end);
	const headed = yield* headings(
		bytes,
		agentRecords,
		otherRecords,
		ruleCount,
		dialect,
	);
	const { groups, sections, groupOf, sectionOf } = headed;
	let others: OtherLine[] | undefined;
	const line = (at: number, field: string): OtherLine => {
		const last = (otherRecords[at + OTHER_AGENTS] as number) - 1;
		return {
			field,
			value: decodeText(
				bytes,
				otherRecords[at + OTHER_FROM] as number,
				otherRecords[at + OTHER_TO] as number,
			),
			line: otherRecords[at + OTHER_LINE] as number,
			group: groupOf[last] ?? -1,
			section: sectionOf[last] ?? -1,
		};
	};
	return {
		extent,
		bytes,
		rules: all.subarray(0, agentsAt),
		groups,
		sections,
		agentRecords,
		otherRecords,
		lines,
		allowsAll,
		get others() {
			others ??= inOneGo(this.linesOf(() => true));
			return others;
		},
		*linesOf(isWanted, sections) {
			const found: OtherLine[] = [];
			let next = 0;
			for (let at = 0; at < otherRecords.length; at += OTHER_FIELDS) {
				if (isStepEnd(at)) yield;
				if (sections) {
					// Both are in file order.
					const last = (otherRecords[at + OTHER_AGENTS] as number) - 1;
					const section = sectionOf[last] ?? -1;
					while ((sections[next] ?? section) < section) next++;
					if (sections[next] !== section) continue;
				}
				const field = fieldAt(bytes, otherRecords, at);
				if (field !== undefined && isWanted(field)) found.push(line(at, field));
			}
			return found;
		},
	};
}

/** Whether the record is the last of a step. */
function isStepEnd(at: number): boolean {
	return at % (STEP * OTHER_FIELDS) === (STEP - 1) * OTHER_FIELDS;
}

/** The field of a line that is neither a user-agent line nor a rule, in lower case; undefined for a remark about a line. */
function fieldAt(
	bytes: Uint8Array,
	records: Int32Array,
	at: number,
): string | undefined {
	const kind = records[at + OTHER_KIND];
	if (kind === OTHER_SITEMAP) return "sitemap";
	if (kind !== OTHER_FIELD) return undefined;
	return decodeText(
		bytes,
		records[at + OTHER_NAME_FROM] as number,
		records[at + OTHER_NAME_TO] as number,
	).toLowerCase();
}

/** Groups and their sections, and of each user-agent line the number of its own. */
function* headings(
	bytes: Uint8Array,
	records: Int32Array,
	otherRecords: Int32Array,
	ruleCount: number,
	dialect: DialectRules,
): Steps<
	Pick<ParsedFile, "groups" | "sections"> & {
		readonly groupOf: Int32Array;
		readonly sectionOf: Int32Array;
	}
> {
	const agentCount = records.length / AGENT_FIELDS;
	/** Of user-agent lines, 1 for one with a setting directly in front of it. */
	const behindSetting = new Uint8Array(agentCount + 1);
	for (let at = 0; at < otherRecords.length; at += OTHER_FIELDS) {
		if (isStepEnd(at)) yield;
		const field = fieldAt(bytes, otherRecords, at);
		if (field !== undefined && sectionFields.has(field))
			behindSetting[otherRecords[at + OTHER_AGENTS] as number] = 1;
	}
	const groups: ParsedGroup[] = [];
	const sections: ParsedSection[] = [];
	const groupOf = new Int32Array(agentCount);
	const sectionOf = new Int32Array(agentCount);
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
		if (isNew || behindSetting[index] === 1) {
			section = { agents: [] };
			sections.push(section);
		}
		const agent = agentLine(bytes, records, at, dialect);
		group?.agents.push(agent);
		section?.agents.push(agent);
		groupOf[index] = groups.length - 1;
		sectionOf[index] = sections.length - 1;
	}
	return { groups, sections, groupOf, sectionOf };
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

/**
 * All product tokens of a user-agent line's value, in lower case ("Mozilla/5.0 (compatible; YandexBot/3.0)"): Yandex looks for its
 * names anywhere in the line. For other dialects there is one, with which the value begins ("googlebot/1.2" names googlebot).
 */
function productTokens(text: string): string[] {
	// Lower case only then: that of some other letters is an ASCII letter.
	const tokens = text.match(/[a-z0-9_-]+/gi) ?? [];
	return tokens.map((token) => token.toLowerCase());
}

/** The product token that a text begins with, perhaps empty. RFC 9309 §2.2.1 has no digits, real crawlers do. */
export function productToken(text: string, dialect: DialectRules): string {
	const pattern = dialect.googleMatching ? /^[a-z_-]*/i : /^[a-z0-9_-]*/i;
	return pattern.exec(text)?.[0].toLowerCase() ?? "";
}

/** A byte order mark within the file is text like any other. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Longer texts are faster to decode by the platform than character by character. */
const SHORT = 40;

/** The text of bytes [from, to); invalid UTF-8 becomes U+FFFD. */
export function decodeText(
	bytes: Uint8Array,
	from: number,
	to: number,
): string {
	if (to - from > SHORT) return decoder.decode(bytes.subarray(from, to));
	let text = "";
	for (let at = from; at < to; at++) {
		const byte = bytes[at] as number;
		if (byte > 127) return decoder.decode(bytes.subarray(from, to));
		text += String.fromCharCode(byte);
	}
	return text;
}
