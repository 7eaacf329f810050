import { MAX_BLOCK } from "../../assembly/format/program.ts";
import {
	LISTS_AGENT_COUNT,
	LISTS_AGENTS,
	LISTS_LINES,
	LISTS_LONG_BYTES,
	LISTS_LONG_LINE,
	LISTS_OTHER_COUNT,
	LISTS_OTHERS,
	LISTS_RULE_COUNT,
	LISTS_RULES,
	MAX_LINE_BYTES,
} from "../../assembly/format/records.ts";
import { RobotrieError } from "../common/errors.ts";
import { outOfMemory } from "./linear-memory.ts";
import { workspace, workspaceFor } from "./workspace.ts";

/** A robots.txt, and how its lines are read. */
export interface TokeniserInput {
	readonly bytes: Uint8Array;
	/** The bytes that count: [from, end). */
	readonly from: number;
	readonly end: number;
	/** READ_ flags. */
	readonly flags: number;
	/** Bytes of a line that are read. */
	readonly maxLineBytes: number;
}

/** Where the records of a file lie (assembly/format/records.ts): indices into `workspace().words()`. */
export interface RecordLists {
	readonly rules: number;
	readonly ruleCount: number;
	readonly agents: number;
	readonly agentCount: number;
	readonly others: number;
	readonly otherCount: number;
	readonly lines: number;
}

/** The file whose text and records lie in linear memory. Others are read again when they are asked for: 2 microseconds a file. */
let current: TokeniserInput | undefined;
let lists: RecordLists | undefined;
/** The instance in whose memory they lie. */
let instance = 0;

/**
 * The records of a file, which stand in linear memory until another one's are asked for.
 * @throws {RobotrieError} limit-exceeded, for a line of more than 16 MiB, or when memory cannot grow.
 */
export function tokenise(file: TokeniserInput): RecordLists {
	if (current === file && lists && instance === workspace().instance)
		return lists;
	if (file.bytes.length < file.end) throw changed();
	placeText(
		file.end === file.bytes.length
			? [file.bytes]
			: [file.bytes.subarray(0, file.end)],
	);
	const memory = workspace();
	const address = memory.module.tokenise(
		file.from,
		file.end,
		file.flags,
		Math.min(file.maxLineBytes, 0xffffffff),
	);
	if (address === 0)
		throw outOfMemory(`the records of a robots.txt of ${file.end} bytes`);
	const words = memory.words();
	const at = address >>> 2;
	const list = (field: number) => (words[at + field] as number) >>> 2;
	const count = (field: number) => words[at + field] as number;
	const longLine = count(LISTS_LONG_LINE);
	if (longLine > 0)
		throw new RobotrieError(
			"limit-exceeded",
			`line ${longLine} of a robots.txt has ${count(LISTS_LONG_BYTES)} bytes, more than ${MAX_LINE_BYTES}`,
		);
	lists = {
		rules: list(LISTS_RULES),
		ruleCount: count(LISTS_RULE_COUNT),
		agents: list(LISTS_AGENTS),
		agentCount: count(LISTS_AGENT_COUNT),
		others: list(LISTS_OTHERS),
		otherCount: count(LISTS_OTHER_COUNT),
		lines: count(LISTS_LINES),
	};
	current = file;
	instance = memory.instance;
	return lists;
}

/** Has the next call read its file anew: what was read lies in a workspace that was taken. */
export function forgetRecords(): void {
	current = undefined;
}

/** What was read of a file does not hold any more for its bytes, which are the caller's. */
export function changed(): RobotrieError {
	return new RobotrieError(
		"invalid-argument",
		"the bytes of a robots.txt changed after it was read: pass a copy to RobotsTxt.parse",
	);
}

/**
 * Puts texts, end to end, where the compiler reads them, in place of the file that was there.
 * @throws {RobotrieError} limit-exceeded, when memory cannot grow.
 */
export function placeText(parts: readonly Uint8Array[]): void {
	current = undefined;
	let size = 0;
	for (const part of parts) size += part.length;
	const memory = workspaceFor(size);
	let at = size < MAX_BLOCK ? memory.module.placeText(size + 1) >>> 0 : 0;
	if (at === 0) throw outOfMemory(`a text of ${size} bytes`);
	for (const part of parts) {
		memory.bytes().set(part, at);
		at += part.length;
	}
}
