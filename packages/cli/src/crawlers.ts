import type { Command } from "commander";
import type { Crawler } from "robotrie";
import { crawlers, findCrawler } from "robotrie";
import {
	crawlerIn,
	DEFAULT_DIALECT,
	suggestAgent,
	tokensText,
} from "robotrie/internal";
import type { CrawlerAnswersOptions } from "./crawler-answers.ts";
import { requestOptions } from "./fetch/client-options.ts";
import { readingOptions, robotsOption, warnOfName } from "./options/options.ts";
import { EXIT_FOUND } from "./output/failure.ts";
import { printable, tell, write } from "./output/output.ts";

/** `robotrie crawlers`: the table of well-known crawlers. */
export function addCrawlers(program: Command): void {
	const command = program
		.command("crawlers")
		.usage("[options] [agent...] | --robots <file> --url <url> [options]")
		.summary("list well-known crawlers")
		.description(
			"Lists well-known crawlers, all or the ones you name: the product tokens they obey, the most specific first; whether they obey groups for *; who runs them and what for. With --dialect, as that dialect has it.\n\nWith --robots and --url it shows which of them may fetch a URL, by what they fetch for.",
		)
		.argument("[agent...]", "product tokens or whole User-Agent headers")
		.addOption(robotsOption())
		.option("--url <url>", "an absolute URL, or a path that begins with /");
	for (const option of readingOptions()) command.addOption(option);
	for (const option of requestOptions()) command.addOption(option);
	command
		.option(
			"--json",
			"write an array of { name, tokens, obeysGlobal, obeysGlobalSource, obeysRobotsTxt, operator, kind, trigger, sendsRequests, documentation, addressRanges, checked }; with --url also { allowed, rule, group, reason }",
		)
		.addHelpText(
			"after",
			`
Exit codes: 0 done; 1 an agent is unknown; 2 wrong options.

Examples:
  robotrie crawlers
  robotrie crawlers Googlebot-News "Mozilla/5.0 (compatible; GPTBot/1.2)"
  robotrie crawlers --dialect yandex YandexDirect
  robotrie crawlers --robots robots.txt --url https://example.com/blog/
  robotrie crawlers --json | jq -r '.[] | select(.kind == "ai-training").name'`,
		)
		.action(list);
}

async function list(
	agents: readonly string[],
	options: CrawlerAnswersOptions,
): Promise<void> {
	const { dialect = DEFAULT_DIALECT } = options;
	const rows = (agents.length === 0 ? crawlers : agents.flatMap(known)).map(
		(crawler) => crawlerIn(dialect, crawler),
	);
	if (options.robots === undefined && options.url === undefined)
		return write(
			options.json ? `${JSON.stringify(rows, null, 2)}\n` : textOf(rows),
		);
	const { crawlerAnswers } = await import("./crawler-answers.ts");
	await write(await crawlerAnswers(rows, options));
}

function known(agent: string): Crawler[] {
	const crawler = findCrawler(agent);
	const suggestion = suggestAgent(agent);
	if (crawler) {
		if (suggestion) warnOfName(agent);
		return [crawler];
	}
	const near = suggestion ? `; did you mean ${tokensText(suggestion)}?` : "";
	tell(`${agent} is not a known crawler${near}`);
	process.exitCode = EXIT_FOUND;
	return [];
}

function textOf(rows: readonly Crawler[]): string {
	const table = rows.map((crawler) => [
		crawler.name,
		crawler.kind,
		crawler.operator,
		[...crawler.tokens, ...(crawler.obeysGlobal ? ["*"] : [])].join(" > "),
		...(crawler.obeysRobotsTxt ? [] : ["(may ignore robots.txt)"]),
		...(crawler.sendsRequests ? [] : ["(sends no requests)"]),
	]);
	const widths = [0, 1, 2].map((column) =>
		Math.max(0, ...table.map((row) => row[column]?.length ?? 0)),
	);
	return table
		.map((row) => {
			const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
			return `${printable(cells.join("  ").trimEnd())}\n`;
		})
		.join("");
}
