import {
	COMPILE_GOOGLE,
	FILTER_SIZE,
	FORMAT_VERSION,
	H_BYTE_LENGTH,
	H_LITERALS,
	H_MARKS,
	H_MAX_FLOATING,
	H_RANKS,
	H_TABLE,
	H_VERSION,
	HEADER_SIZE,
	MAX_BLOCK,
	MAX_U24,
	RULE_RECORD_SIZE,
	TABLE_BARE,
	TABLE_GOOGLE,
	TABLE_NONE,
	TABLE_SPELLED,
} from "../format/program";
import { codeSizeOf } from "./emit";
import { marksUsed, resetMarks } from "./emit-rules";
import {
	bestRank,
	collectKeys,
	collectPrefixes,
	dropRepeated,
	floatCrowds,
	lengthenSharedKeys,
} from "./entries";
import { ENTRY_SIZE, SORT_SIZE, sortEntries } from "./entry";
import { buildFilter } from "./filter";
import { emitHeads, headsSize } from "./jump-table";
import { allocate, release } from "../bytes/memory";
import { tableAt } from "../url/normalise";
import {
	arenaFor,
	cutsEscapes,
	KIND_NEVER,
	readRule,
	resetCuts,
	Rule,
} from "./rule";
import {
	KEYED_SIZE,
	keyedPointer,
	pointerAt,
	setKeyed,
	setPointer,
	sortKeyed,
} from "../bytes/sort";

/** compile: memory cannot grow. */
const OUT_OF_MEMORY: usize = 0;
/** compile: the program would not fit 24-bit offsets, or ranks would not. */
const TOO_LARGE: usize = 1;

/** Working memory for a rule's entries, two at most, pointers to them and what sorting those takes. */
const ROOM_SIZE: usize = 2 * (ENTRY_SIZE + 4 + SORT_SIZE);

/**
 * Compiles `count` rules and returns the program. `records` holds a RULE_RECORD for each, whose text offsets count from
 * `text`; afterwards it holds, as u32, the number of the record for every rank from 1 on.
 */
export function compileRules(
	text: usize,
	records: usize,
	count: u32,
	flags: u32,
): usize {
	// Rules, pointers to them, room for entries, and the arena that texts are written to.
	let size: u64 = <u64>count * (offsetof<Rule>() + 4 + ROOM_SIZE) + 128;
	for (let i: u32 = 0; i < count; i++)
		size += arenaFor(load<u32>(records + i * RULE_RECORD_SIZE, 4));
	if (size > <u64>MAX_BLOCK) return OUT_OF_MEMORY;
	const rulesSize = <usize>count * offsetof<Rule>();
	const roomSize = <usize>count * ROOM_SIZE + 64;
	const work = allocate(<usize>size);
	if (!work) return OUT_OF_MEMORY;
	const pointers = work + rulesSize;
	const room = pointers + <usize>count * 4;
	const arena = room + roomSize;
	const google = (flags & COMPILE_GOOGLE) != 0;
	let table: u32 = google ? TABLE_GOOGLE : TABLE_BARE;
	resetCuts();
	let live = readRules(
		text,
		records,
		count,
		flags,
		table,
		work,
		pointers,
		arena,
	);
	if (cutsEscapes && !google) {
		table = TABLE_SPELLED;
		live = readRules(text, records, count, flags, table, work, pointers, arena);
	}
	rank(records, live, pointers, room);
	let program = TOO_LARGE;
	if (live <= <u32>MAX_U24 >> 1) {
		program = assemble(google ? TABLE_NONE : table, live, pointers, room);
	}
	release(work);
	return program;
}

/** Reads the records; returns how many of the rules can match at all. */
function readRules(
	text: usize,
	records: usize,
	count: u32,
	flags: u32,
	table: u32,
	rules: usize,
	pointers: usize,
	arena: usize,
): u32 {
	let live: u32 = 0;
	for (let i: u32 = 0; i < count; i++) {
		const record = records + i * RULE_RECORD_SIZE;
		const rule = changetype<Rule>(rules + live * offsetof<Rule>());
		arena = readRule(
			rule,
			text + load<u32>(record),
			load<u32>(record, 4),
			load<u32>(record, 8),
			flags,
			tableAt(table),
			arena,
		);
		rule.record = i;
		if (rule.kind != KIND_NEVER)
			setPointer(pointers, live++, changetype<usize>(rule));
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

/** Orders the rules by precedence; `room` holds two keyed lists. */
function rank(records: usize, live: u32, pointers: usize, room: usize): void {
	for (let i: u32 = 0; i < live; i++) {
		const pointer = pointerAt(pointers, i);
		setKeyed(room, i, precedenceKey(changetype<Rule>(pointer)), pointer);
	}
	sortKeyed(room, live, room + <usize>live * KEYED_SIZE);
	for (let i: u32 = 0; i < live; i++) {
		const pointer = keyedPointer(room, i);
		setPointer(pointers, i, pointer);
		const rule = changetype<Rule>(pointer);
		const rank = live - i;
		rule.rank = (rank << 1) | rule.allow;
		store<u32>(records + ((<usize>rank - 1) << 2), rule.record);
	}
}

/** Lays out the program; `room` has ROOM_SIZE bytes a rule. */
function assemble(
	urlTable: u32,
	live: u32,
	pointers: usize,
	room: usize,
): usize {
	let size: usize =
		<usize>(HEADER_SIZE + FILTER_SIZE + 16) +
		headsSize(live) +
		headsSize(live * 2);
	for (let i: u32 = 0; i < live; i++) {
		const rule = changetype<Rule>(pointerAt(pointers, i));
		// A rule whose key has two forms has two entries.
		const forms: usize = rule.queryLiteral ? 2 : 1;
		const text =
			rule.prefixLength + rule.literalLength + rule.queryLiteralLength;
		size += forms * codeSizeOf(text, rule.bodyLength);
	}
	const draft = allocate(size);
	if (!draft) return OUT_OF_MEMORY;
	memory.fill(draft, 0, HEADER_SIZE);

	const sorted = room + <usize>live * 2 * ENTRY_SIZE;
	const spare = sorted + <usize>live * 8;
	resetMarks();
	floatCrowds(live, pointers, room, sorted, spare);
	let entries = collectPrefixes(draft, live, pointers, room, sorted);
	sortEntries(sorted, entries, spare);
	let end = draft + HEADER_SIZE;
	end = emitHeads(draft, end, sorted, entries, spare, 1, false);
	entries = collectKeys(live, pointers, room, sorted);
	if (entries) {
		sortEntries(sorted, entries, spare);
		if (lengthenSharedKeys(sorted, entries)) {
			sortEntries(sorted, entries, spare);
			entries = dropRepeated(sorted, entries);
		}
		store<u32>(draft, <u32>(end - draft), H_LITERALS);
		store<u32>(draft, bestRank(sorted, entries), H_MAX_FLOATING);
		buildFilter(end, sorted, entries);
		end += FILTER_SIZE;
		end = emitHeads(draft, end, sorted, entries, spare, 0, true);
	}

	const length = end - draft;
	store<u32>(draft, <u32>length, H_BYTE_LENGTH);
	store<u8>(draft, FORMAT_VERSION, H_VERSION);
	store<u8>(draft, urlTable, H_TABLE);
	store<u32>(draft, live, H_RANKS);
	store<u32>(draft, marksUsed, H_MARKS);
	let program: usize = TOO_LARGE;
	if (length <= <usize>MAX_U24) {
		program = allocate(length);
		if (program) memory.copy(program, draft, length);
	}
	release(draft);
	return program;
}
