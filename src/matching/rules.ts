import {
	RULE_ALLOW,
	RULE_ANCHORED,
	RULE_SUPREME,
} from "../../assembly/format/program.ts";
import type { DialectRules } from "../robots-txt/dialect.ts";
import {
	type ParsedFile,
	type ParsedGroup,
	RULE_FIELDS,
} from "../robots-txt/parsed-file.ts";
import { decodeText } from "../robots-txt/text.ts";

/** A rule as it stands in a robots.txt. */
export interface Rule {
	readonly type: "allow" | "disallow";
	/** The pattern as written, without white space around it; bytes that are not UTF-8 show as U+FFFD. */
	readonly pattern: string;
	/** Line number, from 1. */
	readonly line: number;
}

/** The path that crawlers may always fetch (RFC 9309 §2.2.2). */
const ROBOTS_TXT = new TextEncoder().encode("/robots.txt");

/** Number of a record that stands for no rule of the file. */
const NO_RULE = -1;

/** What the compiler is given: bytes, records that point into them, and the rule behind each record. */
export interface CompilerInput {
	readonly text: readonly Uint8Array[];
	readonly records: Uint32Array;
	/** For every record the index of its rule in the file, or NO_RULE. */
	readonly sources: readonly number[];
}

/** Collects the rules of groups that count as one, with what the dialect adds to them. */
export function compilerInput(
	file: ParsedFile,
	groups: readonly ParsedGroup[],
	dialect: DialectRules,
): CompilerInput {
	const { bytes, rules } = file;
	const records: number[] = [];
	const sources: number[] = [];
	const add = (source: number, from: number, to: number, flags: number) => {
		records.push(from, to - from, flags);
		sources.push(source);
	};
	let emptyAllow = NO_RULE;
	let emptyDisallow = NO_RULE;
	for (const group of groups) {
		for (let index = group.firstRule; index < group.lastRule; index++) {
			const { from, to, allow } = ruleAt(rules, index);
			if (from === to) {
				if (dialect.emptyPatternInverts)
					add(index, from, to, allow ? 0 : RULE_ALLOW);
				else if (allow && emptyAllow === NO_RULE) emptyAllow = index;
				else if (!allow && emptyDisallow === NO_RULE) emptyDisallow = index;
				continue;
			}
			add(index, from, to, allow ? RULE_ALLOW : 0);
			if (allow && dialect.indexAllowsDirectory) {
				const slash = indexDirectory(bytes, from, to);
				if (slash >= 0) add(index, from, slash + 1, RULE_ALLOW | RULE_ANCHORED);
			}
		}
	}
	// For Google's library an empty pattern matches with priority 0, which allows, whatever the rule's type.
	const empty = emptyAllow === NO_RULE ? emptyDisallow : emptyAllow;
	if (dialect.googleMatching && empty !== NO_RULE) add(empty, 0, 0, RULE_ALLOW);
	if (dialect.robotsTxtAllowed && groups.length > 0) {
		add(
			NO_RULE,
			bytes.length,
			bytes.length + ROBOTS_TXT.length,
			RULE_ALLOW | RULE_ANCHORED | RULE_SUPREME,
		);
	}
	return {
		text: [bytes, ROBOTS_TXT],
		records: Uint32Array.from(records),
		sources,
	};
}

/** A rule's numbers. Read one by one: a view or an iterator per rule takes longer than compiling it. */
function ruleAt(rules: Int32Array, index: number): RuleNumbers {
	const at = index * RULE_FIELDS;
	return {
		from: rules[at] ?? 0,
		to: rules[at + 1] ?? 0,
		allow: rules[at + 2] === 1,
		line: rules[at + 3] ?? 0,
	};
}

interface RuleNumbers {
	readonly from: number;
	readonly to: number;
	readonly allow: boolean;
	readonly line: number;
}

const INDEX_HTM = new TextEncoder().encode("/index.htm");

/** Position of the last "/" of a pattern when "index.htm" follows it, else -1. */
function indexDirectory(bytes: Uint8Array, from: number, to: number): number {
	let slash = to - 1;
	while (slash >= from && bytes[slash] !== 47) slash--;
	if (slash < from || slash + INDEX_HTM.length > to) return -1;
	return INDEX_HTM.every((byte, i) => bytes[slash + i] === byte) ? slash : -1;
}

/** A rule of the file, its pattern decoded. */
export function ruleOf(file: ParsedFile, index: number): Rule {
	const { from, to, allow, line } = ruleAt(file.rules, index);
	return {
		type: allow ? "allow" : "disallow",
		pattern: decodeText(file.bytes, from, to),
		line,
	};
}

/** The rules behind a program's ranks; patterns are decoded when asked for. */
export class RuleTable {
	readonly #bytes: Uint8Array;
	/** RULE_FIELDS numbers for each rank from 1 on, as in ParsedFile; line 0 for no rule of the file. */
	readonly #fields: Int32Array;

	constructor(bytes: Uint8Array, fields: Int32Array) {
		this.#bytes = bytes;
		this.#fields = fields;
	}

	/** `ranked` holds the record of each rank from 1 on. */
	static of(
		file: ParsedFile,
		input: CompilerInput,
		ranked: Uint32Array,
	): RuleTable {
		const fields = new Int32Array(ranked.length * RULE_FIELDS);
		for (let rank = 0; rank < ranked.length; rank++) {
			const index = input.sources[ranked[rank] ?? NO_RULE] ?? NO_RULE;
			if (index === NO_RULE) continue;
			for (let field = 0; field < RULE_FIELDS; field++) {
				fields[rank * RULE_FIELDS + field] =
					file.rules[index * RULE_FIELDS + field] ?? 0;
			}
		}
		return new RuleTable(file.bytes, fields);
	}

	get size(): number {
		return this.#fields.length / RULE_FIELDS;
	}

	/** The rule of a rank, or null where none of the file's stands behind it. */
	at(rank: number): Rule | null {
		const { from, to, allow, line } = ruleAt(this.#fields, rank - 1);
		if (line === 0) return null;
		return {
			type: allow ? "allow" : "disallow",
			pattern: decodeText(this.#bytes, from, to),
			line,
		};
	}

	/** The pattern's bytes, the type and the line of a rank. */
	raw(rank: number): { pattern: Uint8Array; allow: boolean; line: number } {
		const { from, to, allow, line } = ruleAt(this.#fields, rank - 1);
		return { pattern: this.#bytes.subarray(from, to), allow, line };
	}
}
