/**
 * What the module offers to its host. Numbers go in and out; pointers are offsets in linear memory. Calls that take
 * memory may grow it, after which the host's views of it are stale.
 */
import {
	matchLines as matchLinesOf,
	matchOne as matchOneOf,
} from "./match/batch";
import { append, Buffer, clear } from "./bytes/buffer";
import { compileRules, ranked } from "./compile/compile";
import { gatherRules, inputs } from "./compile/gather";
import {
	H_BYTE_LENGTH,
	H_VISITED,
	RULE_INPUT_SIZE,
	MATCH_NO_MEMORY,
	NO_MEMORY,
} from "./format/program";
import { LISTS_FIELDS } from "./format/records";
import {
	AgentRecord,
	OtherRecord,
	RecordLists,
	RuleRecord,
} from "./robots-txt/records";
import {
	agents,
	longBytes,
	longLine,
	others,
	rules,
	tokeniseFile,
} from "./robots-txt/tokenise";
import {
	allocate as allocateBlock,
	input as inputRegion,
	release as releaseBlock,
	reserveVisited as reserveVisitedBits,
	reserveScratch,
	tables as tablesPointer,
} from "./bytes/memory";
import { countLines as countLinesOf } from "./bytes/scan";
import { bitsSize, verify as verifyProgram } from "./match/verify";

/** Where the byte-class tables go (format/program.ts: TABLE_COUNT of TABLE_SIZE bytes); the host writes them once. */
export function tables(): usize {
	return tablesPointer;
}

/**
 * A region of at least `size` bytes for the host to write to, 0 when there is no memory. It is the module's own and
 * stays until the next call, which may move it and lose what it held.
 */
export function input(size: usize): usize {
	return inputRegion(size);
}

/** The text of the file. */
const text = changetype<Buffer>(memory.data(12, 4));

/** The rules to compile: pairs of u32, a first rule and the one behind the last. */
const ranges = changetype<Buffer>(memory.data(12, 4));

/** The lists of the file. */
const lists = changetype<RecordLists>(memory.data(4 * LISTS_FIELDS, 4));

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
	const lines = tokeniseFile(start, start + from, start + end, flags, maxLine);
	if (lines < 0) return 0;
	lists.rules = rules.start;
	lists.ruleCount = countOf(rules, offsetof<RuleRecord>());
	lists.agents = agents.start;
	lists.agentCount = countOf(agents, offsetof<AgentRecord>());
	lists.others = others.start;
	lists.otherCount = countOf(others, offsetof<OtherRecord>());
	lists.lines = lines;
	lists.longLine = longLine;
	lists.longBytes = longBytes;
	return changetype<usize>(lists);
}

function countOf(list: Buffer, size: usize): u32 {
	return <u32>((list.end - list.start) / size);
}

/** Where the host puts `count` pairs of u32, the first rule of a group and the one behind its last. 0 when memory cannot grow. */
export function placeRanges(count: usize): usize {
	return place(ranges, count << 3);
}

/** Makes inputs of the compiler (`inputList`) of the rules in the ranges; false when memory cannot grow. */
export function gather(count: u32, flags: u32): bool {
	return gatherRules(text.start, rules.start, ranges.start, count, flags);
}

/** Where the host puts `count` inputs for the compiler itself (format/program.ts: INPUT); 0 when memory cannot grow. */
export function placeInputs(count: usize): usize {
	return place(inputs, count * RULE_INPUT_SIZE);
}

/** The inputs at hand, and how many there are. */
export function inputList(): usize {
	return inputs.start;
}

export function inputCount(): u32 {
	return <u32>((inputs.end - inputs.start) / RULE_INPUT_SIZE);
}

/**
 * Compiles the inputs at hand, whose offsets count from the text. Returns the program, which stands until the next compilation; 0 when
 * memory cannot grow; 1 when the program would exceed MAX_U24 bytes.
 */
export function compile(flags: u32): usize {
	return compileRules(text.start, inputs.start, inputCount(), flags);
}

/** The last compilation's list of u32: the source of the rule for every rank from 1 on. */
export function rankedSources(): usize {
	return ranked;
}

/** `size` bytes for a program, the caller's until `release`; 0 when memory cannot grow. */
export function allocate(size: usize): usize {
	return allocateBlock(size);
}

/** Checks bytes that claim to be a program. Returns a VERIFY_ code or NO_MEMORY. */
export function verify(program: usize, length: usize): i32 {
	const size = bitsSize(length);
	const bits = allocateBlock(size);
	if (!bits) return NO_MEMORY;
	memory.fill(bits, 0, size);
	const reason = verifyProgram(program, length, bits);
	releaseBlock(bits);
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

/** Gives back a program. */
export function release(program: usize): void {
	releaseBlock(program);
}

/**
 * Judges the lines of [from, from + length), which lie in the input region; verdict bytes go to `to`, room for
 * length + 1 of them. Returns the number of lines or NO_MEMORY.
 */
export function matchLines(
	program: usize,
	from: usize,
	length: usize,
	to: usize,
): i32 {
	if (!reserveScratch(length)) return NO_MEMORY;
	return <i32>matchLinesOf(program, from, length, to);
}

/**
 * Judges one text in the input region. Returns rank * 2 + (1 for allow) of the deciding rule, 0 if there is none, MATCH_INVALID or
 * MATCH_NO_MEMORY.
 */
export function matchOne(program: usize, from: usize, length: usize): i32 {
	if (!reserveScratch(length)) return MATCH_NO_MEMORY;
	return <i32>matchOneOf(program, from, length);
}

/** Number of lines of [from, from + length), their ends found one by one: a lower bound for benchmarks. */
export function countLines(from: usize, length: usize): u32 {
	return countLinesOf(from, from + length);
}
