/**
 * A matcher as bytes, for `toBytes` and `fromBytes`. The bytes may come from anywhere: checksum, then the module's verifier, then the rule
 * table are checked before a program may run.
 */
import {
	H_RANKS,
	VERIFY_BYTE,
	VERIFY_ENTRY,
	VERIFY_HEADER,
	VERIFY_LENGTH,
	VERIFY_OK,
	VERIFY_OPCODE,
	VERIFY_RANK,
	VERIFY_TARGET,
	VERIFY_TRUNCATED,
	VERIFY_VERSION,
} from "../../assembly/format/program.ts";
import { RULE_FIELDS } from "../../assembly/format/records.ts";
import { verify } from "../engine/engine.ts";
import type { Dialect } from "../robots-txt/dialect.ts";
import {
	type ContainerKind,
	createContainer,
	openContainer,
	refusal,
	seal,
	viewOf,
} from "./container.ts";
import { RuleTable } from "./rules.ts";

/**
 * A matcher as bytes, a container that goes on:
 *
 *     8  u32 bytes of the program
 *    12  u32 bytes of the rule table
 *    16  u32 checksum of the program and the rule table
 *    20  program (assembly/format/program.ts)
 *        rule table: for each rank from 1 on u32 line, 0 for no rule of the file; u8 1 for allow; u32 bytes of the
 *        pattern, then those.
 * The rule table is what `match` and `explain` need; verdicts need only the program.
 */
const MATCHER: ContainerKind = {
	letters: "RTM",
	name: "matcher",
	preamble: 20,
};
const PREAMBLE = MATCHER.preamble;
const RULE_HEAD = 9;

export function encodeMatcher(
	program: Uint8Array,
	rules: RuleTable,
	dialect: Dialect,
): Uint8Array {
	const raws = Array.from({ length: rules.size }, (_, i) => rules.raw(i + 1));
	const tableSize = raws.reduce(
		(size, { pattern }) => size + RULE_HEAD + pattern.length,
		0,
	);
	const view = createContainer(MATCHER, dialect, program.length + tableSize);
	const bytes = new Uint8Array(view.buffer);
	view.setUint32(8, program.length, true);
	view.setUint32(12, tableSize, true);
	bytes.set(program, PREAMBLE);
	let at = PREAMBLE + program.length;
	for (const { pattern, allow, line } of raws) {
		view.setUint32(at, line, true);
		view.setUint8(at + 4, allow ? 1 : 0);
		view.setUint32(at + 5, pattern.length, true);
		bytes.set(pattern, at + RULE_HEAD);
		at += RULE_HEAD + pattern.length;
	}
	sealMatcher(bytes);
	return bytes;
}

/** Writes the checksum that goes with the bytes after it. */
export function sealMatcher(bytes: Uint8Array): void {
	seal(MATCHER, bytes);
}

const invalid = (reason: string) => refusal(MATCHER, reason);

/** In words of the format, as only those who write or move such bytes see them. */
const verifierReasons: ReadonlyMap<number, string> = new Map([
	[VERIFY_LENGTH, "the program's length is wrong"],
	[VERIFY_VERSION, "the program's version is another"],
	[VERIFY_HEADER, "the program's header is inconsistent"],
	[VERIFY_OPCODE, "the code holds an unknown or misplaced opcode"],
	[VERIFY_TRUNCATED, "an instruction is cut off or nothing follows it"],
	[VERIFY_TARGET, "a target is not a later instruction"],
	[VERIFY_RANK, "a rank or mark is out of range"],
	[VERIFY_BYTE, "a text holds a line feed"],
	[
		VERIFY_ENTRY,
		"a jump table leads into an instruction, or a hash has a wrong size",
	],
]);

/** What a VERIFY_ code says keeps bytes from being a program, or null when they are one. */
export function verifierReason(reason: number): string | null {
	if (reason === VERIFY_OK) return null;
	return verifierReasons.get(reason) ?? `reason ${reason}`;
}

/**
 * Whatever the bytes are: nothing is run or allocated by them before they were checked.
 * @throws {RobotrieError} invalid-byte-code, with the reason.
 */
export function decodeMatcher(bytes: Uint8Array): {
	program: Uint8Array;
	rules: RuleTable;
	dialect: Dialect;
} {
	const dialect = openContainer(MATCHER, bytes);
	const view = viewOf(bytes);
	const programSize = view.getUint32(8, true);
	const tableSize = view.getUint32(12, true);
	// Sizes add up exactly, so that nothing is hidden after the end.
	if (PREAMBLE + programSize + tableSize !== bytes.length) {
		throw invalid(
			`${bytes.length} bytes, where the preamble says ${PREAMBLE + programSize + tableSize}`,
		);
	}
	// Copies: the slice of a Buffer of Node would be a view of it.
	const copy = new Uint8Array(bytes);
	const program = copy.slice(PREAMBLE, PREAMBLE + programSize);
	// The module's own verifier: the same one for matchers, indexes and the command line.
	const reason = verifierReason(verify(program));
	if (reason !== null) throw invalid(reason);
	const ranks = new DataView(program.buffer).getUint32(H_RANKS, true);
	return {
		program,
		rules: decodeRules(copy.slice(PREAMBLE + programSize), ranks),
		dialect,
	};
}

function decodeRules(table: Uint8Array, ranks: number): RuleTable {
	// Checked before room is made for it.
	if (ranks * RULE_HEAD > table.length)
		throw invalid("the rule table is cut off");
	const view = new DataView(table.buffer);
	const fields = new Int32Array(ranks * RULE_FIELDS);
	let at = 0;
	for (let rank = 0; rank < ranks; rank++) {
		if (at + RULE_HEAD > table.length)
			throw invalid("the rule table is cut off");
		const from = at + RULE_HEAD;
		// A length may be anything, so the end is compared before it is believed.
		const to = from + view.getUint32(at + 5, true);
		if (to > table.length) throw invalid("the rule table is cut off");
		fields.set(
			[from, to, view.getUint8(at + 4) & 1, view.getUint32(at, true)],
			rank * RULE_FIELDS,
		);
		at = to;
	}
	if (at !== table.length)
		throw invalid("the rule table is longer than its rules");
	return new RuleTable(table, fields);
}
