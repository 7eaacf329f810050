import { compileCase, linesCase, stringsCase } from "../bench/cases.ts";
import { generatedSites } from "../bench/generate.ts";
import type { CaseResult } from "../bench/report.ts";
import { runCase } from "../bench/run-case.ts";
import { pathOf } from "../bench/site.ts";

/** Clocks of browsers tick every 0.1 ms: a chunk is all of the case, some milliseconds. */
const ALL = Number.POSITIVE_INFINITY;

/** Runs the cases of `npm run bench` that need no file; `onCase` is told of each before it begins. */
export function runCases(onCase: (name: string) => void): {
	cases: readonly CaseResult[];
	data: string;
} {
	const data = generatedSites();
	const own = (url: string) => url;
	const options = { chunkItems: ALL };
	const makers = {
		paths: () =>
			linesCase(
				"paths",
				"Every site's paths through its rules, bytes in and verdicts out.",
				data.sites,
				"google",
				pathOf,
				options,
			),
		URLs: () =>
			linesCase(
				"URLs",
				"Full URLs, with the standard's normalisation of percent-encoding.",
				data.sites,
				"rfc9309",
				own,
				options,
			),
		strings: () => stringsCase(data, ALL),
		"parse and compile": () => compileCase(data, 4),
	};
	const cases = Object.entries(makers).map(([name, make]) => {
		onCase(name);
		return runCase(make());
	});
	return { cases, data: data.source };
}
