/**
 * auditRows: the public, streaming way to get a verdict for each line of a log, as `robotrie audit --each` does. It scans the log step
 * by step and parses the JSON rows that RowWriter has written, so that both have one source. Memory is bounded by a step's rows.
 */

import { check } from "#robotrie/common/arguments";
import { chunksKind } from "#robotrie/common/kinds";
import { COUNT_LINES } from "../assembly/format.ts";
import { type EachRows, ndjson } from "./common/row-bytes.ts";
import { RowWriter } from "./count/row-writer.ts";
import type { Segment } from "./count/totals.ts";
import {
	type AuditRowsOptions,
	checkAuditRows,
	scanSettings,
} from "./options/options.ts";
import { formatOfLog, headFirst } from "./scan/detect.ts";
import { ResolvingAhead, reverseDnsOf } from "./scan/reverse-dns.ts";
import { scanLog, seenBefore } from "./scan/scan-log.ts";
import { LogScanner } from "./scan/scanner.ts";

/** The verdict on one line of a log, as `robotrie audit --each` writes it. Unknown values are null. */
export interface VerdictRow {
	/** From 1, in the decompressed log. */
	readonly line: number;
	/** RFC 3339 in UTC, with milliseconds. */
	readonly time: string | null;
	/** As `CrawlerReport.name`. */
	readonly crawler: string | null;
	/** What the crawler fetches for, as `CrawlerReport.category`. */
	readonly category: string | null;
	/** Whether the address is one of the crawler's, by the options `ranges` and `resolve`; null without them. */
	readonly verification: "verified" | "claimed" | "unknown" | null;
	/** As the log has it. */
	readonly host: string | null;
	/** The request target as it was sent, with its query. */
	readonly path: string | null;
	/** The HTTP status of the response. */
	readonly status: number | null;
	/** Bytes of the response; 0 if the log does not say. */
	readonly bytes: number;
	/** As the log has it. */
	readonly address: string | null;
	/** The verdicts from "people" on only occur with the option `all`. */
	readonly verdict:
		| "allowed"
		| "disallowed"
		| "robotsTxt"
		| "invalid"
		| "people"
		| "withoutAgent"
		| "leftOut"
		| "withoutRobots"
		| "outside"
		| "unparsed";
	/** Name of the robots.txt that decided. */
	readonly robots: string | null;
	/** The deciding rule's line, from 1; null if no rule matches. */
	readonly rule_line: number | null;
	/** Its pattern. */
	readonly rule: string | null;
	/** The User-Agent header as it was sent. */
	readonly user_agent: string | null;
	/** The method of the request. */
	readonly method: string | null;
	/** The Referer header; in W3C's and CloudFront's formats as the log has it. */
	readonly referrer: string | null;
}

/**
 * A row for every judged request of an access log, in the order of its lines. Memory does not grow with the log.
 * @param bytes One log, uncompressed, in chunks of any size.
 * @throws {RobotrieError} invalid-argument. Iterating throws it for a log whose format cannot be detected, and for chunks that are not
 * bytes.
 * @example
 * const options = { robots: [{ file: "robots.txt", bytes }] };
 * for await (const row of auditRows(options, createReadStream("access.log")))
 *   if (row.verdict === "disallowed") console.log(row.crawler, row.path);
 */
export function auditRows(
	options: AuditRowsOptions,
	bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<VerdictRow, void, undefined> {
	const { all = false, ...rest } = checkAuditRows(options);
	check("bytes", bytes, chunksKind);
	const writer = new RowWriter({ format: "ndjson", all }, ndjson);
	const settings = scanSettings(rest, false);
	const dns = rest.resolve && reverseDnsOf(rest.resolve);
	const scanner = new LogScanner(
		{ ...settings, each: writer.settings },
		writer,
		{ resolved: dns?.resolved },
	);
	const ahead = dns && new ResolvingAhead(settings, dns);
	const begin = (head: Uint8Array) => {
		// Rows need the format before the first line; `headFirst` collects enough bytes to detect it.
		const found = formatOfLog(rest.format, head, "the log");
		scanner.begin(found);
		ahead?.begin(found);
	};
	const chunks = headFirst(bytes, begin);
	const seen = ahead ? seenBefore(ahead, chunks) : chunks;
	return rowsOf(scanLog(scanner, seen), writer);
}

/**
 * The rows of a log, as it is scanned. A generator of its own, so that wrong options throw when `auditRows` is called, not at the first
 * `next()`.
 */
async function* rowsOf(
	scanned: AsyncIterable<Segment | undefined>,
	writer: RowWriter,
): AsyncGenerator<VerdictRow, void, undefined> {
	// Lines before the current segment, which counts them from 0.
	let before = 0;
	for await (const segment of scanned) {
		// After each step, so that the first rows of a large chunk are yielded early and few rows are in memory as text.
		const rows = writer.take();
		if (rows) yield* parsed(rows, before);
		// Segments are only taken for their numbers of lines, and to keep the counters small: nothing is reported.
		before += segment?.counters[COUNT_LINES] ?? 0;
	}
}

/** Rows as objects. A row is the end of a JSON object, to which its line number is added here. */
function* parsed(
	{ text, lines, ends }: EachRows,
	before: number,
): Generator<VerdictRow> {
	const decoder = new TextDecoder();
	let from = 0;
	for (const [index, end] of ends.entries()) {
		const line = before + (lines[index] ?? 0) + 1;
		const rest = decoder.decode(text.subarray(from, end));
		from = end;
		yield JSON.parse(`{"line":${line}${rest}`) as VerdictRow;
	}
}
