/**
 * Compiles rules to instructions, in steps that the host may space out: read the patterns, rank them, build the code of prefixes, then that
 * of needles. index.ts begins it with the inputs of read-rule.ts, and has the result written by write-program.ts or write-compact.ts. The
 * text and the inputs must stay where they are until the last step.
 */
import { append, Buffer, clear } from "../bytes/memory";
import {
	beginSort,
	continueSort,
	KEYED_SIZE,
	keyedPointer,
	setKeyed,
	sortKeyed,
} from "../bytes/sort";
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
	beginCollecting,
	beginSortEntries,
	bestRank,
	collectedCount,
	collectNeedles,
	collectPrefixes,
	collectWildcards,
	continueSortEntries,
	dropRepeated,
	ENTRY_SIZE,
	lengthenSharedNeedles,
	SORT_SIZE,
	unanchorCrowds,
} from "./entries";
import {
	clearInstructions,
	code,
	hasRoomForInstructions,
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
import {
	beginFilter,
	beginPart,
	continuePart,
	countPrefixes,
	endFilter,
	groupNeedles,
	jumpTableSize,
	partEnd,
} from "./tables";

/** Rules can be compiled to code, or why not. */
export const COMPILED: u32 = 0;
/** Memory cannot grow. */
export const OUT_OF_MEMORY: u32 = 1;
/** Ranks do not fit 24 bits. */
export const TOO_LARGE: u32 = 2;
/** More steps are to come. */
export const UNFINISHED: u32 = 3;

/**
 * What a compilation does, in this order. A step ends where one of these ends, and within each: none goes over more than about `most`
 * rules, entries or instructions, of which 16 MiB may hold two million.
 */
const MEASURE: u32 = 0;
const COUNT_SPECIAL: u32 = 1;
const READ: u32 = 2;
const MAKE_KEYS: u32 = 3;
const SORT_RANKS: u32 = 4;
const LIST_RANKS: u32 = 5;
const SET_RANKS: u32 = 6;
const COLLECT_WILDCARDS: u32 = 7;
const SORT_WILDCARDS: u32 = 8;
const UNANCHOR_CROWDS: u32 = 9;
const COLLECT_PREFIXES: u32 = 10;
const EMIT_PREFIXES: u32 = 11;
const COLLECT_NEEDLES: u32 = 12;
const SORT_NEEDLES: u32 = 13;
const LENGTHEN_NEEDLES: u32 = 14;
const SORT_LENGTHENED: u32 = 15;
const DROP_REPEATED: u32 = 16;
const COUNT_NEEDLES: u32 = 17;
const GROUP_NEEDLES: u32 = 18;
const EMIT_NEEDLES: u32 = 19;
const DONE: u32 = 20;

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

/** The current compilation: its next step, the first item that it has not gone over, where its rules and the working memory are. */
let stage: u32 = DONE;
let at: u32 = 0;
let ruleInputs: usize = 0;
let inputCount: u32 = 0;
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
/** Bytes of all patterns, and how many of them take more than one in a text. */
let patternBytes: u64 = 0;
let special: u64 = 0;
/** Some needles were lengthened; those that are kept. */
let lengthened: bool = false;
let kept: u32 = 0;

let ranked: usize = 0;

/** The last compilation's list of u32: the source of the rule for every rank from 1 on. */
export function rankedSources(): usize {
	return ranked;
}

/**
 * Begins to compile rule inputs, whose offsets count from `text`, to instructions; `continueCompile` goes on. Text and inputs have to
 * stay as they are until the end.
 */
export function beginCompile(
	text: usize,
	inputs: usize,
	count: u32,
	flags: u32,
): void {
	clear(work);
	ruleInputs = inputs;
	inputCount = count;
	patternBytes = 0;
	special = 0;
	reader.text = text;
	reader.google = (flags & COMPILE_GOOGLE) != 0;
	reader.ignoresStarDollar = (flags & COMPILE_STAR_DOLLAR) != 0;
	reader.cutsEscapes = false;
	begin(MEASURE);
}

function begin(next: u32): void {
	stage = next;
	at = 0;
}

/** Whether a stage has gone over all of its items, of which it went over those up to `end`. */
function isThrough(end: u32, count: u32): bool {
	at = end;
	return end >= count;
}

/** Makes room for the rules, whose patterns have so many bytes at most that take more than one in a text; false if memory cannot grow. */
function beginRules(most: u64): bool {
	const count = inputCount;
	// Sources by rank, rules, room for entries, texts.
	const each = offsetof<Rule>() + 4 + ROOM_SIZE;
	const size = <u64>count * each + textSizeOf(count, patternBytes, most) + 128;
	if (size > <u64>MAX_BLOCK) return false;
	ranked = append(work, <usize>size);
	if (!ranked) return false;
	rules = ranked + <usize>count * 4;
	room = rules + <usize>count * offsetof<Rule>();
	roomEnd = room + <usize>count * ROOM_SIZE;
	texts = roomEnd + 64;
	textsEnd = ranked + <usize>size;
	beginReading(reader.google ? TABLE_GOOGLE : TABLE_BARE);
	return true;
}

/**
 * Takes the next step: reads about `most` rules, or as many of what it makes of them. Returns UNFINISHED,
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
	const end = min<u32>(live, at + most);
	if (stage <= READ) {
		if (stage == MEASURE) {
			if (!measure(most)) return COMPILED;
			if (patternBytes >= FEW_BYTES) begin(COUNT_SPECIAL);
			else if (!beginRules(patternBytes)) return OUT_OF_MEMORY;
		} else if (stage == COUNT_SPECIAL) {
			if (countSpecials(most) && !beginRules(special)) return OUT_OF_MEMORY;
		} else if (readRules(most)) {
			// Checked by the debug build: what lies after it belongs to others.
			assert(reader.out <= textsEnd);
			if (reader.cutsEscapes && byteClasses == TABLE_BARE)
				beginReading(TABLE_ESCAPED);
			else begin(MAKE_KEYS);
		}
	} else if (stage <= SET_RANKS) {
		rank(most, end);
		if (stage > SET_RANKS) {
			if (live > <u32>MAX_U24 >> 1) return TOO_LARGE;
			if (!beginPrefixes()) return OUT_OF_MEMORY;
		}
	} else if (stage <= COLLECT_PREFIXES) collectPrefixesOf(most, end);
	else if (stage == EMIT_PREFIXES) {
		if (hasRoomForInstructions(most) && !continuePart(most)) endPrefixes();
	} else if (stage <= GROUP_NEEDLES) needles(most, end);
	else if (hasRoomForInstructions(most) && !continuePart(most)) begin(DONE);
	return COMPILED;
}

function beginReading(table: u32): void {
	byteClasses = table;
	reader.table = tableAt(table);
	reader.out = texts;
	live = 0;
	begin(READ);
}

/** Bytes of patterns that take as long to go over as a rule. */
const BYTES_OF_RULE: u32 = 6;

/** Measures up to `most` more patterns; whether all have been. */
function measure(most: u32): bool {
	const end = min<u32>(inputCount, at + most);
	for (let i = at; i < end; i++) patternBytes += inputAt(ruleInputs, i).length;
	return isThrough(end, inputCount);
}

/** Looks at about `most` more patterns; whether all have been. */
function countSpecials(most: u32): bool {
	let left = <i64>most;
	for (; at < inputCount && left > 0; at++) {
		const input = inputAt(ruleInputs, at);
		const from = reader.text + input.from;
		special += countSpecial(from, from + input.length);
		left -= 1 + (input.length >> BYTES_OF_RULE);
	}
	return at == inputCount;
}

function inputAt(inputs: usize, index: u32): RuleInput {
	return changetype<RuleInput>(inputs + <usize>index * RULE_INPUT_SIZE);
}

/**
 * Reads up to `most` more inputs; whether all have been read. `live` of the rules can match at all. Their normal form goes to `texts`.
 */
function readRules(most: u32): bool {
	let left = <i64>most;
	for (; at < inputCount && left > 0; at++) {
		const rule = ruleAt(rules, live);
		const input = inputAt(ruleInputs, at);
		readRule(rule, input, reader);
		left -= 1 + (input.length >> BYTES_OF_RULE);
		if (rule.kind != KIND_NEVER) live++;
	}
	return at == inputCount;
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
function rank(most: u32, end: u32): void {
	const ranks = room + <usize>live * KEYED_SIZE;
	const sources = ranks + <usize>live * KEYED_SIZE;
	if (stage == MAKE_KEYS) {
		for (let i = at; i < end; i++) {
			const rule = ruleAt(rules, i);
			setKeyed(room, i, precedenceKey(rule), i);
			store<u32>(sources + ((<usize>i) << 2), rule.source);
		}
		if (!isThrough(end, live)) return;
		begin(live > most ? SORT_RANKS : LIST_RANKS);
		if (live > most) beginSort(room, live, ranks);
		else sortKeyed(room, live, ranks);
	} else if (stage == SORT_RANKS) {
		if (!continueSort(most)) begin(LIST_RANKS);
	} else if (stage == LIST_RANKS) {
		for (let i = at; i < end; i++) {
			const index = keyedPointer(room, i) << 2;
			const rank = live - i;
			store<u32>(ranks + index, rank);
			store<u32>(ranked + ((<usize>rank - 1) << 2), load<u32>(sources + index));
		}
		if (isThrough(end, live)) begin(SET_RANKS);
	} else {
		for (let i = at; i < end; i++) {
			const rule = ruleAt(rules, i);
			rule.rank = (load<u32>(ranks + ((<usize>i) << 2)) << 1) | rule.allow;
		}
		if (isThrough(end, live)) begin(COLLECT_WILDCARDS);
	}
}

/** Begins the code of prefixes; false if memory cannot grow. */
function beginPrefixes(): bool {
	code.table = reader.google ? TABLE_NONE : byteClasses;
	code.ranks = live;
	code.always = 0;
	clear(tables);
	clearInstructions(live);
	code.visitedBits = 0;
	code.onceOnly = true;
	slots = append(
		tables,
		jumpTableSize(live) + FILTER_SIZE + jumpTableSize(live * 2),
	);
	sorted = room + <usize>live * 2 * ENTRY_SIZE;
	beginCollecting(room, sorted);
	return slots != 0;
}

/** From the ranked rules to the entries of their prefixes. */
function collectPrefixesOf(most: u32, end: u32): void {
	if (stage == COLLECT_WILDCARDS) {
		const crowds = collectWildcards(rules, at, end);
		if (!isThrough(end, live)) return;
		entries = collectedCount();
		beginCollecting(room, sorted);
		begin(crowds ? SORT_WILDCARDS : COLLECT_PREFIXES);
		if (crowds) beginSortEntries(sorted, entries, spareFor(sorted), 0);
	} else if (stage == SORT_WILDCARDS) {
		if (!continueSortEntries(most)) begin(UNANCHOR_CROWDS);
	} else if (stage == UNANCHOR_CROWDS) {
		const to = min<u32>(entries, at + most);
		unanchorCrowds(sorted, at, to);
		if (isThrough(to, entries)) begin(COLLECT_PREFIXES);
	} else {
		collectPrefixes(rules, at, end);
		if (!isThrough(end, live)) return;
		entries = collectedCount();
		const spare = spareFor(sorted);
		beginPart(prefixPart, sorted, entries, spare, slots, false);
		begin(EMIT_PREFIXES);
	}
}

function endPrefixes(): void {
	slots = partEnd(prefixPart);
	beginCollecting(room, sorted);
	begin(COLLECT_NEEDLES);
}

/** From the ranked rules to the entries of their needles, and their prefilter. */
function needles(most: u32, end: u32): void {
	const to = min<u32>(entries, at + most);
	if (stage == COLLECT_NEEDLES) {
		collectNeedles(rules, at, end);
		if (!isThrough(end, live)) return;
		entries = collectedCount();
		code.filter = entries ? slots : 0;
		code.largestUnanchored = 0;
		lengthened = false;
		begin(entries ? SORT_NEEDLES : DONE);
		if (entries) beginSortEntries(sorted, entries, spareFor(sorted), 0);
	} else if (stage == SORT_NEEDLES) {
		if (!continueSortEntries(most)) begin(LENGTHEN_NEEDLES);
	} else if (stage == LENGTHEN_NEEDLES) {
		lengthened = lengthenSharedNeedles(sorted, at, to) || lengthened;
		if (!isThrough(to, entries)) return;
		begin(lengthened ? SORT_LENGTHENED : COUNT_NEEDLES);
		if (lengthened) beginSortEntries(sorted, entries, spareFor(sorted), 0);
		beginFilter();
	} else if (stage == SORT_LENGTHENED) {
		if (continueSortEntries(most)) return;
		kept = 0;
		begin(DROP_REPEATED);
	} else if (stage == DROP_REPEATED) {
		kept = dropRepeated(sorted, at, to, kept);
		if (!isThrough(to, entries)) return;
		entries = kept;
		begin(COUNT_NEEDLES);
	} else if (stage == COUNT_NEEDLES) {
		code.largestUnanchored = max(
			code.largestUnanchored,
			bestRank(sorted, at, to),
		);
		countPrefixes(sorted, at, to);
		if (isThrough(to, entries)) begin(GROUP_NEEDLES);
	} else {
		groupNeedles(sorted, at, to);
		if (!isThrough(to, entries)) return;
		endFilter(slots);
		const tables = slots + FILTER_SIZE;
		beginPart(unanchoredPart, sorted, entries, spareFor(sorted), tables, true);
		begin(EMIT_NEEDLES);
	}
}

/** The memory for sorting follows the pointers to entries, of which a rule has at most two. */
function spareFor(sorted: usize): usize {
	return sorted + <usize>live * 8;
}
