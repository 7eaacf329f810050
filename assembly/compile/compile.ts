import {
	COMPILE_GOOGLE,
	COMPILE_STAR_DOLLAR,
	FILTER_SIZE,
	MAX_BLOCK,
	MAX_U24,
	RULE_INPUT_SIZE,
	TABLE_BARE,
	TABLE_ESCAPED,
	TABLE_GOOGLE,
	TABLE_NONE,
} from "../format/program";
import {
	bestRank,
	collectNeedles,
	collectPrefixes,
	dropRepeated,
	unanchorCrowds,
	lengthenSharedNeedles,
} from "./entries";
import { ENTRY_SIZE, SORT_SIZE, sortEntries } from "./entry";
import { buildFilter } from "./filter";
import {
	clearInstructions,
	code,
	isIncomplete,
	prefixPart,
	unanchoredPart,
} from "./instructions";
import { emitPart, jumpTableSize } from "./jump-table";
import { RuleInput } from "./gather";
import { append, Buffer, clear } from "../bytes/buffer";
import { countSpecial } from "../url/normalise";
import { tableAt } from "../url/tables";
import { READER_SIZE, readRule, RuleReader, textSizeOf } from "./read-rule";
import { KIND_NEVER, Rule, ruleAt } from "./rule";
import { KEYED_SIZE, keyedPointer, setKeyed, sortKeyed } from "../bytes/sort";

/** Rules can be compiled to code, or why not. */
export const COMPILED: u32 = 0;
/** Memory cannot grow. */
export const OUT_OF_MEMORY: u32 = 1;
/** Ranks do not fit 24 bits. */
export const TOO_LARGE: u32 = 2;

/** Working memory for a rule: at most two entries, pointers to them and the memory for sorting those. */
const ROOM_SIZE: usize = 2 * (ENTRY_SIZE + 4 + SORT_SIZE);

/** Patterns of fewer bytes get room for texts whatever they hold: counting takes time, and so little room is kept anyway. */
const FEW_BYTES: u64 = 1 << 16;

/** Rules, entries and texts, to which instructions point; slots and the prefilter. */
const work = changetype<Buffer>(memory.data(12, 4));
const tables = changetype<Buffer>(memory.data(12, 4));

const reader = changetype<RuleReader>(memory.data(READER_SIZE, 4));

let ranked: usize = 0;

/** The last compilation's list of u32: the source of the rule for every rank from 1 on. */
export function rankedSources(): usize {
	return ranked;
}

/**
 * Compiles rule inputs, whose offsets count from `text`, to instructions; returns COMPILED, OUT_OF_MEMORY or TOO_LARGE. Instructions and
 * `rankedSources` are valid until the next call.
 */
export function compileRules(
	text: usize,
	inputs: usize,
	count: u32,
	flags: u32,
): u32 {
	// Sources by rank, rules, room for entries, texts.
	const each = offsetof<Rule>() + 4 + ROOM_SIZE;
	const size = <u64>count * each + textsSize(text, inputs, count) + 128;
	clear(work);
	if (size > <u64>MAX_BLOCK) return OUT_OF_MEMORY;
	ranked = append(work, <usize>size);
	if (!ranked) return OUT_OF_MEMORY;
	const rules = ranked + <usize>count * 4;
	const room = rules + <usize>count * offsetof<Rule>();
	const roomEnd = room + <usize>count * ROOM_SIZE;
	const texts = roomEnd + 64;
	const google = (flags & COMPILE_GOOGLE) != 0;
	let table: u32 = google ? TABLE_GOOGLE : TABLE_BARE;
	reader.text = text;
	reader.google = google;
	reader.ignoresStarDollar = (flags & COMPILE_STAR_DOLLAR) != 0;
	reader.cutsEscapes = false;
	let live = readRules(inputs, count, table, rules, texts);
	if (reader.cutsEscapes && !google) {
		table = TABLE_ESCAPED;
		live = readRules(inputs, count, table, rules, texts);
	}
	// Checked by the debug build: what lies behind belongs to others.
	assert(reader.out <= ranked + <usize>size);
	rank(live, rules, room);
	if (live > <u32>MAX_U24 >> 1) return TOO_LARGE;
	code.table = google ? TABLE_NONE : table;
	code.ranks = live;
	const failure = emitCode(live, rules, room);
	// Instructions do not need rules and entries any more.
	code.room = rules;
	code.roomEnd = roomEnd;
	return failure;
}

