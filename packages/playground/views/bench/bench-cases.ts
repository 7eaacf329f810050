/**
 * The cases of `npm run bench` that need no file, fitted to a browser's clock. bench-worker.ts runs them in a page and bench-node.ts in
 * Node, so that the two can be compared. What must hold: "parse and compile" is the first case of a new worker or process, as its first pass
 * is reported as one of its own.
 */
import type { Case } from "../../../../bench/case.ts";
import { compileCase } from "../../../../bench/compile.ts";
import { generatedSites } from "../../../../bench/generate.ts";
import { library } from "../../../../bench/library.ts";
import { linesCase } from "../../../../bench/lines.ts";
import { mixedCases } from "../../../../bench/mixed.ts";
import { robotsParserPeer } from "../../../../bench/peer.ts";
import type { CaseResult } from "../../../../bench/report.ts";
import { runCase } from "../../../../bench/run-case.ts";
import type { Data } from "../../../../bench/site.ts";
import { stringsCase } from "../../../../bench/strings.ts";
import { type BenchPart, benchParts } from "./bench-messages.ts";

/** Clocks of browsers are coarse: a chunk is all of the case, some milliseconds. */
const ALL = Number.POSITIVE_INFINITY;
/** A pass of the peer takes half a second, one of all ways to compile as long. */
const SLOW = { rounds: 15, warmUp: 5 };
const QUICK = { rounds: 40, warmUp: 20 };
/** For a run that only shows whether it works. */
const FEW = { sites: 200, urls: 91, largest: 400 };
const slow: ReadonlySet<string> = new Set(["strings", "parse and compile"]);

const FIRST = "parse and compile, first pass";
/** Those that nothing of the same kind ran before. */
const coldEngines = ["robotrie parse + compile", "robots-parser"];

const makers: Readonly<Record<BenchPart, (data: Data) => Case>> = {
	"parse and compile": (data) => compileCase(library, data, { chunks: 4 }),
	paths: (data) =>
		linesCase(library, data, {
			name: "paths",
			why: "Every site's paths through its rules, bytes in and verdicts out.",
			sites: data.sites,
			dialect: "google",
			paths: true,
			chunkItems: ALL,
		}),
	URLs: (data) =>
		linesCase(library, data, {
			name: "URLs",
			why: "Full URLs, with the standard's normalisation of percent-encoding.",
			sites: data.sites,
			dialect: "rfc9309",
			paths: false,
			chunkItems: ALL,
		}),
	strings: (data) =>
		stringsCase(library, data, { chunkItems: ALL, peers: [robotsParserPeer] }),
	index: (data) => ({
		...(mixedCases(library, data).at(-1) as Case),
		name: "index",
	}),
};

/** Runs the cases of `npm run bench` that need no file; `onPart` is told of each before it begins. */
export function runCases(
	onPart: (name: BenchPart) => void,
	rounds?: number,
): {
	cases: readonly CaseResult[];
	data: string;
} {
	const data = rounds === undefined ? generatedSites() : generatedSites(FEW);
	const repeats = repeatsFor(clockTick());
	const cases = benchParts.flatMap(({ name }) => {
		onPart(name);
		const isSlow = slow.has(name);
		// The cases that these are compared with in bench/ are not all run here.
		const { against: _, ...subject } = makers[name](data);
		const effort = isSlow ? SLOW : QUICK;
		const result = measured(
			subject,
			rounds === undefined ? effort : { rounds, warmUp: 1 },
			isSlow ? 1 : repeats,
		);
		return name === "parse and compile"
			? [firstPassOf(result), result]
			: [result];
	});
	return { cases, data: data.source };
}

/** Runs a case whose passes are repeated so that a coarse clock can tell them apart. */
function measured(
	subject: Case,
	effort: { readonly rounds: number; readonly warmUp: number },
	repeats: number,
): CaseResult {
	const engines = subject.engines.map((engine) => ({
		...engine,
		chunks: engine.chunks.map((run) => () => {
			for (let i = 0; i < repeats; i++) run();
		}),
	}));
	const { items, bytes } = subject;
	const result = runCase(
		{ ...subject, items: items * repeats, engines },
		effort,
	);
	return { ...result, items, bytes };
}

/** What a page pays that judges once: this case is the first of a new worker. Those in fresh processes, alone, are in docs/performance.md. */
function firstPassOf(result: CaseResult): CaseResult {
	return {
		...result,
		name: FIRST,
		why: "Each engine once in a new worker, one after the other, before the browser's compilers have seen any of it: what a page pays that reads 1,000 files once.",
		rounds: 1,
		engines: result.engines
			.filter(({ name }) => coldEngines.includes(name))
			.map((engine) => ({
				...engine,
				nsFastest: engine.nsFirst,
				nsMedian: engine.nsFirst,
			})),
	};
}

/** The shortest time, in milliseconds, that the clock tells from none. */
function clockTick(): number {
	let shortest = Number.POSITIVE_INFINITY;
	for (let i = 0; i < 5; i++) {
		const begin = performance.now();
		let now = begin;
		while (now === begin) now = performance.now();
		// The first reading falls anywhere within a tick, and the thread may be interrupted: the shortest of several is the tick.
		shortest = Math.min(shortest, now - begin);
	}
	return shortest;
}

/**
 * Pages that are isolated have ticks of 5 to 20 µs, others of 0.1 to 1 ms. Passes take a millisecond and more: an error of some percent is
 * left.
 */
function repeatsFor(tick: number): number {
	if (tick <= 0.02) return 1;
	return tick <= 0.2 ? 3 : 15;
}
