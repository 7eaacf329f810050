/**
 * Runs compact programs: reads their jump tables and their code. stretch.ts calls it for the candidates of a stretch, and programs.ts for
 * what a header says. It is match/run.ts with other opcodes; a loop for both encodings would decode every operand by a test. Programs must
 * be verified (compact-verify.ts), and paths be in normal form.
 */
import { visited } from "../bytes/memory";
import { varintEnd, load24, readVarint } from "../bytes/numbers";
import { equal, prefilter } from "../bytes/scan";
import {
	C_ALWAYS,
	C_HEADER_SIZE,
	C_LATER,
	C_LOWEST,
	C_UNANCHORED,
	CJ_BITS,
	CJ_BLOCK,
	CJ_ONE_BLOCK,
	CJ_SHORT_SIZE,
} from "../format/compact";
import {
	C_BRANCH,
	C_END_TEXT,
	C_FAR_BRANCH,
	C_FLOAT,
	C_FLOAT1,
	C_HASH,
	C_LONG_LITERAL,
	C_LONG_TEXT,
	C_NUMBER,
	C_ONCE,
	C_PLAIN,
	C_PREFIXED,
	C_PRIORITY_RULE_STOP,
	C_PRIORITY_TEXT,
	C_RULE,
	C_RULE_END,
	C_RULE_STOP,
	C_STOP,
	C_TEXT,
	C_TEXT_WILD,
	C_WILD,
} from "../format/opcodes";
import {
	VERDICT_LATER,
	WILD_AFTER_SLASH,
	WILD_ANCHORED,
} from "../format/program";
import {
	Candidate,
	hashBytes,
	isAllow,
	setCandidate,
} from "../match/path-spans";
import { branch, matchTail } from "../match/run";
import { afterText, textLength } from "./string-table";

/** Bytes of a bitmap with its counts. */
export function bitmapSize(bits: u32): usize {
	if (bits > CJ_ONE_BLOCK) return CJ_BLOCK << (bits - CJ_ONE_BLOCK);
	return bits > 3 ? (<usize>1) << (bits - 3) : 1;
}

/** The number of a slot's entry, or -1 if a bitmap lacks the slot; `tableEntry` does the same without branches. */
export function entryOf(map: usize, bits: u32, slot: u32): i32 {
	const block = map + <usize>(slot >> 6) * CJ_BLOCK;
	// The slot's bit becomes the highest, so that the others that are left count the entries before it.
	const word = load<u64>(block) << (63 - (slot & 63));
	if (!(word >> 63)) return -1;
	const before = bits > CJ_ONE_BLOCK ? load<u32>(block, 8) : 0;
	return <i32>(before + <u32>popcnt(word)) - 1;
}

/** `bitmapSize` for each number of bits. A table, as the conditions of `bitmapSize` would be branches in `tableEntry`. */
const BITMAP_SIZES = memory.data<u32>([
	1, 1, 1, 1, 2, 4, 8, 24, 48, 96, 192, 384, 768, 1536, 3072, 6144, 12288,
	24576, 49152, 98304, 196608, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
]);

/** ONCE has set a bit of the visited set. Programs none of whose ONCEs ran have nothing to clear. */
let hasVisited: bool = false;

/** The priority of the best rule that matches every path. */
export function alwaysOf(program: usize): u32 {
	const first: u32 = load<u8>(program, C_ALWAYS);
	// Hardly any has more bytes: a URL is spared a call.
	return first < 0x80 ? first : readVarint(program + C_ALWAYS);
}

/** The largest priority of unanchored patterns: when a better rule is known, none of them is tried. */
let largest: u32 = 0;

/** Address of the filter of a program with unanchored patterns; reads their `largestPriority`, too. */
export function readUnanchored(program: usize): usize {
	readVarint(program + C_ALWAYS);
	// Each read leaves `varintEnd` at what follows in the header: the priority, the distance, the largest priority, the bits.
	const filter = prefixTable(program) + <usize>load24(varintEnd);
	largest = readVarint(varintEnd + 3);
	return filter;
}

/** The largest priority of the unanchored patterns that were read last. */
export function largestPriority(): u32 {
	return largest;
}

/** Clears the visited set if a program has set bits of it. */
export function clearVisited(program: usize): void {
	if (!hasVisited) return;
	memory.fill(visited, 0, (visitedBitsOf(program) + 7) >> 3);
	hasVisited = false;
}

export function prefixTable(program: usize): usize {
	return program + <usize>load<u8>(program, C_HEADER_SIZE);
}

/**
 * The candidates that a jump table has at a position: at most one for short entries and one for the bytes there. Both are always written,
 * and never branch, as branches here would be mispredicted: whether one stays depends on how far the end of the list moves.
 * Three functions, each small enough for binaryen to inline in both places: as one that is called, URLs of many sites take 5% more time.
 */

