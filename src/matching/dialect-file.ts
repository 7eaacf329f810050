/**
 * A robots.txt as a dialect reads it, parsed as far as a question needs. Finding a crawler's groups takes one of two ways: the module looks
 * through the records (`chooseRanges`), which makes no strings, or the index of agents.ts once there are many names and several questions.
 * robots-txt.ts and compact-programs.ts use it.
 */
import {
	AGENT_FIELDS,
	AGENT_FIRST_RULE,
	MAX_LINE_BYTES,
} from "../../assembly/format/records.ts";
import { type Agent, agentList } from "../common/agents.ts";
import type { Steps } from "../common/steps.ts";
import { chosenLines } from "../engine/agents.ts";
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
import { agentFlags, GroupIndex, identify } from "./agents.ts";
import { Matcher } from "./matcher.ts";
import { compileFlags, RuleTable, rangesOf } from "./rules.ts";

/**
 * The rules of the groups that a crawler obeys, as `GroupIndex.select` chooses them, but found by the module, so that a file's first
 * verdict waits for no strings and no index; tests compare both ways.
 * @throws {RobotrieError} invalid-argument, limit-exceeded.
 */
export function chooseRanges(
	file: Extent,
	agent: Agent,
	dialect: DialectRules,
): RuleRanges {
	const names = agentList(agent);
	const lists = tokenise(file);
	return rangesOfLines(lists, chosenLines(names, agentFlags(dialect)));
}

/** The rules of the groups that user-agent lines belong to. */
function rangesOfLines(
	{ agents, agentCount, ruleCount }: RecordLists,
	lines: Int32Array,
): number[] {
	const words = workspace().words();
	const end = agents + agentCount * AGENT_FIELDS;
	const ranges: number[] = [];
	let next = agents;
	for (const number of lines) {
		const line = agents + number * AGENT_FIELDS;
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
	/** The file as it came: what is read of it may be decoded. */
	readonly #bytes: Uint8Array;
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
		this.#bytes = bytes;
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
		return new DialectFile(this.#bytes, rules, this.#maxBytes);
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
		// The first crawler is found by the module, a second one by the index where there are many names.
		const isSecond = this.#wasAsked;
		this.#wasAsked = true;
		if (!isSecond || tokenise(this.#extent).agentCount <= MOST_AGENTS)
			return chooseRanges(this.#extent, agent, this.rules);
		const { groupIndex } = this;
		return rangesOf(
			groupIndex.groups(groupIndex.select(identify(agent, this.rules))),
		);
	}

	/** `rangesOf` in steps; the next call for the same agent has the answer. */
	*rangesSteps(agent: Agent): Steps<RuleRanges> {
		// By the module always: an index of many names would take far longer than a step.
		const ranges = chooseRanges(this.#extent, agent, this.rules);
		yield;
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
