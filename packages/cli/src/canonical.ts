/**
 * `robotrie canonical`: a filter from URLs to the same URLs without the query parameters that Clean-param declares irrelevant. Lines are bytes
 * from end to end, so that what is not a URL comes out as it went in.
 */

import type { Command } from "commander";
import { wholeLines } from "#sites/files/text";
import { type RequestOptions, requestOptions } from "./fetch/client-options.ts";
import { robotsOf } from "./fetch/named-robots.ts";
import {
	expandFiles,
	inputsOf,
	nameOf,
	readText,
	refuseUrls,
	STDIN,
} from "./input/input.ts";
import {
	dialectOption,
	maxBytesOption,
	robotsOption,
} from "./options/options.ts";
import { tell, writeForeign } from "./output/output.ts";

interface CanonicalOptions extends RequestOptions {
	readonly robots?: string;
}

export function addCanonical(program: Command): void {
	const command = program
		.command("canonical")
		.usage("--robots <file> [options] [file...]")
		.description(
			"Removes the query parameters that the robots.txt's Clean-param lines declare irrelevant, so that URLs of the same page become equal.\n\nReads one URL or path per line. Lines that are not URLs stay as they are.",
		)
		.argument(
			"[file...]",
			'files of URLs, one per line; "-" or none: stdin; gzip, zstd and UTF-16 are decoded',
		)
		.addOption(robotsOption());
	command.addOption(dialectOption()).addOption(maxBytesOption());
	for (const option of requestOptions()) command.addOption(option);
	command
		.addHelpText(
			"after",
			`
Exit codes: 0 done; 2 wrong options or unreadable input.

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
	// A URL as an argument is the most common mistake, so the message says what to type instead.
	refuseUrls(
		files,
		(url) =>
			`pass URLs on stdin: echo '${url}' | robotrie canonical${
				options.robots === undefined ? "" : ` --robots ${options.robots}`
			}`,
	);
	const inputs = inputsOf(await expandFiles(files));
	const robots = (await robotsOf(options, inputs.includes(STDIN))).of("*");
	// A warning and no error: a file without Clean-param is valid, only the command has nothing to
	// do.
	if (robots.cleanParams.length === 0)
		tell("warning: the robots.txt has no valid Clean-param line");
	for (const file of inputs) {
		for await (const lines of wholeLines(readText(file), nameOf(file))) {
			// A line without an end gets one, so that two files do not run into each other.
			await writeForeign(robots.canonicalLines(lines));
			if (lines.at(-1) !== LF.charCodeAt(0)) await writeForeign(LF);
		}
	}
}
