/**
 * `robotrie crawl-check`: `match` for URLs of any sites. crawl-lines.ts judges blocks of lines while the client fetches robots.txt files; this
 * file has the options, the progress and the summary.
 */

import type { RobotsClient } from "@robotrie/client";
import { type Command, InvalidArgumentError } from "commander";
import { rulesOf } from "robotrie/access";
import { isHeader } from "#robotrie/common/agents";
import { count } from "#robotrie/common/wording";
import { wholeLines } from "#sites/files/text";
import { judgedLines } from "./crawl-lines.ts";
import {
	type ClientOptions,
	clientOptions,
	openClient,
	seconds,
} from "./fetch/client-options.ts";
import {
	expandFiles,
	inputsOf,
	nameOf,
	readText,
	refuseUrls,
	STDIN,
} from "./input/input.ts";
import { type VerdictOptions, verdictOptions } from "./match/match.ts";
import { linesOf, summaryOf, VerdictLines } from "./match/verdict-lines.ts";
import {
	agentOf,
	agentOption,
	progressOptions,
	warnOfDialect,
} from "./options/options.ts";
import {
	EXIT_FOUND,
	EXIT_LATER,
	printable,
	tell,
	writeForeign,
} from "./output/output.ts";
import { StatusLine } from "./output/progress.ts";

interface CrawlCheckOptions extends ClientOptions, VerdictOptions {
	readonly agent?: readonly string[];
	readonly progress?: boolean;
	readonly unordered?: boolean;
	readonly retry: number;
	readonly retryTime: number;
}

export function addCrawlCheck(program: Command): void {
	const command = program
		.command("crawl-check")
		.usage("--agent <name> [--store <place>] [options] [file...]")
		.description(
			"Judges URLs of any sites: writes each line, prefixed with its verdict and a tab, and fetches each robots.txt it needs once.\n\nVerdicts are allowed, disallowed, later (the robots.txt cannot be fetched for now: ask again), unknown (not http, https or ftp, or at an address that is not public, to which it does not connect) and invalid (not a URL). With --store, robots.txt files are kept and read from there.",
		)
		.argument(
			"[file...]",
			'files of URLs, one per line; "-" or none: stdin; gzip, zstd and UTF-16 are decoded',
		)
		.addOption(agentOption());
	for (const option of clientOptions()) command.addOption(option);
	for (const option of verdictOptions("count lines and requests on stderr"))
		command.addOption(option);
	const progress =
		"show progress on stderr (default: if it is a terminal and no lines are typed)";
	for (const option of progressOptions(progress)) command.addOption(option);
	command
		.option(
			"--unordered",
			"write each verdict as soon as it is known, not in the order of the lines",
		)
		.option(
			"--retry <number>",
			"how many times to ask again for a robots.txt that cannot be fetched for now",
			retries,
			0,
		)
		.option(
			"--retry-time <seconds>",
			"stop asking this long after a site's first failure",
			seconds,
			60,
		)
		.addHelpText(
			"after",
			`
URLs of a site that cannot be reached or has a server error (429, 5xx) are later
(in the yandex dialect allowed): do not fetch them, and do not drop them (RFC 9309, 2.3.1.4).
With --retry the site is asked again: when its Retry-After says so, else after 1, 2, 4, … seconds.

Lines are written in order, so they wait for the slowest site before them, up
to --timeout, and with --retry up to --retry-time; --unordered does not wait.

Exit codes: 0 done; 1 a line is disallowed, with --check; 2 wrong options or unreadable input;
3 some lines are later, so the answer is incomplete (1 takes precedence).

Examples:
  robotrie crawl-check --store robots/ --agent ExampleBot urls.txt.gz > verdicts.tsv
  robotrie crawl-check -s redis://localhost:6379 -a ExampleBot --only allowed < urls.txt
  robotrie crawl-check -a ExampleBot --retry 3 --retry-time 300 --unordered urls.txt
  robotrie crawl-check -a ExampleBot-News -a ExampleBot --user-agent "ExampleBot/1.0 (+https://example.com/bot)" urls.txt`,
		)
		.action(crawlCheck);
}

