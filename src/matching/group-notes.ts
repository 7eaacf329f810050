/**
 * Which groups a crawler obeys and why the others lose, as the playground notes it beside robots.txt. The choice itself
 * is made by GroupIndex, the code that matching uses: here only the reasons are found, by asking it about one token at a time. What must
 * hold: a group that GroupIndex chose has a note that says "holds", and it is written last.
 */
import type { Dialect } from "../robots-txt/dialect.ts";
import { extentOf, type ParsedGroup, parse } from "../robots-txt/parse.ts";
import { GroupIndex } from "./agents.ts";
import { rulesFor } from "./own-dialects.ts";
import { ruleOf } from "./rules.ts";

/** A group's lines, whether it counts for a crawler, and why or why not. */
interface GroupNote {
	readonly from: number;
	readonly to: number;
	readonly applies: boolean;
	readonly note: string;
}

/** The groups that a crawler obeys, and those that it would obey if there were no other, with the reason why not. */
export function groupNotes(
	bytes: Uint8Array,
	{
		agent,
		dialect,
	}: { readonly agent: string; readonly dialect: Dialect | "auto" },
): GroupNote[] {
	const rules = rulesFor(dialect, agent);
	const file = parse(extentOf(bytes, rules, rules.maxBytes), rules);
	const index = GroupIndex.of(file.groups, rules);
	const identity = index.identify(agent);
	const { tokens, names, obeysGlobal } = identity;
	const chosen = index.select(identity);
	const named = (token: string) =>
		// In this dialect the groups of all of a crawler's tokens count together: no token is more specific than another.
		rules.googleMatching && !rules.knowsCrawlers
			? []
			: index.select({
					tokens: [token],
					names: names.filter((_, at) => tokens[at] === token),
					obeysGlobal: false,
				});
	// Tokens come with the most specific first; the first that has a group decides, as in `select`.
	const decider = tokens.find((token) => named(token).length > 0);
	const [winner] = chosen;
	const isGlobal = ({ agents }: ParsedGroup) =>
		agents.some(({ global }) => global);
	const isByName =
		decider !== undefined ||
		chosen.some((at) => !isGlobal(file.groups[at] as ParsedGroup));
	const winnerLine = lineOf(file.groups[winner ?? -1]);
	const notes = new Map<number, string>();
	file.groups.forEach((group, at) => {
		if (!isGlobal(group)) return;
		if (isByName)
			notes.set(at, `loses to line ${winnerLine}, which names the crawler`);
		else if (!obeysGlobal)
			notes.set(
				at,
				`does not hold for ${tokens[0]}, which obeys only groups that name it`,
			);
	});
	for (const token of tokens)
		for (const at of named(token))
			notes.set(
				at,
				`loses to line ${winnerLine}: ${decider} is more specific than ${token}`,
			);
	// Last: a chosen group may have been noted above as one that loses.
	for (const at of chosen)
		notes.set(
			at,
			isByName
				? `holds for ${decider ?? tokens.join(", ")}`
				: "holds, as no group names the crawler",
		);
	return [...notes].map(([at, note]) => {
		const group = file.groups[at] as ParsedGroup;
		const from = lineOf(group);
		const last = group.lastRule - 1;
		const to = last < group.firstRule ? from : ruleOf(file, last).line;
		return { from, to: Math.max(from, to), applies: chosen.includes(at), note };
	});
}

function lineOf(group: ParsedGroup | undefined): number {
	return group?.agents[0]?.line ?? 0;
}
