/**
 * Rules as callers see them, decoded from a program's ranks when asked for, and the length by which they take precedence. Compiling never
 * makes these objects: a file may have 30,000 rules.
 */
import {
	COMPILE_EMPTY_INVERTS,
	COMPILE_GOOGLE,
	COMPILE_INDEX_DIRECTORY,
	COMPILE_ROBOTS_TXT,
	COMPILE_STAR_DOLLAR,
} from "../../assembly/format/program.ts";
import { RULE_FIELDS } from "../../assembly/format/records.ts";
import { type RuleRanges, rulesByRank } from "../engine/compiler.ts";
import type { TokeniserInput } from "../engine/workspace.ts";
import {
	type Dialect,
	type DialectRules,
	dialectRules,
} from "../robots-txt/dialect.ts";
import {
	decodeText,
	type ParsedFile,
	type ParsedGroup,
} from "../robots-txt/parse.ts";

/** A rule as it stands in a robots.txt. */
export interface Rule {
	/** What the line says. The verdict may be the opposite for a rule without a path: `Allow:` disallows everything for Yandex. */
	readonly type: "allow" | "disallow";
	/** The pattern as written, without white space around it; bytes that are not UTF-8 show as U+FFFD. */
	readonly pattern: string;
	/** Line number, from 1. */
	readonly line: number;
}

/** A rule in the order of decision. */
export interface SortedRule extends Rule {
	/** Bytes that count for precedence (RFC 9309 §2.2.2); 0 for a rule without a path. */
	readonly bytes: number;
	/**
	 * It is not written in the file but follows from the rule of its line: in the google dialect, `Allow: /dir/index.html` allows
	 * `/dir/$` as well.
	 */
	readonly implied: boolean;
}

/**
 * COMPILE_ flags: what a dialect adds to the rules of groups. One number for the module, so that
 * compiling takes no table of options.
 */
export function compileFlags(dialect: DialectRules): number {
	return (
		(dialect.googleMatching ? COMPILE_GOOGLE : 0) |
		(dialect.emptyPatternInverts ? COMPILE_EMPTY_INVERTS : 0) |
		(dialect.indexAllowsDirectory ? COMPILE_INDEX_DIRECTORY : 0) |
		(dialect.robotsTxtAllowed ? COMPILE_ROBOTS_TXT : 0) |
		(dialect.ignoresStarDollar ? COMPILE_STAR_DOLLAR : 0)
	);
}

/** Where the rules of groups stand that count as one. */
export function rangesOf(groups: readonly ParsedGroup[]): RuleRanges {
	return groups.flatMap(({ firstRule, lastRule }) => [firstRule, lastRule]);
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

/** A rule of the file, its pattern decoded. */
export function ruleOf(file: ParsedFile, index: number): Rule {
	const { from, to, allow, line } = ruleAt(file.rules, index);
	return {
		type: allow ? "allow" : "disallow",
		pattern: decodeText(file.bytes, from, to),
		line,
	};
}

/**
 * The rules of a program's ranks; patterns are decoded when asked for. A rule's pattern stays bytes
 * of the file until somebody asks: of 30,000 rules one is shown.
 */
export class RuleTable {
	readonly #bytes: Uint8Array;
	/** RULE_FIELDS numbers for each rank from 1 on, as in ParsedFile; line 0 for no rule of the file. */
	readonly #fields: Int32Array;

	constructor(bytes: Uint8Array, fields: Int32Array) {
		this.#bytes = bytes;
		this.#fields = fields;
	}

	/**
	 * The table of rules that were compiled. They are compiled again for that: few matchers are ever
	 * asked for a rule, and the table takes more memory than the program. Measured by how it is used:
	 * verdicts are asked for by all, deciding rules by few.
	 */
	static of(
		file: TokeniserInput,
		ranges: RuleRanges,
		flags: number,
	): RuleTable {
		return new RuleTable(file.bytes, rulesByRank(file, ranges, flags));
	}

	get size(): number {
		return this.#fields.length / RULE_FIELDS;
	}

	/** The rule of a rank, or null for one that is no rule of the file. */
	at(rank: number): Rule | null {
		// Ranks count from 1, rows from 0.
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

/** Rules by their ranks, the strongest first. The rule for /robots.txt itself, which no file has, is left out. */
export function sortedRules(rules: RuleTable, dialect: Dialect): SortedRule[] {
	const sorted: SortedRule[] = [];
	const lines = new Set<number>();
	for (let rank = rules.size; rank > 0; rank--) {
		const rule = rules.at(rank);
		if (rule === null) continue;
		// An implied rule is the shorter one of two with a line. In the google dialect a rule for an
		// index file stands for its directory, too: two rules with one line.
		const implied = lines.has(rule.line);
		lines.add(rule.line);
		const pattern = implied
			? `${rule.pattern.slice(0, rule.pattern.lastIndexOf("/") + 1)}$`
			: rule.pattern;
		const bytes = countedBytes(pattern, dialect);
		sorted.push({ ...rule, pattern, bytes, implied });
	}
	return sorted;
}

const encoder = new TextEncoder();

/**
 * Bytes of a pattern that count for precedence. In rfc9309 and yandex (RFC 9309 §2.2.2) those of
 * its normal form: a "/" in front where it begins with neither that nor "*", no "*" at its end
 * (yandex: no "*$" either), one byte for each of `: / ? # [ ] @` and for unreserved characters,
 * escaped or bare, and three for any other escape and for bytes that are not ASCII. In google the
 * bytes of the pattern with such escapes; none of an empty one, which counts as "/" where it says anything else. The rules of this length are RFC 9309's and each
 * dialect's; the module counts the same way, and a test compares both.
 */
export function countedBytes(pattern: string, dialect: Dialect): number {
	const { googleMatching: google, ignoresStarDollar } = dialectRules(dialect);
	// A "*" before "$" says nothing, and the yandex dialect drops both.
	let text = ignoresStarDollar ? pattern.replace(/\*+\$$/, "*") : pattern;
	const anchored = text.endsWith("$");
	if (!google && !anchored) text = text.replace(/\*+$/, "");
	if (!google && !/^[/*]/.test(pattern)) text = `/${text}`;
	let counted = 0;
	// Escapes count as what they stand for, so they are read as one.
	for (const [part] of text.matchAll(/%[\da-f]{2}|[\s\S]/giu)) {
		if (part.length === 3 && part.startsWith("%"))
			counted += google || !isBare(part) ? 3 : 1;
		else counted += bytesOf(part);
	}
	// A "$" that does not end the pattern stands for itself, which the normal form escapes.
	const signs = text.match(/\$/g)?.length ?? 0;
	const inner = google ? 0 : signs - (anchored ? 1 : 0);
	return counted + inner * 2;
}

function bytesOf(character: string): number {
	const size = encoder.encode(character).length;
	return size === 1 ? 1 : size * 3;
}

/**
 * Whether an escape counts as the bare byte: unreserved characters and gen-delims (RFC 3986 §2.2
 * and §2.3). Unreserved characters and the ones that part a URL mean the same escaped or not.
 */
function isBare(triplet: string): boolean {
	const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
	return /[A-Za-z0-9._~:/?#[\]@-]/.test(character);
}
