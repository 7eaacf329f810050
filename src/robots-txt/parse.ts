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
	AGENT_TOKEN_FROM,
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
	file: Uint8Array,
	dialect: DialectRules,
	maxBytes: number,
): Extent {
	const tooLarge = file.length > maxBytes;
	const allowsAll = tooLarge && dialect.tooLargeAllowsAll;
	const read = tooLarge ? maxBytes : file.length;
	const decoded = dialect.decodesUtf16 ? decodeUtf16(file, read) : undefined;
	const bytes = decoded ?? file;
	const most = decoded?.length ?? read;
	const end = tooLarge ? wholeLines(bytes, most) : bytes.length;
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
	let end = maxBytes;
	if (bytes[end] === LF || bytes[end] === CR) return end;
	while (end > 0 && bytes[end - 1] !== LF && bytes[end - 1] !== CR) end--;
	return end;
}

/**
 * The first bytes of a file in UTF-8, if it is UTF-16 by its byte order mark: some editors save text so, and its site means its rules. Undefined for
 * all other files. A surrogate or byte without its other half becomes U+FFFD.
 */
function decodeUtf16(file: Uint8Array, length: number): Uint8Array | undefined {
	const [first, second] = file;
	const isLittle = first === 0xff && second === 0xfe;
	if (!isLittle && !(first === 0xfe && second === 0xff)) return undefined;
	let bytes = file.subarray(0, length);
	// Not all runtimes know "utf-16be".
	if (!isLittle) {
		bytes = bytes.slice();
		for (let at = 1; at < bytes.length; at += 2) {
			const high = bytes[at - 1] as number;
			bytes[at - 1] = bytes[at] as number;
			bytes[at] = high;
		}
	}
	return new TextEncoder().encode(new TextDecoder("utf-16le").decode(bytes));
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
	const afterSetting = new Set<number>();
	for (const [index, { field }] of others.entries())
		if (sectionFields.has(field))
			afterSetting.add(agentsBefore[index] as number);
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
		if (isNew || afterSetting.has(index)) {
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
	// What stands in front of a token and its letters are bytes.
	const start = (records[at + AGENT_TOKEN_FROM] ?? 0) - from;
	const end = (records[at + AGENT_TOKEN_END] ?? 0) - from;
	return {
		text,
		tokens: global
			? []
			: dialect.namesAnywhere
				? productTokens(text)
				: [text.slice(start, end).toLowerCase()],
		global,
		line: records[at + AGENT_LINE] ?? 0,
	};
}

/** The first token of a user-agent line, as the file spells it; empty if there is none. */
export function tokenAsWritten({
	text,
	tokens: [token = ""],
}: AgentLine): string {
	// Letters of ASCII alone, as the text in lower case may be longer: that of "İ" is two characters. An expression may be too long for V8.
	const lower = text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
	const from = lower.indexOf(token);
	return from < 0 ? token : text.slice(from, from + token.length);
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

/**
 * All product tokens of a user-agent line's value, in lower case and without versions ("Mozilla/5.0 (compatible; YandexBot/3.0)"): Yandex
 * looks for its names anywhere in the line. For other dialects there is one, which the record has.
 */
function productTokens(text: string): string[] {
	// Lower case only then: that of some other letters is an ASCII letter.
	return Array.from(text.matchAll(/[a-z0-9_-]+/gi), ({ 0: token, index }) =>
		withoutVersion(
			token,
			/^\.\d/.test(text.slice(index + token.length, index + token.length + 2)),
		).toLowerCase(),
	);
}

/** As the module cuts tokens, where no string is needed (assembly/robots-txt/token.ts); tests compare the two. */
function withoutVersion(text: string, isDotted: boolean): string {
	let end = text.length;
	for (let dotted = isDotted; ; dotted = false) {
		let digits = end;
		while (digits > 0 && /\d/.test(text[digits - 1] as string)) digits--;
		if (digits === end || digits === 0) break;
		const isParted = /[_-]/.test(text[digits - 1] as string);
		const cut = isParted ? digits - 1 : digits;
		if ((!isParted && !dotted) || cut === 0) break;
		end = cut;
	}
	return text.slice(0, end);
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
