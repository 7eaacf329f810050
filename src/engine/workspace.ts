/**
 * The instance that reads and compiles robots.txt files, and the records that its tokeniser makes of one. One text at a time lies in a
 * workspace; asking for another overwrites it. Large files get an instance of their own, since WebAssembly memory never shrinks.
 */
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
import {
	LinearMemory,
	mainModule,
	outOfMemory,
	type RowExports,
} from "./linear-memory.ts";

/** What assembly/index.ts exports; its contracts stand there. */
export interface MainExports extends RowExports {
	allocate(size: number): number;
	placeText(size: number): number;
	tokenise(from: number, end: number, flags: number, maxLine: number): number;
	placeAgents(size: number): number;
	readAgents(count: number, flags: number): number;
	chooseLines(): number;
	placeRanges(count: number): number;
	gather(count: number, flags: number): number;
	placeInputs(count: number): number;
	inputList(): number;
	inputCount(): number;
	compile(flags: number): number;
	startCompile(flags: number): number;
	continueCompile(most: number): number;
	finishCompile(isCompact: number): number;
	compileCompact(flags: number): number;
	compact(program: number): number;
	compactLater(program: number): number;
	rankedSources(): number;
	verify(program: number, length: number): number;
	reserveVisited(program: number): number;
	programLength(program: number): number;
	release(pointer: number): void;
	matchLines(program: number, from: number, length: number, to: number): number;
	matchOne(program: number, from: number, length: number): number;
	labelLines(
		from: number,
		length: number,
		verdicts: number,
		labels: number,
		only: number,
		to: number,
	): number;
}

/** The one instance that compiles rules and that matchers share. */
export const linear = new LinearMemory<MainExports>(mainModule);

/**
 * A file with more bytes is read and compiled in an instance of its own: that takes up to twenty times its bytes, and WebAssembly gives
 * no memory back but as a whole. An instance takes 0.2 ms.
 */
const LARGE = 128 * 1024;

let current = linear;

/** Where the text that is read and compiled lies, its records and what becomes of them. Another text may lie in another one. */
export function workspace(): LinearMemory<MainExports> {
	return current;
}

/** The workspace for the next text, of so many bytes; what lay in it is lost. */
export function workspaceFor(size: number): LinearMemory<MainExports> {
	current = size > LARGE ? largeWorkspace() : linear;
	return current;
}

/**
 * Takes the workspace in which the last text lies out of use: what lies there stays until it is given back, whatever is compiled
 * meanwhile. Undefined for the one that small texts share.
 */
export function takeWorkspace(): LinearMemory<MainExports> | undefined {
	if (current === linear) return undefined;
	const taken = current;
	current = linear;
	if (large?.deref() === taken) large = undefined;
	return taken;
}

export function giveBack(workspace: LinearMemory<MainExports>): void {
	large = new WeakRef(workspace);
}

/** Used again until the garbage collector takes it: to touch its memory for the first time takes as long as a third of compiling. */
let large: WeakRef<LinearMemory<MainExports>> | undefined;

function largeWorkspace(): LinearMemory<MainExports> {
	const kept = large?.deref();
	if (kept) return kept;
	const made = new LinearMemory<MainExports>(mainModule);
	large = new WeakRef(made);
	return made;
}

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
let tokenised: TokeniserInput | undefined;
let lists: RecordLists | undefined;
/** The instance in whose memory they lie. */
let instance = 0;

/**
 * The records of a file, which stand in linear memory until another one's are asked for.
 * @throws {RobotrieError} limit-exceeded, for a line of more than 16 MiB, or when memory cannot grow.
 */
export function tokenise(file: TokeniserInput): RecordLists {
	if (tokenised === file && lists && instance === workspace().instance)
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
		file.maxLineBytes,
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
	tokenised = file;
	instance = memory.instance;
	return lists;
}

/** Has the next call read its file anew: what was read lies in a workspace that was taken. */
export function forgetRecords(): void {
	tokenised = undefined;
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
	tokenised = undefined;
	let size = 0;
	for (const part of parts) size += part.length;
	const memory = workspaceFor(size);
	const isShared = memory === linear;
	let at = isShared && roomIn === memory.instance ? room : 0;
	if (at === 0) {
		if (isShared) size = LARGE;
		if (size < MAX_BLOCK) at = memory.module.placeText(size + 1) >>> 0;
		if (at === 0) throw outOfMemory(`a text of ${size} bytes`);
		if (isShared) {
			room = at;
			roomIn = memory.instance;
		}
	}
	for (const part of parts) {
		memory.bytes().set(part, at);
		at += part.length;
	}
}

/** Where small texts go, and in which instance: asking for each takes longer than copying it. */
let room = 0;
let roomIn = -1;

/**
 * The address of room for so many ranges of records, as a crawler's groups are.
 * @throws {RobotrieError} limit-exceeded, when memory cannot grow.
 */
export function roomForRanges(count: number): number {
	const memory = workspace();
	const areFew = memory === linear && count <= FEW;
	if (areFew && rangesIn === memory.instance) return ranges;
	const at = memory.module.placeRanges(Math.max(count, FEW)) >>> 0;
	if (at === 0) throw outOfMemory(`${count} groups`);
	ranges = at;
	// Many may have moved the room of few.
	rangesIn = areFew ? memory.instance : -1;
	return at;
}

/** Where few ranges go, and in which instance, as above. */
let ranges = 0;
let rangesIn = -1;
const FEW = 64;
