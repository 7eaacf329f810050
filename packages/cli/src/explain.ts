/**
 * `robotrie explain`: the line that decides about each URL, and why, as text or JSON. An invalid URL is a message and exit code 2, and the
 * others are explained all the same.
 */
import { type Command, Option } from "commander";
import {
	type Dialect,
	type DialectExplanations,
	type Explanation,
	RobotrieError,
} from "robotrie";
import { readingFor } from "robotrie/internal";
import { type RequestOptions, requestOptions } from "./fetch/client-options.ts";
import { type Fetched, openSource } from "./fetch/named-robots.ts";
import { refuseFiles, urlMessage } from "./input/input.ts";
import { urlsOf } from "./input/lines.ts";
import { type RobotsOptions, robotsOptions } from "./options/options.ts";
import {
	EXIT_FAILED,
	JsonList,
	paint,
	printable,
	tell,
	write,
} from "./output/output.ts";

interface ExplainOptions extends RobotsOptions, RequestOptions {
	readonly allDialects?: boolean;
	readonly robotsUrl?: string;
	readonly json?: boolean;
}

export function addExplain(program: Command): void {
	const command = program
		.command("explain")
		.usage("--agent <name> [--robots <file>] [options] [url...]")
		.description(
			"Explains verdicts: for each URL, the verdict, the rule and group that decide, and the dialects that disagree.\n\nWithout --robots it fetches the robots.txt of each URL's site.",
		)
		.argument(
			"[url...]",
			"absolute URLs, or paths that begin with /; none: read from stdin, one per line",
		);
	for (const option of robotsOptions()) command.addOption(option);
	for (const option of requestOptions()) command.addOption(option);
	command
		.addOption(
			new Option(
				"--all-dialects",
				"show the answers of all dialects side by side",
			).conflicts("dialect"),
		)
		.option(
			"--robots-url <url>",
			"the URL of the robots.txt; URLs that it does not govern are then unknown",
		)
		.option(
			"--json",
			"write an array of { url, dialect, allowed, rule, group, reason }, or with --all-dialects of { url, agree, dialects }; without --robots also robotsUrl and, if that file cannot be fetched for now, later: the time to ask again",
		)
		.addHelpText(
			"after",
			`
Exit codes: 0 done; 2 wrong options, unreadable input, an invalid URL, or a site that gave no answer: its host cannot
be resolved, it refuses the connection, it takes too long, or its address is not public.

Examples:
  robotrie explain --agent GPTBot https://example.com/blog/
  robotrie explain --robots robots.txt --agent Googlebot https://example.com/search?q=tea
  robotrie explain -r robots.txt -a Googlebot-News -a Googlebot --json /news/ /shop/
  robotrie explain -r robots.txt -a bingbot --all-dialects /catalog/
  curl -s https://example.com/robots.txt | robotrie explain -r - -a GPTBot /blog/`,
		)
		.action(explain);
}

async function explain(
	urls: readonly string[],
	options: ExplainOptions,
): Promise<void> {
	const { json, allDialects } = options;
	// A file of URLs is `match`'s business; here each URL is an argument or a line.
	refuseFiles(
		urls,
		(file) => `pass a list of URLs on stdin (< ${file}), or to robotrie match`,
	);
	const source = await openSource(options, urls.length === 0);
	const reading = {
		dialect: readingFor(options.dialect, source.agent).dialect,
		byHand: options.dialect !== "auto",
	};
	const render = json ? new JsonLines(reading) : new TextLines(reading);
	try {
		// One URL's error is a message, and the others are explained all the same.
		for await (const url of urlsOf(urls)) {
			try {
				const answer = await source.answer(url);
				const { agent } = source;
				// A site that is not known is an answer of its own, not an error.
				if ("unknown" in answer)
					await write(render.unknown(url, answer.unknown));
				else if ("explanation" in answer)
					await write(
						render.single(url, answer.explanation, answer.from, answer.at),
					);
				else if (allDialects)
					await write(
						render.byDialect(
							url,
							answer.robots.explainByDialect(url, agent),
							answer.from,
						),
					);
				else
					await write(
						render.single(url, answer.robots.explain(url, agent), answer.from),
					);
			} catch (error) {
				if (!(error instanceof RobotrieError && error.code === "invalid-url"))
					// Only the URL is the user's to mend; anything else is thrown.
					throw error;
				tell(urlMessage(error, url));
				process.exitCode = EXIT_FAILED;
			}
		}
	} finally {
		await source.close();
	}
	await write(render.end());
}

/**
 * Whether all dialects give the same answer. "Differ" is about verdicts, not about the lines that
 * decide.
 */
function agree(explanations: DialectExplanations): boolean {
	const answers = Object.values(explanations).map((one) => one?.allowed);
	return new Set(answers).size === 1;
}

