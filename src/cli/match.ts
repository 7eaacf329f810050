import type { Command } from "commander";
import type { Matcher } from "../matching/matcher.ts";
import type { RobotsIndex } from "../sites/robots-index.ts";
import { EXIT_FOUND, Failure } from "./failure.ts";
import { inputsOf, nameOf, readText, STDIN } from "./input.ts";
import { wholeLines } from "./lines.ts";
import { openRobots, type RobotsOptions, robotsOptions } from "./options.ts";
import { tell, write } from "./output.ts";
import { summaryOf, VerdictLines } from "./verdict-lines.ts";
import { type VerdictOptions, verdictOptions } from "./verdict-options.ts";

interface MatchOptions extends RobotsOptions, VerdictOptions {
	readonly index?: string;
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
		'an index written by "robotrie index", instead of --robots and --agent',
	);
	for (const option of verdictOptions("count lines by verdict on stderr"))
		command.addOption(option);
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
		.action(match);
}

async function openMatcher(
	options: MatchOptions,
	stdinTaken: boolean,
): Promise<Matcher | RobotsIndex> {
	if (options.index === undefined) {
		const { robots, agent } = await openRobots(options, stdinTaken);
		return robots.for(agent);
	}
	if (options.robots !== undefined || options.agent !== undefined)
		throw new Failure(
			"--index cannot be used with --robots or --agent: an index contains its rules and its agent",
		);
	const { readIndex } = await import("./index-file.ts");
	return readIndex(options.index);
}

async function match(
	files: readonly string[],
	options: MatchOptions,
): Promise<void> {
	const inputs = inputsOf(files);
	const matcher = await openMatcher(options, inputs.includes(STDIN));
	const verdictLines = new VerdictLines(options.only);
	for (const file of inputs) {
		for await (const lines of wholeLines(readText(file), nameOf(file))) {
			const output = verdictLines.label(lines, matcher.matchLines(lines));
			if (output.length > 0) await write(output);
		}
	}
	if (options.summary ?? process.stderr.isTTY) tell(summaryOf(verdictLines));
	if (options.check && verdictLines.count("disallowed") > 0)
		process.exitCode = EXIT_FOUND;
}
