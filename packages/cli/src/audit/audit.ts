/**
 * `robotrie audit`: which crawlers disregard robots.txt, according to access logs; and what is done with logs that grow (`follow`), with
 * counts of several audits (`merge`), and with two of them (`compare`). This file has their options and helps; what they do is loaded when one
 * of them runs, as it imports lists of crawlers, tables and charts.
 */
import { formatNames } from "@robotrie/audit";
import { type Command, Option } from "commander";
import { givenOption } from "../options/options.ts";
import { Failure } from "../output/output.ts";
import {
	type AuditCommandOptions,
	countingOptions,
	declare,
	type FollowOptions,
	followOptions,
	lineOptions,
	listOption,
	outputOptions,
	periodOf,
	type ReportOptions,
	threadOptions,
	wholeOptions,
} from "./options.ts";

/** Long help texts stand where the command is declared, so that both are changed together. */
export function addAudit(program: Command): void {
	// Else commander takes options behind a subcommand's name for those of the commands above it.
	program.enablePositionalOptions();
	const command = program
		.command("audit")
		.usage("--robots <file> [options] [log...]")
		.description(
			"Finds out which crawlers disobey robots.txt: reads access logs and counts what each crawler requested, how much of it was disallowed, and by which rules.",
		)
		.argument(
			"[log...]",
			'logs, or quoted patterns; "-" or none: stdin; gzip, zstd and UTF-16 are decoded',
		)
		.enablePositionalOptions();
	declare(command, [
		...countingOptions(),
		...lineOptions(),
		listOption(),
		...outputOptions(),
		...wholeOptions(
			"write the counts of these logs here, for audit merge and audit compare; - for stdout, without a report",
		),
		...threadOptions(),
	]);
	command
		.addHelpText(
			"after",
			`
Formats: ${broken(formatNames.join(", "))};
ndjson and csv need --fields.
Times: 2026-03-01, 2026-03-01T12:00:00Z or 2026-03-01T12:00:00+01:00; --time-zone or UTC if there is no offset.

Delay: whether the median pause between requests, in order of time, is at least
the Crawl-delay. A log has one time per request, so a pause includes one of the
two downloads: "short" is certain, "kept" is as far as the log shows, and "?"
means that too many lines are out of order.

Exit codes: 0 done; 1 a crawler that robots.txt binds made a disallowed request, with --check;
2 wrong options, unreadable input, or more than half of the lines unparsed (the
report is written).

Examples:
  robotrie audit --robots robots.txt access.log
  robotrie audit -r robots.txt '/var/log/nginx/access.log*' -o html --out report.html
  robotrie audit -r example.com=robots.txt -r shop.example.com=shop.txt -f vcombined other_vhosts_access.log
  robotrie audit -r robots.txt --suggest nginx access.log
  robotrie audit -r robots.txt --suspects access.log
  robotrie audit -r robots.txt --time-zone Europe/Berlin --every day access.log
  robotrie audit -r 2026-01-01=old.txt -r 2026-03-01=new.txt --agents GPTBot,ClaudeBot access.log.gz
  zcat access.log.gz | robotrie audit -r robots.txt --check --violations violations.log`,
		)
		.action(async (logs: readonly string[]) => {
			const { audit } = await import("./run.ts");
			await audit(logs, optionsOf<AuditCommandOptions>(command));
		})
		.hook("preSubcommand", (_, subcommand) =>
			refuseBefore(command, subcommand.name()),
		);
	refuseFormer(command);
	addFollow(command);
	addMerge(command);
	addCompare(command);
}

function addFollow(audit: Command): void {
	const command = audit
		.command("follow")
		.usage("--robots <file> [options] [log]")
		.summary("audit a log that grows, and repaint the report")
		.description(
			"Audits a log that grows, across rotation, or stdin: repaints the report until Ctrl+C, or until the input ends.",
		)
		.argument("[log]", 'the log, uncompressed; "-" or none: stdin');
	declare(command, [
		...countingOptions(),
		...lineOptions(),
		...outputOptions(),
		...wholeOptions(
			"keep the counts here, and how far the log was read, to go on from there",
		),
		...followOptions(),
	]);
	command
		.addHelpText(
			"after",
			`
${formatsAndCodes}

Examples:
  robotrie audit follow --robots robots.txt access.log
  tail -n 1000 access.log | robotrie audit follow -r robots.txt
  robotrie audit follow -r robots.txt -o html --out report.html --interval 5m access.log
  robotrie audit follow -r robots.txt --state live.state --metrics-port 9464 access.log`,
		)
		.action(async (log?: string) => {
			const { follow } = await import("./follow.ts");
			await follow(log, optionsOf<FollowOptions>(command));
		});
}

