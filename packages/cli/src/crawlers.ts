/**
 * `robotrie crawlers`: the table of well-known crawlers and, with --robots and --url, which of them may fetch a URL. Without these two it
 * loads neither the comparison nor what reads files. With --lists it fetches the lists of addresses that their operators publish.
 */
import type { Command } from "commander";
import { type Crawler, crawlers, findCrawler } from "robotrie";
import type { CrawlerAnswer } from "robotrie/compare";
import { readingFor, suggestAgent } from "robotrie/internal";
import { tokensText } from "#robotrie/common/verdict-texts";
import { count } from "#robotrie/common/wording";
import {
	type RequestOptions,
	requestOptions,
	requestSettings,
} from "./fetch/client-options.ts";
import {
	missing,
	readingOptions,
	robotsOption,
	warnOfName,
} from "./options/options.ts";
import {
	EXIT_FOUND,
	Failure,
	JsonList,
	jsonText,
	paint,
	printable,
	tell,
	write,
} from "./output/output.ts";

interface CrawlersOptions extends RequestOptions {
	readonly robots?: string;
	readonly url?: string;
	readonly lists?: string;
	readonly json?: boolean;
}

export function addCrawlers(program: Command): void {
	const command = program
		.command("crawlers")
		.usage(
			"[options] [agent...] | --robots <file> --url <url> [options] | --lists <folder> [options] [agent...]",
		)
		.description(
			"Lists well-known crawlers, all or the ones you name: the product tokens they obey, the most specific first; whether they obey groups for *; who runs them and what for. With --dialect, as in that dialect.\n\nWith --robots and --url it shows which of them may fetch a URL, grouped by what they fetch for.\n\nWith --lists it fetches the lists of addresses that their operators publish into a folder, for robotrie audit --verify FOLDER.",
		)
		.argument("[agent...]", "product tokens or whole User-Agent headers")
		.addOption(robotsOption())
		.option("--url <url>", "an absolute URL, or a path that begins with /")
		.option(
			"--lists <folder>",
			"fetch the published lists of addresses, all or of the crawlers you name; those that have not changed are not sent again",
		);
	for (const option of readingOptions()) command.addOption(option);
	for (const option of requestOptions()) command.addOption(option);
	command
		.option(
			"--json",
			"write an array of { name, tokens, obeysGlobal, obeysGlobalSource, obeysRobotsTxt, operator, kind, trigger, sendsRequests, documentation, addressRanges, hostDomains, hostDomainsSource, checked }; with --url also { dialect, allowed, rule, group, reason }; with --lists of { url, file, crawlers, outcome, ranges, checked, reason }",
		)
		.addHelpText(
			"after",
			`
Exit codes: 0 done; 1 an agent is unknown, or a list could not be fetched; 2 wrong options.

Examples:
  robotrie crawlers
  robotrie crawlers Googlebot-News "Mozilla/5.0 (compatible; GPTBot/1.2)"
  robotrie crawlers --dialect yandex YandexDirect
  robotrie crawlers --robots robots.txt --url https://example.com/blog/
  robotrie crawlers --lists lists/ && robotrie audit -r robots.txt --verify lists/ access.log
  robotrie crawlers --json | jq -r '.[] | select(.kind == "ai-training").name'`,
		)
		.action(list);
}

async function list(
	agents: readonly string[],
	options: CrawlersOptions,
): Promise<void> {
	const { dialect = "auto" } = options;
	if (options.lists !== undefined)
		return fetchLists(agents, options.lists, options);
	// Names that are not known are remarks, and the others are listed all the same.
	const rows = (agents.length === 0 ? crawlers : agents.flatMap(known)).map(
		(crawler) =>
			findCrawler(crawler.name, readingFor(dialect, crawler.name)) ?? crawler,
	);
	if (options.robots === undefined && options.url === undefined)
		return write(
			options.json ? `${JSON.stringify(rows, null, 2)}\n` : textOf(rows),
		);
	await write(await crawlerAnswers(rows, options));
}

/** What a folder's lists are asked for as, unless --user-agent says otherwise. */
const DEFAULT_AGENT = "robotrie";

