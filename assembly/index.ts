/**
 * What the module offers to its host. Numbers go in and out; pointers are offsets in linear memory. Calls that take memory may grow it,
 * after which the host's views of it are stale. src/engine/workspace.ts has the types of what it exports.
 */
import { texts } from "./agents/identity";
import {
	allocate,
	append,
	Buffer,
	clear,
	isInput,
	release,
	reserveScratch,
	reserveVisited as reserveVisitedBits,
	visitedSize,
} from "./bytes/memory";
import { bitsSize } from "./bytes/numbers";
import {
	ALL,
	beginCompile,
	COMPILED,
	continueCompile as continueCompileOf,
	TOO_LARGE,
	UNFINISHED,
} from "./compile/compile";
import { listSymbols } from "./compile/encode-text";
import { readProgram } from "./compile/instructions";
import { gatherRules, inputs } from "./compile/read-rule";
import { keepRecent, recentProgram } from "./compile/recent";
import { writeCompact } from "./compile/write-compact";
import { writeProgram } from "./compile/write-program";
import {
	FORMAT_VERSION,
	H_BYTE_LENGTH,
	H_TABLE,
	H_VERSION,
	H_VISITED,
	MATCH_NO_MEMORY,
	MAX_U24,
	MODULE_VERSION,
	NO_MEMORY,
	RULE_INPUT_SIZE,
	TABLE_COUNT,
	TABLE_NONE,
	WRONG_USE,
} from "./format/program";
import {
	matchLines as matchLinesOf,
	matchOne as matchOneOf,
} from "./match/batch";
import { verify as verifyProgram } from "./match/verify";
import { tokeniseFile } from "./robots-txt/tokenise";

export { chooseLines, readAgents } from "./agents/identity";
export { allocate, input, release } from "./bytes/memory";
export { rankedSources } from "./compile/compile";
export { labelLines, oddRows, spreadRows } from "./url/lines";

/** Which exports, and what they take and give: MODULE_VERSION of format/program.ts. */
export function moduleVersion(): u32 {
	return MODULE_VERSION;
}

/** The text of the file. */
const text = changetype<Buffer>(memory.data(12, 4));

/** The rules to compile: pairs of u32, a first rule and the one after the last. */
const ranges = changetype<Buffer>(memory.data(12, 4));

/** Room for `size` bytes in an emptied buffer, which may be read some bytes beyond; 0 when memory cannot grow. */
function place(buffer: Buffer, size: usize): usize {
	clear(buffer);
	return append(buffer, size);
}

/** Where the host puts a robots.txt of `size` bytes; what was there is lost. 0 when memory cannot grow. */
export function placeText(size: usize): usize {
	return place(text, size);
}

/**
 * Cuts bytes [from, end) of the text into records, reading at most `maxLine` bytes of a line; `flags` are READ_. Returns the address of
 * LISTS, which hold until the next text, or 0 when memory cannot grow.
 */
export function tokenise(
	from: usize,
	end: usize,
	flags: u32,
	maxLine: usize,
): usize {
	const start = text.start;
	return tokeniseFile(start, start + from, start + end, flags, maxLine);
}

/** Where the host puts texts that name a crawler, most specific first: of each its length as u32, and its bytes. 0 when memory cannot grow. */
export function placeAgents(size: usize): usize {
	return place(texts, size);
}

/** Where the host puts `count` pairs of u32, the first rule of a group and the one after its last. 0 when memory cannot grow. */
export function placeRanges(count: usize): usize {
	return place(ranges, count << 3);
}

/** Makes inputs of the compiler (`inputList`) of the rules in the ranges; false when memory cannot grow, or a pair is not one of rules. */
export function gather(count: u32, flags: u32): bool {
	// What was placed before is all that there is to read.
	if (count > <u32>((ranges.end - ranges.start) >> 3)) return false;
	return gatherRules(text.start, ranges.start, count, flags);
}

/** Where the host puts `count` inputs for the compiler itself (format/program.ts: INPUT); 0 when memory cannot grow. */
export function placeInputs(count: usize): usize {
	return place(inputs, count * RULE_INPUT_SIZE);
}

/** The current inputs, and how many there are. */
export function inputList(): usize {
	return inputs.start;
}

export function inputCount(): u32 {
	return <u32>((inputs.end - inputs.start) / RULE_INPUT_SIZE);
}

/**
 * Compiles the current inputs, whose offsets count from the text. Returns the program, which stands until the next compilation; 0 when
 * memory cannot grow; 1 when the program would exceed MAX_U24 bytes.
 */
export function compile(flags: u32): usize {
	return writtenProgram(compileInputs(flags));
}

