import type { Extent } from "./extent.ts";

/** A group's heading: one user-agent line. */
export interface AgentLine {
	/** The value as it stands in the file. */
	readonly text: string;
	/** Product tokens that it names, in lower case. */
	readonly tokens: readonly string[];
	/** It is `*`: the group is for all crawlers without one of their own. */
	readonly global: boolean;
	readonly line: number;
}

/** User-agent lines and what stands under them, up to the next user-agent line behind a rule. */
export interface ParsedGroup {
	readonly agents: AgentLine[];
	/** Indices into `rules`, from and to. */
	firstRule: number;
	lastRule: number;
}

/**
 * User-agent lines of a group that nothing but rules, comments and lines of no crawler's separate, and which the settings
 * (Crawl-delay, Content-Usage, …) directly below hold for. A group's rules hold for all its sections.
 */
export interface ParsedSection {
	readonly agents: AgentLine[];
}

/** A line that is neither a user-agent line nor a rule: sitemap, crawl-delay, host, …, or an unknown one. */
export interface OtherLine {
	/** The field name in lower case. */
	readonly field: string;
	readonly value: string;
	readonly line: number;
	/** The group it stands in, -1 outside of all. */
	readonly group: number;
	/** The section it stands in, -1 outside of all. */
	readonly section: number;
}

export { RULE_FIELDS } from "../../assembly/format/records.ts";

export interface ParsedFile {
	readonly extent: Extent;
	readonly bytes: Uint8Array;
	readonly groups: readonly ParsedGroup[];
	/** In file order; each lies within one group. */
	readonly sections: readonly ParsedSection[];
	/** RULE_FIELDS numbers a rule: pattern start, pattern end (offsets in `bytes`), 1 for allow, line from 1. */
	readonly rules: Int32Array;
	readonly others: readonly OtherLine[];
	/** User-agent lines, and lines and remarks of other kinds, as the tokeniser has them (assembly/format/records.ts). */
	readonly agentRecords: Int32Array;
	readonly otherRecords: Int32Array;
	/** Lines that were read. */
	readonly lines: number;
	/** Over the dialect's size limit, where that means that everything is allowed. */
	readonly allowsAll: boolean;
}
