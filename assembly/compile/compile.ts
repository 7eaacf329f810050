/**
 * Compiles rules to instructions, in steps that the host may space out: read the patterns, rank them, build the code of prefixes, then that
 * of needles. index.ts begins it with the inputs of read-rule.ts, and has the result written by write-program.ts or write-compact.ts. The
 * text and the inputs must stay where they are until the last step.
 */
import { append, Buffer, clear } from "../bytes/memory";
import { KEYED_SIZE, keyedPointer, setKeyed, sortKeyed } from "../bytes/sort";
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
import { countSpecial, tableAt } from "../url/normalise";
import {
	bestRank,
	collectNeedles,
	collectPrefixes,
	dropRepeated,
	ENTRY_SIZE,
	lengthenSharedNeedles,
	SORT_SIZE,
	sortEntries,
	unanchorCrowds,
} from "./entries";
import {
	clearInstructions,
	code,
	isIncomplete,
	prefixPart,
	unanchoredPart,
} from "./instructions";
import {
	READER_SIZE,
	readRule,
	RuleInput,
	RuleReader,
	textSizeOf,
} from "./read-rule";
import { KIND_NEVER, Rule, ruleAt } from "./rule";
import { beginPart, buildFilter, emitSlots, jumpTableSize } from "./tables";

/** Rules can be compiled to code, or why not. */
export const COMPILED: u32 = 0;
/** Memory cannot grow. */
export const OUT_OF_MEMORY: u32 = 1;
/** Ranks do not fit 24 bits. */
export const TOO_LARGE: u32 = 2;
/** More steps are to come. */
export const UNFINISHED: u32 = 3;

/**
 * What a compilation does, in this order. A step ends where one of these ends, and within those that take the time: no step on 500 KiB
 * takes more than a few milliseconds.
 */
const READ: u32 = 0;
const RANK: u32 = 1;
const BEGIN_PREFIXES: u32 = 2;
const EMIT_PREFIXES: u32 = 3;
const SORT_NEEDLES: u32 = 4;
const BEGIN_NEEDLES: u32 = 5;
const EMIT_NEEDLES: u32 = 6;
const DONE: u32 = 7;

/** Rules that are read, or instructions that are made, where all are to be. */
export const ALL: u32 = <u32>i32.MAX_VALUE;

/** Working memory for a rule: at most two entries, pointers to them and the memory for sorting those. */
const ROOM_SIZE: usize = 2 * (ENTRY_SIZE + 4 + SORT_SIZE);

/** Patterns of fewer bytes get room for texts whatever they hold: counting takes time, and so little room is kept anyway. */
const FEW_BYTES: u64 = 1 << 16;

/** Rules, entries and texts, to which instructions point; slots and the prefilter. */
const work = changetype<Buffer>(memory.data(12, 4));
const tables = changetype<Buffer>(memory.data(12, 4));

const reader = changetype<RuleReader>(memory.data(READER_SIZE, 4));

/** The current compilation: its next step, where its rules and the working memory are, and how far it has read them. */
let stage: u32 = DONE;
let ruleInputs: usize = 0;
let inputCount: u32 = 0;
let inputsRead: u32 = 0;
let live: u32 = 0;
let rules: usize = 0;
let room: usize = 0;
let roomEnd: usize = 0;
let texts: usize = 0;
let textsEnd: usize = 0;
let byteClasses: u32 = 0;
/** Sorted entries of the part that comes next, how many, and where its slots go. */
let sorted: usize = 0;
let entries: u32 = 0;
let slots: usize = 0;

let ranked: usize = 0;

/** The last compilation's list of u32: the source of the rule for every rank from 1 on. */
export function rankedSources(): usize {
	return ranked;
}

/**
 * Begins to compile rule inputs, whose offsets count from `text`, to instructions; `continueCompile` goes on. Returns UNFINISHED or
 * OUT_OF_MEMORY. Text and inputs have to stay as they are until the end.
 */
export function beginCompile(
	text: usize,
	inputs: usize,
	count: u32,
	flags: u32,
): u32 {
	// Sources by rank, rules, room for entries, texts.
	const each = offsetof<Rule>() + 4 + ROOM_SIZE;
	const size = <u64>count * each + textsSize(text, inputs, count) + 128;
	stage = DONE;
	clear(work);
	if (size > <u64>MAX_BLOCK) return OUT_OF_MEMORY;
	ranked = append(work, <usize>size);
	if (!ranked) return OUT_OF_MEMORY;
	rules = ranked + <usize>count * 4;
	room = rules + <usize>count * offsetof<Rule>();
	roomEnd = room + <usize>count * ROOM_SIZE;
	texts = roomEnd + 64;
	textsEnd = ranked + <usize>size;
	ruleInputs = inputs;
	inputCount = count;
	const google = (flags & COMPILE_GOOGLE) != 0;
	reader.text = text;
	reader.google = google;
	reader.ignoresStarDollar = (flags & COMPILE_STAR_DOLLAR) != 0;
	reader.cutsEscapes = false;
	beginReading(google ? TABLE_GOOGLE : TABLE_BARE);
	return UNFINISHED;
}

