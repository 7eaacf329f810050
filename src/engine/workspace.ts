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
import type { Steps } from "../common/steps.ts";
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
	startTokenise(
		from: number,
		end: number,
		flags: number,
		maxLine: number,
	): void;
	continueTokenise(most: number): number;
	finishTokenise(): number;
	placeRanges(count: number): number;
	gather(count: number, flags: number): number;
	startGather(count: number, flags: number): void;
	continueGather(most: number): number;
	finishGather(): number;
	placeInputs(count: number): number;
	inputList(): number;
	inputCount(): number;
	compile(flags: number): number;
	startCompile(flags: number): void;
	continueCompile(most: number): number;
	startWrite(isCompact: boolean): void;
	continueWrite(isCompact: boolean, most: number): number;
	finishWrite(isCompact: boolean): number;
	compileCompact(flags: number): number;
	compact(program: number): number;
	rankedSources(): number;
	verify(program: number, length: number): number;
	reserveVisited(program: number): number;
	programLength(program: number): number;
	release(pointer: number): void;
	matchLines(program: number, from: number, length: number, to: number): number;
	matchOne(program: number, from: number, length: number): number;
}

/** An instance, and whose records lie in its memory. */
export class Workspace extends LinearMemory<MainExports> {
	#file: TokeniserInput | undefined;
	#lists: RecordLists | undefined;
	#filled = -1;

	/** The records of a file if they lie here. */
	recordsOf(file: TokeniserInput): RecordLists | undefined {
		return this.#file === file && this.#filled === this.instance
			? this.#lists
			: undefined;
	}

	/** Notes what lies here. */
	keep(file: TokeniserInput, lists: RecordLists): void {
		this.#file = file;
		this.#lists = lists;
		this.#filled = this.instance;
	}

	/** What lies here is overwritten. */
	forget(): void {
		this.#file = undefined;
	}
}

/** The one instance that compiles rules and that matchers share. */
export const linear = new Workspace(mainModule);

/**
 * A file with more bytes is read and compiled in an instance of its own: that takes up to twenty times its bytes, and WebAssembly gives
 * no memory back but as a whole. An instance takes 0.2 ms.
 */
const LARGE = 128 * 1024;

let current = linear;

/** Where the text that is read and compiled lies, its records and what becomes of them. Another text may lie in another one. */
export function workspace(): Workspace {
	return current;
}

/** The workspace for the next text, of so many bytes. */
export function workspaceFor(size: number): Workspace {
	current = size > LARGE ? largeWorkspace() : linear;
	return current;
}

/** Used again until the garbage collector takes it: to touch its memory for the first time takes as long as a third of compiling. */
let large: WeakRef<Workspace> | undefined;

function largeWorkspace(): Workspace {
	const kept = large?.deref();
	if (kept) return kept;
	const made = new Workspace(mainModule);
	large = new WeakRef(made);
	return made;
}

/** The records of a file, and where they lie. */
export interface Held {
	readonly memory: Workspace;
	readonly lists: RecordLists;
	/** They stay there until they are given back, whatever is read or compiled meanwhile; else they hold until the next step. */
	readonly isOwn: boolean;
}

/** Bytes of a file that are copied in a step, and bytes that are read. */
const COPIED = 1 << 20;
const READ = 1 << 15;

/**
 * The records of a file, made in steps; `giveBack` when they are of no more use. A large file has its workspace to itself until then: its
 * records are there still if it is asked for again before another large one.
 * @throws {RobotrieError} limit-exceeded, as `tokenise`.
 */
export function* holdRecords(file: TokeniserInput): Steps<Held> {
	const { from, end, flags } = file;
	if (end <= LARGE)
		return { lists: tokenise(file), memory: workspace(), isOwn: false };
	const memory = largeWorkspace();
	large = undefined;
	if (current === memory) current = linear;
	const known = memory.recordsOf(file);
	if (known) return { memory, lists: known, isOwn: true };
	memory.forget();
	if (file.bytes.length < end) throw changed();
	const at = placeFor(memory, end);
	for (let copied = 0; copied < end; copied += COPIED) {
		const to = Math.min(copied + COPIED, end);
		memory.bytes().set(file.bytes.subarray(copied, to), at + copied);
		yield;
	}
	const { module } = memory;
	module.startTokenise(from, end, flags, maxLineOf(file));
	while (module.continueTokenise(READ)) yield;
	const lists = listsAt(memory, module.finishTokenise(), file);
	memory.keep(file, lists);
	return { memory, lists, isOwn: true };
}

export function giveBack({ memory, isOwn }: Held): void {
	if (isOwn) large = new WeakRef(memory);
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

/**
 * The records of a file, which stand in linear memory until another one's are asked for. Those of the last file are there still; others
 * are read again: 2 microseconds a file.
 * @throws {RobotrieError} limit-exceeded, for a line of more than 16 MiB, or when memory cannot grow.
 */
export function tokenise(file: TokeniserInput): RecordLists {
	const known = workspaceFor(file.end).recordsOf(file);
	if (known) return known;
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
		maxLineOf(file),
	);
	const lists = listsAt(memory, address, file);
	memory.keep(file, lists);
	return lists;
}

function maxLineOf({ maxLineBytes }: TokeniserInput): number {
	return Math.min(maxLineBytes, 0xffffffff);
}

/** The lists at the address that the tokeniser returned. */
function listsAt(
	memory: Workspace,
	address: number,
	file: TokeniserInput,
): RecordLists {
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
	return {
		rules: list(LISTS_RULES),
		ruleCount: count(LISTS_RULE_COUNT),
		agents: list(LISTS_AGENTS),
		agentCount: count(LISTS_AGENT_COUNT),
		others: list(LISTS_OTHERS),
		otherCount: count(LISTS_OTHER_COUNT),
		lines: count(LISTS_LINES),
	};
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
	let size = 0;
	for (const part of parts) size += part.length;
	const memory = workspaceFor(size);
	memory.forget();
	let at = placeFor(memory, size);
	for (const part of parts) {
		memory.bytes().set(part, at);
		at += part.length;
	}
}

/** Where a text of so many bytes goes. */
function placeFor(memory: Workspace, size: number): number {
	const at = size < MAX_BLOCK ? memory.module.placeText(size + 1) >>> 0 : 0;
	if (at === 0) throw outOfMemory(`a text of ${size} bytes`);
	return at;
}
