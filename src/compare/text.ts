/**
 * Sentences about a comparison, for the command line and the playground. A file of its own: `robotrie/internal` exports it, and should not
 * load the comparison with it.
 */
import { count } from "../common/wording.ts";
import type { DecidingLines, FileComparison } from "./compare.ts";

/** The rule that decides as a robots.txt has it; without one, which group has none. */
export function decidingText({ rule, group }: DecidingLines): string {
	if (rule) {
		const field = rule.type === "allow" ? "Allow" : "Disallow";
		return `line ${rule.line}: ${field}: ${rule.pattern}`;
	}
	return group
		? `no rule of the group at line ${group.line} matches`
		: "no group";
}

/** Crawlers that are named. */
const MOST_NAMED = 6;

export function agentsText(agents: readonly string[]): string {
	const named = agents.slice(0, MOST_NAMED).join(", ");
	return agents.length > MOST_NAMED
		? `${named} and ${agents.length - MOST_NAMED} more`
		: named;
}

/** How much changes, of how much that was compared. */
export function summaryText({ changes, agents, urls }: FileComparison): string {
	const changed = new Set(changes.map(({ url }) => url)).size;
	return `${changed} of ${count(urls, "URL")} ${changed === 1 ? "changes its" : "change their"} verdict; ${count(agents.length, "crawler")} compared`;
}
