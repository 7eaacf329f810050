import { compileCase } from "../bench/compile.ts";
import { generatedSites } from "../bench/generate.ts";
import { library } from "../bench/library.ts";
import { linesCase } from "../bench/lines.ts";
import { robotsParserPeer } from "../bench/peer.ts";
import type { CaseResult } from "../bench/report.ts";
import { runCase } from "../bench/run-case.ts";
import { stringsCase } from "../bench/strings.ts";

/** Clocks of browsers tick every 0.1 ms: a chunk is all of the case, some milliseconds. */
const ALL = Number.POSITIVE_INFINITY;
/** A pass of the peer takes half a second, one of all ways to compile as long. */
const SLOW = { rounds: 15, warmUp: 5 };

/** Runs the cases of `npm run bench` that need no file; `onCase` is told of each before it begins. */
export function runCases(onCase: (name: string) => void): {
	cases: readonly CaseResult[];
	data: string;
} {
	const data = generatedSites();
	const makers = {
		paths: () =>
			linesCase(library, data, {
				name: "paths",
				why: "Every site's paths through its rules, bytes in and verdicts out.",
				sites: data.sites,
				dialect: "google",
				paths: true,
				chunkItems: ALL,
			}),
		URLs: () =>
			linesCase(library, data, {
				name: "URLs",
				why: "Full URLs, with the standard's normalisation of percent-encoding.",
				sites: data.sites,
				dialect: "rfc9309",
				paths: false,
				chunkItems: ALL,
			}),
		strings: () =>
			stringsCase(library, data, {
				chunkItems: ALL,
				peers: [robotsParserPeer],
			}),
		"parse and compile": () => compileCase(library, data, 4),
	};
	const slow = ["strings", "parse and compile"];
	const cases = Object.entries(makers).map(([name, make]) => {
		onCase(name);
		return runCase(make(), slow.includes(name) ? SLOW : undefined);
	});
	return { cases, data: data.source };
}
