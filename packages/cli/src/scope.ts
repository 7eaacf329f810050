/**
 * `robotrie scope`: the robots.txt that governs each URL, or whether a given one does. It needs no file and no network.
 */
import type { Command } from "commander";
import { appliesTo, robotsUrlFor } from "robotrie";
import { refuseFiles } from "./input/input.ts";
import { urlsOf } from "./input/lines.ts";
import { checkRobotsUrl } from "./options/options.ts";
import {
	EXIT_FOUND,
	Failure,
	JsonList,
	writeForeign,
} from "./output/output.ts";

interface ScopeOptions {
	readonly robotsUrl?: string;
	readonly check?: boolean;
	readonly json?: boolean;
}

/** What a URL's robots.txt is. */
interface Scope {
	readonly url: string;
	/** Null for a text that is not an absolute URL with a host. */
	readonly robotsUrl: string | null;
	/** Whether it is the file asked about. */
	readonly applies?: boolean;
}

/**
 * Characters that are written at once. Many short answers in one write, few enough that a pipe sees
 * them soon.
 */
const BATCH = 64 * 1024;

export function addScope(program: Command): void {
	program
		.command("scope")
		.description(
			"Finds the robots.txt that governs each URL: writes its URL, a tab and the given URL.\n\nWith --robots-url it writes whether that file governs the URL: applies or elsewhere. Text that is not an absolute URL with a host is invalid.",
		)
		.argument("[url...]", "absolute URLs; none: read from stdin, one per line")
		.option("--robots-url <url>", "the robots.txt to check")
		.option("--check", "exit with 1 if --robots-url does not govern all URLs")
		.option("--json", "write an array of { url, robotsUrl, applies }")
		.addHelpText(
			"after",
			`
Exit codes: 0 done; 1 a URL is elsewhere or invalid, with --check; 2 wrong options or unreadable input.

Examples:
  robotrie scope https://www.example.com:8080/shop/ http://bücher.example/
  robotrie scope --robots-url https://example.com/robots.txt --check < urls.txt`,
		)
		.action(scope);
}

async function scope(
	urls: readonly string[],
	{ robotsUrl, check, json }: ScopeOptions,
): Promise<void> {
	if (robotsUrl !== undefined) checkRobotsUrl(robotsUrl);
	else if (check) throw new Failure("--check needs a --robots-url");
	refuseFiles(urls, (file) => `pass a list of URLs on stdin: < ${file}`);
	const list = new JsonList();
	let text = "";
	for await (const url of urlsOf(urls)) {
		const found = scopeOf(url, robotsUrl);
		if (check && !found.applies) process.exitCode = EXIT_FOUND;
		text += json ? list.item(found) : `${answerOf(found)}\t${url}\n`;
		if (text.length < BATCH) continue;
		await writeForeign(text);
		text = "";
	}
	await writeForeign(json ? text + list.end() : text);
}

function scopeOf(url: string, file: string | undefined): Scope {
	// A text that is no URL is an answer, too: the command is a filter.
	try {
		const robotsUrl = robotsUrlFor(url);
		return file === undefined
			? { url, robotsUrl }
			: { url, robotsUrl, applies: appliesTo(file, url) };
	} catch {
		return {
			url,
			robotsUrl: null,
			...(file !== undefined && { applies: false }),
		};
	}
}

function answerOf({ robotsUrl, applies }: Scope): string {
	if (robotsUrl === null) return "invalid";
	if (applies === undefined) return robotsUrl;
	return applies ? "applies" : "elsewhere";
}
