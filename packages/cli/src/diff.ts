/**
 * `robotrie diff`: the URLs whose verdict changes between two robots.txt files, the crawlers that it changes for, and the lines that decide.
 * The comparison is in robotrie/compare, which the playground runs too.
 */
import { type Command, Option } from "commander";
import {
	compareFiles,
	type DecidingLines,
	type FileComparison,
	type VerdictChange,
} from "robotrie/compare";
import {
	agentsText,
	decidingText,
	summaryText,
} from "#robotrie/common/verdict-texts";
import { type RequestOptions, requestOptions } from "./fetch/client-options.ts";
import { readRobots } from "./fetch/named-robots.ts";
import { inputsOf, nameOf, readText, refuseFiles } from "./input/input.ts";
import { textLines } from "./input/lines.ts";
import { agentOf, collectAgents, readingOptions } from "./options/options.ts";
import {
	EXIT_FOUND,
	JsonList,
	paint,
	printable,
	tell,
	write,
} from "./output/output.ts";

/** Agents are undefined where all that matter are compared. */
interface DiffOptions extends RequestOptions {
	readonly agent?: readonly string[];
	readonly urls?: string;
	readonly check?: boolean;
	readonly json?: boolean;
}

export function addDiff(program: Command): void {
	const command = program
		.command("diff")
		.usage("<old> <new> [options] [url...]")
		.description(
			"Compares two robots.txt files: which URLs change their verdict, for which crawlers, and which lines decide.\n\nWithout URLs, paths are derived from the rules that differ. These do not show every change, so give the URLs that matter.",
		)
		.argument("<old>", 'a robots.txt file, "-" for stdin, or the URL of a site')
		.argument("<new>", "the robots.txt to compare with it")
		.argument("[url...]", "absolute URLs, or paths that begin with /")
		.addOption(
			new Option(
				"-a, --agent <name>",
				"a crawler to compare; repeat it for more (default: *, those that the files name, and all known crawlers)",
			).argParser(collectAgents),
		)
		.option(
			"--urls <file>",
			'a file of URLs, one per line; "-" for stdin; gzip, zstd and UTF-16 are decoded',
		);
	for (const option of readingOptions()) command.addOption(option);
	for (const option of requestOptions()) command.addOption(option);
	command
		.option("--check", "exit with 1 if any verdict changes")
		.option(
			"--json",
			"write an array of { url, agents, dialects, before, after }",
		)
		.addHelpText(
			"after",
			`
Exit codes: 0 done; 1 a verdict changes, with --check; 2 wrong options or unreadable input.

Examples:
  robotrie diff old.txt robots.txt
  robotrie diff https://example.com/ robots.txt --agent Googlebot --agent GPTBot
  robotrie diff --check old.txt robots.txt --urls landing-pages.txt`,
		)
		.action(diff);
}

async function diff(
	oldPlace: string,
	newPlace: string,
	urls: readonly string[],
	options: DiffOptions,
): Promise<void> {
	const files = options.urls === undefined ? [] : [options.urls];
	refuseFiles(urls, (file) => `name a file of URLs by --urls ${file}`);
	// stdin can be one of them. Two readers of one stdin would share its bytes.
	inputsOf([oldPlace, newPlace, ...files]);
	// One after the other: stdin and the network have one reader each, and messages keep their order.
	const [before, after] = [
		await readRobots(oldPlace, options, options.agent),
		await readRobots(newPlace, options, options.agent),
	];
	// URLs given on the command line come first, then those of files, in their order.
	const given = [...urls];
	for (const file of files)
		for await (const line of textLines(readText(file), nameOf(file)))
			if (line !== "") given.push(line);
	const comparison = compareFiles(
		(agent) => before.of(agent),
		(agent) => after.of(agent),
		{
			...(urls.length + files.length > 0 && { urls: given }),
			...(options.agent && {
				agents: options.agent.flatMap((agent) => agentOf([agent])),
			}),
		},
	);
	if (options.json) await writeJson(comparison);
	else await writeText(comparison);
	// Derived paths are limited, given URLs are not.
	if (!comparison.complete)
		tell(
			"warning: the files have too many rules to compare all paths that come from them; give URLs",
		);
	// Derived paths can miss a change, which is said only where it is known.
	if (options.check && comparison.changes.length > 0)
		process.exitCode = EXIT_FOUND;
}

async function writeJson({ changes }: FileComparison): Promise<void> {
	const list = new JsonList();
	for (const change of changes) await write(list.item(change));
	await write(list.end());
}

async function writeText(comparison: FileComparison): Promise<void> {
	// An empty line between changes, none after the last.
	for (const [i, change] of comparison.changes.entries())
		await write(
			`${i > 0 ? "\n" : ""}${changeText(change, change.dialects.join(", "))}`,
		);
	tell(summaryText(comparison));
}

/** The colours are for a terminal alone, so the word says it, too. */
function verdict({ allowed }: DecidingLines): string {
	return allowed ? paint("green", "allowed") : paint("red", "disallowed");
}

/** A change as text, which `lint --fix --unsafe-fixes` shows, too. */
export function changeText(
	{ url, agents, before, after }: VerdictChange,
	dialect?: string,
): string {
	// Both sides always, even where they agree: a change of the line alone matters, too.
	const lines = [
		`${verdict(before)} -> ${verdict(after)}  ${paint("bold", printable(url))}`,
		detail("old", decidingText(before)),
		detail("new", decidingText(after)),
		detail(
			"for",
			`${agentsText(agents)}${dialect === undefined ? "" : `; read as ${dialect}`}`,
		),
	];
	return `${lines.join("\n")}\n`;
}

/** A line below a change. Its text quotes the file, whose control characters must not reach a terminal. */
export function detail(label: string, text: string): string {
	return `  ${paint("dim", label)}  ${printable(text)}`;
}