async function crawlCheck(
	files: readonly string[],
	options: CrawlCheckOptions,
	command: Command,
): Promise<void> {
	// The message repeats the given options, so that it can be pasted.
	refuseUrls(files, (url) => {
		const names = (options.agent ?? []).map((name) => ` --agent ${name}`);
		return `to judge one URL: robotrie explain${names.join("")} ${url}`;
	});
	const inputs = inputsOf(await expandFiles(files));
	const agent = agentOf(options.agent);
	warnOfDialect(command, agent);
	// The agent chooses the group; a whole header of it is also what is sent.
	const { client, close } = await openClient(options, agent, {
		// A header is sent as it was given.
		userAgent: options.userAgent ?? options.agent?.find(isHeader),
		store: options.store,
		...(options.retry > 0 ? { minRetryDelay: FIRST_PAUSE } : {}),
	});
	// Sites that are refused are collected for one warning at the end, as there may be thousands.
	const refused = new Set<string>();
	const failing = new Set<string>();
	client.on("answer", ({ origin, access }) => {
		if (access.code === "address-refused") refused.add(origin);
		if (rulesOf(access) === "later") failing.add(origin);
		else failing.delete(origin);
	});
	const verdictLines = new VerdictLines(options.only);
	// Progress would wipe away what is being typed.
	const isTyped = inputs.includes(STDIN) && process.stdin.isTTY;
	const status = new StatusLine(
		options.progress ?? (isTyped ? false : undefined),
	);
	const show = () => status.show(() => progressOf(verdictLines, client));
	// Every tenth of a second, whether or not lines come: a slow site must not look like a crash.
	const timer = setInterval(show, 100);
	try {
		const judged = judgedLines(client, blocksOf(inputs), {
			unordered: options.unordered ?? false,
			retries: options.retry,
			retryWithin: options.retryTime * 1000,
			onHeldUp: (origin) => {
				status.clear();
				tell(
					`waiting for ${origin}; the lines after it are held back, up to ${options.retry > 0 ? "the time for retries" : "the timeout"} (--unordered writes each verdict as soon as it is known)`,
				);
			},
		});
		// A block without kept lines writes nothing, not even an empty chunk.
		for await (const { lines, verdicts } of judged) {
			const output = verdictLines.label(lines, verdicts);
			if (output.length === 0) continue;
			// Where both go to one terminal, the line in progress must not stand in the way.
			if (process.stdout.isTTY) status.clear();
			await writeForeign(output);
		}
		// Timers keep a process alive, and the client has sockets open.
	} finally {
		clearInterval(timer);
		status.clear();
		await close();
	}
	if (refused.size > 0) tell(refusalOf(refused));
	const isIncomplete = verdictLines.count("later") > 0;
	if (isIncomplete) tell(failingOf(failing, options.retry > 0));
	// In a pipe the summary is asked for; on a terminal it is welcome.
	if (options.summary ?? process.stderr.isTTY)
		tell(`${summaryOf(verdictLines)}; ${requestsOf(client)}`);
	if (options.check && verdictLines.count("disallowed") > 0)
		process.exitCode = EXIT_FOUND;
	else if (isIncomplete) process.exitCode = EXIT_LATER;
}

/** Milliseconds after a failure, with --retry: a person waits. */
const FIRST_PAUSE = 1000;

/** At most two digits: pauses double. */
function retries(text: string): number {
	if (!/^\d{1,2}$/.test(text))
		throw new InvalidArgumentError("Expected a whole number from 0 to 99.");
	return Number(text);
}

/** Sites that are named in a warning. */
const MOST_NAMED = 5;

/** The first of them are named, as the reason is usually the same for all. */
function refusalOf(origins: ReadonlySet<string>): string {
	return `warning: ${count(origins.size, "site")} at addresses that are not public: not asked for robots.txt, URLs are unknown (${namesOf(origins)}); --allow-private-network asks them`;
}

function failingOf(origins: ReadonlySet<string>, isRetried: boolean): string {
	// Answers of an earlier run, from the store, are no events.
	const named = origins.size > 0 ? ` (${namesOf(origins)})` : "";
	return `warning: robots.txt of some sites cannot be had for now, so their URLs are later${named}; ${isRetried ? "run it again" : "--retry asks them again"}`;
}

function namesOf(origins: ReadonlySet<string>): string {
	const named = [...origins].slice(0, MOST_NAMED).join(", ");
	return `${printable(named)}${origins.size > MOST_NAMED ? ", …" : ""}`;
}

/** The lines of all files, in blocks. */
async function* blocksOf(
	inputs: readonly string[],
): AsyncGenerator<Uint8Array> {
	// Lines of different files are separate blocks, so a last line without an end stays its own.
	for (const file of inputs) yield* wholeLines(readText(file), nameOf(file));
}

function progressOf(verdictLines: VerdictLines, client: RobotsClient): string {
	// What is queued depends on the sites named so far, not on the file's length.
	const { active, queued } = client.stats();
	return `${linesOf(verdictLines)}; ${requestsOf(client)}, ${active.toLocaleString("en-US")} under way, ${queued.toLocaleString("en-US")} to come`;
}

function requestsOf(client: RobotsClient): string {
	const { origins, requests, failures, storeHits } = client.stats();
	return [
		`robots.txt of ${count(origins, "site")}`,
		`${requests.toLocaleString("en-US")} asked for`,
		...(failures > 0
			? [`${failures.toLocaleString("en-US")} without answer`]
			: []),
		...(storeHits > 0
			? [`${storeHits.toLocaleString("en-US")} from the store`]
			: []),
	].join(", ");
}
