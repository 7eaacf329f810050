import { type Command, InvalidArgumentError, Option } from "commander";
import { formatNames } from "../log/formats.ts";
import { type AuditCommandOptions, timeOf } from "./audit-options.ts";
import { readingOptions } from "./options.ts";

/** `robotrie audit`: which crawlers disregard robots.txt, by access logs. */
export function addAudit(program: Command): void {
	const command = program
		.command("audit")
		.usage("--robots <file> [options] [log...]")
		.summary("tell from access logs which crawlers disregard robots.txt")
		.description(
			"Sets access logs against robots.txt: what each crawler asked for, what of it was disallowed, and by which rules.",
		)
		.argument(
			"[log...]",
			'logs, or patterns in quotes; "-" or none for stdin; gzip, zstd and UTF-16 are decoded',
		)
		.option(
			"-r, --robots <[host=][time=]file>",
			"the robots.txt; again for other hosts or later times, or a folder with a file for each host",
			collect,
		)
		.option(
			"--robots-since <time>",
			"the robots.txt counts for requests from then on",
			parseTime,
		);
	for (const option of readingOptions()) command.addOption(option);
	command
		.addOption(
			new Option(
				"-f, --format <name>",
				"format of the logs (default: told from their first lines)",
			).argParser(formatName),
		)
		.option(
			"--log-format <string>",
			"format of the logs, as Nginx's log_format or Apache's LogFormat has it",
		)
		.option(
			"--fields <list>",
			"keys of JSON logs: path=…,agent=…,status=…,time=…,host=…,ip=…",
		)
		.option(
			"--agents <names>",
			"only these crawlers, by name, with commas between; +name adds one to those that are known",
			collectList,
		)
		.option(
			"--default-agent <name>",
			"the crawler that requests without a User-Agent header count for",
		)
		.addOption(
			new Option("-g, --group-by <what>", "what to count by")
				.choices(["name", "category", "header"])
				.default("name"),
		)
		.option(
			"--verify <[name=]file>",
			"the crawler's address ranges, as its operator publishes them (JSON)",
			collect,
		)
		.option("--since <time>", "only requests from then on", parseTime)
		.option("--until <time>", "only requests before then", parseTime)
		.addOption(
			new Option("-o, --output <kind>", "what to write")
				.choices(["table", "json", "ndjson", "csv", "html"])
				.default("table"),
		)
		.option("--out <file>", "where to write it (default: stdout)")
		.option("--violations <file>", "write the offending lines there")
		.option("--top <number>", "crawlers that the table lists", wholeNumber, 25)
		.option("--check", "exit with 1 if any request is disallowed")
		.option("--strict", "fail if any line cannot be parsed")
		.option(
			"--workers <number>",
			"threads (default: by the size of the input, at most 4)",
			wholeNumber,
		)
		.option(
			"--progress",
			"show progress on stderr (default: if it is a terminal)",
		)
		.option("--no-progress", "do not tell")
		.addHelpText(
			"after",
			`
Formats: ${formatNames.join(", ")}; ndjson needs --fields.
Times: 2026-03-01, 2026-03-01T12:00:00Z or 2026-03-01T12:00:00+01:00; without an offset, UTC.

Exit code: 0 done, 1 with --check and a disallowed request, 2 the options or the input are at fault.

Examples:
  robotrie audit --robots robots.txt access.log
  robotrie audit -r robots.txt '/var/log/nginx/access.log*' -o html --out report.html
  robotrie audit -r example.com=robots.txt -r shop.example.com=shop.txt -f vcombined other_vhosts_access.log
  robotrie audit -r 2026-01-01=old.txt -r 2026-03-01=new.txt --agents GPTBot,ClaudeBot access.log.gz
  zcat access.log.gz | robotrie audit -r robots.txt --check --violations violations.log`,
		)
		.action(async (logs: readonly string[], options: AuditCommandOptions) => {
			// Lists of crawlers, tables and charts are loaded for this command only.
			const { audit } = await import("./audit-run.ts");
			await audit(logs, options);
		});
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
		throw new InvalidArgumentError("A name is empty.");
	return [...(before ?? []), ...names];
}

function wholeNumber(value: string): number {
	if (!/^[1-9]\d{0,3}$/.test(value))
		throw new InvalidArgumentError("It is no number from 1 to 9999.");
	return Number(value);
}

function formatName(value: string): string {
	const name = value.toLowerCase();
	if (
		!formatNames.includes(name) &&
		!["awsalb", "awselb", "awss3"].includes(name)
	)
		throw new InvalidArgumentError(`There are ${formatNames.join(", ")}.`);
	return name;
}

function parseTime(text: string): Date {
	const time = timeOf(text);
	if (Number.isNaN(time))
		throw new InvalidArgumentError(
			"It is no time such as 2026-03-01 or 2026-03-01T12:00:00Z.",
		);
	return new Date(time);
}
