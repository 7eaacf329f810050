// What is compared across machines: ratios within one run.
import { engineIn, Figure, runsOf } from "./results.mjs";

/** An engine's time over another's; both within one run. */
export const ratios = [
	[
		"paths / counting line ends",
		["corpus paths", "robotrie into"],
		["corpus paths", "count line ends"],
	],
	[
		"paths / listing line ends",
		["corpus paths", "robotrie into"],
		["corpus paths", "list line ends"],
	],
	[
		"URLs, `google` / paths",
		["corpus URLs, google", "robotrie into"],
		["corpus paths", "robotrie into"],
	],
	[
		"URLs, `rfc9309` / paths",
		["corpus URLs, rfc9309", "robotrie into"],
		["corpus paths", "robotrie into"],
	],
	[
		"paths as a column / as lines",
		["corpus paths", "robotrie column"],
		["corpus paths", "robotrie"],
	],
	[
		"URLs as a column / as lines",
		["corpus URLs, google", "robotrie column"],
		["corpus URLs, google", "robotrie"],
	],
	[
		"index, mixed URLs as a column / as lines",
		["index, mixed URLs, google", "robotrie column"],
		["index, mixed URLs, google", "robotrie"],
	],
	[
		"many wildcards / paths",
		["many wildcards", "robotrie"],
		["corpus paths", "robotrie"],
	],
	[
		"escaped paths / plain ASCII",
		["escaped paths", "robotrie"],
		["escaped paths", "plain ASCII"],
	],
	[
		"index, mixed URLs, `google` / paths",
		["index, mixed URLs, google", "robotrie"],
		["corpus paths", "robotrie into"],
	],
	[
		"index, mixed URLs, `rfc9309` / paths",
		["index, mixed URLs, rfc9309", "robotrie"],
		["corpus paths", "robotrie into"],
	],
	[
		"robots-parser / `isAllowed`",
		["strings", "robots-parser"],
		["strings", "robotrie isAllowed"],
	],
	[
		"robots-parser / `matchMany`",
		["strings", "robots-parser"],
		["strings", "robotrie matchMany"],
	],
	[
		"robots-txt-guard / `isAllowed`",
		["strings", "robots-txt-guard"],
		["strings", "robotrie isAllowed"],
	],
	[
		"robots-parser, parsed / parsed and compiled",
		["parse and compile", "robots-parser"],
		["parse and compile", "robotrie parse + compile"],
	],
].map(([name, over, under]) => ({ name, over, under }));

/** A ratio in one run; undefined if the run has not measured both. */
export function ratioIn(run, { over, under }, field) {
	const [a, b] = [over, under].map(([subject, engine]) =>
		engineIn(run, subject, engine, field),
	);
	return a === undefined || b === undefined
		? undefined
		: new Figure(a / b, [
				`${run.file}: ${over.join(", ")} / ${under.join(", ")}, ${field}`,
			]);
}

/** Every run on Node that measured strings or paths. */
export const comparable = () =>
	runsOf("node").filter(({ cases = [] }) => cases.length > 1);
