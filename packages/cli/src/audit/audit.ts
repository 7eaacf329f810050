import { formatNames } from "@robotrie/audit";
import { isFormatName } from "@robotrie/audit/internal";
import { type Command, InvalidArgumentError, Option } from "commander";
import {
	givenOption,
	progressOptions,
	readingOptions,
} from "../options/options.ts";
import { Failure } from "../output/failure.ts";
import { type AuditCommandOptions, durationOf, timeOf } from "./options.ts";

/** `robotrie audit`: which crawlers disregard robots.txt, by access logs. */
export function addAudit(program: Command): void {
	const command = program
		.command("audit")
		.usage("--robots <file> [options] [log...]")
		.summary("find out from access logs which crawlers disobey")
		.description(
			"Finds out which crawlers disobey robots.txt: reads access logs and counts what each crawler requested, how much of it was disallowed, and by which rules.",
		)
		.argument(
			"[log...]",
			'logs, or quoted patterns; "-" or none: stdin; gzip, zstd and UTF-16 are decoded',
		)
		.option(
			"-r, --robots <[host=][time=]file>",
			"the robots.txt, or a folder with a file per host; repeat it for other hosts or later versions",
			collect,
		)
		.option(
			"--robots-since <time>",
			"the robots.txt applies from this time on",
			parseTime,
		);
	for (const option of readingOptions()) command.addOption(option);
	command
		.addOption(
			new Option(
				"-f, --format <name>",
				"log format (default: detected from the first lines)",
			).argParser(formatName),
		)
		.option(
			"--log-format <string>",
			"log format as in Nginx's log_format or Apache's LogFormat",
		)
		.option(
			"--fields <list>",
			"keys of JSON logs, or columns: path=… (or request=…), agent=…, status=…, time=…, host=…, ip=… (docs/log-formats.md)",
		)
		.option(
			"--agents <names>",
			"only these crawlers, comma-separated; +name adds one to the known crawlers",
			collectList,
		)
		.option(
			"--default-agent <name>",
			"the crawler to count requests without a User-Agent header for",
			nonBlank,
		)
		.option(
			"--people <file>",
			"patterns of User-Agent headers that are people's, one a line",
			collect,
		)
		.option(
			"--crawlers <file>",
			"patterns of headers that are crawlers', one a line",
			collect,
		)
		.option(
			"--list-headers",
			"list the headers and who they are counted as, instead of a report",
		)
		.addOption(
			new Option("-g, --group-by <what>", "what to count by")
				.choices(["name", "category", "header", "address", "network"])
				.default("name"),
		)
		.option(
			"--verify <[name=]file>",
			"the crawler's published address ranges (JSON), to tell it from impostors",
			collect,
		)
		.option(
			"--trusted-proxy <range|number>",
			"proxies whose X-Forwarded-For counts: address ranges, or how many there are",
			collect,
		)
		.option("--since <time>", "only requests from this time on", parseTime)
		.option("--until <time>", "only requests before this time", parseTime)
		.addOption(
			new Option("-o, --output <kind>", "format of the report")
				.choices(["table", "json", "ndjson", "csv", "html"])
				.default("table"),
		)
		.addOption(
			new Option("--json", "the same as --output json")
				.conflicts("output")
				.implies({ output: "json" }),
		)
		.option("--out <file>", "where to write it (default: stdout)")
		.option(
			"--violations <file>",
			"write the log lines of disallowed requests here",
		)
		.option(
			"--each <file>",
			"write a verdict for every judged line here; - for stdout, without a report",
		)
		.addOption(
			new Option(
				"--each-format <name>",
				"how (default: csv for a file with that ending, else ndjson)",
			).choices(["ndjson", "csv"]),
		)
		.option("--each-all", "for all lines but blank ones, not only judged ones")
		.option(
			"--follow",
			"read a log that grows, also where it is rotated, or stdin, until Ctrl+C; repaint the table",
		)
		.option(
			"--interval <duration>",
			"with --follow, write the report so often: 30s, 5m, 1h (default: the table only, every 1s on a terminal, else 10s)",
			parseDuration,
		)
		.option(
			"--state <file>",
			"write what the logs come to here, for --merge; - for stdout, without a report",
		)
		.option(
			"--merge",
			"the arguments are files of --state: report on all of them",
		)
		.option(
			"--top <number>",
			"number of crawlers in the table",
			wholeNumber,
			25,
		)
		.option(
			"--check",
			"exit with 1 if a request is disallowed, exempt crawlers apart",
		)
		.option("--strict", "fail if any line cannot be parsed")
		.option(
			"--workers <number>",
			"threads (default: by input size, at most 4)",
			wholeNumber,
		);
	for (const option of progressOptions()) command.addOption(option);
	command
		.addHelpText(
			"after",
			`
Formats: ${broken(formatNames.join(", "))};
ndjson and csv need --fields.
Times: 2026-03-01, 2026-03-01T12:00:00Z or 2026-03-01T12:00:00+01:00; UTC if there is no offset.

Delay: whether the median pause between requests, in order of time, is at least
the Crawl-delay. A log has one time per request, so that a pause includes one of
the two downloads: "short" is certain, "kept" is what the log can show, and "?"
says that too many lines are out of order.

Exit codes: 0 done; 1 a request is disallowed that robots.txt binds, with --check;
2 wrong options, unreadable input, or more than half of the lines unparsed (the
report is written).

Examples:
  robotrie audit --robots robots.txt access.log
  robotrie audit -r robots.txt '/var/log/nginx/access.log*' -o html --out report.html
  robotrie audit -r example.com=robots.txt -r shop.example.com=shop.txt -f vcombined other_vhosts_access.log
  robotrie audit -r 2026-01-01=old.txt -r 2026-03-01=new.txt --agents GPTBot,ClaudeBot access.log.gz
  zcat access.log.gz | robotrie audit -r robots.txt --check --violations violations.log`,
		)
		.action(async (logs: readonly string[], options: AuditCommandOptions) => {
			if (options.merge) refuseSettings(command);
			// Lists of crawlers, tables and charts are loaded for this command only.
			const { audit } = await import("./run.ts");
			await audit(logs, options);
		});
}