function addMerge(audit: Command): void {
	const command = audit
		.command("merge")
		.usage("[options] [state...]")
		.summary("one report from the counts of several audits")
		.description(
			"Makes one report from files that audit --state wrote, the same as an audit of all their logs would make.",
		)
		.argument(
			"[state...]",
			'files of --state, or quoted patterns; "-" or none: stdin; gzip and zstd are decoded',
		);
	declare(command, [
		...outputOptions(),
		...wholeOptions("write the counts of all states here, as one state"),
	]);
	command
		.addHelpText(
			"after",
			`
Exit codes: as those of robotrie audit.

Examples:
  robotrie audit merge monday.state tuesday.state -o html --out report.html
  robotrie audit merge 'web*.state' --state all.state --out report.txt`,
		)
		.action(async (states: readonly string[]) => {
			const { merge } = await import("./merge.ts");
			await merge(states, optionsOf<ReportOptions>(command));
		});
}

function addCompare(audit: Command): void {
	const command = audit
		.command("compare")
		.usage("[options] <before> <after> [log...]")
		.summary("what changed between two periods or two states")
		.description(
			"Says for each crawler what changed: from one period of logs to another, or from one file of audit --state to another.",
		)
		.argument(
			"<before>",
			"a period such as 2026-01-01..2026-01-31 or 2026-02-01.., or a state",
		)
		.argument("<after>", "another one")
		.argument("[log...]", "with periods: logs, or quoted patterns");
	const output = outputOptions(["table", "json"]);
	const ofLogs = [...countingOptions(), ...threadOptions()];
	declare(command, [...ofLogs, ...output]);
	command
		.addHelpText(
			"after",
			`
${formatsAndCodes}

Examples:
  robotrie audit compare -r robots.txt 2026-01-01..2026-01-31 2026-02-01.. access.log
  robotrie audit compare monday.state tuesday.state`,
		)
		.action(async (before: string, after: string, logs: readonly string[]) => {
			const options = optionsOf<AuditCommandOptions>(command);
			const compare = await import("./compare.ts");
			if ([before, after, ...logs].some((each) => periodOf(each)))
				return compare.comparePeriods([before, after], logs, options);
			// The states carry these settings. An option that would be ignored is an error.
			const wrong = givenOption(
				command,
				ofLogs.map((option) => option.attributeName()),
			);
			if (wrong)
				throw new Failure(
					`${wrong.long} is about logs: the states have the settings of the audits that wrote them`,
				);
			return compare.compareStates([before, after, ...logs], options);
		});
}

const formatsAndCodes =
	"Exit codes: as those of robotrie audit; so are formats and times.";

/** `--json` is `--output json`. */
function optionsOf<T>(command: Command): T {
	if (command.opts().json) command.setOptionValue("output", "json");
	return command.opts() as T;
}

/** What were options before there were subcommands: a script that has one is told what to write. */
const former = {
	"--follow": "follow",
	"--interval <duration>": "follow",
	"--metrics-port <port>": "follow",
	"--merge": "merge",
	"--compare": "compare",
};

function refuseFormer(command: Command): void {
	for (const [flags, name] of Object.entries(former)) {
		const option = new Option(flags).hideHelp();
		command.addOption(option).on(`option:${option.name()}`, () => {
			throw new Failure(
				`${option.long} is not an option of audit any more: write robotrie audit ${name}${option.required ? ` ${option.long} …` : ""}, and see robotrie help audit ${name}`,
			);
		});
	}
}

/** An option of the wrong command would be ignored. */
function refuseBefore(command: Command, name: string): void {
	const all = command.options.map((option) => option.attributeName());
	const wrong = givenOption(command, all);
	if (wrong)
		throw new Failure(
			`${wrong.long} stands before the subcommand: write robotrie audit ${name} ${wrong.long} …; a log of this name is ./${name}`,
		);
}

/**
 * A text in lines of up to 78 characters. The list of formats is long and grows; commander wraps
 * only its own columns.
 */
function broken(text: string): string {
	return text.replace(/(.{1,78})(?: |$)/g, "$1\n").trimEnd();
}
