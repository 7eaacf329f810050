/**
 * Runs a program's code over paths: a loop around a switch, and the search for wildcard tails. batch.ts calls `runCandidates`; an index has
 * a loop of its own (sites/compact-run.ts), but uses `matchTail` and `branch` from here. Programs must be verified: nothing here checks
 * that code or texts end where they should.
 */
import { visited } from "../bytes/memory";
import {
	varintEnd,
	load24,
	readVarint,
	readVarintInline,
} from "../bytes/numbers";
import { equal, equalShort, find } from "../bytes/scan";
import {
	OP_BRANCH,
	OP_FLOAT,
	OP_FLOAT1,
	OP_HASH,
	OP_LITERAL,
	OP_NEED,
	OP_ONCE,
	OP_PREFIXED,
	OP_RULE,
	OP_RULE_END,
	OP_RULE_STOP,
	OP_STOP,
	OP_TEXT,
	OP_TEXT_WILD,
	OP_WILD,
} from "../format/opcodes";
import {
	H_MAX_UNANCHORED,
	H_ONCE_ONLY,
	H_VISITED,
	TEXT_END,
	TEXT_LAST,
	TEXT_LENGTH,
	WILD_AFTER_SLASH,
	WILD_ANCHORED,
} from "../format/program";
import {
	afterQuestionMark,
	forgetOccurrences,
	lastFits,
	LONG_PATH,
	scan,
	scanLong,
} from "./occurrences";
import { Candidate, hashBytes, PathSpan } from "./path-spans";
import { step } from "./trace";

/** Bits of the visited set that ONCE has set. */
let visitedCount: u32 = 0;
/** The span whose path the visited set is about. */
let visiting: usize = 0;

/** Forgets what was learnt about a path: the visited set of its program, and what occurs where. Must be called between two paths. */
export function leavePath(program: usize): void {
	forgetOccurrences();
	if (!visitedCount) return;
	memory.fill(visited, 0, (load<u32>(program, H_VISITED) + 7) >> 3);
	visitedCount = 0;
}

/** Whether no unanchored pattern can still improve the result of this path, wherever it is found. */
export function isSettled(program: usize, span: usize): bool {
	if (changetype<PathSpan>(span).best >= load<u32>(program, H_MAX_UNANCHORED))
		return true;
	return (
		// Patterns under a ONCE are tried as wholes, from the path's start: where their needles stand again does not matter. When all bits are
		// set, each pattern had its only chance on this path.
		span == visiting &&
		load<u8>(program, H_ONCE_ONLY) != 0 &&
		visitedCount == load<u32>(program, H_VISITED)
	);
}

/**
 * Runs the code of candidates and updates the best encoded rank of their spans. Candidates of one path are adjacent, also from one
 * call to the next; after the last of them the caller leaves the path.
 */
export function runCandidates(program: usize, first: usize, last: usize): void {
	for (let next = first; next < last; next += offsetof<Candidate>()) {
		const candidate = changetype<Candidate>(next);
		const address: usize = candidate.span;
		if (address != visiting) leavePath(program);
		visiting = address;
		const span = changetype<PathSpan>(address);
		span.best = run(
			program,
			program + <usize>candidate.code,
			span.path,
			candidate.at,
			span.end,
			span.best,
		);
	}
}

/**
 * Executes code from `pc` at position `at` of the path [start, end) and returns the best encoded rank. All targets lie
 * ahead, so it ends after at most as many instructions as the program has.
 *
 * What each opcode does, and its operands in their order, is in format/opcodes.ts. At an opcode's `pc + 1` its first operand begins;
 * ranks, sizes, skips and bits take three bytes, so that most offsets here are constants.
 *
 * The path is in normal form, a byte LF stands at `end` or at `end + 1` after a CR, and no text of a program holds
 * an LF: comparisons stop there by themselves, so none of them checks for the path's end.
 *
 * Its time goes to instructions and to mispredicted branches, in equal parts. Tried without gain: testing for the frequent
 * opcodes in front of the switch; needles compared one by one as TEXTs are; reading a program's lines of cache
 * ahead of its use; a loop over paths and TEXTs at once, which branches on nothing but "is it a TEXT" (8% slower to 9% faster);
 * all candidates an instruction at a time, by lists for TEXT, LITERAL and BRANCH: the lists take what the branches took.
 */