/** Fetches the published lists of crawlers, and says what came of each. */
async function fetchLists(
	agents: readonly string[],
	folder: string,
	options: CrawlersOptions,
): Promise<void> {
	if (options.robots !== undefined || options.url !== undefined)
		throw new Failure("--lists cannot be used with --robots and --url");
	const { fetchLists, publishedLists } = await import(
		"./audit/crawler-lists.ts"
	);
	const rows = agents.length === 0 ? crawlers : agents.flatMap(known);
	for (const { name, addressRanges } of agents.length === 0 ? [] : rows)
		if (addressRanges.length === 0) {
			tell(`no published list of ${name}'s addresses is known`);
			process.exitCode = EXIT_FOUND;
		}
	const list = options.json ? new JsonList() : undefined;
	await fetchLists(
		publishedLists(rows),
		folder,
		{
			...requestSettings(options),
			agent: options.userAgent ?? DEFAULT_AGENT,
		},
		async (answer) => {
			const { outcome, file, ranges, url, reason } = answer;
			if (reason !== null) {
				tell(printable(reason));
				process.exitCode = EXIT_FOUND;
			}
			if (list) await write(list.item(answer));
			else if (reason === null)
				await write(
					`${outcome.padEnd(9)}  ${file}  ${count(ranges ?? 0, "range")}  ${url}\n`,
				);
		},
	);
	if (list) await write(list.end());
}

function known(agent: string): Crawler[] {
	const crawler = findCrawler(agent);
	// A suggestion is offered for a near miss, not instead of the answer.
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
	// Columns are as wide as their longest value, so that the list can be read downwards.
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

/** Which of some crawlers may fetch a URL, as text or JSON. */
async function crawlerAnswers(
	crawlers: readonly Crawler[],
	options: CrawlersOptions,
): Promise<string> {
	// Without --url the table needs no robots.txt at all.
	const url = options.url ?? missing("--url <url>");
	// Loaded here, as the table alone needs neither.
	const [{ compareCrawlers }, { robotsOf }] = await Promise.all([
		import("robotrie/compare"),
		import("./fetch/named-robots.ts"),
	]);
	const robots = await robotsOf(options, false);
	const asked = new Set(crawlers.map(({ name }) => name));
	// `compareCrawlers` answers for all; only those asked about are shown.
	const answers = compareCrawlers((agent) => robots.of(agent), url).filter(
		({ crawler }) => asked.has(crawler.name),
	);
	if (!options.json) return answersText(answers);
	const list = answers.map(({ crawler, ...answer }) => ({
		...crawler,
		...answer,
	}));
	return `${jsonText(list, 2)}\n`;
}

/** Crawlers by what they fetch for: those that may fetch a URL, and those that may not with the line that decides. */
function answersText(answers: readonly CrawlerAnswer[]): string {
	// By kind, as the question that this command answers is usually "which AI crawlers".
	const byKind = new Map<string, CrawlerAnswer[]>();
	for (const answer of answers) {
		const { kind } = answer.crawler;
		const same = byKind.get(kind);
		if (same) same.push(answer);
		else byKind.set(kind, [answer]);
	}
	return [...byKind]
		.map(([kind, some]) => {
			const lines = [paint("bold", kind)];
			// Crawlers with the same verdict and line share one row: most rules are for many.
			const byReason = new Map<string, string[]>();
			for (const { allowed, rule, crawler, dialect } of some) {
				const why = rule
					? ` (line ${rule.line}: ${rule.type === "allow" ? "Allow" : "Disallow"}: ${printable(rule.pattern)})`
					: "";
				const answer = allowed
					? paint("green", "allowed")
					: paint("red", "disallowed");
				const row = `${answer}${why} ${paint("dim", `read as ${dialect}`)}`;
				const names = byReason.get(row);
				if (names) names.push(crawler.name);
				else byReason.set(row, [crawler.name]);
			}
			for (const [answer, names] of byReason)
				lines.push(`  ${answer}`, `    ${names.join(", ")}`);
			return `${lines.join("\n")}\n`;
		})
		.join("\n");
}