/** Lists the candidate for short entries at `at`, if there is one; returns the end of the list. */
export function listShort(
	table: usize,
	span: usize,
	at: usize,
	to: usize,
): usize {
	const byte: u32 = load<u8>(at);
	const shorts: u32 = load<u8>(table + 4 + (byte >> 3));
	setCandidate(to, span, <u32>table + load24(table + 1), at);
	const isListed = (shorts >> (byte & 7)) & hasShort(table);
	return to + <usize>isListed * offsetof<Candidate>();
}

/** As `listShort`, for the entry that `tableEntry` has found for the bytes there, which have a hash. */
export function listEntry(
	table: usize,
	entry: u32,
	hash: u32,
	span: usize,
	at: usize,
	to: usize,
): usize {
	const distance = (entry >> 8) & (isWide(table) | 0xffff);
	setCandidate(to, span, <u32>table + distance, at);
	// Not zero if the entry has a tag, and another one than the hash.
	const differs = (entry ^ hash) & (0 - (entry & 1)) & 254;
	return to + (differs ? 0 : offsetof<Candidate>());
}

/** The entry for a hash in a jump table; where its slot is empty, one with the tag of no such hash. */
export function tableEntry(table: usize, hash: u32): u32 {
	const bits: u32 = load<u8>(table) & CJ_BITS;
	const map = mapOf(table);
	const entries = map + <usize>load<u32>(BITMAP_SIZES + (bits << 2));
	return entryIn(map, bits, countedIn(bits), entries, isWide(table), hash);
}

/** The same by what it reads of a table. */
function entryIn(
	map: usize,
	bits: u32,
	counted: u32,
	entries: usize,
	wide: u32,
	hash: u32,
): u32 {
	const slot = hash >>> (32 - bits);
	const block = map + <usize>(slot >> 6) * CJ_BLOCK;
	// The slot's bit becomes the highest, so that the others that are left count the entries before it. Of a shift's bits, six count.
	const word = load<u64>(block) << ~(<u64>slot);
	const index = (load<u32>(block, 8) & counted) + <u32>popcnt(word) - 1;
	const entry = load<u32>(entries + index * 3 + (index & wide));
	return select<u32>(entry, ~hash | 1, <i64>word < 0);
}

function mapOf(table: usize): usize {
	return table + 1 + <usize>hasShort(table) * CJ_SHORT_SIZE;
}

/** All ones if blocks of a bitmap have counts before them, else zero. */
function countedIn(bits: u32): u32 {
	return <u32>((<i32>CJ_ONE_BLOCK - <i32>bits) >> 31);
}

/** What `listOpened` needs of a jump table. Globals, as instances that share a memory would share what is in it. */
let opened: usize = 0;
let openedMap: usize = 0;
let openedBits: u32 = 0;
let openedCounted: u32 = 0;
let openedEntries: usize = 0;
let openedWide: u32 = 0;
let openedShort: u32 = 0;

/** Reads the head of a jump table once, for many calls of `listOpened`. */
export function openTable(table: usize): void {
	const bits: u32 = load<u8>(table) & CJ_BITS;
	opened = table;
	openedMap = mapOf(table);
	openedBits = bits;
	openedCounted = countedIn(bits);
	openedEntries = openedMap + <usize>load<u32>(BITMAP_SIZES + (bits << 2));
	openedWide = isWide(table);
	openedShort = hasShort(table);
}

/** As `listShort` and `listEntry` for the table that was opened. Whether it has short entries is the same for all lines: a branch. */
export function listOpened(
	span: usize,
	at: usize,
	hash: u32,
	to: usize,
): usize {
	if (openedShort) to = listShort(opened, span, at, to);
	const entry = entryIn(
		openedMap,
		openedBits,
		openedCounted,
		openedEntries,
		openedWide,
		hash,
	);
	const distance = (entry >> 8) & (openedWide | 0xffff);
	setCandidate(to, span, <u32>opened + distance, at);
	const differs = (entry ^ hash) & (0 - (entry & 1)) & 254;
	return to + (differs ? 0 : offsetof<Candidate>());
}

/** 1 if a jump table has short entries, else 0. */
function hasShort(table: usize): u32 {
	return (<u32>load<u8>(table) >> 6) & 1;
}

/** All ones if the entries of a jump table have four bytes, else zero. */
function isWide(table: usize): u32 {
	return <u32>(<i32>load<i8>(table) >> 7);
}

/** Verdict of a path with this best priority. No branch: which sites are asked again later is as good as random. */
export function verdictOf(best: u32): u32 {
	const later: u32 = u32((best & (C_LATER | 1)) == C_LATER) * VERDICT_LATER;
	return isAllow(best) | later;
}

/** A bit for each of the 64 bytes at a position, up to the end, where a literal may begin. */
export function positionsIn(filter: usize, at: usize, end: usize): u64 {
	const mask = prefilter(filter, at);
	return end - at < 64 ? mask & (((<u64>1) << (end - at)) - 1) : mask;
}

