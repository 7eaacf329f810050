import {
	bytesArgument,
	check,
	chunksKind,
	concatenate,
} from "robotrie/internal";
import { COUNT_LINES } from "../assembly/format.ts";
import { formatOfLog, HEAD } from "./detect.ts";
import {
	type AuditOptions,
	type AuditRowsOptions,
	checkAuditRows,
	scanSettings,
} from "./options.ts";
import { ndjson } from "./row-bytes.ts";
import { RowWriter } from "./row-writer.ts";
import { LogScanner } from "./scanner.ts";

/** What `robotrie audit --each` says about a line. What is not known is null. */
export interface VerdictRow {
	/** From 1, in the decompressed log. */
	readonly line: number;
	/** RFC 3339 in UTC, with milliseconds. */
	readonly time: string | null;
	/** As `CrawlerReport.name`. */
	readonly crawler: string | null;
	/** What the crawler fetches for, as `CrawlerReport.category`. */
	readonly category: string | null;
	/** Whether the address is one of the crawler's, by the option `ranges`; null without. */
	readonly verification: "verified" | "claimed" | "unknown" | null;
	/** As the log has it. */
	readonly host: string | null;
	/** The request target as it was sent, with its query. */
	readonly path: string | null;
	/** The HTTP status of the answer. */
	readonly status: number | null;
	/** 0 where the log does not tell. */
	readonly bytes: number;
	/** As the log has it. */
	readonly address: string | null;
	/** The last six only with the option `all`. */
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
}

/** Bytes that are scanned before their rows are given. */
const PIECE = 256 * 1024;

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
	const scanner = new LogScanner(
		{ ...settings, each: writer.settings },
		writer,
	);
	return rowsOf(new LineRows(scanner, writer), rest.format, bytes);
}

async function* rowsOf(
	lines: LineRows,
	format: AuditOptions["format"],
	bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<VerdictRow, void, undefined> {
	let head: Uint8Array | undefined = new Uint8Array(0);
	const begin = (first: Uint8Array) =>
		lines.scanner.begin(formatOfLog(format, first, "the log"));
	for await (const given of bytes) {
		const chunk = bytesArgument("a chunk of bytes", given);
		if (!head) yield* lines.feed(chunk);
		else {
			head = concatenate([head, chunk]);
			if (head.length < HEAD) continue;
			begin(head);
			yield* lines.feed(head);
			head = undefined;
		}
	}
	if (head) {
		begin(head);
		yield* lines.feed(head);
	}
	yield* lines.end();
}

/** The rows of a scanner, with the numbers of their lines. */
class LineRows {
	readonly scanner: LogScanner;
	readonly #writer: RowWriter;
	/** Lines in front of those that the scanner counts at present. */
	#before = 0;

	constructor(scanner: LogScanner, writer: RowWriter) {
		this.scanner = scanner;
		this.#writer = writer;
	}

	*feed(bytes: Uint8Array): Generator<VerdictRow> {
		for (let at = 0; at < bytes.length; at += PIECE) {
			this.scanner.feed(bytes.subarray(at, at + PIECE));
			yield* this.#take();
			if (this.scanner.isFull)
				this.#before += this.scanner.take().counters[COUNT_LINES] ?? 0;
		}
	}

	*end(): Generator<VerdictRow> {
		this.scanner.end();
		yield* this.#take();
	}

	*#take(): Generator<VerdictRow> {
		const rows = this.#writer.take();
		if (!rows) return;
		const decoder = new TextDecoder();
		let from = 0;
		for (const [index, end] of rows.ends.entries()) {
			const line = this.#before + (rows.lines[index] ?? 0) + 1;
			const rest = decoder.decode(rows.text.subarray(from, end));
			from = end;
			yield JSON.parse(`{"line":${line}${rest}`) as VerdictRow;
		}
	}
}
