/**
 * The command line: main.js calls `run` with the arguments. Each command is in a file of its own, which adds itself to commander's program and
 * is loaded when the first argument names it. What holds for all commands is here: exit codes, errors in one line on stderr, an option given
 * twice is an error.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Command, CommanderError, Help } from "commander";
import { systemReason } from "#sites/files/errors";
import {
	EXIT_FAILED,
	EXIT_OK,
	Failure,
	isClosedPipe,
	isTold,
	tell,
} from "./output/output.ts";

/** Adds a command to a program. */
type Add = (program: Command) => void;

/** What help says of a command, and how to load it. */
type Entry = readonly [summary: string, load: () => Promise<Add>];

/**
 * In the order in which help lists them. A command is loaded when it is asked for: help is there
 * without any. One map for help, completion and loading, so that a command is added in one place
 * and cannot be forgotten in another.
 */
const commands: ReadonlyMap<string, Entry> = new Map<string, Entry>([
	[
		"match",
		[
			"judge a list of URLs, one per line",
			async () => (await import("./match/match.ts")).addMatch,
		],
	],
	[
		"explain",
		[
			"name the rule that decides, and why",
			async () => (await import("./explain.ts")).addExplain,
		],
	],
	[
		"lint",
		[
			"find mistakes in a robots.txt",
			async () => (await import("./lint.ts")).addLint,
		],
	],
	[
		"diff",
		[
			"find URLs whose verdict changes between two files",
			async () => (await import("./diff.ts")).addDiff,
		],
	],
	[
		"check",
		[
			"test a robots.txt against expected verdicts",
			async () => (await import("./check.ts")).addCheck,
		],
	],
	[
		"audit",
		[
			"find out from access logs which crawlers disobey",
			async () => (await import("./audit/audit.ts")).addAudit,
		],
	],
	[
		"fetch",
		[
			"fetch robots.txt and explain the answer",
			async () => (await import("./fetch/fetch.ts")).addFetch,
		],
	],
	[
		"indexing",
		[
			"show noindex beside the verdict of robots.txt",
			async () => (await import("./indexing.ts")).addIndexing,
		],
	],
	[
		"crawl-check",
		[
			"judge URLs of any sites, fetching what is needed",
			async () => (await import("./crawl-check.ts")).addCrawlCheck,
		],
	],
	[
		"index",
		[
			"compile many sites' robots.txt files for match",
			async () => (await import("./index-command.ts")).addIndex,
		],
	],
	[
		"stream",
		[
			"judge URLs for another program, as its child process",
			async () => (await import("./stream/stream.ts")).addStream,
		],
	],
	[
		"serve",
		[
			"answer crawlers of any language over HTTP",
			async () => (await import("./serve.ts")).addServe,
		],
	],
	[
		"scope",
		[
			"find the robots.txt that governs a URL",
			async () => (await import("./scope.ts")).addScope,
		],
	],
	[
		"show",
		[
			"show everything other than Allow and Disallow",
			async () => (await import("./show.ts")).addShow,
		],
	],
	[
		"canonical",
		[
			"remove query parameters that Clean-param names",
			async () => (await import("./canonical.ts")).addCanonical,
		],
	],
	[
		"crawlers",
		[
			"list well-known crawlers",
			async () => (await import("./crawlers.ts")).addCrawlers,
		],
	],
	[
		"completion",
		[
			"write a completion script for a shell",
			async () => (await import("./completion.ts")).addCompletion,
		],
	],
]);

const DESCRIPTION =
	"May this crawler fetch this URL? Reads robots.txt as crawlers do.";

/**
 * Printed if no command is named. On stderr, with exit code 2: a script that forgot the command
 * must not take it for output.
 */
const INTRODUCTION = `${DESCRIPTION}

  robotrie explain --agent GPTBot https://example.com/blog/
    fetches the site's robots.txt, and names the line that decides
  robotrie lint robots.txt
    finds mistakes in a robots.txt
  robotrie match --robots robots.txt --agent Googlebot urls.txt
    judges a list of URLs, one per line

"robotrie --help" lists all commands, "robotrie help <command>" explains one.
`;

const VERSION_FLAGS = ["-V", "--version"];

/**
 * Commands that the arguments need: the first one, or those that "help", or what stands before
 * them, is about. Loading all of them would take most of the time of a short command.
 */
function asked(args: readonly string[]): readonly string[] {
	const [first = ""] = args;
	// Completion is about all of them.
	if (first === "completion") return [...commands.keys()];
	return commands.has(first)
		? [first]
		: args.filter((name) => commands.has(name));
}

function version(): string {
	// Beside dist/, where this file is bundled to. Read here, as a build must not have to know its
	// own version.
	const file = new URL("../package.json", import.meta.url);
	try {
		const { version } = JSON.parse(readFileSync(file, "utf8")) as {
			version: string;
		};
		return version;
	} catch (error) {
		throw new Failure(
			`the installation is damaged: cannot read ${fileURLToPath(file)}: ${systemReason(error)}; install @robotrie/cli again`,
		);
	}
}