/** Begins to compile the current inputs; text and inputs have to stay until the last step. False when memory cannot grow. */
export function startCompile(flags: u32): bool {
	return (
		beginCompile(text.start, inputs.start, inputCount(), flags) == UNFINISHED
	);
}

/** Takes a step, of about `most` rules or instructions where that matters; whether there are more. The program comes by `finishCompile`. */
export function continueCompile(most: u32): bool {
	outcome = continueCompileOf(most);
	return outcome == UNFINISHED;
}

/** After the last step: as `compile` or, if `isCompact`, `compileCompact`. */
export function finishCompile(isCompact: bool): usize {
	return isCompact ? writtenCompact(outcome) : writtenProgram(outcome);
}

/** Of the last step. */
let outcome: u32 = COMPILED;

function writtenProgram(outcome: u32): usize {
	if (outcome != COMPILED) return outcome == TOO_LARGE ? 1 : 0;
	const program = writeProgram();
	return program && programLength(program) > <u32>MAX_U24 ? 1 : program;
}

function writtenCompact(outcome: u32): usize {
	if (outcome != COMPILED) return outcome == TOO_LARGE ? 1 : 0;
	listSymbols();
	return writeCompact(false);
}

/** As `compile`, for a compact program (format/compact.ts), which an index keeps. */
export function compileCompact(flags: u32): usize {
	const recent = recentProgram(text.start, inputs.start, inputCount(), flags);
	if (recent) return recent;
	const program = writtenCompact(compileInputs(flags));
	if (program > 1) keepRecent(program);
	return program;
}

/** The compact form of a verified program in the input region, until the next compilation; 0 when memory cannot grow. */
export function compact(program: usize): usize {
	listSymbols();
	return readProgram(program) ? writeCompact(false) : 0;
}

/** The same, where what the program disallows is VERDICT_LATER. */
export function compactLater(program: usize): usize {
	listSymbols();
	return readProgram(program) ? writeCompact(true) : 0;
}

function compileInputs(flags: u32): u32 {
	let outcome = beginCompile(text.start, inputs.start, inputCount(), flags);
	while (outcome == UNFINISHED) outcome = continueCompileOf(ALL);
	return outcome;
}

/** Checks bytes that claim to be a program. Returns a VERIFY_ code or NO_MEMORY. */
export function verify(program: usize, length: usize): i32 {
	const size = bitsSize(length);
	const bits = allocate(size);
	if (!bits) return NO_MEMORY;
	memory.fill(bits, 0, size);
	const reason = verifyProgram(program, length, bits);
	release(bits);
	return <i32>reason;
}

/** Makes room for the visited set of a program; false if memory cannot grow. */
export function reserveVisited(program: usize): bool {
	return reserveVisitedBits(load<u32>(program, H_VISITED));
}

/** Bytes of a program. */
export function programLength(program: usize): u32 {
	return load<u32>(program, H_BYTE_LENGTH);
}

/** Whether a call has what it needs: some comparisons, once for a call. A block that was released cannot be told. */
function isMisused(program: usize, from: usize, length: usize): bool {
	if (program < __heap_base || !isInput(from, length)) return true;
	// Two branches for all: this is a few nanoseconds of a call.
	const table: u32 = load<u8>(program, H_TABLE);
	const unknown = u32(table >= <u32>TABLE_COUNT) & u32(table != TABLE_NONE);
	const version = u32(load<u8>(program, H_VERSION) != FORMAT_VERSION);
	const bits = u32(load<u32>(program, H_VISITED) > (<u32>visitedSize()) << 3);
	return (unknown | version | bits) != 0;
}

/**
 * Judges the lines of [from, from + length), which lie in the input region; verdict bytes go to `to`, room for
 * length + 1 of them. Returns the number of lines, NO_MEMORY or WRONG_USE.
 */
export function matchLines(
	program: usize,
	from: usize,
	length: usize,
	to: usize,
): i32 {
	if (!reserveScratch(length)) return NO_MEMORY;
	if (isMisused(program, from, length)) return WRONG_USE;
	return <i32>matchLinesOf(program, from, length, to);
}

/**
 * Judges one text in the input region. Returns rank * 2 + (1 for allow) of the deciding rule, 0 if there is none, MATCH_INVALID,
 * MATCH_NO_MEMORY or WRONG_USE.
 */
export function matchOne(program: usize, from: usize, length: usize): i32 {
	if (!reserveScratch(length)) return MATCH_NO_MEMORY;
	if (isMisused(program, from, length)) return WRONG_USE;
	return <i32>matchOneOf(program, from, length);
}
