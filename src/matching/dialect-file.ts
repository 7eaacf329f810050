/**
 * A robots.txt as a dialect reads it, parsed as far as a question needs. Finding a crawler's groups takes one of two ways: comparing names
 * in the records' bytes (`chooseRanges`), which makes no strings, or the index of agents.ts once there are many names or many questions.
 * robots-txt.ts and compact-programs.ts use it.
 */
import {
	AGENT_FIELDS,
	AGENT_FIRST_RULE,
	AGENT_FROM,
	AGENT_TO,
	AGENT_TOKEN_END,
	MAX_LINE_BYTES,
} from "../../assembly/format/records.ts";
import type { Steps } from "../common/steps.ts";
import {
	compileCompact,
	compileRanges,
	compileSteps,
	type RuleRanges,
} from "../engine/compiler.ts";
import { type RecordLists, tokenise, workspace } from "../engine/workspace.ts";
import type { DialectRules } from "../robots-txt/dialect.ts";
import {
	type Extent,
	extentOf,
	type OtherLine,
	type ParsedFile,
	type ParsedGroup,
	type ParsedSection,
	parse,
	parseSteps,
} from "../robots-txt/parse.ts";
import {
	type Agent,
	GroupIndex,
	identify,
	mergesNames,
	type NamedIdentity,
} from "./agents.ts";
import { Matcher } from "./matcher.ts";
import { compileFlags, RuleTable, rangesOf } from "./rules.ts";

const STAR = 42;
const SPACE = 32;

/**
 * The rules of the groups that a crawler obeys, as `GroupIndex.select` chooses them, but found by comparing bytes, so that a file's
 * first verdict waits for no strings and no index. Undefined where that would not do: in files with more than `mostAgents`
 * user-agent lines, and in a dialect in which a line can name several tokens.
 *
 * Loops over lines are small functions without closures: V8 optimises what is hot together with all that it calls, which takes longer
 * than choosing for a thousand files.
 */
export function chooseRanges(
	file: Extent,
	{ names, obeysGlobal }: NamedIdentity,
	dialect: DialectRules,
	mostAgents = Number.POSITIVE_INFINITY,
): RuleRanges | undefined {
	// In the yandex dialect a line may name several tokens anywhere in it, which bytes do not tell.
	if (dialect.namesAnywhere) return undefined;
	const { bytes } = file;
	const lists = tokenise(file);
	// For many lines, the index is made once and used for all crawlers.
	if (lists.agentCount > mostAgents) return undefined;
	// The first name that has a group decides, as in `GroupIndex.select`; both ways are compared by tests. In the google dialect names
	// count together, in file order, as the library decides.
	let named: number[] = [];
	for (const name of names) {
		if (named.length > 0 && !mergesNames(dialect)) break;
		const found = linesFor(name, bytes, lists);
		named =
			named.length > 0 ? [...named, ...found].sort((a, b) => a - b) : found;
	}
	if (named.length === 0 && obeysGlobal) named = linesFor(null, bytes, lists);
	return rangesOfLines(lists, named);
}

/**
 * Where the records of user-agent lines lie, in file order, that have a product token, which is given in lower case, or, without
 * one, that are for all crawlers.
 */
function linesFor(
	token: string | null,
	bytes: Uint8Array,
	{ agents, agentCount }: RecordLists,
): number[] {
	const words = workspace().words();
	const end = agents + agentCount * AGENT_FIELDS;
	const found: number[] = [];
	for (let at = agents; at < end; at += AGENT_FIELDS) {
		const from = words[at + AGENT_FROM] as number;
		const to = words[at + AGENT_TO] as number;
		if (token === null) {
			if (isGlobal(bytes, from, to)) found.push(at);
			continue;
		}
		// Lengths first: most lines are of other crawlers.
		const length = (words[at + AGENT_TOKEN_END] as number) - from;
		if (length !== token.length || !isNamed(bytes, from, token)) continue;
		// An empty token names nobody, but for an agent that is empty too; "*" is no token.
		if (length > 0 || !isGlobal(bytes, from, to)) found.push(at);
	}
	return found;
}

