/**
 * What the page asks before it makes an edit that changes verdicts: what is done, and what changes, in every dialect, as `robotrie lint --fix
 * --unsafe-fixes` shows it. judge-worker.ts loads it for the first such edit.
 */
import { dialectNames, RobotsTxt } from "robotrie";
import { compareFiles } from "robotrie/compare";

import type { Edit } from "robotrie/lint";
import { agentsText } from "#robotrie/common/verdict-texts";

/** Changes that a question lists. */
const MOST_LISTED = 6;

export function questionOf(
	{ why }: Edit,
	before: Uint8Array,
	after: Uint8Array,
): string {
	const dialects = new Map<string, string[]>();
	for (const dialect of dialectNames) {
		using old = RobotsTxt.parse(before, { dialect });
		using now = RobotsTxt.parse(after, { dialect });
		for (const { url, agents, after: is } of compareFiles(old, now).changes) {
			const text = `${url} becomes ${is.allowed ? "allowed" : "disallowed"} for ${agentsText(agents)}`;
			dialects.set(text, [...(dialects.get(text) ?? []), dialect]);
		}
	}
	const changes = [...dialects].map(
		([text, names]) => `${text} (${names.join(", ")})`,
	);
	const more = changes.length - MOST_LISTED;
	return [
		`This changes what crawlers may do. ${why}`,
		...(changes.length === 0
			? ["No changed verdict was found, but other lines are read differently."]
			: changes.slice(0, MOST_LISTED)),
		...(more > 0 ? [`and ${more} more`] : []),
		"Is that what you want?",
	].join("\n\n");
}