/** The dialect of the verdicts. */
interface Reading {
	readonly dialect: Dialect;
	/** Not the one of the crawler's operator, but what --dialect names. */
	readonly byHand: boolean;
}

function siteOf(from: Fetched | undefined) {
	return from && { robotsUrl: from.robotsUrl };
}

/** An array that is written as it grows: a list of URLs may be long. */
class JsonLines {
	readonly #list = new JsonList();
	readonly #reading: Reading;

	constructor(reading: Reading) {
		this.#reading = reading;
	}

	single(
		url: string,
		explanation: Explanation,
		from?: Fetched,
		at?: number,
	): string {
		return this.#list.item({
			url,
			...siteOf(from),
			dialect: this.#reading.dialect,
			...explanation,
			...(at === undefined ? {} : { later: timeText(at) }),
		});
	}

	byDialect(
		url: string,
		dialects: DialectExplanations,
		from?: Fetched,
	): string {
		return this.#list.item({
			url,
			...siteOf(from),
			agree: agree(dialects),
			dialects,
		});
	}

	unknown(url: string, reason: string): string {
		const nothing = { allowed: null, rule: null, group: null };
		return this.#list.item({ url, ...nothing, reason });
	}

	end(): string {
		return this.#list.end();
	}
}

const DISALLOWED = "disallowed";
/** The robots.txt cannot be had for now. */
const LATER = "later";

function timeText(time: number): string {
	return new Date(time).toISOString();
}

/** "allowed" or "disallowed", in its colour; `width` columns wide. */
function verdict(allowed: boolean, width = 0): string {
	return allowed
		? paint("green", "allowed".padEnd(width))
		: paint("red", DISALLOWED.padEnd(width));
}

/**
 * The two kinds of output have the same three questions to answer, so they share an interface by
 * shape.
 */
class TextLines {
	readonly #reading: Reading;
	#separator = "";

	constructor(reading: Reading) {
		this.#reading = reading;
	}

	single(
		url: string,
		explanation: Explanation,
		from?: Fetched,
		at?: number,
	): string {
		const { allowed, rule, group, reason } = explanation;
		const answer = at === undefined ? verdict(allowed) : paint("yellow", LATER);
		const lines = [heading(answer, url)];
		if (rule) {
			const field = rule.type === "allow" ? "Allow" : "Disallow";
			lines.push(detail("rule", rule.line, `${field}: ${rule.pattern}`));
		}
		if (group)
			lines.push(
				detail("group", group.line, `User-agent: ${group.agents.join(", ")}`),
			);
		const { dialect, byHand } = this.#reading;
		lines.push(
			labelled("reason", reason),
			labelled("read", `as ${dialect}${byHand ? ", by --dialect" : ""}`),
			...fileOf(from),
		);
		if (at !== undefined)
			lines.push(labelled("again", `not before ${timeText(at)}`));
		return this.#item(lines);
	}

	byDialect(
		url: string,
		explanations: DialectExplanations,
		from?: Fetched,
	): string {
		const [first] = Object.values(explanations);
		const lines = [
			agree(explanations) && first
				? heading(verdict(first.allowed), url)
				: heading(paint("yellow", "differ"), url),
		];
		// Dialects in the order of the table, so that rows compare from one URL to the next.
		for (const [dialect, one] of Object.entries(explanations)) {
			const answer = one
				? verdict(one.allowed, DISALLOWED.length)
				: paint("yellow", "invalid".padEnd(DISALLOWED.length));
			const reason = one ? one.reason : "This is not a URL.";
			lines.push(labelled(dialect.padEnd(7), reason, `${answer}  `));
		}
		lines.push(...fileOf(from));
		return this.#item(lines);
	}

	unknown(url: string, reason: string): string {
		return this.#item([
			heading(paint("yellow", "unknown"), url),
			labelled("reason", reason),
		]);
	}

	end(): string {
		// Text needs no closing bracket.
		return "";
	}

	/** Items are set apart by empty lines. */
	#item(lines: readonly string[]): string {
		const text = `${this.#separator}${lines.join("\n")}\n`;
		this.#separator = "\n";
		return text;
	}
}

function fileOf(from: Fetched | undefined): string[] {
	return from ? [labelled("file", `${from.robotsUrl} (${from.status})`)] : [];
}

function heading(answer: string, url: string): string {
	return `${answer}  ${paint("bold", printable(url))}`;
}

/** Six columns are the widest label here. */
function labelled(label: string, text: string, lead = ""): string {
	return `  ${paint("dim", label.padEnd(6))}  ${lead}${printable(text)}`;
}

function detail(label: string, line: number, text: string): string {
	return labelled(label, `line ${line}: ${text}`);
}
