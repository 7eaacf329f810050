import { COUNT_LINES } from "../../assembly/format/log.ts";
import { check } from "../common/arguments.ts";
import { concatenate } from "../common/chunks.ts";
import { RobotrieError } from "../common/errors.ts";
import { bytesKind, chunksKind, textKind } from "../common/kinds.ts";
import { checkAudit } from "./check-audit.ts";
import { detectFormat } from "./detect.ts";
import { formatNames, formatOf, type LogFormat } from "./formats.ts";
import { reportOf } from "./make-report.ts";
import type { RangeSource } from "./ranges.ts";
import type { AuditReport, GroupBy } from "./report.ts";
import {
	type ReadingOptions,
	type RobotsSource,
	RuleBook,
} from "./rule-book.ts";
import type { ScanSettings } from "./scan-settings.ts";
import { LogScanner } from "./scanner.ts";
import { Totals } from "./totals.ts";

/** Options of a LogAudit. */
export interface AuditOptions extends ReadingOptions {
	/** The robots.txt files, at least one. Several differ in host or time. */
	readonly robots: readonly RobotsSource[];
	/** The name of a format (`formatNames`) or a format. Default: detected from the first lines of each log. */
	readonly format?: string | LogFormat | undefined;
	/**
	 * Names of the crawlers to audit, in any case. A name with "+" in front adds a crawler to the known ones instead.
	 */
	readonly agents?: readonly string[] | undefined;
	/** How crawlers are grouped. Default "name". */
	readonly groupBy?: GroupBy | undefined;
	/** The crawler that requests without a User-Agent header are counted for. */
	readonly defaultAgent?: string | undefined;
	/** Requests from this time on. */
	readonly since?: Date | undefined;
	/** Requests before this time. */
	readonly until?: Date | undefined;
	/** Published addresses, from `parseRanges`. */
	readonly ranges?: readonly RangeSource[] | undefined;
}

/** @internal */
export function scanSettings(
	options: AuditOptions,
	keepViolations: boolean,
): ScanSettings {
	if (options.robots.length === 0)
		throw new RobotrieError(
			"invalid-argument",
			"an audit needs at least one robots.txt",
		);
	return {
		robots: options.robots,
		reading: { dialect: options.dialect, maxBytes: options.maxBytes },
		agents: options.agents ?? [],
		byHeader: options.groupBy === "header",
		defaultAgent: options.defaultAgent,
		since: options.since?.getTime() ?? Number.NEGATIVE_INFINITY,
		until: options.until?.getTime() ?? Number.POSITIVE_INFINITY,
		ranges: options.ranges ?? [],
		keepViolations,
	};
}

/** Bytes from which a format is detected. */
export const HEAD = 64 * 1024;

/**
 * The format of a log, detected from its first bytes.
 * @throws {RobotrieError} invalid-argument, if no format fits.
 */
export function formatOfHead(head: Uint8Array, name: string): LogFormat {
	const lines = new TextDecoder()
		.decode(head.subarray(0, HEAD))
		.split(/\r?\n/)
		.filter((line) => line.trim() !== "");
	const format = detectFormat(lines.slice(0, 200));
	if (format) return format;
	// Nothing to be told, and nothing to be read.
	if (lines.length === 0) return formatOf("combined");
	throw new RobotrieError(
		"invalid-argument",
		`the format of ${name} is not one of ${formatNames.join(", ")}; give its name, fields or a log_format string`,
	);
}

/**
 * Checks access logs against robots.txt files. Add the logs of a site in order of time.
 * @example
 * const audit = new LogAudit({ robots: [{ file: "robots.txt", bytes }] });
 * await audit.add("access.log", createReadStream("access.log"));
 * const { crawlers } = audit.report();
 */
export class LogAudit {
	readonly #scanner: LogScanner;
	readonly #totals = new Totals();
	readonly #options: AuditOptions;

	/** @throws {RobotrieError} invalid-argument. */
	constructor(options: AuditOptions) {
		checkAudit(options);
		this.#options = options;
		this.#scanner = new LogScanner(scanSettings(options, false));
	}

	/**
	 * Counts a log: uncompressed bytes, in chunks of any size. `name` is its name in the report.
	 * @throws {RobotrieError} invalid-argument, if the format cannot be detected, and for chunks that are not bytes; the promise
	 * rejects.
	 */
	async add(
		name: string,
		bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
	): Promise<void> {
		check("name", name, textKind);
		check("bytes", bytes, chunksKind);
		const { format } = this.#options;
		let begun = false;
		let head: Uint8Array = new Uint8Array(0);
		const begin = () => {
			this.#scanner.begin(
				format === undefined
					? formatOfHead(head, name)
					: typeof format === "string"
						? formatOf(format)
						: format,
			);
			this.#scanner.feed(head);
			begun = true;
		};
		for await (const chunk of bytes) {
			check("a chunk of bytes", chunk, bytesKind);
			if (this.#scanner.isFull) this.#totals.append(name, this.#scanner.take());
			if (begun) {
				this.#scanner.feed(chunk);
				continue;
			}
			head = concatenate([head, chunk]);
			if (head.length >= HEAD) begin();
		}
		if (!begun) begin();
		this.#totals.append(name, this.#scanner.end());
	}

	/** Lines counted so far, including those of a log that is being added. */
	get lines(): number {
		return (this.#totals.counters[COUNT_LINES] ?? 0) + this.#scanner.lines;
	}

	/** The report on the logs added so far, without a log that is still being added. */
	report(): AuditReport {
		return reportOf(
			this.#totals,
			new RuleBook(this.#options.robots, this.#options),
			this.#options.groupBy ?? "name",
		);
	}
}
