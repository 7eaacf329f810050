import { MAX_LINE_BYTES } from "../../assembly/format/records.ts";
import type { Steps } from "../common/steps.ts";
import {
	compileCompact,
	compileRanges,
	compileSteps,
	type RuleRanges,
} from "../engine/compiler.ts";
import { tokenise } from "../engine/tokeniser.ts";
import type { DialectRules } from "../robots-txt/dialect.ts";
import { type Extent, extentOf } from "../robots-txt/extent.ts";
import { parse, parseSteps } from "../robots-txt/parse.ts";
import type {
	OtherLine,
	ParsedFile,
	ParsedGroup,
	ParsedSection,
} from "../robots-txt/parsed-file.ts";
import { type Agent, GroupIndex, identify } from "./agents.ts";
import { chooseRanges } from "./choose.ts";
import { Matcher } from "./matcher.ts";
import { compileFlags, RuleTable, rangesOf } from "./rules.ts";

/** Bytes. Fewer are parsed and compiled within 3 milliseconds, whatever they are. */
const LARGE = 64 * 1024;

/** With more user-agent lines, an index of their tokens is worth making for a second crawler. */
const MOST_AGENTS = 200;

/** A robots.txt in one dialect: parsed, indexed and compiled when something asks for it. */
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
		// Parsing waits until something is asked for; what can be too large is found at once.
		if (this.#extent.end > MAX_LINE_BYTES) tokenise(this.#extent);
	}

	/** The same file in another dialect. */
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
		if (this.#chosen?.agent === agent) return this.#chosen.ranges;
		const identity = identify(agent, this.rules);
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
		// A list may be another one the next time.
		if (typeof agent === "string") this.#chosen = { agent, ranges };
		return ranges;
	}

	/** What `compile` takes time for, in steps. */
	*compileSteps(ranges: RuleRanges): Steps<void> {
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

	/** Some of the rules as an index keeps them: bytes in linear memory, valid until anything is compiled. */
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