function run(
	program: usize,
	pc: usize,
	start: usize,
	at: usize,
	end: usize,
	best: u32,
): u32 {
	while (true) {
		if (isDefined(TRACED)) step(program, pc, start, at, end, best);
		switch (<i32>load<u8>(pc)) {
			case OP_STOP:
				return best;

			case OP_RULE_STOP:
				return max(best, load24(pc + 1));

			case OP_RULE:
				best = max(best, load24(pc + 1));
				pc += 4;
				break;

			case OP_RULE_END:
				// Only here the end counts: texts are compared without a look at it, see above.
				if (at == end) best = max(best, load24(pc + 1));
				pc += 4;
				break;

			case OP_LITERAL: {
				const length: usize = load<u8>(pc, 1);
				// All entries below this node begin with these bytes: if they differ, none of them can match, and there is nothing to go back to.
				if (!equal(pc + 2, at, length)) return best;
				pc += 2 + length;
				at += length;
				break;
			}

			case OP_BRANCH: {
				const count: usize = <usize>load<u8>(pc, 1) + 1;
				pc += 2;
				// Rules that end here stand in front of the branch: without an arm for the byte, they are all that matches.
				const target = branch(pc, count, load<u8>(at));
				if (target < 0) return best;
				pc = program + load24(pc + count + <usize>target * 3);
				at++;
				break;
			}

			// The tail is tried only for a rule that would win: searching costs more than any other instruction.
			case OP_WILD: {
				const rank = load24(pc + 4);
				if (rank > best && matchTail(pc + 7, start, at, end)) best = rank;
				pc += load24(pc + 1);
				break;
			}

			// A skip counts from the opcode; so does a size, here and below.
			case OP_NEED: {
				const found =
					end - at < LONG_PATH
						? find(load<u8>(pc, 1), at, end) < end
						: scanLong(pc + 1, 1, start, at, end) != 0;
				pc += found ? <usize>5 : <usize>load24(pc + 2);
				break;
			}

			case OP_ONCE: {
				const index = load24(pc + 4);
				const byte = visited + (index >> 3);
				const bits: u32 = load<u8>(byte),
					bit: u32 = 1 << (index & 7);
				if (bits & bit) {
					pc += load24(pc + 1);
				} else {
					store<u8>(byte, bits | bit);
					visitedCount++;
					pc += 7;
				}
				break;
			}

			// `before` begins the only literal; the rest of the literal, the needle, has just been passed, so the literal ends at `at`.
			case OP_FLOAT1: {
				const rank = load24(pc + 4);
				if (rank > best) {
					const flags: u32 = load<u8>(pc, 7);
					const beforeLength: usize = readVarint(pc + 8);
					const before = varintEnd;
					const length = beforeLength + readVarint(before + beforeLength);
					// Only a text with a CR could lead past the end, and no line of a robots.txt holds one.
					if (
						length + (flags & WILD_AFTER_SLASH ? 1 : 0) <= at - start &&
						at <= end &&
						(at == end || !(flags & WILD_ANCHORED)) &&
						(beforeLength == 0 || equal(at - length, before, beforeLength))
					) {
						best = rank;
					}
				}
				pc += load24(pc + 1);
				break;
			}

			// One literal of several has been met somewhere: the whole pattern is tried, from the path's first byte or the next one.
			case OP_FLOAT: {
				const rank = load24(pc + 4);
				if (
					rank > best &&
					matchTail(
						pc + 7,
						start,
						start + (load<u8>(pc, 7) & WILD_AFTER_SLASH ? 1 : 0),
						end,
					)
				)
					best = rank;
				pc += load24(pc + 1);
				break;
			}

			// As FLOAT, but after its prefix: where one prefix has so many patterns that they are looked for together.
			case OP_PREFIXED: {
				const rank = load24(pc + 4);
				if (rank > best) {
					const length: usize = readVarint(pc + 7);
					const prefix = varintEnd;
					if (
						start + length <= end &&
						equal(prefix, start, length) &&
						matchTail(prefix + length, start, start + length, end)
					) {
						best = rank;
					}
				}
				pc += load24(pc + 1);
				break;
			}

			// Texts that begin alike are all compared, as they are few: that takes less than one branch that is mispredicted.
			case OP_TEXT: {
				const shape: u32 = load<u8>(pc, 1);
				const length = (shape & TEXT_LENGTH) + 1;
				const ends = u32((shape & TEXT_END) == 0) | u32(at + length == end);
				const found = equalShort(pc + 5, at, length) & ends;
				best = max(best, load24(pc + 2) & (0 - found));
				if (shape & TEXT_LAST) return best;
				pc += 5 + length;
				break;
			}

			case OP_TEXT_WILD: {
				const shape: u32 = load<u8>(pc, 2);
				const length = (shape & TEXT_LENGTH) + 1;
				const text = pc + 6;
				const rank = load24(pc + 3);
				if (
					equalShort(text, at, length) &&
					rank > best &&
					matchTail(text + length, start, at + length, end)
				)
					best = rank;
				if (shape & TEXT_LAST) return best;
				pc += load<u8>(pc, 1);
				break;
			}

			// As a jump table, but deeper in a path: what is found in the slot is compared, hashed bytes too, so a path's end need not be looked at.
			case OP_HASH: {
				const bits: u32 = load<u8>(pc, 2);
				const slot = hashBytes(at, <u32>load<u8>(pc, 1)) >>> (32 - bits);
				const target = load24(pc + 3 + <usize>slot * 3);
				if (!target) return best;
				pc = program + <usize>target;
				break;
			}

			default:
				return best;
		}
	}
}

