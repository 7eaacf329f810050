import { RobotsTxt, Verdict } from "robotrie";
import { compareFiles } from "robotrie/compare";
import { nameOfAgent } from "robotrie/internal";
import type { Comparison, Setting } from "./messages.ts";
import type { ComparedFiles } from "./permalink.ts";

/** What `robotrie diff` finds. An agent of "*" stands for all crawlers, `urls` for a list of which lines that are no URLs are left out. */
export function comparisonOf(
	files: ComparedFiles,
	urls: string,
	{ agent, dialect }: Setting,
): Comparison {
	const before = RobotsTxt.parse(files.before, { dialect });
	const after = RobotsTxt.parse(files.after, { dialect });
	const agents = agent === "*" ? {} : { agents: [nameOfAgent(agent)] };
	if (!files.byUrls)
		return { ...compareFiles(before, after, agents), leftOut: 0 };
	const lines = urls.split("\n").filter((line) => line !== "");
	using matcher = before.for("*");
	const verdicts = matcher.matchMany(lines);
	const valid = lines.filter((_, i) => verdicts[i] !== Verdict.Invalid);
	return {
		...compareFiles(before, after, { ...agents, urls: valid }),
		leftOut: lines.length - valid.length,
	};
}
