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
import { compareEntries, ENTRY_SIZE } from "./entry";
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
import { pointerAt, setPointer, sortPointers } from "../bytes/sort";

/** compile: memory cannot grow. */
const OUT_OF_MEMORY: usize = 0;
/** compile: the program would not fit 24-bit offsets, or ranks would not. */
const TOO_LARGE: usize = 1;

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
	let arenaSize: usize = 0;
	for (let i: u32 = 0; i < count; i++)
		arenaSize += arenaFor(load<u32>(records + i * RULE_RECORD_SIZE, 4));
	const rulesSize = <usize>count * offsetof<Rule>();
	// Rules, pointers to them and room to sort those, two entries a rule with pointers and room, pending ranges.
	const work = allocate(
		rulesSize + <usize>count * (8 + 2 * (ENTRY_SIZE + 8) + 32) + arenaSize + 64,
	);
	if (!work) return OUT_OF_MEMORY;
	const pointers = work + rulesSize;
	const spare = pointers + <usize>count * 4;
	const arena = spare + <usize>count * (4 + 2 * (ENTRY_SIZE + 8) + 32) + 64;
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
	rank(records, live, pointers, spare);
	let program = TOO_LARGE;
	if (live <= <u32>MAX_U24 >> 1) {
		program = assemble(
			google ? TABLE_NONE : table,
			live,
			pointers,
			spare + <usize>count * 4,
		);
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
function comparePrecedence(a: usize, b: usize): i32 {
	const left = changetype<Rule>(a),
		right = changetype<Rule>(b);
	if (left.length != right.length) return left.length > right.length ? -1 : 1;
	return <i32>right.allow - <i32>left.allow;
}

function rank(records: usize, live: u32, pointers: usize, spare: usize): void {
	sortPointers(pointers, live, spare, comparePrecedence);
	for (let i: u32 = 0; i < live; i++) {
		const rule = changetype<Rule>(pointerAt(pointers, i));
		const rank = live - i;
		rule.rank = (rank << 1) | rule.allow;
		store<u32>(records + ((<usize>rank - 1) << 2), rule.record);
	}
}

/** Lays out the program; `room` holds entries, pointers to them twice, and pending ranges. */
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
	const pending = spare + <usize>live * 8;
	resetMarks();
	floatCrowds(live, pointers, room, sorted, spare);
	let entries = collectPrefixes(draft, live, pointers, room, sorted);
	sortPointers(sorted, entries, spare, compareEntries);
	let end = draft + HEADER_SIZE;
	end = emitHeads(draft, end, sorted, entries, spare, 1, false, pending);
	entries = collectKeys(live, pointers, room, sorted);
	if (entries) {
		sortPointers(sorted, entries, spare, compareEntries);
		if (lengthenSharedKeys(sorted, entries)) {
			sortPointers(sorted, entries, spare, compareEntries);
			entries = dropRepeated(sorted, entries);
		}
		store<u32>(draft, <u32>(end - draft), H_LITERALS);
		store<u32>(draft, bestRank(sorted, entries), H_MAX_FLOATING);
		buildFilter(end, sorted, entries);
		end += FILTER_SIZE;
		end = emitHeads(draft, end, sorted, entries, spare, 0, true, pending);
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
