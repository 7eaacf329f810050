/**
 * `robotrie audit`: which crawlers disregard robots.txt, according to access logs. This file has the help; run.ts is loaded when the command
 * runs, as it imports lists of crawlers, tables and charts.
 */
import { formatNames } from "@robotrie/audit";
import type { Command } from "commander";
import { givenOption } from "../options/options.ts";
import { Failure } from "../output/output.ts";
import {
	type AuditCommandOptions,
	declareOptions,
	periodOf,
} from "./options.ts";

/**
 * `robotrie audit`: which crawlers disregard robots.txt, by access logs. Long help texts stand
 * where the command is declared, so that both are changed together.
 */
export function addAudit(program: Command): void {
	const command = program
		.command("audit")
		.usage("--robots <file> [options] [log...]")
		.description(
			"Finds out which crawlers disobey robots.txt: reads access logs and counts what each crawler requested, how much of it was disallowed, and by which rules.",
		)
		.argument(
			"[log...]",
			'logs, or quoted patterns; "-" or none: stdin; gzip, zstd and UTF-16 are decoded',
		);
	declareOptions(command);
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
  robotrie audit -r robots.txt --compare 2026-01-01..2026-01-31 2026-02-01.. access.log
  robotrie audit -r 2026-01-01=old.txt -r 2026-03-01=new.txt --agents GPTBot,ClaudeBot access.log.gz
  zcat access.log.gz | robotrie audit -r robots.txt --check --violations violations.log`,
		)
		.action(async (logs: readonly string[], options: AuditCommandOptions) => {
			// The states carry these settings. An option that would be ignored is an error.
			const isOfLogs = options.compare && logs.some((log) => periodOf(log));
			if (isOfLogs) refusePeriod(command);
			else if (options.merge || options.compare)
				refuseSettings(command, options.merge ? "merge" : "compare");
			if (options.json) command.setOptionValue("output", "json");
			// Lists of crawlers, tables and charts are loaded for this command only.
			const { audit } = await import("./run.ts");
			await audit(logs, options);
		});
}

/**
 * What states already have, and what needs the logs themselves. By attribute, as commander knows
 * options given on the command line; defaults do not count.
 */
const settings = [
	"robots",
	"robotsSince",
	"dialect",
	"maxBytes",
	"format",
	"logFormat",
	"fields",
	"agents",
	"defaultAgent",
	"groupBy",
	"verify",
	"since",
	"until",
	"violations",
	"each",
	"eachFormat",
	"eachAll",
	"workers",
	"people",
	"crawlers",
	"trustedProxy",
	"follow",
	"where",
	"anonymize",
	"anonymizeKey",
	"timeZone",
	"every",
	"paths",
	"suspects",
	"resolve",
	"resolveCache",
	"resolveServer",
	"asn",
];

/** What a comparison of two periods has no use for. */
function refusePeriod(command: Command): void {
	const wrong = givenOption(command, [
		"since",
		"until",
		"merge",
		"state",
		"check",
		"suggest",
		"every",
		"paths",
		"suspects",
		"listHeaders",
		"metrics",
		"violations",
		"each",
		"eachFormat",
		"eachAll",
		"follow",
	]);
	if (wrong) throw new Failure(`${wrong.long} cannot be used with --compare`);
}

function refuseSettings(command: Command, name: "merge" | "compare"): void {
	const others = [
		"merge",
		"state",
		"check",
		"suggest",
		"listHeaders",
		"metrics",
		"metricsPort",
	];
	const wrong = givenOption(
		command,
		name === "merge" ? settings : [...settings, ...others],
	);
	if (wrong)
		throw new Failure(
			`${wrong.long} cannot be used with --${name}${settings.includes(wrong.attributeName()) ? ": it belongs to the audits that wrote the states" : ""}`,
		);
}

/**
 * A text in lines of up to 78 characters. The list of formats is long and grows; commander wraps
 * only its own columns.
 */
function broken(text: string): string {
	return text.replace(/(.{1,78})(?: |$)/g, "$1\n").trimEnd();
}