/** The rules of the groups that user-agent lines belong to. */
function rangesOfLines(
	{ agents, agentCount, ruleCount }: RecordLists,
	lines: readonly number[],
): number[] {
	const words = workspace().words();
	const end = agents + agentCount * AGENT_FIELDS;
	const ranges: number[] = [];
	let next = agents;
	for (const line of lines) {
		// The user-agent lines of a group have the same rules; the first one stands for all.
		if (line < next) continue;
		const firstRule = words[line + AGENT_FIRST_RULE] as number;
		next = line + AGENT_FIELDS;
		while (next < end && words[next + AGENT_FIRST_RULE] === firstRule)
			next += AGENT_FIELDS;
		ranges.push(
			firstRule,
			next < end ? (words[next + AGENT_FIRST_RULE] as number) : ruleCount,
		);
	}
	return ranges;
}

/** RFC 9309 §2.2.1; as in Google's library, "*" may be followed by white space and more. */
function isGlobal(bytes: Uint8Array, from: number, to: number): boolean {
	if (from === to || bytes[from] !== STAR) return false;
	if (to - from === 1) return true;
	const next = bytes[from + 1] as number;
	return next === SPACE || (next >= 9 && next <= 13);
}

/** Whether bytes from an address on are a product token in any case; `name` has it in lower case. */
function isNamed(bytes: Uint8Array, from: number, name: string): boolean {
	for (let i = 0; i < name.length; i++) {
		const byte = bytes[from + i] as number;
		const wanted = name.charCodeAt(i);
		// In a token, bit 5 makes a capital letter a small one.
		if (byte !== wanted && !(wanted >= 97 && (byte | 32) === wanted))
			return false;
	}
	return true;
}

/** Bytes. Fewer are parsed and compiled within 3 milliseconds, whatever they are. */
const LARGE = 64 * 1024;

/** With more user-agent lines, an index of their tokens is worth making for a second crawler. */
const MOST_AGENTS = 200;

/**
 * A robots.txt in one dialect: parsed, indexed and compiled when something asks for it. Each step
 * is made on demand and kept, so that a file that is only compiled is never parsed to strings.
 */
export class DialectFile {
	readonly rules: DialectRules;
	readonly #maxBytes: number | undefined;
	readonly #extent: Extent;
	#parsed: ParsedFile | undefined;
	#groupIndex: GroupIndex<ParsedGroup> | undefined;
	/** A crawler's rules were asked for. */
	#wasAsked = false;
	#sectionIndex: GroupIndex<ParsedSection> | undefined;
	/** What was compiled last, for the next crawler with the same groups. */
	#compiled:
		| {
				ranges: RuleRanges;
				program: Uint8Array;
				rules?: Int32Array | undefined;
		  }
		| undefined;
	/** A compact program that was made in steps, until it is asked for. */
	#compact: { ranges: RuleRanges; program: Uint8Array } | undefined;
	/** The ranges that were chosen last, in steps. */
	#chosen: { agent: string; ranges: RuleRanges } | undefined;

	/** @throws {RobotrieError} limit-exceeded, for a line of more than 16 MiB. */
	constructor(
		bytes: Uint8Array,
		rules: DialectRules,
		maxBytes: number | undefined,
	) {
		this.rules = rules;
		this.#maxBytes = maxBytes;
		this.#extent = extentOf(
			bytes,
			rules,
			Math.floor(maxBytes ?? rules.maxBytes),
		);
		// Parsing waits until something is asked for; what can be too large is found at once. A line of
		// more than 16 MiB is refused by the tokeniser, which would otherwise run when nobody expects
		// it.
		if (this.#extent.end > MAX_LINE_BYTES) tokenise(this.#extent);
	}

