#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { Command, CommanderError, Help } from "commander";
import { RobotrieError } from "../common/errors.ts";
import { addAudit } from "./audit.ts";
import { addCanonical } from "./canonical.ts";
import { addCrawlCheck } from "./crawl-check.ts";
import { addCrawlers } from "./crawlers.ts";
import { addExplain } from "./explain.ts";
import {
	EXIT_FAILED,
	EXIT_OK,
	Failure,
	isClosedPipe,
	systemReason,
} from "./failure.ts";
import { addFetch } from "./fetch.ts";
import { addIndex } from "./index-command.ts";
import { addLint } from "./lint.ts";
import { addMatch } from "./match.ts";
import { tell } from "./output.ts";
import { addScope } from "./scope.ts";
import { addShow } from "./show.ts";

/** Every command adds itself; help lists them in this order. */
const commands = [
	addMatch,
	addExplain,
	addLint,
	addAudit,
	addFetch,
	addCrawlCheck,
	addIndex,
	addScope,
	addShow,
	addCanonical,
	addCrawlers,
];

function version(): string {
	// Beside dist/, where this file is bundled to.
	const { version } = JSON.parse(
		readFileSync(new URL("../package.json", import.meta.url), "utf8"),
	) as {
		version: string;
	};
	return version;
}

function createProgram(): Command {
	const program = new Command("robotrie")
		.description(
			"May this crawler fetch this URL? Reads robots.txt as crawlers do.",
		)
		.version(version(), "-V, --version")
		.addHelpText(
			"after",
			`
Examples:
  robotrie match --robots robots.txt --agent Googlebot urls.txt
  robotrie explain --robots robots.txt --agent GPTBot https://example.com/blog/
  robotrie lint robots.txt
  robotrie audit --robots robots.txt access.log
  robotrie fetch https://example.com/
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
		// Errors come in one line, hints ("Did you mean …?") included.
		.configureOutput({
			outputError: (text) =>
				tell(
					text
						.replace(/^error: /, "")
						.trim()
						.replaceAll("\n", " "),
				),
		})
		.exitOverride();
	for (const add of commands) add(program);
	addHelp(program);
	return program;
}

/** In place of commander's own, which answers a misspelled command with the general help. */
function addHelp(program: Command): void {
	program
		.helpCommand(false)
		.command("help")
		.argument("[command]")
		.description("explain a command")
		.action((name?: string) => {
			const known = program.commands.find((command) => command.name() === name);
			if (name !== undefined && !known)
				program.error(`unknown command '${name}'`);
			(known ?? program).outputHelp();
		});
}

/** Says what went wrong, and returns the exit code. */
function report(error: unknown): number {
	if (isClosedPipe(error)) return EXIT_OK;
	if (error instanceof CommanderError)
		return error.exitCode === 0 ? EXIT_OK : EXIT_FAILED;
	const reason = systemReason(error);
	if (reason !== undefined) tell(`cannot write: ${reason}`);
	else if (error instanceof Failure || error instanceof RobotrieError)
		tell(error.message);
	else
		process.stderr.write(
			`robotrie: ${error instanceof Error ? error.stack : error}\n`,
		);
	return EXIT_FAILED;
}

// What commander writes fails here; where nobody hears of errors, the exit code still tells.
process.stdout.on("error", (error) => process.exit(report(error)));
process.stderr.on("error", () => {});

try {
	await createProgram().parseAsync();
} catch (error) {
	process.exitCode = report(error);
}
