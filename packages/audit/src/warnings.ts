import { count, quote } from "robotrie/internal";
import type { CrawlerReport } from "./report.ts";

/** A request that is not for a URL. */
export interface InvalidRequest {
	/** Name of the log file. */
	readonly file: string;
	/** What stands where its target should. */
	readonly text: string;
}

/** How many requests of a log have no User-Agent header. */
export interface LogHeaders {
	/** Name of the log file. */
	readonly file: string;
	/** Name of its format. */
	readonly format: string;
	readonly requests: number;
	readonly without: number;
}

/** What makes a report doubtful. */
export function warningsOf(
	crawlers: readonly CrawlerReport[],
	example: InvalidRequest | undefined,
	headers: readonly LogHeaders[] = [],
): readonly string[] {
	return [...invalidRequests(crawlers, example), ...withoutHeaders(headers)];
}

/** Logs that a reader names; further ones are counted. */
const NAMED = 3;

function withoutHeaders(headers: readonly LogHeaders[]): readonly string[] {
	const silent = headers.filter(
		({ requests, without }) => requests > 0 && requests === without,
	);
	const formats = [...new Set(silent.map(({ format }) => format))];
	return formats.map((format) => {
		const files = silent
			.filter((each) => each.format === format)
			.map(({ file }) => file);
		const more = files.length - NAMED;
		const names = files.slice(0, NAMED).join(", ");
		return `no line of ${names}${more > 0 ? ` and ${count(more, "more log")}` : ""} (${format}) has a User-Agent header, so nobody is judged there; --default-agent says whose the requests are`;
	});
}

function invalidRequests(
	crawlers: readonly CrawlerReport[],
	example: InvalidRequest | undefined,
): readonly string[] {
	let requests = 0;
	let invalid = 0;
	for (const crawler of crawlers) {
		requests += crawler.requests;
		invalid += crawler.invalid;
	}
	if (!example || 2 * invalid <= requests) return [];
	const numbers = [invalid, requests].map((each) =>
		each.toLocaleString("en-US"),
	);
	return [
		`${numbers.join(" of ")} judged requests are not for a URL, such as ${quote(example.text)} in ${example.file}; ${adviceFor(example.text)}`,
	];
}

function adviceFor(text: string): string {
	if (/^[a-z_-]+ \S/i.test(text))
		return "that is a request line: name it with request=KEY in --fields, with $request or %r in --log-format";
	if (/^[\w.-]+\/\d|^Mozilla\//.test(text))
		return "that is a User-Agent header: look where the format has the path";
	if (/^[\w~%.-]+(?:\/|$)/.test(text) && !/^[\d.:-]+$/.test(text))
		return "paths lack their first slash: put one in front of the key, path=/KEY in --fields";
	return "look where the format has the path or the request";
}