/** Most bytes that the texts of rules can take. */
function textsSize(text: usize, inputs: usize, count: u32): u64 {
	let bytes: u64 = 0;
	for (let i: u32 = 0; i < count; i++) bytes += inputAt(inputs, i).length;
	if (bytes < FEW_BYTES) return textSizeOf(count, bytes, bytes);
	let special: u64 = 0;
	for (let i: u32 = 0; i < count; i++) {
		const input = inputAt(inputs, i);
		const from = text + input.from;
		special += countSpecial(from, from + input.length);
	}
	return textSizeOf(count, bytes, special);
}

function inputAt(inputs: usize, index: u32): RuleInput {
	return changetype<RuleInput>(inputs + <usize>index * RULE_INPUT_SIZE);
}

/** Reads the inputs, their normal form to `texts`; returns how many of the rules can match at all. */
function readRules(
	inputs: usize,
	count: u32,
	table: u32,
	rules: usize,
	texts: usize,
): u32 {
	reader.table = tableAt(table);
	reader.out = texts;
	let live: u32 = 0;
	for (let i: u32 = 0; i < count; i++) {
		const rule = ruleAt(rules, live);
		readRule(rule, inputAt(inputs, i), reader);
		if (rule.kind != KIND_NEVER) live++;
	}
	return live;
}

/** Most bytes first, allow before disallow (RFC 9309 §2.2.2), then the earlier line. */
function precedenceKey(rule: Rule): u32 {
	// RULE_SUPREME has the largest length there is, beyond any pattern's.
	return ~(<u32>(
		min<u64>(((<u64>rule.length) << 1) | rule.allow, u32.MAX_VALUE)
	));
}

/**
 * Orders the rules by precedence. `room` holds two keyed lists and a list of u32. The sorted list is walked without touching the
 * rules, which lie too far apart for that.
 */
function rank(live: u32, rules: usize, room: usize): void {
	const sources = room + <usize>live * (2 * KEYED_SIZE);
	for (let i: u32 = 0; i < live; i++) {
		const rule = ruleAt(rules, i);
		setKeyed(room, i, precedenceKey(rule), i);
		store<u32>(sources + ((<usize>i) << 2), rule.source);
	}
	sortKeyed(room, live, room + <usize>live * KEYED_SIZE);
	const ranks = room + <usize>live * KEYED_SIZE;
	for (let i: u32 = 0; i < live; i++) {
		const index = keyedPointer(room, i) << 2;
		const rank = live - i;
		store<u32>(ranks + index, rank);
		store<u32>(ranked + ((<usize>rank - 1) << 2), load<u32>(sources + index));
	}
	for (let i: u32 = 0; i < live; i++) {
		const rule = ruleAt(rules, i);
		rule.rank = (load<u32>(ranks + ((<usize>i) << 2)) << 1) | rule.allow;
	}
}

/** Makes the instructions of ranked rules; `room` has ROOM_SIZE bytes a rule. */
function emitCode(live: u32, rules: usize, room: usize): u32 {
	clear(tables);
	clearInstructions(live);
	code.visitedBits = 0;
	code.onceOnly = true;
	let to = append(
		tables,
		jumpTableSize(live) + FILTER_SIZE + jumpTableSize(live * 2),
	);
	if (!to) return OUT_OF_MEMORY;
	const sorted = room + <usize>live * 2 * ENTRY_SIZE;
	const spare = sorted + <usize>live * 8;
	unanchorCrowds(live, rules, room, sorted, spare);
	let entries = collectPrefixes(live, rules, room, sorted);
	to = emitPart(prefixPart, sorted, entries, spare, to, false);
	entries = collectNeedles(live, rules, room, sorted);
	code.filter = entries ? to : 0;
	code.largestUnanchored = 0;
	if (entries) {
		sortEntries(sorted, entries, spare, 0);
		if (lengthenSharedNeedles(sorted, entries)) {
			sortEntries(sorted, entries, spare, 0);
			entries = dropRepeated(sorted, entries);
		}
		code.largestUnanchored = bestRank(sorted, entries);
		buildFilter(to, sorted, entries);
		emitPart(unanchoredPart, sorted, entries, spare, to + FILTER_SIZE, true);
	}
	return isIncomplete() ? OUT_OF_MEMORY : COMPILED;
}