/** Index of a byte among the `count` of a BRANCH, or -1. */
export function branch(bytes: usize, count: usize, byte: u8): i32 {
	const wanted = i8x16.splat(byte);
	for (let base: usize = 0; base < count; base += 16) {
		const found = i8x16.bitmask(i8x16.eq(v128.load(bytes + base), wanted));
		if (found) {
			const index = base + ctz(found);
			// A match after the bytes is one of the targets' bytes.
			return index < count ? <i32>index : -1;
		}
	}
	return -1;
}

/**
 * A wildcard tail: flags:8 literals:varint, then each literal as (length * 2 + has-query-form):varint bytes
 * [length:varint bytes]. Any bytes may stand in front of each literal; the leftmost occurrence is always the best
 * one, as it leaves most for what follows.
 */
export function matchTail(
	tail: usize,
	start: usize,
	at: usize,
	end: usize,
): bool {
	if (end - start < LONG_PATH) return matchLiterals<u8>(tail, start, at, end);
	return lastFits(tail, at, end) && matchLiterals<u32>(tail, start, at, end);
}

/** `Length` is u8 for short paths and u32 for long ones. Each has code of its own, so that short ones are spared the tests. */
function matchLiterals<Length>(
	tail: usize,
	start: usize,
	at: usize,
	end: usize,
): bool {
	const long = sizeof<Length>() > 1;
	const anchored = load<u8>(tail) & WILD_ANCHORED;
	let count = readVarintInline(tail + 1);
	let next = varintEnd;
	let query: usize = 0;
	for (; count; count--) {
		const lengthAndForms = readVarintInline(next);
		let text = varintEnd;
		let length: usize = lengthAndForms >> 1;
		let form: usize = 0;
		next = text + length;
		if (lengthAndForms & 1) {
			form = next;
			next = readVarintInline(form) + varintEnd;
		}
		let from = at;
		while (true) {
			const found =
				anchored && count == 1
					? endsWith(text, length, from, end)
					: long
						? scanLong(text, length, start, from, end)
						: scan(text, length, from, end);
			if (found) {
				at = found + length;
				break;
			}
			if (!form) return false;
			// After the first "?" reserved characters equal their escapes (RFC 9309 §2.2.2), in front of it they do not.
			// The bare form cannot be met before the escaped one: the latter lies before the "?" or spans it.
			if (!query) {
				query = long
					? afterQuestionMark(start, end)
					: find(0x3f, start, end) + 1;
			}
			// The other form of the same literal; it has no third one.
			from = max(at, query);
			length = readVarintInline(form);
			text = varintEnd;
			form = 0;
		}
	}
	return true;
}

/** Where a text begins that ends [from, end), or 0. */
function endsWith(text: usize, length: usize, from: usize, end: usize): usize {
	const begin = end - length;
	return from + length <= end && equal(begin, text, length) ? begin : 0;
}
