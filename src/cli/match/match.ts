import type { Command } from "commander";
import type { Matcher } from "../../matching/matcher.ts";
import { inputsOf, STDIN } from "../input/input.ts";
import { blocksOf, partsOf } from "../input/line-parts.ts";
import {
	givenOption,
	memoryOption,
	openRobots,
	progressOptions,
	type RobotsOptions,
	robotsOptions,
} from "../options/options.ts";
import { sizeOfInputs, workersFor, workersOption } from "../options/workers.ts";
import { EXIT_FOUND, Failure } from "../output/failure.ts";
import { tell, write } from "../output/output.ts";
import { StatusLine } from "../output/status-line.ts";
import { linesOf, summaryOf, VerdictLines } from "./verdict-lines.ts";
import { type VerdictOptions, verdictOptions } from "./verdict-options.ts";

interface MatchOptions extends RobotsOptions, VerdictOptions {
	readonly index?: string;
	readonly memory: number;
	readonly workers?: number;
	readonly progress?: boolean;
}

/** `robotrie match`: a filter from URLs to verdicts. */
export function addMatch(program: Command): void {
	const command = program
		.command("match")
		.usage(
			"(--robots <file> --agent <name> | --index <file>) [options] [file...]",
		)
		.summary("judge a list of URLs, one per line")
		.description(
			"Judges a list of URLs: writes each line with its verdict and a tab in front.\n\nVerdicts are allowed, disallowed and invalid (not a URL). With --index, which holds many sites, lines are absolute URLs, and those of other sites are unknown.",
		)
		.argument(
			"[file...]",
			'files of URLs, one per line; "-" or none: stdin; gzip, zstd and UTF-16 are decoded',
		);
	for (const option of robotsOptions()) command.addOption(option);
	command.option(
		"-i, --index <file>",
		'an index written by "robotrie index", a file or a folder, instead of --robots and --agent',
	);
	command.addOption(memoryOption());
	command.addOption(
		workersOption(
			"threads that judge (default: up to 4, by the size of the files; 1 for stdin)",
		),
	);
	for (const option of verdictOptions("count lines by verdict on stderr"))
		command.addOption(option);
	const progress =
		"show progress on stderr (default: if it is a terminal, and stdout is none)";
	for (const option of progressOptions(progress)) command.addOption(option);
	command
		.addHelpText(
			"after",
			`
Exit codes: 0 done; 1 a line is disallowed, with --check; 2 wrong options or unreadable input.

Examples:
  robotrie match --robots robots.txt --agent Googlebot urls.txt
  robotrie match -r robots.txt -a Googlebot-News -a Googlebot --only disallowed urls.txt.gz
  robotrie match --index sites.index --only allowed frontier.txt.zst
  awk '{print $7}' access.log | robotrie match -r robots.txt -a GPTBot --check > verdicts.tsv`,
		)
		.action((files: readonly string[], options: MatchOptions) => {
			checkSources(command, options);
			return match(files, options);
		});
}

/** Options about a robots.txt, which an index already has. */
const ofRobots = ["robots", "agent", "dialect", "maxBytes"];

/** @throws {Failure} Where neither a robots.txt nor an index is named, or both are. */
function checkSources(
	command: Command,
	{ robots, agent, index }: MatchOptions,
): void {
	if (index === undefined) {
		if (robots === undefined && agent === undefined)
			throw new Failure(
				"match needs --robots <file> and --agent <name>, or --index <file>",
			);
		return;
	}
	const wrong = givenOption(command, ofRobots);
	if (wrong)
		throw new Failure(
			`${wrong.long} cannot be used with --index: an index contains its rules, its agent and its dialect`,
		);
}

/** Bytes of lines that are worth a thread, which takes 50 ms to start, and 20 MB. */
const WORTH_A_THREAD = 32 * 1024 * 1024;
/** The same with one robots.txt, by which a thread judges much faster. */
const WORTH_WITH_ROBOTS = 256 * 1024 * 1024;

async function match(
	files: readonly string[],
	options: MatchOptions,
): Promise<void> {
	const inputs = inputsOf(files);
	const verdictLines = new VerdictLines(options.only);
	const workers =
		options.workers ??
		workersFor(
			sizeOfInputs(inputs),
			options.index === undefined ? WORTH_WITH_ROBOTS : WORTH_A_THREAD,
		);
	const outputs =
		options.index === undefined
			? await byRobots(inputs, options, workers, verdictLines)
			: await byIndex(options.index, inputs, options, workers, verdictLines);
	const status = new StatusLine(
		options.progress ?? (process.stdout.isTTY ? false : undefined),
	);
	for await (const output of outputs) {
		if (output.length > 0) await write(output);
		status.show(() => linesOf(verdictLines));
	}
	status.clear();
	if (options.summary ?? process.stderr.isTTY) tell(summaryOf(verdictLines));
	if (options.check && verdictLines.count("disallowed") > 0)
		process.exitCode = EXIT_FOUND;
}

async function* labelled(
	inputs: readonly string[],
	matcher: Matcher,
	verdictLines: VerdictLines,
): AsyncGenerator<Uint8Array> {
	for await (const lines of blocksOf(inputs))
		yield verdictLines.label(lines, matcher.matchLines(lines));
}

async function byRobots(
	inputs: readonly string[],
	options: MatchOptions,
	workers: number,
	verdictLines: VerdictLines,
): Promise<AsyncIterable<Uint8Array>> {
	const { robots, agent } = await openRobots(options, inputs.includes(STDIN));
	const matcher = robots.for(agent);
	if (workers < 2) return labelled(inputs, matcher, verdictLines);
	const { labelInThreads } = await import("./threads.ts");
	const source = { kind: "matcher", program: matcher.toBytes() } as const;
	return labelInThreads(partsOf(inputs), source, workers, verdictLines);
}

async function byIndex(
	index: string,
	inputs: readonly string[],
	options: MatchOptions,
	workers: number,
	verdictLines: VerdictLines,
): Promise<AsyncIterable<Uint8Array>> {
	const { labelByIndex } = await import("./match-index.ts");
	const { memory } = options;
	return labelByIndex(index, inputs, { memory, workers }, verdictLines);
}
