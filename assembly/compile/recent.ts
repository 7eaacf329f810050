/**
 * Compact programs that were made lately, so that the same rules are not compiled again: many sites have those that came with their
 * software. index.ts asks here before it compiles for an index, and has what it compiled kept.
 *
 *     key      u32 COMPILE_ flags, u32 number of rules; for each rule a u32 of its RULE_ flags and length, then its pattern
 *     entry    u32 length of the key, key; at PROGRAM_AT the program
 *
 * A program is taken for a key that is equal in all its bytes, never for a hash alone. Lines and offsets are not part of it: a compact
 * program does not tell which rule decides.
 */
import { load24 } from "../bytes/numbers";
import { copyForward, equal } from "../bytes/scan";
import { C_LENGTH } from "../format/compact";
import { RuleInput } from "./read-rule";

/** The rules of shops and blogs that have those of their software take up to 2 KiB. */
const MAX_KEY: usize = 2540;
const MAX_PROGRAM: usize = 1536;
const KEY_AT: usize = 4;
const PROGRAM_AT: usize = 2560;
const ENTRY_SIZE: usize = 4096;

/** One entry for each hash: what all have is set again soon after something else took its place. */
const ENTRY_BITS: u64 = 6;
const entries: usize = memory.data(4096 << 6);
const MIX: u64 = 0x9e3779b97f4a7c15;

/** The key of the rules that were asked for last, and some bytes that copying overwrites. */
const key: usize = memory.data(2560 + 16);
let keyLength: usize = 0;
let entry: usize = 0;

/** The program that was kept for these rules, or 0. Inputs are those of `beginCompile`. */
export function recentProgram(
	text: usize,
	inputs: usize,
	count: u32,
	flags: u32,
): usize {
	setKey(text, inputs, count, flags);
	if (!keyLength) return 0;
	entry = entries + <usize>(hashOfKey() >> (64 - ENTRY_BITS)) * ENTRY_SIZE;
	return load<u32>(entry) == <u32>keyLength &&
		equal(entry + KEY_AT, key, keyLength)
		? entry + PROGRAM_AT
		: 0;
}

/** Keeps the program of the rules that were asked for last. */
export function keepRecent(program: usize): void {
	const length: usize = load24(program + C_LENGTH);
	if (!keyLength || length > MAX_PROGRAM) return;
	store<u32>(entry, <u32>keyLength);
	memory.copy(entry + KEY_AT, key, keyLength);
	memory.copy(entry + PROGRAM_AT, program, length);
}

/** Writes the key; of length 0 if it is too long. */
function setKey(text: usize, inputs: usize, count: u32, flags: u32): void {
	keyLength = 0;
	store<u32>(key, flags);
	store<u32>(key, count, 4);
	let to = key + 8;
	const end = key + MAX_KEY;
	for (let i: u32 = 0; i < count; i++) {
		const rule = changetype<RuleInput>(
			inputs + <usize>i * offsetof<RuleInput>(),
		);
		const length: usize = rule.length;
		if (to + 4 > end || length > end - to - 4) return;
		store<u32>(to, (rule.flags << 24) | <u32>length);
		to = copyForward(text + rule.from, length, to + 4);
	}
	keyLength = to - key;
	// The hash reads whole words.
	store<u64>(to, 0);
}

/** Whoever makes keys of one hash only makes his own files be compiled. */
function hashOfKey(): u64 {
	let hash: u64 = 0;
	for (let at = key; at < key + keyLength; at += 8)
		hash = (hash ^ load<u64>(at)) * MIX;
	return hash;
}
