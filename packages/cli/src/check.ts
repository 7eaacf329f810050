/**
 * `robotrie check`: a table of URLs, crawlers and the verdicts that somebody expects, held against a robots.txt. It is for a build server: a line
 * for every expectation that is not met, and exit code 1. What cannot be judged (a malformed row, an invalid URL, a site that does not answer)
 * never counts as met: the exit code is then 2.
 */
import type { Command } from "commander";
import {
	type Agent,
	type Dialect,
	type Explanation,
	RobotrieError,
	robotsUrlFor,
} from "robotrie";
import { readingFor } from "robotrie/internal";
import { isHeader } from "#robotrie/common/agents";
import { quote } from "#robotrie/common/quote";
import { decidingText } from "#robotrie/common/verdict-texts";
import { count } from "#robotrie/common/wording";
import { type RequestOptions, requestOptions } from "./fetch/client-options.ts";
import { openSource } from "./fetch/named-robots.ts";
import {
	nameOf,
	readText,
	refuseUrls,
	STDIN,
	urlMessage,
} from "./input/input.ts";
import { textLines } from "./input/lines.ts";
import {
	agentOf,
	type ReadingOptions,
	readingOptions,
	robotsOption,
} from "./options/options.ts";
import {
	EXIT_FAILED,
	EXIT_FOUND,
	Failure,
	JsonList,
	paint,
	printable,
	tell,
	write,
} from "./output/output.ts";

interface CheckOptions extends ReadingOptions, RequestOptions {
	readonly robots?: string;
	readonly json?: boolean;
}

/** One row of the table. */
interface Expectation {
	/** The row's line in the file, from 1. */
	readonly line: number;
	readonly url: string;
	/** As the row has it: a product token, several with commas, or a User-Agent header. */
	readonly agent: string;
	readonly allowed: boolean;
}

/** An answer, and the dialect in which the file was read for the row's crawler. */
interface Found extends Explanation {
	readonly dialect: Dialect;
}

export function addCheck(program: Command): void {
	const command = program
		.command("check")
		.usage("<expectations> [--robots <file>] [options]")
		.description(
			"Checks a robots.txt against expected verdicts, and writes a line for each that is not met.\n\nEach row of the table has a URL, a crawler, and allowed or disallowed, separated by tabs. More columns, empty lines, lines that begin with #, and a first row of names (url, …) are ignored. Several crawlers with commas between them are tokens to fall back to. Without --robots it fetches the robots.txt of each URL's site.",
		)
		.argument(
			"<expectations>",
			'the table; "-" for stdin; gzip, zstd and UTF-16 are decoded',
		)
		.addOption(robotsOption());
	for (const option of readingOptions()) command.addOption(option);
	for (const option of requestOptions()) command.addOption(option);
	command
		.option(
			"--json",
			"write an array of { line, url, agent, expected, dialect, allowed, rule, group, reason }",
		)
		.addHelpText(
			"after",
			`
Exit codes: 0 done; 1 an expectation is not met; 2 wrong options, an unreadable table, robots.txt or row, an invalid URL, or a
site that gave no answer.

Examples:
  robotrie check expectations.tsv --robots public/robots.txt
  robotrie check expectations.tsv --robots https://staging.example.com/
  robotrie check expectations.tsv
  printf '/\\tGooglebot\\tallowed\\n' | robotrie check - -r robots.txt`,
		)
		.action(check);
}

