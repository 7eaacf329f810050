/**
 * What the worker answers to the Compare pane: compareFiles() of robotrie/compare, as `robotrie diff` calls it, with the files' own
 * problems. judge-worker.ts loads it for the first comparison.
 */

import { recognise, Verdict } from "robotrie";
import { compareFiles } from "robotrie/compare";
import { OwnDialects, otherFile } from "robotrie/internal";
import { isHeader } from "#robotrie/common/agents";
import type { Comparison, Setting } from "../page/messages.ts";
import type { ComparedFiles } from "../page/permalink.ts";
import { sourceBytes } from "./source-bytes.ts";

/** What `robotrie diff` finds. An agent of "*" stands for all crawlers, `urls` for a list of which lines that are no URLs are left out. */
export function comparisonOf(
	files: ComparedFiles,
	urls: string,
	{ agent, dialect }: Setting,
): Comparison {
	const problems = (["before", "after"] as const).flatMap((side) => {
		const bytes = sourceBytes(files[side]);
		const found = otherFile(bytes);
		return found ? [`The file ${side}: ${found.message}`] : [];
	});
	const old = new OwnDialects(files.before, dialect);
	const now = new OwnDialects(files.after, dialect);
	const before = (one: string) => old.of(one);
	const after = (one: string) => now.of(one);
	const agents =
		agent === "*"
			? {}
			: {
					agents: [
						isHeader(agent) ? (recognise(agent).productToken ?? agent) : agent,
					],
				};
	if (!files.byUrls)
		return { ...compareFiles(before, after, agents), leftOut: 0, problems };
	const lines = urls.split("\n").filter((line) => line !== "");
	// What is a URL depends on the dialect alone: any crawler and either file can tell.
	using matcher = before("*").for("*");
	const verdicts = matcher.matchMany(lines);
	const valid = lines.filter((_, i) => verdicts[i] !== Verdict.Invalid);
	return {
		...compareFiles(before, after, { ...agents, urls: valid }),
		leftOut: lines.length - valid.length,
		problems,
	};
}
