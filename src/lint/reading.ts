/**
 * A robots.txt as one dialect reads it, which the checks of this folder share: parsed groups, matchers, and where each value lies in the
 * bytes. Everything is made when it is first asked for.
 */
import {
	AGENT_FIELDS,
	AGENT_FROM,
	AGENT_LINE,
	AGENT_TO,
	OTHER_FIELDS,
	OTHER_FROM,
	OTHER_LINE,
	OTHER_TO,
	RULE_FIELDS,
	RULE_FROM,
	RULE_IS_ALLOW,
	RULE_LINE,
	RULE_TO,
} from "../../assembly/format/records.ts";
import {
	compileRanges,
	inputsOf,
	type RuleRanges,
} from "../engine/compiler.ts";
import { GroupIndex } from "../matching/agents.ts";
import { Matcher } from "../matching/matcher.ts";
import {
	compileFlags,
	type Rule,
	RuleTable,
	rangesOf,
	ruleOf,
} from "../matching/rules.ts";
import type { DialectRules } from "../robots-txt/dialect.ts";
import {
	type AgentLine,
	extentOf,
	type ParsedFile,
	type ParsedGroup,
	parse,
} from "../robots-txt/parse.ts";
import { ANYBODY, type Found } from "./finding.ts";

/** A robots.txt as one dialect reads it, with what its compiler is given in view. */
export class Reading {
	readonly dialect: DialectRules;
	readonly file: ParsedFile;
	readonly #index: GroupIndex<ParsedGroup>;
	readonly #choiceIds = new Map<readonly number[], number>();
	readonly #idsByContent = new Map<string, number>();
	#firstLines: ReadonlyMap<string, AgentLine> | undefined;
	#values: ReadonlyMap<number, readonly [number, number]> | undefined;

	constructor(bytes: Uint8Array, dialect: DialectRules, maxBytes: number) {
		this.dialect = dialect;
		this.file = parse(extentOf(bytes, dialect, maxBytes), dialect);
		this.#index = GroupIndex.of(this.file.groups, dialect);
	}

	/** Each set of groups, as indices in file order, that count as one for some crawler. */
	choices(): readonly (readonly number[])[] {
		const tokens = this.file.groups.flatMap(({ agents }) =>
			agents.flatMap((agent) => agent.tokens),
		);
		const choices = new Map<number, readonly number[]>();
		for (const agent of new Set([ANYBODY, ...tokens])) {
			const groups = this.select(agent);
			choices.set(this.choiceId(groups), groups);
		}
		return [...choices.values()];
	}

	/** The groups that a crawler obeys, as indices in file order. */
	select(agent: string): readonly number[] {
		return this.#index.select(this.#index.identify(agent));
	}

	/**
	 * A number that what `select` returned shares with all equal choices. Each array is read once: thousands of crawlers may
	 * be given the same one, with thousands of groups.
	 */
	choiceId(groups: readonly number[]): number {
		const known = this.#choiceIds.get(groups);
		if (known !== undefined) return known;
		const content = groups.join();
		const id = this.#idsByContent.get(content) ?? this.#idsByContent.size;
		this.#idsByContent.set(content, id);
		this.#choiceIds.set(groups, id);
		return id;
	}

	/** The first user-agent line of a group that names a crawler, or is for all. */
	firstLine(group: number, agent: string): AgentLine | undefined {
		this.#firstLines ??= firstLines(this.file.groups);
		return this.#firstLines.get(`${group} ${agent}`);
	}

	/** Where the rules of groups stand. */
	ranges(groups: readonly number[]): RuleRanges {
		return rangesOf(this.#index.groups(groups));
	}

	/** What the compiler is given for rules, with what the dialect adds to them: INPUT_FIELDS numbers each. */
	inputs(ranges: RuleRanges): Int32Array {
		return inputsOf(this.file.extent, ranges, compileFlags(this.dialect));
	}

	matcher(ranges: RuleRanges): Matcher {
		const { extent } = this.file;
		const flags = compileFlags(this.dialect);
		return Matcher.of(
			compileRanges(extent, ranges, flags),
			() => RuleTable.of(extent, ranges, flags),
			this.dialect.name,
		);
	}

	/** Where the value of a line stands, as offsets from and to; undefined for a line without one. */
	valueAt(line: number): readonly [from: number, to: number] | undefined {
		this.#values ??= valuesOf(this.file);
		return this.#values.get(line);
	}

	/** Whether a line is an Allow rule. */
	isAllow(line: number): boolean {
		const { rules } = this.file;
		let from = 0;
		let to = rules.length / RULE_FIELDS;
		while (from < to) {
			const middle = (from + to) >> 1;
			if ((rules[middle * RULE_FIELDS + RULE_LINE] ?? 0) < line)
				from = middle + 1;
			else to = middle;
		}
		const at = from * RULE_FIELDS;
		return rules[at + RULE_LINE] === line && rules[at + RULE_IS_ALLOW] === 1;
	}

	rule(index: number): Rule {
		return ruleOf(this.file, index);
	}

	/** Rules in the groups. */
	ruleCount(groups: readonly number[]): number {
		let count = 0;
		for (const index of groups) {
			const group = this.file.groups[index];
			if (group) count += group.lastRule - group.firstRule;
		}
		return count;
	}
}

/** By line: of lines with several records the last one, which is its content. */
function valuesOf({
	rules,
	agentRecords,
	otherRecords,
}: ParsedFile): ReadonlyMap<number, readonly [number, number]> {
	const values = new Map<number, readonly [number, number]>();
	const add = (
		records: Int32Array,
		size: number,
		[from, to, line]: readonly [number, number, number],
	) => {
		for (let at = 0; at < records.length; at += size)
			values.set(records[at + line] ?? 0, [
				records[at + from] ?? 0,
				records[at + to] ?? 0,
			]);
	};
	add(otherRecords, OTHER_FIELDS, [OTHER_FROM, OTHER_TO, OTHER_LINE]);
	add(rules, RULE_FIELDS, [RULE_FROM, RULE_TO, RULE_LINE]);
	add(agentRecords, AGENT_FIELDS, [AGENT_FROM, AGENT_TO, AGENT_LINE]);
	return values;
}

/** By group and token, or ANYBODY: a group may name very many crawlers. */
function firstLines(
	groups: readonly ParsedGroup[],
): ReadonlyMap<string, AgentLine> {
	const lines = new Map<string, AgentLine>();
	groups.forEach(({ agents }, group) => {
		for (const agent of agents)
			for (const token of agent.global ? [ANYBODY] : agent.tokens) {
				const key = `${group} ${token}`;
				if (!lines.has(key)) lines.set(key, agent);
			}
	});
	return lines;
}

/** A rule as messages show it. */
export function fieldAndPattern({ type, pattern }: Rule): string {
	return `${type === "allow" ? "Allow" : "Disallow"}: ${pattern}`;
}

/** Where Google's crawlers stop, in a dialect that goes on as Google's library does. */
export function findUnreadRest(
	bytes: Uint8Array,
	dialect: DialectRules,
	maxBytes: number,
	limit: number,
): Found[] {
	if (bytes.length <= limit || bytes.length > maxBytes) return [];
	const { lines } = new Reading(bytes, dialect, limit).file;
	return [
		{
			line: lines + 1,
			code: "file-truncated",
			severity: "error",
			message: `The file has ${bytes.length} bytes, and Google reads ${limit} of them: its crawlers ignore this line and what follows, while its library, which this dialect follows, does not.`,
		},
	];
}