async function check(file: string, options: CheckOptions): Promise<void> {
	refuseUrls([file], (url) => `the site is named by --robots ${url}`);
	const { json } = options;
	const name = nameOf(file);
	// Rows name crawlers; the files are asked for in the name of none.
	const source = await openSource(options, file === STDIN, ["*"]);
	const list = new JsonList();
	let judged = 0;
	let met = 0;
	try {
		const agents = new Map<string, Agent>();
		for await (const row of rowsOf(file)) {
			if (typeof row === "string") {
				fail(row);
				continue;
			}
			// A table mostly names few crawlers, on many rows: their names are taken apart once.
			let agent = agents.get(row.agent);
			if (agent === undefined) {
				agent = agentOf(namesIn(row.agent));
				agents.set(row.agent, agent);
			}
			judged++;
			const found = await answerTo(row, agent);
			if (typeof found === "string") fail(`${name}:${row.line}: ${found}`);
			else if (found.allowed === row.allowed) met++;
			else {
				// A 2 stays: a row that could not be judged is worse than one that is not met.
				process.exitCode ??= EXIT_FOUND;
				await write(
					json ? list.item(itemOf(row, found)) : textOf(name, row, found),
				);
			}
		}
	} finally {
		await source.close();
	}
	if (json) await write(list.end());
	tell(`${met.toLocaleString("en-US")} of ${count(judged, "expectation")} met`);

	/** The answer for a row, or why there is none. */
	async function answerTo(
		{ url }: Expectation,
		agent: Agent,
	): Promise<Found | string> {
		try {
			const answer = await source.answer(url, agent);
			if ("unknown" in answer) return `${quote(url)}: ${answer.unknown}`;
			if ("robots" in answer) {
				const { robots } = answer;
				const explanation = robots.explain(url, agent);
				// Matchers do not look at hosts and ports; who checks expects them looked at. For Google's library every text is a URL.
				if (!url.startsWith("/") && !robots.rules.googleMatching)
					robotsUrlFor(url);
				return { dialect: robots.dialect, ...explanation };
			}
			const { explanation, unanswered } = answer;
			// Nobody expects a verdict of a site that is down, even if it happens to be the one in the table.
			return unanswered || !explanation.allowed
				? `${quote(url)}: ${explanation.reason}`
				: {
						dialect: readingFor(options.dialect, agent).dialect,
						...explanation,
					};
		} catch (error) {
			if (error instanceof RobotrieError && error.code === "invalid-url")
				return urlMessage(error, url);
			throw error;
		}
	}
}

/** Says why a row was not judged: the run can no longer succeed. */
function fail(message: string): void {
	tell(message);
	process.exitCode = EXIT_FAILED;
}

const VERDICTS: ReadonlyMap<string, boolean> = new Map([
	["allowed", true],
	["disallowed", false],
]);

/** The rows as they are read; for a malformed one what is wrong with it. @throws {Failure} For a table without rows, which would say that all is well. */
async function* rowsOf(file: string): AsyncGenerator<Expectation | string> {
	const name = nameOf(file);
	let line = 0;
	let isFirst = true;
	let isEmpty = true;
	for await (const text of textLines(readText(file), name)) {
		line++;
		if (text.trim() === "" || text.startsWith("#")) continue;
		const [url = "", agent = "", expected] = text
			.split("\t")
			.map((field) => field.trim());
		const isNames = isFirst && url.toLowerCase() === "url";
		isFirst = false;
		if (isNames) continue;
		isEmpty = false;
		const allowed = VERDICTS.get((expected ?? "").toLowerCase());
		yield allowed !== undefined && url !== "" && !namesIn(agent).includes("")
			? { line, url, agent, allowed }
			: `${name}:${line}: ${wrongWith(url, agent, expected)}`;
	}
	if (isEmpty)
		throw new Failure(
			`${name} has no expectations: a row is a URL, a crawler, and allowed or disallowed, separated by tabs`,
		);
}

function wrongWith(
	url: string,
	agent: string,
	expected: string | undefined,
): string {
	if (expected === undefined)
		return "a row is a URL, a crawler, and allowed or disallowed, separated by tabs";
	if (url === "") return "the URL is missing";
	if (agent === "") return "the crawler is missing";
	if (namesIn(agent).includes(""))
		return `a name is missing beside a comma of ${quote(agent)}`;
	return `expected allowed or disallowed, not ${quote(expected)}`;
}

/** The names of a row's crawler. A header has commas of its own: "Mozilla/5.0 (KHTML, like Gecko)". */
function namesIn(text: string): readonly string[] {
	return isHeader(text) ? [text] : text.split(",").map((name) => name.trim());
}

function verdictText(allowed: boolean): string {
	return allowed ? "allowed" : "disallowed";
}

function textOf(
	name: string,
	{ line, url, agent, allowed: expected }: Expectation,
	{ dialect, allowed, rule, group, reason }: Found,
): string {
	const verdict = paint(allowed ? "green" : "red", verdictText(allowed));
	const why = rule || group ? decidingText({ rule, group }) : reason;
	return `${printable(`${name}:${line}: ${url} for ${agent}`)}: ${verdict}, expected ${verdictText(expected)} (${printable(why)}; read as ${dialect})\n`;
}

function itemOf(
	{ line, url, agent, allowed }: Expectation,
	found: Found,
): object {
	return { line, url, agent, expected: verdictText(allowed), ...found };
}