/** A fresh program per run: commander keeps the values of options in it. */
async function createProgram(args: readonly string[]): Promise<Command> {
	const program = new Command("robotrie")
		.description(DESCRIPTION)
		.version(version(), VERSION_FLAGS.join(", "))
		.addHelpText(
			"after",
			`
Examples:
  robotrie match --robots robots.txt --agent Googlebot urls.txt
  robotrie explain --agent GPTBot https://example.com/blog/
  robotrie lint robots.txt
  robotrie diff old.txt robots.txt
  robotrie check expectations.tsv --robots robots.txt
  robotrie audit --robots robots.txt access.log
  robotrie fetch https://example.com/
  robotrie indexing https://example.com/old/
  robotrie crawl-check --store robots/ --agent ExampleBot urls.txt

"robotrie help <command>" explains one of them.`,
		)
		.configureHelp({
			// What a command does comes first, its usage below.
			formatHelp(command, helper) {
				const text = Help.prototype.formatHelp.call(helper, command, helper);
				const [usage = "", description = "", ...rest] = text.split("\n\n");
				return [description, usage, ...rest].join("\n\n");
			},
			subcommandTerm: (command) => command.name(),
		})
		.configureOutput({
			// One line, as tools collect messages by lines.
			outputError: (text) =>
				tell(
					text
						.replace(/^error: /, "")
						.trim()
						.replaceAll("\n", " "),
				),
		})
		.exitOverride();
	const names = asked(args);
	// Of the others only name and summary are needed, for the list and for suggestions.
	for (const [name, [summary, load]] of commands)
		if (names.includes(name)) {
			(await load())(program);
			const [command] = program.commands.slice(-1);
			if (command) refuseTwice(command.summary(summary));
		}
		// For the list of help, and for hints about misspelled names.
		else if (!commands.has(args[0] ?? ""))
			program.command(name).summary(summary);
	addHelp(program);
	return program;
}

/**
 * Of an option that takes one value, the last one would silently count. Those that collect values
 * have a list. commander itself lets the last one win, silently.
 */
function refuseTwice(command: Command): void {
	for (const subcommand of command.commands) refuseTwice(subcommand);
	for (const option of command.options) {
		if (!option.required) continue;
		let isGiven = false;
		command.on(`option:${option.name()}`, () => {
			const value: unknown = command.getOptionValue(option.attributeName());
			if (isGiven && !Array.isArray(value))
				throw new Failure(`option '${option.flags}' is given twice`);
			isGiven = true;
		});
	}
}

/** In place of commander's own, which answers a misspelled command with the general help. */
function addHelp(program: Command): void {
	program
		.helpCommand(false)
		.command("help")
		.argument("[command...]")
		.description("explain a command")
		.action((names: readonly string[]) => {
			let asked = program;
			for (const name of names)
				asked =
					asked.commands.find((command) => command.name() === name) ??
					program.error(`unknown command '${names.join(" ")}'`);
			asked.outputHelp();
		});
}

/**
 * Says what went wrong, and returns the exit code. Three kinds: what the user can mend (a message),
 * a reader that has gone (silence), and our own mistakes (a stack).
 */
function report(error: unknown): number {
	if (isClosedPipe(error)) return EXIT_OK;
	if (error instanceof CommanderError)
		return error.exitCode === 0 ? EXIT_OK : EXIT_FAILED;
	const reason = systemReason(error);
	if (reason !== undefined) tell(`cannot write: ${reason}`);
	else if (isTold(error)) tell(error.message);
	else
		process.stderr.write(
			`robotrie: ${error instanceof Error ? error.stack : error}\n`,
		);
	return EXIT_FAILED;
}

/** Where node:http is loaded, Node makes a WebAssembly memory that nobody waits for. */
async function reportUnhandled(error: unknown): Promise<void> {
	if (process.exitCode === undefined) {
		const { withMemory } = await import("robotrie/internal");
		try {
			withMemory(() => {
				// `withMemory` turns the error of a memory that cannot be made into one of ours.
				throw error;
			});
		} catch (known) {
			process.exitCode = report(known);
		}
	}
	process.exit();
}

/** Does what the arguments say, and sets the process's exit code. */
export async function run(args: readonly string[]): Promise<void> {
	// Commander's own output fails here. If stderr is closed, the exit code still says that something
	// failed. Commander writes by itself, outside of `write`, so its errors come as events.
	process.stdout.on("error", (error) => process.exit(report(error)));
	process.stderr.on("error", () => {});
	// Once, where a process runs several command lines.
	if (process.listenerCount("unhandledRejection") === 0)
		process.on("unhandledRejection", reportUnhandled);
	if (args.length === 0) {
		process.stderr.write(INTRODUCTION);
		process.exitCode = EXIT_FAILED;
		return;
	}
	try {
		const program = await createProgram(args);
		await program.parseAsync(args, { from: "user" });
	} catch (error) {
		process.exitCode = report(error);
	}
}