/**
 * Takes the next step: reads about `most` rules, or makes as many instructions, where a step would take long. Returns UNFINISHED,
 * COMPILED, OUT_OF_MEMORY or TOO_LARGE. Instructions and `rankedSources` are valid until the next compilation begins.
 */
export function continueCompile(most: u32): u32 {
	const failure = takeStep(most);
	if (failure) {
		stage = DONE;
		return failure;
	}
	if (stage != DONE) return UNFINISHED;
	// Instructions do not need rules and entries any more.
	code.room = rules;
	code.roomEnd = roomEnd;
	return isIncomplete() ? OUT_OF_MEMORY : COMPILED;
}

/** Returns COMPILED, also where more is to come, or a failure. */
function takeStep(most: u32): u32 {
	if (stage == READ) {
		if (!readRules(most)) return COMPILED;
		// Checked by the debug build: what lies after it belongs to others.
		assert(reader.out <= textsEnd);
		// Some text could match a part of an escape, which the bare form does not have: all rules are read again in the standard's form.
		if (reader.cutsEscapes && byteClasses == TABLE_BARE)
			beginReading(TABLE_ESCAPED);
		else stage = RANK;
	} else if (stage == RANK) {
		rankRules();
		if (live > <u32>MAX_U24 >> 1) return TOO_LARGE;
		stage = BEGIN_PREFIXES;
	} else if (stage == BEGIN_PREFIXES) {
		if (!beginPrefixes()) return OUT_OF_MEMORY;
		stage = EMIT_PREFIXES;
	} else if (stage == EMIT_PREFIXES) {
		if (!emitSlots(most)) stage = SORT_NEEDLES;
	} else if (stage == SORT_NEEDLES) {
		entries = collectNeedles(live, rules, room, sorted);
		code.filter = entries ? slots : 0;
		code.largestUnanchored = 0;
		if (entries) sortEntries(sorted, entries, spareFor(sorted), 0);
		stage = entries ? BEGIN_NEEDLES : DONE;
	} else if (stage == BEGIN_NEEDLES) {
		beginNeedles();
		stage = EMIT_NEEDLES;
	} else if (!emitSlots(most)) stage = DONE;
	return COMPILED;
}

function beginReading(table: u32): void {
	byteClasses = table;
	reader.table = tableAt(table);
	reader.out = texts;
	inputsRead = 0;
	live = 0;
	stage = READ;
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

/**
 * Reads up to `most` more inputs; whether all have been read. `live` of the rules can match at all. Their normal form goes to `texts`.
 */
function readRules(most: u32): bool {
	const end = min<u32>(inputCount, inputsRead + most);
	for (; inputsRead < end; inputsRead++) {
		const rule = ruleAt(rules, live);
		readRule(rule, inputAt(ruleInputs, inputsRead), reader);
		if (rule.kind != KIND_NEVER) live++;
	}
	return end == inputCount;
}

/** Most bytes first, allow before disallow (RFC 9309 §2.2.2), then the earlier line. */
function precedenceKey(rule: Rule): u32 {
	// RULE_SUPREME has the largest length there is, beyond any pattern's.
	return ~(<u32>(
		min<u64>(((<u64>rule.length) << 1) | rule.allow, u32.MAX_VALUE)
	));
}

/**
 * Gives each rule its rank in the order of precedence. `room` holds two keyed lists and a list of u32. The sorted list is walked without touching the
 * rules, which lie too far apart for that.
 */
function rankRules(): void {
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

/** Begins the code of prefixes; false if memory cannot grow. */
function beginPrefixes(): bool {
	code.table = reader.google ? TABLE_NONE : byteClasses;
	code.ranks = live;
	clear(tables);
	clearInstructions(live);
	code.visitedBits = 0;
	code.onceOnly = true;
	const at = append(
		tables,
		jumpTableSize(live) + FILTER_SIZE + jumpTableSize(live * 2),
	);
	if (!at) return false;
	sorted = room + <usize>live * 2 * ENTRY_SIZE;
	const spare = spareFor(sorted);
	unanchorCrowds(live, rules, room, sorted, spare);
	entries = collectPrefixes(live, rules, room, sorted);
	slots = beginPart(prefixPart, sorted, entries, spare, at, false);
	return true;
}

/** Begins the code of needles, which are sorted. */
function beginNeedles(): void {
	const spare = spareFor(sorted);
	if (lengthenSharedNeedles(sorted, entries)) {
		sortEntries(sorted, entries, spare, 0);
		entries = dropRepeated(sorted, entries);
	}
	code.largestUnanchored = bestRank(sorted, entries);
	buildFilter(slots, sorted, entries);
	beginPart(unanchoredPart, sorted, entries, spare, slots + FILTER_SIZE, true);
}

/** The memory for sorting follows the pointers to entries, of which a rule has at most two. */
function spareFor(sorted: usize): usize {
	return sorted + <usize>live * 8;
}