/** What states already have, and what needs the logs themselves. */
const settings = [
	...["robots", "robotsSince", "dialect", "maxBytes", "format", "logFormat"],
	...["fields", "agents", "defaultAgent", "groupBy", "verify", "since"],
	...["until", "violations", "each", "eachFormat", "eachAll", "workers"],
	...["people", "crawlers", "trustedProxy", "follow"],
];

function refuseSettings(command: Command): void {
	const wrong = givenOption(command, settings);
	if (wrong)
		throw new Failure(
			`${wrong.long} cannot be used with --merge: it belongs to the audits that wrote the states`,
		);
}

function nonBlank(name: string): string {
	if (name.trim() === "") throw new InvalidArgumentError("Expected a name.");
	return name;
}

function collect(
	value: string,
	before: readonly string[] | undefined,
): readonly string[] {
	return [...(before ?? []), value];
}

function collectList(
	value: string,
	before: readonly string[] | undefined,
): readonly string[] {
	const names = value.split(",").map((name) => name.trim());
	if (names.some((name) => name.replace(/^\+/, "") === ""))
		throw new InvalidArgumentError("Expected names, comma-separated.");
	return [...(before ?? []), ...names];
}

function wholeNumber(value: string): number {
	if (!/^[1-9]\d{0,3}$/.test(value))
		throw new InvalidArgumentError("Expected a whole number from 1 to 9999.");
	return Number(value);
}

/** Lines of up to 78 characters. */
function broken(text: string): string {
	return text.replace(/(.{1,78})(?: |$)/g, "$1\n").trimEnd();
}

function formatName(value: string): string {
	const name = value.toLowerCase();
	if (!isFormatName(name))
		throw new InvalidArgumentError(
			`The formats are ${formatNames.join(", ")}.`,
		);
	return name;
}

function parseDuration(text: string): number {
	const duration = durationOf(text);
	if (Number.isNaN(duration))
		throw new InvalidArgumentError(
			"Expected a duration such as 30s, 5m or 1h.",
		);
	return duration;
}

function parseTime(text: string): Date {
	const time = timeOf(text);
	if (Number.isNaN(time))
		throw new InvalidArgumentError(
			"Expected a time such as 2026-03-01 or 2026-03-01T12:00:00Z.",
		);
	return new Date(time);
}
