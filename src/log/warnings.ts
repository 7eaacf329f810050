import { quote } from "../common/errors.ts";
import type { CrawlerReport } from "./report.ts";

/** A request that is not for a URL. */
export interface InvalidRequest {
	/** Name of the log file. */
	readonly file: string;
	/** What stands where its target should. */
	readonly text: string;
}

/** What makes a report doubtful. */
export function warningsOf(
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
