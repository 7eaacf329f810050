/**
 * `robotrie match`: a filter from URLs to verdicts. By one robots.txt and in one thread it does all here; by an index or in threads it loads
 * label.ts. Each line comes out with its bytes unchanged, in the order of the input, with a verdict and a tab in front.
 */
import { type Command, Option } from "commander";
import type { Matcher } from "robotrie";
import {
	type RequestOptions,
	requestOptions,
} from "../fetch/client-options.ts";
import { openRobots } from "../fetch/named-robots.ts";
import {
	expandFiles,
	inputsOf,
	refuseUrls,
	STDIN,
	sizeOfInputs,
} from "../input/input.ts";
import { blocksForThreads, blocksOf, type OnRead } from "../input/lines.ts";
import {
	givenOption,
	memoryOption,
	progressOptions,
	type RobotsOptions,
	robotsOptions,
	workersFor,
	workersOption,
} from "../options/options.ts";
import { EXIT_FOUND, Failure, tell, writeForeign } from "../output/output.ts";
import { Progress } from "../output/progress.ts";
import {
	summaryOf,
	VerdictLines,
	type VerdictName,
	verdictNames,
} from "./verdict-lines.ts";

/**
 * Options of commands that write lines with verdicts. Shared with `crawl-check`, whose output has
 * the same form.
 */
export interface VerdictOptions {
	readonly only?: VerdictName;
	readonly check?: boolean;
	readonly summary?: boolean;
}

/** `summary` says what is counted where. */
export function verdictOptions(summary: string): Option[] {
	return [
		new Option(
			"--only <verdict>",
			"write only lines with this verdict",
		).choices(verdictNames),
		new Option("--check", "exit with 1 if any line is disallowed"),
		new Option("--summary", `${summary} (default: if stderr is a terminal)`),
		new Option("--no-summary", "write no summary"),
	];
}

interface MatchOptions extends RobotsOptions, RequestOptions, VerdictOptions {
	readonly index?: string;
	readonly memory: number;
	readonly workers?: number;
	readonly progress?: boolean;
}

/**
 * `robotrie match`: a filter from URLs to verdicts. The two ways of naming rules exclude each
 * other: an index has its rules, its agent and its dialect.
 */
export function addMatch(program: Command): void {
	const command = program
		.command("match")
		.usage(
			"(--robots <file> --agent <name> | --index <file>) [options] [file...]",
		)
		.description(
			"Judges a list of URLs: writes each line, prefixed with its verdict and a tab.\n\nVerdicts are allowed, disallowed and invalid (not a URL). With --index, which holds many sites, lines are absolute URLs; URLs of sites it does not hold are unknown.",
		)
		.argument(
			"[file...]",
			'files of URLs, one per line; "-" or none: stdin; gzip, zstd and UTF-16 are decoded',
		);
	for (const option of robotsOptions()) command.addOption(option);
	for (const option of requestOptions()) command.addOption(option);
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
		"show progress on stderr (default: if it is a terminal and stdout is not)";
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

/**
 * Options about a robots.txt, which an index already has. An index answers them, and an option that
 * is ignored would be a surprise.
 */
const ofRobots = [
	"robots",
	"agent",
	"dialect",
	"maxBytes",
	"userAgent",
	"timeout",
	"allowPrivateNetwork",
	"serverErrorAsNotFound",
	"forbiddenAsDisallow",
	"proxy",
	"header",
];

/** @throws {Failure} Where neither a robots.txt nor an index is named, or both are. */
function checkSources(
	command: Command,
	{ robots, agent, index }: MatchOptions,
): void {
	if (index === undefined) {
		// Without either, the message names both; with one of them, `missing` names the other.
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
	refuseUrls(files, (url) => {
		const { robots, agent = [] } = options;
		const names = agent.map((name) => ` --agent ${name}`).join("");
		return robots === undefined
			? `pass URLs on stdin: echo '${url}' | robotrie match`
			: `to judge one URL: robotrie explain --robots ${robots}${names} ${url}`;
	});
	// Files are read in the order of the arguments, and stdin may be named once.
	const inputs = inputsOf(await expandFiles(files));
	const verdictLines = new VerdictLines(options.only);
	const workers =
		options.workers ??
		workersFor(
			sizeOfInputs(inputs),
			options.index === undefined ? WORTH_WITH_ROBOTS : WORTH_A_THREAD,
		);
	let read = 0;
	const judging: Judging = {
		inputs,
		options,
		workers,
		verdictLines,
		onRead: (bytes) => {
			read += bytes;
		},
	};
	// Both ways give the same lines in the same order; only where verdicts come from differs.
	const outputs =
		options.index === undefined
			? await byRobots(judging)
			: await byIndex(options.index, judging);
	const progress = new Progress(
		inputs.every((input) => sizeOfInputs([input]) > 0)
			? sizeOfInputs(inputs)
			: 0,
		options.progress ?? (process.stdout.isTTY ? false : undefined),
	);
	for await (const output of outputs) {
		// Verdicts are written as they come, so that a pipe can go on with them.
		if (output.length > 0) await writeForeign(output);
		progress.advance(read, verdictLines.total);
		read = 0;
	}
	progress.end();
	if (options.summary ?? process.stderr.isTTY) tell(summaryOf(verdictLines));
	if (options.check && verdictLines.count("disallowed") > 0)
		process.exitCode = EXIT_FOUND;
}

/**
 * What lines are read from, and how they are judged. What both ways of judging need, so that they
 * have the same signature.
 */
interface Judging {
	readonly inputs: readonly string[];
	readonly options: MatchOptions;
	readonly workers: number;
	readonly verdictLines: VerdictLines;
	readonly onRead: OnRead;
}

async function* labelled(
	{ inputs, verdictLines, onRead }: Judging,
	matcher: Matcher,
): AsyncGenerator<Uint8Array> {
	for await (const lines of blocksOf(inputs, onRead))
		yield verdictLines.label(lines, matcher.matchLines(lines));
}

/** Compiled once here; threads get its bytes, which is cheaper than parsing in each. */
async function byRobots(judging: Judging): Promise<AsyncIterable<Uint8Array>> {
	const { inputs, options, workers, verdictLines, onRead } = judging;
	const { robots, agent } = await openRobots(options, inputs.includes(STDIN));
	const matcher = robots.of(agent).for(agent);
	if (workers < 2) return labelled(judging, matcher);
	const { labelInThreads } = await import("./label.ts");
	const source = { kind: "matcher", program: matcher.toBytes() } as const;
	const blocks = blocksForThreads(inputs, onRead);
	return labelInThreads(blocks, source, workers, verdictLines);
}

/** The code of indexes is loaded for indexes alone. */
async function byIndex(
	index: string,
	{ inputs, options, workers, verdictLines, onRead }: Judging,
): Promise<AsyncIterable<Uint8Array>> {
	const { labelByIndex } = await import("./label.ts");
	const resources = { memory: options.memory, workers, onRead };
	return labelByIndex(index, inputs, resources, verdictLines);
}