	/**
	 * The same file in another dialect. The same bytes; only how they are read differs.
	 */
	in(rules: DialectRules): DialectFile {
		return new DialectFile(this.#extent.bytes, rules, this.#maxBytes);
	}

	get parsed(): ParsedFile {
		this.#parsed ??= parse(this.#extent, this.rules);
		return this.#parsed;
	}

	/** `parsed`, made in steps. */
	*parseSteps(): Steps<void> {
		this.#parsed ??= yield* parseSteps(this.#extent, this.rules);
	}

	/** A file that takes more than a millisecond or two: for those who must not hold up a thread, it is worth going in steps. */
	get isLarge(): boolean {
		return this.#extent.end - this.#extent.from > LARGE;
	}

	get groupIndex(): GroupIndex<ParsedGroup> {
		this.#groupIndex ??= GroupIndex.of(this.parsed.groups, this.rules);
		return this.#groupIndex;
	}

	/** `parsed`, `groupIndex` and what `sectionsOf` needs, made in steps. */
	*indexSteps(): Steps<void> {
		yield* this.parseSteps();
		const { groups, sections } = this.parsed;
		this.#groupIndex ??= yield* GroupIndex.steps(groups, this.rules);
		yield;
		this.#sectionIndex ??= yield* GroupIndex.steps(sections, this.rules);
	}

	/** The sections of the crawler's groups that name it, as indices in file order. */
	sectionsOf(agent: Agent): readonly number[] {
		this.#sectionIndex ??= GroupIndex.of(this.parsed.sections, this.rules);
		return this.#sectionIndex.select(this.#sectionIndex.identify(agent));
	}

	/** The lines of the crawler's sections that are neither rules nor user-agent lines. */
	otherLinesOf(agent: Agent): readonly OtherLine[] {
		const chosen = new Set(this.sectionsOf(agent));
		return this.parsed.others.filter(({ section }) => chosen.has(section));
	}

	/** The rules that a crawler obeys. */
	rangesOf(agent: Agent): RuleRanges {
		const chosen = this.#chosen;
		if (chosen && chosen.agent === agent) return chosen.ranges;
		const identity = identify(agent, this.rules);
		// The first crawler is found by bytes, a second one by the index where there are many names.
		const mostAgents = this.#wasAsked ? MOST_AGENTS : undefined;
		this.#wasAsked = true;
		return (
			chooseRanges(this.#extent, identity, this.rules, mostAgents) ??
			rangesOf(this.groupIndex.groups(this.groupIndex.select(identity)))
		);
	}

	/** `rangesOf` in steps; the next call for the same agent has the answer. */
	*rangesSteps(agent: Agent): Steps<RuleRanges> {
		const { rules } = this;
		const identity = identify(agent, rules);
		let ranges = chooseRanges(this.#extent, identity, rules);
		if (!ranges) {
			yield* this.indexSteps();
			yield;
			ranges = this.rangesOf(agent);
		}
		// A list may be another one the next time. The answer is kept for the one call that follows the
		// steps.
		if (typeof agent === "string") this.#chosen = { agent, ranges };
		return ranges;
	}

	/** What `compile` takes time for, in steps. */
	*compileSteps(ranges: RuleRanges): Steps<void> {
		// Compiled already, by an earlier question about the same groups.
		if (this.#compiled && isSame(this.#compiled.ranges, ranges)) return;
		const flags = compileFlags(this.rules);
		const made = yield* compileSteps(this.#extent, ranges, flags, false);
		this.#compiled = { ranges, ...made };
	}

	/** What `compileCompact` takes time for, in steps; kept for one call of it. */
	*compactSteps(ranges: RuleRanges): Steps<void> {
		const flags = compileFlags(this.rules);
		const made = yield* compileSteps(this.#extent, ranges, flags, true);
		this.#compact = { ranges, program: made.program };
	}

	/** A matcher for some of the rules. */
	compile(ranges: RuleRanges): Matcher {
		const extent = this.#extent;
		const flags = compileFlags(this.rules);
		// Crawlers of a site mostly have the same groups, so the last program is most likely the one.
		if (!this.#compiled || !isSame(this.#compiled.ranges, ranges)) {
			const program = compileRanges(extent, ranges, flags);
			this.#compiled = { ranges, program };
		}
		const { program, rules } = this.#compiled;
		return Matcher.of(
			program,
			rules
				? new RuleTable(extent.bytes, rules)
				: () => RuleTable.of(extent, ranges, flags),
			this.rules.name,
		);
	}

	/**
	 * Some of the rules as an index keeps them: bytes in linear memory, valid until anything is
	 * compiled. Not kept: an index takes it at once, and its memory is used for the next file.
	 */
	compileCompact(ranges: RuleRanges): Uint8Array {
		const made = this.#compact;
		this.#compact = undefined;
		if (made && isSame(made.ranges, ranges)) return made.program;
		return compileCompact(this.#extent, ranges, compileFlags(this.rules));
	}
}

function isSame(a: RuleRanges, b: RuleRanges): boolean {
	return a.length === b.length && a.every((index, i) => index === b[i]);
}
