import type { Command } from "commander";
import { inputsOf, nameOf, readText, STDIN } from "./input.ts";
import { wholeLines } from "./lines.ts";
import {
	type ReadingOptions,
	readingOptions,
	robotsOf,
	robotsOption,
} from "./options.ts";
import { tell, write } from "./output.ts";

interface CanonicalOptions extends ReadingOptions {
	readonly robots?: string;
}

/** `robotrie canonical`: a filter from URLs to the URLs that they come down to. */
export function addCanonical(program: Command): void {
	const command = program
		.command("canonical")
		.usage("--robots <file> [options] [file...]")
		.summary("take the parameters out of URLs that Clean-param lines name")
		.description(
			"Reads URLs or paths, one a line, and writes each without the query parameters that a Clean-param line of the robots.txt names for its path; so URLs of the same page become the same. Lines that are no URLs stay as they are.",
		)
		.argument(
			"[file...]",
			'files of URLs; "-" or none for stdin; gzip, zstd and UTF-16 are decoded',
		)
		.addOption(robotsOption());
	for (const option of readingOptions()) command.addOption(option);
	command
		.addHelpText(
			"after",
			`
Exit code: 0 done, 2 the options or the input are at fault.

Examples:
  robotrie canonical --robots robots.txt urls.txt
  zcat urls.gz | robotrie canonical -r robots.txt | sort -u > pages.txt`,
		)
		.action(canonical);
}

const LF = "\n";

async function canonical(
	files: readonly string[],
	options: CanonicalOptions,
): Promise<void> {
	const inputs = inputsOf(files);
	const robots = await robotsOf(options, inputs.includes(STDIN));
	if (robots.cleanParams.length === 0)
		tell("warning: the robots.txt has no Clean-param line that counts");
	for (const file of inputs) {
		for await (const lines of wholeLines(readText(file), nameOf(file))) {
			await write(robots.canonicalLines(lines));
			if (lines.at(-1) !== LF.charCodeAt(0)) await write(LF);
		}
	}
}