/** Bits of a program's visited set: one for each ONCE instruction. */
export function visitedBitsOf(program: usize): u32 {
	if (!load<u8>(program, C_UNANCHORED)) return 0;
	readUnanchored(program);
	// `readUnanchored` has left `varintEnd` at the bits.
	return readVarint(varintEnd);
}

/**
 * Executes code from `pc` at position `at` of the path [start, end) and returns the best priority. As `run` in run.ts, which says
 * what the instructions do.
 */
export function run(
	pc: usize,
	start: usize,
	at: usize,
	end: usize,
	best: u32,
): u32 {
	while (true) {
		const opcode: i32 = load<u8>(pc++);
		let count: usize = opcode & C_NUMBER;
		// What most opcodes without a count in themselves begin with: a priority, a size, a distance.
		let value: u32 = 0;
		if (opcode >= C_PLAIN) {
			if (opcode == C_STOP) return best;
			value = readVarint(pc);
			pc = varintEnd;
		}
		// Texts first: nearly all instructions that run are texts.
		if (opcode < C_BRANCH || opcode == C_LONG_LITERAL) {
			if (opcode == C_LONG_LITERAL) count = value;
			const from = pc;
			pc += count;
			const after = afterText(from, pc, at);
			let priority = C_LOWEST;
			if (opcode >= C_TEXT && opcode < C_BRANCH) {
				if (opcode >= C_PRIORITY_TEXT) {
					priority = readVarint(pc);
					pc = varintEnd;
				}
				if (after) best = max(best, priority);
				continue;
			}
			if (!after) return best;
			if (opcode < C_RULE_STOP || opcode == C_LONG_LITERAL) {
				at = after;
				continue;
			}
			return max(
				best,
				opcode < C_PRIORITY_RULE_STOP ? priority : readVarint(pc),
			);
		}
		if (opcode < C_PLAIN || opcode == C_FAR_BRANCH) {
			const far = opcode == C_FAR_BRANCH;
			count = far ? <usize>value : count + 1;
			const arm = branch(pc, count, load<u8>(at));
			if (arm < 0) return best;
			at++;
			pc += count;
			if (far) {
				pc += count * 3 + <usize>load24(pc + <usize>arm * 3);
			} else {
				// There is no distance for the first arm.
				const distances = pc - 1;
				pc = distances + count;
				if (arm) pc += <usize>load<u8>(distances + <usize>arm);
			}
			continue;
		}
		if (opcode == C_HASH) {
			const bits: u32 = load<u8>(pc++);
			const slot = hashBytes(at, value) >>> (32 - bits);
			const entry = entryOf(pc, bits, slot);
			if (entry < 0) return best;
			pc += <usize>load24(pc + bitmapSize(bits) + <usize>entry * 3);
			continue;
		}
		if (opcode == C_RULE || opcode == C_RULE_END) {
			if (opcode == C_RULE || at == end) best = max(best, value);
		} else {
			const second = readVarint(pc);
			pc = varintEnd;
			if (opcode == C_ONCE) {
				const word = visited + (second >> 3);
				const bits: u32 = load<u8>(word),
					bit: u32 = 1 << (second & 7);
				if (bits & bit) pc += value;
				store<u8>(word, bits | bit);
				hasVisited = true;
			} else {
				// As in run.ts: only a rule that would win is worth a search.
				if (value > best && matches(opcode, pc, second, start, at, end))
					best = value;
				pc += second;
			}
		}
	}
}

/** Whether a pattern matches whose operands are given. */
function matches(
	opcode: i32,
	operands: usize,
	size: usize,
	start: usize,
	at: usize,
	end: usize,
): bool {
	let tail = operands;
	switch (opcode) {
		case C_WILD:
			break;
		case C_LONG_TEXT:
		case C_END_TEXT:
		case C_TEXT_WILD: {
			const length: usize = readVarint(operands);
			tail = varintEnd + length;
			at = afterText(varintEnd, tail, at);
			if (!at || opcode == C_LONG_TEXT) return at != 0;
			if (opcode == C_END_TEXT) return at == end;
			break;
		}
		case C_FLOAT:
			at = start + usize(load<u8>(tail) & WILD_AFTER_SLASH ? 1 : 0);
			break;
		case C_PREFIXED: {
			const length: usize = readVarint(operands);
			tail = varintEnd + length;
			at = start + length;
			if (at > end || !equal(varintEnd, start, length)) return false;
			break;
		}
		case C_FLOAT1: {
			const flags: u32 = load<u8>(operands);
			const after: usize = readVarint(operands + 1);
			const before = varintEnd;
			const last = operands + size;
			const length = textLength(before, last) + after;
			return (
				length + (flags & WILD_AFTER_SLASH ? 1 : 0) <= at - start &&
				at <= end &&
				(at == end || !(flags & WILD_ANCHORED)) &&
				afterText(before, last, at - length) != 0
			);
		}
		default:
			return false;
	}
	return matchTail(tail, start, at, end);
}
